/* The restrictions of a table: several at a time, the last one is undone first. */
#ifndef CGVIEW_TUI_RESTRICT_H
#define CGVIEW_TUI_RESTRICT_H

#include <stdbool.h>
#include <stdint.h>

#include "db/store/profile.h"
#include "util/mem.h"

enum restriction {
	RESTRICT_FILTER,    /* a regular expression */
	RESTRICT_LEAST,     /* a share of a column */
	RESTRICT_GLOB,      /* files by a glob */
	RESTRICT_FILE,      /* one file */
	RESTRICT_DIRECTORY, /* with all below */
	RESTRICT_SIDES,     /* sides of a comparison: "a", "b", "both", "changed" */
	RESTRICT_CERTAIN,   /* beyond chance; the text says nothing */
	RESTRICT_NR,
};

struct restrict_to {
	char *text[RESTRICT_NR];   /* as it was typed; for a file its path; NULL: none */
	char *column;              /* RESTRICT_LEAST: of the listing */
	uint32_t ppm;
	enum restriction order[RESTRICT_NR]; /* the oldest first */
	int nr;
};

void restrict_release(struct restrict_to *to);
/* Makes TO, which is zeroed, a copy. */
void restrict_copy(struct restrict_to *to, const struct restrict_to *from);
/* Makes TEXT (copied) the latest restriction of its kind; NULL or "": there is none of it. */
void restrict_set(struct restrict_to *to, enum restriction what, const char *text);
/* Removes the latest one that has an effect on KIND. Returns false when there is none. */
bool restrict_undo(struct restrict_to *to, const struct profile *p, enum list_kind kind);
/* Does any restrict a listing of KIND of P? */
bool restrict_any(const struct restrict_to *to, const struct profile *p, enum list_kind kind);

/* Adds the restrictions to Q, with pointers into TO. */
void restrict_query(const struct restrict_to *to, struct profile *p, struct list_query *q);

/* Appends the restrictions: "/regex/ self >= 1% in src/x.c". HEAD: the column's head. */
void restrict_describe(const struct restrict_to *to, const struct profile *p, enum list_kind kind,
		       const char *head, bool ascii, struct strbuf *out);

#endif
