/* Innermost loops of all kinds, whose counts are summed up in registers where that is sound. The
 * lines with a mark are compared with gcov's counts at -O0: test-sums.sh. */
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile int sink, limit = 1000;
static jmp_buf back;
static float fx[5000], fy[5000];
static double a[40 * 40], b[40 * 40], c[40 * 40];
static unsigned char front[256];

static inline int
twice(int v)
{
	if (v % 7 == 0)
		v += 3; //=
	return 2 * v; //=
}

static int
to_front(unsigned char wanted)
{
	unsigned char *p = front, kept = *p, next;

	while (kept != wanted) {
		next = *++p; //=
		*p = kept; //=
		kept = next; //=
	}
	front[0] = kept; //=
	return (int)(p - front);
}

static int
nested(int n)
{
	int sum = 0;

	for (int i = 0; i < 20; i++) {
		for (int k = 0; k < 30; k++) {
			sum += i ^ k; //=
			if (sum % 5 == 0)
				continue; //=
			sum ^= k; //=
		}
		for (int k = i; k < n; k++)
			sum += twice(k); //=
	}
	return sum; //=
}

static int
exits(const int *v, int n, int wanted)
{
	int i;

	for (i = 0; i < n; i++) {
		if (v[i] == wanted)
			return i; //=
		if (v[i] == -wanted)
			break; //=
		if (v[i] == 1000 + wanted)
			goto out; //=
	}
	sink = i; //=
	return -1;
out:
	sink = -i; //=
	return -2;
}

static int
jumps_in(int i)
{
	int sum = 0;

	if (i % 2)
		goto middle; //=
	for (; i < 200; i++) {
		sum += i; //=
	middle:
		sum ^= 3; //=
	}
	return sum; //=
}

static int
kept_as_they_are(int n)
{
	int i, sum = 0;

	for (i = 0; i < n; i++)
		sum += limit; //=
	for (i = 0; i < 100; i++)
		__asm__ volatile("" : "+r"(sum)); //=
	for (i = 0; i < 100; i++)
		sum += snprintf(NULL, 0, "%d", i); //=
	return sum; //=
}

static int
with_setjmp(int n)
{
	volatile int rounds = 0;
	int sum = 0;

	if (setjmp(back))
		rounds++; //=
	for (int i = 0; i < 64; i++)
		sum += i * n; //=
	if (rounds < 3)
		longjmp(back, 1); //=
	return sum; //=
}

static int
interpreter(const unsigned char *code)
{
	static const void *const labels[] = {&&add, &&twice_it, &&end};
	int sum = 1;

	goto *labels[*code];
add:
	sum += *code; //=
	goto *labels[*++code];
twice_it:
	sum *= 2; //=
	goto *labels[*++code];
end:
	return sum; //=
}

static int
switches(const unsigned char *text)
{
	int sum = 0;

	for (int i = 0; i < 255; i++)
		switch (text[i] & 3) {
		case 0:
			sum++; //=
			break;
		case 1:
			sum += 2; //=
			/* fall through */
		case 2:
			sum ^= 5; //=
			break;
		default:
			sum--; //=
		}
	return sum; //=
}

static void
vectors(int n, float f)
{
	for (int i = 0; i < n; i++)
		fy[i] += f * fx[i]; //=
	for (int i = 0; i < 5000; i++)
		if (fy[i] > 100)
			fy[i] = 0; //=
	for (int i = 0; i < 8; i++)
		fx[i] = (float)i; //=
	sink = (int)fy[7]; //=
}

static void
product(int n)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			double s = 0;

			for (int k = 0; k < n; k++)
				s += a[i * n + k] * b[k * n + j]; //=
			c[i * n + j] = s; //=
		}
}

