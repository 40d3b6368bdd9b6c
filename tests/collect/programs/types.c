/* What test-space-types.sh expects to be told as types stands behind the marks. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct node { struct node *next; int value; };
struct tail { int length; char bytes[]; };
struct base { int kind; };
struct derived { struct base base; long more[5]; };
typedef struct { double x, y; } point;
union either { int i; float f; };
static void *volatile sink;
static struct { struct node *first; char *name; void *any; } box;

#define NEW(T) ((T *)malloc(sizeof(T)))
#define TWO(a, b) (sink = a = malloc(sizeof *a), sink = b = malloc(sizeof *b))

__attribute__((noinline)) static void *
xmalloc(size_t n)
{
	void *p = malloc(n);

	if (!p)
		abort();
	return p;
}

__attribute__((noinline)) static void
take(point *p)
{
	sink = p;
}

__attribute__((noinline)) static struct node *
returned(void)
{
	return malloc(sizeof(struct node)); /* RETURNED: struct node */
}

__attribute__((noinline)) static void
give(void *p)
{
	sink = p;
}

static void
make(int n)
{
	struct node *a = malloc(sizeof *a); /* ASSIGNED: struct node */
	sink = a;
	sink = NEW(point); /* MACRO: */
	point *b = NEW(point); /* CAST: point */
	sink = b;
	union either *c = malloc(n * sizeof *c); /* UNION: union either */
	sink = c;
	struct tail *d = malloc(sizeof *d + n); /* TAIL: struct tail */
	sink = d;
	int *e = calloc(n, sizeof(int)); /* CALLOC: int */
	sink = e;
	point *f = xmalloc(n * sizeof *f); /* WRAPPER: point */
	sink = f;
	struct node **g = malloc(n * sizeof *g); /* POINTERS: struct node * */
	sink = g;
	box.first = xmalloc(sizeof *box.first); /* MEMBER: struct node */
	sink = box.first;
	box.name = strdup("a name"); /* STRDUP: char */
	sink = box.name;
	take(malloc(sizeof(point))); /* HANDED: point */
	give(xmalloc(sizeof(struct node))); /* SAID: struct node */
	give(xmalloc(2 * sizeof(point))); /* SAID_TYPEDEF: point */
	give(xmalloc(n * 3)); /* ANYTHING: */
	sink = returned();
	e = realloc(e, 100 * sizeof *e); /* REALLOC: int */
	sink = e;
	struct derived *h = malloc(sizeof *h); /* DERIVED: struct derived */
	sink = h;
	struct base *i = malloc(sizeof(struct derived)); /* BASE: */
	sink = i;
	struct node *j = malloc(sizeof(point) + 3); /* ODD: */
	sink = j;
	struct node *k = xmalloc(n * 12); /* ODD_TIMES: */
	sink = k;
	point *l;
	long *m;
	TWO(l, m); /* TWICE: long int or point */
}

static void *
run(void *unused)
{
	make(7);
	return unused;
}

/* types [THREADS [CHILDREN]] */
int
main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 0, children = argc > 2 ? atoi(argv[2]) : 0;
	pthread_t ids[16];

	make(7);
	for (int i = 0; i < threads; i++)
		pthread_create(&ids[i], NULL, run, NULL);
	for (int i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	for (int i = 0; i < children; i++) {
		if (!fork()) {
			make(7);
			_exit(0);
		}
		wait(NULL);
	}
	return 0;
}
