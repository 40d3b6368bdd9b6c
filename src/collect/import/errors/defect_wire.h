/* Between the child that reads what tools say of errors and its parent: the messages, and what the
 * readers of both formats share. */
#ifndef CGVIEW_COLLECT_DEFECT_WIRE_H
#define CGVIEW_COLLECT_DEFECT_WIRE_H

#include <stdio.h>

#include "collect/import/errors/defect_log.h"
#include "collect/import/limited.h"

/* A message is NUMBERS, then texts, each with a NUL behind it. */
enum defect_wire_kind {
	DEFECT_ERROR = 1, /* count, bytes, blocks; tool, kind, what */
	DEFECT_FRAME,     /* of it: stack, role, depth, ip, line, column; object, name, file */
	DEFECT_COUNT,     /* number of a defect (from 0), how often it was seen */
	DEFECT_END,       /* 1: the report is cut, 1: it has more than fit */
	DEFECT_PROBLEM,   /* ; why it is no report */
};
enum { DEFECT_NUMBERS = 6, DEFECT_TEXTS = 3 };

/* A defect that is being read, in the child. */
struct defect_draft {
	FILE *to;
	bool open;               /* one has begun */
	const char *tool;
	struct strbuf kind, what;
	uint64_t count, bytes, blocks;
	uint32_t stack, depth;   /* of the frame that was added last */
	enum defect_role role;
	struct strbuf frames;    /* messages */
	size_t nr_frames;
	size_t nr;               /* defects that were sent */
	bool full;
};

/* Begins a defect, after the end of the one before; TOOL must stay. */
void defect_begin(struct defect_draft *d, const char *tool);
/* Sends it, if there is one. */
void defect_end(struct defect_draft *d);
/* The next frame begins a stack of this role. */
void defect_stack(struct defect_draft *d, enum defect_role role);
/* Takes the members of F but stack, role and depth. */
void defect_frame(struct defect_draft *d, const struct logged_frame *f);
void defect_send(FILE *to, enum defect_wire_kind kind, const uint64_t *numbers,
		 const char *const *texts);
/* Appends N bytes of S in one line, up to LOG_MAX_TEXT. */
void defect_text(struct strbuf *sb, const char *s, size_t n);

/* Both read FD to its end, and end with DEFECT_END or DEFECT_PROBLEM. They run in the child. */
void defect_xml_read(int fd, struct defect_draft *d);
void defect_text_read(int fd, struct defect_draft *d);

#endif
