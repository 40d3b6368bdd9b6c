/* Work on the rows of the tree that may take longer than a key. */
#include <stdlib.h>

#include "show/human.h"
#include "tui/busy.h"
#include "tui/screen/draw.h"
#include "tui/views.h"
#include "tui/views/tree_view.h"

/* The limits of what `*` expands: enough to see, not so much that nobody finds anything. */
enum { ALL_ROWS = 5000 };

static struct tree_marks **
marks_of(struct tree_state *s)
{
	const struct tree_want *want = tree_wanted(s->rows->tree);

	return &s->gone[want->source][want->bottom_up].marks;
}

static void
forget_marks(struct tree_state *s)
{
	tree_marks_free(*marks_of(s));
	*marks_of(s) = NULL;
}

static void
set_cursor(struct tree_state *s, uint32_t node)
{
	if (!s->job.moved)
		s->node = node;
}

static void
set_kind(struct tree_state *s, enum tree_job_kind kind, uint32_t node)
{
	s->job.kind = kind;
	s->job.node = node;
}

static void
tell_full(struct browser *b)
{
	if (tree_full(b->tree->rows->tree))
		browser_say(b, ROLE_MESSAGE, "this tree is too large to show more of it");
}

static void
expand(struct browser *b, uint32_t node)
{
	struct tree_state *s = b->tree;

	set_kind(s, JOB_EXPAND, node);
	tree_rows_open_node(s->rows, node);
	tree_rows_expand(s->rows, node, true);
	tell_full(b);
}

static void
tell_all(struct browser *b)
{
	const struct tree_state *s = b->tree;

	if (s->rows->cut & TREE_CUT_ROWS)
		browser_say(b, ROLE_MESSAGE, "expanded to %d rows: lower levels are left collapsed",
			    ALL_ROWS);
	else if (s->rows->cut & TREE_CUT_MIN)
		browser_say(b, ROLE_MESSAGE, "expanded, but for what has less than %u.%u%%",
			    s->job.per_mille / 10, s->job.per_mille % 10);
}

static void
expand_all(struct browser *b, uint32_t node)
{
	struct tree_state *s = b->tree;
	uint64_t whole = tree_rows_whole(s->rows);
	uint64_t min = (uint64_t)((unsigned __int128)whole * s->job.per_mille / 1000);

	tree_rows_expand_all(s->rows, node, min ? min : 1, ALL_ROWS, SIZE_MAX);
	tell_all(b);
}

/* Returns the end of the hottest path from NODE. */
static uint32_t
follow(struct browser *b, uint32_t node)
{
	struct tree_state *s = b->tree;

	set_kind(s, JOB_HOTTEST, node);
	tree_rows_hottest(s->rows, &node);
	set_cursor(s, node);
	return node;
}

/* Says why the path goes no further than NODE, where the cursor was. */
static void
say_end(struct browser *b, uint32_t node)
{
	struct tree_rows *rows = b->tree->rows;
	bool up = tree_wanted(rows->tree)->bottom_up;
	const struct tree_node *n = tree_node(rows->tree, tree_rows_tail(rows, node));
	const char *why = up ? "more was called from outside than by any caller"
			     : "self is more than any callee has";

	if (!n->nr || tree_node(rows->tree, n->first)->kind >= TREE_RECURSION)
		why = up ? "no caller is known" : "nothing is counted below";
	browser_say(b, ROLE_MESSAGE, "the hottest path ends here: %s", why);
}

static void
hottest(struct browser *b, uint32_t node)
{
	if (follow(b, node) == node)
		say_end(b, node);
}

static void
put_marks(struct tree_state *s, enum tree_arrival arrival)
{
	uint32_t node;

	set_kind(s, JOB_MARKS, 0);
	node = tree_marks_put(s->rows, *marks_of(s));
	if (arrival == ARRIVE_AGAIN && node != TREE_NONE)
		set_cursor(s, node);
	forget_marks(s);
}

/* Moves the cursor to the procedure, else, if that is wanted, to where the time is. */
static void
find(struct browser *b, model_id procedure, enum tree_arrival arrival)
{
	struct tree_state *s = b->tree;
	uint32_t node;

	set_kind(s, JOB_FIND, 0);
	node = tree_find(s->rows->tree, procedure);
	if (node != TREE_NONE) {
		tree_rows_reveal(s->rows, node);
		set_cursor(s, node);
	} else if (arrival == ARRIVE_FIND && s->rows->nr) {
		follow(b, s->rows->rows[0].node);
	}
}

