#include "collect/import/sums/fold.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "collect/import/sums/spread.h"
#include "util/order.h"

void
fold_init(struct fold *f, uint64_t keep, const char *output)
{
	*f = (struct fold){ .keep = keep };
	places_init(&f->places);
	stack_store_init(&f->stacks, &f->places, output);
	share_reader_init(&f->reader, &f->places);
}

void
fold_release(struct fold *f)
{
	for (size_t i = 0; i < f->nr_programs; i++)
		share_free(f->programs[i]);
	for (size_t i = 0; i < f->nr_kept; i++)
		share_free(f->processes[f->kept[i]].share);
	stack_store_release(&f->stacks);
	spreads_release(f);
	share_reader_release(&f->reader);
	places_release(&f->places);
	index_release(&f->by_id);
	free(f->processes);
	free(f->programs);
	free(f->kept);
	*f = (struct fold){ .keep = 0 };
}

int
folded_compare(const struct folded_process *a, const struct folded_process *b)
{
	int by_job = strcmp(a->job, b->job), by_host = strcmp(a->host, b->host);

	if (by_job)
		return by_job;
	COMPARE(a->of.rank, b->of.rank);
	if (by_host)
		return by_host;
	COMPARE(a->of.pid, b->of.pid);
	COMPARE(a->of.started_ns, b->of.started_ns);
	COMPARE(a->of.id, b->of.id);
	return 0;
}

/* ---- what is kept ---- */

int
fold_program_place(const struct fold *f, const struct share *s)
{
	for (size_t i = 0; i < s->nr_counters; i++)
		if (s->counters[i] &&
		    !strcmp(f->places.items[i].path, s->texts[RAW_TEXT_PROGRAM]))
			return (int)i;
	return -1;
}

/* The share of the program of S, which is empty when it is new. */
static struct share *
program_of(struct fold *f, const struct share *s)
{
	int place = fold_program_place(f, s);
	size_t i;

	for (i = 0; i < f->nr_programs; i++) {
		const struct share *p = f->programs[i];

		if (p->texts[RAW_TEXT_PROGRAM] == s->texts[RAW_TEXT_PROGRAM] &&
		    fold_program_place(f, p) == place)
			return f->programs[i];
	}
	GROW(f->programs, f->nr_programs + 1, f->programs_alloc);
	return f->programs[f->nr_programs++] = share_new(&f->stacks);
}

/* Adds S to the share of its program, and returns the latter. Releases S. */
static struct share *
add_to_program(struct fold *f, struct share *s)
{
	struct share *to = program_of(f, s);

	share_add(to, &f->places, s);
	to->texts[RAW_TEXT_RANK] = "";
	share_free(s);
	return to;
}

/* Keeps no more than the first ones. */
static void
drop_last(struct fold *f)
{
	while (f->nr_kept > f->keep) {
		struct folded_process *p = &f->processes[f->kept[--f->nr_kept]];

		p->share = add_to_program(f, p->share);
	}
}

/* The process NUMBER has a share of its own. */
static void
keep(struct fold *f, uint32_t number)
{
	size_t i = f->nr_kept;

	GROW(f->kept, f->nr_kept + 1, f->kept_alloc);
	for (; i > 0 && folded_compare(&f->processes[number], &f->processes[f->kept[i - 1]]) < 0;
	     i--)
		f->kept[i] = f->kept[i - 1];
	f->kept[i] = number;
	f->nr_kept++;
	drop_last(f);
}

/* ---- processes ---- */

static bool
id_equal(const void *ctx, uint32_t item, const void *key)
{
	return ((const struct fold *)ctx)->processes[item].of.id == *(const uint64_t *)key;
}

uint32_t
fold_process(const struct fold *f, uint64_t id)
{
	return index_find(&f->by_id, hash_number(HASH_START, id), id_equal, f, &id);
}

int
fold_twice(const struct sum_process *p, const char *host, const char *path, struct error *err)
{
	return error_set(err, "%s: process %" PRIu32 " of %s is there twice, it would count "
			 "twice: leave one out", path, p->pid, *host ? host : "an unknown host");
}

