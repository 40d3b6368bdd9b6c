/* cgview report --by tree: the calls as a tree, printed. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd_output.h"
#include "cmd/common_options.h"
#include "print/report.h"
#include "show/human.h"
#include "show/tree_rows.h"
#include "solve/subset.h"
#include "util/error.h"
#include "util/path.h"
#include "util/safe.h"

struct tree_report {
	const char *path, *procedure;
	struct tree_want want;
	const char *min_text;
	uint32_t min_ppm;
	size_t limit, depth;
	bool unfolded;
	int format, from;        /* enum output_format, tree_from */
	const char *threads, *runs;

	struct profile *p;
	struct tree_rows *rows;
	uint64_t min;
};

enum { DEFAULT_ROWS = 5000, MOST_ROWS = 200000 };

/* ---- options ---- */

enum tree_from { FROM_EITHER = -1, FROM_CONTEXTS, FROM_ARCS };
static const char *const sources[] = {
	[FROM_CONTEXTS] = "contexts", [FROM_ARCS] = "arcs", NULL
};

static void
set_by(void *report, char *name)
{
	(void)report;
	if (strcmp(name, "tree"))
		die(2, "report: --by %s and --by tree: which one?", name);
}

static void
set_procedure(void *report, char *name)
{
	struct tree_report *r = report;

	r->procedure = name;
	r->want.bottom_up = true;
}

static void
set_min(void *report, char *text)
{
	struct tree_report *r = report;

	if (list_parse_percent(text, &r->min_ppm) < 0)
		die(2, "report: --min %s: it is a number of percent, 0 to 100", text);
	r->min_text = text;
}

#define AT(member) .offset = offsetof(struct tree_report, member)
static const struct option_row option_rows[] = {
	{ "by", 0, "WHAT", NULL, OPTION_CALL, .set = set_by },
	{ "from", 0, "SOURCE", "contexts: the stacks that were sampled (the default where there\n"
	  "are any); arcs: time shared out by calls, an estimate",
	  OPTION_CHOICE, AT(from), .choices = sources },
	{ "bottom-up", 0, NULL, "from each procedure up to its callers, by self time",
	  OPTION_FLAG, AT(want.bottom_up) },
	{ "procedure", 0, "NAME", "bottom-up: of this procedure only, by total time",
	  OPTION_CALL, .set = set_procedure },
	{ "wait", 0, NULL, "waiting time, of profiles recorded with --wall",
	  OPTION_FLAG, AT(want.wait) },
	{ "depth", 0, "N", "at most N levels",
	  OPTION_NUMBER, AT(depth), .number = { "a number, 1 or more", 1, 0 } },
	{ "min", 0, "PERCENT",
	  "nothing that has less of the whole (default: text 0.5, else 0)",
	  OPTION_CALL, .set = set_min },
	{ "limit", 0, "N", "at most N rows, the upper levels first (default 5000)",
	  OPTION_NUMBER, AT(limit), .number = { "a number, 1 or more", 1, 0 } },
	{ "unfolded", 0, NULL, "a row for each procedure, also where the only callee has it all",
	  OPTION_FLAG, AT(unfolded) },
	FORMAT_OPTION(AT(format)),
	THREADS_OPTION(AT(threads)),
	RUNS_OPTION(AT(runs)),
	{ .name = NULL },
};

static const struct option_table command = {
	.command = "report", .usage = "report --by tree", .width = 19, .rows = option_rows,
	.stranger = "does not go with --by tree",
	.head = "usage: cgview report --by tree [options] DB\n"
		"Print who calls whom, as a tree.\n"
		"\n",
	.tail = "\n"
		"Self of a row whose callees are not shown has theirs, too, and a +. Recursion is\n"
		"counted where the procedure stands first. See cgview(1).\n",
};

bool
report_tree_wanted(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--by=tree") ||
		    (!strcmp(argv[i], "--by") && i + 1 < argc && !strcmp(argv[i + 1], "tree")))
			return true;
	}
	return false;
}

/* ---- rows ---- */

static const struct tree_node *
node_of(const struct tree_report *r, uint32_t id)
{
	return tree_node(r->rows->tree, id);
}

