#!/bin/bash
# Installed, everything finds its parts; uninstalled, nothing is left. Other compilers; names that
# the runtime must not take from the program.
. tests/e2e/lib.sh
need_collection
[ "${BUILD#build-}" = "$BUILD" ] || skip_all "installs the plain build only"

# What is there before: the system's folders, and files of others beside ours.
mkdir -p "$TMP_DIR"/root/opt/cg/{bin,lib,share/man/man1,share/man/man5,share/man/man7}
touch "$TMP_DIR"/root/opt/cg/{bin/cgrep,lib/libcg.so,share/man/man1/cg.1}
(cd "$TMP_DIR/root" && find . | sort) > "$TMP_DIR/before"
must "make install" make -s install BUILD="$BUILD" DESTDIR="$TMP_DIR/root" PREFIX=/opt/cg
bin=$TMP_DIR/root/opt/cg/bin
cd "$TMP_DIR" || exit
cp "$top/examples/words.c" .
check "the installed cgcc compiles" "$bin/cgcc" -O2 words.c -o words
check "the installed cgview records" "$bin/cgview" record -o words.db -- ./words words.c
check "... and counts" [ "$(count_of words.db main)" = 1 ]
check "the installed cgcc can be called through a link" sh -c \
	'ln -s "$1/cgcc" my-cc && ./my-cc -O2 words.c -o words2' sh "$bin"
check "the schema of json is installed" cmp "$top/docs/schema/cgview-1.json" \
	"$TMP_DIR/root/opt/cg/share/cgview/cgview-1.json"
check "completion is installed" bash -c '. "$1" && complete -p cgview' bash \
	"$TMP_DIR/root/opt/cg/share/bash-completion/completions/cgview"
check "manual pages are installed" sh -c \
	'ls root/opt/cg/share/man/man1/cgview.1 root/opt/cg/share/man/man5/cgview-db.5 root/opt/cg/share/man/man7/cgview-keys.7'
bad=$(for page in root/opt/cg/share/man/man*/cgv*; do
	[ "$(grep -c "^\.Os cgview $(cat "$top/VERSION")$" "$page")" = 1 ] || echo "$page"; done)
check "... each with the version" [ -z "$bad" ]
(cd "$top" && make -s uninstall BUILD="$BUILD" DESTDIR="$TMP_DIR/root" PREFIX=/opt/cg)
(cd root && find . | sort) > after
check "uninstall leaves what was there before, and nothing else" diff before after

