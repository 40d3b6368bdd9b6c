#!/bin/bash
# Who may read what: profiles are their owner's, and nothing gets into one that the owner of the raw
# profile could not read himself.
set -u
. tests/db/lib.sh
need sqlite3 setpriv
cd "$TMP_DIR" || exit 1
chmod 755 .
state() { sqlite3 "$1" "SELECT state FROM file WHERE path LIKE '%/$2'"; }
mode() { stat -c %a "$1"; }

cp "$top/examples/heap.c" examples_heap.c
cat > main.c <<'END'
#include "part.h"
int main(void) { return part(0); }
END
echo 'static inline int part(int x) { return x; }' > part.h
"$build/cgcc" -g -o main main.c || exit 1
umask 0
CGVIEW_OUT=$PWD/main ./main
mv main.*.raw main.raw

# ---- modes ----

"$cgview" import -o new.db main.raw 2> err
check "a profile is its owner's alone" [ "$(mode new.db)" = 600 ]
"$cgview" import -o new.db main.raw 2> err
check "... and what is kept of the one before" [ "$(mode new.db.old)" = 600 ]
"$cgview" diff -o diff.db new.db new.db.old > out 2> err
"$cgview" merge -o merged.db new.db 2> err
"$cgview" record -o run.db -- ./main 2> err
check "... of diff, merge and record" [ "$(mode diff.db)$(mode merged.db)$(mode run.db)" = 600600600 ]
printf ':save-screen screen\ntext::w rows\nEnter\n' > script
CGVIEW_SCRIPT=script "$cgview" new.db
check "... and what the browser writes" [ "$(mode screen)$(mode rows)" = 600600 ]
umask 022

# ---- without sources ----

for command in "import main.raw" "record ./main"; do
	rm -f none.db
	# shellcheck disable=SC2086
	set -- $command
	"$cgview" "$1" -o none.db --sources none "$2" 2> err
	check "$1 --sources none: no text" [ "$(sqlite3 none.db 'SELECT count(text_zlib) FROM file')" = 0 ]
	check "... each file says so" [ "$(sqlite3 none.db 'SELECT group_concat(DISTINCT state) FROM file')" = withheld ]
	check "... nothing of it is in the file" [ "$(grep -c 'inline int' none.db)" = 0 ]
	check "... the counts are" [ "$(sqlite3 none.db "SELECT calls FROM procedure WHERE name = 'part'")" = 1 ]
done
printf 'text:/main\nEnter\nEnter\n:save-screen screen\n' > script
CGVIEW_SCRIPT=script "$cgview" none.db
check "the browser tells how to see it" grep -q 'e opens the file in the editor' screen
"$cgview" import --sources some -o none.db main.raw 2> err
check "another word is refused" [ "$?$(grep -c 'it is all or none' err)" = 21 ]
"$cgview" import -o all.db --sources all main.raw 2> err
check "--sources all: there are texts" [ "$(state all.db main.c)" = stored ]

# ---- what is no source ----

cat > odd.c <<'END'
int main(void) {
	int x = 0;
# 1 "/proc/self/environ"
	x++;
# 1 "/dev/zero"
	x++;
# 1 "/sys/kernel/mm/transparent_hugepage/enabled"
	x++;
# 1 "pipe"
	x++;
# 1 "link.c"
	x++;
	return x == 0;
}
END
mkfifo pipe
echo "linked" > linked.c
ln -s linked.c link.c
"$build/cgcc" -g -o odd odd.c && CGVIEW_OUT=$PWD/odd ./odd && mv odd.*.raw odd.raw
timeout 60 "$cgview" import -o odd.db odd.raw 2> err
check "a FIFO and devices are not waited for" [ $? = 0 ]
check "... what the kernel makes up is no text" [ -z "$(sqlite3 odd.db "SELECT path FROM file
	WHERE state IN ('stored', 'stale') AND (path LIKE '/proc/%' OR path LIKE '/dev/%' OR
	path LIKE '/sys/%' OR path LIKE '%/pipe')")" ]
