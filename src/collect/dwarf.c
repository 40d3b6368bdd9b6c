#include "collect/dwarf.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collect/confine.h"
#include "collect/debug_file.h"
#include "collect/dwarf_wire.h"
#include "util/child.h"
#include "util/input.h"

/* Limits of the child. The debug information of the Linux kernel (210 MB) takes 12 s and 700 MB. */
enum { CHILD_CPU_S = 60, CHILD_WALL_S = 300, CHILD_MEMORY_MB = 4096, MAX_ANSWER_MB = 1024 };

static void
limit(int resource, rlim_t value)
{
	struct rlimit l = { .rlim_cur = value, .rlim_max = value };

	setrlimit(resource, &l);
}

static int
compare_numbers(const void *a, const void *b)
{
	return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b;
}

/* Close all but the standard ones, FD and the files that are to be read. */
static void
close_others(const struct dwarf_module *modules, size_t nr, int fd)
{
	int *keep = xcalloc(nr + 1, sizeof(*keep)), next = 3;
	size_t i, n = 0;

	keep[n++] = fd;
	for (i = 0; i < nr; i++)
		if (modules[i].debug)
			keep[n++] = modules[i].debug->fd;
	qsort(keep, n, sizeof(*keep), compare_numbers);
	for (i = 0; i < n; i++) {
		if (keep[i] > next)
			close_range((unsigned)next, (unsigned)keep[i] - 1, 0);
		next = keep[i] + 1;
	}
	close_range((unsigned)next, ~0u, 0);
	free(keep);
}

static void __attribute__((noreturn))
run_child(const struct dwarf_module *modules, size_t nr, int fd, pid_t parent)
{
	int null = open("/dev/null", O_RDWR);

	confine_to_life_of(parent);
	signal(SIGPIPE, SIG_DFL);
	if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0)
		child_end(1);
	close_others(modules, nr, fd);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_CPU, CHILD_CPU_S);
#ifndef CGVIEW_COVERAGE /* which writes its counts */
	limit(RLIMIT_FSIZE, 0);
#endif
#ifndef __SANITIZE_ADDRESS__ /* which reserves terabytes of addresses */
	limit(RLIMIT_AS, (rlim_t)CHILD_MEMORY_MB << 20);
#endif
	dwarf_child_run(modules, nr, fd);
	child_end(0);
}

static int64_t
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Reads all that comes out of the pipe; stops at the limits of size and time. */
static void
read_answer(int fd, struct strbuf *answer, struct error *err)
{
	int64_t deadline = now_ms() + (int64_t)CHILD_WALL_S * 1000, left;
	struct pollfd p = { .fd = fd, .events = POLLIN };
	ssize_t got;

	for (;;) {
		left = deadline - now_ms();
		if (left <= 0) {
			error_set(err, "reading the debug information took more than %d s",
				  CHILD_WALL_S);
			return;
		}
		if (poll(&p, 1, (int)left) <= 0)
			continue;
		if (answer->len > (size_t)MAX_ANSWER_MB << 20) {
			error_set(err, "the debug information says too much to be true");
			return;
		}
		strbuf_room(answer, 1 << 16);
		got = read(fd, answer->buf + answer->len, 1 << 16);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			input_failed("what its reader says of the debug information", errno, err);
		if (got <= 0)
			return;
		answer->len += (size_t)got;
	}
}

struct answer {
	struct dwarf_module *modules;
	size_t nr_modules;
	struct arena *arena;
	const char **texts;
	size_t nr_texts, texts_alloc;
	bool done;
	struct error *err;
};

static const char *
text(const struct answer *a, uint32_t number)
{
	return number && number <= a->nr_texts ? a->texts[number - 1] : "";
}

static bool
take_text(struct answer *a, const char *data, size_t size)
{
	GROW(a->texts, a->nr_texts + 1, a->texts_alloc);
	a->texts[a->nr_texts++] = arena_strndup(a->arena, data, size);
	return true;
}

static bool
take_address(struct answer *a, const char *data, size_t size)
{
	struct wire_address w;
	struct wire_frame f;
	struct dwarf_address *address;
	struct dwarf_frame *frames;
	uint32_t i;

	if (size < sizeof(w))
		return false;
	memcpy(&w, data, sizeof(w));
	if (w.module >= a->nr_modules || w.address >= a->modules[w.module].nr_addresses ||
	    w.nr_frames > WIRE_MAX_FRAMES || size != sizeof(w) + w.nr_frames * sizeof(f))
		return false;
	address = &a->modules[w.module].addresses[w.address];
	frames = arena_alloc(a->arena, w.nr_frames * sizeof(*frames));
	for (i = 0; i < w.nr_frames; i++) {
		memcpy(&f, data + sizeof(w) + i * sizeof(f), sizeof(f));
		frames[i] = (struct dwarf_frame){
			.name = text(a, f.name), .linkage_name = text(a, f.linkage_name),
			.declared_file = text(a, f.declared_file),
			.declared_line = f.declared_line, .declared_column = f.declared_column,
			.file = text(a, f.file), .line = f.line, .column = f.column,
		};
	}
	address->frames = frames;
	address->nr_frames = w.nr_frames;
	return true;
}

