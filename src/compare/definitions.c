/* Definitions in the text outside of procedures: no parser of C, only as much of its grammar as
 * tells which names a definition is of. A name stands for the tokens of its definition; several
 * ones of a name (in the arms of #if) for all of them. What a source file defines for itself
 * (macros, types, static data) is known in this file alone, what a header defines everywhere.
 *
 * A user of a structure is who names its type, not who only names a member. */
#include "compare/definitions.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "compare/locals.h"
#include "compare/token.h"
#include "util/index.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/path.h"

struct definition { uint64_t key, text; };
struct definitions { struct definition *items; size_t nr, alloc; };

struct changed_names {
	uint64_t *keys;          /* ascending */
	size_t nr, alloc;
	size_t profile;          /* the later one */
};

/* ---- names ---- */

/* FILE: its number, of a name that only this file knows; else 0. */
static uint64_t
name_key(struct slice name, uint32_t file)
{
	return hash_number(slice_hash(name), file);
}

static bool
is_key(const struct changed_names *c, uint64_t key)
{
	size_t low = 0, high = c->nr;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (c->keys[middle] < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low < c->nr && c->keys[low] == key;
}

static bool
is_changed(const struct changed_names *c, struct slice name, uint32_t file)
{
	return is_key(c, name_key(name, file)) || is_key(c, name_key(name, 0));
}

static int
compare_numbers(const void *pa, const void *pb)
{
	const uint64_t *a = pa, *b = pb;

	COMPARE(*a, *b);
	return 0;
}

static void
add_key(struct changed_names *c, uint64_t key)
{
	GROW(c->keys, c->nr + 1, c->alloc);
	c->keys[c->nr++] = key;
}

/* In order, each once. */
static void
settle_keys(struct changed_names *c)
{
	size_t kept = 0;

	if (c->nr)
		qsort(c->keys, c->nr, sizeof(*c->keys), compare_numbers);
	for (size_t i = 0; i < c->nr; i++)
		if (!kept || c->keys[kept - 1] != c->keys[i])
			c->keys[kept++] = c->keys[i];
	c->nr = kept;
}

/* ---- reading definitions ---- */

enum { MOST_NAMES = 256 /* of one definition */ };

struct reading {
	struct definitions *out;         /* all of them; NULL: */
	const struct changed_names *changed; /* those that use one of these, */
	struct changed_names *users;     /* which are added here */
	uint32_t file;                   /* its number */
	bool header;
	/* the definition that is read */
	uint64_t hash;
	struct { uint64_t hash, text; bool whole, uses_changed; } names[MOST_NAMES];
	size_t nr_names;
	int braces, brackets;            /* ( and [ */
	bool uses_changed, is_static, is_typedef, is_type, is_enum, is_macro;
	bool called, body, assigned;     /* had ( behind a name, { behind ), = */
	struct slice last, before;       /* the last two tokens */
	struct slice tag;                /* behind struct, union, enum */
	struct slice enumerator;         /* whose value is being read */
};

static void
begin_definition(struct reading *r)
{
	struct reading fresh = { .out = r->out, .changed = r->changed, .users = r->users,
				 .file = r->file, .header = r->header, .hash = HASH_START };

	*r = fresh;
}

static void
add_name(struct reading *r, struct slice name)
{
	if (!slice_is_name(name) || r->nr_names == MOST_NAMES)
		return;
	r->names[r->nr_names].hash = slice_hash(name);
	r->names[r->nr_names].text = r->hash;
	r->names[r->nr_names].whole = false;
	r->names[r->nr_names++].uses_changed = r->uses_changed;
}

/* A prototype defines nothing. */
static bool
defines_something(const struct reading *r)
{
	return r->is_macro || r->is_typedef || r->body || r->assigned || !r->called;
}

static void
end_definition(struct reading *r)
{
	bool own = !r->header && (r->is_macro || r->is_static || r->is_typedef || r->is_type);

	for (size_t i = 0; i < r->nr_names && defines_something(r); i++) {
		uint64_t text = r->names[i].whole ? r->hash : r->names[i].text;
		uint64_t key = hash_number(r->names[i].hash, own ? r->file : 0);
		bool uses = r->names[i].whole ? r->uses_changed : r->names[i].uses_changed;

		if (r->out) {
			GROW(r->out->items, r->out->nr + 1, r->out->alloc);
			r->out->items[r->out->nr++] = (struct definition){ key, text };
		} else if (uses) {
			add_key(r->users, key);
		}
	}
	begin_definition(r);
}

/* Notes a name that its definition as a whole belongs to. */
static void
add_whole(struct reading *r, struct slice name)
{
	size_t before = r->nr_names;

	add_name(r, name);
	if (r->nr_names > before)
		r->names[before].whole = true;
}

static void
read_opening(struct reading *r, struct slice t)
{
	if (slice_is(t, "{")) {
		if (!r->braces && r->last.n && r->last.s[0] == '"') {
			begin_definition(r); /* extern "C" { */
			return;
		}
		if (!r->braces && slice_is(r->last, ")"))
			r->body = true;
		else if (!r->braces && r->tag.n && !r->assigned)
			r->is_type = true;
		if (!r->braces && r->is_type)
			add_whole(r, r->tag);
		r->braces++;
	} else {
		if (!r->braces && !r->brackets && slice_is(t, "(") && slice_is_name(r->last)) {
			if (!r->called && !r->assigned)
				add_whole(r, r->last);
			r->called = true;
		}
		r->brackets++;
	}
}

/* Returns whether the definition ends there. */
static bool
read_closing(struct reading *r, struct slice t)
{
	if (!slice_is(t, "}")) {
		r->brackets -= r->brackets > 0;
		return false;
	}
	if (!r->braces) {
		begin_definition(r); /* that of extern "C" */
		return false;
	}
	return !--r->braces && r->body;
}

/* What stands behind a name tells what the name is. */
static void
read_behind_name(struct reading *r, struct slice t)
{
	bool separates = slice_is(t, ";") || slice_is(t, ",") || slice_is(t, "=");

	if (!r->braces && !r->brackets && (separates || slice_is(t, "["))) {
		add_whole(r, r->last);
	} else if (!r->braces && r->brackets == 1 && slice_is(t, ")") && slice_is(r->before, "*")) {
		add_whole(r, r->last); /* (*name) */
	}
}

static void
read_word(struct reading *r, struct slice t)
{
	if (slice_is(r->last, "struct") || slice_is(r->last, "union") || slice_is(r->last, "enum"))
		r->tag = r->braces ? r->tag : t;
	if (r->braces || r->brackets)
		return;
	r->is_static |= slice_is(t, "static");
	r->is_typedef |= slice_is(t, "typedef");
	r->is_enum |= slice_is(t, "enum");
}

/* An enumerator's text is all up to its value, which follows from those before. */
static void
read_enumerator(struct reading *r, struct slice t)
{
	if (slice_is_name(t) && (slice_is(r->last, "{") || slice_is(r->last, ",")))
		r->enumerator = t;
	if (!slice_is(t, ",") && !slice_is(t, "}"))
		return;
	add_name(r, r->enumerator);
	r->enumerator.n = 0;
}

/* Is it a member of something, behind BEFORE and LAST? */
static bool
is_member(struct slice before, struct slice last)
{
	return slice_is(last, ".") || (slice_is(last, ">") && slice_is(before, "-"));
}

/* A token outside of directives. */
static void
read_token(struct reading *r, struct slice t)
{
	bool ends = false;

	if (slice_is_name(r->last))
		read_behind_name(r, t);
	if (r->is_enum && r->braces == 1 && !r->brackets)
		read_enumerator(r, t);
	r->hash = hash_number(r->hash, slice_hash(t));
	if (slice_is_name(t))
		read_word(r, t);
	/* What names itself does not use itself: the others of an enum are not changed for that. */
	if (r->changed && slice_is_name(t) && !is_member(r->before, r->last) &&
	    !slice_is(r->last, "enum") && t.s != r->enumerator.s)
		r->uses_changed |= is_changed(r->changed, t, r->file);
	if (slice_is(t, "=") && !r->braces)
		r->assigned = true;
	if (slice_is(t, "{") || slice_is(t, "(") || slice_is(t, "["))
		read_opening(r, t);
	else if (slice_is(t, "}") || slice_is(t, ")") || slice_is(t, "]"))
		ends = read_closing(r, t);
	r->before = r->last;
	r->last = t;
	if (ends || (slice_is(t, ";") && !r->braces && !r->brackets))
		end_definition(r);
}

/* Returns the last line of the directive that begins on line LINE. */
static uint32_t
directive_end(const struct text *text, uint32_t line)
{
	for (; line < text->nr_lines; line++) {
		struct slice s = text_line(text, line);

		while (s.n && (s.s[s.n - 1] == '\n' || s.s[s.n - 1] == '\r'))
			s.n--;
		if (!s.n || s.s[s.n - 1] != '\\')
			break;
	}
	return line;
}

/* The tokens of a directive; other ones than #define say nothing. */
static void
read_directive(const struct reading *r, const struct text *text, uint32_t line, uint32_t last)
{
	struct token_reader in = { .text = text, .line = line, .last = last };
	struct reading macro = { .out = r->out, .changed = r->changed, .users = r->users,
				 .file = r->file, .header = r->header, .hash = HASH_START,
				 .is_macro = true };
	struct token_text t;
	size_t nr = 0;

	for (; token_next(&in, &t); nr++) {
		if (nr == 1 && !slice_is(t.text, "define"))
			return;
		if (nr == 2) {
			add_whole(&macro, t.text);
		} else if (nr > 2) {
			macro.hash = hash_number(macro.hash, slice_hash(t.text));
			if (r->changed && slice_is_name(t.text))
				macro.uses_changed |= is_changed(r->changed, t.text, r->file);
		}
	}
	end_definition(&macro);
}

/* Lines FIRST..LAST, which are in no procedure. */
static size_t
read_lines(struct reading *r, const struct text *text, uint32_t first, uint32_t last)
{
	struct token_reader in = { .text = text, .line = first, .last = last };
	struct token_text t;
	uint32_t line = 0;
	size_t nr = 0;

	for (; token_next(&in, &t); nr++) {
		if (t.line != line && slice_is(t.text, "#")) {
			uint32_t end = directive_end(text, t.line);

			read_directive(r, text, t.line, end);
			token_go_to(&in, end + 1);
			continue;
		}
		line = t.line;
		read_token(r, t.text);
	}
	return nr;
}

static bool
is_header(const char *path)
{
	static const char *const sources[] = { ".c", ".cc", ".cpp", ".cxx", ".c++", ".y", ".l" };
	const char *dot = strrchr(path_base(path), '.');

	for (size_t i = 0; dot && i < sizeof(sources) / sizeof(*sources); i++)
		if (!strcasecmp(dot, sources[i]))
			return false;
	return true;
}

static void
read_file(struct match *m, size_t profile, model_id file, struct definitions *out,
	  const struct changed_names *changed, struct changed_names *users)
{
	struct side *s = &m->sides[profile];
	struct side_file *f = side_file(s, file);
	struct text *text = m->work ? side_text(s, file) : NULL;
	struct reading r = { .out = out, .changed = changed, .users = users, .file = f->number,
			     .header = is_header(f->path) };
	uint32_t next = 1;
	size_t read = 0;

	if (!text)
		return;
	begin_definition(&r);
	for (size_t i = 0; i < f->nr_spans; i++) {
		const struct side_span *span = &s->spans[f->first_span + i];

		if (span->first > next)
			read += read_lines(&r, text, next, span->first - 1);
		if (span->last >= next) {
			next = span->last + 1;
			begin_definition(&r);
		}
	}
	read += read_lines(&r, text, next, text->nr_lines);
	m->work -= m->work < read ? m->work : read;
}

/* ---- what has changed ---- */

static int
compare_definitions(const void *pa, const void *pb)
{
	const struct definition *a = pa, *b = pb;

	COMPARE(a->key, b->key);
	COMPARE(a->text, b->text);
	return 0;
}

/* The definitions in those files of PROFILE that are not the same in OTHER. */
static void
read_different(struct match *m, size_t profile, size_t other, struct definitions *out)
{
	struct side *s = &m->sides[profile];

	for (model_id id = 1; id <= s->nr_files; id++)
		if (!match_same_file(m, profile, id, other,
				     match_file_in(m, s->files[id - 1].number, other)))
			read_file(m, profile, id, out, NULL, NULL);
	if (out->nr)
		qsort(out->items, out->nr, sizeof(*out->items), compare_definitions);
}

static size_t
run_of(const struct definitions *d, size_t i)
{
	size_t n = i;

	while (n < d->nr && d->items[n].key == d->items[i].key)
		n++;
	return n - i;
}

/* Names that both have, with other texts. */
static void
compare_texts(const struct definitions *a, const struct definitions *b, struct changed_names *c)
{
	size_t i = 0, k = 0;

	while (i < a->nr && k < b->nr) {
		size_t run_a = run_of(a, i), run_b = run_of(b, k);
		uint64_t key_a = a->items[i].key, key_b = b->items[k].key;

		if (key_a == key_b &&
		    (run_a != run_b || memcmp(&a->items[i], &b->items[k],
					      run_a * sizeof(*a->items)) != 0))
			add_key(c, key_a);
		i += key_a <= key_b ? run_a : 0;
		k += key_b <= key_a ? run_b : 0;
	}
}

/* Adds what uses what has changed. */
static void
add_users(struct match *m, struct changed_names *c)
{
	enum { MOST_ROUNDS = 8 };
	size_t before = 0;

	for (int round = 0; round < MOST_ROUNDS && c->nr > before; round++) {
		struct changed_names users = { .profile = c->profile };

		before = c->nr;
		for (model_id id = 1; id <= m->sides[c->profile].nr_files; id++)
			read_file(m, c->profile, id, NULL, c, &users);
		for (size_t i = 0; i < users.nr; i++)
			add_key(c, users.keys[i]);
		settle_keys(c);
		free(users.keys);
	}
}

struct changed_names *
changed_names_find(struct match *m, size_t a, size_t b)
{
	struct changed_names *c = xcalloc(1, sizeof(*c));
	struct definitions before = { .nr = 0 }, now = { .nr = 0 };

	c->profile = b;
	read_different(m, a, b, &before);
	if (before.nr)
		read_different(m, b, a, &now);
	compare_texts(&before, &now, c);
	settle_keys(c);
	add_users(m, c);
	free(before.items);
	free(now.items);
	return c;
}

void
changed_names_free(struct changed_names *c)
{
	if (!c)
		return;
	free(c->keys);
	free(c);
}

bool
changed_names_used(struct match *m, const struct changed_names *c, model_id procedure)
{
	struct side *s = &m->sides[c->profile];
	const struct place *p = &s->procedures[procedure - 1].place;
	struct text *text = c->nr && p->file && m->work ? side_text(s, p->file) : NULL;
	struct token_reader r = { .text = text, .line = p->line, .last = p->end_line,
				  .begin = p->column ? p->column - 1 : 0 };
	struct locals locals = { .state = PARAMETERS };
	struct token_text t;
	bool used = false;
	size_t nr = 0;

	for (; text && !used && token_next(&r, &t); nr++) {
		bool asked = nr && slice_is_name(t.text) &&
			     !is_member(locals.before, locals.last) &&
			     is_changed(c, t.text, s->files[p->file - 1].number);

		used = locals_next(&locals, t.text, asked);
	}
	m->work -= m->work < nr ? m->work : nr;
	return used;
}
