/* Reading an expression: names of figures become parameters, all else is checked token by token
 * and then left to SQLite. Each token of the SQL knows its place in the text, so that errors have
 * one. */
#include "compare/expression.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "db/lists/wings.h"
#include "util/mem.h"

/* ---- names ---- */

static const char *const run_figures[NR_RUN_FIGURES] = {
	[RUN_COUNT] = "count", [RUN_CALLS] = "calls", [RUN_SELF_NS] = "self_ns",
	[RUN_SELF_SAMPLES] = "self_samples", [RUN_CPU_NS] = "cpu_ns", [RUN_USER_NS] = "user_ns",
	[RUN_SYSTEM_NS] = "system_ns", [RUN_WALL_NS] = "wall_ns", [RUN_WAIT_NS] = "wait_ns",
	[RUN_RUNS] = "runs", [RUN_SIZE] = "size",
};

const char *
run_figure_name(enum run_figure f)
{
	return run_figures[f];
}

static bool
is_wait(enum figure f)
{
	return f == FIGURE_SELF_WAIT_NS || f == FIGURE_TOTAL_WAIT_NS;
}

/* ---- tokens ---- */

enum token_kind {
	TOKEN_NAME, TOKEN_LABEL, TOKEN_NUMBER, TOKEN_STRING, TOKEN_SIGN, TOKEN_END
};

struct token {
	enum token_kind kind;
	int at, length;          /* in the text */
};

struct piece { int sql, text; }; /* places that correspond */

/* An open parenthesis. */
struct call {
	enum { CALL_OTHER, CALL_GROWTH, CALL_SIGNIF } what;
	int at, length;          /* the name in the text */
	int argument;            /* number of the one that is being read */
	int tokens[2];           /* tokens of each argument */
	bool several[2];         /* there are references to more than one profile */
	bool refers[2];          /* there are any */
	struct reference last[2];/* the last one */
	bool plain[2];           /* nothing but references */
};

enum { MAX_DEPTH = 50, EXTRA_SIGNIFICANCE = 1, NR_EXTRA = 3 };

/* What does not differ from row to row: a total of a profile, the size of its input, what a sample
 * stands for in it, how much its figures vary besides. */
struct constant {
	enum {
		CONSTANT_RUN, CONSTANT_SIZE, CONSTANT_INTERVAL, CONSTANT_WAIT, CONSTANT_ONE,
		CONSTANT_VARIANCE,
	} what;
	enum run_figure run;
	size_t profile;
};

struct expression {
	char *text;
	struct scalar *scalar;
	struct constant constants[SCALAR_MAX_PARAMETERS];
	int nr_constants;
	struct reference references[MAX_REFERENCES];
	size_t nr_references;
	bool has_value, uses_value, uses_significance;
	struct threshold thresholds[MAX_THRESHOLDS];
	size_t nr_thresholds;
	enum column_unit unit;
	bool rate;               /* see expression_rate() */
};

struct parser {
	struct expression *e;
	const struct expression_context *c;
	struct expression_error *err;
	const char *text;
	int at;
	struct token token, next;
	struct strbuf sql;
	struct piece *pieces;
	size_t nr_pieces, pieces_alloc;
	struct call calls[MAX_DEPTH];
	int depth;
	bool plain;              /* only figures of one unit, + - ( ) and numbers behind a * */
	int plain_unit;          /* -1: no figure yet */
	int figures, divisions;  /* so many in the text */
	bool other;              /* something besides these */
};

/* Parameters: the references, then what goes with has_value, then thresholds and constants. */
enum {
	FIRST_EXTRA = MAX_REFERENCES + 1,
	FIRST_THRESHOLD = FIRST_EXTRA + NR_EXTRA,
	FIRST_CONSTANT = FIRST_THRESHOLD + MAX_THRESHOLDS
};

static const char *const extra_names[NR_EXTRA] = { "value", "significance", "sides" };

