#!/bin/bash
# Procedures whose text is the same, and which all the same are others: a macro, a type, an enumerator or data that
# they use is another one. Who must be is known by hand.
. tests/e2e/lib.sh
need_collection
cd "$TMP_DIR" || exit 1
mkdir -p old
cat > old/box.h <<'END'
#ifndef BOX_H
#define BOX_H
/* Rounded up. */
#define ROUND_UP(n) ((n) * 2)
#define ROOM(n) \
	(ROUND_UP(n) + 1)
#define OTHER 5
struct box {
	int width;
	long height;
};
typedef struct box box_t;
struct lid { int width, table; };
enum colour { RED, GREEN = 3, BLUE };
extern int wide;
int far_away(int n);
int reads_wide(void);
int locals(void);
static inline int small(int n) { return n + OTHER; }
#endif
END
cat > old/main.c <<'END'
#include "box.h"
#define ROUND_DOWN(n) ((n) / 2)
int wide = 3;
static const int table[] = { 1, 2, 3 };
static const char *const names[] = {
	"one", "two",
};
static int (*hook)(int) = small;
static int uses_macro(int n) { return ROUND_UP(n); }
static int uses_macro_by_macro(int n) { return ROOM(n); }
static int uses_own_macro(int n) { return ROUND_DOWN(n); }
static int uses_type(struct box *b) { return b->width; }
static int uses_typedef(box_t *b) { return b->width + 1; }
static int uses_other_type(struct lid *l) { return l->width; }
static int uses_enumerator(int n) { return n == BLUE; }
static int uses_same_enumerator(int n) { return n == RED; }
static int uses_table(int n) { return table[n]; }
static int uses_names(int n) { return names[n][0]; }
static int uses_nothing(int n) { return n + OTHER; }
static int says_it(int n) { return n + "ROUND_UP"[0] /* table */; }
static int uses_hook(int n) { return hook(n); }
static int has_member(struct lid *l) { return l->table + 2; }
int main(void)
{
	struct box b = { 1, 2 };
	struct lid l = { 3, 4 };

	return (uses_macro(1) + uses_macro_by_macro(1) + uses_own_macro(1) + uses_type(&b) + uses_typedef(&b) +
		uses_other_type(&l) + uses_enumerator(1) + uses_same_enumerator(1) + uses_table(1) + uses_names(1) +
		uses_nothing(1) + says_it(1) + uses_hook(1) + has_member(&l) + far_away(1) + reads_wide() + locals()) == 12345;
}
END
cat > old/far.c <<'END'
#include "box.h"
#define ROUND_DOWN(n) ((n) / 2)
static const int table[] = { 1, 2, 3 };
int far_away(int n) { return ROUND_UP(n); }
int reads_wide(void) { return wide + ROUND_DOWN(3) + table[1]; }
END
# Names of what has changed, as names of variables and labels, and otherwise.
cat > old/local.c <<'END'
#include "box.h"
static const int table[] = { 1, 2, 3 };
static int own_parameter(int n, int wide) { return n + wide; }
static int own_old_style(wide, n) int wide; int n; { return n + wide; }
static int own_pointer(const int *table) { return table[0]; }
static int own_hook(int (*table)(int)) { return table(3); }
static int own_variable(int n) { int wide = n * 2; return wide + 1; }
static int own_array(int n) { int table[3] = { n, n + 1 }; n += 2; return table[0] + n; }
static int own_second(int n) { int *last = &n, wide = 2, table[2] = { 1 }; return *last + wide + table[0]; }
static int own_in_loop(int n) { for (int wide = 0; wide < 3; wide++) n += wide; return n; }
static int own_structure(int n) { struct lid wide = { n, 0 }; return wide.width; }
static int own_not_tag(int n) { unsigned long box = (unsigned long)n; return (int)box; }
static int own_label(int n) { if (n > 3) goto wide; n++; wide: return n; }
static int own_in_case(int n) { switch (n) { case 1: ; int wide = 3; return wide; default: return n; } }
static int uses_behind_block(int n) { if (n) { int wide = 1; n += wide; } return n + wide; }
static int uses_before(int n) { n += wide; int wide = 3; return n + wide; }
static int uses_in_initialiser(int n) { int a = n * wide, b = a; return a + b; }
static int uses_in_bound(int n) { int a[BLUE] = { 0 }; return a[n]; }
static int uses_in_product(int n) { n = n * wide; return n; }
static int uses_declared(int n) { extern int wide; return n + wide; }
static int uses_tag(int n) { struct box box = { n, 2 }; return box.width; }
static int uses_as_argument(int n) { return own_variable(wide) + own_parameter(n, table[0]); }
static int uses_in_else(int n) { if (n) n = 1; else wide = 1; return n; }
int locals(void)
{
	int n = 3;

	return own_parameter(1, 2) + own_old_style(1, 2) + own_pointer(&n) + own_hook(far_away) + own_variable(1) +
	       own_array(1) + own_second(1) + own_in_loop(1) + own_structure(1) + own_not_tag(1) + own_label(1) +
	       own_in_case(2) + uses_behind_block(0) + uses_before(1) + uses_in_initialiser(1) + uses_in_bound(1) +
	       uses_in_product(1) + uses_declared(1) + uses_tag(1) + uses_as_argument(1) + uses_in_else(1);
}
END
cp -r old new
sed -i 's/^#define ROUND_UP.*/#define ROUND_UP(n) ((n) + 1)/; s/long height/int height/; s/GREEN = 3/GREEN = 4/
	s|/. Rounded up. ./|/* Another comment. */|; s/^extern int wide;/extern int wide; extern int more;/' new/box.h
