#include "db/lists/imbalance.h"

#include <stdlib.h>

#include "db/model/run_deviation.h"
#include "db/store/column.h"
#include "db/store/connection.h"
#include "db/store/load.h"
#include "util/job.h"

enum { NR_FIGURES = 3, COLUMNS_EACH = 7 };

/* Binds the columns of E, from AT on. Times are whole ns. */
static void
bind_evenness(sqlite3_stmt *st, int at, const struct evenness *e, bool time)
{
	double mean = deviation_mean(&e->of), sd = deviation_of(&e->of);

	if (!e->most) { /* it is nowhere */
		for (int i = 0; i < COLUMNS_EACH; i++)
			sqlite3_bind_null(st, at + i);
		return;
	}
	sqlite3_bind_int64(st, at, (sqlite3_int64)e->least);
	sqlite3_bind_int64(st, at + 1, e->least_at);
	sqlite3_bind_int64(st, at + 3, (sqlite3_int64)e->most);
	sqlite3_bind_int64(st, at + 4, e->most_at);
	if (time) {
		sqlite3_bind_int64(st, at + 2, (sqlite3_int64)(mean + 0.5));
		sqlite3_bind_int64(st, at + 5, (sqlite3_int64)(sd + 0.5));
	} else {
		sqlite3_bind_double(st, at + 2, mean);
		sqlite3_bind_double(st, at + 5, sd);
	}
	sqlite3_bind_double(st, at + 6, evenness_imbalance(e));
}

/* Returns the procedure of each block, by id - 1, as the number of a group. Heap, the caller's. */
static uint32_t *
procedures_of_blocks(struct profile *p, const struct model *m)
{
	uint32_t *of = xcalloc(m->nr_blocks + 1, sizeof(*of));
	sqlite3_stmt *st = profile_prepare(p, "SELECT id, procedure FROM block");

	while (st && profile_step(p, st)) {
		model_id block = column_id(p, st, 0, TABLE_BLOCK);
		model_id procedure = column_id(p, st, 1, TABLE_PROCEDURE);

		if (block && procedure)
			of[block - 1] = procedure - 1;
	}
	sqlite3_finalize(st);
	return of;
}

/* Inserts the rows of procedures FROM .. TO - 1, as one transaction. */
static void
insert(struct profile *p, const struct model *m, struct evenness *const of[NR_FIGURES], size_t from,
       size_t to)
{
	const char *unit = evenness_is_of_ranks(m) ? "rank" : "run";
	sqlite3_stmt *st = profile_prepare_again(p, "INSERT INTO temp.imbalance VALUES(?, ?, "
		"?, ?, ?, ?, ?, ?, ?,  ?, ?, ?, ?, ?, ?, ?,  ?, ?, ?, ?, ?, ?, ?, "
		"NULL, NULL, NULL, NULL, NULL, NULL)");

	profile_execute(p, "BEGIN");
	for (size_t i = from; st && i < to; i++) {
		if (!of[0][i].most && !of[1][i].most && !of[2][i].most)
			continue;
		sqlite3_bind_int64(st, 1, (sqlite3_int64)i + 1);
		sqlite3_bind_text(st, 2, unit, -1, SQLITE_STATIC);
		for (int f = 0; f < NR_FIGURES; f++)
			bind_evenness(st, 3 + f * COLUMNS_EACH, &of[f][i], !f);
		profile_step(p, st);
		sqlite3_reset(st);
	}
	profile_put_back(p, st);
	profile_execute(p, "COMMIT");
}

/* What is to be given back when the table is there, or nobody wants it any more. */
struct filling {
	struct model m;
	uint32_t *blocks;
	struct evenness *of[NR_FIGURES];
};

static void
release_filling(void *filling)
{
	struct filling *f = filling;

	for (int i = 0; i < NR_FIGURES; i++)
		free(f->of[i]);
	free(f->blocks);
	model_release(&f->m);
}

bool
imbalance_load(struct profile *p, struct model *m)
{
	struct error err = ERROR_INIT;

	if (!model_load_parts(m, p, &err))
		return true;
	if (!p->error.set)
		p->error = err;
	return false;
}

/* ---- of all processes of a sum, also of those whose own counts are not in the profile ---- */

#define AT(of) "iif(" of "_rank >= 0, " of "_rank, " of "_pid)"
#define WHO(of)                                                                                  \
	"iif(" of "_rank >= 0, 'rank ' || " of "_rank || ', ', '') || 'process ' || " of "_pid "  \
	"|| iif(" of "_host <> '', ' on ' || " of "_host, '') || iif(" of "_job <> '', ', job ' " \
	"|| " of "_job, '')"
#define EVEN(s, real)                                                                            \
	s ".least, " AT(s ".least") ", " real(s ".mean") ", " s ".most, " AT(s ".most") ", "      \
	real(s ".sd") ", round(1e4 * max(0, " s ".most - " s ".mean) / " s ".most) / 100"
#define AS_IT_IS(x) x
#define ROUNDED(x) "CAST(round(" x ") AS INTEGER)"
static const char from_spread[] =
	"INSERT INTO temp.imbalance SELECT p.id, iif(o.processes < o.of_processes, o.processes "
	"|| ' of ' || o.of_processes, 'all ' || o.processes) || ' processes', "
	EVEN("s", ROUNDED) ", " EVEN("c", AS_IT_IS) ", " EVEN("w", AS_IT_IS) ", "
	WHO("s.least") ", " WHO("s.most") ", " WHO("c.least") ", " WHO("c.most") ", "
	WHO("w.least") ", " WHO("w.most") " FROM procedure p "
	"JOIN (SELECT procedure, min(id), processes, of_processes FROM spread GROUP BY procedure) "
	"o ON o.procedure = p.id "
	"LEFT JOIN spread s ON s.procedure = p.id AND s.figure = 'self' "
	"LEFT JOIN spread c ON c.procedure = p.id AND c.figure = 'calls' "
	"LEFT JOIN spread w ON w.procedure = p.id AND w.figure = 'work' "
	"WHERE o.processes > 1";