static int
fail(struct parser *p, const struct token *t, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
static int
fail(struct parser *p, const struct token *t, const char *format, ...)
{
	char text[300];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	if (!p->err->error.set) {
		p->err->place = t->at;
		p->err->length = t->length;
	}
	return error_set(&p->err->error, "%s", text);
}

static bool
is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static int
number_length(const char *s)
{
	int n = 0;

	if (*s == '0' && (s[1] == 'x' || s[1] == 'X')) {
		for (n = 2; isxdigit((unsigned char)s[n]); n++) {}
		return n;
	}
	while (isdigit((unsigned char)s[n]) || s[n] == '.')
		n++;
	if (s[n] == 'e' || s[n] == 'E') {
		int k = n + 1 + (s[n + 1] == '+' || s[n + 1] == '-');

		if (isdigit((unsigned char)s[k])) {
			for (n = k; isdigit((unsigned char)s[n]); n++) {}
		}
	}
	return n;
}

static int
string_length(struct parser *p, const struct token *t)
{
	const char *s = p->text + t->at;
	int n = 1;

	for (; s[n]; n++) {
		if (s[n] == '\'' && s[n + 1] == '\'')
			n++;
		else if (s[n] == '\'')
			return n + 1;
	}
	fail(p, &(struct token){ TOKEN_STRING, t->at, n }, "this text has no end");
	return -1;
}

static int
check_sign(struct parser *p, const struct token *t)
{
	const char *s = p->text + t->at;

	if (*s == ';')
		return fail(p, t, "one expression is wanted: no ';'");
	if (*s == '/' && s[1] == '/')
		return fail(p, &(struct token){ TOKEN_SIGN, t->at, 2 },
			    "one '/' divides; cast(x / y as integer) is the whole number");
	if ((*s == '-' && s[1] == '-') || (*s == '/' && s[1] == '*'))
		return fail(p, &(struct token){ TOKEN_SIGN, t->at, 2 },
			    "SQL takes this for a comment: put a space between");
	if (*s == '"' || *s == '`' || *s == '[')
		return fail(p, t, "names are written without quotes, texts in '...'; only what "
			    "another tool calls its measure stands in b.\"...\"");
	if (!strchr("+-*/%(),<>=!|&~.", *s))
		return fail(p, t, "this has no place in an expression");
	return 0;
}

static int
scan(struct parser *p, struct token *t)
{
	const char *s;

	while (p->text[p->at] && strchr(" \t\r\n", p->text[p->at]))
		p->at++;
	s = p->text + p->at;
	*t = (struct token){ TOKEN_SIGN, p->at, 1 };
	if (!*s) {
		t->kind = TOKEN_END;
		t->length = 0;
	} else if (isalpha((unsigned char)*s) || *s == '_') {
		t->kind = TOKEN_NAME;
		while (is_name_char(s[t->length]))
			t->length++;
	} else if (isdigit((unsigned char)*s) || (*s == '.' && isdigit((unsigned char)s[1]))) {
		t->kind = TOKEN_NUMBER;
		t->length = number_length(s);
	} else if (*s == '\'') {
		t->kind = TOKEN_STRING;
		t->length = string_length(p, t);
		if (t->length < 0)
			return -1;
	} else if (*s == '"' && p->at && s[-1] == '.' && strchr(s + 1, '"')) {
		t->kind = TOKEN_LABEL;
		t->length = (int)(strchr(s + 1, '"') - s) + 1;
	} else if (check_sign(p, t)) {
		return -1;
	}
	p->at += t->length;
	return 0;
}

static int
advance(struct parser *p)
{
	p->token = p->next;
	return scan(p, &p->next);
}

static bool
is_sign(const struct parser *p, const struct token *t, char c)
{
	return t->kind == TOKEN_SIGN && p->text[t->at] == c;
}

static bool
is_word(const struct parser *p, const struct token *t, const char *word)
{
	return t->kind == TOKEN_NAME && (int)strlen(word) == t->length &&
	       !strncasecmp(p->text + t->at, word, (size_t)t->length);
}

/* ---- the SQL ---- */

static void
emit(struct parser *p, const struct token *t, const char *sql, size_t n)
{
	GROW(p->pieces, p->nr_pieces + 1, p->pieces_alloc);
	strbuf_char(&p->sql, ' ');
	p->pieces[p->nr_pieces++] = (struct piece){ (int)p->sql.len, t->at };
	strbuf_add(&p->sql, sql, n);
}

static void
emit_token(struct parser *p)
{
	emit(p, &p->token, p->text + p->token.at, (size_t)p->token.length);
}

static void
emit_parameter(struct parser *p, const struct token *t, int number)
{
	char sql[16];
	int n = snprintf(sql, sizeof(sql), "?%d", number);

	emit(p, t, sql, (size_t)n);
}

static int
emit_constant(struct parser *p, const struct token *t, struct constant constant)
{
	struct expression *e = p->e;

	if (FIRST_CONSTANT + e->nr_constants > SCALAR_MAX_PARAMETERS)
		return fail(p, t, "too many totals in one expression");
	emit_parameter(p, t, FIRST_CONSTANT + e->nr_constants);
	e->constants[e->nr_constants++] = constant;
	return 0;
}

/* Signs of two characters stay together. */
static int
emit_sign(struct parser *p)
{
	static const char *const doubles[] = { "<=", ">=", "<>", "!=", "==", "||", "<<", ">>" };
	const char *s = p->text + p->token.at;

	for (size_t i = 0; i < sizeof(doubles) / sizeof(doubles[0]); i++) {
		if (!strncmp(s, doubles[i], 2)) {
			emit(p, &p->token, s, 2);
			return advance(p);
		}
	}
	if (*s == '.')
		return fail(p, &p->token, "a '.' stands behind a profile, as in a.count");
	if (!strchr("+-*", *s))
		p->plain = false;
	p->divisions += *s == '/';
	p->other |= *s != '/';
	/* SQL divides whole numbers without a rest: 1.3 times as much would be 1. */
	if (*s == '/')
		emit(p, &p->token, "* 1.0", 5);
	emit_token(p);
	return 0;
}

/* ---- calls ---- */

static struct call *
innermost(struct parser *p)
{
	return p->depth ? &p->calls[p->depth - 1] : NULL;
}

/* Something stands in the argument of growth() or significance(), at whatever depth. */
static void
note_token(struct parser *p, const struct reference *reference)
{
	for (int i = 0; i < p->depth; i++) {
		struct call *call = &p->calls[i];
		int a = call->argument;

		if (call->what == CALL_OTHER || a > 1)
			continue;
		call->tokens[a]++;
		if (!reference) {
			call->plain[a] = false;
			continue;
		}
		call->several[a] |= call->refers[a] &&
				    call->last[a].profile != reference->profile;
		call->refers[a] = true;
		call->last[a] = *reference;
	}
}

static int
open_call(struct parser *p, const struct token *name)
{
	struct call *call;

	if (p->depth == MAX_DEPTH)
		return fail(p, &p->token, "too many parentheses");
	note_token(p, NULL);
	call = &p->calls[p->depth++];
	*call = (struct call){ .what = CALL_OTHER, .plain = { true, true } };
	if (!name)
		return 0;
	call->at = name->at;
	call->length = name->length;
	if (is_word(p, name, "growth"))
		call->what = CALL_GROWTH;
	else if (is_word(p, name, "significance") || is_word(p, name, "signif"))
		call->what = CALL_SIGNIF;
	return 0;
}

/* Returns what a sample of R stands for. */
static struct constant
interval_of(const struct reference *r)
{
	struct constant c = { .what = CONSTANT_INTERVAL, .profile = r->profile };

	if (figure_unit((enum figure)r->figure) == UNIT_SAMPLES)
		c.what = CONSTANT_ONE;
	else if (is_wait((enum figure)r->figure))
		c.what = CONSTANT_WAIT;
	return c;
}

/* Adds what growth() and significance() get besides their two arguments. */
static int
close_special(struct parser *p, const struct call *call)
{
	const char *name = call->what == CALL_GROWTH ? "growth" : "significance";
	struct token t = { TOKEN_NAME, call->at, call->length };

	if (call->argument != 1 || !call->tokens[0] || !call->tokens[1])
		return fail(p, &t, "%s() has two arguments", name);
	for (int i = 0; i < 2; i++) {
		bool growth = call->what == CALL_GROWTH;
		struct constant c = interval_of(&call->last[i]);

		if (!call->refers[i] || call->several[i])
			return fail(p, &t, "each argument of %s() is of one profile, as in %s",
				    name, growth ? "growth(a.count, b.count)" :
				    "significance(a.self_ns, b.self_ns)");
		if (!growth &&
		    (call->tokens[i] != 1 || !call->plain[i] ||
		     !figure_is_sampled((enum figure)call->last[i].figure)))
			return fail(p, &t, "significance() compares two sampled figures as they "
				    "are: significance(a.self_ns, b.self_ns); counts have no "
				    "error");
		if (growth)
			c.what = CONSTANT_SIZE;
		emit(p, &p->token, ",", 1);
		if (emit_constant(p, &t, c))
			return -1;
		if (growth)
			continue;
		c.what = CONSTANT_VARIANCE;
		emit(p, &p->token, ",", 1);
		if (emit_constant(p, &t, c))
			return -1;
	}
	return 0;
}

static int
take_parenthesis(struct parser *p)
{
	struct call *call = innermost(p);

	p->other = true;
	if (is_sign(p, &p->token, '(')) {
		if (open_call(p, NULL))
			return -1;
	} else if (!call) {
		return fail(p, &p->token, is_sign(p, &p->token, ',') ?
			    "one expression is wanted, not several" :
			    "this closes nothing that was opened");
	} else if (is_sign(p, &p->token, ',')) {
		call->argument++;
	} else {
		if (call->what != CALL_OTHER && close_special(p, call))
			return -1;
		p->depth--;
	}
	if (is_sign(p, &p->token, ','))
		p->plain = false;
	emit_token(p);
	return 0;
}

/* ---- names ---- */

static const char *const words[] = {
	"and", "or", "not", "is", "isnull", "notnull", "null", "between", "in", "like", "glob",
	"case", "when", "then", "else", "end", "cast", "as", "integer", "real", "numeric", "text",
	"true", "false", "escape", "distinct", "from",
};

static void
list_names(struct strbuf *out, const struct parser *p, bool run)
{
	int n = run ? NR_RUN_FIGURES : FIGURES_MAX;

	for (int i = 0; i < n; i++) {
		if (!run && !(p->c->figures & FIGURE_BIT(i)))
			continue;
		strbuf_str(out, out->len ? ", " : "");
		strbuf_str(out, run ? run_figures[i] : figure_name((enum figure)i));
	}
}

/* Returns what would have brought the figure NAME (N bytes), NULL: nothing would. */
static const char *
what_brings(const char *name, size_t n)
{
	size_t skip = n > 6 && !strncmp(name, "total_", 6) ? 6 : 0;
	char *word = xasprintf(" %.*s ", (int)(n - skip), name + skip);
	const char *how = NULL;

	for (int w = WING_NONE + 1; w < NR_WINGS && !how; w++)
		if (wings[w].figures && strstr(wings[w].figures, word))
			how = wings[w].how;
	free(word);
	return how;
}

static int
unknown_figure(struct parser *p, const struct token *t, bool known, bool run)
{
	struct strbuf names = STRBUF_INIT;
	const char *how = run || known ? NULL : what_brings(p->text + t->at, (size_t)t->length);

	if (how)
		return fail(p, t, "no profile has %.*s: %s", t->length, p->text + t->at, how);
	list_names(&names, p, run);
	if (known)
		fail(p, t, "%s do not have %.*s: they have %s", p->c->things, t->length,
		     p->text + t->at, names.buf);
	else
		fail(p, t, "%s is one of %s", run ? "a total" : "a figure", names.buf);
	strbuf_release(&names);
	return -1;
}

static int
add_reference(struct parser *p, const struct token *t, struct reference r)
{
	size_t i = 0;
	struct expression *e = p->e;

	while (i < e->nr_references && (e->references[i].profile != r.profile ||
					e->references[i].figure != r.figure))
		i++;
	if (i == MAX_REFERENCES)
		return fail(p, t, "too many figures in one expression");
	if (i == e->nr_references)
		e->references[e->nr_references++] = r;
	if (p->plain_unit < 0)
		p->plain_unit = (int)figure_unit((enum figure)r.figure);
	if (p->plain_unit != (int)figure_unit((enum figure)r.figure))
		p->plain = false;
	emit_parameter(p, t, (int)i + 1);
	note_token(p, &r);
	p->figures++;
	return 0;
}

/* A profile's name, then what stands behind the '.'. */
static int
take_run_figure(struct parser *p, size_t profile)
{
	struct token whole = p->token;

	if (advance(p) || advance(p))
		return -1;
	p->other = true;
	for (int f = 0; f < NR_RUN_FIGURES; f++) {
		const struct constant c = {
			.what = f == RUN_SIZE ? CONSTANT_SIZE : CONSTANT_RUN,
			.run = (enum run_figure)f, .profile = profile,
		};

		if (!is_word(p, &p->token, run_figures[f]))
			continue;
		p->plain = false;
		note_token(p, NULL);
		return emit_constant(p, &whole, c);
	}
	return unknown_figure(p, &p->token, false, true);
}

/* The figure among those of MASK that the token names. */
static enum figure
find_figure(const struct parser *p, uint64_t mask)
{
	if (p->token.kind == TOKEN_LABEL)
		return figure_find_label(p->text + p->token.at + 1, (size_t)p->token.length - 2,
					 mask);
	if (p->token.kind != TOKEN_NAME)
		return FIGURES_MAX;
	return figure_find(p->text + p->token.at, (size_t)p->token.length, mask);
}

static int
wrong_profile(struct parser *p)
{
	size_t nr = p->c->nr_profiles;

	if (nr > PROFILE_LETTERS)
		return fail(p, &p->token, "profiles are called a to z and p%d to %s",
			    PROFILE_LETTERS + 1, sides_name(nr - 1));
	return fail(p, &p->token, "profiles are called a to %s", sides_name(nr - 1));
}

static int
take_figure(struct parser *p)
{
	enum figure f;
	int profile = sides_find(p->text + p->token.at, (size_t)p->token.length);
	struct token whole = p->token;

	if (profile < 0 || (size_t)profile >= p->c->nr_profiles)
		return wrong_profile(p);
	if (advance(p) || advance(p))
		return -1;
	if (is_word(p, &p->token, "run") && is_sign(p, &p->next, '.'))
		return take_run_figure(p, (size_t)profile);
	f = find_figure(p, p->c->figures);
	if (f == FIGURES_MAX)
		return unknown_figure(p, &p->token, find_figure(p, UINT64_MAX) != FIGURES_MAX,
				      false);
	whole.length = p->token.at + p->token.length - whole.at;
	return add_reference(p, &whole, (struct reference){ (uint16_t)profile, (uint16_t)f });
}

static int
take_word(struct parser *p)
{
	enum figure f;

	p->other = true;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (is_word(p, &p->token, words[i])) {
			p->plain = false;
			note_token(p, NULL);
			emit_token(p);
			return 0;
		}
	}
	for (int i = 0; p->c->has_value && i < NR_EXTRA; i++) {
		if (is_word(p, &p->token, extra_names[i])) {
			p->plain = false;
			p->e->uses_value = true;
			p->e->uses_significance |= i == EXTRA_SIGNIFICANCE;
			note_token(p, NULL);
			emit_parameter(p, &p->token, FIRST_EXTRA + i);
			return 0;
		}
	}
	f = find_figure(p, UINT64_MAX);
	if (f != FIGURES_MAX)
		return fail(p, &p->token, "say which profile: a.%s or b.%s", figure_name(f),
			    figure_name(f));
	return fail(p, &p->token, "no such name: figures are written a.count, functions f(...)");
}

