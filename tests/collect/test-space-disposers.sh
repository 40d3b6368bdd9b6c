#!/bin/bash
# record --space: who gives back what whom made, and after how long. What is expected is counted by hand from
# programs/disposers.c, by marked lines. No sample of time is taken.
. tests/collect/space-lib.sh
source=$top/tests/collect/programs/disposers.c
for level in O0 O2; do
	must "compile at -$level" "$cgcc" -$level -w "$source" -o "disposers-$level" -pthread
done

# pair MADE BY [COLUMNS]: figures of the blocks that the line with the mark MADE wanted and the one with BY gave back
columns=how,blocks,bytes
pair()
{
	local by="t.line = $(line_of "$2")"
	[ "$2" = never ] && by="how = 'never'"
	sqlite3 run.db "SELECT ${3:-$columns} FROM disposal d LEFT JOIN call_site s ON s.id = d.site
		LEFT JOIN call_site t ON t.id = d.by_site WHERE s.line = $(line_of "$1") AND $by"
}
lived=temporary,under_4k,under_64k,under_1m,under_16m,under_256m,under_4g,longer
moves=moved,copied_bytes,grown_bytes

# The blocks of all disposals of a call are those that it got, and what is live is never given back.
law()
{
	equal "$1: disposals add up to allocations" "$(sqlite3 run.db "SELECT name, total FROM measure WHERE name IN
		('allocs', 'bytes', 'live_blocks', 'live', 'at_exit', 'temporaries', 'copied', 'freed') ORDER BY 1")" \
		"$(sqlite3 run.db "SELECT 'allocs', sum(blocks) FROM disposal
			UNION SELECT 'bytes', sum(bytes) FROM disposal
			UNION SELECT 'live_blocks', total(blocks) FILTER (WHERE how = 'never') FROM disposal
			UNION SELECT 'live', total(bytes) FILTER (WHERE how = 'never') FROM disposal
			UNION SELECT 'at_exit', total(bytes) FILTER (WHERE how = 'exit') FROM disposal
			UNION SELECT 'temporaries', sum(temporary) FROM disposal
			UNION SELECT 'copied', sum(copied_bytes) FROM disposal
			UNION SELECT 'freed', total(bytes) FILTER (WHERE how <> 'never') FROM disposal" |
			sed 's/\.0$//')"
}

# made NAME STATUS AT_EXIT NEVER: of the program's mode "pairs"
made()
{
	equal "$1: here, by a wrapper, by a handler, at exit, never" \
		"$2|free|4|200|free|3|150|free|1|50|$3|never|$4" \
		"$status|$(pair MADE HERE)|$(pair MADE GIVES)|$(pair MADE IN_HANDLER)|$(pair MADE AT_EXIT)|$(
			pair MADE never)"
	law "$1"
}

