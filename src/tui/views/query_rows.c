#include "tui/views/query_rows.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

/* A cell: its type, and whether it is cut; then data of fixed size, then a length and a text. */
enum { CUT = 0x80, TYPE = 0x7f };

static void
put(struct query_rows *r, const void *data, size_t n)
{
	GROW(r->bytes, r->len + n, r->alloc);
	if (n)
		memcpy(r->bytes + r->len, data, n);
	r->len += n;
}

static void
put_cell(struct query_rows *r, const struct sql_cell *cell)
{
	unsigned char head = (unsigned char)((unsigned)cell->type | (cell->cut ? CUT : 0));
	uint16_t length = (uint16_t)cell->length;

	put(r, &head, 1);
	if (cell->type == SQL_INTEGER || cell->type == SQL_BLOB)
		put(r, &cell->integer, sizeof(cell->integer));
	if (cell->type == SQL_REAL)
		put(r, &cell->real, sizeof(cell->real));
	if (cell->type != SQL_REAL && cell->type != SQL_TEXT)
		return;
	put(r, &length, sizeof(length));
	put(r, cell->text, length);
}

bool
query_rows_add(struct query_rows *r, const struct sql_cell *cells)
{
	if (r->nr == QUERY_ROWS_MAX || r->len >= QUERY_ROWS_BYTES)
		return false;
	GROW(r->at, r->nr + 1, r->at_alloc);
	r->at[r->nr++] = (uint32_t)r->len;
	for (int i = 0; i < r->nr_columns; i++)
		put_cell(r, &cells[i]);
	return true;
}

/* Returns where the next cell begins. */
static const unsigned char *
get_cell(const unsigned char *p, struct sql_cell *cell)
{
	uint16_t length;

	*cell = (struct sql_cell){ .type = (enum sql_type)(*p & TYPE), .text = "" };
	cell->cut = *p++ & CUT;
	if (cell->type == SQL_INTEGER || cell->type == SQL_BLOB) {
		memcpy(&cell->integer, p, sizeof(cell->integer));
		cell->real = (double)cell->integer;
		return p + sizeof(cell->integer);
	}
	if (cell->type == SQL_NULL)
		return p;
	if (cell->type == SQL_REAL) {
		memcpy(&cell->real, p, sizeof(cell->real));
		p += sizeof(cell->real);
	}
	memcpy(&length, p, sizeof(length));
	p += sizeof(length);
	cell->text = (const char *)p;
	cell->length = length;
	return p + length;
}

void
query_rows_cell(const struct query_rows *r, size_t row, int column, struct sql_cell *cell)
{
	const unsigned char *p = r->bytes + r->at[row];

	for (int i = 0; i <= column; i++)
		p = get_cell(p, cell);
}

/* A search wants the texts of all rows: printf() would take most of the time. */
static void
add_integer(struct strbuf *out, int64_t n)
{
	uint64_t rest = n < 0 ? -(uint64_t)n : (uint64_t)n;
	char digits[24];
	size_t i = sizeof(digits);

	do
		digits[--i] = (char)('0' + rest % 10);
	while (rest /= 10);
	if (n < 0)
		digits[--i] = '-';
	strbuf_add(out, digits + i, sizeof(digits) - i);
}

void
query_rows_text(const struct query_rows *r, size_t row, int column, struct strbuf *out)
{
	struct sql_cell cell;

	query_rows_cell(r, row, column, &cell);
	if (cell.type == SQL_INTEGER)
		add_integer(out, cell.integer);
	else
		sql_cell_text(&cell, out);
}

static int
compare_texts(const struct sql_cell *a, const struct sql_cell *b)
{
	int c = memcmp(a->text, b->text, a->length < b->length ? a->length : b->length);

	return c ? c : (a->length > b->length) - (a->length < b->length);
}

int
query_rows_compare(const struct query_rows *r, int column, size_t a, size_t b)
{
	static const int class_of[] = {
		[SQL_NULL] = 0, [SQL_INTEGER] = 1, [SQL_REAL] = 1, [SQL_TEXT] = 2, [SQL_BLOB] = 3,
	};
	struct sql_cell x = { .type = SQL_NULL }, y = x;

	query_rows_cell(r, a, column, &x);
	query_rows_cell(r, b, column, &y);
	if (class_of[x.type] != class_of[y.type])
		return class_of[x.type] - class_of[y.type];
	if (x.type == SQL_TEXT)
		return compare_texts(&x, &y);
	if (x.type == SQL_REAL || y.type == SQL_REAL)
		return (x.real > y.real) - (x.real < y.real);
	return (x.integer > y.integer) - (x.integer < y.integer);
}

void
query_rows_release(struct query_rows *r)
{
	free(r->bytes);
	free(r->at);
	memset(r, 0, sizeof(*r));
}
