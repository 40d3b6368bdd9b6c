/* The lines that a procedure's blocks stand on, and which of its blocks are one statement.
 *
 * A line is executed as often as the statement on it that is executed most often
 * (docs/design/lines.md). A statement is what has one location. The compiler copies
 * some: what ends the life of a variable, on each way out of its scope. Copies on different ways
 * are one statement, whose counts add up; blocks of one location that follow each other (a
 * condition and what is made of its value) are not: each is a *group* of its own. Blocks form one
 * group if none can reach another one except around a loop. The importer adds up each group, and
 * takes the greatest.
 */
#include "graph.h"

#include <algorithm>

/* ---- notes ---- */

/* Each statement of a line once for a block. */
static void
note_at(struct graph *g, int block, const char *file, int line, unsigned HOST_WIDE_INT statement)
{
	vec<block_line> *lines = &g->proc.lines;
	const struct place *begun = &g->begun[block];
	struct block_line l = {block, file, line, statement, 0};

	if (!file || line <= 0 || is_deleting(cfun->decl) ||
	    (begun->file && begun->line == line && !strcmp(begun->file, file)))
		return;
	for (unsigned i = lines->length(); i-- > 0 && (*lines)[i].block == block;)
		if ((*lines)[i].line == line && (*lines)[i].statement == statement &&
		    !strcmp((*lines)[i].file, file))
			return;
	lines->safe_push(l);
}

static unsigned HOST_WIDE_INT
key_of(location_t loc)
{
	return (unsigned)get_pure_location(line_table, LOCATION_LOCUS(loc));
}

bool
lines_belong_to_none(location_t loc)
{
	tree decl = cfun->decl;
	expanded_location x = expand_location(loc), y;
	const char *name = linkage_name(decl);

	if (!DECL_ARTIFICIAL(decl) ||
	    (strncmp(name, "_GLOBAL__", 9) && !strstr(name, "static_initialization_and_destruct")))
		return false;
	y = expand_location(DECL_SOURCE_LOCATION(decl));
	return x.line == y.line && x.column == y.column && x.file && y.file &&
	       !strcmp(x.file, y.file);
}

void
lines_note(struct graph *g, int block, location_t loc)
{
	expanded_location x = expand_location(loc);

	if (!lines_belong_to_none(loc))
		note_at(g, block, x.file, x.line, key_of(loc));
}

void
lines_note_operand(struct graph *g, int block, gimple *mark)
{
	const struct place *place = operands_mark(mark);

	note_at(g, block, place->file, place->line,
		(unsigned HOST_WIDE_INT)1 << 63 | operands_mark_number(mark));
}

/* C++ has read so far, to the parenthesis behind the expression, when it makes a return of it. */
bool
lines_read_so_far(const struct graph *g, int block, location_t loc)
{
	return g->begun[block].file && place_is_closing(loc);
}

/* Does STMT call a destructor? */
static bool
ends_life(gimple *stmt)
{
	tree callee = is_gimple_call(stmt) ? gimple_call_fndecl(stmt) : NULL_TREE;

	return callee && DECL_CXX_DESTRUCTOR_P(callee);
}

/* Code before and code behind a suspension of a coroutine's body are on different ways: neither is
 * a copy. */
static unsigned HOST_WIDE_INT
key_in_block(int block, gimple *stmt)
{
	unsigned HOST_WIDE_INT key = key_of(gimple_location(stmt));

	return coroutine_is_body(cfun->decl) && !ends_life(stmt)
		       ? key | (unsigned HOST_WIDE_INT)(block + 1) << 32
		       : key;
}

/* The tests of && and || have the operator's place; where they stand their operands tell. */
static bool
told_by_operands(location_t loc)
{
	return operands_is_logical(loc) &&
	       !linemap_location_from_macro_expansion_p(line_table, loc);
}

void
lines_note_statement(struct graph *g, int block, gimple *stmt, gimple *mark)
{
	location_t loc = gimple_location(stmt);
	const struct place *place = conditional_at(loc);

	if (operands_cleans_up(stmt) || told_by_operands(loc))
		return;
	if (coroutine_has_place(cfun->decl, loc) && !coroutine_ends(cfun->decl, stmt))
		return;
	if (lines_read_so_far(g, block, loc))
		return;
	if (!conditional_has_place(loc) && !conditional_handed_on(stmt)) {
		expanded_location x = expand_location(loc);

		note_at(g, block, x.file, x.line, key_in_block(block, stmt));
		return;
	}
	if (mark && (api_point(gimple_location(mark)) == api_point(loc) ||
		     (gimple_code(stmt) == GIMPLE_COND && !conditional_at(gimple_location(mark)))))
		place = operands_mark(mark);
	else if (gimple_code(stmt) != GIMPLE_COND)
		return;
	if (place)
		note_at(g, block, place->file, place->line, key_of(loc));
}

