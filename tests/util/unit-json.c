/* JSON piece by piece: what a document is made of, by hand; what is none; bounds; each prefix of a
 * document is bad. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/check.h"
#include "util/mem.h"
#include "util/text/json.h"

__attribute__((format(printf, 2, 3))) static void
check(bool ok, const char *format, ...)
{
	char name[2000];
	va_list ap;

	va_start(ap, format);
	vsnprintf(name, sizeof(name), format, ap);
	va_end(ap);
	verdict(ok, name);
}

/* Returns, heap, the pieces of the first N bytes of TEXT, a letter each, texts behind theirs. */
static char *
pieces(const char *text, size_t n)
{
	static const char letters[] = "!.{}[]ksntf0";
	FILE *f = fmemopen((void *)text, n ? n : 1, "r");
	struct strbuf all = STRBUF_INIT;
	enum json_piece p;
	struct json *j;

	if (!n)
		getc(f);
	j = json_new(f);
	do {
		p = json_next(j);
		strbuf_char(&all, letters[p]);
		if (p == JSON_KEY || p == JSON_STRING || p == JSON_NUMBER)
			strbuf_fmt(&all, "<%s>", json_text(j, NULL));
	} while (p != JSON_BAD && p != JSON_END);
	json_free(j);
	fclose(f);
	return strbuf_take(&all);
}

static void
check_pieces(const char *text, const char *expected)
{
	char *got = pieces(text, strlen(text));

	check(same(got, expected), "%s", text);
	free(got);
}

static void
test_documents(void)
{
	static const struct { const char *text, *expected; } rows[] = {
		{ "", "." }, { " \n\t\r", "." }, { "{}", "{}." }, { "[]", "[]." }, { "7", "n<7>." },
		{ "{\"a\":1}\n{\"b\":[true,false,null]}", "{k<a>n<1>}{k<b>[tf0]}." },
		{ "[1,-2.5e+3,\"x\"]", "[n<1>n<-2.5e+3>s<x>]." },
		{ "[[[]],{\"\":{}}]", "[[[]]{k<>{}}]." },
		{ "\"\\\"\\\\\\/\\t\"", "s<\"\\/\t>." },
		{ "\"\\u0041\\u00e9\\u20AC\"", "s<A\303\251\342\202\254>." },
		{ "\"\\ud83d\\ude00\"", "s<\360\237\230\200>." },
		{ "\"\\ude00\"", "s<\357\277\275>." },
		{ "\"\\ud83d\\u0041\"", "s<\357\277\275>." },
		{ "[NaN,-Infinity]", "[00]." },
		/* no JSON */
		{ "{", "{!" }, { "[1", "[n<1>!" }, { "[1 2]", "[n<1>!" }, { "[1,]", "[n<1>!" },
		{ "{\"a\" 1}", "{!" }, { "{1:2}", "{!" }, { "{\"a\":}", "{k<a>!" },
		{ "]", "!" }, { "[}", "[!" }, { "nul", "!" }, { "1x", "!" }, { "--1", "!" },
		{ "+1", "!" }, { "\"a", "!" }, { "\"\\x\"", "!" }, { "\"\\u12g4\"", "!" },
		{ "\"\\ud83d\"", "!" }, { "{,\"a\":1}", "{!" }, { "[,1]", "[!" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		check_pieces(rows[i].text, rows[i].expected);
}

static void
test_prefixes(void)
{
	static const char text[] = "{\"data\": [1.5, \"a\\u00e9\\n\", {\"k\": null}], \"t\": true}";
	size_t n = strlen(text);

	for (size_t i = 1; i <= n; i++) {
		char *got = pieces(text, i);
		char last = got[strlen(got) - 1];

		check(last == (i < n ? '!' : '.'), "%zu bytes end with %c", i, last);
		free(got);
	}
}

static void
test_bounds(void)
{
	size_t depth = JSON_MOST_DEPTH, length = JSON_MOST_TEXT + 10;
	char *deep = xcalloc(2, depth + 2), *text = xcalloc(1, length + 3), *got;
	FILE *f;
	struct json *j;

	memset(deep, '[', depth);
	memset(deep + depth, ']', depth);
	got = pieces(deep, 2 * depth);
	check(got[strlen(got) - 1] == '.', "%zu levels", depth);
	free(got);
	memset(deep, '[', depth + 1);
	got = pieces(deep, depth + 1);
	check(strlen(got) == depth + 1 && got[depth] == '!', "%zu levels", depth + 1);
	free(got);
	memset(text, 'x', length + 1);
	text[0] = text[length + 1] = '"';
	f = fmemopen(text, length + 2, "r");
	j = json_new(f);
	check(json_next(j) == JSON_STRING, "a long text");
	json_text(j, &length);
	check(length == JSON_MOST_TEXT, "cut to %zu", length);
	check(json_next(j) == JSON_END, "its end");
	json_free(j);
	fclose(f);
	free(deep);
	free(text);
}

static void
test_numbers(void)
{
	static const struct { const char *text; int64_t integer; double real; } rows[] = {
		{ "0", 0, 0 }, { "-3", -3, -3 }, { "2.75", 2, 2.75 }, { "-2.75", -2, -2.75 },
		{ "1e3", 1000, 1000 }, { "9223372036854775807", INT64_MAX, 0x1p63 },
		{ "18446744073709551616", INT64_MAX, 0x1p64 }, { "1e30", INT64_MAX, 1e30 },
		{ "-1e30", INT64_MIN, -1e30 }, { "9007199254740993", 9007199254740993, 0x1p53 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		FILE *f = fmemopen((void *)rows[i].text, strlen(rows[i].text), "r");
		struct json *j = json_new(f);

		check(json_next(j) == JSON_NUMBER && json_integer(j) == rows[i].integer &&
		      json_double(j) == rows[i].real, "%s", rows[i].text);
		json_free(j);
		fclose(f);
	}
}

static void
test_skip(void)
{
	char text[] = "{\"a\": {\"b\": [1, 2]}, \"c\": 3,\n \"d\": [4, [5], 6]}";
	FILE *f = fmemopen(text, strlen(text), "r");
	struct json *j = json_new(f);

	json_next(j);
	check(json_next(j) == JSON_KEY && json_is_key(j, "a") && json_skip(j), "an object");
	check(json_next(j) == JSON_KEY && json_is_key(j, "c") && json_skip(j), "a number");
	check(json_next(j) == JSON_KEY && json_is_key(j, "d") && json_line(j) == 2, "line 2");
	check(json_next(j) == JSON_ARRAY && json_next(j) == JSON_NUMBER, "4");
	check(json_next(j) == JSON_ARRAY && json_skip_rest(j), "rest of [5]");
	check(json_next(j) == JSON_NUMBER && json_integer(j) == 6, "6");
	check(json_next(j) == JSON_ARRAY_END && json_next(j) == JSON_OBJECT_END &&
	      json_next(j) == JSON_END, "the end");
	json_free(j);
	fclose(f);
}

int
main(void)
{
	test_documents();
	test_prefixes();
	test_bounds();
	test_numbers();
	test_skip();
	return failures != 0;
}
