/* Folded stacks, as flame graphs are made of: "outermost;...;innermost NUMBER" in each line, or two
 * numbers, of a comparison. What the number is of, nobody says: samples. A frame is any text; many
 * tools put more into it than a name:
 *
 *	name_[k]  name_[i]  name_[j]      of the kernel, inlined, made at run time
 *	name (file.py:12)   name (lua.c)   name (libc.so.6)
 *	name - /path/of/file.rb:12
 *	module`name
 */
#include "collect/import/foreign/foreign_format.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collect/import/foreign/stacks.h"
#include "collect/import/foreign/text_lines.h"
#include "collect/import/unpack.h"
#include "util/mem.h"

struct text { const char *at, *end; };

/* ---- lines ---- */

static bool
ends_with(struct text t, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(t.end - t.at) >= n && !memcmp(t.end - n, word, n);
}

/* Takes " NUMBER" off the end of T. */
static bool
take_number(struct text *t, double *number)
{
	enum { LONGEST = 32 };
	const char *p = t->end;
	char digits[LONGEST + 1], *end;
	size_t n;

	while (p > t->at && !isspace((unsigned char)p[-1]))
		p--;
	n = (size_t)(t->end - p);
	if (p == t->at || !n || n > LONGEST || !strchr("+-.0123456789", *p))
		return false;
	memcpy(digits, p, n);
	digits[n] = '\0';
	*number = strtod(digits, &end);
	if (*end || !isfinite(*number))
		return false;
	while (p > t->at && isspace((unsigned char)p[-1]))
		p--;
	t->end = p;
	return true;
}

static struct text
trimmed(const char *begin, const char *end)
{
	while (begin < end && isspace((unsigned char)*begin))
		begin++;
	while (begin < end && isspace((unsigned char)end[-1]))
		end--;
	return (struct text){ begin, end };
}

/* ---- frames ---- */

/* Takes ":12" off the end of T; 0: there is none. */
static uint32_t
take_line_number(struct text *t)
{
	const char *p = t->end;
	uint64_t n = 0;

	while (p > t->at && isdigit((unsigned char)p[-1]))
		p--;
	if (p == t->end || p - t->at < 2 || p[-1] != ':' || t->end - p > 9)
		return 0;
	for (const char *q = p; q < t->end; q++)
		n = 10 * n + (unsigned)(*q - '0');
	t->end = p - 1;
	return (uint32_t)n;
}

/* "12", or "12:5" with a column, behind a file's name. */
static uint32_t
take_position(struct text *t)
{
	uint32_t last = take_line_number(t), line = last ? take_line_number(t) : 0;

	return line ? line : last;
}

/* Is it the name of a source file? */
static bool
is_source(struct text t)
{
	static const char *const endings[] = {
		".c", ".h", ".cc", ".cpp", ".cxx", ".c++", ".C", ".hh", ".hpp", ".hxx", ".inl",
		".rs", ".go", ".py", ".rb", ".js", ".mjs", ".ts", ".tsx", ".jsx", ".java", ".kt",
		".scala", ".php", ".pl", ".pm", ".lua", ".swift", ".m", ".mm", ".cs", ".fs", ".f",
		".f90", ".F90", ".s", ".S", ".zig", ".nim", ".d", ".ml", ".hs", ".erl", ".ex",
		".jl", ".R", ".pyx", ".ss", ".scm", ".sh", ".y", ".l",
	};

	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++)
		if (ends_with(t, endings[i]))
			return true;
	return false;
}

static bool
is_module(struct text t)
{
	return t.at < t.end && (*t.at == '[' || ends_with(t, ".so") ||
				memmem(t.at, (size_t)(t.end - t.at), ".so.", 4));
}

static struct stacks_text
stacks_text(struct text t)
{
	return (struct stacks_text){ t.at, (size_t)(t.end - t.at) };
}

/* Takes " (WHERE)" off the end of NAME, if it tells where the frame is. */
static void
take_where(struct stacks_frame *f, struct text *name)
{
	const char *p = name->end;
	struct text where;
	uint32_t line;

	if (name->end - name->at < 4 || p[-1] != ')')
		return;
	while (p > name->at && *p != '(')
		p--;
	if (p - name->at < 2 || p[-1] != ' ')
		return;
	where = (struct text){ p + 1, name->end - 1 };
	line = take_position(&where);
	if (line || is_source(where)) {
		f->file = stacks_text(where);
		f->line = line;
	} else if (is_module(where)) {
		f->module = stacks_text(where);
	} else {
		return;
	}
	*name = trimmed(name->at, p);
}

/* Takes " - FILE:LINE" off the end of NAME. */
static void
take_dash(struct stacks_frame *f, struct text *name)
{
	static const char dash[] = " - ";
	const char *p = memmem(name->at, (size_t)(name->end - name->at), dash, 3);
	struct text where;
	uint32_t line;

	if (!p)
		return;
	where = (struct text){ p + 3, name->end };
	line = take_position(&where);
	if (!line || !is_source(where))
		return;
	f->file = stacks_text(where);
	f->line = line;
	name->end = p;
}

static void
take_suffix(struct stacks_frame *f, struct text *name)
{
	if (ends_with(*name, "_[k]"))
		f->module = STACKS_TEXT("[kernel.kallsyms]");
	else if (ends_with(*name, "_[i]"))
		f->inlined = true;
	else if (!ends_with(*name, "_[j]"))
		return;
	name->end -= 4;
}