struct place
lines_begun_before(struct graph *g, int b)
{
	basic_block bb = g->blocks[b];
	const struct place *condition = conditional_ends(bb);
	int before;

	if (condition)
		return *condition;
	if (!single_pred_p(bb) || single_pred(bb) == ENTRY_BLOCK_PTR_FOR_FN(cfun))
		return place_none();
	before = g->number[single_pred(bb)->index];
	return before < b ? g->begun[before] : place_none();
}

bool
lines_is_noted(const struct graph *g, location_t loc)
{
	expanded_location x = expand_location(loc);

	for (unsigned i = 0; i < g->proc.lines.length(); i++)
		if (g->proc.lines[i].line == x.line && !strcmp(g->proc.lines[i].file, x.file))
			return true;
	return false;
}

/* ---- heads of loops ---- */

bool
lines_goes_round(edge e)
{
	return (e->flags & EDGE_DFS_BACK) && single_succ_p(e->src) && !may_leave(e->src) &&
	       !RESERVED_LOCATION_P(e->goto_locus) && place_begins_loop(e->goto_locus);
}

static bool
stands_before(location_t a, location_t b)
{
	expanded_location x = expand_location(a), y = expand_location(b);

	return x.file && y.file && !strcmp(x.file, y.file) &&
	       (x.line < y.line || (x.line == y.line && x.column < y.column));
}

/* Does control that comes by OTHER to where BACK leads begin a turn of BACK's loop? Not if OTHER
 * goes round a loop that is in it, and begins where it begins. */
static bool
begins_turn(edge other, edge back)
{
	if (!(other->flags & EDGE_DFS_BACK) || other->goto_locus == back->goto_locus)
		return true;
	return !RESERVED_LOCATION_P(other->goto_locus) &&
	       (place_is_continue(other->goto_locus) ||
		stands_before(other->goto_locus, back->goto_locus));
}

/* Has BB a label of the program's, to which control may jump past the head of a loop? */
static bool
has_label(basic_block bb)
{
	for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
		glabel *label = dyn_cast<glabel *>(gsi_stmt(i));

		if (label && !DECL_ARTIFICIAL(gimple_label_label(label)))
			return true;
	}
	return false;
}

/* Is each execution of the block that BACK leads to the begin of a turn of its loop? */
static bool
counts_turns(edge back)
{
	edge e;
	edge_iterator ei;

	FOR_EACH_EDGE(e, ei, back->dest->preds)
		if (!begins_turn(e, back))
			return false;
	return !has_label(back->dest);
}

/* The head of a loop without a condition has no code but that jump. It is executed as often as a
 * turn begins, not as often as one ends. Where no block tells that, the head has no count. */
void
lines_note_head(struct graph *g, int b)
{
	edge e;
	edge_iterator ei;

	FOR_EACH_EDGE(e, ei, g->blocks[b]->preds)
		if (lines_goes_round(e) && !g->seen.contains(api_point(e->goto_locus)) &&
		    counts_turns(e))
			lines_note(g, b, e->goto_locus);
}

/* ---- groups ---- */

/* The blocks of one statement, or one group of them, by number. */
struct group {
	const char *file;
	int line, first; /* the least place of its blocks in the order of flow */
	auto_vec<int> blocks;
};

struct grouping {
	const struct graph *g;
	auto_vec<int> order, position; /* of flow: number of a block, and the other way round */
	auto_vec<int> level;           /* per position, of the statement at hand */
	auto_delete_vec<group> groups;
};

static void
order_blocks(struct grouping *s, function *fun)
{
	int *order = XNEWVEC(int, n_basic_blocks_for_fn(fun));
	int nr = pre_and_rev_post_order_compute_fn(fun, NULL, order, false);

	s->position.safe_grow_cleared(s->g->blocks.length());
	s->level.safe_grow_cleared(s->g->blocks.length() + nr);
	for (unsigned b = 0; b < s->g->blocks.length(); b++)
		s->position[b] = -1;
	for (int i = 0; i < nr; i++) {
		s->position[s->g->number[order[i]]] = i;
		s->order.safe_push(s->g->number[order[i]]);
	}
	for (unsigned b = 0; b < s->g->blocks.length(); b++)
		if (s->position[b] < 0) { /* not reached */
			s->position[b] = (int)s->order.length();
			s->order.safe_push((int)b);
		}
	free(order);
}

/* The most blocks of the statement that control passes on a way to the block at POSITION, from
 * FIRST on and without going back. */
static int
most_before(struct grouping *s, int position, int first)
{
	basic_block bb = s->g->blocks[s->order[position]];
	int most = 0, from;
	edge_iterator ei;
	edge e;

	FOR_EACH_EDGE(e, ei, bb->preds)
		if (e->src != ENTRY_BLOCK_PTR_FOR_FN(cfun)) {
			from = s->position[s->g->number[e->src->index]];
			if (from >= first && from < position)
				most = MAX(most, s->level[from]);
		}
	return most;
}

