/* Finds which procedure of one profile is which of another, and which place in its text is which,
 * also after the source has been changed between the two. Procedures are found by linkage name and
 * file, by name alone, by `rename` rules, by their text, and by a similar text; places by aligning
 * the texts line by line, and token by token where lines differ. Nothing is matched that could be
 * two things. */
#ifndef CGVIEW_COMPARE_MATCH_H
#define CGVIEW_COMPARE_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/store/profile.h"
#include "util/error.h"

/* Number of a procedure that is the same thing in several profiles: 1 .. match_entities(), 0: code
 * outside. Copies of an inline procedure in one profile are one entity. */
typedef uint32_t entity_id;

struct match_rename { const char *pattern, *replacement; };

struct match_options {
	/* Extended regular expressions, applied in this order to the names and paths of all
	 * profiles but the last, or of all but the first; \1..\9 and & in the replacement. */
	const struct match_rename *renames;
	size_t nr_renames;
	bool first_is_new;
	bool only_equal;         /* procedures of another name need the same text */
};

/* How a procedure of one profile was found in those before it. */
enum match_how {
	MATCH_NONE, MATCH_SAME, MATCH_CLONE /* f is f.isra.0 */, MATCH_FILE_MOVED, MATCH_NAME,
	MATCH_TEXT_AND_FILE, MATCH_TEXT, MATCH_LIKE, NR_MATCH_HOWS
};

struct match_report {
	size_t procedures, matched;        /* in this profile; also found in another */
	size_t how[NR_MATCH_HOWS];         /* entities, by how; in the first profile all NONE */
	size_t changed;                    /* matched, with another text than in the first */
	size_t affected;                   /* matched, with the same text, but what it uses has
	                                    * another one */
	size_t without_text;               /* matched, text not stored: only by lines */
	size_t not_aligned;                /* matched, too much work to align */
	uint64_t executions, matched_executions; /* of blocks, in all and in matched procedures */
	uint64_t self_ns, matched_self_ns;
	uint64_t cost, matched_cost;       /* of profile_lead() where there is no time */
	const char *cost_name;             /* as its tool calls it; NULL: there is none */
};

struct match;

/* PROFILES stay open as long as the match. -1 and ERR: a bad pattern, a damaged profile. */
int match_open(struct profile *const *profiles, size_t nr, const struct match_options *options,
	       struct match **m, struct error *err);
void match_close(struct match *m);

size_t match_profiles(const struct match *m);
size_t match_entities(const struct match *m);
const struct match_report *match_report(const struct match *m, size_t profile);

/* Return the entity of a procedure (0 for 0), and the first procedure of an entity in a profile (0:
 * not there). */
entity_id match_entity(const struct match *m, size_t profile, model_id procedure);
model_id match_procedure(const struct match *m, entity_id entity, size_t profile);
/* How it was found in PROFILE, and of MATCH_LIKE how alike its text is to that of its home in
 * percent (*PERCENT, else 0). MATCH_NONE: not there, or nowhere before. */
enum match_how match_found(const struct match *m, entity_id entity, size_t profile, int *percent);
/* Has its text in PROFILE changed against its home, the first profile that has it? */
bool match_changed(struct match *m, entity_id entity, size_t profile);
/* Or that of a macro, a type, an enumerator or data that it uses? */
bool match_affected(struct match *m, entity_id entity, size_t profile);
/* The latter alone: returns what that is in PROFILE, "ROUND_UP (macro, box.h:4) through ROOM and 2
 * more", once match_affected() is known; "": its own text has changed, or nothing. */
const char *match_uses(const struct match *m, entity_id entity, size_t profile);
/* Name and path as shown; the path is that of PROFILE's file, "" when there is none. */
const char *match_name(const struct match *m, entity_id entity);
const char *match_path(const struct match *m, size_t profile, model_id file);
/* The entity that a direct call names; 0: none. */
entity_id match_target(const struct match *m, size_t profile, const char *linkage_name);
/* The entity of foreign code with this name; 0: none. It may have a row in another profile only: a
 * sample made it. */
entity_id match_foreign_target(const struct match *m, const char *linkage_name);

/* Files: the same number, 1.., in all profiles that have it. */
size_t match_files(const struct match *m);
uint32_t match_file(const struct match *m, size_t profile, model_id file);
model_id match_file_in(const struct match *m, uint32_t number, size_t profile);

/* A place in the coordinates of the profile `home`. */
struct matched_place {
	struct place place;
	uint32_t home;
	bool changed;        /* its text is not the same there */
};

/* Finds where a place of PROFILE is in the first profile that has the code around it; when its
 * begin or end has no counterpart there: where it is in PROFILE itself (home == PROFILE). As texts
 * may have to be aligned, a job pauses (util/job.h). */
void match_place(struct match *m, size_t profile, const struct place *place,
		 struct matched_place *out);

/* Like match_place(), for a whole line; two lines of one profile never get the same place. */
void match_line(struct match *m, size_t profile, model_id file, uint32_t line,
		struct matched_place *out);

/* Are two files byte by byte the same? */
bool match_same_file(const struct match *m, size_t a, model_id file_a, size_t b, model_id file_b);

/* A line of each of two texts; 0 stands for no line on that side. */
struct line_pair { uint32_t a, b; bool changed; };

/* What differs between the texts of two profiles, line by line, in files that both have. */
struct differing_lines {
	uint64_t lines;
	size_t files;
	struct { model_id file; uint32_t first, last; } at[3]; /* the first of them, in B; where B
	                                                        * has none, the line behind */
	size_t nr;               /* of these */
	bool not_looked_at;      /* there is too much text: only FILES is known */
};
void match_differing(struct match *m, size_t a, size_t b, struct differing_lines *d);

/* Pairs the lines of FILE_A in profile A and of FILE_B in profile B to be shown side by side, in
 * order, in slices: side_by_side_work() goes on until ENOUGH(CONTEXT) (NULL: to the end). True:
 * done, and the pairs can be taken, once (heap). side_by_side_free() in any case, before M is
 * closed. */
struct side_by_side *side_by_side_begin(struct match *m, size_t a, model_id file_a, size_t b,
					model_id file_b);
bool side_by_side_work(struct side_by_side *s, bool (*enough)(void *context), void *context);
/* Returns how much is done, in percent, about. */
int side_by_side_percent(const struct side_by_side *s);
size_t side_by_side_take(struct side_by_side *s, struct line_pair **pairs);
void side_by_side_free(struct side_by_side *s);

#endif
