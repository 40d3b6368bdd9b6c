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
diff_cause_make(struct ledger_print *l, struct profile *a, struct profile *b,
		const struct match_options *options)
{
	*l = (struct ledger_print){ .cpu = make(a, b, LEDGER_CPU, options), .limit = SIZE_MAX };
	if (profile_totals(a)->run.wall_interval_ns && profile_totals(b)->run.wall_interval_ns)
		l->wait = make(a, b, LEDGER_WAIT, options);
}

void
diff_cause_release(struct ledger_print *l)
{
	ledger_close(l->cpu);
	ledger_close(l->wait);
}

void
diff_cause(struct profile *a, struct profile *b, const struct match_options *options,
	   enum diff_cause_format format, size_t limit)
{
	struct ledger_print p;

	diff_cause_make(&p, a, b, options);
	p.limit = limit;
	if (format == CAUSE_TEXT)
		ledger_text(&p);
	else if (format == CAUSE_MARKDOWN)
		ledger_markdown(&p);
	else
		ledger_data(&p, format == CAUSE_CSV ? "csv" : "json");
	diff_cause_release(&p);
}