for program in disposers-O0 disposers-O2; do
	spaced $program pairs
	made "$program" 0 "exit|2|100" "1|50"
	spaced $program exits
	made "$program: exit()" 3 "exit|2|100" "1|50"
	spaced $program exec
	made "$program: after exec" 0 "exit|2|100" "1|50"
	spaced $program killed
	made "$program: killed" 137 "" "3|150"

	spaced $program lives
	equal "$program: temporary, and lives of 8 kB to 512 MB" "3|0|2|2|2|2|2|0 0|2|0|0|0|0|0|0" \
		"$(pair LIVES ENDS $lived) $(pair UNTIL AFTER $lived)"
	equal "$program: the sum of all lives" $((2 * ((8 << 10) + (128 << 10) + (2 << 20) + (32 << 20) + (512 << 20)))) \
		"$(pair LIVES ENDS life_bytes)"
	law "$program: lives"

	spaced $program grows
	# The block of 100 becomes 200 (100 bytes are copied), that of 200 becomes 400 ... that of 3200 becomes 6400.
	equal "$program: realloc moves, copies, grows" "realloc|1|100|1|100|100 realloc|5|6200|5|6200|6200" \
		"$(pair FIRST LARGER $columns,$moves) $(pair LARGER LARGER $columns,$moves)"
	equal "$program: ... and makes smaller in place" "realloc|1|6400|0|0|0 free|1|50|0|0|0" \
		"$(pair LARGER SMALLER $columns,$moves) $(pair SMALLER LAST $columns,$moves)"
	law "$program: grows"

	spaced $program threads
	equal "$program: what threads give back of the next one's" "free|4000|86000" "$(pair OTHERS FREED_BY_NEXT)"
	python3 "$top/tests/e2e/parts.py" run.db
	for part in $(sqlite3 run.db "SELECT id FROM part ORDER BY id"); do
		"$cgview" report --threads "$part" --by pair --format csv --columns line,how,blocks,bytes run.db |
			tr -d '\r' | grep -E "^$(line_of OTHERS),free"
	done | sort > parts
	equal "$program: each thread alone" "$(for n in 20 21 22 23; do
		echo "$(line_of OTHERS),free,1000,${n}000"; done)" "$(cat parts)"

	spaced $program children
	equal "$program: children give back their own only" "free|4|40 never|6|60 free|6|180 never|3|90 " \
		"$(pair INHERITED BY_PARENT) $(pair INHERITED never) $(pair OWN OWN_FREED) $(pair OWN never) $(
			pair INHERITED BY_CHILD)"
	law "$program: children"

	spaced $program smashed
	equal "$program: overwritten records are errors where they are given back" "0|free|4|64|never|2|32||2" \
		"$status|$(pair WHOLE FINE)|$(pair WHOLE never)|$(pair WHOLE BROKEN)|$(sqlite3 run.db "SELECT
			sum(count) FROM defect WHERE kind = 'overwritten' AND line = $(line_of BROKEN)")"
done

# ---- adding up, printing ----

spaced disposers-O2 pairs
cp run.db other.db
spaced disposers-O2 pairs
cp run.db one.db
for i in 1 2; do
	must "record -a" "$cgview" record -F 0 --space -a -o run.db ./disposers-O2 pairs
done > out
equal "record -a: three times as much" "free|12|600 exit|6|300 never|3|150" \
	"$(pair MADE HERE) $(pair MADE AT_EXIT) $(pair MADE never)"
python3 "$top/tests/e2e/parts.py" run.db
"$cgview" report --runs 2 --by pair --format csv --columns line,by_line,how,blocks run.db | tr -d '\r' > two.csv
"$cgview" report --by pair --format csv --columns line,by_line,how,blocks one.db | tr -d '\r' > one.csv
if cmp -s one.csv two.csv; then ok "one of the runs is as it was alone"; else diff one.csv two.csv; not_ok "one of the runs"; fi
must "merge" "$cgview" merge -o sum.db run.db other.db
cp sum.db run.db
equal "merge: four times as much" "free|16|800 exit|8|400 never|4|200" \
	"$(pair MADE HERE) $(pair MADE AT_EXIT) $(pair MADE never)"
python3 "$top/tests/e2e/parts.py" run.db
csv() { "$cgview" report --by "$1" --format csv --columns "$2" one.db | tr -d '\r' | tail -n +2 | xargs; }
equal "report --by pair" "200,free,4 150,free,3 100,exit,2 50,free,1 50,never,1" \
	"$("$cgview" report --by pair --format csv --columns bytes,how,blocks one.db | tr -d '\r' | tail -n +2 |
		sort -t, -k1,1nr -k2 | xargs)"
equal "report --by disposer" "200,free,4,1 150,free,3,1 100,exit,2,1 50,free,1,1" "$(csv disposer bytes,how,blocks,makers)"
equal "report --by lifetime" "550,11,50,1,100,4" "$(csv lifetime bytes,blocks,live,live_blocks,at_exit,disposers)"
equal "json has the same" "$(sqlite3 one.db "SELECT count(*) FROM disposal")" \
	"$("$cgview" report --by pair --format json one.db | python3 -c 'import json, sys; print(len(json.load(sys.stdin)["rows"]))')"
equal "diff: expressions over measures of disposers" "give_back,0" "$("$cgview" diff --format csv --by procedure \
	-e 'b.freed - a.freed' one.db one.db | tr -d '\r' | python3 -c '
