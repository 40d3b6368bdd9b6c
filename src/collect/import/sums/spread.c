#include "collect/import/sums/spread.h"

#include <stdlib.h>
#include <string.h>

#include "util/sum.h"

void
spreads_release(struct fold *f)
{
	for (size_t i = 0; i < f->nr_derives; i++)
		derive_close(f->derives[i]);
	for (size_t i = 0; i < f->nr_spreads; i++)
		free(f->spreads[i].rows);
	free(f->derives);
	free(f->spreads);
	f->derives = NULL;
	f->spreads = NULL;
	f->nr_derives = f->derives_alloc = f->nr_spreads = f->spreads_alloc = 0;
}

/* ---- one spread ---- */

static struct spread *
find_spread(const struct fold *f, int place)
{
	for (size_t i = 0; i < f->nr_spreads; i++)
		if (f->spreads[i].place == place)
			return &f->spreads[i];
	return NULL;
}

/* Returns the spread of PLACE, which may be new, and then is of no process. */
static struct spread *
spread_of(struct fold *f, int place, uint64_t hash, uint32_t nr_procedures)
{
	struct spread *s = find_spread(f, place);

	if (s)
		return s;
	GROW(f->spreads, f->nr_spreads + 1, f->spreads_alloc);
	s = &f->spreads[f->nr_spreads++];
	*s = (struct spread){ .place = place, .hash = hash, .nr_procedures = nr_procedures };
	s->rows = xcalloc((size_t)nr_procedures + 1, sizeof(*s->rows));
	return s;
}

static bool
is_before(const struct fold *f, uint32_t a, uint32_t b)
{
	return folded_compare(&f->processes[a], &f->processes[b]) < 0;
}

/* Adds MORE to R, of S as it was before: without a sum, R is 0 in all processes. */
static void
add_row(const struct fold *f, const struct spread *s, struct sum_spread_row *r,
	const struct sum_spread_row *more)
{
	if (!s->processes) {
		*r = *more;
		return;
	}
	if (!r->sum)
		r->least_at = r->most_at = s->first;
	if (more->least < r->least ||
	    (more->least == r->least && is_before(f, more->least_at, r->least_at))) {
		r->least = more->least;
		r->least_at = more->least_at;
	}
	if (more->most > r->most ||
	    (more->most == r->most && is_before(f, more->most_at, r->most_at))) {
		r->most = more->most;
		r->most_at = more->most_at;
	}
	r->some += more->some;
	r->sum = sum_capped(r->sum, more->sum);
	share_add_squares(r->squares, more->squares);
}

/* NR processes were added, the first of which is FIRST. */
static void
add_processes(const struct fold *f, struct spread *s, uint64_t nr, uint32_t first)
{
	if (!s->processes || is_before(f, first, s->first))
		s->first = first;
	s->processes += nr;
}

static void
add_process(const struct fold *f, struct spread *s, uint32_t process,
	    uint64_t (*values)[SUM_SPREAD_FIGURES])
{
	for (uint32_t i = 0; i < s->nr_procedures; i++)
		for (int k = 0; k < SUM_SPREAD_FIGURES; k++) {
			const uint64_t value = values[i][k];
			const unsigned __int128 square = (unsigned __int128)value * value;
			const struct sum_spread_row of = {
				.some = value != 0, .sum = value, .least = value, .most = value,
				.squares = { (uint64_t)square, (uint64_t)(square >> 64) },
				.least_at = process, .most_at = process,
			};

			if (value || s->rows[i][k].sum)
				add_row(f, s, &s->rows[i][k], &of);
		}
	add_processes(f, s, 1, process);
}

/* ---- those of a sum ---- */

/* Returns the place that SPREAD of FROM is of; -1: none. */
static int
place_of(const struct fold *f, const struct sumfile *from, const struct sum_spread *spread)
{
	for (size_t i = 0; i < f->places.nr; i++) {
		const struct sum_place *p = &f->places.items[i];

		if (!p->library && !strcmp(p->path, from->texts + spread->path) &&
		    p->build_id_length == spread->build_id_length &&
		    !memcmp(p->build_id, spread->build_id, p->build_id_length))
			return (int)i;
	}
	return -1;
}

int
spreads_check(const struct fold *f, const struct sumfile *from, struct error *err)
{
	const struct sum_spread *spread;
	const struct sum_spread_row *rows;

	for (size_t at = 0; sumfile_spread(from, &at, &spread, &rows);) {
		const int place = place_of(f, from, spread);
		const struct spread *there = place < 0 ? NULL : find_spread(f, place);

		if (place < 0)
			return error_set(err, "%s: damaged: a spread is of nothing that is in it",
					 from->path);
		if (there && (there->hash != spread->hash ||
			      there->nr_procedures != spread->nr_procedures))
			return error_set(err, "%s: its spread has other procedures of %s than "
					 "those before: make both with the same cgview",
					 from->path, f->places.items[place].path);
	}
	return 0;
}

void
spreads_add(struct fold *f, const struct sumfile *from, uint32_t first)
{
	const struct sum_spread *spread;
	const struct sum_spread_row *rows;

	for (size_t at = 0; sumfile_spread(from, &at, &spread, &rows);) {
		struct spread *s = spread_of(f, place_of(f, from, spread), spread->hash,
					     spread->nr_procedures);
		size_t next = 0;

		for (uint32_t i = 0; i < s->nr_procedures; i++)
			for (uint32_t k = 0; k < SUM_SPREAD_FIGURES; k++) {
				struct sum_spread_row of = {
					.least_at = spread->first, .most_at = spread->first,
				};

				if (next < spread->nr_rows && rows[next].procedure == i &&
				    rows[next].figure == k)
					of = rows[next++];
				of.least_at += first;
				of.most_at += first;
				if (of.sum || s->rows[i][k].sum)
					add_row(f, s, &s->rows[i][k], &of);
			}
		add_processes(f, s, spread->processes, spread->first + first);
	}
}

