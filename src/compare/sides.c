#include "compare/sides.h"

#include <string.h>
#include <strings.h>

#define TEN(x) x "0", x "1", x "2", x "3", x "4", x "5", x "6", x "7", x "8", x "9"
#define HUNDRED(x) TEN(x "0"), TEN(x "1"), TEN(x "2"), TEN(x "3"), TEN(x "4"), TEN(x "5"), \
		   TEN(x "6"), TEN(x "7"), TEN(x "8"), TEN(x "9")

static const char letters[PROFILE_LETTERS][2] = {
	"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m",
	"n", "o", "p", "q", "r", "s", "t", "u", "v", "w", "x", "y", "z",
};

/* By number, from 1 on. Two letters would be shorter, but "at" and "or" are columns. */
static const char numbers[MAX_PROFILES + 1][5] = {
	HUNDRED("p"), HUNDRED("p1"), HUNDRED("p2"), HUNDRED("p3"), HUNDRED("p4"),
	HUNDRED("p5"), HUNDRED("p6"), HUNDRED("p7"), HUNDRED("p8"), HUNDRED("p9"),
};

const char *
sides_name(size_t k)
{
	return k < PROFILE_LETTERS ? letters[k] : numbers[k + 1];
}

int
sides_find(const char *s, size_t n)
{
	for (int k = 0; k < MAX_PROFILES; k++) {
		const char *name = sides_name((size_t)k);

		if (strlen(name) == n && !strncasecmp(name, s, n))
			return k;
	}
	return -1;
}

size_t
sides_count(const struct sides *s)
{
	size_t nr = 0;

	for (size_t i = 0; i < sizeof(s->bits) / sizeof(s->bits[0]); i++)
		nr += (size_t)__builtin_popcountll(s->bits[i]);
	return nr;
}

void
sides_text(const struct sides *s, size_t nr, struct strbuf *out)
{
	bool runs = nr > PROFILE_LETTERS, first = true;

	for (size_t k = 0, last; k < nr; k = last + 1) {
		last = k;
		if (!sides_have(s, k))
			continue;
		while (runs && last + 1 < nr && sides_have(s, last + 1))
			last++;
		strbuf_fmt(out, "%s%s", runs && !first ? "," : "", sides_name(k));
		if (last > k)
			strbuf_fmt(out, "-%s", sides_name(last));
		first = false;
	}
}
