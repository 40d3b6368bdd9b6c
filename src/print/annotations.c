#include "print/annotations.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "print/report.h"
#include "show/ledger_words.h"
#include "show/value.h"
#include "util/error.h"
#include "util/text/json.h"
#include "util/text/safe.h"

struct annotations {
	const struct annotations_print *p;
	bool gitlab;
	size_t shown, beyond, nowhere; /* printed; left out beyond the limit, and without a place */
	char (*prints)[17];	       /* fingerprints so far, each once */
	size_t nr_prints, prints_alloc;
};

/* One of them. Texts are raw. */
struct annotation {
	const char *check; /* "more-work" */
	const char *title; /* "more work" */
	const char *path;  /* NULL, or "": it has no place */
	uint32_t line, column;
	const char *procedure, *callee;
	const char *message;
	bool fails; /* the build does */
};

/* ---- paths ---- */

char *
annotations_root(void)
{
	char *at = getcwd(NULL, 0), *slash;
	char *here = at ? xstrdup(at) : xstrdup(".");

	for (; at; *slash = '\0') {
		char *git = xasprintf("%s/.git", at);
		bool found = !access(git, F_OK);

		free(git);
		slash = strrchr(at, '/');
		if (found) {
			free(here);
			return at;
		}
		if (!slash || !*at)
			break;
	}
	free(at);
	return here;
}

/* Returns PATH from the root of the repository; NULL: it is not in it. */
static const char *
in_repository(const struct annotations *a, const char *path)
{
	size_t n = strlen(a->p->root);

	while (n > 1 && a->p->root[n - 1] == '/')
		n--;
	if (!path || !*path || strstr(path, "/../"))
		return NULL;
	if (*path != '/')
		return strncmp(path, "../", 3) ? path : NULL;
	return !strncmp(path, a->p->root, n) && path[n] == '/' && path[n + 1] ? path + n + 1 : NULL;
}

/* ---- GitHub ---- */

/* Appends TEXT as data of a workflow command; in a PROPERTY ':' and ',' end it, too. */
static void
put_github(struct strbuf *out, const char *text, bool property)
{
	struct strbuf safe = STRBUF_INIT;

	safe_str(&safe, text);
	for (size_t i = 0; i < safe.len; i++) {
		unsigned char c = (unsigned char)safe.buf[i];

		if (c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ',')))
			strbuf_fmt(out, "%%%02X", c);
		else
			strbuf_char(out, (char)c);
	}
	strbuf_release(&safe);
}

static void
print_github(const struct annotation *x, const char *path)
{
	struct strbuf out = STRBUF_INIT;

	strbuf_str(&out, x->fails ? "::error " : "::warning ");
	if (path) {
		strbuf_str(&out, "file=");
		put_github(&out, path, true);
		strbuf_fmt(&out, ",line=%" PRIu32 ",", x->line ? x->line : 1);
		if (x->column)
			strbuf_fmt(&out, "col=%" PRIu32 ",", x->column);
	}
	strbuf_str(&out, "title=");
	put_github(&out, x->title, true);
	strbuf_str(&out, "::");
	put_github(&out, x->message, false);
	puts(out.buf);
	strbuf_release(&out);
}

/* ---- GitLab ---- */

static uint64_t
hash_text(uint64_t hash, const char *text)
{
	size_t n = text ? strlen(text) : 0;

	for (size_t i = 0; i <= n; i++)
		hash = (hash ^ (unsigned char)(i < n ? text[i] : 0)) * 0x100000001b3;
	return hash;
}

static bool
is_used(const struct annotations *a, const char *print)
{
	for (size_t i = 0; i < a->nr_prints; i++)
		if (!strcmp(a->prints[i], print))
			return true;
	return false;
}

/* Makes what tells X from all others, and is the same in the next run: neither its line nor its
 * figures, which move. */
static const char *
fingerprint(struct annotations *a, const struct annotation *x, const char *path)
{
	uint64_t hash = hash_text(0xcbf29ce484222325, x->check);
	char print[17];

	hash = hash_text(hash_text(hash_text(hash, path), x->procedure), x->callee);
	do {
		snprintf(print, sizeof(print), "%016" PRIx64, hash);
		hash = hash_text(hash, "again");
	} while (is_used(a, print));
	GROW(a->prints, a->nr_prints + 1, a->prints_alloc);
	memcpy(a->prints[a->nr_prints], print, sizeof(print));
	return a->prints[a->nr_prints++];
}

