/* The schema of a profile: the one place that says which tables, columns, indexes and views there
 * are. Described for users in cgview-db(5). Any change here raises SCHEMA_VERSION. */
#ifndef CGVIEW_DB_SCHEMA_H
#define CGVIEW_DB_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Macros, as they become part of SQL text. */
#define SCHEMA_APPLICATION_ID 0x43475657 /* "CGVW", bytes 68..71 of the file */
#define SCHEMA_VERSION 10                /* user_version */

/* Do these first bytes of a file say that it is a profile, of whatever version? */
enum { SCHEMA_HEADER = 100 };
bool schema_is_ours(const unsigned char header[SCHEMA_HEADER]);

/* Source texts longer than this are neither stored nor unpacked: a small file must not fill the
 * memory. The import stores none that is longer. */
#define SCHEMA_TEXT_MAX ((uint64_t)64 << 20)

/* When a thing is created: tables before the rows; indexes and views after them (an index that is
 * built at once is faster than one that grows); the shadow tables are made by the R*Tree module. */
enum schema_stage { SCHEMA_BEFORE, SCHEMA_AFTER, SCHEMA_SHADOW };

struct schema_entry {
	enum schema_stage stage;
	const char *type, *name, *table; /* as in sqlite_schema */
	const char *sql;                 /* literally as sqlite_schema keeps it */
};

/* Entry I (from 0) of all that a profile has. False: there are no more. */
bool schema_entry(size_t i, struct schema_entry *entry);

/* The texts stored for the enums of model.h; index = value, NULL at the end. */
extern const char *const schema_file_states[], *const schema_range_kinds[],
	*const schema_site_kinds[], *const schema_arc_hows[];

/* Index of TEXT in NAMES; FALLBACK when it is NULL or not in it. */
int schema_enum(const char *const *names, const char *text, int fallback);

#endif
