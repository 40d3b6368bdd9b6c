#include "util/text/fuzzy.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum {
	NOT = -10000,      /* the letters do not fit there */
	FITS = 16, BEGINS = 10, FOLLOWS = 12, /* of a letter */
	BETWEEN = 1,       /* of a byte between two letters */
	WHOLE = 32,        /* the name is nothing but what is wanted */
};

/* The letters of WANTED. */
static size_t
letters_of(const char *wanted, char letters[FUZZY_WANTED])
{
	size_t n = 0;

	for (; *wanted && n < FUZZY_WANTED; wanted++)
		if (*wanted != ' ')
			letters[n++] = *wanted;
	return n;
}

static bool
is_same(char wanted, char c)
{
	return wanted == c || (wanted >= 'a' && wanted <= 'z' && wanted == (c | 0x20));
}

static bool
begins_word(const char *name, size_t j)
{
	unsigned char before = j ? (unsigned char)name[j - 1] : ' ', c = (unsigned char)name[j];

	return (isalnum(c) && !isalnum(before)) || (isupper(c) && !isupper(before)) ||
	       (isdigit(c) && !isdigit(before));
}

/* Most names lack a letter; this is fast. */
static bool
has_letters(const char *letters, size_t nr, const char *name, size_t n)
{
	size_t i = 0;

	for (size_t j = 0; j < n && i < nr; j++)
		i += is_same(letters[i], name[j]);
	return i == nr;
}

static int
larger(int a, int b)
{
	return a > b ? a : b;
}

/* Fills the row of letter I. */
static void
fill_row(struct fuzzy *f, char letter, size_t i, const char *name, size_t n)
{
	int before = NOT, here; /* the best of the letters before, up to the byte before */

	for (size_t j = 0; j < n; j++) {
		here = NOT;
		if (is_same(letter, name[j])) {
			here = i ? before : 0;
			if (i && j)
				here = larger(here, f->ends[i - 1][j - 1] + FOLLOWS);
			if (here > NOT / 2)
				here += FITS + (begins_word(name, j) ? BEGINS : 0);
		}
		before = larger(before - BETWEEN, i ? f->ends[i - 1][j] : NOT);
		f->ends[i][j] = (int16_t)(here > NOT / 2 ? here : NOT);
	}
}

static size_t
best_end(const struct fuzzy *f, size_t i, size_t n)
{
	size_t best = 0;

	for (size_t j = 1; j < n; j++)
		if (f->ends[i][j] > f->ends[i][best])
			best = j;
	return best;
}

int
fuzzy_score(struct fuzzy *f, const char *wanted, const char *name)
{
	char letters[FUZZY_WANTED];
	size_t nr = letters_of(wanted, letters), n = strnlen(name, FUZZY_NAME);

	if (!nr)
		return 0;
	if (!has_letters(letters, nr, name, n))
		return -1;
	for (size_t i = 0; i < nr; i++)
		fill_row(f, letters[i], i, name, n);
	return larger(0, f->ends[nr - 1][best_end(f, nr - 1, n)] + (nr == n ? WHOLE : 0));
}

size_t
fuzzy_places(struct fuzzy *f, const char *wanted, const char *name, size_t at[FUZZY_WANTED])
{
	char letters[FUZZY_WANTED];
	size_t nr = letters_of(wanted, letters), n = strnlen(name, FUZZY_NAME), i = nr, end, k;

	if (!nr || fuzzy_score(f, wanted, name) < 0)
		return 0;
	for (end = best_end(f, nr - 1, n), at[--i] = end; i; at[--i] = end) {
		int best = f->ends[i - 1][end - 1] + FOLLOWS;

		k = end - 1;
		for (size_t j = end - 1; j-- > 0;) {
			int score = f->ends[i - 1][j] - BETWEEN * (int)(end - 1 - j);

			if (score > best) {
				best = score;
				k = j;
			}
		}
		end = k;
	}
	return nr;
}
