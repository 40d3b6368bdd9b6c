#include "collect/import/sums/since.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "collect/import/sums/sumfile.h"

/* The state of subtracting. */
struct since {
	bool less;                 /* something is less than it was */
	bool more;                 /* something was done */
};

static uint64_t
difference(struct since *x, uint64_t now, uint64_t before)
{
	x->less |= now < before;
	x->more |= now > before;
	return now - before;
}

/* Of what may be less: times are estimates, which get better as the process goes on. */
static uint64_t
at_least_nothing(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

static void
subtract_counters(struct since *x, struct share *s, const struct places *p,
		  const struct share *before)
{
	for (size_t i = 0; i < before->nr_counters; i++) {
		const uint64_t *from = before->counters[i];
		uint64_t *to;

		if (!from)
			continue;
		to = share_counters(s, p, (int)i);
		for (size_t k = 0; k < p->items[i].nr_counters; k++)
			to[k] = difference(x, to[k], from[k]);
	}
}

/* A process is told as a long or as a short one, and all of its time is kept as that; the other
 * time is 0. It may have been a short one before. Subtracts OF from TIME, and returns how much of
 * OF is left for the other time. */
static uint64_t
subtract_time(uint64_t *time, uint64_t of)
{
	uint64_t rest = at_least_nothing(of, *time);

	*time = at_least_nothing(*time, of);
	return rest;
}

static void
subtract_stack(struct since *x, struct sum_stack *to, const struct sum_stack *from)
{
	to->samples = difference(x, to->samples, from->samples);
	to->events = difference(x, to->events, from->events);
	to->wait_ns = at_least_nothing(to->wait_ns, from->wait_ns);
	subtract_time(&to->short_ns, subtract_time(&to->long_ns, from->long_ns + from->short_ns));
}

static void
keep_stack(struct since *x, struct stack_set *to, const struct stack_record *r)
{
	x->more |= r->of.samples || r->of.events;
	if (r->of.samples || r->of.events || r->of.wait_ns)
		stack_set_add(to, &r->of, r->frames);
}

/* Both are read in their order. Stacks that were not seen since are left out. */
static void
subtract_stacks(struct since *x, struct share *s, struct share *before)
{
	struct stack_set left;
	struct stack_set_reader a, b;
	bool is_now, was;
	int order;

	stack_set_init(&left, s->stacks.store);
	left.program = s->stacks.program;
	stack_set_read_begin(&a, &s->stacks);
	stack_set_read_begin(&b, &before->stacks);
	is_now = stack_set_next(&a);
	was = stack_set_next(&b);
	while (is_now || was) {
		order = !was ? -1 : !is_now ? 1 : stack_compare(a.now, b.now, a.rank);
		x->less |= order > 0;
		if (!order)
			subtract_stack(x, &a.now->of, &b.now->of);
		if (order <= 0) {
			keep_stack(x, &left, a.now);
			is_now = stack_set_next(&a);
		}
		if (order >= 0)
			was = stack_set_next(&b);
	}
	stack_set_read_end(&a);
	stack_set_read_end(&b);
	stack_set_release(&s->stacks);
	s->stacks = left;
}

/* A count may be worked out of words that were not read at the same moment. */
static void
subtract_targets(struct share *s, const struct share *before)
{
	size_t nr = 0;

	for (size_t i = 0; i < before->nr_targets; i++) {
		const struct raw_target *b = &before->targets[i];
		size_t at = share_find_target(s, b->site, b->target);

		if (at < s->nr_targets)
			s->targets[at].count = at_least_nothing(s->targets[at].count, b->count);
	}
	for (size_t i = 0; i < s->nr_targets; i++)
		if (s->targets[i].count)
			s->targets[nr++] = s->targets[i];
	s->nr_targets = nr;
}

static void
subtract_squares(uint64_t to[2], const uint64_t of[2])
{
	bool borrow = to[0] < of[0];

	if (to[1] < of[1] || (to[1] == of[1] && borrow)) {
		to[0] = to[1] = 0;
		return;
	}
	to[0] -= of[0];
	to[1] -= of[1] + borrow;
}

/* How many processes and threads there are is no figure of an interval, nor are periods. */
static void
subtract_facts(struct since *x, struct share *s, const struct share *before)
{
	struct sum_facts *to = &s->facts;
	const struct sum_facts *of = &before->facts;
	uint64_t squares[2] = { of->long_squares[0], of->long_squares[1] };

	to->cpu_ns = at_least_nothing(to->cpu_ns, of->cpu_ns);
	to->samples = difference(x, to->samples, of->samples);
	to->lost_samples = at_least_nothing(to->lost_samples, of->lost_samples);
	to->wait_ns = at_least_nothing(to->wait_ns, of->wait_ns);
	to->delay_ns = at_least_nothing(to->delay_ns, of->delay_ns);
	subtract_time(&to->short_asked_ns,
		      subtract_time(&to->long_ns, of->long_ns + of->short_asked_ns));
	to->short_cpu_ns = at_least_nothing(to->short_cpu_ns, of->short_cpu_ns);
	share_add_squares(squares, of->short_squares);
	subtract_squares(to->long_ns ? to->long_squares : to->short_squares, squares);
	to->cut = at_least_nothing(to->cut, of->cut);
	to->ends = at_least_nothing(to->ends, of->ends);
	to->copies_cut = at_least_nothing(to->copies_cut, of->copies_cut);
	to->guessed = at_least_nothing(to->guessed, of->guessed);
}

static void
subtract_lost(struct share *s, const struct share *before)
{
	for (size_t i = 0; i < sizeof(s->events.sources) / sizeof(*s->events.sources); i++) {
		struct raw_source *to = &s->events.sources[i];
		const struct raw_source *of = &before->events.sources[i];

		to->taken = at_least_nothing(to->taken, of->taken);
		to->missing = at_least_nothing(to->missing, of->missing);
		to->lost = at_least_nothing(to->lost, of->lost);
	}
	s->wall.lost = at_least_nothing(s->wall.lost, before->wall.lost);
}

/* What was given back may have been there before, so what is live is no difference. */
static void
leave_space_out(struct share *s)
{
	s->facts.left_space += s->space.facts.states[RAW_SPACE_COUNTED];
	space_sum_release(&s->space);
}

static int
subtract(struct fold *f, struct share *before, const char *last, struct error *err)
{
	const struct folded_process *p = &f->processes[0];
	struct since x = { .less = false };

	subtract_counters(&x, p->share, &f->places, before);
	subtract_stacks(&x, p->share, before);
	subtract_targets(p->share, before);
	subtract_facts(&x, p->share, before);
	subtract_lost(p->share, before);
	leave_space_out(p->share);
	if (f->stacks.problem.set)
		return error_copy(err, &f->stacks.problem);
	if (x.less)
		return error_set(err, "--since %s: process %" PRIu32 " had done more then: it is "
				 "no earlier state", last, p->of.pid);
	if (!x.more)
		return error_set(err, "--since %s: process %" PRIu32 " has done nothing since: "
				 "try again later", last, p->of.pid);
	return 0;
}

/* Reads the only process of FROM. NULL and ERR: it is damaged. */
static struct share *
read_state(struct fold *f, const struct sumfile *from, struct error *err)
{
	struct share *s;
	struct rawfile r;
	int status;

	sumfile_owners(from, &f->reader.owners);
	if (sumfile_member(from, 0, &r, err))
		return NULL;
	s = share_new(&f->stacks);
	status = share_read(&f->reader, s, &r, err);
	rawfile_close(&r);
	if (!status)
		return s;
	share_free(s);
	return NULL;
}

int
fold_since(struct fold *f, const char *last, struct error *err)
{
	struct folded_process *p = &f->processes[0];
	struct share *before = NULL;
	struct sumfile from;
	int status = -1;

	if (f->nr_processes != 1)
		return error_set(err, "--since %s: it is for one process, here are %zu", last,
				 f->nr_processes);
	if (sumfile_open(&from, last, err))
		return -1;
	if (from.nr_processes != 1 || from.processes[0].id != p->of.id)
		error_set(err, "--since %s: it is no state of process %" PRIu32 " of %s alone",
			  last, p->of.pid, *p->host ? p->host : "an unknown host");
	else
		before = read_state(f, &from, err);
	if (before) {
		status = subtract(f, before, last, err);
		p->of.id = hash_number(hash_number(HASH_START, p->of.id), from.head.checksum);
		share_free(before);
	}
	for (size_t i = 0; i < f->nr_spreads; i++)
		f->spreads[i].processes = 0; /* they are of all that it ever did */
	sumfile_close(&from);
	return status;
}
