#!/bin/bash
# Procedures with another name and another text: found when no other one is nearly as similar, and how similar
# they are told, as an independent count of 3-grams has it; statics of one name in different files.
. tests/e2e/lib.sh
need_collection
need sqlite3
cd "$TMP_DIR" || exit 1
mkdir -p old new
cat > old/part.c <<'END'
static int init(int n) { int s = 0; while (n > 0) s += n--; return s; }
static int setup(int n) { return n < 3 ? n : setup(n / 2) + 1; }
static int at_end(int c) { return c == -1 || c == 26 || c == 0; }
int part(int n) { return init(n) + setup(n) + at_end(n); }
END
cat > old/main.c <<'END'
#define LIMIT 100
int part(int n);
static int table[LIMIT];

static int at_end(int c) { return c == -1 || c == 26 || c == 0; }

static int
index_to_slot(int index, int top)
{
	if (index > 0) {
		int slot = index * 3;

		if (slot >= LIMIT)
			return -1;
		return table[slot];
	} else if (index > -top) {
		return table[top + index];
	}
	for (int i = 0; i < 10; i++)
		top += table[i];
	return top;
}

static int twin(int a) { int s = a; for (int i = 0; i < 4; i++) s ^= a << i; return s; }

static int
unlike(int a)
{
	return a * a - 17;
}

static void one(int *to, const int *from) { *to = *from; }

static int
fill(const int *from, int *to, const int *end)
{
	const int *here = from;
	int *there = to, copied = 0;

	do {
		one(there, here); there += 2; here += 2; copied += 2;
	} while (there < end);
	return copied;
}

int
main(void)
{
	int s = at_end(3);

	for (int i = -20; i < 20; i++)
		s += index_to_slot(i, 10);
	return (s + part(9) + twin(3) + unlike(2) + fill(table, table + 50, table + 60)) == 12345;
}
END
# Another name, a bound that is another one, a statement more, a parameter with another name.
cat > new/main.c <<'END'
#define LIMIT 100
int part(int n);
int other(int n);
static int table[LIMIT];

static int is_end(int c) { return c == -1 || c == 26 || c == 0; }

static int
index_to_value(int index, int end)
{
	if (index > 0) {
		int slot = index * 3;

		if (slot >= LIMIT)
			return -1;
		end++;
		return table[slot];
	} else if (index > -end) {
		return table[end + index];
	}
	for (int i = 0; i < 9; i++)
		end += table[i];
	return end;
}

static int twin_1(int a) { int s = a; for (int i = 0; i < 5; i++) s ^= a << i; return s; }
static int twin_2(int a) { int s = a; for (int i = 0; i < 6; i++) s ^= a << i; return s; }

static int
different(int n, int *v)
{
	while (n--)
		*v++ = n;
	return 1;
}

static void one(int *to, const int *from) { *to = *from; }

static int
fill_2(const int *from, int *to, const int *end)
{
	const int *here = from;
	int *there = to, copied = 0;

	do {
		one(there, &here[0]); there += 2; here += 2; copied += 2;
	} while (there < end);
	return copied;
}

static int
fill_8(const int *from, int *to, const int *end)
{
	const int *here = from;
	int *there = to, copied = 0;

	do {
		one(there, here); one(there + 4, here); there += 8; here += 8; copied += 8;
	} while (there < end);
	return copied;
}

