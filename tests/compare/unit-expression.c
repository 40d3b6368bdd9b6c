/* Expressions: values worked out by hand, errors at their place, hostile ones refused or
 * stopped. */
#include "compare/expression.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "db/store/scalar.h"
#include "tui/check.h"

/* Figures of the one thing that all expressions here are about: count, self_ns, self_samples. */
static const int64_t counts[2] = { 100, 700 }, times[2] = { 9000000, 16000000 };
static const int64_t samples[2] = { 9, 16 };

static struct scalar_value
integer(int64_t v)
{
	return (struct scalar_value){ .type = SCALAR_INTEGER, .integer = v };
}

static struct expression_context
make_context(void)
{
	static struct expression_profile profiles[2];
	struct expression_context c = {
		.profiles = profiles, .nr_profiles = 2, .things = "things",
		.figures = 1u << FIGURE_COUNT | 1u << FIGURE_SELF_NS | 1u << FIGURE_SELF_SAMPLES,
	};

	for (int k = 0; k < 2; k++) {
		for (int f = 0; f < NR_RUN_FIGURES; f++)
			profiles[k].run[f] = integer(1000 * (k + 1) + f);
		profiles[k].run[RUN_SIZE].type = SCALAR_NULL;
		profiles[k].interval_ns = 1000000;
	}
	return c;
}

static struct scalar_value
figure(const struct reference *r)
{
	const int64_t *of = r->figure == FIGURE_COUNT ? counts :
			    r->figure == FIGURE_SELF_NS ? times : samples;

	return integer(of[r->profile]);
}

/* The value as text, or "! message". */
static const char *
value_of(const char *text, struct expression_error *err)
{
	static char out[1100];
	struct expression_context c = make_context();
	struct scalar_value figures[MAX_REFERENCES], v;
	struct expression *e = expression_compile(text, &c, err);
	const struct reference *r;
	size_t nr = 0;

	if (!e) {
		snprintf(out, sizeof(out), "! %s", err->error.text);
		return out;
	}
	r = expression_references(e, &nr);
	for (size_t i = 0; i < nr; i++)
		figures[i] = figure(&r[i]);
	expression_deadline(e, 500);
	if (expression_evaluate(e, figures, NULL, &v, &err->error))
		snprintf(out, sizeof(out), "! %s", err->error.text);
	else if (v.type == SCALAR_NULL)
		strcpy(out, "null");
	else if (v.type == SCALAR_INTEGER)
		snprintf(out, sizeof(out), "%lld", (long long)v.integer);
	else
		snprintf(out, sizeof(out), "%.6f", v.real);
	expression_free(e);
	return out;
}

