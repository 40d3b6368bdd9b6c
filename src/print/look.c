#include "print/look.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "print/report.h"
#include "print/sheet.h"
#include "show/human.h"
#include "show/value.h"
#include "util/order.h"
#include "util/text/path.h"
#include "util/text/safe.h"

struct look_row { const struct live_procedure *of; struct live_figures shown; };

static uint64_t
rate(uint64_t more, double seconds)
{
	return (uint64_t)((double)more / seconds + 0.5);
}

/* What is shown of figures that went from BEFORE to NOW. What is live is what is live now. */
static struct live_figures
shown(const struct look_wanted *look, const struct live_figures *before,
      const struct live_figures *now)
{
	double seconds = (double)look->since_ns / 1e9;

	if (!look->rate)
		return *now;
	if (!(seconds > 0))
		return (struct live_figures){ .calls = 0 };
	return (struct live_figures){
		.calls = rate(now->calls - before->calls, seconds),
		.ns = rate(now->ns - before->ns, seconds),
		.total_ns = rate(now->total_ns - before->total_ns, seconds),
		.memory = {
			.blocks = rate(now->memory.blocks - before->memory.blocks, seconds),
			.bytes = rate(now->memory.bytes - before->memory.bytes, seconds),
			.live_blocks = now->memory.live_blocks,
			.live_bytes = now->memory.live_bytes,
		},
	};
}

static int
compare_rows(const void *a, const void *b)
{
	const struct look_row *x = a, *y = b;

	COMPARE(y->shown.ns, x->shown.ns);
	COMPARE(y->shown.calls, x->shown.calls);
	COMPARE(y->shown.total_ns, x->shown.total_ns);
	return strcmp(x->of->name, y->of->name);
}

/* The rows that have anything to show, sorted; heap. */
static struct look_row *
find_rows(const struct live *l, const struct look_wanted *look, size_t *nr)
{
	bool sampled = live_sums(l).sampled;
	size_t all;
	const struct live_procedure *procedures = live_procedures(l, &all);
	struct look_row *rows = xcalloc(all + 1, sizeof(*rows));

	*nr = 0;
	for (size_t i = 0; i < all; i++) {
		const struct live_procedure *p = &procedures[i];
		struct live_figures f = shown(look, &p->before, &p->now);

		if (f.calls || f.ns || p->lacking || f.memory.live_blocks ||
		    (sampled && f.total_ns))
			rows[(*nr)++] = (struct look_row){ p, f };
	}
	qsort(rows, *nr, sizeof(*rows), compare_rows);
	return rows;
}

static void
put_calls(struct strbuf *out, uint64_t calls, bool lacking)
{
	if (lacking)
		value_mark(out, "lacking", report_ascii());
	human_count(out, calls);
}

static void
print_head(const struct live *l, const struct look_wanted *look)
{
	const struct live_sums sums = live_sums(l);
	struct live_figures f = shown(look, &sums.before, &sums.now);
	struct strbuf out = STRBUF_INIT;
	time_t now = time(NULL);
	struct tm tm;
	char clock[16];

	strftime(clock, sizeof(clock), "%H:%M:%S", localtime_r(&now, &tm));
	strbuf_fmt(&out, "%s  watched %.1f s, ", clock, (double)look->ns / 1e9);
	if (sums.cpu_ns) {
		strbuf_str(&out, sums.sampled ? "cpu ~" : "cpu ");
		human_ns(&out, sums.cpu_ns, report_ascii());
		strbuf_str(&out, ", ");
	}
	strbuf_fmt(&out, "%zu thread%s, ", sums.threads, sums.threads == 1 ? "" : "s");
	if (sums.sampled)
		strbuf_str(&out, "no counts");
	else
		put_calls(&out, f.calls, sums.lacking);
	if (!sums.sampled)
		strbuf_str(&out, look->rate ? " calls/s" : " calls");
	if (sums.has_memory) {
		strbuf_str(&out, ", live ");
		human_bytes(&out, f.memory.live_bytes);
		strbuf_str(&out, " in ");
		human_count(&out, f.memory.live_blocks);
		strbuf_str(&out, f.memory.live_blocks == 1 ? " block" : " blocks");
	}
	puts(out.buf);
	strbuf_release(&out);
}

static void
put_number(struct sheet *s, struct strbuf *cell, uint64_t n)
{
	human_count(cell, n);
	sheet_cell(s, cell);
}

static void
put_ms(struct sheet *s, uint64_t ns)
{
	struct strbuf cell = STRBUF_INIT;

	if (ns)
		strbuf_fmt(&cell, "%.1f", (double)ns / 1e6);
	else
		strbuf_str(&cell, "-");
	sheet_cell(s, &cell);
}

/* Where nothing is counted totals stand in place of calls. OF: all procedures, ALL their time. */
static void
put_row(struct sheet *s, const struct look_row *row, const struct live_sums *of, uint64_t all)
{
	struct strbuf cell = STRBUF_INIT;

	put_ms(s, row->shown.ns);
	if (of->sampled) {
		strbuf_fmt(&cell, "%.1f", all ? 100 * (double)row->shown.ns / (double)all : 0);
		sheet_cell(s, &cell);
		put_ms(s, row->shown.total_ns);
	} else {
		put_calls(&cell, row->shown.calls, row->of->lacking);
		sheet_cell(s, &cell);
	}
	if (of->has_memory) {
		put_number(s, &cell, row->shown.memory.blocks);
		put_number(s, &cell, row->shown.memory.bytes);
		put_number(s, &cell, row->shown.memory.live_blocks);
		put_number(s, &cell, row->shown.memory.live_bytes);
	}
	safe_str(&cell, row->of->name);
	sheet_cell(s, &cell);
	safe_str(&cell, path_base(row->of->path));
	if (row->of->line)
		strbuf_fmt(&cell, ":%u", row->of->line);
	sheet_cell(s, &cell);
}

void
look_print(const struct live *l, const struct look_wanted *look)
{
	const struct live_sums sums = live_sums(l);
	uint64_t all = shown(look, &sums.before, &sums.now).ns;
	struct sheet s = SHEET_INIT;
	size_t nr;
	struct look_row *rows = find_rows(l, look, &nr);

	print_head(l, look);
	sheet_column(&s, look->rate ? "~ms/s" : "~ms", true);
	if (sums.sampled) {
		sheet_column(&s, "~%", true);
		sheet_column(&s, look->rate ? "~total ms/s" : "~total ms", true);
	} else {
		sheet_column(&s, look->rate ? "calls/s" : "calls", true);
	}
	if (sums.has_memory) {
		sheet_column(&s, look->rate ? "allocs/s" : "allocs", true);
		sheet_column(&s, look->rate ? "bytes/s" : "bytes", true);
		sheet_column(&s, "live blocks", true);
		sheet_column(&s, "live bytes", true);
	}
	sheet_column(&s, "procedure", false);
	sheet_column(&s, "where", false);
	for (size_t i = 0; i < nr && i < look->limit; i++)
		put_row(&s, &rows[i], &sums, all);
	if (nr && look->limit)
		sheet_print(&s);
	if (nr > look->limit && look->limit)
		printf("(%zu more)\n", nr - look->limit);
	puts("");
	sheet_release(&s);
	free(rows);
}
