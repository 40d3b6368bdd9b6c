/* Alignment: pairs are equal and ascend; as many as the longest common subsequence where the
 * shortest edit script decides; places of C texts after edits that were made by hand. */
#include "compare/match/sequence.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/match/align.h"
#include "compare/match/likeness.h"
#include "tui/check.h"
#include "util/job.h"
#include "util/mem.h"

enum { MAX = 60 };

static struct alignment *
alignment_new(const struct span *from, const struct span *to, uint64_t *work)
{
	struct alignment *a = alignment_start(from, to, false, work);

	alignment_make(a);
	return a;
}

/* The textbook's table. */
static int
common(const uint32_t *a, int n, const uint32_t *b, int m)
{
	static int t[MAX + 1][MAX + 1];

	for (int i = n; i >= 0; i--) {
		for (int k = m; k >= 0; k--) {
			if (i == n || k == m)
				t[i][k] = 0;
			else if (a[i] == b[k])
				t[i][k] = t[i + 1][k + 1] + 1;
			else
				t[i][k] = t[i + 1][k] > t[i][k + 1] ? t[i + 1][k] : t[i][k + 1];
		}
	}
	return t[0][0];
}

/* EACH: every element occurs twice, so that none is unique and the edit script decides. */
static int
check_random(unsigned seed, uint32_t ids, bool each)
{
	uint32_t a[MAX], b[MAX], pair[MAX];
	int n, m, found = 0, last = -1;
	uint64_t work = 1000000;

	srand(seed);
	n = rand() % (MAX / 2) * 2;
	m = rand() % (MAX / 2) * 2;
	for (int i = 0; i < n; i++)
		a[i] = each && i % 2 ? a[i - 1] : (uint32_t)rand() % ids;
	for (int i = 0; i < m; i++)
		b[i] = each && i % 2 ? b[i - 1] : (uint32_t)rand() % ids;
	sequence_pair(a, (size_t)n, b, (size_t)m, ids, pair, &work);
	for (int i = 0; i < n; i++) {
		if (pair[i] == SEQUENCE_NONE)
			continue;
		if ((int)pair[i] <= last || pair[i] >= (uint32_t)m || a[i] != b[pair[i]])
			return 0;
		last = (int)pair[i];
		found++;
	}
	/* Trimming equal ends and what is unique on both sides may cost nothing here. */
	return !each || found == common(a, n, b, m);
}

static void
check_sequences(void)
{
	int valid = 1, longest = 1;

	for (unsigned seed = 0; seed < 20000; seed++) {
		valid &= check_random(seed, 2 + seed % 50, false);
		longest &= check_random(seed, 1 + seed % 7, true);
	}
	verdict(valid, "pairs are equal, and ascend");
	verdict(longest, "of what is not unique the longest common part is found");
}

static void
check_work(void)
{
	enum { N = 20000 };
	uint32_t *a = xcalloc(N, sizeof(*a)), *b = xcalloc(N, sizeof(*b));
	uint32_t *pair = xcalloc(N, sizeof(*pair));
	uint64_t work = 100000;
	size_t paired = 0;

	srand(7);
	for (int i = 0; i < N; i++) {
		a[i] = (uint32_t)rand() % 5;
		b[i] = (uint32_t)rand() % 5;
	}
	sequence_pair(a, N, b, N, 5, pair, &work);
	for (int i = 0; i < N; i++)
		paired += pair[i] != SEQUENCE_NONE;
	verdict(work == 0 && paired < N / 2, "no more work than was allowed");
	free(a);
	free(b);
	free(pair);
}

/* ---- in slices ---- */

static bool
now_and_then(void *context)
{
	(void)context;
	return rand() % 2;
}

struct pairing {
	const uint32_t *a, *b;
	size_t nr_a, nr_b, ids;
	uint32_t *pair;
	uint64_t *work;
};

static void
pair_all(void *pairing)
{
	struct pairing *p = pairing;

	sequence_pair(p->a, p->nr_a, p->b, p->nr_b, p->ids, p->pair, p->work);
}