sed -i 's/{ 1, 2, 3 }/{ 1, 2, 4 }/; s/^int wide = 3;/int wide = 4;/; s/"two"/"zwei"/' new/main.c new/local.c
for version in old new; do
	must "build $version" "$cgcc" -O1 -o $version/prog $version/main.c $version/far.c $version/local.c
	record_counts $version.db ./$version/prog
done
rows() { "$cgview" diff --format csv --only "$1" old.db new.db | tr -d '\r' | sed '1d; s/,.*//' | sort; }
rows changed > out
# main names struct box. far.c has a table of its own, and the header's macro; the variable is everybody's.
if diff - out <<'END'
far_away
main
reads_wide
uses_as_argument
uses_before
uses_behind_block
uses_declared
uses_enumerator
uses_in_bound
uses_in_else
uses_in_initialiser
uses_in_product
uses_macro
uses_macro_by_macro
uses_names
uses_table
uses_tag
uses_type
uses_typedef
END
then echo "ok - users of what has changed have changed"; else echo "not ok - users of what has changed have changed"; fi
check "the others have not" [ "$(rows both | grep -vxFf out | tr '\n' ' ')" = \
	"has_member locals $(echo own_{array,hook,in_case,in_loop,label,not_tag,old_style,parameter,pointer,second,structure,variable}) $(
	)says_it small uses_hook uses_nothing uses_other_type uses_own_macro uses_same_enumerator " ]
"$cgview" diff old.db new.db > text
check "the summary tells how many" grep -q '^matched of b: 40 of 40 procedures.*; 19 that use what has changed' text
check "their expressions are the same" [ "$("$cgview" diff --by range --only changed --format csv old.db new.db | grep -c "^uses_\(table\|type\)")" = 0 ]
check "the other way round" [ "$("$cgview" diff --format csv --only changed new.db old.db | sed '1d' | wc -l)" = 19 ]
check "nothing has changed between a profile and itself" [ "$("$cgview" diff --format csv --only changed old.db old.db | sed 1d | wc -l)" = 0 ]
# The macro, the type, the enumerator, the comment, the variable in box.h; three lines of main.c, one of local.c.
check "the lines that differ come first" [ "$(grep -n 'differ' text | cut -d: -f2-)" = \
	'9 lines differ: box.h:3-4, box.h:10, box.h:14-15 .. in 3 files' ]