check "... a link to a source is one" [ "$(state odd.db link.c)" != "" -a "$(state odd.db link.c)" != missing ]

# ---- somebody else's raw profile ----

[ "$(id -u)" = 0 ] || { echo "skip - privacy: only root can be another user"; exit 0; }
user=65534
setpriv --reuid=$user --regid=$user --clear-groups true || {
	echo "skip - privacy: there are no other users here"; exit 0; }
# Nothing is written through a link of his: whatever writes a file that is named goes one way.
"$build/cgcc" -O1 -w -g -o heap examples_heap.c && "$cgview" record --space -o space.db -- ./heap > /dev/null 2> err
through() # through NAME LINK COMMAND...: to a link of his that leads to a file of ours, and to nothing
{
	local name=$1 link=$2 to
	shift 2
	for to in new.db nothing; do
		rm -f "$link" nothing victim
		[ $to = nothing ] || cp new.db victim
		ln -s victim "$link"
		chown -h $user "$link"
		"$@" > out 2> err
		[ $? != 0 ] && grep -q "another user's link\|is there already" err screen out 2> /dev/null && [ -L "$link" ] &&
			if [ $to = nothing ]; then [ ! -e victim ]; else cmp -s new.db victim; fi
		check "$name writes through no link of another user (to $to)" [ $? = 0 ]
	done
	rm -f "$link" victim
	ln -s victim "$link" # but through one of our own
	"$@" > out 2> err
	check "... but through one's own" [ -s victim -a -L "$link" ]
	rm -f "$link" victim screen
}
through record theirs.db "$cgview" record -o theirs.db -- ./main
through import theirs.db "$cgview" import -o theirs.db main.raw
through merge theirs.db "$cgview" merge -o theirs.db run.db
through diff theirs.db "$cgview" diff -o theirs.db new.db new.db
through "bands -o" theirs.svg "$cgview" bands -o theirs.svg space.db
echo ':save-screen theirs.txt' > script
through ':save-screen' theirs.txt env CGVIEW_SCRIPT=script "$cgview" new.db
for over in '' '!'; do
	printf 'text::w%s theirs.txt\nEnter\n:save-screen screen\n' "$over" > script
	through ":w$over" theirs.txt bash -c 'CGVIEW_SCRIPT=script "$0" new.db; grep -q "written to" screen' "$cgview"
done

mkdir mine hers
chmod 700 mine
chmod 755 hers
echo 'secret of the importer' > mine/secret.c
echo 'readable only by root' > hers/closed.c
chmod 600 hers/closed.c
echo 'of her group' > hers/group.c
chgrp $user hers/group.c
chmod 640 hers/group.c
echo 'hers' > hers/own.c
chown $user hers/own.c
chmod 600 hers/own.c
ln -s "$PWD/mine/secret.c" hers/link.c
cat > hers/leak.c <<END
int main(void) {
	int x = 0;
# 1 "$PWD/mine/secret.c"
	x++;
# 1 "$PWD/hers/closed.c"
	x++;
# 1 "$PWD/hers/link.c"
	x++;
# 1 "$PWD/hers/group.c"
	x++;
# 1 "$PWD/hers/own.c"
	x++;
# 1 "$PWD/hers/gone.c"
	x++;
	return x == 0;
}
END
"$build/cgcc" -g -o hers/leak hers/leak.c || exit 1
CGVIEW_OUT=$PWD/hers/leak ./hers/leak
mv hers/leak.*.raw hers/leak.raw
chown $user hers/leak.raw

