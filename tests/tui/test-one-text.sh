#!/bin/bash
# A value has one text: in the browser, in a report, in a comparison and in what record says at its end.
. tests/tui/lib.sh
"$BUILD/tests/tui/unit-versions" . || exit 1
python3 "$top/tests/tui/tree-contexts.py" sample.db || exit 1
SIZE=200x150

# same NAME REPORT-COMMAND... < STEPS: what it prints and the screen after the steps on $DB.
same()
{
	local name=$1 status=0
	shift
	{ echo "size:$SIZE"; cat; echo ':save-screen screen'; } | play $DB > screen.out || status=1
	"$cgview" "$@" > report || status=1
	python3 "$top/tests/tui/one-text.py" report screen || status=1
	verdict $status "$name"
}

columns='self%,self,+-,total%,total,calls,self/call,procedure'
for locale in C.UTF-8 C; do
	export LC_ALL=$locale
	DB=sample.db same "procedures, $locale" report --columns "$columns" sample.db < /dev/null
	for e in b.self_ns-a.self_ns b.count-a.count b.count/3.0 'ratio(b.count, a.count)' \
		'growth(a.count, b.count)' 'share(b.count, b.run.count) - share(a.count, a.run.count)' \
		'significance(a.self_ns, b.self_ns)'; do
		printf 'text::compare %s\nEnter\n' "$e" > steps.compare
		DB='old.db new.db' same "$e, $locale" diff -e "$e" old.db new.db < steps.compare
	done
	DB='old.db new.db --normalise total' same "normalised, $locale" \
		diff --normalise total -e b.count-a.count old.db new.db \
		<<< $'text::compare b.count-a.count\nEnter'
done
export LC_ALL=C.UTF-8

# The headings of a report are those of the browser's table, which tells what each is.
next=
for by in procedure block site line file directory; do
	"$cgview" report --by $by sample.db | sed -n 3p | sed 's/^ *//; s/  \+/\n/g' > headings
	{ printf 'size:%s\n' "$SIZE"; printf '%s' "$next"; printf 'f\ntext::w columns.%s\nEnter\n' $by; } | play
	next+=$'v\n'
	awk '/^\[/ { sub(/^\[.\] /, ""); sub(/   *[A-Z].*| [A-Z].*/, ""); print }' columns.$by > known
	[ "$(wc -l < headings)" -gt 4 ] && ! grep -vxFf known headings
	verdict $? "headings by $by"
	# A word that one of them once had for what the other calls otherwise.
	! grep -xE 'below|between|by root|from without|how sure|signif|sigma|executed%' headings known
	verdict $? "words by $by"
done

# The tree: share, total, self, number, name.
"$cgview" report --by tree --unfolded --min 0 sample.db > report
{ printf 'size:%s\nt\nf\ng\n*\n:save-screen screen\n' "$SIZE"; } | play > screen.out
tail -n +5 report | awk '{ print $1, $2, $3, $4, $5 }' | sort > in-report
sed -n '/procedure, callees/,$p' screen | tail -n +2 | sed 's/^▌/ /; s/[█▉▊▋▌▍▎▏]\+/ /' |
	awk '$1 ~ /^[(0-9]/ { print $1, $2, $3, $4, $5 }' | sort > in-browser
[ "$(wc -l < in-report)" -gt 8 ] && diff in-report in-browser
verdict $? 'the tree'

# What was recorded: the time of a program that takes some, as record, report and browser tell it.
if [ ! -x "$BUILD/cgcc" ] || ! ls "$BUILD"/lib/cgview/cgview*.so > seen 2>&1; then
	echo 'skip - the time of a run: the plugin was not built'
	exit 0
fi
printf 'int main(void)\n{\n\tvolatile long n = 0;\n\twhile (n < 2000000)\n\t\tn = n + 1;\n\treturn 0;\n}\n' > run.c
"$BUILD/cgcc" -g -o run run.c && "$cgview" record -o run.db -- ./run 2> told && "$cgview" report run.db > report
{ printf 'size:%s\n:save-screen screen\n' "$SIZE"; } | play run.db
time=$(sed -n 's/^run: \(.*\) cpu, .*/\1/p' told)
[ -n "$time" ] && head -1 report | grep -q "   $time cpu   " && head -1 screen | grep -q "   $time cpu   "
status=$?
[ $status -eq 0 ] || { sed 's/^/# /' told; head -1 report screen; }
verdict $status 'the time of a run'
