# What the tests of record --space share. Source it; the current directory is the top of the tree; afterwards it is
# $TMP_DIR. Where lines of a program are asked for by their marks, $source is that program.
. tests/collect/rows/lib.sh

# value SQL: from the profile of the last run, or from $db
value() { sqlite3 "${db:-run.db}" "$1"; }

space=--space
# spaced PROGRAM [ARGUMENT...]: the profile of a run with the option $space is run.db; $status is its exit status. PROGRAM
# is one of this directory, or a command.
spaced()
{
	local program=$1
	shift
	[[ $program = */* || ! -f $program ]] || program=./$program
	rm -f run.db*
	"$cgview" record -F 0 "$space" -o run.db "$program" "$@" > out 2> err < /dev/null
	status=$?
}

# line_of MARK: the line that ends with this comment
line_of() { grep -nE "/[*/] ?$1( \*/)?$" "$source" | cut -d: -f1; }

# of_source: the condition for lines of the program's text; headers have lines of that number, too
of_source() { echo "file IN (SELECT id FROM file WHERE path LIKE '%/$(basename "$source")')"; }

# notes: what the profile tells of its space
notes() { value "SELECT group_concat(text, '; ') FROM note WHERE kind IN ('space', 'heap')"; }
