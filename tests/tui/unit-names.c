/* Names of procedures where there is no room for them. */
#include <locale.h>
#include <stdlib.h>

#include "check.h"
#include "util/mem.h"
#include "util/text/name.h"
#include "util/text/safe.h"

#define DOTS "\342\200\246"

static const struct {
	const char *name;
	int width;
	const char *want;
} cases[] = {
	{ "main", 4, "main" },
	{ "main", 10, "main" },
	/* C has nothing to leave out but the middle. */
	{ "luaV_finishset_of_first", 11, "luaV_" DOTS "first" },
	{ "luaV_finishset_of_other", 11, "luaV_" DOTS "other" },
	/* Template arguments: the innermost first, */
	{ "f<a<b<int> >, c>::g", 18, "f<a<b<" DOTS "> >, c>::g" },
	{ "f<a<bbbbb<int> >, c>::g", 14, "f<a<" DOTS ">, c>::g" },
	{ "f<alpha<beta<int> >, c>::g", 7, "f<" DOTS ">::g" },
	/* with the begins of what is left out as long as there is room, */
	{ "f<alpha<beta<int> >, c>::g", 12, "f<alpha" DOTS ">::g" },
	/* then namespaces and classes. */
	{ "a::b::c<int, long>::run", 15, "a::b::c<" DOTS ">::run" },
	{ "a::b::c<int, long>::run", 13, DOTS "b::c<" DOTS ">::run" },
	{ "a::b::c<int, long>::run", 9, DOTS "run" },
	{ "a::b::c<int, long>::run", 10, DOTS "c<" DOTS ">::run" },
	{ "std::tree<int>::lower_bound", 20, "std::t" DOTS "::lower_bound" },
	{ "a::b::c<int, long>::run", 4, DOTS "run" },
	{ "space::first_of_many_names", 12, "first_" DOTS "names" },
	/* Operators are no brackets, */
	{ "ns::operator<< <char, int>", 22, "ns::operator<< <char" DOTS ">" },
	{ "iter<int*, vector<int> >::operator->", 20, "iter<" DOTS ">::operator->" },
	{ "iter<int*, vector<int> >::operator()", 20, "iter<" DOTS ">::operator()" },
	{ "a<b, c>::operator<", 16, "a<" DOTS ">::operator<" },
	/* and a lambda is a name. */
	{ "main()::<lambda(int, int)>::operator()", 32,
	  "main()::<lambda(" DOTS ")>::operator()" },
	{ "main()::<lambda(int, int)>::operator()", 13, DOTS "operator()" },
	/* Wide characters, those that combine, bytes that are no text, controls. */
	{ "\346\227\245\346\234\254\350\252\236\343\201\256\345\220\215\345\211\215", 7,
	  "\346\227\245" DOTS "\345\220\215\345\211\215" },
	{ "cafe\314\201_and_cafe\314\201", 7, "caf" DOTS "afe\314\201" },
	{ "abcdef\377ghijkl", 9, "abcd" DOTS "ijkl" },
	{ "abc\033[31mdef", 7, "abc" DOTS "def" },
	{ "", 3, "" },
	{ "abc", 1, "a" },
	{ "abcd", 3, "a" DOTS "d" },
	{ "abc", 0, "" },
};

static int
as_expected(void)
{
	struct strbuf s = STRBUF_INIT;
	int ok = 1;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		strbuf_clear(&s);
		name_fit(&s, cases[i].name, strlen(cases[i].name), cases[i].width, DOTS);
		ok &= same(s.buf, cases[i].want);
	}
	strbuf_release(&s);
	return ok;
}

/* Made of pieces that brackets, operators and odd bytes are: it never takes more than its width,
 * and tells what it takes. */
static int
never_too_wide(void)
{
	static const char *const pieces[] = {
		"f", "<", ">", "::", "(", ")", ", ", "operator", "->", " ", "\377", "long_name",
		"\346\227\245", "\314\201", "\t", "<lambda", "operator()", "\033", "int",
	};
	enum { PIECES = sizeof(pieces) / sizeof(*pieces) };
	struct strbuf name = STRBUF_INIT, s = STRBUF_INIT;
	int ok = 1, used, whole;

	srand(5);
	for (int i = 0; ok && i < 20000; i++) {
		strbuf_clear(&name);
		strbuf_clear(&s);
		for (int k = rand() % 30; k >= 0; k--)
			strbuf_str(&name, pieces[rand() % PIECES]);
		whole = safe_width(name.buf, name.len);
		strbuf_str(&s, "before ");
		used = name_fit(&s, name.buf, name.len, i % 40, i % 2 ? DOTS : "~");
		ok = used <= i % 40 && used == safe_width(s.buf + 7, s.len - 7) &&
		     strlen(s.buf) == s.len && used <= whole &&
		     !strchr(s.buf, '\033') && (i % 40 < whole || used == whole);
		if (!ok)
			printf("# %d columns: \"%s\" became \"%s\", %d\n", i % 40, name.buf,
			       s.buf, used);
	}
	strbuf_release(&name);
	strbuf_release(&s);
	return ok;
}

/* Brackets that nobody closes, and more than there is room to remember. */
static int
deep(void)
{
	struct strbuf name = STRBUF_INIT, s = STRBUF_INIT;
	int used;

	for (int i = 0; i < 100000; i++)
		strbuf_str(&name, "f<");
	used = name_fit(&s, name.buf, name.len, 20, DOTS);
	strbuf_release(&name);
	used -= safe_width(s.buf, s.len);
	strbuf_release(&s);
	return !used;
}

int
main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	verdict(as_expected(), "what is left out of names");
	verdict(never_too_wide(), "no name is wider than its room");
	verdict(deep(), "brackets without end");
	return failures != 0;
}
