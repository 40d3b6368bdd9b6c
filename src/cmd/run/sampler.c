#include "cmd/run/sampler.h"

#include <dirent.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "cmd/run/sampler_file.h"
#include "util/mem.h"

enum {
	/* Bytes of the stack in each sample, if it has as many: most code has no frame pointer, so
	 * nothing else tells who called it. With 8 kB 3 of 4 stacks of sort(1) had no main(). */
	STACK = 16384,
	/* Of memory for each processor: what a user may lock without more ado, and the least. */
	MOST_PAGES = 128, LEAST_PAGES = 16,
	/* Milliseconds until it is emptied, however little there is; where only children are left,
	 * nobody tells how much there is. */
	LONGEST_WAIT = 500, WATCHED_WAIT = 50, CHILDREN_WAIT = 20,
};
/* ax bx cx dx si di bp sp ip, and r8 to r15: without flags and segments */
#define REGISTERS 0xff01ffull

struct ring { int fd; struct perf_event_mmap_page *head; uint64_t size; };

struct sampler {
	struct sampler_file *file;
	struct ring *rings;        /* one for each processor that there is */
	size_t nr_rings;
	int *events;
	size_t nr_events, events_alloc;
	int stop;                  /* an eventfd */
	pthread_t thread;
	size_t page;
	bool watched, some;        /* some: there was something in the last round */
};

static struct perf_event_attr
attr_of(size_t hz, bool waiting, bool kernel)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK,
		.size = sizeof(struct perf_event_attr),
		.sample_period = 1000000000 / hz,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER |
			       PERF_SAMPLE_STACK_USER,
		.sample_regs_user = REGISTERS, .sample_stack_user = STACK,
		.inherit = 1, .disabled = waiting, .enable_on_exec = waiting, .exclude_hv = 1,
		.exclude_kernel = !kernel, .exclude_callchain_kernel = !kernel,
		.mmap = 1, .mmap2 = 1, .comm = 1, .comm_exec = 1, .task = 1,
		.sample_id_all = 1, .watermark = 1,
		.wakeup_watermark = MOST_PAGES * 4096 / 4,
	};
}