/* The title bar, the view's title and its heads, and the hints. */
enum { OTHER_LINES = 4 };

/* Expands the hot ways until the screen is full, of what has a hundredth of all. */
static void
fill(struct browser *b)
{
	struct tree_rows *rows = b->tree->rows;
	int room = draw_rows() - OTHER_LINES;

	set_kind(b->tree, JOB_EXPAND, 0);
	if (room > 0)
		tree_rows_fill(rows, tree_rows_whole(rows) / 100, (size_t)room);
}

/* Moves the cursor; something else may be wanted before this is done. */
static void
arrive(struct browser *b, uint32_t node)
{
	struct tree_state *s = b->tree;
	enum tree_arrival arrival = s->arrival;
	model_id procedure = s->procedure;
	bool first = !s->rows->filled && !*marks_of(s) &&
		     (arrival == ARRIVE_FIND || arrival == ARRIVE_EXPAND);

	(void)node;
	s->rows->filled = true;
	if (*marks_of(s))
		put_marks(s, arrival);
	if (first)
		fill(b); /* the cursor is in the first row, so nothing scrolls meanwhile */
	if (arrival == ARRIVE_EXPAND)
		expand(b, s->rows->nr ? s->rows->rows[0].node : 0);
	else if (arrival == ARRIVE_FIND || arrival == ARRIVE_FIND_IF_THERE)
		find(b, procedure, arrival);
}

static void
work(void *browser)
{
	static void (*const works[])(struct browser *b, uint32_t node) = {
		[JOB_ARRIVE] = arrive, [JOB_EXPAND] = expand, [JOB_ALL] = expand_all,
		[JOB_HOTTEST] = hottest,
	};
	struct browser *b = browser;

	works[b->tree->job.kind](b, b->tree->job.node);
}

static void
begin(struct browser *b, enum tree_job_kind kind, uint32_t node)
{
	struct tree_job *j = &b->tree->job;

	busy_drop(&j->job);
	set_kind(b->tree, kind, node);
	j->moved = false;
	j->job = job_new(work, b);
	busy_run(b, &j->job);
}

void
tree_job_arrive(struct browser *b)
{
	begin(b, JOB_ARRIVE, 0);
}

static void
begin_now(struct browser *b, enum tree_job_kind kind, uint32_t node)
{
	busy_slice(b, SLICE_KEY);
	begin(b, kind, node);
}

void
tree_job_expand(struct browser *b, uint32_t node)
{
	begin_now(b, JOB_EXPAND, node);
}

void
tree_job_hottest(struct browser *b, uint32_t node)
{
	begin_now(b, JOB_HOTTEST, node);
}

void
tree_job_all(struct browser *b, uint32_t node, unsigned per_mille)
{
	b->tree->job.per_mille = per_mille;
	begin_now(b, JOB_ALL, node);
}

bool
tree_job_stop(struct browser *b)
{
	struct tree_state *s = b->tree;

	if (!s->job.job)
		return false;
	busy_drop(&s->job.job);
	if (s->job.kind == JOB_MARKS)
		forget_marks(s);
	return true;
}

bool
tree_job_before(struct browser *b, enum action action, uint32_t node)
{
	struct tree_job *job = &b->tree->job;

	if (!job->job)
		return false;
	job->moved = true;
	if (action == ACTION_TREE_EXPAND && job->kind == JOB_EXPAND && job->node == node)
		return true;
	if (action == ACTION_OPEN ||
	    (action >= ACTION_TREE_EXPAND && action <= ACTION_TREE_ICICLE))
		tree_job_stop(b);
	return false;
}

void
tree_job_describe(const struct tree_state *s, struct strbuf *out)
{
	static const char *const what[] = {
		[JOB_ARRIVE] = "expanding", [JOB_MARKS] = "expanding what was expanded",
		[JOB_FIND] = "looking for the row", [JOB_EXPAND] = "expanding",
		[JOB_ALL] = "expanding", [JOB_HOTTEST] = "following the hottest path",
	};

	strbuf_str(out, what[s->job.kind]);
	strbuf_str(out, ", ");
	human_count(out, tree_children_so_far(s->rows->tree) + s->rows->spread);
	strbuf_str(out, " rows so far");
}
