/* Two texts aligned: which line, and within changed lines which token, of one is which of the
 * other. */
#ifndef CGVIEW_COMPARE_ALIGN_H
#define CGVIEW_COMPARE_ALIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A text cut into lines. Line N is from start[N - 1] to start[N], its newline included. */
struct text {
	char *data;              /* heap; NULL: there is none */
	size_t size;
	uint32_t nr_lines;
	uint32_t *start;         /* nr_lines + 1 */
	size_t alloc, cut;       /* of start; bytes that are cut into lines */
	unsigned holders;        /* alignments that are not done and need it */
};

/* Takes DATA (heap, or NULL), of less than 4 GB. */
void text_init(struct text *t, char *data, size_t size);
/* Like text_init(), in slices: text_cut() cuts MOST lines at a time and returns true when all are
 * cut; no other function may be called before. */
void text_begin(struct text *t, char *data, size_t size);
bool text_cut(struct text *t, size_t most);
void text_release(struct text *t);

/* Lines FIRST..LAST of a text; as many as there are. */
struct span { struct text *text; uint32_t first, last; };

/* Are two spans the same, but for white space? */
bool span_equal(const struct span *a, const struct span *b);
/* Are the texts between two places the same, ends included, but for white space? */
struct text_place { uint32_t line, column, end_line, end_column; };
bool text_equal(const struct text *a, const struct text_place *pa, const struct text *b,
		const struct text_place *pb);

struct alignment;

void alignment_free(struct alignment *a);

/* Aligns two spans, in two steps: alignment_make() does what is still to be done, and a job pauses
 * (util/job.h); several can wait for one alignment. WORK, as in sequence_pair(), and the texts,
 * which are held, stay where they are until then. LINES_ONLY: only alignment_line() will be asked.
 * alignment_free() in any case, before the texts are freed, and not while it is waited for. */
struct alignment *alignment_start(const struct span *from, const struct span *to, bool lines_only,
				  uint64_t *work);
void alignment_make(struct alignment *a);
bool alignment_is_waited_for(const struct alignment *a);

/* Returns the line of TO that equals LINE of FROM (*SAME), or has most to do with it; 0: none. No
 * two lines get the same one. */
uint32_t alignment_line(const struct alignment *a, uint32_t line, bool *same);

/* Move LINE, COLUMN from where something begins (or ends) in FROM to where it does so in TO. False:
 * nowhere. */
bool alignment_begin(const struct alignment *a, uint32_t *line, uint32_t *column);
bool alignment_end(const struct alignment *a, uint32_t *line, uint32_t *column);

#endif
