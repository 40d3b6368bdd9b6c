/* perf.data: tools/perf/Documentation/perf.data-file-format.txt and <linux/perf_event.h>. */
#include "collect/import/perf/perf_file.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "collect/import/foreign/stacks.h"
#include "collect/import/reading.h"
#include "util/index.h"
#include "util/input.h"
#include "util/order.h"

#define CUT_HEAD "%s is perf.data that ends within its head: perf was stopped before it wrote " \
		 "more, or it was not copied to its end; record or copy it again"

/* Records that the tool itself writes, beside the kernel's. */
enum {
	RECORD_ATTR = 64, RECORD_TRACING_DATA = 66, RECORD_BUILD_ID = 67, RECORD_ROUND = 68,
	RECORD_AUXTRACE = 71, RECORD_EVENT_UPDATE = 78, RECORD_FEATURE = 80,
	RECORD_COMPRESSED = 81, RECORD_COMPRESSED2 = 83,
};
/* Numbers of the parts behind the records. */
enum {
	FEATURE_BUILD_ID = 2, FEATURE_HOSTNAME = 3, FEATURE_RELEASE = 4, FEATURE_VERSION = 5,
	FEATURE_COMMAND = 11, FEATURE_EVENTS = 12, FEATURE_BITS = 256,
};

enum {
	HEAD = sizeof(struct perf_event_header), FILE_HEAD = 104, PIPE_HEAD = 16,
	CHUNK = 1 << 18, MOST_FEATURE = 64 << 20, MOST_BUILD_IDS = 1 << 20, MOST_TEXT = 1 << 16,
	NAME_EVENT = 2,            /* of RECORD_EVENT_UPDATE: what comes is a name */
	BUILD_ID_SIZE = 1 << 15,   /* misc: the size of the build id is told */
};
/* So much is kept of records that wait for others with an earlier time, and so much unpacked. */
#define MOST_WAITING ((size_t)256 << 20)
#define MOST_UNPACKED ((uint64_t)16 << 30)

/* ---- numbers ---- */

static const uint8_t *
take_bytes(struct perf_bytes *b, uint64_t n)
{
	const uint8_t *at = b->at;

	if (n > (uint64_t)(b->end - b->at)) {
		b->bad = true;
		b->at = b->end;
		return NULL;
	}
	b->at += n;
	return at;
}

void
perf_skip(struct perf_bytes *b, uint64_t n)
{
	take_bytes(b, n);
}

uint64_t
perf_u64(struct perf_bytes *b)
{
	const uint8_t *p = take_bytes(b, 8);
	uint64_t v = 0;

	if (p)
		memcpy(&v, p, sizeof(v));
	return v;
}

uint32_t
perf_u32(struct perf_bytes *b)
{
	const uint8_t *p = take_bytes(b, 4);
	uint32_t v = 0;

	if (p)
		memcpy(&v, p, sizeof(v));
	return v;
}

struct stacks_text
perf_text(struct perf_bytes *b)
{
	struct stacks_text t = { (const char *)b->at, strnlen((const char *)b->at,
							      (size_t)(b->end - b->at)) };

	b->at += t.length;
	return t;
}

/* ---- the reader ---- */

struct waiting { uint64_t time, order; size_t at, size; };
struct queue {
	struct strbuf bytes;
	struct waiting *items;
	size_t nr, alloc;
	uint64_t latest, next;     /* the latest time so far; as far as the next round may go */
	uint64_t orders;
};

struct perf_reader {
	struct perf_file *f;
	int fd;
	uint64_t at, end;          /* of the records that were not yet read */
	uint8_t *buffer;           /* of the file, from BUFFER_AT on */
	uint64_t buffer_at;
	size_t buffered;
	void (*take)(void *, const struct perf_record *);
	void *context;
	struct index ids;
	struct id { uint64_t id; uint32_t event; } *id_items;
	size_t nr_ids, ids_alloc;
	size_t events_alloc, build_ids_alloc;
	struct queue queue, other;
	ZSTD_DStream *zstd;
	struct strbuf unpacked;
	uint64_t all_unpacked;
};

static bool
id_equal(const void *context, uint32_t item, const void *key)
{
	return ((const struct perf_reader *)context)->id_items[item].id == *(const uint64_t *)key;
}

