/* The text of `perf script`, with or without call chains. A sample is a line that tells of it,
 * the frames of its stack, the innermost first, and an empty line:
 *
 *	comm [pid/]tid [[cpu]] seconds: [period] event:
 *		hex symbol[+0xhex] [(module)]
 *
 * A command may be called anything: the line is read from where the time is. A frame's module is
 * "inlined" where its code was inlined into the one that follows, if that has the same address.
 * Without chains the frame stands behind the event. With `-F` the line can lack anything, the
 * event and the time, too: its first line tells which of both a file has. */
#include "collect/import/foreign/foreign_format.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/import/foreign/stacks.h"
#include "collect/import/foreign/text_lines.h"
#include "collect/import/unpack.h"
#include "util/mem.h"

struct text { const char *at, *end; };

struct head {
	struct stacks_text comm, event;
	uint32_t pid, tid;
	uint64_t period, ns;       /* NS: when it was taken */
	bool has_period, has_time;
	struct text rest;          /* behind the event: a frame, or what a tracepoint says */
};

/* ---- lines ---- */

static bool
read_digits(const char **p, const char *end, uint64_t *n)
{
	const char *begin = *p;

	for (*n = 0; *p < end && isdigit((unsigned char)**p); ++*p)
		if (__builtin_mul_overflow(*n, 10, n) || __builtin_add_overflow(*n, **p - '0', n))
			*n = INT64_MAX;
	return *p > begin;
}

