#!/bin/bash
# The tree of calls of two profiles and more: paths of all of them, ordered by the value of an
# expression. What must be there is counted by hand from the stacks in tree-compared.py.
. tests/tui/lib.sh
. "$top/tests/tui/compare-lib.sh"
python3 "$top/tests/tui/tree-compared.py" old.db new.db || exit 1
cp old.db third.db
mkdir runs && "$BUILD/tests/tui/unit-versions" runs || exit 1

for size in 80x24 120x36 200x60; do
	golden compare-tree $size old.db new.db <<< $'t\ng\n*'
	golden compare-callers $size old.db new.db <<< $'t\nA\nj\n*'
done
golden compare-tree-scaled 120x36 old.db new.db <<< $'Z\nt\ng\n*'
golden compare-tree-three 120x36 old.db new.db third.db <<< $'t\ng\n*'
golden compare-icicle 120x36 old.db new.db <<< $'t\ni'

# From the stacks: 1 ms a sample.
shows 'totals of the same path' 'old.db new.db' 'b.total_ns - a.total_ns' \
	'110 ms *2.902 s *+2.792 s ▲ *+47.[47] *slower *▾ main' '95.0 ms *2.885 s *+2.790 s ▲ *+47.7 *slower *├ ▾ sort' \
	'20.0 ms *890 ms *+870 ms ▲ .*│ ├   less' <<< $'t\ng\n*'
shows 'a path that only the first has' 'old.db new.db' '14.0 ms *- *-14.0 ms ▼ *-3.8 *faster *only a *└ ▾ gone' \
	'5.00 ms *- *-5.00 ms ▼ *-1.9 *unresolved *only a *└ *sort' <<< $'t\ng\n*'
shows 'a path that only the last has' 'old.db new.db' '- *15.0 ms *+15.0 ms ▲ *+4.0 *slower *only b *├ ▾ fresh → sort' \
	'- *10.0 ms *+10.0 ms ▲ *+3.1 *slower *only b *│ └   less' <<< $'t\ng\n*'
shows 'recursion is counted above' 'old.db new.db' '(5.00 ms) *(5.00 ms) *[^0-9+]* ↻ sort' <<< $'t\ng\n*'
# 110 / 2902 of 2,885 ms are 109.4 ms; less 95 ms: 14.4 ms.
shows 'normalised by the total' 'old.db new.db' 'normalised by total: b ×0.0148, its times ×0.0379' \
	'110 ms *110 ms *= .*▾ main' '95.0 ms *109 ms *+14.4 ms ▲ *+1.3 ' '14.0 ms *- *-14.0 ms .*├ ▾ gone' \
	'569 µs *+569 µs .*└ ▾ fresh' <<< $'t\ng\n*\nZ'
shows 'another expression' 'old.db new.db' '1.00 ms *2.00 ms *+1.00 ms ▲ .*▾ main' \
	'75.0 ms *1.995 s *+1.920 s ' '9.00 ms *- *-9.00 ms .*gone' \
	<<< $'t\ng\n*\n=\nC-u\ntext:b.self_ns - a.self_ns\nEnter'
shows 'and its order' 'old.db new.db' '▌.*less' '14.0 ms .*├ ▸ gone' '15.0 ms .*└ ▾ fresh' \
	<<< $'t\ng\ntext:/fresh\nEnter\nl\ng\ntext:/less\nEnter\n=\nC-u\ntext:a.total_ns\nEnter'
shows 'what paths do not have' 'old.db new.db -e count' 'count cannot be had of sampled paths' \
	'b.total_ns - a.total_ns (the other' <<< t
shows 'samples' 'old.db new.db -e b.total_samples-2*a.total_samples' '110 *2,902 *+2,682 ' '14 *- *-28 ' <<< $'t\ng\nl'
shows 'callers of all by their own time' 'old.db new.db' 'callers of all: b.self_ns - a.self_ns' \
	'80.0 ms *2.000 s *+1.920 s .*▸ sort' '9.00 ms *- *-9.00 ms .*only a *▸ gone' '20.0 ms *900 ms *+880 ms .*▾ less' \
	'20.0 ms *890 ms *+870 ms .*main' '- *10.0 ms *+10.0 ms .*only b .*fresh' <<< $'t\nA\nj\nl\nj\nl'
shows 'callers of what only the first has' 'old.db new.db' 'callers of gone' '14.0 ms *- .*only a *▾ gone' \
	'14.0 ms *- .*only a *└   main' <<< $'t\ng\n*\nG\nk\nI'
