/* queens [N]: n queens on a board, by backtracking with closures, as in Figure 3 of Waddell and
 * Ashley (1999). A closure is a pointer to a procedure and the variables that it needs. Each step
 * gets two: what to do when it succeeds, and what when it fails.
 *
 *	cgcc -O2 -o queens queens.c
 *	cgview record -o queens.db -- ./queens 9
 *	cgview queens.db
 *
 * Questions that its profile answers: of the procedures that FAIL() can call, which one was it, and
 * how often? With cgcc --cgview-flags=notargets the answer is solved instead of measured. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 16 }; /* nothing returns before the end: the stack grows with each step */

struct board {
	const struct board *next;
	int column;
};

struct success;
struct failure;

typedef const struct board *succeed(const struct success *env, const struct board *board,
				    const struct failure *fail);
typedef const struct board *give_up(const struct failure *env);

struct success {
	succeed *code;
	const struct success *succeed;
	int n;
};

struct failure {
	give_up *code;
	const struct success *succeed;
	const struct failure *fail;
	const struct board *board;
	int n, column;
};

#define SUCCEED(closure, board, fail) ((closure)->code((closure), (board), (fail)))
#define FAIL(closure) ((closure)->code((closure)))

static bool
in_column(int column, const struct board *board)
{
	for (; board; board = board->next)
		if (board->column == column)
			return true;
	return false;
}

static bool
on_diagonal(int column, const struct board *board)
{
	int up = column - 1, down = column + 1;

	for (; board; board = board->next, up--, down++)
		if (board->column == up || board->column == down)
			return true;
	return false;
}

static int
length(const struct board *board)
{
	int n = 0;

	for (; board; board = board->next)
		n++;
	return n;
}

static give_up try_next;

static const struct board *
place(const struct board *board, int n, int column, const struct success *s,
      const struct failure *fail)
{
	for (; column < n; column++) {
		if (in_column(column, board) || on_diagonal(column, board))
			continue;
		return SUCCEED(s, (&(struct board){board, column}),
			       (&(struct failure){try_next, s, fail, board, n, column}));
	}
	return FAIL(fail);
}

static const struct board *
try_next(const struct failure *env)
{
	return place(env->board, env->n, env->column + 1, env->succeed, env->fail);
}

static succeed next_row;

static const struct board *
queens(const struct board *board, int n, const struct success *s, const struct failure *fail)
{
	if (length(board) == n)
		return SUCCEED(s, board, fail);
	return place(board, n, 0, &(struct success){next_row, s, n}, fail);
}

static const struct board *
next_row(const struct success *env, const struct board *board, const struct failure *fail)
{
	return queens(board, env->n, env->succeed, fail);
}

/* The closures are gone when we return: the board must be shown now. */
static const struct board *
show(const struct success *env, const struct board *board, const struct failure *fail)
{
	(void)env, (void)fail;
	for (const struct board *b = board; b; b = b->next)
		printf("%d%s", b->column + 1, b->next ? " " : "\n");
	return board;
}

static unsigned long solutions;

static const struct board *
count(const struct success *env, const struct board *board, const struct failure *fail)
{
	(void)env, (void)board;
	solutions++;
	return FAIL(fail);
}

static const struct board *
none(const struct failure *env)
{
	(void)env;
	return NULL;
}

int
main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 8;
	const struct failure fail = {.code = none};
	const struct success first = {.code = show}, all = {.code = count};

	if (n < 1 || n > MOST)
		return fprintf(stderr, "usage: queens [1..%d]\n", MOST), 2;
	if (!queens(NULL, n, &first, &fail))
		puts("no solution");
	if (n <= 9) {
		queens(NULL, n, &all, &fail);
		printf("%lu solutions\n", solutions);
	}
	return 0;
}
