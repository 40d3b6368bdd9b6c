#include "show/macro.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "util/job.h"
#include "util/mem.h"

/* ---- the text ---- */

static bool
is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* Copies the identifier at byte AT of S to NAME; false: there is none, or it is too long. */
static bool
name_at(const char *s, size_t n, size_t at, char name[MACRO_NAME])
{
	size_t end = at;

	while (end < n && is_name(s[end]))
		end++;
	if (end == at || end - at >= MACRO_NAME || isdigit((unsigned char)s[at]))
		return false;
	memcpy(name, s + at, end - at);
	name[end - at] = '\0';
	return true;
}

static size_t
skip_blanks(const char *s, size_t n, size_t at)
{
	while (at < n && (s[at] == ' ' || s[at] == '\t'))
		at++;
	return at;
}

/* Copies the name that LINE begins to define. */
static bool
defined_on(const struct doc *doc, uint32_t line, char name[MACRO_NAME])
{
	static const char define[] = "define";
	size_t n, at;
	const char *s = doc_line(doc, line, &n);

	at = skip_blanks(s, n, 0);
	if (at == n || s[at] != '#')
		return false;
	at = skip_blanks(s, n, at + 1);
	if (n - at <= strlen(define) || memcmp(s + at, define, strlen(define)))
		return false;
	return name_at(s, n, skip_blanks(s, n, at + strlen(define)), name);
}

static bool
goes_on(const struct doc *doc, uint32_t line)
{
	size_t n;
	const char *s = doc_line(doc, line, &n);

	return n && s[n - 1] == '\\';
}

/* Finds the definition around LINE. */
static bool
definition_around(const struct doc *doc, uint32_t line, struct macro *m)
{
	if (!doc || !doc->text || line > doc->nr_lines)
		return false;
	for (m->first = line; m->first > 1 && goes_on(doc, m->first - 1);)
		m->first--;
	for (m->last = line; m->last < doc->nr_lines && goes_on(doc, m->last);)
		m->last++;
	m->file = doc->file->id;
	return defined_on(doc, m->first, m->name);
}

/* Finds the first definition of NAME in DOC. */
static bool
find_definition(const struct doc *doc, const char *name, struct macro *m)
{
	const char *s = doc && doc->text ? doc->text : NULL, *end = s ? s + doc->size : NULL;
	uint32_t low, high, middle;

	while (s && (s = memmem(s, (size_t)(end - s), name, strlen(name)))) {
		for (low = 0, high = doc->nr_lines; low + 1 < high;) {
			middle = low + (high - low) / 2;
			if (doc->starts[middle] <= (size_t)(s - doc->text))
				low = middle;
			else
				high = middle;
		}
		if (definition_around(doc, low + 1, m) && m->first == low + 1 &&
		    !strcmp(m->name, name))
			return true;
		s++;
	}
	return false;
}

/* Has the text of definition M the identifier NAME in it? */
static bool
mentions(const struct doc *doc, const struct macro *m, const char *name)
{
	size_t n, i, length = strlen(name);
	const char *s;
	uint32_t line;

	for (line = m->first; line <= m->last; line++) {
		s = doc_line(doc, line, &n);
		for (i = 0; i + length <= n; i++)
			if (!memcmp(s + i, name, length) && (!i || !is_name(s[i - 1])) &&
			    (i + length == n || !is_name(s[i + length])))
				return true;
	}
	return false;
}

/* ---- uses ---- */

static bool
name_of_use(struct docs *docs, const struct range_row *use, char name[MACRO_NAME])
{
	struct doc *doc = docs_get(docs, use->place.file);
	size_t n;
	const char *s = doc ? doc_line(doc, use->place.line, &n) : "";

	return doc && use->place.column && use->place.column <= n &&
	       name_at(s, n, use->place.column - 1, name);
}

