/* Numbers for people, heat, search, history. */
#include <locale.h>
#include <math.h>

#include "check.h"
#include "show/heat.h"
#include "tui/history.h"
#include "show/human.h"
#include "show/value.h"
#include "util/text/search.h"

#define SHOWS(want, call)                      \
	do {                                   \
		struct strbuf s = STRBUF_INIT; \
		call;                          \
		ok &= same(s.buf, want);       \
		strbuf_release(&s);            \
	} while (0)

static int
numbers(void)
{
	int ok = 1;

	SHOWS("0", human_count(&s, 0));
	SHOWS("999", human_count(&s, 999));
	SHOWS("1,000", human_count(&s, 1000));
	SHOWS("1,204,331", human_count(&s, 1204331));
	SHOWS("18,446,744,073,709,551,615", human_count(&s, UINT64_MAX));
	SHOWS("812 M", human_short(&s, 812345678));
	SHOWS("999", human_short(&s, 999));
	SHOWS("1.00 k", human_short(&s, 1000));
	SHOWS("1.00 M", human_short(&s, 999999));
	SHOWS("18.4 E", human_short(&s, UINT64_MAX));
	SHOWS("1,000,000", human_count_fit(&s, 1000000, 9));
	SHOWS("1.00 M", human_count_fit(&s, 1000000, 8));
	return ok;
}

static int
times(void)
{
	int ok = 1;

	SHOWS("0 ns", human_ns(&s, 0, false));
	SHOWS("35 ns", human_ns(&s, 35, false));
	SHOWS("1.10 \302\265s", human_ns(&s, 1100, false));
	SHOWS("1.10 us", human_ns(&s, 1100, true));
	SHOWS("8.00 ms", human_ns(&s, 8000000, false));
	SHOWS("549 ms", human_ns(&s, 549000000, false));
	SHOWS("1.000 s", human_ns(&s, 999600000, false));
	SHOWS("1.323 s", human_ns(&s, 1323000000, false));
	SHOWS("12.35 s", human_ns(&s, 12345000000, false));
	SHOWS("123.5 s", human_ns(&s, 123450000000, false));
	SHOWS("20,000 s", human_ns(&s, 20000000000000, false));
	return ok;
}

