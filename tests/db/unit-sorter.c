/* Sorting more rows than stay in memory: against the order of SQLite, in a file and without one. */
#include "db/lists/sorter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/job.h"

/* So many rows that some are put aside several times. */
#define ROWS "300000"
#define SOME                                                                                     \
	"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " ROWS ") "    \
	"SELECT i, iif(i % 7, i * 7919 % 1000 - 500, NULL) a, i * 104729 % 65537 / 4.0 b, "      \
	"'name ' || i * 31 % 977 c FROM n"

static int failed;

static void
verdict(bool good, const char *what)
{
	printf("%s - %s\n", good ? "ok" : "not ok", what);
	failed |= !good;
}

static sqlite3_stmt *
prepare(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *st = NULL;

	if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) != SQLITE_OK)
		printf("not ok - %s\n", sqlite3_errmsg(db));
	return st;
}

/* The terms of SOME are all sorted by, in turn. */
struct order {
	sqlite3 *db;
	int64_t *ids;
	size_t nr;
	unsigned asked;
	bool aside;
};

static void
sort(void *context)
{
	struct order *o = context;
	const bool down[] = { true, false, true, false };
	sqlite3_stmt *st = prepare(o->db, SOME);
	struct sorter s;

	sorter_init(&s, 3, down);
	while (sqlite3_step(st) == SQLITE_ROW) {
		sorter_add(&s, st, 1, sqlite3_column_int64(st, 0));
		if (sorter_is_full(&s))
			sorter_put_aside(&s);
	}
	sqlite3_finalize(st);
	o->aside = s.nr_runs > 1;
	o->nr = sorter_sort(&s, &o->ids);
	sorter_release(&s);
}

static bool
is_sorted(const struct order *o)
{
	sqlite3_stmt *st = prepare(o->db, SOME " ORDER BY a DESC, b, c DESC, i");
	size_t at = 0;
	bool same = true;

	while (sqlite3_step(st) == SQLITE_ROW && at < o->nr && same)
		same = sqlite3_column_int64(st, 0) == o->ids[at++];
	sqlite3_finalize(st);
	return same && at == o->nr && at == strtoul(ROWS, NULL, 10);
}

static bool
enough(void *context)
{
	return ++((struct order *)context)->asked;
}

int
main(void)
{
	struct order o = { .db = NULL };
	struct job *j;

	sqlite3_open(":memory:", &o.db);
	sort(&o);
	verdict(o.aside && is_sorted(&o), "very many rows, some of them in a file");
	free(o.ids);

	j = job_new(sort, &o);
	while (!job_run(j, enough, &o))
		;
	job_free(j);
	verdict(o.aside && o.asked > 100 && is_sorted(&o), "the same in slices");
	free(o.ids);

	setenv("TMPDIR", "/nowhere", 1);
	sort(&o);
	verdict(!o.aside && is_sorted(&o), "all in memory where no file can be made");
	free(o.ids);
	sqlite3_close(o.db);
	return failed;
}
