/* LD_PRELOAD: what can happen to a read of cgview. FAULT: error (EIO), short (half of what was
 * asked), interrupted (EINTR) or cut (the file FAULT_FILE loses its second half before).
 * FAULT_AT: at which read of the process, from 1; 0: at each (not for interrupted, which would
 * never end). FAULT_WHO: parent or child, if only one of them. FAULT_HIT: a file in which a 1
 * stands when it has happened; it is in memory, as the reader of DWARF can open nothing.
 * FAULT_EACH in place of FAULT_AT and FAULT_HIT, for a command of one process: it runs once, and
 * before each read a child is made, in which that read fails, and which goes on from there to its
 * end. It is the process that it would be if it had begun anew, but what is before the read is
 * done once for all. FAULT_EACH is a file that gets a line for each child: "READ STATUS HOW",
 * where HOW is "same" if it wrote what is in the file FAULT_PLAIN, "told" if it wrote that
 * something cannot be read or is damaged, else "other"; then "err" if it wrote errors, and "made"
 * if the file FAULT_MADE is there. What it wrote is in fault.out and fault.err; or in "screen",
 * where there is such a file.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static long reads;
static pid_t parent;
static char *happened;
static bool is_struck; /* this process is a child that was made for one read */

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
	if (getenv("FAULT_EACH"))
		return kind && is_struck && reads == 1 && !strcmp(kind, wanted);
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

/* What a child could change that its parent goes on with: files that are open for writing, and the
 * positions of all. They are the parent's again when the child has ended, also if it has renamed or
 * removed them. */
enum { MOST_FILES = 64 };
static struct kept {
	off_t at;
	size_t size;
	char *bytes; /* NULL: not open for writing, or no file */
	ino_t inode;
	char path[256], link[280]; /* empty: it has no name */
} kept[MOST_FILES];

static ssize_t real_pread(int fd, void *to, size_t size, off64_t at);

static void
keep_file(int fd, struct kept *k)
{
	char proc[40];
	struct stat st;
	ssize_t length;
	int mode = fcntl(fd, F_GETFL);

	k->bytes = NULL;
	k->at = -1;
	if (mode < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode))
		return;
	k->at = lseek(fd, 0, SEEK_CUR);
	if ((mode & O_ACCMODE) != O_RDWR)
		return;
	k->size = (size_t)st.st_size;
	k->bytes = malloc(k->size + 1);
	if (!k->bytes || real_pread(fd, k->bytes, k->size, 0) != (ssize_t)k->size)
		abort();
	k->inode = st.st_ino;
	k->path[0] = 0;
	if (st.st_nlink == 0)
		return;
	snprintf(proc, sizeof(proc), "/proc/self/fd/%d", fd);
	length = readlink(proc, k->path, sizeof(k->path) - 1);
	if (length <= 0)
		abort();
	k->path[length] = 0;
	/* A name that a child has removed is there again; the kernel does not know that. */
	if (length > 10 && !strcmp(k->path + length - 10, " (deleted)"))
		k->path[length - 10] = 0;
	snprintf(k->link, sizeof(k->link), "%s.fault", k->path);
	if (!link(k->path, k->link))
		return;
	if (errno != EEXIST)
		abort();
	k->path[0] = 0; /* open twice */
}

static void
bring_back(int fd, struct kept *k)
{
	struct stat st;

	if (k->at >= 0 && lseek(fd, k->at, SEEK_SET) < 0)
		abort();
	if (!k->bytes)
		return;
	if (ftruncate(fd, (off_t)k->size) || pwrite(fd, k->bytes, k->size, 0) != (ssize_t)k->size)
		abort();
	free(k->bytes);
	if (!k->path[0])
		return;
	if (stat(k->path, &st) || st.st_ino != k->inode) {
		if (rename(k->link, k->path))
			abort();
	} else if (unlink(k->link)) {
		abort();
	}
}

/* The whole file, and a 0 behind it; NULL: it is not there. */
static char *
whole_file(const char *path, size_t *size)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *bytes;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st))
		abort();
	*size = (size_t)st.st_size;
	bytes = malloc(*size + 1);
	if (!bytes || real_pread(fd, bytes, *size, 0) != (ssize_t)*size)
		abort();
	bytes[*size] = 0;
	close(fd);
	return bytes;
}

