#include "cmd/run/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmd/make/partial_sums.h"
#include "cmd/make/reduce.h"
#include "collect/import/foreign/foreign_format.h"
#include "collect/import/running_writers.h"
#include "collect/import/sums/fold.h"
#include "util/child.h"
#include "util/index.h"
#include "util/input.h"
#include "util/mem.h"

struct folder {
	pid_t pid;
	int alive;                 /* the end of a pipe: closed, it is to end */
};

/* Of files, without directories. */
struct raw_names {
	char **items;
	size_t nr, alloc;
};

struct folding {
	const struct folder_task *task;
	int alive;                 /* hangs up when it is to end */
	int directory;
	char *prefix, *sum;        /* of the names of raw files; the path of the sum */
	struct fold fold;
	bool begun;                /* there is a sum */
	bool leases;               /* of the file system tell whether a file is mapped */
	struct raw_names found;        /* raw files that are there, but for the following */
	struct raw_names left;         /* that cannot be added, or count nothing */
	struct index left_index;
	struct raw_names added;        /* to FOLD; the sum is not yet written */
	uint64_t bytes;            /* of those that were found */
};

enum { BATCH = 64, FEW = 32, REST_MS = 100 };

/* ---- names ---- */

static void
add_name(struct raw_names *n, const char *name)
{
	GROW(n->items, n->nr + 1, n->alloc);
	n->items[n->nr++] = xstrdup(name);
}

static void
clear_names(struct raw_names *n)
{
	while (n->nr)
		free(n->items[--n->nr]);
}

static bool
left_equal(const void *folding, uint32_t item, const void *key)
{
	return !strcmp(((const struct folding *)folding)->left.items[item], key);
}

static bool
is_known(const struct folding *x, const char *name)
{
	bool known = index_find(&x->left_index, hash_text(HASH_START, name), left_equal, x,
				name) != INDEX_NONE;

	for (size_t i = 0; i < x->added.nr && !known; i++)
		known = !strcmp(x->added.items[i], name);
	return known;
}

static void
leave(struct folding *x, const char *name)
{
	index_add(&x->left_index, hash_text(HASH_START, name), (uint32_t)x->left.nr);
	add_name(&x->left, name);
}

static bool
is_raw(const struct folding *x, const char *name)
{
	size_t n = strlen(name);

	return !strncmp(name, x->prefix, strlen(x->prefix)) && n > 4 &&
	       !strcmp(name + n - 4, ".raw") && !partial_sum_is(name);
}