/* ---- of programs ---- */

int
fold_spread(struct fold *f, const char *program, struct error *err)
{
	struct derive *d = derive_open(program, err);

	if (!d)
		return -1;
	GROW(f->derives, f->nr_derives + 1, f->derives_alloc);
	f->derives[f->nr_derives++] = d;
	return 0;
}

/* Returns which of the places of S the program is; -1: none. */
static int
place_in(const struct fold *f, const struct share *s, const struct derive *d)
{
	for (size_t i = 0; i < s->nr_counters; i++)
		if (s->counters[i] && derive_is(d, &f->places.items[i]))
			return (int)i;
	return -1;
}

void
spreads_note(struct fold *f, struct share *s)
{
	for (size_t i = 0; i < f->nr_derives; i++) {
		const int place = place_in(f, s, f->derives[i]);

		if (place >= 0)
			derive_note(f->derives[i], &f->places, s, place);
	}
}

static int
add_values(struct fold *f, struct derive *d, struct share *s, int place, uint32_t process,
	   const char *path, struct error *err)
{
	const struct module_procedures of = derive_procedures(d);
	uint64_t (*values)[SUM_SPREAD_FIGURES] = xcalloc(of.nr + 1, sizeof(*values));
	struct spread *to = spread_of(f, place, of.hash, of.nr);
	int status = 0;

	if (to->hash != of.hash || to->nr_procedures != of.nr)
		status = error_set(err, "%s: the spreads that are added have other procedures of "
				   "%s than this cgview: make them with it", path, derive_path(d));
	if (!status)
		status = derive_values(d, &f->places, s, place, values, err);
	if (!status)
		add_process(f, to, process, values);
	free(values);
	return status;
}

static int
add_raw(struct fold *f, const struct rawfile *r, struct error *err)
{
	const uint64_t id = rawfile_id(r);
	const uint32_t process = fold_process(f, id);
	struct share *s;
	int status;

	if (process == INDEX_NONE)
		return error_set(err, "%s: another process has written it meanwhile", r->path);
	s = share_new(&f->stacks);
	status = share_read(&f->reader, s, r, err);
	for (size_t i = 0; i < f->nr_derives && !status; i++) {
		const int place = place_in(f, s, f->derives[i]);

		if (place >= 0)
			status = add_values(f, f->derives[i], s, place, process, r->path, err);
	}
	share_free(s);
	return f->stacks.problem.set ? error_copy(err, &f->stacks.problem) : status;
}

int
fold_add_spread(struct fold *f, const char *path, struct error *err)
{
	struct rawfile r;
	int status;

	if (!f->nr_derives || sumfile_is(path))
		return 0;
	status = rawfile_open(&r, path, err);
	if (!status) {
		status = add_raw(f, &r, err);
		rawfile_close(&r);
	}
	return status;
}

int
fold_check_spreads(const struct fold *f, struct error *err)
{
	for (size_t i = 0; i < f->nr_derives; i++) {
		bool there = false, known = false;

		for (size_t k = 0; k < f->places.nr; k++) {
			const struct spread *s = find_spread(f, (int)k);

			if (!derive_is(f->derives[i], &f->places.items[k]))
				continue;
			there = true;
			known |= s && s->processes;
		}
		if (!there)
			return error_set(err, "--spread %s: none of the processes is of this "
					 "build", derive_path(f->derives[i]));
		if (!known)
			return error_set(err, "--spread %s: the sums have no spread of it: say "
					 "--spread where raw profiles are added",
					 derive_path(f->derives[i]));
	}
	return 0;
}

/* ---- writing ---- */

static int
compare_spreads(const void *a, const void *b, void *fold)
{
	const struct places *places = &((const struct fold *)fold)->places;
	const struct sum_place *x = &places->items[((const struct spread *)a)->place];
	const struct sum_place *y = &places->items[((const struct spread *)b)->place];
	const int by_path = strcmp(x->path, y->path);

	return by_path ? by_path : memcmp(x->build_id, y->build_id, sizeof(x->build_id));
}

void
spreads_put(const struct fold *f, struct strbuf *out, const uint32_t *numbers,
	    uint32_t (*text_at)(void *ctx, const char *text), void *ctx)
{
	if (f->nr_spreads)
		qsort_r(f->spreads, f->nr_spreads, sizeof(*f->spreads), compare_spreads,
			(void *)f);
	for (size_t i = 0; i < f->nr_spreads; i++) {
		const struct spread *s = &f->spreads[i];
		const struct sum_place *p = &f->places.items[s->place];
		struct sum_spread head = {
			.path = text_at(ctx, p->path), .build_id_length = p->build_id_length,
			.hash = s->hash, .processes = s->processes, .first = numbers[s->first],
			.nr_procedures = s->nr_procedures,
		};
		const size_t at = out->len;

		if (!s->processes)
			continue;
		memcpy(head.build_id, p->build_id, sizeof(head.build_id));
		strbuf_add(out, &head, sizeof(head));
		for (uint32_t k = 0; k < s->nr_procedures; k++)
			for (uint32_t figure = 0; figure < SUM_SPREAD_FIGURES; figure++) {
				struct sum_spread_row r = s->rows[k][figure];

				if (!r.sum)
					continue;
				r.procedure = k;
				r.figure = figure;
				r.least_at = numbers[r.least_at];
				r.most_at = numbers[r.most_at];
				strbuf_add(out, &r, sizeof(r));
				head.nr_rows++;
			}
		memcpy(out->buf + at, &head, sizeof(head));
	}
}