static void
check_values(void)
{
	static const struct { const char *text, *value; } cases[] = {
		{ "b.count - 2 * a.count", "500" },
		{ "b.count-a.count", "600" },
		{ "B.COUNT - A.Count", "600" },
		{ "(b.count - a.count) * 1.5", "900.000000" },
		{ "b.count / 3", "233.333333" },           /* not as SQL has whole numbers */
		{ "cast(b.count / 3 as integer)", "233" },
		{ "(b.count - 1) / 2 * 2", "699.000000" },
		{ "1 + b.count / a.count / 2 - 1", "3.500000" },
		{ "-b.count % 3 / 2", "-0.500000" },
		{ "-7 / 2", "-3.500000" },
		{ "iif(b.count / a.count > 6.99, 3 / 2, 0)", "1.500000" },
		{ "b.self_ns / a.self_ns", "1.777778" },
		{ "ratio(b.count, a.count)", "7.000000" },
		{ "ratio(b.count, 0)", "inf" },
		{ "ratio(0, 0)", "null" },
		{ "ratio(null, 2)", "null" },
		{ "share(a.count, a.run.count)", "10.000000" },
		{ "share(b.count, b.run.count) - share(a.count, a.run.count)", "25.000000" },
		{ "growth(a.count, b.count)", "2.807355" }, /* log 7 / log 2 */
		{ "growth(a.count * 2, b.count)", "1.807355" },
		{ "growth(b.count, a.count)", "2.807355" },
		{ "growth(a.count, a.count)", "null" },
		{ "growth(a.count - 100, b.count)", "null" },
		{ "significance(a.self_ns, b.self_ns)", "1.201589" }, /* 16 of 25: p = 0.22952 */
		{ "significance(a.self_samples, b.self_samples)", "1.201589" },
		{ "significance(b.self_ns, a.self_ns)", "-1.201589" },
		{ "signif(b.self_ns, a.self_ns)", "-1.201589" }, /* its name in stored ones */
		{ "iif(b.count > 500, 1, 0)", "1" },
		{ "case when a.count between 1 and 200 then 7 else 8 end", "7" },
		{ "a.count in (1, 100)", "1" },
		{ "round(sqrt(a.count))", "10.000000" },
		{ "max(a.count, b.count)", "700" },
		{ "abs(a.count - b.count)", "600" },
		{ "a.run.count + b.run.calls", "3001" },
		{ "a.run.size", "1000" },                  /* not told: run.count */
		{ "null", "null" },
		{ "1 / 0", "null" },
		{ "0x10 + 1e2", "116.000000" },
		{ "9223372036854775807 + 1", "9223372036854775808.000000" },
		{ "a.count is distinct from b.count", "1" },
		{ "a.count <> b.count", "1" },
		{ "length('it''s; -- \"no\"')", "13" },
	};
	int good = 1;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct expression_error err = EXPRESSION_ERROR_INIT;
		const char *got = value_of(cases[i].text, &err);

		if (!same(got, cases[i].value)) {
			printf("# ... of %s\n", cases[i].text);
			good = 0;
		}
	}
	verdict(good, "values are those worked out by hand");
}

static void
check_errors(void)
{
	/* The caret stands below what is wrong. */
	static const struct { const char *text, *caret, *message; } cases[] = {
		{ "b.cuont - a.count",
		  "  ^", "count, self_ns, self_samples" },
		{ "a.count + total_ns",
		  "          ^", "which profile" },
		{ "c.count",
		  "^", "called a to b" },
		{ "a.calls",
		  "  ^", "things do not have calls" },
		{ "a.run.cuont",
		  "      ^", "count, calls" },
		{ "a.count +",
		  "", "syntax" },
		{ "a.count b.count",
		  "        ^", "syntax" },
		{ "(a.count",
		  "        ^", "')' is missing" },
		{ "a.count)",
		  "       ^", "closes nothing" },
		{ "a.count, b.count",
		  "       ^", "not several" },
		{ "a.count; select 1",
		  "       ^", "no ';'" },
		{ "a.count -- b.count",
		  "        ^", "comment" },
		{ "a.count - \"x\"",
		  "          ^", "quotes" },
		{ "a.count - 'x",
		  "          ^", "no end" },
		{ "nosuch(a.count)",
		  "^", "nosuch" },
		{ "a.count - foo",
		  "          ^", "no such name" },
		{ "a.count + ?1",
		  "          ^", "no place" },
		{ "growth(a.count)",
		  "^", "two arguments" },
		{ "1 + growth(a.count + b.count, b.count)",
		  "    ^", "of one profile" },
		{ "significance(2 * a.self_ns, b.self_ns)",
		  "^", "as they are" },
		{ "significance(a.count, b.count)",
		  "^", "no error" },
		{ "a.count // b.count",
		  "        ^", "cast(x / y as integer)" },
		{ "b.count / a.cuont",
		  "            ^", "count, self_ns" },
		{ "7 / 2 / b.count b.count",
		  "                ^", "syntax" },
		{ "", "", "empty" },
	};
	int good = 1;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct expression_error err = EXPRESSION_ERROR_INIT;
		const char *got = value_of(cases[i].text, &err);
		int place = strchr(cases[i].caret, '^') ? (int)strlen(cases[i].caret) - 1 : -1;

		if (!err.error.set || !strstr(got, cases[i].message) ||
		    (place >= 0 && err.place != place)) {
			printf("# %s: %s, place %d, not %d\n", cases[i].text, got, err.place,
			       place);
			good = 0;
		}
	}
	verdict(good, "an error says what is wrong, at its place");
}

