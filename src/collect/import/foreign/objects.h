/* The programs and libraries that a foreign profile names: by their paths, if they are still of the
 * build that was recorded. */
#ifndef CGVIEW_COLLECT_IMPORT_FOREIGN_OBJECTS_H
#define CGVIEW_COLLECT_IMPORT_FOREIGN_OBJECTS_H

#include "collect/import/elf/elf.h"
#include "collect/import/owners.h"

struct object_id { uint8_t bytes[BUILD_ID_MAX]; size_t length; }; /* length 0: not known */

enum object_found { OBJECT_NONE, OBJECT_FOUND, OBJECT_OTHER }; /* OTHER: of another build */

/* Opens what is called PATH, as OWNERS may; if it is not there, or not that build, a copy that perf
 * or debuginfod keeps. "[vdso]" is the kernel's own. */
enum object_found object_open(struct elf *e, const char *path, const struct object_id *id,
			      struct owners *owners);

#endif
