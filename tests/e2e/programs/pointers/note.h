/* The program notes itself who was called from where: the truth. */
#ifndef NOTE_H
#define NOTE_H

enum { MAX_TRUTHS = 256 };

/* The line of the call that leads to what is called next, be it directly or through a library. */
extern __thread int origin;

__attribute__((no_instrument_function)) void note(const char *callee, int line);
void note_print(void);
int work_other(int n);

#define HERE (origin = __LINE__)
#define CALLED note(__func__, origin)

typedef int (*fn_int)(int);
extern const fn_int far_table[2];     /* constant, but its value is not seen where it is read */

#endif
