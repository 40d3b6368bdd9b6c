/* Where threads wait. A thread that waits cannot be asked without being woken, and a signal would
 * end its poll or its nanosleep with EINTR. So a thread of our own looks, again and again, from
 * outside: who has used no CPU time since, and is in a system call, waits; his stack is copied and
 * unwound.
 *
 * The program must not notice. The thread is made by the kernel's clone, not by the thread library,
 * which then neither counts it (the last thread of the program still ends the process) nor knows
 * that it is not alone (its locks stay cheap). Signals are blocked. It has its own table of
 * descriptors, so that none of the program's numbers is ever taken, and its own root and directory,
 * so that it still finds /proc after a chroot. It takes no lock. It has a thread-local area of its
 * own for errno and whatever the procedures it calls keep there. */
#include "unwind.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	STACK = 64 * 1024,
	LOCALS = 1024 * 1024, /* thread-local, below and above the thread pointer */
	LOCALS_ABOVE = 16 * 1024,
	WINDOW = 256 * 1024, /* of a waiting thread's stack */
	CHUNK = SAMPLES_CHUNK,
	MAX_CHUNKS = 2048,
	KNOWN = 1024, /* power of 2 */
	DELAY_LOOKS = 32,
	PAUSE_NS = 2000000, /* between two looks, if they cost little */
	LONGEST_PAUSE_NS = 50000000,
	SHARE = 50, /* share of the time in which it looks: 2 % */
};

struct chunk {
	struct raw_extent *extent; /* NULL: unused */
	uint32_t users;		   /* records that may still grow */
};

/* The record of a stack that has been waited with before: it grows when it is waited with again. */
struct known {
	struct raw_sample *sample; /* NULL: none */
	uint32_t chunk;
};

struct watched {		   /* a thread, by its slot */
	struct raw_thread *record; /* in the file, NULL: nobody is watched */
	uint32_t tid;
	uint64_t cpu_ns, delay_cpu_ns, delay_ns;
	struct raw_sample *wait; /* what grows while it waits, NULL: it does not */
	uint32_t chunk;		 /* that holds it */
};

/* All that the thread has; in memory of its own, which a child of fork uses anew. */
struct watcher {
	char stack[STACK];
	char locals[LOCALS];
	char window[WINDOW];
	struct chunk chunks[MAX_CHUNKS];
	struct known known[KNOWN];
	struct watched threads[MAX_SLOTS];
	uint64_t frames[RAW_MAX_FRAMES];
	uint32_t chunk;	   /* that new records go to */
	uint64_t maps_key; /* when it was begun */
	uint32_t told;	   /* runtime.layout that it tells of at its end */
	uint32_t layout;   /* in which the records that are known were made */
	_Atomic uint32_t stop;
	_Atomic uint32_t tid; /* 0: it has ended, or not begun */
	int fd, tasks;	      /* the profile, /proc/self/task */
	pid_t pid;
	uint32_t random;
};

static struct watcher *watcher;
static struct raw_wall *wall;	 /* in the file; children go on with it */

/* ---- time ---- */

