#include "db/model/rows.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "db/model/table.h"
#include "util/index.h"

static bool
is_place(unsigned holds)
{
	return holds == HOLDS_PLACE || holds == HOLDS_COMPARED_PLACE;
}

struct row_array
row_array(struct model *m, enum table_id table)
{
	const struct table *t = &tables[table];

	return (struct row_array){
		.items = (char **)((char *)m + t->items), .nr = (size_t *)((char *)m + t->nr),
		.alloc = (size_t *)((char *)m + t->alloc), .size = t->row,
	};
}

size_t
rows_count(const struct model *m, enum table_id table)
{
	size_t at = tables[table].nr;

	return at ? *(const size_t *)((const char *)m + at) : 0;
}

/* ---- new ids ---- */

void
row_ids_release(struct row_ids *ids)
{
	for (int t = 0; t < NR_TABLES; t++)
		free(ids->of[t]);
	*ids = (struct row_ids){ .of = { NULL } };
}

struct row_references
row_references(enum table_id table, const struct row_ids *ids)
{
	struct row_references r = { .nr = 0 };

	for (const struct table_column *c = tables[table].columns; !table_ends(c); c++) {
		bool place = is_place(c->holds);
		const model_id *to = ids->of[place ? TABLE_FILE : c->refers];

		if (!(place || c->holds == HOLDS_ID) || !to || c->flags & COLUMN_SIDE)
			continue;
		assert(r.nr < ROW_REFERENCES_MAX);
		r.members[r.nr].at = c->at; /* the file of a place is its first member */
		r.members[r.nr++].to = to;
	}
	return r;
}
_Static_assert(offsetof(struct place, file) == 0, "a place begins with its file");

void
row_map(const struct row_references *references, void *row)
{
	for (int i = 0; i < references->nr; i++) {
		model_id *id = (model_id *)((char *)row + references->members[i].at);

		*id = references->members[i].to[*id];
	}
}

void
rows_map(struct model *m, const struct row_ids *ids)
{
	for (int t = 0; t < NR_TABLES; t++) {
		struct row_references references = row_references((enum table_id)t, ids);
		struct row_array rows = row_array(m, (enum table_id)t);

		for (size_t i = 0; references.nr && i < rows_count(m, (enum table_id)t); i++)
			row_map(&references, *rows.items + i * rows.size);
	}
}

/* ---- keys ---- */

static const struct table_column *
column_called(enum table_id table, const char *name)
{
	const struct table_column *c = tables[table].columns;

	while (!table_ends(c) && (c->name ? strcmp(c->name, name) : strcmp(name, "place")))
		c++;
	assert(!table_ends(c) && !(c->flags & COLUMN_SIDE));
	return c;
}

struct row_key
row_key(enum table_id table, const char *const names[])
{
	struct row_key key = { .table = table };

	for (; names[key.nr]; key.nr++) {
		const struct table_column *c = column_called(table, names[key.nr]);

		assert(key.nr < ROW_KEY_MAX);
		key.columns[key.nr].holds = c->holds;
		key.columns[key.nr].at = (unsigned)c->at;
		key.columns[key.nr].refers = c->refers;
	}
	return key;
}

static int
compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static model_id
mapped(model_id id, const struct row_ids *ids, unsigned table)
{
	return ids && ids->of[table] ? ids->of[table][id] : id;
}

static int
compare_places(const struct place *a, const struct place *b, const struct row_ids *ids)
{
	int c = compare_numbers(mapped(a->file, ids, TABLE_FILE), mapped(b->file, ids, TABLE_FILE));

	if (!c)
		c = compare_numbers(a->line, b->line);
	if (!c)
		c = compare_numbers(a->column, b->column);
	if (!c)
		c = compare_numbers(a->end_line, b->end_line);
	return c ? c : compare_numbers(a->end_column, b->end_column);
}

static const char *
text_of(const void *member)
{
	const char *text = *(const char *const *)member;

	return text ? text : "";
}

/* Returns the number in a member that holds one. */
static uint64_t
number_of(unsigned holds, const void *member)
{
	switch (holds) {
	case HOLDS_COUNT: case HOLDS_KNOWN:
		return *(const uint64_t *)member;
	case HOLDS_TIME: /* in the order of signed numbers */
		return (uint64_t)*(const int64_t *)member ^ (uint64_t)1 << 63;
	default: /* an id, an enum, a number of 32 bits */
		return *(const uint32_t *)member;
	}
}

int
row_compare(const struct row_key *key, const void *a, const void *b, const struct row_ids *ids)
{
	int c = 0;

	for (int i = 0; i < key->nr && !c; i++) {
		unsigned holds = key->columns[i].holds, refers = key->columns[i].refers;
		const void *x = (const char *)a + key->columns[i].at;
		const void *y = (const char *)b + key->columns[i].at;

		if (is_place(holds))
			c = compare_places(x, y, ids);
		else if (holds == HOLDS_TEXT)
			c = strcmp(text_of(x), text_of(y));
		else if (holds == HOLDS_ID)
			c = compare_numbers(mapped(*(const model_id *)x, ids, refers),
					    mapped(*(const model_id *)y, ids, refers));
		else
			c = compare_numbers(number_of(holds, x), number_of(holds, y));
	}
	return c;
}

bool
row_same(const struct row_key *key, const void *a, const void *b)
{
	bool same = true;

	for (int i = 0; i < key->nr && same; i++) {
		unsigned holds = key->columns[i].holds;
		const void *x = (const char *)a + key->columns[i].at;
		const void *y = (const char *)b + key->columns[i].at;

		if (is_place(holds))
			same = place_same(x, y);
		else if (holds == HOLDS_TEXT)
			same = !strcmp(text_of(x), text_of(y));
		else
			same = number_of(holds, x) == number_of(holds, y);
	}
	return same;
}

uint64_t
row_hash(const struct row_key *key, const void *row)
{
	uint64_t h = HASH_START;

	for (int i = 0; i < key->nr; i++) {
		const void *member = (const char *)row + key->columns[i].at;
		const struct place *p = member;

		if (is_place(key->columns[i].holds)) {
			h = hash_number(h, (uint64_t)p->file << 32 | p->line);
			h = hash_number(h, (uint64_t)p->column << 32 | p->end_column);
		} else if (key->columns[i].holds == HOLDS_TEXT) {
			h = hash_text(h, text_of(member));
		} else {
			h = hash_number(h, number_of(key->columns[i].holds, member));
		}
	}
	return h;
}

void
row_own(enum table_id table, void *row, struct arena *arena)
{
	for (const struct table_column *c = tables[table].columns; !table_ends(c); c++) {
		const char **text = (const char **)((char *)row + c->at);

		if (c->holds == HOLDS_TEXT && !(c->flags & COLUMN_SIDE) && *text)
			*text = arena_strdup(arena, *text);
	}
}

void
model_add_row(enum table_id table, void *to, const void *from)
{
	for (const struct table_column *c = tables[table].columns; !table_ends(c); c++) {
		void *sum = (char *)to + c->at;
		const void *more = (const char *)from + c->at;

		if (c->flags & (COLUMN_SOLVED | COLUMN_SIDE))
			continue;
		if (c->holds == HOLDS_COUNT)
			*(uint64_t *)sum = count_add(*(uint64_t *)sum, *(const uint64_t *)more);
		else if (c->holds == HOLDS_SOME && *(uint32_t *)sum < *(const uint32_t *)more)
			*(uint32_t *)sum = *(const uint32_t *)more;
	}
}