static int
values(void)
{
	struct scalar_value least = { .type = SCALAR_INTEGER, .integer = INT64_MIN };
	struct scalar_value none = { .type = SCALAR_NULL };
	int ok = 1;

#define SIGNED(unit, v) value_real(&s, unit, v, VALUE_WIDE, VALUE_SIGNED, false)
#define PLAIN(unit, v) value_real(&s, unit, v, VALUE_WIDE, VALUE_PLAIN, false)
	SHOWS("+5,000", SIGNED(UNIT_COUNT, 5000));
	SHOWS("-5,000", SIGNED(UNIT_COUNT, -5000));
	SHOWS("=", SIGNED(UNIT_COUNT, 0));
	SHOWS("5,000", PLAIN(UNIT_COUNT, 5000));
	SHOWS("+0.25", SIGNED(UNIT_COUNT, 0.25));
	SHOWS("12.5", PLAIN(UNIT_COUNT, 12.5));
	SHOWS("101", PLAIN(UNIT_COUNT, 100.5));
	SHOWS("-9,223,372,036,854,775,808",
	      value_print(&s, UNIT_COUNT, &least, VALUE_WIDE, VALUE_PLAIN, false));
	SHOWS("-", value_print(&s, UNIT_COUNT, &none, VALUE_WIDE, VALUE_SIGNED, false));
	SHOWS("-", SIGNED(UNIT_NS, NAN));
	SHOWS("+549 ms", SIGNED(UNIT_NS, 549e6));
	SHOWS("=", SIGNED(UNIT_NS, -0.4));
	SHOWS("-1 ns", SIGNED(UNIT_NS, -0.6));
	SHOWS("+11716.3", SIGNED(UNIT_VALUE, 11716.333));
	SHOWS("+166,667", SIGNED(UNIT_VALUE, 166666.67));
	SHOWS("-0.333333", SIGNED(UNIT_VALUE, -1 / 3.0));
	SHOWS("+1e+20", SIGNED(UNIT_VALUE, 1e20));
	SHOWS("+3,000", SIGNED(UNIT_VALUE, 3000));
	SHOWS("+2.00%", SIGNED(UNIT_PERCENT, 2));
	SHOWS("=", SIGNED(UNIT_PERCENT, 0));
	SHOWS("-3.0 \317\203", SIGNED(UNIT_DEVIATIONS, -3));
	SHOWS("\303\2272.00", SIGNED(UNIT_FACTOR, 2));
	SHOWS("\303\2270.00", SIGNED(UNIT_FACTOR, 0));
	SHOWS("\303\227100", SIGNED(UNIT_FACTOR, 100));
	SHOWS("n^1.98", SIGNED(UNIT_GROWTH, 1.98));
	SHOWS("n^-0.50", SIGNED(UNIT_GROWTH, -0.5));
	SHOWS("\342\210\236", SIGNED(UNIT_FACTOR, INFINITY));
	SHOWS("+\342\210\236", SIGNED(UNIT_VALUE, INFINITY));
	SHOWS("-inf", value_real(&s, UNIT_VALUE, -INFINITY, VALUE_WIDE, VALUE_SIGNED, true));
	SHOWS("x2.00", value_real(&s, UNIT_FACTOR, 2, VALUE_WIDE, VALUE_SIGNED, true));
	SHOWS("+3.0 s", value_real(&s, UNIT_DEVIATIONS, 3, VALUE_WIDE, VALUE_SIGNED, true));
	/* A sign takes one of the columns. */
	SHOWS("+1,000,000", value_real(&s, UNIT_COUNT, 1e6, 10, VALUE_SIGNED, false));
	SHOWS("+1.00 M", value_real(&s, UNIT_COUNT, 1e6, 9, VALUE_SIGNED, false));
	SHOWS("9,223,372,036,854,775,807",
	      value_whole(&s, UNIT_COUNT, INT64_MAX, VALUE_WIDE, false));
	SHOWS("9.22 EB", value_whole(&s, UNIT_BYTES, INT64_MAX, VALUE_WIDE, false));
	SHOWS("999 B", value_whole(&s, UNIT_BYTES, 999, 3, false));
	SHOWS("0 B", value_whole(&s, UNIT_BYTES, 0, VALUE_WIDE, false));
	SHOWS("+1.00 kB", value_real(&s, UNIT_BYTES, 1000, VALUE_WIDE, VALUE_SIGNED, false));
	/* Doubles that are larger than any count. */
	SHOWS("3.69e+20 B", value_real(&s, UNIT_BYTES, 3.69e20, VALUE_WIDE, VALUE_PLAIN, false));
	SHOWS("-2e+22", value_real(&s, UNIT_COUNT, -2e22, VALUE_WIDE, VALUE_SIGNED, false));
	SHOWS("2e+13 s", value_real(&s, UNIT_NS, 2e22, VALUE_WIDE, VALUE_PLAIN, false));
	SHOWS("1.84e+19", value_real(&s, UNIT_VALUE, 0x1p64, VALUE_WIDE, VALUE_PLAIN, false));
	SHOWS("9.22 EB", value_whole(&s, UNIT_BYTES, INT64_MAX, VALUE_WIDE, false));
	SHOWS("1234567", value_whole(&s, UNIT_NUMBER, 1234567, 3, false));
	SHOWS("1.23M..12,000", value_between(&s, UNIT_COUNT, 1234567, 12000, 14, false));
	SHOWS("8,200..10,000", value_between(&s, UNIT_COUNT, 8200, 10000, VALUE_WIDE, false));
	SHOWS("35 ns..1.10 us", value_between(&s, UNIT_NS, 35, 1100, 18, true));
	SHOWS("+2.5", value_errors(&s, 2.5));
	SHOWS("-2.5", value_errors(&s, -2.5));
	SHOWS("", value_errors(&s, 0));
	SHOWS("", value_errors(&s, NAN));
	SHOWS("~ ", value_mark(&s, "estimated", true));
	SHOWS("", value_mark(&s, "exact", true));
	return ok;
}

