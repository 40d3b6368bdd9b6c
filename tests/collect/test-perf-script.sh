#!/bin/bash
# Profiles of other tools: the text of perf script. Figures are counted by hand in the texts below; of a program that
# perf itself records, they are those of perf report. What was not counted is nowhere shown as 0 or as never executed.
set -u
. tests/db/lib.sh
need sqlite3
need python3
cd "$TMP_DIR" || exit 1

# check NAME EXPECTED COMMAND...
check_output()
{
	local name=$1 expected=$2
	shift 2
	printf '%s\n' "$expected" > expected
	{ "$@" 2>&1; } | tr -d '\r' > got
	check "$name" diff expected got
}

# Two threads of a command that looks like a header, and whose module has a blank and brackets in its name; addresses
# that are no file's. By hand: 4 samples of 1 ms, 1 of 3 ms: main has all of them, twice() calls itself.
cat > odd.script <<'EOF'
# ========
# hostname : tower
# perf version : 6.1.0
# cmdline : /usr/bin/perf record ./a b
# ========
#
a b: [1] 2.5: x 10/11  2404.344798:    1000000 cpu-clock:u:
	            1167 leaf+0x17 (/nowhere/a b (deleted))
	            1049 main+0x9 (/nowhere/a b (deleted))

a b: [1] 2.5: x 10/11  2404.345798:    1000000 cpu-clock:u:
	            1107 twice+0x17 (/nowhere/a b (deleted))
	            1117 twice+0x27 (/nowhere/a b (deleted))
	            1049 main+0x9 (/nowhere/a b (deleted))

a b: [1] 2.5: x 10/12 [001]  2404.346798:    3000000 cpu-clock:u:
	            1107 twice+0x17 (/nowhere/a b (deleted))
	            1049 main+0x9 (/nowhere/a b (deleted))
	ffffffffffffffff [unknown] ([unknown])

a b: [1] 2.5: x 10/12  2404.347798:    1000000 cpu-clock:u:
	            1167 tiny+0x7 (inlined)
	            1167 leaf+0x17 (/nowhere/a b (deleted))
	            1049 main+0x9 (/nowhere/a b (deleted))

a b: [1] 2.5: x 10/12  2404.348798:    1000000 cpu-clock:u:
	            4242 [unknown] (/lib/libodd.so.1)
	            1049 main+0x9 (/nowhere/a b (deleted))
EOF
"$cgview" import -o odd.db odd.script > out 2>&1
check "it is read" grep -q 'ms cpu, 5 samples by cpu-clock:u' out
check_output "self and total by procedure, and no calls" \
'procedure,calls,self_ns,self_samples,total_ns,total_samples
(libodd),,1000000,1,1000000,1
leaf,,1000000,1,2000000,2
main,,0,0,7000000,5
tiny,,1000000,1,1000000,1
twice,,4000000,2,4000000,2' \
"$cgview" report --format csv --sort procedure --columns procedure,calls,self_ns,self_samples,total_ns,total_samples odd.db
check_output "who called what, so often as nobody knows" \
'caller,callee,count,how,total_ns,total_samples
leaf,tiny,,sampled,1000000,1
main,(libodd),,sampled,1000000,1
main,leaf,,sampled,2000000,2
main,twice,,sampled,4000000,2
outside,main,,sampled,7000000,5
twice,twice,,sampled,1000000,1' \
"$cgview" report --by arc --format csv --sort caller --columns caller,callee,count,how,total_ns,total_samples odd.db
# Without callers a sample is one line, and names are at the right; one that is hexadecimal begins as a frame does.
cat > plain.script <<'EOF'
          cat       10  2404.345798:    1000000 cpu-clock:u:            1167 leaf+0x17 (/nowhere/p)
       c0ffee       11  2404.346798:    1000000 cpu-clock:u:            1168 leaf+0x18 (/nowhere/p)
       c0ffee       11  2404.347798:    1000000 cpu-clock:u:            1049 main+0x9 (/nowhere/p)
