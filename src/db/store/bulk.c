#include "db/store/bulk.h"

#include <stdlib.h>
#include <string.h>

#include "db/model/table.h"
#include "db/store/connection.h"

struct names {
	char name[PROFILE_TEXT_MAX + 1], linkage_name[PROFILE_TEXT_MAX + 1],
		type[PROFILE_TEXT_MAX + 1];
};

struct bulk {
	struct profile *profile;
	enum bulk_table table;
	uint64_t figures;        /* that are read */
	sqlite3_stmt *st;
	unsigned char measures[FIGURES_MAX]; /* figures that are read of measures */
	int nr_measures;
	struct names texts;      /* of the row */
	struct bulk_row row;
};

/* ---- columns ---- */

/* Readers put column I of the statement, and those that belong to it, into the row; they return how
 * many these are. */
static int
read_place(struct bulk *b, int i)
{
	column_place(b->profile, b->st, i, &b->row.place);
	return 5;
}

static int
read_procedure(struct bulk *b, int i)
{
	b->row.procedure = column_id(b->profile, b->st, i, TABLE_PROCEDURE);
	return 1;
}

static int
read_callee(struct bulk *b, int i)
{
	b->row.callee = column_id(b->profile, b->st, i, TABLE_PROCEDURE);
	return 1;
}

static int
read_block(struct bulk *b, int i)
{
	b->row.block = column_id(b->profile, b->st, i, TABLE_BLOCK);
	return 1;
}

static int
read_through(struct bulk *b, int i)
{
	b->row.through = column_integer(b->st, i);
	return 1;
}

static int
read_static(struct bulk *b, int i)
{
	b->row.is_static = column_integer(b->st, i);
	return 1;
}

static int
read_uncounted(struct bulk *b, int i)
{
	b->row.uncounted = column_integer(b->st, i);
	return 1;
}

static int
read_range_kind(struct bulk *b, int i)
{
	b->row.kind = column_word(b->profile, b->st, i, stored_range_kinds);
	return 1;
}

static int
read_site_kind(struct bulk *b, int i)
{
	b->row.kind = column_word(b->profile, b->st, i, stored_site_kinds);
	return 1;
}

static int
read_how(struct bulk *b, int i)
{
	b->row.kind = column_word(b->profile, b->st, i, stored_arc_hows);
	return 1;
}

static void
copy_text(char *to, sqlite3_stmt *st, int i)
{
	size_t n;
	const char *text = column_text(st, i, &n);

	memcpy(to, text, n);
	to[n] = '\0';
}

static int
read_name(struct bulk *b, int i)
{
	copy_text(b->texts.name, b->st, i);
	return 1;
}

static int
read_linkage_name(struct bulk *b, int i)
{
	copy_text(b->texts.linkage_name, b->st, i);
	return 1;
}

static int
read_type(struct bulk *b, int i)
{
	copy_text(b->texts.type, b->st, i);
	return 1;
}

static int
read_size_class(struct bulk *b, int i)
{
	b->row.size_class = column_count(b->profile, b->st, i);
	return 1;
}

static int
read_disposal_how(struct bulk *b, int i)
{
	b->row.kind = column_word(b->profile, b->st, i, stored_disposal_hows);
	return 1;
}

static int
read_hash(struct bulk *b, int i)
{
	size_t n;

	b->row.hash = strtoull(column_text(b->st, i, &n), NULL, 16);
	return 1;
}

static int
read_size(struct bulk *b, int i)
{
	b->row.size = column_count(b->profile, b->st, i);
	return 1;
}

/* A column behind the id: its SQL, and what it is read to. */
struct bulk_column {
	const char *sql;         /* NULL: the column called as FIGURE */
	int (*read)(struct bulk *b, int i); /* NULL: it is FIGURE */
	enum figure figure;      /* FIGURES_MAX: there are no more */
};
#define R(sql, what) { sql, read_##what, NR_FIGURES }
#define F(sql, of) { sql, NULL, FIGURE_##of }
#define FIG(of) { NULL, NULL, FIGURE_##of }
#define END { .figure = FIGURES_MAX }
#define PLACE R("file, line, column, end_line, end_column", place)
#define UNCOUNTED(count) R(count " = 0 AND lacking = 9223372036854775807", uncounted)
#define PROCEDURE R("procedure", procedure)
#define BLOCKS FIG(COUNT), F("count", WORK)
#define SELF FIG(SELF_NS), FIG(SELF_SAMPLES), FIG(SELF_WAIT_NS)
#define TOTAL FIG(TOTAL_NS), FIG(PROPAGATED_NS), FIG(TOTAL_SAMPLES), FIG(TOTAL_WAIT_NS)

