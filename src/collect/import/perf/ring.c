#include "collect/import/perf/ring.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collect/import/foreign/stacks.h"
#include "collect/import/perf/perf_sample.h"
#include "collect/import/perf/perf_unwind.h"
#include "collect/import/rawfile.h"
#include "util/input.h"
#include "util/keys.h"

/* The kernel begins to count for each thread anew, on each processor: of one with few samples the
 * begin has none. Such threads have their timers. */
enum { ENOUGH = 20, CHUNK = 64 << 10 };

struct profile {                   /* a raw one */
	struct rawfile raw;
	int fd;                    /* to write it */
	struct raw_head *head;     /* of the file itself, which processes may still use; or NULL */
	bool clear;                /* an address tells the module */
};

struct thread {
	size_t profile;            /* the number of its */
	struct raw_thread record;  /* pid 0: none was found */
	uint64_t record_at;        /* in the file */
	uint64_t nr;               /* samples */
	bool alone;                /* no other thread has its record */
	struct strbuf waiting;     /* samples that are not yet in the file */
};

struct ring {
	struct perf_file file;
	struct perf_modules modules;
	struct perf_processes memory;
	struct perf_caller places[RAW_MAX_FRAMES];
	struct profile *profiles;
	size_t nr_profiles;
	struct keys processes;     /* profile, process */
	struct keys keys;          /* of threads: profile, process, thread */
	struct thread *threads;
	size_t nr_threads, threads_alloc;
	struct ring_joined *joined;
	struct error *failed;
};

/* ---- whose ---- */

static void
add_process(struct ring *r, uint32_t profile, uint32_t pid)
{
	bool is_new;

	keys_number(&r->processes, KEY(profile, pid), &is_new);
}

static void
add_processes(struct ring *r, uint32_t profile)
{
	const struct rawfile *raw = &r->profiles[profile].raw;
	struct raw_thread t;

	add_process(r, profile, raw->head.pid);
	for (size_t i = 0; i < raw->nr_parts; i++)
		for (uint64_t k = 0; rawfile_thread(raw, &raw->parts[i], k, &t); k++)
			add_process(r, profile, t.pid);
}

/* Of the profiles that PID has written, as it went from program to program, the one at TIME; the
 * number of profiles: none. */
static size_t
profile_of(const struct ring *r, uint32_t pid, uint64_t time)
{
	size_t found = r->nr_profiles;

	for (size_t i = 0; i < r->nr_profiles; i++) {
		const struct profile *p = &r->profiles[i];
		uint64_t began = p->raw.head.started_mono_ns;

		if (p->clear && began <= time &&
		    keys_find(&r->processes, KEY((uint32_t)i, pid)) != INDEX_NONE &&
		    (found == r->nr_profiles ||
		     began > r->profiles[found].raw.head.started_mono_ns))
			found = i;
	}
	return found;
}

static void
find_record(struct thread *t, const struct rawfile *r, uint32_t pid, uint32_t tid)
{
	struct raw_thread of;
	unsigned nr = 0;

	for (size_t i = 0; i < r->nr_parts; i++)
		for (uint64_t k = 0; rawfile_thread(r, &r->parts[i], k, &of); k++) {
			if (of.pid != pid || of.tid != tid)
				continue;
			nr++;
			t->record = of;
			t->record_at = r->parts[i].offset + k * sizeof(of);
		}
	t->alone = nr == 1 && !t->record.more_threads && !t->record.more_processes;
}

/* NULL: of a thread that no profile knows. */
static struct thread *
thread_of(struct ring *r, const struct perf_sample *s)
{
	bool is_new;
	size_t profile = profile_of(r, s->pid, s->time);
	uint32_t i;

	if (profile == r->nr_profiles)
		return NULL;
	i = keys_number(&r->keys, KEY((uint32_t)profile, s->pid, s->tid), &is_new);
	if (is_new) {
		GROW(r->threads, r->nr_threads + 1, r->threads_alloc);
		r->threads[r->nr_threads] = (struct thread){ .profile = profile };
		strbuf_init(&r->threads[r->nr_threads].waiting);
		find_record(&r->threads[r->nr_threads++], &r->profiles[profile].raw, s->pid,
			    s->tid);
	}
	return r->threads[i].record.pid ? &r->threads[i] : NULL;
}

/* ---- writing ---- */

static void
write_at(struct ring *r, const struct profile *p, const void *bytes, size_t n, uint64_t at)
{
	if (pwrite(p->fd, bytes, n, (off_t)at) != (ssize_t)n && !r->failed->set)
		error_set_errno(r->failed, errno, "%s: cannot be written", p->raw.path);
}

