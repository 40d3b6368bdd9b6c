/* Loaded before an MPI program: counts calls of some functions, and the bytes that they are given
 * to send, beneath the wrappers of cgcc, and writes them to counted.PID. It shares nothing with
 * these. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

static struct counted { const char *name; long calls, bytes; } counted[32];
static int nr;

static long
size_of(MPI_Datatype type)
{
	int size;

	PMPI_Type_size(type, &size);
	return size;
}

static int
rank_in(MPI_Comm comm)
{
	int rank;

	PMPI_Comm_rank(comm, &rank);
	return rank;
}

static int
size_in(MPI_Comm comm)
{
	int size;

	PMPI_Comm_size(comm, &size);
	return size;
}

#define COUNT(function, parameters, arguments, sent)                                \
	int P##function parameters                                                  \
	{                                                                           \
		static int (*next) parameters;                                      \
		static struct counted *mine;                                        \
		if (!next) {                                                        \
			next = dlsym(RTLD_NEXT, "P" #function);                     \
			mine = &counted[nr++];                                      \
			mine->name = #function;                                     \
		}                                                                   \
		__atomic_add_fetch(&mine->calls, 1, __ATOMIC_RELAXED);              \
		__atomic_add_fetch(&mine->bytes, sent, __ATOMIC_RELAXED);           \
		return next arguments;                                              \
	}

#define TO_ONE const void *p, int n, MPI_Datatype t, int to, int tag, MPI_Comm c
#define SENT (to == MPI_PROC_NULL ? 0 : n * size_of(t))
COUNT(MPI_Send, (TO_ONE), (p, n, t, to, tag, c), SENT)
COUNT(MPI_Ssend, (TO_ONE), (p, n, t, to, tag, c), SENT)
COUNT(MPI_Isend, (TO_ONE, MPI_Request *r), (p, n, t, to, tag, c, r), SENT)
COUNT(MPI_Recv, (void *p, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Status *s),
      (p, n, t, from, tag, c, s), 0)
COUNT(MPI_Sendrecv, (const void *p, int n, MPI_Datatype t, int to, int tag, void *p2, int n2,
		     MPI_Datatype t2, int from, int tag2, MPI_Comm c, MPI_Status *s),
      (p, n, t, to, tag, p2, n2, t2, from, tag2, c, s), SENT)
COUNT(MPI_Bcast, (void *p, int n, MPI_Datatype t, int root, MPI_Comm c), (p, n, t, root, c),
      rank_in(c) == root ? n * size_of(t) : 0)
COUNT(MPI_Reduce, (const void *p, void *p2, int n, MPI_Datatype t, MPI_Op o, int root, MPI_Comm c),
      (p, p2, n, t, o, root, c), n * size_of(t))
COUNT(MPI_Allreduce, (const void *p, void *p2, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c),
      (p, p2, n, t, o, c), n * size_of(t))
COUNT(MPI_Alltoall, (const void *p, int n, MPI_Datatype t, void *p2, int n2, MPI_Datatype t2,
		     MPI_Comm c), (p, n, t, p2, n2, t2, c),
      (long)size_in(c) * (p == MPI_IN_PLACE ? n2 * size_of(t2) : n * size_of(t)))
COUNT(MPI_Barrier, (MPI_Comm c), (c), 0)

__attribute__((destructor)) static void
write_all(void)
{
	char path[64];
	FILE *out;

	if (!nr)
		return;
	snprintf(path, sizeof(path), "counted.%d", (int)getpid());
	out = fopen(path, "w");
	for (int i = 0; out && i < nr; i++)
		fprintf(out, "%s %ld %ld\n", counted[i].name, counted[i].calls, counted[i].bytes);
	if (out)
		fclose(out);
}
