#include "tables.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "collect/runtime/kernel.h"
#include "pools.h"
#include "times.h"

/* What stands above an address, of the blocks. */
#define CLASS_MASK ((uint64_t)(RAW_SPACE_CLASSES - 1) << RAW_SPACE_CLASS_AT | SPACE_POOL)
enum { FIRST_CHUNK = 4096, LARGEST_CHUNK = 1 << 20, FIRST_DEATHS = 256 };

struct space space = {.layout = LAYOUT_STEP | LONG_WAY};
__thread struct space_thread *space_self __attribute__((tls_model("initial-exec")));
static _Alignas(struct space_thread) uint32_t nobody[sizeof(uint32_t)];
__thread struct space_thread *space_quick __attribute__((tls_model("initial-exec"))) =
	(struct space_thread *)nobody;
/* This thread is at work on tables: a fault's handler that allocates is not noted. */
static __thread bool busy __attribute__((tls_model("initial-exec")));
/* How often tables_block() was called; and what was blocked before. */
__thread uint32_t tables_held __attribute__((tls_model("initial-exec")));
static __thread uint64_t blocked_before __attribute__((tls_model("initial-exec")));

/* By their numbers. */
static struct producer {
	/* With SPACE_THROUGH, as in entries, and the class of its blocks; a parent has none. */
	uint64_t pc;
	uint32_t module;
	uint32_t parent; /* the call of the wrapper that this one is in; 0: it is in none */
	_Atomic bool sampled; /* there is a path of one of its blocks */
} producers[NR_PRODUCERS];
_Atomic uint32_t nr_producers = 1;
/* Where they are, open addressing; 0: unused. An entry is written when its producer is. */
enum { NR_INDEX = 2 * NR_PRODUCERS };
static _Atomic uint32_t producer_index[NR_INDEX];
static atomic_flag producers_lock = ATOMIC_FLAG_INIT;

static struct space_thread *threads[MAX_THREADS]; /* by the number of their slot */
static _Atomic int nr_threads;			  /* places that may be in use */
/* Of threads without a slot, such as have not quite begun. */
static struct space_thread *others;
static atomic_flag others_lock = ATOMIC_FLAG_INIT;

void
tables_block(void)
{
	uint64_t mask;

	if (tables_held) {
		tables_held++;
	} else if (atomic_load(&space.host)->hold(&mask)) {
		blocked_before = mask;
		tables_held = 1;
	}
}

void
tables_unblock(void)
{
	if (!--tables_held)
		atomic_load(&space.host)->let_go(blocked_before);
}

static void
lock(atomic_flag *flag)
{
	while (atomic_flag_test_and_set_explicit(flag, memory_order_acquire))
		kernel(SYS_sched_yield);
}

static void
unlock(atomic_flag *flag)
{
	atomic_flag_clear_explicit(flag, memory_order_release);
}

void
tables_note_lost(void)
{
	const struct space_host *host = atomic_load(&space.host);

	atomic_fetch_add((_Atomic uint64_t *)&host->facts->lost, 1);
}

/* ---- producers ---- */

/* Returns the producer's place in the index, or the free one where it belongs. */
static _Atomic uint32_t *
find_producer(const struct producer *p)
{
	uint64_t h = (p->pc ^ (uint64_t)p->parent << 40) * UINT64_C(0x9e3779b97f4a7c15);
	uint32_t i = (uint32_t)(h >> 40) % NR_INDEX;

	for (;; i = (i + 1) % NR_INDEX) {
		uint32_t n = atomic_load_explicit(&producer_index[i], memory_order_acquire);

		if (!n || (producers[n].pc == p->pc && producers[n].module == p->module &&
			   producers[n].parent == p->parent))
			return &producer_index[i];
	}
}

/* Returns the producer's number; 0: there are too many. When there are many, new ones have blocks
 * of all classes. */