static const char *
skip_blanks(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

/* Reads what stands before the time: "comm pid/tid [cpu]". */
static bool
read_thread(struct head *h, const char *begin, const char *end)
{
	const char *p;
	uint64_t n;

	while (end > begin && end[-1] == ' ')
		end--;
	if (end > begin && end[-1] == ']') {
		for (p = end - 1; p > begin && p[-1] != '['; p--)
			if (!isdigit((unsigned char)p[-1]))
				return false;
		end = p > begin ? p - 1 : begin;
		while (end > begin && end[-1] == ' ')
			end--;
	}
	for (p = end; p > begin && (isdigit((unsigned char)p[-1]) || p[-1] == '/'); p--)
		;
	if (p == end || (p > begin && p[-1] != ' ' && p[-1] != '-'))
		return false;
	h->comm = (struct stacks_text){ begin, 0 };
	for (const char *last = p; last > begin && h->comm.length == 0; last--)
		if (last[-1] != ' ' && last[-1] != '-')
			h->comm.length = (size_t)(last - begin);
	if (!read_digits(&p, end, &n))
		return false;
	h->tid = h->pid = (uint32_t)n;
	if (p < end && *p == '/') {
		p++;
		if (!read_digits(&p, end, &n))
			return false;
		h->tid = (uint32_t)n;
	}
	return p == end;
}

/* Reads "[period] event:" at P, and notes what is behind it. */
static bool
read_event(struct head *h, const char *p, const char *end)
{
	const char *begin, *colon;

	p = skip_blanks(p, end);
	begin = p;
	h->has_period = read_digits(&p, end, &h->period) && p < end && *p == ' ';
	begin = h->has_period ? skip_blanks(p, end) : begin;
	for (p = begin; p < end && *p != ' '; p++)
		;
	colon = p - 1;
	if (colon <= begin || *colon != ':')
		return false;
	h->event = (struct stacks_text){ begin, (size_t)(colon - begin) };
	h->rest = (struct text){ p, end };
	return true;
}

/* Reads "seconds.fraction", of up to nine digits, at P. */
static void
read_time(struct head *h, const char *p, const char *end)
{
	uint64_t seconds, fraction;
	const char *dot;
	ptrdiff_t digits;

	if (!read_digits(&p, end, &seconds) || seconds > UINT32_MAX || p >= end || *p != '.')
		return;
	dot = p++;
	if (!read_digits(&p, end, &fraction) || p - dot > 10)
		return;
	for (digits = p - dot - 1; digits < 9; digits++)
		fraction *= 10;
	h->ns = seconds * 1000000000 + fraction;
	h->has_time = true;
}

/* Is there a time, "digits.digits:", that ends at COLON? Returns where it begins, or NULL. */
static const char *
time_before(const char *begin, const char *colon)
{
	const char *p = colon, *dot;

	while (p > begin && isdigit((unsigned char)p[-1]))
		p--;
	dot = p - 1;
	if (p == colon || dot <= begin || *dot != '.')
		return NULL;
	for (p = dot; p > begin && isdigit((unsigned char)p[-1]); p--)
		;
	return p < dot && p > begin && p[-1] == ' ' ? p : NULL;
}

static bool
is(struct stacks_text t, const char *word)
{
	return t.length == strlen(word) && !memcmp(t.at, word, t.length);
}

/* Takes the last word off [BEGIN, *END), and the blanks behind it. */
static struct text
take_word(const char *begin, const char **end)
{
	struct text word;

	while (*end > begin && (*end)[-1] == ' ')
		--*end;
	word = (struct text){ *end, *end };
	while (word.at > begin && word.at[-1] != ' ')
		word.at--;
	*end = word.at;
	return word;
}

static bool
is_of(struct text word, const char *set)
{
	return word.at < word.end &&
	       strspn(word.at, set) >= (size_t)(word.end - word.at);
}

/* Returns where a frame begins, with its blanks, behind other fields: its address is 16 columns
 * wide and behind a blank, as perf prints that of a sample without chain; NULL if there is none. */
static const char *
frame_behind(const char *begin, const char *end)
{
	enum { WIDTH = 16 };
	const char *hex;

	for (const char *p = begin + 1; end - p > WIDTH + 1; p++) {
		hex = skip_blanks(p, p + WIDTH);
		if (p[-1] == ' ' && hex < p + WIDTH && p[WIDTH] == ' ' && p[WIDTH + 1] != ' ' &&
		    is_of((struct text){ hex, p + WIDTH }, "0123456789abcdef"))
			return p;
	}
	return NULL;
}

/* Reads a line that -F has made of few fields: "[comm] [pid/]tid [[cpu]] [seconds:] [period]
 * [event:]", from behind. One number alone is a thread. */
static void
read_few_fields(struct head *h, const char *begin, const char *end)
{
	const char *frame = frame_behind(begin, end), *before = frame ? frame : end;
	struct text word = take_word(begin, &before), numbers[2];
	int nr = 0;

	*h = (struct head){ .event = STACKS_TEXT("samples"),
			    .rest = { frame ? frame - 1 : end, end } };
	end = frame ? frame : end;
	if (word.end - word.at > 1 && word.end[-1] == ':' && !is_of(word, "0123456789.:")) {
		h->event = (struct stacks_text){ word.at, (size_t)(word.end - word.at) - 1 };
		end = before;
	}
	for (before = end; nr < 2; end = before) {
		word = take_word(begin, &before);
		if (is_of(word, "0123456789/"))
			numbers[nr++] = word;
		else if (is_of(word, "0123456789.:") && word.end[-1] == ':')
			read_time(h, word.at, word.end);
		else if (!is_of(word, "0123456789.:[]"))
			break;
	}
	if (nr == 2) {
		const char *p = numbers[0].at;

		h->has_period = read_digits(&p, numbers[0].end, &h->period);
		if (is(h->event, "samples"))
			h->event = STACKS_TEXT("period");
	}
	if (!nr || !read_thread(h, begin, numbers[nr - 1].end))
		h->comm = (struct stacks_text){ begin, (size_t)(end - begin) };
	while (h->comm.length && h->comm.at[h->comm.length - 1] == ' ')
		h->comm.length--;
}

static bool
read_head(struct head *h, const char *begin, const char *end)
{
	const char *time;

	begin = skip_blanks(begin, end);
	for (const char *p = end; p > begin; p--) {
		if (p[-1] != ':' || p == end || *p != ' ')
			continue;
		time = time_before(begin, p - 1);
		*h = (struct head){ .pid = 0 };
		if (time && read_event(h, p, end) && read_thread(h, begin, time)) {
			read_time(h, time, p);
			return true;
		}
	}
	return false;
}

/* Takes "(module)" off the end of T. */
static bool
take_module(struct text *t, struct stacks_text *module)
{
	static const char deleted[] = " (deleted))";
	const size_t n = sizeof(deleted) - 1;
	const char *end = t->end, *p;

	if (end - t->at < 3 || end[-1] != ')')
		return false;
	end--;
	p = (size_t)(t->end - t->at) > n && !memcmp(t->end - n, deleted, n) ? t->end - n : end;
	while (p > t->at + 1 && !(p[-1] == '(' && p[-2] == ' '))
		p--;
	if (p <= t->at + 1)
		return false;
	*module = (struct stacks_text){ p, (size_t)(end - p) };
	for (t->end = p - 1; t->end > t->at && t->end[-1] == ' '; t->end--)
		;
	return true;
}

/* Takes "+0xhex" off the end of T. */
static uint64_t
take_offset(struct text *t)
{
	const char *p = t->end;
	uint64_t n;

	while (p > t->at && isxdigit((unsigned char)p[-1]))
		p--;
	if (p == t->end || p - t->at < 3 || memcmp(p - 3, "+0x", 3) != 0)
		return STACKS_NO_OFFSET;
	n = strtoull(p, NULL, 16);
	t->end = p - 3;
	return n;
}

/* Reads a frame; one WITHOUT its module, too. */
static bool
read_frame(struct stacks_frame *f, const char *p, const char *end, bool without)
{
	struct text t = { skip_blanks(p, end), end };
	const char *hex = t.at;

	*f = (struct stacks_frame){ .module = { "", 0 } };
	while (t.at < end && isxdigit((unsigned char)*t.at))
		t.at++;
	if (t.at == hex || t.at == end || *t.at != ' ')
		return false;
	f->address = strtoull(hex, NULL, 16);
	if (!take_module(&t, &f->module) && !without)
		return false;
	t.at = skip_blanks(t.at, t.end);
	f->offset = take_offset(&t);
	f->symbol = (struct stacks_text){ t.at, (size_t)(t.end - t.at) };
	if (is(f->symbol, "[unknown]"))
		f->symbol.length = 0;
	if (is(f->module, "[unknown]"))
		f->module.length = 0;
	f->inlined = is(f->module, "inlined");
	return true;
}

/* Reads the frame that stands in the line of a sample itself. */
static bool
read_own_frame(struct stacks_frame *f, const struct head *h)
{
	const char *frame = frame_behind(h->rest.at, h->rest.end);

	return read_frame(f, h->rest.at, h->rest.end,
			  frame && frame <= skip_blanks(h->rest.at, h->rest.end));
}

/* ---- the file ---- */

struct reader {
	struct text_lines in;
	struct stacks *stacks;
	struct head head;
	struct strbuf text;        /* of the sample's lines, which its texts are in */
	struct stacks_frame *frames;
	size_t nr_frames, frames_alloc;
	bool own_frame;            /* the first line has the frame: no other one follows */
	bool few_fields;           /* lines that tell of a sample are of -F's kind */
	bool begun;                /* the first of them was seen */
	size_t *lines, nr_lines, lines_alloc; /* where each line begins in TEXT */
	struct strbuf host, version, command;
};

/* Is it where the stack could not be followed? */
static bool
is_end(const struct stacks_frame *f)
{
	return !f->symbol.length && !f->module.length && f->address >= UINT64_MAX - 4096;
}

/* Inlined frames are of the module of the frame that they were inlined into. Where perf calls a
 * procedure's own code inlined, too, as it does with parts that the compiler has cloned, the next
 * frame has another address: it is the caller. */
static void
settle_modules(struct reader *r)
{
	struct stacks_text module = { "", 0 };

	for (size_t i = r->nr_frames; i-- > 0;) {
		if (i + 1 == r->nr_frames || r->frames[i].address != r->frames[i + 1].address)
			r->frames[i].inlined = false;
		if (!r->frames[i].inlined && !is(r->frames[i].module, "inlined"))
			module = r->frames[i].module;
		r->frames[i].module = module;
	}
}

static bool
starts(struct stacks_text t, const char *word)
{
	return t.length >= strlen(word) && !memcmp(t.at, word, strlen(word));
}

static bool
is_clock(struct stacks_text event)
{
	return starts(event, "cpu-clock") || starts(event, "task-clock");
}

/* Returns the number of the event of the head. */
static int
event_of(const struct reader *r)
{
	bool ns = is_clock(r->head.event) && r->head.has_period;
	struct stacks_event event = { r->head.event, { "ns", 2 }, 0 };

	if (!ns)
		event.unit = (struct stacks_text){ "count", 5 };
	return stacks_event(r->stacks, &event);
}

/* Adds the sample whose lines are in TEXT. */
static void
end_sample(struct reader *r)
{
	struct stacks_value value = { .samples = 1 };
	struct stacks_sample sample = { .values = &value, .nr_values = 1 };
	struct stacks_when when = { .kernel = false };
	const char *begin = r->text.buf, *end;
	struct stacks_frame f;

	if (!r->nr_lines)
		return;
	r->nr_frames = 0;
	end = begin + (r->nr_lines > 1 ? r->lines[1] : r->text.len);
	if (r->few_fields)
		read_few_fields(&r->head, begin, end - 1);
	else if (!read_head(&r->head, begin, end - 1)) /* it was read before */
		return;
	for (size_t i = 0; i < r->nr_lines; i++) {
		begin = r->text.buf + r->lines[i];
		end = r->text.buf + (i + 1 < r->nr_lines ? r->lines[i + 1] : r->text.len) - 1;
		if (i ? !read_frame(&f, begin, end, true)
		      : !read_own_frame(&f, &r->head))
			continue;
		GROW(r->frames, r->nr_frames + 1, r->frames_alloc);
		r->frames[r->nr_frames++] = f;
	}
	if (!r->nr_frames) { /* it is not known where */
		GROW(r->frames, 1, r->frames_alloc);
		r->frames[r->nr_frames++] = (struct stacks_frame){
			.module = { "", 0 }, .symbol = { "", 0 }, .offset = STACKS_NO_OFFSET,
		};
	} else if (is_end(&r->frames[r->nr_frames - 1]) && r->nr_frames > 1) {
		r->nr_frames--;
		sample.cut = true;
	}
	settle_modules(r);
	value.event = event_of(r);
	value.weight = r->head.has_period ? count_figure(r->head.period) : 1;
	sample.pid = r->head.pid;
	sample.tid = r->head.tid;
	sample.name = r->head.comm;
	sample.frames = r->frames;
	sample.nr_frames = r->nr_frames;
	when.ns = r->head.ns;
	/* The upper half is the kernel's. */
	when.kernel = r->frames[0].address >> 63 && !is_end(&r->frames[0]);
	sample.when = r->head.has_time ? &when : NULL;
	if (value.event >= 0)
		stacks_add(r->stacks, &sample);
	r->nr_lines = 0;
	strbuf_clear(&r->text);
}

static void
keep(struct reader *r, const char *line, size_t n)
{
	if (r->nr_lines > STACKS_MAX_FRAMES)
		return;
	GROW(r->lines, r->nr_lines + 1, r->lines_alloc);
	r->lines[r->nr_lines++] = r->text.len;
	strbuf_add(&r->text, line, n);
	strbuf_char(&r->text, '\n');
}

static void
keep_line(struct reader *r)
{
	keep(r, r->in.line.buf, r->in.line.len);
	r->in.good++;
}

/* "# hostname : vm" */
static void
take_fact(struct reader *r)
{
	static const char *const names[] = { "hostname", "perf version", "cmdline" };
	struct strbuf *const of[] = { &r->host, &r->version, &r->command };
	const char *end = r->in.line.buf + r->in.line.len;
	const char *p = skip_blanks(r->in.line.buf + 1, end), *value;

	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		if (strncmp(p, names[i], strlen(names[i])) != 0)
			continue;
		value = skip_blanks(p + strlen(names[i]), end);
		if (*value != ':')
			continue;
		value = skip_blanks(value + 1, end);
		strbuf_clear(of[i]);
		strbuf_add(of[i], value, (size_t)(end - value));
	}
}

