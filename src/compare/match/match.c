#include "compare/match/match.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "compare/match/counterpart.h"
#include "compare/match/definitions.h"
#include "compare/match/side.h"
#include "util/index.h"
#include "util/text/clone.h"
#include "util/text/search.h"

/* Steps for all alignments together: some seconds. */
#define ALIGN_WORK ((uint64_t)500000000)
enum { LEAST_TOKENS = 8, MAX_PARTS = 12 };
/* 3-grams of all texts that are looked at, and of each. */
enum { MOST_GRAMS = 4 << 20, LEAST_GRAMS = 64, MOST_GRAMS_EACH = 1024 };
/* Below this two static procedures of one name are two. */
#define LEAST_NAMESAKE 0.3

/* ---- rules ---- */

static int
compile_rules(struct match *m, const struct match_options *o, struct error *err)
{
	m->rules = xcalloc(o->nr_renames, sizeof(*m->rules));
	for (size_t i = 0; i < o->nr_renames; i++) {
		const struct match_rename *r = &o->renames[i];
		char text[200];
		int code = search_regcomp(&m->rules[i].pattern, r->pattern, REG_EXTENDED);

		if (code) {
			regerror(code, NULL, text, sizeof(text));
			return error_set(err, "rename %s: %s", r->pattern, text);
		}
		m->rules[i].replacement = r->replacement;
		m->nr_rules++;
	}
	return 0;
}

/* ---- files ---- */

static uint32_t
new_file(struct match *m)
{
	size_t n = m->nr_sides;

	m->nr_files++;
	GROW(m->file, (m->nr_files + 1) * n, m->file_alloc);
	memset(m->file + m->nr_files * n, 0, n * sizeof(*m->file));
	return (uint32_t)m->nr_files;
}

struct pairing {
	struct match *m;
	size_t k;                /* profile that is matched with those before */
	enum match_how how;
	size_t grams;            /* of each text that is looked at */
};

static void
pair_files(void *context, uint32_t number, uint32_t index)
{
	struct pairing *p = context;
	struct match *m = p->m;

	m->sides[p->k].files[index].number = number;
	m->file[number * m->nr_sides + p->k] = index + 1;
}

/* The last PARTS components of a path; NULL: it has less. */
static const char *
path_end(const char *path, int parts)
{
	const char *s = path + strlen(path);

	while (s > path && parts > 0) {
		s--;
		if (*s == '/' && --parts == 0)
			return s + 1;
	}
	return parts <= 1 ? path : NULL;
}

/* PARTS: 0 for the whole path, -1 for the text. False: the file has no such key. */
static bool
file_key(const struct side_file *f, const char *path, int parts, uint64_t *key)
{
	const char *end = parts > 0 ? path_end(path, parts) : path;

	if (!end || (parts < 0 && !f->size))
		return false;
	*key = parts < 0 ? f->hash * 31 + f->size : hash_text(HASH_START, end);
	return true;
}

static const struct side_file *
file_home(const struct match *m, uint32_t number)
{
	for (size_t k = 0; k < m->nr_sides; k++) {
		model_id id = m->file[number * m->nr_sides + k];

		if (id)
			return &m->sides[k].files[id - 1];
	}
	BUG("file %u is nowhere", number);
}

static void
match_files_by(struct match *m, size_t k, int parts)
{
	struct side *s = &m->sides[k];
	struct keyed *old = xcalloc(m->nr_files, sizeof(*old));
	struct keyed *new = xcalloc(s->nr_files, sizeof(*new));
	struct pairing p = { m, k, MATCH_SAME, 0 };
	size_t nr_old = 0, nr_new = 0;

	for (uint32_t n = 1; n <= m->nr_files; n++) {
		const struct side_file *f = file_home(m, n);

		if (!m->file[n * m->nr_sides + k] &&
		    file_key(f, f->renamed, parts, &old[nr_old].key))
			old[nr_old++].index = n;
	}
	for (uint32_t i = 0; i < s->nr_files; i++) {
		const struct side_file *f = &s->files[i];

		if (!f->number && file_key(f, f->renamed, parts, &new[nr_new].key))
			new[nr_new++].index = i;
	}
	keyed_match(old, nr_old, new, nr_new, pair_files, &p);
	free(old);
	free(new);
}