static void
add_id(struct perf_reader *r, uint64_t id, size_t event)
{
	uint64_t hash = hash_number(HASH_START, id);

	if (index_find(&r->ids, hash, id_equal, r, &id) != INDEX_NONE)
		return;
	GROW(r->id_items, r->nr_ids + 1, r->ids_alloc);
	r->id_items[r->nr_ids] = (struct id){ id, (uint32_t)event };
	index_add(&r->ids, hash, (uint32_t)r->nr_ids++);
}

/* Records that the tool made up itself have the identifier 0. */
static struct perf_event *
event_of_id(const struct perf_reader *r, uint64_t id)
{
	uint32_t i = index_find(&r->ids, hash_number(HASH_START, id), id_equal, r, &id);

	if (i != INDEX_NONE)
		return &r->f->events[r->id_items[i].event];
	return id || !r->f->nr_events ? NULL : r->f->events;
}

/* ---- events ---- */

/* Adds the event whose description begins at B, which has ROOM bytes for it. */
static bool
add_event(struct perf_reader *r, struct perf_bytes *b, uint64_t room)
{
	struct perf_event_attr a = { .type = 0 };
	const uint8_t *p = take_bytes(b, room);
	struct perf_event *e;

	if (!p || r->f->nr_events == PERF_MOST_EVENTS)
		return false;
	memcpy(&a, p, room < sizeof(a) ? room : sizeof(a));
	GROW(r->f->events, r->f->nr_events + 1, r->events_alloc);
	e = &r->f->events[r->f->nr_events++];
	*e = (struct perf_event){
		.type = a.type, .config = a.config, .sample_type = a.sample_type,
		.read_format = a.read_format, .branch_type = a.branch_sample_type,
		.regs_user = a.sample_regs_user, .period = a.sample_period, .frequency = a.freq,
		.precise = a.precise_ip > 0, .id_all = a.sample_id_all,
	};
	return true;
}

static void
set_name(struct perf_reader *r, struct perf_event *e, struct stacks_text name)
{
	if (!e || !name.length || name.length > MOST_TEXT)
		return;
	e->name = arena_strndup(&r->f->arena, name.at, name.length);
}

/* Of a pipe: the event, then its identifiers. */
static void
take_event(struct perf_reader *r, struct perf_bytes b)
{
	struct perf_bytes look = b;
	uint32_t size;

	perf_u32(&look);
	size = perf_u32(&look);
	size = size ? size : PERF_ATTR_SIZE_VER0;
	if (size < PERF_ATTR_SIZE_VER0 || !add_event(r, &b, size)) {
		r->f->damaged++;
		return;
	}
	while (b.end - b.at >= 8)
		add_id(r, perf_u64(&b), r->f->nr_events - 1);
}

static void
take_update(struct perf_reader *r, struct perf_bytes b)
{
	uint64_t kind = perf_u64(&b), id = perf_u64(&b);

	if (kind == NAME_EVENT && !b.bad)
		set_name(r, event_of_id(r, id), perf_text(&b));
}

/* ---- features ---- */

/* A text with its length before it. */
static struct stacks_text
long_text(struct perf_bytes *b)
{
	uint32_t size = perf_u32(b);
	const uint8_t *p = take_bytes(b, size);

	if (!p)
		return (struct stacks_text){ "", 0 };
	return (struct stacks_text){ (const char *)p, strnlen((const char *)p, size) };
}

static void
take_text(struct strbuf *to, struct perf_bytes *b)
{
	struct stacks_text t = long_text(b);

	strbuf_clear(to);
	strbuf_add(to, t.at, t.length < MOST_TEXT ? t.length : MOST_TEXT);
}

static void
take_command(struct strbuf *to, struct perf_bytes *b)
{
	uint32_t nr = perf_u32(b);

	strbuf_clear(to);
	for (uint32_t i = 0; i < nr && b->at < b->end && to->len < MOST_TEXT; i++) {
		struct stacks_text t = long_text(b);

		if (i)
			strbuf_char(to, ' ');
		strbuf_add(to, t.at, t.length < MOST_TEXT ? t.length : MOST_TEXT);
	}
}