static bool
take_problem(struct answer *a, const char *data, size_t size)
{
	error_set(a->err, "%.*s", size < 500 ? (int)size : 500, data);
	return true;
}

/* It goes before what was told of other modules. */
static bool
take_unread(struct answer *a, const char *data, size_t size)
{
	*a->err = (struct error)ERROR_INIT;
	error_set(a->err, "%.*s", size < 900 ? (int)size : 900, data);
	a->err->unread = true;
	return true;
}

static bool
take_done(struct answer *a, const char *data, size_t size)
{
	(void)data;
	a->done = true;
	return !size;
}

static bool (*const take[])(struct answer *, const char *, size_t) = {
	[WIRE_TEXT] = take_text, [WIRE_ADDRESS] = take_address, [WIRE_PROBLEM] = take_problem,
	[WIRE_UNREAD] = take_unread, [WIRE_DONE] = take_done,
};

/* A child that was crashed may have written anything: stop at the first thing that is not right. */
static void
take_all(struct answer *a, const struct strbuf *bytes)
{
	struct wire_head h;
	size_t at = 0;

	while (bytes->len - at >= sizeof(h)) {
		memcpy(&h, bytes->buf + at, sizeof(h));
		at += sizeof(h);
		if (h.kind >= sizeof(take) / sizeof(*take) || !take[h.kind] ||
		    h.size > bytes->len - at || !take[h.kind](a, bytes->buf + at, h.size))
			return;
		at += h.size;
	}
}

static void
tell_end(int status, struct error *err)
{
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
		error_set(err, "reading the debug information took more than %d s of CPU",
			  CHILD_CPU_S);
	else if (WIFSIGNALED(status))
		error_set(err, "the debug information is damaged: its reader was ended by signal "
			  "%d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		error_set(err, "the debug information could not be read to its end");
}

/* Fills MODULES with what the child says of them; -1 and ERR. */
static int
ask_child(struct dwarf_module *modules, size_t nr, struct arena *arena, struct error *err)
{
	struct answer a = { .modules = modules, .nr_modules = nr, .arena = arena, .err = err };
	struct strbuf bytes = STRBUF_INIT;
	struct error limits = ERROR_INIT;
	int fds[2], status = 0;
	pid_t pid, parent = getpid();

	if (pipe2(fds, O_CLOEXEC))
		return error_set_errno(err, errno, "cannot make a pipe");
	fflush(NULL);
	pid = fork();
	if (pid < 0) {
		close(fds[0]);
		close(fds[1]);
		return error_set_errno(err, errno, "cannot start a process");
	}
	if (!pid)
		run_child(modules, nr, fds[1], parent);
	close(fds[1]);
	read_answer(fds[0], &bytes, &limits);
	close(fds[0]);
	if (limits.set)
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	take_all(&a, &bytes);
	if (limits.unread)
		*err = (struct error)ERROR_INIT; /* what was told comes from a part of it */
	if (limits.set)
		error_copy(err, &limits);
	if (!a.done)
		tell_end(status, err);
	strbuf_release(&bytes);
	free(a.texts);
	return err->set ? -1 : 0;
}

/* The files of one module, which stay open as long as the child reads. */
struct files { struct elf own, debug; };

/* Returns the one that is read; NULL: none, for a reason in ERR or where the module was read. */
static const struct elf *
open_files(const struct dwarf_module *m, struct files *f, struct error *err)
{
	const struct elf *elf = m->elf;
	int found;

	if (!elf) {
		elf = &f->own;
		if (elf_open(&f->own, m->path, err))
			return NULL;
	}
	if (elf->fd < 0)
		return NULL;
	found = debug_file_open(&f->debug, elf, err);
	return found > 0 ? &f->debug : found ? NULL : elf;
}

int
dwarf_resolve(struct dwarf_module *modules, size_t nr, struct arena *arena, struct error *err)
{
	struct files *files = xcalloc(nr, sizeof(*files));
	struct error problem = ERROR_INIT;
	size_t i;

	for (i = 0; i < nr; i++) {
		files[i].own.fd = files[i].debug.fd = -1;
		if (!problem.unread)
			modules[i].debug = open_files(&modules[i], &files[i], &problem);
	}
	if (!problem.unread)
		ask_child(modules, nr, arena, err);
	if (problem.set)
		error_copy(err, &problem);
	for (i = 0; i < nr; i++) {
		modules[i].debug = NULL;
		elf_close(&files[i].own);
		elf_close(&files[i].debug);
	}
	free(files);
	return err->set ? -1 : 0;
}
