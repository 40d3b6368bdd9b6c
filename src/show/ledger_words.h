/* A ledger's numbers and rows in words, for the browser and for reports. All texts are safe for a
 * terminal. ASCII: no other characters. */
#ifndef CGVIEW_SHOW_LEDGER_WORDS
#define CGVIEW_SHOW_LEDGER_WORDS

#include "compare/ledger/ledger.h"
#include "util/mem.h"

/* The unit of all amounts of a ledger: "ms"; of executions "", "k", "M". */
struct ledger_unit { double size; const char *name; };
struct ledger_unit ledger_unit(const struct ledger_head *h, bool ascii);

/* Append an amount with its sign, and half of its interval: "+65.3", "7.5"; without a unit. */
void ledger_put_amount(struct strbuf *out, const struct ledger_unit *u, double amount);
void ledger_put_error(struct strbuf *out, const struct ledger_unit *u, double error);
/* Both, with "±" between if the error is known. */
void ledger_put_value(struct strbuf *out, const struct ledger_unit *u,
		      const struct ledger_value *v, bool ascii);
/* Appends a count: "261 k", "0.5"; "?" for NAN. */
void ledger_put_count(struct strbuf *out, double n);

/* Appends bytes on both sides: "1.20 MB -> 2.40 MB". */
void ledger_put_bytes(struct strbuf *out, const double bytes[2], bool ascii);

/* The head in two parts: "CPU a run 169 -> 204 ms, +34 ±51 (10+10 runs)"; and, if it has them, the
 * amounts at equal speed: "at equal speed (×0.87, by 89 % of the time) +63 ±12 ms". */
void ledger_put_total(struct strbuf *out, const struct ledger_head *h, bool ascii);
void ledger_put_speed(struct strbuf *out, const struct ledger_head *h, bool ascii);
/* What could not be resolved: "unresolved, 156 rows: 16 ms would have been seen; ...". */
void ledger_put_unresolved(struct strbuf *out, const struct ledger_head *h, bool ascii);

/* The procedure of a row, and what is known of its text: "SetVariableFromAny (changed)". */
void ledger_put_procedure(struct strbuf *out, const struct ledger_row *r);
/* What has changed, and how: "calls JimFindVariable", "261 k -> 3.61 M". */
void ledger_put_what(struct strbuf *out, const struct ledger_item *item);
void ledger_put_change(struct strbuf *out, const struct ledger_item *item, bool ascii);
/* Is the item so large a part of its row that it is worth a line? */
bool ledger_is_large(const struct ledger_row *r, const struct ledger_item *item);

#endif
