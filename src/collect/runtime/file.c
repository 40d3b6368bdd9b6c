/* The raw file: its making, its extents, what is said about it. */
#include "runtime.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <unistd.h>

/* ---- small text ---- */

size_t
add_text(char *buffer, size_t size, size_t at, const char *text)
{
	while (*text && at + 1 < size)
		buffer[at++] = *text++;
	buffer[at] = '\0';
	return at;
}

size_t
add_number(char *buffer, size_t size, size_t at, unsigned long n)
{
	char digits[24];
	int i = sizeof(digits) - 1;

	digits[i] = '\0';
	do
		digits[--i] = (char)('0' + n % 10);
	while (n /= 10);
	return add_text(buffer, size, at, digits + i);
}

/* Writes to standard error. The program must not die of SIGPIPE or SIGXFSZ because the reader is
 * gone, or because it may not write files of that size: it has written nothing. */
static void
write_alive(const struct iovec *pieces, int nr)
{
	static const struct timespec at_once;
	uint64_t set = (uint64_t)1 << (SIGPIPE - 1) | (uint64_t)1 << (SIGXFSZ - 1);
	uint64_t before = 0, pending = 0;

	kernel(SYS_rt_sigprocmask, SIG_BLOCK, &set, &before, sizeof(set));
	kernel(SYS_rt_sigpending, &pending, sizeof(pending));
	if (kernel(SYS_writev, STDERR_FILENO, pieces, nr) < 0 &&
	    (errno == EPIPE || errno == EFBIG)) {
		set &= ~pending; /* those were the program's already */
		kernel(SYS_rt_sigtimedwait, &set, NULL, &at_once, sizeof(set));
	}
	kernel(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof(before));
}

/* Bytes of the character at P that a terminal may have; 0: it is none, or one that controls it or
 * hides others (U+0080 to U+009F, U+2000 to U+206F). */
