#!/bin/bash
# What keys do: each script ends on a screen of which some lines are asked for. That every
# action is exercised somewhere is what after-actions.sh asks.
. tests/tui/lib.sh

shows 'down and up' '^▌ .* lookup ' '── lookup ─' <<< $'j\nj\nk\nDown\nUp'
shows 'counts repeat a key' '^▌ .* by_name ' <<< 'text:4j'
shows 'first and last' '^▌ .* complain ' ' 10/10 ' <<< $'G\ng\nEnd\nHome\nG'
shows 'a count is a row' '^▌ .* each ' <<< 'text:3G'
shows 'paging' ' 10/10 ' <<< $'PgDn\nPgUp\nSpace\nC-f\nC-b\nC-d\nC-u\nC-d\nPgDn'

shows 'Enter goes to the source' '^▌.* 35 lookup(struct' <<< $'j\nEnter'
shows 'back and forward' '^▌.* 35 lookup(struct' <<< $'j\nEnter\nBackspace\n}'
shows 'back restores row, pane and place' '^▌ .* lookup ' '!^▌.* 35 ' \
	<<< $'j\nEnter\ntext:44G\nC-o'
shows 'the beginning of history is told' 'where you began' <<< $'Backspace'
shows 'the end of history is told' 'nothing ahead' <<< $'M-Right'

shows 'Enter on callers walks up to the call' ' 37 .*w = t->slots' '^─ callers of lookup' \
	'called at 37:28 ' '37:28  1,204,331×  in callees 1.323 s' <<< $'c\nEnter'
shows 'Enter again walks further' '^─ callers of read_all' <<< $'c\nEnter\nEnter'
shows 'Enter at the top tells where it ends' 'outside of the profile' <<< $'c\nEnter\nEnter\nEnter\nEnter'
shows 'Enter on callees goes to the procedure' ' 5 hash(const' 'callees of lookup → hash' <<< $'j\nd\nEnter'
shows 'c in the callers climbs, with the path' '^─ callers of read_all → lookup → hash ' '^▌.* main  ' \
	'Enter climb' <<< $'c\nc\nc'
shows '... as often as counted' '^─ callers of main → read_all → lookup → hash ' <<< $'c\n3\nc'
shows '... to where it ends' '^─ callers of main → read_all → lookup → hash ' 'outside of the profile' \
	<<< $'c\nc\nc\nc\nc'
shows '... and back, step by step' '^─ callers of lookup → hash ' '^▌.* read_all  ' \
	<<< $'c\nc\nc\nc\nBackspace\nBackspace'
shows '... alone on the screen, too' '^─ callers of read_all → lookup → hash ' '!^─ procedures' <<< $'c\nz\nc\nc'
SIZE=60x12 shows '... in a terminal that shows one pane' '^─ callers of main → read_all → lookup → hash ' \
	<<< $'c\nc\nc\nc'
SIZE=40x12 shows '... in a narrow one, cut in the middle' '^─ callers of main → …2… → hash ' <<< $'c\nc\nc\nc'
shows 'd in the callees descends, with the path' 'callees of main → read_all → lookup ' 'Enter descend' '!d descend' \
	<<< $'text:&main\nEnter\nd\ntext:/read_all\nEnter\nd\nd'
shows 'a path ends where the way turns' '│* callees of read_all → lookup ' \
	<<< $'c\nc\nc\nd\ntext:/lookup\nEnter\nd'
shows 'a path ends where it is left' '^─ callers of lookup ─' <<< $'c\nc\nu\nj\nk'
shows 'a call that is followed in the source is a step' 'callees of lookup → hash ' <<< $'j\nEnter\nj\nj\nEnter'

shows 'the row is what the panes show: after the tree' '^▌ .* hash ' '^─ callers of hash' ' 1/10 ' <<< $'j\nt\nH\nq'
shows '... after a search in the source' '^▌ .* each ' '^─ callers of each' ' 3/10 ' <<< $'x\ntext:/slots.i\nEnter\nu'
shows '... while it is searched' '^─ procedures .* 3/10 ' '^─ callers of each' <<< $'x\ntext:/slots.i'
shows '... after climbing' '^▌ .* main ' '^─ callers of main' <<< $'c\nc\nc\nc\nu'
shows '... after a look at a caller' '^▌ .* hash ' '^▌.*hash' '^ .* 5 hash(const' <<< $'c\nj\nk\nu'
shows '... after hot spots' '^▌ .* lookup ' '^─ callers of lookup' <<< $']\n]\n]\n]\n]\n]\nu'
shows 'a procedure that is filtered out: the panes go to the row' '^▌ .* lookup ' '^─ callers of lookup' \
	<<< $'text:&lookup\nEnter\nx\ntext:/fprintf\nEnter\nu'
