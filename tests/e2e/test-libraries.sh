#!/bin/bash
# Libraries that come and go: three times the same one, in a program built with cgcc, in one built
# with plain gcc, and dlclose() in a static program.
. tests/e2e/lib.sh
need_collection
cd "$TMP_DIR" || exit

cat > lib.c <<'END'
int run(int n) { return n; }
END
cat > host.c <<'END'
#include <dlfcn.h>
int main(void)
{
	int sum = 0;
	for (int i = 0; i < 3; i++) {
		void *library = dlopen("./lib.so", RTLD_NOW);
		int (*run)(int) = (int (*)(int))dlsym(library, "run");
		for (int k = 0; k < 100; k++)
			sum += run(1);
		dlclose(library);
	}
	return sum == 300 ? 0 : 1;
}
END
cat > closes.c <<'END'
#include <dlfcn.h>
int main(void)
{
	void *library = dlopen("libm.so.6", RTLD_NOW);
	return library && dlclose(library);
}
END
calls() # calls PROCEDURE: as reported
{
	report host.db procedure | python3 -c '
import csv, sys
print(sum(int(r["calls"]) for r in csv.DictReader(sys.stdin) if r["procedure"] == sys.argv[1]))' "$1"
}

must "compile the library" "$cgcc" -O2 -fPIC -shared lib.c -o lib.so
must "compile the host" "$cgcc" -O2 host.c -o host
record host.db ./host
check "opened three times: 300 calls" [ "$(calls run)" = 300 ]
check "... and the program itself is counted" [ "$(calls main)" = 1 ]
must "compile a plain host" gcc -O2 host.c -o host
record host.db ./host
check "in a program that was built without cgcc: 300 calls" [ "$(calls run)" = 300 ]

if "$cgcc" -static -O2 closes.c -o closes 2> /dev/null; then
	CGVIEW_OUT=$TMP_DIR/static check "dlclose() in a static program" ./closes
fi

must "compile without -static" "$cgcc" -O2 closes.c -o closes
mkdir quiet && cd quiet || exit
../closes
check "a program on its own leaves a raw profile" [ "$(ls -A | wc -l)" = 1 ]
rm -f ./*
CGVIEW_OUT=off ../closes
check "CGVIEW_OUT=off: the program leaves nothing" [ -z "$(ls -A)" ]
