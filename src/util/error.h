/* Errors: libraries fill a struct error and return -1; commands print it and leave. */
#ifndef CGVIEW_UTIL_ERROR_H
#define CGVIEW_UTIL_ERROR_H

#include <stdbool.h>
#include <stdio.h>

/* One failure, told in one line: what, where, what to do about it. */
struct error {
	bool set;
	bool unread;           /* a file was there and could not be read (util/input.h) */
	bool pointless;        /* what was read is of no use, now or ever */
	int errnum;            /* of the system call that failed; 0: none, or not known */
	char text[1000];
};

#define ERROR_INIT { .set = false, .text = "" }

/* Fills ERR (may be NULL) unless it is already set: the first failure is the one that is reported.
 * Always returns -1, so that callers can `return error_set(err, ...)`. */
int error_set(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Like error_set(), with ": " and the text of ERRNUM behind. */
int error_set_errno(struct error *err, int errnum, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Like error_set(), with the content of FROM, which is set. */
int error_copy(struct error *err, const struct error *from);

/* Name of the program as shown before messages ("cgview"); STATIC storage expected. */
void error_program(const char *name);

/* Print "program: text\n" to stderr with outside bytes made safe. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* complain() and exit: for command code only. STATUS: 1 failed, 2 usage. */
void die(int status, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));

/* A function to call before die() or BUG() print (the browser restores the terminal), or NULL. */
void error_at_exit(void (*restore)(void));

/* A broken invariant of our own: file, line, text, abort(). */
#define BUG(...) bug(__FILE__, __LINE__, __VA_ARGS__)
void bug(const char *file, int line, const char *format, ...)
	__attribute__((format(printf, 3, 4), noreturn));

#endif
