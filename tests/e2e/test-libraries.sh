#!/bin/bash
# Libraries that come and go: three times the same one, in a program built with cgcc, in one built
# with plain gcc, and dlclose() in a static program; and such that keep their runtime to themselves.
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

# A library that keeps the symbols of its runtime to itself: its threads count for themselves, too.
cat > work.c <<'END'
#include <dlfcn.h>
#include <pthread.h>
static volatile int sink;
__attribute__((noinline)) static void turn(int i) { sink = i; }
static pthread_barrier_t all;
static void *thread(void *n)
{
	pthread_barrier_wait(&all); /* who comes after another one's end would count in its place */
	for (int i = 0; i < *(int *)n; i++)
		turn(i);
	return NULL;
}
int work(void)
{
	pthread_t t[4];
	int n = 200000, sum = 0;
	pthread_barrier_init(&all, NULL, 4);
	for (int i = 0; i < 4; i++)
		if (pthread_create(&t[i], NULL, thread, &n))
			return 1;
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < 3; i++) {
		void *library = dlopen("./lib.so", RTLD_NOW);
		int (*run)(int) = library ? (int (*)(int))dlsym(library, "run") : NULL;
		for (int k = 0; run && k < 100; k++)
			sum += run(1);
		if (library)
			dlclose(library);
	}
	return sum == 300 ? 0 : 1;
}
END
echo 'int work(void); int main(void) { return work(); }' > host.c
echo 'int other(void) { return 3; }' > other.c
echo '{ global: work; local: *; };' > map
must "compile another library" "$cgcc" -O2 -fPIC -shared other.c -o libother.so
for how in -Wl,--version-script=map -Wl,-Bsymbolic -Wl,-O1; do
	must "$how: compile the library" "$cgcc" -O2 -fPIC -shared -pthread $how work.c -o libwork.so
	for compiler in "$cgcc" gcc; do
		must "$how: compile the host with ${compiler##*/}" "$compiler" -O2 -pthread host.c \
			-o host -L. -Wl,--no-as-needed -lother -lwork -Wl,-rpath,"$TMP_DIR"
		record host.db ./host
		check "... 800,000 calls" [ "$(calls turn)" = 800000 ]
		check "... by four threads besides the first" [ "$(report host.db thread | wc -l)" = 6 ]
		check "... and 300 of a library that came and went" [ "$(calls run)" = 300 ]
	done
done

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
