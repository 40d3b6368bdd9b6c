/* An exact linear program over a network, for checking the flow solver by another method: the
 * textbook simplex tableau with Bland's rule. The equations of a network are totally unimodular,
 * so every number in the tableau is -1, 0 or 1 and whole right-hand sides stay whole. */
#ifndef CGVIEW_TESTS_FLOW_SIMPLEX_H
#define CGVIEW_TESTS_FLOW_SIMPLEX_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "flow/flow.h"

enum { SIMPLEX_ROWS = 40, SIMPLEX_COLUMNS = 260 };

typedef __int128 exact;

struct simplex {
	int rows, columns, arcs;       /* columns: arcs, then a slack per row */
	int basis[SIMPLEX_ROWS];
	signed char a[SIMPLEX_ROWS][SIMPLEX_COLUMNS];
	exact b[SIMPLEX_ROWS];
	exact cost[SIMPLEX_COLUMNS];   /* reduced, of a minimisation */
};

static void
simplex_add_row(struct simplex *s, int row, int factor, int other)
{
	for (int j = 0; j < s->columns; j++)
		s->a[other][j] = (signed char)(s->a[other][j] - factor * s->a[row][j]);
	s->b[other] -= factor * s->b[row];
}

static void
simplex_pivot(struct simplex *s, int row, int column)
{
	exact factor = s->cost[column];

	if (s->a[row][column] < 0) {
		for (int j = 0; j < s->columns; j++)
			s->a[row][j] = (signed char)-s->a[row][j];
		s->b[row] = -s->b[row];
	}
	for (int i = 0; i < s->rows; i++)
		if (i != row && s->a[i][column])
			simplex_add_row(s, row, s->a[i][column], i);
	for (int j = 0; factor && j < s->columns; j++)
		s->cost[j] -= factor * s->a[row][j];
	s->basis[row] = column;
}

/* Minimise what s->cost says, with columns from END on kept out. */
static void
simplex_run(struct simplex *s, int end)
{
	int column, row;

	for (;;) {
		for (column = 0; column < end && s->cost[column] >= 0; column++)
			;
		if (column == end)
			return;
		row = -1;
		for (int i = 0; i < s->rows; i++) {
			if (s->a[i][column] <= 0)
				continue;
			if (row < 0 || s->b[i] < s->b[row] ||
			    (s->b[i] == s->b[row] && s->basis[i] < s->basis[row]))
				row = i;
		}
		if (row < 0)
			return; /* without bound: cannot happen here */
		simplex_pivot(s, row, column);
	}
}

/* One row per site and procedure: arcs + slack = count. Starts with everything in the slack. */
static void
simplex_init(struct simplex *s, const struct flow_problem *p, const uint64_t *sites,
	     const uint64_t *procedures)
{
	int nr_sites = (int)p->nr_sites;

	memset(s, 0, sizeof(*s));
	s->rows = nr_sites + (int)p->nr_procedures;
	s->arcs = (int)p->nr_arcs;
	s->columns = s->arcs + s->rows;
	for (int i = 0; i < s->rows; i++) {
		s->b[i] = i < nr_sites ? sites[i] : procedures[i - nr_sites];
		s->a[i][s->arcs + i] = 1;
		s->basis[i] = s->arcs + i;
	}
	for (int j = 0; j < s->arcs; j++) {
		if (p->arcs[j].site >= 0)
			s->a[p->arcs[j].site][j] = 1;
		if (p->arcs[j].procedure >= 0)
			s->a[nr_sites + p->arcs[j].procedure][j] = 1;
	}
}

/* The least sum of all slacks. */
static exact
simplex_least_residual(struct simplex *s)
{
	exact sum = 0;

	for (int j = 0; j < s->columns; j++)
		s->cost[j] = 0;
	for (int i = 0; i < s->rows; i++)
		for (int j = 0; j < s->arcs; j++)
			s->cost[j] -= s->a[i][j];
	simplex_run(s, s->columns);
	for (int i = 0; i < s->rows; i++)
		if (s->basis[i] >= s->arcs)
			sum += s->b[i];
	return sum;
}

/* After a least residual of 0: take the slacks out for good. */
static void
simplex_drop_slacks(struct simplex *s)
{
	for (int i = 0; i < s->rows; i++) {
		int column = 0;

		if (s->basis[i] < s->arcs)
			continue;
		while (column < s->arcs && !s->a[i][column])
			column++;
		if (column < s->arcs) {
			simplex_pivot(s, i, column);
			continue;
		}
		/* The row says nothing: the last one takes its place. */
		s->rows--;
		memcpy(s->a[i], s->a[s->rows], sizeof(s->a[i]));
		s->b[i] = s->b[s->rows];
		s->basis[i] = s->basis[s->rows];
		i--;
	}
}

/* The cost of what is in the basis of ROW becomes 0: the others' costs are what they differ by. */
static inline void
simplex_price_out(struct simplex *s, int row)
{
	exact cost = s->cost[s->basis[row]];

	for (int j = 0; j < s->columns; j++)
		s->cost[j] -= cost * s->a[row][j];
}

/* The least (SIGN 1) or most (SIGN -1) that ARC can be, from any feasible tableau on. */
static exact
simplex_extreme(struct simplex *s, int arc, int sign)
{
	for (int j = 0; j < s->columns; j++)
		s->cost[j] = j == arc ? sign : 0;
	for (int i = 0; i < s->rows; i++)
		if (s->basis[i] == arc)
			simplex_price_out(s, i);
	simplex_run(s, s->arcs);
	for (int i = 0; i < s->rows; i++)
		if (s->basis[i] == arc)
			return s->b[i];
	return 0;
}

/* The least sum of the arcs of P, each times its cost, from any feasible tableau on. */
static inline exact
simplex_least(struct simplex *s, const struct flow_problem *p,
	      exact (*cost)(const struct flow_problem *, int arc))
{
	exact sum = 0;

	for (int j = 0; j < s->columns; j++)
		s->cost[j] = j < s->arcs ? cost(p, j) : 0;
	for (int i = 0; i < s->rows; i++)
		if (s->cost[s->basis[i]])
			simplex_price_out(s, i);
	simplex_run(s, s->arcs);
	for (int i = 0; i < s->rows; i++)
		sum += s->b[i] * cost(p, s->basis[i]);
	return sum;
}

#endif
