#include "show/value.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "compare/comparison.h"
#include "show/human.h"

#define TIMES(ascii) ((ascii) ? "x" : "\303\227")

struct amount {
	double value;
	bool whole;          /* SIZE is exactly VALUE without its sign, else the nearest number */
	uint64_t size;
};

static const double too_large = 18446744073709551616.0; /* 2^64 */

static struct amount
amount_of(const struct scalar_value *v)
{
	struct amount a = { .value = scalar_number(v), .whole = true };
	double size = fabs(a.value);

	if (v->type == SCALAR_INTEGER) {
		a.size = v->integer < 0 ? -(uint64_t)v->integer : (uint64_t)v->integer;
		return a;
	}
	a.size = size + 0.5 < too_large ? (uint64_t)(size + 0.5) : UINT64_MAX;
	a.whole = size == floor(size) && size < too_large;
	return a;
}

/* ---- one function a unit; those of differences print the size alone ---- */

/* A value that is not whole is printed with its digits, as long as they say something. */
static void
print_count(struct strbuf *out, const struct amount *a, int width, bool ascii)
{
	double size = fabs(a->value);

	(void)ascii;
	if (!a->whole && size < 100)
		strbuf_fmt(out, "%.*f", size < 10 ? 2 : 1, size);
	else
		human_count_fit(out, a->size, width);
}

static void
print_ns(struct strbuf *out, const struct amount *a, int width, bool ascii)
{
	(void)width;
	human_ns(out, a->size, ascii);
}

static void
print_ns_each(struct strbuf *out, const struct amount *a, int width, bool ascii)
{
	double size = fabs(a->value);

	if (size >= 100 || a->value == 0)
		print_ns(out, a, width, ascii);
	else
		strbuf_fmt(out, "%.*f ns", size < 10 ? 2 : 1, size);
}

static void
print_bytes(struct strbuf *out, const struct amount *a, int width, bool ascii)
{
	(void)width;
	(void)ascii;
	human_bytes(out, a->size);
}

/* A number names something. */
static void
print_number(struct strbuf *out, const struct amount *a, int width, bool ascii)
{
	(void)width;
	(void)ascii;
	strbuf_fmt(out, "%" PRIu64, a->size);
}

/* Prints the value of an expression that has no unit. */
static void
print_value(struct strbuf *out, const struct amount *a, int width, bool ascii)
{
	double size = fabs(a->value);

	if (a->whole || size >= 1e5)
		print_count(out, a, width, ascii);
	else
		strbuf_fmt(out, "%.6g", size);
}

static void
print_percent(struct strbuf *out, const struct amount *a, int width, bool ascii)
{
	(void)width;
	(void)ascii;
	strbuf_fmt(out, "%.2f%%", fabs(a->value));
}

static void
print_deviations(struct strbuf *out, const struct amount *a, int width, bool ascii)
{
	(void)width;
	strbuf_fmt(out, "%.1f %s", fabs(a->value), ascii ? "s" : "\317\203");
}

static void
print_factor(struct strbuf *out, const struct amount *a, int width, bool ascii)
{
	(void)width;
	strbuf_fmt(out, "%s%.*f", TIMES(ascii), fabs(a->value) < 100 ? 2 : 0, a->value);
}

static void
print_growth(struct strbuf *out, const struct amount *a, int width, bool ascii)
{
	(void)width;
	(void)ascii;
	strbuf_fmt(out, "n^%.2f", a->value);
}

static const struct {
	void (*print)(struct strbuf *out, const struct amount *a, int width, bool ascii);
	bool differs;        /* the sign tells which way, and stands before */
	bool rounds;         /* less than one half is nothing */
	const char *large;   /* what stands behind a double that no whole number of ours holds;
	                      * NULL: doubles are printed anyhow */
} units[] = {
	[UNIT_TEXT] = { print_value, true, false, "" }, /* nobody said */
	[UNIT_COUNT] = { print_count, true, false, "" },
	[UNIT_NS] = { print_ns, true, true, " s" },
	[UNIT_SAMPLES] = { print_count, true, false, "" },
	[UNIT_NUMBER] = { print_number, true, true, "" },
	[UNIT_BYTES] = { print_bytes, true, true, " B" },
	[UNIT_RATIO] = { print_number, true, true, "" },
	[UNIT_VALUE] = { print_value, true, false, "" },
	[UNIT_PERCENT] = { print_percent, true, false, NULL },
	[UNIT_DEVIATIONS] = { print_deviations, true, false, NULL },
	[UNIT_FACTOR] = { print_factor, false, false, NULL },
	[UNIT_GROWTH] = { print_growth, false, false, NULL },
	[UNIT_EACH] = { print_count, false, false, "" },
	[UNIT_NS_EACH] = { print_ns_each, false, false, " s" },
};

