/* Jumps: what the compiler guesses in front of a continue, or of a goto, is no code, and has the
 * place of whatever is around. C and C++. By hand. */
#include <stdio.h>

#define SKIP continue

static int while_in_while(const char *s) { //= 1
	int r = 0; //= 1
	while (*s) { //= 9
		while (r++ < 6) //= 56
			continue; //= 48
		r = 0; //= 8
		s++; //= 8
	}
	return r; //= 1
}

static int in_if(int n) { //= 1
	int r = 0; //= 1
	for (int i = 0; i < n; i++) { //= 13
		if (i % 3) { //= 12
			r = 0; //= 8
			while (r++ < 6) //= 56
				continue; //= 48
		}
		if (i % 3 == 0) //= 12
			for (r = 0; r < 5; r++) //= 24
				if (r & 1) //= 20
					continue; //= 8
	}
	return r; //= 1
}

static int in_switch(int n) { //= 1
	int r = 0; //= 1
	for (int i = 0; i < n; i++) //= 9
		switch (i & 3) { //= 8
		case 0:
			for (r = 0; r < 6; r++) //= 14
				continue; //= 12
			break; //= 2
		default:
			for (r = 0; r < 3; r++) //= 24
				SKIP; //= 18
		}
	return r; //= 1
}

static int in_else_if(int n) { //= 1
	int r = 0; //= 1
	for (int i = 0; i < n; i++) { //= 13
		if (i == 100) //= 12
			r++; //= 0
		else if (i & 1) { //= 12
			for (int k = 0; k < 4;) { //= 30
				if (k++ < 2) //= 24
					continue; //= 12
				else
					r++; //= 12
			}
		} else {
			int k = 0; //= 6
			do {
				if (k < 5) //= 36
					continue; //= 30
				r++; //= 6
			} while (k++ < 5); //= 36
		}
	}
	return r; //= 1
}

static int without_body(int n) { //= 1
	int c = n; //= 1
	for (int i = 0; i < n; i++) //= 9
		for (c = 0; c++ < 3;) //= 32
			continue; //= 24
	for (int i = 0; i < n; i++) //= 9
		for (c = 0; c++ < 3;) continue; //= 32
	for (int i = 0; i < n; i++) { //= 9
		for (;;) {
			if (c++ % 3) //= 24
				continue; //= 16
			break; //= 8
		}
	}
	return c; //= 1
}

/* Into an arm, and into a loop. */
static int in_arms(int n) { //= 1
	int r = 0; //= 1
	for (int i = 0; i < n; i++) { //= 9
		int k = 0; //= 8
		if (i & 1) { //= 8
			r++; //= 4
		} else {
again: //= 16
			k++; //= 16
			if (k < 4) //= 16
				goto again; //= 12
		}
		if (i == 7) { //= 8
			goto loop; //= 1
		}
		while (k > 2) { //= 16
			r++; //= 8
loop: //= 9
			k--; //= 9
		}
	}
	return r; //= 1
}

static int guessed(int n) { //= 1
	int r = 0; //= 1
	for (int i = 0; i < n; i++) { //= 9
		if (i % 4) { //= 8
			for (int k = 0; k < 5; k++) { //= 36
				if (k & 1) //= 30
					goto unlikely; //= 12
				r++; //= 18
unlikely: __attribute__((cold)); //= 30
			}
		}
	}
	return r; //= 1
}

int main(void) { //= 1
	int s = while_in_while("abcdefgh") + in_if(12) + in_switch(8) + in_else_if(12); //= 1
	s += without_body(8) + in_arms(8) + guessed(8); //= 1
	printf("%d\n", s); //= 1
	return 0; //= 1
}
