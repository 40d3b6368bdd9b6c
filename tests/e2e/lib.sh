# What the end-to-end tests share. Source it; the current directory is the top of the tree.
top=$PWD
BUILD=${BUILD:-build}
build=$(cd "$BUILD" && pwd)
cgview=$build/cgview
cgcc=$build/cgcc
cache=$build/e2e-sources     # kept between runs, so that nothing is fetched twice
here=$top/tests/e2e
: "${TMP_DIR:?}"

ok() { echo "ok - $*"; }
not_ok() { echo "not ok - $*"; }

# skip_all WHY: nothing of this script can run here.
skip_all()
{
	echo "skip - $(basename "$0" .sh): $*"
	exit 0
}

# need COMMAND...: without one of them, skip.
need()
{
	local command
	for command; do
		command -v "$command" > /dev/null || skip_all "$command is not installed"
	done
}

# check NAME COMMAND...: the verdict is the command's status; its output is shown when it fails.
check()
{
	local name=$1 out
	shift
	if out=$("$@" 2>&1); then
		ok "$name"
	else
		printf '%s\n' "$out" | tail -40
		not_ok "$name"
	fi
}

# must WHAT COMMAND...: a step without which the rest makes no sense.
must()
{
	local what=$1
	shift
	if ! "$@" > "$TMP_DIR/must.log" 2>&1; then
		tail -30 "$TMP_DIR/must.log"
		not_ok "$what"
		exit 1
	fi
}

