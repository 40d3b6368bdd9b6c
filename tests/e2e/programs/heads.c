/* Heads of loops without code of their own: how often each turn begins, counted by hand. A line
 * with a number behind it is to have that count, one with a - none; others may have any or none. */
static int first_turn(const char *s)
{
	for (;;) { /*                            //= 1 */
		int c = *s;
		if (c)
			return c; /*             //= 1 */
		else {
			int d = s[1]; /*         //= 0 */
			s += d;
		}
	}
}

static int three_turns(const char *s)
{
	int n = 0;

	for (;;)
	{ /*                                     //= 3 */
		int c = *s++;
		if (!c)
			break; /*                //= 1 */
		n += c; /*                       //= 2 */
	}
	while (1) { /*                           //= 4 */
		int more = n > 0;
		if (!more)
			return n; /*             //= 1 */
		n--; /*                          //= 3 */
	}
}

static int with_continue(int n)
{
	int k = 0;

	do { /*                                  //= 5 */
		int odd = n & 1;
		if (!n--)
			return k; /*             //= 1 */
		if (odd) {
			k++; /*                  //= 2 */
			continue; /*             //= 2 */
		}
		k += 2; /*                       //= 2 */
	} while (1);
}

static int never(int n)
{
	if (n) {
		for (;;) { /*                    //= 0 */
			int k = n;
			if (k < 2)
				return k; /*     //= 0 */
			n--;
		}
	}
	return 0;
}

static int once(int n)
{
	do {
		int k = n;
		n += k; /*                       //= 1 */
	} while (0);
	return n;
}

/* Both loops begin with one piece of code: only the inner one's turns are known. */
static int nested(int n)
{
	for (;;) { /*                            //- */
		for (;;) { /*                    //= 4 */
			int k = n;
			if (k < 3)
				break; /*        //= 2 */
			n--; /*                  //= 2 */
		}
		if (n-- < 2)
			return n; /*             //= 1 */
	}
}

static int nested_do(int n)
{
	for (;;) { /*                            //- */
		do
			n--; /*                  //= 3 */
		while (n > 2);
		if (n < 2)
			return n; /*             //= 1 */
	}
}

/* A jump to the body's begin does not come by the head. */
static int jumped(int n)
{
	for (;;) { /*                            //- */
	again:
		n--; /*                          //= 5 */
		if (n & 1)
			goto again; /*           //= 2 */
		if (n < 1)
			return n; /*             //= 1 */
	}
}

int main(void)
{
	return first_turn("a") + three_turns("\1\2") + with_continue(4) + never(0) + once(1) +
	       nested(4) + nested_do(4) + jumped(5) - 106;
}
