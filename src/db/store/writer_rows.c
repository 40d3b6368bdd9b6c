#include "db/store/writer_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "db/model/tracks.h"
#include "db/store/schema.h"

/* ---- binding: columns in their order ---- */

/* SQLite's integers are signed. */
static void
put_count(struct writer *w, uint64_t v)
{
	put_int(w, v > INT64_MAX ? INT64_MAX : (int64_t)v);
}

static void
put_null(struct writer *w)
{
	sqlite3_bind_null(w->st, ++w->column);
}

static void
put_id(struct writer *w, enum table_id table, model_id id)
{
	if (table == TABLE_FILE)
		id = writer_file_id(w, id);
	if (id)
		put_int(w, id);
	else
		put_null(w);
}

static void
put_text(struct writer *w, const struct table_column *c, const char *s)
{
	if (!s && !(c->flags & (COLUMN_NULL | COLUMN_NONE)))
		s = "";
	/* What is longer no reader would believe. */
	sqlite3_bind_text(w->st, ++w->column, s, s ? (int)strnlen(s, SCHEMA_VALUE_MAX) : 0,
			  SQLITE_STATIC);
}

static void
put_blob(struct writer *w, const struct blob *b)
{
	w->column++;
	if (b->data)
		sqlite3_bind_blob64(w->st, w->column, b->data, b->bytes, SQLITE_STATIC);
}

static void
put_place(struct writer *w, const struct place *p)
{
	if (!writer_file_id(w, p->file)) {
		w->column += 5; /* bindings were cleared: NULL */
		return;
	}
	put_int(w, writer_file_id(w, p->file));
	put_int(w, p->line);
	put_int(w, p->column);
	put_int(w, p->end_line);
	put_int(w, p->end_column);
}

/* A place in a file of another profile has its path beside it. */
static void
put_compared_place(struct writer *w, const struct place *p)
{
	put_id(w, TABLE_FILE, p->file);
	put_id(w, TABLE_NONE, p->line);
	put_id(w, TABLE_NONE, p->column);
	put_id(w, TABLE_NONE, p->end_line);
	put_id(w, TABLE_NONE, p->end_column);
}

static void
put_real(struct writer *w, double v)
{
	sqlite3_bind_double(w->st, ++w->column, v); /* NaN: NULL */
}

static void
put_scalar(struct writer *w, const struct scalar_value *v)
{
	if (v->type == SCALAR_INTEGER)
		put_int(w, v->integer);
	else
		put_real(w, v->type == SCALAR_REAL ? v->real : NAN);
}

static void
put_figures(struct writer *w, const struct table_column *c, const struct figures *f)
{
	for (size_t i = 0; i < w->m->nr_measures; i++) {
		if (!w->m->measures[i].formula)
			put_int(w, figures_get(f, c->holds == HOLDS_TOTAL, (unsigned)i));
	}
}

static void
put_member(struct writer *w, const struct table_column *c, const void *at)
{
	switch (c->holds) {
	case HOLDS_ID:
		put_id(w, c->refers, *(const model_id *)at);
		break;
	case HOLDS_TEXT:
		put_text(w, c, *(const char *const *)at);
		break;
	case HOLDS_WORD:
		put_text(w, c, c->words[*(const int *)at]);
		break;
	case HOLDS_COUNT:
		put_count(w, *(const uint64_t *)at);
		break;
	case HOLDS_KNOWN:
		if (*(const uint64_t *)at == COUNT_UNKNOWN)
			put_null(w);
		else
			put_count(w, *(const uint64_t *)at);
		break;
	case HOLDS_U32:
		put_int(w, *(const uint32_t *)at);
		break;
	case HOLDS_SOME:
		put_id(w, TABLE_NONE, *(const uint32_t *)at);
		break;
	case HOLDS_INT:
		put_int(w, *(const int *)at);
		break;
	case HOLDS_TIME:
		put_int(w, *(const int64_t *)at);
		break;
	case HOLDS_BOOL:
		put_int(w, *(const bool *)at);
		break;
	case HOLDS_FLAG:
		put_int(w, (*(const uint32_t *)at & c->bit) != 0);
		break;
	case HOLDS_REAL:
		put_real(w, *(const double *)at);
		break;
	case HOLDS_SOME_REAL:
		put_real(w, *(const double *)at > 0 ? *(const double *)at : NAN);
		break;
	case HOLDS_SCALAR:
		put_scalar(w, at);
		break;
	case HOLDS_PLACE:
		put_place(w, at);
		break;
	case HOLDS_COMPARED_PLACE:
		put_compared_place(w, at);
		break;
	case HOLDS_BLOB:
		put_blob(w, at);
		break;
	case HOLDS_SELF:
	case HOLDS_TOTAL:
		put_figures(w, c, *(const struct figures *const *)at);
		break;
	}
}

