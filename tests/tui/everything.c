/* A bit of all that a profile has a table for: threads, a cycle of calls, calls through a pointer,
 * time, memory that is freed, lost, freed twice. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static volatile double sum;

static int odd(int n);

static int
even(int n)
{
	return n ? odd(n - 1) : 1;
}

static int
odd(int n)
{
	return n ? even(n - 1) : 0;
}

static void
one(int n)
{
	for (int i = 0; i < n; i++)
		sum = sum * 1.0001 + 1;
}

static void
two(int n)
{
	one(even(n) + n);
}

static void (*const both[])(int) = { one, two };

struct node {
	struct node *next;
	char text[100];
};

static void *
work(void *of)
{
	struct node *list = NULL;

	for (int i = 0; i < 200; i++) {
		struct node *n = malloc(sizeof(*n));

		n->next = list;
		memset(n->text, i, sizeof(n->text));
		list = n;
		both[i % 2](20000);
	}
	while (list) {
		struct node *next = list->next;

		free(list);
		list = next;
	}
	return of;
}

int
main(int argc, char **argv)
{
	pthread_t threads[3];
	char *volatile lost = malloc(1000), *volatile twice = malloc((size_t)argc * 77);

	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, work, argv);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	lost = NULL;
	both[argc % 2](1000);
	free(twice);
	free(twice); /* which aborts: all is done by then */
	return lost != NULL;
}
