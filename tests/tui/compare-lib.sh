# Sourced by the tests of comparisons in the browser, behind lib.sh: two versions of a made-up program,
# old.db and new.db, and runs of growing size, whose figures unit-versions.c has.
"$BUILD/tests/tui/unit-versions" . || exit 1

# As in lib.sh, on several profiles; ARGUMENTS are those of cgview.
shows() # shows NAME 'ARGUMENTS' PATTERN... < STEPS
{
	local name=$1 arguments=$2 status=0
	shift 2
	rm -f shows
	{ echo "size:$SIZE"; cat; echo ':save-screen shows'; } | play $arguments || status=1
	verdict_shows $status "$name" "$@"
}