static void
take_names(struct perf_reader *r, struct perf_bytes *b)
{
	uint32_t nr = perf_u32(b), size = perf_u32(b);

	for (uint32_t i = 0; i < nr && b->at < b->end; i++) {
		struct perf_event *e = i < r->f->nr_events ? &r->f->events[i] : NULL;
		uint64_t nr_ids;
		struct stacks_text name;

		perf_skip(b, size);
		nr_ids = perf_u32(b);
		name = long_text(b);
		if (nr_ids > (uint64_t)(b->end - b->at) / 8)
			return;
		for (uint64_t k = 0; k < nr_ids; k++) {
			struct perf_event *of = event_of_id(r, perf_u64(b));

			e = of ? of : e;
		}
		set_name(r, e, name);
	}
}

/* A process, the identifier, the path. */
static void
take_build_id(struct perf_reader *r, uint16_t misc, struct perf_bytes b)
{
	enum { FIELD = 24 };
	struct perf_build_id *id;
	const uint8_t *bytes;
	struct stacks_text path;

	perf_u32(&b);
	bytes = take_bytes(&b, FIELD);
	if (!bytes || r->f->nr_build_ids == MOST_BUILD_IDS)
		return;
	path = perf_text(&b);
	GROW(r->f->build_ids, r->f->nr_build_ids + 1, r->build_ids_alloc);
	id = &r->f->build_ids[r->f->nr_build_ids++];
	id->path = arena_strndup(&r->f->arena, path.at, path.length);
	id->length = misc & BUILD_ID_SIZE && bytes[PERF_BUILD_ID] <= PERF_BUILD_ID
		? bytes[PERF_BUILD_ID] : PERF_BUILD_ID;
	memcpy(id->id, bytes, PERF_BUILD_ID);
}

static bool
read_head(struct perf_bytes *b, struct perf_event_header *h, struct perf_bytes *body)
{
	const uint8_t *p;

	if ((size_t)(b->end - b->at) < HEAD)
		return false;
	memcpy(h, b->at, HEAD);
	p = h->size >= HEAD ? take_bytes(b, h->size) : NULL;
	if (p)
		*body = (struct perf_bytes){ p + HEAD, p + h->size, false };
	return p != NULL;
}

static void
take_build_ids(struct perf_reader *r, struct perf_bytes *b)
{
	struct perf_event_header h;
	struct perf_bytes body;

	while (read_head(b, &h, &body))
		take_build_id(r, h.misc, body);
}

static void
take_feature(struct perf_reader *r, uint64_t feature, struct perf_bytes b)
{
	switch (feature) {
	case FEATURE_BUILD_ID:
		take_build_ids(r, &b);
		break;
	case FEATURE_HOSTNAME:
		take_text(&r->f->host, &b);
		break;
	case FEATURE_RELEASE:
		take_text(&r->f->release, &b);
		break;
	case FEATURE_VERSION:
		take_text(&r->f->version, &b);
		break;
	case FEATURE_COMMAND:
		take_command(&r->f->command, &b);
		break;
	case FEATURE_EVENTS:
		take_names(r, &b);
		break;
	default:
		break;
	}
}

/* ---- records, by their times ---- */

/* Returns which event a sample is of, and sets where its fields begin after an identifier. */
static const struct perf_event *
event_of_sample(const struct perf_reader *r, struct perf_bytes *b)
{
	static const uint64_t before[] = { PERF_SAMPLE_IP, PERF_SAMPLE_TID, PERF_SAMPLE_TIME,
					   PERF_SAMPLE_ADDR };
	const struct perf_event *first = r->f->events;
	struct perf_bytes look = *b;

	if (!r->f->nr_events)
		return NULL;
	if (first->sample_type & PERF_SAMPLE_IDENTIFIER)
		return event_of_id(r, perf_u64(b));
	if (r->f->nr_events == 1 || !(first->sample_type & PERF_SAMPLE_ID))
		return first;
	for (size_t i = 0; i < sizeof(before) / sizeof(*before); i++)
		if (first->sample_type & before[i])
			perf_skip(&look, 8);
	return event_of_id(r, perf_u64(&look));
}

static uint64_t
time_of_sample(const struct perf_event *e, struct perf_bytes b)
{
	if (!(e->sample_type & PERF_SAMPLE_TIME))
		return 0;
	if (e->sample_type & PERF_SAMPLE_IP)
		perf_skip(&b, 8);
	if (e->sample_type & PERF_SAMPLE_TID)
		perf_skip(&b, 8);
	return perf_u64(&b);
}

