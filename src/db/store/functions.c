/* The SQL functions that conditions are made of. */
#include <stdlib.h>
#include <string.h>

#include "db/lists/likely_calls.h"
#include "db/store/connection.h"
#include "db/store/texts.h"
#include "util/text/path.h"

void
filter_release(struct filter *f)
{
	search_release(&f->search);
	sqlite3_finalize(f->name);
	sqlite3_finalize(f->range);
	strbuf_release(&f->excerpt);
	free(f->known);
	memset(f, 0, sizeof(*f));
}

static void
has(sqlite3_context *context, int nr, sqlite3_value **values)
{
	const struct filter *f = sqlite3_value_pointer(values[0], PROFILE_FILTER);
	const char *text = (const char *)sqlite3_value_text(values[1]);

	(void)nr;
	sqlite3_result_int(context, f && text &&
			   search_matches(&f->search, text,
					  (size_t)sqlite3_value_bytes(values[1])));
}

static bool
name_matches(struct filter *f, sqlite3_int64 id)
{
	bool matches = false;
	const char *name;
	size_t length;

	if (!f->name)
		f->name = profile_prepare(f->profile, "SELECT name FROM procedure WHERE id = ?1");
	if (!f->name)
		return false;
	/* A lookup by key cannot go on for ever, whatever the file holds. */
	sqlite3_bind_int64(f->name, 1, id);
	if (sqlite3_step(f->name) == SQLITE_ROW) {
		name = column_text(f->name, 0, &length);
		matches = search_matches(&f->search, name, length);
	}
	sqlite3_reset(f->name);
	return matches;
}

/* Many rows belong to one procedure: its name is searched once. */
static void
is_named(sqlite3_context *context, int nr, sqlite3_value **values)
{
	enum { UNKNOWN, NO, YES };
	struct filter *f = sqlite3_value_pointer(values[0], PROFILE_FILTER);
	sqlite3_int64 id = sqlite3_value_int64(values[1]);
	uint64_t most = f ? f->profile->totals.nr_procedures : 0;

	(void)nr;
	if (!f || id < 1 || (uint64_t)id > most || most > f->profile->bytes) {
		sqlite3_result_int(context, f && id > 0 && name_matches(f, id));
		return;
	}
	if (!f->known)
		f->known = xcalloc(most + 1, 1);
	if (f->known[id] == UNKNOWN)
		f->known[id] = name_matches(f, id) ? YES : NO;
	sqlite3_result_int(context, f->known[id] == YES);
}

