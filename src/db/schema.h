/* The schema of a profile: the one place that says which tables, columns, indexes and views there
 * are. Described for users in cgview-db(5). Any change here raises SCHEMA_VERSION. */
#ifndef CGVIEW_DB_SCHEMA_H
#define CGVIEW_DB_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/measure.h"
#include "util/mem.h"

/* Macros, as they become part of SQL text. */
#define SCHEMA_APPLICATION_ID 0x43475657 /* "CGVW", bytes 68..71 of the file */
#define SCHEMA_VERSION 12                /* user_version */
#define SCHEMA_VERSION_BEFORE 10         /* is converted when it is opened */
#define SCHEMA_STRING(x) SCHEMA_STRING_(x)
#define SCHEMA_STRING_(x) #x

/* Do these first bytes of a file say that it is a profile, of whatever version? */
enum { SCHEMA_HEADER = 100 };
bool schema_is_ours(const unsigned char header[SCHEMA_HEADER]);

/* Source texts longer than this are neither stored nor unpacked: a small file must not fill the
 * memory. The import stores none that is longer. */
#define SCHEMA_TEXT_MAX ((uint64_t)64 << 20)

/* The size class of a range: the hexadecimal digits of the number of lines after its first one. A
 * range of class C that touches line L begins after L - 16^C. Of TABLE, "" or "NAME.". The
 * expression has to be literally the same in an index and where that is used. */
#define SCHEMA_SIZE_CLASS(table) "length(printf('%x', " table "end_line - " table "line))"
#define SCHEMA_SIZE_CLASSES "(1), (2), (3), (4), (5), (6), (7), (8)" /* of 32 bits */

/* When a thing is created: tables before the rows; indexes and views after them (an index that is
 * built at once is faster than one that grows). */
enum schema_stage { SCHEMA_BEFORE, SCHEMA_AFTER };

struct schema_entry {
	enum schema_stage stage;
	const char *type, *name, *table; /* as in sqlite_schema */
	const char *sql;                 /* literally as sqlite_schema keeps it */
};

/* All that a profile with some measures has. */
struct schema {
	struct schema_entry *entries;
	size_t nr;
	struct arena arena;      /* of all this */
};
void schema_make(struct schema *schema, struct measures others);
/* That of SCHEMA_VERSION_BEFORE. */
void schema_make_before(struct schema *schema);
void schema_release(struct schema *schema);
/* NULL: there is nothing of that name. */
const struct schema_entry *schema_find(const struct schema *schema, const char *name);

/* The texts stored for the enums of model.h; index = value, NULL at the end. */
extern const char *const schema_file_states[], *const schema_range_kinds[],
	*const schema_site_kinds[], *const schema_arc_hows[],
	*const schema_combines[], *const schema_inclusives[];

#endif