static bool
is_too_small(const struct tree_report *r, uint32_t id)
{
	const struct tree_node *n = node_of(r, id);

	return n->kind != TREE_RECURSION && tree_weight(r->rows->tree, n) < r->min;
}

/* The place of a procedure, or of the call by which a caller has it. */
static void
node_place(const struct tree_report *r, const struct tree_node *n, struct place *place)
{
	struct procedure_row procedure;
	struct site_row site;

	memset(place, 0, sizeof(*place));
	if (r->want.bottom_up && n->site && profile_site(r->p, n->site, &site))
		*place = site.place;
	else if (n->procedure && profile_procedure(r->p, n->procedure, &procedure))
		*place = procedure.place;
}

static void
cut_warning(const struct tree_report *r)
{
	if (tree_full(r->rows->tree))
		complain("report: the tree is too large to show all of it; --min, --depth");
}

/* ---- text ---- */

struct text_cells { struct strbuf share, total, self, number; };

static const char *
mark(const struct tree_report *r, bool exact)
{
	if (exact || r->want.source == TREE_CONTEXTS)
		return "";
	return report_ascii() ? "~ " : "≈ ";
}

static void
print_line(const struct tree_report *r, const struct text_cells *c, const char *lines,
	   const char *names)
{
	bool timed = tree_has_time(r->rows->tree);

	if (timed)
		printf("%6s  %*s  %*s  ", c->share.buf,
		       10 + (int)(c->total.len - (size_t)safe_width(c->total.buf, c->total.len)),
		       c->total.buf,
		       10 + (int)(c->self.len - (size_t)safe_width(c->self.buf, c->self.len)),
		       c->self.buf);
	if (!r->want.wait)
		printf("%*s  ",
		       14 + (int)(c->number.len - (size_t)safe_width(c->number.buf, c->number.len)),
		       c->number.buf);
	printf("%s%s\n", lines, names);
}

static void
release_cells(struct text_cells *c)
{
	strbuf_release(&c->share);
	strbuf_release(&c->total);
	strbuf_release(&c->self);
	strbuf_release(&c->number);
}

#define CELLS_INIT { STRBUF_INIT, STRBUF_INIT, STRBUF_INIT, STRBUF_INIT }

static void
add_time(const struct tree_report *r, struct strbuf *out, uint64_t ns)
{
	strbuf_str(out, mark(r, !ns));
	human_ns(out, ns, report_ascii());
}

static void
row_cells(struct tree_report *r, uint32_t id, struct text_cells *c)
{
	bool lent, back = tree_rows_goes_back(r->rows, id);
	uint64_t own = tree_rows_own(r->rows, id, &lent);
	const struct tree_node *n = node_of(r, back ? tree_rows_tail(r->rows, id) : id);

	if (!back) {
		human_percent(&c->share, tree_weight(r->rows->tree, n),
			      tree_rows_whole(r->rows));
		add_time(r, &c->total, n->total);
		add_time(r, &c->self, own);
		strbuf_str(&c->self, lent ? "+" : "");
	} else if (n->total) {
		strbuf_char(&c->total, '(');
		add_time(r, &c->total, n->total);
		strbuf_char(&c->total, ')');
	}
	if (n->number) {
		strbuf_str(&c->number, mark(r, n->exact));
		human_count(&c->number, n->number);
	}
}

static void
print_row(struct tree_report *r, size_t row)
{
	struct strbuf lines = STRBUF_INIT, names = STRBUF_INIT, safe = STRBUF_INIT;
	struct text_cells cells = CELLS_INIT;
	uint32_t id = r->rows->rows[row].node;
	bool ascii = report_ascii();
	struct place place;
	const struct profile_file *file;

	row_cells(r, id, &cells);
	tree_rows_lines(r->rows, row, 80, ascii, &lines);
	tree_rows_names(r->rows, id, ascii, 0, &names);
	safe_text(&safe, names.buf, names.len);
	node_place(r, node_of(r, tree_rows_place(r->rows, id)), &place);
	file = place.file ? profile_file(r->p, place.file) : NULL;
	if (file) {
		strbuf_str(&safe, "  ");
		safe_str(&safe, path_base(file->path));
		strbuf_fmt(&safe, ":%" PRIu32, place.line);
	}
	print_line(r, &cells, lines.buf, safe.buf);
	release_cells(&cells);
	strbuf_release(&lines);
	strbuf_release(&names);
	strbuf_release(&safe);
}

