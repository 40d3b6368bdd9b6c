#!/bin/bash
# The time line: what each thread did along the run, and a span that is chosen in it.
. tests/tui/lib.sh

# Two threads with a sample each 10 ms. main: six of red, then four of green; io: two of blue, from 50 ms on.
cat > firefox.json <<'JSON'
{"meta": {"interval": 10, "preprocessedProfileVersion": 47, "startTime": 0}, "libs": [], "threads": [
 {"name": "main", "pid": 1, "tid": 1, "stringArray": ["red", "green"],
  "samples": {"stack": [0, 0, 0, 0, 0, 0, 1, 1, 1, 1], "weight": null, "weightType": "samples",
   "time": [0, 10, 20, 30, 40, 50, 60, 70, 80, 90]},
  "stackTable": {"prefix": [null, null], "frame": [0, 1]}, "frameTable": {"func": [0, 1], "line": [null, null]},
  "funcTable": {"name": [0, 1], "fileName": [null, null]}},
 {"name": "io", "pid": 1, "tid": 2, "stringArray": ["blue"],
  "samples": {"stack": [0, 0], "weight": null, "weightType": "samples", "time": [50, 60]},
  "stackTable": {"prefix": [null], "frame": [0]}, "frameTable": {"func": [0], "line": [null]},
  "funcTable": {"name": [0], "fileName": [null]}}]}
JSON
"$cgview" import -o time.db firefox.json > import.out 2>&1 || cat import.out
SIZE=115x30
export DB=time.db
shows 'the procedures with most time have letters' '^ A red 50.0%  B green 33.3%  C blue 16.7%' <<< '@'
# 100 cells of 0.9 ms. A sample stands for the 10 ms before it: red is there to 50 ms, blue from 40 to 60.
shows 'a thread in 100 cells' '^▌main  *A\{55,56\}B\{44,45\}$' <<< '@'
shows '... one that does nothing most of the time' '^ io  \{54,56\}[Cc]\{22,24\}$' <<< '@'
shows 'the time' ' 0 ns to 90.0 ms of 90.0 ms .* 2 threads sampled' '0 ns ^.*90.0 ms' <<< '@'
shows 'the panes are below' '^─ time line ' '^─ procedures ' '33.3 .*green' <<< '@'
shows 'closed' '!time line' '▌.*red' <<< $'@\n@'
shows '... also from a view above it' '!time line' '▌.*red' <<< $'@\nD\n@'
shows 'what the thread did at the cursor' '^ at 81.0 ms: green$' <<< $'@\n9\n0\nl'
shows '... another thread' '^ at 44.1 ms: blue$' <<< $'@\nj\n4\n9\nl'
shows 'half of the time' ' 0 ns to 45.0 ms of 90.0 ms ' '^▌main  *A\{100\}$' <<< $'@\n+'
# The cursor, on the last cell, which begins at 89.1 ms, stays on the last: from 44.55 to 89.55.
shows '... of what is around the cursor' ' 44.5 ms to 89.6 ms of 90.0 ms ' '^▌main  *A\{12,13\}B\{87,88\}$' <<< $'@\n$\n+'
shows '... and all of it' ' 0 ns to 90.0 ms of 90.0 ms ' <<< $'@\n$\n+\n-'
shows 'moved at the edge, by a cell of 450 µs' ' 451 µs to 45.5 ms of 90.0 ms ' <<< $'@\n+\n1\n0\n0\nl'
# From 0 to the end of cell 50: 45.9 ms, in which are red's samples at 0, 10, 20, 30 and 40.
mark=$'@\na\n5\n0\nl'
shows 'marked' 'marked 0 ns to 45.9 ms: Enter' <<< "$mark"
shows 'a span: its samples in all views' 'only the begin to 45.9 ms; counts of the whole run' \
	'100 .* 50.0 ms .* red' '-  *-.*green' <<< "$mark"$'\nEnter'
