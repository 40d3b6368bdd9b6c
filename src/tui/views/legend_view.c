/* What the columns, marks and words of the view that has the keyboard mean, beside that view. The
 * source explains its own above the text: source_head.c. */
#include "show/value.h"
#include "tui/compare/compare.h"
#include "tui/views.h"
#include "tui/views/text_view.h"

enum { HEAD_WIDTH = 18 };

/* When a word can stand in a view. */
enum needs { WORD_ALWAYS, WORD_CYCLES, WORD_COMPARED };

#define IN(keymap) (1u << KEYMAP_##keymap)
#define CALLS_ARE_SHOWN (IN(TABLE) | IN(ARCS) | IN(PINS) | IN(TREE) | IN(ICICLE))
#define EVERYWHERE (~0u)

#define W(of_keymaps, of_needs, of_mark, of_head, of_text, ...)                                 \
	{ .keymaps = of_keymaps, .needs = of_needs, .mark = of_mark, .head = of_head,           \
	  .text = of_text, __VA_ARGS__ }

static const struct word {
	unsigned keymaps;
	enum needs needs;
	const char *mark;    /* a name of value_mark(), in place of the head; or NULL */
	const char *head;
	const char *text;
	const char *column;  /* a table has it only with this column; NULL: any */
} marks[] = {
	W(CALLS_ARE_SHOWN, WORD_ALWAYS, "estimated", NULL,
	  "before a count: an estimate. The true count is in the interval beside it."),
	W(CALLS_ARE_SHOWN, WORD_ALWAYS, "contradicted", NULL,
	  "before a count: an estimate that the sampled stacks contradict. Before a time in the "
	  "column propagated: the sampled stacks have another time."),
	W(IN(ARCS) | IN(PINS) | IN(TREE) | IN(ICICLE), WORD_ALWAYS, "pinned", NULL,
	  "before a count: you have set it or hold it, or it has moved with one that you hold."),
	W(EVERYWHERE & ~IN(TREE) & ~IN(ICICLE), WORD_ALWAYS, "lacking", NULL,
	  "before a count: at least so many. A thread ended within a loop, or a part was not "
	  "counted."),
	W(EVERYWHERE, WORD_ALWAYS, NULL, "-", "nothing, or not known"),
	W(IN(TABLE) | IN(TREE) | IN(ICICLE) | IN(BESIDE), WORD_COMPARED, NULL, "=",
	  "no difference between the profiles"),
}, words[] = {
	W(EVERYWHERE, WORD_ALWAYS, NULL, "procedures", "functions, of whatever language"),
	W(CALLS_ARE_SHOWN, WORD_ALWAYS, NULL, "call site, site",
	  "a place in the source that calls something"),
	W(CALLS_ARE_SHOWN, WORD_ALWAYS, NULL, "arc",
	  "the calls of one function from one call site: caller, place and callee"),
	W(IN(TREE), WORD_ALWAYS, NULL, "self, below",
	  "what the row has itself; what its callees have, while it is closed and no row shows it"),
	W(IN(TABLE), WORD_ALWAYS, NULL, "direct",
	  "a call that names the function; the others go through a pointer", .column = "call"),
	W(IN(TABLE) | IN(ARCS) | IN(TREE) | IN(ICICLE), WORD_ALWAYS, NULL, "(outside)",
	  "code that was not compiled with cgcc, as of a library: nothing is known of its inside"),
	W(IN(ARCS) | IN(TABLE), WORD_ALWAYS, NULL, "(through qsort)",
	  "called by code outside, here qsort, which was given the function's address"),
	W(IN(ARCS), WORD_ALWAYS, NULL, "(3)",
	  "three call sites are together in this row"),
	W(IN(ARCS) | IN(PINS), WORD_ALWAYS, NULL, "hold",
	  "keep an estimate at the number of calls that you chose, while others change"),
	W(IN(ARCS) | IN(PINS), WORD_ALWAYS, NULL, "pin", "an estimate that is held"),
	W(CALLS_ARE_SHOWN, WORD_CYCLES, NULL, "<cycle 1>, <1>",
	  "functions that call each other in a circle: those with one number are one cycle"),
	W(IN(TABLE), WORD_ALWAYS, NULL, "in profile",
	  "the text of the file as it was compiled", .column = "text"),
	W(IN(TABLE) | IN(MATRIX) | IN(BANDS), WORD_ALWAYS, NULL, "producer",
	  "the call that allocated blocks", .column = "made by"),
	W(IN(TABLE) | IN(MATRIX) | IN(BANDS), WORD_ALWAYS, NULL, "disposer",
	  "the call that freed them, or realloc, or the end of the program", .column = "freed by"),
	W(IN(TABLE) | IN(ARCS) | IN(TREE) | IN(ICICLE) | IN(BESIDE), WORD_COMPARED, NULL, "result",
	  "the value of the expression in the title, of the figures of this row"),
	W(IN(LEDGER), WORD_ALWAYS, NULL, "MORE, LESS WORK",
	  "more is executed, or less: by counts, which are exact. The time is what that takes, in "
	  "all that is called for it, and stands with the function that causes it."),
	W(IN(LEDGER), WORD_ALWAYS, NULL, "NEW, GONE", "work that only one side has at all"),
	W(IN(LEDGER), WORD_ALWAYS, NULL, "DEARER, CHEAPER",
	  "each execution takes more time, or less, than on the other side"),
	W(IN(LEDGER), WORD_ALWAYS, NULL, "at equal speed",
	  "what the machine did faster or slower on one side is taken out: it is seen in the code "
	  "that did the same on both sides"),
	W(IN(LEDGER), WORD_ALWAYS, NULL, "unresolved",
	  "what may be chance, all together; Enter lists it"),
	W(IN(TABLE) | IN(TREE) | IN(ICICLE), WORD_COMPARED, NULL, COLUMN_NOISE,
	  "how many standard errors the difference is: between -2 and +2 it may be chance"),
};

