# What the tests of the database share. Source it from the top of the tree.
top=$PWD
BUILD=${BUILD:-build}
build=$(cd "$BUILD" && pwd)
cgview=$build/cgview
make_profile=$build/tests/make-profile
: "${TMP_DIR:?}"

# verdict STATUS NAME
verdict()
{
	if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; fi
}

# check NAME COMMAND...
check()
{
	local name=$1 out
	shift
	if out=$("$@" 2>&1); then
		echo "ok - $name"
	else
		printf '%s\n' "$out" | tail -20
		echo "not ok - $name"
	fi
}

need()
{
	local command
	for command; do
		command -v "$command" > /dev/null && continue
		echo "skip - $(basename "$0" .sh): $command is not installed"
		exit 0
	done
}

# fails NAME PATTERN COMMAND...: status 1 (of diff 2), nothing on stdout, one line on stderr, which matches.
fails()
{
	local name=$1 pattern=$2 status
	shift 2
	local wanted=1
	[[ " $* " != *"cgview diff "* ]] || wanted=2
	timeout 300 "$@" > "$TMP_DIR/fails.out" 2> "$TMP_DIR/fails.err" < /dev/null
	status=$?
	if [ "$status" = $wanted ] && [ ! -s "$TMP_DIR/fails.out" ] &&
	   [ "$(wc -l < "$TMP_DIR/fails.err")" = 1 ] &&
	   grep -qE -e "$pattern" "$TMP_DIR/fails.err"; then
		echo "ok - $name"
	else
		echo "# status $status, wanted $pattern:"
		head -c 300 "$TMP_DIR/fails.out"
		head -5 "$TMP_DIR/fails.err" | cut -c1-300
		echo "not ok - $name"
	fi
}
