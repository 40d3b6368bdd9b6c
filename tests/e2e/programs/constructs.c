/* Every construct of C, with the ranges that are shown and how often each was evaluated: see
 * tests/e2e/ranges.py for the comments. All are derived from the language by hand; columns matter:
 * do not reformat. In each procedure i goes from 0 to 9. */
// clang-format off
static volatile int sink, zero;
static int first(int n) { return n; }
static int second(int n) { return n; }
static int third(int n) { return n; }

#define CONSTRUCTS_FIRST
#define NAME in_header
#include "constructs.h"
#undef CONSTRUCTS_FIRST
#define NAME in_header_again
#include "constructs.h"

/* ---- conditions ---- */

static void
conditionals(int i)
{
	sink = i < 4 ? first(i) : second(i);
	//> s 10 sink = i < 4 ? first(i) : second(i) | o 10 i < 4 | o 4 first(i) | o 6 second(i)
	sink = i < 4 ? i < 2 ? first(i) : second(i) : third(i);
	//> s 10 sink = i < 4 ? i < 2 ? first(i) : second(i) : third(i) | o 10 i < 4 |
	//> o 4 i < 2 ? first(i) : second(i) | o 4 i < 2 | o 2 first(i) | o 2 second(i) |
	//> o 6 third(i)
	if (first(i) && second(i))
		//> o 10 first(i) | o 9 second(i)
		sink++;
		//> s 9 sink++
	if (i > 5 || i < 2 || third(i) == 3)
		//> o 10 i > 5 | o 6 i < 2 | o 4 third(i) == 3 | s 4 third(i)
		sink++;
		//> s 7 sink++
	sink = (i > 5 || i < 2) && !(i == 7 || i == 8);
	//> o 10 i > 5 | o 6 i < 2 | o 6 i == 7 | o 5 i == 8 |
	//> s 10 sink = (i > 5 || i < 2) && !(i == 7 || i == 8)
	if (i == 0) sink = 1; else if (i == 1) sink = 2; else sink = 3;
	//> s 10 (i == 0) | s 1 sink = 1 | s 9 (i == 1) | s 1 sink = 2 | s 8 sink = 3
}

/* ---- loops ---- */

static void
loops(int i)
{
	int j = 0;
	//> s 10 j = 0
	for (j = 0; j < i; j++)
		//> s 10 j = 0 | s 55 j < i | s 45 j++
		sink += j;
		//> s 45 sink += j
	for (int k = 0, m = i; k < m; k++, m--)
		//> s 10 k = 0 | s 10 m = i | s 35 k < m | s 25 k++ | s 25 m--
		sink = k;
		//> s 25 sink = k
	while (j > 2) {
		//> s 38 j > 2
		j -= 1;
		//> s 28 j -= 1
		if (j == 5)
			//> s 28 (j == 5)
			continue;
			//> s 4 continue
		sink = j;
		//> s 24 sink = j
	}
	do {
		j++;
		//> s 63 j++
	} while (j < 8);
	//> s 63 j < 8
}

/* ---- conditions that begin with a prefix or a cast, assignments by an operator ---- */

static const char nine[] = "123456789";
static const struct { const char *text[2]; } rows[2];
static const char *const empty[2] = { "", "" };

static void
prefixes(int i)
{
	const char *s = nine + i, **at = &s, *const *none = empty;
	//> s 10 s = nine + i | s 10 at = &s | s 10 none = empty
	unsigned h = 0, of[2] = { 1, 2 };
	//> s 10 h = 0 | s 10 of[2] = { 1, 2 }
	while (*s)
		//> s 55 *s
		s++;
		//> s 45 s++
	s = nine + i;
	//> s 10 s = nine + i
	for (; **at; h++)
		//> s 55 **at | s 45 h++
		*at += 1;
		//> s 45 *at += 1
	for (; -h; h--)
		//> s 55 -h | s 45 h--
		sink++;
		//> s 45 sink++
	while (~i)
		//> s 65 ~i
		i -= 1;
		//> s 55 i -= 1
	while ((char)h)
		//> s 10 (char)h
		h--;
		//> s 0 h--
	while (*(const char *)none[zero])
		//> s 10 *(const char *)none[zero]
		h--;
		//> s 0 h--
	while (*(const char **)&rows -> text [ 1 ])
		//> s 10 *(const char **)&rows -> text [ 1 ]
		h--;
		//> s 0 h--
	s = nine;
	//> s 10 s = nine
	h ^= (unsigned)*s++;
	//> s 10 h ^= (unsigned)*s++
	of[h & 1] <<= *s++ & 3;
	//> s 10 of[h & 1] <<= *s++ & 3
	if ((h += (unsigned)*s++) > 1)
		//> s 10 ((h += (unsigned)*s++) > 1)
		h -= 3 + (unsigned)*s++ * 5; else sink = 3;
		//> s 10 h -= 3 + (unsigned)*s++ * 5 | s 0 sink = 3
	sink = (int)h;
	//> s 10 sink = (int)h
}