/* ---- thresholds ---- */

static const struct threshold_form *
find_threshold(const struct parser *p)
{
	const struct threshold_form *form = threshold_forms;

	if (!p->c->has_value || !is_sign(p, &p->next, '('))
		return NULL;
	while (form->is.name && !is_word(p, &p->token, form->is.name))
		form++;
	return form->is.name ? form : NULL;
}

/* Reads one argument: a number with a '%', or an amount with its unit. */
static int
take_limit(struct parser *p, const struct threshold_form *form, struct threshold *t,
	   bool *given)
{
	const struct threshold_unit *unit = form->units;
	double n = strtod(p->text + p->token.at, NULL);

	if (p->token.kind != TOKEN_NUMBER)
		goto wrong;
	if (is_sign(p, &p->next, '%')) {
		if (given[0])
			goto wrong;
		given[0] = true;
		t->relative = n / 100;
		return advance(p) || advance(p) ? -1 : 0;
	}
	while (unit->name && !is_word(p, &p->next, unit->name))
		unit++;
	if (unit->amount == 0 || (!unit->name && p->next.kind == TOKEN_NAME) || given[1])
		goto wrong;
	given[1] = true;
	t->absolute = n * unit->amount;
	return advance(p) || (unit->name && advance(p)) ? -1 : 0;
wrong:
	return fail(p, &p->token, "%s", form->takes);
}

