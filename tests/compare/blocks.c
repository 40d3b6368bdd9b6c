/* What test-blocks.sh compares: it knows every block. -DNEW is the later version: larger nodes, of
 * which more stay, two more rows, a buffer that is new. */
#include <stdlib.h>

#ifdef NEW
struct node { struct node *next; int value; char more[40]; };
enum { ROWS = 12, DROPPED = 50 };
#else
struct node { struct node *next; int value; };
enum { ROWS = 10, DROPPED = 60 };
#endif
typedef struct { double x, y; } point;
static void *volatile sink;
static struct node *head;

__attribute__((noinline)) static void
add(int value)
{
	struct node *n = malloc(sizeof *n); /* MADE */

	n->value = value;
	n->next = head;
	head = n;
}

__attribute__((noinline)) static void
drop(void)
{
	struct node *n = head;

	head = n->next;
	free(n); /* FREED */
}

int
main(int argc, char **argv)
{
	int nodes = argc > 1 ? atoi(argv[1]) : 100;

	for (int i = 0; i < nodes; i++)
		add(i);
	for (int i = 0; i < DROPPED && i < nodes; i++)
		drop();
	for (int i = 0; i < ROWS; i++) {
		point *p = malloc((i + 1) * sizeof *p); /* ROW */

		sink = p;
		free(p);
	}
#ifdef NEW
	sink = malloc(5000); /* BUFFER */
#endif
	return 0;
}
