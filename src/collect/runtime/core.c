/* Start, the raw file, the modules. */
#include "runtime.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/single_threaded.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "note.h"
#include "unwind.h"

struct runtime runtime;
static bool started;

/* ---- the lock ---- */

static struct {
	atomic_flag taken;
	_Atomic uintptr_t holder; /* its thread pointer; 0: nobody */
	bool blocks;		  /* it has blocked signals */
	uint64_t mask, sampling;  /* what it blocked before, what was never blocked then */
} lock = {.taken = ATOMIC_FLAG_INIT};

void
runtime_lock(void)
{
	bool blocks = !runtime_closed();
	uint64_t mask = blocks ? signals_hold(0) : 0;

	while (atomic_flag_test_and_set_explicit(&lock.taken, memory_order_acquire)) {
		slots_take_base(); /* the holder may wait for that */
		kernel(SYS_sched_yield);
	}
	atomic_store(&lock.holder, thread_pointer());
	lock.blocks = blocks;
	lock.mask = mask;
	lock.sampling = signals_never_blocked();
}

/* What has become a sampling signal meanwhile may be blocked: it is let in, but told to be. */
void
runtime_unlock(void)
{
	uint64_t sampling = signals_never_blocked(), mask = lock.mask;
	struct slot *s = slot_base();
	bool blocks = lock.blocks;

	if (s && blocks)
		s->blocked |= mask & sampling & ~lock.sampling;
	atomic_store(&lock.holder, 0);
	atomic_flag_clear_explicit(&lock.taken, memory_order_release);
	if (blocks)
		signals_let_in_own(mask & ~sampling);
}

bool
runtime_holds_lock(void)
{
	return atomic_load(&lock.holder) == thread_pointer();
}

uint64_t
runtime_mask(void)
{
	return lock.mask;
}

void *
sys_mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset)
{
	return (void *)kernel(SYS_mmap, address, length, protection, flags, fd, offset);
}

void
sys_munmap(void *address, size_t length)
{
	kernel(SYS_munmap, address, length);
}

/* ---- modules ---- */

struct found {
	uint64_t *begin, *end;
	const int64_t *sites, *sites_end;
	const struct open_count *open, *open_end;
	const unsigned char *build_id;
	uint32_t build_id_length;
	const struct runtime_door *door;
	size_t door_size;
	bool enters_kernel;
};

static void
read_note(const Elf64_Nhdr *note, const char *name, const unsigned char *desc, struct found *f)
{
	const int64_t *distance = (const int64_t *)desc;

	if (note->n_namesz == sizeof(CGVIEW_NOTE_NAME) &&
	    !memcmp(name, CGVIEW_NOTE_NAME, note->n_namesz)) {
		f->begin = (uint64_t *)(desc + distance[0]);
		f->end = (uint64_t *)(desc + 8 + distance[1]);
		if (note->n_descsz >= 24)
			f->door = (const struct runtime_door *)(desc + 16 + distance[2]);
		/* A library that was built when the door had but two members gives no size. */
		f->door_size = note->n_descsz >= 32 ? (size_t)distance[3]
						    : offsetof(struct runtime_door, create);
	} else if (note->n_namesz == sizeof(CGVIEW_KERNEL_NOTE_NAME) &&
		   !memcmp(name, CGVIEW_KERNEL_NOTE_NAME, note->n_namesz)) {
		f->enters_kernel = true;
	} else if (note->n_namesz == sizeof(CGVIEW_SITES_NOTE_NAME) &&
		   !memcmp(name, CGVIEW_SITES_NOTE_NAME, note->n_namesz)) {
		f->sites = (const int64_t *)(desc + distance[0]);
		f->sites_end = (const int64_t *)(desc + 8 + distance[1]);
	} else if (note->n_namesz == sizeof(CGVIEW_OPEN_NOTE_NAME) &&
		   !memcmp(name, CGVIEW_OPEN_NOTE_NAME, note->n_namesz)) {
		/* Two places of a module may tell: it is the same. */
		f->open = (const struct open_count *)(desc + distance[0]);
		f->open_end = (const struct open_count *)(desc + 8 + distance[1]);
		f->open_end = f->open + (f->open_end - f->open); /* whole ones */
	} else if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
		   !memcmp(name, "GNU", 4)) {
		f->build_id = desc;
		f->build_id_length = note->n_descsz;
	}
}

