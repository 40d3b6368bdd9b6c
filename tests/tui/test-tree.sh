#!/bin/bash
# The tree of calls, as rows and as an icicle: screens in three sizes; what its keys do.
. tests/tui/lib.sh
cp sample.db tree.db
python3 "$top/tests/tui/tree-contexts.py" tree.db || exit 1

for size in 80x24 120x36 200x60; do
	golden tree "$size" tree.db <<< t
	golden tree-all "$size" tree.db <<< $'t\ng\n*'
	golden tree-arcs "$size" tree.db <<< $'t\na\ng\n*'
	golden tree-callers "$size" tree.db <<< $'t\nI'
	golden tree-bottom-up "$size" tree.db <<< $'t\nA\nl'
	golden icicle "$size" tree.db <<< $'t\ni'
	golden icicle-arcs "$size" tree.db <<< $'t\na\ni\ng\nj'
	golden icicle-zoomed "$size" tree.db <<< $'t\ni\ng\nj\nEnter'
done
golden tree-unfolded 80x24 tree.db <<< $'t\nf\ng\n*'
golden tree-small 30x8 tree.db <<< $'t\ng\n*'
golden icicle-small 30x8 tree.db <<< $'t\ni'
golden tree-no-stacks 80x24 <<< t
golden tree-search 80x24 tree.db <<< $'t\ng\n-\ntext:/by_n\nEnter'

# after NAME REGEX < STEPS: the last screen matches.
after()
{
	{ echo size:80x24; cat; echo ":save-screen last"; } | play tree.db
	grep -qE "$2" last
	verdict $? "$1"
	grep -qE "$2" last || sed 's/^/# /' last
}

after 'the cursor is on the procedure looked at' '^▌.* lookup' <<< $'j\nt'
after 'Enter goes to the source' '─ hash ─' <<< $'t\nEnter'
after 'Backspace comes back to the tree' '^▌.* by_name' <<< $'t\ntext:/by_name\nEnter\nEnter\nBackspace'
after '_ opens the icicle from the first screen, and makes rows of it' '^ +total% .* self +below ' <<< $'_\n_'
after '... from the first screen' '^ *▏all' <<< _
after 'what was expanded is so still' ' by_count' <<< $'t\ntext:/by_name\nEnter\nEnter\nBackspace'
after 'in the callers Enter goes to the call' ' 37 .*hash\(s\)' <<< $'t\nI\nj\nEnter'
after 'left goes to the row above' '^▌.* lookup' <<< $'t\nh'
after 'collapsed, a row has the time of its callees apart' '^▌ +88\.1 .* 1\.683 s +100 ms +1\.583 s ' <<< \
	$'t\ntext:/read_all\nEnter\nh'
after 'expanded, only its own' '^▌.* 1\.683 s +100 ms {12}' <<< $'t\ntext:/read_all\nEnter'
# Whatever is open, the rows have all of the time together, each part once.
for steps in 't' 't g -' 't g *' 't g l j l j h'; do
	{ echo size:100x40; tr ' ' '\n' <<< "$steps"; echo ":save-screen last"; } | play tree.db
	python3 - << 'END'
import re
unit = {"s": 1e9, "ms": 1e6, "µs": 1e3, "ns": 1}
lines = open("last").read().split("\n")
columns = [(lines[2].index(head) + len(head)) for head in ("total ", "self", "below")]
columns[0] -= 1
total = parts = 0
for line in lines[3:-2]:
    ns = []
    for end in columns:
        figure = re.search(r" ([\d.]+) (s|ms|µs|ns)$", line[:end])
        ns.append(float(figure.group(1)) * unit[figure.group(2)] if figure else 0)
    total += 0 if re.search("[├└]", line) else ns[0]
    parts += ns[1] + ns[2]
raise SystemExit(not total or abs(parts / total - 1) > 0.005)
END
	verdict $? "self and below are the total: $steps"
done
after 'the hottest path ends where the time goes' '^▌.* hash' <<< $'t\ng\n-\nH'
after 'where self is more than any callee has, the path ends, which is told' \
	'the hottest path ends here: self is more than any callee has' <<< $'t\ntext:/each\nEnter\nH'
