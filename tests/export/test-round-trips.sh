#!/bin/bash
# What is exported and imported again has the figures that it had, as far as the format can hold them.
. tests/db/lib.sh
need python3
here=$top/tests/export
cd "$TMP_DIR" || exit 1
round() { python3 "$here/round.py" "$cgview" "$@" || echo "# round.py ended with $?"; }

"$make_profile" made.db --procedures 60 --ranges 1000 --lines 1000 && round made.db 'a made profile'
cp "$here/program.c" "$here/program.h" .
"$build/cgcc" -O2 -g program.c -o program && "$cgview" record --wall -F 2000 -o program.db ./program > out 2> err
verdict $? 'a program is recorded'
round program.db 'a program'
python3 "$here/times.py" "$cgview" program.db 'a program' || echo "not ok - times.py ended with $?"
"$build/cgcc" -O1 -g "$top/tests/collect/programs/known-phases.c" -o phases -pthread && "$cgview" record --wall -F 2000 -o phases.db ./phases > out 2> err
verdict $? 'a program of phases is recorded'
python3 "$here/times.py" "$cgview" phases.db 'phases' || echo "not ok - times.py ended with $?"
for list in threads runs; do
	"$cgview" export --format csv --$list 1 program.db > part.csv && "$cgview" export --format csv program.db > whole.csv
	cmp -s part.csv whole.csv
	verdict $? "the only one of the $list is all"
done

# Differences, which are below 0, and costs of other events.
printf 'main;f 7\nmain;f;g 12\nmain;h 3\n' > a.folded
"$cgview" import -o stacks.db a.folded > out 2>&1
round stacks.db 'stacks without lines' self_event_samples