/* Notes are multiples of 4 bytes, whatever the segment's alignment: mold puts those of 4 and of 8
 * into one segment, which is aligned as the largest. Those of 8 (.note.gnu.property) are multiples
 * of that by themselves; a word of 0 before one of them fills up. */
static void
read_notes(const char *p, size_t size, struct found *f)
{
	enum { ALIGN = 4 };
	const char *end = p + size;

	while ((size_t)(end - p) >= sizeof(Elf64_Nhdr)) {
		const Elf64_Nhdr *note = (const Elf64_Nhdr *)p;
		const char *name = p + sizeof(*note);
		const char *desc = name + (((size_t)note->n_namesz + ALIGN - 1) & -ALIGN);

		if (!note->n_namesz) {
			p += ALIGN;
			continue;
		}
		if (note->n_descsz > end - desc)
			return;
		read_note(note, name, (const unsigned char *)desc, f);
		p = desc + (((size_t)note->n_descsz + ALIGN - 1) & -ALIGN);
	}
}

static struct found
find_notes(const struct dl_phdr_info *info)
{
	struct found f = {0};
	int i;

	for (i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_NOTE)
			read_notes((const char *)info->dlpi_addr + info->dlpi_phdr[i].p_vaddr,
				   info->dlpi_phdr[i].p_memsz, &f);
	return f;
}

static int
find_started(struct dl_phdr_info *info, size_t size, void *found)
{
	struct found f = find_notes(info);

	(void)size;
	if (!f.door || !*f.door->started)
		return 0;
	*(struct found *)found = f;
	return 1;
}

/* Children that open the same library at the same place share its description. */
static uint64_t
key_of_module(const struct module *m, const struct iovec *pieces, int nr)
{
	uint32_t place = raw_checksum(RAW_CHECKSUM_START, &m->counters, sizeof(m->counters));
	uint32_t data = RAW_CHECKSUM_START;
	int i;

	place = raw_checksum(place, &m->nr_counters, sizeof(m->nr_counters));
	place = raw_checksum(place, &m->looks, sizeof(m->looks));
	for (i = 0; i < nr; i++)
		data = raw_checksum(data, pieces[i].iov_base, pieces[i].iov_len);
	return (uint64_t)place << 32 | data;
}

/* PATH begins in DIRECTORY; "": it is a whole one. */
static void
write_module_at(struct module *m, const char *directory, const char *path)
{
	struct iovec pieces[EXTENT_PIECES] = {{(char *)directory, strlen(directory)},
				 {"/", *directory != 0},
				 {(char *)path, strlen(path) + 1},
				 {m->build_id, m->build_id_length}};
	const int nr = sizeof(pieces) / sizeof(*pieces);
	struct extent_request r = {
		.kind = RAW_MODULE,
		.compact = true,
		.load_bias = m->load_bias,
		.counters = (uintptr_t)m->counters,
		.nr_counters = m->nr_counters,
		.text_start = m->text_start,
		.text_end = m->text_end,
		.build_id_length = m->build_id_length,
	};
	uint64_t at;
	int i;

	for (i = 0; i < nr; i++)
		r.data_length += pieces[i].iov_len;
	r.key = key_of_module(m, pieces, nr);
	at = kept_find(r.key);
	if (!at)
		at = share_find(RAW_MODULE, r.key);
	if (!at)
		at = extent_write(&r, pieces, nr);
	kept_note(r.key, at);
	m->number = (uint32_t)(at / RAW_PAGE);
}

/* Not for most: a large buffer on the stack is pages of it that are touched for nothing. */
static __attribute__((noinline)) void
write_relative(struct module *m, const char *path)
{
	char directory[4096];

	write_module_at(m, file_directory(directory, sizeof(directory)) ? directory : "", path);
}

static void
write_module(uint32_t id, const char *path)
{
	struct module *m = &runtime.modules[id];

	if (!*path) /* the first: the program */
		write_module_at(m, "", file_program());
	else if (*path == '/')
		write_module_at(m, "", path);
	else
		write_relative(m, path);
}

