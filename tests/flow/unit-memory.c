/* No memory: every allocation of the solver fails once. It must say so, give back all it had and
 * leave an empty result. */
#include <stdio.h>
#include <stdlib.h>

#include "instances.h"

#ifdef __SANITIZE_ADDRESS__

int
main(void)
{
	puts("skip - the n-th allocation fails: the sanitizer has its own malloc");
	return EXIT_SUCCESS;
}

#else

/* The allocator of this program: glibc's, which can be told to fail, and which counts. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t nr, size_t size);
void __libc_free(void *p);

static long in_use;
static long fail_at = -1;     /* allocations from now until one fails; -1: none does */

static bool
fails(void)
{
	return fail_at >= 0 && !fail_at--;
}

void *
malloc(size_t size)
{
	void *p = fails() ? NULL : __libc_malloc(size);

	in_use += p != NULL;
	return p;
}

void *
calloc(size_t nr, size_t size)
{
	void *p = fails() ? NULL : __libc_calloc(nr, size);

	in_use += p != NULL;
	return p;
}

void
free(void *p)
{
	in_use -= p != NULL;
	__libc_free(p);
}

static struct instance in;
static double prior[MAX_ARCS];

static enum flow_status
run_solver(int kind)
{
	struct flow_pin pin = { 0, 0 };
	struct flow_options options = {
		.estimator = (enum flow_estimator)(kind % 3), .bounds = FLOW_BOUNDS_EXACT,
		.prior = kind >= 3 ? prior : NULL, .pins = &pin, .nr_pins = kind >= 6,
	};
	struct flow_result r;
	enum flow_status status = flow_solve(&in.problem, &options, &r);

	if (status && (r.count || r.lo || r.hi || r.how || r.site_residual || r.procedure_residual))
		return FLOW_BAD_INPUT;
	flow_result_release(&r);
	return status;
}

static enum flow_status
turn(struct flow_dial *d, size_t arc)
{
	uint64_t lo, hi;
	enum flow_status status = flow_dial_interval(d, arc, &lo, &hi);

	if (!status)
		status = flow_dial_turn(d, arc, lo + (hi - lo) / 2);
	return status;
}

static enum flow_status
run_dial(int kind)
{
	struct flow_options options = { .estimator = (enum flow_estimator)kind,
					.bounds = FLOW_BOUNDS_SMALL };
	struct flow_dial *d;
	enum flow_status status = flow_dial_open(&in.problem, &options, &d);

	for (size_t arc = 0; arc < 4 && !status; arc++)
		status = turn(d, arc);
	if (!status)
		status = turn(d, 0);
	if (!status)
		status = flow_dial_unpin(d, 1);
	if (!status)
		status = flow_dial_estimator(d, FLOW_ENTROPY);
	flow_dial_close(d);
	return status;
}

static enum flow_status
run_time(int kind)
{
	static const uint64_t self[] = { 1, 2, 3 }, entries[] = { 1, 4, 2 };
	static const struct flow_call calls[] = { { 0, 1, 1 }, { 1, 2, 2 }, { 2, 1, 3 } };
	struct flow_time t;
	enum flow_status status = flow_time(3, self, entries, calls, 3, &t);

	(void)kind;
	if (status && (t.total_ns || t.cycle || t.cycles))
		return FLOW_BAD_INPUT;
	flow_time_release(&t);
	return status;
}

static enum flow_status
run_time_bounds(int kind)
{
	static const uint64_t self[] = { 1, 2, 3 }, entries[] = { 1, 4, 2 };
	static const struct flow_call_range calls[] = { { 0, 1, 1, 1, 1 }, { 1, 2, 0, 2, 0 },
							{ 2, 1, 2, 3, 1 } };
	uint64_t lo[3], hi[3];

	(void)kind;
	return flow_time_bounds(3, self, entries, calls, 3, lo, hi);
}

/* Fail the first, the second ... allocation, until a run needs fewer. Returns how many failed, or
 * -1. */
static long
fail_each(enum flow_status (*run)(int), int kind)
{
	long before = in_use, n;
	enum flow_status status = FLOW_NO_MEMORY;

	for (n = 0; status; n++) {
		fail_at = n;
		status = run(kind);
		if (fail_at < 0 && status == FLOW_OK)
			status = FLOW_NO_MEMORY; /* one failed and it was made up for: go on */
		else if (status && status != FLOW_NO_MEMORY)
			return -1;
		fail_at = -1;
		if (in_use != before)
			return -1;
	}
	return n - 1;
}

static bool
report(const char *name, long failed)
{
	printf("%s - the n-th allocation fails: %s (%ld)\n", failed > 0 ? "ok" : "not ok", name,
	       failed);
	return failed > 0;
}

int
main(void)
{
	bool good = true;

	setvbuf(stdout, NULL, _IONBF, 0);
	for (size_t i = 0; i < MAX_ARCS; i += 3)
		prior[i] = 7;
	instance_make(&in, &shapes[2], 4);
	for (int kind = 0; kind < 6; kind++)
		good = report("solver", fail_each(run_solver, kind)) && good;
	for (int kind = 0; kind < 3; kind++)
		good = report("dial", fail_each(run_dial, kind)) && good;
	instance_make(&in, &shapes[1], 5);
	in.sites[0] += 1000;
	for (int kind = 6; kind < 9; kind++)
		good = report("solver, wrong counts, a pin", fail_each(run_solver, kind)) && good;
	good = report("aggregate time", fail_each(run_time, 0)) && good;
	good = report("bounds of aggregate time", fail_each(run_time_bounds, 0)) && good;
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
