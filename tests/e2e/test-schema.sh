#!/bin/bash
# docs/schema/cgview-1.json: all that --format json prints is valid by it, by python3-jsonschema, and has no field that it
# does not know; what is not valid is found.
. tests/e2e/lib.sh
need_collection
python=
for try in python3 /usr/bin/python3; do
	"$try" -W ignore -c 'import jsonschema' 2> /dev/null && python=$try && break
done
[ -n "$python" ] || skip_all "python3-jsonschema is not installed"
cd "$TMP_DIR" || exit 1
for i in 1 2 3; do cat "$top/README.md"; done > text
cp "$top/examples/words.c" .
sed 's/BUCKETS = 1024/BUCKETS = 16/' words.c > slow.c
must "compile" "$cgcc" -O1 -g -o words words.c
must "compile the other" "$cgcc" -O1 -g -o slow slow.c
must "record" "$cgview" record -n 3 -o old.db -- ./words text
must "record the other" "$cgview" record -n 3 -o new.db -- ./slow text
must "record --space --wall" "$cgview" record --space --wall -o space.db -- ./words text
must "record it again" "$cgview" record --space --wall -o space2.db -- ./slow text
CGVIEW_RANK=2 must "record a rank" "$cgview" record -o ranks.db -- ./words text
CGVIEW_RANK=3 must "record another one" "$cgview" record -a -o ranks.db -- ./words text
printf '/\ntext:^by_text\nEnter\n"\ntext:a remark\nEnter\n' > script # the first row may be a library's
CGVIEW_SCRIPT=script TERM=xterm-256color must "write a remark" "$cgview" --config /dev/null space.db
must "keep a comparison" "$cgview" diff -o compared.db old.db new.db
"$build/tests/make-profile" odd.db --odd --procedures 60 --ranges 900 --lines 900 --files 3 || exit 1
"$build/tests/make-measures" measures.db > /dev/null 2>&1
printf '10\n20\n40\n' > sizes
"$python" -W ignore - "$cgview" "$top/docs/schema/cgview-1.json" <<'END'
import copy, json, os, re, subprocess, sys
import jsonschema
cgview, path = sys.argv[1:]
schema = json.load(open(path))
def verdict(good, name, *why):
    if not good:
        print("#", *why)
    print("ok -" if good else "not ok -", name)
jsonschema.Draft202012Validator.check_schema(schema)
strict = copy.deepcopy(schema)
heads = {"schema", "version", "document"}
for name, d in strict["$defs"].items():
    if "properties" in d:
        if name.startswith("document_"):
            d["properties"].update({h: True for h in heads})
        d["additionalProperties"] = False
check = jsonschema.Draft202012Validator(strict)
seen, rows = set(), {}
def run(*words):
    p = subprocess.run([cgview, *words, "--format", "json"], capture_output=True)
    if p.returncode and not p.stdout:
        return None, p.stderr
    return json.loads(p.stdout), p.stderr
def valid(*words):
    data, said = run(*words)
    if data is None:
        verdict(False, " ".join(words), said)
        return
    error = next(iter(sorted(check.iter_errors(data), key=lambda e: -len(e.path))), None)
    where = data["document"], data.get("by")
    seen.add(where)
    rows[where] = rows.get(where, 0) + len(data["rows"])
    verdict(error is None and list(data)[:3] == ["schema", "version", "document"], " ".join(words),
            error and (list(error.path), error.message[:300]))
kinds = re.search(r": it is (.*), or tree", subprocess.run([cgview, "report", "--by", ""], capture_output=True, text=True).stderr)
kinds = kinds.group(1).split(", ")
memory = "moment band pair disposer lifetime producer type size span".split()
for kind in kinds:
    if kind == "pool":
        continue  # of programs with pools only
    for db in ["compared.db"] if kind == "comparison" else ["space.db"] if kind in memory or kind == "branch" else \
            ["old.db", "space.db", "odd.db"] + (["measures.db"] if os.path.exists("measures.db") else []):
        valid("report", "--by", kind, "ranks.db" if kind in ("rank", "imbalance") else db)
for of in "procedure block range line site arc pair file".split():
    valid("report", "--by", "comparison", "--of", of, "compared.db")
verdict(set(schema["$defs"]["document_report"]["properties"]["by"]["enum"]) == set(kinds), "all kinds of rows are in it")
valid("report", "--by", "tree", "old.db")
valid("report", "--by", "tree", "--from", "arcs", "old.db")
valid("report", "--by", "tree", "--bottom-up", "space.db")
valid("report", "--by", "tree", "--imbalance", "ranks.db")
valid("report", "--by", "procedure", "--columns", "calls,procedure", "old.db")
valid("report", "--by", "procedure", "--columns", "procedure,calls_least,work_imbalance,self_ranks_sd_ns", "ranks.db")
valid("report", "--sql", "SELECT name, calls, 1.5, NULL, x'00ff' FROM procedure", "old.db")
for by in "procedure block range line site arc file pair".split():
    valid("diff", "--by", by, "old.db", "new.db")
    valid("diff", "--by", by, "-e", "b.count - a.count", "old.db", "new.db", "space.db")
for by in "producer type size disposer".split():
    valid("diff", "--by", by, "space.db", "space2.db")
valid("diff", "--fail-if", "more_work(1%)", "old.db", "new.db")
valid("diff", "--by", "cause", "old.db", "new.db")
valid("diff", "--by", "cause", "space.db", "space2.db")
valid("diff", "--series", "sizes", "old.db", "new.db", "space.db")
valid("diff", "--series", "sizes", "--at", "100", "old.db", "new.db", "space.db")
for dbs in ["old.db"], ["space.db"], ["odd.db"], ["old.db", "new.db"], ["space.db", "space2.db"]:
    valid("brief", *dbs)
documents = set(schema["properties"]["document"]["enum"])
verdict({d for d, _ in seen} == documents, "all documents were looked at", documents - {d for d, _ in seen})
empty = {w for w, n in rows.items() if not n} - {("report", "cycle"), ("report", "error"), ("report", "frame")}
verdict(not empty, "... with rows", empty)
# What is wrong is found, else all this would say nothing.
good = run("report", "--by", "procedure", "old.db")[0]
def wrong(name, change):
    bad = copy.deepcopy(good)
    change(bad)
    verdict(not jsonschema.Draft202012Validator(schema).is_valid(bad), name)
wrong("another version is not valid", lambda d: d.update(version=2))
wrong("nor another document", lambda d: d.update(document="reports"))
wrong("nor a text in place of a count", lambda d: d["rows"][0].update(calls="three"))
wrong("nor half a call", lambda d: d["rows"][0].update(calls=1.5))
wrong("nor a row of another kind", lambda d: d["rows"].append([1]))
more = copy.deepcopy(good)
more["rows"][0]["new_one"] = 1
verdict(jsonschema.Draft202012Validator(schema).is_valid(more) and not check.is_valid(more),
        "a new field is valid, and this test sees it")
END