static void
print_gitlab(struct annotations *a, const struct annotation *x, const char *path)
{
	struct strbuf out = STRBUF_INIT, text = STRBUF_INIT;

	strbuf_fmt(&text, "%s: %s", x->title, x->message);
	strbuf_str(&out, a->shown ? ",\n{\"description\":" : "\n{\"description\":");
	json_quote(&out, text.buf, strlen(text.buf));
	strbuf_clear(&text);
	strbuf_fmt(&text, "cgview/%s", x->check);
	strbuf_str(&out, ",\"check_name\":");
	json_quote(&out, text.buf, strlen(text.buf));
	strbuf_fmt(&out, ",\"fingerprint\":\"%s\",\"severity\":\"%s\",\"location\":{\"path\":",
		   fingerprint(a, x, path), x->fails ? "major" : "minor");
	json_quote(&out, path, strlen(path));
	strbuf_fmt(&out, ",\"lines\":{\"begin\":%" PRIu32 "}}}", x->line ? x->line : 1);
	fputs(out.buf, stdout);
	strbuf_release(&text);
	strbuf_release(&out);
}

/* ---- both ---- */

static void
begin(struct annotations *a, const struct annotations_print *p)
{
	*a = (struct annotations){.p = p, .gitlab = !strcmp(p->format, "gitlab")};
	if (a->gitlab)
		putchar('[');
}

static void
put(struct annotations *a, const struct annotation *x)
{
	size_t limit = a->p->limit == SIZE_MAX ? ANNOTATIONS_MOST : a->p->limit;
	const char *path = in_repository(a, x->path);
	struct strbuf message = STRBUF_INIT;
	struct annotation with = *x;

	if (a->gitlab && !path) {
		a->nowhere++;
		return;
	}
	if (a->shown >= limit) {
		a->beyond++;
		return;
	}
	if (!path && x->path && *x->path) {
		strbuf_fmt(&message, "%s:%" PRIu32 ": %s", x->path, x->line, x->message);
		with.message = message.buf;
	}
	if (a->gitlab)
		print_gitlab(a, &with, path);
	else
		print_github(&with, path);
	a->shown++;
	strbuf_release(&message);
}

static void
end(struct annotations *a)
{
	struct strbuf left = STRBUF_INIT;

	if (a->beyond)
		strbuf_fmt(&left, "%zu more are left out: --limit", a->beyond);
	if (a->nowhere)
		strbuf_fmt(&left, "%s%zu are left out, as they have no place in %s: --root",
			   left.len ? "; " : "", a->nowhere, a->p->root);
	if (a->gitlab)
		puts(a->shown ? "\n]" : "]");
	if (left.len && a->gitlab)
		complain("diff: %s", left.buf);
	else if (left.len)
		printf("::notice title=cgview::%s\n", left.buf);
	free(a->prints);
	strbuf_release(&left);
}

/* ---- a comparison ---- */

/* Appends the figure of a run in the first profile and the last, and the change: "1.20 s to 1.50 s,
 * +25.0%". */
static void
put_figures(struct strbuf *out, const struct diff *d, size_t row)
{
	bool ascii = report_ascii();
	size_t last = comparison_profiles(d->c) - 1;
	struct scalar_value v[2] = {
		compared_value(d->t, row, 0, compared_figure_of(d->t, 0)),
		compared_value(d->t, row, last, compared_figure_of(d->t, last)),
	};

	for (int k = 0; k < 2; k++) {
		if (v[k].type != SCALAR_NULL)
			v[k] = (struct scalar_value){.type = SCALAR_REAL,
						     .real = scalar_number(&v[k]) /
							     comparison_runs(d->c)};
		strbuf_str(out, k ? " to " : "");
		value_print(out, figure_unit(compared_figure(d->t)), &v[k], VALUE_WIDE, VALUE_PLAIN,
			    ascii);
	}
	if (v[0].type == SCALAR_NULL || v[1].type == SCALAR_NULL)
		return;
	strbuf_str(out, ", ");
	value_change(out, &v[0], &v[1]);
}

static const char *
check_of(enum verdict v)
{
	return v == VERDICT_SLOWER	? "slower"
	       : v == VERDICT_MORE_WORK ? "more-work"
	       : v == VERDICT_MORE	? "more"
					: NULL;
}

