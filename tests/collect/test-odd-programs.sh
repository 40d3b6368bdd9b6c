#!/bin/bash
# A program that is another file now, or damaged: status 1, one line that says what is wrong with it, the
# old profile as it was.
set -u
. tests/db/lib.sh
need python3
cgcc=$build/cgcc
cd "$TMP_DIR" || exit 1
cat > work.c <<'END'
static volatile long n;
__attribute__((noinline)) static void step(void) { n++; }
int main(void) { for (int i = 0; i < 1000; i++) step(); return 0; }
END
"$cgcc" -O1 -g work.c -o work && CGVIEW_OUT=$PWD/raw ./work || { echo "not ok - the program"; exit 1; }
cp work good
"$cgview" import -o old.db raw.*.raw 2> /dev/null
check "as it was: imported" [ $? = 0 ]
before=$(sha256sum < old.db)

# The ELF head: class at 4, byte order at 5, offset of the section table at 40, size of its entries at 58,
# their number at 60, which of them has the names at 62.
python3 - <<'END'
import struct
good = open("good", "rb").read()

def make(name, form, at, *values):
    data = bytearray(good)
    struct.pack_into(form, data, at, *values)
    open(name, "wb").write(data)

make("32-bit", "B", 4, 1)
make("big-endian", "B", 5, 2)
make("entries", "<H", 58, 63)
make("table", "<Q", 40, 1 << 60)
make("table-wraps", "<Q", 40, (1 << 64) - 64)
make("no-table", "<QBBBBBBHHHH", 40, 0, *good[48:54], *struct.unpack_from("<HHH", good, 54), 0)
make("no-names", "<H", 62, 60000)
open("half", "wb").write(good[:len(good) // 2])
open("text", "w").write("#!/bin/sh\nexec good\n" * 10)
open("short", "wb").write(good[:20])
open("empty", "wb").close()
# The section with the names of all others reaches beyond the end.
head, names = struct.unpack_from("<Q", good, 40)[0], struct.unpack_from("<H", good, 62)[0]
make("long-names", "<Q", head + 64 * names + 32, 1 << 50)
# The first segment of notes too.
data = bytearray(good)
table, size, number = struct.unpack_from("<Q", good, 32)[0], *struct.unpack_from("<HH", good, 54)
for i in range(number):
    if struct.unpack_from("<I", good, table + i * size)[0] == 4:
        struct.pack_into("<Q", data, table + i * size + 8, 1 << 50)
        break
open("notes", "wb").write(data)
END
while read -r file words; do
	cp "$file" work
	"$cgview" import -o old.db raw.*.raw > out 2> err
	check "$file: status 1" [ $? = 1 ]
	check "... and one line" [ "$(wc -l < err) $(wc -c < out)" = '1 0' ]
	check "... that says '$words'" grep -qF "work: $words" err
	check "... the old profile as it was" [ "$(sha256sum < old.db)" = "$before" ]
done <<'END'
text not an ELF file
short not an ELF file
empty not an ELF file
32-bit not a 64-bit little-endian ELF file
big-endian not a 64-bit little-endian ELF file
entries damaged: strange size of section heads
table damaged: section table beyond the end of the file
table-wraps damaged: section table beyond the end of the file
half damaged: section table beyond the end of the file
long-names damaged: section names beyond the end of the file
notes damaged: notes beyond the end of the file
no-table has no tables of cgcc
no-names has no tables of cgcc
END
check "nothing is left beside it" [ -z "$(ls -A | grep -E 'tmp|lock|old\.db\.')" ]
cp good work
"$cgview" import -o new.db raw.*.raw 2> /dev/null
check "put back: the counts are there" [ "$("$cgview" report --sql "SELECT calls FROM procedure WHERE name = 'step'" \
	--format csv new.db | tr -d '\r' | tail -1)" = 1000 ]
