/* Short loops that GCC makes much of: loops KIND ROUNDS. What they compute is printed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 4096, EDGE = 96 };
/* In each variant of the program at the same places of their pages, or these would count. */
static _Alignas(4096) struct {
	float x[SIZE], gap[512], y[SIZE], a[EDGE][EDGE], b[EDGE][EDGE], c[EDGE][EDGE];
} at;
#define x at.x
#define y at.y
#define a at.a
#define b at.b
#define c at.c
static unsigned char order[256], bytes[SIZE + 1];
static int list[64];

/* Move to front, as in bzip2. */
static unsigned
front(unsigned round)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < SIZE; i++) {
		unsigned char wanted = (unsigned char)((i * 2654435761u + round) >> 24);
		unsigned char here = order[0], before, *p = order;

		while (wanted != here) {
			p++;
			before = here;
			here = *p;
			*p = before;
		}
		order[0] = here;
		sum += (unsigned)(p - order);
	}
	return sum;
}

static unsigned
search(unsigned round)
{
	const unsigned char *p = bytes;

	bytes[SIZE - 1 - round % 8] = 1;
	while (!*p)
		p++;
	bytes[SIZE - 1 - round % 8] = 0;
	return (unsigned)(p - bytes);
}

static unsigned
add(unsigned round)
{
	float factor = (float)(round % 3) - 1;

	for (int i = 0; i < SIZE; i++)
		y[i] += factor * x[i];
	return (unsigned)y[round % SIZE];
}

static unsigned
product(unsigned round)
{
	memset(c, 0, sizeof(c));
	for (int i = 0; i < EDGE; i++)
		for (int k = 0; k < EDGE; k++)
			for (int j = 0; j < EDGE; j++)
				c[i][j] += a[i][k] * b[k][j];
	return (unsigned)c[round % EDGE][0];
}

static unsigned
insertion(unsigned round)
{
	int i, k, value;

	for (i = 0; i < 64; i++)
		list[i] = (int)((unsigned)i * 40503u + round) & 1023;
	for (i = 1; i < 64; i++) {
		value = list[i];
		for (k = i; k > 0 && list[k - 1] > value; k--)
			list[k] = list[k - 1];
		list[k] = value;
	}
	return (unsigned)list[7];
}

static const struct {
	const char *name;
	unsigned (*run)(unsigned round);
} kinds[] = {
	{"front", front},     {"search", search},       {"add", add},
	{"product", product}, {"insertion", insertion},
};

int
main(int argc, char **argv)
{
	unsigned rounds = argc > 2 ? (unsigned)atoi(argv[2]) : 1, sum = 0;

	for (int i = 0; i < 256; i++)
		order[i] = (unsigned char)i;
	for (int i = 0; i < SIZE; i++)
		x[i] = (float)(i % 7);
	for (int i = 0; i < EDGE * EDGE; i++)
		a[i / EDGE][i % EDGE] = b[i / EDGE][i % EDGE] = (float)(i % 5);
	for (size_t k = 0; argc > 1 && k < sizeof(kinds) / sizeof(*kinds); k++)
		for (unsigned r = 0; !strcmp(argv[1], kinds[k].name) && r < rounds; r++)
			sum += kinds[k].run(r);
	printf("%u\n", sum);
	return 0;
}
