#include "cmd/run/attach.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "cmd/make/make_profile.h"
#include "cmd/run/sampler.h"
#include "util/error.h"
#include "util/mem.h"

static volatile sig_atomic_t stopped;

static void
stop(int signal)
{
	(void)signal;
	stopped = 1;
}

static void
add_word(struct attach *a, const char *text, size_t n)
{
	a->words = xrealloc(a->words, a->nr_words + 1, sizeof(*a->words));
	a->words[a->nr_words++] = xstrndup(text, n);
}

/* Threads of the kernel have no command, but a name. */
void
attach_look(struct attach *a)
{
	enum { MOST = 1 << 16 };
	static const char *const files[] = { "cmdline", "comm" };
	char *text = xmalloc(MOST);

	for (size_t i = 0; i < 2 && !a->nr_words; i++) {
		char *path = xasprintf("/proc/%d/%s", a->pid, files[i]);
		FILE *in = fopen(path, "re");
		size_t n = in ? fread(text, 1, MOST, in) : 0, length;

		free(path);
		if (!in)
			die(1, "record -p %d: there is no such process", a->pid);
		fclose(in);
		for (size_t at = 0; at < n; at += length + 1) {
			length = strcspn(text + at, "\n");
			length = strnlen(text + at, n - at < length ? n - at : length);
			add_word(a, text + at, length);
		}
	}
	free(text);
	if (!a->nr_words)
		add_word(a, "", 0);
}

static uint64_t
now_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static int
cannot(const struct attach *a, const struct error *why, struct error *err)
{
	const char *who = a->watched ? "watch" : "record -p";

	if (why->errnum == ESRCH)
		return error_set(err, "%s %d: the process has ended", who, a->pid);
	if (why->errnum != EACCES && why->errnum != EPERM)
		return error_set(err, "%s %d: %s", who, a->pid, why->text);
	return error_set(err, "%s %d: this user may not sample it: that may its owner, if "
			 "kernel.perf_event_paranoid is 2 at most (sysctl "
			 "kernel.perf_event_paranoid=2), root, and who has CAP_PERFMON and "
			 "CAP_SYS_PTRACE", who, a->pid);
}

/* Waits in small steps where the kernel is older than 5.3. */
static void
wait_for_end(const struct attach *a, uint64_t until)
{
	enum { STEP_MS = 200 };
	int fd = (int)syscall(SYS_pidfd_open, a->pid, 0);
	struct pollfd p = { .fd = fd, .events = POLLIN };

	while (!stopped && !p.revents) {
		uint64_t now = now_ns(CLOCK_MONOTONIC), left = until - now;
		int ms = fd < 0 ? STEP_MS : -1;

		if (until && now >= until)
			break;
		if (until && (ms < 0 || left / 1000000 < (uint64_t)ms))
			ms = (int)(left / 1000000 < 1000000 ? left / 1000000 + 1 : 1000000);
		poll(&p, 1, ms);
		if (fd < 0 && kill(a->pid, 0) && errno == ESRCH)
			break;
	}
	if (fd >= 0)
		close(fd);
}

int
attach_run(struct attach *a, const char *path, struct recorded *run, struct error *err)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = stop }, before[3];
	struct error why = ERROR_INIT;
	struct sampler *s;
	uint64_t started;

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		sigaction(ends[i], &action, &before[i]);
	run->arguments = (const char *const *)a->words;
	run->nr_arguments = a->nr_words;
	run->attached = true;
	run->started_ns = (int64_t)now_ns(CLOCK_REALTIME);
	started = now_ns(CLOCK_MONOTONIC);
	s = sampler_start(&(struct sampler_task){ .pid = a->pid, .hz = a->hz,
						  .watched = a->watched }, path, &why);
	if (!s)
		return cannot(a, &why, err);
	wait_for_end(a, a->seconds ? started + a->seconds * 1000000000 : 0);
	if (sampler_end(s, &why))
		complain("%s", why.text);
	run->wall_ns = now_ns(CLOCK_MONOTONIC) - started;
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		sigaction(ends[i], &before[i], NULL);
	return 0;
}