shows 'other rows than procedures keep their cursor, and the panes come to it' '^▌ .* h \* 31 ' '^ .* 10 .*h \* 31' \
	'^─ callers of hash' <<< $'v\nx\ntext:/fprintf\nEnter\nu'
# What was not recorded has no view: a message says so, with the command that records it.
for key in H W ! '(' ')'; do
	SIZE=120x30 shows "$key without its data" ': cgview record --[a-z]* -- ./words -v .a file.$' '^─ procedures' '^▌ .* hash ' <<< "$key"
	SIZE=60x30 shows "... a command that has no room is not cut" ': cgview record --[a-z]*$' '^─ procedures' <<< "$key"
done
shows 'help does not say that a key of a question closes this view' '^  q  *Close this view' '!^  n q ' '!^  q n' \
	<<< $'?\ntext:/Close this\nEnter'
SIZE=120x30 shows 'estimated calls carry their interval' '≈ 5,000 .* by_count .* 1,000..8,200' \
	'≈ 3,200 .* by_name .* 0..7,200' <<< $'j\nj\nd'
shows 'Enter in the source follows a call' '^▌.* 5 hash(const' <<< $'j\nEnter\nj\nj\nEnter'
shows 'Enter on a call of several goes to its callees' 'called at 31:4 .* 8,200 calls' \
	'^.*│▌ *≈ 5,000 .* by_count' <<< $'j\nj\nEnter\ntext:31G\nEnter'
shows 'Enter on a call to the outside says so' 'less is outside of the profile' \
	<<< $'x\ntext:17G\nEnter'
SIZE=160x30 shows 'callees outside have the name of the call' ' 8,000 .* ▸ less (2)' \
	<<< $'text:&by_count\nEnter\nd'
SIZE=160x30 shows '... and each call is there' ' 8,000 .* ▾ less (2)' \
	'│▌ .* 5,000 .*   less ' ' 3,000 .*   less ' \
	<<< $'text:&by_count\nEnter\nd\nl\nl'
shows 'Enter on a name goes to its callers' '^▌ .* 1,204,331 .* lookup ' <<< $'Enter\nEnter'
shows 'no macro on a line' 'no macro is used or defined' <<< $'x\nX'
shows 'Enter where nothing is called says so' 'no call on this line' <<< $'Enter\nj\nEnter'

shows 'expressions are selected one by one' '17:27  3,000×  self 10.0 ms ±68%  in callees 10.0 ms' \
	<<< $'x\ntext:17G\nl\nl\nl'
shows 'and backward' '17:9  5,000×  self 30.0 ms' <<< $'x\ntext:17G\nl\nl\nl\nh\nh'
shows 'callees follow the selected call' 'called at 17:9 ' <<< $'x\ntext:17G\nl'
shows 'Esc gives the selection up' 'callees of by_count' <<< $'x\ntext:17G\nl\nEsc'

shows 'hot spots, hottest first' '^▌.* 9  *while' 'hot spot 2 of this file: 300 ms' <<< $'x\n]\n]'
shows 'hot spots backward' 'hot spot 1 of this file: 1.010 s' <<< $']\n]\n['
shows 'the hottest spot is the first' 'this is the hottest' <<< $']\n['
shows 'hot spots of the procedure first' '^▌.* 37 .*w = ' <<< $'j\n]\nx'