after '... as where nothing is called' 'the hottest path ends here: nothing is counted below' <<< $'t\ng\n-\nH\nH'
after 'callers: the path goes on to who calls most' '^▌.* main' <<< $'t\nI\nH'
after 'shares of what is zoomed to' '^▌ +100 .* each' <<< $'t\ntext:/each\nEnter\nz'
after 'Esc shows all again' '▌ +11\.5 .* each' <<< $'t\ntext:/each\nEsc\ntext:/each\nEnter\nEsc\nz\nEsc'
after 'recursion leads back' 'recursion: what is below' <<< $'t\nl\nl\nl'
after 'n finds what is collapsed' '^▌.* by_count' <<< $'t\ng\n-\ntext:/by_\nEnter\nn'
after 'a search that is cancelled leaves the cursor' '^▌.* hash' <<< $'t\ntext:/by_name\nEsc'
after 'inverted again it is top-down' 'call tree' <<< $'t\nI\nI'
after 'waiting that nobody looked for' 'cgview record --wall' <<< $'t\nw'
after 'down goes to the widest box' ' lookup +total' <<< $'t\ni\ng\nj\nj\nj'
after 'left and right stay in the level' ' each +total 220 ms  11\.5%' <<< $'t\ni\ng\nj\nj\nl'
after 'the icicle and the rows have one cursor' '^▌.* each' <<< $'t\ni\ng\nj\nj\nl\ni'
after 'Enter zooms, Backspace shows all again' ' 17 levels|call tree ' <<< $'t\ni\nEnter\nBackspace'
after 'x goes from the icicle to the source' '─ each ─' <<< $'t\ni\ng\nj\nj\nl\nx'
after 'search in the icicle' ' by_name +total 60' <<< $'t\ni\ntext:/by_name\nEnter'
after 'a count expands down to that share' 'less than 50\.0%' <<< $'t\ng\n-\ntext:50*'

# Branches in which all samples are of procedures that stand further up: each -> lookup -> hash ->
# each, and each -> by_count -> each as well as each -> by_count -> by_name -> each.
cp sample.db back.db
python3 - back.db << 'END'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
ids = dict(db.execute("SELECT name, id FROM procedure"))
for i, (parent, name, samples) in enumerate([
        (None, "main", 0), (1, "each", 500), (2, "lookup", 0), (3, "hash", 0), (4, "each", 300),
        (2, "by_count", 0), (6, "each", 11), (6, "by_name", 0), (8, "each", 1100)], 1):
    db.execute("INSERT INTO context VALUES (?, ?, ?, NULL, NULL, ?, ?, 0, 0, 0, 0)",
               (i, parent, ids[name], samples, samples * 1000000))
db.commit()
END
{ printf 'size:100x24\nt\ng\n*\ntext:/by_count\nEnter\nl\n:save-screen shows\n'; } | play back.db
rows=$(sed -n '4,8p' shows | grep -cE '^(▌| ) +\([0-9]|^▌ +▾ by_count|^▌ +├ ▾ by_count')
[ "$rows" = 4 ] && [ "$(grep -cE '^(▌| ) +[0-9.]+ █* ' shows)" = 1 ]
verdict_shows $? 'a branch of nothing but recursion has no share, and says what it is' \
	' 100 .* main → each' 'by_count (recursion, counted above)' \
	' (300 ms) .* lookup → hash → ↻ each (2 deep, counted above)' \
	' (11.0 ms) .* └   ↻ each (2 deep, counted above)' \
	' (1.100 s) .* by_name → ↻ each (2 deep, counted above)'
{ printf 'size:80x24\nt\ng\n*\ntext::w out.txt\nEnter\n'; } | play tree.db
[ "$(grep -c . out.txt)" = 11 ] && grep -q '1.683 s .* read_all' out.txt
verdict $? ':w writes the rows'
{ echo size:80x24; echo t; for s in 1x1 5x3 200x60 24x5 80x24; do echo "size:$s"; done
  echo i; for s in 1x1 5x3 200x60 24x5 80x24; do echo "size:$s"; done; } | play tree.db
verdict $? 'sizes of all kinds'
