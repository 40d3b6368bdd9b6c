#!/bin/bash
# record --space: totals of what is called, producers behind wrappers, size classes, types. What is expected stands in
# the programs (programs/producers.c): numbers and bytes at marked lines. No sample of time is taken.
. tests/collect/space-lib.sh
source=$top/tests/collect/programs/producers.c

# total NAME: what is allocated below a procedure, and whether that is an estimate
total() { value "SELECT total_allocs, total_bytes, shared FROM procedure WHERE name = '$1'"; }
all() { value "SELECT total FROM measure WHERE name = '$1'"; }

at() { value "SELECT self_allocs, self_bytes, self_live FROM line WHERE line = $(line_of "$1") AND $(of_source)"; }

# wrapped NAME STATUS: of the mode "wrappers"
wrapped()
{
	local place mark figures
	equal "$1: status; each call of an allocator was seen" "$2|" "$status|$(notes)"
	for place in 'XMALLOC 10|100|60' 'XMALLOC2 3|300|300' 'JUMPS 5|100|100' 'XREALLOC 6|630|180' \
		'XZALLOC 7|280|280' 'ATTRIBUTE 8|400|400' 'OPTION 9|540|540' 'XSTRDUP 2|12|12' \
		'INLINED 4|280|280' 'RESIZE 5|150|0' 'NODE 3|48|48' 'VARIES 50|1275|0' 'IN_XMALLOC 0|0|0' 'IN_XREALLOC 0|0|0'; do
		read -r mark figures <<< "$place"
		equal "$1: $mark" "$figures" "$(at "$mark")"
	done
	equal "$1: who gives back: by xfree's and resize's callers" 1365 "$(
		value "SELECT sum(bytes) FROM disposal d JOIN procedure p ON p.id = d.by WHERE
			d.how = 'free' AND p.name IN ('wrappers', 'varies')")"
	equal "$1: below main is all" "$(all bytes)|0" "$(total main | cut -d'|' -f2-)"
}

for level in O0 O2 'O3 -flto' 'O2 -fno-omit-frame-pointer'; do
	name=producers-${level// /}
	must "compile wrappers at -$level" "$cgcc" -$level -w --cgview-flags=wrapper=by_option "$source" -o "$name" \
		-pthread
	spaced "$name" wrappers
	wrapped "-$level" 0
	spaced "$name" dies
	wrapped "-$level, killed" 137
	spaced "$name" threads
	equal "-$level: threads and a child of fork" "0|8000|128000|32000|" "$status|$(at WORK)|$(notes)"
	spaced "$name" recursion
	if [ "$level" != O0 ]; then
		equal "-$level: recursion with an allocator at its end does not grow the stack" "1" "$(cat out)"
	fi
done
must "compile with no-wrapper" "$cgcc" -O2 -w --cgview-flags=no-wrapper='x*' "$source" -o no-wrapper -pthread
spaced no-wrapper wrappers
equal "no-wrapper: what it allocates is its own" "70|1955|0|0|0" "$(value "SELECT self_allocs, self_bytes FROM procedure
	WHERE name = 'xmalloc'")|$(at XMALLOC)"
equal "-no-wrapper: a pattern is needed" 2 "$("$cgcc" --cgview-flags=no-wrapper= -c "$source" > /dev/null 2>&1; echo $?)"

for level in O0 O2; do
	must "compile at -$level" "$cgcc" -$level -w "$source" -o "producers-$level" -pthread

	spaced producers-$level totals
	equal "-$level: below a procedure that has all of it to itself: exact" "4|28|0 4|28|0 1|50|0 5|230|0" \
		"$(total deep) $(total alone) $(total run_thread) $(total leaf)"
	equal "-$level: below main is all" "$(all allocs)|$(all bytes)|0" "$(total main)"
	equal "-$level: below one of several callers: shares by calls, marked" "3|138|1 2|92|1" \
		"$(total small) $(total large)"
	equal "-$level: the arcs, of several of a caller and a callee the sum" "3|138|1 2|92|1 4|28|0" "$(
		value "SELECT a.total_allocs, a.total_bytes, a.shared FROM arc a JOIN procedure c ON c.id = a.caller
			JOIN procedure p ON p.id = a.callee WHERE p.name IN ('leaf', 'deep') AND
			c.name <> 'deep' ORDER BY c.name DESC" | xargs)"
	equal "-$level: report: callers" "small,138 large,92" "$("$cgview" report --by arc --callee leaf --format csv \
		--columns caller,total_bytes run.db | tr -d '\r' | tail -n +2 | xargs)"
	equal "-$level: report marks them" "1 1 0" "$("$cgview" report run.db > text; for name in small large alone; do
		grep -c "≈ .*$name " text; done | xargs)"
	"$cgview" record -F 0 --space -a -o run.db ./producers-$level totals > out 2> err
	equal "-$level: record -a: twice as much" "8|56|0 6|276|1 $(all bytes)" \
		"$(total alone) $(total small) $(total main | cut -d'|' -f2)"
	equal "-$level: of one run" "4|28 3|138" "$("$cgview" report --runs 1 --format csv --columns \
		procedure,total_allocs,total_bytes run.db | tr -d '\r' | grep -E '^(alone|small),' | sort | cut -d, -f2- |
		tr , '|' | xargs)"
	python3 "$here/parts.py" run.db
	equal "-$level: the source's margin marks them" "1 1 0" "$("$cgview" annotate --columns total_bytes run.db > text
		for call in small large alone; do grep -cE "≈ .*\\s$call\(\);" text; done | xargs)"
