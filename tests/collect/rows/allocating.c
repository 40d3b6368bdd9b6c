/* allocating CALL ACTION TIMES STACK: makes CALL, which wants or gives back memory, again and again
 * while a timer interrupts it at random moments by a handler that does ACTION, on a STACK of its
 * own (own) or not (here), beside a thread that does the same. Then makes all of them so many times
 * more. Prints how often the handler came, and how many blocks each procedure has got, at least and
 * at most: one that was left by a jump, or goes on in a child, may have got one or not. allocating
 * list: the pairs.
 *
 * A handler that has interrupted libc itself does nothing, as libc's malloc() may not be left nor
 * be called again: so each pair is right in a program of gcc's. */
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

/* operator new and operator delete */
void *new_object(size_t n) __asm__("_Znwm");
void delete_object(void *p) __asm__("_ZdlPv");

enum { LATER = 1000, POOL = 1 << 16 };
static void (*action)(void);
static volatile int acted, wanted, made;
static unsigned seed = 1;
static timer_t timer;
static sigjmp_buf out;
static volatile sig_atomic_t may_jump;
static volatile bool done, is_child;
static void *volatile block;

static unsigned
draw(unsigned *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

/* ---- a pool that may be left at any moment (alloc=pool_get, free=pool_put of cgcc) ---- */

static char pool[POOL][16];
static unsigned pool_used;

__attribute__((noinline)) void *
pool_get(size_t n)
{
	unsigned i = __atomic_fetch_add(&pool_used, 1, __ATOMIC_RELAXED);

	return n > sizeof(pool[0]) ? NULL : pool[i % POOL];
}

__attribute__((noinline)) void
pool_put(void *p)
{
	__asm__ volatile("" : : "r"(p) : "memory");
}

/* ---- what is called ---- */

/* Each has a procedure of its own, so that its calls are those of one row. */
#define CALLS(make, again, name)                                                                   \
	static __attribute__((noinline)) void name##_call(size_t n)                                \
	{                                                                                          \
		(void)n;                                                                           \
		block = make;                                                                      \
		again;                                                                             \
	}                                                                                          \
	static __attribute__((noinline)) void name##_later(size_t n)                               \
	{                                                                                          \
		(void)n;                                                                           \
		block = make;                                                                      \
		again;                                                                             \
	}

#define ALIGNED(n)                                                                                 \
	({                                                                                         \
		void *p_;                                                                          \
		posix_memalign(&p_, 64, n) ? NULL : p_;                                            \
	})
CALLS(malloc(n), free(block), malloc)
CALLS(calloc(n, 2), free(block), calloc)
CALLS(realloc(realloc(NULL, 5), n), free(block), realloc)
CALLS(ALIGNED(n), free(block), aligned)
CALLS(new_object(n), delete_object(block), new)
CALLS(strdup("as libc calls"), free(block), strdup)
CALLS(pool_get(16), pool_put(block), pool)

static const struct call {
	const char *name;
	void (*make)(size_t n), (*later)(size_t n);
	int blocks; /* that a call gets */
} calls[] = {
	{"malloc", malloc_call, malloc_later, 1},
	{"calloc", calloc_call, calloc_later, 1},
	{"realloc", realloc_call, realloc_later, 2},
	{"aligned", aligned_call, aligned_later, 1},
	{"new", new_call, new_later, 1},
	{"strdup", strdup_call, strdup_later, 1},
	{"pool", pool_call, pool_later, 1},
};
enum { NR_CALLS = sizeof(calls) / sizeof(*calls) };

/* ---- what a handler does ---- */

static __attribute__((noinline)) void
act_malloc(void)
{
	void *volatile p = malloc(24);

	free(p);
}

static __attribute__((noinline)) void
act_realloc(void)
{
	void *volatile p = malloc(10);

	p = realloc(p, 1000);
	free(p);
}

static void
act_jump(void)
{
	if (may_jump)
		siglongjmp(out, 1);
}

static void
act_fork(void)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		for (int i = 0; i < NR_CALLS; i++)
			calls[i].make(50);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
		_exit(4);
}

/* The child goes on with what was interrupted. */
static void
act_return(void)
{
	int status;
	pid_t pid = fork();

	is_child = !pid;
	if (pid < 0 || (pid && (waitpid(pid, &status, 0) != pid || status)))
		_exit(4);
}

static const struct action {
	const char *name;
	void (*act)(void);
	int blocks;
} actions[] = {
	{"malloc", act_malloc, 1},
	{"realloc", act_realloc, 2},
	{"jump", act_jump, 0},
	{"fork", act_fork, 0},
	{"return", act_return, 0},
};
enum { NR_ACTIONS = sizeof(actions) / sizeof(*actions) };

/* ---- when ---- */

