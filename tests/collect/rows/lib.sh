# What the tests of the rows of hazards share. Source it; the current directory is the top of the
# tree; afterwards it is $TMP_DIR.
. tests/e2e/lib.sh
need_collection
need sqlite3
rows=$top/tests/collect/rows
cd "$TMP_DIR" || exit

# equal NAME EXPECTED GOT
equal()
{
	if [ "$2" = "$3" ]; then
		ok "$1"
	else
		echo "# expected: $2"
		echo "# got:      $3"
		not_ok "$1"
	fi
}

# most NAME LIMIT GOT: GOT is a number, and not above LIMIT.
most()
{
	if [ "$3" -le "$2" ]; then
		ok "$1"
	else
		echo "# at most:  $2"
		echo "# got:      $3"
		not_ok "$1"
	fi
}

# build NAME [FLAGS]: $rows/NAME.c (or .cc), profiled as ./NAME and not as ./NAME.plain
build()
{
	local name=$1 with=$cgcc without=gcc source=$rows/$1.c
	shift
	[ -e "$source" ] || source=$rows/$name.cc with=$build/cgg++ without=g++
	must "compile $name" "$with" -O2 "$source" -o "$name" "$@"
	must "compile $name without cgcc" "$without" -O2 "$source" -o "$name.plain" "$@"
}

# run PROGRAM [ARGUMENT...]: its raw profiles are in the directory raw (a new one), what it prints in
# out and err; $status is its exit status. (What bash says about signals is nobody's concern.)
run()
{
	local program=$1
	shift
	rm -rf raw
	mkdir raw
	CGVIEW_OUT=$TMP_DIR/raw/r "./$program" "$@" > out 2> err < /dev/null
	status=$?
} 2> /dev/null

# like_plain NAME PROGRAM [ARGUMENT...]: runs it with and without profiling: same output, same status. With
# plain_once=yes it runs once without profiling, for all ways in which it is compiled with it.
like_plain()
{
	local name=$1 program=$2 plain_status plain
	shift 2
	plain=plain.${*//[^a-zA-Z0-9]/_}.$program
	if [ ! "${plain_once:-}" ] || [ ! -e "$plain.status" ]; then
		"./$program.plain" "$@" > "$plain.out" 2> "$plain.err" < /dev/null
		echo $? > "$plain.status"
	fi
	cp "$plain.out" plain.out
	cp "$plain.err" plain.err
	plain_status=$(< "$plain.status")
	run "$program" "$@"
	if [ "$status" = $plain_status ] && cmp plain.out out && cmp plain.err err; then
		ok "$name"
	else
		echo "# plain: status $plain_status, $(head -c 300 plain.out plain.err)"
		echo "# profiled: status $status, $(head -c 300 out err)"
		not_ok "$name"
	fi
} 2> /dev/null

# calls PROCEDURE: in the raw profiles of the last run; the profile is run.db.
calls()
{
	rm -f run.db
	"$cgview" import -o run.db raw/*.raw > import.out 2> import.err || cat import.err >&2
	calls_in run.db "$1"
}

# calls_in DB PROCEDURE
calls_in()
{
	report "$1" procedure | awk -F, -v p="$2" '$1 == p { n += $4 } END { printf "%.0f\n", n }'
}

# by_process PROGRAM: from the raw profiles of the last run, the greatest counter of each process.
by_process() { python3 "$rows/raw.py" raw/*.raw | sort -n | tr '\n' ' ' | sed 's/ $//'; }

# raw_bytes: of disk that all raw profiles of the last run occupy
raw_bytes() { du -B1 -c raw/*.raw | awk 'END { print $1 }'; }