/* Names that begin behind z, and totals of another profile in place of those of the first one. */
static void
check_profiles(void)
{
	struct expression_profile many[30] = {};
	struct expression_context c = {
		.profiles = many, .nr_profiles = 30, .things = "things",
		.figures = 1u << FIGURE_COUNT,
	};
	struct expression_error err = EXPRESSION_ERROR_INIT;
	struct expression *e;
	const struct scalar_value counts[] = { integer(5), integer(7) };
	const struct reference *r;
	struct scalar_value v = integer(0);
	struct strbuf text = STRBUF_INIT;
	struct sides some = {};
	size_t nr = 0;
	int good = 1;

	for (int k = 0; k < 30; k++) {
		many[k].run[RUN_SIZE] = integer(1000 + k);
		many[k].run[RUN_CALLS] = integer(k);
	}
	e = expression_compile("P27.count + p30.count + a.run.calls + p28.run.size", &c, &err);
	r = e ? expression_references(e, &nr) : NULL;
	verdict(nr == 2 && r[0].profile == 26 && r[1].profile == 29, "p27 and so on are names");
	if (e && !expression_evaluate(e, counts, NULL, &v, &err.error))
		good &= v.integer == 5 + 7 + 0 + 1027;
	expression_take(e, many + 2);
	if (!expression_evaluate(e, counts, NULL, &v, &err.error))
		good &= v.integer == 5 + 7 + 2 + 1029;
	verdict(good, "totals of other profiles can be taken");
	expression_free(e);
	e = expression_compile("growth(a.count, p29.count) + p31.count", &c, &err);
	verdict(!e && err.place == 29 && strstr(err.error.text, "a to z and p27 to p30"),
		"... and there are no more than profiles");
	for (size_t k = 0; k < MAX_PROFILES; k++)
		good &= sides_find(sides_name(k), strlen(sides_name(k))) == (int)k;
	good &= !strcmp(sides_name(25), "z") && !strcmp(sides_name(26), "p27") &&
		!strcmp(sides_name(99), "p100") && !strcmp(sides_name(998), "p999") &&
		sides_find("p26", 3) < 0 && sides_find("p027", 4) < 0 && sides_find("aa", 2) < 0;
	verdict(good, "each profile has one name");
	for (size_t k = 0; k < 999; k += k < 4 || k == 998 ? 1 : k < 70 ? 66 : 928)
		sides_add(&some, k);
	sides_text(&some, 999, &text);
	good = sides_count(&some) == 7 && same(text.buf, "a-e,p71,p999");
	strbuf_clear(&text);
	sides_text(&some, 26, &text);
	verdict(good && same(text.buf, "abcde"), "some of them as text");
	strbuf_release(&text);
}