static int
check_process(const struct fold *f, const struct sum_process *p, const char *host,
	      const char *path, struct error *err)
{
	return fold_process(f, p->id) == INDEX_NONE ? 0 : fold_twice(p, host, path, err);
}

static uint32_t
add_process(struct fold *f, const struct sum_process *p, const char *host, const char *job,
	    struct share *share)
{
	GROW(f->processes, f->nr_processes + 1, f->processes_alloc);
	f->processes[f->nr_processes] = (struct folded_process){
		*p, places_text(&f->places, host), places_text(&f->places, job), share,
	};
	index_add(&f->by_id, hash_number(HASH_START, p->id), (uint32_t)f->nr_processes);
	return (uint32_t)f->nr_processes++;
}

/* ---- a raw file ---- */

static int
add_raw(struct fold *f, const struct rawfile *r, struct error *err)
{
	const struct sum_process p = {
		.id = rawfile_id(r), .started_ns = r->head.started_ns, .pid = r->head.pid,
		.rank = r->rank, .uid = r->owner,
	};
	struct share *s;

	if (check_process(f, &p, r->host, r->path, err))
		return -1;
	s = share_new(&f->stacks);
	if (share_read(&f->reader, s, r, err)) {
		share_free(s);
		return -1;
	}
	spreads_note(f, s);
	keep(f, add_process(f, &p, r->host, r->texts[RAW_TEXT_JOB], s));
	return 0;
}

/* ---- a sum ---- */

static int
check_sum(struct fold *f, const struct sumfile *from, struct error *err)
{
	int status = 0;

	for (size_t i = 0; i < from->nr_processes && !status; i++)
		status = check_process(f, &from->processes[i],
				       from->texts + from->processes[i].host, from->path, err);
	return status;
}

/* Reads all members to SHARES. */
static int
read_members(struct fold *f, const struct sumfile *from, struct share **shares, struct error *err)
{
	struct rawfile r;
	int status = 0;

	for (size_t i = 0; i < from->nr_members && !status; i++) {
		status = sumfile_member(from, i, &r, err);
		if (status)
			break;
		shares[i] = share_new(&f->stacks);
		status = share_read(&f->reader, shares[i], &r, err);
		rawfile_close(&r);
	}
	return status;
}

/* It has kept the first of its own: more than that is not known. */
static void
commit(struct fold *f, const struct sumfile *from, struct share **shares)
{
	size_t nr = from->nr_members - from->nr_kept;
	const uint32_t first = (uint32_t)f->nr_processes;

	f->keep = from->head.keep < f->keep ? from->head.keep : f->keep;
	drop_last(f);
	for (size_t i = 0; i < nr; i++)
		shares[i] = add_to_program(f, shares[i]);
	for (size_t i = 0; i < from->nr_processes; i++) {
		const struct sum_process *p = &from->processes[i];
		uint32_t number = add_process(f, p, from->texts + p->host, from->texts + p->job,
					      shares[p->member]);

		if (p->member >= nr)
			keep(f, number);
	}
	spreads_add(f, from, first);
}

static int
add_sum(struct fold *f, const char *path, struct error *err)
{
	struct sumfile from;
	struct share **shares;
	int status;

	if (sumfile_open(&from, path, err))
		return -1;
	shares = xcalloc(from.nr_members, sizeof(*shares));
	status = check_sum(f, &from, err);
	if (!status) {
		sumfile_owners(&from, &f->reader.owners);
		status = read_members(f, &from, shares, err);
	}
	if (!status)
		status = spreads_check(f, &from, err);
	if (!status)
		commit(f, &from, shares);
	else
		for (size_t i = 0; i < from.nr_members; i++)
			share_free(shares[i]);
	free(shares);
	sumfile_close(&from);
	return status;
}

int
fold_add(struct fold *f, const char *path, struct error *err)
{
	struct rawfile r;
	int status;

	if (f->stacks.problem.set)
		return error_copy(err, &f->stacks.problem);
	if (sumfile_is(path)) {
		status = add_sum(f, path, err);
	} else {
		status = rawfile_open(&r, path, err);
		if (!status) {
			status = add_raw(f, &r, err);
			rawfile_close(&r);
		}
	}
	return f->stacks.problem.set ? error_copy(err, &f->stacks.problem) : status;
}