static void
put_row(struct annotations *a, const struct diff *d, size_t row)
{
	enum verdict verdict = compared_verdict(d->t, row).verdict;
	const char *check = check_of(verdict);
	struct strbuf message = STRBUF_INIT;
	struct annotation x = {.fails = d->fail_if != NULL};
	struct diff_place at;

	if (!check && !d->fail_if)
		return;
	diff_place(d, row, &at);
	x.check = check ? check : "fails";
	x.title = check ? verdict_word(verdict) : "fails";
	x.path = at.path;
	x.line = compared_by(d->t) == BY_FILE ? 1 : at.place.line;
	x.column = compared_by(d->t) == BY_LINE ? 0 : at.place.column;
	x.procedure = at.procedure;
	x.callee = at.callee;
	strbuf_fmt(&message, "%s%s%s: %s of a run ", at.procedure, *at.callee ? " calls " : "",
		   at.callee, figure_name(compared_figure(d->t)));
	put_figures(&message, d, row);
	if (d->fail_if)
		strbuf_fmt(&message, ", so it fails %s", d->fail_if);
	x.message = message.buf;
	put(a, &x);
	strbuf_release(&message);
}

void
annotations_diff(const struct annotations_print *p, const struct diff *d)
{
	struct annotations a;

	begin(&a, p);
	for (size_t i = 0; i < d->nr_rows && report_can_write(); i++)
		put_row(&a, d, d->rows[i]);
	end(&a);
}

/* ---- a ledger ---- */

static const char *
check_of_row(const struct ledger_row *r)
{
	static const char *const checks[] = {
		[LEDGER_MORE_WORK] = "more-work", [LEDGER_NEW] = "new-work",
		[LEDGER_DEARER] = "dearer",	  [LEDGER_MORE_TIME] = "more-time",
		[LEDGER_LESS_TIME] = NULL,	  [LEDGER_BEYOND] = NULL,
	};

	return r->claimed && r->value.amount > 0 ? checks[r->kind] : NULL;
}

/* Where it is in b: the line that changed most, else the procedure. */
static struct place
place_of(const struct ledger *l, const struct ledger_row *r)
{
	struct procedure_row procedure;

	if (r->at[1].file)
		return r->at[1];
	if (r->procedure[1] && profile_procedure(ledger_profile(l, 1), r->procedure[1], &procedure))
		return procedure.place;
	return (struct place){.file = 0};
}

static void
put_ledger_row(struct annotations *a, const struct ledger *l, const struct ledger_row *r)
{
	enum { MOST_ITEMS = 3 };
	struct ledger_unit u = ledger_unit(ledger_head(l), report_ascii());
	const char *check = check_of_row(r);
	struct place at = place_of(l, r);
	struct strbuf message = STRBUF_INIT;
	struct annotation x = {
		.check = check, .procedure = r->name, .line = at.line, .column = at.column};
	size_t nr = 0;

	if (!check)
		return;
	x.path = at.file ? match_path(ledger_match(l), ledger_side(l, 1), at.file) : NULL;
	x.callee = r->nr_items ? r->items[0].name : NULL;
	x.title = ledger_kind_words(r->kind);
	ledger_put_value(&message, &u, &r->value, report_ascii());
	strbuf_fmt(&message, "%s%s a run%s: %s", *u.name ? " " : "", u.name,
		   ledger_head(l)->of == LEDGER_WAIT ? ", waiting" : "", r->name);
	if (*r->uses)
		strbuf_fmt(&message, " uses %s", r->uses);
	for (size_t i = 0; i < r->nr_items && nr < MOST_ITEMS; i++) {
		if (!ledger_is_large(r, &r->items[i]))
			continue;
		strbuf_str(&message, nr++ ? "; " : ": ");
		ledger_put_what(&message, &r->items[i]);
		strbuf_char(&message, ' ');
		ledger_put_change(&message, &r->items[i], report_ascii());
	}
	x.message = message.buf;
	put(a, &x);
	strbuf_release(&message);
}

void
annotations_ledger(const struct annotations_print *p, const struct ledger_print *l)
{
	const struct ledger *ledgers[] = {l->cpu, l->wait};
	struct annotations a;

	begin(&a, p);
	for (size_t k = 0; k < 2 && ledgers[k]; k++)
		for (size_t i = 0; i < ledger_head(ledgers[k])->nr_rows && report_can_write(); i++)
			put_ledger_row(&a, ledgers[k], ledger_row(ledgers[k], i));
	end(&a);
}