/* Leaves the closing parenthesis as the token. */
static int
take_threshold(struct parser *p, const struct threshold_form *form)
{
	struct token name = p->token;
	struct threshold *t = &p->e->thresholds[p->e->nr_thresholds];
	bool given[2] = { false, false };

	if (p->e->nr_thresholds == MAX_THRESHOLDS)
		return fail(p, &name, "at most %d thresholds", MAX_THRESHOLDS);
	*t = form->is;
	if (form->figure)
		t->figure = figure_find(form->figure, strlen(form->figure), p->c->figures);
	if (t->figure == FIGURES_MAX)
		return fail(p, &name, "%s(): no profile has %s: %s", t->name, form->figure,
			    what_brings(form->figure, strlen(form->figure)));
	p->e->nr_thresholds++;
	p->plain = false;
	note_token(p, NULL);
	emit_parameter(p, &name, FIRST_THRESHOLD + (int)p->e->nr_thresholds - 1);
	if (advance(p) || advance(p))
		return -1;
	for (bool first = true; first || is_sign(p, &p->token, ','); first = false) {
		if (first && is_sign(p, &p->token, ')'))
			return 0;
		if ((!first && advance(p)) || take_limit(p, form, t, given))
			return -1;
	}
	return is_sign(p, &p->token, ')') ? 0 : fail(p, &p->token, "a ')' is missing");
}