/* Left and gone on with at any time: the same pairs, for the same work, as at once. */
static int
check_slices(unsigned seed, size_t *slices)
{
	enum { N = 20000 };
	static uint32_t a[N], b[2 * N], whole[N], pair[N];
	uint32_t ids = seed % 3 ? 5 + seed : 2 * N, nr_b = 0;
	uint64_t work = seed % 4 ? 50000000 : seed * 20000, left = work;
	struct pairing p = { .a = a, .b = b, .nr_a = N, .ids = ids, .pair = pair, .work = &left };
	struct job *j = job_new(pair_all, &p);

	srand(seed);
	for (uint32_t i = 0; i < N; i++) {
		a[i] = (uint32_t)rand() % ids;
		if (rand() % 10)
			b[nr_b++] = a[i];
		if (!(rand() % 10))
			b[nr_b++] = (uint32_t)rand() % ids;
	}
	p.nr_b = nr_b;
	job_run(j, now_and_then, NULL);
	job_free(j); /* given up in the middle */
	left = work;
	j = job_new(pair_all, &p);
	while (!job_run(j, now_and_then, NULL))
		++*slices;
	job_free(j);
	sequence_pair(a, N, b, nr_b, ids, whole, &work);
	return work == left && !memcmp(pair, whole, sizeof(pair));
}

static void
check_all_slices(void)
{
	size_t slices = 0;
	int same = 1;

	for (unsigned seed = 0; seed < 12; seed++)
		same &= check_slices(seed, &slices);
	printf("# %zu slices\n", slices);
	verdict(same && slices > 200, "paired in slices as at once");
}

/* ---- texts ---- */

static const char before[] =
	"static int\n"                                   /* 1 */
	"sum(const int *v, int n)\n"
	"{\n"
	"\tint s = 0;\n"
	"\tfor (int i = 0; i < n; i++)\n"                /* 5 */
	"\t\ts += v[i];\n"
	"\treturn s;\n"
	"}\n";
static const char after[] =
	"/* Adds up. */\n"                               /* 1 */
	"static long\n"
	"sum(const int *v, int n, int step)\n"
	"{\n"
	"\tlong s = 0;\n"                                /* 5 */
	"\n"
	"\tif (!v)\n"
	"\t\treturn 0;\n"
	"\tfor (int i = 0; i < n; i += step) {\n"
	"\t\ts += v[i];\n"                               /* 10 */
	"\t}\n"
	"\treturn s;\n"
	"}\n";

static struct text
make_text(const char *s)
{
	struct text t;

	text_init(&t, xstrdup(s), strlen(s));
	return t;
}

/* Where WHAT stands on LINE. */
static uint32_t
column(const struct text *t, uint32_t line, const char *what)
{
	const char *begin = t->data + t->start[line - 1], *at = strstr(begin, what);

	return at ? (uint32_t)(at - begin) + 1 : 0;
}

static int
maps(const struct alignment *x, const struct text *from, uint32_t line, const char *what,
     const struct text *to, uint32_t to_line, const char *to_what)
{
	uint32_t l = line, c = column(from, line, what);
	uint32_t el = line, ec = c + (uint32_t)strlen(what) - 1;
	bool begin = alignment_begin(x, &l, &c), end = alignment_end(x, &el, &ec);
	uint32_t want = to_line ? column(to, to_line, to_what) : 0;

	if (!to_line)
		return !begin || !end;
	if (begin && end && l == to_line && el == to_line && c == want &&
	    ec == want + strlen(to_what) - 1)
		return 1;
	printf("# '%s' of line %u is at %u:%u-%u:%u (%d %d), not at %u:%u\n", what, line, l, c, el,
	       ec, begin, end, to_line, want);
	return 0;
}