void
writer_put(struct writer *w, enum table_id table, const void *row, const union table_side *side)
{
	for (const struct table_column *c = tables[table].columns; !table_ends(c); c++)
		put_member(w, c, (const char *)(c->flags & COLUMN_SIDE ? side : row) + c->at);
}

/* ---- side rows ---- */

/* Packs the text as SQLite archives do, so that the shell's sqlar_uncompress() reads it. */
static struct blob
pack_text(struct writer *w, const char *text, uint64_t size)
{
	uLongf n = compressBound(size);

	strbuf_clear(&w->packed);
	strbuf_room(&w->packed, n);
	if (compress2((Bytef *)w->packed.buf, &n, (const Bytef *)text, size, 1) != Z_OK ||
	    n >= size)
		return (struct blob){ text, size };
	return (struct blob){ w->packed.buf, n };
}

static void
fill_file(struct writer *w, size_t i, struct file_side *side)
{
	const struct model_file *f = &w->m->files[i];
	char *hash;

	*side = w->files[i];
	if (!f->text || f->size > SCHEMA_TEXT_MAX)
		return;
	hash = arena_alloc(&w->arena, 17);
	snprintf(hash, 17, "%016llx", (unsigned long long)f->hash);
	side->hash = hash;
	side->size_bytes = f->size;
	side->text = pack_text(w, f->text, f->size);
}

static void
fill_arc(const struct model *m, size_t i, struct arc_side *side)
{
	const struct model_arc *a = &m->arcs[i];
	model_id site = a->site ? a->site : a->through;

	if (site && site <= m->nr_sites)
		side->caller = m->sites[site - 1].procedure;
}

/* Gives the data of a part the line ids of the file. Damaged data stay so. */
static void
renumber_part(struct writer *w, struct model_part *p)
{
	struct model_part packed = *p;
	struct part_entries e = { .items = NULL };
	struct error ignored = ERROR_INIT;

	if (!part_unpack(p, w->m, &e, &ignored)) {
		for (size_t i = 0; i < e.nr; i++) {
			if (part_table(e.items[i].column) == TABLE_LINE)
				e.items[i].id = w->line_id[e.items[i].id];
		}
		part_pack(&packed, &e, w->m, &w->arena);
		p->data = packed.data;
	}
	part_entries_release(&e);
}

/* Makes P part I as it is stored, with its data at hand. */
static void
settle_part(struct writer *w, size_t i, struct model_part *p)
{
	const void *data;

	*p = w->m->parts[i];
	if (!packed_is_there(&p->data))
		return;
	if (w->line_id)
		renumber_part(w, p);
	data = packed_data(&p->data, w->m, &w->packed);
	if (!data)
		w->rc = SQLITE_IOERR_READ;
	p->data.blob.data = data;
}

/* The same of track I. */
static void
settle_track(struct writer *w, size_t i, struct model_track *t)
{
	const struct row_ids lines = { .of = { [TABLE_LINE] = w->line_id } };
	struct track of = { .entries = NULL };
	struct error ignored = ERROR_INIT;

	*t = w->m->tracks[i];
	if (w->line_id && !track_unpack(t, w->m, &of, &ignored)) {
		track_map(&of, &lines);
		track_pack(t, &of, &w->arena);
	}
	track_release(&of);
	t->data.blob.data = packed_data(&t->data, w->m, &w->packed);
	if (!t->data.blob.data)
		w->rc = SQLITE_IOERR_READ;
}

void
writer_put_row(struct writer *w, enum table_id table, size_t i)
{
	const struct table *t = &tables[table];
	union table_side side = { .file = { 0 } };
	struct model_part part;
	struct model_track track;
	const void *row;

	arena_release(&w->arena); /* what was bound before */
	if (table == TABLE_FILE)
		i = w->file_order[i];
	else if (table == TABLE_LINE)
		i = w->line_order[i];
	if (table == TABLE_MEASURE)
		row = &w->measures[i];
	else
		row = *(const char *const *)((const char *)w->m + t->items) + i * t->row;
	if (table == TABLE_FILE) {
		fill_file(w, i, &side.file);
	} else if (table == TABLE_PROCEDURE) {
		side.procedure.self_sd_ns = w->deviation[i] < 0 ? COUNT_UNKNOWN
								 : (uint64_t)w->deviation[i];
	} else if (table == TABLE_BLOCK) {
		side.block.hottest = w->hottest[i];
	} else if (table == TABLE_ARC) {
		fill_arc(w->m, i, &side.arc);
	} else if (table == TABLE_PART) {
		side.part = w->parts[i].side;
		settle_part(w, i, &part);
		row = &part;
	} else if (table == TABLE_TRACK) {
		settle_track(w, i, &track);
		row = &track;
	}
	writer_put(w, table, row, &side);
}
