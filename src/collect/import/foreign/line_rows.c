#include "collect/import/foreign/line_rows.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "util/text/lines.h"

void
line_rows_release(struct line_rows *r)
{
	keys_release(&r->blocks);
	keys_release(&r->sites);
	keys_release(&r->lines);
	keys_release(&r->points);
	free(r->of_points);
}

struct place
whole_line(model_id file, uint32_t line)
{
	return (struct place){ file, line, 1, line, 1 };
}

struct model_line *
line_rows_line(struct line_rows *r, model_id file, uint32_t line)
{
	bool is_new;
	uint32_t i = keys_number(&r->lines, KEY(file, line), &is_new);

	if (is_new)
		*MODEL_ADD(r->m, lines) = (struct model_line){
			.file = file, .line = line, .lacking = COUNT_LACKS_ALL,
		};
	return &r->m->lines[i];
}

model_id
line_rows_block(struct line_rows *r, model_id procedure, model_id file, uint32_t line)
{
	const struct place place = whole_line(file, line);
	bool is_new;
	uint32_t i;

	if (!file || !line)
		return 0;
	i = keys_number(&r->blocks, KEY(procedure, file, line), &is_new);
	if (is_new) {
		*MODEL_ADD(r->m, blocks) = (struct model_block){
			.procedure = procedure, .number = i + 1, .place = place,
			.lacking = COUNT_LACKS_ALL,
		};
		*MODEL_ADD(r->m, ranges) = (struct model_range){
			.block = i + 1, .kind = RANGE_LINE, .place = place,
		};
		line_rows_line(r, file, line);
	}
	return i + 1;
}

struct model_range *
line_rows_range(struct line_rows *r, model_id block, uint32_t column)
{
	struct place place = r->m->blocks[block - 1].place;
	bool is_new;
	uint32_t i;

	if (!column || column > INT32_MAX)
		return &r->m->ranges[block - 1];
	i = keys_number(&r->points, KEY(block, column), &is_new);
	if (is_new) {
		GROW(r->of_points, r->nr_points + 1, r->points_alloc);
		place.column = place.end_column = column;
		r->of_points[r->nr_points++] = (struct model_range){
			.block = block, .kind = RANGE_POINT, .place = place,
		};
	}
	return &r->of_points[i];
}

void
line_rows_add_points(struct line_rows *r)
{
	r->before_points = r->m->nr_ranges;
	for (size_t i = 0; i < r->nr_points; i++)
		*MODEL_ADD(r->m, ranges) = r->of_points[i];
	r->nr_points = 0;
}

model_id
line_rows_range_id(struct line_rows *r, model_id block, uint32_t column)
{
	bool is_new;
	uint32_t i;

	if (!column || column > INT32_MAX)
		return block;
	i = keys_number(&r->points, KEY(block, column), &is_new);
	return (model_id)r->before_points + 1 + i;
}

model_id
line_rows_site(struct line_rows *r, model_id procedure, model_id file, uint32_t line,
	       uint32_t column, enum site_kind kind)
{
	enum { MOST_COLUMN = 1 << 24, KINDS = 16 };
	struct place place = { .file = 0 };
	bool is_new;
	uint32_t i;

	if (file && line)
		place = whole_line(file, line);
	column = place.file && column < MOST_COLUMN ? column : 0;
	if (column) {
		place.column = column;
		place.end_column = 0; /* line_rows_set_columns() finds it */
	}
	i = keys_number(&r->sites, KEY(procedure, place.file, place.line,
				       column * KINDS + (uint32_t)kind), &is_new);
	if (is_new)
		*MODEL_ADD(r->m, sites) = (struct model_site){
			.procedure = procedure, .target = "", .kind = kind,
			.lacking = COUNT_LACKS_ALL, .place = place,
			.block = line_rows_block(r, procedure, file, line),
		};
	return i + 1;
}

static void
set_columns(const struct lines *texts, struct place *p)
{
	size_t n = 0, first = 0;
	const char *text = p->file ? lines_get(&texts[p->file - 1], p->line, &n) : NULL;

	while (first < n && isspace((unsigned char)text[first]))
		first++;
	while (n > first && isspace((unsigned char)text[n - 1]))
		n--;
	if (first < n && n < UINT32_MAX) {
		p->column = (uint32_t)first + 1;
		p->end_column = (uint32_t)n;
	}
}

static bool
is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 128;
}

/* The end of the token where P begins: a word, or what operators are made of (at most three).
 * False: its line has no such column, P is all of it. */
static bool
set_end(const struct lines *texts, struct place *p)
{
	static const char operators[] = "+-*/%&|^<>=!";
	enum { MOST = 3 };
	size_t n = 0, first = p->column - 1, end = first;
	const char *text = lines_get(&texts[p->file - 1], p->line, &n);

	if (first >= n && text) {
		*p = whole_line(p->file, p->line);
		set_columns(texts, p);
		return false;
	}
	while (end < n && is_word(text[end]))
		end++;
	while (end < n && end < first + MOST && !is_word(text[first]) &&
	       strchr(operators, text[end]) && text[end])
		end++;
	p->end_column = (uint32_t)(end > first ? end : first + 1);
	return true;
}

void
line_rows_set_columns(struct model *m)
{
	struct lines *texts = xcalloc(m->nr_files, sizeof(*texts));

	for (size_t i = 0; i < m->nr_files; i++) {
		texts[i].text = (char *)m->files[i].text;
		texts[i].size = texts[i].text ? m->files[i].size : 0;
		lines_index(&texts[i]);
	}
	for (size_t i = 0; i < m->nr_blocks; i++) { /* the range of each has its number */
		set_columns(texts, &m->blocks[i].place);
		m->ranges[i].place = m->blocks[i].place;
	}
	for (size_t i = m->nr_blocks; i < m->nr_ranges; i++)
		if (!set_end(texts, &m->ranges[i].place))
			m->ranges[i].kind = RANGE_LINE;
	for (size_t i = 0; i < m->nr_sites; i++)
		if (m->sites[i].block && !m->sites[i].place.end_column)
			set_end(texts, &m->sites[i].place);
		else if (m->sites[i].block)
			m->sites[i].place = m->blocks[m->sites[i].block - 1].place;
	for (size_t i = 0; i < m->nr_files; i++)
		free(texts[i].starts);
	free(texts);
}