/* What other records tell of their time stands at their end. */
static uint64_t
time_of_other(const struct perf_reader *r, const struct perf_bytes *body)
{
	static const uint64_t behind[] = { PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_CPU,
					   PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_ID };
	const struct perf_event *e = r->f->events;
	size_t back = 8;
	struct perf_bytes b;

	if (!r->f->nr_events || !e->id_all || !(e->sample_type & PERF_SAMPLE_TIME))
		return 0;
	for (size_t i = 0; i < sizeof(behind) / sizeof(*behind); i++)
		back += e->sample_type & behind[i] ? 8 : 0;
	if ((size_t)(body->end - body->at) < back)
		return 0;
	b = (struct perf_bytes){ body->end - back, body->end, false };
	return perf_u64(&b);
}

static void
deliver(struct perf_reader *r, const uint8_t *bytes, uint64_t time)
{
	struct perf_event_header h;
	struct perf_record record;
	struct perf_bytes b;

	memcpy(&h, bytes, HEAD);
	b = (struct perf_bytes){ bytes + HEAD, bytes + h.size, false };
	record = (struct perf_record){ .type = h.type, .misc = h.misc, .time = time };
	if (h.type == PERF_RECORD_SAMPLE)
		record.event = event_of_sample(r, &b);
	record.body = b.at;
	record.size = (size_t)(b.end - b.at);
	r->take(r->context, &record);
}

static int
compare_waiting(const void *a, const void *b)
{
	const struct waiting *x = a, *y = b;

	COMPARE(x->time, y->time);
	COMPARE(x->order, y->order);
	return 0;
}

static void
wait_for_turn(struct queue *q, const uint8_t *bytes, size_t size, uint64_t time, uint64_t order)
{
	GROW(q->items, q->nr + 1, q->alloc);
	q->items[q->nr++] = (struct waiting){ time, order, q->bytes.len, size };
	strbuf_add(&q->bytes, bytes, size);
}

/* Hands on what is not later than UP_TO. */
static void
flush(struct perf_reader *r, uint64_t up_to)
{
	struct queue *q = &r->queue, *rest = &r->other, swap;
	const uint8_t *bytes = (const uint8_t *)q->bytes.buf;
	size_t i;

	if (!q->nr)
		return;
	qsort(q->items, q->nr, sizeof(*q->items), compare_waiting);
	for (i = 0; i < q->nr && q->items[i].time <= up_to; i++)
		deliver(r, bytes + q->items[i].at, q->items[i].time);
	if (!i)
		return;
	for (; i < q->nr; i++)
		wait_for_turn(rest, bytes + q->items[i].at, q->items[i].size, q->items[i].time,
			      q->items[i].order);
	rest->latest = q->latest;
	rest->next = q->next;
	rest->orders = q->orders;
	q->nr = 0;
	strbuf_clear(&q->bytes);
	swap = *q;
	*q = *rest;
	*rest = swap;
}

/* All with a time before the end of the round before last has been written. */
static void
end_round(struct perf_reader *r)
{
	flush(r, r->queue.next);
	r->queue.next = r->queue.latest;
}

/* Half of what waits goes on, lest memory is as large as the file. */
static void
bound_waiting(struct perf_reader *r)
{
	struct queue *q = &r->queue;

	if (q->bytes.len < MOST_WAITING)
		return;
	qsort(q->items, q->nr, sizeof(*q->items), compare_waiting);
	flush(r, q->items[q->nr / 2].time);
}

static void
order_record(struct perf_reader *r, const uint8_t *bytes, const struct perf_event_header *h)
{
	struct perf_bytes b = { bytes + HEAD, bytes + h->size, false }, fields = b;
	const struct perf_event *e;
	uint64_t time;

	if (h->type == PERF_RECORD_SAMPLE) {
		e = event_of_sample(r, &fields);
		r->f->unknown += !e;
		if (!e)
			return;
		time = time_of_sample(e, fields);
	} else {
		time = time_of_other(r, &b);
	}
	if (!time || time == UINT64_MAX) {
		deliver(r, bytes, 0);
		return;
	}
	if (time > r->queue.latest)
		r->queue.latest = time;
	wait_for_turn(&r->queue, bytes, h->size, time, r->queue.orders++);
	bound_waiting(r);
}