static uint32_t
value_u32(sqlite3_value *value)
{
	sqlite3_int64 n = sqlite3_value_int64(value);

	return n < 0 ? 0 : n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

/* Puts the place of range ID, if there is one, into PLACE. */
static void
place_of_range(struct filter *f, sqlite3_int64 id, uint32_t place[4])
{
	if (!f->range)
		f->range = profile_prepare(f->profile, "SELECT line, column, end_line, end_column "
						       "FROM range WHERE id = ?1");
	if (!f->range)
		return;
	sqlite3_bind_int64(f->range, 1, id);
	if (sqlite3_step(f->range) == SQLITE_ROW) {
		for (int i = 0; i < 4; i++)
			place[i] = column_u32(f->profile, f->range, i);
	}
	sqlite3_reset(f->range);
}

/* Looking at texts takes longer than the operations after which SQLite asks by itself. */
static bool
shall_stop(struct filter *f)
{
	enum { LOOK = 128 * 1024 /* bytes */ };
	struct profile *p = f->profile;

	if (!p->may_stop || !p->poll || f->looked_at < LOOK)
		return false;
	f->looked_at = 0;
	p->stopped = p->poll(p->poll_context);
	return p->stopped;
}

/* Is FILTER found in the text of P's FILE at PLACE? Of a long text the begin is searched. */
static void
look_into(sqlite3_context *context, struct filter *f, struct profile *p, model_id file,
	  const uint32_t place[4])
{
	int64_t left = p->slices_left;
	const struct lines *lines;

	if (!profile_file(p, file)) {
		sqlite3_result_int(context, false);
		return;
	}
	lines = texts_get(profile_texts(p), file);
	p->slices_left = left; /* of the statement that asks */
	strbuf_clear(&f->excerpt);
	/* The text may end in a blank that is not shown. */
	lines_excerpt(&f->excerpt, lines, place[0], place[1], place[2], place[3],
		      FILTER_TEXT_MAX + 2);
	/* Empty lines take time, too. */
	f->looked_at += f->excerpt.len + (place[2] > place[0] ? place[2] - place[0] : 0);
	f->cut = f->excerpt.len > FILTER_TEXT_MAX;
	if (f->cut)
		f->excerpt.len = FILTER_TEXT_MAX;
	while (f->cut && f->excerpt.buf[f->excerpt.len - 1] == ' ')
		f->excerpt.len--;
	if (shall_stop(f))
		sqlite3_result_error_code(context, SQLITE_INTERRUPT);
	else
		sqlite3_result_int(context, f->excerpt.len && search_matches(&f->search,
				   f->excerpt.buf, f->excerpt.len));
}

static void
is_in_text(sqlite3_context *context, int nr, sqlite3_value **values)
{
	struct filter *f = sqlite3_value_pointer(values[0], PROFILE_FILTER);
	uint32_t place[4];

	(void)nr;
	if (!f) {
		sqlite3_result_int(context, false);
		return;
	}
	for (int i = 0; i < 4; i++)
		place[i] = value_u32(values[3 + i]);
	if (sqlite3_value_type(values[2]) != SQLITE_NULL)
		place_of_range(f, sqlite3_value_int64(values[2]), place);
	look_into(context, f, f->profile, value_u32(values[1]), place);
}

/* The place is in the profile that is bound. Lines have no columns. */
static void
is_in_text_of(sqlite3_context *context, int nr, sqlite3_value **values)
{
	struct filter *f = sqlite3_value_pointer(values[0], PROFILE_FILTER);
	struct profile *holder = sqlite3_value_pointer(values[1], PROFILE_HOLDER);
	uint32_t place[4] = { 0 };

	(void)nr;
	if (!f || !holder) {
		sqlite3_result_int(context, false);
		return;
	}
	for (int i = 0; i < 4; i++)
		place[i] = value_u32(values[3 + i]);
	if (!place[3]) {
		place[2] = place[0];
		place[3] = UINT32_MAX;
	}
	look_into(context, f, holder, value_u32(values[2]), place);
}

static void
in_glob(sqlite3_context *context, int nr, sqlite3_value **values)
{
	const char *glob = (const char *)sqlite3_value_text(values[0]);
	const char *path = (const char *)sqlite3_value_text(values[1]);

	(void)nr;
	sqlite3_result_int(context, glob && path && path_matches(glob, path));
}

static void
in_directory(sqlite3_context *context, int nr, sqlite3_value **values)
{
	const char *directory = (const char *)sqlite3_value_text(values[0]);
	const char *path = (const char *)sqlite3_value_text(values[1]);

	(void)nr;
	sqlite3_result_int(context, directory && path && path_is_in(directory, path));
}

/* Of COUNT, LO, HI and SAMPLES of an arc, the sums of counts and samples of all that share the
 * callee's calls, and whether it leads through a call that handed the callee out. */
static bool
find_likely(struct likely_calls *l, sqlite3_value **values)
{
	sqlite3_int64 count = sqlite3_value_int64(values[0]);
	sqlite3_int64 lo = sqlite3_value_int64(values[1]), hi = sqlite3_value_int64(values[2]);
	double of = sqlite3_value_double(values[5]);

	if (!(of > 0) || lo < 0 || count < lo || hi < count)
		return false;
	*l = (struct likely_calls){ .lo = (uint64_t)lo, .hi = (uint64_t)hi,
				    .handed = sqlite3_value_int(values[6]) };
	likely_calls(l, LIKELY_95, (uint64_t)count, sqlite3_value_double(values[4]),
		     sqlite3_value_double(values[3]), of);
	return true;
}

static void
likely_lo(sqlite3_context *context, int nr, sqlite3_value **values)
{
	struct likely_calls l;

	(void)nr;
	if (find_likely(&l, values))
		sqlite3_result_int64(context, (sqlite3_int64)l.lo);
}

static void
likely_hi(sqlite3_context *context, int nr, sqlite3_value **values)
{
	struct likely_calls l;

	(void)nr;
	if (find_likely(&l, values))
		sqlite3_result_int64(context, (sqlite3_int64)l.hi);
}

int
profile_functions(sqlite3 *db)
{
	static const struct {
		const char *name;
		int nr;          /* of arguments */
		void (*function)(sqlite3_context *context, int nr, sqlite3_value **values);
	} functions[] = {
		{ "has", 2, has }, { "is_named", 2, is_named }, { "is_in_text", 7, is_in_text },
		{ "is_in_text_of", 7, is_in_text_of },
		{ "likely_lo", 7, likely_lo }, { "likely_hi", 7, likely_hi },
		{ "in_glob", 2, in_glob }, { "in_directory", 2, in_directory },
	};
	int rc = SQLITE_OK;

	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]) && rc == SQLITE_OK; i++)
		rc = sqlite3_create_function(db, functions[i].name, functions[i].nr,
					     SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
					     NULL, functions[i].function, NULL, NULL);
	return rc;
}
