/* A filter: instances of the flow problem as text in, solutions out. For tests and experiments.
 *
 * In, any number of times: a line `S P E`; S site counts; P procedure counts; E times `site
 * procedure` (from 0, -1 is outside). Out, per instance: E lines `site procedure count lo hi how`
 * in the same order; `residual site|procedure INDEX AMOUNT` for each node with one; an empty line.
 * With --samples, an arc has a third number: how many samples saw it.
 */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "flow/flow.h"

enum { MAX_PINS = 1000 };

static const char usage[] =
	"Usage: flow-solve [--estimator likely|even|entropy] [--bounds outer|exact|small]\n"
	"                  [--pin ARC=VALUE]... [--samples] [--quiet] [--stats]\n"
	"                  [--probe NUMBER] < INSTANCES\n"
	"  --samples each arc has a third number: how many samples saw it\n"
	"  --quiet   do not print solutions\n"
	"  --stats   tell CPU time and memory on standard error\n"
	"  --probe   open a dial, ask for the exact interval of NUMBER estimated arcs and\n"
	"            turn each; tell on standard error how long that takes\n";

static const char *const estimators[] = { "likely", "even", "entropy" };
static const char *const bounds[] = { "outer", "exact", "small" };
static const char *const hows[] = { "solved", "estimated" };

struct instance {
	struct flow_problem problem;
	uint64_t *counts;          /* sites, then procedures */
	struct flow_arc *arcs;
	double *samples;           /* per arc; with --samples */
};

static struct flow_pin pins[MAX_PINS];
static struct flow_options options = { .estimator = FLOW_LIKELY, .bounds = FLOW_BOUNDS_EXACT };
static bool sampled, quiet, stats;
static size_t probes;

static void
fail(const char *what)
{
	fprintf(stderr, "flow-solve: %s\n", what);
	exit(EXIT_FAILURE);
}

/* ---- input ---- */

static int
next_char(void)
{
	int c;

	do
		c = getchar_unlocked();
	while (c != EOF && isspace(c));
	return c;
}

/* False at the end of the input. */
static bool
read_number(uint64_t *n, bool *minus)
{
	int c = next_char();

	*n = 0;
	*minus = c == '-';
	if (c == EOF)
		return false;
	if (*minus)
		c = getchar_unlocked();
	if (!isdigit(c))
		fail("a number is expected");
	for (; isdigit(c); c = getchar_unlocked())
		if (__builtin_mul_overflow(*n, (uint64_t)10, n) ||
		    __builtin_add_overflow(*n, (uint64_t)(c - '0'), n))
			fail("a number is too large");
	return true;
}

static uint64_t
need_number(void)
{
	uint64_t n;
	bool minus;

	if (!read_number(&n, &minus) || minus)
		fail("a number that is not negative is expected");
	return n;
}

static int32_t
need_node(void)
{
	uint64_t n;
	bool minus;

	if (!read_number(&n, &minus) || n > INT32_MAX || (minus && n != 1))
		fail("a node is expected: from 0, or -1");
	return minus ? FLOW_OUTSIDE : (int32_t)n;
}

static size_t
need_size(void)
{
	uint64_t n = need_number();

	if (n > INT32_MAX)
		fail("too large");
	return n;
}

static bool
read_instance(struct instance *in)
{
	struct flow_problem *p = &in->problem;
	uint64_t n;
	bool minus;

	memset(in, 0, sizeof(*in));
	if (!read_number(&n, &minus))
		return false;
	if (minus || n > INT32_MAX)
		fail("a line `S P E` is expected");
	p->nr_sites = n;
	p->nr_procedures = need_size();
	p->nr_arcs = need_size();
	in->counts = malloc((p->nr_sites + p->nr_procedures + 1) * sizeof(*in->counts));
	in->arcs = malloc((p->nr_arcs + 1) * sizeof(*in->arcs));
	in->samples = calloc(p->nr_arcs + 1, sizeof(*in->samples));
	if (!in->counts || !in->arcs || !in->samples)
		fail("out of memory");
	for (size_t i = 0; i < p->nr_sites + p->nr_procedures; i++)
		in->counts[i] = need_number();
	for (size_t i = 0; i < p->nr_arcs; i++) {
		in->arcs[i].site = need_node();
		in->arcs[i].procedure = need_node();
		if (sampled)
			in->samples[i] = (double)need_number();
	}
	p->site_count = in->counts;
	p->procedure_count = in->counts + p->nr_sites;
	p->arcs = in->arcs;
	options.prior = in->samples;
	return true;
}

/* ---- output ---- */

static void
print_residuals(const char *kind, const uint64_t *residual, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (residual[i])
			printf("residual %s %zu %" PRIu64 "\n", kind, i, residual[i]);
}

static void
print_result(const struct instance *in, const struct flow_result *r)
{
	for (size_t i = 0; i < in->problem.nr_arcs; i++)
		printf("%" PRId32 " %" PRId32 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %s\n",
		       in->arcs[i].site, in->arcs[i].procedure, r->count[i], r->lo[i], r->hi[i],
		       hows[r->how[i]]);
	print_residuals("site", r->site_residual, in->problem.nr_sites);
	print_residuals("procedure", r->procedure_residual, in->problem.nr_procedures);
	putchar('\n');
}

