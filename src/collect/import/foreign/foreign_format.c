#include "collect/import/foreign/foreign_format.h"

#include "collect/import/unpack.h"

static const struct foreign_format *const formats[] = {
	&callgrind_format,
	&perf_data_format,
	&perf_script_format,
	&gperftools_format,
	&gmon_format,
	&pprof_format,
	&dhat_format,
	&massif_format,
	&otlp_format,
	&heaptrack_format,
	&gcov_json_format,
	&gcda_format,
	&llvm_cov_format,
	&llvm_profile_format,
	&lcov_format,
	&firefox_format,
	&speedscope_format,
	&chrome_format,
	&folded_format, /* the last: nearly any text with numbers could be one */
};

const struct foreign_format *
foreign_format_of(const char *path)
{
	enum { HEAD = 16384 };
	char head[HEAD + 1];
	ssize_t n = unpack_head_apart(path, head, HEAD);

	if (n <= 0)
		return NULL;
	head[n] = '\0';
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (formats[i]->is(head, (size_t)n))
			return formats[i];
	return NULL;
}
