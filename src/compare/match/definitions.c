/* Definitions in the text outside of procedures: no parser of C, only as much of its grammar as
 * tells which names a definition is of. A name stands for the tokens of its definition; several
 * ones of a name (in the arms of #if) for all of them, but for arms that are known not to have been
 * compiled. What a source file defines for itself (macros, types, static data) is known in this
 * file alone, what a header defines everywhere. Procedures are no definitions: who calls another
 * one does the same as before, and what stands outside of those of the profile has no code.
 *
 * A user of a structure is who names its type, not who only names a member. */
#include "compare/match/definitions.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "compare/match/inactive.h"
#include "compare/match/locals.h"
#include "compare/match/same_names.h"
#include "compare/match/token.h"
#include "util/index.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/text/path.h"

/* RENAMED: as TEXT, but procedures of another name in the other profile have one number in both. */
struct definition {
	uint64_t key, text, renamed;
	struct definition_name name;
};
struct definitions { struct definition *items; size_t nr, alloc; struct arena arena; };

struct changed_name {
	uint64_t key;
	size_t round;            /* when it was found: 0 are those that have changed themselves */
	size_t number;           /* order in which they were found */
	struct definition_name name; /* what has changed; .. */
	const char *by;          /* .. the name that uses it, if that is another one; "" */
};

struct changed_names {
	struct changed_name *items; /* ascending, each key once */
	size_t nr, alloc, round;
	size_t profile;          /* the later one */
	struct arena arena;      /* names */
};

/* ---- names ---- */

/* FILE: its number, of a name that only this file knows; else 0. */
static uint64_t
name_key(struct slice name, uint32_t file)
{
	return hash_number(slice_hash(name), file);
}

