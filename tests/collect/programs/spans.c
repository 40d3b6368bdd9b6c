/* Blocks of which it is known in which phase they were made, who will give them back, and when. The
 * program prints what test-spans.sh compares: "kept FROM TO PRODUCER BYTES", what was made behind
 * the mark of one phase and is live at that of another; "live AT DISPOSER BYTES". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PHASES = 8, STEPS = 120, MOST = PHASES * STEPS * 2, BEYOND = PHASES };
enum disposer { NEVER, FIRST, SECOND, RESIZE, AT_EXIT, NR_DISPOSERS };
static const char *const disposers[] = {
	"never freed", "first", "second", "resize", "freed at exit",
};

static struct block {
	void *volatile at;
	int size, producer, made, freed;
	enum disposer by;
} blocks[MOST];
static int nr, phase;
static unsigned seed = 12345;

static unsigned
draw(unsigned most)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 16) % most;
}

/* None of them is a wrapper of malloc or free, whose calls would be its callers'. */
#define OWN __attribute__((noinline))
OWN static void kept(struct block *b) { b->at = malloc(b->size); }
OWN static void one(struct block *b) { b->at = malloc(b->size); }
OWN static void two(struct block *b) { b->at = malloc(b->size); }
OWN static void leaky(struct block *b) { b->at = malloc(b->size); }
OWN static void late(struct block *b) { b->at = malloc(b->size); }
OWN static void growing(struct block *b) { b->at = malloc(b->size); }
OWN static void resize(struct block *b, void *old) { b->at = realloc(old, b->size); }
OWN static void first(struct block *b) { free(b->at); }
OWN static void second(struct block *b) { free(b->at); }

/* A moment is written: what is live moves by far more than 1/128 of its peak. */
OWN static void
mark(void)
{
	void *volatile big = malloc(4 << 20);

	free(big);
}

static const struct producer {
	const char *name;
	void (*make)(struct block *b);
	enum disposer by[4]; /* with the same chance */
} producers[] = {
	{"kept", kept, {NEVER, NEVER, NEVER, NEVER}},
	{"one", one, {FIRST, FIRST, FIRST, FIRST}},
	{"two", two, {FIRST, FIRST, SECOND, SECOND}},
	{"leaky", leaky, {SECOND, SECOND, SECOND, NEVER}},
	{"late", late, {AT_EXIT, AT_EXIT, AT_EXIT, FIRST}},
	{"growing", growing, {RESIZE, RESIZE, RESIZE, FIRST}},
	{"resize", NULL, {FIRST, FIRST, FIRST, SECOND}},
};
enum { NR_PRODUCERS = sizeof(producers) / sizeof(*producers), RESIZED = NR_PRODUCERS - 1 };

static void
add(int producer, int size, void *old)
{
	struct block *b = &blocks[nr++];

	*b = (struct block){
		NULL, size, producer, phase, BEYOND, producers[producer].by[draw(4)],
	};
	if (old)
		resize(b, old);
	else
		producers[producer].make(b);
}

static void
dispose(struct block *b)
{
	b->freed = phase;
	if (b->by == FIRST)
		first(b);
	else if (b->by == SECOND)
		second(b);
	else
		add(RESIZED, b->size + (int)draw(300), b->at);
}

static int
may_go(const struct block *b)
{
	return b->freed == BEYOND && b->by != NEVER && b->by != AT_EXIT;
}

static void
step(void)
{
	int producer = (int)draw(RESIZED), size = 1 + (int)draw(500), i;

	if (phase != 4 || producer < 2) /* in one phase some have nothing new */
		add(producer, size, NULL);
	i = (int)draw((unsigned)nr);
	if (phase != 2 && may_go(&blocks[i]))
		dispose(&blocks[i]);
}

static void
at_exit(void)
{
	for (int i = 0; i < nr; i++)
		if (blocks[i].by == AT_EXIT)
			free(blocks[i].at);
}

static void
tell(void)
{
	for (int to = 0; to < PHASES; to++) {
		long live[NR_DISPOSERS] = {0};

		for (int i = 0; i < nr; i++)
			if (blocks[i].made <= to && blocks[i].freed > to)
				live[blocks[i].by] += blocks[i].size;
		for (int i = 0; i < NR_DISPOSERS; i++)
			printf("live|%d|%s|%ld\n", to, disposers[i], live[i]);
		for (int from = -1; from < to; from++) {
			long sums[NR_PRODUCERS] = {0};

			for (int i = 0; i < nr; i++)
				if (blocks[i].made > from && blocks[i].made <= to &&
				    blocks[i].freed > to)
					sums[blocks[i].producer] += blocks[i].size;
			for (int i = 0; i < NR_PRODUCERS; i++)
				printf("kept|%d|%d|%s|%ld\n", from, to, producers[i].name, sums[i]);
		}
	}
}

int
main(void)
{
	static char buffer[1 << 16];

	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	atexit(at_exit);
	for (phase = 0; phase < PHASES; phase++) {
		for (int i = 0; i < STEPS; i++)
			step();
		mark();
	}
	for (int i = 0; i < nr; i++) /* with what comes from resize() meanwhile */
		if (may_go(&blocks[i]))
			dispose(&blocks[i]);
	tell();
	return 0;
}