/* The other macros met so far, and all identifiers in their definitions. */
struct other {
	char name[MACRO_NAME];
	bool has_it; /* its text leads to the macro in question */
};
struct others {
	struct docs *docs;
	const struct macro *macro; /* the macro in question */
	struct other *names;
	size_t nr, alloc;
};

/* Limits of the search: macros within macros, and names. */
enum { MOST_DEPTH = 16, MOST_NAMES = 1000 };

static bool other_has_it(struct others *o, model_id file, const char *name, int depth);

/* Has definition D the macro in its text, or another one that leads to it? */
static bool
leads_to(struct others *o, const struct macro *d, int depth)
{
	char name[MACRO_NAME];
	uint32_t line;
	size_t n, i;
	const char *s;

	if (mentions(docs_get(o->docs, d->file), d, o->macro->name))
		return true;
	for (line = d->first; line <= d->last; line++) {
		s = doc_line(docs_get(o->docs, d->file), line, &n);
		for (i = 0; i < n; i++) {
			if (!is_name(s[i]) || (i && is_name(s[i - 1])) || !name_at(s, n, i, name))
				continue;
			if (other_has_it(o, d->file, name, depth + 1))
				return true;
			/* Other files may have been read since. */
			s = doc_line(docs_get(o->docs, d->file), line, &n);
		}
	}
	return false;
}

/* Is NAME a macro, defined in FILE or where the one in question is, that leads to it? */
static bool
other_has_it(struct others *o, model_id file, const char *name, int depth)
{
	struct macro d = { .file = 0 };
	size_t i;
	bool found;

	for (i = 0; i < o->nr; i++)
		if (!strcmp(o->names[i].name, name))
			return o->names[i].has_it;
	if (!o->macro->file || depth == MOST_DEPTH || o->nr == MOST_NAMES)
		return false;
	/* A name in its own definition is no macro there, so until then it is known as false. */
	GROW(o->names, o->nr + 1, o->alloc);
	i = o->nr++;
	o->names[i].has_it = false;
	strcpy(o->names[i].name, name);
	found = find_definition(docs_get(o->docs, file), name, &d) ||
		(file != o->macro->file &&
		 find_definition(docs_get(o->docs, o->macro->file), name, &d));
	found = found && leads_to(o, &d, depth);
	o->names[i].has_it = found;
	return found;
}

static void
release_names(void *others)
{
	free(((struct others *)others)->names);
}

/* Chooses those of ROWS that use M, by its name or through another macro. */
static void
choose_uses(struct docs *docs, struct macro *m, const struct range_row *rows, size_t nr)
{
	struct others others = { .docs = docs, .macro = m };
	struct job_hold hold;
	char name[MACRO_NAME];
	size_t i;

	m->uses = xcalloc(nr, sizeof(*m->uses));
	job_hold(&hold, release_names, &others);
	for (i = 0; i < nr; i++, job_pause(1)) {
		bool other;

		job_progress((double)i, (double)nr);

		if (!name_of_use(docs, &rows[i], name))
			continue;
		other = strcmp(name, m->name) != 0;
		if (other && !other_has_it(&others, rows[i].place.file, name, 0))
			continue;
		m->uses[m->nr_uses].range = rows[i];
		if (other)
			strcpy(m->uses[m->nr_uses].by, name);
		m->nr_uses++;
	}
	job_let_go(&hold);
}

struct users {
	model_id *procedures;
	struct range_row *rows;
};

static void
release_users(void *users)
{
	struct users *u = users;

	free(u->procedures);
	free(u->rows);
}

