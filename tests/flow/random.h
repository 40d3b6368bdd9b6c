/* Random numbers, the same on every machine: splitmix64. */
#ifndef CGVIEW_TESTS_FLOW_RANDOM_H
#define CGVIEW_TESTS_FLOW_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

static inline uint64_t
random_next(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static inline unsigned
random_below(uint64_t *state, unsigned n)
{
	return (unsigned)(random_next(state) % n);
}

static inline bool
random_chance(uint64_t *state, unsigned per_cent)
{
	return random_below(state, 100) < per_cent;
}

/* Small ones as often as large ones, below 2^BITS; with 64 bits nearly always large. */
static inline uint64_t
random_count(uint64_t *state, unsigned bits)
{
	uint64_t n = random_next(state);

	if (bits == 64)
		return n >> random_below(state, 3);
	return n >> (63 - random_below(state, bits)) >> 1;
}

#endif
