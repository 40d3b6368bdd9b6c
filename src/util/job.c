#include "util/job.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "util/error.h"
#include "util/mem.h"
#include "util/sanitizer.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#endif

/* Addresses, not memory: only what a job has touched of its stack takes any. */
enum { STACK = 1 << 20 };

struct job {
	void (*function)(void *context);
	void *context;
	bool (*enough)(void *context);
	void *enough_context;
	enum { JOB_NEW, JOB_BEGUN, JOB_DONE } state;
	struct job *runs;        /* who runs it, while it runs */
	char *stack;
	ucontext_t here;         /* where it goes on */
	volatile bool left;      /* it was left there */
	struct job_hold *holds;  /* the last first */
	unsigned work;           /* since ENOUGH was asked */
	bool still;              /* it must not pause */
	struct job_part part;
	double done;
	/* For the address sanitizer: what it knows of this stack while another one is used. */
	void *sanitizer;
	const void *bottom;
	size_t size;
};

/* Code that no job calls, on the program's first stack, counts as a job that never pauses. */
static struct job program = { .part = { 0, 1 } };
static _Thread_local struct job *now = &program; /* another thread has no jobs */

/* ---- stacks ---- */

/* Stacks not in use; the end of each holds the one before it. They are needed again and again, and
 * there are never more than jobs at a time. */
static char *spare;

static char **
before(char *stack)
{
	return (char **)(stack + STACK) - 1;
}

static char *
new_stack(void)
{
	char *stack = spare;

	if (stack) {
		spare = *before(stack);
		return stack;
	}
	stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
	/* Whoever needs more of it than there is meets the page below. */
	if (stack == MAP_FAILED || mprotect(stack, (size_t)sysconf(_SC_PAGESIZE), PROT_NONE))
		die(1, "out of memory: no stack of %d bytes", STACK);
#ifdef VALGRIND_STACK_REGISTER
	(void)VALGRIND_STACK_REGISTER(stack, stack + STACK);
#endif
	return stack;
}

static void
give_stack(char *stack)
{
	if (!stack)
		return;
#ifdef __SANITIZE_ADDRESS__
	/* A job that was dropped in the midst of its work has left its marks. */
	ASAN_UNPOISON_MEMORY_REGION(stack, STACK);
#endif
	*before(stack) = spare;
	spare = stack;
}

/* ---- from one to the other ---- */

/* Does what swapcontext() does, which the address sanitizer would report as unknown to it. NOW is
 * the other job already. */
static void
change(struct job *from, struct job *to)
{
#ifdef __SANITIZE_ADDRESS__
	__sanitizer_start_switch_fiber(from->state == JOB_DONE ? NULL : &from->sanitizer,
				       to->bottom, to->size);
#endif
	from->left = false;
	if (getcontext(&from->here))
		BUG("getcontext");
	if (!from->left) {
		from->left = true;
		setcontext(&to->here);
		BUG("setcontext");
	}
#ifdef __SANITIZE_ADDRESS__
	__sanitizer_finish_switch_fiber(from->sanitizer, NULL, NULL);
#endif
}

static void
back(struct job *j)
{
	now = j->runs;
	change(j, now);
}

/* The first procedure of a stack. */
static void
start(void)
{
	struct job *j = now;

#ifdef __SANITIZE_ADDRESS__
	__sanitizer_finish_switch_fiber(NULL, &j->runs->bottom, &j->runs->size);
#endif
	j->function(j->context);
	j->state = JOB_DONE;
	back(j);
}

static void
begin(struct job *j)
{
	j->state = JOB_BEGUN;
	j->stack = new_stack();
	j->bottom = j->stack;
	j->size = STACK;
	if (getcontext(&j->here))
		BUG("getcontext");
	j->here.uc_stack.ss_sp = j->stack;
	j->here.uc_stack.ss_size = STACK;
	makecontext(&j->here, start, 0);
}

/* ---- whoever has one ---- */

struct job *
job_new(void (*function)(void *context), void *context)
{
	struct job *j = xcalloc(1, sizeof(*j));

	j->function = function;
	j->context = context;
	j->part.size = 1;
	return j;
}

bool
job_run(struct job *j, bool (*enough)(void *context), void *context)
{
	if (j->state == JOB_DONE)
		return true;
	if (j->runs)
		BUG("a job runs itself");
	if (j->state == JOB_NEW)
		begin(j);
	j->enough = enough;
	j->enough_context = context;
	j->work = 0;
	j->runs = now;
	now = j;
	change(j->runs, j);
	j->runs = NULL;
	if (j->state != JOB_DONE)
		return false;
	give_stack(j->stack);
	j->stack = NULL;
	return true;
}

void
job_free(struct job *j)
{
	if (!j)
		return;
	if (j->runs)
		BUG("a job is dropped while it runs");
	while (j->holds) {
		struct job_hold *hold = j->holds;

		j->holds = hold->next;
		hold->release(hold->what);
	}
	give_stack(j->stack);
	free(j);
}

unsigned
job_percent(const struct job *j)
{
	return j ? (unsigned)(100 * j->done) : 0;
}

/* ---- whoever works ---- */

void
job_pause(unsigned work)
{
	struct job *j = now;

	if (!j->enough || j->still)
		return;
	j->work += work;
	if (j->work < JOB_LOOK)
		return;
	j->work = 0;
	if (j->enough(j->enough_context))
		back(j);
}

void
job_wait(struct job **j)
{
	struct job *outer = now;

	while (*j && !job_run(*j, outer->still ? NULL : outer->enough, outer->enough_context)) {
		job_progress((*j)->done, 1);
		back(outer);
	}
	job_free(*j);
	*j = NULL;
}

bool
job_still(bool still)
{
	bool before = now->still;

	now->still = still;
	return before;
}

void
job_hold(struct job_hold *hold, void (*release)(void *what), void *what)
{
	*hold = (struct job_hold){ release, what, now->holds };
	now->holds = hold;
}

void
job_let_go(struct job_hold *hold)
{
	if (now->holds != hold)
		BUG("another thing was held last");
	now->holds = hold->next;
	hold->release(hold->what);
}

struct job_part
job_part(double from, double to)
{
	struct job_part outer = now->part;

	now->part.from += from * outer.size;
	now->part.size *= to - from;
	now->done = now->part.from;
	return outer;
}

void
job_part_end(struct job_part outer)
{
	now->done = now->part.from + now->part.size;
	now->part = outer;
}

void
job_progress(double done, double all)
{
	now->done = now->part.from + now->part.size * (all > done ? done / all : all > 0);
}
