#!/bin/bash
# Measures of a profile in the browser: their columns, in all tables that have them, with few and
# with many of them, and with texts from a profile that wants to harm.
. tests/tui/lib.sh
command -v sqlite3 > /dev/null || { echo "skip - measures: sqlite3 is not installed"; exit 0; }

"$BUILD/tests/make-measures" sample.db few.db || exit 1
"$BUILD/tests/make-measures" sample.db many.db 12 || exit 1

DB=few.db SIZE=100x30
shows 'the first measure has room beside the times' 'total  *bytes  *calls' \
	'1.323 s  *69.2  *1.323 s  *366 MB  *1,204,331  hash' <<< ''
SIZE=140x40
shows 'on a wide screen there are more' 'bytes    faults  depth frames ' \
	'hash  *' '366 MB   228,795            34 ' '447 MB   279,446  *2,416,899' <<< ''
shows 'sorted by one, its column is there' 'total bytes▼' 'sorted by total bytes, largest first' \
	'424 MB    36,129.*lookup' <<< $'text::sort total bytes\nEnter'
shows 'by its name in csv, too' 'sorted by total bytes, largest first' \
	<<< $'text::sort total_bytes\nEnter'
shows 'a formula sorts' 'each▼' '12,043   19.3 MB  .*read_all' <<< $'text::sort each\nEnter'
SIZE=160x40
shows 'shares, when they are wanted' 'bytes  *bytes%' ' 366 MB  *81.9' \
	<<< $'text::column bytes%\nEnter'
shows 'rows below a share of it' 'only bytes ≥ 5%' '81.9\|366 MB' '2 of 10 procedures' \
	<<< $'text::sort bytes\nEnter\n5\n%'
SIZE=160x50
shows 'the columns have a help' 'bytes  *Bytes asked for' 'faults%  *Share of all page faults' \
	'depth  *Stack depth, in frames' 'total faults  *Page faults, with called functions' <<< 'f'
SIZE=160x40
SIZE=199x40
shows 'expressions' ' bytes    faults ' '173 MB   108,376 ' <<< 'v'
shows 'call sites have totals' ' bytes    faults ' '366 MB   228,795 .*hash(s)' <<< $'v\nv'
shows 'lines' ' bytes    faults ' '173 MB   108,376' <<< $'v\nv\nv'
shows 'files' ' bytes    faults  depth frames ' '428 MB   267,371            45 .*words.c' <<< $'v\nv\nv\nv'
shows 'directories' ' bytes .* faults .* depth frames ' '428 MB .*/sample/src\|428 MB .*src/' <<< $'v\nv\nv\nv\nv'
SIZE=160x50
shows 'callers have what their calls bring' 'calls .*time▼.* bytes .*caller' \
	'1,204,331 .* 366 MB .*lookup' <<< ''
shows 'diagnostics list them' 'Measures' 'bytes  *bytes asked for: 447 MB' 'depth  *stack depth: 45 frames' \
	'each  *bytes of each execution: bytes / count' <<< $'D\nG'
SIZE=100x30
shows 'Tab completes their names' 'bytes  bytes%\|:sort bytes' <<< $'text::sort by\nTab'

DB=many.db
for SIZE in 80x24 100x30 140x40; do
	shows "with many, what there was before stays: $SIZE" 'self%▼' 'total' 'bytes\|where' 'calls' \
		'hash' '!extra11' <<< ''
done
SIZE=140x50
shows 'all of them can be chosen' ' total extra11  *Extra number 11, with called' <<< $'f\n5\n0\nj'
SIZE=80x24
shows 'sorted by one that had no room' 'extra7▼' ' 180 M  *1,204,331  hash\|extra7' \
	<<< $'text::sort extra7\nEnter'

# What the user wants.
mkdir -p conf/cgview
export XDG_CONFIG_HOME=$TMP_DIR/conf
printf 'sort procedures total_bytes\ncolumns files self_bytes self_faults file\n' > conf/cgview/config
SIZE=140x40 DB=few.db
shows 'a configuration names them as csv does' 'total bytes▼' <<< ''
shows 'and only these' '^  *bytes    faults  file ' <<< $'v\nv\nv\nv'
printf 'sort procedures faults\ncolumns files bytes%% faults file\n' > conf/cgview/config
shows 'or by their heads' 'faults▼' <<< ''
shows '... that of shares, too' '^  *bytes%  *faults  file ' <<< $'v\nv\nv\nv'
DB=sample.db
shows 'which does no harm where there are none' 'self▼\|self%▼' '!bytes▼' <<< ''
printf 'sort procedures self_ill-named\n' > conf/cgview/config
shows 'what no measure can be called is a mistake' 'config.*1\|self_ill' <<< ''
unset XDG_CONFIG_HOME

# Compared.
cp few.db other.db
sqlite3 other.db 'UPDATE procedure SET self_bytes = self_bytes + 1000 * id'
{ printf 'size:140x40\n=\nC-u\ntext:b.total_b\nTab\n:save-screen shows\n'; } | play few.db other.db > shows.out
verdict_shows $? 'Tab completes figures of an expression' 'b.total_bytes'
{ printf 'size:140x40\n=\nC-u\ntext:b.bytes - a.bytes\nEnter\n:save-screen shows\n'; } |
	play few.db other.db > shows.out
verdict_shows $? 'an expression with a measure, in its unit' 'procedures: b.bytes - a.bytes' \
	' 366 MB  *366 MB  *+1.00 kB.*hash'

# Titles and units are whatever a profile says.
cp few.db hostile.db
sqlite3 hostile.db "UPDATE measure SET title = char(27) || '[31m' || char(10, 7, 155) ||
	replace(hex(zeroblob(3000)), '00', 'x'), unit = char(27) || '[2J' || char(8238) WHERE id > 6"
DB=hostile.db
{ echo "size:140x40"; echo f; echo ':save-screen shows'; printf 'text::w list\nEnter\nq\nD\ntext::w notes\nEnter\n'; } |
	play hostile.db > shows.out
! grep -q "$(printf '[\033\007\233]')" shows list notes && grep -q xxx list && grep -q xxx notes &&
	[ "$(wc -L < list)" -lt 200 ]
verdict $? 'texts of a measure are made harmless, and cut'
sqlite3 hostile.db "UPDATE measure SET formula = '); DROP TABLE run; --' WHERE name = 'each'"
shows 'a formula that is none is told' 'A formula is not understood, so there are no columns of: each' \
	<<< $'D\nG'
shows 'and is not shown' '!each▼' '!sorted by each' <<< $'text::sort each\nEnter'

# The only cost there is.
cp few.db counts.db
sqlite3 counts.db "UPDATE totals SET self_ns = 0, self_samples = 0; UPDATE procedure SET self_ns = 0,
	self_samples = 0"
DB=counts.db SIZE=140x40
shows 'without time the share of the first measure is there' 'bytes▼  *bytes%  *faults' \
	'366 MB  *81.9.*hash' '!faults%' <<< ''
