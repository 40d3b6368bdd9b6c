#include "db/lists/arc_sums.h"

#include <stdlib.h>

#include "db/store/connection.h"

struct arc_sum {
	struct profile *profile;
	sqlite3_stmt *st;
	struct arc_sums sums;
};

#define POSSIBLE " AND (a.hi > 0 OR a.how = 'sampled')"
#define SELECT "SELECT a.count, a.how IN ('estimated', 'pinned') FROM arc a WHERE "

static const char *const queries[][2] = {
	{ SELECT "a.callee = ?1", SELECT "a.callee = ?1" POSSIBLE },
	{ SELECT "a.caller = ?1", SELECT "a.caller = ?1" POSSIBLE },
	{ SELECT "a.site = ?1 OR a.through = ?1",
	  SELECT "(a.site = ?1 OR a.through = ?1)" POSSIBLE },
};

struct arc_sum *
arc_sum_begin(struct profile *p, const struct list_query *q)
{
	struct arc_sum *s = xcalloc(1, sizeof(*s));
	int by = q->callee ? 0 : q->caller ? 1 : 2;
	model_id id = q->callee ? q->callee : q->caller ? q->caller : q->site;

	s->profile = p;
	s->st = profile_prepare_again(p, queries[by][q->only_possible]);
	if (s->st)
		sqlite3_bind_int64(s->st, 1, id);
	return s;
}

static void
add_arc(struct arc_sum *s)
{
	uint64_t count = column_count(s->profile, s->st, 0);

	s->sums.count = s->sums.count + count < count ? UINT64_MAX : s->sums.count + count;
	s->sums.estimated |= column_integer(s->st, 1) != 0;
}

bool
arc_sum_work(struct arc_sum *s, bool (*enough)(void *context), void *context,
	     struct arc_sums *sums)
{
	enum { LOOK = 64 /* rows */ };

	for (unsigned i = 1; profile_step(s->profile, s->st); i++) {
		add_arc(s);
		if (i % LOOK == 0 && enough && enough(context))
			return false;
	}
	*sums = s->sums;
	return true;
}

void
arc_sum_end(struct arc_sum *s)
{
	if (!s)
		return;
	profile_put_back(s->profile, s->st);
	free(s);
}
