/* What stands behind setjmp is executed for each of its returns; what it is part of, for its
 * calls. */
#include <setjmp.h>
#include <stdio.h>

static sigjmp_buf there;
static void *builtin[5];
static int x, y, cell[4];

__attribute__((noinline)) static void back(int r) { siglongjmp(there, r); }
__attribute__((noinline)) static void back_builtin(void) { __builtin_longjmp(builtin, 1); }

#define TRY if (setjmp(there) == 0)

static int assigned(void)
{
	volatile int k = 0; //= 1
	int r = setjmp(there); //= 1
	k++; //= 4
	printf("%d %d\n", r, k); //= 4
	if (r < 3) //= 4
		back(r + 1); //= 3
	return k; //= 1
}

static int over_lines(void)
{
	volatile int k = 0; //= 1
	x =
		1 +
		2 * setjmp(there); //= 1
	k++; //= 4
	y = x; //= 4
	if (y < 7) //= 4
		back(y / 2 + 1); //= 3
	return k; //= 1
}

static int in_element(int i)
{
	volatile int k = 1; //= 1
	cell[i] = sigsetjmp(there, k); //= 1
	k++; //= 3
	if (cell[1] < 2) //= 3
		back(cell[1] + 1); //= 2
	return k; //= 1
}

static int ignored(void)
{
	volatile int k = 0; //= 1
	setjmp(there); //= 1
	k++; //= 4
	if (k < 4) //= 4
		back(k); //= 3
	return k; //= 1
}

static int chained(void)
{
	volatile int k = 0; //= 1
	x = y = setjmp(there); //= 1
	k++; //= 4
	if (x < 3) //= 4
		back(x + 1); //= 3
	return k; //= 1
}

static int on_one_line(void)
{
	volatile int k = 0; //= 1
	volatile int r = setjmp(there); k++; if (r < 3) back(r + 1); //= 4
	return k; //= 1
}

static int jumps_on(int n)
{
	volatile int k = 0; //= 1
	if (n) { //= 1
		setjmp(there); //= 1
		goto out; //= 4
	}
	x++; //= 0
out:
	k++; //= 4
	if (k < 4) //= 4
		back(k); //= 3
	return k; //= 1
}

static int joins(int n)
{
	volatile int k = 0; //= 2
	if (n) //= 2
		setjmp(there); //= 1
	k++; //= 5
	if (n && k < 4) //= 5
		back(k); //= 3
	return k; //= 2
}

static int in_condition(void)
{
	volatile int k = 0; //= 1
	volatile int r;
	if ((r = setjmp(there)) < 3) //= 1
		k++; //= 3
	else
		x++; //= 1
	k++; //= 4
	if (r < 3) //= 4
		back(r + 1); //= 3
	return k; //= 1
}

static int in_switch(void)
{
	volatile int k = 0; //= 1
	switch (setjmp(there)) { //= 1
	case 0: //= 1
		k++; //= 1
		back(1); //= 1
	case 1: //= 1
		k++; //= 1
		back(2); //= 1
	default: //= 1
		k++; //= 1
	}
	return k; //= 1
}

static int in_loop(void)
{
	volatile int k = 0; //= 1
	volatile int i;
	for (i = 0; i < 3; i++) { //= 4
		int r = setjmp(there); //= 3
		k++; //= 6
		if (r < 1) //= 6
			back(1); //= 3
	}
	return k; //= 1
}

static int ends_loop(void)
{
	volatile int k = 0; //= 1
	for (;;) {
		if (k++ == 6) //= 7
			break; //= 1
		if (k % 2 == 0) //= 6
			back(1); //= 3
		setjmp(there); //= 3
	}
	return k; //= 1
}

static int while_loop(void)
{
	volatile int k = 0; //= 1
	while (setjmp(there) < 3) { //= 1
		k++; //= 3
		back(k); //= 3
	}
	return k; //= 1
}

static int tries(void)
{
	volatile int k = 0; //= 1
	TRY //= 1
		back(1); //= 1
	else
		k++; //= 1
	k++; //= 1
	return k; //= 1
}

static int of_compiler(void)
{
	volatile int k = 0; //= 1
	int r = __builtin_setjmp(builtin);
	k++; //= 4
	x += r; //= 4
	if (k < 4) //= 4
		back_builtin(); //= 3
	return k; //= 1
}

int main(void)
{
	int sum = assigned() + over_lines() + in_element(1) + ignored(); //= 1
	sum += joins(0) + joins(1) + in_condition() + in_switch(); //= 1
	sum += in_loop() + ends_loop() + while_loop() + tries(); //= 1
	sum += of_compiler() + chained() + on_one_line() + jumps_on(1); //= 1
	printf("%d\n", sum); //= 1
	return 0; //= 1
}
