/* What was never executed: lines with code whose count is 0, as stretches that nothing executed
 * interrupts, each within a procedure; and the procedures that have some, as a listing. It is no
 * table of the profile: a temporary one is made at the first request, and text_lines, which has
 * the lines of all procedures, for what was executed of each (see coverage.c). */
#include <stdlib.h>

#include "db/store/connection.h"
#include "db/store/schema.h"

/* Procedures that have their name at one place: copies of one text. */
struct text {
	struct place place;
	model_id procedure;      /* the first; 0: lines that are in no procedure of the file */
	uint64_t calls;          /* of all of them */
	uint64_t lacking;        /* the greatest of theirs */
	uint64_t lines, never, uncounted;
	model_id file;           /* with FIRST */
	uint32_t first;          /* line that was never executed; 0: none */
};

struct sweep {
	struct text *texts;      /* by file and line; then those of no procedure, as they come */
	size_t nr, alloc, nr_procedures;
	size_t next;             /* the next text that may begin */
	size_t *open;            /* those that the line is in, the innermost last */
	size_t nr_open, open_alloc;
	size_t outside;          /* the text of no procedure of this file; SIZE_MAX: none yet */
	model_id file;
	struct never_region *regions, *region; /* the one that goes on; NULL: none does */
	size_t nr_regions, regions_alloc;
	size_t of;               /* its text */
	sqlite3_stmt *users;     /* NULL: not asked yet */
};

static bool
has_place(const struct place *a, const struct place *b)
{
	return a->file == b->file && a->line == b->line && a->column == b->column;
}

static void
read_texts(struct profile *p, struct sweep *s)
{
	sqlite3_stmt *st = profile_prepare(
		p, "SELECT file, line, column, end_line, end_column, id, calls, lacking "
		   "FROM procedure WHERE file IS NOT NULL ORDER BY file, line, column, id");
	struct place place;

	while (profile_step(p, st)) {
		uint64_t calls = column_count(p, st, 6), lacking = column_count(p, st, 7);
		model_id id = column_id(p, st, 5, TABLE_PROCEDURE);

		column_place(p, st, 0, &place);
		if (column_row_is_damaged(p))
			continue;
		if (s->nr && has_place(&s->texts[s->nr - 1].place, &place)) {
			struct text *t = &s->texts[s->nr - 1];

			t->calls = count_add(t->calls, calls);
			t->lacking = t->lacking > lacking ? t->lacking : lacking;
			continue;
		}
		GROW(s->texts, s->nr + 1, s->alloc);
		s->texts[s->nr++] = (struct text){
			.place = place, .procedure = id, .calls = calls, .lacking = lacking,
		};
	}
	sqlite3_finalize(st);
}

/* The places of the procedures that have code on a line. The text of macros is elsewhere. */
static const char users[] =
	"WITH sizes(class) AS (VALUES " SCHEMA_SIZE_CLASSES ") "
	"SELECT DISTINCT p.file, p.line, p.column FROM sizes "
	"CROSS JOIN main.range r INDEXED BY range_by_place CROSS JOIN block b ON b.id = r.block "
	"CROSS JOIN procedure p ON p.id = b.procedure "
	"WHERE r.file = ?1 AND " SCHEMA_SIZE_CLASS("r.") " = sizes.class "
	"AND r.line > ?2 - (1 << 4 * sizes.class) AND r.line <= ?2 AND r.end_line >= ?2 "
	"AND r.kind <> 'definition' AND p.file IS NOT NULL LIMIT 2";

static int
compare_texts(const void *a, const void *b)
{
	const struct place *x = &((const struct text *)a)->place;
	const struct place *y = &((const struct text *)b)->place;

	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return (x->column > y->column) - (x->column < y->column);
}

/* Where #line has put code outside of its procedure's text, as yacc and flex do: returns the one
 * text that has code on LINE; NULL: there is none, or several have. */
static struct text *
text_of_code(struct profile *p, struct sweep *s, model_id file, uint32_t line)
{
	struct text key = { .place = { .file = 0 } };
	unsigned found = 0;

	if (!s->users)
		s->users = profile_prepare(p, users);
	if (!s->users)
		return NULL;
	sqlite3_reset(s->users);
	profile_step_anew(s->users);
	sqlite3_bind_int64(s->users, 1, file);
	sqlite3_bind_int64(s->users, 2, line);
	for (; profile_step(p, s->users); found++) {
		key.place.file = column_id(p, s->users, 0, TABLE_FILE);
		key.place.line = column_u32(p, s->users, 1);
		key.place.column = column_u32(p, s->users, 2);
		if (column_row_is_damaged(p))
			return NULL;
	}
	return found == 1 ? bsearch(&key, s->texts, s->nr_procedures, sizeof(key), compare_texts)
			  : NULL;
}