/* ---- conditional arguments: the compiler gives their tests and arms the place of the call ---- */

static __attribute__((noipa)) int
passed(const char *s, const void *p, int n)
{
	return s && p ? n : -n;
	//> o 39 s | o 34 p | o 21 n#2 | o 18 -n
}

static int
arguments(int i)
{
	int n;
	//
	n = passed(nine, i > 3 ? nine + 1 : 0, 1);
	//> s 10 passed(nine, i > 3 ? nine + 1 : 0, 1) | o 10 i > 3 | o 6 nine + 1 | o 4 0
	if (i != 3)
		//> s 10 (i != 3)
		n += passed(nine, i ? i > 8 ? nine + 1 : nine : 0, i);
		//> s 9 n += passed(nine, i ? i > 8 ? nine + 1 : nine : 0, i)
		//> s 9 passed(nine, i ? i > 8 ? nine + 1 : nine : 0, i)
		//> o 9 i#2 | o 8 i > 8 ? nine + 1 : nine | o 1 0
	n = passed(nine, i > 4 ? nine : 0, sizeof(nine) - (unsigned long)sink);
	//> s 10 passed(nine, i > 4 ? nine : 0, sizeof(nine) - (unsigned long)sink)
	//> o 10 i > 4 | o 5 nine#2 | o 5 0
	passed(i & 1 ? nine : 0, i & 2 ? nine : 0, 1);
	//> s 10 passed(i & 1 ? nine : 0, i & 2 ? nine : 0, 1)
	//> o 10 i & 1 | o 5 nine | o 5 0 | o 10 i & 2 | o 4 nine#2 | o 6 0#2
	return n;
}

/* ---- switch ---- */

static int
choose(int i)
{
	switch (first(i)) {
	//> s 10 switch (first(i)) | s 10 first(i)
	case 1:
		sink = 1;
		//> s 1 sink = 1
		/* fall through */
	case 2:
		sink = 2;
		//> s 2 sink = 2
		break;
		//> s 2 break
	case 3: case 4:
		return 34;
		//> s 2 34
	default:
		goto out;
		//> s 6 goto out
	}
	sink = 5;
	//> s 2 sink = 5
out:
	return sink;
	//> s 8 sink
}

/* ---- expressions ---- */

struct pair { int a, b; };

static int
expressions(int i)
{
	int list[3] = { i, i + 1, second(i) };
	//> s 10 list[3] = { i, i + 1, second(i) }
	struct pair p = { .a = i, .b = 2 }, *q = &p;
	//> s 10 p = { .a = i, .b = 2 } | s 10 q = &p
	q->a = first(i), p.b += second(i);
	//> s 10 q->a = first(i) | s 10 first(i) | s 10 p.b | s 10 += | s 10 second(i)
	list[i % 3] <<= 1;
	//> s 10 list[i % 3] <<= 1
	sink = ((struct pair){ i, third(i) }).b;
	//> s 10 sink = ((struct pair){ i, third(i) }).b | s 10 { i, third(i) }
	sink = -list[0] + ~i * (sink ? 1 : 2) % 7 - sizeof(list);
	//> s 10 sink = -list[0] + ~i * (sink ? 1 : 2) % 7 - sizeof(list) | s 10 ~i | o 10 sink#2 |
	//> o 9 1 | o 1 2
	return first(i) ? first(second(i)) : third(i);
	//> o 10 first(i) | o 9 first(second(i)) | o 1 third(i)
}

/* ---- macros ---- */

