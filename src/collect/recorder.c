#include "collect/recorder.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void
recorder_hold(const char *text, const char *label)
{
	static int held = -1;
	ssize_t length = (ssize_t)strlen(text) + 1, behind = (ssize_t)strlen(label) + 1;
	int fd = memfd_create(RECORDER_FILE, MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (held >= 0)
		close(held);
	held = -1;
	if (fd < 0)
		return;
	if (write(fd, text, (size_t)length) == length &&
	    write(fd, label, (size_t)behind) == behind &&
	    fcntl(fd, F_ADD_SEALS, RECORDER_SEALS) == 0)
		held = fcntl(fd, F_DUPFD_CLOEXEC, RECORDER_DESCRIPTOR);
	close(fd);
}