static int
open_event(struct perf_event_attr *attr, pid_t pid, int cpu)
{
	return (int)syscall(SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* The kernel's part is for the timers of the program (docs/design/sampling.md). Clock and ticks
 * must not keep step. */
static struct perf_event_attr
counting_attr_of(size_t hz)
{
	struct perf_event_attr attr = attr_of(hz, true, false);

	attr.config = PERF_COUNT_SW_TASK_CLOCK;
	attr.sample_type &= ~(uint64_t)PERF_SAMPLE_CALLCHAIN;
	attr.sample_period -= attr.sample_period / 256;
	attr.use_clockid = 1;
	attr.clockid = CLOCK_MONOTONIC;
	return attr;
}

/* Few may see the kernel's part. */
int
sampler_possible(struct sampler_kind *kind, struct error *err)
{
	struct perf_event_attr attr = attr_of(1, true, true);
	int fd = open_event(&attr, 0, -1);

	kind->kernel = fd >= 0;
	if (fd < 0) {
		attr = attr_of(1, true, false);
		fd = open_event(&attr, 0, -1);
	}
	if (fd < 0)
		return error_set_errno(err, errno, "perf_event_open");
	close(fd);
	return 0;
}

/* ---- emptying ---- */

/* Returns whether anything was there. */
static bool
empty(struct sampler *s, struct ring *r)
{
	const uint8_t *data = (const uint8_t *)r->head + s->page;
	uint64_t head = __atomic_load_n(&r->head->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = r->head->data_tail;

	if (head == tail)
		return false;
	while (tail < head) {
		uint64_t at = tail % r->size, n = head - tail;

		n = n < r->size - at ? n : r->size - at;
		sampler_file_add(s->file, data + at, n);
		tail += n;
	}
	__atomic_store_n(&r->head->data_tail, tail, __ATOMIC_RELEASE);
	return true;
}

static void
empty_all(struct sampler *s)
{
	bool some = false;

	for (size_t i = 0; i < s->nr_rings; i++)
		some |= empty(s, &s->rings[i]);
	/* A round of nothing tells who reads the file meanwhile that what came in the one before
	 * need not wait for others. */
	if (some || (s->watched && s->some))
		sampler_file_end_round(s->file);
	if (s->watched)
		sampler_file_show(s->file);
	s->some = some;
}

static void *
run(void *sampler)
{
	struct sampler *s = sampler;
	struct pollfd *fds = xcalloc(s->nr_rings + 1, sizeof(*fds));
	int wait = s->watched ? WATCHED_WAIT : LONGEST_WAIT;

	for (size_t i = 0; i < s->nr_rings; i++)
		fds[i] = (struct pollfd){ .fd = s->rings[i].fd, .events = POLLIN };
	fds[s->nr_rings] = (struct pollfd){ .fd = s->stop, .events = POLLIN };
	while (!fds[s->nr_rings].revents) {
		if (poll(fds, s->nr_rings + 1, wait) < 0 && errno != EINTR)
			break;
		for (size_t i = 0; i < s->nr_rings; i++)
			if (fds[i].revents & (POLLHUP | POLLERR)) { /* its task has ended */
				fds[i].fd = -1;
				wait = CHILDREN_WAIT;
			}
		empty_all(s);
	}
	free(fds);
	return NULL;
}

/* ---- opening ---- */

/* Opens an event of TASK on each processor; those of one processor share its memory. */
static int
open_task(struct sampler *s, struct perf_event_attr *attr, pid_t task, const int *cpus,
	  struct error *err)
{
	for (size_t i = 0; i < s->nr_rings; i++) {
		struct ring *r = &s->rings[i];
		int fd = open_event(attr, task, cpus[i]);

		if (fd < 0)
			return error_set_errno(err, errno, "perf_event_open");
		GROW(s->events, s->nr_events + 1, s->events_alloc);
		s->events[s->nr_events++] = fd;
		if (r->fd >= 0 && ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, r->fd))
			return error_set_errno(err, errno, "perf event");
		if (r->fd >= 0)
			continue;
		r->fd = fd;
		for (size_t pages = MOST_PAGES; pages >= LEAST_PAGES && !r->head; pages /= 2) {
			void *at = mmap(NULL, (pages + 1) * s->page, PROT_READ | PROT_WRITE,
					MAP_SHARED, fd, 0);

			r->head = at == MAP_FAILED ? NULL : at;
			r->size = pages * s->page;
		}
		if (!r->head)
			return error_set_errno(err, errno, "the memory of perf events");
	}
	return 0;
}

/* Returns the processors that are there, and sets NR; heap. */
static int *
online_cpus(size_t *nr)
{
	long all = sysconf(_SC_NPROCESSORS_CONF);
	int *cpus = xcalloc((size_t)all + 1, sizeof(*cpus));
	struct perf_event_attr attr = attr_of(1, true, false);

	*nr = 0;
	for (int i = 0; i < all; i++) {
		int fd = open_event(&attr, 0, i);

		if (fd < 0 && errno == ENODEV)
			continue;
		if (fd >= 0)
			close(fd);
		cpus[(*nr)++] = i;
	}
	return cpus;
}

/* Threads that begin meanwhile are those of threads that are sampled already, or are found by the
 * next look. */
static int
open_tasks(struct sampler *s, struct perf_event_attr *attr, pid_t pid, const int *cpus,
	   struct error *err)
{
	char *path = xasprintf("/proc/%d/task", pid);
	DIR *d = opendir(path);
	struct dirent *e;
	size_t nr = 0;
	int status = 0;

	free(path);
	if (!d)
		return error_set_errno(err, ESRCH, "process %d", pid);
	while (!status && (e = readdir(d))) {
		struct error why = ERROR_INIT;

		if (*e->d_name == '.')
			continue;
		status = open_task(s, attr, (pid_t)strtol(e->d_name, NULL, 10), cpus, &why);
		if (status && !strstr(why.text, strerror(ESRCH)))
			error_copy(err, &why);
		else
			status = 0;
		nr += !status;
	}
	closedir(d);
	return status || nr ? status : error_set_errno(err, ESRCH, "process %d", pid);
}

static void
raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur == limit.rlim_max)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static void
release(struct sampler *s)
{
	for (size_t i = 0; i < s->nr_rings; i++)
		if (s->rings[i].head)
			munmap(s->rings[i].head, s->rings[i].size + s->page);
	for (size_t i = 0; i < s->nr_events; i++)
		close(s->events[i]);
	if (s->stop >= 0)
		close(s->stop);
	free(s->rings);
	free(s->events);
	free(s);
}

/* Signals are for the thread that waits for the program. */
static int
start_thread(struct sampler *s, struct error *err)
{
	sigset_t all, before;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&s->thread, NULL, run, s);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error ? error_set_errno(err, error, "cannot start a thread") : 0;
}

struct sampler *
sampler_start(const struct sampler_task *task, const char *path, struct error *err)
{
	struct sampler *s = xcalloc(1, sizeof(*s));
	struct sampler_kind kind = { .kernel = false };
	bool waiting = task->waiting;
	struct perf_event_attr attr;
	int *cpus, status;

	s->stop = -1;
	s->page = (size_t)sysconf(_SC_PAGESIZE);
	s->watched = task->watched;
	if (sampler_possible(&kind, err)) {
		release(s);
		return NULL;
	}
	kind.kernel &= !task->counts;
	attr = task->counts ? counting_attr_of(task->hz) : attr_of(task->hz, waiting, kind.kernel);
	cpus = online_cpus(&s->nr_rings);
	s->rings = xcalloc(s->nr_rings, sizeof(*s->rings));
	for (size_t i = 0; i < s->nr_rings; i++)
		s->rings[i].fd = -1;
	if (!waiting)
		raise_limit();
	status = waiting ? open_task(s, &attr, task->pid, cpus, err)
			 : open_tasks(s, &attr, task->pid, cpus, err);
	free(cpus);
	s->stop = status ? -1 : eventfd(0, EFD_CLOEXEC);
	s->file = status ? NULL : sampler_file_new(path, &attr, kind.kernel ? "cpu-clock"
								    : "cpu-clock:u", err);
	if (!s->file || (!waiting && (sampler_file_add_process(s->file, task->pid), false)) ||
	    start_thread(s, err)) {
		if (s->file)
			sampler_file_close(s->file, NULL);
		release(s);
		return NULL;
	}
	return s;
}

int
sampler_end(struct sampler *s, struct error *err)
{
	const uint64_t one = 1;
	int status;

	for (size_t i = 0; i < s->nr_events; i++)
		ioctl(s->events[i], PERF_EVENT_IOC_DISABLE, 0);
	if (write(s->stop, &one, sizeof(one)) == sizeof(one))
		pthread_join(s->thread, NULL);
	empty_all(s);
	empty_all(s); /* as above */
	status = sampler_file_close(s->file, err);
	release(s);
	return status;
}