static struct group *
new_group(struct grouping *s, const struct block_line *l)
{
	struct group *group = new struct group();

	group->file = l->file;
	group->line = l->line;
	group->first = INT_MAX;
	s->groups.safe_push(group);
	return group;
}

/* LINES[0..NR) are one statement, its blocks in the order of flow. Blocks that may come behind the
 * same number of others are a group: neither of two of them can follow the other. */
static void
group_statement(struct grouping *s, const struct block_line *lines, int nr)
{
	int first = s->position[lines[0].block], last = s->position[lines[nr - 1].block];
	unsigned begin = s->groups.length();

	for (int p = first, next = 0; p <= last; p++) {
		s->level[p] = nr > 1 ? most_before(s, p, first) : 0;
		if (s->position[lines[next].block] != p)
			continue;
		while (s->groups.length() <= begin + s->level[p])
			new_group(s, &lines[next]);
		struct group *group = s->groups[begin + s->level[p]];

		group->blocks.safe_push(s->order[p]);
		group->first = MIN(group->first, p);
		s->level[p]++;
		next++;
	}
}

static bool
statement_before(const struct grouping *s, const struct block_line &a, const struct block_line &b)
{
	int order = a.line != b.line ? a.line - b.line : strcmp(a.file, b.file);

	if (order)
		return order < 0;
	if (a.statement != b.statement)
		return a.statement < b.statement;
	return s->position[a.block] < s->position[b.block];
}

static bool
same_line(const struct group *a, const struct group *b)
{
	return a->line == b->line && !strcmp(a->file, b->file);
}

static bool
group_before(const struct group *a, const struct group *b)
{
	if (!same_line(a, b))
		return a->line != b->line ? a->line < b->line : strcmp(a->file, b->file) < 0;
	if (a->blocks.length() != b->blocks.length())
		return a->blocks.length() > b->blocks.length();
	return a->first < b->first;
}

static bool
has_all(const struct group *group, const struct group *of)
{
	for (unsigned i = 0; i < of->blocks.length(); i++)
		if (!group->blocks.contains(of->blocks[i]))
			return false;
	return true;
}

/* A group whose blocks are all in one that is kept cannot be executed more often. */
static bool
is_superfluous(const vec<group *> *kept, const struct group *group)
{
	for (unsigned i = kept->length(); i-- > 0 && same_line((*kept)[i], group);)
		if (has_all((*kept)[i], group))
			return true;
	return false;
}

/* By their blocks, those of one block as they were. (std::stable_sort() is not to be had without
 * libstdc++, and to load that takes a fifth of what an empty file takes to compile.) */
static bool
line_before(const struct block_line &a, const struct block_line &b)
{
	return a.block != b.block ? a.block < b.block : a.statement < b.statement;
}

/* The groups that count, numbered on each line, as notes of blocks again. */
static void
put_groups(struct grouping *s, vec<block_line> *lines)
{
	auto_vec<group *> kept;

	std::sort(s->groups.begin(), s->groups.end(), group_before);
	for (unsigned i = 0; i < s->groups.length(); i++)
		if (!is_superfluous(&kept, s->groups[i]))
			kept.safe_push(s->groups[i]);
	lines->truncate(0);
	for (unsigned i = 0, number = 0; i < kept.length(); i++) {
		number = i && same_line(kept[i - 1], kept[i]) ? number + 1 : 0;
		for (unsigned k = 0; k < kept[i]->blocks.length(); k++) {
			struct block_line l = {kept[i]->blocks[k], kept[i]->file, kept[i]->line,
					       lines->length(), (int)number};
			lines->safe_push(l);
		}
	}
	std::sort(lines->begin(), lines->end(), line_before);
}

void
lines_group(struct graph *g, function *fun)
{
	vec<block_line> *lines = &g->proc.lines;
	struct grouping s;
	unsigned n;

	s.g = g;
	order_blocks(&s, fun);
	std::sort(lines->begin(), lines->end(),
		  [&](const struct block_line &a, const struct block_line &b) {
			  return statement_before(&s, a, b);
		  });
	for (unsigned i = 0; i < lines->length(); i += n) {
		const struct block_line *l = &(*lines)[i];

		for (n = 1; i + n < lines->length(); n++)
			if (l[n].line != l->line || l[n].statement != l->statement ||
			    strcmp(l[n].file, l->file))
				break;
		group_statement(&s, l, (int)n);
	}
	put_groups(&s, lines);
}

void
lines_tell(const struct procedure *p)
{
	int block = -1;

	for (unsigned i = 0; i < p->lines.length(); i++) {
		if (p->lines[i].block != block)
			fprintf(stderr, "\n  block %d:", block = p->lines[i].block);
		fprintf(stderr, " %d/%d", p->lines[i].line, p->lines[i].group);
	}
	fputc('\n', stderr);
}