a long name of       12  2404.348798:    1000000 cpu-clock:u:            1169 leaf+0x19 (/nowhere/p)
EOF
"$cgview" import -o plain.db plain.script > out 2>&1
check_output "one line a sample" \
'procedure,self_ns,self_samples,total_samples
leaf,3000000,3,3
main,1000000,1,1' \
"$cgview" report --format csv --sort procedure --columns procedure,self_ns,self_samples,total_samples plain.db
# ... also with few fields (-F), of which a command and a thread could be an address. By hand: leaf() has two.
while IFS= read -r fields; do
	for frame in '    7efec43336bd leaf' 'ffffffff8157e786 leaf' '    7efec43336bd main' '            1049 other'; do
		printf '%s %s\n' "$fields" "$frame"
	done > few.script
	"$cgview" import -o few.db few.script > out 2>&1
	check_output "few fields with a frame: '$fields'" \
'procedure,self_event_samples,total_event_samples
leaf,2,2
main,1,1
other,1,1' \
	"$cgview" report --format csv --sort procedure --columns procedure,self_event_samples,total_event_samples \
		few.db
done <<'EOF'

             cat
             cat 17811
             cat 17811 20125.279789:
             bcd 17811 [001]
EOF
# What perf calls inlined, and where no frame of the same address follows, is the procedure itself: what GCC has split
# (work.part.0) is called so. By hand: step() is inlined into work(), which main() calls.
cat > part.script <<'EOF'
p    10  2404.345798:    1000000 cpu-clock:u:
	            1167 step+0x17 (inlined)
	            1167 work+0x17 (inlined)
	            1049 main+0x9 (/nowhere/p)

p    10  2404.346798:    1000000 cpu-clock:u:
	            1169 work+0x19 (inlined)
	            1049 main+0x9 (/nowhere/p)
EOF
"$cgview" import -o part.db part.script > out 2>&1
check_output "a procedure that is called inlined" \
'procedure,self_ns,total_ns
main,0,2000000
step,1000000,1000000
work,1000000,2000000' \
"$cgview" report --format csv --sort procedure --columns procedure,self_ns,total_ns part.db
check_output "... and who calls it" \
'caller,callee,how,total_ns
main,work,sampled,2000000
outside,main,sampled,2000000
work,step,sampled,1000000' \
"$cgview" report --by arc --format csv --sort caller --columns caller,callee,how,total_ns part.db
check_output "threads" \
'tid,name,cpu_ns,samples
11,a b: [1] 2.5: x,2000000,2
12,a b: [1] 2.5: x,5000000,3' \
"$cgview" report --sql 'SELECT tid, name, cpu_ns, samples FROM thread ORDER BY tid' --format csv odd.db
check_output "what is known of the run" \
'tool,host,command,measured
perf 6.1.0,tower,/usr/bin/perf record ./a b,sampled' \
"$cgview" report --sql "SELECT tool, host, command, 'sampled' AS measured FROM run" --format csv odd.db
echo 'odd.c:3:5: runtime error: signed integer overflow' > ubsan.log
"$cgview" import -o errors.db odd.script ubsan.log > out 2>&1
check "errors that a tool found have their count all the same" grep -q '^error .* count  ' <("$cgview" report --by error errors.db)
check "there is no time of a call, by own time either" [ "$("$cgview" report --self own odd.db | grep -c /call)" = 0 ]
"$cgview" report odd.db > text
check "no column of counts in the text" grep -qvE 'calls' text
"$cgview" report --by never odd.db > never
check "nothing is told to be never executed" grep -qE '(^| )0 ' never
check "the cut stack is told" grep -q '1 of 5 stacks end where' out

# Packed texts are the same, so long as they are whole.
python3 - <<'EOF'
import gzip
text = open("odd.script", "rb").read()
open("odd.gz", "wb").write(gzip.compress(text))
open("cut.gz", "wb").write(gzip.compress(text)[:-20])
# A frame of zstd that holds its content as it is: a block of 21 bits of size, the last one.
head = b"\x28\xb5\x2f\xfd\xa0" + len(text).to_bytes(4, "little") + (len(text) << 3 | 1).to_bytes(3, "little")
open("odd.zst", "wb").write(head + text)
open("cut.zst", "wb").write((head + text)[:-20])
EOF
procedures() { "$cgview" report --format csv "$1"; }
procedures odd.db > plain.csv
for packed in gz zst; do
	"$cgview" import -o "$packed.db" "odd.$packed" > /dev/null 2>&1
	procedures "$packed.db" > "$packed.csv"
	check "packed by $packed: the same" cmp plain.csv "$packed.csv"
	"$cgview" import -o cut.db "cut.$packed" > packed.out 2>&1
	check "cut: refused in one line, nothing is left" test $? -eq 1 -a "$(wc -l < packed.out)" -eq 1 -a ! -e cut.db
