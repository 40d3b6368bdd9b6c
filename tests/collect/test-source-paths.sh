#!/bin/bash
# Where the texts of sources are found that are not where the compiler's name leads: generated code whose #line is as
# seen from another directory, a tree that was moved. Each text is compared with the file that was compiled.
set -u
. tests/db/lib.sh
need sqlite3
cd "$TMP_DIR" || exit 1
chmod 755 .
state() { sqlite3 "$1" "SELECT state FROM file WHERE path LIKE '%$2'" | sed 's/stale/stored/'; }
same() # same NAME DB PATH FILE: the profile's text of the source whose path ends so is that file's
{
	sqlite3 "$2" "SELECT sqlar_uncompress(text_zlib, size_bytes) FROM file WHERE path LIKE '%$3'" > text
	printf '\n' | cat "$4" - > wanted
	check "$1" diff wanted text
}

# unit DIRECTORY SOURCE NAME: a source, code of which is from NAME, lines 2 to 4
unit()
{
	mkdir -p "$1"
	cat > "$1/$2" <<EOF
static int other(int n) { return n + 1; }
int main(void)
{
	int x = other(0);
#line 2 "$3"
	x++;
	x += x;
	x -= 2;
#line 11 "$2"
	return x != 2;
}
EOF
}

grammar() # grammar FILE: a text of its own
{
	mkdir -p "$(dirname "$1")"
	printf 'rules of %s\n\tx++;\n\tx += x;\n\tx -= 2;\n' "$1" > "$1"
}

# built DIRECTORY SOURCE: in that directory, and run there; the raw profile is in the file "raw"
built()
{
	(cd "$1" && "$build/cgcc" -g -o program "$2" && CGVIEW_OUT=$TMP_DIR/run ./program) || exit 1
	mv run.*.raw raw
}

# ---- without an option ----

unit tree/bc scan.c ../../bc/bc.l # as flex and make wrote it in bc
grammar tree/bc/bc.l
built tree/bc scan.c
"$cgview" import -o bc.db raw 2> err
same "a name that is right from one directory up" bc.db /bc/bc.l tree/bc/bc.l
check "... keeps its name" [ "$(sqlite3 bc.db "SELECT count(*) FROM file WHERE path = '$PWD/bc/bc.l'")" = 1 ]
check "... and a note tells whose text it is" [ "$(sqlite3 bc.db "SELECT text FROM note WHERE kind = 'source'")" = \
	"the text of $PWD/bc/bc.l is from $PWD/tree/bc/bc.l" ]
"$cgview" annotate bc.db 2> err | grep -q 'rules of tree/bc/bc.l'
check "... annotate shows it" [ $? = 0 ]
(cd tree/bc && "$cgview" record -o ../../run.db -- ./program) 2> err
same "... record finds it, too" run.db /bc/bc.l tree/bc/bc.l
head -2 tree/bc/bc.l > short && cat short > tree/bc/bc.l
"$cgview" import -o short.db raw 2> err
check "a file with fewer lines than were counted is another" [ "$(state short.db /bc/bc.l)" = missing ]

unit deep/src/lex scan.c src/lex/x.l # from the top of the tree
grammar deep/src/lex/x.l
built deep/src/lex scan.c
"$cgview" import -o deep.db raw 2> err
same "a name as seen from the top of the tree" deep.db x.l deep/src/lex/x.l

unit side/sub scan.c x.l # beside the unit, not where the compiler worked
grammar side/sub/x.l
built side sub/scan.c
sed -i 's|#line 11 .*|#line 11 "sub/scan.c"|' side/sub/scan.c
built side sub/scan.c
"$cgview" import -o side.db raw 2> err
same "a name as seen from the unit" side.db x.l side/sub/x.l

mkdir -p far/a/b/c && unit far/a/b/c scan.c x.l
grammar far/x.l
built far/a/b/c scan.c
"$cgview" import -o far.db raw 2> err
check "a bare name is not looked for everywhere above" [ "$(state far.db x.l)" = missing ]

# ---- a tree that was moved ----

unit old/src main.c ../lex/x.l
grammar old/lex/x.l
built old/src main.c
mv old new
mkdir -p old/src && cp -p new/src/program old/src
"$cgview" import -o moved.db raw 2> err
check "a tree that was moved: no texts" [ "$(state moved.db main.c)$(state moved.db x.l)" = missingmissing ]
for way in "$PWD/old=$PWD/new" "$PWD/old/=$PWD/new/" "$PWD/old=new"; do
	"$cgview" import -o moved.db --source-path "$PWD=$PWD/first" --source-path "$way" raw 2> err
	check "--source-path ${way//$PWD/} imports" [ $? = 0 ]
	same "... the texts" moved.db main.c new/src/main.c
	same "... the generated, too" moved.db x.l new/lex/x.l