static int
take_name(struct parser *p)
{
	struct token name = p->token;
	const struct threshold_form *threshold = find_threshold(p);

	p->other |= !is_sign(p, &p->next, '.');
	if (threshold)
		return take_threshold(p, threshold);
	if (is_sign(p, &p->next, '.'))
		return take_figure(p);
	if (!is_sign(p, &p->next, '(') || is_word(p, &name, "and") || is_word(p, &name, "or") ||
	    is_word(p, &name, "not") || is_word(p, &name, "in") || is_word(p, &name, "when") ||
	    is_word(p, &name, "then") || is_word(p, &name, "else") || is_word(p, &name, "case") ||
	    is_word(p, &name, "between"))
		return take_word(p);
	p->plain = false;
	emit_token(p);
	if (advance(p) || open_call(p, &name))
		return -1;
	emit_token(p);
	return 0;
}

/* ---- the whole ---- */

static int
take(struct parser *p)
{
	switch (p->token.kind) {
	case TOKEN_NAME:
		return take_name(p);
	case TOKEN_SIGN:
		if (strchr("(),", p->text[p->token.at]))
			return take_parenthesis(p);
		note_token(p, NULL);
		return emit_sign(p);
	case TOKEN_STRING:
	case TOKEN_LABEL:
		p->plain = false;
		/* fall through */
	default:
		p->other = true;
		note_token(p, NULL);
		emit_token(p);
		return 0;
	}
}