/* Two libraries without build-id differ at least in where they have what. */
static uint32_t
looks_of(const struct dl_phdr_info *info)
{
	uint32_t sum = raw_checksum(RAW_CHECKSUM_START, info->dlpi_name, strlen(info->dlpi_name));
	int i;

	sum = raw_checksum(sum, info->dlpi_phdr, info->dlpi_phnum * sizeof(*info->dlpi_phdr));
	for (i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME)
			sum = raw_checksum(sum,
					   (const char *)info->dlpi_addr +
						   info->dlpi_phdr[i].p_vaddr,
					   info->dlpi_phdr[i].p_memsz);
	return sum;
}

static struct module
describe_module(const struct dl_phdr_info *info, const struct found *f)
{
	struct module m = {
		.counters = f->begin,
		.nr_counters = (uint64_t)(f->end - f->begin),
		.sites = f->sites,
		.sites_end = f->sites_end,
		.open = f->open,
		.open_end = f->open_end,
		.load_bias = info->dlpi_addr,
		.build_id_length = f->build_id_length,
		.state = MODULE_LIVE,
	};
	int i;

	if (m.build_id_length > sizeof(m.build_id))
		m.build_id_length = sizeof(m.build_id);
	if (f->build_id)
		memcpy(m.build_id, f->build_id, m.build_id_length);
	if (!m.build_id_length)
		m.looks = looks_of(info);
	for (i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X)) {
			m.text_start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
			m.text_end = m.text_start + info->dlpi_phdr[i].p_memsz;
		}
	return m;
}

/* Are A and B the same module at the same place? A program without a runtime closes libraries in
 * silence, and opens others where they were. */
static bool
same_module(const struct module *a, const struct module *b)
{
	return a->counters == b->counters && a->nr_counters == b->nr_counters &&
	       a->load_bias == b->load_bias && a->text_start == b->text_start &&
	       a->text_end == b->text_end && a->looks == b->looks &&
	       a->build_id_length == b->build_id_length &&
	       !memcmp(a->build_id, b->build_id, a->build_id_length);
}

/* The place of M in the table, if it is, or was, there; else -1. The loader tells of modules in the
 * order in which they came: the next one mostly stands behind the one before. */
static int
find_module(const struct module *m)
{
	static uint32_t next;
	uint32_t n = runtime.nr_modules, i, k;

	for (k = 0; k < n; k++) {
		i = (next + k) % n;
		if (runtime.modules[i].state == MODULE_UNUSED ||
		    !same_module(&runtime.modules[i], m))
			continue;
		next = i + 1;
		return (int)i;
	}
	return -1;
}

/* Of a library that may be closed what it tells of itself is copied: it goes without a word where
 * the program has no runtime, and who looks at it then must find something. */
static void
keep_tables(struct module *m)
{
	size_t nr_sites = (size_t)(m->sites_end - m->sites);
	size_t nr_open = (size_t)(m->open_end - m->open), i;
	size_t bytes = nr_open * sizeof(*m->open) + nr_sites * sizeof(*m->sites);
	struct open_count *open;
	int64_t *sites;

	if (!bytes)
		return;
	open = sys_mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (open == MAP_FAILED)
		return;
	sites = (int64_t *)(open + nr_open);
	/* Distances are from where they stand. */
	for (i = 0; i < nr_open; i++) {
		open[i] = m->open[i];
		open[i].distance += (int64_t)((uintptr_t)&m->open[i] - (uintptr_t)&open[i]);
	}
	for (i = 0; i < nr_sites; i++)
		sites[i] = m->sites[i] + (int64_t)((uintptr_t)&m->sites[i] - (uintptr_t)&sites[i]);
	m->open = open;
	m->open_end = open + nr_open;
	m->sites = sites;
	m->sites_end = sites + nr_sites;
	m->kept = open;
	m->kept_bytes = bytes;
}

/* A place in the table; closed modules give theirs up, as the new one may lie where they were. */
static bool modules_given_up;
static bool some_closed; /* or given up: the table is not full of those that are there */

