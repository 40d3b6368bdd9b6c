/* Names that fit letters: the score against all ways to place the letters, tried one by one; what
 * stands first among names, by hand; "did you mean": distances by hand. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/check.h"
#include "util/text/fuzzy.h"
#include "util/text/nearest.h"

static struct fuzzy fuzzy;

/* ---- brute force: the same rules, without a table ---- */

static int
begins(const char *name, size_t j)
{
	unsigned char c = (unsigned char)name[j], before = j ? (unsigned char)name[j - 1] : ' ';

	return (isalnum(c) && !isalnum(before)) || (isupper(c) && !isupper(before)) ||
	       (isdigit(c) && !isdigit(before));
}

/* The best of all ways to have WANTED from byte FROM on, the letter before at LAST (-1: none). */
static int
try(const char *wanted, const char *name, size_t from, int last)
{
	int best = -10000;

	if (!*wanted)
		return 0;
	for (size_t j = from; name[j]; j++) {
		int score, rest;

		if (*wanted != name[j] && !(islower((unsigned char)*wanted) &&
					    *wanted == tolower((unsigned char)name[j])))
			continue;
		score = 16 + (begins(name, j) ? 10 : 0);
		if (last >= 0)
			score += (int)j == last + 1 ? 12 : -((int)j - last - 1);
		rest = try(wanted + 1, name, j + 1, (int)j);
		if (rest > -5000 && score + rest > best)
			best = score + rest;
	}
	return best;
}

static void
random_text(char *text, size_t most)
{
	static const char letters[] = "abAB_1";
	size_t n = (size_t)rand() % most + 1;

	for (size_t i = 0; i < n; i++)
		text[i] = letters[(size_t)rand() % (sizeof(letters) - 1)];
	text[n] = '\0';
}

static void
check_brute_force(void)
{
	char wanted[8], name[16];
	size_t at[FUZZY_WANTED];
	bool same = true, placed = true;

	srand(1);
	for (int i = 0; i < 20000; i++) {
		int expected, score;
		size_t nr;

		random_text(wanted, 4);
		random_text(name, 12);
		expected = try(wanted, name, 0, -1);
		score = fuzzy_score(&fuzzy, wanted, name);
		if (expected >= 0 && strlen(wanted) == strlen(name))
			expected += 32;
		if (expected < -5000 ? score != -1 : score != (expected < 0 ? 0 : expected)) {
			printf("# %s in %s: %d, not %d\n", wanted, name, score, expected);
			same = false;
		}
		nr = fuzzy_places(&fuzzy, wanted, name, at);
		if (nr != (score < 0 ? 0 : strlen(wanted)))
			placed = false;
		for (size_t k = 0; k < nr; k++)
			placed &= tolower((unsigned char)name[at[k]]) ==
					  tolower((unsigned char)wanted[k]) &&
				  (!k || at[k] > at[k - 1]);
	}
	verdict(same, "20,000 scores are those of all ways to place the letters");
	verdict(placed, "the places are letters of the name, in their order");
}

/* ---- by hand ---- */

static void
check_before(const char *wanted, const char *first, const char *second)
{
	char name[200];

	snprintf(name, sizeof(name), "%s: %s before %s", wanted, first, second);
	verdict(fuzzy_score(&fuzzy, wanted, first) > fuzzy_score(&fuzzy, wanted, second), name);
}

static void
check_question(const char *wanted, const char *expected)
{
	static const char *const names[] = {
		"record",     "report",	    "browse",	    "import",	   "annotate",
		"_bc_do_add", "_bc_do_sub", "_bc_simp_mul", "_bc_new_num", NULL};
	char *question = nearest_of(wanted, names), name[200];

	snprintf(name, sizeof(name), "%s: %s", wanted, expected ? expected : "nothing is near");
	if (question)
		printf("# %s\n", question);
	verdict(expected ? question && !strcmp(question, expected) : !question, name);
	free(question);
}

int
main(void)
{
	check_brute_force();
	check_before("rw", "read_words", "borrowed");
	check_before("gnu", "getNextUnit", "signature_number");
	check_before("add", "add", "_bc_do_add");
	check_before("add", "_bc_do_add", "a_dead_end_of_days");
	check_before("file.c", "file.c", "profile.cc");
	verdict(fuzzy_score(&fuzzy, "AB", "ab") == -1, "capitals want capitals");
	verdict(fuzzy_score(&fuzzy, "", "ab") == 0, "nothing fits all");
	verdict(fuzzy_score(&fuzzy, "a b", "axb") == fuzzy_score(&fuzzy, "ab", "axb"),
		"blanks do not count");
	check_question("recrod", ": did you mean record? See");
	check_question("raport", ": did you mean report or import? See");
	check_question("_bc_do", ": did you mean _bc_do_add or _bc_do_sub? See");
	check_question("_bc_", ": did you mean _bc_do_add, _bc_do_sub or _bc_new_num? See");
	check_question("xyzzy", NULL);
	check_question("", NULL);
	return failures != 0;
}