bool
imbalance_has_spread(struct profile *p)
{
	sqlite3_stmt *st;
	bool has;

	if (!column_last_id(p, TABLE_SPREAD))
		return false;
	st = profile_prepare_again(p, "SELECT max(processes) FROM spread");
	has = st && profile_step(p, st) && column_integer(st, 0) > 1;
	profile_put_back(p, st);
	return has;
}

/* ---- filling ---- */

void
imbalance_fill(struct profile *p)
{
	struct spread_of of[NR_FIGURES] = {
		{ .column = PART_SELF_NS }, { .column = PART_CALLS }, { .column = PART_COUNT },
	};
	enum { TOGETHER = 50, INSERTING = 10 /* units of work */ };
	struct filling f = { .blocks = NULL };
	struct job_hold hold;
	struct job_part part = job_part(0, 0.9); /* about so much of the time */
	size_t nr = 0, others;

	model_init(&f.m);
	job_hold(&hold, release_filling, &f);
	if (imbalance_has_spread(p)) {
		profile_execute(p, from_spread);
		goto out;
	}
	if (!imbalance_is_there(p) || !imbalance_load(p, &f.m))
		goto out;
	of[2].group = f.blocks = procedures_of_blocks(p, &f.m);
	for (int i = 0; i < NR_FIGURES; i++) {
		of[i].nr = f.m.nr_procedures;
		f.of[i] = xcalloc(of[i].nr + 1, sizeof(*f.of[i]));
	}
	if (evenness_of(&f.m, of, NR_FIGURES, f.of) >= 2)
		nr = f.m.nr_procedures;
	job_part_end(part);
	part = job_part(0.9, 1);
	for (size_t i = 0; i < nr; i += others) {
		others = nr - i < TOGETHER ? nr - i : TOGETHER;
		insert(p, &f.m, f.of, i, i + others);
		job_progress((double)i, (double)nr);
		job_pause(TOGETHER * INSERTING);
	}
out:
	job_part_end(part);
	job_let_go(&hold);
}

bool
imbalance_is_there(struct profile *p)
{
	sqlite3_stmt *st = profile_prepare_again(p,
		"SELECT max(rank) >= 0, count(DISTINCT nullif(rank, -1)), "
		"count(DISTINCT ifnull(run, 0)) FROM part");
	bool there = st && profile_step(p, st) &&
		     column_integer(st, column_integer(st, 0) ? 1 : 2) >= 2;

	profile_put_back(p, st);
	return there;
}

/* Adds what PART did in PROCEDURE. BLOCKS: whose each is. */
static void
add_in_procedure(sqlite3_stmt *st, struct profile *p, const struct model *m,
		 const struct model_part *part, model_id procedure, const uint32_t *blocks)
{
	struct part_entries e = { .items = NULL };
	uint64_t calls = 0, work = 0, ns = 0;

	if (part->rank < 0 || part_unpack(part, m, &e, &p->error))
		goto out;
	for (size_t i = 0; i < e.nr; i++) {
		const struct part_entry *of = &e.items[i];

		if (of->column == PART_CALLS && of->id == procedure)
			calls = count_add(calls, of->value);
		else if (of->column == PART_SELF_NS && of->id == procedure)
			ns = count_add(ns, of->value);
		else if (of->column == PART_COUNT && blocks[of->id - 1] == procedure - 1)
			work = count_add(work, of->value);
	}
	sqlite3_bind_int64(st, 1, (sqlite3_int64)calls);
	sqlite3_bind_int64(st, 2, (sqlite3_int64)work);
	sqlite3_bind_int64(st, 3, (sqlite3_int64)ns);
	sqlite3_bind_int64(st, 4, part->rank);
	profile_step(p, st);
	sqlite3_reset(st);
out:
	part_entries_release(&e);
}

uint64_t
profile_ranks_of(struct profile *p, model_id procedure)
{
	sqlite3_stmt *st;
	struct model m;
	uint32_t *blocks;
	uint64_t most = 0;

	if (!profile_rows(p, LIST_RANK))
		return 0;
	profile_execute(p, "UPDATE temp.rank SET it_calls = 0, it_work = 0, it_ns = 0");
	p->sums_known[LIST_RANK] = false; /* they are others now */
	model_init(&m);
	st = profile_prepare(p, "UPDATE temp.rank SET it_calls = it_calls + ?1, "
			     "it_work = it_work + ?2, it_ns = it_ns + ?3 "
			     "WHERE id = ?4 + 1");
	if (st && imbalance_load(p, &m)) {
		blocks = procedures_of_blocks(p, &m);
		for (size_t i = 0; i < m.nr_parts; i++)
			if (packed_is_there(&m.parts[i].data))
				add_in_procedure(st, p, &m, &m.parts[i], procedure, blocks);
		free(blocks);
	}
	sqlite3_finalize(st);
	model_release(&m);
	st = profile_prepare(p, "SELECT max(it_ns) FROM temp.rank");
	if (st && profile_step(p, st))
		most = column_count(p, st, 0);
	sqlite3_finalize(st);
	return most;
}