done

# A file of another tool is opened as it is: a profile of it is kept in the cache, so long as the file is the same.
export XDG_CACHE_HOME=$TMP_DIR/cache
private() { find cache -type f; }
"$cgview" report --format csv odd.script > first.csv 2> first.err
check "opened without a profile" cmp plain.csv first.csv
check_output "... which is told in one line" \
'cgview: report: odd.script is the text of perf script, read for this (cgview import -o FILE keeps it)' cat first.err
first=$(private)
"$cgview" report --format csv odd.script > again.csv 2> again.err
check "again: the same" cmp plain.csv again.csv
check "... without a word" test ! -s again.err
check "... and without another one" test "$(private)" = "$first"
CGVIEW_SCRIPT=/dev/null "$cgview" odd.script > /dev/null 2>&1
"$cgview" diff --format csv odd.script odd.db > both.csv 2>&1
check "compared with a profile of it: nothing differs" grep -q '^main,' both.csv
sed -i 's/    3000000 cpu-clock/    5000000 cpu-clock/' odd.script
"$cgview" report --format csv --columns procedure,self_ns odd.script > changed.csv 2> changed.err
check "changed: read again" grep -q '^twice,6000000' changed.csv
check "... which is told" test "$(wc -l < changed.err)" -eq 1
"$cgview" report cut.gz > out.cut 2>&1
check "damaged: refused in one line" test $? -eq 1 -a "$(wc -l < out.cut)" -eq 1
check "... and nothing is left of it" test "$(private | wc -l)" -eq 2
# 70 others: the oldest go.
for i in $(seq 70); do
	cp odd.script "s$i"
	"$cgview" report "s$i" > /dev/null 2>&1
done
check "64 are kept, the latest" test "$(private | wc -l)" -eq 64 -a -n "$(private | grep /s70)"
HOME= XDG_CACHE_HOME= "$cgview" report odd.script > out.home 2>&1
check "no place for it: one line" grep -q 'HOME is not set' out.home
XDG_CACHE_HOME=/dev/null "$cgview" report odd.script > out.home 2>&1
check "... or none that can be made" test $? -eq 1 -a "$(wc -l < out.home)" -eq 1

# A sample without a frame is somewhere; the innermost frame told twice is one; callers alike are recursion.
cat > rec.script <<'EOF'
w 7 10.000001: 1000 task-clock:

w 7 10.000002: 1000 task-clock:
	            30 leaf+0x5 (/nowhere/w)
	            30 leaf+0x5 (/nowhere/w)
	            20 fac+0x2 (/nowhere/w)
	            20 fac+0x2 (/nowhere/w)
	            10 main+0x2 (/nowhere/w)

EOF
"$cgview" import -o rec.db rec.script > out 2>&1
check_output "without frames, repeated, recursive" \
'procedure,self_ns,total_ns
(unknown),1000,1000
fac,0,1000
leaf,1000,1000
main,0,1000' \
"$cgview" report --format csv --sort procedure --columns procedure,self_ns,total_ns rec.db
check_output "... who called what" \
'caller,callee,total_ns
fac,fac,1000
fac,leaf,1000
main,fac,1000
outside,(unknown),1000
outside,main,1000' \
"$cgview" report --by arc --format csv --sort caller --columns caller,callee,total_ns rec.db

# Other events are measures, by their names; without a period each sample counts once.
cat > events.script <<'EOF'
w 7 10.000001:    500 L1-dcache-load-misses:u:
	            10 f+0x1 (/nowhere/w)

w 7 10.000002:    700 L1-dcache-load-misses:u:
	            10 g+0x1 (/nowhere/w)
	            20 f+0x2 (/nowhere/w)

w 7 10.000003: sched:sched_switch: prev_comm=w prev_pid=7 ==> next_comm=x
	            10 g+0x1 (/nowhere/w)