static void
find(struct folding *x)
{
	int fd = openat(x->directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;
	struct stat st;

	clear_names(&x->found);
	x->bytes = 0;
	while (d && (e = readdir(d))) {
		if (!is_raw(x, e->d_name) || is_known(x, e->d_name))
			continue;
		add_name(&x->found, e->d_name);
		if (!fstatat(x->directory, e->d_name, &st, AT_SYMLINK_NOFOLLOW))
			x->bytes += (uint64_t)st.st_blocks * 512;
	}
	if (d)
		closedir(d);
}

/* ---- what has ended ---- */

/* Where a file that is mapped stays open, so that a lease tells of it: elsewhere what is mapped may
 * be another file below it (overlayfs), or another machine may have it. */
static bool
has_leases(int directory)
{
	static const unsigned long good[] = { EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC, BTRFS_SUPER_MAGIC,
					      TMPFS_MAGIC, F2FS_SUPER_MAGIC };
	struct statfs fs;
	bool has = false;

	if (fstatfs(directory, &fs))
		return false;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		has |= (unsigned long)fs.f_type == good[i];
	return has;
}

/* Has its writer begun, on this machine? A raw file is mapped before that can be seen in it. */
static bool
has_begun_here(int fd)
{
	static struct utsname here;
	struct raw_head head;

	return input_read_at(fd, 0, &head, sizeof(head)) == sizeof(head) &&
	       !memcmp(head.magic, RAW_MAGIC, sizeof(head.magic)) && !uname(&here) &&
	       !strncmp(head.text, here.nodename, RAW_TEXT_MOST);
}

/* Nobody has it open to write, as the kernel tells; where it cannot tell, as far as is known. */
static bool
seems_closed(const struct folding *x, const char *name)
{
	int fd = openat(x->directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	bool closed = fd >= 0 && !fcntl(fd, F_SETLEASE, F_RDLCK);

	if (!closed && fd >= 0 && !x->leases)
		closed = errno == EINVAL;
	if (closed && !x->leases)
		closed = has_begun_here(fd);
	if (fd >= 0)
		close(fd);
	return closed;
}

/* Sets CLOSED to those that were found and that nobody will write to any more. Where leases do not
 * tell, who lives is asked: twice, as a child may have got a number that was passed already when
 * its parent ended before its own was reached. */
static void
find_closed(const struct folding *x, struct raw_names *closed)
{
	struct mapped_raws mapped = { .nr = 0 };
	size_t nr = 0;

	for (size_t i = 0; i < x->found.nr && closed->nr < BATCH; i++)
		if (seems_closed(x, x->found.items[i]))
			add_name(closed, x->found.items[i]);
	for (int i = 0; i < 2 && closed->nr && !x->leases; i++)
		mapped_raws_find(&mapped, x->task->directory);
	for (size_t i = 0; i < closed->nr; i++) {
		if (mapped.some_hidden || mapped_raws_has(&mapped, closed->items[i]))
			free(closed->items[i]);
		else
			closed->items[nr++] = closed->items[i];
	}
	closed->nr = nr;
	mapped_raws_release(&mapped);
}

/* ---- adding ---- */

static bool
shall_end(const struct folding *x, int wait_ms)
{
	struct pollfd p = { .fd = x->alive };

	return poll(&p, 1, wait_ms) > 0;
}

static void
add(struct folding *x, const char *name)
{
	char *path = xasprintf("%s/%s", x->task->directory, name);
	struct error ignored = ERROR_INIT; /* it is told of when the profile is made */

	if ((x->task->some_uncounted && !raw_stacks_has_counts(path)) ||
	    fold_add(&x->fold, path, &ignored))
		leave(x, name);
	else
		add_name(&x->added, name);
	free(path);
}

/* Is there less room than the files take that are there? */
static bool
is_short_of_room(const struct folding *x)
{
	struct statfs fs;

	return !fstatfs(x->directory, &fs) &&
	       (uint64_t)fs.f_bavail * (uint64_t)fs.f_bsize < x->bytes;
}

static bool
is_worth_it(const struct folding *x)
{
	if (x->begun || x->added.nr || x->found.nr > x->task->most)
		return true;
	return x->found.nr > FEW && is_short_of_room(x);
}

/* Adds what has ended, if that is enough. Returns whether there was something to add. */
static bool
look(struct folding *x)
{
	struct raw_names closed = { .nr = 0 };
	struct error ignored = ERROR_INIT; /* the raw files stay where they are */
	size_t least = BATCH;
	bool some;

	find(x);
	if (!is_worth_it(x))
		return false;
	find_closed(x, &closed);
	if (is_short_of_room(x))
		least = FEW / 2;
	some = closed.nr >= least;
	for (size_t i = 0; i < closed.nr && some && !shall_end(x, 0); i++)
		add(x, closed.items[i]);
	clear_names(&closed);
	free(closed.items);
	if (!some || !x->added.nr || shall_end(x, 0) ||
	    fold_write(&x->fold, x->sum, false, &ignored))
		return false;
	x->begun = true;
	for (size_t i = 0; i < x->added.nr; i++)
		unlinkat(x->directory, x->added.items[i], 0);
	clear_names(&x->added);
	return true;
}

/* ---- the process ---- */

static int
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int)(t.tv_sec % 1000000 * 1000 + t.tv_nsec / 1000000);
}

/* The terminal's signals are the program's affair, and the first process tells when to end. A look
 * that has found nothing is followed by a rest, so that looking takes a twentieth of the time. Its
 * priority is not the lowest: where all processors are busy it would fall behind. */
static void __attribute__((noreturn))
run(const struct folder_task *t, int alive)
{
	static const int others[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };
	enum { LOW = 5, SHARE = 20 };
	struct folding x = { .task = t, .alive = alive };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		signal(others[i], SIG_IGN);
	if (nice(LOW) < 0)
		errno = 0;
	x.directory = open(t->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	x.prefix = xasprintf("run%zu.", t->run);
	x.sum = partial_sum_path(t->directory, t->run);
	x.leases = has_leases(x.directory);
	fold_init(&x.fold, REDUCE_KEEP, x.sum);
	for (int rest = REST_MS; !shall_end(&x, rest);) {
		int began = now_ms();

		rest = look(&x) ? 0 : REST_MS + SHARE * (now_ms() - began);
	}
	child_end(0);
}

struct folder *
folder_start(const struct folder_task *t)
{
	struct folder *f = xcalloc(1, sizeof(*f));
	int fds[2];

	if (!pipe2(fds, O_CLOEXEC)) {
		f->alive = fds[1];
		f->pid = fork();
		if (!f->pid) {
			close(fds[1]);
			run(t, fds[0]);
		}
		close(fds[0]);
		if (f->pid > 0)
			return f;
		close(fds[1]);
	}
	free(f);
	return NULL;
}

void
folder_end(struct folder *f)
{
	if (!f)
		return;
	close(f->alive);
	while (waitpid(f->pid, NULL, 0) < 0 && errno == EINTR)
		;
	free(f);
}