shows 'Enter goes to its text' 'old.db new.db' '─ a /sample' '17 gone(int' <<< $'t\ng\n*\nG\nk\nEnter'
shows 'search finds what only the first has' 'old.db new.db' '^▌.*gone' <<< $'t\ng\n-\ntext:/gone\nEnter'
shows 'hidden, it is the tree of the last' 'old.db new.db' 'total%' '!gone' '─ call tree ─' <<< $'~\nt\ng\n*'
shows 'and compared again' 'old.db new.db' 'compared call tree' 'only a .*gone' <<< $'t\n~\n~\nt\ng\n*'
shows 'no sides to choose from' 'old.db new.db' 'has the paths of all profiles' <<< $'t\nF'
shows 'the icicle' 'old.db new.db' 'main   a 110 ms   b 110 ms   result =' '▏sort *▏gone' <<< $'t\ng\nZ\ni'

# A third profile, equal to the first, and a column for each.
shows 'three profiles' 'old.db new.db third.db' '  a *b *c *result' '110 ms *2.902 s *110 ms *= .*▾ main' \
	'14.0 ms *- *14.0 ms *= .* ac *├ ▾ gone' '- *15.0 ms *- *= .*only b *└ ▾ fresh' <<< $'size:130x30\nt\ng\n*'
shows 'the last two' 'old.db new.db third.db -e c.total_ns-b.total_ns' \
	'2.902 s *110 ms *-2.792 s' '15.0 ms *- *-15.0 ms' <<< $'size:130x30\nt\ng\n*'
shows 'what only the one in the middle has' 'old.db new.db third.db' '^▌ .*only b .*fresh' 'no place in a source' \
	<<< $'size:130x30\nt\nA\ntext:/fresh\nEnter\nEnter'
shows 'its callers' 'old.db new.db third.db' 'callers of fresh' '- *15.0 ms *- .*▾ fresh' '- *15.0 ms *- .*└   main' \
	<<< $'size:130x30\nt\nf\ng\n*\ntext:/fresh\nEnter\nI'

# A procedure with another name and another text: what is below it is below both names.
cp new.db renamed.db
python3 - renamed.db <<'END'
import sqlite3, sys, zlib
db = sqlite3.connect(sys.argv[1])
for file, packed, size in db.execute("SELECT id, text_zlib, size_bytes FROM file").fetchall():
    text = (packed if len(packed) == size else zlib.decompress(packed)).replace(b"sort(", b"order(")
    db.execute("UPDATE file SET text_zlib = ?, size_bytes = ?, hash = '%016x' WHERE id = ?" % zlib.crc32(text),
               (zlib.compress(text), len(text), file))
db.execute("UPDATE procedure SET name = 'order', linkage_name = 'order' WHERE name = 'sort'")
db.commit()
END
shows 'below another name' 'old.db renamed.db' '95.0 ms *2.885 s *+2.790 s ▲ .*├ ▾ order' \
	'20.0 ms *890 ms *+870 ms ▲ .*│ ├   less' <<< $'t\ng\n*'
shows 'how it was found' 'old.db renamed.db' 'like ([0-9]* %) *order' '[^a-z]b *fresh' <<< z

# From the arcs: time is shared out by calls.
shows 'from arcs' 'old.db new.db' '≈ a *≈ b *result' '110 ms *2.902 s *+2.792 s .*main' \
	'20.0 ms *900 ms *+880 ms .*less' '9.00 ms *- *-9.00 ms ▼ *-[0-9.]* .*only a .*gone' <<< $'t\na\ng\n*'
shows 'callers by arcs' 'old.db new.db' '100 ms *2.900 s *+2.800 s .*▾ sort' <<< $'t\na\ntext:/sort\nEnter\nI'
shows 'without stacks in one of them' 'old.db runs/new.db' 'from arcs' 'only arcs' <<< $'t\na'
printf '100\n200\n400\n800\n' > sizes
shows 'of a series' '--series sizes n100.db n200.db n400.db n800.db -e a.calls' 'growth of a.calls' \
	'10,000 *40,000 *160,000 *640,000 *n^2.00 ▲ .*▸ less' <<< $'size:140x30\nt\nA'

# Any stacks, against sums by paths.
for seed in $(seq 12); do
	rm -f rows
	python3 "$top/tests/tui/tree-compared.py" --random "$seed" old.db new.db | sort > want
	printf 'size:120x36\nt\nf\ng\n*\ntext::w rows\nEnter\n' |
		play old.db new.db -e b.total_samples-a.total_samples
	python3 "$top/tests/tui/tree-compared.py" --rows rows | sort | diff want -
	verdict $? "random stacks $seed"
done
