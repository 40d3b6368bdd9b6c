/* The file that perf record writes: its samples become stacks. */
#include "collect/import/foreign/foreign_format.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collect/import/foreign/perf_growing.h"
#include "collect/import/foreign/stacks.h"
#include "collect/import/perf/jit_map.h"
#include "collect/import/perf/kernel_symbols.h"
#include "collect/import/perf/perf_file.h"
#include "collect/import/perf/perf_maps.h"
#include "collect/import/perf/perf_sample.h"
#include "collect/import/perf/perf_unwind.h"
#include "collect/import/unpack.h"
#include "util/input.h"
#include "util/mem.h"

#define KERNEL "[kernel.kallsyms]"
#define CONTEXT_FIRST ((uint64_t)-4095) /* an entry of a chain from here on is none */
#define CONTEXT_DEFERRED ((uint64_t)-640)

enum { NO_EVENT = -1, NEW_EVENT = -2 };

struct reader {
	struct perf_file file;
	struct stacks *stacks;
	struct perf_processes processes;
	struct perf_modules modules;
	struct kernel_symbols kernel;
	struct jit_maps jits;
	bool kernel_read;
	uint64_t kernel_shift;     /* from recorded addresses to those of the symbols */
	uint64_t kernel_text;      /* where it was recorded to begin; 0: not told */
	size_t ids_taken;          /* so many of the file's build ids are the modules' */
	int *numbers;              /* of the file's events, as the stacks have them */
	size_t nr_numbers, numbers_alloc;
	struct stacks_frame *frames;
	size_t nr_frames, frames_alloc;
	struct perf_caller *places;
	uint64_t lost, compat, deferred;
	/* Takes each sample in place of STACKS; NULL: none does. */
	void (*taker)(void *context, const struct stacks_sample *sample);
	void *context;
};

static uint64_t
u64_at(const uint8_t *p, uint64_t i)
{
	uint64_t v;

	memcpy(&v, p + 8 * i, sizeof(v));
	return v;
}

/* ---- events ---- */

static bool
is_clock(const struct perf_event *e)
{
	return e->type == PERF_TYPE_SOFTWARE &&
	       (e->config == PERF_COUNT_SW_CPU_CLOCK || e->config == PERF_COUNT_SW_TASK_CLOCK);
}

/* Faults are told at the instruction; else what is told runs next. */
static bool
tells_next(const struct perf_event *e)
{
	return e->type == PERF_TYPE_SOFTWARE ? is_clock(e)
					     : e->type != PERF_TYPE_TRACEPOINT &&
					       e->type != PERF_TYPE_BREAKPOINT && !e->precise;
}

/* The two halves of an event on processors of two kinds are one. */
static struct stacks_text
whole_name(const char *name)
{
	static const char *const halves[] = { "cpu_core/", "cpu_atom/" };
	struct stacks_text t = { name, strlen(name) };

	for (size_t i = 0; i < 2; i++) {
		size_t n = strlen(halves[i]);

		if (t.length <= n || strncmp(t.at, halves[i], n) != 0)
			continue;
		t.at += n;
		t.length -= n;
		if (t.at[t.length - 1] == '/')
			t.length--;
	}
	return t;
}

static struct stacks_text
name_of(const struct perf_event *e, struct strbuf *room)
{
	static const char *const hardware[] = {
		"cycles", "instructions", "cache-references", "cache-misses", "branches",
		"branch-misses", "bus-cycles", "stalled-cycles-frontend",
		"stalled-cycles-backend", "ref-cycles",
	};
	static const char *const software[] = {
		"cpu-clock", "task-clock", "page-faults", "context-switches", "cpu-migrations",
		"minor-faults", "major-faults", "alignment-faults", "emulation-faults",
	};
	uint64_t config = e->config & UINT32_MAX; /* above it: which processor */

	if (e->name)
		return whole_name(e->name);
	if (e->type == PERF_TYPE_HARDWARE && config < sizeof(hardware) / sizeof(*hardware))
		strbuf_str(room, hardware[config]);
	else if (e->type == PERF_TYPE_SOFTWARE && config < sizeof(software) / sizeof(*software))
		strbuf_str(room, software[config]);
	else
		strbuf_fmt(room, "event %u:%llx", e->type, (unsigned long long)e->config);
	return (struct stacks_text){ room->buf, room->len };
}

