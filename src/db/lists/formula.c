#include "db/lists/formula.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A profile's connection takes expressions of a depth of 50 and statements of 64 kB, for all
 * columns of a listing together. */
enum { MAX_LENGTH = 1000, MAX_DEPTH = 20, MAX_TERMS = 24 };

struct parser {
	const char *at;
	const char *(*find)(void *context, const char *name, size_t length);
	void *context;
	struct strbuf *sql;
	int depth, terms;
};

/* The SQL before, between and behind the arguments. */
static const struct function {
	const char *name;
	int arguments;
	const char *before, *between, *behind;
} functions[] = {
	{ "ratio", 2, "((", ") / (", "))" }, { "share", 2, "(100.0 * (", ") / (", "))" },
	{ "min", 2, "min((", "), (", "))" }, { "max", 2, "max((", "), (", "))" },
	{ "abs", 1, "abs((", "", "))" },
};

static bool take_sum(struct parser *p);

/* Takes C if it is the next character; false: it is not. */
static bool
take(struct parser *p, char c)
{
	p->at += strspn(p->at, " \t");
	if (*p->at != c)
		return false;
	p->at++;
	return true;
}

static bool
take_number(struct parser *p)
{
	char *end;
	double value = strtod(p->at, &end);

	if (end == p->at)
		return false; /* a '.' alone */
	p->at = end;
	strbuf_fmt(p->sql, "(1.0 * %.17g)", value);
	return isfinite(value);
}

static bool
take_arguments(struct parser *p, const struct function *f)
{
	strbuf_str(p->sql, f->before);
	for (int i = 0; i < f->arguments; i++) {
		if (i && !take(p, ','))
			return false;
		strbuf_str(p->sql, i ? f->between : "");
		if (!take_sum(p))
			return false;
	}
	strbuf_str(p->sql, f->behind);
	return take(p, ')');
}

static bool
take_name(struct parser *p)
{
	const char *name = p->at, *sql;
	size_t n = 0;

	while (isalnum((unsigned char)name[n]) || name[n] == '_')
		n++;
	p->at += n;
	if (take(p, '(')) {
		for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
			if (strlen(functions[i].name) == n && !memcmp(functions[i].name, name, n))
				return take_arguments(p, &functions[i]);
		}
		return false;
	}
	sql = p->find(p->context, name, n);
	strbuf_str(p->sql, "(1.0 * ");
	strbuf_str(p->sql, sql ? sql : "");
	strbuf_char(p->sql, ')');
	return sql != NULL;
}

static bool
take_factor(struct parser *p)
{
	if (take(p, '-')) {
		strbuf_str(p->sql, " - ");
		return ++p->terms <= MAX_TERMS && take_factor(p);
	}
	if (take(p, '(')) {
		strbuf_char(p->sql, '(');
		if (!take_sum(p) || !take(p, ')'))
			return false;
		strbuf_char(p->sql, ')');
		return true;
	}
	if (isalpha((unsigned char)*p->at))
		return take_name(p);
	return (isdigit((unsigned char)*p->at) || *p->at == '.') && take_number(p);
}

/* Takes factors with * and / between them, which SQL binds before + and -, as formulas do. */
static bool
take_terms(struct parser *p)
{
	static const char signs[] = "+-*/";

	for (;;) {
		const char *sign = signs;

		if (++p->terms > MAX_TERMS || !take_factor(p))
			return false;
		while (*sign && !take(p, *sign))
			sign++;
		if (!*sign)
			return true;
		strbuf_fmt(p->sql, " %c ", *sign);
	}
}

static bool
take_sum(struct parser *p)
{
	bool good = ++p->depth <= MAX_DEPTH && take_terms(p);

	p->depth--;
	return good;
}

bool
formula_sql(const char *formula,
	    const char *(*find)(void *context, const char *name, size_t length), void *context,
	    struct strbuf *sql)
{
	struct parser p = { .at = formula, .find = find, .context = context, .sql = sql };

	return strlen(formula) <= MAX_LENGTH && take_sum(&p) && take(&p, '\0');
}