/* Is it a figure over another one, which is something else? */
static bool
is_rate(const struct parser *p)
{
	const struct reference *r = p->e->references;
	enum column_unit of = figure_unit((enum figure)r[0].figure);
	enum column_unit by = figure_unit((enum figure)r[1].figure);

	return p->figures == 2 && p->e->nr_references == 2 && p->divisions == 1 && !p->other &&
	       r[0].figure != r[1].figure &&
	       (of != by || r[0].figure >= NR_FIGURES || r[1].figure >= NR_FIGURES);
}

/* Differences and sums of times are times; what the helpers give is what they say. */
static enum column_unit
guess_unit(const struct parser *p)
{
	static const struct { const char *call; enum column_unit unit; } calls[] = {
		{ "ratio(", UNIT_FACTOR }, { "share(", UNIT_PERCENT }, { "growth(", UNIT_GROWTH },
		{ "significance(", UNIT_DEVIATIONS }, { "signif(", UNIT_DEVIATIONS },
	};

	if (p->plain && (p->plain_unit == UNIT_NS || p->plain_unit == UNIT_BYTES))
		return (enum column_unit)p->plain_unit;
	if (p->plain && p->plain_unit >= 0)
		return UNIT_COUNT;
	if (p->e->rate)
		return figure_unit((enum figure)p->e->references[0].figure) == UNIT_NS
		       ? UNIT_NS_EACH : UNIT_EACH;
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		if (!strncasecmp(p->text, calls[i].call, strlen(calls[i].call)))
			return calls[i].unit;
	}
	return UNIT_VALUE;
}

