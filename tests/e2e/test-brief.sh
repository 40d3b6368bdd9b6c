#!/bin/bash
# cgview brief: its facts against the tables (brief.py) of profiles with times, memory, waiting, without samples, without
# counts, of another tool, with names that hurt; that of two against the ledger's own rows.
. tests/e2e/lib.sh
need_collection
need sqlite3 gcov
cd "$TMP_DIR" || exit 1
for i in $(seq 40); do cat "$top/README.md"; done > text
cp "$top/examples/words.c" .
sed 's/BUCKETS = 1024/BUCKETS = 8/' words.c > slow.c
must "compile" "$cgcc" -O1 -g -o words words.c
must "compile the slow one" "$cgcc" -O1 -g -o slow slow.c
must "compile without cgcc" gcc -O1 -g -o plain words.c
must "record" "$cgview" record -n 3 -o time.db -- ./words text
must "record --space --wall" "$cgview" record --space --wall -o space.db -- ./words text
must "record without samples" "$cgview" record -F 0 -o counts.db -- ./words text
must "record what is not compiled with cgcc" "$cgview" record -o plain.db -- ./plain text
must "record the slow one" "$cgview" record -n 3 -o slow.db -- ./slow text
must "compile for gcov" gcc -O0 --coverage -o cov words.c
./cov text > /dev/null
gcov --json-format cov-words.gcda > gcov.out 2>&1
must "import what gcov counted" "$cgview" import -o gcov.db cov-words.gcov.json.gz
"$build/tests/make-profile" odd.db --odd --procedures 60 --ranges 900 --lines 900 --files 3 || exit 1
sqlite3 odd.db "UPDATE file SET path = '/tmp/a' || char(27) || '[31m' || char(10) || 'b.c' WHERE id = 1"
for db in time space counts plain slow gcov odd; do
	python3 "$here/brief.py" "$cgview" $db.db
done

check "a profile named by default" cmp <("$cgview" brief time.db) <(cp time.db prof.db; "$cgview" brief 2> /dev/null |
	sed 's/prof\.db/time.db/g')
must "a part of a profile" "$cgview" brief time.db:runs=1-2
check "... has two runs" grep -q 'runs 2,' <("$cgview" brief time.db:runs=1-2)

# Two profiles: the ledger's rows, in its order, with its figures.
check "the ledger's first rows" python3 - "$cgview" <<'END'
import json, subprocess, sys
def run(*words):
    return json.loads(subprocess.run([sys.argv[1], *words, "--format", "json", "time.db", "slow.db"], check=True,
                                     capture_output=True).stdout)
brief, ledger = run("brief"), run("diff", "--by", "cause")
got = [(r["name"], r["value"]) for r in brief["rows"] if r["fact"] == "causes"]
seen, wanted = set(), []
for r in ledger["rows"]:
    if r["claimed"] and r["of"] == "cpu" and r["row"] not in seen:
        seen.add(r["row"])
        wanted.append((r["procedure"], r["row_amount"]))
assert got == wanted[:10], (got, wanted)
head = next(l for l in ledger["ledgers"] if l["of"] == "cpu")
raw = next(r for r in brief["rows"] if r["fact"] == "difference" and r["figure"] == "raw")
assert raw["value"] == head["measured_amount"], (raw, head)
assert abs(raw["error"] * abs(raw["value"]) - head["measured_error"]) < 1e-6 * head["measured_error"], (raw, head)
each = [r["value"] for r in brief["rows"] if r["figure"] == "each"]
assert each == [head["a"], head["b"]], (each, head)
told = [r["name"] for r in brief["rows"] if r["fact"] in ("causes", "work")]
assert "count_word" in told, told
END
check "... in at most 60 lines" [ "$("$cgview" brief time.db slow.db | wc -l)" -le 60 ]
check "... whose work is told: longer chains" grep -q 'count_word .*: MORE WORK.*calls strcmp' <("$cgview" brief time.db slow.db)

# fails STATUS NAME PATTERN ARGUMENTS...
fails()
{
	local status=$1 name=$2 pattern=$3
	shift 3
	"$cgview" brief "$@" > out 2> err
	check "$name" [ "$? $(wc -c < out) $(grep -cE "$pattern" err) $(wc -l < err)" = "$status 0 1 1" ]
}
fails 2 "three profiles" 'not also of' time.db slow.db odd.db
fails 2 "no such format" 'text, csv or json' --format xml time.db
fails 1 "no such profile" 'nothere.db' nothere.db
fails 1 "no profile" 'words.c' words.c
"$cgview" brief time.db > /dev/full 2> err
check "a full disk is told" [ "$? $(wc -l < err)" = "1 1" ]
