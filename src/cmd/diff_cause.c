#include "cmd/diff_cause.h"

#include "compare/ledger/ledger.h"
#include "print/ledger.h"
#include "util/error.h"

static struct ledger *
make(struct profile *a, struct profile *b, enum ledger_of of, const struct match_options *options)
{
	struct error err = ERROR_INIT;
	struct ledger *l = ledger_begin(a, b, of, options, NULL, &err);

	if (!l || ledger_work(l, NULL, NULL, &err) < 0)
		die(2, "%s", err.text);
	return l;
}

void
diff_cause(struct profile *a, struct profile *b, const struct match_options *options,
	   enum diff_cause_format format, size_t limit)
{
	struct ledger_print p = { .cpu = make(a, b, LEDGER_CPU, options), .limit = limit };

	if (profile_totals(a)->run.wall_interval_ns && profile_totals(b)->run.wall_interval_ns)
		p.wait = make(a, b, LEDGER_WAIT, options);
	if (format == CAUSE_TEXT)
		ledger_text(&p);
	else if (format == CAUSE_MARKDOWN)
		ledger_markdown(&p);
	else
		ledger_data(&p, format == CAUSE_CSV ? "csv" : "json");
	ledger_close(p.cpu);
	ledger_close(p.wait);
}
