/* Which of the profiles that are compared: their names, and sets of them. */
#ifndef CGVIEW_COMPARE_SIDES_H
#define CGVIEW_COMPARE_SIDES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/mem.h"

enum { MAX_PROFILES = 999, PROFILE_LETTERS = 26 };

/* Returns what profile K (from 0 on) is called in expressions, columns and texts: a to z, then p27,
 * p28 and so on. Static. */
const char *sides_name(size_t k);
/* Returns the number of the profile that has the name of N bytes at S, whose case does not matter;
 * -1: none. */
int sides_find(const char *s, size_t n);

struct sides { uint64_t bits[(MAX_PROFILES + 63) / 64]; };

static inline void
sides_add(struct sides *s, size_t k)
{
	s->bits[k / 64] |= UINT64_C(1) << k % 64;
}

static inline bool
sides_have(const struct sides *s, size_t k)
{
	return s->bits[k / 64] >> k % 64 & 1;
}

size_t sides_count(const struct sides *s);

/* Appends the names of those of NR profiles: "acd"; where there are more than 26 the runs of
 * such: "a-d,p31". */
void sides_text(const struct sides *s, size_t nr, struct strbuf *out);

#endif