/* "  main.c:12" behind a frame, as -F +srcline has it. */
static bool
is_srcline(const char *line, size_t n)
{
	const char *p = line + n;

	while (p > line && isdigit((unsigned char)p[-1]))
		p--;
	return p < line + n && p > line && p[-1] == ':';
}

/* Keeps a line that tells of a sample. */
static void
take_head(struct reader *r, const char *line, const char *end)
{
	bool all = read_head(&r->head, line, end);
	struct stacks_frame f;

	if (!all && strstr(line, "PERF_RECORD_"))
		return;
	if (!r->begun)
		r->few_fields = !all;
	r->begun = true;
	if (!all && !r->few_fields) {
		text_lines_bad(&r->in);
		return;
	}
	keep_line(r);
	r->own_frame = all ? read_own_frame(&f, &r->head) : frame_behind(line, end) != NULL;
}

/* Does LINE tell of the next sample, where each has its frame in its line? */
static bool
is_next_head(const struct reader *r, const char *line, const char *end)
{
	struct head h;

	return r->own_frame &&
	       (r->few_fields ? frame_behind(line, end) != NULL : read_head(&h, line, end));
}

static void
take_line(struct reader *r)
{
	const char *line = r->in.line.buf, *end = line + r->in.line.len;
	struct stacks_frame f;

	if (!r->nr_lines && *line == '\t' && (!r->begun || r->few_fields) &&
	    read_frame(&f, line, end, true)) { /* no field stands before the stack */
		r->begun = r->few_fields = true;
		keep(r, "", 0);
	}
	if (line == end) {
		end_sample(r);
	} else if (*line == '#') {
		take_fact(r);
	} else if (r->nr_lines && isspace((unsigned char)*line) &&
		   !is_next_head(r, line, end)) {
		if (read_frame(&f, line, end, true))
			keep_line(r);
		else if (!is_srcline(line, r->in.line.len))
			text_lines_bad(&r->in);
	} else {
		end_sample(r);
		take_head(r, line, end);
	}
}

