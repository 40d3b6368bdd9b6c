#include "collect/import/foreign/line_rows.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "util/text/lines.h"

void
line_rows_release(struct line_rows *r)
{
	index_release(&r->blocks);
	index_release(&r->sites);
	index_release(&r->lines);
}

struct place
whole_line(model_id file, uint32_t line)
{
	return (struct place){ file, line, 1, line, 1 };
}

static bool
line_equal(const void *context, uint32_t item, const void *key)
{
	const struct model_line *l = &((const struct model *)context)->lines[item], *k = key;

	return l->file == k->file && l->line == k->line;
}

struct model_line *
line_rows_line(struct line_rows *r, model_id file, uint32_t line)
{
	const struct model_line key = { .file = file, .line = line, .lacking = COUNT_LACKS_ALL };
	uint64_t hash = hash_number(hash_number(HASH_START, file), line);
	uint32_t i = index_find(&r->lines, hash, line_equal, r->m, &key);

	if (i == INDEX_NONE) {
		i = (uint32_t)r->m->nr_lines;
		*MODEL_ADD(r->m, lines) = key;
		index_add(&r->lines, hash, i);
	}
	return &r->m->lines[i];
}

static bool
block_equal(const void *context, uint32_t item, const void *key)
{
	const struct model_block *b = &((const struct model *)context)->blocks[item], *k = key;

	return b->procedure == k->procedure && b->place.file == k->place.file &&
	       b->place.line == k->place.line;
}

model_id
line_rows_block(struct line_rows *r, model_id procedure, model_id file, uint32_t line)
{
	const struct model_block key = { .procedure = procedure, .place = whole_line(file, line),
					 .lacking = COUNT_LACKS_ALL };
	uint64_t hash = hash_number(hash_number(HASH_START, procedure), file);
	struct model_range *range;
	uint32_t i;

	if (!file || !line)
		return 0;
	hash = hash_number(hash, line);
	i = index_find(&r->blocks, hash, block_equal, r->m, &key);
	if (i == INDEX_NONE) {
		i = (uint32_t)r->m->nr_blocks;
		*MODEL_ADD(r->m, blocks) = key;
		r->m->blocks[i].number = i + 1;
		range = MODEL_ADD(r->m, ranges);
		range->block = i + 1;
		range->kind = RANGE_LINE;
		range->place = key.place;
		index_add(&r->blocks, hash, i);
		line_rows_line(r, file, line);
	}
	return i + 1;
}

static bool
site_equal(const void *context, uint32_t item, const void *key)
{
	const struct model_site *s = &((const struct model *)context)->sites[item], *k = key;

	return s->procedure == k->procedure && s->place.file == k->place.file &&
	       s->place.line == k->place.line && s->kind == k->kind;
}

model_id
line_rows_site(struct line_rows *r, model_id procedure, model_id file, uint32_t line,
	       enum site_kind kind)
{
	struct model_site key = { .procedure = procedure, .target = "", .kind = kind,
				  .lacking = COUNT_LACKS_ALL };
	uint64_t hash = hash_number(hash_number(HASH_START, procedure), file);
	uint32_t i;

	if (file && line)
		key.place = whole_line(file, line);
	hash = hash_number(hash_number(hash, key.place.line), (uint64_t)kind);
	i = index_find(&r->sites, hash, site_equal, r->m, &key);
	if (i == INDEX_NONE) {
		key.block = line_rows_block(r, procedure, file, line);
		i = (uint32_t)r->m->nr_sites;
		*MODEL_ADD(r->m, sites) = key;
		index_add(&r->sites, hash, i);
	}
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

void
line_rows_set_columns(struct model *m)
{
	struct lines *texts = xcalloc(m->nr_files, sizeof(*texts));

	for (size_t i = 0; i < m->nr_files; i++) {
		texts[i].text = (char *)m->files[i].text;
		texts[i].size = texts[i].text ? m->files[i].size : 0;
		lines_index(&texts[i]);
	}
	for (size_t i = 0; i < m->nr_blocks; i++) { /* each has one range */
		set_columns(texts, &m->blocks[i].place);
		m->ranges[i].place = m->blocks[i].place;
	}
	for (size_t i = 0; i < m->nr_sites; i++)
		if (m->sites[i].block)
			m->sites[i].place = m->blocks[m->sites[i].block - 1].place;
	for (size_t i = 0; i < m->nr_files; i++)
		free(texts[i].starts);
	free(texts);
}
