#include "collect/import/rawfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/sum.h"
#include "util/file_kind.h"
#include "util/index.h"
#include "util/input.h"

enum { MAX_PARTS = 1 << 20, MAX_PATH = 4096, SAMPLE_BUFFER = 1 << 18 };

int
rawfile_module(const struct rawfile *r, uint32_t number)
{
	size_t i;

	for (i = 0; i < r->nr_modules; i++)
		if (r->modules[i].number == number)
			return (int)i;
	return -1;
}

size_t
rawfile_read(const struct rawfile *r, uint64_t offset, void *buffer, size_t size)
{
	if (offset >= r->size || r->problem->set)
		return 0;
	if (size > r->size - offset)
		size = (size_t)(r->size - offset);
	if (input_exactly(r->fd, r->path, r->base + offset, buffer, size, r->problem))
		return 0;
	return size;
}

int
rawfile_check(const struct rawfile *r, struct error *err)
{
	struct stat st;

	if (!r->problem->set && fstat(r->fd, &st))
		input_failed(r->path, errno, r->problem);
	else if (!r->problem->set && (uint64_t)st.st_size < r->base + r->size)
		input_failed(r->path, 0, r->problem); /* also holes that were data before */
	return r->problem->set ? error_copy(err, r->problem) : 0;
}

static int
open_file(struct rawfile *r, struct error *err)
{
	struct stat st;

	r->fd = input_open(r->path, &st, err);
	if (r->fd < 0)
		return -1;
	r->size = (uint64_t)st.st_size;
	r->owner = st.st_uid;
	return 0;
}

/* What begins with GOT bytes of R's head is none of ours. */
static int
refuse(const struct rawfile *r, size_t got, struct error *err)
{
	char *told = file_kind_told(r->path, &r->head, got < FILE_KIND_HEAD ? got : FILE_KIND_HEAD);

	if (told)
		error_set(err, "%s", told);
	else
		error_set(err, "%s: not a raw profile of cgview", r->path);
	free(told);
	return -1;
}

static int
read_head(struct rawfile *r, struct error *err)
{
	struct raw_head *h = &r->head;
	size_t got = rawfile_read(r, 0, h, sizeof(*h));

	if (rawfile_check(r, err))
		return -1;
	if (!got)
		return error_set(err, "%s: the file is empty", r->path);
	if (got >= sizeof(h->magic) && !memcmp(h->magic, RAW_OLD_MAGIC, sizeof(h->magic)))
		return error_set(err, "%s: of a cgview before the raw format began anew: build the "
				 "program with the cgcc beside this cgview and record again",
				 r->path);
	if (got < sizeof(h->magic) || memcmp(h->magic, RAW_MAGIC, sizeof(h->magic)))
		return refuse(r, got, err);
	if (got < sizeof(*h))
		return error_set(err, "%s: cut off after %zu bytes: nothing usable is left of it",
				 r->path, got);
	if (h->version != RAW_VERSION || h->size != sizeof(*h))
		return error_set(err, "%s: raw profile of version %u, this cgview reads version "
				 "%d; build the program with the cgcc beside this cgview and "
				 "record again", r->path, h->version, RAW_VERSION);
	if (h->text_length > sizeof(h->text) || h->checksum != raw_head_checksum(h))
		return error_set(err, "%s: damaged: the checksum of its head is wrong", r->path);
	return 0;
}

/* The next NUL-terminated text of the head, or NULL when there is none left. */
static const char *
next_text(struct rawfile *r, size_t *at)
{
	const char *s = r->head.text + *at;
	size_t left = r->head.text_length - *at, n;

	if (!left)
		return NULL;
	n = strnlen(s, left);
	*at += n < left ? n + 1 : n;
	return arena_strndup(&r->arena, s, n);
}

/* Its launcher may have called it by something else. */
static int
rank_of(const char *text)
{
	size_t digits = strspn(text, "0123456789");

	return digits && digits < 10 && !text[digits] ? atoi(text) : -1;
}

static void
read_texts(struct rawfile *r)
{
	const char *s;
	size_t at = 0, i, most;

	for (i = 0; i < RAW_TEXTS; i++) {
		s = next_text(r, &at);
		r->texts[i] = s ? s : "";
	}
	r->host = r->texts[RAW_TEXT_HOST];
	r->program = r->texts[RAW_TEXT_PROGRAM];
	r->directory = r->texts[RAW_TEXT_DIRECTORY];
	r->rank = rank_of(r->texts[RAW_TEXT_RANK]);
	most = r->head.argc < RAW_PAGE ? r->head.argc : RAW_PAGE;
	r->arguments = arena_alloc(&r->arena, most * sizeof(*r->arguments));
	while (r->nr_arguments < most && (s = next_text(r, &at)))
		r->arguments[r->nr_arguments++] = s;
}

