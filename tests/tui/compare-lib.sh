# Sourced by the tests of comparisons in the browser, behind lib.sh: two versions of a made-up program,
# old.db and new.db, and runs of growing size, whose figures unit-versions.c has.
"$BUILD/tests/tui/unit-versions" . || exit 1

# Play on a comparison; ARGUMENTS are those of cgview.
compare() # compare ARGUMENT... < STEPS
{
	cat > steps
	printf ':save-actions %s\n' "$actions" | cat - steps > script
	CGVIEW_SCRIPT=script "$cgview" "$@"
}

shows() # shows NAME 'ARGUMENTS' PATTERN... < STEPS
{
	local name=$1 arguments=$2 status=0 pattern
	shift 2
	{ echo size:100x30; cat; echo ':save-screen shows'; } | compare $arguments || status=1
	for pattern; do
		case $pattern in
		!*) grep -q -e "${pattern#!}" shows && { echo "# there is: ${pattern#!}"; status=1; } ;;
		*) grep -q -e "$pattern" shows || { echo "# there is no: $pattern"; status=1; } ;;
		esac
	done
	[ $status -eq 0 ] || sed 's/^/# /' shows
	verdict $status "$name"
}

compare_screen() # compare_screen NAME SIZE 'ARGUMENTS' < STEPS
{
	local name=$1-$2 status=0 what
	{ echo "size:$2"; cat; echo ":save-screen $name.screen"; echo ":save-roles $name.roles"; } |
		compare $3 || status=1
	for what in screen roles; do
		if [ -n "${GENERATE:-}" ]; then
			cp "$name.$what" "$screens/$name.$what"
		else
			diff "$screens/$name.$what" "$name.$what" || status=1
		fi
	done
	verdict $status "screen $name"
}