/* At -O3 GCC puts several rounds of the loop around each of these together. */
static void
together(int rows, int n)
{
	for (int k = 0; k < rows; k++)
		for (int i = 0; i < n; i++)
			fy[i] += fx[k] * fx[i + k]; //=
	for (int k = 0; k < 33; k++)
		for (int i = 0; i < 64; i++)
			fy[i] -= fx[k] * fx[i + 2 * k]; //=
	for (int k = 0; k < rows; k++)
		for (int i = 0; i < k; i++)
			fy[i] += fx[k] * 2 + fx[i]; //=
	sink = (int)fy[n]; //=
}

static size_t
length(const char *s)
{
	const char *p = s;

	while (*p)
		p++; //=
	return (size_t)(p - s); //=
}

static unsigned
steps(unsigned n)
{
	unsigned nr = 0;

	do {
		n = n % 2 ? 3 * n + 1 : n / 2; //=
		nr++; //=
	} while (n != 1);
	return nr; //=
}

static int
downwards(int n)
{
	int sum = 0;

	while (n-- > 0)
		sum += n; //=
	for (unsigned char i = 250; i > 5; i -= 3)
		sum ^= i; //=
	return sum; //=
}

/* Searches that their own pointer or index tells of, as it is needed behind them: up and down, in
 * steps of 8, 4 and 1, with one way out or two, in front of what is counted and behind it. */
static long
search_up(const long *p, const long *end, long wanted)
{
	const long *begin = p;

	while (p < end) {
		if (*p == wanted)
			break; //=
		wanted += *p & 1; //=
		p++; //=
	}
	return p - begin;
}

static const int *
search_down(const int *p, int wanted)
{
	for (;;) {
		wanted ^= *p; //=
		if (wanted == *p)
			return p; //=
		p--; //=
		if (*p < 0)
			return p + 1; //=
		wanted ^= p[1]; //=
	}
}

static uint64_t
search_index(const char *text, char wanted, char other)
{
	uint64_t i = 0;

	while (text[i] != wanted) {
		if (text[i + 1] == other)
			break; //=
		i++; //=
		if (!text[i])
			break; //=
	}
	return i;
}

int
main(void)
{
	static const unsigned char code[] = {0, 1, 0, 0, 1, 1, 0, 1, 2};
	int v[300];
	char text[1000];

	for (int i = 0; i < 256; i++)
		front[i] = (unsigned char)i; //=
	for (int i = 0; i < 300; i++)
		v[i] = i * 7 % 301; //=
	for (int i = 0; i < 2000; i++)
		sink = to_front((unsigned char)(i * i % 251)); //=
	sink = nested(0) + nested(77);
	for (int i = 0; i < 40; i++) {
		v[i * 7] = i % 3 ? -i : 1000 + i; //=
		sink = exits(v, 300, i); //=
	}
	sink = exits(v, 0, 1);
	sink = jumps_in(0) + jumps_in(3) + jumps_in(200);
	sink = kept_as_they_are(50);
	sink = with_setjmp(3);
	sink = interpreter(code);
	memset(text, 'x', sizeof(text));
	for (int i = 0; i < 1000; i += 13)
		text[i] = (char)i; //=
	text[999] = '\0';
	sink = switches((const unsigned char *)text);
	for (int i = 0; i < 5; i++)
		vectors(limit * i + i, .5f);
	together(0, 5);
	together(5, 0);
	together(19, 97);
	together(limit / 20, 64);
	product(0);
	product(13);
	product(40);
	sink = (int)length(text) + (int)length(text + 999) + (int)length(text + 500);
	sink = (int)steps(27) + (int)steps(1) + (int)steps(97);
	sink = downwards(0) + downwards(5000);
	for (int i = 0; i < 100; i++) {
		static long many[64];
		static int few[65];

		many[i % 64] = i * 5 % 17; //=
		sink = (int)search_up(many, many + i % 64, i % 11); //=
		few[0] = -1; //=
		few[1 + i % 64] = i * 3 % 13; //=
		sink = (int)(search_down(few + 1 + i % 64, i % 5) - few); //=
		sink = (int)search_index(text + i, 'y', (char)(i % 7)); //=
	}
	return 0;
}