done

# Calls in one use of a macro have one place: which of them it was nobody can tell, and no note says that they differ.
cat > macro.c <<-'END'
	#include <stdlib.h>
	struct text { char *bytes; int odd, size, room; };
	#define ADD(t) (*(t.size < t.room ? t.bytes + t.size++ : ((t.bytes = t.bytes ? \
		realloc(t.bytes, t.room += 100) : t.odd ? malloc(t.room += 100) : malloc(t.room += 50)), \
		t.bytes + t.size++)))
	int main(void)
	{
		for (int i = 0; i < 10; i++) {
			struct text t = {0, i % 2, 0, 0};
			for (int k = 0; k < 1000; k++)
				ADD(t) = 'a';
			free(t.bytes);
		}
		return 0;
	}
END
for level in O0 O2; do
	must "compile a macro at -$level" "$cgcc" -$level -w macro.c -o macro
	spaced macro
	equal "-$level: calls at one place are judged together" "0|0|105" "$status|$(
		value "SELECT count(*) FROM note WHERE kind = 'space'")|$(all allocs)"
done

# An allocator that may be replaced by the program is a wrapper, too, whoever gets the blocks; what ends an object is not.
cat > hooks.c <<-'END'
	#include <stdlib.h>
	static void *(*get_hook)(size_t);
	static void *(*resize_hook)(void *, size_t);
	static void (*end_hook)(void *);
	static int calls;
	static void *get(size_t n) { void *p = get_hook ? get_hook(n) : malloc(n); if (!p) abort(); return p; }
	static void *resize(void *p, size_t n)
	{
		if (!p)
			return get(n);
		p = resize_hook ? resize_hook(p, n) : realloc(p, n);
		if (!p)
			abort();
		return p;
	}
	static void end(void *p) { if (p) { if (end_hook) end_hook(p); else free(p); } }
	static void *own(size_t n) { calls++; return malloc(n); }
	static void own_end(void *p) { free(p); }
	struct object { void (*close)(void *); };
	struct item { int n[10]; };
	static void dispose(struct object *o) { if (o->close) o->close(o); free(o); }
	static const struct { void *(*get)(size_t); void *(*resize)(void *, size_t); void (*end)(void *); }
		table = { get, resize, end }, *volatile with = &table;
	static void use(void)
	{
		for (int i = 0; i < 10; i++) {
			struct item *item = with->get(sizeof(*item));
			item = with->resize(item, 2 * sizeof(*item));
			with->end(item);
		}
	}
	int main(void)
	{
		use();
		get_hook = own;
		end_hook = own_end;
		use();
		struct object *o = with->get(sizeof(*o));
		o->close = NULL;
		dispose(o);
		return calls - 11;
	}
END
for level in O0 O2; do
	must "compile hooks at -$level" "$cgcc" -$level -w hooks.c -o hooks
	spaced hooks
	equal "-$level: blocks of what hooks can replace are their users'" "0|main|1|8,use|40|2400|0" "$status|$(
		value "SELECT group_concat(name || '|' || self_allocs || '|' || self_bytes) FROM (SELECT * FROM
			procedure WHERE self_allocs > 0 ORDER BY name)")|$(
		value "SELECT count(*) FROM note WHERE kind = 'space'")"
	equal "-$level: ... of the types that the results become" "struct item|1600,struct item|800,struct object|8" "$(
		value "SELECT group_concat(type || '|' || self_bytes) FROM (SELECT * FROM call_site
			WHERE self_allocs > 0 ORDER BY type, self_bytes DESC)")"
	equal "-$level: ... and given back by these" "dispose free,use free,use realloc" "$(
		value "SELECT group_concat(who) FROM (SELECT DISTINCT p.name || ' ' || d.how AS who FROM disposal d
			JOIN procedure p ON p.id = d.by ORDER BY who)")"
done

