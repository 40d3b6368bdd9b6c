/* The one place that makes text from outside fit for a screen or a pipe. */
#ifndef CGVIEW_UTIL_SAFE_H
#define CGVIEW_UTIL_SAFE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/mem.h"

/* Decode one UTF-8 character of S (N bytes, N > 0). *C is the code point, or -1 - byte for a byte
 * that is no valid UTF-8 (overlong forms and surrogates are invalid). Returns bytes used (>= 1). */
size_t utf8_decode(const char *s, size_t n, int32_t *c);

/* Append a code point as UTF-8. */
void utf8_encode(struct strbuf *sb, int32_t c);

/* Columns that C takes on a terminal as safe_text() shows it: 0 for combining characters that may
 * pass, 1 or 2 for printable ones, the width of the escape for all others (see safe_char). */
int safe_width_char(int32_t c);

/* Characters that hide or change the order of others: bidi controls, zero-width, unassigned. Unlike
 * the functions below this does not depend on the locale. */
bool safe_deceives(int32_t c);

/* Appends what stands for C on the screen: C itself when printable; else a visible escape: ^[ for
 * C0 controls and DEL, <9B> for C1 controls and bytes that are not UTF-8, <U+202E> for bidi
 * controls, zero-width and unassigned characters. Tab and newline count as controls here. */
void safe_char(struct strbuf *sb, int32_t c);

/* Like safe_char(), but a tab becomes blanks up to the next multiple of TAB. *COLUMN: the column of
 * C, from 0; then that of the next character. */
void safe_char_at(struct strbuf *sb, int32_t c, int tab, int *column);

/* Append S (N bytes) with every character passed through safe_char(). One line in, one line out. */
void safe_text(struct strbuf *sb, const char *s, size_t n);
/* Like safe_text(), for all of S. */
void safe_str(struct strbuf *sb, const char *s);

/* Appends the first character of S (N bytes, N > 0) as files for programs have it: with a visible
 * escape in place of what could harm a terminal or make two names look alike, or is not UTF-8;
 * whatever the locale. Returns its bytes in S. */
size_t safe_data_char(struct strbuf *sb, const char *s, size_t n);
/* The same for all of S. */
void safe_data(struct strbuf *sb, const char *s, size_t n);

/* Columns that safe_text(S) takes. */
int safe_width(const char *s, size_t n);

/* Append S cut to at most WIDTH columns: when it does not fit, its end is replaced by U+2026.
 * Returns the columns used. */
int safe_fit(struct strbuf *sb, const char *s, size_t n, int width);

/* Append S, safe already, with blanks before it so that both take WIDTH columns. */
void safe_put_right(struct strbuf *sb, const char *s, size_t n, int width);

#endif
