/* cgview export --format html: a profile, or the difference of two, as one file for a browser. */
#include <inttypes.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "db/lists/wings.h"
#include "print/bands.h"
#include "print/export/formats.h"
#include "print/export/html/page_files.h"
#include "print/export/html/parts.h"
#include "print/report.h"
#include "show/advice.h"
#include "util/sha256.h"
#include "util/text/base64.h"
#include "util/text/path.h"
#include "util/text/safe.h"

/* ---- elements ---- */

static void
put_escaped(struct strbuf *out, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '&')
			strbuf_str(out, "&amp;");
		else if (s[i] == '<')
			strbuf_str(out, "&lt;");
		else if (s[i] == '>')
			strbuf_str(out, "&gt;");
		else if (s[i] == '"')
			strbuf_str(out, "&quot;");
		else
			strbuf_char(out, s[i]);
	}
}

void
page_put(struct page *g, const char *text)
{
	put_escaped(&g->html, text, strlen(text));
}

void
page_put_source(struct page *g, const char *s, size_t n)
{
	struct strbuf text = STRBUF_INIT;
	int32_t c;
	size_t step;

	for (size_t i = 0; i < n; i += step) {
		step = utf8_decode(s + i, n - i, &c);
		if (c == '\t')
			strbuf_char(&text, '\t');
		else
			safe_char(&text, c);
	}
	put_escaped(&g->html, text.buf, text.len);
	strbuf_release(&text);
}

const char *
page_path(struct page *g, model_id file)
{
	const struct profile_file *f = profile_file(g->p, file);
	const char *run = g->totals->run.directory ? g->totals->run.directory : "";
	const char *path = f ? f->path : "";
	size_t n = strlen(g->directory), m = strlen(run);

	if (n && !strncmp(path, g->directory, n))
		path += n;
	else if (m > 1 && !strncmp(path, run, m) && path[m] == '/')
		path += m + 1;
	strbuf_clear(&g->path);
	safe_str(&g->path, path);
	return g->path.buf;
}

void
page_put_link(struct page *g, model_id file, uint32_t line)
{
	const char *path = page_path(g, file);

	for (; *path; path++) {
		unsigned char c = (unsigned char)*path;

		if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		    strchr("/._-", c))
			strbuf_char(&g->html, (char)c);
		else
			strbuf_fmt(&g->html, "%%%02X", c);
	}
	strbuf_fmt(&g->html, ":%" PRIu32, line);
}

/* ---- what is known ---- */

static void
page_open(struct page *g)
{
	uint64_t set;

	g->totals = profile_totals(g->p);
	profile_optional(g->p, &g->optional);
	g->directory = profile_directory(g->p);
	docs_init(&g->docs, g->p);
	metrics_of(&g->metrics, g->p);
	margins_of(&g->margins, &g->metrics);
	heat_of_metric(&g->heat, &g->metrics.items[metrics_first(&g->metrics, g->totals)], false);
	set = margin_default(&g->margins);
	for (int i = 0; i < g->margins.nr; i++)
		if (set & MARGIN_BIT(i))
			g->columns[g->nr_columns++] = i;
	page_choose_sources(g);
}

static void
page_close(struct page *g)
{
	docs_release(&g->docs);
	free(g->directory);
	free(g->procedures);
	free(g->hottest);
	free(g->called);
	strbuf_release(&g->html);
	strbuf_release(&g->sources);
	strbuf_release(&g->path);
}

/* ---- the head ---- */

/* Allows nothing but this script and this style: no other script, no picture, no request. */
static void
put_policy(struct strbuf *out, const char *directive, struct page_file file)
{
	unsigned char sum[SHA256_SIZE];

	sha256(file.text, file.size, sum);
	strbuf_fmt(out, "; %s 'sha256-", directive);
	base64_put(out, sum, sizeof(sum));
	strbuf_char(out, '\'');
}

static void
put_title(struct page *g)
{
	struct strbuf title = STRBUF_INIT;

	if (g->e->before) {
		safe_str(&title, path_base(profile_name(g->e->before)));
		strbuf_str(&title, " and ");
	}
	safe_str(&title, path_base(profile_name(g->p)));
	strbuf_str(&title, ": ");
	safe_str(&title, g->totals->run.command ? g->totals->run.command : "");
	page_put(g, title.buf);
	strbuf_release(&title);
}

