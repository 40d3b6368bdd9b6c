#!/bin/bash
# cgview diff --format github and gitlab: read as GitHub's runner and as GitLab read them, against the verdicts and the
# claims that --format json has; paths of the repository, names that hurt, what is left out, fingerprints.
. tests/e2e/lib.sh
need_collection
cd "$TMP_DIR" || exit 1
for i in 1 2 3 4 5 6; do cat "$top/README.md"; done > text
mkdir -p repo/.git repo/src elsewhere
for side in old new; do
	sed "s/BUCKETS = 1024/BUCKETS = $([ $side = new ] && echo 8 || echo 1024)/" "$top/examples/words.c" > repo/src/words.c
	must "compile $side" "$cgcc" -O1 -g -o $side "$PWD/repo/src/words.c"
	must "record $side" "$cgview" record -F 0 -o $side.db -- ./$side text
done
cat > annotations.py <<'END'
import json, re, subprocess, sys
cgview, *words = sys.argv[1:]
def run(*more, cwd="repo"):
    p = subprocess.run([cgview, "diff", *more, *words, "../old.db", "../new.db"], cwd=cwd, capture_output=True, text=True)
    assert p.returncode in (0, 1), p
    return p
def unescape(text, prop):  # as the runner does it
    for code, c in [("%0D", "\r"), ("%0A", "\n")] + ([("%3A", ":"), ("%2C", ",")] if prop else []) + [("%25", "%")]:
        text = text.replace(code, c)
    return text
def github(text):
    for line in text.splitlines():
        m = re.fullmatch(r"::(error|warning|notice) ([^:]*)::(.*)", line)
        assert m, line
        fields = dict(f.split("=", 1) for f in m.group(2).split(","))
        yield m.group(1), {k: unescape(v, True) for k, v in fields.items()}, unescape(m.group(3), False)
data = json.loads(run("--format", "json").stdout)
fails = any(w == "--fail-if" for w in words)
if data["document"] == "ledger":
    seen, wanted = set(), []
    for r in data["rows"]:
        if (r["of"], r["row"]) not in seen and r["claimed"] and r["row_amount"] > 0:
            wanted.append(r["procedure"])
        seen.add((r["of"], r["row"]))
else:
    worse = ("slower", "more work", "more")
    wanted = [r["procedure"] for r in data["rows"] if fails or r["verdict"] in worse]
assert wanted, "nothing is worse"
got = list(github(run("--format", "github", "--limit", "1000").stdout))
assert [m.split(":")[0].split(" calls ")[0].split(" uses ")[0] for _, _, m in got] == wanted or \
    data["document"] == "ledger" and all(w in m for w, (_, _, m) in zip(wanted, got)) and len(got) == len(wanted), (got, wanted)
assert {k for k, _, _ in got} == {"error" if fails else "warning"}, got
source = open("repo/src/words.c").read().splitlines()
for _, f, m in got:
    assert f["file"] == "src/words.c" and 1 <= int(f["line"]) <= len(source) and f["title"], f
# GitLab: the same ones.
report = json.loads(run("--format", "gitlab", "--limit", "1000").stdout)
assert [(r["location"]["path"], r["location"]["lines"]["begin"]) for r in report] == \
    [(f["file"], int(f["line"])) for _, f, _ in got], report
for r, (_, f, m) in zip(report, got):
    assert set(r) == {"description", "check_name", "fingerprint", "severity", "location"}, r
    assert r["description"] == f["title"] + ": " + m and r["check_name"].startswith("cgview/"), (r, m)
    assert r["severity"] in ("info", "minor", "major", "critical", "blocker") and re.fullmatch("[0-9a-f]{16}", r["fingerprint"])