static int
shares(void)
{
	int ok = 1;

	SHOWS("4 ns", human_each(&s, 449, 100, false));
	SHOWS("5 ns", human_each(&s, 450, 100, false));
	SHOWS("1 ns", human_each(&s, 50, 100, false));
	SHOWS("<1 ns", human_each(&s, 49, 100, false));
	SHOWS("0 ns", human_each(&s, 0, 100, false));
	SHOWS("-", human_each(&s, 100, 0, false));
	SHOWS("41.2", human_percent(&s, 412, 1000));
	SHOWS("100", human_percent(&s, 1000, 1000));
	SHOWS("-", human_percent(&s, 1, 0));
	/* Worked out by hand: 196 sqrt(p (1 - p) / 25004) / 0.1, p being 2502 / 25004. */
	SHOWS("4%", human_error(&s, 2500, 25000));
	SHOWS("338%", human_error(&s, 1, 1000));
	SHOWS("0.7%", human_error(&s, 40000, 80000));
	SHOWS("0.0%", human_error(&s, 500, 500));
	SHOWS("-", human_error(&s, 0, 7));
	SHOWS("\342\226\210\342\226\210\342\226\214", human_bar(&s, 0.5, 5, false));
	SHOWS("\342\226\217", human_bar(&s, 0.0001, 5, false));
	SHOWS("", human_bar(&s, 0, 5, false));
	SHOWS("\342\226\210\342\226\210", human_bar(&s, 7.0, 2, false));
	SHOWS("\342\200\246/c.c", path_tail(&s, "/a/b/c.c", 5, false));
	SHOWS("\342\200\246/c.c", path_tail(&s, "/a/b/c.c", 6, false));
	SHOWS("\342\200\246/b/c.c", path_tail(&s, "/a/b/c.c", 7, false));
	SHOWS("/a/b/c.c", path_tail(&s, "/a/b/c.c", 8, false));
	SHOWS(".../c.c", path_tail(&s, "/a/b/c.c", 7, true));
	SHOWS(".../c.c", path_tail(&s, "aaa/bbb/c.c", 10, true));
	SHOWS(".../c.c", path_tail(&s, "aaa/bb/c.c", 9, true));
	SHOWS("c.c", path_tail(&s, "c.c", 1, false));
	SHOWS("/c.c", path_tail(&s, "/c.c", 1, false));
	SHOWS("/a/b/", path_tail(&s, "/a/b/", 1, false));
	SHOWS("##=", human_bar(&s, 0.5, 5, true));
	return ok;
}

static int
heat_is_ordered(void)
{
	static const int64_t figures[] = { 0, 1, 2, 3, 9, 10, 99, 12345, 1000000, INT64_MAX };
	struct heat heat;
	int ok = 1, linear;
	size_t i;

	for (linear = 0; linear < 2; linear++) {
		heat_init(&heat, UNIT_COUNT, linear, 1, 1000000);
		for (i = 1; i < sizeof(figures) / sizeof(*figures); i++)
			ok &= heat_level(&heat, figures[i]) >= heat_level(&heat, figures[i - 1]);
		ok &= heat_level(&heat, 0) == 0 && heat_level(&heat, 1) == 1;
		ok &= heat_level(&heat, 1000000) == HEAT_LEVELS;
		ok &= heat_level(&heat, -12345) == heat_level(&heat, 12345);
	}
	/* Log: the middle of the range is its geometric mean; linear: its arithmetic one. */
	heat_init(&heat, UNIT_COUNT, false, 1, 100000000);
	ok &= heat_level(&heat, 10000) == 5 && heat_level(&heat, 9999) == 4;
	heat_init(&heat, UNIT_COUNT, true, 1, 800);
	ok &= heat_level(&heat, 400) == 5 && heat_level(&heat, 399) == 4;
	heat_init(&heat, UNIT_NS, false, 1000000, 0);
	ok &= heat_role(&heat, 0, false, 0) == ROLE_NEVER;
	ok &= heat_role(&heat, 5, false, 0) == ROLE_COLD;
	ok &= heat_role(&heat, 0, true, 0) == ROLE_NO_CODE;
	return ok;
}

static int
finds(const char *pattern, const char *text, int at)
{
	struct search search = { .pattern = NULL };
	size_t start = 0, end;
	bool found;

	search_set(&search, pattern);
	found = search_find(&search, text, strlen(text), 0, &start, &end);
	search_release(&search);
	if (found ? (int)start == at : at < 0)
		return 1;
	printf("# %s in %s: %d, want %d\n", pattern, text, found ? (int)start : -1, at);
	return 0;
}