static void
put_head(struct page *g)
{
	struct page_file style = page_style(), script = page_script();

	strbuf_str(&g->html, "<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
		   "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'");
	put_policy(&g->html, "script-src", script);
	put_policy(&g->html, "style-src", style);
	strbuf_str(&g->html, "; base-uri 'none'; form-action 'none'\">\n"
		   "<meta name=viewport content=\"width=device-width, initial-scale=1\">\n"
		   "<meta name=color-scheme content=\"light dark\">\n"
		   "<meta name=generator content=cgview>\n<title>");
	put_title(g);
	strbuf_str(&g->html, "</title>\n<style>");
	strbuf_add(&g->html, style.text, style.size);
	strbuf_str(&g->html, "</style>\n<script>");
	strbuf_add(&g->html, script.text, script.size);
	strbuf_str(&g->html, "</script>\n</head>\n<body>\n");
}

/* ---- what is there without a script ---- */

static void
put_facts(struct page *g)
{
	struct strbuf text = STRBUF_INIT;

	report_put_title(&text, g->p);
	strbuf_str(&g->html, "<header id=facts><p>");
	for (char *s = text.buf, *end; *s; s = end + (*end != '\0')) {
		end = s + strcspn(s, "\n");
		if (s > text.buf)
			strbuf_str(&g->html, "<br>");
		put_escaped(&g->html, s, (size_t)(end - s));
	}
	strbuf_str(&g->html, "</p></header>\n");
	strbuf_release(&text);
}

static void
put_bands(struct page *g)
{
	struct live_heap heap;
	struct bands_picture picture = { .p = g->p, .heap = &heap,
					 .command = g->totals->run.command };
	char *text;
	size_t size;
	FILE *out;

	if (!heap_read(g->p, 0, BANDS_BY_PRODUCER, &heap))
		return;
	out = open_memstream(&text, &size);
	if (out) {
		bands_svg_element(&picture, out);
		if (!fclose(out)) {
			strbuf_str(&g->html, "<section id=memory><h1>Live memory over time</h1>\n");
			strbuf_add(&g->html, text, size);
			strbuf_str(&g->html, "</section>\n");
		}
		free(text);
	}
	heap_release(&heap);
}

static void
end_notes(struct page *g, const char *kind)
{
	if (!*kind)
		return;
	strbuf_str(&g->html, "</ul>\n");
	if (*advice_of(kind).what) {
		strbuf_str(&g->html, "<p>");
		page_put(g, advice_of(kind).what);
		strbuf_str(&g->html, "</p>\n");
	}
}

/* What to know about how good the profile is, kind by kind. */
static void
put_notes(struct page *g)
{
	int kind = list_column_find(LIST_NOTE, "kind"), text = list_column_find(LIST_NOTE, "text");
	struct listing *list = page_rows(g, LIST_NOTE);
	struct strbuf last = STRBUF_INIT, safe = STRBUF_INIT;
	const struct list_row *row;

	for (size_t i = 0; (row = listing_row(list, i)); i++) {
		if (!i)
			strbuf_str(&g->html, "<section id=notes><h1>What to know</h1>\n");
		if (strcmp(last.buf, row->cells[kind].text)) {
			end_notes(g, last.buf);
			strbuf_clear(&last);
			strbuf_str(&last, row->cells[kind].text);
			strbuf_str(&g->html, "<h2>");
			page_put(g, advice_of(last.buf).heading);
			strbuf_str(&g->html, "</h2>\n<ul>\n");
		}
		strbuf_clear(&safe);
		safe_str(&safe, row->cells[text].text);
		strbuf_str(&g->html, "<li>");
		page_put(g, safe.buf);
	}
	end_notes(g, last.buf);
	strbuf_str(&g->html, last.len ? "</section>\n" : "");
	strbuf_release(&last);
	strbuf_release(&safe);
	listing_close(list);
}

static void
put_plain(struct page *g, struct page_comparison *c)
{
	put_facts(g);
	strbuf_str(&g->html, "<main id=main>\n");
	if (c)
		page_ledger(g, c);
	strbuf_str(&g->html, "<div id=plain>\n<h2>Procedures</h2>\n");
	page_plain_table(g);
	page_plain_sources(g);
	strbuf_str(&g->html, "</div>\n");
	put_bands(g);
	put_notes(g);
	strbuf_str(&g->html, "</main>\n");
}

/* ---- the data of the script ---- */

