#include "collect/import/elf/demangle.h"

#include <ctype.h>
#include <setjmp.h>
#include <string.h>

/* Its header declares a procedure of this name for other arguments. */
#define xrealloc libiberty_xrealloc
#include <libiberty/demangle.h>
#undef xrealloc

enum { LONGEST = 1000, FITS = 60 };

struct printing {
	struct strbuf *out;
	size_t most;
	jmp_buf too_long;
};

/* A short symbol may stand for a text without end. The demangler keeps nothing but its stack. */
static void
take(const char *text, size_t n, void *context)
{
	struct printing *p = context;

	if (n > p->most - p->out->len)
		longjmp(p->too_long, 1);
	strbuf_add(p->out, text, n);
}

/* Also the first of Rust's manglings begins as that of C++. */
static bool
print_symbol(struct strbuf *out, const char *symbol, int options)
{
	struct printing p = { .out = out, .most = out->len + LONGEST };

	if (setjmp(p.too_long))
		return false;
	return rust_demangle_callback(symbol, options, take, &p) ||
	       cplus_demangle_v3_callback(symbol, options, take, &p);
}

static void
cut_out(char *text, size_t n)
{
	memmove(text, text + n, strlen(text + n) + 1);
}

/* std::basic_string<char, std::char_traits<char>, std::allocator<char> > is basic_string<char> to
 * everybody, as to the compiler that prints it. */
static void
leave_out_defaults(char *text)
{
	static const char *const defaults[] = {
		", std::char_traits<char>", ", std::allocator<char>",
		", std::char_traits<wchar_t>", ", std::allocator<wchar_t>",
	};

	for (size_t i = 0; i < sizeof(defaults) / sizeof(*defaults); i++)
		for (char *at = text; (at = strstr(at, defaults[i]));) {
			cut_out(at, strlen(defaults[i]));
			if (at > text && at[-1] != '>' && at[0] == ' ' && at[1] == '>')
				cut_out(at, 1);
		}
}

bool
demangle(struct strbuf *out, const char *symbol, enum demangle_how how)
{
	const int name = DMGL_ANSI, whole = DMGL_ANSI | DMGL_PARAMS | DMGL_RET_DROP;
	size_t before = out->len, n = strcspn(symbol, "@");
	char plain[LONGEST + 1];

	if ((strncmp(symbol, "_Z", 2) && strncmp(symbol, "_R", 2)) || n > LONGEST)
		return false;
	memcpy(plain, symbol, n);
	plain[n] = '\0';
	if (print_symbol(out, plain, how == DEMANGLE_NAME ? name : whole)) {
		leave_out_defaults(out->buf + before);
		out->len = before + strlen(out->buf + before);
		if (how != DEMANGLE_SHORT || out->len - before <= FITS)
			return true;
	}
	if (out->alloc)
		out->buf[out->len = before] = '\0';
	return how == DEMANGLE_SHORT && demangle(out, symbol, DEMANGLE_NAME);
}

/* C1 and C2, D0 to D2, CI1 and CI2. */
bool
demangle_same_structor(const char *a, const char *b)
{
	size_t n = 0;

	while (a[n] && a[n] == b[n])
		n++;
	return n > 1 && isdigit((unsigned char)a[n]) && isdigit((unsigned char)b[n]) &&
	       strchr("CDI", a[n - 1]) && !strcmp(a + n + 1, b + n + 1) &&
	       ((is_gnu_v3_mangled_ctor(a) && is_gnu_v3_mangled_ctor(b)) ||
		(is_gnu_v3_mangled_dtor(a) && is_gnu_v3_mangled_dtor(b)));
}