static int
read_all(struct reader *r, const char *path, struct model *m, struct error *err)
{
	while (text_lines_next(&r->in))
		take_line(r);
	end_sample(r);
	return text_lines_finish(&r->in, path, "perf script's", m, err);
}

static struct stacks_text
text_of(const struct strbuf *s)
{
	return (struct stacks_text){ s->buf, s->len };
}

static int
perf_script_read(const char *const *paths, size_t nr, struct model *m, struct error *err)
{
	const char *path = paths[nr - 1];
	struct reader r = { .stacks = stacks_new(), .text = STRBUF_INIT, .host = STRBUF_INIT,
			    .version = STRBUF_INIT, .command = STRBUF_INIT };
	struct strbuf tool = STRBUF_INIT;
	struct stacks_run run;
	struct stat st;
	int status = -1;

	r.in = (struct text_lines)TEXT_LINES_INIT(unpack_open(path, &st, err));
	if (r.in.in)
		status = read_all(&r, path, m, err);
	strbuf_fmt(&tool, "perf%s%s", r.version.len ? " " : "", r.version.buf);
	run = (struct stacks_run){ .tool = text_of(&tool), .host = text_of(&r.host),
				   .command = text_of(&r.command), .from_first = true };
	if (!status)
		status = stacks_finish(r.stacks, &run, path, st.st_uid, m, err);
	if (r.in.in)
		fclose(r.in.in);
	text_lines_release(&r.in);
	stacks_free(r.stacks);
	strbuf_release(&tool);
	strbuf_release(&r.host);
	strbuf_release(&r.version);
	strbuf_release(&r.command);
	strbuf_release(&r.text);
	free(r.lines);
	free(r.frames);
	return status;
}