static const struct bulk_column file_columns[] = {
	R("path", name), R("hash", hash), R("size_bytes", size), BLOCKS,
	R("code_lines > 0 AND uncounted_lines = code_lines", uncounted), SELF, END
};
static const struct bulk_column procedure_columns[] = {
	PLACE, R("name", name), R("linkage_name", linkage_name), R("is_static", static),
	UNCOUNTED("calls"),
	F("calls", COUNT), FIG(CALLS), SELF, TOTAL, FIG(CODE_BYTES),
	F("coalesce(self_sd_ns, 0)", SELF_SD_NS), F("self_work", WORK), FIG(TOTAL_WORK), END
};
static const struct bulk_column block_columns[] = { PLACE, PROCEDURE, BLOCKS, SELF, END };
static const struct bulk_column count_columns[] = { PROCEDURE, FIG(COUNT), END };
static const struct bulk_column range_columns[] = {
	PLACE, R("block", block), R("kind", range_kind), SELF, END
};
static const struct bulk_column site_columns[] = {
	PLACE, PROCEDURE, R("block", block), R("kind", site_kind),
	R("target", name), FIG(COUNT), TOTAL, FIG(TOTAL_WORK), END
};
static const struct bulk_column line_columns[] = {
	R("file, line, 1, line, 1", place), UNCOUNTED("count"), FIG(COUNT), SELF, FIG(CODE_BYTES),
	END
};
/* What is called outside of the profile is known by its name. */
#define ARC                                                                                      \
	R("s.file, s.line, s.column, s.end_line, s.end_column", place),                         \
	R("a.caller", procedure), R("a.callee", callee), R("a.through IS NOT NULL", through),   \
	R("a.how", how), R("iif(a.callee IS NULL AND a.site IS NOT NULL AND "                   \
			   "s.kind = 'direct', s.target, '')", name),                           \
	FIG(COUNT), FIG(PROPAGATED_NS), FIG(TOTAL_WORK)
#define ARCS                                                                                     \
	"a.id", "main.arc a LEFT JOIN main.call_site s ON s.id = coalesce(a.site, a.through)",  \
	NULL
static const struct bulk_column arc_columns[] = {
	ARC, FIG(TOTAL_NS), FIG(TOTAL_SAMPLES), END
};
/* Figures that can be added up over the arcs of two procedures. */
static const struct bulk_column pair_columns[] = {
	ARC, F("a.pair_ns", TOTAL_NS), F("a.pair_samples", TOTAL_SAMPLES), END
};

static const struct bulk_column end_columns[] = {
	R("caller", procedure), R("callee", callee), END
};

/* What was got, D, by the call S in the procedure P; who gave back, D, by the call S in P. Which
 * call of the procedure it was is not known where that one ended in a jump. */
#define OF_EITHER(what) "iif(s.file IS NULL, p." what ", s." what ")"
#define END_PLACE                                                                                \
	R(OF_EITHER("file") ", " OF_EITHER("line") ", " OF_EITHER("column") ", "                \
	  OF_EITHER("end_line") ", " OF_EITHER("end_column"), place)
#define TYPE R("coalesce(d.type, '')", type)
#define SIZE_CLASS R("coalesce(d.size_class, 0)", size_class)
static const struct bulk_column producer_columns[] = {
	END_PLACE, R("d.procedure", procedure), R("coalesce(s.target, '')", name), TYPE,
	SIZE_CLASS, END
};
static const struct bulk_column pool_columns[] = {
	END_PLACE, R("d.procedure", procedure), R("coalesce(s.target, '')", name), TYPE, END
};
static const struct bulk_column type_columns[] = { TYPE, END };
static const struct bulk_column size_columns[] = { SIZE_CLASS, END };
static const struct bulk_column disposer_columns[] = {
	END_PLACE, R("d.by", procedure), R("d.how", disposal_how), END
};