/* A procedure of a file without a counterpart (its number, or its index) is in another such one. */
struct vote { uint32_t number, index; size_t nr; };
struct votes { struct vote *votes; size_t nr, alloc; };

static void
vote(void *context, uint32_t number, uint32_t index)
{
	struct votes *v = context;

	GROW(v->votes, v->nr + 1, v->alloc);
	v->votes[v->nr++] = (struct vote){ number, index, 1 };
}

static int
by_pair(const void *a, const void *b)
{
	const struct vote *x = a, *y = b;

	if (x->index != y->index)
		return x->index < y->index ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static int
by_votes(const void *a, const void *b)
{
	const struct vote *x = a, *y = b;

	return x->nr != y->nr ? (x->nr > y->nr ? -1 : 1) : by_pair(a, b);
}

/* The named procedures of profile J that are in files which profile K, or J itself, has alone. */
static size_t
lonely_names(const struct match *m, size_t j, size_t k, struct keyed *names)
{
	const struct side *s = &m->sides[j];
	size_t nr = 0;

	for (size_t i = 0; i < s->nr_procedures; i++) {
		const struct side_procedure *p = &s->procedures[i];
		uint32_t file = p->place.file, number = file ? s->files[file - 1].number : 0;
		bool lonely = j == k ? !number : number && !m->file[number * m->nr_sides + k] &&
						 file_home(m, number) == &s->files[file - 1];

		if (file && lonely && p->copy_of == i + 1 && *p->renamed_linkage)
			names[nr++] = (struct keyed){ hash_text(HASH_START, p->renamed_linkage),
						      j == k ? file - 1 : number };
	}
	return nr;
}

/* A file with another name that was changed, too: most of its procedures are in one other file. */
static void
match_files_by_procedures(struct match *m, size_t k)
{
	struct side *s = &m->sides[k];
	size_t nr_new = 0, nr_old = 0, nr = 0, most = 0;
	struct keyed *new = xcalloc(s->nr_procedures, sizeof(*new)), *old;
	uint32_t *of = xcalloc(s->nr_files, sizeof(*of));
	struct pairing p = { m, k, MATCH_SAME, 0 };
	struct votes v = { 0 };

	for (size_t j = 0; j < k; j++)
		most += m->sides[j].nr_procedures;
	old = xcalloc(most, sizeof(*old));
	nr_new = lonely_names(m, k, k, new);
	for (size_t j = 0; j < k && nr_new; j++)
		nr_old += lonely_names(m, j, k, old + nr_old);
	for (size_t i = 0; i < nr_new; i++)
		of[new[i].index]++;
	keyed_match(old, nr_old, new, nr_new, vote, &v);
	if (v.nr)
		qsort(v.votes, v.nr, sizeof(*v.votes), by_pair);
	for (size_t i = 0; i < v.nr; i++) {
		if (nr && !by_pair(&v.votes[nr - 1], &v.votes[i]))
			v.votes[nr - 1].nr++;
		else
			v.votes[nr++] = v.votes[i];
	}
	if (nr)
		qsort(v.votes, nr, sizeof(*v.votes), by_votes);
	for (size_t i = 0; i < nr; i++) {
		const struct vote *x = &v.votes[i];

		if (2 * x->nr > of[x->index] && !s->files[x->index].number &&
		    !m->file[x->number * m->nr_sides + k])
			pair_files(&p, x->number, x->index);
	}
	free(v.votes);
	free(of);
	free(old);
	free(new);
}

/* Matches files by path, by the longest end of it, by text, by their procedures. */
static void
match_all_files(struct match *m, size_t k)
{
	struct side *s = &m->sides[k];

	if (k) {
		match_files_by(m, k, 0);
		for (int parts = MAX_PARTS; parts > 0; parts--)
			match_files_by(m, k, parts);
		match_files_by(m, k, -1);
		match_files_by_procedures(m, k);
	}
	for (size_t i = 0; i < s->nr_files; i++) {
		if (s->files[i].number)
			continue;
		s->files[i].number = new_file(m);
		m->file[s->files[i].number * m->nr_sides + k] = (model_id)i + 1;
	}
}

/* ---- procedures ---- */

static uint32_t
file_number(const struct side *s, const struct place *p)
{
	return p->file ? s->files[p->file - 1].number : 0;
}

struct copy_key { const char *linkage_name, *name; struct place place; model_id id; };

static int
compare_copies(const void *pa, const void *pb)
{
	const struct copy_key *a = pa, *b = pb;
	int c = strcmp(a->linkage_name, b->linkage_name);

	if (!c)
		c = strcmp(a->name, b->name);
	if (!c)
		c = (a->place.file > b->place.file) - (a->place.file < b->place.file);
	if (!c)
		c = (a->place.line > b->place.line) - (a->place.line < b->place.line);
	if (!c)
		c = (a->place.column > b->place.column) - (a->place.column < b->place.column);
	return c ? c : (a->id > b->id) - (a->id < b->id);
}

/* An inline procedure of a header has a row for each object that has it. What several units have,
 * each for a type of its own, has one linkage name, and several names. */
static void
find_copies(struct side *s)
{
	struct copy_key *keys = xcalloc(s->nr_procedures, sizeof(*keys));

	for (size_t i = 0; i < s->nr_procedures; i++)
		keys[i] = (struct copy_key){ s->procedures[i].linkage_name, s->procedures[i].name,
					     s->procedures[i].place, (model_id)i + 1 };
	if (s->nr_procedures)
		qsort(keys, s->nr_procedures, sizeof(*keys), compare_copies);
	for (size_t i = 1; i < s->nr_procedures; i++) {
		const struct copy_key *a = &keys[i - 1], *b = &keys[i];

		if (!strcmp(a->linkage_name, b->linkage_name) && !strcmp(a->name, b->name) &&
		    !memcmp(&a->place, &b->place, sizeof(a->place)))
			s->procedures[b->id - 1].copy_of = s->procedures[a->id - 1].copy_of;
	}
	free(keys);
}

static entity_id
new_entity(struct match *m, size_t home)
{
	size_t n = m->nr_sides;

	m->nr_entities++;
	GROW(m->procedure, (m->nr_entities + 1) * n, m->procedure_alloc);
	GROW(m->home, m->nr_entities + 1, m->home_alloc);
	GROW(m->found, (m->nr_entities + 1) * n, m->found_alloc);
	memset(m->found + m->nr_entities * n, 0, n * sizeof(*m->found));
	memset(m->procedure + m->nr_entities * n, 0, n * sizeof(*m->procedure));
	m->home[m->nr_entities] = (uint32_t)home;
	return (entity_id)m->nr_entities;
}

static struct digest *
home_digest(struct match *m, entity_id e, size_t most)
{
	size_t home = m->home[e];

	return side_digest(&m->sides[home], m->procedure[e * m->nr_sides + home], most, &m->work);
}

static const struct side_procedure *
home_procedure(const struct match *m, entity_id e)
{
	size_t home = m->home[e];

	return &m->sides[home].procedures[m->procedure[e * m->nr_sides + home] - 1];
}

static void
pair_procedure(struct pairing *p, entity_id entity, uint32_t index, double alike)
{
	struct match *m = p->m;
	struct side *s = &m->sides[p->k];
	struct found *found = &m->found[entity * m->nr_sides + p->k];
	enum match_how how = p->how;

	/* Where a tool does not know the file nothing was moved. */
	if (how == MATCH_FILE_MOVED && (!s->procedures[index].place.file ||
					!home_procedure(m, entity)->place.file))
		how = MATCH_SAME;
	m->procedure[entity * m->nr_sides + p->k] = index + 1;
	s->procedures[index].entity = entity;
	s->report.how[how]++;
	found->how = (unsigned char)how;
	found->percent = (unsigned char)(alike * 100 + 0.5);
}

/* Two files may each have a static procedure of one name. */
static bool
are_namesakes(const struct pairing *p, entity_id entity, uint32_t index)
{
	struct match *m = p->m;
	const struct side_procedure *a = home_procedure(m, entity);
	const struct side_procedure *b = &m->sides[p->k].procedures[index];
	const struct digest *da, *db;
	uint64_t common;

	if (p->how != MATCH_FILE_MOVED && p->how != MATCH_NAME)
		return false;
	if ((!a->is_static && !b->is_static) ||
	    file_number(&m->sides[m->home[entity]], &a->place) ==
	    file_number(&m->sides[p->k], &b->place))
		return false;
	da = home_digest(m, entity, p->grams);
	db = side_digest(&m->sides[p->k], index + 1, p->grams, &m->work);
	return da->tokens && db->tokens && da->hash != db->hash &&
	       grams_alike(&da->grams, &db->grams, &common) < LEAST_NAMESAKE;
}

static void
pair_equal(void *context, uint32_t entity, uint32_t index)
{
	if (!are_namesakes(context, entity, index))
		pair_procedure(context, entity, index, 0);
}

static void
pair_alike(void *context, uint32_t entity, uint32_t index, double alike)
{
	struct pairing *p = context;

	pair_procedure(p, entity, index, alike);
	if (alike < 1)
		match_text_changed(p->m, entity, p->k);
}

/* The procedures that are matched with what is known of their texts. */
static bool
needs_text(enum match_how how)
{
	return how >= MATCH_TEXT_AND_FILE;
}

/* Identity of a procedure as HOW looks at it; false: it has none. */
static bool
procedure_key(const struct pairing *pairing, struct side *s, model_id id, uint64_t *key)
{
	const struct side_procedure *p = &s->procedures[id - 1];
	const struct digest *d;
	const char *name;

	if (needs_text(pairing->how)) {
		d = side_digest(s, id, pairing->grams, &pairing->m->work);
		*key = d->hash;
		if (pairing->how == MATCH_TEXT_AND_FILE)
			*key = hash_number(*key, file_number(s, &p->place));
		return d->tokens >= LEAST_TOKENS;
	}
	name = pairing->how == MATCH_NAME ? p->renamed : p->renamed_linkage;
	*key = hash_bytes(HASH_START, name, pairing->how == MATCH_CLONE ? clone_base(name)
									: strlen(name));
	if (pairing->how <= MATCH_CLONE)
		*key = hash_number(*key, file_number(s, &p->place));
	return true;
}

/* What is around those that are left is asked for its text, too: where few have a counterpart, such
 * texts are read with those beside them, and no file once more for one of them. */
static bool
reads_matched(const struct pairing *p)
{
	const size_t *how = p->m->sides[p->k].report.how;
	size_t matched = how[MATCH_SAME] + how[MATCH_CLONE] + how[MATCH_FILE_MOVED] +
			 how[MATCH_NAME];

	return p->how == MATCH_TEXT_AND_FILE && !p->m->only_equal &&
	       matched < p->m->sides[p->k].nr_procedures / 8;
}

static void
find_unmatched(const struct pairing *p, struct unmatched *u)
{
	struct match *m = p->m;
	struct side *s = &m->sides[p->k];
	bool all = reads_matched(p);

	*u = (struct unmatched){ .old = xcalloc(m->nr_entities, sizeof(*u->old)),
				 .new = xcalloc(s->nr_procedures, sizeof(*u->new)) };
	for (uint32_t i = 0; i < s->nr_procedures; i++) {
		if (!s->procedures[i].entity && s->procedures[i].copy_of == i + 1 &&
		    procedure_key(p, s, i + 1, &u->new[u->nr_new].key))
			u->new[u->nr_new++].index = i;
		else if (all && s->procedures[i].entity)
			side_digest(s, i + 1, p->grams, &m->work);
	}
	for (entity_id e = 1; u->nr_new && e <= m->nr_entities; e++) {
		size_t home = m->home[e];

		if (!m->procedure[e * m->nr_sides + p->k] &&
		    procedure_key(p, &m->sides[home], m->procedure[e * m->nr_sides + home],
				  &u->old[u->nr_old].key))
			u->old[u->nr_old++].index = e;
		else if (all && m->procedure[e * m->nr_sides + p->k])
			home_digest(m, e, p->grams);
	}
}

/* 3-grams of each text when so many texts are to be looked at. */
static size_t
grams_each(size_t texts)
{
	size_t each = MOST_GRAMS / (texts + 1);

	return each < LEAST_GRAMS ? LEAST_GRAMS : each > MOST_GRAMS_EACH ? MOST_GRAMS_EACH : each;
}

static int
match_procedures_by(struct pairing *p)
{
	struct unmatched u;
	int status = 0;

	find_unmatched(p, &u);
	if (p->how == MATCH_LIKE)
		status = counterparts_find(p->m, p->k, &u, p->grams, pair_alike, p);
	else
		keyed_match(u.old, u.nr_old, u.new, u.nr_new, pair_equal, p);
	if (p->how == MATCH_SAME)
		p->grams = grams_each((u.nr_new > u.nr_old ? u.nr_new : u.nr_old) -
				      p->m->sides[p->k].report.how[MATCH_SAME]);
	free(u.old);
	free(u.new);
	return status;
}

static int
match_procedures(struct match *m, size_t k)
{
	enum match_how last = m->only_equal ? MATCH_TEXT : MATCH_LIKE;
	struct side *s = &m->sides[k];
	struct pairing p = { m, k, MATCH_SAME, 0 };
	int status = 0;

	find_copies(s);
	for (; k && p.how <= last && !status; p.how++)
		status = match_procedures_by(&p);
	for (size_t i = 0; i <= k; i++)
		side_forget_digests(&m->sides[i]);
	for (size_t i = 0; i < s->nr_procedures; i++) {
		struct side_procedure *q = &s->procedures[i];

		if (q->copy_of != i + 1 || q->entity)
			continue;
		q->entity = new_entity(m, k);
		m->procedure[q->entity * m->nr_sides + k] = (model_id)i + 1;
		s->report.how[MATCH_NONE]++;
	}
	for (size_t i = 0; i < s->nr_procedures; i++) {
		struct side_procedure *q = &s->procedures[i];

		q->entity = s->procedures[q->copy_of - 1].entity;
	}
	return status;
}

/* ---- the report ---- */

static bool
is_elsewhere(const struct match *m, entity_id e, size_t k)
{
	for (size_t i = 0; i < m->nr_sides; i++) {
		if (i != k && m->procedure[e * m->nr_sides + i])
			return true;
	}
	return false;
}

static void
report(struct match *m)
{
	for (size_t k = 0; k < m->nr_sides; k++) {
		struct side *s = &m->sides[k];

		for (size_t i = 0; i < s->nr_procedures; i++) {
			const struct side_procedure *p = &s->procedures[i];

			if (!is_elsewhere(m, p->entity, k))
				continue;
			s->report.matched++;
			s->report.matched_executions += p->executions;
			s->report.matched_self_ns += p->self_ns;
			s->report.matched_cost += p->cost;
			if (p->copy_of != i + 1)
				continue;
			if (match_changed(m, p->entity, k))
				s->report.changed++;
			else if (match_affected(m, p->entity, k))
				s->report.affected++;
		}
	}
}

/* ---- opening ---- */

/* Tells which of the profiles up to K is damaged. */
static int
damaged_one(struct profile *const *profiles, size_t k, struct error *err)
{
	while (k && !profile_error(profiles[k]))
		k--;
	return error_set(err, "%s", profile_error(profiles[k]));
}

static int
load(struct match *m, struct profile *const *profiles, size_t new, struct error *err)
{
	for (size_t k = 0; k < m->nr_sides; k++) {
		bool is_new = k == new;

		if (side_load(&m->sides[k], profiles[k], m->rules, is_new ? 0 : m->nr_rules))
			return error_set(err, "%s", profile_error(profiles[k]));
		match_all_files(m, k);
		if (match_procedures(m, k))
			return damaged_one(profiles, k, err);
	}
	m->alignments = xcalloc((m->nr_entities + 1) * m->nr_sides, sizeof(*m->alignments));
	m->names = xcalloc(m->nr_sides * m->nr_sides, sizeof(struct changed_names *));
	m->uses = xcalloc((m->nr_entities + 1) * m->nr_sides, sizeof(*m->uses));
	m->state = xcalloc((m->nr_entities + 1) * m->nr_sides, sizeof(*m->state));
	report(m);
	return 0;
}

static int
compare_foreign(const void *pa, const void *pb)
{
	const struct foreign_target *a = pa, *b = pb;
	int c = strcmp(a->name, b->name);

	return c ? c : (a->entity > b->entity) - (a->entity < b->entity);
}

/* Gathers the names of foreign code, which has no place, in all profiles. */
static void
find_foreign(struct match *m)
{
	size_t nr = 0;

	for (size_t k = 0; k < m->nr_sides; k++)
		for (size_t i = 0; i < m->sides[k].nr_procedures; i++) {
			const struct side_procedure *p = &m->sides[k].procedures[i];

			if (p->place.file || !*p->linkage_name)
				continue;
			GROW(m->foreign, m->nr_foreign + 1, m->foreign_alloc);
			m->foreign[m->nr_foreign++] =
				(struct foreign_target){ p->linkage_name, p->entity };
		}
	if (m->nr_foreign)
		qsort(m->foreign, m->nr_foreign, sizeof(*m->foreign), compare_foreign);
	for (size_t i = 0; i < m->nr_foreign; i++)
		if (!nr || strcmp(m->foreign[nr - 1].name, m->foreign[i].name))
			m->foreign[nr++] = m->foreign[i];
	m->nr_foreign = nr;
}

int
match_open(struct profile *const *profiles, size_t nr, const struct match_options *options,
	   struct match **result, struct error *err)
{
	struct match *m = xcalloc(1, sizeof(*m));

	m->nr_sides = nr;
	m->arena = (struct arena)ARENA_INIT;
	m->sides = xcalloc(nr, sizeof(*m->sides));
	m->work = ALIGN_WORK;
	m->only_equal = options->only_equal;
	if (compile_rules(m, options, err) ||
	    load(m, profiles, options->first_is_new ? 0 : nr - 1, err)) {
		match_close(m);
		return -1;
	}
	find_foreign(m);
	*result = m;
	return 0;
}

/* Before the texts, which those hold that are not done. */
static void
free_alignments(struct match *m)
{
	for (size_t i = 0; m->alignments && i < (m->nr_entities + 1) * m->nr_sides; i++)
		alignment_free(m->alignments[i]);
	for (size_t k = 0; k < m->nr_sides; k++)
		for (size_t i = 0; i < m->sides[k].nr_files; i++)
			alignment_free(m->sides[k].files[i].home);
}

void
match_close(struct match *m)
{
	if (!m)
		return;
	free_alignments(m);
	for (size_t i = 0; m->names && i < m->nr_sides * m->nr_sides; i++)
		changed_names_free(m->names[i]);
	for (size_t k = 0; k < m->nr_sides; k++)
		side_release(&m->sides[k]);
	for (size_t i = 0; i < m->nr_rules; i++)
		regfree(&m->rules[i].pattern);
	free(m->rules);
	free(m->sides);
	free(m->procedure);
	free(m->home);
	free(m->found);
	free(m->alignments);
	free(m->made);
	free(m->state);
	free(m->names);
	free(m->uses);
	arena_release(&m->arena);
	free(m->foreign);
	free(m->file);
	free(m);
}

/* ---- asking ---- */

size_t
match_profiles(const struct match *m)
{
	return m->nr_sides;
}

size_t
match_entities(const struct match *m)
{
	return m->nr_entities;
}

const struct match_report *
match_report(const struct match *m, size_t profile)
{
	return &m->sides[profile].report;
}

entity_id
match_entity(const struct match *m, size_t profile, model_id procedure)
{
	const struct side_procedure *p = side_procedure(&m->sides[profile], procedure);

	return p ? p->entity : 0;
}

model_id
match_procedure(const struct match *m, entity_id entity, size_t profile)
{
	return entity && entity <= m->nr_entities ?
	       m->procedure[entity * m->nr_sides + profile] : 0;
}

enum match_how
match_found(const struct match *m, entity_id entity, size_t profile, int *percent)
{
	const struct found *found = &m->found[entity * m->nr_sides + profile];

	*percent = 0;
	if (!entity || entity > m->nr_entities)
		return MATCH_NONE;
	*percent = found->percent;
	return (enum match_how)found->how;
}

/* Returns the name that the last profile with the entity has for it. */
const char *
match_name(const struct match *m, entity_id entity)
{
	for (size_t k = m->nr_sides; entity && k-- > 0;) {
		const struct side_procedure *p =
			side_procedure(&m->sides[k], match_procedure(m, entity, k));

		if (p)
			return p->name;
	}
	return "";
}

const char *
match_path(const struct match *m, size_t profile, model_id file)
{
	const struct side_file *f = side_file(&m->sides[profile], file);

	return f ? f->path : "";
}

entity_id
match_target(const struct match *m, size_t profile, const char *linkage_name)
{
	const struct side *s = &m->sides[profile];
	uint64_t key = hash_text(HASH_START, linkage_name);
	size_t low = 0, high = s->nr_procedures;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (s->by_linkage[middle].key < key)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < s->nr_procedures && s->by_linkage[low].key == key; low++) {
		const struct side_procedure *p = &s->procedures[s->by_linkage[low].index];

		if (!strcmp(p->linkage_name, linkage_name))
			return p->entity;
	}
	return 0;
}

struct called { const char *name; size_t length; };

static int
compare_called(const void *key, const void *item)
{
	const struct called *called = key;
	const struct foreign_target *t = item;
	int c = strncmp(called->name, t->name, called->length);

	return c ? c : -(t->name[called->length] != '\0');
}

/* A mark behind an @ tells it apart from a namesake of the program's. */
entity_id
match_foreign_target(const struct match *m, const char *linkage_name)
{
	struct called called = { linkage_name, strcspn(linkage_name, "@") };
	const struct foreign_target *t = NULL;

	if (m->nr_foreign && called.length)
		t = bsearch(&called, m->foreign, m->nr_foreign, sizeof(*t), compare_called);
	return t ? t->entity : 0;
}

size_t
match_files(const struct match *m)
{
	return m->nr_files;
}

uint32_t
match_file(const struct match *m, size_t profile, model_id file)
{
	const struct side_file *f = side_file(&m->sides[profile], file);

	return f ? f->number : 0;
}

model_id
match_file_in(const struct match *m, uint32_t number, size_t profile)
{
	return number && number <= m->nr_files ? m->file[number * m->nr_sides + profile] : 0;
}
