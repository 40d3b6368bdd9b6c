#!/bin/bash
# Which procedure is uneven over the ranks of a parallel program, or its runs: report --by imbalance. Rank k does k times
# the work, so that least, mean, most, deviation and imbalance of counts are known by hand; those of times are worked out
# here of each rank's own report.
. tests/e2e/lib.sh
need_collection
need python3
cd "$TMP_DIR" || exit 1
unset CGVIEW_RANK
cat > ranks.c << 'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static volatile long sink;

__attribute__((noinline)) static void
uneven(long n)
{
	for (long i = 0; i < n; i++)
		sink += i;
}

__attribute__((noinline)) static void
even(void)
{
	for (long i = 0; i < 1000; i++)
		sink -= i;
}

__attribute__((noinline)) static void
once(void)
{
	sink = 1;
}

__attribute__((noinline)) static void
all_but_first(void)
{
	sink = 2;
}

static void *
thread(void *rank)
{
	for (long i = 0; i < *(long *)rank; i++)
		uneven(10000000);
	return NULL;
}

int
main(int argc, char **argv)
{
	long rank = atol(argv[1]);
	pthread_t t;

	(void)argc;
	pthread_create(&t, NULL, thread, &rank);
	for (long i = 0; i < rank; i++)
		uneven(10000000);
	pthread_join(t, NULL);
	for (int i = 0; i < 5; i++)
		even();
	if (rank == 2)
		once();
	if (rank)
		all_but_first();
	return 0;
}
END
must "compile" "$cgcc" -O1 -g -o ranks ranks.c -pthread
for k in 3 0 4 1 2; do
	CGVIEW_RANK=$k CGVIEW_OUT=raw$k ./ranks $k
	CGVIEW_OUT=run$k ./ranks $k
done
must "import the ranks" "$cgview" import -o ranks.db raw*.raw
for k in 0 1 2 3 4; do
	must "a run without rank" "$cgview" import -a -o runs.db run$k.*
