#!/bin/bash
# cgcc and cgg++ print what gcc and g++ print, to the letter, and end as these do: the marks by which
# counters get their places are seen by no warning. bench/warnings does the same with real programs.
. tests/e2e/lib.sh
need_collection
sources=$here/programs/warnings
more="-Wimplicit-fallthrough=5 -Wduplicated-branches -Wduplicated-cond -Wlogical-op
	-Wnull-dereference -Wstringop-overflow=4 -Warray-bounds=2 -Wconversion -Wfloat-equal
	-Wswitch-enum -Wswitch-default -Wshadow -Wunused-const-variable=2"

# same NAME COMPILER OURS ARGUMENT...: the same messages and the same status?
same()
{
	local name=$1 theirs=$2 ours=$3 expected got
	shift 3
	"$theirs" "$@" -c -o /dev/null > "$TMP_DIR/expected" 2>&1
	expected=$?
	"$ours" "$@" -c -o /dev/null > "$TMP_DIR/got" 2>&1
	got=$?
	check "$name: same messages" diff "$TMP_DIR/expected" "$TMP_DIR/got"
	check "$name: status $expected" [ "$got" = "$expected" ]
}

# Of each GCC that has a plugin.
for plugin in "$build"/lib/cgview/cgview*.so; do
	v=${plugin##*/cgview}
	v=${v%.so}
	command -v "gcc-$v" > /dev/null && command -v "g++-$v" > /dev/null || continue
	for level in -O0 -O2; do
		for file in switches.c values.c; do
			same "$file $v $level" "gcc-$v" "$build/cgcc-$v" $level -Wall -Wextra \
				$more "$sources/$file"
		done
		same "cxx.cc $v $level" "g++-$v" "$build/cgg++-$v" $level -Wall -Wextra $more \
			"$sources/cxx.cc"
		same "constant.cc $v $level" "g++-$v" "$build/cgg++-$v" $level -std=c++20 \
			-Wall -Wextra "$sources/constant.cc"
	done
	same "json $v" "gcc-$v" "$build/cgcc-$v" -O2 -Wall -Wextra -fdiagnostics-format=json \
		"$sources/switches.c"
done

# What follows a label is a jump: nothing is fallen into.
cat > "$TMP_DIR/jumps.c" << 'END'
int f(int e)
{
	switch (e) {
	case 1:
		e = 0;
	case 2:
		break;
	case 3:
		e = 2;
	case 4:
		goto out;
	default:
		return e;
	}
	return e + 1;
out:
	return e;
}
END
for level in -O0 -O1 -O2 -O3 -Os; do
	check "a jump behind a label, $level" "$cgcc" $level -Wall -Wextra -Werror -c \
		-o /dev/null "$TMP_DIR/jumps.c"
done

# Operands that are counted are no test of a range: the message may stand elsewhere in the condition,
# but it is there, once, and of the same label.
cat > "$TMP_DIR/range.c" << 'END'
int g(void);
int f(int n)
{
	switch (n) {
	case 1:
		n = g();
		if (n < 2 || n > 6) { n = 4; goto out; };
	case 2:
		g();
	}
out:
	return n;
}
END
for level in -O0 -O1 -O2 -O3 -Os; do
	for compiler in gcc "$cgcc"; do
		LC_ALL=C "$compiler" $level -Wall -Wextra -c -o /dev/null "$TMP_DIR/range.c" 2>&1 |
			grep -E 'warning:|note:' | sed 's/:[0-9]*: warning/: warning/'
	done > "$TMP_DIR/both"
	check "a range in front of a label, $level" [ "$(uniq -c < <(sort "$TMP_DIR/both") |
		awk '{ print $1 }' | tr '\n' ' ')" = "2 2 " ]
done

# The text is read as at -O0, so what is warned of by a const variable's value is what gcc says there.
cat > "$TMP_DIR/const.c" << 'END'
unsigned f(unsigned p)
{
	const int least = 512;

	return p ? p * 2 : least;
}
END
LC_ALL=C gcc -O0 -Wall -Wextra -c -o /dev/null "$TMP_DIR/const.c" 2> "$TMP_DIR/expected"
for level in -O0 -O2; do
	LC_ALL=C "$cgcc" $level -Wall -Wextra -c -o /dev/null "$TMP_DIR/const.c" 2> "$TMP_DIR/got"
	check "a const variable, $level" diff "$TMP_DIR/expected" "$TMP_DIR/got"
done