shows '... the cursor leaves a procedure that has none' '^▌.*50.0 ms .* red' <<< j$'\n'"$mark"$'\nEnter'
shows '... and stays on one that has some' '^▌.*10.0 ms .* blue' '60.0 ms .* red' <<< $'j\nj\n@\na\n6\n0\nl\nEnter'
shows '... with its signs in the time line' ']' '^▌main  *A\{55,56\}B' <<< "$mark"$'\nEnter\n@'
shows '... and all of the time again' '33.3 .* 40.0 ms .* green' '!only ' <<< "$mark"$'\nEnter\n@\nA'
shows 'nothing is marked: told how' 'marks where a span begins' <<< $'@\nEnter'
SIZE=40x12 shows 'in a small terminal' 'time line' <<< '@'
SIZE=24x8 shows '... in a tiny one' '!Segmentation' <<< $'@\na\nl\n+\nEnter'
DB=sample.db shows 'a profile without times' 'does not tell when' <<< '@'

# Thousands of samples have sums, which cells are made from: the letters are those of each sample shared out by itself.
python3 - > crowd.txt <<'EOF2'
import bisect, json, random
random.seed(3)
names, counts = ["p%d" % i for i in range(11)], [0] * 11
at, samples = -1000, []
for i in range(60000):
    at += random.choice([400, 1000, 1000, 1300, 2500] + [9000] * (i % 15000 > 13000))
    f = min(10, int(random.expovariate(0.5)) if i % 7000 > 2000 else i // 6000)
    counts[f] += 1
    at = max(at, 0)
    samples.append((at, f))
assert samples[0][0] == 0  # times begin there
assert len(set(counts)) == 11
thread = {"name": "main", "pid": 1, "tid": 1, "stringArray": names,
          "samples": {"stack": [f for _, f in samples], "weight": None, "weightType": "samples",
                      "time": [t / 1000 for t, _ in samples]},
          "stackTable": {"prefix": [None] * 11, "frame": list(range(11))},
          "frameTable": {"func": list(range(11)), "line": [None] * 11},
          "funcTable": {"name": list(range(11)), "fileName": [None] * 11}}
json.dump({"meta": {"interval": 1, "preprocessedProfileVersion": 47, "startTime": 0}, "libs": [],
           "threads": [thread]}, open("crowd.json", "w"))
end = at + 1


def hottest(begin, to):
    """The eight with most of the time, of which each sample has what lies in it."""
    us = [0] * 11
    for t, f in samples:
        us[f] += max(0, min(t, to) - max(t - 1000, begin)) if t else 1000 * (begin == 0)
    assert len(set(us)) == 11 or 0 in us
    return sorted((f for f in range(11) if us[f]), key=lambda f: -us[f])[:8]


def letters(begin, to):
    """Those of the run keep theirs; the others have what is left."""
    first, here = hottest(0, end), hottest(begin, to)
    kept = {f: first.index(f) for f in here if f in first}
    left = [x for x in range(8) if x not in kept.values()]
    return kept | dict(zip([f for f in here if f not in first], left))


assert set(hottest(0, end)) - set(hottest(0, end // 2 // 2 // 2 // 2))
for keys, begin, to in (("@", 0, end), ("@ +", 0, end // 2), ("@ + + + +", 0, end // 2 // 2 // 2 // 2)):
    row, hot = "", letters(begin, to)
    edges = [begin + int((to - begin) * x / 100) for x in range(101)]
    us = [[0] * 9 for _ in range(100)]
    for t, f in samples:
        which = hot.get(f, 8)
        for x in range(max(0, bisect.bisect(edges, t - 1000) - 1), 100):
            if edges[x] > t:
                break
            us[x][which] += max(0, min(t, edges[x + 1]) - max(t - 1000, edges[x])) if t else 1000
    for x, cell in enumerate(us):
        half = min(8, max(1, int(sum(cell) * 8 / (edges[x + 1] - edges[x]) + 0.5))) >= 4
        letter = "abcdefgho"[cell.index(max(cell))]
        row += " " if not any(cell) else letter.upper() if half else letter
    print(keys + "|" + row.rstrip())
EOF2
"$cgview" import -o crowd.db crowd.json > import.out 2>&1 || cat import.out
while IFS='|' read -r keys row; do
	DB=crowd.db shows "of 60,000 samples: $keys" "^▌main  *$row\$" <<< "${keys// /$'\n'}"
done < crowd.txt
