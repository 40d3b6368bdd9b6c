/* Names of C++ and Rust, and symbols that somebody made to do harm. */
#include "collect/import/elf/demangle.h"

#include <stdlib.h>
#include <string.h>

#include "collect/fixture.h"

static void
is(const char *symbol, enum demangle_how how, const char *expected)
{
	struct strbuf out = STRBUF_INIT;
	bool known;

	strbuf_str(&out, "<");
	known = demangle(&out, symbol, how);
	printf("# %s is %s\n", symbol, out.buf);
	check(expected ? expected : "no such symbol",
	      known == (expected != NULL) && !strcmp(out.buf + 1, expected ? expected : "") &&
		      out.len == strlen(out.buf));
	strbuf_release(&out);
}

static void
test_names(void)
{
	is("_ZdlPvm", DEMANGLE_SHORT, "operator delete(void*, unsigned long)");
	is("_ZdlPvm", DEMANGLE_NAME, "operator delete");
	is("_Znwm@outside", DEMANGLE_SHORT, "operator new(unsigned long)");
	is("_Znwm@@GLIBCXX_3.4", DEMANGLE_SHORT, "operator new(unsigned long)");
	is("_Z2mkI3CtxJiiEEiDpRT0_", DEMANGLE_WHOLE, "mk<Ctx, int, int>(int&, int&)");
	is("_Z2wpIZ4mainEUliE0_EiiT_", DEMANGLE_NAME, "wp<main::{lambda(int)#2}>");
	is("_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_appendEPKcm", DEMANGLE_SHORT,
	   "std::__cxx11::basic_string<char>::_M_append");
	is("_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l",
	   DEMANGLE_SHORT, "std::__ostream_insert<char>");
	is("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", DEMANGLE_SHORT,
	   "core::fmt::Formatter::pad");
	is("_RNvC6_123foo3bar", DEMANGLE_SHORT, "123foo::bar");
	is("memcpy", DEMANGLE_SHORT, NULL);
	is("_Zone", DEMANGLE_SHORT, NULL);
	is("_Z", DEMANGLE_WHOLE, NULL);
	is("", DEMANGLE_NAME, NULL);
}

static void
test_structors(void)
{
	static const char c1[] = "_ZN1VC1Ei", c2[] = "_ZN1VC2Ei", d0[] = "_ZN1VD0Ev";
	static const char d2[] = "_ZN1VD2Ev";

	check("structors", demangle_same_structor(c1, c2) && demangle_same_structor(d0, d2));
	check("no structors",
	      !demangle_same_structor(c1, "_ZN1VC2El") && !demangle_same_structor(c1, d2) &&
	      !demangle_same_structor("_ZeqRK2ItI2C1ES3_", "_ZeqRK2ItI2C2ES3_") &&
	      !demangle_same_structor("f1", "f2") && !demangle_same_structor("", c1));
}

/* Each type is a function that takes the one before twice: the text doubles each time. */
static void
test_bomb(void)
{
	struct strbuf bomb = STRBUF_INIT, out = STRBUF_INIT;

	strbuf_str(&bomb, "_Z1fPFvvE");
	for (int i = 0; i < 30; i++)
		strbuf_fmt(&bomb, "PFvS%c_S%c_E", i < 10 ? '0' + i : 'A' + i - 10,
			   i < 10 ? '0' + i : 'A' + i - 10);
	check("a text that doubles thirty times is refused",
	      !demangle(&out, bomb.buf, DEMANGLE_WHOLE) && !out.len);
	check("... and is known by its name",
	      demangle(&out, bomb.buf, DEMANGLE_SHORT) && !strcmp(out.buf, "f"));
	strbuf_clear(&out);
	strbuf_clear(&bomb);
	strbuf_str(&bomb, "_Z");
	for (int i = 0; i < 100000; i++)
		strbuf_str(&bomb, "P");
	check("a symbol of 100,000 bytes is refused", !demangle(&out, bomb.buf, DEMANGLE_SHORT));
	strbuf_release(&bomb);
	strbuf_release(&out);
}

/* Whatever stands there, no more than a thousand bytes come out, and no byte is read behind it. */
static void
test_noise(void)
{
	static const char letters[] = "_ZNKSt12EIJLXPRDTCvicbS0_T_FnwdlUlUtM.";
	struct strbuf out = STRBUF_INIT;
	size_t longest = 0;

	srandom(1);
	for (int i = 0; i < 200000; i++) {
		size_t n = 2 + (size_t)random() % 60;
		char *symbol = xcalloc(n + 1, 1);

		memcpy(symbol, i % 9 ? "_Z" : "_R", 2);
		for (size_t k = 2; k < n; k++)
			symbol[k] = letters[(size_t)random() % (sizeof(letters) - 1)];
		strbuf_clear(&out);
		demangle(&out, symbol, (enum demangle_how)(i % 3));
		longest = out.len > longest ? out.len : longest;
		free(symbol);
	}
	check("noise becomes some text, at most a thousand bytes", longest > 10 && longest <= 1000);
	strbuf_release(&out);
}

int
main(void)
{
	test_names();
	test_structors();
	test_bomb();
	test_noise();
	return 0;
}
