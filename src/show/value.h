/* Prints values. Each unit has one printer: the browser, the reports and messages have the same
 * text for the same value, except that counts get different room. Nothing here fails.
 *
 * Zero is a number like any other: "0", "0 ns", "0.0". "-" says that there is no value; in a table,
 * where times come from samples, also that something was never sampled. A difference has a sign,
 * wherever it stands; factors ("×2.00") and growth ("n^1.98") have none. A difference of zero is
 * "=". */
#ifndef CGVIEW_SHOW_VALUE
#define CGVIEW_SHOW_VALUE

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "db/store/profile.h"
#include "db/store/scalar.h"
#include "util/mem.h"

enum value_sign { VALUE_PLAIN, VALUE_SIGNED /* a difference, which is of something */ };
enum { VALUE_WIDE = INT_MAX /* counts have all of their digits */ };

/* Appends V; a count in WIDTH columns if need be. ASCII: no other characters. */
void value_print(struct strbuf *out, enum column_unit unit, const struct scalar_value *v, int width,
		 enum value_sign sign, bool ascii);
/* Appends a real value in the same way; NAN: there is none. */
void value_real(struct strbuf *out, enum column_unit unit, double v, int width,
		enum value_sign sign, bool ascii);
/* Is it the unit of amounts, whose change in percent says more? */
bool value_is_amount(enum column_unit unit);
/* Appends by how much LAST is more or less than FIRST, in percent of it: "+40.0%", "0%"; nothing
 * where FIRST is nothing. */
void value_change(struct strbuf *out, const struct scalar_value *first,
		  const struct scalar_value *last);
/* Appends something counted or measured, as value_print() does. */
void value_whole(struct strbuf *out, enum column_unit unit, int64_t n, int width, bool ascii);

/* Appends "LO..HI", without blanks within counts. */
void value_between(struct strbuf *out, enum column_unit unit, uint64_t lo, uint64_t hi, int width,
		   bool ascii);

/* Appends a difference in standard errors, below a head that says so; nothing when there is none:
 * NAN, infinite, 0. */
void value_errors(struct strbuf *out, double errors);

/* Appends a factor that figures are multiplied by: "×0.0148". */
void value_scale(struct strbuf *out, double factor, bool ascii);

/* Appends the mark for a figure that listings call HOW ("estimated", "pinned", "lacking"): "≈ ",
 * "• ", "≥". Returns the columns it takes, 0 for any other. */
int value_mark(struct strbuf *out, const char *how, bool ascii);

#endif
