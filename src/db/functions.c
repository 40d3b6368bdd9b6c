/* The functions that conditions are made of. */
#include <stdlib.h>
#include <string.h>

#include "db/connection.h"
#include "util/path.h"

void
filter_release(struct filter *f)
{
	search_release(&f->search);
	sqlite3_finalize(f->name);
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

	if (!f->name)
		f->name = profile_prepare(f->profile, "SELECT name FROM procedure WHERE id = ?1");
	if (!f->name)
		return false;
	/* By its key: this cannot go on for ever, whatever the file holds. */
	sqlite3_bind_int64(f->name, 1, id);
	if (sqlite3_step(f->name) == SQLITE_ROW) {
		name = (const char *)sqlite3_column_text(f->name, 0);
		matches = name && search_matches(&f->search, name,
						 (size_t)sqlite3_column_bytes(f->name, 0));
	}
	sqlite3_reset(f->name);
	return matches;
}

/* Many rows are of one procedure: its name is looked at once. */
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

int
profile_functions(sqlite3 *db)
{
	static const struct {
		const char *name;
		void (*function)(sqlite3_context *context, int nr, sqlite3_value **values);
	} functions[] = {
		{ "has", has }, { "is_named", is_named },
		{ "in_glob", in_glob }, { "in_directory", in_directory },
	};
	int rc = SQLITE_OK;

	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]) && rc == SQLITE_OK; i++)
		rc = sqlite3_create_function(db, functions[i].name, 2,
					     SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
					     NULL, functions[i].function, NULL, NULL);
	return rc;
}
