#!/bin/bash
# A test that somebody starts by hand, without TMP_DIR, must not write into the tree. Each runs in a copy
# of the tests, and is stopped when it goes on for long: what it wrote until then counts.
set -u
: "${TMP_DIR:?}"
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
export BUILD
mkdir "$TMP_DIR/tree" "$TMP_DIR/home"
cp -r tests tools man src Makefile "$TMP_DIR/tree"

listing() { find "$TMP_DIR/tree" "$TMP_DIR/home" ! -type d -printf '%P %s %T@\n' | sort; }

listing > "$TMP_DIR/before"
scripts=$(find tests -name 'test-*.sh' ! -name test-by-hand.sh | sort)
# One that would write is found, or all of this finds nothing.
printf '#!/bin/bash\necho > "${TMP_DIR:-.}/leftover"\n' > "$TMP_DIR/tree/tests/careless.sh"
cd "$TMP_DIR/tree" || exit
before=$TMP_DIR/before home=$TMP_DIR/home list=$TMP_DIR
by_hand() { (unset TMP_DIR; HOME=$home timeout -k 5 20 bash "$1") > /dev/null 2>&1 < /dev/null; }
new_files() { (TMP_DIR=$list; listing) | diff "$before" - | sed -n 's/^> //p'; }

by_hand tests/careless.sh
if new_files | grep -q '^leftover'; then
	echo "ok - a test that writes into the tree is found"
else
	echo "not ok - a test that writes into the tree is found"
fi
rm -f leftover tests/careless.sh
for script in $scripts; do
	by_hand "$script"
done
# Which one it was is only asked where there is something.
if [ -n "$(new_files)" ]; then
	careless=1
	for script in $scripts; do
		(TMP_DIR=$list; listing) > "$before"
		by_hand "$script"
		found=$(new_files)
		[ -z "$found" ] || echo "$script leaves:" $found
	done
fi
if [ -z "${careless:-}" ]; then
	echo "ok - no script writes into the tree when TMP_DIR is not set"
else
	echo "not ok - no script writes into the tree when TMP_DIR is not set"
fi
