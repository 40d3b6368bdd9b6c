/* A child with limits reads what strangers wrote, and answers through a pipe: a library that it
 * uses can be crashed, or kept busy, by a file that was made for that. */
#ifndef CGVIEW_COLLECT_LIMITED_H
#define CGVIEW_COLLECT_LIMITED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/error.h"
#include "util/mem.h"

/* What a child may take; WALL_S 0: as long as it likes. Less, where this process may not take that
 * much itself (ulimit). */
struct limits { unsigned cpu_s, wall_s, memory_mb, file_mb; };

struct limited {
	const char *what;          /* is read: "the debug information" */
	const struct limits *limits; /* NULL: those for reading debug information */
	bool speaks;               /* it keeps standard error */
	/* Runs in the child, with CONTEXT: writes the answer to FD. First it gives up the rights
	 * that it does not need (collect/import/confine.h). */
	void (*run)(const void *context, int fd);
	const void *context;
	const int *keep;           /* descriptors that it uses */
	size_t nr_keep;
};

/* Appends what the child says to ANSWER; LIMITS tells if it took too long, said too much, or could
 * not be heard (unread). Returns its status as from waitpid(). -1 and ERR: there was no child. */
int limited_ask(const struct limited *l, struct strbuf *answer, struct error *limits,
		struct error *err);

/* Fills ERR: a child with this STATUS did not say that it had come to the end. */
void limited_tell_end(const struct limited *l, int status, struct error *err);

/* What the answer is made of, one behind the other; SIZE: of what follows, in bytes. */
struct wire_head { uint32_t kind, size; };
/* Calls TAKE for each message, until one is cut or TAKE returns false: a child that was crashed may
 * have written anything. */
void limited_messages(const struct strbuf *answer, void *context,
		      bool (*take)(void *context, uint32_t kind, const char *data, size_t size));

#endif