static uint32_t
place_for_module(void)
{
	uint32_t i, place = runtime.nr_modules;

	if (!some_closed)
		return place;
	some_closed = false;
	for (i = runtime.nr_modules; i-- > 0;) {
		if (runtime.modules[i].state == MODULE_CLOSED) {
			slots_unmap_module(i);
			if (runtime.modules[i].kept)
				sys_munmap(runtime.modules[i].kept, runtime.modules[i].kept_bytes);
			runtime.modules[i].state = MODULE_UNUSED;
			modules_given_up = true;
		}
		if (runtime.modules[i].state == MODULE_UNUSED) {
			some_closed = place < runtime.nr_modules; /* another one is */
			place = i;
		}
	}
	return place;
}

/* There will be more than a few. Who looks at the old ones meanwhile finds what they were. */
static void
move_modules(void)
{
	memcpy(runtime.tables->modules, runtime.tables->first_modules,
	       sizeof(runtime.tables->first_modules));
	atomic_thread_fence(memory_order_release);
	runtime.modules = runtime.tables->modules;
}

/* ---- what the loader has opened and closed ---- */

/* Where there are a thousand libraries, and each that comes asks what there is, nobody may look at
 * all of them each time. As long as none is closed new ones come behind those that were there. */
static struct {
	unsigned long long opened, closed; /* so far, when it was asked last */
	unsigned long long told; /* opened when the latest maps were written */
	uint32_t nr;		 /* libraries that have been considered; 0: all are to be, anew */
	uint32_t sum;		 /* of what these are and where, in whatever order */
} loader;

/* Looking through the loader's list. */
struct scan {
	bool may_go; /* modules that are new */
	bool all_new; /* those that have not been considered: none is in the table */
	uint32_t nr, sum;
	unsigned long long opened, closed;
};

static void
scan_next(struct scan *s, const struct dl_phdr_info *info)
{
	const char *name = info->dlpi_name;

	s->opened = info->dlpi_adds;
	s->closed = info->dlpi_subs;
	if (!s->nr++) {
		if (s->closed != loader.closed)
			loader.nr = loader.sum = 0;
		s->all_new = !runtime.nr_modules || (loader.nr && !some_closed);
	}
	if (s->nr > loader.nr)
		s->sum += raw_checksum(raw_checksum(RAW_CHECKSUM_START, &info->dlpi_addr,
						    sizeof(info->dlpi_addr)),
				       name, strlen(name));
}

static int
ask_loader(struct dl_phdr_info *info, size_t size, void *scan)
{
	struct scan *s = scan;

	(void)size;
	s->opened = info->dlpi_adds;
	s->closed = info->dlpi_subs;
	return 1;
}

static void
give_up_modules(void)
{
	char what[80];
	size_t at = add_text(what, sizeof(what), 0, "more than ");

	at = add_number(what, sizeof(what), at, MAX_MODULES);
	add_text(what, sizeof(what), at, " libraries have counters: no room for more in");
	slots_give_up(what, 0);
}

static int
consider_module(struct dl_phdr_info *info, size_t size, void *scan)
{
	struct scan *s = scan;
	struct found f;
	struct module m;
	uint32_t place;
	int known;

	(void)size;
	scan_next(s, info);
	if (s->nr <= loader.nr)
		return 0;
	f = find_notes(info);
	runtime.enters_kernel |= f.enters_kernel;
	if (!f.begin || f.end <= f.begin)
		return 0;
	m = describe_module(info, &f);
	known = s->all_new ? -1 : find_module(&m);
	if (known >= 0) { /* opened again where it was, it goes on counting there */
		runtime.modules[known].state = MODULE_LIVE;
		return 0;
	}
	place = place_for_module();
	if (place == FEW_MODULES && runtime.modules == runtime.tables->first_modules)
		move_modules();
	if (place == MAX_MODULES) {
		give_up_modules();
		return 1;
	}
	if (s->may_go)
		keep_tables(&m);
	runtime.modules[place] = m;
	write_module(place, info->dlpi_name);
	if (place == runtime.nr_modules)
		atomic_store(&runtime.nr_modules, place + 1);
	if (!slots_map_module(place))
		return 1;
	if (modules_given_up)
		atomic_fetch_add(&runtime.layout, 1);
	return 0;
}

/* The lock is held. */
static void
consider_modules(bool may_go)
{
	struct scan s = {.may_go = may_go};

	dl_iterate_phdr(consider_module, &s);
	loader.opened = s.opened;
	loader.closed = s.closed;
	loader.nr = s.nr;
	loader.sum += s.sum;
}

