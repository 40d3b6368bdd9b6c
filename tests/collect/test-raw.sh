#!/bin/bash
# What the raw profile tells beside counts and stacks: rank, job and label, whatever else there is; when each sample was
# taken, and whether the kernel was at work. The lines of dump-raw are compared with those of a reader in Python, the
# times with the program's own clock, the kernel's share with getrusage().
. tests/collect/rows/lib.sh
need python3
dump=$build/tests/dump-raw
programs=$top/tests/collect/programs
must "compile phases" "$cgcc" -O2 -g -pthread "$programs/phases.c" -o phases
nm phases > symbols
# Launchers of this machine must not matter.
for name in $(env | grep -oE '^(PMI|PMIX|OMPI|SLURM|MV2|PBS|LSB|FLUX|OAR|LOADL|PJM|JOB)_[A-Z_]*'); do unset "$name"; done

# text NAME: of the raw profile of the last run
text() { "$dump" raw/*.raw | sed -n "s/^$1 //p"; }

for clock in auto timer; do
	CGVIEW_CLOCK=$clock run phases 400
	"$dump" raw/*.raw > dumped
	equal "$clock: the same as a reader in Python" "$(python3 "$top/tests/collect/raw_samples.py" raw/*.raw | md5sum)" \
		"$(md5sum < dumped)"
	equal "$clock: who works tells of the kernel" told "$(text kernel)"
	equal "$clock: two threads, f before g, in order, within the run, in the kernel as getrusage says" "4 " \
		"$(python3 "$top/tests/collect/raw_samples.py" raw/*.raw symbols out)"
done

# Nothing pushes them out.
export SLURM_PROCID=7 SLURM_NTASKS=12 SLURM_JOB_ID=4711.a CGVIEW_LABEL="a label of 20 bytes"
long=$(printf '%3000s' x)
deep=$TMP_DIR/$(printf 'd%.0s' $(seq 200))/$(printf 'e%.0s' $(seq 200))/$(printf 'f%.0s' $(seq 200))
deep=$deep/$(printf 'g%.0s' $(seq 200))/$(printf 'h%.0s' $(seq 200))/$(printf 'i%.0s' $(seq 200))
mkdir -p "$deep"; cp phases "$deep/"
rm -rf raw; mkdir raw
(cd "$deep" && CGVIEW_OUT=$TMP_DIR/raw/r ./phases 1 "$long" "$long" > /dev/null)
equal "a long path, arguments of 6000 bytes: rank, ranks, job, label, host" "7|12|4711.a|a label of 20 bytes|$(uname -n)" \
	"$(text rank)|$(text ranks)|$(text job)|$(text label)|$(text host)"
equal "... the program" "$deep/phases" "$(text program)"
equal "... and so many arguments as fit" "2 of 2" "$(text arguments)"
"$cgview" import -o told.db raw/*.raw > out 2>&1
equal "the profile has them" "a label of 20 bytes|4711.a|$(uname -n)|7" \
	"$(sqlite3 told.db 'SELECT r.label, r.job, r.host, p.rank FROM run r JOIN part p ON p.run = r.id GROUP BY r.id')"
equal "... csv too" '"a label of 20 bytes",4711.a' "$("$cgview" report --by run --format csv --columns label,job told.db |
	tr -d '\r' | tail -1 | sed 's/^a label of 20 bytes,/"a label of 20 bytes",/')"
check "... and the head of a report" sh -c '"$1" report told.db | head -1 | grep -q "label a label of 20 bytes"' sh "$cgview"

CGVIEW_LABEL=$(printf 'x%.0s' $(seq 254))$'\303\266'tail run phases 1
equal "a label that is too long is cut between two characters" 254 "$(text label | tr -d '\n' | wc -c)"
SLURM_PROCID=$long SLURM_JOB_ID=$long PMI_RANK=3 run phases 1
equal "a job of 3000 bytes is cut" "3|64" "$(text rank)|$(text job | tr -d '\n' | wc -c)"
CGVIEW_JOB=mine run phases 1
equal "the user's job goes before" mine "$(text job)"
unset SLURM_PROCID SLURM_NTASKS SLURM_JOB_ID CGVIEW_LABEL
run phases 1
equal "none of them" "||||" "$(text rank)|$(text ranks)|$(text job)|$(text label)|"
"$cgview" import -o none.db raw/*.raw > out 2>&1
equal "... is none in the profile" "NULL|NULL" "$(sqlite3 -nullvalue NULL none.db 'SELECT label, job FROM run')"

# record's label reaches what clears its environment; what a script says goes before.
label_of() { sqlite3 "$1" 'SELECT group_concat(label, "|") FROM (SELECT label FROM run ORDER BY id)'; }
must "record --label" "$cgview" record --label 'with  é' -o r.db -- ./phases 1
equal "record --label" "with  é" "$(label_of r.db)"
must "record --label, env -i" "$cgview" record --label cleared -o r.db -- env -i ./phases 1
equal "... without an environment" cleared "$(label_of r.db)"
must "record --label, a script" "$cgview" record --label outer -o r.db -- sh -c 'CGVIEW_LABEL=inner ./phases 1'
equal "... what a script says goes before" inner "$(label_of r.db)"
CGVIEW_LABEL=mine "$cgview" record --label given -o r.db -- ./phases 1 > /dev/null 2>&1
equal "... goes before the variable" given "$(label_of r.db)"
CGVIEW_LABEL=mine "$cgview" record -o r.db -- env -i ./phases 1 > /dev/null 2>&1
equal "the variable reaches it as well" mine "$(label_of r.db)"
equal "a label has no more than 255 bytes" 2 "$("$cgview" record --label "$long" -- ./phases 1 > out 2>&1; echo $?)"

# What is older.
printf 'cgviewR1\11\0\0\0\0\20\0\0%4080s' '' > old.raw
equal "a raw profile of before: one line says what to do" "1|1" "$("$cgview" import -o old.db old.raw > out 2>&1
	echo "$?|$(wc -l < out)")"
check "... record again" grep -q 'old.raw: .*record again' out
printf 'cgview-r\2\0\0\0\0\20\0\0%4080s' '' > new.raw
"$cgview" import -o old.db new.raw > out 2>&1
check "one of a later version, too" grep -q 'version 2, .* version 1; .*record again' out
