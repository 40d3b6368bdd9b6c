/* Behind each line how often each of its conditions was true and false, by hand; of a switch
 * its ways. All are tested with i from 0 to 9. C and C++. */
#include <setjmp.h>
#include <stdlib.h>

#define BOTH(x, y) ((x) && (y))
#define LARGER(a, b) ((a) > (b) ? odd(a) : odd(b))

static jmp_buf env;
static volatile int sink;

static int
odd(int x)
{
	return x & 1;
}

static int
chains(int i)
{
	int r = 0, both;

	if (i) /* 9/1 */
		r++;
	if (!i) /* 1/9 */
		r++;
	if (i > 2 && i < 7) /* 7/3 4/3 */
		r++;
	else
		r--;
	if (i > 2 || i < 1) /* 7/3 1/2 */
		r++;
	if (!(i > 2 || i < 1)) /* 7/3 1/2 */
		r++;
	if (!(i > 2 && (i < 7 || odd(i)))) /* 7/3 4/3 2/1 */
		r++;
	if ((i > 2 && i < 7) || (i == 9 && r)) /* 7/3 4/3 1/5 1/0 */
		r++;
	if (odd(i) && !odd(i / 2)) /* 5/5 3/2 */
		r++;
	both = i > 2 && odd(i); /* 7/3 4/3 */
	if (both) /* 4/6 */
		r++;
	if (i < 5) { /* 5/5 */
	} else if (i < 8) { /* 3/2 */
		r++;
	} else {
		r--;
	}
	if (i > 100) /* 0/10 */
		r++;
	return i > 8 || odd(i + r * 2); /* 1/9 4/5 */
}

static int
arms(int i)
{
	int r = 0;

	r += i > 4 ? odd(i) : i > 1 ? odd(0) : odd(1); /* 5/5 3/2 */
	r += !i ? odd(1) : odd(0); /* 1/9 */
	r += odd(i > 2 ? r : i); /* 7/3 */
	r += i > 2 && i < 8 ? odd(3) : odd(4); /* 7/3 5/2 */
	r += i /* 9/1 */
		     ? odd(i)
		     : i;
	return r;
}

static int
macros(int i)
{
	int r = 0;

	if (BOTH(i > 2, odd(i))) /* 7/3 4/3 */
		r++;
	r += LARGER(i, 4); /* 5/5 */
	if (BOTH(i > 2 || i < 1, i != 5)) /* 7/1 7/3 1/2 */
		r++;
	return r;
}

static int
loops(int i)
{
	int r = 0, n = 0;

	for (int k = 0; k < i; k++) /* 45/10 */
		r++;
	while (r > 100) /* 0/10 */
		r--;
	do
		n++;
	while (n < 3 && i > 4); /* 15/5 10/5 */
	for (n = 0;;) {
		if (n++ > 2) /* 10/30 */
			break;
	}
	n = i;
	while (n) /* 45/10 */
		n--;
	do
		n++;
	while (n < 2); /* 10/10 */
	for (n = 0; n < 3; n++) { /* 14/2 */
		if (i > 1) /* 8/6 */
			break;
		if (n == 1) /* 2/4 */
			continue;
		r++;
	}
	return r;
}

static int
switches(int i)
{
	int r = 0;

	switch (i) { /* 2 1 3 0 4 */
	case 0:
	case 1:
		r++;
		break;
	case 2:
		r += 2; /* fall through */
	case 4 ... 6:
		r++;
		break;
	case 30:
		r--;
	}
	switch (odd(i)) { /* 5 5 */
	case 0:
		r++;
		break;
	default:
		r--;
	}
	switch (i) { /* 9 1 */
	default:
		r++;
		break;
	case 3:
		r--;
	}
	switch (i) { /* 1 9 */
	case 3:
		r--;
	}
	return r;
}

static int
jumps(int i)
{
	static void *const to[] = { &&even, &&uneven };

	goto *to[i & 1];
even:
	if (i > 3) /* 3/2 */
		return 1;
uneven:
	if (setjmp(env) == 0) /* 7/7 */
		longjmp(env, 1);
	return 2;
}

static void
stop(int i)
{
	if (i > 8) /* 1/9 */
		exit(0);
}

int
main(void)
{
	for (int i = 0; i < 100; i++) { /* 10/0 */
		sink = chains(i) + arms(i) + macros(i) + loops(i) + switches(i) + jumps(i);
		stop(i);
	}
	return 0;
}
