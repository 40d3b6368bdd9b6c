/* What other tools wrote of errors: read here without the child that does it in cgview. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "collect/import/errors/defect_wire.h"
#include "fuzz/targets.h"
#include "util/mem.h"

/* In either format, whatever it looks like. */
static void
read_as(const char *path, void (*read_log)(int fd, struct defect_draft *d))
{
	struct defect_draft d = {
		.kind = STRBUF_INIT, .what = STRBUF_INIT, .frames = STRBUF_INIT,
	};
	char *messages = NULL;
	size_t length = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	d.to = open_memstream(&messages, &length);
	if (fd < 0 || !d.to)
		abort();
	read_log(fd, &d);
	close(fd);
	if (fclose(d.to) || !length) /* the last message says how it ended */
		abort();
	free(messages);
	strbuf_release(&d.kind);
	strbuf_release(&d.what);
	strbuf_release(&d.frames);
}

void
fuzz_errors(const uint8_t *data, size_t size)
{
	static char *path;

	if (!path)
		path = xstrdup(fuzz_file("errors"));
	fuzz_write(path, data, size);
	read_as(path, defect_xml_read);
	read_as(path, defect_text_read);
	unlink(path);
}
