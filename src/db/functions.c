/* The functions that conditions are made of. */
#include <string.h>

#include "db/connection.h"
#include "util/path.h"
#include "util/search.h"

static void
has(sqlite3_context *context, int nr, sqlite3_value **values)
{
	const struct search *s = sqlite3_value_pointer(values[0], PROFILE_SEARCH);
	const char *text = (const char *)sqlite3_value_text(values[1]);

	(void)nr;
	sqlite3_result_int(context, s && text &&
			   search_matches(s, text, (size_t)sqlite3_value_bytes(values[1])));
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
		{ "has", has }, { "in_glob", in_glob }, { "in_directory", in_directory },
	};
	int rc = SQLITE_OK;

	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]) && rc == SQLITE_OK; i++)
		rc = sqlite3_create_function(db, functions[i].name, 2,
					     SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
					     NULL, functions[i].function, NULL, NULL);
	return rc;
}
