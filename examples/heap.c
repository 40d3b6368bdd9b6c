/* Memory over time, for a picture: lists that grow and shrink, buffers that come and go. Build it
 * with cgcc, run it under cgview record --space, and look with H. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
	struct node *next;
	char text[40];
};

static struct node *list;

static void
grow_list(int n)
{
	while (n-- > 0) {
		struct node *new = malloc(sizeof(*new));

		if (!new)
			exit(1);
		snprintf(new->text, sizeof(new->text), "node %d", n);
		new->next = list;
		list = new;
	}
}

static void
shrink_list(int n)
{
	while (n-- > 0 && list) {
		struct node *next = list->next;

		free(list);
		list = next;
	}
}

/* A buffer that grows by steps, as one that reads a file of unknown size. */
static char *
read_all(size_t steps)
{
	char *buffer = NULL;

	for (size_t i = 1; i <= steps; i++) {
		char *larger = realloc(buffer, i * 4096);

		if (!larger)
			exit(1);
		buffer = larger;
		memset(buffer + (i - 1) * 4096, (int)i, 4096);
	}
	return buffer;
}

static char **
make_table(int n)
{
	char **table = calloc((size_t)n, sizeof(*table));

	for (int i = 0; table && i < n; i++)
		table[i] = strdup("an entry of the table");
	return table;
}

static void
free_table(char **table, int n)
{
	for (int i = 0; table && i < n; i++)
		free(table[i]);
	free(table);
}

int
main(void)
{
	enum { ENTRIES = 9000 };

	for (int round = 1; round <= 6; round++) {
		char *buffer = read_all(60 * (size_t)round), **table;

		for (int i = 0; i < 8; i++)
			grow_list(1000);
		table = make_table(ENTRIES);
		free(buffer);
		for (int i = 0; i < 4; i++)
			shrink_list(1000);
		free_table(table, ENTRIES);
	}
	shrink_list(20000);
	return 0;
}
