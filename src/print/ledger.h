/* cgview diff --by cause: a ledger as text, in Markdown, for programs. */
#ifndef CGVIEW_PRINT_LEDGER
#define CGVIEW_PRINT_LEDGER

#include "compare/ledger/ledger.h"

/* What is printed: a ledger of CPU time, and of waiting where both profiles have that. */
struct ledger_print {
	struct ledger *cpu, *wait; /* WAIT: NULL, there is none */
	size_t limit;              /* rows of each; SIZE_MAX: those that are beyond chance */
};

/* Print to stdout. */
void ledger_text(const struct ledger_print *p);
void ledger_markdown(const struct ledger_print *p);
/* In FORMAT, csv or json: a row for each term. */
void ledger_data(const struct ledger_print *p, const char *format);

/* Appends the line of a row in the profile that has it, and its text: "box.c:45: n += 2;". */
void ledger_put_line(struct strbuf *out, const struct ledger *l, const struct ledger_row *r,
		     bool text);

/* Returns the first row from I on that is not beyond chance, but whose counts have changed: both
 * are true, and both are told. The number of rows: there is none. So many are printed at most. */
size_t ledger_next_work(const struct ledger *l, size_t i);
enum { LEDGER_MOST_WORK = 3 };

#endif