static uint32_t
producer_of(uint64_t pc, uint32_t module, uint32_t parent)
{
	enum { MANY = NR_PRODUCERS / 4 * 3 };
	const struct producer p = {pc, module, parent, false};
	_Atomic uint32_t *at = find_producer(&p);
	uint32_t number = atomic_load_explicit(at, memory_order_acquire);

	if (number)
		return number;
	if (RAW_SPACE_CLASS(pc) && atomic_load(&nr_producers) >= MANY)
		return producer_of(pc & ~CLASS_MASK, module, parent);
	lock(&producers_lock);
	at = find_producer(&p); /* another thread may have added it */
	number = atomic_load_explicit(at, memory_order_relaxed);
	if (!number && nr_producers < NR_PRODUCERS) {
		number = nr_producers;
		producers[number].pc = pc;
		producers[number].module = module;
		producers[number].parent = parent;
		atomic_store_explicit(&nr_producers, number + 1, memory_order_release);
		atomic_store_explicit(at, number, memory_order_release);
	}
	unlock(&producers_lock);
	return number;
}

/* Returns the one whose blocks they are: the outermost call of a wrapper. */
static const struct producer *
root_of(uint32_t number)
{
	while (producers[number].parent)
		number = producers[number].parent;
	return &producers[number];
}

/* ---- room in the raw file ---- */

static void *
records_of(const struct space_chunk *c)
{
	return (char *)c->extent + RAW_PAGE;
}

/* Sees to it that the last chunk has room for a record of SIZE bytes. */
static bool
make_room(struct space_room *r, enum raw_kind kind, size_t size, int slot)
{
	uint32_t nr = r->nr_chunks;
	struct raw_extent *e = nr ? r->chunks[nr - 1].extent : NULL;
	uint64_t length = e ? e->data_length * 4 : FIRST_CHUNK, where = 0;

	if (e && e->used + size <= e->data_length)
		return true;
	if (r->full || nr == MOST_CHUNKS)
		return false;
	if (length > LARGEST_CHUNK)
		length = LARGEST_CHUNK;
	e = atomic_load(&space.host)->room(kind, slot, length, &where);
	r->full = !e;
	if (!e)
		return false;
	r->chunks[nr] = (struct space_chunk){e, e->used, {NULL, where}};
	if (kind == RAW_SPACE_CELLS)
		series_chunk_begin(&r->chunks[nr].series, e);
	atomic_store_explicit(&r->nr_chunks, nr + 1, memory_order_release);
	return e->used + size <= e->data_length || make_room(r, kind, size, slot);
}

/* The record in the last chunk that is the next one to be used; it is told of by use_record(). */
static void *
next_record(const struct space_room *r)
{
	const struct space_chunk *c = &r->chunks[r->nr_chunks - 1];

	return (char *)records_of(c) + c->extent->used;
}

static void
use_record(const struct space_room *r, size_t size)
{
	struct raw_extent *e = r->chunks[r->nr_chunks - 1].extent;

	atomic_store_explicit((_Atomic uint64_t *)&e->used, e->used + size, memory_order_release);
}

/* ---- cells ---- */

static bool
is_cell_of(const struct raw_space_cell *c, const struct producer *p)
{
	return c->pc == (p->pc & ~SPACE_THROUGH) && c->module == p->module &&
	       (c->through & 1) == p->pc >> 63;
}

/* Is cell NUMBER of CELLS the producer's, with all calls of wrappers that lead to it? */
static bool
is_chain_of(const struct raw_space_cell *cells, uint32_t number, const struct producer *p)
{
	while (is_cell_of(&cells[number], p)) {
		uint32_t above = cells[number].through >> 1;

		if (!above || !p->parent || above > number)
			return !above && !p->parent;
		number = above - 1;
		p = &producers[p->parent];
	}
	return false;
}

/* One that a dead process has left in a chunk that this one goes on with. */
static struct raw_space_cell *
left_cell(const struct space_thread *t, const struct producer *p)
{
	for (uint32_t i = 0; i < t->cells.nr_chunks; i++) {
		struct raw_space_cell *c = records_of(&t->cells.chunks[i]);

		for (uint32_t n = 0; n < t->cells.chunks[i].found / sizeof(*c); n++)
			if (is_chain_of(c, n, p))
				return &c[n];
	}
	return NULL;
}