static int
searches(void)
{
	int ok = 1;

	ok &= finds("sort", "mainQSort3", 5);
	ok &= finds("Sort", "sort Sort", 5);
	ok &= finds("SORT", "sort Sort", -1);
	ok &= finds("so.t", "a sort", 2);
	ok &= finds("^so", "a sort", -1);
	ok &= finds("a(b", "x a(b", 2);
	ok &= finds("x*", "aaa", -1);
	ok &= finds("", "aaa", -1);
	ok &= finds("aaaa", "aaa", -1);
	return ok;
}

static struct location
location(model_id file)
{
	return (struct location){ .set = true, .file = { file, false } };
}

static int
goes_back_and_forth(void)
{
	struct history h = { .places = NULL };
	struct location here, to;
	int ok = 1, i;

	here = location(1);
	ok &= !history_back(&h, &here, &to) && !history_forward(&h, &here, &to);
	history_leave(&h, &here);             /* 1 -> 2 */
	here = location(2);
	history_leave(&h, &here);             /* 2 -> 3 */
	here = location(3);
	ok &= history_back(&h, &here, &to) && to.file.id == 2;
	ok &= history_back(&h, &to, &to) && to.file.id == 1;
	ok &= !history_back(&h, &to, &here);
	ok &= history_forward(&h, &to, &to) && to.file.id == 2;
	ok &= history_forward(&h, &to, &to) && to.file.id == 3;
	ok &= !history_forward(&h, &to, &here);
	ok &= history_back(&h, &to, &to) && to.file.id == 2;
	history_leave(&h, &to);               /* 2 -> 4: 3 is forgotten */
	here = location(4);
	ok &= !history_forward(&h, &here, &to);
	ok &= history_back(&h, &here, &to) && to.file.id == 2;
	/* Only the last HISTORY_MAX places are kept. */
	for (i = 0; i < 3 * HISTORY_MAX; i++) {
		here = location(100 + (model_id)i);
		history_leave(&h, &here);
	}
	for (i = 0; history_back(&h, &here, &to); i++)
		here = to;
	ok &= i == HISTORY_MAX && here.file.id == 100 + 2 * HISTORY_MAX;
	history_release(&h);
	return ok;
}

/* Each figure lies in the step of its level, in no other; steps that nothing has are skipped. */
static int
legend_is_true(void)
{
	static const uint64_t greatest[] = { 1, 2, 3, 5, 7, 8, 9, 17, 100, 1000, 99999 };
	unsigned long long from, to;
	struct strbuf text = STRBUF_INIT;
	struct heat heat;
	uint64_t figure;
	size_t i;
	int level, ok = 1, n;

	for (i = 0; i < 2 * sizeof(greatest) / sizeof(*greatest); i++) {
		heat_init(&heat, UNIT_COUNT, i & 1, 1, greatest[i / 2]);
		figure = 1;
		for (level = 1; level <= HEAT_LEVELS; level++) {
			if (!heat_from(&heat, level))
				continue;
			strbuf_clear(&text);
			heat_print_step(&text, &heat, level, true);
			while (strchr(text.buf, ','))
				memmove(strchr(text.buf, ','), strchr(text.buf, ',') + 1,
					strlen(strchr(text.buf, ',')));
			n = sscanf(text.buf, "%llu..%llu", &from, &to);
			ok &= n > 0 && from == figure;
			for (figure = from; figure <= (n == 2 ? to : from); figure++)
				ok &= heat_level(&heat, figure) == level;
		}
		ok &= figure == greatest[i / 2] + 1;
	}
	strbuf_release(&text);
	return ok;
}

int
main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	verdict(numbers(), "numbers have separators or units");
	verdict(values(), "a value of each unit has its text");
	verdict(times(), "times have the right unit");
	verdict(shares(), "percents, errors, bars");
	verdict(legend_is_true(), "the legend tells the level of each figure");
	verdict(heat_is_ordered(), "more is never colder, never and cold are told apart");
	verdict(searches(), "search: case, regular expressions, what is none");
	verdict(goes_back_and_forth(), "history goes back and forward");
	return failures != 0;
}
