/* LD_PRELOAD: what can happen to a read of cgview. FAULT: error (EIO), short (half of what was
 * asked), interrupted (EINTR) or cut (the file FAULT_FILE loses its second half before).
 * FAULT_AT: at which read of the process, from 1; 0: at each (not for interrupted, which would
 * never end). FAULT_WHO: parent or child, if only one of them. FAULT_HIT: a file in which a 1
 * stands when it has happened; it is in memory, as the reader of DWARF can open nothing. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static long reads;
static pid_t parent;
static char *happened;

static int
is_other(void)
{
	return strcmp(program_invocation_short_name, "cgview");
}

static void __attribute__((constructor))
begin(void)
{
	const char *hit = getenv("FAULT_HIT");
	int fd = hit && !is_other() ? open(hit, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;

	parent = getpid();
	if (fd < 0)
		return;
	if (ftruncate(fd, 1))
		abort();
	happened = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (happened == MAP_FAILED)
		abort();
	close(fd);
}

static int
is_spared(void)
{
	const char *who = getenv("FAULT_WHO");

	return is_other() ||
	       (who && strcmp(who, getpid() == parent ? "parent" : "child"));
}

static int
fault(const char *kind)
{
	const char *wanted = getenv("FAULT"), *at = getenv("FAULT_AT");
	long n = at ? atol(at) : 0;

	if (!wanted || is_spared())
		return 0;
	if (!kind)
		reads++;
	if (n && n != reads)
		return 0;
	if (kind)
		return !strcmp(kind, wanted);
	if (happened)
		*happened = '1';
	return 0;
}

static void
cut(void)
{
	const char *path = getenv("FAULT_FILE");
	struct stat st;

	if (path && !stat(path, &st) && truncate(path, st.st_size / 2))
		abort();
}

/* -1: errno is set; else how much may be read. */
static ssize_t
before(int fd, size_t size)
{
	if (fd <= 2)
		return (ssize_t)size;
	fault(NULL);
	if (fault("cut"))
		cut();
	errno = fault("error") ? EIO : fault("interrupted") ? EINTR : 0;
	if (errno)
		return -1;
	return (ssize_t)(fault("short") && size > 1 ? size / 2 : size);
}

ssize_t
read(int fd, void *to, size_t size)
{
	ssize_t (*real)(int, void *, size_t) = (void *)dlsym(RTLD_NEXT, "read");
	ssize_t n = before(fd, size);

	return n < 0 ? n : real(fd, to, (size_t)n);
}

ssize_t
pread64(int fd, void *to, size_t size, off64_t at)
{
	ssize_t (*real)(int, void *, size_t, off64_t) = (void *)dlsym(RTLD_NEXT, "pread64");
	ssize_t n = before(fd, size);

	return n < 0 ? n : real(fd, to, (size_t)n, at);
}

ssize_t
pread(int fd, void *to, size_t size, off_t at)
{
	return pread64(fd, to, size, at);
}
