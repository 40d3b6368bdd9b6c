#!/bin/bash
# The tree of calls against one that is worked out another way, on a real program and on made-up
# contexts; and contexts that no program can have.
. tests/e2e/lib.sh
need python3 sqlite3
cd "$TMP_DIR" || exit 1
tree() { python3 "$top/tests/db/tree.py" "$1" "$cgview" "$2" "$3" > out 2>&1; }
check() # check DB SOURCE WAY
{
	if tree "$@"; then ok "$1, from $2, $3"; else tail -5 out; not_ok "$1, from $2, $3"; fi
}

"$cgcc" -O1 -o tree "$here/programs/tree.c" && "$cgview" record -o real.db -- ./tree > /dev/null 2>&1 ||
	not_ok 'tree.c is recorded'
# Whom a busy machine has not sampled has no callers to be found.
sampled() { sqlite3 real.db "SELECT 'yes' FROM context c JOIN procedure p ON p.id = c.procedure
	WHERE p.name = '$1' LIMIT 1"; }
check real.db contexts down
check real.db contexts up
for way in deep even work; do
	[ "$(sampled $way)" != yes ] || check real.db contexts $way
done
check real.db arcs down
roots=$("$cgview" report --by tree --from arcs --depth 1 --format csv real.db |
	python3 -c 'import csv, sys; print(sum(int(r["total_ns"]) for r in csv.DictReader(sys.stdin)))')
[ "$roots" = "$(sqlite3 real.db 'SELECT self_ns FROM totals')" ]
[ $? = 0 ] && ok 'the roots have all the time' || not_ok "the roots have $roots"
"$cgview" report --by tree --from arcs real.db > text
grep -q '1 *.*cycle [0-9]* at even' text && ok 'a cycle is one row' || { cat text; not_ok 'a cycle is one row'; }
grep -q '8,000  .*↻ deep (calls itself)' text && ok 'recursive calls are counted' ||
	{ cat text; not_ok 'recursive calls are counted'; }

for kind in '1500 wide' '80 deep' '90 mutual'; do
	set -- $kind
	python3 "$top/tests/db/tree-random.py" real.db "$2.db" "$1" "$2"
	check "$2.db" contexts down
	check "$2.db" contexts up
done
for kind in '10000 deep' '10000 mutual' '100000 wide'; do
	set -- $kind
	python3 "$top/tests/db/tree-random.py" real.db "$2.db" "$1" "$2"
	printf 'size:120x36\nt\n*\nH\ni\nH\nI\nA\n*\ntext:/work\nEnter\nn\nN\ni\nq\nt\n' > script
	if (ulimit -t 20 -v 1000000
	    "$cgview" report --by tree "$2.db" > /dev/null &&
	    "$cgview" report --by tree --bottom-up --format json "$2.db" | python3 -m json.tool > /dev/null &&
	    CGVIEW_SCRIPT=script "$cgview" "$2.db") > out 2>&1
	then ok "$kind"; else tail -3 out; not_ok "$kind"; fi
done
# What no program can have is refused; the browser has other views.
python3 "$top/tests/db/tree-random.py" real.db evil.db 3000 evil
for how in 'report --by tree' 'report --by tree --bottom-up --format json'; do
	(ulimit -t 20 -v 1000000; "$cgview" $how evil.db) > out 2>&1
	got=$?
	if [ $got = 1 ] && grep -q 'evil.db is damaged' out; then
		ok "evil: $how"
	else
		tail -3 out
		not_ok "evil: $how: status $got"
	fi
done
if (ulimit -t 20 -v 1000000; CGVIEW_SCRIPT=script "$cgview" evil.db) > out 2>&1; then
	ok 'evil: browsed'
else
	tail -3 out
	not_ok 'evil: browsed'
fi

status=0
for wrong in '--from x' '--depth 0' '--limit -1' '--min 101' '--by arc' '--wait --from arcs' --sort\ calls; do
	"$cgview" report --by tree $wrong real.db > out 2>&1
	[ $? = 2 ] || { echo "# $wrong"; status=1; }
done
[ $status = 0 ] && ok 'wrong options' || not_ok 'wrong options'
"$cgview" report --by tree --procedure nobody real.db > out 2>&1
[ $? = 1 ] && grep -q 'no procedure nobody' out && ok 'no such procedure' || not_ok 'no such procedure'
