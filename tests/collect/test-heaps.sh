#!/bin/bash
# Profiles of memory: DHAT's, massif's and heaptrack's, of a program by hand and as the tools' own printers have them;
# files made by hand; damaged ones.
set -u
. tests/db/lib.sh
need sqlite3 python3 gcc
heaps=$PWD/tests/collect/heaps.py
cd "$TMP_DIR" || exit 1

rows() { sqlite3 -separator ' ' "$@"; }
# same NAME EXPECTED COMMAND...
same()
{
	local name=$1
	printf '%s\n' "$2" > expected
	shift 2
	"$@" > got 2>&1
	check "$name" diff expected got
}
# tools NAME...: are they all there?
tools()
{
	local tool
	for tool; do
		command -v "$tool" > /dev/null && continue
		echo "skip - $tool is not installed: what it is for is tested by hand only"
		return 1
	done
}

cat > p.c <<'EOF2'
#include <stdlib.h>
#include <string.h>
struct item { struct item *next; char *text; };
static char *copy(int n)
{
	char *p = malloc(n);
	memset(p, 1, n);
	return p;
}
static struct item *make(int n)
{
	struct item *i = malloc(sizeof(*i));
	i->text = copy(100 * n);
	return i;
}
int main(void)
{
	struct item *all = NULL;
	char *volatile big;
	for (int i = 1; i <= 40; i++) {
		struct item *x = make(i);
		x->next = all;
		all = x;
	}
	big = copy(100000);
	free(big);
	for (int i = 0; i < 10; i++) {
		big = malloc(64);
		free(big);
	}
	while (all->next) {
		struct item *n = all->next;
		free(all->text);
		free(all);
		all = n;
	}
	return 0;
}
EOF2
gcc -O0 -g -o p p.c || exit 1

# By hand: 40 items of 16 bytes with texts of 100, 200 ... 4000 bytes (82000), then 100000 more: that is the peak; 10 blocks
# of 64 bytes; the first item is never freed.
figures='copy 41 182000 182000 100
make 40 640 640 16
main 10 640 0 0'
select="SELECT name, self_allocs, self_bytes, self_peak, self_live FROM procedure WHERE name IN ('copy', 'make', 'main')
	ORDER BY name = 'main', name"
totals='copy 182000 182000
main 183280 182640
make 82640 82640'

if tools valgrind; then
	valgrind -q --tool=dhat --dhat-out-file=p.dhat ./p 2> out
	"$cgview" import -o dhat.db p.dhat > out 2>&1
	check "DHAT: told in one line" test "$(wc -l < out)" -eq 1
	same "... allocations, bytes, at the peak, in the end: by hand" "$figures" rows dhat.db "$select"
	same "... totals" "$totals" rows dhat.db "SELECT name, total_bytes, total_peak FROM procedure ORDER BY name"
	same "... all that its file says, added up" '48 figures, 0 differ' python3 "$heaps" dhat p.dhat dhat.db
	same "... the peak and the end, by who asked" \
'1 1 182640 copy 6 182000
1 1 182640 make 12 640
2 0 116 copy 6 100
2 0 116 make 12 16' rows dhat.db "SELECT m.id, peak, m.live_bytes, p.name, r.line, b.live_bytes FROM moment m JOIN band b
		ON b.moment = m.id JOIN producer r ON r.id = b.producer JOIN procedure p ON p.id = r.procedure"
	same "... nothing is told to be counted, or never executed" 0 sqlite3 dhat.db \
		"SELECT count(*) FROM procedure WHERE lacking <> 9223372036854775807"
	# Paths are those that the compiler was given, from two directories with files of one name.
	mkdir -p one two
	echo '#include <stdlib.h>
	void *one(int n) { return malloc(n); }' > one/same.c
	echo '#include <stdlib.h>

	static inline void *get(int n) { return malloc(n); }
	void *two(int n) { return get(n); }' > two/same.c
	echo 'void *one(int), *two(int);
	int main(void) { return one(100) == two(200); }' > pair.c
	for how in -pie -no-pie; do
		gcc $how $([ $how = -pie ] && echo -fPIE) -O2 -g -fno-optimize-sibling-calls -o pair \
			"$PWD/pair.c" "$PWD/one/same.c" "$PWD/two/same.c" 2> out || continue
		valgrind -q --tool=dhat --dhat-out-file=pair.dhat "$PWD/pair" 2> out
		valgrind -q --tool=massif --detailed-freq=1 --threshold=0.01 --massif-out-file=pair.massif "$PWD/pair" 2> out
		for tool in dhat massif; do
			rm -f pair.db; "$cgview" import -o pair.db pair.$tool > out 2>&1
			for k in "one one/same.c 2 100" "get two/same.c 3 200"; do
				set -- $k
				same "$tool, $how: the whole path of $1()" "$1 $PWD/$2 $3 $4" rows pair.db \
					"SELECT p.name, f.path, p.line, p.self_peak FROM procedure p JOIN file f ON f.id = p.file WHERE p.name = '$1'"
			done
		done
	done
	mv pair moved
	rm -f pair.db; "$cgview" import -o pair.db pair.dhat > out 2>&1
	same "the program has gone: names are valgrind's" 0 rows pair.db "SELECT count(*) FROM file WHERE path LIKE '/%'"
	rm -f pair.db; "$cgview" import --program moved -o pair.db pair.dhat > out 2>&1
	same "... --program names it" 3 rows pair.db "SELECT count(*) FROM file WHERE path LIKE '$PWD/%'"
	sed -i '1i\\' one/same.c two/same.c
	gcc -no-pie -O2 -g -fno-optimize-sibling-calls -o other "$PWD/pair.c" "$PWD/one/same.c" "$PWD/two/same.c" 2> out
	rm -f pair.db; "$cgview" import --program other -o pair.db pair.dhat > out 2>&1
	same "... of another build: lines are not taken for what they are not" 0 \
		rows pair.db "SELECT count(*) FROM file WHERE path LIKE '%same.c' AND path LIKE '/%'"
	valgrind -q --tool=dhat --mode=copy --dhat-out-file=copy.dhat ./p 2> out
	if grep -q '"mode":"copy"' copy.dhat 2> /dev/null; then
		"$cgview" import -o copy.db copy.dhat > out 2>&1
		check "DHAT, of copies: a profile or nothing, and told" grep -qE 'mode copy|nothing' out
	fi
