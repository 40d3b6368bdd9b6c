#include "db/bulk.h"

#include <stdlib.h>
#include <string.h>

#include "db/connection.h"
#include "db/schema.h"

/* The columns behind the id, in the order of the letters: P place, p procedure, b block, c callee,
 * t through, r range kind, s site kind, h how, n name, l linkage name, H hash, z size; then the
 * figures, up to -1. */
struct bulk_spec {
	const char *sql, *from, *columns;
	signed char figures[NR_FIGURES + 1];
	bool self, total;        /* it has those of measures */
};

#define PLACE "file, line, column, end_line, end_column"
static const struct bulk_spec specs[NR_BULK_TABLES] = {
	[BULK_FILE] = {
		"SELECT id, path, hash, size_bytes, count, self_ns, self_samples, self_wait_ns",
		"file ORDER BY id", "nHz",
		{ FIGURE_COUNT, FIGURE_SELF_NS, FIGURE_SELF_SAMPLES, FIGURE_SELF_WAIT_NS, -1 },
		true, false,
	},
	[BULK_PROCEDURE] = {
		"SELECT id, " PLACE ", name, linkage_name, calls, calls, self_ns, self_samples, "
		"total_ns, propagated_ns, total_samples, self_wait_ns, total_wait_ns, "
		"code_bytes", "main.procedure ORDER BY id", "Pnl",
		{ FIGURE_COUNT, FIGURE_CALLS, FIGURE_SELF_NS, FIGURE_SELF_SAMPLES, FIGURE_TOTAL_NS,
		  FIGURE_PROPAGATED_NS, FIGURE_TOTAL_SAMPLES, FIGURE_SELF_WAIT_NS,
		  FIGURE_TOTAL_WAIT_NS, FIGURE_CODE_BYTES, -1 },
		true, true,
	},
	[BULK_BLOCK] = {
		"SELECT id, " PLACE ", procedure, count, self_ns, self_samples, self_wait_ns",
		"block ORDER BY id", "Pp",
		{ FIGURE_COUNT, FIGURE_SELF_NS, FIGURE_SELF_SAMPLES, FIGURE_SELF_WAIT_NS, -1 },
		true, false,
	},
	[BULK_RANGE] = {
		"SELECT id, " PLACE ", block, kind, self_ns, self_samples, self_wait_ns",
		"range ORDER BY id", "Pbr",
		{ FIGURE_SELF_NS, FIGURE_SELF_SAMPLES, FIGURE_SELF_WAIT_NS, -1 },
		true, false,
	},
	[BULK_SITE] = {
		"SELECT id, " PLACE ", procedure, block, kind, target, count, total_ns, "
		"propagated_ns, total_samples, total_wait_ns",
		"main.call_site ORDER BY id", "Ppbsn",
		{ FIGURE_COUNT, FIGURE_TOTAL_NS, FIGURE_PROPAGATED_NS, FIGURE_TOTAL_SAMPLES,
		  FIGURE_TOTAL_WAIT_NS, -1 },
		false, true,
	},
	[BULK_ARC] = {
		"SELECT a.id, s.file, s.line, s.column, s.end_line, s.end_column, a.caller, "
		"a.callee, a.through IS NOT NULL, a.how, a.count, a.total_ns, "
		"a.propagated_ns, a.total_samples",
		"main.arc a LEFT JOIN main.call_site s ON s.id = coalesce(a.site, a.through) "
		"ORDER BY a.id", "Ppcth",
		{ FIGURE_COUNT, FIGURE_TOTAL_NS, FIGURE_PROPAGATED_NS, FIGURE_TOTAL_SAMPLES,
		  -1 },
	},
	[BULK_LINE] = {
		"SELECT id, file, line, 1, line, 1, count, self_ns, self_samples, self_wait_ns",
		"line ORDER BY id", "P",
		{ FIGURE_COUNT, FIGURE_SELF_NS, FIGURE_SELF_SAMPLES, FIGURE_SELF_WAIT_NS, -1 },
		true, false,
	},
};

uint64_t
bulk_figures(enum bulk_table table, uint64_t measures)
{
	uint64_t mask = 0;

	for (const signed char *f = specs[table].figures; *f >= 0; f++)
		mask |= FIGURE_BIT(*f);
	for (int f = NR_FIGURES; f < FIGURES_MAX; f++) {
		if (figure_is_total((enum figure)f) ? specs[table].total : specs[table].self)
			mask |= measures & FIGURE_BIT(f);
	}
	return mask;
}

struct names { char name[PROFILE_TEXT_MAX + 1], linkage_name[PROFILE_TEXT_MAX + 1]; };

struct bulk {
	struct profile *profile;
	enum bulk_table table;
	sqlite3_stmt *st;
	unsigned char measures[FIGURES_MAX]; /* figures that are read of measures */
	int nr_measures;
	struct names texts;      /* of the row */
	struct bulk_row row;
};