/* Returns where T's cell of the producer is told of; NULL: there is no memory for that. */
static struct raw_space_cell **
cell_place(struct space_thread *t, uint32_t producer)
{
	struct raw_space_cell ***page = &t->pages[producer / CELLS_OF_PAGE];

	if (!*page)
		*page = atomic_load(&space.host)->memory(CELLS_OF_PAGE * sizeof(**page));
	return *page ? &(*page)[producer % CELLS_OF_PAGE] : NULL;
}

static uint32_t
links_of(const struct producer *p)
{
	uint32_t nr = 1;

	for (; p->parent; p = &producers[p->parent])
		nr++;
	return nr;
}

/* Makes a cell in the last chunk, which has room for all its links: those further out stand before
 * it, and are told of by their number there. */
static struct raw_space_cell *
new_cell(struct space_thread *t, const struct producer *p)
{
	struct raw_space_cell *first = records_of(&t->cells.chunks[t->cells.nr_chunks - 1]);
	struct raw_space_cell **at = p->parent ? cell_place(t, p->parent) : NULL, *above = NULL;
	struct raw_space_cell *new;

	if (p->parent) {
		above = at && *at >= first && *at < (struct raw_space_cell *)next_record(&t->cells)
				? *at : new_cell(t, &producers[p->parent]);
		if (at && !*at)
			*at = above;
	}
	new = next_record(&t->cells);
	new->pc = p->pc & ~SPACE_THROUGH;
	new->module = p->module;
	new->through = (uint32_t)(p->pc >> 63) | (above ? (uint32_t)(above - first) + 1 : 0) << 1;
	use_record(&t->cells, sizeof(*new));
	return new;
}

/* Returns T's cell of the producer; NULL: there is no room. */
static struct raw_space_cell *
cell_of(struct space_thread *t, int slot, uint32_t producer)
{
	struct raw_space_cell **at = cell_place(t, producer);
	const struct producer *p = &producers[producer];

	if (!at || *at)
		return at ? *at : NULL;
	*at = left_cell(t, p);
	if (!*at && make_room(&t->cells, RAW_SPACE_CELLS, links_of(p) * sizeof(**at), slot))
		*at = new_cell(t, p);
	return *at;
}

/* ---- pairs ---- */

static struct raw_space_pair *
left_pair(const struct space_thread *t, const struct raw_space_pair *like)
{
	for (uint32_t i = 0; i < t->pairs.nr_chunks; i++) {
		struct raw_space_pair *p = records_of(&t->pairs.chunks[i]);

		for (uint64_t at = 0; at < t->pairs.chunks[i].found; at += sizeof(*p), p++)
			if (!memcmp(p, like, offsetof(struct raw_space_pair, bytes)))
				return p;
	}
	return NULL;
}

/* Returns a pair for disposer BY, with how in its upper bits, and producer OF; NULL: no room. */
static struct raw_space_pair *
new_pair(struct space_thread *t, int slot, uint32_t by, uint32_t of)
{
	const struct producer *disposer = root_of(by & ((1u << HOW_AT) - 1));
	const struct raw_space_pair like = {
		.pc = disposer->pc | (uint64_t)(by >> HOW_AT) << 61,
		.producer_pc = root_of(of)->pc | (producers[of].pc & CLASS_MASK),
		.module = disposer->module,
		.producer_module = root_of(of)->module,
	};
	struct raw_space_pair *p = left_pair(t, &like);

	if (p || !make_room(&t->pairs, RAW_SPACE_PAIRS, sizeof(*p), slot))
		return p;
	p = next_record(&t->pairs);
	*p = like;
	use_record(&t->pairs, sizeof(*p));
	return p;
}

/* A signal's handler that gives back may look at it meanwhile: the pair, which says that it is in
 * use, comes last. */
static void
put_death(struct space_death *d, const struct space_death *new)
{
	d->by = new->by;
	d->of = new->of;
	d->cell = new->cell;
	atomic_signal_fence(memory_order_release);
	d->pair = new->pair;
}