int
main(void)
{
	int s = is_end(3);

	for (int i = -20; i < 20; i++)
		s += index_to_value(i, 10);
	return (s + part(9) + other(5) + twin_1(3) + twin_2(3) + different(2, table) +
		fill_2(table, table + 50, table + 60) + fill_8(table, table + 50, table + 60)) == 12345;
}
END
cat > new/part.c <<'END'
static int is_end(int c) { return c == -1 || c == 26 || c == 0; }
int part(int n) { return n + is_end(n); }
END
cat > new/other.c <<'END'
static int init(int n) { static char name[] = "x"; name[0] = (char)n; return name[0] == 'a' ? 0 : 7; }
static int setup(int n) { return n < 4 ? n : setup(n / 2) + 1; }
int other(int n) { return init(n) + setup(n); }
END
for version in old new; do
	must "build $version" "$cgcc" -O1 -o $version/prog $version/*.c
	record_counts $version.db ./$version/prog
done

# The same count by other means: the words from the name on, the name itself taken out.
python3 - > wanted <<'END'
import collections, re
def grams(path, name):
    text = open(path).read()
    text = text[text.index("\n" + name) + 1:]
    tokens = re.findall(r"\w+|\S", text[:text.index("\n}") + 2])
    tokens = ["" if t == name else t for t in tokens]
    return collections.Counter(zip(tokens, tokens[1:], tokens[2:]))
def alike(old, new):
    a, b = grams("old/main.c", old), grams("new/main.c", new)
    return 2 * (a & b).total() / (a.total() + b.total())
def row(counts, likeness):
    print("%s like (%d %%)" % (counts, int(100 * likeness + 0.5)))
row("index_to_value 40 40", alike("index_to_slot", "index_to_value"))
near, far = alike("fill", "fill_2"), alike("fill", "fill_8")
assert 0.85 < near < 1 and near - far < 0.14 and 1 - far > 2 * (1 - near), (near, far)
row("fill_2 1 1", near)
print("fill_8  1 b")
END
rows() # rows OPTION...: name a b sides
{
	"$cgview" diff --format csv -e count "$@" old.db new.db | tr -d '\r' | awk -F, '{ print $1, $8, $9, $11 }'
}
rows --by procedure > out
grep '^index' out | diff - <(grep '^index' wanted)
verdict() { if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; fi; }
verdict $? "another name, four edits: how alike"
check "... enough, but not the same" grep -qE '^index.*like \([67][0-9] %\)' wanted
check "what two are nearly as similar to is neither of them" [ "$(grep -c '^twin' out)" = 3 ]
check "one that is nearly the same, beside one that is twice as far" diff <(grep '^fill' out | sort) <(grep '^fill' wanted)
check "what is another thing is none" [ "$(grep -E '^(unlike|different)' out | sort)" = "$(printf 'different  1 b\nunlike 1  a')" ]
check "statics of one name in two files that are not alike are two" [ "$(grep '^init' out | sort)" = "$(printf 'init  1 b\ninit 1  a')" ]
check "... that are alike are one" [ "$(grep '^setup' out)" = 'setup 3 2 changed' ]
check "the same text in two files: each is that of its file" [ "$(grep '_end' out)" = "$(printf 'is_end 1 1 changed\nis_end 1 1 changed')" ]
check "... of all of them, what is on one side" [ "$(rows --by procedure --only a | grep -c '_end')" = 0 ]
check "what was found so has changed" [ "$(rows --by procedure --only changed | grep index_to)" = "$(head -n 1 wanted)" ]
check "... and is on both sides" [ "$(rows --by procedure --only both | grep index_to)" = "$(head -n 1 wanted)" ]
"$cgview" diff old.db new.db > out
check "text: the row" grep -q "$(sed -n 's/^index.*\(like.*\)/\1/p' wanted) *index_to_value" out
check "... the summary" grep -q '^matched of b: .*; 2 under another name, by their text; 2 under another name, by a similar text$' out
check "json" bash -c '"$1" diff --format json old.db new.db | python3 -c "
import json, sys
print(*[r[\"sides\"] for r in json.load(sys.stdin)[\"rows\"] if r[\"procedure\"] == \"index_to_value\"])" |
	cmp - <(sed -n "s/^index.*\(like.*\)/\1/p" wanted)' sh "$cgview"
# Of 40 calls 19 are above 0, 10 below it, and 11 go through the loop, 10 and 9 times each.
"$cgview" diff --format csv -e count --by range old.db new.db | tr -d '\r' |
	awk -F, '/^index_to/ { print $3 ":" $4, $8, $9, $11 }' | sort -V > out
diff - out <<'END'
11:5 40 40 both
12:7 19 19 both
14:6 19 19 both
15:11 0 0 both
16:3  19 b
17:10 19 19 both
18:12 21 21 changed
19:10 10 10 changed
21:11 11 11 both
21:18 121 110 changed
21:25 110 99 both
22:3 110 99 changed
23:9 11 11 changed
END
verdict $? "expressions in it: counts by hand"
"$cgview" diff -o stored.db old.db new.db > /dev/null
check "stored" [ "$("$cgview" report --by comparison --format csv stored.db | grep -c "$(sed -n 's/^index.*\(like.*\)/\1/p' wanted)")" = 1 ]
# merge adds up what is the same, and this is not.
"$cgview" merge --by-source -o sum.db old.db new.db 2> /dev/null
check "merge --by-source does not go by likeness" [ "$(count_of sum.db index_to_value)" = 40 ]