import csv, sys
print(*("%s,%s" % (r["procedure"], r["value"]) for r in csv.DictReader(sys.stdin) if r["procedure"] == "give_back"))')"
equal "details are among the columns of report where they are asked for" "0|1" "$(
	"$cgview" report one.db | grep -c slack)|$("$cgview" report --columns procedure,slack one.db | grep -c slack)"
"$cgview" record -F 0 -o plain.db ./disposers-O2 pairs > out 2> err
"$cgview" report --by pair plain.db > out 2> err
equal "without --space: a message, and no table" "1|1|0" "$?|$(grep -c 'has no allocations: cgview record --space' err)|$(
	sqlite3 plain.db "SELECT count(*) FROM sqlite_schema WHERE name = 'disposal'")"

# ---- a procedure that ends in a jump: which call it was is not known, where the procedure stands is ----

cat > jumps.c <<-'END'
	#include <stdlib.h>
	struct pool {
		void *(*more)(void *, size_t);
		void *(*plain)(size_t);
		int which;
	};
	static void *more(void *pool, size_t n) { return pool ? malloc(n) : NULL; }
	__attribute__((noinline)) static void *get(struct pool *p, size_t n) /* GETS */
	{
		if (p->which)
			return p->more(p, n);
		else
			return p->plain(n);
	}
	int main(int argc, char **argv)
	{
		struct pool p = {more, malloc, argc > 5};
		for (int i = 0; i < 10; i++) {
			char *volatile s = get(&p, 100);
			free(s);
		}
		return 0;
	}
END
source=$TMP_DIR/jumps.c
for level in O0 O2; do
	must "compile jumps.c at -$level" "$cgcc" -$level -g "$source" -o "jumps-$level"
	must "record it" "$cgview" record --space -F 0 -o "jumps-$level.db" "./jumps-$level"
	equal "-$level: blocks of a procedure that ends in a jump are told of, with a place that is whole" "10 1000 True True" "$(
		"$cgview" report --by pair --format json "jumps-$level.db" | python3 -c '
import json, sys
rows = json.load(sys.stdin)["rows"]
print(sum(r["blocks"] for r in rows), sum(r["bytes"] for r in rows), all(r["line"] and r["column"] for r in rows),
      all((r["end_line"], r["end_column"]) >= (r["line"], r["column"]) for r in rows))')"
	for by in pair disposer lifetime; do
		must "report --by $by" "$cgview" report --by $by "jumps-$level.db"
	done
done

# ---- the manual ----

for by in pair disposer lifetime; do
	"$cgview" report --by $by --format csv --limit 0 one.db | tr -d '\r' | tr , '\n' > columns
	sed -n '/^\.Sh OUTPUT/,/^\.Pp/p' "$top/man/cgview-db.5" | sed -n "/^\.It Cm $by\$/,/^\.It/p" |
		sed -n 's/^\.Va //p' | tr -c 'a-z0-9_\n' ' ' | tr -s ' ' '\n' | sed '/^$/d' > described
	equal "cgview-db(5) has the columns of report --by $by" "$(cat columns)" "$(cat described)"
done

# ---- C++ ----

cat > objects.cc <<-'END'
	struct node {
		node *next;
		char name[40];
	};
	static node *list;
	static int *volatile numbers[10];
	int main()
	{
		for (int i = 0; i < 6; i++)
			list = new node{list, ""}; /* NODES */
		while (list) {
			node *next = list->next;
			delete list; /* DELETED */
			list = next;
		}
		for (int i = 0; i < 10; i++)
			numbers[i] = new int[100]; /* ARRAYS */
		for (int i = 0; i < 7; i++)
			delete[] numbers[i]; /* ARRAYS_DELETED */
	}
END
source=$TMP_DIR/objects.cc
for level in O0 O2; do
	must "compile C++ at -$level" "$build/cgg++" -$level -w "$source" -o "objects-$level"
	spaced "objects-$level" all
	equal "C++ -$level: delete and delete[]" "0|free|6|288|free|7|2800|never|3|1200" \
		"$status|$(pair NODES DELETED)|$(pair ARRAYS ARRAYS_DELETED)|$(pair ARRAYS never)"
	law "C++ -$level"
done