/* Makes T's table of deaths larger, or the first one. The old one stays: what a signal's handler,
 * in which this may be, has interrupted may look at it. It is a quarter of the new one. */
static bool
grow_deaths(struct space_thread *t)
{
	uint32_t nr = t->deaths ? 4 * (t->deaths_mask + 1) : FIRST_DEATHS;
	struct space_death *old = t->deaths, *new;
	uint32_t nr_old = old ? t->deaths_mask + 1 : 0;

	new = atomic_load(&space.host)->memory(nr * sizeof(*new));
	if (!new)
		return false;
	t->deaths = new;
	atomic_signal_fence(memory_order_release); /* in a handler the mask is never too large */
	t->deaths_mask = nr - 1;
	for (uint32_t i = 0; i < nr_old; i++)
		if (old[i].pair)
			put_death(tables_death(t, old[i].by, old[i].of), &old[i]);
	return true;
}

/* Returns T's death of the two, made if need be; NULL: there is no room. */
static struct space_death *
death_of(struct space_thread *t, int slot, uint32_t by, uint32_t of)
{
	struct space_death new = {by, of, NULL, NULL}, *d;

	if ((!t->deaths || t->nr_deaths > t->deaths_mask / 2) && !grow_deaths(t) &&
	    (!t->deaths || t->nr_deaths == t->deaths_mask))
		return NULL;
	d = tables_death(t, by, of);
	if (d->pair)
		return d;
	new.cell = cell_of(t, slot, of);
	new.pair = new.cell ? new_pair(t, slot, by, of) : NULL;
	if (!new.pair)
		return NULL;
	put_death(d, &new);
	t->nr_deaths++;
	return d;
}

/* ---- threads ---- */

static struct space_thread *
new_thread(void)
{
	struct space_thread *t = atomic_load(&space.host)->memory(sizeof(*t));

	if (t)
		t->pages[0] = t->first_page;
	return t;
}

/* Returns what belongs to SLOT; NULL: there is no memory. */
static struct space_thread *
thread_of(int slot)
{
	int nr = atomic_load(&nr_threads);

	if (!threads[slot])
		threads[slot] = new_thread();
	else
		threads[slot]->last_block = NULL; /* that is one of the thread's before */
	while (nr <= slot && !atomic_compare_exchange_weak(&nr_threads, &nr, slot + 1))
		;
	return threads[slot];
}

/* What the calling thread works with until end(); NULL: it is at work already, or there is no
 * memory. *SLOT: the number of its slot. */
static struct space_thread *
begin(int *slot)
{
	struct space_thread **t = &space_self;

	if (busy)
		return NULL;
	tables_hold();
	busy = true;
	*slot = atomic_load(&space.host)->slot();
	if (!*t && *slot >= 0 && *slot < MAX_THREADS) {
		*t = thread_of(*slot);
		space_quick = *t ? *t : space_quick;
	}
	if (!*t) {
		lock(&others_lock);
		t = &others;
		if (!*t)
			*t = new_thread();
		if (!*t)
			unlock(&others_lock);
	}
	busy = *t;
	if (!*t)
		tables_let_go();
	return *t;
}

static void
end(const struct space_thread *t)
{
	if (t == others)
		unlock(&others_lock);
	busy = false;
	tables_let_go();
}

/* ---- noting ---- */

/* Returns the entry of a call at PC, 0 for nobody's, which has the class of the blocks with it:
 * made anew if another one has its place. */
static struct space_entry *
entry_of(struct space_thread *t, int slot, uint64_t pc)
{
	const struct space_host *host = atomic_load(&space.host);
	struct space_entry *e = &t->entries[tables_place(pc)];
	uint64_t address = pc & RAW_SPACE_PC_MASK, class = pc & CLASS_MASK;
	uint32_t module;

	if (e->pc == pc && (e->cell || e->kind))
		return e;
	module = address ? host->module(address - 1) : 0;
	*e = (struct space_entry){.pc = pc};
	if (address && !module && !(pc & SPACE_THROUGH)) {
		e->kind = FOREIGN;
	} else if (module && !(pc & SPACE_THROUGH) && host->wraps(address)) {
		e->kind = IN_WRAPPER;
	} else {
		e->producer = module  ? producer_of(pc, module, 0)
			      : class ? producer_of(class, 0, 0)
				      : 0;
		e->cell = cell_of(t, slot, e->producer);
	}
	return e;
}