static double
cpu(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

static void
check_hostile(void)
{
	static const char *const cases[] = {
		("(with recursive r(n) as (select 1 union all select n + 1 from r) "
		 "select max(n) from r)"),
		"(select 1)", "exists(select 1)", "a.count in (select 1)", "1 in sqlite_schema",
		"1 in (values (1))", "(values (1))", "(table sqlite_schema)",
		"length(zeroblob(100000000))", "length(randomblob(100000000))", "random()",
		"length(hex(zeroblob(1000000)))",
		"length(replace(printf('%1900s', 'x'), ' ', printf('%1900s', 'y')))",
		"load_extension('/tmp/x')", "fts3_tokenizer('x')", "readfile('/etc/passwd')",
		"writefile('/tmp/x', 'y')", "edit('x')", "changes()", "last_insert_rowid()",
		"1); drop table procedure; select (1", "1; attach 'x' as y",
		"1) from procedure where (1",
		"a.count; pragma writable_schema = on", "attach 'x' as y", "pragma user_version",
		"delete from procedure", "a.count := 1", "raise(abort, 'x')", "x'00'", "[a]", "`a`",
		"@a", "$a", ":a", "a.count collate binary",
		"row_number() over ()", "sum(a.count) over ()", "sum(a.count)", "count(*)",
		"group_concat('x')",
		"current_timestamp", "main.procedure.count",
		"a.run.run.count", "a..count", "a.", ".count", "a. count . count", "1 match 2",
		"'x' -> 'y' ->> 'z'", "a.count \x01", "a.count \x80", "'text'", "upper('x')",
	};
	/* SQLite gives up on these without a word; what matters is that nothing long is made. */
	static const char *const wide[] = {
		"length(printf('%100000000d', 1))", "length(printf('%.*c', 100000000, 'x'))",
		"length(printf('%.100000000f', 1))", "length(format('%s%99999999s', 1, 2))",
		"length(printf('%2100d', 1))", "length(hex(printf('%1999d', 1)))",
	};
	static const struct { const char *begin, *middle, *end; int times; } repeated[] = {
		{ "", "(", "1", 900 }, { "", "-", "1", 900 }, { "1", "+1", "", 490 },
		{ "1", "||1", "", 320 }, { "", "abs(", "1", 240 }, { "1 in (1", ",1", ")", 490 },
		{ "case 1 ", "when 1 then 1 ", "end", 70 }, { "", "not ", "1", 240 },
		{ "max(1", ",1", ")", 480 },
	};
	struct expression_error err;
	double before = cpu();
	int good = 1;
	char *text;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		err = (struct expression_error)EXPRESSION_ERROR_INIT;
		if (value_of(cases[i], &err)[0] != '!') {
			printf("# not refused: %s\n", cases[i]);
			good = 0;
		}
	}
	verdict(good, "what is not one expression over figures is refused");
	for (size_t i = 0; i < sizeof(wide) / sizeof(wide[0]); i++) {
		const char *got;

		err = (struct expression_error)EXPRESSION_ERROR_INIT;
		got = value_of(wide[i], &err);
		if (*got != '!' && strcmp(got, "null") && atoll(got) > 2000) {
			printf("# %s: %s\n", wide[i], got);
			good = 0;
		}
	}
	verdict(good, "no text becomes long");

	/* Whatever becomes of these, they end. */
	for (size_t i = 0; i < sizeof(repeated) / sizeof(repeated[0]); i++) {
		text = calloc(1, 2000);
		strcpy(text, repeated[i].begin);
		for (int k = 0; k < repeated[i].times; k++)
			strcat(text, repeated[i].middle);
		strcat(text, repeated[i].end);
		err = (struct expression_error)EXPRESSION_ERROR_INIT;
		value_of(text, &err);
		free(text);
	}
	text = calloc(1, 2000);
	memset(text, ' ', MAX_EXPRESSION);
	text[MAX_EXPRESSION] = '1';
	err = (struct expression_error)EXPRESSION_ERROR_INIT;
	verdict(strstr(value_of(text, &err), "longer than") != NULL,
		"a long expression is refused");
	free(text);
	printf("# %.2f s\n", cpu() - before);
	verdict(cpu() - before < 5, "hostile expressions cost little");
}

/* As much work as fits into an expression, again and again, until the deadline. */
static void
check_deadline(void)
{
	struct expression_context c = make_context();
	struct expression_error err = EXPRESSION_ERROR_INIT;
	struct strbuf text = STRBUF_INIT;
	struct expression *e;
	struct scalar_value v;
	double before;
	int result = 0;

	for (int i = 0; i < 6; i++)
		strbuf_fmt(&text, "%sinstr(hex(hex(hex(hex('%050d1')))),hex(hex(hex('%040d')))||2)",
			   i ? "+" : "", 0, 0);
	e = expression_compile(text.buf, &c, &err);
	if (!e) {
		printf("# %s\n", err.error.text);
		verdict(0, "the deadline ends what takes long");
		return;
	}
	expression_deadline(e, 300);
	before = cpu();
	while (!result && cpu() - before < 3)
		result = expression_evaluate(e, NULL, NULL, &v, &err.error);
	printf("# %.2f s: %s\n", cpu() - before, err.error.text);
	verdict(result && strstr(err.error.text, "too long") && cpu() - before < 1,
		"the deadline ends what takes long");
	expression_free(e);
	strbuf_release(&text);
}