/* A measure as a column of a table that is made of disposals, or allocations. */
struct bulk_measure { const char *name, *sql; /* NULL: there are no more */ };
static const struct bulk_measure got_measures[] = {
	{ "allocs", "d.blocks" }, { "bytes", "d.bytes" }, { "live", "d.live" },
	{ "live_blocks", "d.live_blocks" }, { "peak", "d.peak" }, { "slack", "d.slack_bytes" },
	{ "temporaries", "d.temporary" }, { NULL, NULL }
};
static const struct bulk_measure pool_measures[] = {
	{ "pool_allocs", "d.blocks" }, { "pool_bytes", "d.bytes" }, { "pool_freed", "d.freed" },
	{ "pool_left", "d.live" }, { "pool_peak", "d.peak" }, { NULL, NULL }
};
static const struct bulk_measure given_measures[] = {
	{ "freed", "d.bytes" }, { "copied", "d.copied_bytes" }, { NULL, NULL }
};

static const struct bulk_spec {
	const struct bulk_column *columns;
	const char *id, *from;
	const char *self, *total; /* what stands before a measure's name; NULL: it has none */
	const struct bulk_measure *measures; /* NULL: it has all, by these names */
	enum list_kind list;      /* with these: makes the table */
} specs[NR_BULK_TABLES] = {
	[BULK_FILE] = { file_columns, "id", "file", "self_", NULL },
	[BULK_PROCEDURE] = { procedure_columns, "id", "main.procedure", "self_", "total_" },
	[BULK_BLOCK] = { block_columns, "id", "block", "self_", NULL },
	[BULK_COUNT] = { count_columns, "id", "block", NULL, NULL },
	[BULK_RANGE] = { range_columns, "id", "range", "self_", NULL },
	[BULK_SITE] = { site_columns, "id", "main.call_site", NULL, "total_" },
	[BULK_ARC] = { arc_columns, ARCS, "a.total_" },
	[BULK_PAIR] = { pair_columns, ARCS, "a.pair_" },
	[BULK_ENDS] = { end_columns, "id", "main.arc", NULL, NULL },
	[BULK_LINE] = { line_columns, "id", "line", "self_", NULL },
	[BULK_PRODUCER] = {
		producer_columns, "d.id", "temp.got d LEFT JOIN main.call_site s ON s.id = d.site "
		"LEFT JOIN main.procedure p ON p.id = d.procedure", .measures = got_measures,
		.list = LIST_PRODUCER,
	},
	[BULK_TYPE] = {
		type_columns, "d.id", "temp.got_type d", .measures = got_measures,
		.list = LIST_TYPE,
	},
	[BULK_SIZE] = {
		size_columns, "d.id", "temp.got_size d", .measures = got_measures,
		.list = LIST_SIZE,
	},
	[BULK_DISPOSER] = {
		disposer_columns, "d.id", "temp.disposer d LEFT JOIN main.call_site s ON "
		"s.id = d.by_site LEFT JOIN main.procedure p ON p.id = d.by",
		.measures = given_measures, .list = LIST_DISPOSER,
	},
	[BULK_POOL] = {
		pool_columns, "d.id", "temp.got_pool d LEFT JOIN main.call_site s ON s.id = d.site "
		"LEFT JOIN main.procedure p ON p.id = d.procedure", .measures = pool_measures,
		.list = LIST_POOL,
	},
};

/* ---- all rows ---- */

/* Returns the SQL of a measure's column in a table that does not have all; NULL: it has not. */
static const char *
some_measure(const struct bulk_spec *spec, const char *name)
{
	const struct bulk_measure *m = spec->measures;

	while (m->name && strcmp(m->name, name))
		m++;
	return m->sql;
}

static bool
has_measure(const struct bulk_spec *spec, enum figure f)
{
	if (!spec->measures)
		return figure_is_total(f) ? spec->total : spec->self;
	return !figure_is_total(f) && figure_name(f) && some_measure(spec, figure_name(f));
}

