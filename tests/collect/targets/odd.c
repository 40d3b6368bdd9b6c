/* What calls through pointers may meet: values in vectors, which must be kept when the first thread
 * to come by makes its tables; a procedure that is chosen when the program starts; one that lies on
 * the stack. Prints what is wrong with the values, and how often whom it called at site(). */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

typedef double wide __attribute__((vector_size(WIDTH)));
enum { TIMES = 7, LANES = WIDTH / 8 };

static __attribute__((noipa)) wide
add(wide a, wide b, wide c, long double x)
{
	return a + b + c + (double)x;
}

static __attribute__((noipa)) wide
take(wide a, wide b, wide c, long double x)
{
	return a - b - c - (double)x;
}

static void *
calculate(void *wrong)
{
	wide (*const volatile both[2])(wide, wide, wide, long double) = {add, take};
	wide a, b, c;

	for (int i = 0; i < LANES; i++)
		a[i] = 100 + i, b[i] = 1 + i, c[i] = 2 * i;
	for (int k = 0; k < 2 * TIMES; k++) {
		wide got = both[k & 1](a, b, c, 3.0L);
		wide want = k & 1 ? a - b - c - 3.0 : a + b + c + 3.0;

		*(int *)wrong += !!memcmp(&got, &want, sizeof(got));
	}
	return NULL;
}

static int one(int x) { return x + 1; }
static int two(int x) { return x + 2; }
static int (*choose(void))(int) { return two; }
__attribute__((ifunc("choose"))) int chosen(int x);

static __attribute__((noinline)) int
site(int (*p)(int), int x)
{
	return p(x) + 1;
}

int
main(void)
{
	int from_outside = 5, wrong = 0, sum = 0;
	pthread_t thread;
	int nested(int x) { return x + from_outside; }

	for (int i = 0; i < 4; i++) {
		pthread_create(&thread, NULL, calculate, &wrong);
		calculate(&wrong);
		pthread_join(thread, NULL);
	}
	for (int i = 0; i < TIMES; i++) {
		sum += site(one, i) + site(two, i) + site(chosen, i);
		sum += site(nested, i) + site(two, i);
	}
	printf("%d wrong, sum %d\n", wrong, sum);
	return wrong;
}
