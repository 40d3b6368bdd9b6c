#include "show/human.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "show/value.h"
#include "util/text/safe.h"

void
human_count(struct strbuf *out, uint64_t n)
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%" PRIu64, n);
	int i;

	for (i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			strbuf_char(out, ',');
		strbuf_char(out, digits[i]);
	}
}

/* Appends three significant digits of VALUE, which is below 1000. */
static void
three_digits(struct strbuf *out, double value)
{
	int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;

	strbuf_fmt(out, "%.*f", decimals, value);
}

void
human_short(struct strbuf *out, uint64_t n)
{
	static const char units[] = " kMGTPE";
	double value = (double)n;
	int unit = 0;

	if (n < 1000) {
		strbuf_fmt(out, "%" PRIu64, n);
		return;
	}
	while (value >= 999.5 && units[unit + 1]) {
		value /= 1000;
		unit++;
	}
	three_digits(out, value);
	strbuf_fmt(out, " %c", units[unit]);
}

void
human_bytes(struct strbuf *out, uint64_t n)
{
	human_short(out, n);
	strbuf_str(out, n < 1000 ? " B" : "B");
}

void
human_count_fit(struct strbuf *out, uint64_t n, int width)
{
	size_t start = out->len;

	human_count(out, n);
	if ((int)(out->len - start) <= width)
		return;
	out->len = start;
	out->buf[start] = '\0';
	human_short(out, n);
}

void
human_ns(struct strbuf *out, uint64_t ns, bool ascii)
{
	double s = (double)ns / 1e9;

	if (ns < 1000) {
		strbuf_fmt(out, "%" PRIu64 " ns", ns);
	} else if (ns < 999500) {
		three_digits(out, s * 1e6);
		strbuf_str(out, ascii ? " us" : " \302\265s");
	} else if (ns < 999500000) {
		three_digits(out, s * 1e3);
		strbuf_str(out, " ms");
	} else if (s < 9999.95) {
		strbuf_fmt(out, "%.*f s", s < 9.9995 ? 3 : s < 99.995 ? 2 : 1, s);
	} else {
		human_count(out, (uint64_t)s);
		strbuf_str(out, " s");
	}
}

/* The kernel's own figures of a run are coarser than a tick. */
enum { LEAST_COMPARED = 50000000 };

void
human_baseline(struct strbuf *out, uint64_t ns, uint64_t plain_ns, bool ascii)
{
	strbuf_str(out, "instrumented ");
	human_ns(out, ns, ascii);
	strbuf_str(out, " user, plain ");
	human_ns(out, plain_ns, ascii);
	if (plain_ns < LEAST_COMPARED || ns < LEAST_COMPARED) {
		strbuf_str(out, ": too short to compare");
		return;
	}
	strbuf_str(out, ": ");
	value_real(out, UNIT_FACTOR, (double)ns / (double)plain_ns, VALUE_WIDE, VALUE_PLAIN, ascii);
}

void
human_when(struct strbuf *out, int64_t ns)
{
	time_t t = ns / 1000000000;
	char when[64];
	struct tm tm;

	if (ns > 0 && gmtime_r(&t, &tm) && strftime(when, sizeof(when), "%F %T", &tm))
		strbuf_str(out, when);
}

void
human_each(struct strbuf *out, uint64_t ns, uint64_t n, bool ascii)
{
	uint64_t each;

	if (!n) {
		strbuf_char(out, '-');
		return;
	}
	each = ns / n;
	each += ns % n >= n - ns % n;
	if (each || !ns)
		human_ns(out, each, ascii);
	else
		strbuf_str(out, "<1 ns");
}

void
human_deviation(struct strbuf *out, const struct deviation *d, bool ascii)
{
	human_ns(out, (uint64_t)(deviation_mean(d) + 0.5), ascii);
	strbuf_str(out, ascii ? " +- " : " \302\261 ");
	human_ns(out, (uint64_t)(deviation_of(d) + 0.5), ascii);
}

void
human_percent(struct strbuf *out, int64_t part, uint64_t whole)
{
	double percent;

	if (!whole) {
		strbuf_char(out, '-');
		return;
	}
	percent = 100.0 * (double)part / (double)whole;
	if (fabs(percent) >= 99.95)
		strbuf_fmt(out, "%.0f", percent);
	else
		strbuf_fmt(out, "%.1f", percent);
}

void
human_share(struct strbuf *out, double share)
{
	if (isnan(share))
		strbuf_char(out, '-');
	else
		strbuf_fmt(out, "%.*f%%", share < 0.0095 ? 1 : 0, share * 100);
}

double
human_error_share(uint64_t samples, uint64_t all)
{
	double n = (double)all + 4, p = ((double)samples + 2) / n;

	if (!samples || samples > all)
		return NAN;
	return samples == all && all >= 100 ? 0 :
	       1.96 * sqrt(p * (1 - p) / n) * (double)all / (double)samples;
}

void
human_error(struct strbuf *out, uint64_t samples, uint64_t all)
{
	human_share(out, human_error_share(samples, all));
}

void
human_bar(struct strbuf *out, double share, int width, bool ascii)
{
	/* U+2588 full block down to U+258F one eighth. */
	int eighths, whole;

	if (!(share > 0))
		return;
	if (share > 1)
		share = 1;
	eighths = (int)lrint(share * width * 8);
	if (!eighths)
		eighths = 1;
	whole = eighths / 8;
	for (int i = 0; i < whole; i++)
		strbuf_str(out, ascii ? "#" : "\342\226\210");
	eighths %= 8;
	if (ascii) {
		if (eighths >= 4)
			strbuf_char(out, '=');
		return;
	}
	if (eighths)
		strbuf_fmt(out, "\342\226%c", 0x88 + 8 - eighths);
}

void
path_tail(struct strbuf *out, const char *path, int width, bool ascii)
{
	const char *s = strrchr(path, '/'), *longer;

	if (!s || s == path || !s[1] || safe_width(path, strlen(path)) <= width) {
		strbuf_str(out, path);
		return;
	}
	width -= ascii ? 4 : 2;
	for (s++; s > path; s = longer) {
		for (longer = s - 1; longer > path && longer[-1] != '/';)
			longer--;
		if (safe_width(longer, strlen(longer)) > width)
			break;
	}
	strbuf_str(out, s > path ? PATH_CUT(ascii) : "");
	strbuf_str(out, s);
}
