#include "collect/import/foreign/coverage/coverage.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collect/import/elf/demangle.h"
#include "collect/import/foreign/definition.h"
#include "collect/import/foreign/line_rows.h"
#include "collect/import/owners.h"
#include "collect/import/sources.h"
#include "db/model/parts.h"
#include "util/keys.h"
#include "util/text/lines.h"

struct coverage {
	struct model *m;
	struct line_rows rows;
	struct sources sources;
	struct keys functions, places, blocks, conditions, ways;
	struct index by_name;      /* texts -> names */
	const char **texts;
	size_t nr_texts, texts_alloc;
	bool *unnamed;             /* by procedure - 1 */
	size_t unnamed_alloc;
	int64_t written_ns;      /* the file that is read; INT64_MAX: not known */
	bool has_columns;
	uint64_t nr_negative;
};

struct coverage *
coverage_new(struct model *m, const char *path)
{
	struct stat st = { .st_size = 0 };
	struct coverage *c = xcalloc(1, sizeof(*c));

	c->m = m;
	c->rows = (struct line_rows)LINE_ROWS_INIT(m);
	sources_init(&c->sources, m);
	c->written_ns = INT64_MAX;
	if (!stat(path, &st))
		c->written_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
	return c;
}

void
coverage_free(struct coverage *c)
{
	line_rows_release(&c->rows);
	sources_release(&c->sources);
	keys_release(&c->functions);
	keys_release(&c->places);
	keys_release(&c->blocks);
	keys_release(&c->conditions);
	keys_release(&c->ways);
	index_release(&c->by_name);
	free(c->texts);
	free(c->unnamed);
	free(c);
}

model_id
coverage_file(struct coverage *c, const char *directory, const char *name)
{
	return *name ? sources_add(&c->sources, directory, name, c->written_ns) : 0;
}

static bool
text_equal(const void *context, uint32_t item, const void *key)
{
	return !strcmp(((const struct coverage *)context)->texts[item], key);
}

/* Returns the number of a text that is kept once. */
static uint32_t
text_number(struct coverage *c, const char *text)
{
	uint64_t hash = hash_text(HASH_START, text);
	uint32_t i = index_find(&c->by_name, hash, text_equal, c, text);

	if (i == INDEX_NONE) {
		i = (uint32_t)c->nr_texts;
		GROW(c->texts, i + 1, c->texts_alloc);
		c->texts[c->nr_texts++] = arena_strdup(&c->m->arena, text);
		index_add(&c->by_name, hash, i);
	}
	return i;
}

static const char *
shown_name(struct coverage *c, const char *linkage)
{
	struct strbuf name = STRBUF_INIT;
	const char *kept = linkage;

	if (demangle(&name, linkage, DEMANGLE_SHORT))
		kept = arena_strdup(&c->m->arena, name.buf);
	strbuf_release(&name);
	return kept;
}

model_id
coverage_function(struct coverage *c, const struct covered_function *f)
{
	uint32_t name = text_number(c, f->linkage);
	struct model_procedure *p;
	bool is_new;
	uint32_t i = keys_number(&c->functions, KEY(name, f->place.file, f->place.line), &is_new);

	if (is_new) {
		p = MODEL_ADD(c->m, procedures);
		p->linkage_name = c->texts[name];
		p->name = shown_name(c, p->linkage_name);
		p->module = "";
		p->place = f->place;
		GROW(c->unnamed, i + 1, c->unnamed_alloc);
		c->unnamed[i] = f->unnamed;
	}
	p = &c->m->procedures[i];
	p->calls = count_add(p->calls, f->count);
	return i + 1;
}

void
coverage_line(struct coverage *c, model_id procedure, model_id file, uint32_t line, uint64_t count)
{
	struct model_line *l = line_rows_line(&c->rows, file, line);
	model_id block = procedure ? line_rows_block(&c->rows, procedure, file, line) : 0;
	struct model_block *b = block ? &c->m->blocks[block - 1] : NULL;

	l->lacking = 0;
	l->count = count_add(l->count, count);
	if (b) {
		b->lacking = 0;
		b->count = count_add(b->count, count);
	}
}