/* Formulas and what is foretold are doubles, which may be larger than any count. */
static void
print_large(struct strbuf *out, enum column_unit unit, double size)
{
	bool ns = unit == UNIT_NS || unit == UNIT_NS_EACH;

	strbuf_fmt(out, "%.3g%s", ns ? size / 1e9 : size, units[unit].large);
}

/* ---- any unit ---- */

void
value_print(struct strbuf *out, enum column_unit unit, const struct scalar_value *v, int width,
	    enum value_sign sign, bool ascii)
{
	bool differs = units[unit].differs, zero;
	size_t start = out->len;
	struct amount a;

	if (v->type == SCALAR_NULL) {
		strbuf_char(out, '-');
		return;
	}
	a = amount_of(v);
	zero = units[unit].rounds ? !a.size : a.value == 0;
	if (zero && differs && sign == VALUE_SIGNED) {
		strbuf_char(out, '=');
		return;
	}
	if (!zero && a.value < 0 && (differs || isinf(a.value)))
		strbuf_char(out, '-');
	else if (!zero && differs && sign == VALUE_SIGNED)
		strbuf_char(out, '+');
	if (isinf(a.value))
		strbuf_str(out, ascii ? "inf" : "\342\210\236");
	else if (fabs(a.value) >= too_large && units[unit].large)
		print_large(out, unit, fabs(a.value));
	else
		units[unit].print(out, &a, width - (int)(out->len - start), ascii);
}

void
value_real(struct strbuf *out, enum column_unit unit, double v, int width, enum value_sign sign,
	   bool ascii)
{
	struct scalar_value value = { .type = isnan(v) ? SCALAR_NULL : SCALAR_REAL, .real = v };

	value_print(out, unit, &value, width, sign, ascii);
}

bool
value_is_amount(enum column_unit unit)
{
	return unit == UNIT_COUNT || unit == UNIT_NS || unit == UNIT_BYTES;
}

void
value_change(struct strbuf *out, const struct scalar_value *first, const struct scalar_value *last)
{
	double before = scalar_number(first), change = (scalar_number(last) - before) / before;

	if (change == 0)
		strbuf_str(out, "0%");
	else if (before > 0 && isfinite(change))
		strbuf_fmt(out, "%+.*f%%", fabs(change) < 0.1 ? 2 : fabs(change) < 1 ? 1 : 0,
			   change * 100);
}

void
value_whole(struct strbuf *out, enum column_unit unit, int64_t n, int width, bool ascii)
{
	struct amount a = { .value = (double)n, .whole = true, .size = figure_size(n) };

	if (n < 0)
		strbuf_char(out, '-');
	units[unit].print(out, &a, width - (n < 0), ascii);
}

/* "8.20k": a blank would tear the interval apart. */
static void
add_bound(struct strbuf *out, enum column_unit unit, uint64_t n, int width, bool ascii)
{
	size_t start = out->len, end = start;

	value_whole(out, unit, n, width, ascii);
	if (unit == UNIT_NS)
		return;
	for (size_t i = start; i < out->len; i++)
		if (out->buf[i] != ' ')
			out->buf[end++] = out->buf[i];
	out->len = end;
	out->buf[end] = '\0';
}

void
value_between(struct strbuf *out, enum column_unit unit, uint64_t lo, uint64_t hi, int width,
	      bool ascii)
{
	size_t start = out->len;

	add_bound(out, unit, lo, width / 2 - 1, ascii);
	strbuf_str(out, "..");
	add_bound(out, unit, hi, width - (int)(out->len - start), ascii);
}

void
value_errors(struct strbuf *out, double errors)
{
	if (!isnan(errors) && !isinf(errors) && errors != 0)
		strbuf_fmt(out, "%+.*f", fabs(errors) < 1000 ? 1 : 0, errors);
}

void
value_scale(struct strbuf *out, double factor, bool ascii)
{
	strbuf_fmt(out, "%s%.3g", TIMES(ascii), factor);
}

int
value_mark(struct strbuf *out, const char *how, bool ascii)
{
	if (!strcmp(how, "estimated"))
		strbuf_str(out, ascii ? "~ " : "\342\211\210 ");
	else if (!strcmp(how, "contradicted"))
		strbuf_str(out, ascii ? "! " : "\342\211\240 ");
	else if (!strcmp(how, "pinned"))
		strbuf_str(out, ascii ? "* " : "\342\200\242 ");
	else if (!strcmp(how, "lacking"))
		strbuf_str(out, ascii ? ">" : "\342\211\245");
	else
		return 0;
	return strcmp(how, "lacking") ? 2 : 1;
}
