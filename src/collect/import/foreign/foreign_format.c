#include "collect/import/foreign/foreign_format.h"

#include <unistd.h>

#include "util/input.h"

static const struct foreign_format *const formats[] = {
	&perf_script_format,
};

const struct foreign_format *
foreign_format_of(const char *path)
{
	enum { HEAD = 16384 };
	struct error ignored = ERROR_INIT;
	char head[HEAD + 1];
	struct stat st;
	int fd = input_open(path, &st, &ignored);
	ssize_t n = fd < 0 ? -1 : input_read_at(fd, 0, head, HEAD);

	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return NULL;
	head[n] = '\0';
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (formats[i]->is(head, (size_t)n))
			return formats[i];
	return NULL;
}
