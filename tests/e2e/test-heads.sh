#!/bin/bash
# The head of a loop without a condition has no code but the jump back: it is executed as often as a
# turn begins, also when nothing ever jumped back. The counts stand in the source, by hand.
. tests/e2e/lib.sh
need_collection
source=tests/e2e/programs/heads.c
sed -n 's|.*//= \([0-9]*\).*|\1|;t number;d;:number;=;p' $source | paste -d' ' - - > "$TMP_DIR/expected"
sed -n '\|//- |=' $source | sort > "$TMP_DIR/none"

for flags in -O0 -O1 -O2 "-O3 -flto" --cgview-flags=mode=block; do
	must "compile $flags" "$cgcc" $flags -o "$TMP_DIR/program" $source
	record "$TMP_DIR/program.db" "$TMP_DIR/program"
	report "$TMP_DIR/program.db" line | cut -d, -f2,3 | tr ',' ' ' | sort -n > "$TMP_DIR/counts"
	cut -d' ' -f1 "$TMP_DIR/expected" | sort > "$TMP_DIR/wanted"
	check "$flags: each head as often as turns begin" diff \
		"$TMP_DIR/expected" <(join "$TMP_DIR/wanted" <(sort "$TMP_DIR/counts") | sort -n)
	check "$flags: no count where no block tells the turns" sh -c \
		'! join "$1" "$2" | grep .' sh "$TMP_DIR/none" <(sort "$TMP_DIR/counts")
done
