#include "db/range_index.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

enum {
	NODE_CELLS = 51, /* the module's own maximum, for pages of 4096 bytes and more */
	CELL_BYTES = 8 + 4 * 4,
	NODE_BYTES = 4 + NODE_CELLS * CELL_BYTES,
	ROOT = 1,
};

struct builder {
	sqlite3_stmt *node, *row, *parent;
	int64_t next_node;
	int rc;
};

static int
size_class(const struct range_box *b)
{
	uint32_t lines = (uint32_t)(b->last_line - b->first_line);

	return lines < 4 ? 0 : (32 - __builtin_clz(lines)) / 2;
}

static int
compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* Long ranges (whole procedures, loops) apart from short ones, so that they do not blow up the
 * boxes of their neighbours. */
static int
compare_boxes(const void *pa, const void *pb)
{
	const struct range_box *a = pa, *b = pb;
	int c = compare(a->first_file, b->first_file);

	if (!c)
		c = compare(size_class(a), size_class(b));
	if (!c)
		c = compare(a->first_line, b->first_line);
	return c ? c : compare(a->id, b->id);
}

static unsigned char *
put_big_endian(unsigned char *p, uint64_t v, int bytes)
{
	while (bytes-- > 0)
		*p++ = (unsigned char)(v >> (8 * bytes));
	return p;
}

static void
run(struct builder *b, sqlite3_stmt *st, int64_t key, int64_t value)
{
	if (b->rc != SQLITE_OK)
		return;
	sqlite3_bind_int64(st, 1, key);
	sqlite3_bind_int64(st, 2, value);
	sqlite3_step(st);
	b->rc = sqlite3_reset(st);
}

/* Write one node of NR cells; the first two bytes are the height of the tree (root only). */
static void
write_node(struct builder *b, int64_t number, int height, const struct range_box *cells, size_t nr)
{
	unsigned char data[NODE_BYTES] = { 0 }, *p = data;

	p = put_big_endian(p, (uint64_t)height, 2);
	p = put_big_endian(p, nr, 2);
	for (size_t i = 0; i < nr; i++) {
		p = put_big_endian(p, (uint64_t)cells[i].id, 8);
		p = put_big_endian(p, (uint32_t)cells[i].first_file, 4);
		p = put_big_endian(p, (uint32_t)cells[i].last_file, 4);
		p = put_big_endian(p, (uint32_t)cells[i].first_line, 4);
		p = put_big_endian(p, (uint32_t)cells[i].last_line, 4);
	}
	if (b->rc != SQLITE_OK)
		return;
	sqlite3_bind_int64(b->node, 1, number);
	sqlite3_bind_blob(b->node, 2, data, sizeof(data), SQLITE_STATIC);
	sqlite3_step(b->node);
	b->rc = sqlite3_reset(b->node);
}

static struct range_box
enclose(const struct range_box *cells, size_t nr)
{
	struct range_box all = cells[0];

	for (size_t i = 1; i < nr; i++) {
		if (cells[i].first_file < all.first_file)
			all.first_file = cells[i].first_file;
		if (cells[i].last_file > all.last_file)
			all.last_file = cells[i].last_file;
		if (cells[i].first_line < all.first_line)
			all.first_line = cells[i].first_line;
		if (cells[i].last_line > all.last_line)
			all.last_line = cells[i].last_line;
	}
	return all;
}

/* Level by level from the leaves; each level's cells are the boxes of the nodes below it. The cells
 * are spread evenly: a last node with a few cells only would break the module's minimum. */
static void
build(struct builder *b, struct range_box *cells, size_t nr, int64_t *leaf)
{
	int height = 0;

	for (;; height++) {
		size_t nodes = (nr + NODE_CELLS - 1) / NODE_CELLS;

		if (nodes <= 1)
			break;
		for (size_t i = 0; i < nodes; i++) {
			size_t begin = nr * i / nodes, end = nr * (i + 1) / nodes;
			int64_t number = b->next_node++;
			struct range_box box = enclose(cells + begin, end - begin);

			write_node(b, number, 0, cells + begin, end - begin);
			for (size_t j = begin; j < end; j++) {
				if (height == 0)
					leaf[cells[j].id] = number;
				else
					run(b, b->parent, cells[j].id, number);
			}
			box.id = number;
			cells[i] = box; /* i <= begin: these cells are done with */
		}
		nr = nodes;
	}
	write_node(b, ROOT, height, cells, nr);
	for (size_t j = 0; j < nr; j++) {
		if (height == 0)
			leaf[cells[j].id] = ROOT;
		else
			run(b, b->parent, cells[j].id, ROOT);
	}
}

int
range_index_build(struct sqlite3 *db, struct range_box *boxes, size_t nr, size_t last_id)
{
	struct builder b = { .next_node = ROOT + 1, .rc = SQLITE_OK };
	int64_t *leaf = xcalloc(last_id + 1, sizeof(*leaf)); /* by id: the node it is in, or 0 */
	const struct { sqlite3_stmt **st; const char *sql; } statements[] = {
		{ &b.node, "REPLACE INTO range_index_node VALUES (?1, ?2)" },
		{ &b.row, "INSERT INTO range_index_rowid VALUES (?1, ?2)" },
		{ &b.parent, "INSERT INTO range_index_parent VALUES (?1, ?2)" },
	};

	for (int i = 0; i < 3 && b.rc == SQLITE_OK; i++)
		b.rc = sqlite3_prepare_v2(db, statements[i].sql, -1, statements[i].st, NULL);
	if (b.rc == SQLITE_OK) {
		qsort(boxes, nr, sizeof(*boxes), compare_boxes);
		build(&b, boxes, nr, leaf);
		for (size_t i = 0; i <= last_id; i++) {
			if (leaf[i])
				run(&b, b.row, (int64_t)i, leaf[i]);
		}
	}
	for (int i = 0; i < 3; i++)
		sqlite3_finalize(*statements[i].st);
	free(leaf);
	return b.rc;
}