/* Is the line at P a frame as perf writes it? */
static bool
is_frame(const char *p, const char *last)
{
	const char *end = memchr(p, '\n', (size_t)(last - p));
	struct stacks_frame f;

	end = end ? end : last;
	return end - p > 17 && *p == '\t' && isxdigit((unsigned char)p[16]) && p[17] == ' ' &&
	       read_frame(&f, p, end, true);
}

/* Do the lines at P have their frames in them? */
static bool
is_own_frame(const char *p, const char *end, const char *last)
{
	const char *next = end + 1, *next_end;

	if (!frame_behind(p, end))
		return false;
	if (next >= last)
		return true;
	next_end = memchr(next, '\n', (size_t)(last - next));
	return !next_end || frame_behind(next, next_end);
}

/* The first line tells that is no comment, and no record of another kind (--show-mmap-events), of
 * which there can be many. */
static bool
perf_script_is(const char *head, size_t n)
{
	const char *p = head, *end, *last = head + n;
	bool record = false;
	struct head h;

	for (; p < last; p = end + 1) {
		end = memchr(p, '\n', (size_t)(last - p));
		end = end ? end : last;
		if (memchr(p, '\0', (size_t)(end - p)))
			return false;
		if (memmem(p, (size_t)(end - p), " PERF_RECORD_", strlen(" PERF_RECORD_")))
			record = true;
		else if (*p != '#' && *p != '\n')
			return (record && end == last) || read_head(&h, p, end) ||
			       is_frame(p, last) || (end < last && is_frame(end + 1, last)) ||
			       is_own_frame(p, end, last);
	}
	return record;
}

const struct foreign_format perf_script_format = {
	.name = "the text of perf script", .is = perf_script_is, .read = perf_script_read,
};