static void
copy_text(char *to, sqlite3_stmt *st, int i)
{
	size_t n;
	const char *text = column_text(st, i, &n);

	memcpy(to, text, n);
	to[n] = '\0';
}

/* Reads the column of one letter from column I on. Returns the number of columns it took. */
static int
read_column(struct profile *p, sqlite3_stmt *st, char letter, int i, struct bulk_row *row,
	    struct names *texts)
{
	size_t n;

	switch (letter) {
	case 'P':
		column_place(p, st, i, &row->place);
		return 5;
	case 'p':
		row->procedure = column_id(p, st, i, ID_OF_PROCEDURE);
		return 1;
	case 'b':
		row->block = column_id(p, st, i, ID_OF_BLOCK);
		return 1;
	case 'c':
		row->callee = column_id(p, st, i, ID_OF_PROCEDURE);
		return 1;
	case 't':
		row->through = sqlite3_column_int(st, i);
		return 1;
	case 'r':
		row->kind = column_word(p, st, i, schema_range_kinds);
		return 1;
	case 's':
		row->kind = column_word(p, st, i, schema_site_kinds);
		return 1;
	case 'h':
		row->kind = column_word(p, st, i, schema_arc_hows);
		return 1;
	case 'n':
		copy_text(texts->name, st, i);
		return 1;
	case 'l':
		copy_text(texts->linkage_name, st, i);
		return 1;
	case 'H':
		row->hash = strtoull(column_text(st, i, &n), NULL, 16);
		return 1;
	case 'z':
		row->size = column_count(p, st, i);
		return 1;
	}
	BUG("column %c", letter);
}

/* Appends the columns of the measures in FIGURES. */
static void
add_measures(struct bulk *b, uint64_t figures, struct strbuf *sql)
{
	struct measures others = b->profile->others;

	for (size_t i = 0; i < 2 * others.nr; i++) {
		const struct model_measure *m = &others.items[i / 2];
		bool total = i % 2;
		enum figure f = m->formula ? FIGURES_MAX : figure_of_measure(m, total);

		if (f == FIGURES_MAX || !(bulk_figures(b->table, figures) & FIGURE_BIT(f)))
			continue;
		strbuf_str(sql, total ? ", total_" : ", self_");
		strbuf_str(sql, m->name);
		b->measures[b->nr_measures++] = (unsigned char)f;
	}
}

struct bulk *
bulk_open(struct profile *p, enum bulk_table table, uint64_t figures)
{
	struct bulk *b = xcalloc(1, sizeof(*b));
	struct strbuf sql = STRBUF_INIT;

	b->profile = p;
	b->table = table;
	strbuf_str(&sql, specs[table].sql);
	add_measures(b, figures, &sql);
	strbuf_str(&sql, " FROM ");
	strbuf_str(&sql, specs[table].from);
	b->st = profile_prepare(p, sql.buf);
	strbuf_release(&sql);
	b->row.name = b->texts.name;
	b->row.linkage_name = b->texts.linkage_name;
	return b;
}

const struct bulk_row *
bulk_next(struct bulk *b)
{
	const struct bulk_spec *t = &specs[b->table];
	struct profile *p = b->profile;
	struct bulk_row *row = &b->row;
	int i = 1;

	if (!profile_step(p, b->st))
		return NULL;
	if (column_count(p, b->st, 0) != (uint64_t)row->id + 1) {
		error_set(&p->error, "%s is damaged (ids that are not in their turn): copy "
				     "it again, or record again", p->path);
		return NULL;
	}
	row->id++;
	for (const char *letter = t->columns; *letter; letter++)
		i += read_column(p, b->st, *letter, i, row, &b->texts);
	if (b->table == BULK_PROCEDURE)
		row->procedure = row->id;
	else if (b->table == BULK_FILE)
		row->place.file = row->id;
	for (const signed char *f = t->figures; *f >= 0; f++)
		row->figures[*f] = column_count(p, b->st, i++);
	for (int k = 0; k < b->nr_measures; k++)
		row->figures[b->measures[k]] = column_count(p, b->st, i++);
	return column_row_is_damaged(p) ? NULL : row;
}

void
bulk_close(struct bulk *b)
{
	if (!b)
		return;
	sqlite3_finalize(b->st);
	sqlite3_db_release_memory(b->profile->db); /* pages that nobody will want again soon */
	free(b);
}

int
profile_bulk(struct profile *p, enum bulk_table table,
	     void (*add)(void *context, const struct bulk_row *row), void *context)
{
	struct bulk *b = bulk_open(p, table, 0);
	const struct bulk_row *row;

	while ((row = bulk_next(b)))
		add(context, row);
	bulk_close(b);
	return profile_error(p) ? -1 : 0;
}