static int
number_of(struct reader *r, const struct perf_event *e)
{
	size_t i = (size_t)(e - r->file.events);
	struct strbuf room = STRBUF_INIT;

	GROW(r->numbers, r->file.nr_events, r->numbers_alloc);
	while (r->nr_numbers < r->file.nr_events)
		r->numbers[r->nr_numbers++] = NEW_EVENT;
	if (r->numbers[i] == NEW_EVENT)
		r->numbers[i] = stacks_event(r->stacks, &(struct stacks_event){
			.name = name_of(e, &room),
			.unit = is_clock(e) ? STACKS_TEXT("ns") : STACKS_TEXT("count"),
		});
	strbuf_release(&room);
	return r->numbers[i] < 0 ? NO_EVENT : r->numbers[i];
}

/* ---- frames ---- */

static struct stacks_text
text_of(const char *s)
{
	return (struct stacks_text){ s, strlen(s) };
}

static void
push_frame(struct reader *r, const struct stacks_frame *f)
{
	if (r->nr_frames > STACKS_MAX_FRAMES)
		return;
	GROW(r->frames, r->nr_frames + 1, r->frames_alloc);
	r->frames[r->nr_frames++] = *f;
}

/* Symbols are read when the first address wants one, and then only if it is the same kernel. */
static void
read_kernel(struct reader *r)
{
	uint32_t module = perf_module_of(&r->modules, KERNEL, strlen(KERNEL));

	r->kernel_read = true;
	kernel_symbols_read(&r->kernel, perf_module_build(&r->modules, module),
			    r->file.release.buf);
	if (r->kernel_text && r->kernel.text)
		r->kernel_shift = r->kernel.text - r->kernel_text;
}

static void
push_kernel(struct reader *r, uint64_t address)
{
	const char *name;

	if (!r->kernel_read)
		read_kernel(r);
	name = kernel_symbol_at(&r->kernel, address + r->kernel_shift);
	push_frame(r, &(struct stacks_frame){
		.module = { KERNEL, sizeof(KERNEL) - 1 }, .symbol = text_of(name ? name : ""),
		.offset = STACKS_NO_OFFSET,
	});
}

/* Is it memory of no file, where a program may make code? */
static bool
is_made(const char *path)
{
	return !strcmp(path, "//anon") || !strncmp(path, "[anon", 5) ||
	       !strncmp(path, "/memfd:", 7) || !*path;
}

/* NEXT: see struct stacks_frame. */
static void
push_user(struct reader *r, uint32_t pid, uint64_t address, bool next)
{
	const struct perf_map *map = perf_map_at(&r->processes, pid, address);
	struct stacks_frame f = { .symbol = { "", 0 }, .offset = STACKS_NO_OFFSET,
				  .module = { "", 0 } };
	const char *made = NULL;

	if (map && is_made(perf_module_path(&r->modules, map->module)))
		made = jit_symbol_at(&r->jits, pid, address);
	if (map)
		f.module = text_of(perf_module_path(&r->modules, map->module));
	if (made) {
		f.symbol = text_of(made);
	} else if (map) {
		f.address = address - map->begin + map->offset;
		f.in_file = true;
		f.next = next;
	}
	push_frame(r, &f);
}

/* The part of a chain that is the process's own, from FIRST on: where it was, then the addresses
 * that are returned to. LAST, if not 0, is one of these: only what is farther out. Returns whether
 * the chain leads to where there is nothing. */