uint64_t
bulk_figures(enum bulk_table table, uint64_t measures)
{
	uint64_t mask = 0;

	for (const struct bulk_column *c = specs[table].columns; c->figure < FIGURES_MAX; c++)
		mask |= c->read ? 0 : FIGURE_BIT(c->figure);
	for (int f = NR_FIGURES; f < FIGURES_MAX; f++) {
		if (measures & FIGURE_BIT(f) && has_measure(&specs[table], (enum figure)f))
			mask |= FIGURE_BIT(f);
	}
	return mask;
}

static bool
is_read(const struct bulk *b, const struct bulk_column *c)
{
	return c->read || b->figures & FIGURE_BIT(c->figure);
}

/* Appends the columns of the measures whose figures are read. */
static void
add_measures(struct bulk *b, struct strbuf *sql)
{
	const struct bulk_spec *spec = &specs[b->table];
	struct measures others = b->profile->others;

	for (size_t i = 0; i < 2 * others.nr; i++) {
		const struct model_measure *m = &others.items[i / 2];
		bool total = i % 2;
		enum figure f = m->formula ? FIGURES_MAX : figure_of_measure(m, total);

		if (f == FIGURES_MAX || !(b->figures & FIGURE_BIT(f)))
			continue;
		strbuf_str(sql, ", ");
		if (spec->measures) {
			strbuf_str(sql, some_measure(spec, m->name));
		} else {
			strbuf_str(sql, total ? spec->total : spec->self);
			strbuf_str(sql, m->name);
		}
		b->measures[b->nr_measures++] = (unsigned char)f;
	}
}

struct bulk *
bulk_open(struct profile *p, enum bulk_table table, uint64_t figures)
{
	struct bulk *b = xcalloc(1, sizeof(*b));
	struct strbuf sql = STRBUF_INIT;
	uint64_t rows;

	b->profile = p;
	b->table = table;
	b->figures = figures & bulk_figures(table, figures);
	if (specs[table].measures)
		profile_make_disposals(p, specs[table].list, &rows);
	strbuf_str(&sql, "SELECT ");
	strbuf_str(&sql, specs[table].id);
	for (const struct bulk_column *c = specs[table].columns; c->figure < FIGURES_MAX; c++) {
		if (!is_read(b, c))
			continue;
		strbuf_str(&sql, !c->sql && *specs[table].id == 'a' ? ", a." : ", ");
		strbuf_str(&sql, c->sql ? c->sql : figure_name(c->figure));
	}
	add_measures(b, &sql);
	strbuf_str(&sql, " FROM ");
	strbuf_str(&sql, specs[table].from);
	strbuf_str(&sql, " ORDER BY ");
	strbuf_str(&sql, specs[table].id);
	b->st = profile_prepare(p, sql.buf);
	strbuf_release(&sql);
	b->row.name = b->texts.name;
	b->row.linkage_name = b->texts.linkage_name;
	b->row.type = b->texts.type;
	return b;
}

const struct bulk_row *
bulk_next(struct bulk *b)
{
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
	for (const struct bulk_column *c = specs[b->table].columns; c->figure < FIGURES_MAX; c++) {
		if (c->read)
			i += c->read(b, i);
		else if (is_read(b, c))
			row->figures[c->figure] = column_count(p, b->st, i++);
	}
	if (b->table == BULK_PROCEDURE)
		row->procedure = row->id;
	else if (b->table == BULK_FILE)
		row->place.file = row->id;
	for (int k = 0; k < b->nr_measures; k++)
		row->figures[b->measures[k]] = (uint64_t)column_figure(p, b->st, i++);
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
profile_bulk(struct profile *p, enum bulk_table table, uint64_t figures,
	     void (*add)(void *context, const struct bulk_row *row), void *context)
{
	struct bulk *b = bulk_open(p, table, figures);
	const struct bulk_row *row;

	while ((row = bulk_next(b)))
		add(context, row);
	bulk_close(b);
	return profile_error(p) ? -1 : 0;
}