/* Where the program itself is, the library that counts, and an allocator that may be left. */
static uintptr_t ours[16][2];
static int nr_ours;

static int
note_object(struct dl_phdr_info *info, size_t size, void *none)
{
	(void)size, (void)none;
	if (*info->dlpi_name && !strstr(info->dlpi_name, "libcgview") &&
	    !strstr(info->dlpi_name, "libreentrant"))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type != PT_LOAD || !(p->p_flags & PF_X) || nr_ours == 16)
			continue;
		ours[nr_ours][0] = info->dlpi_addr + p->p_vaddr;
		ours[nr_ours++][1] = info->dlpi_addr + p->p_vaddr + p->p_memsz;
	}
	return 0;
}

static bool
is_ours(uintptr_t pc)
{
	for (int i = 0; i < nr_ours; i++)
		if (pc >= ours[i][0] && pc < ours[i][1])
			return true;
	return false;
}

static void
arm(void)
{
	unsigned most = draw(&seed) % 4 ? 20000 : 100000;
	struct itimerspec when = {.it_value.tv_nsec = 1000 + draw(&seed) % most};

	timer_settime(timer, 0, &when, NULL);
}

static void
on_alarm(int signal, siginfo_t *info, void *context)
{
	const ucontext_t *c = context;
	int saved = errno;

	(void)signal, (void)info;
	if (acted == wanted || is_child)
		return;
	if (may_jump && is_ours((uintptr_t)c->uc_mcontext.gregs[REG_RIP])) {
		acted++;
		if (action == act_jump)
			arm();
		action();
	}
	arm(); /* what came while it acted would come again at the same place */
	errno = saved;
}

static void
set_timer(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGALRM};

	event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
	if (timer_create(CLOCK_MONOTONIC, &event, &timer))
		_exit(3);
	arm();
}

static void *
beside(void *none)
{
	static void *volatile mine;
	unsigned state = 7;

	while (!done) {
		mine = malloc(1u << draw(&state) % 14);
		free(mine);
		mine = strdup("something");
		free(mine);
		mine = pool_get(16);
		pool_put(mine);
		usleep(10);
	}
	return none;
}

static int
list(void)
{
	for (int i = 0; i < NR_CALLS; i++)
		for (int k = 0; k < NR_ACTIONS; k++)
			printf("%s %s\n", calls[i].name, actions[k].name);
	return 0;
}

static void
tell(const struct call *call, const struct action *a)
{
	bool jumps = a->act == act_jump, forks = a->act == act_fork;
	int later = LATER + (a->act == act_return ? acted : 0);

	printf("%d\n", acted);
	for (int i = 0; i < NR_CALLS; i++) {
		const struct call *c = &calls[i];
		int least = ((c == call ? made : 0) + (forks ? acted : 0)) * c->blocks;

		printf("%s_call %d %d\n", c->name, least,
		       least + (c == call && (jumps || later > LATER) ? acted * c->blocks : 0));
		printf("%s_later %d %d\n", c->name, later * c->blocks, later * c->blocks);
	}
	for (int i = 0; i < NR_ACTIONS; i++) {
		int blocks = &actions[i] == a ? acted * a->blocks : 0;

		printf("act_%s %d %d\n", actions[i].name, blocks, blocks);
	}
}

int
main(int argc, char **argv)
{
	static char stack[65536];
	struct sigaction alarm = {.sa_sigaction = on_alarm, .sa_flags = SA_RESTART | SA_SIGINFO};
	stack_t own = {.ss_sp = stack, .ss_size = sizeof(stack)};
	const struct call *call = calls;
	const struct action *a = actions;
	pthread_t other;

	if (argc < 5)
		return list();
	while (strcmp(call->name, argv[1]))
		call++;
	while (strcmp(a->name, argv[2]))
		a++;
	action = a->act;
	wanted = atoi(argv[3]);
	if (!strcmp(argv[4], "own")) {
		sigaltstack(&own, NULL);
		alarm.sa_flags |= SA_ONSTACK;
	}
	dl_iterate_phdr(note_object, NULL);
	sigaction(SIGALRM, &alarm, NULL);
	pthread_create(&other, NULL, beside, NULL);
	call->make(1); /* the first time binds symbols */
	made++;
	set_timer();
	while (acted < wanted) {
		if (!sigsetjmp(out, 1)) {
			may_jump = 1;
			call->make(1 + made % 300);
			may_jump = 0;
			made++;
			if (is_child) {
				for (int i = 0; i < NR_CALLS; i++)
					calls[i].later(60);
				_exit(0);
			}
		}
		may_jump = 0;
	}
	for (int i = 0; i < NR_CALLS; i++)
		for (int k = 0; k < LATER; k++)
			calls[i].later(40);
	done = true;
	pthread_join(other, NULL);
	tell(call, a);
	return 0;
}