/* Fills in the rest when the definition is known, or cannot be found. FILE: the one shown. */
static void
fill(struct docs *docs, model_id file, struct macro *m)
{
	struct users u = { .rows = NULL };
	struct job_part all = job_part(0, 0.8);
	struct job_hold hold;
	size_t nr = 0;

	job_hold(&hold, release_users, &u);
	if (m->file) {
		m->nr_pieces = profile_ranges_of_kind(docs->profile, m->file, m->first, m->last,
						      RANGE_MACRO_DEFINITION, &m->pieces);
		nr = profile_macro_users(docs->profile, m->file, m->first, m->last, &u.procedures);
	}
	m->one_file = !nr;
	nr = nr ? profile_macros(docs->profile, u.procedures, nr, RANGE_MACRO, &u.rows)
		: profile_ranges_of_kind(docs->profile, file, 1, UINT32_MAX, RANGE_MACRO, &u.rows);
	job_part_end(all);
	all = job_part(0.8, 1);
	choose_uses(docs, m, u.rows, nr);
	job_part_end(all);
	job_let_go(&hold);
}

/* ---- finding ---- */

/* Finds the use on LINE that is meant; false: there is none. */
static bool
use_on(struct docs *docs, model_id file, uint32_t line, uint32_t column, struct range_row *use)
{
	struct range_row *rows;
	size_t nr = profile_ranges_of_kind(docs->profile, file, line, line, RANGE_MACRO, &rows), i;
	struct place at = { file, line, column, line, column };
	bool found = false;

	/* Outer ones come first: the last that fits is the innermost. */
	for (i = 0; i < nr; i++) {
		if (column ? !place_holds(&rows[i].place, &at) : found)
			continue;
		*use = rows[i];
		found = true;
	}
	/* No use is at the column: takes the first behind it, or any. */
	for (i = 0; i < nr && !found; i++) {
		*use = rows[i];
		found = rows[i].place.line == line && rows[i].place.column >= column;
	}
	found = found || nr;
	free(rows);
	return found;
}

/* Finds the definition of m->name that code of PROCEDURE has pieces of; else one in FILE. */
static void
find_definition_of(struct docs *docs, model_id procedure, model_id file, struct macro *m)
{
	struct macro d = { .file = 0 };
	struct users u = { .rows = NULL };
	struct job_hold hold;
	size_t i, nr;
	bool found = false;

	job_hold(&hold, release_users, &u);
	nr = profile_macros(docs->profile, &procedure, 1, RANGE_MACRO_DEFINITION, &u.rows);
	for (i = 0; i < nr && !found; i++, job_pause(1))
		found = definition_around(docs_get(docs, u.rows[i].place.file),
					  u.rows[i].place.line, &d) &&
			!strcmp(d.name, m->name);
	if (!found)
		found = find_definition(docs_get(docs, file), m->name, &d);
	for (i = 0; i < nr && !found; i++, job_pause(1))
		if (!i || u.rows[i].place.file != u.rows[i - 1].place.file)
			found = find_definition(docs_get(docs, u.rows[i].place.file), m->name, &d);
	job_let_go(&hold);
	if (!found)
		return;
	m->first = d.first;
	m->last = d.last;
	m->file = d.file;
}

bool
macro_at(struct docs *docs, model_id file, uint32_t line, uint32_t column, struct macro *m)
{
	struct range_row use;

	memset(m, 0, sizeof(*m));
	m->asked = file;
	if (use_on(docs, file, line, column, &use) && name_of_use(docs, &use, m->name)) {
		m->user = use.procedure;
		return true;
	}
	return definition_around(docs_get(docs, file), line, m);
}

void
macro_find(struct docs *docs, struct macro *m)
{
	struct job_part all = job_part(0, 0.5);

	if (!m->file)
		find_definition_of(docs, m->user, m->asked, m);
	job_part_end(all);
	all = job_part(0.5, 1);
	fill(docs, m->asked, m);
	job_part_end(all);
}

bool
macro_defined(struct docs *docs, model_id file, const char *name, struct macro *m)
{
	memset(m, 0, sizeof(*m));
	if (!find_definition(docs_get(docs, file), name, m)) {
		memset(m, 0, sizeof(*m));
		return false;
	}
	fill(docs, file, m);
	return true;
}

void
macro_release(struct macro *m)
{
	free(m->pieces);
	free(m->uses);
	memset(m, 0, sizeof(*m));
}