shows 'search' '^▌ .* by_name ' <<< $'text:/by\nEnter'
shows 'n and N' '^▌ .* by_count ' <<< $'text:/by\nEnter\nn\nn\nN'
shows 'search backward' '^▌ .* by_count ' <<< $'text:\\by\nEnter'
shows 'search runs while it is typed' ' lookup  ' 'search: look' <<< 'text:/look'
shows 'Esc in a search goes back' '^▌ .* hash ' <<< $'text:/look\nEsc'
shows 'letters in a prompt are letters' 'search: qQjk?' <<< 'text:/qQjk?'
shows 'an empty search takes the last one' '^▌ .* by_count ' <<< $'text:/by_\nEnter\n/\nEnter\nn'
shows 'what is not there is told' 'not found: xyzzy' <<< $'text:/xyzzy\nEnter'
shows 'n without a search' 'nothing to search for' <<< n
shows 'search in the source' '^▌.* 23 .*fprintf' <<< $'x\ntext:/fprint\nEnter'
shows 'a regular expression' '^▌.* 31 .*visit(' <<< $'x\ntext:/^[[:space:]]+vi.it\nEnter'

shows 'filter' 'only /by_/' ' 1/2 ' '!read_all' <<< $'text:&by_\nEnter'
shows 'filter while it is typed' ' 1/2 ' <<< 'text:&by_'
shows 'Esc in a filter goes back' ' 1/10 ' <<< $'text:&by_\nEsc'
shows 'Esc takes a filter off' ' 5/10 ' '!only:' <<< $'text:&by_\nEnter\nEsc'
shows 'only lists can be filtered' 'only lists' <<< $'x\n&'
shows 'editing in a prompt' 'only rows with: ab_' <<< \
	$'&\ntext:zzz\nC-u\ntext:cab z\nC-w\nBackspace\nHome\nDelete\nRight\nRight\nLeft\nEnd\ntext:_'
shows 'a prompt remembers' 'search: one' <<< $'text:/one\nEnter\ntext:/two\nEnter\n/\nUp\nUp'
shows 'and comes back' 'search: two' <<< $'text:/one\nEnter\ntext:/two\nEnter\n/\nUp\nUp\nDown'
shows 'erasing from nothing leaves a prompt' 'Enter source' '!search:' <<< $'/\nBackspace'

shows 'sort by the next column' '^▌ .* hash .*' 'total%▼' <<< $'s'
shows 'sort keeps the cursor on its row' '^▌ .* each ' ' 5/10 ' <<< $'j\nj\ns'
shows 'sort the other way' 'self%▲' ' 10/10 ' '^▌ .* hash' <<< S
shows 'sort by number' 'total▼' <<< 'text:4s'
shows 'sort by name' 'procedure▲' ' by_count ' <<< $'text::sort procedure\nEnter'
shows 'no such column' 'no column nonsense' <<< $'text::sort nonsense\nEnter'

shows 'the choice of columns' '!total% *total ' '^─ procedures' 'self *self%▼' \
	<<< $'f\nJ\nJ\nK\nJ\ntext:/Time in it and in called\nEnter\nSpace\nf'
shows 'columns as before' '^▌ \[x\] self%' <<< $'f\nJ\nr\ng'
shows 'only some rows' 'only self ≥ 5%  in /sample/src/words.c ' <<< $'text:5%\n.'
shows 'other summaries' '^─ expressions' <<< v
shows 'and back' '^─ directories' <<< V
shows 'a file of the summary' '^▌.* 10 .*h \* 31' <<< $'V\nV\nEnter'
shows 'choose a file' '^─ .*odd.c' <<< $'o\ng\nj\nEnter'
shows 'the pane after this' '^─ callers of hash' <<< $'Tab\nTab'
shows 'the pane before this' '^▌  *0  *-  *complain\|callees of hash' <<< 'S-Tab'
shows 'u and x' '^▌ .* hash ' <<< $'x\nu'
shows 'zoom' '^─ procedures' '!─ callers' ' complain ' <<< z
shows 'zoom again' 'callers' <<< $'z\nz'
shows 'zoomed callers give way to the source' '^▌.* 37 .*hash(s)' <<< $'c\nz\nEnter'
shows 'so does a zoomed summary' '^▌.* 10 .*h \* 31' '!^─ procedures' <<< $'z\n]'
shows 'marks' '^▌.* 23 ' <<< $'x\ntext:23G\n`\na\ntext:1G\n\'\na'
shows 'marks that are not set' 'nothing is marked b' <<< $'\'\nb'
shows 'marks are letters' 'letters a to z' <<< $'`\n1'