/* Returns the view that is explained: V is not yet on the stack, or on top of it. */
static struct view *
explained(struct view *v)
{
	struct browser *b = v->browser;

	if (browser_view(b) != v)
		return browser_view(b);
	return b->depth > 1 ? b->stack[b->depth - 2] : b->panes[b->focus];
}

static void
add_columns(struct view *v, const struct table *t)
{
	text_add(v, ROLE_STRONG, NULL, "Columns");
	for (int i = 0; i < t->nr_columns; i++)
		if (t->layout[i].shown && t->columns[i].cell != CELL_BAR && t->columns[i].head[0])
			text_add(v, ROLE_TEXT, column_heading(&t->columns[i], 0, draw_ascii()),
				 t->columns[i].help);
	text_add(v, ROLE_TEXT, NULL, "");
}

/* Is the column shown, and so explained? */
static bool
is_column(const struct table *t, const char *head)
{
	int i = table_column(t, head, false);

	return i >= 0 && t->layout[i].shown;
}

static bool
can_stand(const struct word *w, struct view *of)
{
	struct browser *b = of->browser;
	const struct table *t = view_table(of);

	return (!t || ((!w->head || !is_column(t, w->head)) &&
		       (!w->column || is_column(t, w->column)))) &&
	       w->keymaps & 1u << of->ops->keymap &&
	       (w->needs != WORD_CYCLES || b->totals->nr_cycles) &&
	       (w->needs != WORD_COMPARED || compare_is_on(b));
}

static void
add_words(struct view *v, const char *title, const struct word *all, size_t nr)
{
	struct view *of = explained(v);
	struct strbuf mark = STRBUF_INIT;

	text_add(v, ROLE_STRONG, NULL, title);
	for (size_t i = 0; i < nr; i++) {
		if (!can_stand(&all[i], of))
			continue;
		strbuf_clear(&mark);
		if (all[i].mark)
			value_mark(&mark, all[i].mark, draw_ascii());
		else
			strbuf_str(&mark, all[i].head);
		text_add(v, ROLE_TEXT, mark.buf, all[i].text);
	}
	strbuf_release(&mark);
}

static void
build_legend(struct view *v)
{
	const struct table *t = view_table(explained(v));

	if (t)
		add_columns(v, t);
	add_words(v, "Marks", marks, sizeof(marks) / sizeof(*marks));
	text_add(v, ROLE_TEXT, NULL, "");
	add_words(v, "Words", words, sizeof(words) / sizeof(*words));
}

bool
is_legend(const struct view *v)
{
	return text_is_built_by(v, build_legend);
}

struct view *
legend_new(struct browser *b)
{
	struct view *v = text_new(b, "legend", HEAD_WIDTH, build_legend);

	text_beside(v);
	return v;
}
