#include "texts.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"
#include "util/safe.h"

enum { MOST_BYTES = 64 << 20 };

static size_t
size_of(const struct text *text)
{
	return text->lines.size + text->lines.nr * sizeof(*text->lines.starts);
}

/* Of the first that is not before FILE. */
static size_t
position(const struct texts *t, model_id file)
{
	size_t low = 0, high = t->nr, i;

	while (low < high) {
		i = low + (high - low) / 2;
		if (t->texts[i].file < file)
			low = i + 1;
		else
			high = i;
	}
	return low;
}

static void
drop(struct text *text)
{
	free(text->lines.text);
	free(text->lines.starts);
}

static void
drop_oldest(struct texts *t)
{
	size_t oldest = 0;

	for (size_t i = 1; i < t->nr; i++) {
		if (t->texts[i].used < t->texts[oldest].used)
			oldest = i;
	}
	t->bytes -= size_of(&t->texts[oldest]);
	drop(&t->texts[oldest]);
	t->nr--;
	memmove(&t->texts[oldest], &t->texts[oldest + 1],
		(t->nr - oldest) * sizeof(*t->texts));
}

static void
load(struct texts *t, model_id file)
{
	struct text text = { .file = file };
	size_t at;

	text.lines.text = profile_file_text(t->profile, file, &text.lines.size);
	if (text.lines.text)
		lines_index(&text.lines);
	while (t->nr && t->bytes + size_of(&text) > MOST_BYTES)
		drop_oldest(t);
	at = position(t, file);
	GROW(t->texts, t->nr + 1, t->alloc);
	memmove(&t->texts[at + 1], &t->texts[at], (t->nr - at) * sizeof(*t->texts));
	t->texts[at] = text;
	t->nr++;
	t->bytes += size_of(&text);
}

const struct lines *
texts_get(struct texts *t, model_id file)
{
	size_t at = position(t, file);

	if (at == t->nr || t->texts[at].file != file) {
		load(t, file);
		at = position(t, file);
	}
	t->texts[at].used = ++t->clock;
	return &t->texts[at].lines;
}

void
texts_release(struct texts *t)
{
	for (size_t i = 0; i < t->nr; i++)
		drop(&t->texts[i]);
	free(t->texts);
	*t = (struct texts)TEXTS_INIT(NULL);
}

void
texts_excerpt(struct texts *t, struct strbuf *out, const struct place *p, int width)
{
	enum { CHARACTER = 64 }; /* bytes, with any number of combining characters */
	struct strbuf text = STRBUF_INIT;

	lines_excerpt(&text, texts_get(t, p->file), p->line, p->column, p->end_line, p->end_column,
		      (size_t)width * CHARACTER);
	safe_text(out, text.buf, text.len);
	strbuf_release(&text);
}
