/* A table of blocks by their addresses, and by the pools that they are of: each block is in a list
 * of those with the same hash of its address, and in one of those with the same hash of its pool's.
 * All threads share it. */
#include "pools.h"

#include "collect/runtime/kernel.h"
#include "tables.h"

enum { FIRST_NODES = 1024, MOST_CHUNKS_OF_NODES = 17, NONE = 0 };

/* Links are numbers from 1 on; 0: the end. */
struct node {
	uint64_t block, pool, bytes;
	uint32_t producer;
	uint32_t next;		       /* with the same hash of the block; of those that are free */
	uint32_t next_of, previous_of; /* with the same hash of the pool */
};

static struct {
	atomic_flag lock;
	struct node *chunks[MOST_CHUNKS_OF_NODES]; /* each is as large as all before it */
	uint32_t nr, room; /* nodes that were ever used; that there is memory for */
	uint32_t unused;   /* the first of a list */
	uint32_t *blocks, *pools; /* the first of each list; as many as there may be nodes */
} table = {.lock = ATOMIC_FLAG_INIT};

/* A handler that interrupts this thread at work here must not wait for it. */
static __thread bool busy __attribute__((tls_model("initial-exec")));

static uint32_t
chunk_of(uint32_t number)
{
	uint32_t i = (number - 1) / FIRST_NODES;

	return i ? 32 - (uint32_t)__builtin_clz(i) : 0;
}

/* The chunks have FIRST_NODES, FIRST_NODES, 2 * FIRST_NODES, ... */
static uint64_t
nodes_before(uint32_t chunk)
{
	return chunk ? (uint64_t)FIRST_NODES << (chunk - 1) : 0;
}

static struct node *
node_at(uint32_t number)
{
	uint32_t chunk = chunk_of(number);

	return &table.chunks[chunk][number - 1 - nodes_before(chunk)];
}

