/* Profiles of other tools: read in the format that they look like, or, without any, in one that the
 * first byte chooses. */
#include <stdlib.h>
#include <unistd.h>

#include "collect/import/foreign/foreign_format.h"
#include "db/model/order.h"
#include "fuzz/targets.h"
#include "solve/solve.h"
#include "util/mem.h"

static const struct foreign_format *
format_of(const char *path, const uint8_t *data, size_t size)
{
	static const struct foreign_format *const formats[] = {
		&callgrind_format, &chrome_format, &dhat_format, &firefox_format, &folded_format,
		&gcov_json_format, &gmon_format, &gperftools_format, &heaptrack_format,
		&lcov_format, &massif_format,
		&llvm_cov_format, &perf_data_format, &perf_script_format, &pprof_format,
		&speedscope_format,
	};
	const struct foreign_format *f = foreign_format_of(path);

	return f || !size ? f : formats[*data % (sizeof(formats) / sizeof(*formats))];
}

/* What is done with what was read. */
static void
make(struct model *m, struct error *err)
{
	struct row_ids ids = { .of = { NULL } };

	if ((model_put_in_order(m, NULL, &ids, err) || model_solve(m, NULL, 0, err)) && !err->set)
		abort();
	row_ids_release(&ids);
}

void
fuzz_foreign(const uint8_t *data, size_t size)
{
	static char *path;
	const char *paths[1];
	struct error err = ERROR_INIT;
	const struct foreign_format *f;
	struct model m;

	if (!path)
		path = xstrdup(fuzz_file("foreign"));
	fuzz_write(path, data, size);
	paths[0] = path;
	f = format_of(path, data, size);
	model_init(&m);
	if (f && !f->read(paths, 1, &m, &err))
		make(&m, &err);
	else if (f && !err.set)
		abort();
	model_release(&m);
	unlink(path);
}
