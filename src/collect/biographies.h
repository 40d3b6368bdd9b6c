/* Biographies: of some blocks it was seen when they were used first and last (record --space=drag).
 * What is told of all blocks of a call is estimated from these. */
#ifndef CGVIEW_COLLECT_BIOGRAPHIES_H
#define CGVIEW_COLLECT_BIOGRAPHIES_H

#include "collect/areas.h"
#include "collect/rawfile.h"
#include "db/model.h"
#include "util/index.h"

/* Bytes times seconds: from a block's making to its first use, from there to its last use, from
 * there to its end; of blocks that were never used; and those of which it is not known which of
 * the first three they are, as nobody looked in between. */
enum life_phase { PHASE_LAG, PHASE_USE, PHASE_DRAG, PHASE_VOID, PHASE_UNSEEN, NR_PHASES };

struct watched_life {
	uint32_t address;          /* number + 1 among those of the samples; 0: nobody's */
	bool through;              /* other code wanted the block */
	bool cut;                  /* its end was not seen: nothing is known */
	model_id part;
	double weight;             /* it stands for so many blocks */
	uint64_t size;
	double phases[NR_PHASES];  /* of the block itself */
};

struct biographies {
	struct watched_life *lives;
	size_t nr, alloc;
	bool asked;                /* blocks were to be watched */
	uint64_t missed;           /* that were drawn, and could not be watched */
	uint64_t longest_ns;       /* between two looks */
	struct index by_maker;
	struct biography_sums {
		double blocks, bytes, phases[NR_PHASES], squares[NR_PHASES];
	} *sums;                   /* as the model's rows */
	size_t sums_alloc;
	double rest[NR_PHASES];    /* of the figures so far, below 1 */
};

void biographies_release(struct biographies *b);

/* Takes in the facts, or the lives, in P, a part of R, whose program is named in notes to M. */
void biographies_read_facts(struct biographies *b, struct model *m, const struct rawfile *r,
			    const struct raw_part *p);
/* Takes in LIFE, made by the call with this ADDRESS (as above) in PART. */
void biographies_take(struct biographies *b, const struct raw_space_life *life, uint32_t address,
		      model_id part);

/* Adds the life to M's biography of the call SITE in PROCEDURE. FIGURES: what it adds to each
 * measure; over all lives they are the sums. */
void biographies_add(struct biographies *b, struct model *m, const struct watched_life *life,
		     model_id site, model_id procedure, uint64_t figures[NR_PHASES]);
/* When all have been added: sets the figures of M's rows. */
void biographies_settle(struct biographies *b, struct model *m);

#endif