/* Returns where T's entry of the call with KEY, in a wrapper or of one, is if it is anywhere. LINK:
 * how far out it is; the innermost one has no other key than its address and class. */
static struct space_entry *
place_of_link(struct space_thread *t, uint64_t key, uint32_t link)
{
	return &t->entries[link ? tables_place_of_chain(key) : tables_place(key)];
}

/* Where the caller's frame is, seen from a call in a wrapper, is the same each time: either by the
 * frame pointer or by the stack pointer. */
static void
note_step(struct space_entry *e, uint64_t key, const struct space_link *from)
{
	const struct space_link *to = from + 1;
	uint64_t words = (to->sp - from->sp) / 8;

	if (e->pc != key || e->kind != IN_WRAPPER)
		*e = (struct space_entry){.pc = key, .kind = IN_WRAPPER};
	if (!to->next)
		e->step = 0;
	else if (from->fp && from->fp + 16 == to->sp)
		e->step = BY_FP;
	else
		e->step = words < BY_FP ? (uint16_t)words : 0;
}

/* Returns the entry of the call with these links; the last one wants the block. BITS:
 * SPACE_THROUGH, the class. */
static struct space_entry *
chain_of(struct space_thread *t, int slot, const struct space_link *links, uint32_t nr,
	 uint64_t bits)
{
	uint64_t key = links[0].pc | bits;
	uint32_t producer = 0;
	struct space_entry *e;

	for (uint32_t i = nr; i-- > 0;) {
		uint32_t module = atomic_load(&space.host)->module(links[i].pc - 1);

		producer = producer_of(links[i].pc | (i ? 0 : bits), module, producer);
	}
	for (uint32_t i = 1; i < nr; i++) {
		if (!(bits & SPACE_THROUGH))
			note_step(place_of_link(t, key, i - 1), key, &links[i - 1]);
		key = tables_chain(key, links[i].pc);
	}
	e = nr > 1 ? place_of_link(t, key, nr - 1) : &t->spare;
	*e = (struct space_entry){
		.pc = nr > 1 ? key : 0, .cell = cell_of(t, slot, producer), .producer = producer};
	return e;
}

static struct space_entry *
find_entry(struct space_thread *t, int slot, const struct space_call *call, uint64_t class)
{
	uint32_t layout = atomic_load(&space.layout) & ~(uint32_t)LONG_WAY, nr;
	struct space_link links[SPACE_LINKS];
	struct space_entry *e;
	bool through;

	if (t->layout && t->layout != layout) {
		memset(t->entries, 0, sizeof(t->entries));
		memset(t->ends, 0, sizeof(t->ends));
	}
	t->layout = layout;
	e = entry_of(t, slot, call->pc | class);
	if (e->kind == COUNTED)
		return e;
	through = e->kind == FOREIGN;
	nr = atomic_load(&space.host)->counted(call, links);
	if (!nr)
		return entry_of(t, slot, class);
	if (through && nr == 1)
		return entry_of(t, slot, links[0].pc | SPACE_THROUGH | class);
	return chain_of(t, slot, links, nr, (through ? SPACE_THROUGH : 0) | class);
}

/* Returns the entry of the call that returns to FRAME's caller, for blocks of CLASS; of T, which is
 * at work. */
static struct space_entry *
entry_of_frame(struct space_thread *t, int slot, const uint64_t *frame, uint64_t class)
{
	const struct space_call call = {frame[1], (uintptr_t)(frame + 2), frame[0]};

	return find_entry(t, slot, &call, class);
}

