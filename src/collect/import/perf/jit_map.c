#include "collect/import/perf/jit_map.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/input.h"
#include "util/order.h"

enum { MOST_FILE = 256 << 20, MOST_NAME = 4096, MOST_FILES = 4096 };

struct symbol { uint64_t begin, size, order; const char *name; };
struct jit_map { struct symbol *items; size_t nr, alloc; };

void
jit_maps_release(struct jit_maps *j)
{
	for (size_t i = 0; i < j->pids.nr; i++)
		free(j->items[i].items);
	free(j->items);
	keys_release(&j->pids);
	arena_release(&j->arena);
}

static int
compare_symbols(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	COMPARE(x->begin, y->begin);
	COMPARE(x->order, y->order);
	return 0;
}

static void
take_line(struct jit_maps *j, struct jit_map *m, const char *line)
{
	uint64_t begin, size;
	int name = 0;

	if (sscanf(line, "%" SCNx64 " %" SCNx64 " %n", &begin, &size, &name) < 2 || !name ||
	    !line[name] || !size)
		return;
	GROW(m->items, m->nr + 1, m->alloc);
	m->items[m->nr] = (struct symbol){
		begin, size, m->nr, arena_strndup(&j->arena, line + name,
						  strnlen(line + name, MOST_NAME)),
	};
	m->nr++;
}

/* In a directory that all may write to: what another user left there says nothing. */
static void
read_map(struct jit_maps *j, struct jit_map *m, uint32_t pid)
{
	char path[64], *text, *next, *line;
	struct error ignored = ERROR_INIT;
	struct stat st;
	size_t size;
	int fd;

	snprintf(path, sizeof(path), "/tmp/perf-%" PRIu32 ".map", pid);
	fd = input_open(path, &st, &ignored);
	if (fd < 0)
		return;
	if (st.st_uid == j->owner || !st.st_uid) {
		size = st.st_size < MOST_FILE ? (size_t)st.st_size : MOST_FILE;
		text = next = xmalloc(size + 1);
		size = (size_t)(input_read_at(fd, 0, text, size) + 1);
		text[size ? size - 1 : 0] = '\0';
		while ((line = strsep(&next, "\n")))
			take_line(j, m, line);
		free(text);
	}
	close(fd);
	if (m->nr)
		qsort(m->items, m->nr, sizeof(*m->items), compare_symbols);
}

const char *
jit_symbol_at(struct jit_maps *j, uint32_t pid, uint64_t address)
{
	bool is_new;
	uint32_t number;
	struct jit_map *m;
	size_t lo = 0, hi;

	if (j->pids.nr >= MOST_FILES && keys_find(&j->pids, KEY(pid)) == INDEX_NONE)
		return NULL;
	number = keys_number(&j->pids, KEY(pid), &is_new);
	GROW(j->items, j->pids.nr, j->alloc);
	m = &j->items[number];
	if (is_new) {
		*m = (struct jit_map){ .nr = 0 };
		read_map(j, m, pid);
	}
	for (hi = m->nr; lo < hi;) {
		size_t mid = lo + (hi - lo) / 2;

		if (m->items[mid].begin <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && address - m->items[lo - 1].begin < m->items[lo - 1].size
		? m->items[lo - 1].name : NULL;
}
