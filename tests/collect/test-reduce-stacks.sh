#!/bin/bash
# reduce of processes whose samples nearly all have a stack of their own: the memory does not grow with them, nothing is
# trimmed, and the bytes are the same in any order and tree.
# What is mounted here, at the end, is seen by nobody else, and goes with this shell.
if [ "$(id -u)" = 0 ] && [ -z "${OWN_MOUNTS:-}" ] && unshare -m true 2> /dev/null; then
	OWN_MOUNTS=1 exec unshare -m bash "$0"
fi
. tests/e2e/lib.sh
need_collection
need sqlite3 python3
helpers=$top/tests/collect/reduce
cd "$TMP_DIR" || exit 1

same() # same NAME EXPECTED GOT
{
	if [ "$2" = "$3" ]; then echo "ok - $1"; else echo "# expected $2, got $3"; echo "not ok - $1"; fi
}
field() { sqlite3 "$1" "$2"; }
must "compile what measures memory" gcc -O1 "$top/bench/programs/usage.c" -o usage
peak() { ./usage used "$@" && cut -d ' ' -f 2 used; }
must "compile" "$cgcc" -O1 -g "$helpers/deep.c" -o deep
for i in 1 2 3 4; do
	CGVIEW_HZ=1000 CGVIEW_OUT=r$i ./deep $i 1500
done
mkdir many
must "make processes" python3 "$helpers/clones.py" --mix 1500 many r*.raw
find many -name '*.raw' | sort > names
for n in 10 100 1500; do
	peak=$(head -$n names | peak "$cgview" reduce -o $n.sum --list -)
	[ $n = 10 ] && few=$peak
	check "$n processes: $peak kB, where 10 take $few" [ "$peak" -le $((few + 1000)) ]
done
bytes=$(stat -c %s 1500.sum)
check "... of which there are so many stacks: $bytes bytes" [ "$bytes" -gt $((few * 1024 * 2)) ]
reduce() { "$cgview" reduce "$@"; }
shuf --random-source=names names | reduce -o other.sum --list -
check "in another order: the same bytes" cmp 1500.sum other.sum
for i in 1 2 3; do sed -n "$((i * 500 - 499)),$((i * 500))p" names | reduce -o part$i.sum --list -; done
reduce -o two.sum part3.sum part1.sum
peak=$(peak "$cgview" reduce -o other.sum part2.sum two.sum)
check "as a tree: the same bytes" cmp 1500.sum other.sum
check "... of sums, with $peak kB" [ "$peak" -le $((few + 1500)) ]
reduce -j 3 -o other.sum --list names
check "by three processes: the same bytes" cmp 1500.sum other.sum
reduce -o 1500.sum 1500.sum
check "onto itself: the same bytes" cmp 1500.sum other.sum

# As import has it, which knows nothing of all that: 100 times 60 stacks and more are put aside several times.
head -100 names > some
"$cgview" import -o all.db $(cat some) 2> /dev/null
reduce -o some.sum --list some
"$cgview" import -o sum.db some.sum 2> /dev/null
"$cgview" merge -o a.db all.db 2> /dev/null
"$cgview" merge -o b.db sum.db 2> /dev/null
check "import of the sum is import of all raw files, row by row" python3 "$helpers/same_rows.py" a.db b.db
check "... with many contexts: $(field a.db 'SELECT count(*) FROM context')" \
	[ "$(field a.db 'SELECT count(*) FROM context')" -gt 30000 ]
rm -f ./*.db

mkdir small
if [ -z "${OWN_MOUNTS:-}" ] || ! mount -t tmpfs -o size=3m cgview-test small 2> /dev/null; then
	echo "ok - no right to mount # SKIP"
	exit 0
fi
reduce --keep-going -o small/x.sum --list names 2> err
same "a full disk: status" 1 $?
sed 's/^/# /' err
same "... one line" "1 1" "$(wc -l < err) $(grep -c 'small/x.sum: .*No space left' err)"
same "... nothing stays" "" "$(ls -A small)"