static bool
extent_valid(const struct raw_extent *e, uint64_t offset)
{
	return e->magic == RAW_EXTENT_MAGIC && e->checksum == raw_extent_checksum(e) &&
	       e->length >= RAW_PAGE && e->length % RAW_PAGE == 0 &&
	       e->length <= (uint64_t)INT64_MAX - offset && e->data_offset >= sizeof(*e) &&
	       e->data_offset <= e->length && e->data_length <= e->length - e->data_offset;
}

static bool
add_module(struct rawfile *r, const struct raw_extent *e, uint64_t offset)
{
	char data[MAX_PATH + sizeof(((struct raw_module *)0)->build_id)];
	size_t want = e->data_length < sizeof(data) ? (size_t)e->data_length : sizeof(data);
	size_t got = rawfile_read(r, offset + e->data_offset, data, want), n;
	struct raw_module *m;

	n = strnlen(data, got);
	if (n == got || e->build_id_length > sizeof(m->build_id) ||
	    got - n - 1 < e->build_id_length || e->text_start > e->text_end)
		return false;
	GROW(r->modules, r->nr_modules + 1, r->modules_alloc);
	m = &r->modules[r->nr_modules++];
	*m = (struct raw_module){
		.path = arena_strndup(&r->arena, data, n), .pid = e->pid, .number = e->module,
		.load_bias = e->load_bias, .text_start = e->text_start, .text_end = e->text_end,
		.nr_counters = e->nr_counters, .counters = e->counters,
		.build_id_length = e->build_id_length,
	};
	memcpy(m->build_id, data + n + 1, e->build_id_length);
	return true;
}

static bool
add_part(struct rawfile *r, const struct raw_extent *e, uint64_t offset)
{
	bool whole = e->kind == RAW_COUNTERS || e->kind == RAW_TARGETS ||
		     e->kind == RAW_TARGET_ROOM;
	/* Processes take places there by an addition: of two that take the last one at once, one
	 * adds beyond the end. */
	bool places = e->kind == RAW_THREADS || e->kind == RAW_SHARES;
	uint64_t size = whole || (places && e->used > e->data_length) ? e->data_length : e->used;
	uint64_t at = offset + e->data_offset, there = at < r->size ? r->size - at : 0;
	struct raw_part *p;

	if (size > e->data_length || r->nr_parts >= MAX_PARTS)
		return false;
	GROW(r->parts, r->nr_parts + 1, r->parts_alloc);
	p = &r->parts[r->nr_parts++];
	*p = (struct raw_part){
		.kind = e->kind, .pid = e->pid, .module = e->module, .slot = e->slot,
		.offset = at, .size = size < there ? size : there, .cut = size > there,
	};
	if (p->cut)
		r->missing += size - there;
	return true;
}

typedef bool take_extent_of(struct rawfile *, const struct raw_extent *, uint64_t);
static take_extent_of *const take_extent[SUM_KINDS] = {
	[RAW_MODULE] = add_module, [RAW_COUNTERS] = add_part, [RAW_SAMPLES] = add_part,
	[RAW_THREADS] = add_part, [RAW_MAPS] = add_part,
	[RAW_TARGETS] = add_part, [RAW_SHARES] = add_part, [RAW_WALL] = add_part,
	[RAW_EVENTS] = add_part,
	[RAW_SPACE_SERIES] = add_part,
	[RAW_TARGET_ROOM] = add_part, [RAW_SPACE] = add_part, [RAW_SPACE_CELLS] = add_part,
	[RAW_SPACE_PAIRS] = add_part, [RAW_SPACE_POOLS] = add_part,
	[SUM_FACTS] = add_part, [SUM_STACKS] = add_part, [SUM_SPACE] = add_part,
};

/* The first page at or behind OFFSET that holds data: holes cost nothing to skip. */
static uint64_t
skip_hole(const struct rawfile *r, uint64_t offset)
{
	off_t data;

	if (r->sum) /* has none */
		return offset;
	data = lseek(r->fd, (off_t)offset, SEEK_DATA);
	if (data < 0 && errno != ENXIO && errno != EINVAL)
		input_failed(r->path, errno, r->problem);
	if (data < 0)
		return errno == ENXIO ? r->size : offset;
	return (uint64_t)data / RAW_PAGE * RAW_PAGE;
}

static void
walk(struct rawfile *r)
{
	struct raw_extent e;
	uint64_t offset = sizeof(r->head);

	while ((offset = skip_hole(r, offset)) < r->size) {
		if (rawfile_read(r, offset, &e, sizeof(e)) < sizeof(e))
			break;
		if (!extent_valid(&e, offset)) {
			r->damaged += e.magic == RAW_EXTENT_MAGIC;
			offset += RAW_PAGE;
			continue;
		}
		if (e.kind < (r->sum ? SUM_KINDS : SUM_FACTS) && take_extent[e.kind])
			r->damaged += !take_extent[e.kind](r, &e, offset);
		offset += e.length;
	}
	/* Extents that were handed out beyond the end of the file. */
	if (r->head.end > r->size && !r->missing)
		r->missing = r->head.end - r->size;
}