states() { for f in secret closed link group own gone; do printf '%s ' "$(state "$1" $f.c)"; done; }
"$cgview" import -o leak.db hers/leak.raw 2> err
check "root imports another user's" [ $? = 0 ]
check "... as that user" [ "$(states leak.db | sed 's/stale/stored/g')" = "withheld withheld withheld stored stored missing " ]
check "... nothing else is in it" [ "$(sqlite3 leak.db .dump | grep -cE 'secret of|readable only')" = 0 ]
check "... a line says so" grep -q 'may not be read by the owner of the raw profile' err
check "... the counts are there" [ "$(sqlite3 leak.db "SELECT calls FROM procedure WHERE name = 'main'")" = 1 ]
# Of those that began here: another test may have some of that user.
left() { for p in $(ps -u $user -o pid=); do readlink "/proc/$p/cwd"; done | grep -xF "$PWD"; }
check "... no process is left" [ -z "$(left)" ]

chmod 700 hers/leak
fails "a program that she may not read" 'the owner of the raw profile .* may not read it' \
	"$cgview" import -o other.db hers/leak.raw
check "... no profile" [ ! -e other.db ]
chmod 755 hers/leak

# Of two users: both must be allowed to, whoever comes first. One has no name, and the group of nobody,
# which the first may have, too.
third=65533
both() # both STATUS NAME RAW...
{
	local wanted=$1 name=$2
	shift 2
	rm -f both.db
	"$cgview" import -o both.db "$@" 2> err
	check "$name" [ $? = "$wanted" ]
}
for n in 1 2; do
	CGVIEW_OUT=$PWD/hers/run$n ./hers/leak
	mv hers/run$n.*.raw hers/run$n.raw
done
chown $user hers/run1.raw
chown $third hers/run2.raw
group=$([ "$(stat -c %g hers/group.c)" = 65534 ] && echo stored || echo withheld)
both 0 "root imports those of two users" hers/run1.raw hers/run2.raw
check "... what one of them may not read is not in it" [ "$(states both.db | sed 's/stale/stored/g')" = \
	"withheld withheld withheld $group withheld missing " ]
check "... the counts are those of both" \
	[ "$(sqlite3 both.db "SELECT calls FROM procedure WHERE name = 'main'")" = 2 ]
chown $user hers/leak
chmod 700 hers/leak
both 0 "her own program, which nobody else may read" hers/run1.raw
both 1 "... not for another one's run" hers/run2.raw
check "... who has no name" grep -q "(user $third) may not read it" err
both 1 "... nor with hers" hers/run1.raw hers/run2.raw
both 1 "... nor before hers" hers/run2.raw hers/run1.raw
check "... which is told" grep -q "(user $third) may not read it" err
chown root hers/leak
chmod 755 hers/leak

# Who is not root: what is hers, or anybody's.
mkdir third && chown $third third
cp hers/leak.raw third/leak.raw
chown $user third/leak.raw
chmod 644 third/leak.raw
echo 'of the third' > third/private.c
chown $third third/private.c
chmod 600 third/private.c
if setpriv --reuid=$third --regid=$third --clear-groups test -x "$cgview"; then
	sed "s|$PWD/mine/secret.c|$PWD/third/private.c|" hers/leak.c > hers/third.c
	"$build/cgcc" -g -o hers/third hers/third.c
	CGVIEW_OUT=$PWD/third/leak ./hers/third
	rm -f third/leak.raw
	mv third/leak.*.raw third/leak.raw
	chown $user third/leak.raw
	chmod 644 third/leak.raw
	setpriv --reuid=$third --regid=$third --clear-groups "$cgview" import -o third/leak.db third/leak.raw 2> err
	check "another user imports hers: his own file is not in it" [ "$(state third/leak.db private.c)" = withheld ]
	check "... what anybody may read is" [ "$(state third/leak.db third.c)" = stored ]
	chown $third third/leak.raw
	setpriv --reuid=$third --regid=$third --clear-groups "$cgview" import -o third/own.db third/leak.raw 2> err
	check "... of his own it is" [ "$(state third/own.db private.c)" = stale -o "$(state third/own.db private.c)" = stored ]
else
	echo "skip - another user's import: an ordinary user cannot reach $cgview here"
fi