# fetch_source PACKAGE DIRECTORY [unpatched]: unpack Debian's source of PACKAGE into DIRECTORY. The
# system's package configuration is read, never changed: lists and caches are private.
fetch_source()
{
	local package=$1 into=$2 patched=${3:-patched} apt=$cache/apt log=$TMP_DIR/fetch.log
	local skip=
	[ "$patched" = unpatched ] && skip=--skip-patches
	need apt-get dpkg-source flock
	mkdir -p "$apt/parts" "$apt/state/lists/partial" "$apt/cache/archives/partial"
	local options=(-q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$apt/parts"
		-o Dir::State="$apt/state" -o Dir::State::status=/var/lib/dpkg/status
		-o Dir::Cache="$apt/cache" -o APT::Sandbox::User=root
		-o APT::Get::List-Cleanup=false -o Acquire::Languages=none -o Acquire::Retries=2
		-o Acquire::http::Timeout=20)
	# Other tests may want the same: it is there when all of it is.
	(
		flock 9
		ls "$cache/$package"/*.dsc > /dev/null 2>&1 && exit
		if [ ! -e "$apt/updated" ]; then
			make_source_lists "$apt/parts" && apt-get "${options[@]}" update &&
				touch "$apt/updated"
		fi
		rm -rf "$cache/$package.part" && mkdir "$cache/$package.part" &&
			cd "$cache/$package.part" || exit
		# A mirror may not have the newest that its list names.
		for version in "" $(apt-cache "${options[@]}" showsrc "$package" |
				sed -n 's/^Version: /=/p' | sort -rVu); do
			apt-get "${options[@]}" --download-only source "$package$version" && break
		done &&
			mv -T "$cache/$package.part" "$cache/$package"
	) 9> "$cache/lock" > "$log" 2>&1
	ls "$cache/$package"/*.dsc > /dev/null 2>&1 || {
		tail -3 "$log"
		skip_all "the source of $package could not be fetched (offline?)"
	}
	rm -rf "$into"
	must "unpack $package" dpkg-source $skip --no-check -x "$cache/$package"/*.dsc "$into"
}

# The system's own Debian package sources, asking for source packages instead of binary ones.
make_source_lists()
{
	local file
	rm -f "$1"/*
	for file in /etc/apt/sources.list.d/*.sources; do
		[ -e "$file" ] || continue
		awk 'BEGIN { RS = ""; ORS = "\n\n" } /URIs:[^\n]*debian/ { print }' "$file" |
			sed 's/^Types:.*/Types: deb-src/' > "$1/$(basename "$file")"
		[ -s "$1/$(basename "$file")" ] || rm "$1/$(basename "$file")"
	done
	for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
		[ -e "$file" ] || continue
		sed -n '/debian/s/^deb\(-src\)\{0,1\} /deb-src /p' "$file" |
			sort -u > "$1/$(basename "$file" .list).list"
	done
}

# need_collection: cgcc, its parts and cgview itself must have been built.
need_collection()
{
	local part
	need gcc gcov python3 make
	for part in "$cgcc" "$cgview" "$build/lib/cgview/libcgview_rt.a"; do
		[ -e "$part" ] || skip_all "$part was not built"
	done
	ls "$build"/lib/cgview/cgview*.so > /dev/null 2>&1 ||
		skip_all "the compiler plugin was not built"
}

# wait_until COMMAND...: until it succeeds; what has not come true after five minutes never will.
wait_until()
{
	local end=$((SECONDS + 300))
	until "$@"; do
		[ $SECONDS -lt $end ] || { not_ok "waited in vain: $*"; return 1; }
		sleep 0.05
	done
}

# wait_for TEXT FILE
wait_for() { wait_until grep -qs "$1" "$2"; }

# record DB COMMAND...: record; what the program and cgview say goes to $TMP_DIR/record.{out,err}.
record()
{
	local db=$1
	shift
	if ! "$cgview" record ${record_options:-} -o "$db" -- "$@" > "$TMP_DIR/record.out" 2> "$TMP_DIR/record.err"; then
		tail -30 "$TMP_DIR/record.err"
		not_ok "record $*"
		exit 1
	fi
}

# record_counts DB COMMAND...: without samples, for tests of what stands beside the counts. A sample may
# be anywhere; it adds the row (unprofiled), and orders and colours by time.
record_counts()
{
	local record_options="-F 0"
	record "$@"
}

# report DB KIND: the whole report as CSV on stdout.
report() { "$cgview" report --by "$2" --format csv "$1"; }

# lines DB: "LINE COUNT" of each line, sorted
lines() { report "$1" line | cut -d, -f2,3 | tr ',' ' ' | sort; }

# expect_of_gcov SOURCE: what gcov counts at -O0 of its lines marked "//=", "LINE COUNT", in the file "expected"
expect_of_gcov()
{
	must "compile with gcov" gcc -O0 --coverage -o counted "$1"
	must "run with gcov" ./counted
	gcov -t "counted-${1%.c}.gcda" 2> /dev/null | awk -F: '/\/\/=/ { gsub(/[ *]/, "", $1); gsub(/ /, "", $2)
		sub(/#####/, "0", $1); print $2, $1 }' | sort > expected
}

# counts_as_expected SOURCE COMPILER FLAGS...: so compiled, in the file "program", and recorded
counts_as_expected()
{
	local source=$1 compiler=$2
	shift 2
	must "compile with $*" "$compiler" "$@" -fchecking -o program "$source"
	record_counts program.db ./program
	lines program.db | join expected - | cut -d' ' -f1,3 > got
	check "$*: as gcov counts" diff expected got
}

# count_of DB PROCEDURE: how often it was called; nothing when there is no such procedure. It is asked for hundreds of
# times, and awk begins ten times as fast as python, which is for names that are quoted.
count_of()
{
	report "$1" procedure > "$TMP_DIR/count_of.csv" || return
	if grep -q '"' "$TMP_DIR/count_of.csv"; then
		python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    if row["procedure"] == sys.argv[1]:
        print(row["calls"])
' "$2" < "$TMP_DIR/count_of.csv"
	else
		name=$2 awk -F, '
			NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
			NR > 1 && $column["procedure"] == ENVIRON["name"] { print $column["calls"] }' \
			"$TMP_DIR/count_of.csv"
	fi
}

# conserved DB: the aggregate times that reach outside, from the roots, are all the time that there is,
# but for less than a nanosecond an arc.
conserved()
{
	local left
	left=$(sqlite3 "$1" "SELECT abs((SELECT sum(self_ns) FROM procedure WHERE calls > 0) -
		(SELECT sum(propagated_ns) FROM arc WHERE caller IS NULL)) <=
		(SELECT count(*) FROM arc WHERE caller IS NULL), (SELECT sum(self_ns) > 0 FROM procedure)")
	echo "$left"
	[ "$left" = "1|1" ]
}
