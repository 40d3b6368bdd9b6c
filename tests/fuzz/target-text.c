/* Expressions, configurations, lists of sizes; and what the targets share. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compare/expression.h"
#include "print/diff_series.h"
#include "fuzz/targets.h"
#include "tui/keys/config.h"
#include "util/mem.h"

const char *
fuzz_file(const char *name)
{
	static char path[200];
	const char *tmp = getenv("TMP_DIR");

	snprintf(path, sizeof(path), "%s/cgview-fuzz-%d-%s",
		 tmp && strlen(tmp) < 100 ? tmp : access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm",
		 (int)getpid(), name);
	return path;
}

void
fuzz_write(const char *path, const void *data, size_t size)
{
	FILE *f = fopen(path, "wb");

	if (!f || fwrite(data, 1, size, f) != size || fclose(f)) {
		perror(path);
		abort();
	}
}

void
fuzz_expression(const uint8_t *data, size_t size)
{
	struct expression_profile profiles[3] = {};
	struct expression_context c = {
		.profiles = profiles, .nr_profiles = 3, .things = "things", .figures = ~0u,
		.has_value = size % 2,
	};
	struct expression_error err = EXPRESSION_ERROR_INIT;
	struct expression_extra extra = { .value = { .type = SCALAR_NULL } };
	struct scalar_value figures[MAX_REFERENCES], v;
	char *text = xstrndup((const char *)data, size);
	struct expression *e;
	size_t nr = 0;

	for (int k = 0; k < 3; k++)
		for (int f = 0; f < NR_RUN_FIGURES; f++)
			profiles[k].run[f] = (struct scalar_value){ .type = SCALAR_INTEGER,
								    .integer = 100 * k + f };
	e = expression_compile(text, &c, &err);
	if (!e && !err.error.set)
		abort();
	if (e) {
		expression_references(e, &nr);
		for (size_t i = 0; i < nr; i++)
			figures[i] = (struct scalar_value){ .type = SCALAR_INTEGER,
							    .integer = (int64_t)i * 1000003 };
		expression_deadline(e, 300);
		expression_evaluate(e, figures, &extra, &v, &err.error);
	}
	expression_free(e);
	free(text);
}

void
fuzz_config(const uint8_t *data, size_t size)
{
	struct config c;
	char *path = xstrdup(fuzz_file("config"));

	fuzz_write(path, data, size);
	config_read(&c, path);
	config_release(&c);
	unlink(path);
	free(path);
}

static jmp_buf refused;

static void
leave(void)
{
	longjmp(refused, 1);
}

/* What is wrong ends the program: here that is the end of this turn. */
void
fuzz_series(const uint8_t *data, size_t size)
{
	static char *path;
	char *paths[] = { "a.db", "dir/b.db", "c.db" };
	double sizes[3] = { 0 };

	if (!path)
		path = xstrdup(fuzz_file("series"));
	fuzz_write(path, data, size);
	error_at_exit(leave);
	if (!setjmp(refused))
		series_read_sizes(path, paths, 3, sizes);
	error_at_exit(NULL);
	unlink(path);
}
