/* What other tools wrote of errors in a program: the XML of valgrind's tools, and the logs of the
 * sanitizers. It is read by a child with limits. */
#ifndef CGVIEW_COLLECT_DEFECT_LOG_H
#define CGVIEW_COLLECT_DEFECT_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/model/model.h"
#include "util/error.h"
#include "util/mem.h"

struct logged_frame {              /* texts are "" and numbers 0 when unknown */
	uint32_t stack, depth;     /* of the error, as in struct model_defect_frame */
	enum defect_role role;
	uint64_t ip;               /* as the tool had it: behind a call or in it */
	const char *object;        /* path of the program or library, or only its name */
	const char *name, *file;
	uint32_t line, column;
};

struct logged_defect {
	const char *tool, *kind, *what;
	uint64_t count, bytes, blocks;
	size_t first_frame, nr_frames;
};

struct defect_log {
	struct logged_defect *defects;
	size_t nr_defects, defects_alloc;
	struct logged_frame *frames;
	size_t nr_frames, frames_alloc;
	bool cut;                  /* it ends in the middle */
	bool full;                 /* errors behind the first LOG_MAX_DEFECTS are left out */
	struct arena arena;        /* owns texts */
};

enum {
	LOG_MAX_DEFECTS = 10000, LOG_MAX_FRAMES = 1000 /* of a defect */,
	LOG_MAX_TEXT = 4000 /* bytes; what is longer is cut */,
};

/* May PATH be such a report? It is a text; raw profiles are none. What is called NAME.raw is not
 * even looked at: whoever reads it must find out if it is cut meanwhile. */
bool defect_log_is(const char *path);

/* Reads PATH. LOG is to be released all the same when it returns -1 and ERR: it cannot be read, or
 * is none. */
int defect_log_read(struct defect_log *log, const char *path, struct error *err);
void defect_log_release(struct defect_log *log);

#endif