EOF
"$cgview" import -o events.db events.script > out 2>&1
check_output "events: self and total" \
'procedure,self_l1_dcache_load_misses_u,total_l1_dcache_load_misses_u,self_sched_sched_switch,total_sched_sched_switch
f,500,1200,0,0
g,700,700,1,1' \
"$cgview" report --format csv --sort procedure --columns procedure,self_l1_dcache_load_misses_u,total_l1_dcache_load_misses_u,self_sched_sched_switch,total_sched_sched_switch events.db
"$cgview" report events.db > text
check "the tool's name heads its column" grep -q 'L1-dcache-load-misses' text

# Records of other kinds before the first sample, as with --show-mmap-events: more of them than are looked at.
{
	for i in $(seq 300); do
		printf 'w 7 10.%06d: PERF_RECORD_MMAP2 7/7: [0x7f0000000000(0x1000) @ 0 fd:00 1 2]: r-xp /nowhere/lib%d.so\n' "$i" "$i"
	done
	cat events.script
} > records.script
"$cgview" import -o records.db records.script > out 2>&1
check "records of mappings may stand before samples" test -s records.db

# Bad input: one clear line, nothing is made.
refused() # NAME PATTERN FILE
{
	"$cgview" import -o none.db "$3" > out 2>&1
	check "refused: $1" test $? -ne 0
	check "... in one line" test "$(wc -l < out)" -eq 1
	check "... that says why" grep -qE "$2" out
	check "... nothing is left" test ! -e none.db
}
head -7 odd.script > only-head.script
printf '# captured by hand\n' > comment.script
: > empty.script
{ head -12 odd.script; for i in $(seq 40); do echo "some other text $i"; done; } > mostly.script
refused "empty" 'empty' empty.script
refused "only a comment" 'comment.script' comment.script
refused "mostly something else" 'most of its lines' mostly.script
"$cgview" import -o two.db odd.script events.script > out 2>&1
check "two at a time are refused" grep -q 'import it alone' out
{ cat odd.script; printf 'garbage\n\n'; } > bad-line.script
"$cgview" import -o bad-line.db bad-line.script > out 2>&1
check "a bad line is counted and told" test -e bad-line.db
check_output "... by its number" "text
\"1 lines were not understood, the first is $(($(wc -l < odd.script) + 1))\"" \
	"$cgview" report --sql "SELECT text FROM note WHERE text LIKE '%understood%'" --format csv bad-line.db
# Control bytes of names do not reach the terminal.
printf 'e\033[31mvil 7 1.000001: 1000 cpu-clock: \n\t 10 f\033[2J+0x1 (/n/w)\n\n' > evil.script
"$cgview" import -o evil.db evil.script > out 2>&1
"$cgview" report evil.db >> out
"$cgview" report --by thread evil.db >> out
check "no escape is printed" test "$(grep -c "$(printf '\033')" out)" -eq 0

# Of few fields, by -F: leaf() has 3 of 4 samples, below main(); with periods 3 x 250 and 50.
few()
{
	local head
	for head in "$@"; do
		printf '%s\n\t            1167 leaf%s\n\t            1049 main%s\n\n' "$head" "$module" "$module"
	done
	printf '%s\n\t            1049 main%s\n\n' "${1/250/50}" "$module"
}
# few_is NAME EVENT LEAF MAIN HEAD...: what leaf() and main() have themselves of EVENT.
few_is()
{
	local name=$1 event=$2 leaf=$3 main=$4
	shift 4
	few "$@" > few.script
	"$cgview" import -o few.db few.script > out 2>&1
	"$cgview" report --format csv --columns "procedure,self_$event,total_$event" --sort procedure few.db 2>&1 | tr -d '\r' > got
	printf '%s\n' "procedure,self_$event,total_$event" "leaf$of,$leaf,$leaf" "main$of,$main,$((leaf + main))" > expected
	check "few fields: $name" diff expected got
}
module= of=
few_is "a command" event_samples 3 1 'a b' 'a b' 'a b'
few_is "... and a thread" event_samples 3 1 'a b 10/11' 'a b 10/11' 'a b 10/12'
few_is "... its processor" event_samples 3 1 'a b 10/11 [003]' 'a b 10/12 [000]' 'a b 10 [001]'
few_is "... with a period, which no time can be told of" period 750 50 'a b    11        250 ' 'a b 12  250 ' 'a b 12  250 '
few_is "... and its event" cycles_u 750 50 'a b 11 250 cycles:u: ' 'a b 12 250 cycles:u:' 'a b 12 250 cycles:u:'
few_is "a time without event" event_samples 3 1 'a b 10 2404.344798: ' 'a b 10 2404.344799: ' 'a b 11 2404.344800: '
few_is "nothing but stacks" event_samples 3 1 '' '' ''
module=' (/nowhere/m)'
few_is "all but a module has a name" event_samples 3 1 'a b' 'a b' 'a b'
few 'a b 11' 'a b 11' 'a b 12' > few.script
"$cgview" report --by thread --format csv --columns tid,name few.script 2> /dev/null | tr -d '\r' > got
check "few fields: the threads" grep -q '"11, 12"\|11,a b' got
printf 'all: dep\n\tadd 1\n\tcc x\n' > Makefile.script
refused "a makefile is none" 'Makefile.script' Makefile.script

