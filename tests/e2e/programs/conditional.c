/* Conditional expressions on several lines. What each line is executed is told by hand at its end,
 * or that it has none (c: in C only). Each procedure is called for 0 to 9; get() comes not back for
 * 0, 4 and 8. */
#include <setjmp.h>
#include <stdio.h>

struct pair {
	int a, b;
};

static jmp_buf back;
static volatile int sink;

static int same(int x)
{
	return x; /*                             //= 77 */
}

static int get(int x)
{
	if (x % 4 == 0) /*                       //= 54 */
		longjmp(back, 1); /*             //= 29 */
	return x; /*                             //= 25 */
}

static int __attribute__((noreturn)) leave(void)
{
	longjmp(back, 1); /*                     //= 6 */
}

static struct pair make(int x)
{
	struct pair p = {x, x}; /*               //= 7 */
	return p; /*                             //= 7 */
}

static void note(int x)
{
	sink = x; /*                             //= 10 */
}

static void clean(int *p)
{
	sink = *p; /*                            //= 8 */
}

static int returned(int x)
{
	return x & 1 ? /*                        //= 10 */
		same(x) /*                       //= 5 */
		: get(x); /*                     //= 5 */
}

static int returned_other(int x)
{
	return x & 1 ? /*                        //= 10 */
		get(x - 1) : /*                  //= 5 */
		same(x); /*                      //= 5 */
}

static int assigned(int x)
{
	int y;

	y = x & 1 /*                             //= 10 */
		? same(x) /*                     //= 5 */
		: get(x); /*                     //= 5 */
	return y + 1; /*                         //= 7 */
}

static int on_two(int x)
{
	int y = x & 1 ? same(x) /*               //= 10 */
		      : get(x); /*               //= 5 */

	return y + 1; /*                         //= 7 */
}

static int never_back(int x)
{
	return x > 3 /*                          //= 10 */
		? leave() /*                     //= 6 */
		: same(x); /*                    //= 4 */
}

static int nested(int x)
{
	int y = x > 6 /*                         //= 10 */
		? same(x) /*                     //= 3 */
		: x > 2 /*                       //= 7 */
		? same(x) /*                     //= 4 */
		: get(x); /*                     //= 3 */
	return y; /*                             //= 9 */
}

static int argument(int x)
{
	return same(x & 1 ? /*                   //= 10 */
		    same(x) : /*                 //= 5 */
		    get(x)); /*                  //= 5 */
}

static int operands(int x)
{
	return x > 1 /*                          //= 10 */
		&& x & 1 /*                      //= 8 */
		? same(x) /*                     //= 4 */
		: get(x); /*                     //= 6 */
}

static int constants(int x)
{
	return x > 3 /*                          //= 10 */
		? 1 /*                           //c= 6 */
		: 2; /*                          //c= 4 */
}

/* This becomes x > 4 && x < 8. */
static int folded(int x)
{
	return x > 4 /*                          //c= 10 */
		? x < 8
		: 0; /*                          //- */
}

static int structure(int x)
{
	struct pair p = x & 1 ? /*               //= 10 */
		make(same(x)) /*                 //= 5 */
		: make(get(x)); /*               //= 5 */
	return p.a; /*                           //= 7 */
}

static int nothing(int x)
{
	x & 1 ? /*                               //= 10 */
		note(same(x)) /*                 //= 5 */
		: note(-same(x)); /*             //= 5 */
	return 0; /*                             //= 10 */
}

static int nested_first(int x)
{
	return x & 1 ? /*                        //= 10 */
		(x > 4 ? /*                      //= 5 */
			same(x) /*               //= 3 */
			: same(1)) /*            //= 2 */
		: get(x); /*                     //= 5 */
}

static int parentheses(int x)
{
	return x > 1 ? /*                        //= 10 */
		(
			(x > 3 && same(x) > 5) ? /* //= 8 */
				same(x) /*       //= 4 */
				: get(x) /*      //= 4 */
		) :
		get(x); /*                       //= 2 */
}

/* Nor is the end of a variable's life an execution of its line. */
static int cleaned(int x)
{
	int c __attribute__((cleanup(clean))) = x; sink = c; /* //= 10 */

	if (x & 1) /*                            //= 10 */
		return 1; /*                     //= 5 */
	if (x == 4) /*                           //= 5 */
		return 2; /*                     //= 1 */
	return get(x); /*                        //= 4 */
}

static int (*const all[])(int) = {
	returned, returned_other, assigned, on_two, never_back, nested, argument, operands,
	constants, folded, structure, nothing, nested_first, parentheses, cleaned,
};

int main(void)
{
	static volatile int i, k;

	for (k = 0; k < (int)(sizeof(all) / sizeof(all[0])); k++)
		for (i = 0; i < 10; i++)
			if (!setjmp(back))
				sink += all[k](i);
	return 0;
}
