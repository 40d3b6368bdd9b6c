/* Work on the rows of the tree that may take longer than a key. */
#include <stdlib.h>

#include "show/human.h"
#include "tui/busy.h"
#include "tui/tree_view.h"
#include "tui/views.h"

/* What `*` expands: enough to see, not so much that nobody finds anything in it. */
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
begin(struct tree_state *s, enum tree_job_kind kind, uint32_t node)
{
	s->job.kind = kind;
	s->job.node = node;
}

/* What comes when the rows are as they were left. */
static void
begin_arrival(struct tree_state *s)
{
	begin(s, JOB_NONE, 0);
	if (s->arrival == ARRIVE_EXPAND)
		begin(s, JOB_EXPAND, s->rows->nr ? s->rows->rows[0].node : 0);
	else if (s->arrival == ARRIVE_FIND || s->arrival == ARRIVE_FIND_IF_THERE)
		begin(s, JOB_FIND, 0);
}

static bool
put_marks(struct browser *b)
{
	struct tree_state *s = b->tree;
	uint32_t node;

	if (!tree_marks_put_on(s->rows, *marks_of(s), &node, busy_over, b))
		return false;
	if (s->arrival == ARRIVE_AGAIN && node != TREE_NONE)
		set_cursor(s, node);
	forget_marks(s);
	begin_arrival(s);
	return true;
}

/* The cursor goes to the procedure, else, if that is wanted, to where the time is. */
static bool
find(struct browser *b)
{
	struct tree_state *s = b->tree;
	uint32_t node;

	if (!tree_find_on(s->rows->tree, s->procedure, &node, busy_over, b))
		return false;
	begin(s, JOB_NONE, 0);
	if (node != TREE_NONE) {
		tree_rows_reveal(s->rows, node);
		set_cursor(s, node);
	} else if (s->arrival == ARRIVE_FIND && s->rows->nr) {
		begin(s, JOB_HOTTEST, s->rows->rows[0].node);
	}
	return true;
}

static void
tell_full(struct browser *b)
{
	if (tree_full(b->tree->rows->tree))
		browser_say(b, ROLE_MESSAGE, "this tree is too large to show more of it");
}

static bool
expand(struct browser *b)
{
	struct tree_state *s = b->tree;

	if (!tree_rows_open_on(s->rows, s->job.node, busy_over, b))
		return false;
	tree_rows_expand(s->rows, s->job.node, true);
	tell_full(b);
	begin(s, JOB_NONE, 0);
	return true;
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

static bool
spread(struct browser *b)
{
	struct tree_state *s = b->tree;

	if (!tree_rows_spread_on(s->rows, &s->job.spread, busy_over, b))
		return false;
	tree_rows_spread_end(s->rows, &s->job.spread);
	tell_all(b);
	begin(s, JOB_NONE, 0);
	return true;
}

static bool
follow(struct browser *b)
{
	struct tree_state *s = b->tree;

	if (!tree_rows_hottest_on(s->rows, &s->job.node, busy_over, b))
		return false;
	set_cursor(s, s->job.node);
	begin(s, JOB_NONE, 0);
	return true;
}

bool
tree_job_on(struct browser *b)
{
	static bool (*const work[])(struct browser *b) = {
		[JOB_MARKS] = put_marks, [JOB_FIND] = find, [JOB_EXPAND] = expand,
		[JOB_ALL] = spread, [JOB_HOTTEST] = follow,
	};

	while (b->tree->job.kind != JOB_NONE)
		if (!work[b->tree->job.kind](b))
			return false;
	return true;
}

void
tree_job_arrive(struct browser *b)
{
	struct tree_state *s = b->tree;

	s->job.moved = false;
	if (*marks_of(s))
		begin(s, JOB_MARKS, 0);
	else
		begin_arrival(s);
	tree_job_on(b);
}

static void
begin_now(struct browser *b, enum tree_job_kind kind, uint32_t node)
{
	begin(b->tree, kind, node);
	b->tree->job.moved = false;
	busy_slice(b, SLICE_KEY);
	tree_job_on(b);
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
	struct tree_state *s = b->tree;
	uint64_t whole = tree_rows_whole(s->rows);
	uint64_t min = (uint64_t)((unsigned __int128)whole * per_mille / 1000);

	s->job.per_mille = per_mille;
	tree_rows_spread_begin(s->rows, &s->job.spread, node, min ? min : 1, ALL_ROWS, SIZE_MAX);
	begin_now(b, JOB_ALL, node);
}

bool
tree_job_stop(struct browser *b)
{
	struct tree_state *s = b->tree;

	if (s->job.kind == JOB_NONE)
		return false;
	if (s->job.kind == JOB_ALL)
		tree_rows_spread_end(s->rows, &s->job.spread);
	if (s->job.kind == JOB_MARKS)
		forget_marks(s);
	tree_give_up_children(s->rows->tree);
	begin(s, JOB_NONE, 0);
	return true;
}

bool
tree_job_before(struct browser *b, enum action action, uint32_t node)
{
	struct tree_job *job = &b->tree->job;

	if (job->kind == JOB_NONE)
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
		[JOB_MARKS] = "expanding what was expanded", [JOB_FIND] = "looking for the row",
		[JOB_EXPAND] = "expanding", [JOB_ALL] = "expanding",
		[JOB_HOTTEST] = "following the hottest path",
	};

	strbuf_str(out, what[s->job.kind]);
	strbuf_str(out, ", ");
	human_count(out, tree_children_so_far(s->rows->tree) + s->job.spread.rows);
	strbuf_str(out, " rows so far");
}
