/* How often each line is executed, by hand: as often as the statement on it that is executed most
 * often, in all copies of the line's text together. */
#include <setjmp.h>
#include <stdio.h>

#define PREFIX(x) first_##x
#define TYPE(p, i) ((p)[i])
#include "copies.h"
#undef PREFIX
#undef TYPE
#define PREFIX(x) second_##x
#define TYPE(p, i) ((p)[i] == 0 ? (p)[(i) + 1] : 4)
#include "copies.h"

static jmp_buf there;
static void clean(int *p) { (void)p; }

/* A jump that ends the life of a variable: two of them lead to one place. */
__attribute__((noinline)) static int breaks(int left)
{
	int t = 0; //= 5
	for (;;) {
		__attribute__((cleanup(clean))) int n = left-- > 0 ? 4 : 0; //= 20
		if (n < 0) { //= 20
			break; //= 0
		}
		t += n; //= 20
		if (n == 0) { //= 20
			break; //= 5
		}
	}
	return t; //= 5
}

__attribute__((noinline)) static int jumps(int n)
{
	int s = 0; //= 3
	for (int i = 0; i < n; i++) { //= 12
		__attribute__((cleanup(clean))) int k = i; //= 11
		if (k == 1) //= 11
			continue; //= 3
		if (k == 3) //= 8
			break; //= 2
		if (k == 5) //= 6
			goto end; //= 0
		if (k == 100) //= 6
			return 5; //= 0
		if (k == 101) //= 6
			return 6; //= 0
		s += k; //= 6
	}
	while (s > 0) { //= 6
		__attribute__((cleanup(clean))) int k = s--; //= 6
		if (k == 1) //= 6
			goto end; //= 3
		if (k % 2) //= 3
			continue; //= 0
		s -= k > 100; //= 3
	}
end: //= 3
	return s; //= 3
}

__attribute__((noinline)) static int labels(int n)
{
	int r = 0; //= 10
	if (n > 3) //= 10
		goto out; //= 6
	r = n * 2; //= 4
	if (n == 2) //= 4
		goto fail; //= 1
	return r; //= 3
out: //= 6
	return 7; //= 6
fail: //= 1
	r = 3; //= 1
	return r + 1; //= 1
}

/* An operand alone on its line is how often it was evaluated; the operator tells nothing. */
__attribute__((noinline)) static int operands(int a, int b, int c)
{
	int flag = a > 2; //= 10
	if (
	    flag && //= 10
	    b //= 7
	    && c > 1 //= 4
	   )
		return 1; //= 2
	return flag //= 8
		|| b //= 3
		|| (c //= 2
		    && a); //= 1
}

__attribute__((noinline)) static int on_one_line(int n)
{
	int s = 0; //= 10
	for (int i = 0; i < n; i++) for (int j = 0; j < 4; j++) s += j; //= 45
	while (n > 0) n--; //= 19
	do n++; while (n < 3); //= 30
	if (n) s++; else s--; //= 10
	switch (s & 1) { //= 10
	case 0: s++; break; case 1: s--; break; //= 10
	}
	return s; //= 10
}

__attribute__((noinline)) static int half(int n) { return n / 2; } //= 30

__attribute__((noinline)) static int several_lines(int n)
{
	int s = half(n //= 10
		     + half(n + 1) //= 10
		     + 3);
	s += n > 4 //= 10
		? half(s) //= 5
		: half(s + 1); //= 5
	return s; //= 10
}

__attribute__((noinline)) static void leave(int n) { if (n) longjmp(there, 1); } //= 10

__attribute__((noinline)) static int returns_twice(int n)
{
	volatile int k = 0; //= 10
	if (setjmp(there)) //= 10
		k++; //= 5
	else
		leave(n); //= 10
	return k; //= 10
}

int main(int argc, char **argv)
{
	unsigned char v[100];
	int t = 0; //= 1
	for (int i = 0; i < 100; i++) //= 101
		v[i] = i % 5; //= 100
	for (int i = 0; i < 10; i++) //= 11
		t += first_count(v, 99); //= 10
	if (argc > 1) //= 1
		t += second_count(v, 99); //= 0
	for (int i = 0; i < 5; i++) //= 6
		t += breaks(3); //= 5
	t += jumps(3) + jumps(4) + jumps(8); //= 1
	for (int i = 0; i < 10; i++) //= 11
		t += labels(i) + operands(i, i & 1, i & 3) + on_one_line(i % 3) + //= 10
		     several_lines(i) + returns_twice(i & 1); //= 10
	printf("%d\n", t); //= 1
	return 0; //= 1
}