fi

if tools valgrind ms_print; then
	valgrind -q --tool=massif --detailed-freq=3 --threshold=0.1 --massif-out-file=p.massif ./p 2> out
	"$cgview" import -o massif.db p.massif > out 2>&1
	check "massif: told in one line" test "$(wc -l < out)" -eq 1
	python3 "$heaps" massif p.massif massif.db > got
	check "... functions at the peak, and each moment: as ms_print has them" grep -q 'figures, 0 differ' got
	check "... which are many" test "$(sed 's/ .*//' got)" -gt 30
	same "... bands add up to what was live" 0 sqlite3 massif.db "SELECT count(*) FROM moment m WHERE live_bytes <>
		(SELECT coalesce(sum(live_bytes), 0) FROM band b WHERE b.moment = m.id)"
	valgrind -q --tool=massif --detailed-freq=3 --threshold=20 --massif-out-file=few.massif ./p 2> out
	"$cgview" import -o few.db few.massif > out 2>&1
	same "... also where much is below the threshold" 0 sqlite3 few.db "SELECT count(*) FROM moment m
		WHERE EXISTS (SELECT 1 FROM band b WHERE b.moment = m.id) AND live_bytes <>
		(SELECT sum(live_bytes) FROM band b WHERE b.moment = m.id)"
	same "... and the peak is whole" 1 sqlite3 few.db "SELECT (SELECT sum(self_peak) FROM procedure) =
		(SELECT max(live_bytes) FROM moment)"
	"$cgview" bands massif.db > out 2>&1
	check "... they are drawn" grep -q copy out
fi

if tools heaptrack heaptrack_print && heaptrack -o track ./p > out 2>&1; then
	"$cgview" import -o ht.db track.* > out 2>&1
	check "heaptrack: told in one line" test "$(wc -l < out)" -eq 1
	same "... allocations, bytes, at the peak, in the end: by hand" "$figures" rows ht.db "$select"
	python3 "$heaps" heaptrack track.* ht.db > got
	grep -v temporaries got > others
	check "... functions as heaptrack_print has them" test "$(wc -l < others)" -eq 1
	# It takes the first kind of block that goes, some time, for temporary.
	same "... temporary: 10, and the large one" \
'copy 1
main 10' rows ht.db "SELECT name, self_temporaries FROM procedure WHERE self_temporaries ORDER BY name"
fi

# ---- by hand ----

# Two functions, the inner one inlined; 3 moments; the peak is 30 + 20 bytes between two of them.
cat > hand.heaptrack <<'EOF2'
v 10400 3
X ./prog one
I 1000 10
s 5 /prog
s 4 main
s 3 get
s 6 a b.c:
i 100 1 2 4 a
t 1 0
i 200 1 3 4 b 2 4 c
t 2 1
a 10 1
a 1e 2
a 14 2
+ 0
- 0
+ 1
c 5
+ 2
R 77
- 1
c a
- 2
+ 0
c f
EOF2
"$cgview" import -o hand.db hand.heaptrack > out 2>&1
same "heaptrack, by hand" \
'get 2 50 50 0 0
main 2 32 0 16 1' rows hand.db "SELECT name, self_allocs, self_bytes, self_peak, self_live, self_temporaries
	FROM procedure ORDER BY name"