/* Returns the place of the first of the list that ADDRESS is in. */
static uint32_t *
list_of(uint32_t *lists, uint64_t address)
{
	return &lists[(address * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (table.room - 1)];
}

/* ---- the lists ---- */

static void
link_in(uint32_t number)
{
	struct node *n = node_at(number);
	uint32_t *block = list_of(table.blocks, n->block), *pool = list_of(table.pools, n->pool);

	n->next = *block;
	*block = number;
	n->previous_of = NONE;
	n->next_of = *pool;
	if (*pool)
		node_at(*pool)->previous_of = number;
	*pool = number;
}

/* Takes node NUMBER, to which *LINK leads, out of both lists. Returns what it was. */
static struct node
take_out(uint32_t number, uint32_t *link)
{
	struct node *n = node_at(number), was = *n;

	*link = n->next;
	if (n->next_of)
		node_at(n->next_of)->previous_of = n->previous_of;
	if (n->previous_of)
		node_at(n->previous_of)->next_of = n->next_of;
	else
		*list_of(table.pools, n->pool) = n->next_of;
	n->next = table.unused;
	table.unused = number;
	return was;
}

/* Returns where the link to the block at ADDRESS is; it leads to none if there is no such block. */
static uint32_t *
find_link(uint64_t address)
{
	uint32_t *link = list_of(table.blocks, address);

	while (*link && node_at(*link)->block != address)
		link = &node_at(*link)->next;
	return link;
}

/* Makes room for twice as many nodes, or the first ones; false: there is no memory. */
static bool
grow(void)
{
	const struct space_host *host = atomic_load(&space.host);
	uint32_t before = table.room, after = before ? 2 * before : FIRST_NODES;
	uint32_t chunk = before ? chunk_of(before + 1) : 0, *lists;

	if (chunk >= MOST_CHUNKS_OF_NODES)
		return false;
	if (!table.chunks[chunk])
		table.chunks[chunk] = host->memory((after - before) * sizeof(struct node));
	lists = table.chunks[chunk] ? host->memory(2 * (uint64_t)after * sizeof(*lists)) : NULL;
	if (!lists)
		return false;
	if (table.blocks)
		kernel(SYS_munmap, table.blocks, 2 * (uint64_t)before * sizeof(*lists));
	table.blocks = lists;
	table.pools = lists + after;
	table.room = after;
	for (uint32_t i = 1; i <= table.nr; i++) /* none is unused, else it would not grow */
		link_in(i);
	return true;
}

/* ---- what happens ---- */

/* The lists are the threads' in turn. Returns false in a handler that has interrupted one. */
static bool
enter(void)
{
	if (busy)
		return false;
	busy = true;
	while (atomic_flag_test_and_set_explicit(&table.lock, memory_order_acquire))
		kernel(SYS_sched_yield);
	return true;
}

static void
leave(void)
{
	atomic_flag_clear_explicit(&table.lock, memory_order_release);
	busy = false;
}

/* Returns a node that is in no list; 0: there is no room. */
static uint32_t
new_node(void)
{
	uint32_t number = table.unused;

	if (number) {
		table.unused = node_at(number)->next;
		return number;
	}
	return table.nr < table.room || grow() ? ++table.nr : NONE;
}

/* What is at ADDRESS has come to its end, if there is anything. */
static void
forget(uint64_t address)
{
	uint32_t *link = table.room ? find_link(address) : NULL;

	if (link && *link) {
		struct node was = take_out(*link, link);

		tables_pool_freed(was.producer, 1, was.bytes);
	}
}

/* Likewise all of the pool at ADDRESS. */
static void
forget_all(uint64_t address)
{
	uint32_t number = table.room ? *list_of(table.pools, address) : NONE;

	while (number) {
		const struct node *n = node_at(number);
		uint32_t next = n->next_of;

		if (n->pool == address)
			forget(n->block);
		number = next;
	}
}

/* Where a new block is an old one has come to its end, though nothing was seen of it: its pool was
 * emptied. */
static void
remember(const uint64_t *frame, const struct space_pool *what, uint64_t size)
{
	uint32_t number, producer;

	if (what->old)
		forget((uintptr_t)what->old);
	forget((uintptr_t)what->block);
	number = new_node();
	producer = tables_note_pool(frame, SPACE_MADE, size, number);
	if (!number)
		return;
	*node_at(number) = (struct node){(uintptr_t)what->block, (uintptr_t)what->pool, size,
					 producer, table.unused, NONE, NONE};
	if (producer)
		link_in(number);
	else
		table.unused = number;
}

static void
note_made(const uint64_t *frame, const struct space_pool *what, uint64_t size)
{
	if (!enter()) {
		tables_note_pool(frame, SPACE_MADE, size, false);
		return;
	}
	remember(frame, what, size);
	leave();
}

static void
note_gone(const void *block)
{
	if (!enter())
		return;
	forget((uintptr_t)block);
	forget_all((uintptr_t)block);
	leave();
}

void
pools_note(const uint64_t *frame, const struct space_pool *what)
{
	uint64_t size = what->size >> 47 ? 0 : what->size; /* a number below 0 */

	if (what->event == SPACE_POOL_GONE)
		note_gone(what->block);
	else if (!what->block)
		tables_note_pool(frame, SPACE_EMPTY, 0, false);
	else if (what->event == SPACE_POOL_MADE)
		note_made(frame, what, size);
	else
		tables_note_pool(frame, SPACE_MADE, size, false);
}

/* Another thread may have been at work: the table is not looked at. */
void
pools_forked(void)
{
	for (uint32_t i = 0; i < MOST_CHUNKS_OF_NODES; i++) {
		uint64_t nr = i ? nodes_before(i) : FIRST_NODES;

		if (table.chunks[i])
			kernel(SYS_munmap, table.chunks[i], nr * sizeof(struct node));
		table.chunks[i] = NULL;
	}
	if (table.blocks)
		kernel(SYS_munmap, table.blocks, 2 * (uint64_t)table.room * sizeof(*table.blocks));
	table.blocks = table.pools = NULL;
	table.nr = table.room = table.unused = 0;
	atomic_flag_clear(&table.lock);
	busy = false;
}
