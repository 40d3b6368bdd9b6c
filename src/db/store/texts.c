#include "db/store/texts.h"

#include <stdlib.h>
#include <string.h>

#include "db/store/connection.h"
#include "util/mem.h"
#include "util/text/safe.h"

enum { MOST_BYTES = 64 << 20 };

static size_t
size_of(const struct kept_text *text)
{
	return text->lines.size + text->lines.nr * sizeof(*text->lines.starts);
}

/* Returns the position of the first text that is not before FILE. */
static size_t
position(const struct texts *t, model_id file)
{
	size_t low = 0, high = t->nr, i;

	while (low < high) {
		i = low + (high - low) / 2;
		if (t->texts[i]->file < file)
			low = i + 1;
		else
			high = i;
	}
	return low;
}

void
texts_let_go(struct kept_text *text)
{
	if (!text || --text->holders)
		return;
	free(text->lines.text);
	free(text->lines.starts);
	free(text);
}

static void
drop(struct texts *t, size_t at)
{
	t->bytes -= size_of(t->texts[at]);
	texts_let_go(t->texts[at]);
	t->nr--;
	memmove(&t->texts[at], &t->texts[at + 1], (t->nr - at) * sizeof(struct kept_text *));
}

/* Drops the text that was used longest ago. Returns false when all are held: nothing is gained. */
static bool
drop_oldest(struct texts *t)
{
	size_t oldest = t->nr;

	for (size_t i = 0; i < t->nr; i++) {
		if (t->texts[i]->holders == 1 &&
		    (oldest == t->nr || t->texts[i]->used < t->texts[oldest]->used))
			oldest = i;
	}
	if (oldest == t->nr)
		return false;
	drop(t, oldest);
	return true;
}

/* LINES: without a text when it is not stored. */
static void
keep(struct texts *t, model_id file, const struct lines *lines)
{
	struct kept_text *text = xcalloc(1, sizeof(*text));
	size_t at;

	text->file = file;
	text->holders = 1;
	text->used = ++t->clock;
	text->lines = *lines;
	while (t->bytes + size_of(text) > MOST_BYTES && drop_oldest(t))
		;
	at = position(t, file);
	GROW(t->texts, t->nr + 1, t->alloc);
	memmove(&t->texts[at + 1], &t->texts[at], (t->nr - at) * sizeof(struct kept_text *));
	t->texts[at] = text;
	t->nr++;
	t->bytes += size_of(text);
}

static bool
is_kept(const struct texts *t, model_id file)
{
	size_t at = position(t, file);

	return at < t->nr && t->texts[at]->file == file;
}

void
texts_put(struct texts *t, model_id file, const struct lines *lines)
{
	if (is_kept(t, file)) {
		free(lines->text);
		free(lines->starts);
	} else {
		keep(t, file, lines);
	}
}

void
texts_forget(struct texts *t, model_id file)
{
	size_t at = position(t, file);

	if (is_kept(t, file) && t->texts[at]->holders == 1)
		drop(t, at);
}

static struct kept_text *
find(struct texts *t, model_id file)
{
	struct lines lines = { .text = NULL };
	size_t at;

	if (!is_kept(t, file)) {
		lines.text = profile_file_text(t->profile, file, &lines.size);
		if (lines.text)
			lines_index(&lines);
		else
			lines.size = 0;
		keep(t, file, &lines);
	}
	at = position(t, file);
	t->texts[at]->used = ++t->clock;
	return t->texts[at];
}

const struct lines *
texts_get(struct texts *t, model_id file)
{
	return &find(t, file)->lines;
}

struct kept_text *
texts_hold(struct texts *t, model_id file)
{
	struct kept_text *text = find(t, file);

	text->holders++;
	return text;
}

struct kept_text *
texts_hold_kept(struct texts *t, model_id file)
{
	return is_kept(t, file) ? texts_hold(t, file) : NULL;
}

void
texts_release(struct texts *t)
{
	for (size_t i = 0; i < t->nr; i++)
		texts_let_go(t->texts[i]);
	free(t->texts);
	*t = (struct texts)TEXTS_INIT(NULL);
}

bool
texts_fit(struct texts *t)
{
	struct profile *p = t->profile;
	uint64_t bytes = 0;

	profile_file(p, 0); /* reads them */
	for (size_t i = 0; i < p->nr_files; i++)
		bytes += p->files[i].size + p->files[i].lines * sizeof(uint32_t);
	return bytes <= MOST_BYTES;
}

struct texts *
profile_texts(struct profile *p)
{
	if (!p->texts) {
		p->texts = xcalloc(1, sizeof(*p->texts));
		p->texts->profile = p;
	}
	return p->texts;
}

void
texts_excerpt(struct texts *t, struct strbuf *out, const struct place *p, int width)
{
	enum { CHARACTER = 64 }; /* bytes of one with any number of combining characters */
	struct strbuf text = STRBUF_INIT;

	lines_excerpt(&text, texts_get(t, p->file), p->line, p->column, p->end_line, p->end_column,
		      (size_t)width * CHARACTER);
	safe_text(out, text.buf, text.len);
	strbuf_release(&text);
}