static void
begin(struct rawfile *r, const char *path)
{
	*r = (struct rawfile){ .fd = -1, .arena = ARENA_INIT };
	r->path = arena_strdup(&r->arena, path);
	r->problem = arena_alloc(&r->arena, sizeof(*r->problem));
}

static int
read_all(struct rawfile *r, struct error *err)
{
	if (read_head(r, err))
		return -1;
	read_texts(r);
	walk(r);
	return rawfile_check(r, err);
}

int
rawfile_open(struct rawfile *r, const char *path, struct error *err)
{
	int status;

	begin(r, path);
	status = open_file(r, err) || read_all(r, err) ? -1 : 0;
	if (status)
		rawfile_close(r);
	return status;
}

int
rawfile_open_member(struct rawfile *r, const char *path, int fd, uint64_t base, uint64_t size,
		    uid_t owner, struct error *err)
{
	int status;

	begin(r, path);
	r->fd = fd;
	r->sum = true;
	r->base = base;
	r->size = size;
	r->owner = owner;
	status = read_all(r, err);
	if (status)
		rawfile_close(r);
	return status;
}

const struct raw_part *
rawfile_part(const struct rawfile *r, uint32_t kind)
{
	for (size_t i = 0; i < r->nr_parts; i++)
		if (r->parts[i].kind == kind)
			return &r->parts[i];
	return NULL;
}

void
rawfile_close(struct rawfile *r)
{
	if (r->fd >= 0 && !r->sum)
		close(r->fd);
	free(r->modules);
	free(r->parts);
	arena_release(&r->arena);
	*r = (struct rawfile){ .fd = -1, .arena = ARENA_INIT };
}

uint64_t
rawfile_id(const struct rawfile *r)
{
	uint64_t h = hash_number(hash_text(HASH_START, r->host), r->head.pid);

	return hash_number(hash_number(h, r->head.started_ns), r->head.started_mono_ns);
}

bool
rawfile_thread(const struct rawfile *r, const struct raw_part *part, uint64_t number,
	       struct raw_thread *t)
{
	return part->kind == RAW_THREADS && number < part->size / sizeof(*t) &&
	       rawfile_read(r, part->offset + number * sizeof(*t), t, sizeof(*t)) == sizeof(*t);
}

void
raw_samples_begin(struct raw_sample_reader *s, const struct rawfile *r, const struct raw_part *p)
{
	*s = (struct raw_sample_reader){ .raw = r, .offset = p->offset, .left = p->size };
	s->buffer = xmalloc(SAMPLE_BUFFER);
}

/* Have at least WANT unread bytes in the buffer, if there are as many. */
static bool
fill(struct raw_sample_reader *s, size_t want)
{
	size_t room, got;

	if (s->filled - s->at >= want)
		return true;
	memmove(s->buffer, s->buffer + s->at, s->filled - s->at);
	s->filled -= s->at;
	s->at = 0;
	room = SAMPLE_BUFFER - s->filled;
	got = rawfile_read(s->raw, s->offset, s->buffer + s->filled,
			   room < s->left ? room : (size_t)s->left);
	s->offset += got;
	s->left = got ? s->left - got : 0;
	s->filled += got;
	return s->filled >= want;
}

/* The next word if the sample has FLAG, else 0. */
static uint64_t
next_word(struct raw_sample_reader *s, unsigned flag)
{
	uint64_t word = 0;

	if (!(s->sample.flags & flag))
		return 0;
	memcpy(&word, s->buffer + s->at, sizeof(word));
	s->at += sizeof(word);
	return word;
}

bool
raw_samples_next(struct raw_sample_reader *s)
{
	size_t n, more;

	if (!fill(s, sizeof(s->sample))) {
		s->damaged |= s->filled > s->at;
		return false;
	}
	memcpy(&s->sample, s->buffer + s->at, sizeof(s->sample));
	n = s->sample.nr_frames;
	more = !!(s->sample.flags & RAW_CENTRE) + !!(s->sample.flags & RAW_STACK_USED);
	if (!n || n > RAW_MAX_FRAMES ||
	    !fill(s, sizeof(s->sample) + (n + more) * sizeof(uint64_t))) {
		s->damaged = true;
		return false;
	}
	memcpy(s->frames, s->buffer + s->at + sizeof(s->sample), n * sizeof(uint64_t));
	s->at += sizeof(s->sample) + n * sizeof(uint64_t);
	s->centre = next_word(s, RAW_CENTRE);
	s->stack_used = next_word(s, RAW_STACK_USED);
	return true;
}

void
raw_samples_end(struct raw_sample_reader *s)
{
	free(s->buffer);
	s->buffer = NULL;
}