/* As arithmetic in C has it. */
static void
check_random(void)
{
	struct expression_context c = make_context();
	int good = 1;

	srand(1);
	for (int i = 0; i < 300; i++) {
		struct expression_error err = EXPRESSION_ERROR_INIT;
		int64_t x = rand() % 1000 - 500, y = rand() % 1000 - 500;
		struct scalar_value figures[2] = { integer(rand() % 100000), integer(rand()) };
		struct scalar_value v = { .type = SCALAR_NULL };
		char text[100];
		struct expression *e;
		int64_t want = figures[0].integer * x - (y - figures[1].integer);

		snprintf(text, sizeof(text), "a.count * (%lld) - ((%lld) - b.count)", (long long)x,
			 (long long)y);
		e = expression_compile(text, &c, &err);
		if (!e || expression_evaluate(e, figures, NULL, &v, &err.error) ||
		    v.type != SCALAR_INTEGER || v.integer != want) {
			printf("# %s: %s\n", text, err.error.text);
			good = 0;
		}
		expression_free(e);
	}
	verdict(good, "random expressions are what C makes of them");
}

static void
check_units(void)
{
	static const struct { const char *text; enum column_unit unit; } cases[] = {
		{ "b.self_ns - a.self_ns", UNIT_NS }, { "b.count - 2 * a.count", UNIT_COUNT },
		{ "ratio(b.count, a.count)", UNIT_FACTOR },
		{ "growth(a.count, b.count)", UNIT_GROWTH },
		{ "b.self_ns / a.self_ns", UNIT_VALUE }, { "b.self_ns - a.count", UNIT_VALUE },
		{ "significance(a.self_ns, b.self_ns)", UNIT_DEVIATIONS }, { "1", UNIT_VALUE },
	};
	struct expression_context c = make_context();
	int good = 1;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct expression_error err = EXPRESSION_ERROR_INIT;
		struct expression *e = expression_compile(cases[i].text, &c, &err);

		if (!e || expression_unit(e) != cases[i].unit) {
			printf("# %s: %d %s\n", cases[i].text, e ? (int)expression_unit(e) : -1,
			       err.error.text);
			good = 0;
		}
		expression_free(e);
	}
	verdict(good, "the unit of a value, where the expression tells it");
}

static void
check_names(void)
{
	struct expression_error err = EXPRESSION_ERROR_INIT;
	const struct named_expression *n;
	struct expression_context c = make_context();
	size_t before = 0, after = 0;
	int good = 1;

	c.figures = FIGURE_BIT(NR_FIGURES) - 1;
	for (; (n = expression_named(before)); before++) {
		struct expression *e = expression_compile(n->expression, &c, &err);

		good &= e && *n->help && expression_find(n->name) == n;
		expression_free(e);
	}
	verdict(good && before > 5, "ready-made expressions are right and have help");
	good = !expression_add("mine", "b.count", "my own", &err.error) &&
	       !expression_add("ratio", "1", "instead", &err.error) &&
	       !expression_add("mine", "a.count", NULL, &err.error);
	while (expression_named(after))
		after++;
	verdict(good && after == before + 1 &&
		!strcmp(expression_find("mine")->expression, "a.count") &&
		!strcmp(expression_find("ratio")->expression, "1"),
		"names can be added, and replaced");
	verdict(expression_add("a b", "1", "", &err.error) < 0 && strstr(err.error.text, "letters"),
		"a name with a space is refused");
}

int
main(void)
{
	check_values();
	check_errors();
	check_profiles();
	check_hostile();
	check_deadline();
	check_random();
	check_units();
	check_names();
	return failures != 0;
}