static int
note_seen(struct dl_phdr_info *info, size_t size, void *scan)
{
	struct found f = find_notes(info);
	struct module m;
	int known;

	(void)size;
	scan_next(scan, info);
	if (!f.begin || f.end <= f.begin)
		return 0;
	m = describe_module(info, &f);
	known = find_module(&m);
	if (known >= 0)
		runtime.modules[known].seen = true;
	return 0;
}

/* Modules that dlclose() took away. The lock is held. */
static void
drop_closed_modules(void)
{
	struct scan s = {.nr = 0};
	uint32_t i;

	FOR_EACH_MODULE(i)
	runtime.modules[i].seen = false;
	dl_iterate_phdr(note_seen, &s);
	FOR_EACH_MODULE(i)
		if (!runtime.modules[i].seen) {
			runtime.modules[i].state = MODULE_CLOSED;
			some_closed = true;
		}
	loader.closed = s.closed;
	if (s.opened == loader.opened) { /* all that are left have been considered */
		loader.nr = s.nr;
		loader.sum = s.sum;
	}
}

/* Looks what has changed. The lock is held. */
static void
follow_loader(void)
{
	struct scan now = {.nr = 0};

	dl_iterate_phdr(ask_loader, &now);
	if (now.closed != loader.closed)
		drop_closed_modules();
	if (now.opened == loader.opened)
		return;
	consider_modules(true);
	sampling_beware();
}

static uint64_t
write_maps_anew(struct extent_request *r, bool at_start)
{
	struct iovec piece = {runtime.tables->first_maps, 0};

	if (at_start)
		piece.iov_len = maps_loaded(piece.iov_base, FEW_MAPS);
	if (!piece.iov_len) {
		piece.iov_base = runtime.tables->maps;
		piece.iov_len = maps_read(piece.iov_base, MAPS_ROOM, at_start);
	}
	r->data_length = r->used = piece.iov_len;
	return piece.iov_len ? extent_write(r, &piece, 1) : 0;
}

/* Nothing is written, or even asked for, when the same is where it was before: a library may come
 * and go a million times. */
static void
write_maps(bool at_start)
{
	struct extent_request r = {.kind = RAW_MAPS, .compact = true};
	uint64_t at;

	loader.told = loader.opened;
	r.key = (uint64_t)RAW_MAPS << 32 | loader.sum;
	if (r.key == runtime.maps_key)
		return;
	at = kept_find(r.key);
	if (!at)
		at = share_find(RAW_MAPS, r.key);
	if (!at)
		at = write_maps_anew(&r, at_start);
	kept_note(r.key, at);
	if (at)
		runtime.maps_key = r.key;
}

/* Where many libraries are opened one after the other, not each has maps of its own: an eighth more
 * than before is told of at once, so that all maps together are not more than eight times the last.
 * What comes behind the last ones is told before a library goes, and at the end. */
static void
write_maps_if_many(void)
{
	enum { FEW = 64 };
	unsigned long long since = loader.opened - loader.told;

	if (since && (loader.nr < FEW || since > loader.nr / 8))
		write_maps(false);
}

static void
register_modules(void)
{
	unsigned long long opened = loader.opened, closed = loader.closed;

	if (!runtime.active)
		return;
	runtime_lock();
	thread_adopt();
	sampling_look_after();
	follow_loader();
	if (opened != loader.opened || closed != loader.closed) {
		unwind_forget();
		space_moved();
		write_maps_if_many();
	}
	runtime_unlock();
}

/* Keeps what threads without a copy have counted in the library's own counters: it would go with
 * the library. */
static void
leave(const uint64_t *counters)
{
	uint32_t i;

	if (!runtime.active || !runtime.in_library || runtime_closed())
		return;
	runtime_lock();
	thread_adopt();
	FOR_EACH_MODULE(i)
		if (runtime.modules[i].counters == counters && slot_self())
			slot_move_own_counts(&runtime.modules[i], slot_self());
	runtime_unlock();
}

void
runtime_leave(const uint64_t *counters)
{
	runtime_door.leave(counters);
}

