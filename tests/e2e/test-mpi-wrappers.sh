#!/bin/bash
# cgcc --cgview-flags=mpi: functions of MPI are procedures, with exact calls and the bytes that they send; made for any
# mpi.h, which may be none of a real MPI, and for the one that is installed.
. tests/e2e/lib.sh
need_collection
need sqlite3 ar
cd "$TMP_DIR" || exit 1
export XDG_CACHE_HOME=$TMP_DIR/cache CGVIEW_OUT=off

# ---- a library that is made here, with what headers have ----

mkdir include
cat > include/mpi.h <<'EOF'
#include <stddef.h>
typedef int MPI_Datatype;
typedef struct comm { int id; } *MPI_Comm;
typedef int (MPI_Function)(int);
#define MPI_DATATYPE_NULL 0
#define MPI_COMM_NULL NULL
#define MPI_IN_PLACE ((void *)-1)
#define MPI_PROC_NULL -1
#define MPI_ROOT -2
extern int MPI_variable[2];
extern __attribute__((visibility("default"))) int MPI_Send(const void *, int count, MPI_Datatype, int to, int, MPI_Comm);
int PMPI_Send(const void *, int, MPI_Datatype, int, int, MPI_Comm);
int MPI_Old(int rows[][3], char *argv[], unsigned int)
	__attribute__((__deprecated__("MPI_Old is (old; use MPI_New")));
int PMPI_Old(int rows[][3], char *argv[], unsigned int) __attribute__((__deprecated__("old; (")));
MPI_Function *MPI_Chosen(MPI_Function *one, long long int n);
MPI_Function *PMPI_Chosen(MPI_Function *one, long long int n);
void MPI_Nothing(void), MPI_Two(void);
void PMPI_Nothing(void);
void MPI_Quiet(void);
void PMPI_Quiet(void);
double MPI_Wtime(void);
double PMPI_Wtime(void);
int MPI_Pcontrol(const int level, ...);
int PMPI_Pcontrol(const int level, ...);
int MPI_Called(int (*back)(int), int n);
int PMPI_Called(int (*back)(int), int n);
int MPI_Alone(int n);
int PMPI_Type_size(MPI_Datatype, int *);
int PMPI_Comm_size(MPI_Comm, int *);
int PMPI_Comm_remote_size(MPI_Comm, int *);
int PMPI_Comm_test_inter(MPI_Comm, int *);
int PMPI_Comm_rank(MPI_Comm, int *);
EOF
cat > lib.c <<'EOF'
#include <mpi.h>
#include <stdarg.h>
#define TWIN(name) __asm__(".weak " #name "\n.set " #name ", P" #name "\n")
int PMPI_Send(const void *p, int n, MPI_Datatype t, int to, int tag, MPI_Comm c)
{ return *(const int *)p + 2 * n + 3 * t + 5 * to + 7 * tag + 11 * c->id; }
TWIN(MPI_Send);
int PMPI_Old(int rows[][3], char *argv[], unsigned int n) { return rows[1][2] + argv[0][0] + (int)n; }
TWIN(MPI_Old);
MPI_Function *PMPI_Chosen(MPI_Function *one, long long int n) { return n > 1LL << 40 ? one : NULL; }
TWIN(MPI_Chosen);
static int quiet;
void PMPI_Quiet(void) { quiet++; }
TWIN(MPI_Quiet);
void PMPI_Nothing(void) { }
TWIN(MPI_Nothing);
double PMPI_Wtime(void) { return 0.5; }
TWIN(MPI_Wtime);
int PMPI_Pcontrol(const int level, ...)
{ va_list l; va_start(l, level); int n = va_arg(l, int); va_end(l); return n + level; }
TWIN(MPI_Pcontrol);
int PMPI_Called(int (*back)(int), int n) { return back(n); }
TWIN(MPI_Called);
int MPI_Alone(int n) { return n + quiet; }
int PMPI_Type_size(MPI_Datatype t, int *size) { *size = t; return 0; }
int PMPI_Comm_size(MPI_Comm c, int *n) { *n = 3; return 0; }
int PMPI_Comm_remote_size(MPI_Comm c, int *n) { *n = 3; return 0; }
int PMPI_Comm_test_inter(MPI_Comm c, int *n) { *n = 0; return 0; }
int PMPI_Comm_rank(MPI_Comm c, int *n) { *n = 0; return 0; }
EOF
cat > p.c <<'EOF'
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
static int twice(int n) { return 2 * n; }
static void *send_some(void *world)
{
	int x = 100, sum = 0;
	for (int i = 0; i < 10; i++)
		sum += MPI_Send(&x, i, 8, i ? 1 : -1, 2, world);
	return (void *)(long)sum;
}
int main(void)
{
	struct comm world = {9};
	int rows[2][3] = {{0}, {0, 0, 6}};
	char *argv[] = {"A"};
	pthread_t t[3];
	void *got;
	long sum = 0;
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, send_some, &world);
	for (int i = 0; i < 3; i++) {
		pthread_join(t[i], &got);
		sum += (long)got;
	}
	for (int i = 0; i < 7; i++)
		MPI_Quiet();
	printf("%ld %d %d %g %d %d %d\n", sum, MPI_Old(rows, argv, 5), MPI_Chosen(twice, 1LL << 41)(21),
	       MPI_Wtime(), MPI_Pcontrol(1, 2), MPI_Called(twice, 4), MPI_Alone(3));
	return 0;
}
EOF
must "compile the library" gcc -w -Iinclude -fPIC -shared lib.c -o libmpi.so
options="-O2 -w -Iinclude p.c -L. -Wl,-rpath,$PWD -pthread"
must "compile with gcc" gcc $options -lmpi -o plain
./plain > plain.out
"$cgcc" --cgview-flags=mpi $options -lmpi -o p 2> err
check "it is told once what is made" [ "$(grep -c 'compiling wrappers of 5 MPI functions' err)" = 1 ]
check "nothing else is" [ "$(wc -l < err)" = 1 ]
check "the same program" diff <(./p) plain.out
"$cgview" record -o p.db -- ./p > /dev/null 2>&1
# By hand: 3 threads send 0 to 9 times 8 bytes, of which the first to nobody.
calls="SELECT name, calls, self_mpi_sent FROM procedure WHERE name LIKE 'MPI%' OR name LIKE '%cgview_mpi%' ORDER BY name"
check "calls and bytes" diff <(sqlite3 p.db "$calls") - <<'EOF'
MPI_Chosen|1|0
MPI_Old|1|0
MPI_Quiet|7|0
MPI_Send|30|1080
MPI_Wtime|1|0
EOF
check "what a caller sends" [ "$(sqlite3 p.db "SELECT total_mpi_sent FROM procedure WHERE name = 'send_some'")" = 1080 ]
check "the statement that sends" [ "$(sqlite3 p.db "SELECT sum(self_mpi_sent) FROM line")" = 1080 ]
check "... not of the first thread" [ "$("$cgview" report --threads 1 --by procedure --format csv \
	--columns mpi_sent,procedure p.db | sed -n 's/,MPI_Send\r$//p')" = 0 ]
