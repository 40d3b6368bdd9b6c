#!/bin/bash
# Comparing through changes of the source: edited, renamed, moved, inlined, vanished and new code,
# with counts known by hand.
. tests/e2e/lib.sh
need_collection
cd "$TMP_DIR" || exit 1
mkdir -p old/src new/src new/lib
cat > old/src/main.c <<'END'
int kept(int n);
int moved(int n);
int renamed_old(int n);

static int
vanished(int n)
{
	return n + 1;
}

static int
edited(int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s += i;
	return s;
}

int
main(void)
{
	int s = 0;

	for (int i = 0; i < 10; i++)
		s += kept(i) + vanished(i);
	s += moved(3) + renamed_old(4) + edited(100);
	return s == 12345;
}
END
cat > old/src/part.c <<'END'
int kept(int n) { return n * 2; }
int moved(int n)
{
	while (n-- > 1)
		;
	return n;
}
int renamed_old(int n)
{
	int product = 1;
	while (n > 1)
		product *= n--;
	return product;
}
END
# New: a comment and a procedure above, a parameter more, a step in the loop, a test within.
cat > new/src/main.c <<'END'
/* A new version. */
int kept(int n);
int moved(int n);
int renamed_new(int n);

static int
fresh(int n)
{
	return n - 1;
}

static long
edited(int n, int step)
{
	long s = 0;

	if (n < 0)
		return 0;
	for (int i = 0; i < n; i += step) {
		s += i;
	}
	return s;
}

int
main(void)
{
	int s = 0;

	for (int i = 0; i < 20; i++)
		s += kept(i) + fresh(i);
	s += moved(6) + renamed_new(5) + (int)edited(100, 2);
	return s == 12345;
}
END
cat > new/src/part.c <<'END'
int kept(int n) { return n * 2; }
int renamed_new(int n)
{
	int product = 1;
	while (n > 1)
		product *= n--;
	return product;
}
END
cat > new/lib/other.c <<'END'
/* Here it is now. */
int moved(int n)
{
	while (n-- > 1)
		;
	return n;
}
END
must "build the old one" "$cgcc" -O2 -o old/prog old/src/main.c old/src/part.c
must "build the new one" "$cgcc" -O2 -o new/prog new/src/main.c new/src/part.c new/lib/other.c
record_counts old.db ./old/prog
record_counts new.db ./new/prog

rows() # rows OPTION...: name line:column a b sides
{
	"$cgview" diff --format csv -e count "$@" old.db new.db | tr -d '\r' |
		awk -F, '{ print $1, $3 ":" $4, $8, $9, $11 }'
}
expect() # expect NAME; wanted on standard input
{
	if diff - out; then echo "ok - $1"; else echo "not ok - $1"; fi
}
rows --by procedure | sort > out
expect "procedures: the same, moved, under another name, gone, new" <<'END'
edited 13:1 1 1 changed
fresh 7:1  20 b
kept 1:5 10 20 both
main 26:1 1 1 changed
moved 2:5 1 1 both
procedure line:column a b sides
renamed_new 2:5 1 1 changed
vanished 6:1 10  a
END
# Who is in the first profile alone is a pair like any other when it is stored.
"$cgview" diff -e 'b.count - a.count' -o stored.db old.db new.db &&
	sqlite3 stored.db < "$top/tests/compare/stored-pairs.sql" > out
sqlite3 stored.db "SELECT c.callee_name, c.arcs, c.a, count(*), sum(arc.a) FROM comparison c
	JOIN comparison arc ON arc.pair = c.id WHERE c.callee_name = 'vanished' GROUP BY c.id" >> out
expect "stored pairs" <<'END'
vanished|1|10|1|10
END
# for (i = 0 ...) 101 tests before, 51 now; the body 100 and 50; `i < n` stands in both lines.
rows --by range | grep '^edited' | sort -V > out
expect "expressions of an edited procedure" <<'END'
edited 15:7 1 1 both
edited 17:5  1 b
edited 18:10  0 b
edited 19:11 1 1 both
edited 19:18 101 51 both
edited 19:25 100 50 changed
edited 20:3 100 50 both
edited 22:9 1 1 both
END
rows --by line | grep -E ':' | grep -vE 'line:column' > out
check "lines of the loop" grep -q '^ 19: 101 51 changed' out
check "a line of the body, inside other brackets" grep -q '^ 20: 100 50 both' out
rows --by range | grep '^moved' | sort -V > out
expect "a procedure in another file" <<'END'
moved 4:9 3 6 both
moved 6:9 1 1 both
END
rows --by site | grep '^main' | sort -V > out
expect "call sites of main, one of them with more arguments" <<'END'
main 27:18 10  a
main 31:8 10 20 both
main 31:18  20 b
main 32:7 1 1 changed
main 32:18 1 1 changed
main 32:40 1 1 changed
END

for side in a b both changed; do
	rows --by procedure --only $side | tail -n +2 | wc -l
done > out
expect "filters: only a, only b, both, changed" <<'END'
1
1
5
3
END

"$cgview" diff old.db new.db > out
check "the report tells how much was matched" bash -c '
	grep -q "^matched of a: 5 of 6 procedures, .*; 3 with another text" out ||
	grep -q "^matched of b: 5 of 6 procedures, .*; 3 with another text; 1 moved to another file; 1 under another name, by their text" out'
