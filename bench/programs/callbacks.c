/* callbacks [N]: qsort and bsearch with several comparisons, a table of handlers, and a list of
 * hooks: calls through pointers as C programs make them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
	unsigned key, weight;
	char name[32];
};

typedef int comparison(const void *, const void *);
static unsigned long nr_swaps;

static int
by_key(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

static int
by_weight(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return x->weight != y->weight ? (x->weight < y->weight ? -1 : 1) : by_key(a, b);
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(((const struct item *)a)->name, ((const struct item *)b)->name);
}

/* The program's own sorting: its comparisons are calls that the profile sees. */
static void
insertion_sort(struct item *items, size_t n, comparison *compare)
{
	struct item x;

	for (size_t i = 1; i < n; i++) {
		size_t k = i;

		for (x = items[i]; k && compare(&items[k - 1], &x) > 0; k--, nr_swaps++)
			items[k] = items[k - 1];
		items[k] = x;
	}
}

static void
heap_sort(struct item *items, size_t n, comparison *compare)
{
	struct item x;

	for (size_t start = n / 2, end = n; end > 1;) {
		size_t root, child;

		if (start) {
			start--;
		} else {
			x = items[--end];
			items[end] = items[0];
			items[0] = x;
		}
		for (root = start; (child = 2 * root + 1) < end; root = child) {
			if (child + 1 < end && compare(&items[child], &items[child + 1]) < 0)
				child++;
			if (compare(&items[root], &items[child]) >= 0)
				break;
			x = items[root];
			items[root] = items[child];
			items[child] = x;
		}
	}
}

/* A machine with a table of handlers. */
struct machine {
	long stack[64];
	int top;
	unsigned pc, nr_steps;
	unsigned char *code;
};
typedef void handler(struct machine *);

static void push(struct machine *m) { m->stack[m->top++ & 63] = m->code[m->pc++]; }
static void pop(struct machine *m) { m->top -= m->top > 0; }
static void add(struct machine *m) { pop(m); m->stack[m->top & 63] += 1; }
static void twice(struct machine *m) { m->stack[m->top & 63] *= 2; }
static void jump(struct machine *m) { m->pc += m->code[m->pc] & 3; }
static void nothing(struct machine *m) { m->nr_steps++; }
static handler *const handlers[8] = {push, pop, add, twice, jump, nothing, push, add};

static void
run(struct machine *m, unsigned size)
{
	while (m->pc + 1 < size)
		handlers[m->code[m->pc++] & 7](m);
}

/* Hooks that are told of what happens. */
static unsigned long log_lines, statistics[4];
static void log_it(int what, long value) { log_lines += what != (int)value; }
static void count_it(int what, long value) { statistics[what & 3] += value > 0; }
static void ignore_it(int what, long value) { (void)what, (void)value; }
static struct hook {
	void (*tell)(int, long);
	int mask;
} hooks[] = {{log_it, 3}, {count_it, 15}, {ignore_it, 4}};

static void
tell(int what, long value)
{
	for (size_t i = 0; i < sizeof(hooks) / sizeof(*hooks); i++)
		if (hooks[i].mask >> what & 1)
			hooks[i].tell(what, value);
}

static unsigned
random_number(void)
{
	static unsigned long state = 1;

	state = state * 6364136223846793005 + 1442695040888963407;
	return state >> 40;
}

static void
fill(struct item *items, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		items[i].key = random_number();
		items[i].weight = random_number() % 100;
		snprintf(items[i].name, sizeof(items[i].name), "item %u", random_number());
	}
}

static unsigned long
sort_all(struct item *items, size_t n)
{
	static comparison *const orders[] = {by_key, by_weight, by_name};
	unsigned long found = 0;
	struct item key = {.weight = 50};

	for (int i = 0; i < 3; i++) {
		fill(items, n);
		qsort(items, n, sizeof(*items), orders[i]);
		tell(0, items[0].key);
		fill(items, n / 8);
		insertion_sort(items, n / 8, i ? by_key : by_name);
		tell(1, items[0].weight);
		heap_sort(items, n, orders[i]);
		tell(2, items[0].weight);
	}
	for (size_t i = 0; i < n; i++) {
		snprintf(key.name, sizeof(key.name), "item %zu", i);
		found += bsearch(&key, items, n, sizeof(key), by_name) != NULL;
		if (i % 5 == 0)
			tell(3, (long)found);
	}
	return found;
}

int
main(int argc, char **argv)
{
	size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 2000;
	struct item *items = calloc(n, sizeof(*items));
	unsigned char *code = malloc(64 * n);
	struct machine m = {.code = code};

	for (size_t i = 0; i < 64 * n; i++)
		code[i] = (unsigned char)(random_number() % (random_number() & 1 ? 256 : 4));
	run(&m, (unsigned)(64 * n));
	printf("%lu found, ", sort_all(items, n));
	printf("%lu moves, %u steps\n", nr_swaps, m.nr_steps);
	free(items);
	free(code);
	return 0;
}