static bool
push_user_chain(struct reader *r, const struct perf_sample *s, uint64_t first, bool next,
		uint64_t last)
{
	bool on = !last;

	for (uint64_t i = first; i < s->nr_chain; i++) {
		uint64_t at = u64_at(s->chain, i);

		if (at >= CONTEXT_FIRST)
			break;
		if (i > first && !perf_map_at(&r->processes, s->pid, at - 1))
			return true;
		if (on)
			push_user(r, s->pid, i == first ? at : at - 1, i == first && next);
		on |= at == last;
	}
	return false;
}

/* Returns where the process's own part of the chain begins; its length: there is none. */
static uint64_t
user_part(const struct perf_sample *s, bool in_user)
{
	uint64_t i;

	for (i = 0; i < s->nr_chain; i++)
		if (u64_at(s->chain, i) == PERF_CONTEXT_USER)
			return i + 1;
	return in_user && s->nr_chain && u64_at(s->chain, 0) < CONTEXT_FIRST ? 0 : s->nr_chain;
}

static void
push_unwound(struct reader *r, const struct perf_sample *s, uint64_t user, bool next, bool *cut)
{
	struct cfi_frame frame = s->regs;
	size_t n;

	if (!r->places)
		r->places = xcalloc(STACKS_MAX_FRAMES + 1, sizeof(*r->places));
	n = perf_unwind(&r->modules, &r->processes, s->pid, &frame, &s->stack, r->places,
			STACKS_MAX_FRAMES + 1, cut);
	for (size_t i = 0; i < n; i++)
		push_user(r, s->pid, r->places[i].address - r->places[i].is_return,
			  next && !i);
	/* The copy of the stack has an end. The kernel may have gone on by frame pointers. */
	if (*cut && user < s->nr_chain && n) {
		size_t before = r->nr_frames;

		*cut = push_user_chain(r, s, user, false, r->places[n - 1].address) ||
		       r->nr_frames == before;
	}
}

static void
push_kernel_chain(struct reader *r, const struct perf_sample *s)
{
	bool kernel = false, first = false;

	for (uint64_t i = 0; i < s->nr_chain; i++) {
		uint64_t at = u64_at(s->chain, i);

		if (at == CONTEXT_DEFERRED)
			r->deferred++;
		if (at >= CONTEXT_FIRST) {
			kernel = at == PERF_CONTEXT_KERNEL;
			first = true;
			continue;
		}
		if (kernel)
			push_kernel(r, first ? at : at - 1);
		first = false;
	}
}