same "... moments: the peak is among them" \
'5 30 0
5 50 1
10 20 0
15 16 0
15 16 0' rows hand.db "SELECT at_ns / 1000000, live_bytes, peak FROM moment"
same "... inlined calls" 'inlined 12' rows hand.db "SELECT DISTINCT kind, line FROM call_site WHERE kind = 'inlined'"
same "... the command" './prog one' rows hand.db 'SELECT command FROM run'
sed 's/^v 10400 3/v 10500 9/' hand.heaptrack > later.heaptrack
fails "... of a later format: one line" 'format 9, and 1 to 3 are known' "$cgview" import -o none.db later.heaptrack

cat > hand.massif <<'EOF2'
desc: --x
cmd: ./prog two
time_unit: ms
#-----------
snapshot=0
#-----------
time=0
mem_heap_B=0
mem_heap_extra_B=0
mem_stacks_B=0
heap_tree=empty
#-----------
snapshot=1
#-----------
time=7
mem_heap_B=107
mem_heap_extra_B=8
mem_stacks_B=0
heap_tree=peak
n3: 107 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
 n2: 90 0x10A: inner(int, char) (a b.c:5)
  n0: 60 0x10B: outer (a b.c:9)
  n0: 30 in 2 places, all below massif's threshold (1.00%)
 n0: 10 0x10C: ??? (in /lib/x.so)
 n0: 7 in 3 places, all below massif's threshold (1.00%)
EOF2
"$cgview" import -o hand-massif.db hand.massif > out 2>&1
same "massif, by hand: what is below its threshold stays with who called" \
'90 90 inner(int, char)
0 60 outer' rows hand-massif.db "SELECT self_peak, total_peak, name FROM procedure WHERE line > 0 ORDER BY name"
same "... and what is nobody's is told" "7 7 (below massif's threshold)" rows hand-massif.db "SELECT self_peak, total_peak, name
	FROM procedure WHERE name LIKE '(below%'"
same "... all" 107 rows hand-massif.db "SELECT sum(self_peak) FROM procedure"
same "... moments in ms" '7000000 107 1' rows hand-massif.db "SELECT at_ns, live_bytes, peak FROM moment WHERE live_bytes"

cat > hand.dhat <<'EOF2'
{"pps":[{"tb":30,"tbk":3,"gb":20,"gbk":2,"eb":10,"ebk":1,"rb":5,"wb":6,"fs":[1,3,2]},
{"tb":7,"tbk":1,"fs":[1,2]}],"ftbl":["[root]","0x1: malloc (in /x.so)","0x2: main (m.c:9)","0x3: operator new(unsigned long) (n.cc:1)"],
"dhatFileVersion":2,"mode":"ad-hoc","verb":"Allocated","cmd":"./prog three","te":9,"tg":4,"tu":"instrs"}
EOF2
"$cgview" import -o hand-dhat.db hand.dhat > out 2>&1
same "DHAT, by hand: allocators' frames are left out" 'main 37 4' rows hand-dhat.db \
	"SELECT name, self_bytes, self_allocs FROM procedure"
same "... other modes have totals alone, which is told" 1 grep -c 'mode ad-hoc' out

# ---- damaged ----

cat > spoil.py <<'EOF2'
import re, sys
text = open(sys.argv[1], "rb").read()
n = 0
def put(data):
    global n
    open("spoilt.%d" % n, "wb").write(data)
    n += 1
for at in range(1, len(text), max(1, len(text) // 10)):
    put(text[:at])
numbers = [m.span() for m in re.finditer(rb"(?<![\w/])[0-9a-f]+\b", text)]
for i in range(10):
    a, b = numbers[i * 7919 % len(numbers)]
    put(text[:a] + [b"ffffffffffffffff", b"99999999999999999999999", b"-1", b"\0", b"0"][i % 5] + text[b:])
EOF2
for file in hand.heaptrack hand.massif hand.dhat; do
	rm -f spoilt.*
	python3 spoil.py $file
	bad=
	for s in spoilt.*; do
		rm -f spoilt.db
		timeout 60 "$cgview" import -o spoilt.db "$s" > out 2>&1
		status=$?
		if [ $status -eq 0 ]; then
			"$cgview" report spoilt.db > out 2>&1 || bad="$bad $s (report)"
		elif [ $status -ne 1 ] || [ "$(wc -l < out)" -ne 1 ] || [ -e spoilt.db ]; then
			bad="$bad $s ($status)"
		fi
	done
	[ -z "$bad" ] || echo "# $bad"
	check "$file, cut or with other numbers: a profile, or refused in one line" test -z "$bad"
done
