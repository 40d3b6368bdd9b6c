#!/bin/bash
# record --space: call paths sampled by bytes. The program (programs/paths.c) prints what each path got; what paths
# add up to is compared with what was counted. Whether the told interval holds the truth is counted over 200 seeds:
# no single one has to.
. tests/collect/space-lib.sh
source=$top/tests/collect/programs/paths.c
for level in O0 O2; do
	must "compile at -$level" "$cgcc" -$level -w "$source" -o "paths-$level" -pthread
done
must "compile without cgcc" gcc -O2 -w "$source" -o paths.plain -pthread

# recorded PROGRAM MODE [ARGUMENT]: with a path each $every bytes
every=16384
recorded()
{
	rm -f run.db*
	"$cgview" record -F 0 --space-every "$every" -o run.db "./$@" > out 2> err < /dev/null
	status=$?
}

# law NAME: what the contexts of a procedure have is what it has, to the byte; and so have the totals of the roots.
law()
{
	equal "$1: paths add up to what was counted" "" "$(value "SELECT p.name, p.self_bytes, p.self_live, c.b, c.l
		FROM procedure p LEFT JOIN (SELECT procedure, sum(self_bytes) b, sum(self_live) l FROM context
			GROUP BY 1) c ON c.procedure = p.id
		WHERE (p.self_bytes, p.self_live) <> (ifnull(c.b, 0), ifnull(c.l, 0)) AND p.name <> '(unprofiled)'
		UNION ALL SELECT 'all', m.total, 0, (SELECT sum(self_bytes) FROM context), 0 FROM measure m
		WHERE m.name = 'bytes' AND m.total <> (SELECT sum(self_bytes) FROM context)
		UNION ALL SELECT 'roots', m.total, 0, (SELECT sum(total_live) FROM context WHERE parent IS NULL), 0
		FROM measure m WHERE m.name = 'live' AND m.total <> (SELECT sum(total_live) FROM context WHERE
			parent IS NULL)")"
}

# tree MEASURE: a line for each node: its path of procedures, total, samples
cat > nodes.py <<-'END'
	import csv, sys
	path = []
	for r in csv.DictReader(sys.stdin):
	    depth = int(r["depth"])
	    path[depth - 1:] = [r["procedure"]]
	    if r["kind"] == "procedure":
	        print("/".join(path).replace(" ", "_"), next(r[k] for k in r if k.startswith("total_")), r["samples"], r["estimated"])
END
tree() { "$cgview" report --by tree --measure "$1" --format csv run.db | tr -d '\r' | python3 nodes.py; }
total_of() { awk -v end="$1" '$1 ~ end { sum += $2 } END { print sum + 0 }'; }

# near NAME EXPECTED GOT PERCENT
near()
{
	if python3 -c 'import sys; e, g, p = map(float, sys.argv[1:]); sys.exit(abs(g - e) > e * p / 100)' "$2" "$3" "$4"; then
		ok "$1"
	else
		echo "# expected: $2, within $4 %"
		echo "# got:      $3"
		not_ok "$1"
	fi
}

# The seed makes all that is at random the same, in each of these runs of one thread.
export CGVIEW_SPACE_SEED=1
for program in paths-O0 paths-O2; do
	recorded $program shares 64
	law "$program: shares"
	equal "$program: each path is there, and nothing else that gets as much" "main/shares/few/make main/shares/many/make" \
		"$(tree bytes | awk '$2 > 100000 { print $1 }' | grep make | sort | xargs)"
	near "$program: the one has a fourth" "$(cut -d' ' -f1 out)" "$(tree bytes | total_of 'few/make$')" 15
	tree bytes > first
	recorded $program shares 64
	equal "$program: the same seed, the same paths" "$(cat first)" "$(tree bytes)"
	recorded $program leaks
	law "$program: leaks"
	near "$program: what is live came by the path that keeps" \
		"$(value "SELECT self_live FROM procedure WHERE name = 'make'")" "$(tree live | total_of 'keep/make$')" 1
	near "$program: ... half of what was allocated" \
		"$(value "SELECT self_bytes / 2 FROM procedure WHERE name = 'make'")" "$(tree bytes | total_of 'keep/make$')" 10
	recorded $program foreign
	law "$program: foreign code"
	near "$program: strdup by two paths" 10010000 "$(tree bytes | total_of 'foreign/by_few$')" 20
	equal "$program: qsort is on the path" "$(value "SELECT self_bytes FROM procedure WHERE name = 'make'")" \
		"$(tree bytes | total_of '^main/foreign/qsort[^/]*/compare/few/make$')"
	recorded $program killed
	law "$program: killed"
	near "$program: killed" "$(cut -d' ' -f1 out)" "$(tree bytes | total_of 'few/make$')" 15
	recorded $program sandbox
	law "$program: sandbox"
	equal "$program: a sandbox in which every call kills" 0 $status
	recorded $program deep
	law "$program: deep stacks"
	equal "$program: deep stacks: each 10000 bytes" "30000000|3000" \
		"$(value "SELECT self_bytes, self_allocs FROM procedure WHERE name = 'make'")"
	# Threads and children draw at their own pace.
	recorded $program threads
	law "$program: threads"
	near "$program: threads" "$(awk '{ n += $1 } END { print n }' out)" "$(tree bytes | total_of 'few/make$')" 15
	python3 "$here/parts.py" run.db
	recorded $program children
	law "$program: children"
	near "$program: children" "$(awk '{ n += $1 } END { print n }' out)" "$(tree bytes | total_of 'few/make$')" 15
	./paths.plain rand > plain.out
	every=1024 recorded $program rand
	equal "$program: the program's rand() and random() are its own" "$(cksum < plain.out)" "$(cksum < out)"
