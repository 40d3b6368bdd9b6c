#include "collect/import/errors/defect_wire.h"

#include <string.h>

void
defect_text(struct strbuf *sb, const char *s, size_t n)
{
	for (size_t i = 0; i < n && sb->len < LOG_MAX_TEXT; i++) {
		char c = (unsigned char)s[i] < ' ' ? ' ' : s[i];

		if (c != ' ' || (sb->len && sb->buf[sb->len - 1] != ' '))
			strbuf_char(sb, c);
	}
}

static void
add_message(struct strbuf *sb, enum defect_wire_kind kind, const uint64_t *numbers,
	    const char *const *texts)
{
	struct wire_head h = { .kind = kind, .size = DEFECT_NUMBERS * sizeof(*numbers) };

	for (int i = 0; i < DEFECT_TEXTS; i++)
		h.size += (uint32_t)strlen(texts[i]) + 1;
	strbuf_add(sb, &h, sizeof(h));
	strbuf_add(sb, numbers, DEFECT_NUMBERS * sizeof(*numbers));
	for (int i = 0; i < DEFECT_TEXTS; i++)
		strbuf_add(sb, texts[i], strlen(texts[i]) + 1);
}

void
defect_send(FILE *to, enum defect_wire_kind kind, const uint64_t *numbers,
	    const char *const *texts)
{
	struct strbuf sb = STRBUF_INIT;

	add_message(&sb, kind, numbers, texts);
	fwrite(sb.buf, sb.len, 1, to);
	strbuf_release(&sb);
}

void
defect_begin(struct defect_draft *d, const char *tool)
{
	defect_end(d);
	d->open = true;
	d->tool = tool;
	d->count = 1;
	d->bytes = d->blocks = 0;
	d->stack = d->depth = 0;
	d->role = ROLE_OF_ERROR;
	d->nr_frames = 0;
	strbuf_clear(&d->kind);
	strbuf_clear(&d->what);
	strbuf_clear(&d->frames);
}

/* Takes out the addresses, which are others in each run: "0x4a2b" becomes "0x...". */
static void
scrub(struct strbuf *sb)
{
	struct strbuf out = STRBUF_INIT;
	const char *s = sb->buf;

	while (*s) {
		size_t digits = s[0] == '0' && s[1] == 'x' ? strspn(s + 2, "0123456789abcdefABCDEF")
							   : 0;

		if (digits)
			strbuf_str(&out, "0x...");
		else
			strbuf_char(&out, *s);
		s += digits ? digits + 2 : 1;
	}
	strbuf_clear(sb);
	strbuf_add(sb, out.buf, out.len);
	strbuf_release(&out);
}

void
defect_end(struct defect_draft *d)
{
	const uint64_t numbers[DEFECT_NUMBERS] = { d->count, d->bytes, d->blocks };
	const char *texts[DEFECT_TEXTS];

	if (!d->open)
		return;
	scrub(&d->what);
	texts[0] = d->tool;
	texts[1] = d->kind.buf;
	texts[2] = d->what.buf;
	d->open = false;
	if (d->nr == LOG_MAX_DEFECTS) {
		d->full = true;
		return;
	}
	d->nr++;
	defect_send(d->to, DEFECT_ERROR, numbers, texts);
	fwrite(d->frames.buf, d->frames.len, 1, d->to);
}

void
defect_stack(struct defect_draft *d, enum defect_role role)
{
	d->stack++;
	d->depth = 0;
	d->role = role;
}

void
defect_frame(struct defect_draft *d, const struct logged_frame *f)
{
	const uint64_t numbers[DEFECT_NUMBERS] = {
		d->stack, d->role, d->depth + 1, f->ip, f->line, f->column,
	};
	const char *const texts[DEFECT_TEXTS] = { f->object, f->name, f->file };

	if (!d->open || !d->stack || d->nr_frames == LOG_MAX_FRAMES)
		return;
	d->nr_frames++;
	d->depth++;
	add_message(&d->frames, DEFECT_FRAME, numbers, texts);
}