/* ---- the file ---- */

/* Returns N bytes at AT of the file; NULL: it has not so many. They stay until the next call. */
static const uint8_t *
file_bytes(struct perf_reader *r, uint64_t at, size_t n)
{
	uint64_t left = at < r->end ? r->end - at : 0;
	ssize_t got;

	if (n > left || n > CHUNK)
		return NULL;
	if (at < r->buffer_at || at + n > r->buffer_at + r->buffered) {
		got = input_read_at(r->fd, at, r->buffer, left < CHUNK ? left : CHUNK);
		r->buffer_at = at;
		r->buffered = got > 0 ? (size_t)got : 0;
		if (r->buffered < n)
			return NULL;
	}
	return r->buffer + (at - r->buffer_at);
}

static void take_record(struct perf_reader *r, const uint8_t *bytes,
			const struct perf_event_header *h);

/* Takes the whole records at the beginning of what was unpacked. */
static void
take_unpacked(struct perf_reader *r)
{
	const uint8_t *p = (const uint8_t *)r->unpacked.buf, *end = p + r->unpacked.len;
	struct perf_event_header h;

	while (end - p >= HEAD) {
		memcpy(&h, p, HEAD);
		if (h.size < HEAD) {
			r->f->damaged++;
			p = end;
		} else if (h.size > end - p) {
			break;
		} else if (h.type != RECORD_COMPRESSED && h.type != RECORD_COMPRESSED2) {
			take_record(r, p, &h);
			p += h.size;
		} else {
			r->f->damaged++;
			p += h.size;
		}
	}
	r->unpacked.len = (size_t)(end - p);
	memmove(r->unpacked.buf, p, r->unpacked.len);
}

/* All packed records are one stream. */
static void
unpack(struct perf_reader *r, struct perf_bytes b)
{
	ZSTD_inBuffer in = { b.at, (size_t)(b.end - b.at), 0 };
	size_t got = 1;

	if (!r->zstd) {
		r->zstd = ZSTD_createDStream();
		if (!r->zstd || ZSTD_isError(ZSTD_initDStream(r->zstd)))
			r->f->damaged++;
	}
	while (r->zstd && (in.pos < in.size || got == CHUNK)) {
		ZSTD_outBuffer out;
		size_t hint;

		strbuf_room(&r->unpacked, CHUNK);
		out = (ZSTD_outBuffer){ r->unpacked.buf + r->unpacked.len, CHUNK, 0 };
		hint = ZSTD_decompressStream(r->zstd, &out, &in);
		got = out.pos;
		r->all_unpacked += got;
		if (ZSTD_isError(hint) || r->all_unpacked > MOST_UNPACKED) {
			r->f->damaged++;
			ZSTD_freeDStream(r->zstd);
			r->zstd = NULL;
			r->f->cut = true;
			r->end = 0; /* what follows cannot be read either */
			return;
		}
		r->unpacked.len += got;
		take_unpacked(r);
	}
}

static void
take_record(struct perf_reader *r, const uint8_t *bytes, const struct perf_event_header *h)
{
	struct perf_bytes b = { bytes + HEAD, bytes + h->size, false };
	uint64_t feature;

	switch (h->type) {
	case RECORD_ATTR:
		take_event(r, b);
		break;
	case RECORD_EVENT_UPDATE:
		take_update(r, b);
		break;
	case RECORD_BUILD_ID:
		take_build_id(r, h->misc, b);
		break;
	case RECORD_FEATURE:
		feature = perf_u64(&b);
		take_feature(r, feature, b);
		break;
	case RECORD_ROUND:
		end_round(r);
		break;
	case RECORD_COMPRESSED:
		unpack(r, b);
		break;
	case RECORD_COMPRESSED2:
		feature = perf_u64(&b);
		b.end = feature < (uint64_t)(b.end - b.at) ? b.at + feature : b.end;
		unpack(r, b);
		break;
	default:
		if (h->type < RECORD_ATTR)
			order_record(r, bytes, h);
	}
}