done

# ---- adding up, and without ----

recorded paths-O2 leaks
must "record -a" "$cgview" record -F 0 --space-every $every -a -o run.db ./paths-O2 shares 16
law "record -a"
cp run.db added.db
recorded paths-O2 shares 16
cp run.db one.db
cp added.db run.db
must "merge" "$cgview" merge -o sum.db run.db one.db
cp sum.db run.db
law "merge"
equal "merge: what a path stands for stays" "$every $every" \
	"$(value "SELECT period FROM measure WHERE name IN ('bytes', 'live')" | xargs)"
python3 "$here/parts.py" run.db
rm -f run.db
every=0 recorded paths-O2 shares 16
equal "--space-every 0: exact figures, no paths" "1|0|0|2" "$(value "SELECT (SELECT exact FROM measure WHERE name = 'bytes'),
	(SELECT period FROM measure WHERE name = 'bytes'), (SELECT count(*) FROM context)")|$(
	"$cgview" report --by tree --measure bytes run.db > out 2>&1; echo $?)"
for wrong in 5 -1 x 1e6 99999999999 1k ''; do
	"$cgview" record --space-every "$wrong" -o wrong.db ./paths-O2 > out 2> err
	equal "--space-every '$wrong': a line, no profile" "2|1|0" "$?|$(wc -l < err)|$(ls wrong.db 2> /dev/null | wc -l)"
done
equal "the table of the report marks estimates, with their error" "1 1" "$("$cgview" report --by tree --measure bytes \
	one.db | grep -c '^total%  *≈ total bytes  *≈ bytes .*±  procedure') $("$cgview" report --by tree --measure bytes \
	one.db | grep -cE '^ +7[0-9]\.[0-9] .* [0-9.]+%  .*many')"

# ---- the interval ----

# What is told is 95 %. By chance alone it would be below 184 of 200 once in a thousand times. Each thread has its own
# seed, does the same, and is a part of the profile. The standard deviation of the estimates is the one that the
# intervals are made of, within what 200 of them can tell (5 %, three times).
every=160000
export CGVIEW_SPACE_SEED=1
recorded paths-O2 seeds 200
cat > interval.py <<-'END'
	import collections, math, os, sqlite3, sys
	sys.path.insert(0, os.environ["here"])
	from parts import unpack
	db = sqlite3.connect("run.db")
	slot, period = db.execute("SELECT id - 7, period FROM measure WHERE name = 'bytes'").fetchone()
	name = dict(db.execute("SELECT c.id, p.name || '/' || q.name FROM context c JOIN context u ON u.id = c.parent "
	                       "JOIN procedure p ON p.id = u.procedure JOIN procedure q ON q.id = c.procedure"))
	make, = db.execute("SELECT id FROM procedure WHERE name = 'make'").fetchone()
	truth = sorted(tuple(map(int, line.split())) for line in open("out"))
	few, many = truth[0]
	held = exact = nr = squares = told = 0
	for size, data in db.execute("SELECT size_bytes, data_zlib FROM part"):
	    paths, counted = collections.Counter(), 0
	    for column, row, callee, value in unpack(size, data):
	        if column == 32 + 6 * slot + 5:
	            paths[name.get(row)] += value
	        counted += value if column == 32 + 6 * slot and row == make else 0
	    if not counted:
	        continue
	    nr += 1
	    exact += paths["few/make"] + paths["many/make"] == counted == few + many
	    all = round(counted / period)
	    p = (round(paths["few/make"] / period) + 2) / (all + 4)
	    half = 1.96 * math.sqrt(p * (1 - p) / (all + 4)) * counted
	    held += abs(paths["few/make"] - few) <= half
	    squares += (paths["few/make"] - few) ** 2
	    told += (half / 1.96) ** 2
	ratio = math.sqrt(squares / told)
	print(nr, exact, "held" if held >= 184 else held, "as told" if 0.85 <= ratio <= 1.15 else ratio)
	print("# the truth was in the interval in %d of %d, the deviation is %.2f of what is told" % (held, nr, ratio),
	      file=sys.stderr)
END
equal "200 seeds: sums are exact, the truth is in the interval as often as is told" "200 200 held as told" \
	"$(here=$here python3 interval.py)"