check "what is left out stands in the source" grep -q 'MPI_Alone' "$XDG_CACHE_HOME"/cgview/mpi/*/cgview_mpi.c
check "the profile has that source" [ "$(sqlite3 p.db "SELECT count(*) FROM file WHERE path LIKE '%/cgview_mpi.c'")" = 1 ]

# A sum has the same.
CGVIEW_OUT=raw ./p > /dev/null
"$cgview" reduce -o p.sum raw.*.raw && "$cgview" import -o sum.db p.sum > /dev/null
check "a sum has the same" diff <(sqlite3 p.db "$calls") <(sqlite3 sum.db "$calls")

"$cgcc" --cgview-flags=mpi $options -lmpi -o p 2> err
check "they are made once" [ ! -s err ]
check "by the environment, by path" env CGVIEW_FLAGS=mpi "$cgcc" $options ./libmpi.so -o by-path
check "... they are there" [ "$(nm by-path | grep -c ' T MPI_')" = 5 ]
"$cgcc" -w -Iinclude -O2 -c p.c -o p.o
check "without the flag there are none" "$cgcc" $options -lmpi -o without
check "... they are not there" [ "$(nm without | grep -c ' T MPI_')" = 0 ]
check "no library has them" "$cgcc" --cgview-flags=mpi -w -Iinclude -fPIC -shared p.c -o p.so -L. -lmpi
check "... they are not there" [ "$(nm p.so | grep -c ' T MPI_')" = 0 ]
check "no program without MPI" "$cgcc" --cgview-flags=mpi -x c -o none - <<< 'int main(void) { return 0; }'

# With cost centres, and of two that make them at the same time.
"$cgcc" --cgview-flags=mpi,cost-centres $options -lmpi -o one 2> err.1 &
"$cgcc" --cgview-flags=mpi,cost-centres $options -lmpi -o two 2> err.2
wait
check "two at the same time" [ "$(./one | cat - plain.out | uniq | wc -l)$(./two | cat - plain.out | uniq | wc -l)" = 11 ]
check "nothing else stays behind" [ "$(find "$XDG_CACHE_HOME" -type f | sed 's,.*/,,' | sort | uniq -c | xargs)" = \
	"2 cgview_mpi.a 2 cgview_mpi.c" ]

