/* What fuzzing found once, replayed: each file of tests/fuzz/regressions is for the target that its
 * name begins with. A crash ends this program, and so fails the test; run it with ASAN=1, too. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/targets.h"

static const struct fuzz_target *
target_of(const char *name)
{
	for (const struct fuzz_target *t = fuzz_targets; t->name; t++)
		if (!strncmp(name, t->name, strlen(t->name)) && name[strlen(t->name)] == '-')
			return t;
	return NULL;
}

static void
replay(const char *directory, const char *name)
{
	static uint8_t data[1 << 20];
	const struct fuzz_target *t = target_of(name);
	char path[4096];
	size_t size;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	f = t ? fopen(path, "rb") : NULL;
	size = f ? fread(data, 1, sizeof(data), f) : 0;
	if (f)
		fclose(f);
	if (t) {
		printf("# %s\n", name);
		fflush(stdout);
		t->run(data, size);
	}
	printf("%s - %s\n", t && f ? "ok" : "not ok", name);
}

int
main(int argc, char **argv)
{
	char *directory = realpath(argc > 1 ? argv[1] : "tests/fuzz/regressions", NULL);
	const char *tmp = getenv("TMP_DIR");
	struct dirent **entries;
	int nr;

	if (!directory || (tmp && chdir(tmp))) {
		printf("not ok - %s is there\n", argc > 1 ? argv[1] : "tests/fuzz/regressions");
		return 1;
	}
	nr = scandir(directory, &entries, NULL, alphasort);
	for (int i = 0; i < nr; i++)
		if (*entries[i]->d_name != '.')
			replay(directory, entries[i]->d_name);
	/* With nothing at all, too. */
	for (const struct fuzz_target *t = fuzz_targets; t->name; t++)
		t->run((const uint8_t *)"", 0);
	printf("ok - nothing at all\n");
	return 0;
}