# Debug information has no linkage name of what is in an unnamed namespace or in a procedure, and another one of
# constructors: where these are inlined they are known by their places.
cat > inlined.cc <<-'END'
	#include <stdio.h>
	#include <string.h>
	namespace {
	struct table {
		table() : items(NULL) { resize(4); }
		~table() { delete[] items; }
		void resize(size_t n)
		{
			char **fresh = new char *[n];
			memset(fresh, 0, n * sizeof(*fresh));
			delete[] items;
			items = fresh;
		}
		char **items;
	};
	struct cache {
		cache();
		table t;
	};
	cache::cache() { }
	template <class T> struct box {
		explicit box(int n) : items(new T[n]) { items[0] = 1; }
		~box() { printf("%d\n", (int)items[0]); delete[] items; }
		T *items;
	};
	template <class T> void pack(int n) { box<T> b(n); }
	struct sharded {
		explicit sharded(long n) : id(n) { }
		cache shards[16];
		long id;
	};
	}
	int main(int argc, char **)
	{
		struct local {
			explicit local(int n) : text(new char[n]) { memset(text, 0, n); }
			~local() { puts(text); delete[] text; }
			char *text;
		};
		for (int i = 0; i < 3; i++) {
			sharded *s = new sharded(argc);
			local l(i + 10);
			printf("%ld\n", s->id);
			delete s;
		}
		for (int i = 0; i < 4; i++) {
			pack<int>(argc + 3);
			pack<double>(argc + 2);
			auto make = [&](int n) { short *x = new short[n]; x[0] = argc; return x; };
			short *x = make(i + 1);
			printf("%d\n", x[0]);
			delete[] x;
		}
		return 0;
	}
END
for level in O0 O2; do
	must "compile constructors at -$level" "$build/cgg++" -$level -w inlined.cc -o inlined
	spaced inlined
	equal "-$level: a constructor's blocks are its own, wherever it was inlined" \
		"9|48|1536|char *,22|4|64|int,22|4|96|double,36|3|33|char,41|3|408|sharded,49|4|20|short int 0" "$(
		value "SELECT group_concat(line || '|' || self_allocs || '|' || self_bytes || '|' ||
			replace(type, '{anonymous}::', '')) FROM (SELECT * FROM call_site
			WHERE self_allocs > 0 AND type IS NOT NULL ORDER BY line, self_bytes)") $(
		value "SELECT count(*) FROM note WHERE kind = 'space'")"
done

# What fills the blocks that it makes is no wrapper.
for level in O0 O2; do
	must "compile the example at -$level" "$cgcc" -$level "$top/examples/heap.c" -o heap-$level
	spaced heap-$level
	equal "-$level: who fills its blocks makes them" "0 1260 54006" "$(value "SELECT (SELECT sum(is_wrapper) FROM procedure), (SELECT self_allocs FROM procedure WHERE name = 'read_all'),
		(SELECT self_allocs FROM procedure WHERE name = 'make_table')" | tr '|' ' ')"
done

# So is what the attribute alloc_size says, or what looks at the block by a procedure that returns its argument; what
# walks through the block and fills it is none, nor what only hands that on.
cat > handed.c << 'EOF'
#include <stdlib.h>
#include <string.h>
void *grown(void *p, size_t n) __attribute__((alloc_size(2)));
__attribute__((noinline)) void *grown(void *p, size_t n)
{
	p = realloc(p, n);
	((char *)p)[0] = 1;
	return p;
}
static void *checked(void *p)
{
	if (!p)
		exit(3);
	return p;
}
__attribute__((noinline)) void *looked_at(size_t n)
{
	return checked(malloc(n));
}
__attribute__((noinline)) char *joined(const char *const *v, int n)
{
	size_t length = 0;
	char *all, *p;
	for (int i = 0; i < n; i++)
		length += strlen(v[i]);
	p = all = looked_at(length + 1);
	for (int i = 0; i < n; i++)
		for (const char *c = v[i]; *c; c++)
			*p++ = *c;
	*p = 0;
	return all;
}
__attribute__((noinline)) char *handed_on(const char *const *v, int n)
{
	char *all = joined(v, n);
	return all && *all ? all : NULL;
}
int main(int argc, char **argv)
{
	const char *const words[] = {"some", "words"};
	char *p = NULL;
	for (int i = 1; i <= 3 * argc; i++) {
		p = grown(p, 100 * i); /* 3 calls, 600 bytes */
		free(looked_at(7 * argc)); /* 3 calls, 21 bytes */
		free(handed_on(words, 2)); /* 3 of 10 bytes: joined's */
	}
	free(p);
	return 0;
}
EOF
for level in O0 O2; do
	must "compile handed.c at -$level" "$cgcc" -$level handed.c -o handed-$level
	spaced handed-$level
	equal "-$level: wrappers" "grown looked_at " "$(value "SELECT name FROM procedure WHERE is_wrapper ORDER BY name" | tr '\n' ' ')"
	equal "-$level: theirs is their callers'" "joined|3|30 main|6|621 " \
		"$(value "SELECT name, self_allocs, self_bytes FROM procedure WHERE self_allocs ORDER BY name" | tr '\n' ' ')"
done