# ---- where it cannot be done: one line, and the program is there ----

lacks() # lacks NAME PATTERN COMMAND...
{
	local name=$1 pattern=$2
	shift 2
	rm -f lacking
	"$@" -o lacking 2> err
	check "$name: it links" [ -x lacking ]
	check "... it works" diff <(./lacking) plain.out
	check "... one line" [ "$(wc -l < err)" = 1 ]
	check "... says why" grep -q "^cgcc: mpi: $pattern" err
}
lacks "no mpi.h" 'mpi.h is not found' "$cgcc" --cgview-flags=mpi p.o -L. -lmpi -Wl,-rpath,"$PWD" -pthread
mkdir macros
echo '#define MPI_Send(...) send_it(__VA_ARGS__)' > macros/mpi.h
lacks "no prototypes" 'no prototype' "$cgcc" --cgview-flags=mpi p.o -Imacros -L. -lmpi -Wl,-rpath,"$PWD" -pthread
mkdir less
echo 'int MPI_Send(int); int PMPI_Send(int);' > less/mpi.h
"$cgcc" --cgview-flags=mpi p.o -Iless -L. -lmpi -Wl,-rpath,"$PWD" -pthread -o lacking 2> err
check "a header that is none of MPI: told" grep -q "^cgcc: mpi: .* cannot be compiled" err
lacks "no cache" 'no cache' env -u HOME -u XDG_CACHE_HOME "$cgcc" --cgview-flags=mpi $options -lmpi

# ---- the MPI that is installed ----

. "$here/mpi/lib.sh"
unset CGVIEW_OUT
mpi_bin bin
sed -n '/^## Time in MPI/,/^## /{/^```sh/,/^```/p}' "$top/docs/many.md" | grep -v '^```' > job.sh
check "docs/many.md has it" grep -q flags=mpi job.sh
cp "$here/mpi/sent.c" solve.c
MPICH_CC=cgcc PATH=$PWD/bin:$build:$PATH sh -e job.sh > out 2>&1 || sed 's/^/# /' out
# What the program's comments say.
check "calls and bytes of all ranks" diff <(sqlite3 waits.db "SELECT name, calls, self_mpi_sent FROM procedure
	WHERE self_mpi_sent OR name = 'MPI_Isend' " | sort) <(awk '
	/MPI_[A-Z][a-z_]*\(/ && !/Datatype|MPI_CHAR, MPI_CHAR/ { match($0, /MPI_[A-Z][a-z_]*\(/)
		name = substr($0, RSTART, RLENGTH - 1) }
	match($0, /\/\* [0-9]+, [0-9]+ \*\//) { split(substr($0, RSTART + 3, RLENGTH - 6), n, ", ")
		if ($0 ~ /if \(rank/) { waits = 1; next_calls = n[1]; next_bytes = n[2] }
		else { calls[name] += n[1]; bytes[name] += n[2] } next_line = 1; if (!waits) next }
	waits && /MPI_/ && !/if \(rank/ { calls[name] += next_calls; bytes[name] += next_bytes; waits = 0 }
	END { for (name in calls) printf "%s|%d|%d\n", name, calls[name], bytes[name] }' "$here/mpi/sent.c" | sort)
# By hand, see ranks.c: five of four ranks, 4 bytes each, in halves; one in each of four threads.
must "compile one with threads" env OMPI_CC="$cgcc" MPICH_CC="$cgcc" "$mpicc" --cgview-flags=mpi -O1 -pthread -fopenmp \
	"$here/mpi/ranks.c" -o ranks
for how in abort kill; do
	"$cgview" record -o $how.db -- "$mpirun" $mpi_options -n 4 ./ranks $how > out 2>&1
	check "$how: calls and bytes of all ranks" [ "$(sqlite3 $how.db "SELECT name, calls, self_mpi_sent FROM procedure
		WHERE name IN ('MPI_Allreduce', 'MPI_Sendrecv') ORDER BY name" | xargs)" = \
		"MPI_Allreduce|20|80 MPI_Sendrecv|4|16" ]
done
check "ranks are told apart" [ "$("$cgview" report --ranks 0 --by procedure --format csv --columns mpi_sent,procedure waits.db |
	tr -d '\r' | grep -E ',MPI_(Ssend|Bcast)$' | sort | xargs)" = '0,MPI_Bcast 12,MPI_Ssend' ]
