#include "collect/import/limited.h"

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

#include "collect/import/confine.h"
#include "util/child.h"
#include "util/input.h"
#include "util/sanitizer.h"

/* The debug information of the Linux kernel (210 MB) takes 12 s and 700 MB. */
static const struct limits for_debug_information = {
	.cpu_s = 60, .wall_s = 300, .memory_mb = 4096, .file_mb = 0,
};
enum { MAX_ANSWER_MB = 1024 };

static const struct limits *
limits_of(const struct limited *l)
{
	return l->limits ? l->limits : &for_debug_information;
}

/* Returns VALUE, or what this process itself is limited to. */
static rlim_t
at_most(int resource, rlim_t value)
{
	struct rlimit now;

	return !getrlimit(resource, &now) && now.rlim_cur < value ? now.rlim_cur : value;
}

/* MORE: so much above the limit no signal can be ignored. */
static void
limit(int resource, rlim_t value, rlim_t more)
{
	struct rlimit l = { .rlim_cur = at_most(resource, value) };

	l.rlim_max = l.rlim_cur + more;
	if (setrlimit(resource, &l)) {
		l.rlim_max = l.rlim_cur;
		setrlimit(resource, &l);
	}
}

static unsigned
cpu_limit(const struct limited *l)
{
	return (unsigned)at_most(RLIMIT_CPU, limits_of(l)->cpu_s);
}

static int
compare_numbers(const void *a, const void *b)
{
	return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b;
}

/* Closes all but the standard ones, FD and those that are read. */
static void
close_others(const struct limited *l, int fd)
{
	size_t n = l->nr_keep + 1, i;
	int *keep = xcalloc(n, sizeof(*keep)), next = 3;

	keep[0] = fd;
	for (i = 1; i < n; i++)
		keep[i] = l->keep[i - 1];
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
run_child(const struct limited *l, int fd, pid_t parent)
{
	const struct limits *most = limits_of(l);
	int null = open("/dev/null", O_RDWR);

	if (null < 0) /* it has given up writing */
		null = open("/dev/null", O_RDONLY);
	confine_to_life_of(parent);
	signal(SIGPIPE, SIG_DFL);
	if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 ||
	    (!l->speaks && dup2(null, 2) < 0))
		child_end(1);
	close_others(l, fd);
	limit(RLIMIT_CORE, 0, 0);
	limit(RLIMIT_CPU, most->cpu_s, 5);
#ifndef CGVIEW_COVERAGE /* which writes its counts */
	limit(RLIMIT_FSIZE, (rlim_t)most->file_mb << 20, 0);
#endif
#ifndef __SANITIZE_ADDRESS__ /* which reserves terabytes of addresses */
	limit(RLIMIT_AS, (rlim_t)most->memory_mb << 20, 0);
#endif
	l->run(l->context, fd);
	child_end(0);
}

static int64_t
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void
cannot_hear(const char *what, int errnum, struct error *err)
{
	char *of = xasprintf("what its reader says of %s", what);

	input_failed(of, errnum, err);
	free(of);
}

/* Reads all that comes out of the pipe; stops at the limits of size and time. */
static void
read_answer(int fd, const struct limited *l, struct strbuf *answer, struct error *err)
{
	unsigned most = limits_of(l)->wall_s;
	int64_t deadline = now_ms() + (int64_t)most * 1000, left = -1;
	struct pollfd p = { .fd = fd, .events = POLLIN };
	const char *what = l->what;
	ssize_t got;

	for (;;) {
		if (most)
			left = deadline - now_ms();
		if (most && left <= 0) {
			error_set(err, "reading %s took more than %u s", what, most);
			return;
		}
		if (poll(&p, 1, (int)left) <= 0)
			continue;
		if (answer->len > (size_t)MAX_ANSWER_MB << 20) {
			error_set(err, "%s says too much to be true", what);
			return;
		}
		strbuf_room(answer, 1 << 16);
		got = read(fd, answer->buf + answer->len, 1 << 16);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			cannot_hear(what, errno, err);
		if (got <= 0)
			return;
		answer->len += (size_t)got;
	}
}

int
limited_ask(const struct limited *l, struct strbuf *answer, struct error *limits,
	    struct error *err)
{
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
		run_child(l, fds[1], parent);
	close(fds[1]);
	read_answer(fds[0], l, answer, limits);
	close(fds[0]);
	if (limits->set)
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

void
limited_tell_end(const struct limited *l, int status, struct error *err)
{
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
		error_set(err, "reading %s took more than %u s of CPU", l->what, cpu_limit(l));
	else if (WIFSIGNALED(status))
		error_set(err, "%s is damaged: its reader was ended by signal %d (%s)", l->what,
			  WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		error_set(err, "%s could not be read to its end", l->what);
}

void
limited_messages(const struct strbuf *answer, void *context,
		 bool (*take)(void *context, uint32_t kind, const char *data, size_t size))
{
	struct wire_head h;
	size_t at = 0;

	while (answer->len - at >= sizeof(h)) {
		memcpy(&h, answer->buf + at, sizeof(h));
		at += sizeof(h);
		if (h.size > answer->len - at || !take(context, h.kind, answer->buf + at, h.size))
			return;
		at += h.size;
	}
}