/* The siblings from ROW on that are too small, in one line. */
static void
print_small(struct tree_report *r, size_t row)
{
	uint32_t id = r->rows->rows[row].node, i;
	const struct tree_node *up = node_of(r, node_of(r, id)->parent);
	struct strbuf lines = STRBUF_INIT, names = STRBUF_INIT;
	struct text_cells cells = CELLS_INIT;
	uint64_t total = 0, self = 0, weight = 0, nr = 0;
	struct tree_row was = r->rows->rows[row];

	for (i = id; i < up->first + up->nr && node_of(r, i)->kind != TREE_RECURSION; i++, nr++) {
		weight += tree_weight(r->rows->tree, node_of(r, i));
		total += node_of(r, i)->total;
		self += node_of(r, i)->self;
	}
	human_percent(&cells.share, weight, tree_rows_whole(r->rows));
	/* Bottom-up of all, the totals of procedures overlap. */
	if (!r->want.bottom_up || r->want.procedure)
		add_time(r, &cells.total, total);
	add_time(r, &cells.self, r->want.bottom_up ? self : total);
	if (!r->want.bottom_up)
		strbuf_char(&cells.self, '+');
	r->rows->rows[row].last = i == up->first + up->nr;
	tree_rows_lines(r->rows, row, 80, report_ascii(), &lines);
	r->rows->rows[row] = was;
	strbuf_fmt(&names, "(%" PRIu64 " more with less than %s%% each)", nr, r->min_text);
	print_line(r, &cells, lines.buf, names.buf);
	release_cells(&cells);
	strbuf_release(&lines);
	strbuf_release(&names);
}

static void
print_head(struct tree_report *r)
{
	struct text_cells heads = CELLS_INIT;
	struct strbuf origin = STRBUF_INIT;

	report_title(r->p);
	strbuf_str(&origin, r->want.bottom_up ? "callers of " : "calls");
	if (r->want.bottom_up)
		strbuf_str(&origin, r->procedure ? r->procedure
						 : "each procedure, by self time");
	strbuf_str(&origin, ", ");
	tree_rows_origin(r->rows, &origin);
	puts(origin.buf);
	strbuf_str(&heads.share, "%");
	strbuf_str(&heads.total, r->want.wait ? "total wait" : "total");
	strbuf_str(&heads.self, r->want.wait ? "wait" : "self");
	strbuf_str(&heads.number, r->want.source == TREE_ARCS ? "calls" : "samples");
	print_line(r, &heads, "", "procedure");
	release_cells(&heads);
	strbuf_release(&origin);
}

static void
print_text(struct tree_report *r)
{
	size_t i, nr = r->rows->nr;
	uint32_t small_of = TREE_NONE;

	print_head(r);
	for (i = 0; i < nr && report_can_write(); i++) {
		uint32_t id = r->rows->rows[i].node;

		if (!is_too_small(r, id)) {
			print_row(r, i);
		} else if (node_of(r, id)->parent != small_of) {
			small_of = node_of(r, id)->parent;
			print_small(r, i);
		}
	}
	if (!nr)
		puts("nothing: no calls and no samples");
	if (r->rows->cut & TREE_CUT_ROWS)
		puts("(lower levels are left out: --limit and --depth tell how many)");
	cut_warning(r);
}

/* ---- csv, json ---- */

enum field_kind { FIELD_NONE, FIELD_NUMBER, FIELD_TEXT };

struct field {
	const char *name;
	enum field_kind kind;
	uint64_t number;
	const char *text;
};
enum { NR_FIELDS = 15 };

static const char *const kind_names[] = {
	[TREE_ALL] = "all", [TREE_PROCEDURE] = "procedure", [TREE_CYCLE] = "cycle",
	[TREE_RECURSION] = "recursion", [TREE_OUTSIDE] = "outside",
};