/* Returns the text that LINE of FILE is in, the innermost one. */
static size_t
text_at(struct profile *p, struct sweep *s, model_id file, uint32_t line)
{
	const struct place *place;
	const struct text *text;

	if (file != s->file) {
		s->file = file;
		s->nr_open = 0;
		s->outside = SIZE_MAX;
	}
	for (; s->next < s->nr_procedures; s->next++) {
		place = &s->texts[s->next].place;
		if (place->file > file || (place->file == file && place->line > line))
			break;
		if (place->file < file)
			continue;
		GROW(s->open, s->nr_open + 1, s->open_alloc);
		s->open[s->nr_open++] = s->next;
	}
	while (s->nr_open && s->texts[s->open[s->nr_open - 1]].place.end_line < line)
		s->nr_open--;
	if (s->nr_open)
		return s->open[s->nr_open - 1];
	text = text_of_code(p, s, file, line);
	if (text)
		return (size_t)(text - s->texts);
	if (s->outside == SIZE_MAX) {
		GROW(s->texts, s->nr + 1, s->alloc);
		s->texts[s->nr] = (struct text){ .place = { .file = file, .line = line } };
		s->outside = s->nr++;
	}
	return s->outside;
}

static void
add_line(struct sweep *s, size_t at, uint32_t line, uint64_t count, uint64_t lacking)
{
	struct text *t = &s->texts[at];

	t->lines++;
	if (count || lacking) {
		t->uncounted += !count;
		s->region = NULL;
		return;
	}
	t->never++;
	if (!t->first) {
		t->file = s->file;
		t->first = line;
	}
	if (s->region && s->of == at && s->region->file == s->file) {
		s->region->end_line = line;
		s->region->lines++;
		return;
	}
	GROW(s->regions, s->nr_regions + 1, s->regions_alloc);
	s->region = &s->regions[s->nr_regions++];
	*s->region = (struct never_region){
		.file = s->file, .procedure = t->procedure, .line = line, .end_line = line,
		.lines = 1,
	};
	s->of = at;
}

/* A count that may be too low is not known to be none. */
static void
read_lines(struct profile *p, struct sweep *s)
{
	sqlite3_stmt *st = profile_prepare(p, "SELECT file, line, count, lacking FROM line "
					      "ORDER BY file, line, id");

	s->nr_procedures = s->nr;
	while (profile_step(p, st)) {
		model_id file = column_id(p, st, 0, TABLE_FILE);
		uint32_t line = column_u32(p, st, 1);
		uint64_t count = column_count(p, st, 2), lacking = column_count(p, st, 3);

		if (!column_row_is_damaged(p))
			add_line(s, text_at(p, s, file, line), line, count, lacking);
	}
	sqlite3_finalize(s->users);
	sqlite3_finalize(st);
}

/* Adds to ST's table a row of such NUMBERS; ids that are 0 are not known. */
static void
insert(struct profile *p, sqlite3_stmt *st, const uint64_t *numbers, int nr)
{
	sqlite3_reset(st);
	profile_step_anew(st);
	for (int i = 0; i < nr; i++)
		sqlite3_bind_int64(st, i + 1, numbers[i] > INT64_MAX ? INT64_MAX
								     : (int64_t)numbers[i]);
	profile_step(p, st);
}

static void
store(struct profile *p, const struct sweep *s)
{
	sqlite3_stmt *never, *all;

	profile_execute(p, "CREATE TEMP TABLE never(id INTEGER PRIMARY KEY, procedure INTEGER, "
			   "file INTEGER, line INTEGER, lines INTEGER, never INTEGER, "
			   "calls INTEGER)");
	profile_execute(p, "CREATE TEMP TABLE text_lines(id INTEGER PRIMARY KEY, "
			   "procedure INTEGER, file INTEGER, line INTEGER, column INTEGER, "
			   "calls INTEGER, lacking INTEGER, lines INTEGER, never INTEGER, "
			   "uncounted INTEGER)");
	never = profile_prepare(p, "INSERT INTO temp.never VALUES (NULL, nullif(?, 0), ?, ?, ?, "
				   "?, ?)");
	all = profile_prepare(p, "INSERT INTO temp.text_lines VALUES (NULL, nullif(?, 0), ?, ?, "
				 "?, ?, ?, ?, ?, ?)");
	for (size_t i = 0; never && all && i < s->nr; i++) {
		const struct text *t = &s->texts[i];
		const struct place *at = &t->place;

		insert(p, all, (uint64_t[]){ t->procedure, at->file, at->line, at->column,
					     t->calls, t->lacking, t->lines, t->never,
					     t->uncounted }, 9);
		if (!t->never)
			continue;
		insert(p, never, (uint64_t[]){ t->procedure, t->file, t->first, t->lines,
					       t->never, t->calls }, 6);
		p->never.rows++;
	}
	sqlite3_finalize(never);
	sqlite3_finalize(all);
}

size_t
profile_never(struct profile *p, const struct never_region **regions)
{
	struct sweep s = { .file = 0 };

	if (!p->never.made) {
		p->never.made = true;
		read_texts(p, &s);
		read_lines(p, &s);
		store(p, &s);
		p->never.regions = s.regions;
		p->never.nr = s.nr_regions;
		free(s.texts);
		free(s.open);
	}
	*regions = p->never.regions;
	return p->never.nr;
}