shows 'metric' 'heat: count, log' 'colours show count' <<< m
shows 'scale' 'heat: self time, even' <<< L
shows 'metric by number' 'heat: total time' <<< 'text:3m'
shows 'the legend has both ends of each step' '^  .* no code  × never executed ' '▂ 2.37 ms..5.64 ms' \
	'█ 425 ms..1.010 s' <<< $'x\nK'
shows 'and goes again' '!never executed' <<< $'x\nK\nK'
shows 'a legend without room says so' 'no room here for the legend' <<< $'size:60x10\nx\nK'
# Beside a table or a tree, of which rows stay visible.
SIZE=120x40 shows 'K in a table: what its columns are' '^─ procedures' ' hash ' '^─ legend ' '^  self  *Time in the code itself' \
	'^  self/call  *Self time of each call' '!^  code  ' '!diff/noise' <<< K
SIZE=120x40 shows '... its marks, its words' '^  ≥  *before a count: at least so many' '^  procedures  *functions' '^  arc  ' \
	'!^  in profile  ' <<< $'K\ntext:/arc\nEnter'
SIZE=120x40 shows '... once more: closed' '!^─ legend' '^▌ .* hash ' '^─ callers of hash' <<< $'K\nK'
SIZE=120x60 shows '... in the callees: what ≈ and a held estimate are' '≈ 5,000 .* by_count' '^  ≈  *before a count: an estimate' \
	'^  •  *before a count: you have set it' '^  hold  *keep an estimate' '!self, below' <<< $'j\nj\nd\nK'
SIZE=120x40 shows '... in the tree: what is below' '^─ call tree' '^  self, below .* its callees have' <<< $'t\nK'
SIZE=120x40 shows '... in the list of files: what "in profile" is' '^  in profile  *the text of the file as it was compiled' <<< $'v\nv\nv\nv\nz\nK'
SIZE=40x12 shows '... in a small terminal' '^─ legend ' <<< K
SIZE=120x40 shows '... and not of the source' '!^─ legend' 'never executed' <<< $'x\nK'
shows 'the outline, on the procedure that is looked at' '^─ procedures of .*words.c .* 4/6 ─' \
	'^▌ *27 .* each' <<< $'j\nj\nx\nO'
shows 'Enter in the outline' '^▌.* 35 lookup(struct' '^─ callers of lookup' <<< $'x\nO\ntext:/look\nEnter\nEnter'
shows 'background' '^─ procedures' <<< $'B\nB'
shows 'mouse' "the mouse is the terminal's again" <<< M
for key in r '*' 0; do # what they do: test-live.sh
	shows "$key is for programs that run" 'this program has ended: cgview watch' <<< "$key"
done
shows 'redraw' '^─ procedures' <<< C-l
shows 'scrolling sideways' ' 31…visit(' <<< $'x\ntext:31G\ntext:24\nRight'
shows 'and back' ' 31  *visit(' <<< $'x\ntext:31G\nRight\nRight\nLeft\nLeft'
shows 'to the end of a long line' '^▌ .* 8….* END };' <<< $'text:&cafe\nEnter\nEnter\ntext:8g\n$'
shows 'and to its begin' '^▌ .* 8 int a..' <<< $'text:&cafe\nEnter\nEnter\ntext:8g\n$\n^'
shows 'no farther than the longest line' 'no line here goes farther' <<< $'x\ntext:9999\nRight'
shows 'columns of the source' '^▌ .x. self .* its own time' <<< $'x\nf\nj'
shows 'are chosen' ' count  *self%  *samples │' '10,837,649  *15.7  *300 │   9 ' \
	<<< $'m\nx\nf\nj\nEnter\nj\nEnter\nj\nj\nEnter\nq'
shows 'also by name' ' count  *self  *self/x │' <<< $'x\ntext::column self/x\nEnter'
shows 'not by any name' 'no column bytes here' <<< $'x\ntext::column bytes\nEnter'
shows 'what the colours show stays' ' count  *self │' <<< $'x\nf\nj\nEnter\nq'
shows 'callers of the procedure are marked' '│→ 37 ' '!→ 9 ' <<< $'size:100x60\nx\nz\ntext:5G'
shows 'a line by its number' '^▌.* 44 int' <<< $'x\ng\ntext:44\nEnter'
shows 'a line by a count' '^▌.* 44 int' <<< $'x\ntext:44g'
shows 'not a line' 'not a line number: 4x' <<< $'x\ng\ntext:4x\nEnter'
shows 'a line that is not there' '^▌.* 52 }' <<< $'x\ntext:4000000000g'