void
coverage_range(struct coverage *c, model_id procedure, const struct place *place,
	       enum range_kind kind, uint64_t count)
{
	bool is_new;
	/* A key has room for four numbers: two of them number the place. */
	uint32_t begin = keys_number(&c->places, KEY(place->file, place->line, place->column, 0),
				     &is_new);
	uint32_t end = keys_number(&c->places, KEY(begin, place->end_line, place->end_column, 1),
				   &is_new);
	uint32_t i = keys_number(&c->blocks, KEY(procedure, end, kind), &is_new);
	struct model_range *range;
	struct model_block *b;

	c->has_columns = true;
	if (is_new) {
		*MODEL_ADD(c->m, blocks) = (struct model_block){
			.procedure = procedure, .place = *place, .number = i + 1,
		};
		range = MODEL_ADD(c->m, ranges);
		range->block = i + 1;
		range->kind = kind;
		range->place = *place;
	}
	b = &c->m->blocks[i];
	b->count = count_add(b->count, count);
}

void
coverage_branch(struct coverage *c, model_id procedure, const struct place *place,
		enum branch_kind kind, uint32_t number, uint32_t way, uint64_t count)
{
	bool is_new;
	uint32_t begin = keys_number(&c->places, KEY(place->file, place->line, place->column, 0),
				     &is_new);
	uint32_t end = keys_number(&c->places, KEY(begin, place->end_line, place->end_column, 1),
				   &is_new);
	uint32_t condition = keys_number(&c->conditions, KEY(procedure, end, number), &is_new);
	uint32_t i = keys_number(&c->ways, KEY(condition, way), &is_new);
	struct model_branch *b;

	if (is_new)
		*MODEL_ADD(c->m, branches) = (struct model_branch){
			.procedure = procedure, .kind = kind, .place = *place, .number = number,
			.way = way,
		};
	b = &c->m->branches[i];
	b->count = count_add(b->count, count);
}

/* ---- a file ---- */

/* Returns whether F holds LINE, as far as is known. */
static bool
holds(const struct place *f, uint32_t line)
{
	return f->line <= line && (!f->end_line || line <= f->end_line);
}

/* Returns the position of the function that LINE is in: of several the one that begins last, as a
 * lambda does in another function; nr_functions: none. */
static size_t
function_of(const struct covered_file *f, const char *function, uint32_t line)
{
	size_t found = f->nr_functions;

	for (size_t i = 0; i < f->nr_functions; i++) {
		const struct covered_function *it = &f->functions[i];

		if (function) {
			if (!strcmp(it->linkage, function))
				return i;
		} else if (holds(&it->place, line) &&
			   (found == f->nr_functions ||
			    it->place.line > f->functions[found].place.line)) {
			found = i;
		}
	}
	return found;
}

static int
by_line(const void *a, const void *b)
{
	const struct covered_line *x = a, *y = b;

	return (x->line > y->line) - (x->line < y->line);
}

void
coverage_take_file(struct coverage *c, const char *directory, struct covered_file *f)
{
	model_id file = coverage_file(c, directory, f->name), *ids;
	size_t last = f->nr_functions;

	ids = xcalloc(f->nr_functions + 1, sizeof(*ids));
	for (size_t i = 0; i < f->nr_functions; i++) {
		f->functions[i].place.file = file;
		ids[i] = coverage_function(c, &f->functions[i]);
	}
	qsort(f->lines, f->nr_lines, sizeof(*f->lines), by_line);
	for (size_t i = 0; file && i < f->nr_lines; i++) {
		const struct covered_line *l = &f->lines[i];

		/* Most lines are in the function of the line before. */
		if (!l->function || last == f->nr_functions ||
		    strcmp(f->functions[last].linkage, l->function) != 0)
			last = function_of(f, l->function, l->line);
		if (l->line)
			coverage_line(c, last < f->nr_functions ? ids[last] : 0, file, l->line,
				      l->count);
	}
	for (size_t i = 0; file && i < f->nr_branches; i++) {
		const struct covered_branch *b = &f->branches[i];
		const struct place place = { .file = file, .line = b->line, .end_line = b->line,
					     .column = 1, .end_column = 1 };
		size_t of = function_of(f, b->function, b->line);

		if (b->line)
			coverage_branch(c, of < f->nr_functions ? ids[of] : 0, &place, BRANCH_LINE,
					b->number, b->way, b->count);
	}
	free(ids);
	f->nr_functions = f->nr_lines = f->nr_branches = 0;
	f->name = "";
}