static double
cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void
print_stats(const struct instance *in, const struct flow_result *r, double seconds)
{
	struct rusage u;
	size_t solved = 0;

	for (size_t i = 0; i < in->problem.nr_arcs; i++)
		solved += r->how[i] == FLOW_SOLVED;
	getrusage(RUSAGE_SELF, &u);
	fprintf(stderr, "%zu arcs, %zu solved, %.3f s cpu, %ld MB\n", in->problem.nr_arcs, solved,
		seconds, u.ru_maxrss / 1024);
}

/* ---- probing ---- */

struct lap { double sum, worst; size_t nr; };

static void
lap_add(struct lap *l, double since)
{
	double t = (cpu_seconds() - since) * 1e3;

	l->sum += t;
	l->worst = t > l->worst ? t : l->worst;
	l->nr++;
}

static void
lap_print(const struct lap *l, const char *what)
{
	fprintf(stderr, "%zu %s: mean %.2f ms, worst %.2f ms\n", l->nr, what,
		l->nr ? l->sum / (double)l->nr : 0, l->worst);
}

static void
probe_arc(struct flow_dial *d, size_t arc, struct lap *intervals, struct lap *turns)
{
	uint64_t lo, hi;
	double begin = cpu_seconds();

	if (flow_dial_interval(d, arc, &lo, &hi))
		fail("out of memory");
	lap_add(intervals, begin);
	begin = cpu_seconds();
	if (flow_dial_turn(d, arc, lo + (hi - lo) / 3))
		fail("a possible turn is refused");
	lap_add(turns, begin);
}

static void
probe(const struct instance *in)
{
	struct lap intervals = { 0 }, turns = { 0 };
	const struct flow_result *r;
	struct flow_dial *d;
	size_t step = in->problem.nr_arcs / (probes + 1) + 1, next = step;

	mallopt(M_MMAP_THRESHOLD, 1 << 28); /* as src/solve/dial.c does */
	mallopt(M_TRIM_THRESHOLD, 1 << 28);
	if (flow_dial_open(&in->problem, &options, &d))
		fail("the dial does not open");
	r = flow_dial_result(d);
	for (size_t arc = 0; arc < in->problem.nr_arcs; arc++) {
		if (arc < next || r->how[arc] != FLOW_ESTIMATED)
			continue;
		probe_arc(d, arc, &intervals, &turns);
		next = arc + step;
	}
	lap_print(&intervals, "intervals on demand");
	lap_print(&turns, "turns");
	flow_dial_close(d);
}

static void
solve(const struct instance *in)
{
	struct flow_result r;
	double begin = cpu_seconds();
	enum flow_status status = flow_solve(&in->problem, &options, &r);

	if (status)
		fail(status == FLOW_NO_MEMORY ? "out of memory" :
		     status == FLOW_BAD_PIN ? "a pinned value is not possible" : "bad input");
	if (stats)
		print_stats(in, &r, cpu_seconds() - begin);
	if (!quiet)
		print_result(in, &r);
	flow_result_release(&r);
}

/* ---- options ---- */

static int
find_name(const char *name, const char *const *names, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(name, names[i]))
			return (int)i;
	fputs(usage, stderr);
	exit(2);
}

static void
add_pin(const char *text)
{
	char *end;

	if (options.nr_pins == MAX_PINS)
		fail("too many pins");
	errno = 0;
	pins[options.nr_pins].arc = strtoull(text, &end, 10);
	if (end == text || *end != '=' || !isdigit((unsigned char)end[1]))
		find_name("", NULL, 0);
	pins[options.nr_pins].count = strtoull(end + 1, &end, 10);
	if (*end || errno)
		find_name("", NULL, 0);
	options.pins = pins;
	options.nr_pins++;
}

static void
read_options(int argc, char **argv)
{
	static const struct option known[] = {
		{ "estimator", required_argument, NULL, 'e' },
		{ "bounds", required_argument, NULL, 'b' },
		{ "pin", required_argument, NULL, 'p' },
		{ "samples", no_argument, NULL, 'w' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "stats", no_argument, NULL, 's' },
		{ "probe", required_argument, NULL, 'n' },
		{ 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "", known, NULL)) != -1) {
		if (c == 'e')
			options.estimator = (enum flow_estimator)find_name(optarg, estimators, 3);
		else if (c == 'b')
			options.bounds = (enum flow_bounds)find_name(optarg, bounds, 3);
		else if (c == 'p')
			add_pin(optarg);
		else if (c == 'w')
			sampled = true;
		else if (c == 'q')
			quiet = true;
		else if (c == 's')
			stats = true;
		else if (c == 'n')
			probes = strtoul(optarg, NULL, 10);
		else
			find_name("", NULL, 0);
	}
	if (optind < argc)
		find_name("", NULL, 0);
}

int
main(int argc, char **argv)
{
	struct instance in;

	read_options(argc, argv);
	while (read_instance(&in)) {
		if (probes)
			probe(&in);
		else
			solve(&in);
		free(in.counts);
		free(in.arcs);
	}
	return fflush(stdout) || ferror(stdout) || ferror(stdin) ? EXIT_FAILURE : EXIT_SUCCESS;
}
