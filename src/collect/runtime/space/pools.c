/* A table of blocks by their addresses, and by the pools that they are of: each block is in a list
 * of those with the same hash of its address, and in one of those with the same hash of its pool's,
 * where those of one pool stand in the order in which it gave them out, the last one first. A pool
 * that ends with another one is in it as a block is. All threads share the table. */
#include "pools.h"

#include "collect/runtime/kernel.h"
#include "pool_sums.h"
#include "tables.h"

enum { FIRST_NODES = 1024, MOST_CHUNKS_OF_NODES = 17, NONE = 0 };

/* Links are numbers from 1 on; 0: the end. */
struct node {
	uint64_t block, pool, bytes;
	uint32_t producer : 24; /* 0: it is no block, only a pool */
	uint32_t is_pool : 1, is_one : 1; /* a pool; block and pool are one, and end together */
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

/* A fault's handler that interrupts this thread at work here must not wait for it. */
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
link_to_pool(uint32_t number)
{
	struct node *n = node_at(number);
	uint32_t *pool = list_of(table.pools, n->pool);

	n->previous_of = NONE;
	n->next_of = *pool;
	if (*pool)
		node_at(*pool)->previous_of = number;
	*pool = number;
}

static void
take_from_pool(uint32_t number)
{
	const struct node *n = node_at(number);

	if (n->next_of)
		node_at(n->next_of)->previous_of = n->previous_of;
	if (n->previous_of)
		node_at(n->previous_of)->next_of = n->next_of;
	else
		*list_of(table.pools, n->pool) = n->next_of;
}

static void
link_in(uint32_t number)
{
	struct node *n = node_at(number);
	uint32_t *block = list_of(table.blocks, n->block);

	n->next = *block;
	*block = number;
	link_to_pool(number);
}

static void
take_out(uint32_t number)
{
	struct node *n = node_at(number);
	uint32_t *link = list_of(table.blocks, n->block);

	while (*link != number)
		link = &node_at(*link)->next;
	*link = n->next;
	take_from_pool(number);
}

/* Returns the block or pool at ADDRESS; NONE: there is none. */
static uint32_t
find(uint64_t address)
{
	uint32_t number = table.room ? *list_of(table.blocks, address) : NONE;

	while (number && node_at(number)->block != address)
		number = node_at(number)->next;
	return number;
}

/* Puts all of what begins with NUMBER, a list of before, in again, in the same order. */
static void
link_all(uint32_t number)
{
	uint32_t before;

	while (number && node_at(number)->next_of)
		number = node_at(number)->next_of;
	for (; number; number = before) {
		before = node_at(number)->previous_of;
		link_in(number);
	}
}

/* Makes room for twice as many nodes, or the first ones; false: there is no memory. */
static bool
grow(void)
{
	const struct space_host *host = atomic_load(&space.host);
	uint32_t before = table.room, after = before ? 2 * before : FIRST_NODES;
	uint32_t chunk = before ? chunk_of(before + 1) : 0, *lists;
	uint32_t *old_blocks = table.blocks, *old_pools = table.pools;

	if (chunk >= MOST_CHUNKS_OF_NODES)
		return false;
	if (!table.chunks[chunk])
		table.chunks[chunk] = host->memory((after - before) * sizeof(struct node));
	lists = table.chunks[chunk] ? host->memory(2 * (uint64_t)after * sizeof(*lists)) : NULL;
	if (!lists)
		return false;
	table.blocks = lists;
	table.pools = lists + after;
	table.room = after;
	for (uint32_t i = 0; i < before; i++)
		link_all(old_pools[i]);
	if (old_blocks)
		kernel(SYS_munmap, old_blocks, 2 * (uint64_t)before * sizeof(*lists));
	return true;
}

/* ---- what happens ---- */

/* The lists are the threads' in turn. Returns false in a handler that has interrupted one. */
static bool
enter(void)
{
	if (busy)
		return false;
	tables_hold();
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
	tables_let_go();
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

static void
put_back(uint32_t number)
{
	node_at(number)->next = table.unused;
	table.unused = number;
}

/* The block of node NUMBER has come to its end, if it is one. */
static void
count_end(uint32_t number)
{
	struct node *n = node_at(number);

	if (n->producer) {
		tables_pool_freed(n->producer, 1, n->bytes);
		pool_sums_add(n->producer, -1, -n->bytes);
	}
	n->producer = 0;
}

/* So have all blocks of the pool at ADDRESS, the last first, as far as node LAST (NONE: all of
 * them). Adds those that are pools to the list ENDED. */
static void
end_blocks(uint64_t address, uint32_t last, uint32_t *ended)
{
	uint32_t number = table.room ? *list_of(table.pools, address) : NONE, next;
	bool done = false;

	for (; number && !done; number = next) {
		struct node *n = node_at(number);

		next = n->next_of;
		done = number == last;
		if (n->pool != address)
			continue;
		count_end(number);
		take_out(number);
		if (n->is_pool) {
			n->next = *ended;
			*ended = number;
		} else {
			put_back(number);
		}
	}
}

/* So have all blocks of the pools in the list ENDED, and of those that end with them. */
static void
end_pools(uint32_t ended)
{
	while (ended) {
		uint32_t number = ended;

		ended = node_at(number)->next;
		end_blocks(node_at(number)->block, NONE, &ended);
		put_back(number);
	}
}

static void
end_pool(uint64_t address, uint32_t last)
{
	uint32_t ended = NONE;

	end_blocks(address, last, &ended);
	end_pools(ended);
}

/* What is at ADDRESS has come to its end, and is not there any more; with ALL that it is the pool
 * of. */
static void
forget(uint64_t address, bool all)
{
	uint32_t number = find(address);

	if (!number)
		return;
	count_end(number);
	take_out(number);
	node_at(number)->next = NONE;
	if (all && node_at(number)->is_pool)
		end_pools(number);
	else
		put_back(number);
}

/* What was given out of the pool at FROM is of that at TO now, if that is what it was moved to. */
static void
move(uint64_t from, uint64_t to)
{
	uint32_t number = find(from), last = NONE, before;

	if (!number || !node_at(number)->is_pool)
		return;
	for (number = *list_of(table.pools, from); number; number = node_at(number)->next_of)
		last = number;
	for (number = last; number; number = before) {
		struct node *n = node_at(number);

		before = n->previous_of;
		if (n->pool != from)
			continue;
		take_from_pool(number);
		n->pool = to;
		link_to_pool(number);
	}
}

/* Where a new block is an old one has come to its end, though nothing was seen of it: its pool was
 * emptied. */
static void
remember(const uint64_t *frame, const struct space_pool *what, uint64_t size)
{
	uint64_t block = (uintptr_t)what->block, old = (uintptr_t)what->old;
	uint32_t number, producer;

	if (block != old)
		forget(block, true);
	if (old && block != old)
		move(old, block);
	if (old)
		forget(old, false);
	number = new_node();
	producer = tables_note_pool(frame, SPACE_MADE, size, number);
	if (!number)
		return;
	if (!producer) {
		put_back(number);
		return;
	}
	*node_at(number) = (struct node){
		.block = block, .pool = (uintptr_t)what->pool, .bytes = size, .producer = producer};
	link_in(number);
	pool_sums_add(producer, 1, size);
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

/* A pool that was made in another one goes on being of that when all of it is given back: it may be
 * given out of again. */
static void
end_all(uint64_t address)
{
	uint32_t number = find(address);

	if (number && (!node_at(number)->is_pool || node_at(number)->is_one))
		forget(address, true);
	else if (number)
		count_end(number);
	end_pool(address, NONE);
}

static void
cut(uint64_t block, uint64_t pool)
{
	uint32_t number = find(block);

	if (!block)
		end_pool(pool, NONE);
	else if (number && node_at(number)->pool == pool)
		end_pool(pool, number);
}

static void
hold(uint64_t pool, uint64_t parent, bool is_block)
{
	uint32_t number = find(pool);

	if (!number) {
		number = new_node();
		if (!number) {
			tables_note_lost();
			return;
		}
		*node_at(number) = (struct node){.block = pool, .pool = parent};
		link_in(number);
	} else if (node_at(number)->pool != parent) {
		take_from_pool(number);
		node_at(number)->pool = parent;
		link_to_pool(number);
	}
	node_at(number)->is_pool = true;
	node_at(number)->is_one |= is_block;
}

/* What says that something has ended, or of what it is. */
static void
note_change(const struct space_pool *what)
{
	uint64_t block = (uintptr_t)what->block, pool = (uintptr_t)what->pool;

	if (!enter())
		return;
	if (what->event == SPACE_POOL_GONE)
		end_all(block);
	else if (what->event == SPACE_POOL_CUT)
		cut(block, pool);
	else
		hold(block, pool, what->size);
	leave();
}

void
pools_note(const uint64_t *frame, const struct space_pool *what)
{
	uint64_t size = what->size >> 47 ? 0 : what->size; /* a number below 0 */

	if (what->event >= SPACE_POOL_GONE)
		note_change(what);
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
	pool_sums_forked();
	atomic_flag_clear(&table.lock);
	busy = false;
}
