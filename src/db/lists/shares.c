/* Shares: what they refer to, and the least that counts. */
#include <ctype.h>

#include "db/store/profile.h"

bool
list_has_shares(const struct list_column *column)
{
	if (column->measure)
		return column->measure->combine == COMBINE_SUM && !column->measure->formula;
	return column->unit == UNIT_NS || list_adds_up(column);
}

uint64_t
profile_whole(struct profile *p, enum list_kind kind, int column)
{
	const struct list_column *c = &profile_columns(p, kind)[column];
	const struct profile_totals *t = profile_totals(p);
	struct list_sums sums;

	if (c->measure)
		return list_has_shares(c) ? c->measure->total : 0;
	if (c->unit == UNIT_NS)
		return t->self_ns;
	if (!list_has_shares(c) || !profile_sums(p, kind, &sums))
		return 0;
	return sums.of[column];
}

uint64_t
list_least(uint64_t whole, uint32_t ppm)
{
	unsigned __int128 n = (unsigned __int128)whole * ppm;

	return (uint64_t)((n + 999999) / 1000000);
}

int
list_parse_percent(const char *text, uint32_t *ppm)
{
	uint32_t n = 0, digits = 0, left = 4; /* digits behind the point */
	bool point = false;

	for (; isdigit((unsigned char)*text) || (*text == '.' && !point); text++) {
		if (*text == '.') {
			point = true;
			continue;
		}
		if (point ? !left : n > 100)
			return -1;
		n = n * 10 + (uint32_t)(*text - '0');
		digits++;
		left -= point;
	}
	if (*text == '%')
		text++;
	for (; left; left--)
		n *= 10;
	if (*text || !digits || n > 1000000)
		return -1;
	*ppm = n;
	return 0;
}