shows 'help has first what works in this view' '─ help ─' '^  %  *Only rows with 1%' '!There: ' \
	<<< $'?\ng'
SIZE=120x40 shows 'in the source others' '^  In the view that you come from' '^  h  *In the source: select the expression before' \
	'^  g  *In the source: ask for a line' <<< $'x\n?\ng'
shows 'q closes help' '^─ procedures' <<< $'?\nq'
shows 'Esc closes help' '^─ procedures' <<< $'?\nEsc'
shows 'q in the source goes to the summary' '^▌ .* hash ' <<< $'x\nq'
shows 'Esc never leaves' 'q leaves' <<< $'Esc\nEsc\nEsc\nEsc'
shows 'help on help' '^─ help' <<< $'?\nF1\nj\nk'
shows 'search in help' 'zoom\|whole screen' <<< $'?\ntext:/whole screen\nEnter'
shows 'unknown keys say so' 'F5 does nothing here; ? shows all keys' <<< F5
shows 'keys of other views say so' 's does nothing here' <<< $'x\ns'
shows 'what : takes is told above it' '^ *sort *COLUMN  *Sort by a column' '^ *sql .*The rows of a query' '!^ *file ' \
	<<< $'text::s'
shows '... what stands behind a command' '^ *self *pc|centre|own ' '^ *centre$' '^ *pc$' <<< $'text::self '
shows '... actions, too' '^ *timeline  *The run along time' '!^ *sort ' <<< $'text::timel'
SIZE=60x12 shows '... as many as there is room for' ' and [0-9]* more$' '^ procedures\|^─ procedures' <<< $'text::'
shows 'an action by its name' '^─ diagnostics' <<< $'text::diagnostics\nEnter'
shows 'a line at the colon' '^▌.* 44 int' <<< $'x\ntext::44\nEnter'
shows 'an unknown command is a name that is asked for' 'go to: frobnicate' 'No procedure and no file has a name like this' \
	<<< $'text::frobnicate\nEnter'

# Turning has a test of its own; here nothing can be changed.
shows 'what is exact cannot be changed' 'is exact: the counts leave no choice' \
	<<< $'c\n+\n-\n=\np\n<\n>'
shows 'no pins' 'Nothing is pinned' <<< P
shows 'no cycles' 'call each other in a circle' <<< C

# Leaving, and what is written.
play <<< q && play <<< $'x\nQ' && play <<< $'text::q\nEnter'
verdict $? 'q, Q and :q leave'

play <<< $'text::w out.txt\nEnter\nx\ntext::w out2.txt\nEnter\n?\ntext::w out3.txt\nEnter'
[ "$(grep -c . out.txt)" -eq 12 ] && grep -q '1,204,331 .* hash ' out.txt &&
	[ "$(wc -l < out2.txt)" -eq 53 ] && grep -q '9,633,318  1.010 s |  *10 .*h \* 31' out2.txt &&
	grep -q 'One row down' out3.txt
verdict $? ':w writes the whole view'
# The source with the columns that are chosen, and that of the colours, as annotate writes it.
play <<< $'x\nf\nj\nSpace\nj\nSpace\nj\nj\nSpace\nq\ntext::w margin.txt\nEnter'
"$cgview" annotate --columns count,self,self%,samples --file '*words.c' sample.db |
	sed -n '/ |  line$/,$p' | head -53 | diff - margin.txt
verdict $? ':w writes the columns that are chosen'
cp out.txt kept.txt
shows ':w overwrites nothing' 'out.txt is there already' <<< $'v\ntext::w out.txt\nEnter'
cmp out.txt kept.txt
verdict $? '... and leaves the file as it was'
ln out.txt linked.txt
shows ':w! does' 'written to out.txt' <<< $'v\ntext::w! out.txt\nEnter'
cmp -s out.txt linked.txt || grep -q expression out.txt && cmp linked.txt kept.txt
verdict $? '... by a new file in its place'
shows ':w! on what is no file' 'is not a regular file' <<< $'text::w! /dev/null\nEnter'
[ -c /dev/null ]
verdict $? '... touches nothing'
shows ':w where nothing can be' 'none/such: No such file' <<< $'text::w none/such\nEnter'
shows ':w without a name' 'to which file' <<< $'text::w\nEnter'
play <<< $'text::w ~/home.txt\nEnter' && [ -s home.txt ]
verdict $? ':w ~/FILE'