static struct stacks_frame
read_frame(struct text name)
{
	struct stacks_frame f = { .offset = STACKS_NO_OFFSET };
	const char *tick;

	take_suffix(&f, &name);
	take_where(&f, &name);
	if (!f.file.length)
		take_dash(&f, &name);
	tick = memchr(name.at, '`', (size_t)(name.end - name.at));
	if (tick && tick > name.at && tick + 1 < name.end) {
		f.module = stacks_text((struct text){ name.at, tick });
		name.at = tick + 1;
	}
	f.symbol = stacks_text(name);
	return f;
}

/* ---- the file ---- */

struct reader {
	struct text_lines in;
	struct stacks *stacks;
	int nr_numbers;            /* in each line: 1 or 2 */
	int events[2];
	struct stacks_frame *frames;
	size_t frames_alloc;
	uint64_t rounded;
};

static int64_t
whole(struct reader *r, double number)
{
	r->rounded += number != floor(number);
	if (fabs(number) >= (double)INT64_MAX)
		return number < 0 ? -INT64_MAX : INT64_MAX;
	return llround(number);
}

/* Sets the frames of a stack, the innermost first, and returns how many there are. */
static size_t
read_frames(struct reader *r, struct text t)
{
	size_t nr = 0, most = STACKS_MAX_FRAMES + 1;
	const char *p, *end = t.end;
	struct text name;

	for (; end > t.at && nr < most; end = p > t.at ? p - 1 : t.at) {
		for (p = end; p > t.at && p[-1] != ';'; p--)
			;
		name = trimmed(p, end);
		if (name.at == name.end)
			continue;
		GROW(r->frames, nr + 1, r->frames_alloc);
		r->frames[nr++] = read_frame(name);
	}
	return nr;
}

static void
take_line(struct reader *r)
{
	struct text t = trimmed(r->in.line.buf, r->in.line.buf + r->in.line.len);
	struct stacks_value values[2];
	struct stacks_sample sample = { .values = values, .nr_values = (size_t)r->nr_numbers,
					.name = STACKS_TEXT("") };
	double numbers[2] = { 0 };

	if (t.at == t.end || *t.at == '#')
		return;
	for (int i = r->nr_numbers; i-- > 0;)
		if (!take_number(&t, &numbers[i])) {
			text_lines_bad(&r->in);
			return;
		}
	sample.nr_frames = read_frames(r, t);
	sample.frames = r->frames;
	if (!sample.nr_frames) {
		text_lines_bad(&r->in);
		return;
	}
	for (int i = 0; i < r->nr_numbers; i++) {
		values[i] = (struct stacks_value){ .event = r->events[i],
						   .weight = whole(r, numbers[i]) };
		values[i].samples = values[i].weight > 0 ? (uint64_t)values[i].weight : 0;
	}
	stacks_add(r->stacks, &sample);
	r->in.good++;
}

static void
make_events(struct reader *r)
{
	const struct stacks_event one = { STACKS_TEXT("samples"), STACKS_TEXT("samples"), 1 };
	const struct stacks_event two[] = {
		{ STACKS_TEXT("samples a"), STACKS_TEXT("samples"), 1 },
		{ STACKS_TEXT("samples b"), STACKS_TEXT("samples"), 1 },
	};

	for (int i = 0; i < r->nr_numbers; i++)
		r->events[i] = stacks_event(r->stacks, r->nr_numbers == 1 ? &one : &two[i]);
}

/* What the first lines of a file say. */
struct looks { size_t lines, deep, pairs; };

/* False: one of them is no stack. The last line may be cut. */
static bool
look(const char *head, size_t n, struct looks *l)
{
	enum { ENOUGH = 10 };
	const char *p = head, *end, *last = head + n;
	double number;

	*l = (struct looks){ 0 };
	for (; l->lines < ENOUGH && p < last && (end = memchr(p, '\n', (size_t)(last - p)));
	     p = end + 1) {
		struct text t = trimmed(p, end);

		if (t.at == t.end || *t.at == '#')
			continue;
		if (memchr(p, '\0', (size_t)(end - p)) || !take_number(&t, &number) ||
		    t.at == t.end)
			return false;
		l->lines++;
		l->deep += memchr(t.at, ';', (size_t)(t.end - t.at)) != NULL;
		l->pairs += take_number(&t, &number) && t.at < t.end;
	}
	return l->lines > 0;
}

static bool
folded_is(const char *head, size_t n)
{
	struct looks l;

	return look(head, n, &l) && l.deep > 0 && 4 * l.deep >= l.lines;
}

static int
folded_read(const char *const *paths, size_t nr, struct model *m, struct error *err)
{
	enum { HEAD = 16384 };
	const char *path = paths[nr - 1];
	struct reader r = { .stacks = stacks_new(), .nr_numbers = 1 };
	const struct stacks_run run = { .tool = STACKS_TEXT("folded stacks") };
	char head[HEAD];
	ssize_t n = unpack_head(path, head, HEAD);
	struct looks looks;
	struct stat st;
	int status = -1;

	if (n > 0 && look(head, (size_t)n, &looks) && looks.pairs == looks.lines)
		r.nr_numbers = 2;
	make_events(&r);
	r.in = (struct text_lines)TEXT_LINES_INIT(unpack_open(path, &st, err));
	if (r.in.in) {
		while (text_lines_next(&r.in))
			take_line(&r);
		status = text_lines_finish(&r.in, path, "folded stacks", m, err);
		fclose(r.in.in);
	}
	if (!status)
		status = stacks_finish(r.stacks, &run, path, st.st_uid, m, err);
	if (!status && r.rounded)
		model_note(m, "samples", "%" PRIu64 " numbers have a fraction: they were rounded",
			   r.rounded);
	text_lines_release(&r.in);
	stacks_free(r.stacks);
	free(r.frames);
	return status;
}

const struct foreign_format folded_format = {
	.name = "a file of folded stacks", .is = folded_is, .read = folded_read,
};