done
columns()
{
	"$cgview" report --by imbalance --format csv --columns "$2" "$1" | tr -d '\r' | sed 1d
}
row() # row NAME DB COLUMNS PROCEDURE EXPECTED
{
	check "$1" [ "$(columns "$2" "procedure,$3" | sed -n "s/^$4,//p")" = "$5" ]
}
calls=calls_least,calls_least_at,calls_mean,calls_most,calls_most_at,calls_sd,calls_imbalance
# 0, 2, 4, 6, 8: the mean is 4, the sum of squares 40, its root over four the deviation; 100 (8 - 4) / 8.
row "calls of what rank k calls 2k times" ranks.db $calls uneven 0,0,4,8,4,3.1622776601683795,50
row "what all do alike" ranks.db $calls even 5,0,5,5,0,0,0
row "what one rank does" ranks.db $calls once 0,0,0.2,1,2,0.4472135954999579,80
row "what all but the first do: of equal ones the first" ranks.db $calls all_but_first 0,0,0.8,1,1,0.4472135954999579,20
"$cgview" report --by rank --procedure uneven --format csv --columns rank,it_calls,it_work,it_ns ranks.db | tr -d '\r' |
	sed 1d > each
check "each rank's calls of a procedure" [ "$(cut -d, -f1,2 each | xargs)" = "0,0 1,2 2,4 3,6 4,8" ]
check "... its work and time, as the report of each alone has them" [ "$(for k in 0 1 2 3 4; do
	"$cgview" report --ranks $k --by block --format csv --columns procedure,count ranks.db | tr -d '\r' |
		awk -F, '$1 == "uneven" { sum += $2 } END { printf "%d,", sum }'
	"$cgview" report --ranks $k --format csv --columns procedure,self_ns ranks.db | tr -d '\r' | sed -n 's/^uneven,//p'
done)" = "$(cut -d, -f3,4 each)" ]
check "... of a procedure that is not there: status 1" bash -c '"$1" report --by rank --procedure nothing ranks.db 2> err; [ $? = 1 ] &&
	grep -q "has no procedure nothing" err' - "$cgview"
check "... and of another listing: status 2" bash -c '"$1" report --procedure main ranks.db 2> err; [ $? = 2 ] &&
	grep -q "goes with --by rank" err' - "$cgview"
row "they are of ranks" ranks.db of uneven rank
"$cgview" report --ranks 4 --by block --format csv --columns procedure,count ranks.db | tr -d '\r' |
	awk -F, '$1 == "uneven" { sum += $2 } END { printf "%d", sum }' > most
row "work: the blocks that the report of that rank has" ranks.db work_least,work_most,work_most_at uneven "0,$(cat most),4"
check "... which are many" [ "$(cat most)" -gt 80000000 ]
for k in 0 1 2 3 4; do
	"$cgview" report --ranks $k --format csv --columns procedure,self_ns ranks.db | tr -d '\r' | sed -n 's/^uneven,//p'
done > times
columns ranks.db procedure,self_least_ns,self_least_at,self_mean_ns,self_most_ns,self_most_at,self_sd_ns,self_imbalance,self_over_ns |
	sed -n 's/^uneven,//p' > got
python3 - << 'END'
import statistics
times = [int(line or 0) for line in open('times').read().split('\n')[:5]]
least, at, mean, most, most_at, sd, imbalance, over = map(float, open('got').read().split(','))
mean_here = statistics.mean(times)
verdict = lambda good, name: print('ok -' if good else f'# {times}, {open("got").read()}not ok -', name)
verdict(max(times) > 1e6, 'rank 4 took some time')
verdict(least == min(times) and times[int(at)] == least and most == max(times) and times[int(most_at)] == most, 'least and most')
verdict(abs(mean - mean_here) <= 1 and abs(sd - statistics.stdev(times)) <= 1, 'mean and deviation')
verdict(abs(imbalance - 100 * (most - mean_here) / most) <= 0.01 and abs(over - most + mean_here) <= 1, 'imbalance')
END
# Runs have the order in which they were added.
row "without ranks: of runs" runs.db of,$calls uneven run,0,1,4,8,5,3.1622776601683795,50
check "sorted by what the most has more" [ "$(columns ranks.db procedure | head -1)" = uneven ]
check "... or by the imbalance of calls" [ "$("$cgview" report --by imbalance --sort calls_imbalance --format csv --columns procedure \
	ranks.db | tr -d '\r' | sed -n 2p)" = once ]
# The same columns of the list of procedures, which are there if they are asked for: worked out of the reports of each
# rank alone, or of each run.
for by in ranks runs; do
	first=0
	[ $by = ranks ] || first=1
	for k in 0 1 2 3 4; do
		"$cgview" report --$by $((k + first)) --format csv --columns procedure,calls,self_ns $by.db | tr -d '\r' > $by$k.procedures
		"$cgview" report --$by $((k + first)) --by block --format csv --columns procedure,count $by.db | tr -d '\r' > $by$k.blocks
	done
done
python3 - "$cgview" << 'END'
import csv, collections, statistics, subprocess, sys
columns = [f + '_' + what + (unit if what in ('least', 'mean', 'most', 'sd') else '')
           for f, unit in (('self', '_ns'), ('calls', ''), ('work', ''))
           for what in ('least', 'least_at', 'mean', 'most', 'most_at', 'sd', 'imbalance')]
columns[columns.index('self_sd_ns')] = 'self_ranks_sd_ns'
verdict = lambda good, name, *why: print('ok -' if good else f'# {why}\nnot ok -', name)
def rows(*words):
    out = subprocess.run([sys.argv[1], 'report', '--format', 'csv', *words], capture_output=True, text=True).stdout
    return list(csv.DictReader(out.splitlines()))
for by, first in ('ranks', 0), ('runs', 1):
    db, figures = by + '.db', collections.defaultdict(lambda: [0] * 5)
    for k in range(5):
        for r in csv.DictReader(open(f'{by}{k}.procedures')):
            figures[r['procedure'], 'calls'][k] += int(r['calls'] or 0)
            figures[r['procedure'], 'self'][k] += int(r['self_ns'] or 0)
        for r in csv.DictReader(open(f'{by}{k}.blocks')):
            figures[r['procedure'], 'work'][k] += int(r['count'] or 0)
    got, wrong, filled = rows('--columns', 'procedure,is_foreign,self_over_ns,' + ','.join(columns), db), [], 0
    for r in got:
        for f in 'self', 'calls', 'work':
            name = r['procedure']
            values, of = figures[name, f], [(c, r[c]) for c in columns if c.startswith(f + '_')]
            if f == 'calls' and r['is_foreign'] == '1': # which nobody counted in a rank: they follow from arcs
                values = [0] * 5
            least, most, mean = min(values), max(values), statistics.mean(values)
            if not most:
                wrong += [(name, of)] if any(v for c, v in of) else []
                continue
            filled += 1
            expected = (least, values.index(least) + first, mean, most, values.index(most) + first,
                        statistics.stdev(values), 100 * (most - mean) / most)
            if f == 'self':
                of, expected = of + [('self_over_ns', r['self_over_ns'])], expected + (most - mean,)
            for (column, value), want in zip(of, expected):
                near = 0.0051 if column.endswith('imbalance') else 0.51 if column.endswith('ns') else 1e-9 * most
                if not value or abs(float(value) - want) > near:
                    wrong.append((name, column, value, want, values))
    verdict(got and not wrong, f'columns of procedures over {by}: as reckoned here', wrong[:3])
    verdict(filled > 9 and any(r['self_imbalance'] for r in got), '... there are some', filled)
    list_ = {r['procedure']: r for r in rows('--by', 'imbalance', db)}
    other = lambda c: 'self_sd_ns' if c == 'self_ranks_sd_ns' else c
    wrong = [r for r in got if r['procedure'] in list_ and
             any(v != list_[r['procedure']][other(c)] for c, v in r.items() if c != 'is_foreign')]
    verdict(list_ and not wrong, '... and as report --by imbalance has them', wrong[:1])
    for sort in 'self_over_ns', 'calls_imbalance', 'work_most', 'calls_sd':
        order = [float(r[sort] or 0) for r in rows('--sort', sort, '--columns', 'procedure,' + sort, db)]
        verdict(len(order) > 5 and max(order) > 0 and order == sorted(order, reverse=True), '... sorted by ' + sort, order)
    verdict('calls_least' not in rows(db)[0] and 'calls_least' in rows('--by', 'imbalance', db)[0], '... only if asked for')
least = rows('--sort', 'self_over_ns', '--min', '1%', '--columns', 'self_over_ns', 'ranks.db')
share = sum(int(r['self_ns']) for r in rows('--columns', 'self_ns', 'ranks.db')) / 100
verdict(0 < len(least) < 9 and all(int(r['self_over_ns']) >= share for r in least), '--min: what is above the mean by so much', least)
END
"$cgview" report --columns 'procedure,calls imbalance%,self least,work most at' --sort work_most ranks.db > out
check "in text they have heads" grep -q 'calls imbalance%  *self least  *work most at' out
check "... and figures" grep -q '^uneven .* 50  *-  *4$' out
"$cgview" import -o one.db raw4.* 2> /dev/null
"$cgview" report --by imbalance one.db > out 2> err
check "one rank: told, in one line" [ "$(cat out err | wc -l)" = 1 ]
check "... with what to do" grep -q 'one.db has no second rank or run: start it by' out err
"$cgview" report --format csv --columns procedure,calls_least,self_imbalance --sort calls_most one.db > out 2> err
check "... columns of procedures are empty there: status 0" [ $? = 0 -a "$(tr -d '\r' < out | grep -c '^[^,]*,,$')" -ge 5 ]
check "... which one line tells" [ "$(grep -c 'one.db has no second rank or run: columns of imbalance are empty' err)$(wc -l < err)" = 11 ]

# The same by call path: what the tree of each rank alone has, added up here, path by path. There is recursion of one
# procedure and of two, which folds; one path is of two ranks only.
cat > paths.c << 'END'
#include <stdlib.h>
#include <time.h>

static volatile long sink;
static void left(int depth, long ms);

/* Some CPU time. */
__attribute__((noinline)) static void
work(long ms)
{
	struct timespec t;
	clock_t end = clock() + ms * CLOCKS_PER_SEC / 1000;

	for (sink = 0; clock() < end;)
		for (int i = 0; i < 3000; i++)
			sink += clock_gettime(CLOCK_MONOTONIC, &t);
}

__attribute__((noinline)) static void
right(int depth, long ms)
{
	if (depth)
		left(depth - 1, ms);
	else
		work(ms);
	sink++;
}

__attribute__((noinline)) static void
left(int depth, long ms)
{
	if (depth % 3 == 2)
		left(depth - 1, ms);
	else if (depth)
		right(depth - 1, ms);
	else
		work(ms);
	sink++;
}

__attribute__((noinline)) static void
some(long ms)
{
	work(ms);
	sink++;
}

int
main(int argc, char **argv)
{
	long rank = atol(argv[argc - 1]);

	for (int i = 0; i < 6; i++)
		left(i, 5 * (rank + 1));
	work(10);
	if (rank == 1 || rank == 3)
		some(20);
	return 0;
}
END
must "compile" "$cgcc" -O1 -g -o paths paths.c
for k in 3 0 1 2; do
	CGVIEW_RANK=$k CGVIEW_OUT=path$k ./paths $k
done
must "import the ranks" "$cgview" import -o paths.db path*.raw
python3 - "$cgview" << 'END'
import csv, statistics, subprocess, sys
verdict = lambda good, name, *why: print('ok -' if good else f'# {why}\nnot ok -', name)
def tree(*words):
    out = subprocess.run([sys.argv[1], 'report', '--by', 'tree', '--unfolded', '--format', 'csv', *words, 'paths.db'],
                         capture_output=True, text=True).stdout
    rows, paths = list(csv.DictReader(out.splitlines())), {}
    for r in rows:
        r['path'] = (paths[r['parent']] if r['parent'] else ()) + ((r['procedure'], r['kind']),)
        paths[r['row']] = r['path']
    return rows
plain, rows = tree(), tree('--imbalance')
figures = [{r['path']: r for r in tree('--ranks', str(k))} for k in range(4)]
verdict([{c: v for c, v in r.items() if c in plain[0]} for r in rows] == plain and 'self_sd_ns' not in plain[0],
        'the tree is what it is without --imbalance, which adds columns')
wrong, compared, absent, recursion = [], 0, 0, 0
for r in rows:
    for f in 'total', 'self':
        of = {what: r[f'{f}_{what}'] for what in
              ('over_ns', 'least_ns', 'least_at', 'mean_ns', 'most_ns', 'most_at', 'sd_ns', 'imbalance')}
        values = [int(tree_[r['path']][f + '_ns'] or 0) if r['path'] in tree_ else 0 for tree_ in figures]
        if r['kind'] != 'procedure' or not max(values):
            recursion += r['kind'] == 'recursion'
            wrong += [(r['path'], of)] if any(of.values()) else []
            continue
        compared += 1
        absent += not min(values)
        mean, most = statistics.mean(values), max(values)
        expected = {'over_ns': most - mean, 'least_ns': min(values), 'least_at': values.index(min(values)), 'mean_ns': mean,
                    'most_ns': most, 'most_at': values.index(most), 'sd_ns': statistics.stdev(values),
                    'imbalance': 100 * (most - mean) / most}
        wrong += [(r['path'], f, what, of[what], v, values) for what, v in expected.items()
                  if not of[what] or abs(float(of[what]) - v) > 0.51 or what == 'imbalance' and abs(float(of[what]) - v) > 0.0051]
verdict(rows and not wrong, 'by call path: as reckoned of the tree of each rank', wrong[:3])
verdict(compared > 12 and absent and recursion, '... of many, some not in all ranks, with recursion', compared, absent, recursion)
END
"$cgview" report --by tree --imbalance paths.db > out
check "in text: figures before the tree" grep -q 'over  imbalance%  most at  self over  self imb.%  self at  procedure' out
refused() # refused NAME STATUS PATTERN ARGUMENT...
{
	"$cgview" report --by tree --imbalance "${@:4}" > out 2> err
	check "$1" [ $? = "$2" -a "$(grep -c -e "$3" err)$(wc -l < err)" = 11 -a ! -s out ]
}
refused "one rank: refused" 1 'one.db has no second rank or run: start it by' one.db
refused "... from arcs" 2 '--imbalance goes with the time of stacks, without --from arcs' --from arcs paths.db
refused "... bottom-up" 2 'without --bottom-up or --procedure' --procedure work paths.db