static int
parse(struct parser *p)
{
	if (strlen(p->text) > MAX_EXPRESSION)
		return error_set(&p->err->error, "the expression is longer than %d bytes",
				 MAX_EXPRESSION);
	if (scan(p, &p->next) || advance(p))
		return -1;
	if (p->token.kind == TOKEN_END)
		return error_set(&p->err->error, "the expression is empty");
	while (p->token.kind != TOKEN_END) {
		if (take(p) || advance(p))
			return -1;
	}
	if (p->depth)
		return fail(p, &p->token, "a ')' is missing");
	p->e->rate = is_rate(p);
	p->e->unit = guess_unit(p);
	return 0;
}

/* The place in the text of a place in the SQL. */
static int
place_in_text(const struct parser *p, int sql)
{
	int place = -1;

	for (size_t i = 0; sql >= 0 && i < p->nr_pieces && p->pieces[i].sql <= sql; i++)
		place = p->pieces[i].text + (sql - p->pieces[i].sql);
	return place > (int)strlen(p->text) ? (int)strlen(p->text) : place;
}

static int
prepare(struct parser *p)
{
	struct error error = ERROR_INIT;
	int place;

	p->e->scalar = scalar_open(p->sql.buf, SCALAR_MAX_PARAMETERS, &error, &place);
	if (!p->e->scalar) {
		p->err->place = place_in_text(p, place);
		p->err->length = p->err->place >= 0;
		return error_set(&p->err->error, "%s", error.text);
	}
	if (p->c->profiles)
		expression_take(p->e, p->c->profiles);
	expression_deadline(p->e, 10000);
	return 0;
}

struct expression *
expression_compile(const char *text, const struct expression_context *c,
		   struct expression_error *err)
{
	struct expression *e = xcalloc(1, sizeof(*e));
	struct parser *p = xcalloc(1, sizeof(*p));
	int result;