done
check "... names are the compiler's" [ "$(sqlite3 moved.db "SELECT count(*) FROM file WHERE path LIKE '$PWD/old/%'")" = 2 ]
"$cgview" import -o moved.db --source-path "$PWD/ol=$PWD/new" raw 2> err
check "half a name of a directory is none" [ "$(state moved.db main.c)" = missing ]
"$cgview" record -o moved.db --source-path "$PWD/old=$PWD/new" -- ./old/src/program 2> err
same "record --source-path" moved.db main.c new/src/main.c
"$cgview" record -n 2 -o moved.db --source-path new/src -- ./old/src/program 2> err < /dev/null
same "... of several runs" moved.db main.c new/src/main.c
for dir in new new/src/ "$PWD/new/src"; do
	"$cgview" import -o moved.db --source-path "$dir" --source-path new/lex raw 2> err
	same "--source-path ${dir#"$PWD"/}" moved.db main.c new/src/main.c
done
"$cgview" import -o moved.db --source-path new/src raw 2> err
check "a directory without it" [ "$(state moved.db main.c)$(state moved.db x.l)" = storedmissing ]
mkdir first && printf '1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n' > first/main.c
"$cgview" import -o moved.db --source-path first --source-path new/src raw 2> err
same "the first directory that has it" moved.db main.c first/main.c
mkdir -p old/src && cp -p new/src/main.c old/src
"$cgview" import -o moved.db --source-path first raw 2> err
same "... where it is comes before" moved.db main.c old/src/main.c
"$cgview" import -o moved.db --source-path "$PWD/old/src=first" raw 2> err
same "... but not before OLD=NEW" moved.db main.c first/main.c
rm old/src/main.c

for wrong in nowhere raw = =x x= ''; do
	"$cgview" import -o wrong.db --source-path "$wrong" raw > out 2> err
	check "--source-path '$wrong' is refused" [ "$?$(wc -l < err)$(ls wrong.db 2> /dev/null)" = 21 ]
done

# ---- what is no source ----

mkdir odd && mkfifo odd/main.c && mkdir odd/x.l
timeout 60 "$cgview" import -o odd.db --source-path odd raw 2> err
check "a FIFO is not waited for" [ $? = 0 ]
check "... nor taken" [ "$(state odd.db main.c)$(state odd.db x.l)" = unreadableunreadable ]
timeout 60 "$cgview" import -o odd.db --source-path odd --source-path new/src raw 2> err
same "... what comes after it is" odd.db main.c new/src/main.c
timeout 60 "$cgview" import -o odd.db --source-path "$PWD/old/src=/proc/self" --source-path "$PWD/lex/x.l=/dev/zero" raw 2> err
check "no file of the kernel's, no device" [ "$?$(state odd.db main.c)" = 0missing ]

cat > chain.c <<'EOF'
int main(void)
{
	int x = 0;
#line 1 "../../../../../../../../../../../../../../../../dev/zero"
	x++;
#line 1 "../../../../../../../../../../../../../../../../proc/self/environ"
	x++;
#line 1 "a/../../../pipe"
	x++;
#line 1 "new/src/../../.."
	x++;
#line 1 ".."
	x++;
#line 1 "in/../../secret.c"
	x++;
	return x != 6;
}
EOF
mkfifo pipe
mkdir -p inside/in && printf '1\n2\n3\n' > secret.c
built . chain.c
timeout 60 "$cgview" import -o chain.db --source-path inside/in raw 2> err
check "names of ..: imported" [ $? = 0 ]
check "... no text but of regular files" [ "$(sqlite3 chain.db "SELECT path FROM file WHERE state IN ('stored', 'stale')" |
	sed 's|.*/||' | sort | xargs)" = "chain.c secret.c" ]

# ---- somebody else's raw profile ----

[ "$(id -u)" = 0 ] || { echo "skip - source paths: only root can be another user"; exit 0; }
user=65534
setpriv --reuid=$user --regid=$user --clear-groups true || {
	echo "skip - source paths: there are no other users here"; exit 0; }
unit hers main.c ../../up/up.c
built hers main.c
cp raw hers/raw && chown $user hers/raw
mkdir mine up
mv hers/main.c mine
printf 'secret of the importer\n2\n3\n4\n' > up/up.c
chmod 600 up/up.c
chmod 700 mine
for way in mine "$PWD/hers=mine" "$PWD/hers=$PWD/mine"; do
	"$cgview" import -o hers.db --source-path "$way" hers/raw 2> err
	check "what she may not read is not read for her: ${way//$PWD/}" \
		[ "$?$(state hers.db main.c)$(state hers.db up.c)" = 0withheldwithheld ]
	check "... and is not in it" [ "$(sqlite3 hers.db 'SELECT count(text_zlib) FROM file')" = 0 ]
	check "... a line says so" grep -q 'may not be read by the owner of the raw profile' err
done
chmod 755 mine
"$cgview" import -o hers.db --source-path mine hers/raw 2> err
same "what she may read is" hers.db main.c mine/main.c