static void
set_number(struct field *f, const char *name, bool there, uint64_t number)
{
	*f = (struct field){ name, there ? FIELD_NUMBER : FIELD_NONE, number, NULL };
}

static void
set_text(struct field *f, const char *name, const char *text)
{
	*f = (struct field){ name, text ? FIELD_TEXT : FIELD_NONE, 0, text };
}

static void
place_fields(const struct tree_report *r, struct field *f, const char *file_name,
	     const char *line_name, const struct place *place)
{
	const struct profile_file *file = place->file ? profile_file(r->p, place->file) : NULL;

	set_text(f, file_name, file ? file->path : NULL);
	set_number(f + 1, line_name, file != NULL, place->line);
}

/* Row 0 of the output has number 1; NAME keeps the procedure's name. PARENT: 0 none. */
static void
row_fields(const struct tree_report *r, size_t row, size_t number, size_t parent,
	   struct procedure_row *procedure, struct field *f)
{
	const struct tree_node *n = node_of(r, r->rows->rows[row].node);
	bool back = n->kind == TREE_RECURSION, arcs = r->want.source == TREE_ARCS;
	struct site_row site = { .id = 0 };
	bool known = n->procedure && profile_procedure(r->p, n->procedure, procedure);

	if (n->site && !profile_site(r->p, n->site, &site))
		memset(&site, 0, sizeof(site));
	if (!known)
		memset(procedure, 0, sizeof(*procedure));
	set_number(f++, "row", true, number);
	set_number(f++, "parent", parent > 0, parent);
	set_number(f++, "depth", true, n->depth);
	set_text(f++, "kind", kind_names[n->kind]);
	set_text(f++, "procedure", known ? procedure->name : NULL);
	place_fields(r, f, "file", "line", &procedure->place);
	f += 2;
	place_fields(r, f, "call_file", "call_line", &site.place);
	f += 2;
	set_number(f++, r->want.wait ? "total_wait_ns" : "total_ns", !back || !arcs, n->total);
	set_number(f++, r->want.wait ? "self_wait_ns" : "self_ns", !back, n->self);
	set_number(f++, "samples", !arcs && !r->want.wait, n->number);
	set_number(f++, "calls", arcs, n->number);
	set_number(f++, "cycle", n->cycle > 0, n->cycle);
	set_number(f++, "estimated", true, arcs && (!n->exact || n->total || n->self));
}

/* PUT for each row that is not too small; every row's parent is before it, and not smaller. */
static void
each_row(struct tree_report *r, void (*put)(const struct field *fields, bool first))
{
	size_t *numbers = xcalloc(r->rows->nr, sizeof(*numbers)), i, shown = 0;
	struct field fields[NR_FIELDS];
	struct procedure_row procedure;

	for (i = 0; i < r->rows->nr && report_can_write(); i++) {
		uint32_t parent = r->rows->rows[i].parent;

		if (is_too_small(r, r->rows->rows[i].node))
			continue;
		numbers[i] = ++shown;
		row_fields(r, i, shown, parent == TREE_NONE ? 0 : numbers[parent],
			   &procedure, fields);
		put(fields, shown == 1);
	}
	free(numbers);
	cut_warning(r);
}

static void
put_csv(const struct field *fields, bool first)
{
	struct strbuf out = STRBUF_INIT;

	for (int i = 0; first && i < NR_FIELDS; i++)
		strbuf_fmt(&out, "%s%s", i ? "," : "", fields[i].name);
	strbuf_str(&out, first ? "\r\n" : "");
	for (int i = 0; i < NR_FIELDS; i++) {
		strbuf_str(&out, i ? "," : "");
		if (fields[i].kind == FIELD_NUMBER)
			strbuf_fmt(&out, "%" PRIu64, fields[i].number);
		else if (fields[i].kind == FIELD_TEXT)
			report_csv_text(&out, fields[i].text, strlen(fields[i].text));
	}
	strbuf_str(&out, "\r\n");
	fwrite(out.buf, 1, out.len, stdout);
	strbuf_release(&out);
}

static void
print_csv(struct tree_report *r)
{
	each_row(r, put_csv);
}