	err->place = -1;
	err->length = 0;
	e->text = xstrdup(text);
	e->has_value = c->has_value;
	*p = (struct parser){ .e = e, .c = c, .err = err, .text = e->text, .sql = STRBUF_INIT,
			      .plain = true, .plain_unit = -1 };
	result = parse(p) || prepare(p);
	strbuf_release(&p->sql);
	free(p->pieces);
	free(p);
	if (!result)
		return e;
	expression_free(e);
	return NULL;
}

void
expression_free(struct expression *e)
{
	if (!e)
		return;
	scalar_close(e->scalar);
	free(e->text);
	free(e);
}

const char *
expression_text(const struct expression *e)
{
	return e->text;
}

enum column_unit
expression_unit(const struct expression *e)
{
	return e->unit;
}

const struct reference *
expression_references(const struct expression *e, size_t *nr)
{
	*nr = e->nr_references;
	return e->references;
}

enum figure
expression_figure(const struct expression *e)
{
	return e->nr_references ? (enum figure)e->references[0].figure : FIGURE_COUNT;
}

enum figure
expression_figure_of(const struct expression *e, size_t profile)
{
	enum figure main = expression_figure(e), of = FIGURES_MAX;

	for (size_t i = 0; i < e->nr_references; i++) {
		const struct reference *r = &e->references[i];

		if (r->profile == profile && (of == FIGURES_MAX || (enum figure)r->figure == main))
			of = (enum figure)r->figure;
	}
	return of == FIGURES_MAX ? main : of;
}

const struct reference *
expression_rate(const struct expression *e)
{
	return e->rate ? e->references : NULL;
}

const struct threshold *
expression_thresholds(const struct expression *e, size_t *nr)
{
	*nr = e->nr_thresholds;
	return e->thresholds;
}

bool
expression_uses_value(const struct expression *e)
{
	return e->uses_value;
}

bool
expression_uses_significance(const struct expression *e)
{
	return e->uses_significance;
}

static struct scalar_value
constant_of(const struct constant *c, const struct expression_profile *p)
{
	struct scalar_value v = { .type = SCALAR_REAL, .real = 1 };

	switch (c->what) {
	case CONSTANT_RUN:
		return p->run[c->run];
	case CONSTANT_SIZE:
		return p->run[p->run[RUN_SIZE].type == SCALAR_NULL ? RUN_COUNT : RUN_SIZE];
	case CONSTANT_INTERVAL:
		v.real = p->interval_ns;
		break;
	case CONSTANT_WAIT:
		v.real = p->wait_interval_ns;
		break;
	case CONSTANT_VARIANCE:
		v.real = p->variance;
		break;
	case CONSTANT_ONE:
		break;
	}
	return v;
}

void
expression_take(struct expression *e, const struct expression_profile *profiles)
{
	for (int i = 0; i < e->nr_constants; i++) {
		const struct constant *c = &e->constants[i];
		const struct scalar_value v = constant_of(c, &profiles[c->profile]);

		scalar_bind(e->scalar, FIRST_CONSTANT + i, &v);
	}
}

void
expression_deadline(struct expression *e, unsigned ms)
{
	scalar_deadline(e->scalar, ms);
}

int
expression_evaluate(struct expression *e, const struct scalar_value *values,
		    const struct expression_extra *extra, struct scalar_value *value,
		    struct error *err)
{
	for (size_t i = 0; i < e->nr_references; i++)
		scalar_bind(e->scalar, (int)i + 1, &values[i]);
	if (e->has_value && extra) {
		scalar_bind(e->scalar, FIRST_EXTRA, &extra->value);
		scalar_bind(e->scalar, FIRST_EXTRA + 1, &extra->significance);
		scalar_bind(e->scalar, FIRST_EXTRA + 2, &extra->sides);
		for (size_t i = 0; i < e->nr_thresholds; i++) {
			const struct scalar_value met = {
				.type = extra->met[i] < 0 ? SCALAR_NULL : SCALAR_INTEGER,
				.integer = extra->met[i],
			};

			scalar_bind(e->scalar, FIRST_THRESHOLD + (int)i, &met);
		}
	}
	return scalar_run(e->scalar, value, err);
}
