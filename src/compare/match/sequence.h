/* Finds what two sequences of numbers have in common: the core of every comparison of texts. */
#ifndef CGVIEW_COMPARE_SEQUENCE_H
#define CGVIEW_COMPARE_SEQUENCE_H

#include <stddef.h>
#include <stdint.h>

#define SEQUENCE_NONE UINT32_MAX

/* PAIR (NR_A elements) gets for each element of A the position in B of the one that it corresponds
 * to, or SEQUENCE_NONE; ascending. Elements are below NR_IDS. First it pairs what occurs once in
 * both, in the longest ascending order (patience); between those it follows the shortest edit
 * script (Myers). Where that would take very long nothing is paired. *WORK is what may be spent,
 * and is counted down; when it is used up nothing more is paired. A job (util/job.h) pauses; all
 * that is given stays where it is until the end. */
void sequence_pair(const uint32_t *a, size_t nr_a, const uint32_t *b, size_t nr_b, size_t nr_ids,
		   uint32_t *pair, uint64_t *work);

#endif