/* Writes an array by id: name, file, lines, whether it ran. */
static void
put_procedures(struct page *g, struct page_json *j)
{
	struct strbuf name = STRBUF_INIT;
	struct procedure_row row;

	page_json_name(j, "procedures");
	page_json_begin(j, '[');
	page_json_null(j);
	for (model_id id = 1; id <= g->totals->nr_procedures; id++) {
		const struct page_procedure *at = &g->procedures[id];

		if (!profile_procedure(g->p, id, &row)) {
			page_json_null(j);
			continue;
		}
		strbuf_clear(&name);
		safe_str(&name, row.name);
		page_json_begin(j, '[');
		page_json_str(j, name.buf);
		page_json_whole(j, at->place.file);
		page_json_whole(j, at->place.line);
		page_json_whole(j, at->place.end_line);
		page_json_whole(j, at->ran);
		page_json_end(j, ']');
	}
	page_json_end(j, ']');
	strbuf_release(&name);
}

static void
put_step(struct page_json *j, const char *sign, const char *text)
{
	page_json_begin(j, '[');
	page_json_str(j, sign);
	page_json_str(j, text);
	page_json_end(j, ']');
}

int
page_margin_width(const struct page *g, int i)
{
	int width = g->margins.columns[g->columns[i]].width;

	width = width ? width : margin_count_width(g->totals);
	return !i && wing_is_there(g->p, WING_BRANCHES) ? width + 2 : width;
}

/* Writes what the colours are of, the signs of looks with their meaning, and the margins. */
static void
put_legend(const struct page *g, struct page_json *j)
{
	struct strbuf step = STRBUF_INIT;

	page_json_name(j, "metric");
	page_json_str(j, g->heat.metric->title);
	page_json_name(j, "legend");
	page_json_begin(j, '[');
	put_step(j, ".", "no code");
	if (!profile_lines_are_uncounted(g->p))
		put_step(j, "-", "never executed");
	if (g->heat.metric->cold)
		put_step(j, "+", "executed");
	if (wing_is_there(g->p, WING_BRANCHES))
		put_step(j, ".", PAGE_ONE_WAY " a condition went one way only");
	for (int level = 1; level <= HEAT_LEVELS && heat_from(&g->heat, level); level++) {
		char sign[] = { (char)('A' + level - 1), '\0' };

		strbuf_clear(&step);
		heat_print_step(&step, &g->heat, level, false);
		put_step(j, sign, step.buf);
	}
	page_json_end(j, ']');
	page_json_name(j, "margins");
	page_json_begin(j, '[');
	for (int i = 0; i < g->nr_columns; i++) {
		const struct margin_column *c = &g->margins.columns[g->columns[i]];

		page_json_begin(j, '[');
		page_json_str(j, c->name);
		page_json_str(j, c->help);
		page_json_whole(j, page_margin_width(g, i));
		page_json_end(j, ']');
	}
	page_json_end(j, ']');
	strbuf_release(&step);
}

static void
put_data(struct page *g, struct page_comparison *c)
{
	struct page_json j = { .out = STRBUF_INIT };

	page_json_begin(&j, '{');
	page_json_name(&j, "version");
	page_json_whole(&j, 1);
	page_json_name(&j, "sources");
	page_json_str(&j, g->e->without_sources ? "none" : g->e->all ? "all" : "ran");
	put_procedures(g, &j);
	put_legend(g, &j);
	page_json_name(&j, "tables");
	page_json_begin(&j, '[');
	page_tables(g, &j);
	page_json_end(&j, ']');
	page_calls(g, &j);
	page_tree(g, &j);
	if (c)
		page_compared(g, c, &j);
	page_sources(g, &j);
	page_json_end(&j, '}');
	strbuf_str(&g->html, "<script type=\"application/json\" id=data>");
	strbuf_add(&g->html, j.out.buf, j.out.len);
	strbuf_str(&g->html, "</script>\n");
	strbuf_add(&g->html, g->sources.buf, g->sources.len);
	strbuf_release(&j.out);
}

/* ---- all of it ---- */

static int
write_page(struct page *g, FILE *out, struct error *err)
{
	struct page_comparison *c = g->e->before ? page_compare(g, err) : NULL;

	if (g->e->before && !c)
		return -1;
	put_head(g);
	put_plain(g, c);
	put_data(g, c);
	strbuf_str(&g->html, "</body>\n</html>\n");
	export_flush(&g->html, out);
	page_compare_close(c);
	return 0;
}

int
export_html(struct export *e, FILE *out, struct error *err)
{
	struct page g = { .e = e, .p = e->p, .html = STRBUF_INIT, .sources = STRBUF_INIT,
			  .path = STRBUF_INIT };
	/* A page is UTF-8, whatever the terminal is. */
	locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0), was = (locale_t)0;
	int status;

	if (utf8)
		was = uselocale(utf8);
	page_open(&g);
	status = write_page(&g, out, err);
	page_close(&g);
	if (utf8) {
		uselocale(was);
		freelocale(utf8);
	}
	return status;
}