static bool
read_clock(clockid_t clock, uint64_t *ns)
{
	struct timespec t;

	if (kernel(SYS_clock_gettime, clock, &t))
		return false;
	*ns = (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
	return true;
}

static uint64_t
now(void)
{
	uint64_t ns = 0;

	read_clock(CLOCK_MONOTONIC, &ns);
	return ns;
}

/* The CPU clock of a thread of this process. */
static bool
cpu_time(uint32_t tid, uint64_t *ns)
{
	return read_clock((clockid_t)(~tid << 3 | 6), ns);
}

static uint64_t
at_most(uint64_t ns, uint64_t most)
{
	return ns < most ? ns : most;
}

/* Not quite regular: what the program does at regular times must not always fall between. */
static void
pause_ns(struct watcher *w, uint64_t ns)
{
	struct timespec t;

	w->random = w->random * 1664525 + 1013904223;
	ns += ns / 4 * (w->random >> 16 & 0xff) / 128 - ns / 4;
	t = (struct timespec){(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
	kernel(SYS_futex, &w->stop, FUTEX_WAIT_PRIVATE, 0, &t);
}

/* ---- what the kernel tells of a thread ---- */

/* The file NAME of thread TID, into TEXT with a NUL; returns its length, -1: not there. */
static ssize_t
read_task_file(const struct watcher *w, uint32_t tid, const char *name, char *text, size_t room)
{
	char path[40], *p = path + 20, *end = p;
	ssize_t n;
	int fd;

	do
		*--p = (char)('0' + tid % 10);
	while (tid /= 10);
	*end++ = '/';
	while ((*end++ = *name++))
		;
	fd = (int)kernel(SYS_openat, w->tasks, p, O_RDONLY);
	if (fd < 0)
		return -1;
	n = kernel(SYS_read, fd, text, room - 1);
	kernel(SYS_close, fd);
	text[n > 0 ? n : 0] = '\0';
	return n;
}

static uint64_t
hexadecimal(const char *p)
{
	uint64_t v = 0;

	for (p += 2; *p >= '0'; p++)
		v = v << 4 | (uint64_t)(*p <= '9' ? *p - '0' : (*p | 32) - 'a' + 10);
	return v;
}

/* Reads the two last numbers of "NR ARGUMENTS... SP PC"; for a thread that runs the file says
 * "running". */
static bool
parse_place(const char *text, uint64_t *sp, uint64_t *pc)
{
	const char *last = NULL, *before = NULL;

	for (; *text; text++)
		if (text[0] == ' ' && text[1] == '0' && text[2] == 'x') {
			before = last;
			last = text + 1;
		}
	if (!before)
		return false;
	*sp = hexadecimal(before);
	*pc = hexadecimal(last);
	return *sp && *pc;
}

static bool
waits_at(const struct watcher *w, uint32_t tid, uint64_t *sp, uint64_t *pc)
{
	char text[256];
	ssize_t n = read_task_file(w, tid, "syscall", text, sizeof(text));

	return n > 0 && parse_place(text, sp, pc);
}

/* "CPU-TIME DELAY TIMES", in ns. */
static void
note_delay(const struct watcher *w, struct watched *t)
{
	char text[80], *p = text;
	uint64_t ns = 0;

	if (t->cpu_ns == t->delay_cpu_ns ||
	    read_task_file(w, t->tid, "schedstat", text, sizeof(text)) <= 0)
		return;
	t->delay_cpu_ns = t->cpu_ns;
	while (*p && *p != ' ')
		p++;
	while (*p == ' ')
		p++;
	for (; *p >= '0' && *p <= '9'; p++)
		ns = ns * 10 + (uint64_t)(*p - '0');
	t->record->delay_ms += (uint32_t)(ns / 1000000 - t->delay_ns / 1000000);
	t->delay_ns = ns;
}

/* ---- the stack ---- */

static void
copy_stack(struct watcher *w, const struct slot *s, struct frame *f, uint64_t sp)
{
	uint64_t lo = sp & ~(uint64_t)7, hi = lo + WINDOW;
	struct iovec local = {w->window, 0}, remote = {(void *)lo, 0};
	ssize_t n;

	if (sp >= s->stack_lo && sp < s->stack_hi && s->stack_hi < hi)
		hi = s->stack_hi;
	local.iov_len = remote.iov_len = hi - lo;
	n = kernel(SYS_process_vm_readv, w->pid, &local, 1, &remote, 1, 0);
	f->lo = lo;
	f->hi = lo + (n > 0 ? (uint64_t)n & ~(uint64_t)7 : 0);
	f->moved = (intptr_t)w->window - (intptr_t)lo;
}

static void
walk_waiting(struct watcher *w, const struct slot *s, uint64_t sp, uint64_t pc, struct walk *walk)
{
	struct frame f = {.known = 1u << REG_SP | 1u << REG_RA};

	f.regs[REG_SP] = sp;
	f.regs[REG_RA] = pc;
	copy_stack(w, s, &f, sp);
	*walk = (struct walk){.frames = w->frames};
	f.all = unwind_enter();
	walk_stack(walk, &f);
	if (f.all)
		unwind_leave();
}

/* ---- records ---- */

static void
release_chunk(struct watcher *w, uint32_t chunk)
{
	struct chunk *c = &w->chunks[chunk];

	if (--c->users || chunk == w->chunk)
		return;
	extent_unmap(c->extent);
	c->extent = NULL;
}

static bool
new_chunk(struct watcher *w)
{
	struct extent_request r = {.kind = RAW_SAMPLES,
				   .data_length = CHUNK,
				   .room = SAMPLES_ROOM,
				   .map_head = true};
	uint32_t i, old = w->chunk;

	for (i = 0; i < MAX_CHUNKS; i++)
		if (!w->chunks[i].extent)
			break;
	if (i == MAX_CHUNKS)
		return false;
	w->chunks[i].extent = extent_new(&r);
	if (!w->chunks[i].extent)
		return false;
	w->chunk = i;
	w->maps_key = runtime.maps_key;
	w->told = w->chunks[i].extent->used ? UINT32_MAX : 0;
	if (w->chunks[old].extent && !w->chunks[old].users) {
		w->chunks[old].users++;
		release_chunk(w, old);
	}
	return true;
}

static struct raw_sample *
new_sample(struct watcher *w, const struct walk *walk, uint32_t tid, uint64_t cpu_ns)
{
	size_t size = sizeof(struct raw_sample) + walk->nr * 8;
	size_t most = sizeof(struct raw_sample) + RAW_MAX_FRAMES * 8; /* for what tells modules */
	struct raw_extent *e = w->chunks[w->chunk].extent;
	struct raw_sample *sample;
	uint64_t *frames;
	unsigned i;

	if (!e || e->used + size + most > CHUNK || w->maps_key != runtime.maps_key) {
		if (!new_chunk(w))
			return NULL;
		e = w->chunks[w->chunk].extent;
	}
	samples_tell_modules(e, &w->told);
	sample = (struct raw_sample *)((char *)e + RAW_PAGE + e->used);
	frames = (uint64_t *)(sample + 1);
	for (i = 0; i < walk->nr; i++)
		frames[i] = walk->frames[i];
	sample->tid = tid;
	sample->nr_frames = (uint16_t)walk->nr;
	sample->flags =
		(uint16_t)(RAW_WAITING | (walk->steps > RAW_MAX_FRAMES ? RAW_STACK_CUT : 0) |
			   (walk->guessed ? RAW_STACK_GUESS : 0));
	sample->time_ns = sample_time_ns();
	sample->cpu_ns = cpu_ns;
	sample->amount = 0;
	atomic_store_explicit((_Atomic uint64_t *)&e->used, e->used + size, memory_order_release);
	return sample;
}

static bool
same_stack(const struct raw_sample *s, const struct walk *walk, uint32_t tid)
{
	const uint64_t *frames = (const uint64_t *)(s + 1);
	unsigned i;

	if (s->tid != tid || s->nr_frames != walk->nr)
		return false;
	for (i = 0; i < walk->nr; i++)
		if (frames[i] != walk->frames[i])
			return false;
	return true;
}

static struct known *
known_place(struct watcher *w, const struct walk *walk, uint32_t tid)
{
	uint64_t h = tid;
	unsigned i;

	for (i = 0; i < walk->nr; i++)
		h = (h ^ walk->frames[i]) * UINT64_C(0x9e3779b97f4a7c15);
	return &w->known[h >> 40 & (KNOWN - 1)];
}

/* Forgets the known places when modules have moved: code with these addresses may have been another
 * library's before. */
static void
forget_known(struct watcher *w)
{
	uint32_t now = atomic_load(&runtime.layout), i;

	for (i = 0; now != w->layout && i < KNOWN; i++)
		if (w->known[i].sample) {
			release_chunk(w, w->known[i].chunk);
			w->known[i].sample = NULL;
		}
	w->layout = now;
}

/* T waits from now on, with the stack WALK: a record for it. */
static void
begin_wait(struct watcher *w, struct watched *t, const struct walk *walk)
{
	struct known *k = known_place(w, walk, t->tid);
	struct raw_sample *sample;

	forget_known(w);
	if (!k->sample || !same_stack(k->sample, walk, t->tid)) {
		sample = new_sample(w, walk, t->tid, t->cpu_ns);
		if (!sample) {
			wall->lost++;
			return;
		}
		if (k->sample)
			release_chunk(w, k->chunk);
		*k = (struct known){sample, w->chunk};
		w->chunks[k->chunk].users++;
	}
	t->wait = k->sample;
	t->chunk = k->chunk;
	w->chunks[t->chunk].users++;
}

static void
end_wait(struct watcher *w, struct watched *t)
{
	if (t->wait)
		release_chunk(w, t->chunk);
	t->wait = NULL;
}

/* ---- looking ---- */

static void
look_closer(struct watcher *w, struct watched *t, const struct slot *s)
{
	uint64_t sp, pc, cpu;
	struct walk walk;

	if (!waits_at(w, t->tid, &sp, &pc))
		return;
	walk_waiting(w, s, sp, pc, &walk);
	/* Had it run meanwhile, its stack would not be what was copied. */
	if (cpu_time(t->tid, &cpu) && cpu == t->cpu_ns)
		begin_wait(w, t, &walk);
}

static void
forget(struct watcher *w, struct watched *t)
{
	end_wait(w, t);
	*t = (struct watched){0};
}

/* ELAPSED ns have gone by since the last look. False: nothing is to be seen of the thread, if there
 * is one at all. */
static bool
look_at(struct watcher *w, struct watched *t, const struct slot *s, uint64_t elapsed)
{
	struct raw_thread *record = s->state == SLOT_USED ? s->record : NULL;
	uint32_t tid = (uint32_t)s->tid;
	uint64_t cpu;
	bool ran = false;

	if (t->record && (t->record != record || t->tid != tid))
		forget(w, t);
	if (!record || !cpu_time(tid, &cpu))
		return false;
	if (!t->record) {
		t->record = record;
		t->tid = tid;
		if (record->tid == tid)
			elapsed = at_most(now() - record->started_ns, elapsed);
	}
	if (cpu != t->cpu_ns || !t->wait) {
		ran = cpu != t->cpu_ns;
		end_wait(w, t);
		t->cpu_ns = cpu;
		look_closer(w, t, s);
	}
	if (!t->wait)
		return ran;
	t->wait->amount += elapsed;
	record->wait_ns += elapsed;
	return true;
}

/* False: no thread is left, or none does anything. */
static bool
look(struct watcher *w, uint64_t elapsed)
{
	uint32_t i, nr = runtime.nr_slots;
	bool alive = false;

	for (i = 0; i < nr; i++)
		alive |= look_at(w, &w->threads[i], &runtime.slots[i], elapsed);
	if (atomic_fetch_add((_Atomic uint64_t *)&wall->looks, 1) % DELAY_LOOKS)
		return alive;
	for (i = 0; i < nr; i++)
		if (w->threads[i].record)
			note_delay(w, &w->threads[i]);
	return alive;
}

/* ---- the end ---- */

static bool
is_dead(const struct watcher *w, uint32_t tid)
{
	char text[1024], *p;

	if (read_task_file(w, tid, "stat", text, sizeof(text)) <= 0)
		return true;
	p = strrchr(text, ')');
	return p && p[1] && (p[2] == 'Z' || p[2] == 'X');
}

/* Returns what the first thread ended with, the last number of its file: the kernel takes the
 * status of the process from the thread that ends last. */
static int
status_of_first(const struct watcher *w)
{
	char text[1024], *p;
	int code = 0;

	if (read_task_file(w, (uint32_t)w->pid, "stat", text, sizeof(text)) <= 0)
		return 0;
	p = strrchr(text, ' ');
	for (p = p ? p + 1 : text; *p >= '0' && *p <= '9'; p++)
		code = code * 10 + (*p - '0');
	return WEXITSTATUS(code);
}

/* Are all other threads gone? Those that end by themselves, not with the process, would else leave
 * it to us. */
static bool
is_alone(const struct watcher *w)
{
	struct entry {
		uint64_t inode, offset;
		unsigned short length;
		unsigned char type;
		char name[];
	} * e;
	char buffer[2048] __attribute__((aligned(8)));
	uint32_t tid, own = (uint32_t)kernel(SYS_gettid);
	const char *p;
	long n, at;

	kernel(SYS_lseek, w->tasks, 0, SEEK_SET);
	while ((n = kernel(SYS_getdents64, w->tasks, buffer, sizeof(buffer))) > 0)
		for (at = 0; at < n; at += e->length) {
			e = (struct entry *)(buffer + at);
			for (tid = 0, p = e->name; *p >= '0' && *p <= '9'; p++)
				tid = tid * 10 + (uint32_t)(*p - '0');
			if (tid && tid != own && !is_dead(w, tid))
				return false;
		}
	return n == 0;
}

/* ---- the thread ---- */

/* Where the thread pointer points to: two words there are its own address, as the ABI and glibc
 * want it. */
static uintptr_t
own_thread_pointer(const struct watcher *w)
{
	return page_down((uintptr_t)w->locals + LOCALS - LOCALS_ABOVE);
}

int
wall_descriptor(void)
{
	return watcher && thread_pointer() == own_thread_pointer(watcher) ? watcher->fd : -1;
}

/* Closes all but the profile in the table of descriptors, a copy of the program's: they would keep
 * pipes open. */
static void
close_others(const struct watcher *w)
{
	int fd;

	if (!kernel(SYS_close_range, w->fd + 1, ~0u, 0)) {
		if (w->fd > 0)
			kernel(SYS_close_range, 0, w->fd - 1, 0);
		return;
	}
	for (fd = 0; fd < 65536; fd++)
		if (fd != w->fd)
			kernel(SYS_close, fd);
}

/* The profile may have lost its descriptor to the program; here there is nobody to be disturbed. */
static bool
get_descriptor(struct watcher *w)
{
	if (!file_is_ours(w->fd))
		w->fd = -1;
	close_others(w);
	if (w->fd < 0)
		w->fd = (int)kernel(SYS_openat, AT_FDCWD, runtime.path, O_RDWR | O_NOFOLLOW);
	return file_is_ours(w->fd);
}

/* Can it be told at all where a thread waits? It always says something of the one that asks. */
static int
prepare(struct watcher *w)
{
	char text[256];

	kernel(SYS_chdir, "/");
	w->tasks = (int)kernel(SYS_openat, AT_FDCWD, "/proc/self/task", O_RDONLY | O_DIRECTORY);
	if (w->tasks < 0)
		return errno;
	errno = 0;
	if (read_task_file(w, (uint32_t)kernel(SYS_gettid), "syscall", text, sizeof(text)) > 0)
		return 0;
	return errno ? errno : ENOENT;
}

/* Notes what hindered looking. */
static bool
is_prepared(struct watcher *w)
{
	int error = prepare(w);

	if (error)
		wall->error = (uint64_t)error;
	return !error;
}

/* What a process leaves in /proc takes the kernel 300 us and more to take away when that ends, the
 * longer the more processes there are: a child that lives no longer than to the first look does
 * without. */
static bool
is_prepared_late(struct watcher *w)
{
	return w->tasks >= 0 || is_prepared(w);
}

/* Looks until it is told to stop, or cannot; the time before the first look is from LAST on.
 * Returns true when no thread is left but this one. */
static bool
look_who_waits(struct watcher *w, uint64_t last)
{
	uint64_t begin, pause, next = last + PAUSE_NS;

	while (!atomic_load(&w->stop)) {
		bool alive;

		begin = now();
		if (next > begin)
			pause_ns(w, next - begin);
		if (atomic_load(&w->stop) || !is_prepared_late(w))
			break;
		begin = now();
		if (begin < next)
			continue;
		alive = look(w, begin - last);
		atomic_fetch_add((_Atomic uint64_t *)&wall->elapsed_ns, begin - last);
		if (begin - last > wall->longest_ns)
			wall->longest_ns = begin - last;
		pause = (now() - begin) * SHARE;
		pause = pause < PAUSE_NS ? PAUSE_NS : pause;
		last = begin;
		next = begin + at_most(pause, LONGEST_PAUSE_NS);
		if (!alive && is_alone(w))
			return true;
	}
	return false;
}

static int
watch(void *argument)
{
	struct watcher *w = argument;
	uint64_t begin = now();

	kernel(SYS_prctl, PR_SET_NAME, "cgview-wall");
	if (!get_descriptor(w))
		return 0;
	w->tasks = -1;
	if (!runtime.forked && !is_prepared(w))
		return 0;
	return look_who_waits(w, begin) ? status_of_first(w) : 0;
}

/* A child of fork has the parent's: its memory serves again, the parent's chunks are not its. */
static struct watcher *
memory(void)
{
	void *p;
	uint32_t i;

	if (watcher) {
		for (i = 0; i < MAX_CHUNKS; i++)
			if (watcher->chunks[i].extent)
				extent_unmap(watcher->chunks[i].extent);
		kernel(SYS_madvise, watcher, page_up(sizeof(*watcher)), MADV_DONTNEED);
		return watcher;
	}
	p = sys_mmap(NULL, page_up(sizeof(*watcher)), PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return p == MAP_FAILED ? NULL : p;
}

static struct raw_wall *
new_wall(void)
{
	struct extent_request r = {
		.kind = RAW_WALL, .data_length = sizeof(struct raw_wall), .map_head = true};
	struct raw_extent *e = extent_new(&r);

	if (!e)
		return NULL;
	e->used = sizeof(struct raw_wall);
	return (struct raw_wall *)((char *)e + RAW_PAGE);
}

static void *
new_thread_pointer(struct watcher *w)
{
	uintptr_t at = own_thread_pointer(w);

	((uintptr_t *)at)[0] = at;
	((uintptr_t *)at)[2] = at;
	return (void *)at;
}

void
wall_start(void)
{
	const int flags = CLONE_VM | CLONE_THREAD | CLONE_SIGHAND | CLONE_SYSVSEM | CLONE_SETTLS |
			  CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
	/* A fault in what was mapped of the file comes to the thread itself. */
	uint64_t all = ~(UINT64_C(1) << (SIGBUS - 1)), before;
	int saved = errno;
	struct watcher *w;

	if (!runtime.asks_who_waits || !runtime.active || runtime_closed())
		return;
	w = memory();
	if (!w)
		return;
	watcher = w;
	if (!wall)
		wall = new_wall();
	if (!wall)
		return;
	w->fd = runtime.fd;
	w->pid = (pid_t)kernel(SYS_getpid);
	w->random = (uint32_t)w->pid;
	kernel(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, sizeof(all));
	if (runtime_real_clone()(watch, w->stack + STACK - 64, flags, w, &w->tid,
				 new_thread_pointer(w), &w->tid) < 0)
		wall->error = wall->looks ? 0 : (uint64_t)errno;
	kernel(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof(all));
	errno = saved;
}

void
wall_stop(void)
{
	struct watcher *w = watcher;
	uint32_t tid = w ? atomic_load(&w->tid) : 0, left;
	int saved = errno;

	if (!tid)
		return;
	atomic_store(&w->stop, 1);
	kernel(SYS_futex, &w->stop, FUTEX_WAKE_PRIVATE, 1);
	while ((left = atomic_load(&w->tid))) /* the kernel clears it and wakes us */
		kernel(SYS_futex, &w->tid, FUTEX_WAIT, left, NULL);
	while (!kernel(SYS_tgkill, w->pid, tid, 0)) /* a little later it is gone */
		kernel(SYS_sched_yield);
	errno = saved;
}
