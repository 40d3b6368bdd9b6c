#!/bin/bash
# Completion in bash: what is offered is what cgview takes.
. tests/tui/lib.sh
. "$top/completions/cgview.bash"
PATH=$BUILD:$PATH

# offers WORDS... : complete the last word; the replies, one a line, sorted
offers()
{
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	_cgview
	printf '%s\n' "${COMPREPLY[@]}" | sort
}

equal() # equal NAME WANTED GOT
{
	[ "$2" = "$3" ] || { echo "# wanted: $2"; echo "# got: $3"; }
	[ "$2" = "$3" ]
	verdict $? "$1"
}

has() # has NAME WORD... < REPLIES
{
	local name=$1 got status=0
	shift
	got=$(cat)
	for word; do grep -qxF -e "$word" <<< "$got" || { echo "# not offered: $word"; status=1; }; done
	verdict $status "$name"
}

complete -p cgview | grep -q _cgview
verdict $? 'bash knows it'
offers cgview '' | has 'commands and profiles' record report browse sample.db
equal 'a command' 'record' "$(offers cgview rec)"
equal 'every command of cgview help' "$(cgview help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | sort)" \
	"$(offers cgview help '')"
for command in browse record watch import report merge pin annotate bands export diff; do
	wanted=$(cgview $command --help | grep -oE '^ +(-[a-zA-Z], )?-(-[a-z-]+|[a-zA-Z])\b' | tr -d ' ' | tr ',' '\n' | sort -u)
	equal "the options of $command" "$wanted" "$(offers cgview $command - | sort -u)"
done
offers cgview sample.db --d | has 'options of the browser' --dark
offers cgview report --by '' | has 'what rows can be' procedure block site line file arc cycle note
bad=$(for word in $(offers cgview report --by ''); do
	cgview report --by "$word" sample.db > /dev/null 2>&1; [ $? = 2 ] && echo "$word"; done)
equal '... and each is taken' '' "$bad"
offers cgview report --of '' | has 'kinds of a comparison' procedure range arc
offers cgview report --by span --of '' | has 'what a span is told apart by' producer module disposer
equal 'formats' 'csv json lines text' "$(offers cgview report --format '' | xargs)"
equal 'whose self time' 'centre own pc' "$(offers cgview report --self '' | xargs)"
equal 'heat without a profile' 'count self total wait' "$(offers cgview annotate --heat '' | xargs)"
"$BUILD/tests/make-measures" sample.db measures.db
offers cgview annotate measures.db --heat '' | has '... of a profile' count self total faults total_bytes
offers cgview report --by tree measures.db --measure '' | has 'measures of stacks' time bytes faults
offers cgview export --format '' | has 'formats of other tools' folded
"$BUILD/tests/make-profile" stacks.db
offers cgview export --format folded stacks.db --measure '' | has 'measures of a format' samples time
offers cgview report --sort '' | has 'columns to sort by' calls self_ns total_ns
offers cgview report measures.db --sort '' | has '... and of the profile' calls self_bytes total_faults
offers cgview report --by line --sort '' | has '... of the rows asked for' count line
equal 'procedures of the profile' 'hash' "$(offers cgview report sample.db --caller has)"
offers cgview report '' | has 'files' sample.db changed.c
offers cgview record -- ./cha | has 'a program and its arguments' ./changed.c
offers cgview record -- ./changed.c --wall | grep -q -- --wall
[ $? -ne 0 ]
verdict $? '... whose options are its own'
equal 'nothing where cgview is not there' '' "$(PATH=/usr/bin:/bin; offers ./no/cgview '')"

# Those of zsh and fish are made of the same.
"$top/tools/completions" "$BUILD/cgview" made
verdict $? 'zsh and fish: they are made'
missing=$(for command in browse record watch import report merge pin annotate bands export diff; do
	awk -v c="$command)" '$0 == c { on = 1 } on { print } on && /;;/ { exit }' made/_cgview > of.zsh
	grep "seen_subcommand_from $command'" made/cgview.fish > of.fish
	for option in $(cgview $command --help | grep -oE '^ +(-[a-zA-Z], )?-(-[a-z-]+|[a-zA-Z])\b' | tr -d ' ' | tr ',' ' '); do
		[ "$option" = -h ] && continue
		grep -q -- "'\*$option[=+[]" of.zsh || echo "# zsh: $command $option"
		case $option in --*) flag="-l ${option#--}" ;; *) flag="-s ${option#-}" ;; esac
		grep -qE -- "$flag( |$)" of.fish || echo "# fish: $command $option"
	done
done)
equal '... they have all options of all commands' '' "$missing"
if command -v zsh > /dev/null; then
	zsh -n made/_cgview
	verdict $? 'zsh reads it'
else
	echo 'skip - zsh is not installed'
fi
if command -v fish > /dev/null; then
	fishes() { fish -c "source made/cgview.fish; complete -C '$1'" | cut -f1; }
	export HOME=$PWD
	fishes 'cgview rep' | has 'fish offers commands' report
	fishes 'cgview report --by ' | has '... what an option takes' procedure block span
	fishes 'cgview record --wa' | has '... options' --wall
else
	echo 'skip - fish is not installed'
fi