/* Outputs that are the child's alone, with what has been written so far. */
static void
own_output(int fd, const char *path)
{
	char proc[40], *before;
	size_t size = 0;
	int own = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	snprintf(proc, sizeof(proc), "/proc/self/fd/%d", fd);
	before = whole_file(proc, &size);
	if (own < 0 || !before || write(own, before, size) != (ssize_t)size || dup2(own, fd) < 0)
		abort();
	free(before);
	close(own);
}

static void
tell_child(int status, bool had_screen)
{
	const char *made = getenv("FAULT_MADE"), *how = "other";
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	size_t plain_size = 0, out_size = 0, err_size = 0;
	char *plain = whole_file(getenv("FAULT_PLAIN"), &plain_size);
	char *out = whole_file("screen", &out_size);
	char *err = whole_file("fault.err", &err_size);
	FILE *f = fopen(getenv("FAULT_EACH"), "ae");

	if (!out)
		out = whole_file("fault.out", &out_size);
	else if (!had_screen)
		unlink("screen");
	if (!plain || !out || !f)
		abort();
	if (out_size == plain_size && !memcmp(out, plain, out_size))
		how = "same";
	else if (memmem(out, out_size, "cannot be read", 14) ||
		 memmem(out, out_size, "is damaged", 10))
		how = "told";
	fprintf(f, "%ld %d %s%s%s\n", reads, code, how, err && err_size ? " err" : "",
		made && !access(made, F_OK) ? " made" : "");
	fclose(f);
	free(plain);
	free(out);
	free(err);
	if (made)
		unlink(made);
}

/* Makes the child to which the fault comes, and waits for its end. */
static void
strike(void)
{
	bool had_screen = !access("screen", F_OK);
	int status;
	pid_t child;

	if (getpid() != parent)
		abort(); /* whom would it answer? */
	for (int fd = 3; fd < MOST_FILES; fd++)
		keep_file(fd, &kept[fd]);
	child = fork();
	if (child < 0)
		abort();
	if (!child) {
		is_struck = true;
		reads = 1;
		parent = getpid();
		own_output(1, "fault.out");
		own_output(2, "fault.err");
		alarm(60);
		return;
	}
	if (waitpid(child, &status, 0) != child)
		abort();
	for (int fd = 3; fd < MOST_FILES; fd++)
		bring_back(fd, &kept[fd]);
	tell_child(status, had_screen);
}

/* The child has the locks of its parent, which waits meanwhile; the kernel sees two of them. */
static int
control(const char *name, int fd, int what, void *argument)
{
	int (*real)(int, int, ...) = (int (*)(int, int, ...))dlsym(RTLD_NEXT, name);

	if (is_struck && (what == F_SETLK || what == F_OFD_SETLK))
		return 0;
	return real(fd, what, argument);
}

int
fcntl64(int fd, int what, ...)
{
	va_list arguments;
	void *argument;

	va_start(arguments, what);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	return control("fcntl64", fd, what, argument);
}

int
fcntl(int fd, int what, ...)
{
	va_list arguments;
	void *argument;

	va_start(arguments, what);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	return control("fcntl", fd, what, argument);
}

/* -1: errno is set; else how much may be read. */
static ssize_t
before(int fd, size_t size)
{
	if (fd <= 2)
		return (ssize_t)size;
	fault(NULL);
	if (getenv("FAULT_EACH") && !is_struck && !is_spared())
		strike();
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

static ssize_t
real_pread(int fd, void *to, size_t size, off64_t at)
{
	ssize_t (*real)(int, void *, size_t, off64_t) = (void *)dlsym(RTLD_NEXT, "pread64");

	return real(fd, to, size, at);
}

ssize_t
pread64(int fd, void *to, size_t size, off64_t at)
{
	ssize_t n = before(fd, size);

	return n < 0 ? n : real_pread(fd, to, (size_t)n, at);
}

ssize_t
pread(int fd, void *to, size_t size, off_t at)
{
	return pread64(fd, to, size, at);
}