/* A process takes place in the file in the same way. */
static void
flush(struct ring *r, struct thread *t)
{
	const struct profile *p = &r->profiles[t->profile];
	struct raw_extent e = {
		.magic = RAW_EXTENT_MAGIC, .kind = RAW_SAMPLES, .pid = t->record.pid,
		.slot = t->record.slot, .data_offset = RAW_PAGE, .data_length = t->waiting.len,
		.used = t->waiting.len,
	};
	const uint64_t none = 0;
	uint64_t at;

	if (!t->waiting.len)
		return;
	while (t->waiting.len % RAW_PAGE)
		strbuf_add(&t->waiting, &none, sizeof(none));
	e.length = RAW_PAGE + t->waiting.len;
	e.checksum = raw_extent_checksum(&e);
	at = __atomic_fetch_add(&p->head->end, e.length, __ATOMIC_RELAXED);
	write_at(r, p, t->waiting.buf, t->waiting.len, at + RAW_PAGE);
	write_at(r, p, &e, sizeof(e), at);
	strbuf_clear(&t->waiting);
}

/* By the thread's record and the profile's head. */
static void
tell_samples(struct ring *r, struct thread *t)
{
	const struct profile *p = &r->profiles[t->profile];
	uint64_t all = t->record.nr_samples + t->nr;

	if (t->nr < ENOUGH)
		return;
	flush(r, t);
	write_at(r, p, &all, sizeof(all), t->record_at + offsetof(struct raw_thread, nr_samples));
	__atomic_fetch_add(&p->head->clock_samples, (uint32_t)t->nr, __ATOMIC_RELAXED);
	__atomic_fetch_and(&p->head->flags, ~(uint64_t)RAW_CLOCK_OFF, __ATOMIC_RELAXED);
	__atomic_fetch_or(&p->head->flags, RAW_CLOCK_MISSING, __ATOMIC_RELAXED);
	r->joined->samples += t->nr;
}

/* ---- records ---- */

/* How much CPU time the thread had: nothing tells it but how many samples came before. */
static uint64_t
cpu_ns(const struct thread *t, uint64_t period)
{
	uint64_t ns = (t->nr + 1) * period;

	return t->alone && t->record.cpu_ns && ns > t->record.cpu_ns ? t->record.cpu_ns : ns;
}

/* Adds the sample OUT with the stack of S. The copy of it has an end, behind which a 0 stands for
 * the others. */
static void
add_sample(struct ring *r, struct thread *t, struct raw_sample *out, const struct perf_sample *s)
{
	struct cfi_frame frame = s->regs;
	bool cut;
	size_t n = perf_unwind(&r->modules, &r->memory, s->pid, &frame, &s->stack, r->places,
			       RAW_MAX_FRAMES - 1, &cut);

	out->nr_frames = (uint16_t)(n + cut);
	out->flags |= cut ? RAW_STACK_CUT : 0;
	r->joined->cut += cut;
	r->places[n].address = 0;
	strbuf_add(&t->waiting, out, sizeof(*out));
	for (size_t i = 0; i < n + cut; i++)
		strbuf_add(&t->waiting, &r->places[i].address, sizeof(r->places[i].address));
	t->nr++;
	if (t->nr >= ENOUGH && t->waiting.len >= CHUNK)
		flush(r, t);
}

static void
take_sample(struct ring *r, const struct perf_record *record)
{
	const uint32_t needed = 1u << CFI_RA | 1u << CFI_SP;
	struct perf_bytes b = { record->body, record->body + record->size, false };
	struct raw_sample out = { .flags = RAW_CLOCK };
	struct perf_sample s;
	struct thread *t;

	if (!perf_sample_read(record->event, b, &s) || s.abi != PERF_SAMPLE_REGS_ABI_64 ||
	    (s.regs.known & needed) != needed)
		return;
	t = thread_of(r, &s);
	if (!t)
		return;
	out.tid = s.tid;
	out.time_ns = s.time - r->profiles[t->profile].raw.head.started_mono_ns;
	out.cpu_ns = cpu_ns(t, record->event->period);
	out.amount = record->event->period;
	add_sample(r, t, &out, &s);
}

static void
take_map(struct ring *r, const struct perf_record *record)
{
	enum { DEVICE = 24, PROTECTION = 8 };
	struct perf_bytes b = { record->body, record->body + record->size, false };
	uint32_t pid = perf_u32(&b);
	struct perf_map map = { .begin = (perf_u32(&b), perf_u64(&b)) };
	struct stacks_text path;

	map.end = map.begin + perf_u64(&b);
	map.offset = perf_u64(&b);
	if (record->type == PERF_RECORD_MMAP2)
		perf_skip(&b, DEVICE + PROTECTION);
	path = perf_text(&b);
	if (b.bad)
		return;
	map.module = perf_module_of(&r->modules, path.at, path.length);
	perf_add_map(&r->memory, pid, &map);
}