/* Returns where the cell of T's is in the file. */
static uint64_t
where_of(const struct space_thread *t, const struct raw_space_cell *cell)
{
	for (uint32_t i = t->cells.nr_chunks; i-- > 0;) {
		const struct space_chunk *c = &t->cells.chunks[i];
		const struct raw_space_cell *first = records_of(c);

		if (cell >= first &&
		    (const char *)cell < (const char *)first + c->extent->data_length)
			return c->series.where + (uint64_t)(cell - first) * sizeof(*cell);
	}
	return 0;
}

/* Stores a path of the block; T is at work. */
static uint32_t
store_path(struct space_thread *t, const struct space_entry *e, const uint64_t *frame,
	   uint64_t bytes, bool first)
{
	const struct space_call call = {frame[1], (uintptr_t)(frame + 2), frame[0]};
	int saved = errno;
	uint32_t sampled;

	sampled = paths_store(&t->paths, &call, bytes, where_of(t, e->cell), first);
	errno = saved;
	return sampled;
}

/* Others see what T has allocated. Returns whether a path is to be stored. */
static bool
step(struct space_thread *t)
{
	bool due = paths_pass(&t->paths, t->unseen);

	atomic_fetch_add_explicit(&space.clock, t->unseen, memory_order_relaxed);
	t->unseen = 0;
	t->due = t->paths.left < CLOCK_STEP ? t->paths.left + 1 : CLOCK_STEP;
	return due;
}

OUT_OF_THE_WAY uint32_t
tables_step(struct space_thread *t, const struct space_entry *e, const uint64_t *frame,
	    uint64_t bytes)
{
	uint32_t sampled = 0;

	if (!step(t) || busy || !e->producer)
		return 0;
	tables_hold();
	busy = true;
	sampled = store_path(t, e, frame, bytes, false);
	busy = false;
	tables_let_go();
	return sampled;
}

/* The same for a call that T, which is at work, did not know. */
static uint32_t
sample(struct space_thread *t, const struct space_entry *e, const uint64_t *frame, uint64_t bytes)
{
	bool due = false, first;

	t->unseen += bytes;
	if (t->unseen >= t->due)
		due = step(t);
	if (!e || !e->cell || !e->producer || !atomic_load(&space.host)->every)
		return 0;
	first = !atomic_exchange(&producers[e->producer].sampled, true);
	return first || due ? store_path(t, e, frame, bytes, first) : 0;
}

OUT_OF_THE_WAY uint32_t
tables_note(const uint64_t *frame, enum space_event event, uint64_t bytes, uint64_t slack)
{
	int saved = errno, slot;
	struct space_thread *t = begin(&slot);
	uint64_t class = event == SPACE_MADE ? tables_class(bytes) : 0;
	const struct space_entry *e = t ? entry_of_frame(t, slot, frame, class) : NULL;
	uint32_t producer = e ? e->producer : 0;

	if (t && event == SPACE_MADE)
		producer |= sample(t, e, frame, bytes);
	if (!e || !e->cell) {
		tables_note_lost();
	} else if (event == SPACE_MADE) {
		e->cell->blocks++;
		e->cell->bytes += bytes;
		e->cell->slack += slack;
		series_made(&t->series, bytes);
	} else {
		e->cell->empty += e->cell->empty != UINT32_MAX;
	}
	if (t)
		end(t);
	errno = saved;
	return producer;
}

/* Of a wrapper's call with no frame of its caller's it must be asked each time. */
static const struct space_entry *
entry_of_pool(struct space_thread *t, int slot, const uint64_t *frame)
{
	const struct space_entry *e =
		tables_are_current(t) ? tables_entry(t, frame, SPACE_POOL) : NULL;

	return e ? e : entry_of_frame(t, slot, frame, SPACE_POOL);
}

uint32_t
tables_note_pool(const uint64_t *frame, enum space_event event, uint64_t bytes, bool remembered)
{
	int saved = errno, slot;
	struct space_thread *t = begin(&slot);
	const struct space_entry *e = t ? entry_of_pool(t, slot, frame) : NULL;
	uint32_t producer = e && e->cell ? e->producer : 0;

	if (!producer) {
		tables_note_lost();
	} else if (event == SPACE_MADE) {
		e->cell->blocks++;
		e->cell->bytes += bytes;
		e->cell->slack += remembered ? bytes : 0;
	} else {
		e->cell->empty += e->cell->empty != UINT32_MAX;
	}
	if (t)
		end(t);
	errno = saved;
	return producer;
}

