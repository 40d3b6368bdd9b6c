/* A source text in memory: its lines, its ranges, the columns of its bytes. Files are kept while
 * they are shown; of the figures only a window around the visible lines is. */
#ifndef CGVIEW_SHOW_DOC
#define CGVIEW_SHOW_DOC

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/lists/coverage.h"
#include "db/store/profile.h"
#include "db/store/remarks.h"
#include "util/mem.h"

enum disk_state { DISK_SAME, DISK_ABSENT, DISK_DIFFERS, DISK_UNREADABLE };

struct doc {
	const struct profile_file *file; /* the profile's */
	struct kept_text *held;  /* the profile's; it has what follows */
	const char *text;        /* NULL: not stored */
	size_t size;
	const uint32_t *starts;  /* byte at which line i + 1 begins */
	uint32_t nr_lines;
	enum disk_state disk;
	int disk_errnum;         /* of DISK_UNREADABLE */
	uint64_t used;           /* when it was last asked for */
	/* figures for lines first..last (0: none yet) */
	uint32_t first, last;
	struct range_row *ranges;
	struct line_row *lines;
	struct site_row *sites;      /* by begin, outer before inner */
	size_t nr_ranges, nr_figures, nr_sites;
	struct conditions conditions;
	/* columns of bytes in very long lines */
	struct long_line *long_lines;
};

enum { DOCS_KEPT = 6 };
struct docs {
	struct profile *profile;
	struct doc *docs[DOCS_KEPT];
	uint64_t clock;
	bool change;             /* figures do: they were forgotten */
	struct remarks remarks;  /* of all files */
};

void docs_init(struct docs *docs, struct profile *profile);
void docs_release(struct docs *docs);
/* Figures are read again when they are asked for. */
void docs_forget_figures(struct docs *docs);

/* Returns FILE's document, kept until DOCS_KEPT others were asked for; NULL: no such file. */
struct doc *docs_get(struct docs *docs, model_id file);

/* Appends what users have written on LINE of FILE, each with its sign: '" text'. Texts are made
 * safe for a terminal; what is longer than any that we write is cut. */
void docs_put_remarks(struct strbuf *out, const struct docs *docs, model_id file, uint32_t line);

/* Returns the bytes of LINE (from 1) without its line end; none when there is no such line. */
const char *doc_line(const struct doc *doc, uint32_t line, size_t *length);

/* Makes sure that the figures of lines FIRST..LAST are there. */
void doc_window(struct docs *docs, struct doc *doc, uint32_t first, uint32_t last);

/* Returns the figures of LINE within the window; NULL: no code is there. */
const struct line_row *doc_figures(const struct doc *doc, uint32_t line);

/* Checks again whether the file on disk is the one in the profile. */
void doc_check_disk(struct doc *doc);

/* Columns on the screen count from 0, tabs go to the next multiple of 8, unprintable characters are
 * as wide as their escapes. doc_column() returns the column at which byte BYTE (from 0) of LINE
 * begins; doc_byte() the byte that covers column COLUMN, and in *AT the column where it begins. */
int doc_column(struct doc *doc, uint32_t line, size_t byte);
size_t doc_byte(struct doc *doc, uint32_t line, int column, int *at);

enum { TAB_WIDTH = 8 };

#endif