static void
take_name(struct ring *r, const struct perf_record *record)
{
	struct perf_bytes b = { record->body, record->body + record->size, false };
	uint32_t pid = perf_u32(&b), tid = perf_u32(&b);
	struct stacks_text name = perf_text(&b);

	if (!b.bad)
		perf_set_name(&r->memory, pid, tid, name.at, name.length,
			      record->misc & PERF_RECORD_MISC_COMM_EXEC);
}

static void
take_fork(struct ring *r, const struct perf_record *record)
{
	struct perf_bytes b = { record->body, record->body + record->size, false };
	uint32_t pid = perf_u32(&b), from = perf_u32(&b), tid = perf_u32(&b);
	uint32_t from_tid = perf_u32(&b);

	if (!b.bad)
		perf_fork(&r->memory, pid, tid, from, from_tid);
}

static void
take_lost(struct ring *r, const struct perf_record *record)
{
	struct perf_bytes b = { record->body, record->body + record->size, false };

	if (record->type == PERF_RECORD_LOST)
		perf_skip(&b, 8);
	r->joined->lost += perf_u64(&b);
}

static void
take(void *ring, const struct perf_record *record)
{
	struct ring *r = ring;

	switch (record->type) {
	case PERF_RECORD_SAMPLE:
		take_sample(r, record);
		break;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		take_map(r, record);
		break;
	case PERF_RECORD_COMM:
		take_name(r, record);
		break;
	case PERF_RECORD_FORK:
		take_fork(r, record);
		break;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		take_lost(r, record);
		break;
	default:
		break;
	}
}

/* ---- the profiles ---- */

/* Where two modules of a process stood in one place, nothing tells which of them a sample is of. */
static bool
is_clear(const struct rawfile *r)
{
	for (size_t i = 0; i < r->nr_modules; i++)
		for (size_t k = 0; k < i; k++) {
			const struct raw_module *a = &r->modules[i], *b = &r->modules[k];

			if (a->pid == b->pid && a->text_start < b->text_end &&
			    b->text_start < a->text_end)
				return false;
		}
	return true;
}

/* What cannot be opened import tells of. */
static void
open_profile(struct ring *r, const char *path, struct owners *owners)
{
	struct error ignored = ERROR_INIT;
	struct profile *p = &r->profiles[r->nr_profiles];
	void *head;

	if (rawfile_open(&p->raw, path, &ignored))
		return;
	p->fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	r->nr_profiles++;
	head = p->fd < 0 ? MAP_FAILED
			 : mmap(NULL, RAW_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, p->fd, 0);
	if (head == MAP_FAILED)
		return;
	p->head = head;
	p->clear = is_clear(&p->raw);
	__atomic_fetch_or(&p->head->flags, RAW_CLOCK_RING, __ATOMIC_RELAXED);
	owners_add(owners, p->raw.owner);
	add_processes(r, (uint32_t)(r->nr_profiles - 1));
}

static void
release(struct ring *r)
{
	for (size_t i = 0; i < r->nr_profiles; i++) {
		struct profile *p = &r->profiles[i];

		if (p->head)
			munmap(p->head, RAW_PAGE);
		if (p->fd >= 0)
			close(p->fd);
		rawfile_close(&p->raw);
	}
	for (size_t i = 0; i < r->nr_threads; i++)
		strbuf_release(&r->threads[i].waiting);
	free(r->profiles);
	free(r->threads);
	keys_release(&r->processes);
	keys_release(&r->keys);
	perf_modules_release(&r->modules);
	perf_processes_release(&r->memory);
	perf_file_release(&r->file);
}

int
ring_join(const char *file, const char *const *paths, size_t nr, struct ring_joined *joined,
	  struct error *err)
{
	struct owners owners = { .nr = 0 };
	struct error failed = ERROR_INIT;
	struct ring r = {
		.file = { .host = STRBUF_INIT, .version = STRBUF_INIT, .command = STRBUF_INIT,
			  .release = STRBUF_INIT },
		.modules = { .owners = &owners, .arena = ARENA_INIT },
		.memory.arena = ARENA_INIT,
		.joined = joined, .failed = &failed,
	};
	struct stat st;
	int fd = input_open(file, &st, err), status;

	*joined = (struct ring_joined){ .samples = 0 };
	if (fd < 0)
		return -1;
	r.profiles = xcalloc(nr + 1, sizeof(*r.profiles));
	for (size_t i = 0; i < nr; i++)
		open_profile(&r, paths[i], &owners);
	status = perf_file_read(&r.file, file, fd, (uint64_t)st.st_size, take, &r, err);
	for (size_t i = 0; i < r.nr_threads; i++)
		tell_samples(&r, &r.threads[i]);
	if (!status && failed.set)
		status = error_copy(err, &failed);
	close(fd);
	release(&r);
	owners_release(&owners);
	return status;
}
