/* The source texts of a profile, in any order, kept as long as all together are not too large. */
#ifndef CGVIEW_DB_TEXTS_H
#define CGVIEW_DB_TEXTS_H

#include "db/store/profile.h"
#include "util/text/lines.h"

struct kept_text {
	model_id file;
	struct lines lines;      /* none when it is not stored */
	uint64_t used;           /* when it was last asked for */
	unsigned holders;        /* number of struct texts that have it */
};

struct texts {
	struct profile *profile;
	struct kept_text **texts; /* by file */
	size_t nr, alloc;
	size_t bytes;            /* that they take */
	uint64_t clock;
};
#define TEXTS_INIT(p) { .profile = (p) }

/* Returns the texts of P that everybody shares; P owns them. */
struct texts *profile_texts(struct profile *p);

/* Can all of them be kept? */
bool texts_fit(struct texts *t);
/* Returns the text of FILE, valid until the next call; it has no lines when it is not stored. */
const struct lines *texts_get(struct texts *t, model_id file);
/* The same, but the text stays until texts_let_go(), even after T is released. */
struct kept_text *texts_hold(struct texts *t, model_id file);
void texts_let_go(struct kept_text *text);
/* Holds the text of FILE as texts_hold() does, if it is kept now; otherwise NULL. */
struct kept_text *texts_hold_kept(struct texts *t, model_id file);
/* Keeps *LINES, taken over, as the text of FILE, which somebody has read. */
void texts_put(struct texts *t, model_id file, const struct lines *lines);
/* Forgets the text of FILE, unless somebody holds it. */
void texts_forget(struct texts *t, model_id file);
void texts_release(struct texts *t);

/* Appends the text at P in one line (lines_excerpt()), fit for the terminal, with at least as many
 * columns of it as fit into WIDTH. */
void texts_excerpt(struct texts *t, struct strbuf *out, const struct place *p, int width);

#endif
