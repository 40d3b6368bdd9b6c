/* The schema of a profile: the one place that says which tables, columns, indexes and views there
 * are. cgview-db(5) describes it for users. Any change here raises SCHEMA_VERSION. */
#ifndef CGVIEW_DB_SCHEMA_H
#define CGVIEW_DB_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/model/measure.h"
#include "util/mem.h"

/* These are macros because they become part of SQL text. */
#define SCHEMA_APPLICATION_ID 0x43475650 /* "CGVP", bytes 68..71 of the file */
#define SCHEMA_OLD_ID 0x43475657         /* "CGVW": before the format had its first release */
#define SCHEMA_VERSION 4                 /* user_version; older ones are read: see table.h, since */
#define SCHEMA_OLDEST 1
#define SCHEMA_STRING(x) SCHEMA_STRING_(x)
#define SCHEMA_STRING_(x) #x

/* Do these first bytes of a file say that it is a profile, of whatever version, however old? */
enum { SCHEMA_HEADER = 100 };
bool schema_is_ours(const unsigned char header[SCHEMA_HEADER]);

/* Source texts longer than this are neither stored nor unpacked: a small file must not fill the
 * memory. The import stores none that is longer. */
#define SCHEMA_TEXT_MAX ((uint64_t)64 << 20)

/* The most bytes of a value, and of one that is long by its nature: a compressed text, the counts
 * of a part. */
enum { SCHEMA_VALUE_MAX = 1 << 20, SCHEMA_BLOB_MAX = 128 << 20 };

/* The size class of a range: the hexadecimal digits of the number of lines after its first one. A
 * range of class C that touches line L begins after L - 16^C. TABLE is "" or "NAME.". The text of
 * the expression must be the same in an index and where the index is used. */
#define SCHEMA_SIZE_CLASS(table) "length(printf('%x', " table "end_line - " table "line))"
#define SCHEMA_SIZE_CLASSES "(1), (2), (3), (4), (5), (6), (7), (8)" /* for 32 bits */

/* When an entry is created: tables before the rows; indexes and views after them (an index that is
 * built at once is faster than one that grows). */
enum schema_stage { SCHEMA_BEFORE, SCHEMA_AFTER };

struct schema_entry {
	enum schema_stage stage;
	const char *type, *name, *table; /* as in sqlite_schema */
	const char *sql;                 /* literally as sqlite_schema keeps it */
};

/* The schema of a profile with certain measures. */
struct schema {
	struct schema_entry *entries;
	size_t nr;
	struct arena arena;      /* holds all this */
};
void schema_make(struct schema *schema, struct measures others);
void schema_release(struct schema *schema);
/* Returns the entry of that name; NULL: there is none. */
const struct schema_entry *schema_find(const struct schema *schema, const char *name);

#endif