# Libraries elsewhere, as distributions have them: found from the program, whatever is put before all of it; or far
# from it, by their path. It is linked anew for that, so not in the build that other tests use.
mkdir copy
cp -a "$build/obj" "$build/lib" "$build"/cg* "$build/flags" "$build/sources" copy
for libdir in /opt/cg/lib/x86_64-linux-gnu "$TMP_DIR/far/lib64"; do
	rm -rf root words2
	(cd "$top" && make -s install BUILD="$TMP_DIR/copy" DESTDIR="$TMP_DIR/root" PREFIX=/opt/cg LIBDIR="$libdir") > log 2>&1
	check "make install LIBDIR=${libdir#"$TMP_DIR"}" [ $? = 0 ]
	check "... puts the parts there" [ -e "root$libdir/cgview/libcgview_rt.a" ]
	check "... and nowhere else" [ "$(find root -name '*.a' | wc -l)" = "$(find root -path "root$libdir/*.a" | wc -l)" ]
	case $libdir in /opt/*) ;; *) mv "root$TMP_DIR/far" . ;; esac
	check "... where cgcc finds them" "$bin/cgcc" -O2 words.c -o words2
	"$bin/cgview" record --space -o words2.db -- ./words2 words.c > log 2>&1
	check "... and cgview" [ $? = 0 ]
	check "... and counts" [ "$(count_of words2.db main)" = 1 ]
	[ ! -d far ] || mkdir -p "root$TMP_DIR" && { [ ! -d far ] || mv far "root$TMP_DIR"; }
	(cd "$top" && make -s uninstall DESTDIR="$TMP_DIR/root" PREFIX=/opt/cg LIBDIR="$libdir")
	check "... uninstall leaves no file" [ -z "$(find root ! -type d)" ]
done

# The release: one version, which all that tells one has from the same place.
version=$(cat "$top/VERSION")
check "cgcc tells the version" [ "$("$cgcc" --cgview-version)" = "cgcc of cgview $version" ]
check "the changes begin with this version" grep -q "^## $version " <(grep '^## ' "$top/CHANGELOG.md" | head -1)
if git -C "$top" rev-parse > /dev/null 2>&1; then
	for clone in one other/deeper; do
		must "clone" git clone -q "$top" "$clone"
	done
	(umask 077 && cd other/deeper && git config core.autocrlf true && TZ=Asia/Tokyo BUILD=b tools/dist) > log 2>&1
	(cd one && touch README.md && make -s dist) > log 2>&1
	archive=cgview-$(cat one/VERSION).tar.gz
	check "make dist: two folders, the same bytes" cmp "one/build/dist/$archive" "other/deeper/b/dist/$archive"
	check "... and recipes for it, with its version and sum" sh -c \
		'cd one/build/dist && grep -q "^Version: *$1$" cgview.spec && grep -q "^pkgver=$1$" PKGBUILD && grep -q "$(sha256sum < "$2" |
			cut -c-64)" PKGBUILD && ! grep -l "@[A-Z0-9]*@" cgview.spec PKGBUILD flake.nix' \
		sh "$version" "$archive" < /dev/null
	mkdir unpacked
	tar xf "one/build/dist/$archive" -C unpacked
	(cd one && git ls-files | sort) > files
	(cd unpacked/* && find . ! -type d | sed 's/^..//' | sort) | diff files - > log
	check "... with all files of the commit, below one folder" [ $? = 0 ]
	check "... which is no clone, and says so" grep -q 'no clone' <(cd unpacked/* && tools/dist 2>&1)
else
	echo "skip - make dist: not a clone"
fi

# Another GCC, for which there is no plugin: one line that says what to do.
mkdir bin
printf '#!/bin/sh\necho 99\n' > bin/gcc-99
chmod +x bin/gcc-99
CGVIEW_CC=$TMP_DIR/bin/gcc-99 "$cgcc" -c words.c 2> other.err
check "a GCC without plugin: status 1, one line" sh -c \
	'[ "$1" = 1 ] && [ "$(wc -l < other.err)" = 1 ]' sh $?
check "... that names the version and the command" grep -q 'GCC 99.*cgcc --cgview-build-plugin .*gcc-99' other.err

# Names in the runtime: our own, wrappers for static programs, and libc's, which are weak, so that a
# program can have procedures of these names.
names=$(nm -g --defined-only "$build/lib/cgview/libcgview_rt.a" "$build"/lib/cgview/cgview_*.o |
	awk 'NF == 3 && $2 != "W" { print $3 }' | sort -u)
check "the runtime has names that no program has" sh -c \
	'! echo "$1" | grep -vE "^__(cgview|wrap)_"' sh "$names"
weak=$(nm -g --defined-only "$build/lib/cgview/cgview_dynamic.o" | awk '$2 == "W" { print $3 }')
for name in $weak; do
	printf 'int %s(int x) { return x + 1; }\nint main(void) { return %s(-1); }\n' $name $name > own.c
	for kind in -O1 -static; do
		# What libc itself needs (_exit) ends badly without us, too.
		gcc -w $kind -o own own.c && ./own || continue
		CGVIEW_OUT=off "$cgcc" -w $kind -o own own.c && CGVIEW_OUT=off ./own ||
			echo "# $kind: $name" >> own.bad
	done
done 2> own.err
cat own.bad 2> /dev/null
check "a program may have a procedure of any name that the runtime interposes" \
	sh -c '[ -n "$1" ] && ! [ -e own.bad ]' sh "$weak"
cat > ends.c <<'END'
#include <sys/syscall.h>
#include <unistd.h>
void _exit(int status) { for (;;) syscall(SYS_exit_group, status + 1); }
int main(void) { _exit(6); }
END
CGVIEW_OUT=off "$cgcc" -w -static -o ends ends.c && CGVIEW_OUT=off ./ends
check "... also its own _exit, linked statically" [ $? = 7 ]

sed 's/ .*//' "$build/obj/collect/runtime/names" | awk '
	{ print "int " $1 "(void) { return " NR "; }"; sum = sum " + " $1 "()" }
	END { print "int main(void) { return (0" sum ") == 0; }" }' > same.c
must "compile a program with all names of the runtime's files" "$cgcc" -O2 -w same.c -o same
check "... which runs" ./same