#define TWICE(x) ((x) + (x))
//> d 30 ((x) + (x))
#define NEVER(x) (zero ? (x) : 0)
//> d 10 zero | d 0 (x)#2 | d 10 0
#define UNUSED(x) 7
#define EITHER(a, b) ((a) || (b))
//> d 20 (a) | d 14 (b)
#define CONDITIONAL(c, a, b) ((c) ? second(a) : third(b))
//> d 30 (c) | d 12 second(a) | d 18 third(b)
#define OUTER(x) CONDITIONAL(x, 1, 2)
#define STATEMENT(x) do { if (x) sink = 1; else sink = 2; } while (0)
//> d 10 (x)#2 | d 3 sink = 1 | d 7 sink = 2

#define LOOP(n, body) for (int k = 0; k < (n); k++) { body; }
//> d 10 k | d 50 k < (n) | d 40 k++
#define RETURN(x) do { sink = (x); return; } while (0)
//> d 1 sink = (x) | d 1 return
#define ONE 1
#define TWO (ONE + 1)

static void
macros(int i)
{
	sink = TWICE(first(i));
	//> s 10 sink = TWICE(first(i)) | m 10 TWICE(first(i)) | s 20 first(i)
	sink = TWICE(second(3));
	//> s 10 sink = TWICE(second(3)) | m 10 TWICE(second(3)) | s 20 second(3)
	sink = TWICE(i * 3);
	//> s 10 sink = TWICE(i * 3) | m 10 TWICE(i * 3)
	sink = NEVER(first(i));
	//> s 10 sink = NEVER(first(i)) | m 10 NEVER(first(i)) | s 0 first(i)
	sink = EITHER(i == 2, first(i) > 4);
	//> s 10 sink = EITHER(i == 2, first(i) > 4) | m 10 EITHER(i == 2, first(i) > 4) |
	//> s 9 first(i)
	sink = EITHER(i > 4, second(i));
	//> s 10 sink = EITHER(i > 4, second(i)) | m 10 EITHER(i > 4, second(i)) | s 5 second(i)
	sink = CONDITIONAL(i < 3, i, i);
	//> s 10 sink = CONDITIONAL(i < 3, i, i) | m 10 CONDITIONAL(i < 3, i, i)
	sink = CONDITIONAL(first(i) < 6, i, i);
	//> s 10 sink = CONDITIONAL(first(i) < 6, i, i) | m 10 CONDITIONAL(first(i) < 6, i, i) |
	//> s 10 first(i)
	sink = OUTER(i < 4 && i != 1);
	//> s 10 sink = OUTER(i < 4 && i != 1) | m 10 OUTER(i < 4 && i != 1) | o 10 i < 4 |
	//> o 4 i != 1
	sink = HEADER_MAX(i, 6);
	//> s 10 sink = HEADER_MAX(i, 6) | m 10 HEADER_MAX(i, 6)
	STATEMENT(i > 6);
	//> m 10 STATEMENT(i > 6)
	LOOP(4, sink++);
	//> m 10 LOOP(4, sink++) | s 40 sink++
	if (i == 3)
		//> s 10 (i == 3)
		RETURN(i);
		//> m 1 RETURN(i)
	sink = ONE + first(TWO);
	//> s 9 sink = ONE + first(TWO) | s 9 first(TWO)
}

/* X macros: each item counts by itself, the definition shows their sum. */
#define ITEMS(X) X(one, 1) X(two, i) X(three, second(i))
//> d 10 one | d 10 two | d 10 second(i)
#define ITEM(name, value) int name = value;

static int
items(int i)
{
	ITEMS(ITEM)
	//> m 10 ITEMS(ITEM)
	return one + two + three;
	//> s 10 one + two + three
}

static int kind_int(int n) { return n; }
static int kind_pointer(void *p) { return p != 0; }
#define KIND(x) _Generic((x), int: kind_int, default: kind_pointer)(x)
//> d 20 _Generic

static int
generic(int i)
{
	int *p = i > 5 ? &i : 0;
	//> s 10 p = i > 5 ? &i : 0 | o 10 i > 5 | o 4 &i | o 6 0
	return KIND(i) + KIND(p);
	//> s 10 KIND(i) + KIND(p) | m 10 KIND(i) | m 10 KIND(p)
}

int
main(void)
{
	for (int i = 0; i < 10; i++) {
		conditionals(i);
		loops(i);
		prefixes(i);
		arguments(i);
		choose(i);
		expressions(i);
		macros(i);
		items(i);
		generic(i);
		sink = in_header(i) + in_header_again(i);
	}
	return 0;
}