/* So many bytes follow the record that are none. */
static uint64_t
length_behind(const struct perf_event_header *h, const uint8_t *bytes)
{
	struct perf_bytes b = { bytes + HEAD, bytes + h->size, false };

	if (h->type == RECORD_TRACING_DATA)
		return ((uint64_t)perf_u32(&b) + 7) / 8 * 8;
	return h->type == RECORD_AUXTRACE ? perf_u64(&b) : 0;
}

/* Takes the records up to the end. Returns whether the last one is whole. */
static bool
read_records(struct perf_reader *r)
{
	uint64_t told = r->at;

	while (r->at < r->end) {
		struct perf_event_header h;
		const uint8_t *p = file_bytes(r, r->at, HEAD);
		uint64_t behind;

		if (p)
			memcpy(&h, p, HEAD);
		p = p && h.size >= HEAD ? file_bytes(r, r->at, h.size) : NULL;
		if (!p)
			return false;
		behind = length_behind(&h, p);
		r->at += h.size;
		take_record(r, p, &h);
		if (behind > r->end - (r->at < r->end ? r->at : r->end))
			behind = r->end;
		r->at += behind;
		if (r->at - told >= READING_STEP) {
			told = r->at;
			reading_at(told, r->end);
		}
	}
	return true;
}

struct section { uint64_t at, size; };

static struct section
read_section(struct perf_bytes *b)
{
	uint64_t at = perf_u64(b);

	return (struct section){ at, perf_u64(b) };
}

/* Returns the bytes of a part of the file, heap; NULL: they are not there. */
static uint8_t *
read_part(const struct perf_reader *r, struct section s, uint64_t file_size)
{
	uint8_t *bytes;

	if (s.at > file_size || s.size > file_size - s.at || s.size > MOST_FEATURE)
		return NULL;
	bytes = xmalloc(s.size + 1);
	if (input_read_at(r->fd, s.at, bytes, s.size) == (ssize_t)s.size)
		return bytes;
	free(bytes);
	return NULL;
}

static void
read_ids(struct perf_reader *r, struct section s, uint64_t file_size, size_t event)
{
	uint8_t *bytes = s.size ? read_part(r, s, file_size) : NULL;
	struct perf_bytes b = { bytes, bytes ? bytes + s.size : NULL, false };

	while (b.end - b.at >= 8)
		add_id(r, perf_u64(&b), event);
	free(bytes);
}

/* Each event has a place of EACH bytes, with where its identifiers are at the end. */
static int
read_events(struct perf_reader *r, struct section s, uint64_t each, uint64_t file_size,
	    struct error *err)
{
	uint8_t *bytes = read_part(r, s, file_size);
	struct perf_bytes b = { bytes, bytes ? bytes + s.size : NULL, false };
	const size_t ids = sizeof(struct section);

	if (each < PERF_ATTR_SIZE_VER0 + ids || each > 1 << 16 || !bytes || s.size < each) {
		free(bytes);
		return error_set(err, "%s: damaged: the events that it is of cannot be read",
				 r->f->path);
	}
	while ((uint64_t)(b.end - b.at) >= each && add_event(r, &b, each - ids))
		read_ids(r, read_section(&b), file_size, r->f->nr_events - 1);
	free(bytes);
	return 0;
}

/* The parts behind the records: where each is stands there in the order of their bits. */
static void
read_features(struct perf_reader *r, const uint64_t *bits, uint64_t at, uint64_t file_size)
{
	struct section table = { at, 0 };
	struct perf_bytes b;
	uint8_t *places;

	for (int i = 0; i < FEATURE_BITS; i++)
		table.size += bits[i / 64] >> i % 64 & 1 ? sizeof(struct section) : 0;
	places = table.size ? read_part(r, table, file_size) : NULL;
	if (!places)
		return;
	b = (struct perf_bytes){ places, places + table.size, false };
	for (int i = 0; i < FEATURE_BITS; i++) {
		struct section s;
		uint8_t *bytes;

		if (!(bits[i / 64] >> i % 64 & 1))
			continue;
		s = read_section(&b);
		bytes = read_part(r, s, file_size);
		if (bytes)
			take_feature(r, (uint64_t)i,
				     (struct perf_bytes){ bytes, bytes + s.size, false });
		free(bytes);
	}
	free(places);
}

