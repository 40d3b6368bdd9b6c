/* One program in several files; the counts behind "//=" and "//:" hold in every build of it (see
 * tests/e2e/expected.py). SHOWN is what the libraries export; the rest of them is hidden in
 * some builds. */
#ifndef MATRIX_H
#define MATRIX_H

#define SHOWN __attribute__((visibility("default")))
#define NOINLINE __attribute__((noinline))

SHOWN int start_run(int n);        /* a library that the program is linked with */
SHOWN int start_callback(int (*f)(int), int n);
SHOWN int second_run(int n);       /* another one, which calls the first */
SHOWN int plug_run(int n);         /* a library that is loaded by dlopen, or linked as well */
int part_fold(const int *values, int n);
int part_state(int n);
void *part_thread(void *argument);
int part_unused(int n);

extern volatile int matrix_sink;

/* In every file that includes it: the counts add up. */
static inline int
clamp(int value, int most) //: 428
{
	if (value > most)
		return most; //= 152
	return value; //= 276
}

#endif