assert len({r["fingerprint"] for r in report}) == len(report)
# The default is bounded, and says what is left out.
few = list(github(run("--format", "github", "--limit", "1").stdout))
assert len(few) == (1 if len(got) == 1 else 2) and few[0] == got[0], few
if len(got) > 1:
    assert few[1][0] == "notice" and few[1][2].startswith("%d more are left out" % (len(got) - 1)), few
    p = run("--format", "gitlab", "--limit", "1")
    assert len(json.loads(p.stdout)) == 1 and "%d more are left out" % (len(got) - 1) in p.stderr, p
assert len([x for x in github(run("--format", "github").stdout) if x[0] != "notice"]) == min(10, len(got))
# Elsewhere the paths are not those of the repository: no file of GitHub's, nothing of GitLab's; --root says where it is.
away = list(github(run("--format", "github", "--limit", "1000", cwd="elsewhere").stdout))
assert len(away) == len(got) and all("file" not in f and "/repo/src/words.c:" in m for _, f, m in away), away
p = run("--format", "gitlab", cwd="elsewhere")
assert json.loads(p.stdout) == [] and "no place" in p.stderr, p
root = subprocess.run(["pwd", "-P"], capture_output=True, text=True).stdout.strip() + "/repo"
assert list(github(run("--format", "github", "--limit", "1000", "--root", root, cwd="elsewhere").stdout)) == got
END
annotations() { check "$1" python3 annotations.py "$cgview" "${@:2}"; }
annotations "by procedure" -e 'b.work - a.work'
annotations "by arc" --by arc -e 'b.count - a.count'
annotations "by expression" --by range -e 'b.count - a.count'
annotations "a condition" --by arc --fail-if 'b.count > 1.1 * a.count'
annotations "the ledger" --by cause
check "nothing that is less" [ -z "$(cd repo && "$cgview" diff -e 'b.work - a.work' --format github ../new.db ../old.db |
	grep count_word)" ]
check "nothing at all" [ "$(cd repo && "$cgview" diff --format gitlab ../old.db ../old.db | tr -d ' \n')" = '[]' ]

# The fingerprint is that of the change, wherever its line has moved to.
print_of() { "$cgview" diff -e 'b.work - a.work' --format gitlab --root "$PWD/repo" old.db "$1" |
	python3 -c 'import json, sys; print(sorted(r["fingerprint"] for r in json.load(sys.stdin)
		if "count_word" in r["description"]))'; }
before=$(print_of new.db)
sed -i '1i/* One */\n/* and two lines more. */' repo/src/words.c
must "compile with other lines" "$cgcc" -O1 -g -o moved "$PWD/repo/src/words.c"
must "record them" "$cgview" record -F 0 -o moved.db -- ./moved text
check "there is a fingerprint" [ "$before" != '[]' ]
check "... which stays" [ "$before" = "$(print_of moved.db)" ]

# Names and paths that would end a property, a command or a line.
sqlite3 new.db "UPDATE procedure SET name = '100%::error file=x,' || char(10) || '::' WHERE name = 'count_word';
	UPDATE file SET path = '$PWD/repo/a,b:c%d' || char(13) || 'e.c' WHERE path LIKE '%words.c'" 2> /dev/null
"$cgview" diff -e 'b.work - a.work' --root "$PWD/repo" --format github old.db new.db > out 2> err
check "nothing can be smuggled in" python3 - <<'END'
import re
lines = open("out", newline="").read().split("\n")[:-1]
assert lines and all(re.match(r"::(warning|notice) (file=[^,:\r]*,line=\d+,(col=\d+,)?)?title=[a-zA-Z ]+::", l) for l in lines), lines
assert not any("\r" in l for l in lines)
END
"$cgview" diff -e 'b.work - a.work' --root "$PWD/repo" --format gitlab old.db new.db > out 2> err
check "... nor into JSON" python3 -c 'import json; json.load(open("out"))'
"$cgview" diff --root . old.db new.db > out 2> err
check "--root goes with them only" [ "$? $(wc -c < out) $(wc -l < err)" = "2 0 1" ]