/* Something may have been unloaded: forgets the modules that are gone. */
static void
forget_closed_modules(void)
{
	unsigned long long closed = loader.closed;

	if (!runtime.active)
		return;
	runtime_lock();
	follow_loader();
	if (closed != loader.closed)
		space_moved();
	runtime_unlock();
}

/* A library may go: it is told now where it was. */
static void
tell_maps(void)
{
	if (!runtime.active || loader.told == loader.opened)
		return;
	runtime_lock();
	write_maps(false);
	runtime_unlock();
}

static void
unload(bool done)
{
	if (!done) {
		tell_maps();
		unwind_suspend();
		return;
	}
	forget_closed_modules();
	unwind_resume();
}

static void
enter_sandbox(void)
{
	uint32_t i;

	if (!runtime.active || runtime_closed())
		return;
	runtime_lock();
	if (!atomic_exchange(&runtime.closed, true)) {
		for (i = 0; i < runtime.nr_slots; i++)
			sampling_stop(&runtime.slots[i]);
		wall_stop();
		atomic_fetch_or((_Atomic uint64_t *)&runtime.head->flags, RAW_SANDBOXED);
	}
	runtime_unlock();
}

struct runtime_door runtime_door = {
	.started = &started, .enter = register_modules, .create = thread_create_here,
	.unload = unload, .leave = leave, .note_target = targets_note,
	.action = signals_action_here, .owns = signals_owned_here, .mask = signals_mask_here,
	.call = signals_syscall_here, .enter_sandbox = enter_sandbox,
	.note_pool = space_note_pool,
};
_Static_assert(sizeof(struct runtime_door) == 96, "the note tells its size");

/* ---- fork ---- */

static _Atomic uint32_t forking; /* the thread that forks; 0: none does */

bool
runtime_is_forking(void)
{
	return atomic_load(&forking) == (uint32_t)kernel(SYS_gettid);
}

/* From here on until it is done behind, the lock is held, and no signal comes: neither to the
 * program, whose handler may fork as well, or jump away; nor is a sample taken, for which fork(2)
 * would begin anew, and with a large program never get done. */
void
runtime_before_fork(void)
{
	if (runtime.active && !runtime_closed())
		runtime_lock();
	if (!runtime_holds_lock())
		return;
	atomic_store(&forking, (uint32_t)kernel(SYS_gettid));
	share_before_fork();
	slots_before_fork();
}

/* Nothing new can be written: the child counts where its parent does, and both may lose some. */
static void
count_with_parent(void)
{
	runtime.forked = true;
	runtime.head->flags |= RAW_SHARED_COUNTERS;
}

static void
begin_in_child(void)
{
	unwind_after_fork();
	process_mark();
	if (runtime_closed()) {
		count_with_parent();
		return;
	}
	runtime.pid = (uint32_t)kernel(SYS_getpid);
	share_after_fork();
	slots_after_fork();
	space_after_fork();
}

void
runtime_after_fork(bool child)
{
	bool locked = runtime_holds_lock();

	if (child && runtime.active)
		begin_in_child();
	if (locked)
		sampling_look_after();
	if (child)
		wall_start();
	if (!locked)
		return;
	atomic_store(&forking, 0);
	runtime_unlock();
}

static void
after_fork_in_parent(void)
{
	runtime_after_fork(false);
}

static void
after_fork_in_child(void)
{
	runtime_after_fork(true);
}

/* ---- start ---- */