/* Sets where the records are. */
static int
read_file_head(struct perf_reader *r, uint64_t file_size, struct error *err)
{
	uint8_t *bytes = read_part(r, (struct section){ 0, FILE_HEAD }, file_size);
	struct section events, records;
	uint64_t bits[FEATURE_BITS / 64], each;
	struct perf_bytes b;

	if (!bytes)
		return error_set(err, CUT_HEAD, r->f->path);
	b = (struct perf_bytes){ bytes + 16, bytes + FILE_HEAD, false };
	each = perf_u64(&b);
	events = read_section(&b);
	records = read_section(&b);
	read_section(&b);
	for (size_t i = 0; i < sizeof(bits) / sizeof(*bits); i++)
		bits[i] = perf_u64(&b);
	free(bytes);
	if (read_events(r, events, each, file_size, err))
		return -1;
	if (records.at > file_size)
		return error_set(err, "%s: cut before its first record", r->f->path);
	r->at = records.at;
	r->end = file_size;
	/* 0: perf record did not come to its end. */
	r->f->cut = !records.size || records.size > file_size - records.at;
	if (r->f->cut)
		return 0;
	r->end = records.at + records.size;
	read_features(r, bits, r->end, file_size);
	return 0;
}

static const char magic[] = "PERFILE2";

bool
perf_file_is(const char *head, size_t n)
{
	return n >= 8 && (!memcmp(head, magic, 8) || !memcmp(head, "2ELIFREP", 8) ||
			  !memcmp(head, "PERFFILE", 8));
}

static void
release(struct perf_reader *r)
{
	ZSTD_freeDStream(r->zstd);
	free(r->buffer);
	free(r->id_items);
	free(r->queue.items);
	free(r->other.items);
	index_release(&r->ids);
	strbuf_release(&r->queue.bytes);
	strbuf_release(&r->other.bytes);
	strbuf_release(&r->unpacked);
	free(r);
}

struct perf_reader *
perf_file_begin(struct perf_file *f, const char *path, int fd, uint64_t size,
		void (*take)(void *context, const struct perf_record *r), void *context,
		struct error *err)
{
	struct perf_reader *r = xcalloc(1, sizeof(*r));
	uint8_t head[PIPE_HEAD] = { 0 };
	uint64_t head_size;
	int status = 0;

	*r = (struct perf_reader){ .f = f, .fd = fd, .take = take, .context = context,
				   .queue.bytes = STRBUF_INIT, .other.bytes = STRBUF_INIT,
				   .unpacked = STRBUF_INIT };
	f->path = path;
	r->buffer = xmalloc(CHUNK);
	if (size < PIPE_HEAD || input_read_at(fd, 0, head, PIPE_HEAD) != PIPE_HEAD)
		status = error_set(err, CUT_HEAD, path);
	else if (memcmp(head, magic, 8) != 0)
		status = error_set(err, "%s: a perf.data of another byte order, or of a "
				   "perf before 2010: this cannot be read", path);
	memcpy(&head_size, head + 8, sizeof(head_size));
	if (!status && head_size == PIPE_HEAD) {
		r->at = PIPE_HEAD;
		r->end = size;
	} else if (!status) {
		status = read_file_head(r, size, err);
	}
	if (!status)
		return r;
	release(r);
	return NULL;
}

void
perf_file_go_on(struct perf_reader *r, uint64_t size)
{
	r->end = size;
	r->all_unpacked = 0;
	r->buffered = 0;
	read_records(r);
}

void
perf_file_end(struct perf_reader *r)
{
	flush(r, UINT64_MAX);
	release(r);
}

int
perf_file_read(struct perf_file *f, const char *path, int fd, uint64_t size,
	       void (*take)(void *context, const struct perf_record *r), void *context,
	       struct error *err)
{
	struct perf_reader *r = perf_file_begin(f, path, fd, size, take, context, err);

	if (!r)
		return -1;
	f->cut |= !read_records(r);
	perf_file_end(r);
	return 0;
}

void
perf_file_release(struct perf_file *f)
{
	strbuf_release(&f->host);
	strbuf_release(&f->version);
	strbuf_release(&f->release);
	strbuf_release(&f->command);
	free(f->events);
	free(f->build_ids);
	arena_release(&f->arena);
}
