#!/bin/bash
# cgview report --format lines: each line against the places of --format csv, against the form that GNU's standard has
# for errors, against vim, and with names and paths that are made to hurt; the snippets of docs/editors.md.
. tests/e2e/lib.sh
need_collection
cd "$TMP_DIR" || exit 1

# The whole of each kind: as many lines as csv has places, in its order, each of a form that GNU tools read.
cat > lines.py <<'END'
import csv, io, re, subprocess, sys
cgview, db, *arguments = sys.argv[1:]
def run(form):
    return subprocess.run([cgview, "report", *arguments, "--format", form, db], check=True, capture_output=True)
told = run("lines")
rows = list(csv.DictReader(io.StringIO(run("csv").stdout.decode(), newline="")))
names = ("call_file", "file") if "tree" in arguments else ("file", "by_file")
places, without = [], 0
for row in rows:
    name = next((n for n in names if row.get(n)), None)
    if not name:
        without += 1
        continue
    prefix = name[:-len("file")]
    # A tree tells the lines of its places only.
    column = None if "tree" in arguments else row.get(prefix + "column") or "1"
    places.append((row[name], row.get(prefix + "line") or "1", column))
lines = told.stdout.decode().splitlines()
assert lines or not places, "no lines"
assert len(lines) == len(places), (len(lines), len(places))
for line, (path, at, column) in zip(lines, places):
    m = re.fullmatch(r"([^:\n]+):([1-9][0-9]*):([1-9][0-9]*): (\S.*)", line)
    assert m, line
    assert m.group(1, 2) == (path, at) and column in (None, m.group(3)), (line, path, at, column)
said = re.findall(r"no place: (\d+)\n", told.stderr.decode())
assert said == ([str(without)] if without else []), (said, without)
print(len(lines), "lines")
END
lines() { check "$1" python3 lines.py "$cgview" "${@:2}"; } # lines NAME DB ARGUMENTS...

for i in $(seq 20); do cat "$top/README.md"; done > text
must "compile" "$cgcc" -O2 -o words "$top/examples/words.c"
must "record" "$cgview" record -o time.db -- ./words text
must "record with --space" "$cgview" record -F 0 --space -o space.db -- ./words text
for by in procedure block site line file arc never; do
	lines "--by $by" time.db --by $by
done
# In text and lines a tree has nothing that is small, in csv all.
lines "--by tree" time.db --by tree --min 0 --from arcs
for by in pair disposer lifetime producer band span; do
	lines "--by $by" space.db --by $by
done
lines "--sort and --reverse" time.db --by site --sort file --reverse
lines "--filter" time.db --by line --filter 'words|while'
check "--limit counts lines" [ "$("$cgview" report --format lines --limit 4 time.db 2> /dev/null | wc -l)" = 4 ]
check "--columns" grep -qE "^$top/examples/words\.c:72:1: while .*: count [0-9,]+$" \
	<("$cgview" report --by line --columns count,source --format lines time.db)
must "compare" "$cgview" diff -e 'b.calls - a.calls' -o compared.db time.db space.db
lines "--by comparison" compared.db --by comparison
"$cgview" report --by producer --format lines time.db > out 2> err
check "what was not recorded is told" [ "$? $(wc -l < err) $(wc -c < out)" = "1 1 0" ]
# Counts and places of one line, by hand: the source is as it is in the repository.
line=$(grep -n 'while ((c = getc(in)) != EOF)' "$top/examples/words.c" | cut -d: -f1)
count=$(python3 -c 'import sys; print(f"{int(sys.argv[1]) + 1:,}")' "$(wc -c < text)") # at its end getc() is called, too
check "a line's count is that of the bytes read" grep -q "^$top/examples/words\.c:$line:1: while .*[,:] count $count\$" \
	<("$cgview" report --by line --format lines time.db)
for by in thread run note moment type size cycle directory; do
	"$cgview" report --by $by --format lines space.db > out 2> err
	check "--by $by has no places" [ "$? $(cat err) $(wc -c < out)" = \
		"2 cgview: report: --format lines: rows of $by have no place 0" ]
done
"$cgview" report --sql 'SELECT 1' --format lines time.db > out 2> err
check "nor has --sql" [ "$? $(wc -c < out)" = "2 0" ]

# What names and paths have in them never reaches the terminal, nor makes two lines of one.
"$build/tests/make-profile" odd.db --odd --procedures 60 --ranges 900 --lines 900 --files 3
sqlite3 odd.db "UPDATE file SET path = '/tmp/a' || char(27) || '[31m' || char(10) || 'b.c' WHERE id = 1"
for by in procedure line arc tree; do
	"$cgview" report --by $by --format lines odd.db > odd.out 2> odd.err
	check "hostile texts by $by" sh -c '[ -s odd.out ] && ! LC_ALL=C grep -qP "[^\n\x20-\x7e\x80-\xff]" odd.out &&
		! grep -vqE "^[^:]+:[0-9]+:[0-9]+: ." odd.out && grep -qF "^[[31m^Jb.c" odd.out'
done

# The list that vim makes of them, by the snippet of the manual.
if command -v vim > /dev/null; then
	sed -n '/^```vim$/,/^```$/p' "$top/docs/editors.md" | sed '1d;$d' > cgview.vim
	"$cgview" report --by site --format lines time.db > site.lines 2> /dev/null
	PATH=$build:$PATH vim -es -u NONE -i NONE -c 'source cgview.vim' -c 'Cgview --by site time.db' \
		-c 'call writefile(map(filter(getqflist(), "v:val.valid"), {i, e ->
			fnamemodify(bufname(e.bufnr), ":p") . ":" . e.lnum . ":" . e.col . ": " . e.text}), "vim.lines")' \
		-c 'qall!' < /dev/null > vim.out 2>&1
	check "vim's list has all of them" cmp site.lines vim.lines
else
	echo "skip - vim's list: vim is not installed"
fi
if command -v emacs > /dev/null; then
	"$cgview" report --by site --format lines time.db > site.lines 2> /dev/null
	emacs --batch --eval "(progn (require 'compile) (find-file \"site.lines\") (compilation-mode)
		(compilation--ensure-parse (point-max)) (princ compilation-num-errors-found))" > emacs.out 2> /dev/null
	check "Emacs finds as many errors" [ "$(cat emacs.out)" = "$(wc -l < site.lines)" ]
else
	echo "skip - Emacs's list: Emacs is not installed"
fi