# Queries of one's own.
shows ':sql' '^─ query ' 'name *calls *ms$' '^▌ hash  *1204331  1323.0' <<< \
	$'text::sql select name, calls, self_ns/1e6 as ms from procedure order by 3 desc\nEnter'
sql() { printf 'text::sql %s\nEnter\n' "$*"; }
shows '... sorted by a key' 'calls▼' '^▌ hash' ' 1/10 ' <<< "$(sql select name, calls from procedure order by name)"$'\ntext:2s\ng'
shows '... the cursor stays on its row' '^▌ by_name' <<< "$(sql select name, calls from procedure order by name)"$'\nj\ntext:2s'
shows '... the other way round' 'name▲' '^▌ by_count' <<< "$(sql select name, calls from procedure)"$'\ns\ng'
shows '... and back' 'name▼' <<< "$(sql select name, calls from procedure)"$'\ns\nS'
shows '... searched' '^▌ *lookup' <<< "$(sql select name from procedure)"$'\ntext:/lookup\nEnter'
shows '... scrolled by columns' '^▌ *1204331 *words\|^▌ *1204331$' '!hash' <<< "$(sql select name, calls from procedure)"$'\nRight\nLeft\nl'
shows '... Enter on path and line' '^▌.* 44 int' <<< "$(sql "select path, 44 as line from file where path like '%words.c'")"$'\nEnter'
shows '... Enter on a procedure' '^▌.* 35 lookup(struct' <<< "$(sql "select 'lookup' as procedure")"$'\nEnter'
shows '... Enter on neither' 'leads nowhere' <<< "$(sql select 1)"$'\nEnter'
shows '... nothing' 'No row.' <<< "$(sql select 1 where 0)"
shows '... tables' 'table *column *type' 'arc *caller  *integer' <<< 'text::sql'$'\nEnter'
shows '... an error is shown at its place' 'no such column: foo' 'select foo from procedure' '^  *\^$' \
	'Up bring the query back' <<< "$(sql select foo from procedure)"
[ "$(awk '/select foo from/ { a = index($0, "foo") } /^ *\^$/ { b = index($0, "^") } END { print (a == b && a > 0) }' shows)" = 1 ]
verdict $? '... exactly'
shows '... and can be mended' ':sql select foo from procedure' <<< "$(sql select foo from procedure)"$'\n:\nUp'
shows '... nothing but SELECT' 'only SELECT is possible' <<< "$(sql delete from procedure)"

shows '... not too many rows' '1/100,000, there are more' <<< "$(sql 'with recursive c(x) as (select 1 union all select x+1 from c) select x from c')"
shows '... hostile texts' '\^\[\[31m<9B><U+202E>' <<< "$(sql "select char(27) || '[31m' || char(155) || char(8238)")"
play <<< "$(sql select name, calls from procedure order by calls desc limit 2)"$'\ntext::w query.txt\nEnter'
printf 'name      calls\nhash    1204331\nlookup  1204331\n' | cmp - query.txt
verdict $? '... written by :w'

# Completion at the colon.
shows 'Tab completes a command' ':estimate' <<< $'text::est\nTab'
shows '... as far as it is clear' ':so *.*sort  *.*source' <<< $'text::so\nTab'
shows '... an action' ':diagnostics' <<< $'text::diag\nTab'
shows '... what stands behind a command' ':estimate spread' <<< $'text::estimate sp\nTab\ntext:a\nTab'
shows '... a column' ':sort total' <<< $'text::sort to\nTab'
shows '... nothing' 'nothing fits' <<< $'text::xyz\nTab'
shows '... elsewhere it does nothing' 'search: so' <<< $'text:/so\nTab'
shows 'help lists the commands' ':sql SELECT' ':w! FILE' <<< $'?\ntext:/^:sql\nEnter'

