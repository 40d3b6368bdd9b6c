/* Joint counters: what they add to their parts, and tables of them that are damaged. */
#include "collect/import/counts/joint.h"

#include <stdbool.h>
#include <string.h>

#include "collect/fixture.h"

enum { ADDRESS = 0x4000, OTHER = ADDRESS + 8 * 4, NR = 8, HEAD = 16 };

/* A table: its own array at the link-time address OWN, that of others at OTHER_ARRAY. */
static void
put_joint(struct strbuf *sb, bool late, uint64_t own, uint64_t other_array,
	  const struct strbuf *body)
{
	size_t padded = (body->len + 7) / 8 * 8;

	put_bytes(sb, 0x4a564743, 4);
	put_bytes(sb, 1, 2);
	put_bytes(sb, late, 2);
	put_bytes(sb, HEAD + 16 + padded, 4);
	put_bytes(sb, 2, 4);
	put_bytes(sb, own, 8);
	put_bytes(sb, other_array, 8);
	strbuf_add(sb, body->buf, body->len);
	put_bytes(sb, 0, (unsigned)(padded - body->len));
}

static int
apply(const struct strbuf *sb, uint64_t counters[NR], uint64_t *lacking)
{
	const struct joint_counters c = { counters, lacking, NR, ADDRESS };
	struct error err = ERROR_INIT;
	struct tables t;
	int failed = tables_parse(&t, (const uint8_t *)sb->buf, sb->len, "t", &err);

	if (!failed)
		failed = joint_apply(&t, &c, "t", &err);
	tables_release(&t);
	return failed;
}

/* Counters 0 and 1 are early joint ones, 2 and 3 late ones, 4 to 7 those of a unit: u0 .. u3.
 * e0 = u0 + 2 u1; e1 = e0 + u2 - u1; l0 = e1 - u3; l1 = l0. Each table stands before what it needs
 * to be applied behind. */
static void
put_both(struct strbuf *sb)
{
	struct strbuf early = STRBUF_INIT, late = STRBUF_INIT;

	LEBS(&early, 2, 2, 1, 0, 2, 1, 1, 4, 3, 0, 0, 2, 1, 2, 2, 1, 1, 1);
	LEBS(&late, 2, 2, 1, 1, 2, 1, 7, 1, 1, 0, 0, 2);
	put_joint(sb, false, ADDRESS, OTHER, &early);
	put_joint(sb, true, ADDRESS + 8 * 2, ADDRESS, &late);
	strbuf_release(&early);
	strbuf_release(&late);
}

static void
test_sums(void)
{
	/* l0 becomes 100 + 1000 = 1100, e1 10 + 1100, e0 1 + 1110 */
	uint64_t counters[NR] = { 1, 10, 100, 1000, 0, 5000, 70000, 90000 };
	struct strbuf sb = STRBUF_INIT;

	put_both(&sb);
	check("joint counters are read and applied", !apply(&sb, counters, NULL));
	check("a part has what its joint counters count",
	      counters[4] == 1111 && counters[5] == 5000 + 2 * 1111 - 1110 &&
	      counters[6] == 70000 + 1110 && counters[7] == 90000 - 1100);
	strbuf_release(&sb);
}

/* l2 counts the ends of a loop, l1 its begins, l0 how many have not ended: e0 lacks what these did,
 * and with it u0 and u1, of which u1 lacks as much by itself. */
static void
test_lacking(void)
{
	uint64_t counters[NR] = { 5, 0, 0, 9, 0, 0, 0, 0 }, lacking[NR] = { 0 };
	struct strbuf sb = STRBUF_INIT, early = STRBUF_INIT, late = STRBUF_INIT;

	/* In the late array: 0 = l0 (2 parts), 1 = begins, 2 = ends. They are at 1, 2 and 3. */
	LEBS(&early, 1, 2, 1, 0, 2, 1, 1, 2);
	LEBS(&late, 3, 2, 1, 0, 0, 1, 5, 0, 1, 0, 0, 2, 1, 0, 0, 1);
	put_joint(&sb, false, ADDRESS, OTHER, &early);
	put_joint(&sb, true, ADDRESS + 8, ADDRESS, &late);
	counters[2] = 12;
	check("a table with factors of 0 is applied", !apply(&sb, counters, lacking));
	check("they add nothing", counters[4] == 5 && counters[5] == 5);
	check("begun and not ended: 3", counters[1] == 3);
	check("what lacks counts is told, through joint counters",
	      lacking[0] == 3 && lacking[4] == 3 && lacking[5] == 6 && !lacking[6]);
	counters[3] = 13;
	memset(lacking, 0, sizeof(lacking));
	counters[1] = 0;
	check("ended more often than begun", !apply(&sb, counters, lacking) && lacking[0] == 1);
	strbuf_release(&sb);
	strbuf_release(&early);
	strbuf_release(&late);
}

/* The table's own array is at OWN; its only joint counter has one part. */
static bool
refused(uint64_t own, int array, int number, int version)
{
	struct strbuf sb = STRBUF_INIT, body = STRBUF_INIT;
	uint64_t counters[NR] = { 0 };
	bool failed;

	LEBS(&body, 1, 1, array, number, 2);
	put_joint(&sb, false, own, OTHER, &body);
	sb.buf[4] = (char)version;
	failed = apply(&sb, counters, NULL) != 0;
	strbuf_release(&sb);
	strbuf_release(&body);
	return failed;
}

static void
test_damaged(void)
{
	check("a good table is taken", !refused(ADDRESS, 1, 3, 1));
	check("a part outside of the counters is told", refused(ADDRESS, 1, 4, 1));
	check("an array outside of the counters is told", refused(ADDRESS - 8, 1, 3, 1));
	check("an array that is not aligned is told", refused(ADDRESS + 4, 1, 3, 1));
	check("a joint counter that is a part of itself is told", refused(ADDRESS, 0, 0, 1));
	check("an unknown array is told", refused(ADDRESS, 2, 0, 1));
	check("another version is told", refused(ADDRESS, 1, 3, 9));
}

static void
test_mutations(void)
{
	struct strbuf sb = STRBUF_INIT, copy = STRBUF_INIT;
	unsigned long state = 1, nr_failed = 0;
	uint64_t counters[NR] = { 0 }, lacking[NR] = { 0 };
	int i;

	put_both(&sb);
	for (i = 0; i < 20000; i++) {
		copy.len = 0;
		strbuf_add(&copy, sb.buf, sb.len);
		state = state * 6364136223846793005ul + 1442695040888963407ul;
		copy.buf[(state >> 33) % sb.len] ^= (char)(1 << (state >> 60) % 8);
		if (state >> 32 & 1)
			copy.len = (state >> 40) % sb.len;
		nr_failed += apply(&copy, counters, lacking) != 0;
	}
	check("damaged tables are refused or read, nothing worse", nr_failed > 1000);
	strbuf_release(&sb);
	strbuf_release(&copy);
}

int
main(void)
{
	test_sums();
	test_lacking();
	test_damaged();
	test_mutations();
	return 0;
}
