# bash completion for cgview. Commands, options and the words that an option takes are asked of
# cgview itself.
# zsh can use it: autoload -U bashcompinit; bashcompinit; source this file

# The words that OPTION of COMMAND takes, as the message about a wrong one lists them; it may depend on
# the profile.
_cgview_words() # _cgview_words PROGRAM COMMAND OPTION [MORE...]
{
	local files=("$(_cgview_profile)")
	[ -n "${files[0]}" ] || files=(nothing)
	[ "$2" = diff ] && files+=(nothing)
	"$1" "$2" "$3" '' "${@:4}" "${files[@]}" 2>&1 < /dev/null |
		sed -n 's/.*: \(it is\|.*it is one of\) //; t found; d; :found; s/ and \| or \|,/ /g; p; q'
}

# The first profile among the words.
_cgview_profile()
{
	local word
	for word in "${COMP_WORDS[@]:1}"; do
		[[ $word == *.db && -f $word ]] && { printf '%s\n' "$word"; return; }
	done
}

_cgview_options() # _cgview_options PROGRAM COMMAND
{
	"$1" "$2" --help 2> /dev/null < /dev/null |
		grep -oE '^ +(-[a-zA-Z], )?-(-[a-z-]+|[a-zA-Z])\b' | tr -d ' ' | tr ',' '\n'
}

_cgview_commands() # _cgview_commands PROGRAM
{
	"$1" help 2> /dev/null < /dev/null | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'
}

_cgview()
{
	local program=${COMP_WORDS[0]} current=${COMP_WORDS[COMP_CWORD]} words='' command profile
	local previous=${COMP_WORDS[COMP_CWORD - 1]} IFS=$' \t\n' by i
	COMPREPLY=()
	command=${COMP_WORDS[1]}
	type -P "$program" > /dev/null || [ -x "$program" ] || return
	if [ "$COMP_CWORD" -eq 1 ] && [[ $current != -* ]]; then
		COMPREPLY=($(compgen -W "$(_cgview_commands "$program")" -- "$current")
			$(compgen -f -X '!*.db' -- "$current"))
		compopt -o filenames 2> /dev/null
		return
	fi
	[[ " $(_cgview_commands "$program") " == *[[:space:]]$command[[:space:]]* ]] || command=browse
	# Behind a program that is recorded everything is the program's.
	if [[ $command == @(record|run|watch) ]]; then
		for ((i = 2; i < COMP_CWORD; i++)); do
			[ "${COMP_WORDS[i]}" = -- ] || continue
			COMPREPLY=($(compgen -f -- "$current"))
			[ "$i" -eq $((COMP_CWORD - 1)) ] && COMPREPLY+=($(compgen -c -- "$current"))
			compopt -o filenames 2> /dev/null
			return
		done
	fi
	case $previous in
	--by | --format | --self | --sources | --only | --color)
		words=$(_cgview_words "$program" "$command" "$previous") ;;
	--heat)
		words=$(_cgview_words "$program" "$command" "$previous")
		[ -n "$words" ] || words='self count total wait' ;;
	--measure)
		case $command in
		export) words=$(_cgview_words "$program" "$command" --measure --format folded) ;;
		*) words=$(_cgview_words "$program" "$command" --measure --by tree) ;;
		esac ;;
	--sort | --of)
		by=procedure
		for ((i = 2; i < COMP_CWORD; i++)); do
			[ "${COMP_WORDS[i - 1]}" = --by ] && by=${COMP_WORDS[i]}
		done
		words=$(_cgview_words "$program" "$command" "$previous" --by "$by") ;;
	--caller | --callee | --procedure)
		profile=$(_cgview_profile)
		# A name with blanks would have to be quoted.
		[ -z "$profile" ] || words=$("$program" report --format csv --seconds 2 \
			--sql 'SELECT DISTINCT name FROM procedure' "$profile" 2> /dev/null |
			tr -d '\r' | sed 1d | grep -v '[][ "$*?\\<>|&;()`'"'"']') ;;
	esac
	if [ -n "$words" ]; then
		COMPREPLY=($(compgen -W "$words" -- "$current"))
	elif [[ $current == -* ]]; then
		COMPREPLY=($(compgen -W "$(_cgview_options "$program" "$command")" -- "$current"))
	elif [ "$command" = help ]; then
		COMPREPLY=($(compgen -W "$(_cgview_commands "$program")" -- "$current"))
	else
		COMPREPLY=($(compgen -f -- "$current"))
		compopt -o filenames 2> /dev/null
	fi
}
complete -F _cgview cgview