check "... of b, with what was done for it" grep -q '^matched of b: 5 of 6 procedures, .*3 with another text; 1 moved to another file; 1 under another name, by their text' out

# Counts by hand: blocks of vanished 10, of all in old; told in percent of b: fresh's 20 are missing.
all=$(sqlite3 new.db 'SELECT sum(count) FROM block')
python3 -c "print('%.1f' % (100 * ($all - $(sqlite3 new.db "SELECT sum(count) FROM block JOIN procedure ON
	procedure.id = procedure WHERE name = 'fresh'")) / $all))" > wanted
sed -n 's/^matched of b: [^,]*, \([0-9.]*\)% of counts.*/\1/p' out > got
check "... by count" diff wanted got

# Rules: what was called vanished is called fresh now.
rows --by procedure --rename vanished=fresh | grep fresh > out
expect "a rule for a name" <<< 'fresh 7:1 10 20 changed'
rows --by site --rename '^vanished$=fresh' | grep 'main 31:18' > out
expect "... and for its calls" <<< 'main 31:18 10 20 changed'
rows --by procedure --rename '^(van)ished$=\1' | grep -c 'fresh.*changed' > out
expect "a rule with a group makes another name" <<< 0
check "a bad rule is told" bash -c '"$1" diff --rename "(=x" old.db new.db 2> err; [ $? = 2 ] &&
	grep -q "^cgview: diff: --rename (: " err' sh "$cgview"

# merge --by-source adds what it finds so: to the newest, whatever the order.
merged() # merged PROCEDURE OPTION... PROFILE...: its calls in the sum
{
	local name=$1
	shift
	rm -f sum.db
	"$cgview" merge --by-source -o sum.db "$@" 2> /dev/null
	count_of sum.db "$name"
}
check "merge without a rule" [ "$(merged fresh old.db new.db)" = 20 ]
check "merge with a rule" [ "$(merged fresh --rename '^vanished$=fresh' old.db new.db)" = 30 ]
cp sum.db sum1.db
check "... its block" [ "$(sqlite3 sum.db "SELECT sum(count) FROM block b JOIN procedure p ON p.id = b.procedure
	WHERE p.name = 'fresh'")" = 30 ]
check "... the call of it" [ "$(sqlite3 sum.db "SELECT sum(count) FROM call_site WHERE line = 31 AND target = 'fresh'")" = 30 ]
check "... what was found by its text has both, too" [ "$(count_of sum.db renamed_new) $(count_of sum.db kept)" = "2 30" ]
check "... in any order" [ "$(merged fresh --rename '^vanished$=fresh' new.db old.db)" = 30 ]
check "... the same file" cmp sum.db sum1.db
check "a rule that is for the newest alone changes nothing" [ "$(merged fresh --rename '^fresh$=vanished' old.db new.db)" = 20 ]
usage() # usage NAME WORDS OPTION...
{
	"$cgview" merge -o none.db "${@:3}" old.db new.db > out 2> err
	check "merge: $1" [ "$? $(wc -l < err) $(wc -c < out)" = "2 1 0" ]
	check "... is told" grep -qF -e "$2" err
	check "... nothing is written" [ ! -e none.db ]
}
usage "a rule without by source" "cgview: merge: --rename goes with --by-source" --rename a=b
usage "a rule without =" "cgview: merge: --rename a: it is REGEX=NEW" --by-source --rename a
usage "a bad rule" "cgview: merge: --rename (: " --by-source --rename '(=x'

# Without texts only what has as many lines is compared by its lines.
cp new.db bare.db
sqlite3 bare.db 'UPDATE file SET text_zlib = NULL, size_bytes = 0, hash = NULL'
"$cgview" diff old.db bare.db > out
check "missing texts are told" grep -q 'without their text' out
"$cgview" diff --by range --format csv -e count old.db bare.db | tr -d '\r' |
	awk -F, '$1 == "edited" { print $11 }' | sort -u > out
expect "... and nothing is guessed" <<'END'
a
b
END

# A program that was copied to another name, and edited: its lines are the same, though neither path nor text is.
cat > prog1.c <<'END'
static int
twice(int n)
{
	return 2 * n;
}

int
main(void)
{
	int s = 0;

	for (int i = 0; i < 10; i++)
		s += twice(i);
	return s != 90;
}
END
sed -e '1i /* The second version. */' -e 's/i < 10/i < 30/; s/90/870/' prog1.c > prog2.c
for n in 1 2; do
	must "compile prog$n.c" "$cgcc" -O1 -fno-inline -g prog$n.c -o prog$n
	"$cgview" record -o prog$n.db -- ./prog$n > record.out 2>&1 || cat record.out
done
"$cgview" diff --by line --format json -e count prog1.db prog2.db > lines.json
python3 - > out <<'END'
import json
for r in sorted(json.load(open("lines.json"))["rows"], key=lambda r: r["line"]):
    if r["a"] != r["b"]:
        print(r["file"].split("/")[-1], r["line"], r["a"], r["b"])
END
expect "lines of a file that has another name and another text" <<'END'
prog2.c 3 10 30
prog2.c 5 10 30
prog2.c 13 11 31
prog2.c 14 10 30
END
