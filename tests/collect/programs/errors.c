/* Errors of memory at marked lines: see tests/collect/test-errors.sh, which has their places. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { int value; struct node *next; };

static struct node *
push(struct node *list, int value)
{
	struct node *n = malloc(sizeof(*n)); /* LOST */

	n->value = value;
	n->next = list;
	return n;
}

static void
give_back(char *s)
{
	free(s); /* FREED */
}

static char *
make(size_t size)
{
	char *s = malloc(size); /* MADE */

	memset(s, 'x', size);
	return s;
}

static int
leak(void)
{
	struct node *list = NULL;

	for (int i = 0; i < 5; i++)
		list = push(list, i); /* PUSHED */
	free(list->next); /* of the five, two are still reached by nobody */
	return list->value;
}

int
main(int argc, char **argv)
{
	char *s = make(10); /* CALLED */
	int big = 0x7fffffff, *unset = malloc(sizeof(*unset));

	if (argc > 1 && !strcmp(argv[1], "overflow")) {
		big += argc; /* OVERFLOW */
		printf("%d\n", big);
	}
	if (argc > 1 && !strcmp(argv[1], "freed")) {
		give_back(s); /* GIVEN */
		return s[1]; /* USED */
	}
	if (argc > 1 && !strcmp(argv[1], "leak"))
		return !leak();
	for (int i = 0; i < 3; i++)
		s[10 + (i & 1)] = 1; /* WRITTEN */
	if (*unset > 5) /* UNSET */
		puts("unset");
	free(unset);
	give_back(s);
	return leak() != 4;
}
