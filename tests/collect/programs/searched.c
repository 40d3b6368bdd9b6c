/* A nested procedure is called through qsort by code on the stack, of which nothing is known; room
 * from alloca has old return addresses in it. */
#include <alloca.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf back;
static volatile long seen;

static void
leave_addresses(int n)
{
	char room[200];

	memset(room, n, sizeof(room));
	if (!n)
		longjmp(back, 1);
	leave_addresses(n - 1);
	seen += room[n];
}

__attribute__((noinline)) static int
sort(int n)
{
	int compared = 0, values[n];
	int compare(const void *a, const void *b)
	{
		compared++;
		return *(const int *)a - *(const int *)b;
	}

	for (int i = 0; i < n; i++)
		values[i] = (i * 7919) % n;
	qsort(values, (size_t)n, sizeof(*values), compare);
	return compared;
}

int
main(int argc, char **argv)
{
	long sum = 0, loops = argc > 1 ? atol(argv[1]) : 1;

	for (int i = 0; i < loops; i++) {
		char *room;

		sum += sort(50 + i);
		if (!setjmp(back))
			leave_addresses(30);
		room = alloca(16);
		room[0] = (char)i;
		sum += room[0];
	}
	printf("%ld\n", sum);
	return 0;
}