# A program of its own: figures by the tool's own printer.
cat > p.c <<'EOF'
static volatile double x;
static inline void spin(int n)
{
	for (int i = 0; i < n; i++)
		x = x * 1.0000001 + 1;
}
__attribute__((noinline)) void hot(int n)
{
	spin(n);
	x++;
}
__attribute__((noinline)) void cold(int n)
{
	hot(n / 8);
	x++;
}
int main(void)
{
	for (int i = 0; i < 40; i++) {
		hot(1000000);
		cold(1000000);
		x++;
	}
	return 0;
}
EOF
if command -v perf > /dev/null && gcc -O2 -g -o p p.c 2> out &&
	perf record -q -F 999 -e cpu-clock:u --call-graph dwarf,4096 -o p.data -- ./p > out 2>&1 &&
	perf script --header -i p.data > p.script 2> out && [ "$(grep -c 'cpu-clock' p.script)" -gt 20 ]; then
	"$cgview" import -o p.db p.script > out 2>&1
	perf report -i p.data --stdio --no-children -g none -F sample,sym 2> /dev/null |
		awk '/ (main|hot|cold)$/ { n += $1 } END { print n }' > self
	"$cgview" report --format csv --columns self_samples,file p.db | tr -d '\r' |
		awk -F, '/p.c$/ { n += $1 } END { print n + 0 }' > ours
	check "as many samples in the program as perf report has" cmp -s self ours
	perf report -i p.data --stdio --children -g none -F overhead,sample,sym 2> /dev/null |
		awk '/ hot$/ { print $1 + 0 }' > total
	"$cgview" report --sql "SELECT round(100.0 * total_ns / (SELECT self_ns FROM totals), 2) AS t FROM procedure WHERE name = 'hot'" \
		--format csv p.db | tr -d "\r" | tail -1 > ours
	check "the total of hot() is perf's" awk 'NR == FNR { a = $1; next } { exit !(a - $1 < 0.02 && $1 - a < 0.02) }' total ours
	"$cgview" report --sql "SELECT count(*) AS n FROM arc a JOIN procedure c ON c.id = a.caller JOIN procedure e ON e.id = a.callee
		JOIN call_site s ON s.id = a.site WHERE c.name = 'cold' AND e.name = 'hot' AND s.line = 14" --format csv p.db | tr -d "\r" | tail -1 > ours
	check "cold() calls hot() on its line" grep -qx 1 ours
	"$cgview" annotate --procedure spin p.db > ours
	check "lines have their time, and no count" grep -qE '^ +[0-9.]+ m?s +\|' ours
	check "none is marked as never executed" test "$(grep -c '^x ' ours)" -eq 0
	"$build/cgcc" -O2 -g -o counted p.c && "$cgview" record -o counted.db ./counted > out 2>&1
	"$cgview" diff --by procedure --format csv -e b.calls p.db counted.db 2>&1 | tr -d '\r' > ours
	check "compared with counts: hot() was called 80 times" grep -qE '^hot,.*,80' ours
	"$cgview" diff --by procedure --format csv -e 'b.calls - a.calls' p.db counted.db > ours 2>&1
	check "... which were not counted in the other, so that there is no difference" \
		grep -qE '^hot,.*,procedure,,80,,both,' ours
else
	echo "skip - perf records nothing here"
fi