void
tables_pool_freed(uint32_t producer, uint64_t blocks, uint64_t bytes)
{
	int saved = errno, slot;
	struct space_thread *t = begin(&slot);
	struct raw_space_cell *cell = t ? cell_of(t, slot, producer) : NULL;

	if (cell) {
		cell->freed_blocks += blocks;
		cell->freed_bytes += bytes;
	} else {
		tables_note_lost();
	}
	if (t)
		end(t);
	errno = saved;
}

uint64_t
tables_where(uint32_t producer)
{
	int slot;
	struct space_thread *t = begin(&slot);
	const struct raw_space_cell *cell = t ? cell_of(t, slot, producer) : NULL;
	uint64_t where = cell ? where_of(t, cell) : 0;

	if (t)
		end(t);
	return where;
}

OUT_OF_THE_WAY void
tables_note_fault(const uint64_t *frame, enum raw_space_fault fault, uint32_t producer)
{
	int saved = errno, slot;
	struct space_thread *t = begin(&slot);
	const struct space_entry *e = t ? entry_of_frame(t, slot, frame, 0) : NULL;
	const struct space_death *d = NULL;

	if (e && e->cell) {
		e->cell->strange += e->cell->strange != UINT32_MAX;
		d = death_of(t, slot, e->producer | (uint32_t)RAW_SPACE_FAULT << HOW_AT, producer);
	}
	if (d)
		d->pair->lives[fault]++;
	else
		tables_note_lost();
	if (t)
		end(t);
	errno = saved;
}

/* Counts what realloc() did, too. */
static void
count_freed(struct space_thread *t, struct raw_space_pair *pair, struct raw_space_cell *cell,
	    const struct space_freed *f)
{
	tables_count_end(pair, cell, f, f->how == RAW_SPACE_REALLOC ? NULL : t->last_block);
	series_freed(&t->series, f->bytes);
	if (times_on)
		times_count(pair);
	if (f->how == RAW_SPACE_REALLOC) {
		tables_add(&pair->moved, f->moved);
		tables_add(&pair->copied, f->copied);
		tables_add(&pair->grown, f->grown);
	}
}

/* Notes it of a call that is not known. */
static OUT_OF_THE_WAY void
note_freed(const uint64_t *frame, const struct space_freed *f)
{
	int saved = errno, slot;
	struct space_thread *t = begin(&slot);
	const struct space_entry *e = t ? entry_of_frame(t, slot, frame, 0) : NULL;
	const struct space_death *d = NULL;

	if (e)
		d = death_of(t, slot, tables_of(e->producer, f->how), f->producer);
	if (d)
		count_freed(t, d->pair, d->cell, f);
	else
		tables_note_lost();
	if (t)
		end(t);
	errno = saved;
}

/* A signal's handler that gives back may look at it meanwhile. */
static const struct space_end *
put_end(struct space_end *at, uint64_t key, uint32_t of, const struct space_death *d)
{
	at->key = 0;
	atomic_signal_fence(memory_order_release);
	at->pair = d->pair;
	at->cell = d->cell;
	at->of = of;
	atomic_signal_fence(memory_order_release);
	at->key = key;
	return at;
}

const struct space_end *
tables_put_end(struct space_thread *t, const struct space_entry *e, uint32_t of)
{
	enum { PRODUCER = (1u << HOW_AT) - 1 };
	const struct space_death *d;

	if (!t->deaths)
		return NULL;
	d = tables_death(t, e->producer | (of & ~PRODUCER), of & PRODUCER);
	if (!d->pair)
		return NULL;
	return put_end(&t->ends[tables_place_of_end(e->pc, of)], e->pc, of, d);
}

void
tables_freed(const uint64_t *frame, const struct space_freed *f)
{
	struct space_thread *t = space_self;
	const struct space_end *known = NULL;

	if (LIKELY(t && tables_are_current(t)))
		known = tables_find_end(t, frame, tables_of(f->producer, f->how));
	if (LIKELY(known != NULL))
		count_freed(t, known->pair, known->cell, f);
	else
		note_freed(frame, f);
}

