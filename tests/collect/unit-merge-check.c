/* A profile of a program with many libraries: they belong together, however many there are, and a
 * profile of one of them is of the same program. What was freed has other bytes; with names as long
 * as these, a table that grows cannot stay where it is. */
#include "cmd/make/merge_check.h"

#include <malloc.h>
#include <stdio.h>

enum { NR = 200, LENGTH = 4000 };

static bool
test_many(void)
{
	struct model_module modules[NR];
	struct model all = { .modules = modules, .nr_modules = NR };
	struct model one = { .modules = &modules[NR - 1], .nr_modules = 1 };
	struct error err = ERROR_INIT;
	struct merge_check c;
	static char texts[NR][LENGTH + 1];
	bool right;

	for (int i = 0; i < NR; i++) {
		snprintf(texts[i], sizeof(texts[i]), "%0*x", LENGTH, i + 1);
		modules[i] = (struct model_module){ texts[i], texts[i] };
	}
	merge_check_init(&c);
	right = !merge_check_add(&c, &all, "all.db", &err) &&
		!merge_check_add(&c, &one, "one.db", &err) && c.nr_builds == NR &&
		!merge_check_related(&c, &one, "one.db", &all, "all.db", &err);
	if (!right)
		printf("# %s\n", err.text);
	for (size_t i = 0; i < c.nr_builds; i++)
		right = right && c.builds[i].group == c.builds[0].group;
	merge_check_release(&c);
	return right;
}

int
main(void)
{
	bool right;

	mallopt(M_PERTURB, 0x55);
	right = test_many();
	printf("%s - two hundred builds of one profile are one program\n", right ? "ok" : "not ok");
	return !right;
}
