#!/bin/bash
# cgview guide: each of its commands succeeds on profiles of the names that it uses, and says something; each option that
# it names is one of the command it stands with, each table and column of its SQL is there.
. tests/e2e/lib.sh
need_collection
cd "$TMP_DIR" || exit 1
for i in 1 2 3; do cat "$top/README.md"; done > text
cp "$top/examples/words.c" .
sed 's/BUCKETS = 1024/BUCKETS = 16/' words.c > slow.c
must "compile" "$cgcc" -O1 -g -o words words.c
must "compile the other" "$cgcc" -O1 -g -o slow slow.c
must "record" "$cgview" record -o prof.db -- ./words text
must "record old" "$cgview" record -n 3 -o old.db -- ./words text
must "record new" "$cgview" record -n 3 -o new.db -- ./slow text
must "record --space --wall" "$cgview" record --space --wall -o space.db -- ./words text
"$cgview" guide > guide
check "at most 200 lines" [ "$(wc -l < guide)" -le 200 ]
grep '^    cgview ' guide > commands
check "it has commands" [ "$(wc -l < commands)" -ge 30 ]
PATH=$build:$PATH
failed=0
while read -r line; do
	bash -c "$line" > out 2> err < /dev/null || { failed=1; echo "# status $?: $line"; sed 's/^/# /' err; }
	[ -s out ] || [[ $line = *"--format github"* ]] || { failed=1; echo "# says nothing: $line"; }
done < commands
check "each command succeeds" [ $failed = 0 ]
check "each option is known" python3 - "$cgview" guide <<'END'
import re, subprocess, sys
cgview, path = sys.argv[1:]
helps = {}
def options(command):
    if command not in helps:
        text = "".join(subprocess.run([cgview, command, *more, "--help"], capture_output=True, text=True).stdout
                       for more in ([], ["--by", "tree"] if command == "report" else []))
        helps[command] = set(re.findall(r"(?<![\w-])--?[a-zA-Z][a-zA-Z-]*", text)) | {"--help"}
    return helps[command]
lines = [l for l in open(path) if not l.startswith("MAKE")]
seen = 0
for line in lines:
    command = re.match(r" +cgview ([a-z]+) ", line)
    words = re.sub(r"'[^']*'|\"[^\"]*\"", "''", line)
    for option in re.findall(r"(?<![\w-])--?[a-zA-Z][a-zA-Z-]*", words):
        if command:
            known = options(command.group(1))
        elif "make CC" in line or "at -O2" in line:
            continue
        else:
            known = set().union(*(options(c) for c in ("report", "record", "diff")))
        assert option in known or option == "--", (option, line)
        seen += 1
assert seen > 60, seen
END
# What it tells of the tables is so.
check "the tables have the columns that it names" python3 - guide <<'END'
import re, sqlite3, sys
db, text, seen = sqlite3.connect("space.db"), open(sys.argv[1]).read(), 0
for line in text[text.index("\n  totals "):text.index("\nIds are rowids")].splitlines():
    m = re.match(r"  ([a-z_]+(?:, [a-z]+)*)  +(.*)", line)
    for table in m.group(1).split(", ") if m else []:
        columns = {row[1] for row in db.execute("PRAGMA table_info(%s)" % table)}
        assert columns, table
        if ", " in m.group(1) or table in ("disposal", "allocation", "measure"):
            continue
        named = re.sub(r"\([^)]*\)|\.\.\.", "", re.sub(r"^(one row|threads): ", "", m.group(2))).split(":")[0]
        for name in re.findall(r"[a-z_]+", named):
            assert name in columns, (table, name, columns)
            seen += 1
assert seen > 60, seen
END
"$cgview" guide more > out 2> err
check "it takes no words" [ "$? $(wc -c < out) $(wc -l < err)" = "2 0 1" ]
