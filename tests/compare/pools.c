/* Two pools, with known numbers: as many blocks of an arena as the argument says; 5 of a slab, of
 * which a fifth of that many are given back; with more than 10 one more, by another call. */
#include <stdlib.h>

static char room[1 << 16], *arena = room;

__attribute__((noinline)) void *
arena_get(char **at, size_t size)
{
	void *block = *at;

	*at += size;
	return block;
}

__attribute__((noinline)) void *
slab_get(size_t size)
{
	static char slabs[1 << 12], *at = slabs;
	void *block = at;

	at += (size + 15) & ~(size_t)15;
	return block;
}

__attribute__((noinline)) void
slab_put(void *block)
{
	*(volatile char *)block = 0;
}

static void *volatile sink;

int
main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 10;
	void *slabs[5];

	sink = malloc(100);
	for (int i = 0; i < n; i++)
		sink = arena_get(&arena, 24);	/* ARENA */
	for (int i = 0; i < 5; i++)
		slabs[i] = slab_get(48);	/* SLAB */
	for (int i = 0; i < n / 5; i++)
		slab_put(slabs[i]);
	if (n > 10)
		sink = slab_get(7);	/* OTHER */
	return 0;
}