static bool
map_tables(void)
{
	void *p = sys_mmap(NULL, sizeof(struct tables), PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return false;
	/* Of most pages one is used in a hundred. */
	kernel(SYS_madvise, p, sizeof(struct tables), MADV_NOHUGEPAGE);
	runtime.tables = p;
	runtime.slots = runtime.tables->slots;
	runtime.modules = runtime.tables->first_modules;
	return true;
}

/* Nobody will ask which library an address is in where nothing notes any. */
static bool
notes_addresses(const struct settings *s)
{
	bool notes = s->hz > 0 || s->wall || s->events || s->space;
	uint32_t i;

	FOR_EACH_MODULE(i)
		notes |= runtime.modules[i].sites < runtime.modules[i].sites_end;
	return notes;
}

/* The lock is held. */
static void
begin(int argc, char **argv, char **envp)
{
	struct settings settings;
	struct slot *s;

	started = true;
	if (getauxval(AT_SECURE)) /* another user's privileges: no files, no environment */
		return;
	runtime.pid = (uint32_t)kernel(SYS_getpid);
	settings_read(&settings, envp);
	if (settings.off)
		return;
#ifndef HWCAP2_FSGSBASE
#define HWCAP2_FSGSBASE (1 << 1)
#endif
	runtime.can_set_gs = (getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE) != 0;
	runtime.interval_ns = settings.hz > 0 ? 1000000000 / settings.hz : 0;
	runtime.rate_asked = settings.hz_asked;
	runtime.asks_who_waits = settings.wall;
	if (!map_tables()) {
		complain("there is no memory to profile in", errno);
		return;
	}
	if (!file_open(&settings, argc, argv))
		return;
	runtime.active = true;
	consider_modules(!argc); /* a program closes libraries as it likes */
	if (!slots_have_word()) {
		runtime.active = false;
		complain("the linker has hidden the program's counters from", 0);
		return;
	}
	s = slot_take();
	if (!s) {
		runtime.active = false;
		tell_once("cannot map the counters of", errno);
		return;
	}
	s->stack_hi = (uintptr_t)envp;
	s->wanted_stack = 64 << 20;
	unwind_start(argc > 0);
	signals_own_bus_error();
	sampling_install();
	events_install(settings.events, !settings.timer);
	slot_enter(s);
	if (notes_addresses(&settings))
		write_maps(argc > 0);
	if (settings.space)
		space_start(&settings);
	runtime.reserved = 0;
	process_mark();
	runtime_find_exit();
	pthread_atfork(runtime_before_fork, after_fork_in_parent, after_fork_in_child);
	wall_start();
}

/* Starts in a library, of a program that was not built with us, or has its own runtime out of
 * sight. The lock is held. */
static void
start_in_library(void)
{
	extern char **environ;
	static char *no_arguments[] = {NULL};
	struct found other = {.door = NULL};

	dl_iterate_phdr(find_started, &other);
	if (other.door) {
		memcpy(&runtime_door, other.door,
		       other.door_size < sizeof(runtime_door) ? other.door_size
							      : sizeof(runtime_door));
		return;
	}
	begin(0, no_arguments, environ);
	runtime.in_library = true;
}

void
__cgview_register(void)
{
	if (!started && runtime_door.started == &started) {
		runtime_lock();
		start_in_library();
		runtime_unlock();
		if (runtime.in_library)
			runtime_pin(); /* which may call other libraries' constructors */
	}
	runtime_door.enter();
}

/* ---- sandboxes ---- */

/* A filter may kill the process for any call that it does not expect. */
void
runtime_enter_sandbox(void)
{
	runtime_door.enter_sandbox();
}

/* ---- the program's start and end ---- */

void
runtime_start(int argc, char **argv, char **envp)
{
	runtime_lock();
	if (!started)
		begin(argc, argv, envp);
	runtime_unlock();
}

__attribute__((destructor(101))) static void
runtime_end(void)
{
	struct slot *s = slot_self();
	uint32_t i;

	if (process_is_unseen()) { /* the lock may have been another's when it was made */
		process_ends();
		return;
	}
	if (runtime.active) {
		runtime_lock();
		follow_loader();
		runtime_unlock();
	}
	loops_wait();
	if (s && runtime.active)
		FOR_EACH_MODULE(i)
	slot_move_own_counts(&runtime.modules[i], s);
	sampling_look_back();
	space_end();
	if (runtime.active && runtime.in_library && !__libc_single_threaded &&
	    !runtime_sees_threads())
		atomic_fetch_or((_Atomic uint64_t *)&runtime.head->flags, RAW_SHARED_COUNTERS);
	if (!runtime.active || runtime.forked || runtime_closed())
		return;
	if (s) {
		slot_note_cpu(s, clock_ns(CLOCK_THREAD_CPUTIME_ID));
		slot_note_name(s);
	}
	/* There may be calls of libraries that were opened meanwhile, and samples in them. */
	if (s && loader.opened != loader.told &&
	    (runtime.head->flags & RAW_POINTERS || runtime.interval_ns > 0))
		write_maps(false);
	runtime.head->ended_ns = clock_ns(CLOCK_REALTIME);
}