static void
check_texts(void)
{
	struct text a = make_text(before), b = make_text(after);
	struct span sa = { &a, 1, a.nr_lines }, sb = { &b, 1, b.nr_lines };
	uint64_t work = 1000000;
	struct alignment *x = alignment_new(&sb, &sa, &work);
	bool one, two, three;
	int good;

	good = maps(x, &b, 10, "s += v[i]", &a, 6, "s += v[i]") &
	       maps(x, &b, 12, "return s", &a, 7, "return s") &
	       maps(x, &b, 9, "i < n", &a, 5, "i < n") &
	       maps(x, &b, 9, "int i = 0", &a, 5, "int i = 0") &
	       maps(x, &b, 9, "i += step", &a, 5, "i++") &
	       maps(x, &b, 5, "long s = 0", &a, 4, "int s = 0") &
	       maps(x, &b, 3, "sum", &a, 2, "sum") &
	       maps(x, &b, 7, "!v", &a, 0, "") & maps(x, &b, 8, "return 0", &a, 0, "");
	verdict(good, "expressions are found after an edit, new ones are not");
	verdict(alignment_line(x, 10, &one) == 6 && one &&
		alignment_line(x, 9, &two) == 5 && !two &&
		alignment_line(x, 7, &three) == 0,
		"lines: the same, changed, new");
	alignment_free(x);

	work = 0;
	x = alignment_new(&sb, &sa, &work);
	verdict(maps(x, &b, 9, "i < n", &a, 0, ""), "without work nothing is found");
	alignment_free(x);
	text_release(&a);
	text_release(&b);
}

/* Lines taken out of and put into a text at random: what stayed is found at its place. */
static void
check_edits(void)
{
	int good = 1;

	srand(3);
	for (int round = 0; round < 300 && good; round++) {
		struct strbuf a = STRBUF_INIT, b = STRBUF_INIT;
		uint32_t of[200] = { 0 }, na = 0, nb = 0;
		struct text ta, tb;
		uint64_t work = 1000000;
		struct alignment *x;

		for (int i = 0; i < 80; i++) {
			bool in_a = rand() % 10, in_b = rand() % 10;

			if (in_a) {
				strbuf_fmt(&a, "\tx%d = f%d(y);\n", i, i % 7);
				na++;
			}
			if (in_b) {
				strbuf_fmt(&b, "\tx%d = f%d(y);\n", i, i % 7);
				of[++nb] = in_a ? na : 0;
			}
		}
		ta = make_text(a.buf);
		tb = make_text(b.buf);
		x = alignment_new(&(struct span){ &tb, 1, nb }, &(struct span){ &ta, 1, na },
				  &work);
		for (uint32_t line = 1; line <= nb; line++) {
			bool equal;
			uint32_t to = alignment_line(x, line, &equal);

			good &= of[line] ? to == of[line] && equal : !equal;
		}
		alignment_free(x);
		text_release(&ta);
		text_release(&tb);
		strbuf_release(&a);
		strbuf_release(&b);
	}
	verdict(good, "random edits: lines that stayed are found");
}

static void
check_hash(void)
{
	struct text a = make_text("f(int n)\n{ return n ? f(n - 1) : 0; }\n");
	struct text b = make_text("int g(int n)\n{ /* deeper */\n\treturn n ? g(n-1):0;\n}\n");
	struct text c = make_text("g(int n)\n{ return n ? g(n - 2) : 0; }\n");
	struct digest da, db, dc;
	uint64_t nr_b, nr_c;

	digest_read(&da, &(struct span){ &a, 1, a.nr_lines }, 1, 100);
	digest_read(&db, &(struct span){ &b, 1, b.nr_lines }, 5, 100);
	digest_read(&dc, &(struct span){ &c, 1, c.nr_lines }, 1, 100);
	verdict(da.hash == db.hash && da.tokens == db.tokens && da.tokens == 19 &&
		da.hash != dc.hash,
		"the same code under another name is the same, other code is not");
	/* 19 tokens are 17 times three, of which three have the other number. */
	verdict(grams_alike(&da.grams, &db.grams, &nr_b) == 1 && nr_b == 17 &&
		fabs(grams_alike(&da.grams, &dc.grams, &nr_c) - 14.0 / 17) < 1e-9 && nr_c == 14,
		"how alike: 3-grams by hand");
	digest_release(&da);
	digest_release(&db);
	digest_release(&dc);
	text_release(&a);
	text_release(&b);
	text_release(&c);
}

int
main(void)
{
	check_sequences();
	check_work();
	check_all_slices();
	check_texts();
	check_edits();
	check_hash();
	return failures != 0;
}
