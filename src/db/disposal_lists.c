/* Who gave back what whom made, as three listings: each pair, each that gave back, each that wanted
 * blocks. They are no tables of the profile: temporary ones are made at the first request, as some
 * profiles have no disposals, and rows without blocks are no rows. */
#include "db/connection.h"
#include "db/table.h"

#define COLUMNS "id INTEGER PRIMARY KEY, site INTEGER, procedure INTEGER, by_site INTEGER, " \
	"by INTEGER, how TEXT, others INTEGER, blocks INTEGER, bytes INTEGER, " \
	"live_blocks INTEGER, live INTEGER, at_exit INTEGER, life_bytes INTEGER, " \
	"temporary INTEGER, under_4k INTEGER, under_64k INTEGER, under_1m INTEGER, " \
	"under_16m INTEGER, under_256m INTEGER, under_4g INTEGER, longer INTEGER, " \
	"moved INTEGER, copied_bytes INTEGER, grown_bytes INTEGER"
#define SUMS "sum(blocks), sum(bytes), sum(iif(how = 'never', blocks, 0)), " \
	"sum(iif(how = 'never', bytes, 0)), sum(iif(how = 'exit', bytes, 0)), sum(life_bytes), " \
	"sum(temporary), sum(under_4k), sum(under_64k), sum(under_1m), sum(under_16m), " \
	"sum(under_256m), sum(under_4g), sum(longer), sum(moved), sum(copied_bytes), " \
	"sum(grown_bytes) FROM disposal WHERE blocks > 0 "
#define MADE(name) "CREATE TEMP TABLE " name "(" COLUMNS ")"

static const struct {
	enum list_kind kind;
	const char *make, *fill, *count;
} lists[] = {
	{ LIST_PAIR, MADE("pair"), "INSERT INTO temp.pair SELECT NULL, site, procedure, by_site, "
	  "by, how, 1, " SUMS "GROUP BY id", "SELECT count(*) FROM temp.pair" },
	{ LIST_DISPOSER, MADE("disposer"), "INSERT INTO temp.disposer SELECT NULL, NULL, NULL, "
	  "by_site, by, how, count(*), " SUMS "AND how <> 'never' GROUP BY by_site, by, how",
	  "SELECT count(*) FROM temp.disposer" },
	{ LIST_LIFETIME, MADE("lifetime"), "INSERT INTO temp.lifetime SELECT NULL, site, "
	  "procedure, NULL, NULL, NULL, sum(how <> 'never'), " SUMS "GROUP BY site, procedure",
	  "SELECT count(*) FROM temp.lifetime" },
};
_Static_assert(sizeof(lists) / sizeof(*lists) == NR_DISPOSAL_LISTS,
	       "they are counted in struct profile");

static void
make(struct profile *p, int i)
{
	sqlite3_stmt *st;

	p->disposal_lists[i].made = true;
	profile_writable(p, true);
	profile_execute(p, lists[i].make);
	if (profile_has_disposals(p))
		profile_execute(p, lists[i].fill);
	profile_writable(p, false);
	st = profile_prepare(p, lists[i].count);
	if (profile_step(p, st))
		p->disposal_lists[i].rows = (uint64_t)sqlite3_column_int64(st, 0);
	sqlite3_finalize(st);
}

bool
profile_has_disposals(const struct profile *p)
{
	return table_is_there(&tables[TABLE_DISPOSAL], p->others);
}

bool
profile_make_disposals(struct profile *p, enum list_kind kind, uint64_t *rows)
{
	for (int i = 0; i < NR_DISPOSAL_LISTS; i++) {
		if (lists[i].kind != kind)
			continue;
		if (!p->disposal_lists[i].made)
			make(p, i);
		*rows = p->disposal_lists[i].rows;
		return true;
	}
	return false;
}