/* ---- all of them ---- */

uint32_t
tables_nr_threads(void)
{
	return (uint32_t)atomic_load(&nr_threads);
}

struct space_thread *
tables_next_thread(struct space_walk *walk)
{
	while (walk->thread <= atomic_load(&nr_threads)) {
		int i = walk->thread++;
		struct space_thread *t = i ? threads[i - 1] : others;

		if (t)
			return t;
	}
	return NULL;
}

const struct space_chunk *
tables_next_chunk(struct space_walk *walk)
{
	while (walk->thread <= atomic_load(&nr_threads)) {
		const struct space_thread *t = walk->thread ? threads[walk->thread - 1] : others;

		if (t && walk->chunk < atomic_load_explicit(&t->cells.nr_chunks,
							    memory_order_acquire))
			return &t->cells.chunks[walk->chunk++];
		walk->thread++;
		walk->chunk = 0;
	}
	return NULL;
}

/* ---- fork ---- */

/* The extent's memory is the process's own, and nobody looks at it. */
static void
drop_in_place(struct raw_extent *e)
{
	uint64_t size = RAW_PAGE + ((e->data_length + RAW_PAGE - 1) & ~(uint64_t)(RAW_PAGE - 1));

	atomic_load(&space.host)->drop(e);
	kernel(SYS_mmap, e, size, PROT_READ | PROT_WRITE,
	       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

/* Of the thread that has called fork, in a handler perhaps, which may have interrupted it where it
 * has looked at its tables: it will go on there. */
static void
leave_in_place(struct space_thread *t)
{
	for (uint32_t i = 0; i < t->cells.nr_chunks; i++)
		drop_in_place(t->cells.chunks[i].extent);
	for (uint32_t i = 0; i < t->pairs.nr_chunks; i++)
		drop_in_place(t->pairs.chunks[i].extent);
}

static void
forget(struct space_thread *t)
{
	for (uint32_t i = 0; i < t->cells.nr_chunks; i++) {
		const struct space_chunk *c = &t->cells.chunks[i];

		if (c->series.cells)
			kernel(SYS_munmap, c->series.cells,
			       c->extent->data_length / sizeof(struct raw_space_cell) *
				       sizeof(struct series_cell));
		atomic_load(&space.host)->drop(c->extent);
	}
	for (uint32_t i = 0; i < t->pairs.nr_chunks; i++)
		atomic_load(&space.host)->drop(t->pairs.chunks[i].extent);
	if (t->deaths)
		kernel(SYS_munmap, t->deaths, (t->deaths_mask + 1) * sizeof(*t->deaths));
	for (uint32_t i = 1; i < NR_PRODUCERS / CELLS_OF_PAGE; i++)
		if (t->pages[i])
			kernel(SYS_munmap, t->pages[i], CELLS_OF_PAGE * sizeof(*t->pages[i]));
	kernel(SYS_munmap, t, sizeof(*t));
}

/* The tables are the parent's: the child begins with new ones. What it has inherited is of another
 * generation, and is none of its own. */
void
tables_forked(void)
{
	const struct space_thread *own = atomic_load(space.handles) ? space_self : NULL;
	struct space_walk walk = {0};
	int64_t untold = 0;

	space.known = tables_known_of(++space.generation);
	paths_forked();
	for (const struct space_thread *t; (t = tables_next_thread(&walk));)
		untold += t->series.live;
	series_forked(untold);
	atomic_flag_clear(&producers_lock);
	atomic_flag_clear(&others_lock);
	busy = false;
	space_self = NULL;
	space_quick = (struct space_thread *)nobody;
	while (nr_threads > 0) {
		struct space_thread **t = &threads[--nr_threads];

		if (*t && *t == own)
			leave_in_place(*t);
		else if (*t)
			forget(*t);
		*t = NULL;
	}
	if (others)
		forget(others);
	others = NULL;
	pools_forked();
}
