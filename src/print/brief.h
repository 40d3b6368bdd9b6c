/* cgview brief: the facts of a profile that matter first, in few lines, each with how sure it is,
 * and the command that shows more. */
#ifndef CGVIEW_PRINT_BRIEF
#define CGVIEW_PRINT_BRIEF

#include "db/store/profile.h"
#include "print/ledger.h"
#include "util/mem.h"

/* How sure a figure is, the surest first. */
enum brief_trust {
	BRIEF_EXACT,             /* counted, or measured as a whole */
	BRIEF_AT_LEAST,
	BRIEF_ESTIMATED,
	BRIEF_SAMPLED,           /* its error says */
	NR_BRIEF_TRUST
};

struct brief_figure {
	const char *name;        /* for people: "own" */
	const char *key;         /* for programs: "self_ns"; of the figure before this one: */
#define BRIEF_SHARE "share"
	enum column_unit unit;
	struct scalar_value value;
	bool differs;            /* it is a difference, which has a sign */
	enum brief_trust trust;
	double error;            /* half of the interval that holds the true one with 95 %, as a
	                          * share of it; NAN: it has none, or nobody knows */
};

enum { BRIEF_FIGURES = 6, BRIEF_FACTS = 10, BRIEF_LINES = 60 /* of text, at the most */ };
struct brief_row {
	const char *name;        /* of the procedure, or of what else it is; NULL: its place is */
	const char *path;        /* NULL: it has no place */
	uint32_t line, column;   /* 0: none */
	const char *source;      /* NULL, or its text, in a line */
	const char *note;        /* NULL, or what to know */
	struct brief_figure figures[BRIEF_FIGURES];
	int nr;
};

struct brief_fact {
	const char *key;         /* for programs: "hottest_procedures" */
	const char *title;
	const char *none;        /* why it has no rows; NULL: it has some */
	const char *more;        /* the command that shows more; NULL: none */
	struct brief_row *rows;
	size_t nr, alloc;
};

/* Texts are raw, in its arena or the profile's; printing makes them safe. */
struct brief {
	struct brief_fact facts[BRIEF_FACTS];
	size_t nr;
	const char *names[2];    /* of the profiles, as their user calls them; [1]: NULL */
	struct arena texts;
};

/* Make B of a profile, or of the ledger of two; they stay open as long. NAMES are the words that
 * commands name them by. brief_release() is for both. */
void brief_make(struct brief *b, struct profile *p, const char *name);
void brief_compare(struct brief *b, const struct ledger_print *l, const char *const names[2]);
void brief_release(struct brief *b);

/* Print to stdout; the caller checks for write errors. FORMAT: csv or json. */
void brief_text(const struct brief *b);
void brief_data(const struct brief *b, const char *format);

/* ---- for who makes facts ---- */

/* Adds a fact; its rows and all else are added to the last one. MORE: the words of the command, up
 * to a NULL. */
struct brief_fact *brief_fact(struct brief *b, const char *key, const char *title,
			      const char *const *more);
/* Adds a row to the last fact. */
struct brief_row *brief_row(struct brief *b, const char *name);
/* Adds a figure to a row that has room for it. */
void brief_figure(struct brief_row *row, const struct brief_figure *figure);
/* Returns TEXT in the arena of B. */
const char *brief_text_of(struct brief *b, const char *text);

#endif
