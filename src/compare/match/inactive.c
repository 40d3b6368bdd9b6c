/* Which arms of #if were compiled: no preprocessor, as nothing is known of what was defined. An arm
 * with a procedure of the profile was, and so its neighbours were not. */
#include "compare/match/inactive.h"

#include <stdlib.h>
#include <string.h>

#include "compare/match/token.h"
#include "util/mem.h"

enum { MOST_DEPTH = 64 };

struct open_arms {
	size_t arm[MOST_DEPTH], group[MOST_DEPTH]; /* arm: index + 1 */
	bool one[MOST_DEPTH];           /* an arm before has the condition 1 */
	size_t depth, deeper, groups;   /* deeper: too deep to be looked at */
};

/* ---- comments ---- */

/* Returns the position behind the literal that begins at I. */
static size_t
behind_literal(struct slice s, size_t i)
{
	char quote = s.s[i++];

	while (i < s.n && s.s[i] != quote)
		i += s.s[i] == '\\' ? 2 : 1;
	return i + 1;
}

/* Does a comment go on behind the line S, from byte I on, if IN tells whether it begins in one? */
static bool
ends_in_comment(struct slice s, size_t i, bool in)
{
	while (i < s.n) {
		if (in) {
			in = !(s.s[i] == '*' && i + 1 < s.n && s.s[i + 1] == '/');
			i += in ? 1 : 2;
		} else if (s.s[i] == '/' && i + 1 < s.n && s.s[i + 1] == '/') {
			return false;
		} else if (s.s[i] == '/' && i + 1 < s.n && s.s[i + 1] == '*') {
			in = true;
			i += 2;
		} else if (s.s[i] == '"' || s.s[i] == '\'') {
			i = behind_literal(s, i);
		} else {
			i++;
		}
	}
	return in;
}

/* ---- directives ---- */

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Takes the next word off the beginning of S. */
static struct slice
take_word(struct slice *s)
{
	struct slice word = *s;

	while (word.n && is_blank(*word.s)) {
		word.s++;
		word.n--;
	}
	s->s = word.s;
	s->n = word.n;
	while (s->n && !is_blank(*s->s)) {
		s->s++;
		s->n--;
	}
	word.n -= s->n;
	return word;
}

static bool
begins_with(struct slice s, const char *text)
{
	return s.n >= strlen(text) && !memcmp(s.s, text, strlen(text));
}

/* REST: what stands behind the directive's name. */
static void
begin_arm(struct inactive_lines *x, struct open_arms *o, uint32_t line, struct slice rest,
	  bool has_condition)
{
	struct slice condition = take_word(&rest), more = take_word(&rest);
	bool alone = !more.n || begins_with(more, "/*") || begins_with(more, "//");
	size_t d = o->depth - 1;
	struct conditional_arm *arm;

	GROW(x->arms, x->nr + 1, x->alloc);
	arm = &x->arms[x->nr++];
	*arm = (struct conditional_arm){ .first = line + 1, .last = line,
					 .group = o->group[d],
					 .around = d ? o->arm[d - 1] : 0, .left_out = o->one[d] };
	if (has_condition && alone && slice_is(condition, "0"))
		arm->left_out = true;
	if (has_condition && alone && slice_is(condition, "1"))
		o->one[d] = true;
	o->arm[d] = x->nr;
}

static void
end_arm(struct inactive_lines *x, const struct open_arms *o, uint32_t line)
{
	x->arms[o->arm[o->depth - 1] - 1].last = line - 1;
}

static void
begin_group(struct open_arms *o)
{
	o->group[o->depth] = ++o->groups;
	o->one[o->depth++] = false;
}

/* S: what stands behind # on LINE. */
static void
read_conditional(struct inactive_lines *x, struct open_arms *o, uint32_t line, struct slice s)
{
	struct slice name = take_word(&s);
	bool opens = begins_with(name, "if"), ends = begins_with(name, "endif");
	bool is_if = slice_is(name, "if") || slice_is(name, "elif");

	if (opens && o->depth == MOST_DEPTH) {
		o->deeper++;
	} else if (o->deeper) {
		o->deeper -= ends;
	} else if (opens) {
		begin_group(o);
		begin_arm(x, o, line, s, is_if);
	} else if (o->depth && begins_with(name, "el")) {
		end_arm(x, o, line);
		begin_arm(x, o, line, s, is_if);
	} else if (o->depth && ends) {
		end_arm(x, o, line);
		o->depth--;
	}
}

void
inactive_read(struct inactive_lines *x, const struct text *text)
{
	struct open_arms open = { .depth = 0 };
	bool in = false;

	for (uint32_t line = 1; line <= text->nr_lines; line++) {
		struct slice s = text_line(text, line);
		size_t i = 0;

		while (i < s.n && is_blank(s.s[i]))
			i++;
		if (!in && i < s.n && s.s[i] == '#')
			read_conditional(x, &open, line, (struct slice){ s.s + i + 1,
									s.n - i - 1 });
		in = ends_in_comment(s, i, in);
	}
}

/* ---- what was compiled ---- */

/* Returns index + 1 of the last arm that begins on LINE or above; LINE is in none but this and
 * those around it. */
static size_t
arm_above(const struct inactive_lines *x, uint32_t line)
{
	size_t low = 0, high = x->nr;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (x->arms[middle].first <= line)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void
inactive_has_code(struct inactive_lines *x, uint32_t line)
{
	for (size_t i = arm_above(x, line); i; i = x->arms[i - 1].around)
		x->arms[i - 1].compiled |= line <= x->arms[i - 1].last;
}

void
inactive_settle(struct inactive_lines *x)
{
	size_t groups = 0;
	bool *known;

	for (size_t i = 0; i < x->nr; i++)
		groups = x->arms[i].group > groups ? x->arms[i].group : groups;
	known = xcalloc(groups + 1, sizeof(*known));
	for (size_t i = 0; i < x->nr; i++)
		known[x->arms[i].group] |= x->arms[i].compiled;
	for (size_t i = 0; i < x->nr; i++)
		x->arms[i].left_out = !x->arms[i].compiled &&
				      (x->arms[i].left_out || known[x->arms[i].group]);
	free(known);
}

uint32_t
inactive_end(const struct inactive_lines *x, uint32_t line)
{
	for (size_t i = arm_above(x, line); i; i = x->arms[i - 1].around)
		if (x->arms[i - 1].left_out && line <= x->arms[i - 1].last)
			return x->arms[i - 1].last;
	return 0;
}

void
inactive_release(struct inactive_lines *x)
{
	free(x->arms);
}
