/* Inside src/compare: one profile as the matching sees it. */
#ifndef CGVIEW_COMPARE_SIDE_H
#define CGVIEW_COMPARE_SIDE_H

#include <regex.h>

#include "compare/match/align.h"
#include "compare/match/likeness.h"
#include "compare/match/match.h"
#include "db/store/bulk.h"
#include "util/mem.h"
#include "util/packed_counts.h"

struct side_file {
	const char *path;        /* as it is */
	const char *renamed;     /* as the rules make it */
	uint64_t hash, size;
	uint32_t number;         /* over all profiles */
	struct text text;
	bool loaded;
	struct kept_text *kept;  /* whose the text is; NULL: its own */
	bool put;                /* and nobody else had it */
	uint64_t used;           /* when its text was last asked for */
	struct alignment *home;  /* with the file's home; NULL: not yet, or not possible */
	bool aligned;            /* it was tried */
	size_t first_span, nr_spans;
};

struct side_procedure {
	const char *name, *linkage_name; /* as they are */
	const char *renamed, *renamed_linkage;
	struct place place;
	uint64_t calls, self_ns, total_ns, executions, cost;
	entity_id entity;
	model_id copy_of;        /* the first procedure that it is a copy of, or itself */
	bool is_static, uncounted;
};

/* The lines of a procedure, in a file's spans by first line, outer before inner. */
struct side_span {
	uint32_t first, last;
	model_id file, procedure;
	uint32_t parent;         /* position + 1 of the span around it; 0: none */
};

struct keyed { uint64_t key; uint32_t index; };

struct side {
	struct profile *p;
	struct arena arena;
	struct side_file *files;           /* by id - 1 */
	struct side_procedure *procedures; /* by id - 1 */
	struct side_span *spans;
	model_id *block_procedure;         /* by id - 1; see side_load_blocks() */
	bool blocks_shared;                /* it is another side's */
	struct narrow block_count;
	struct job *reading_blocks;        /* on its way; NULL: not begun, or done */
	bool has_blocks, has_counts;
	struct keyed *by_linkage;          /* procedures by hash of their linkage name */
	struct digest *digests;            /* of procedures, by id - 1, while they are matched;
	                                    * NULL: none was needed */
	size_t nr_files, files_alloc, nr_procedures, procedures_alloc, nr_spans;
	size_t nr_blocks, block_procedure_alloc;
	size_t last_span;                  /* where the last place was found */
	size_t text_bytes;                 /* that texts take */
	uint64_t clock;                    /* ticks when a text is asked for */
	struct text_reader *reader;        /* reads a text; NULL: nothing is read, or it is being
					    * cut */
	struct side_file *read;            /* whose text; NULL: nothing goes on */
	struct match_report report;
	enum figure lead;                  /* a procedure's cost; FIGURES_MAX: none */
};

struct rename_rule { regex_t pattern; const char *replacement; };

/* Reads the tables. Returns -1 with profile_error(). */
int side_load(struct side *s, struct profile *p, const struct rename_rule *rules, size_t nr_rules);
void side_release(struct side *s);
/* Reads who has which block, and its count if COUNTS or nothing is known of it, which ranges and
 * blocks need; a job pauses. What went wrong tells profile_error(). */
void side_load_blocks(struct side *s, bool counts);
/* Counts of blocks are not needed any more. */
void side_forget_counts(struct side *s);
/* Has S take who has which block from WITH, which outlives it, if that is the same. Both have been
 * loaded. */
void side_share_blocks(struct side *s, const struct side *with);

/* The text of a file, until the next one is asked for, or a job pauses, as it does while the text
 * is read; NULL: it is not stored. Some megabytes of texts are kept, and those that are held. */
struct text *side_text(struct side *s, model_id file);
/* Those of two profiles at the same time. */
void side_texts(struct side *a, model_id file_a, struct side *b, model_id file_b,
		struct text **text_a, struct text **text_b);
/* Would side_text() return at once? */
bool side_has_text(const struct side *s, model_id file);
/* Gives back texts of more than these megabytes, also the last one. */
void side_forget_texts(struct side *s);
/* Gives back texts as the last function does, but a large text of FILE stays one of the profile's
 * texts: whoever looks at it has it at once. */
void side_hand_over(struct side *s, model_id file);
/* Reads it until ENOUGH(CONTEXT) (NULL: to the end). Returns true when side_text() has it at
 * hand. */
bool side_read(struct side *s, model_id file, bool (*enough)(void *context), void *context);

/* The digest of a procedure's text, see digest_read(); with 0 tokens when there is no text, or no
 * more WORK to be spent. Until side_forget_digests(). */
struct digest *side_digest(struct side *s, model_id procedure, size_t most, uint64_t *work);
void side_forget_digests(struct side *s);

/* The innermost procedure around a line; NULL: none. */
const struct side_span *side_span_at(struct side *s, model_id file, uint32_t line);

/* Calls PAIR for keys that stand exactly once on both sides; sorts both arrays. */
void keyed_match(struct keyed *a, size_t nr_a, struct keyed *b, size_t nr_b,
		 void (*pair)(void *context, uint32_t a, uint32_t b), void *context);

/* Foreign code, by the name that calls of it have. */
struct foreign_target { const char *name; entity_id entity; };

/* How an entity was found in a profile, and is its text there another one than that of its home?
 * Texts are read for that, so it is found out once. */
struct found {
	unsigned char how, percent;
	enum text_is { TEXT_UNKNOWN, TEXT_EQUAL, TEXT_CHANGED } __attribute__((packed)) text;
};

struct match {
	struct side *sides;
	size_t nr_sides;
	struct rename_rule *rules;
	size_t nr_rules;
	/* Entities, from 1 on. */
	model_id *procedure;     /* [entity * nr_sides + profile] */
	uint32_t *home;          /* [entity] */
	struct found *found;     /* [entity * nr_sides + profile] */
	/* [entity * nr_sides + profile]; made when asked for, and forgotten when there are many:
	 * who asks goes from procedure to procedure. */
	struct alignment **alignments;
	size_t *made;            /* their positions */
	size_t nr_made, made_alloc;
	unsigned char *state;    /* [entity * nr_sides + profile]: enum alignment_state */
	size_t nr_entities, procedure_alloc, home_alloc, found_alloc;
	struct foreign_target *foreign; /* by name, each name once */
	size_t nr_foreign, foreign_alloc;
	model_id *file;          /* [number * nr_sides + profile] */
	size_t nr_files, file_alloc;
	struct changed_names **names; /* [home * nr_sides + profile]; NULL: not asked for */
	/* [entity * nr_sides + profile]: of what has changed it uses this, "": it uses nothing, or
	 * its own text has changed; NULL: not asked for. */
	const char **uses;
	struct arena arena;      /* these texts */
	uint64_t work;           /* left for alignments */
	bool only_equal;         /* see match_options */
};

/* Notes that the tokens of ENTITY in PROFILE are others than those of its home, so that no text is
 * read for that once more. */
void match_text_changed(struct match *m, entity_id e, size_t profile);

enum alignment_state {
	ALIGN_UNKNOWN, ALIGN_SHIFTED, ALIGN_POSSIBLE, ALIGN_MADE, ALIGN_IMPOSSIBLE,
	ALIGN_TOO_LONG           /* there was no more work to spend */
};

static inline struct side_procedure *
side_procedure(const struct side *s, model_id id)
{
	return id && id <= s->nr_procedures ? &s->procedures[id - 1] : NULL;
}

static inline struct side_file *
side_file(const struct side *s, model_id id)
{
	return id && id <= s->nr_files ? &s->files[id - 1] : NULL;
}

#endif