void
covered_file_release(struct covered_file *f)
{
	free(f->functions);
	free(f->lines);
	free(f->branches);
}

uint64_t
coverage_count(struct coverage *c, const struct json *number)
{
	int64_t n = json_integer(number);

	c->nr_negative += n < 0;
	return n < 0 ? 0 : (uint64_t)n;
}

/* ---- the end ---- */

/* Where a procedure ends is not told by all tools: not before its last line. */
static void
set_ends(struct model *m)
{
	for (size_t i = 0; i < m->nr_blocks; i++) {
		const struct model_block *b = &m->blocks[i];
		struct place *p = &m->procedures[b->procedure - 1].place;

		if (p->file != b->place.file || (p->end_line && p->end_column))
			continue;
		if (p->end_line < b->place.end_line)
			p->end_line = b->place.end_line;
	}
	for (size_t i = 0; i < m->nr_procedures; i++) {
		struct place *p = &m->procedures[i].place;

		if (!p->line)
			p->file = 0;
		if (p->end_line < p->line)
			p->end_line = p->line;
		p->column = p->column ? p->column : 1;
		p->end_column = p->end_column ? p->end_column : 1;
		if (p->end_line == p->line && p->end_column < p->column)
			p->end_column = p->column;
	}
}

/* P may end behind the text of a line, whose length tools do not know. */
static void
clip(struct place *p, const struct lines *text)
{
	size_t n = 0;

	lines_get(text, p->end_line, &n);
	if (p->end_column > n && (n || p->end_column == INT32_MAX))
		p->end_column = n ? (uint32_t)n : 1;
	if (p->line == p->end_line && p->end_column < p->column)
		p->end_column = p->column;
}

static void
clip_columns(struct model *m)
{
	struct lines *texts = xcalloc(m->nr_files, sizeof(*texts));

	for (size_t i = 0; i < m->nr_files; i++) {
		texts[i].text = (char *)m->files[i].text;
		texts[i].size = texts[i].text ? m->files[i].size : 0;
		lines_index(&texts[i]);
	}
	for (size_t i = 0; i < m->nr_ranges; i++) { /* each block has one */
		clip(&m->ranges[i].place, &texts[m->ranges[i].place.file - 1]);
		m->blocks[i].place = m->ranges[i].place;
	}
	for (size_t i = 0; i < m->nr_branches; i++)
		clip(&m->branches[i].place, &texts[m->branches[i].place.file - 1]);
	for (size_t i = 0; i < m->nr_files; i++)
		free(texts[i].starts);
	free(texts);
}

int
coverage_finish(struct coverage *c, const char *tool, const char *path, uid_t uid,
		struct error *err)
{
	struct owners owners = { .nr = 0 };
	struct model *m = c->m;
	const char *kept = arena_strdup(&m->arena, path);

	if (!m->nr_lines && !m->nr_procedures)
		return error_set(err, "%s tells of no line and no function: there is nothing to "
				 "show", path);
	owners_add(&owners, uid);
	sources_read(&c->sources, &owners);
	owners_release(&owners);
	definitions_find(m, c->unnamed);
	set_ends(m);
	if (c->has_columns)
		clip_columns(m);
	else
		line_rows_set_columns(m);
	*MODEL_ADD(m, runs) = (struct model_run){
		.command = kept, .directory = "", .build_id = "", .program = "", .host = "",
		.tool = arena_strdup(&m->arena, tool), .exit_status = -1, .processes = 1,
	};
	parts_of_whole(m);
	model_note(m, "uncounted", "%s counts what is executed, but measures no times, and does "
		   "not tell who called what", tool);
	if (c->nr_negative)
		model_note(m, "counts", "%llu counts are negative, as they have overflowed: they "
			   "are taken as 0", (unsigned long long)c->nr_negative);
	return 0;
}