static const struct changed_name *
find_key(const struct changed_names *c, uint64_t key)
{
	size_t low = 0, high = c->nr;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (c->items[middle].key < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low < c->nr && c->items[low].key == key ? &c->items[low] : NULL;
}

/* NULL: it has not changed. */
static const struct changed_name *
find_changed(const struct changed_names *c, struct slice name, uint32_t file)
{
	const struct changed_name *own = find_key(c, name_key(name, file));

	return own ? own : find_key(c, name_key(name, 0));
}

/* What has changed itself comes before what uses it, and what was found first before others. */
static int
compare_changed(const void *pa, const void *pb)
{
	const struct changed_name *a = pa, *b = pb;

	COMPARE(a->key, b->key);
	COMPARE(a->round, b->round);
	COMPARE(a->number, b->number);
	return 0;
}

static void
add_changed(struct changed_names *c, uint64_t key, const struct definition_name *name,
	    const char *by)
{
	GROW(c->items, c->nr + 1, c->alloc);
	c->items[c->nr] = (struct changed_name){ .key = key, .round = c->round, .number = c->nr,
						 .name = *name, .by = by };
	c->nr++;
}

/* In order, each once. */
static void
settle_changed(struct changed_names *c)
{
	size_t kept = 0;

	if (c->nr)
		qsort(c->items, c->nr, sizeof(*c->items), compare_changed);
	for (size_t i = 0; i < c->nr; i++)
		if (!kept || c->items[kept - 1].key != c->items[i].key)
			c->items[kept++] = c->items[i];
	c->nr = kept;
}

/* ---- reading definitions ---- */

enum { MOST_NAMES = 256 /* of one definition */ };

/* What is read, and for what. */
struct reading_for {
	struct definitions *out;         /* all of them; NULL: */
	const struct changed_names *changed; /* those that use one of these, */
	struct changed_names *users;     /* which are added here */
	const struct same_names *same;   /* procedures with another name in the other profile */
	model_id file;
	uint32_t number;                 /* the file's, over all profiles */
	bool header;
	struct inactive_lines inactive;
};

/* A name that a definition is of. */
struct read_name {
	struct slice name;
	uint64_t text, renamed;          /* up to there, unless it is of the WHOLE */
	bool whole;
	const struct changed_name *uses; /* what has changed up to there, unless WHOLE */
	enum definition_kind kind;
	uint32_t line;
};

struct reading {
	const struct reading_for *to;
	struct read_name *names;         /* room for MOST_NAMES */
	size_t nr_names;
	/* the definition that is read */
	uint64_t hash, renamed;
	int braces, brackets;            /* ( and [ */
	const struct changed_name *uses; /* what has changed; NULL: nothing so far */
	bool is_static, is_typedef, is_type, is_enum, is_macro;
	bool called, body, assigned;     /* had ( behind a name, { behind ), = */
	struct slice last, before;       /* the last two tokens */
	struct slice tag;                /* behind struct, union, enum */
	struct slice enumerator;         /* whose value is being read */
	uint32_t line, last_line;        /* of this token, of LAST */
	uint32_t tag_line, enumerator_line;
};

static void
begin_definition(struct reading *r)
{
	struct reading fresh = { .to = r->to, .names = r->names, .hash = HASH_START,
				 .renamed = HASH_START };

	*r = fresh;
}

static void
add_name(struct reading *r, struct slice name, enum definition_kind kind, uint32_t line)
{
	if (!slice_is_name(name) || r->nr_names == MOST_NAMES)
		return;
	r->names[r->nr_names++] = (struct read_name){
		.name = name, .text = r->hash, .renamed = r->renamed, .uses = r->uses,
		.kind = kind, .line = line,
	};
}

/* A prototype defines nothing, and a procedure is none. */
static bool
defines_something(const struct reading *r)
{
	return !r->body && (r->is_macro || r->is_typedef || r->assigned || !r->called);
}

static void
end_name(struct reading *r, size_t i)
{
	const struct reading_for *to = r->to;
	bool own = !to->header && (r->is_macro || r->is_static || r->is_typedef || r->is_type);
	const struct read_name *n = &r->names[i];
	const struct changed_name *uses = n->whole ? r->uses : n->uses;
	uint64_t key = name_key(n->name, own ? to->number : 0);
	struct arena *arena = to->out ? &to->out->arena : &to->users->arena;
	struct definition d = {
		.key = key, .text = n->whole ? r->hash : n->text,
		.renamed = n->whole ? r->renamed : n->renamed,
		.name = { .kind = n->kind, .file = to->file, .line = n->line },
	};

	if (!to->out && !uses)
		return;
	d.name.name = arena_strndup(arena, n->name.s, n->name.n);
	if (!to->out) {
		add_changed(to->users, key, &uses->name, d.name.name);
		return;
	}
	GROW(to->out->items, to->out->nr + 1, to->out->alloc);
	to->out->items[to->out->nr++] = d;
}

static void
end_definition(struct reading *r)
{
	for (size_t i = 0; i < r->nr_names && defines_something(r); i++)
		end_name(r, i);
	begin_definition(r);
}

/* Notes a name that its definition as a whole belongs to. */
static void
add_whole(struct reading *r, struct slice name, enum definition_kind kind, uint32_t line)
{
	size_t before = r->nr_names;

	add_name(r, name, kind, line);
	if (r->nr_names > before)
		r->names[before].whole = true;
}

/* What the name is that LAST is. */
static enum definition_kind
kind_of_last(const struct reading *r)
{
	return r->is_typedef ? DEFINITION_TYPE : DEFINITION_VARIABLE;
}

/* Does a bracket behind it not belong to a name? int (*f)(void); int x __attribute__((..)) = 3; */
static bool
is_keyword(struct slice name)
{
	static const char *const words[] = {
		"int", "char", "void", "long", "short", "signed", "unsigned", "float", "double",
		"bool", "_Bool", "const", "volatile", "static", "extern", "inline", "typedef",
		"__attribute__", "__attribute", "__declspec", "alignas", "_Alignas", "typeof",
		"__typeof__", "__typeof", "decltype", "sizeof", "__extension__", "_Static_assert",
		"static_assert", "__asm__", "asm", "__asm", "noexcept",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (slice_is(name, words[i]))
			return true;
	return false;
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
			add_whole(r, r->tag, DEFINITION_TYPE, r->tag_line);
		r->braces++;
	} else {
		if (!r->braces && !r->brackets && slice_is(t, "(") && slice_is_name(r->last) &&
		    !is_keyword(r->last)) {
			if (!r->called && !r->assigned)
				add_whole(r, r->last, kind_of_last(r), r->last_line);
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
		add_whole(r, r->last, kind_of_last(r), r->last_line);
	} else if (!r->braces && r->brackets == 1 && (slice_is(t, ")") || slice_is(t, "[")) &&
		   (slice_is(r->before, "*") || slice_is(r->before, "const"))) {
		add_whole(r, r->last, kind_of_last(r), r->last_line); /* (*name) */
	}
}

static void
read_word(struct reading *r, struct slice t)
{
	bool is_tag = slice_is(r->last, "struct") || slice_is(r->last, "union") ||
		      slice_is(r->last, "enum");

	if (is_tag && !r->braces) {
		r->tag = t;
		r->tag_line = r->line;
	}
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
	if (slice_is_name(t) && (slice_is(r->last, "{") || slice_is(r->last, ","))) {
		r->enumerator = t;
		r->enumerator_line = r->line;
	}
	if (!slice_is(t, ",") && !slice_is(t, "}"))
		return;
	add_name(r, r->enumerator, DEFINITION_ENUMERATOR, r->enumerator_line);
	r->enumerator.n = 0;
}

/* Is it a member of something, behind BEFORE and LAST? */
static bool
is_member(struct slice before, struct slice last)
{
	return slice_is(last, ".") || (slice_is(last, ">") && slice_is(before, "-"));
}

/* Adds T to what is compared. */
static void
add_text(struct reading *r, struct slice t)
{
	uint64_t hash = slice_hash(t), same = 0;

	if (r->to->same && slice_is_name(t) && !is_member(r->before, r->last))
		same = same_names_find(r->to->same, t, r->to->number);
	r->hash = hash_number(r->hash, hash);
	r->renamed = hash_number(r->renamed, same ? same : hash);
}

/* Does T name something that has changed? Only the first one is told. */
static void
look_for_changed(struct reading *r, struct slice t)
{
	if (r->to->changed && !r->uses && slice_is_name(t))
		r->uses = find_changed(r->to->changed, t, r->to->number);
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
	add_text(r, t);
	if (slice_is_name(t))
		read_word(r, t);
	/* What names itself does not use itself: the others of an enum are not changed for that. */
	if (!is_member(r->before, r->last) && !slice_is(r->last, "enum") && t.s != r->enumerator.s)
		look_for_changed(r, t);
	if (slice_is(t, "=") && !r->braces)
		r->assigned = true;
	if (slice_is(t, "{") || slice_is(t, "(") || slice_is(t, "["))
		read_opening(r, t);
	else if (slice_is(t, "}") || slice_is(t, ")") || slice_is(t, "]"))
		ends = read_closing(r, t);
	r->before = r->last;
	r->last = t;
	r->last_line = r->line;
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
	struct read_name name;
	struct reading macro = { .to = r->to, .names = &name, .hash = HASH_START,
				 .renamed = HASH_START, .is_macro = true };
	struct token_text t;
	size_t nr = 0;

	for (; token_next(&in, &t); nr++) {
		if (nr == 1 && !slice_is(t.text, "define"))
			return;
		if (nr == 2) {
			add_whole(&macro, t.text, DEFINITION_MACRO, t.line);
		} else if (nr > 2) {
			add_text(&macro, t.text);
			look_for_changed(&macro, t.text);
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
		uint32_t end = t.line != line ? inactive_end(&r->to->inactive, t.line) : 0;

		if (end) {
			token_go_to(&in, end + 1);
			continue;
		}
		if (t.line != line && slice_is(t.text, "#")) {
			end = directive_end(text, t.line);
			read_directive(r, text, t.line, end);
			token_go_to(&in, end + 1);
			continue;
		}
		line = r->line = t.line;
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

/* Finds what was left out. In a header only what says so itself: units may differ. */
static void
find_inactive(struct reading_for *to, const struct side *s, const struct side_file *f,
	      const struct text *text)
{
	inactive_read(&to->inactive, text);
	for (size_t i = 0; i < f->nr_spans && !to->header; i++)
		inactive_has_code(&to->inactive, s->spans[f->first_span + i].first);
	inactive_settle(&to->inactive);
}

static void
read_file(struct match *m, size_t profile, struct reading_for *to)
{
	struct side *s = &m->sides[profile];
	struct side_file *f = side_file(s, to->file);
	struct text *text = m->work ? side_text(s, to->file) : NULL;
	struct read_name names[MOST_NAMES];
	struct reading r = { .to = to, .names = names };
	uint32_t next = 1;
	size_t read = 0;

	if (!text)
		return;
	to->number = f->number;
	to->header = is_header(f->path);
	find_inactive(to, s, f, text);
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
	inactive_release(&to->inactive);
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

static int
compare_renamed(const void *pa, const void *pb)
{
	const struct definition *a = pa, *b = pb;

	COMPARE(a->renamed, b->renamed);
	return 0;
}

/* The definitions in those files of PROFILE that are not the same in OTHER. */
static void
read_different(struct match *m, size_t profile, size_t other, const struct same_names *same,
	       struct definitions *out)
{
	struct side *s = &m->sides[profile];

	for (model_id id = 1; id <= s->nr_files; id++) {
		struct reading_for to = { .out = out, .same = same, .file = id };

		if (!match_same_file(m, profile, id, other,
				     match_file_in(m, s->files[id - 1].number, other)))
			read_file(m, profile, &to);
	}
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

/* Are NR definitions of one name the same? The names of procedures do not count. */
static bool
are_same(struct definition *a, size_t nr_a, struct definition *b, size_t nr_b)
{
	size_t i = 0;

	if (nr_a != nr_b)
		return false;
	while (i < nr_a && a[i].text == b[i].text)
		i++;
	if (i == nr_a)
		return true;
	qsort(a, nr_a, sizeof(*a), compare_renamed);
	qsort(b, nr_b, sizeof(*b), compare_renamed);
	for (i = 0; i < nr_a && a[i].renamed == b[i].renamed;)
		i++;
	return i == nr_a;
}

/* Returns the first one in the text of B that A does not have. */
static const struct definition *
first_other(const struct definition *a, size_t nr_a, const struct definition *b, size_t nr_b)
{
	const struct definition *first = NULL;

	for (size_t i = 0; i < nr_b; i++) {
		size_t k = 0;

		while (k < nr_a && a[k].renamed != b[i].renamed)
			k++;
		if (k == nr_a && (!first || b[i].name.file < first->name.file ||
				  (b[i].name.file == first->name.file &&
				   b[i].name.line < first->name.line)))
			first = &b[i];
	}
	return first ? first : b;
}

/* Names that both have, with other texts. */
static void
compare_texts(const struct definitions *a, const struct definitions *b, struct changed_names *c)
{
	size_t i = 0, k = 0;

	while (i < a->nr && k < b->nr) {
		size_t run_a = run_of(a, i), run_b = run_of(b, k);
		uint64_t key_a = a->items[i].key, key_b = b->items[k].key;

		if (key_a == key_b && !are_same(&a->items[i], run_a, &b->items[k], run_b)) {
			struct definition_name name =
				first_other(&a->items[i], run_a, &b->items[k], run_b)->name;

			name.name = arena_strdup(&c->arena, name.name);
			add_changed(c, key_a, &name, "");
		}
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

	for (c->round = 1; c->round <= MOST_ROUNDS && c->nr > before; c->round++) {
		struct changed_names users = { .arena = ARENA_INIT };

		before = c->nr;
		for (model_id id = 1; id <= m->sides[c->profile].nr_files; id++) {
			struct reading_for to = { .changed = c, .users = &users, .file = id };

			read_file(m, c->profile, &to);
		}
		for (size_t i = 0; i < users.nr; i++)
			add_changed(c, users.items[i].key, &users.items[i].name,
				    arena_strdup(&c->arena, users.items[i].by));
		settle_changed(c);
		free(users.items);
		arena_release(&users.arena);
	}
}

struct changed_names *
changed_names_find(struct match *m, size_t a, size_t b)
{
	struct changed_names *c = xcalloc(1, sizeof(*c));
	struct definitions before = { .arena = ARENA_INIT }, now = { .arena = ARENA_INIT };
	struct same_names *same_a = same_names_new(m, a, b), *same_b = same_names_new(m, b, a);

	c->profile = b;
	c->arena = (struct arena)ARENA_INIT;
	read_different(m, a, b, same_a, &before);
	if (before.nr)
		read_different(m, b, a, same_b, &now);
	compare_texts(&before, &now, c);
	settle_changed(c);
	add_users(m, c);
	same_names_free(same_a);
	same_names_free(same_b);
	free(before.items);
	free(now.items);
	arena_release(&before.arena);
	arena_release(&now.arena);
	return c;
}

void
changed_names_free(struct changed_names *c)
{
	if (!c)
		return;
	free(c->items);
	arena_release(&c->arena);
	free(c);
}

/* Notes that NAME is used, unless it is noted, or is there by another name. */
static void
add_use(struct changed_uses *u, const struct changed_name *name)
{
	for (size_t i = 0; i < u->nr; i++)
		if (u->names[i] == name->name.name)
			return;
	if (u->nr == MOST_CHANGED_USES)
		return;
	if (!u->nr) {
		u->first = name->name;
		u->by = name->by;
	}
	u->names[u->nr++] = name->name.name;
}

bool
changed_names_used(struct match *m, const struct changed_names *c, model_id procedure,
		   struct changed_uses *uses)
{
	struct side *s = &m->sides[c->profile];
	const struct place *p = &s->procedures[procedure - 1].place;
	struct text *text = c->nr && p->file && m->work ? side_text(s, p->file) : NULL;
	struct token_reader r = { .text = text, .line = p->line, .last = p->end_line,
				  .begin = p->column ? p->column - 1 : 0 };
	struct locals locals = { .state = PARAMETERS };
	const struct changed_name *asked = NULL, *before;
	struct token_text t;
	size_t nr = 0;

	*uses = (struct changed_uses){ .nr = 0 };
	for (; text && token_next(&r, &t); nr++) {
		before = asked;
		asked = nr && slice_is_name(t.text) && !is_member(locals.before, locals.last)
			? find_changed(c, t.text, s->files[p->file - 1].number) : NULL;
		if (locals_next(&locals, t.text, asked))
			add_use(uses, before);
	}
	m->work -= m->work < nr ? m->work : nr;
	return uses->nr > 0;
}