static int
printable(const unsigned char *p)
{
	int n = *p < 0x80 ? 1 : *p >= 0xf0 ? 4 : *p >= 0xe0 ? 3 : 2, i;

	if (*p < 0x20 || *p == 0x7f || (*p >= 0x80 && *p < 0xc2) || *p > 0xf4)
		return 0;
	for (i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((p[0] == 0xc2 && p[1] < 0xa0) || (p[0] == 0xe2 && p[1] <= 0x81))
		return 0;
	return n;
}

/* Shows text as the commands do: <1B> for what a terminal must not get. */
static size_t
add_safe(char *buffer, size_t size, size_t at, const char *text)
{
	static const char digits[] = "0123456789ABCDEF";
	const unsigned char *p = (const unsigned char *)text;
	int n;

	while (*p && at + 5 < size) {
		n = printable(p);
		if (!n) {
			buffer[at++] = '<';
			buffer[at++] = digits[*p >> 4];
			buffer[at++] = digits[*p & 15];
			buffer[at++] = '>';
			p++;
		}
		while (n-- > 0)
			buffer[at++] = (char)*p++;
	}
	return at;
}

/* Not on the stack, which may be small; in one call, so that no other text comes between. Two
 * threads that complain at once may spoil each other's words. */
static void
tell_pieces(const char *const *pieces, int nr)
{
	char *line = runtime.told;
	struct iovec all = {line, 0};
	int i;

	for (i = 0; i < nr; i++)
		all.iov_len = add_safe(line, sizeof(runtime.told) - 1, all.iov_len, pieces[i]);
	line[all.iov_len++] = '\n';
	write_alive(&all, 1);
}

void
tell(const char *what, const char *text, const char *rest)
{
	const char *pieces[] = {"cgview: ", what, text, rest};

	tell_pieces(pieces, sizeof(pieces) / sizeof(*pieces));
}

void
complain(const char *what, int error)
{
	const char *reason = error ? strerrordesc_np(error) : NULL;
	const char *pieces[] = {"cgview: ",
				what,
				*runtime.path ? " " : "", /* not known yet */
				runtime.path,
				error ? ": " : "",
				error ? reason ? reason : "error" : "",
				"; the program goes on without being profiled further"};

	tell_pieces(pieces, sizeof(pieces) / sizeof(*pieces));
}

uint64_t
clock_ns(clockid_t clock)
{
	struct timespec t;

	kernel(SYS_clock_gettime, clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* ---- the file ---- */

/* The program may have closed our descriptor, or even opened something else under its number. */
bool
file_is_ours(int fd)
{
	struct stat st;

	return fd >= 0 && kernel(SYS_fstat, fd, &st) == 0 && st.st_dev == runtime.device &&
	       st.st_ino == runtime.inode;
}

/* Programs that tidy up close low descriptors first, and those that close all of them count on the
 * numbers of those that they open next. */
int
file_move_up(int fd)
{
	struct rlimit limit;
	int up = (int)kernel(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 600);

	if (up < 0 && kernel(SYS_getrlimit, RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur > 20)
		up = (int)kernel(SYS_fcntl, fd, F_DUPFD_CLOEXEC, limit.rlim_cur - 4);
	if (up >= 0)
		kernel(SYS_close, fd);
	return up;
}

/* A descriptor of the file, to be given back with file_put(); -1: there is none. Once the program
 * has closed ours, it gets none in its way again: the file is opened for each use. */
static int
file_get(void)
{
	int fd = wall_descriptor(), up;

	if (fd >= 0)
		return fd;
	fd = runtime.fd;
	if (fd >= 0 && (runtime.reserved || file_is_ours(fd)))
		return fd;
	runtime.fd = -1;
	fd = (int)kernel(SYS_openat, AT_FDCWD, runtime.path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return -1;
	up = file_move_up(fd);
	if (up < 0)
		kernel(SYS_close, fd);
	else if (file_is_ours(up))
		return up;
	else
		kernel(SYS_close, up);
	return -1;
}

static void
file_put(int fd)
{
	if (fd >= 0 && fd != runtime.fd && fd != wall_descriptor())
		kernel(SYS_close, fd);
}

static const char zeros[RAW_PAGE];

/* Beyond its limit the kernel would send SIGXFSZ. */
static bool
may_be_as_long(uint64_t end)
{
	struct rlimit limit;

	return kernel(SYS_getrlimit, RLIMIT_FSIZE, &limit) || end <= limit.rlim_cur;
}

/* Space is reserved, so that a full disk is found here and not by SIGBUS later. */
static int
reserve(int fd, uint64_t offset, uint64_t length)
{
	uint64_t end = offset + length;

	if (!may_be_as_long(end))
		return EFBIG;
	if (kernel(SYS_fallocate, fd, 0, offset, length) == 0)
		return 0;
	if (errno != EOPNOTSUPP && errno != ENOSYS)
		return errno;
	for (; offset < end; offset += sizeof(zeros))
		if (kernel(SYS_pwrite64, fd, zeros, sizeof(zeros), offset) !=
		    (ssize_t)sizeof(zeros))
			return errno ? errno : ENOSPC;
	return 0;
}

void
tell_once(const char *what, int error)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;

	if (!atomic_flag_test_and_set(&told))
		complain(what, error);
}

static uint64_t
data_offset(const struct extent_request *r)
{
	const uint64_t head = sizeof(struct raw_extent);

	if (r->compact && (!r->address || r->offset >= head))
		return r->offset > head ? r->offset : head;
	return RAW_PAGE + r->offset;
}

static uint64_t
extent_length(const struct extent_request *r)
{
	return page_up(data_offset(r) + r->data_length);
}

static struct raw_extent
extent_head(const struct extent_request *r, uint64_t at)
{
	struct raw_extent e = {
		.magic = RAW_EXTENT_MAGIC,
		.kind = r->kind,
		.pid = runtime.pid,
		.length = extent_length(r),
		.data_offset = data_offset(r),
		.data_length = r->data_length,
		.module = r->kind == RAW_MODULE ? (uint32_t)(at / RAW_PAGE) : r->module,
		.slot = r->slot,
		.load_bias = r->load_bias,
		.counters = r->counters,
		.nr_counters = r->nr_counters,
		.text_start = r->text_start,
		.text_end = r->text_end,
		.build_id_length = r->build_id_length,
		.used = r->used,
	};

	e.checksum = raw_extent_checksum(&e);
	return e;
}

static bool
write_extent_head(int fd, const struct extent_request *r, uint64_t at)
{
	struct raw_extent e = extent_head(r, at);

	return kernel(SYS_pwrite64, fd, &e, sizeof(e), at) == (ssize_t)sizeof(e);
}

/* Where there is room for it; 0: nowhere. */
static uint64_t
extent_place(int fd, const struct extent_request *r)
{
	uint64_t length = extent_length(r), at;
	int error;

	if (!runtime.head || fd < 0)
		return 0;
	at = atomic_fetch_add((_Atomic uint64_t *)&runtime.head->end, length);
	if (at < RAW_PAGE) /* the head was cut off */
		return 0;
	error = at + length <= runtime.reserved ? 0 : reserve(fd, at, length);
	if (error) {
		tell_once("cannot extend the profile", error);
		return 0;
	}
	return at;
}

/* ---- what is mapped ---- */

/* The pages that are reserved for the start, which are mapped as one; the first is the file's
 * head. */
static char *start;

/* All mappings but the copies of the counters: a fault in one of them is ours to mend. */
static _Atomic uint32_t nr_mappings;

static struct mapping *
mapping(uint32_t i)
{
	return i < FEW_MAPPINGS ? &runtime.tables->first_mappings[i] : &runtime.tables->mappings[i];
}

static void
note_mapping(void *p, size_t length)
{
	uint32_t i = atomic_fetch_add(&nr_mappings, 1);

	if (i >= MAX_MAPPINGS)
		return;
	mapping(i)->end = (uintptr_t)p + length;
	atomic_store(&mapping(i)->begin, (uintptr_t)p);
}

bool
extent_owns(uintptr_t address)
{
	uint32_t i, n = atomic_load(&nr_mappings);

	for (i = 0; i < n && i < MAX_MAPPINGS; i++) {
		const struct mapping *m = mapping(i);
		uintptr_t begin = atomic_load(&m->begin);

		if (begin && address >= begin && address < m->end)
			return true;
	}
	return false;
}

void
extent_unmap(struct raw_extent *e)
{
	uint32_t i = atomic_load(&nr_mappings);

	if (i > MAX_MAPPINGS)
		i = MAX_MAPPINGS;
	while (i-- > 0) {
		struct mapping *m = mapping(i);

		if (atomic_load(&m->begin) == (uintptr_t)e) {
			atomic_store(&m->begin, 0);
			sys_munmap(e, m->end - (uintptr_t)e);
			return;
		}
	}
}

static struct raw_extent *
extent_map(int fd, const struct extent_request *r, uint64_t at)
{
	uint64_t from = r->map_head ? 0 : page_down(data_offset(r));
	uint64_t begin = at + from, mapped = extent_length(r) - from;
	int flags = MAP_SHARED | (r->address ? MAP_FIXED_NOREPLACE : 0);
	void *p;

	if (!r->address && begin + mapped <= runtime.reserved)
		return (struct raw_extent *)(start + begin);
	p = sys_mmap(r->address, mapped, PROT_READ | PROT_WRITE, flags, fd, (off_t)begin);
	if (p == MAP_FAILED)
		return NULL;
	if (r->address && p != r->address) { /* a kernel that does not know NOREPLACE */
		sys_munmap(p, mapped);
		return NULL;
	}
	if (!r->address)
		note_mapping(p, mapped);
	return p;
}

/* ---- extents ---- */

static struct raw_extent *
make_extent(int fd, const struct extent_request *r)
{
	uint64_t at = extent_adopt(r);
	struct raw_extent *e = at ? extent_map(fd, r, at) : NULL;

	if (!e) {
		at = extent_place(fd, r);
		if (!at || !write_extent_head(fd, r, at))
			return NULL;
		e = extent_map(fd, r, at);
		if (e)
			extent_share(r, at);
	} else if (r->adopted) {
		*r->adopted = true;
	}
	if (r->where)
		*r->where = at;
	return e;
}

struct raw_extent *
extent_again(const struct extent_request *r, uint64_t at)
{
	int fd = runtime_closed() ? -1 : file_get();
	struct raw_extent *e = fd >= 0 ? extent_map(fd, r, at) : NULL;

	file_put(fd);
	return e;
}

struct raw_extent *
extent_new(const struct extent_request *r)
{
	int fd = runtime_closed() ? -1 : file_get();
	struct raw_extent *e = fd >= 0 ? make_extent(fd, r) : NULL;

	file_put(fd);
	return e;
}

/* The head comes last, as it says that there are data; or at once with them, when all is a page,
 * which is written as a whole. */
static bool
write_extent(int fd, const struct extent_request *r, const struct iovec *pieces, int nr,
	     uint64_t at)
{
	struct iovec all[EXTENT_PIECES + 1];
	struct raw_extent e = extent_head(r, at);
	ssize_t whole = (ssize_t)(sizeof(e) + r->data_length);

	if (extent_length(r) == RAW_PAGE) {
		all[0] = (struct iovec){&e, sizeof(e)};
		memcpy(all + 1, pieces, (size_t)nr * sizeof(*pieces));
		return kernel(SYS_pwritev, fd, all, nr + 1, at) == whole;
	}
	return kernel(SYS_pwritev, fd, pieces, nr, at + data_offset(r)) ==
		       (ssize_t)r->data_length &&
	       write_extent_head(fd, r, at);
}

uint64_t
extent_write(const struct extent_request *r, const struct iovec *pieces, int nr)
{
	int fd = runtime_closed() ? -1 : file_get();
	uint64_t at = extent_place(fd, r);

	if (at && !write_extent(fd, r, pieces, nr, at))
		at = 0;
	file_put(fd);
	if (at)
		extent_share(r, at);
	return at;
}

bool
file_read(void *data, size_t size, uint64_t at)
{
	int fd = file_get();
	bool done = fd >= 0 && kernel(SYS_pread64, fd, data, size, at) == (ssize_t)size;

	file_put(fd);
	return done;
}

/* Whoever cuts the file does it for a reason: nothing is written any more. */
void
file_was_cut(void)
{
	if (!atomic_exchange(&runtime.closed, true))
		tell_once("somebody has cut the profile", 0);
}

/* ---- the start ---- */

bool
file_directory(char *buffer, size_t size)
{
	/* For one that is out of reach the kernel says "(unreachable)...". */
	return kernel(SYS_getcwd, buffer, size) > 0 && *buffer == '/';
}

/* PREFIX.PID.raw, or PREFIX.raw if the process is in PREFIX. Nobody else may read what the program
 * was called with, nor where it was. */
static int
create_file(const char *prefix, bool has_process)
{
	enum { MOST = 2048 }; /* of the directory */
	size_t n = 0, stem;
	int fd, tries;

	if (*prefix != '/') {
		if (!file_directory(runtime.path, MOST))
			return -1;
		n = add_text(runtime.path, sizeof(runtime.path), strlen(runtime.path), "/");
	}
	stem = add_text(runtime.path, sizeof(runtime.path), n, prefix);
	if (!has_process) {
		n = add_text(runtime.path, sizeof(runtime.path), stem, ".");
		stem = add_number(runtime.path, sizeof(runtime.path), n, runtime.pid);
	}
	for (tries = 0, fd = -EEXIST; tries < 10000 && fd == -EEXIST; tries++) {
		n = stem;
		if (tries) { /* the same process again, after exec */
			n = add_text(runtime.path, sizeof(runtime.path), n, ".");
			n = add_number(runtime.path, sizeof(runtime.path), n, (unsigned long)tries);
		}
		add_text(runtime.path, sizeof(runtime.path), n, ".raw");
		fd = (int)kernel_quietly(SYS_openat, AT_FDCWD, runtime.path,
					 O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	}
	if (fd >= 0)
		return fd;
	errno = -fd;
	return -1;
}

/* The program runs as root for the user that records (sudo -E): it is the user who will read it. */
static void
give_to_recorder(int fd)
{
	char *slash = strrchr(runtime.path, '/');
	struct stat st;

	if (kernel(SYS_geteuid) != 0)
		return;
	*slash = '\0';
	if (kernel(SYS_stat, runtime.path, &st) == 0 && st.st_uid != 0)
		kernel(SYS_fchown, fd, st.st_uid, st.st_gid);
	*slash = '/';
}

/* Where record's directory is out of reach (another user's rights, another root directory), the
 * file is where it would be without record. */
static int
create_settled(const struct settings *s)
{
	int fd = create_file(s->prefix, s->has_process);

	if (fd >= 0 && s->recorded)
		give_to_recorder(fd);
	if (fd < 0 && s->recorded && (errno == EACCES || errno == ENOENT || errno == EPERM))
		fd = create_file("cgview", false);
	return fd;
}

/* Was it the program itself that was executed? If it was a script, or another file for which the
 * kernel executes this program, its path is among the arguments. If it was the loader, called by
 * its name, nobody has loaded one for the program, which wants one. */
static bool
is_executed(int argc, char **argv)
{
	const char *told = (const char *)getauxval(AT_EXECFN);
	const Elf64_Phdr *p = (const Elf64_Phdr *)getauxval(AT_PHDR);
	unsigned long n = getauxval(AT_PHNUM);
	int i;

	for (i = 1; i < argc; i++)
		if (!strcmp(argv[i], told))
			return false;
	for (; n > 0 && p->p_type != PT_INTERP; n--)
		p++;
	return argc > 0 && (!n || getauxval(AT_BASE));
}

/* "." or ".."? */
static bool
is_dots(const char *part)
{
	part += *part == '.';
	part += *part == '.';
	return !*part || *part == '/';
}

/* Is PATH from FROM on as the kernel would tell it: are there no symbolic links in it? */
static bool
is_real(char *path, size_t from)
{
	enum { MOST = 8 }; /* for more parts /proc is as fast */
	char *p = path + from, end, link;
	long n = -EINVAL;
	int i;

	for (i = 0; *p == '/' && n == -EINVAL && i < MOST; i++) {
		if (is_dots(++p))
			return false;
		while (*p && *p != '/')
			p++;
		end = *p;
		*p = '\0';
		n = kernel_quietly(SYS_readlink, path, &link, 1);
		*p = end;
	}
	return !*p && n == -EINVAL;
}

/* Puts what the kernel was told to execute into BUFFER, and into *DIRECTORY how many bytes of it
 * are the directory that the process is in. */
static bool
told_path(char *buffer, size_t size, size_t *directory)
{
	const char *told = (const char *)getauxval(AT_EXECFN);
	size_t at = 0;

	*directory = 0;
	if (!told || !*told)
		return false;
	if (*told != '/') {
		if (!file_directory(buffer, size))
			return false;
		*directory = buffer[1] ? strlen(buffer) : 0;
		at = add_text(buffer, size, *directory, "/");
		told += told[0] == '.' && told[1] == '/' ? 2 : 0;
	}
	return add_text(buffer, size, at, told) + 1 < size;
}

/* Finds the path of the program that runs; false: nobody knows it. To ask /proc takes 15 us, most
 * of it for what /proc then has of this process. Without /proc (a bare chroot) it is what the
 * kernel was told to execute. */
static bool
program_path(char *buffer, size_t size, int argc, char **argv)
{
	size_t directory;
	bool known = told_path(buffer, size, &directory);
	long n;

	if (known && is_executed(argc, argv) && is_real(buffer, directory))
		return true;
	n = kernel(SYS_readlink, "/proc/self/exe", buffer, size - 1);
	if (n > 0)
		buffer[n] = '\0';
	return n > 0 || known;
}

static const char *program;

const char *
file_program(void)
{
	return program;
}

/* Adds no more than MOST bytes of TEXT (NULL: none), and no part of a character of UTF-8. */
static size_t
add_some(struct raw_head *h, size_t at, const char *text, size_t most)
{
	size_t n = text ? strlen(text) : 0;

	if (n > most)
		for (n = most; n && ((unsigned char)text[n] & 0xc0) == 0x80; n--)
			;
	return add_text(h->text, at + n + 1, at, text ? text : "") + 1;
}

/* Writes enum raw_text and ARGC arguments straight to their place: to have them on the stack first
 * would touch another page or two of it. What does not fit is cut off. */
static void
fill_texts(struct raw_head *h, int argc, char **argv, const struct pattern_told *told)
{
	enum { MOST = 2048 }; /* of a path */
	struct utsname host = {.nodename = ""};
	size_t at, room;
	int i;

	kernel(SYS_uname, &host);
	at = add_some(h, 0, host.nodename, RAW_TEXT_MOST);
	at = add_some(h, at, told->rank, RAW_TEXT_MOST);
	at = add_some(h, at, told->ranks, RAW_TEXT_MOST);
	at = add_some(h, at, told->job, RAW_TEXT_MOST);
	at = add_some(h, at, told->label, RAW_LABEL_MOST);
	program = h->text + at;
	if (!program_path(h->text + at, MOST, argc, argv))
		h->text[at] = '\0';
	at += strlen(h->text + at) + 1;
	room = sizeof(h->text) - at;
	if (!file_directory(h->text + at, room < MOST ? room : MOST))
		h->text[at] = '\0';
	at += strlen(h->text + at) + 1;
	for (i = 0; i < argc && argv[i] && at + strlen(argv[i]) + 1 <= sizeof(h->text); i++)
		at = add_text(h->text, sizeof(h->text), at, argv[i]) + 1;
	h->argc = (uint32_t)i;
	h->text_length = (uint32_t)at;
}

static void
fill_head(int argc, char **argv, const struct pattern_told *told)
{
	struct raw_head *h = runtime.head;

	memcpy(h->magic, RAW_MAGIC, sizeof(h->magic));
	h->version = RAW_VERSION;
	h->size = sizeof(*h);
	h->started_ns = clock_ns(CLOCK_REALTIME);
	h->started_mono_ns = clock_ns(CLOCK_MONOTONIC);
	h->asked_interval_ns = (uint64_t)runtime.interval_ns;
	h->pid = runtime.pid;
	fill_texts(h, argc, argv, told);
	h->end = RAW_PAGE;
	h->checksum = raw_head_checksum(h);
}

/* What a small program needs for its start, the file's head, its own description, a page of
 * counters, a table of threads and where code is, is reserved at once. As nearly all of these pages
 * are soon touched they are written: on a disk they are made in less time than fallocate(2) takes
 * there, and what is mapped is there when it is touched. */
static int
reserve_start(void)
{
	enum { PAGES = 5, LENGTH = PAGES * RAW_PAGE };
	struct iovec pages[PAGES];
	bool written;
	int i;

	for (i = 0; i < PAGES; i++)
		pages[i] = (struct iovec){(char *)zeros, RAW_PAGE};
	written = may_be_as_long(LENGTH) &&
		  kernel_quietly(SYS_pwritev, runtime.fd, pages, PAGES, 0) == LENGTH;
	runtime.reserved = written ? LENGTH : RAW_PAGE;
	return written ? 0 : reserve(runtime.fd, 0, RAW_PAGE);
}

static bool
map_start(void)
{
	void *p = sys_mmap(NULL, runtime.reserved, PROT_READ | PROT_WRITE, MAP_SHARED, runtime.fd,
			   0);

	if (p == MAP_FAILED)
		return false;
	note_mapping(p, runtime.reserved);
	start = p;
	runtime.head = p;
	return true;
}

bool
file_open(const struct settings *settings, int argc, char **argv)
{
	struct stat st;
	int error, up;

	runtime.fd = create_settled(settings);
	if (runtime.fd < 0 || kernel(SYS_fstat, runtime.fd, &st) < 0) {
		complain("cannot create the profile", errno);
		return false;
	}
	runtime.device = st.st_dev;
	runtime.inode = st.st_ino;
	up = file_move_up(runtime.fd);
	runtime.fd = up >= 0 ? up : runtime.fd;
	error = reserve_start();
	if (error || !map_start()) {
		complain("cannot write the profile", error ? error : errno);
		kernel(SYS_unlink, runtime.path);
		kernel(SYS_close, runtime.fd);
		return false;
	}
	fill_head(argc, argv, &settings->told);
	return true;
}