check "... before what was matched" [ "$(grep -nE 'differ|matched of a' text | cut -c1)" = "$(printf '4\n5')" ]
sed 's/ROUND_DOWN(n) ((n)/ROUND_DOWN(n) ((n) + 1/' old/far.c > far.c && mkdir one && cp old/* one && cp far.c one
must "build one" "$cgcc" -O1 -o one/prog one/main.c one/far.c one/local.c
record_counts one.db ./one/prog
check "one line" grep -qx '1 line differs: far.c:2' <("$cgview" diff old.db one.db)
check "... and who uses it" [ "$("$cgview" diff --format csv --only changed old.db one.db | sed 1d | cut -d, -f1)" = reads_wide ]
check "none" [ "$("$cgview" diff old.db old.db | grep -c 'lines\? differ')" = 0 ]
# Where a procedure is inlined or moved does not matter, nor do white space and comments.
mkdir space && for f in box.h main.c far.c local.c; do sed 's/^#define \(.*\)) /#define  \1)   /; s/{ 1, 2, 3 }/{1,2,\n\t3 }/; s/^struct box {/struct box\n{/' old/$f > space/$f; done
must "build space" "$cgcc" -O1 -o space/prog space/main.c space/far.c space/local.c
record_counts space.db ./space/prog
check "white space is no change" [ "$("$cgview" diff --format csv --only changed old.db space.db | sed 1d | wc -l)" = 0 ]
# Which definition it is, by name, kind and place in the later version; through what, where it is not named itself.
uses() { "$cgview" diff --format csv "$@" | tr -d '\r' | sed -n 's/^\([a-z_]*\),.*"\?\(uses [^"]*\)".*/\1: \2/p; s/^\([a-z_]*\),.*,\(uses [^",]*\),.*/\1: \2/p' | sort; }
check "csv tells which" diff - <(uses old.db new.db | grep -v '^uses_[bdi]\|^uses_as') <<'ENDS'
far_away: uses ROUND_UP (macro, box.h:4)
main: uses box (type, box.h:8)
reads_wide: uses wide (variable, main.c:3)
uses_enumerator: uses BLUE (enumerator, box.h:14)
uses_macro: uses ROUND_UP (macro, box.h:4)
uses_macro_by_macro: uses ROUND_UP (macro, box.h:4) through ROOM
uses_names: uses names (variable, main.c:5)
uses_table: uses table (variable, main.c:4)
uses_tag: uses box (type, box.h:8)
uses_type: uses box (type, box.h:8)
uses_typedef: uses box (type, box.h:8) through box_t
ENDS
check "... and the text" grep -q ' uses  *uses_macro_by_macro .* uses ROUND_UP (macro, box.h:4) through ROOM, which has changed$' text
check "of two it tells the first, and that there are more" [ "$(uses old.db new.db | grep uses_as)" = \
	"uses_as_argument: uses wide (variable, main.c:3) and 1 more" ]
check "json: how many" grep -q '"affected": *19' <("$cgview" diff --format json old.db new.db)
must "store" "$cgview" diff -o stored.db --by procedure old.db new.db
check "a stored comparison" [ "$(sqlite3 stored.db "SELECT count(*) FROM comparison WHERE sides LIKE 'uses %'")" = 19 ]
check "both has them, too" [ "$(rows both | grep -cxFf out)" = 19 ]
# What is not compiled defines nothing; a procedure's name in a table is that of its body in the other version.
mkdir arms
cat > arms/p.c <<'ENDS'
#include "table.h"
#ifdef NEVER
static int twice(int n) { return n * 3; }
#define ARM 1
static const int data[] = { 1 };
#elif defined EVER
#define ARM 3 /* nor is this */
#else
#ifdef DEEPER
#define DEEP 1
#endif
static int twice(int n) { return n * 2; }
#define ARM 2
static const int data[] = { 2 };
#endif
#if 0 // "
#define OFF 5
# if 1
#define OFF 5
# endif
#else
#define OFF 6
#endif
/* #if 0 */
#if 1
#define ON 7
#else
#define ON 5
#endif
#define DEEP 4
static int call_twice(int n) { return twice(n) + ARM + data[0]; }
static int call_off(int n) { return n + OFF + ON; }
static int click(int n) { int k; for (k = 0; k < 3; k++) n += k * 5; return n ^ 77; }
static int key(int n) { return n - 1; }
static int (*const handlers[])(int) = { click, key };
static const struct way ways[] = { { "a", handlers } };
#define HANDLE(n) click(n)
static int by_table(int n) { return handlers[n](n); }
static int by_table_of_tables(int n) { return ways[0].handlers[n](n); }
static int by_macro(int n) { return HANDLE(n); }
int main(void) { return (call_twice(2) + call_off(1) + by_table(0) + by_table(1) + by_table_of_tables(0) + by_macro(1)) == 12345; }
ENDS
echo 'struct way { const char *name; int (*const *handlers)(int); };' > arms/table.h
version() # version NAME SED: another one of arms
{
	rm -rf "$1"
	cp -r arms "$1" && sed -i "$2" "$1/p.c"
	must "build $1" "$cgcc" -O1 -o "$1/prog" "$1/p.c"
	record_counts "$1.db" "./$1/prog"
}
changed() { "$cgview" diff --only changed --format csv "$@" | tr -d '\r' | sed '1d; s/,.*//' | sort | tr '\n' ' '; }
version first ''
version dead 's/n \* 3/n * 4/; s/ARM 1/ARM 5/; s/{ 1 }/{ 6 }/; s/ARM 3/ARM 4/; s/OFF 5/OFF 8/; s/ON 5/ON 8/'
check "what is not compiled changes nobody" [ -z "$(changed first.db dead.db)" ]
version live 's/ARM 2/ARM 5/; s/OFF 6/OFF 8/; s/{ 2 }/{ 6 }/'
check "what is does" [ "$(changed first.db live.db)" = "call_off call_twice " ]
version body 's/n \* 2/n * 4/'
check "a procedure's body changes itself alone" [ "$(changed first.db body.db)" = "twice " ]
version renamed 's/\<click\>/press/g'
check "a renamed callback is the same in tables and macros" [ "$(changed first.db renamed.db)" = "press " ]
check "... which goes through others" [ -z "$(uses first.db renamed.db)" ]
version swapped 's/{ click, key }/{ key, click }/'
check "another order is another table" [ "$(changed first.db swapped.db)" = "by_table by_table_of_tables " ]
printf '%s\n' size:140x24 u 'text:&by_table$' Enter Enter ':save-screen screen' > steps
CGVIEW_SCRIPT=steps "$cgview" first.db swapped.db
check "the browser tells it, too" grep -q ' 4  *4  .* uses handlers (var.*  by_table ' screen
check "... in whole above the source" grep -q ' by_table: uses changed handlers (variable, p.c:35) ' screen
printf '%s\n' size:140x24 u F ':save-screen screen' > steps
CGVIEW_SCRIPT=steps "$cgview" first.db swapped.db
check "... and none as changed" [ "$(grep -c 'uses handlers' screen) $(grep -c '  changed  ' screen)" = "2 0" ]