# Threads: one, two, a run, none of them, all again.
"$BUILD/tests/tui/unit-sample" threads.db threads
cp sample.db whole.db
cp threads.db sample.db
shows 'a thread alone' 'only thread 2 of 3' <<< $'T\nEnter'
shows '... with its calls' ' 602,165 *hash' <<< $'T\na'
shows '... in the diagnostics' 'all figures are those of thread 2 of 3 only' <<< $'T\nEnter\nD'
shows 'marked threads' 'only threads 2, 3 of 3' <<< $'T\nSpace\nG\nSpace\nEnter'
shows 'a run' 'only threads 1, 2 of 3' <<< $'T\ng\nEnter'
shows '... unmarked again' '─ runs and threads ─.* 2 runs of different commands ─.* 3 threads ─' <<< $'T\ng\nSpace\ng\nSpace'
shows '... and the rest beside it are all' 'all threads are shown' <<< $'T\ng\nSpace\nG\nSpace\nEnter'
shows 'all threads again' ' 1,204,331 *hash' <<< $'T\nj\nEnter\nT\nA'
shows 'the cursor stays' '^▌.* lookup' <<< $'j\nT\nj\nEnter\nT\nA'
shows 'threads by time: what took most is first' '^▌ *2  *reader' <<< T
shows 'arcs of some threads cannot be changed' 'arcs are changed in the whole profile' \
	<<< $'T\nj\nEnter\nP'
python3 -c 'import sqlite3; c = sqlite3.connect("sample.db")
c.execute("UPDATE part SET cpu_ns = 0 WHERE id = 1"); c.commit()'
shows 'a thread that was never sampled' '^ *1  *words  *-  *- [ ]*482  *6,986,264  77' <<< T
shows '... shares are of the others' '^▌ *2  *reader .* 956 ms  *66.7 █' <<< T
shows 'threads by number' '^▌ *2 ' 'sorted by thread, smallest first' <<< $'T\ntext::sort thread\nEnter'
shows '... run by run' '^▌ *1  *words ' <<< $'T\ntext::sort thread\nEnter\ng\nj\nj'
shows '... from the last: runs stay' '^  run 1' '^▌ *2  *reader ' <<< $'T\ntext::sort thread\nEnter\nS\ng\nj\nj'
shows '... only those of a name' 'only /reader/ .* 1 thread ' '![0-9]  *words ' 'run 2 ' <<< $'T\ntext:&reader\nEnter'
shows '... without a column' '!samples' <<< $'T\ntext:f/samples\nEnter\nSpace\nf'
mv whole.db sample.db
shows 'a profile that tells no threads apart' 'there is nothing to choose from' <<< $'T\nEnter'

shows 'copying is off' 'the clipboard is not used: "set clipboard on" in' <<< y

# The editor gets its arguments as they are: no shell looks at them.
hostile="it's \$(touch pwned) \"; touch pwned #.c"
printf '#!/bin/bash\nprintf "%%s\\n" "$@" > edited\n' > editor
chmod +x editor
VISUAL="$TMP_DIR/editor -x  -y" play <<< $'text:&by_name\nEnter\nEnter\ne'
printf '%s\n' -x -y +2 ./changed.c | cmp - edited
verdict $? 'e opens $VISUAL at the line'
rm -f edited
EDITOR="$TMP_DIR/editor" play <<< $'text:&by_name\nEnter\nEnter\nj\nj\ne'
printf '%s\n' +2 ./changed.c | cmp - edited
verdict $? 'e takes $EDITOR when there is no $VISUAL'
# Where the file has changed the line is the one that it became.
edits() # edits NAME TEXT LINE KEYS MESSAGE: TEXT is the file now
{
	printf "$2" > changed.c
	rm -f edited
	EDITOR="$TMP_DIR/editor" shows "$1: it is told" "$5" <<< $'text:&by_name\nEnter\nEnter\n'"$4"e
	printf '%s\n' "+$3" ./changed.c | cmp - edited
	verdict $? "$1"
}
edits 'e in a file with lines before' '/* new */\n\nint\nchanged(int x)\n{\n\treturn x + 1;\n}\n' 6 $'j\nj\n' \
	'the file has changed: line 4 is line 6 now'
edits '... with the line itself changed' 'int\nnew(void);\nint\nchanged(int x)\n{\n\treturn x + 2;\n}\n' 6 $'j\nj\n' \
	'line 4 is line 6 now'
