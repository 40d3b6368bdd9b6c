/* Draws blocks at random, by bytes: from one that is drawn to the next there are so many bytes as
 * an exponential distribution gives, so each byte is as likely as any other, whatever the program
 * does at regular distances. A block of SIZE is drawn with the probability
 * 1 - exp(-SIZE / MEAN). */
#ifndef CGVIEW_SPACE_SAMPLER_H
#define CGVIEW_SPACE_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sampler {	 /* of a thread; begins with zeros */
	int64_t left;	 /* bytes until the next one, not below 0 but when one is drawn */
	uint64_t mean;	 /* with which LEFT was drawn; 0: it was not */
	uint64_t random; /* 0: it has no seed yet */
};

/* A block of SIZE is allocated: is it drawn? Then sampler_draw() is next. */
static inline bool
sampler_passes(struct sampler *s, size_t size)
{
	s->left -= (int64_t)(size & INT64_MAX);
	return s->left < 0;
}

/* Natural logarithm of X > 0, to 1e-6 (libm is not there). */
static inline double
sampler_log(double x)
{
	union {
		double value;
		uint64_t bits;
	} u = {x};
	int exponent = (int)(u.bits >> 52 & 2047) - 1023;
	double s, q;

	u.bits = (u.bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1023) << 52;
	s = (u.value - 1) / (u.value + 1);
	q = s * s;
	return exponent * 0.69314718055994531 +
	       2 * s * (1 + q * (1. / 3 + q * (1. / 5 + q * (1. / 7 + q * (1. / 9)))));
}

/* The next one is drawn from now on, one each MEAN bytes. SEED tells threads apart. */
static inline void
sampler_draw(struct sampler *s, uint64_t mean, uint64_t seed)
{
	if (!s->random)
		s->random = (seed * 2 + 1) * UINT64_C(0x9e3779b97f4a7c15);
	s->random ^= s->random << 13;
	s->random ^= s->random >> 7;
	s->random ^= s->random << 17;
	s->mean = mean;
	/* 53 bits, none of all zeros */
	s->left = (int64_t)(-sampler_log(((double)(s->random >> 11) + 0.5) / 9007199254740992.) *
			    (double)mean);
}

#endif