static bool
is_user(uint16_t misc)
{
	return (misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER;
}

static bool
is_kernel(uint16_t misc)
{
	return (misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
}

/* Sets the frames of S. Returns whether others are farther out. */
static bool
find_frames(struct reader *r, const struct perf_event *e, const struct perf_sample *s,
	    uint16_t misc)
{
	uint64_t user = user_part(s, is_user(misc));
	bool next = tells_next(e), cut = false;
	const uint32_t needed = 1u << CFI_RA | 1u << CFI_SP;

	r->nr_frames = 0;
	push_kernel_chain(r, s);
	if (!r->nr_frames && is_kernel(misc))
		push_kernel(r, s->ip);
	r->compat += s->abi == PERF_SAMPLE_REGS_ABI_32;
	if (s->stack.size && (s->regs.known & needed) == needed &&
	    s->abi == PERF_SAMPLE_REGS_ABI_64)
		push_unwound(r, s, user, next, &cut);
	else if (user < s->nr_chain)
		cut = push_user_chain(r, s, user, next, 0);
	else if (!r->nr_frames && (is_user(misc) || e->sample_type & PERF_SAMPLE_IP))
		push_user(r, s->pid, s->ip, next);
	return cut;
}

static void
take_sample(struct reader *r, const struct perf_record *record)
{
	struct perf_bytes b = { record->body, record->body + record->size, false };
	struct stacks_value value = { .samples = 1 };
	struct stacks_sample out = { .values = &value, .nr_values = 1 };
	struct stacks_when when = { .kernel = is_kernel(record->misc) };
	struct perf_sample s;

	if (!perf_sample_read(record->event, b, &s)) {
		r->file.damaged++;
		return;
	}
	value.event = number_of(r, record->event);
	value.weight = count_figure(s.period);
	if (value.event < 0)
		return;
	out.cut = find_frames(r, record->event, &s, record->misc);
	out.pid = s.pid;
	out.tid = s.tid;
	out.name = text_of(perf_name_of(&r->processes, s.tid));
	out.frames = r->frames;
	out.nr_frames = r->nr_frames;
	when.ns = s.time;
	out.when = record->event->sample_type & PERF_SAMPLE_TIME ? &when : NULL;
	if (r->taker)
		r->taker(r->context, &out);
	else
		stacks_add(r->stacks, &out);
}

/* ---- other records ---- */

/* The file's build ids may come at any time, through a pipe. */
static void
take_build_ids(struct reader *r)
{
	for (; r->ids_taken < r->file.nr_build_ids; r->ids_taken++) {
		const struct perf_build_id *id = &r->file.build_ids[r->ids_taken];
		uint32_t module = perf_module_of(&r->modules, id->path, strlen(id->path));

		perf_module_set_build(&r->modules, module, id->id, id->length);
		stacks_build(r->stacks, text_of(id->path), id->id, id->length);
	}
}

static void
take_map(struct reader *r, const struct perf_record *record, bool second)
{
	enum { DEVICE = 24, PROTECTION = 8, LENGTH = 3, MOST_ID = 20 };
	struct perf_bytes b = { record->body, record->body + record->size, false };
	uint32_t pid = perf_u32(&b), tid = perf_u32(&b);
	struct perf_map map = { .begin = perf_u64(&b) };
	const uint8_t *id;
	struct stacks_text path;

	(void)tid;
	map.end = map.begin + perf_u64(&b);
	map.offset = perf_u64(&b);
	id = b.at;
	if (second)
		perf_skip(&b, DEVICE + PROTECTION);
	path = perf_text(&b);
	r->file.damaged += b.bad;
	if (b.bad)
		return;
	if (is_kernel(record->misc)) {
		if (path.length > strlen(KERNEL) &&
		    !memcmp(path.at, KERNEL "_", sizeof(KERNEL)) && !r->kernel_text)
			r->kernel_text = map.offset;
		return;
	}
	take_build_ids(r);
	map.module = perf_module_of(&r->modules, path.at, path.length);
	if (second && record->misc & PERF_RECORD_MISC_MMAP_BUILD_ID && *id <= MOST_ID) {
		perf_module_set_build(&r->modules, map.module, id + LENGTH + 1, *id);
		stacks_build(r->stacks, path, id + LENGTH + 1, *id);
	}
	perf_add_map(&r->processes, pid, &map);
}

static void
take_name(struct reader *r, const struct perf_record *record)
{
	struct perf_bytes b = { record->body, record->body + record->size, false };
	uint32_t pid = perf_u32(&b), tid = perf_u32(&b);
	struct stacks_text name = perf_text(&b);

	if (!b.bad)
		perf_set_name(&r->processes, pid, tid, name.at, name.length,
			      record->misc & PERF_RECORD_MISC_COMM_EXEC);
}

static void
take_fork(struct reader *r, const struct perf_record *record)
{
	struct perf_bytes b = { record->body, record->body + record->size, false };
	uint32_t pid = perf_u32(&b), from = perf_u32(&b), tid = perf_u32(&b);
	uint32_t from_tid = perf_u32(&b);

	/* What the tool makes up of processes that ran before tells their maps itself. */
	if (!b.bad && !(record->misc & PERF_RECORD_MISC_FORK_EXEC))
		perf_fork(&r->processes, pid, tid, from, from_tid);
}

static void
take_lost(struct reader *r, const struct perf_record *record, bool named)
{
	struct perf_bytes b = { record->body, record->body + record->size, false };

	if (named)
		perf_skip(&b, 8);
	r->lost += perf_u64(&b);
}

static void
take(void *reader, const struct perf_record *record)
{
	enum { LOST_SAMPLES = 13 };
	struct reader *r = reader;

	switch (record->type) {
	case PERF_RECORD_SAMPLE:
		take_sample(r, record);
		break;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		take_map(r, record, record->type == PERF_RECORD_MMAP2);
		break;
	case PERF_RECORD_COMM:
		take_name(r, record);
		break;
	case PERF_RECORD_FORK:
		take_fork(r, record);
		break;
	case PERF_RECORD_LOST:
	case LOST_SAMPLES:
		take_lost(r, record, record->type == PERF_RECORD_LOST);
		break;
	default:
		break;
	}
}

/* ---- the file ---- */

static void
tell(const struct reader *r, struct model *m)
{
	unsigned long long lost = r->lost, damaged = r->file.damaged, unknown = r->file.unknown;

	if (r->file.cut)
		model_note(m, "samples", "the file ends before its time: perf did not come to its "
			   "end, or it was cut; what there is was read");
	if (lost)
		model_note(m, "samples", "perf says that %llu records were lost", lost);
	if (damaged)
		model_note(m, "samples", "%llu records are damaged", damaged);
	if (unknown)
		model_note(m, "samples", "%llu samples are of events that the file does not tell "
			   "of", unknown);
	if (r->compat)
		model_note(m, "stacks", "%llu samples are of 32-bit programs: their callers are "
			   "not known", (unsigned long long)r->compat);
	if (r->deferred)
		model_note(m, "stacks", "%llu stacks end at the kernel: their outer part was "
			   "written apart, and is not read",
			   (unsigned long long)r->deferred);
	if (r->processes.left_out)
		model_note(m, "stacks", "%llu maps of memory were left out: there are too many",
			   (unsigned long long)r->processes.left_out);
}

static int
read_all(struct reader *r, int fd, const char *path, const struct stat *st, struct model *m,
	 struct error *err)
{
	struct strbuf tool = STRBUF_INIT;
	struct stacks_run run;
	struct stat of;
	int status;

	if (fstat(fd, &of))
		return input_failed(path, errno, err);
	status = perf_file_read(&r->file, path, fd, (uint64_t)of.st_size, take, r, err);
	if (status)
		return status;
	take_build_ids(r);
	if (strcmp(r->file.version.buf, "cgview") != 0) /* our own recorder */
		strbuf_str(&tool, r->file.version.len ? "perf " : "perf");
	strbuf_str(&tool, r->file.version.buf);
	run = (struct stacks_run){ .tool = text_of(tool.buf), .host = text_of(r->file.host.buf),
				   .command = text_of(r->file.command.buf), .from_first = true };
	status = stacks_finish(r->stacks, &run, path, st->st_uid, m, err);
	if (!status)
		tell(r, m);
	strbuf_release(&tool);
	return status;
}

/* A file without a name, which some file systems do not know: then it is in memory. */
static FILE *
open_room(void)
{
	FILE *f = tmpfile();
	int fd = f ? -1 : memfd_create("unpacked", MFD_CLOEXEC);

	if (fd >= 0 && !(f = fdopen(fd, "w+")))
		close(fd);
	return f;
}

/* Parts of the file are read out of their order: what is packed is unpacked into another one. NULL
 * and ERR. */
static FILE *
unpack(const char *path, struct error *err)
{
	struct stat st;
	FILE *in = unpack_open(path, &st, err), *plain = in ? open_room() : NULL;
	char room[1 << 16];
	size_t n;

	while (plain && (n = fread(room, 1, sizeof(room), in)))
		if (fwrite(room, 1, n, plain) != n)
			break;
	if (plain && !ferror(plain) && !fflush(plain) && !ferror(in)) {
		fclose(in);
		return plain;
	}
	if (in) {
		error_set(err, "%s cannot be unpacked", path);
		fclose(in);
	}
	if (plain)
		fclose(plain);
	return NULL;
}

/* Returns a descriptor for what PATH has, which OTHER, if not NULL, owns. */
static int
open_plain(const char *path, struct stat *st, FILE **other, struct error *err)
{
	char head[8] = { 0 };
	int fd = input_open(path, st, err);

	if (fd < 0 || (input_read_at(fd, 0, head, sizeof(head)) == sizeof(head) &&
		       perf_file_is(head, sizeof(head))))
		return fd;
	close(fd);
	*other = unpack(path, err);
	return *other ? fileno(*other) : -1;
}

static void
reader_init(struct reader *r, struct owners *owners, uid_t uid)
{
	*r = (struct reader){
		.file = { .host = STRBUF_INIT, .version = STRBUF_INIT, .command = STRBUF_INIT,
			  .release = STRBUF_INIT },
		.modules = { .owners = owners, .arena = ARENA_INIT },
		.processes.arena = ARENA_INIT, .jits = { .arena = ARENA_INIT, .owner = uid },
		.stacks = stacks_new(),
	};
	owners_add(owners, uid);
}

static void
reader_release(struct reader *r)
{
	stacks_free(r->stacks);
	perf_modules_release(&r->modules);
	perf_processes_release(&r->processes);
	perf_file_release(&r->file);
	kernel_symbols_release(&r->kernel);
	jit_maps_release(&r->jits);
	free(r->numbers);
	free(r->frames);
	free(r->places);
}

static int
perf_data_read(const char *const *paths, size_t nr, struct model *m, struct error *err)
{
	const char *path = paths[nr - 1];
	struct owners owners = { .nr = 0 };
	struct reader r;
	struct stat st;
	FILE *other = NULL;
	int fd = open_plain(path, &st, &other, err), status = -1;

	if (fd >= 0) {
		reader_init(&r, &owners, st.st_uid);
		status = read_all(&r, fd, path, &st, m, err);
		reader_release(&r);
	}
	if (other)
		fclose(other);
	else if (fd >= 0)
		close(fd);
	owners_release(&owners);
	return status;
}

static bool
perf_data_is(const char *head, size_t n)
{
	return perf_file_is(head, n);
}

const struct foreign_format perf_data_format = {
	.name = "perf.data", .is = perf_data_is, .read = perf_data_read,
};

/* ---- a file that grows ---- */

struct perf_growing {
	struct reader reader;
	struct owners owners;
	int fd;
	struct perf_reader *records; /* NULL: the head is not there yet */
};

struct perf_growing *
perf_growing_new(int fd, uid_t uid,
		 void (*take)(void *context, const struct stacks_sample *sample), void *context)
{
	struct perf_growing *g = xcalloc(1, sizeof(*g));

	reader_init(&g->reader, &g->owners, uid);
	g->reader.taker = take;
	g->reader.context = context;
	g->fd = fd;
	return g;
}

int
perf_growing_read(struct perf_growing *g, struct error *err)
{
	struct stat st;

	if (fstat(g->fd, &st))
		return error_set_errno(err, errno, "the samples");
	if (!g->records)
		g->records = perf_file_begin(&g->reader.file, "the samples", g->fd,
					     (uint64_t)st.st_size, take, &g->reader, err);
	if (!g->records)
		return -1;
	perf_file_go_on(g->records, (uint64_t)st.st_size);
	return 0;
}

uint64_t
perf_growing_lost(const struct perf_growing *g)
{
	return g->reader.lost;
}

void
perf_growing_free(struct perf_growing *g)
{
	if (!g)
		return;
	if (g->records)
		perf_file_end(g->records);
	reader_release(&g->reader);
	owners_release(&g->owners);
	close(g->fd);
	free(g);
}