edits '... with lines less' 'changed(int x)\n{\n\treturn x + 1;\n}\n' 3 $'j\nj\n' 'line 4 is line 3 now'
edits '... without the line' 'int\nchanged(int x)\n{\n}\n' 4 $'j\nj\n' 'line 4 is not in the file any more: it stood before line 4'
edits '... where the line stayed' 'int\nchanged(int x)\n{\n\treturn x + 1;\n}\n/* more */\n' 4 $'j\nj\n' '!line 4'
edits '... where all is gone' '' 1 $'j\nj\n' 'line 4 is not in the file any more'
printf 'int changed;\n' > changed.c
EDITOR="/nonexistent/editor" shows 'an editor that is not there' 'could not be started' \
	<<< $'text:&by_name\nEnter\nEnter\ne'
shows 'e without a file on disk' '/sample/src/words.c: No such file' <<< e
rm -f pwned
VISUAL='touch pwned; ./editor $(touch pwned)' play <<< $'text:&by_name\nEnter\nEnter\ne'
[ ! -e 'pwned' ] || [ -e 'pwned;' ]
verdict $? 'no shell sees $VISUAL'

# The tree has tests of its own; here each of its keys has a meaning.
play <<< $'t\nl\nh\n*\n-\nH\nz\nz\nI\nI\nA\nA\na\nw\nf\ni\ni\nq'
verdict $? 'keys of the tree of calls'

shows 'all threads again' 'all threads are shown' '^─ procedures' <<< $'T\nA'

# Profiles in which something is missing say what, and how to get it.
partial() # partial NAME SQL PATTERN...
{
	local name=$1 sql=$2 status=0 pattern
	shift 2
	cp sample.db partial.db
	python3 -c 'import sqlite3, sys; db = sqlite3.connect("partial.db")
for statement in sys.argv[1].split(";"): db.execute(statement)
db.commit()' "$sql"
	{ echo size:100x30; echo ':save-screen shows'; echo D; echo ':save-screen notes'; } | play partial.db || status=1
	grep -H '' shows notes > both
	for pattern; do
		grep -q -e "$pattern" both || { echo "# there is no: $pattern"; status=1; }
	done
	[ $status -eq 0 ] || sed 's/^/# /' shows
	verdict $status "$name"
}
none='DELETE FROM note; UPDATE totals SET notes = 0'
partial 'an empty profile' "$none; DELETE FROM procedure; UPDATE totals SET procedures = 0" \
	'shows: this profile is empty: build the program with cgcc' 'shows:  *This profile has no procedures' \
	'notes: *There is nothing in this profile'
partial 'nothing was executed' "$none; UPDATE totals SET blocks_executed = 0" \
	'shows: nothing of this program was executed' 'D tells how'
partial 'only counts' "$none; UPDATE totals SET self_samples = 0, self_ns = 0; UPDATE run SET samples = 0" \
	'shows: Counts only, no time; why: D' 'calls▼' 'notes:.*none: the run was too short'
partial 'nothing special: what the keys are' "$none" 'shows: Enter source  c callers'
partial 'the hottest row is selected' "$none" 'shows:▌ .* hash '

# The keys that help tells for a task lead where it says.
printf 'size:100x45\ntext:?\n:save-screen help\n' | play
while IFS='|' read -r task title; do
	keys=$(sed -n "s/^ *\(\([^ ]\{1,5\} \)\{1,4\}\)  *$task.*/\1/p" help)
	[ -n "$keys" ] || echo "# help has no task: $task"
	{ printf '%s\n' ${keys} | sed 's/^.$/text:&/'; echo ":save-screen last"; } | play
	grep -q -e "$title" last && [ -n "$keys" ]
	verdict $? "help: $task"
done << 'END'
Why is this hot|^─ callers of hash ─
Where all the time goes|^─ call tree ─.* levels ─
Who calls this|^─ callers of lookup → hash ─
All callers of this at once|^─ callers of hash ─
The hottest expressions|^─ expressions ─
Find dead code|^─ never executed
What the columns|^─ legend
END
mkdir -p rebound/cgview
echo 'bind generic x never' > rebound/cgview/config
printf 'size:100x45\ntext:?\n:save-screen help\n' | XDG_CONFIG_HOME=$TMP_DIR/rebound play
grep -q '^  x  *Find dead code' help
verdict $? "help: a task has the user's own keys"