static void
put_json(const struct field *fields, bool first)
{
	struct strbuf out = STRBUF_INIT;

	strbuf_str(&out, first ? "\n" : ",\n");
	for (int i = 0; i < NR_FIELDS; i++) {
		strbuf_fmt(&out, "%s\"%s\":", i ? "," : "{", fields[i].name);
		if (fields[i].kind == FIELD_NUMBER)
			strbuf_fmt(&out, "%" PRIu64, fields[i].number);
		else if (fields[i].kind == FIELD_TEXT)
			report_json_text(&out, fields[i].text, strlen(fields[i].text));
		else
			strbuf_str(&out, "null");
	}
	strbuf_char(&out, '}');
	fwrite(out.buf, 1, out.len, stdout);
	strbuf_release(&out);
}

static void
print_json(struct tree_report *r)
{
	printf("{\"version\":1,\"by\":\"tree\",\"from\":\"%s\",\"bottom_up\":%s,\"rows\":[",
	       r->want.source == TREE_ARCS ? "arcs" : "contexts",
	       r->want.bottom_up ? "true" : "false");
	each_row(r, put_json);
	fputs("\n]}\n", stdout);
}

/* ---- the command ---- */

/* What can be shown, where nothing was asked for. */
static void
choose_source(struct tree_report *r)
{
	bool sampled = tree_is_possible(r->p, TREE_CONTEXTS);

	if (r->want.wait && !profile_totals(r->p)->run.wall_interval_ns)
		die(1, "%s has no waiting times: cgview record --wall looks for them", r->path);
	if (r->from != FROM_EITHER)
		r->want.source = r->from == FROM_ARCS ? TREE_ARCS : TREE_CONTEXTS;
	else
		r->want.source = sampled || r->want.wait ? TREE_CONTEXTS : TREE_ARCS;
	if (r->want.source == TREE_CONTEXTS && !sampled && !r->want.wait)
		die(1, "%s has no sampled stacks: --from arcs", r->path);
}

static void
expand(struct tree_report *r)
{
	static char least_of_text[] = "0.5", least[] = "0";
	bool text = r->format == FORMAT_TEXT;
	const struct tree_node *all;

	if (!r->min_text)
		set_min(r, text ? least_of_text : least);
	tree_rows_fold(r->rows, r->unfolded || !text);
	all = node_of(r, 0);
	/* Without time there is nothing of which calls are a share. */
	if (tree_has_time(r->rows->tree))
		r->min = (uint64_t)((unsigned __int128)all->total * r->min_ppm / 1000000);
	tree_rows_expand_all(r->rows, 0, r->min, r->limit > MOST_ROWS ? MOST_ROWS : r->limit,
			     r->depth);
}

static struct tree_rows *
open_rows(const struct tree_report *r)
{
	struct tree *tree = tree_open(r->p, &r->want);

	return tree ? tree_rows_open(r->p, tree) : NULL;
}

int
report_tree(int argc, char **argv)
{
	static void (*const print[])(struct tree_report *) = {
		[FORMAT_TEXT] = print_text, [FORMAT_CSV] = print_csv, [FORMAT_JSON] = print_json,
	};
	struct tree_report r = { .from = FROM_EITHER, .limit = DEFAULT_ROWS, .depth = SIZE_MAX };
	int first = options_parse(&command, &r, argc, argv), status;
	struct error err = ERROR_INIT;

	if (!first)
		return output_finish("report");
	if (r.want.wait && r.from == FROM_ARCS)
		die(2, "report: --wait goes with --from contexts: arcs know nothing of waiting");
	r.path = options_profile(&command, first, argc, argv);
	r.p = subset_open_lists(r.path, r.threads, r.runs, &err);
	if (!r.p)
		die(1, "%s", err.text);
	if (r.procedure)
		r.want.procedure = report_procedure(r.p, r.procedure);
	choose_source(&r);
	r.rows = open_rows(&r);
	if (r.rows) {
		expand(&r);
		errno = 0;
		print[r.format](&r);
	}
	status = output_finish_profile("report", r.p) || !r.rows;
	tree_rows_close(r.rows);
	profile_close(r.p);
	return status;
}
