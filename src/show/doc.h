/* A source text in memory: its lines, its ranges, what stands where. Files are kept while they are
 * looked at; of the figures only a window around the visible lines is. */
#ifndef CGVIEW_SHOW_DOC
#define CGVIEW_SHOW_DOC

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/profile.h"
#include "util/mem.h"

enum disk_state { DISK_SAME, DISK_ABSENT, DISK_DIFFERS, DISK_UNREADABLE };

struct doc {
	const struct profile_file *file; /* the profile's */
	struct kept_text *held;  /* the profile's, which has what follows */
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
	/* where columns are in very long lines */
	struct long_line *long_lines;
};

enum { DOCS_KEPT = 6 };
struct docs {
	struct profile *profile;
	struct doc *docs[DOCS_KEPT];
	uint64_t clock;
};

void docs_init(struct docs *docs, struct profile *profile);
void docs_release(struct docs *docs);

/* The document of FILE, kept by DOCS until DOCS_KEPT others were asked for; NULL: no such file. */
struct doc *docs_get(struct docs *docs, model_id file);

/* Bytes of LINE (from 1) without its line end. Empty when there is no such line. */
const char *doc_line(const struct doc *doc, uint32_t line, size_t *length);

/* Append the text of P in one line, as lines_excerpt() does. */
void doc_excerpt(struct strbuf *out, const struct doc *doc, const struct place *p, size_t most);

/* Make sure that the figures of lines FIRST..LAST are there. */
void doc_window(struct docs *docs, struct doc *doc, uint32_t first, uint32_t last);

/* Figures of LINE within the window; NULL: no code there. */
const struct line_row *doc_figures(const struct doc *doc, uint32_t line);

/* Look again whether the file on disk is the one in the profile. */
void doc_check_disk(struct doc *doc);

/* Columns on the screen are counted from 0, tabs go to the next multiple of 8, unprintable
 * characters are as wide as their escapes.
 * doc_column: screen column at which byte BYTE (from 0) of LINE begins.
 * doc_byte: the byte that covers screen column COLUMN; *AT: the column where it begins. */
int doc_column(struct doc *doc, uint32_t line, size_t byte);
size_t doc_byte(struct doc *doc, uint32_t line, int column, int *at);

enum { TAB_WIDTH = 8 };

#endif
