/* How many bytes a call of an MPI function hands to the library to be sent: what stands in its send
 * buffer. The wrappers that cgcc makes (mpi.c) call these. They are compiled with the mpi.h of the
 * program, without counters, and linked into it; the types are those of all of MPI. */
#include <mpi.h>

typedef unsigned long long word;

/* Their time is cgview's: they stand where the runtime does. */
#define OURS __attribute__((section("cgview_rt")))

/* SENT is a word among the counters: %gs is the distance to the thread's own copy of it. */
static OURS void
add(word *sent, word bytes)
{
	__asm__ volatile("addq %1, %%gs:%0" : "+m"(*sent) : "r"(bytes));
}

/* A bad argument is for the function itself to refuse. */
static OURS word
bytes(long long count, MPI_Datatype type)
{
	int size = 0;

	if (count <= 0 || type == MPI_DATATYPE_NULL || PMPI_Type_size(type, &size) || size < 0)
		return 0;
	return (word)count * (word)size;
}

/* To how many what each gets is sent. */
static OURS int
receivers(MPI_Comm comm)
{
	int inter = 0, nr = 0;

	if (comm == MPI_COMM_NULL)
		return 0;
	PMPI_Comm_test_inter(comm, &inter);
	if (inter)
		PMPI_Comm_remote_size(comm, &nr);
	else
		PMPI_Comm_size(comm, &nr);
	return nr;
}

static OURS int
own_rank(MPI_Comm comm)
{
	int rank = 0;

	PMPI_Comm_rank(comm, &rank);
	return rank;
}

static OURS int
is_root(int root, MPI_Comm comm)
{
	int inter = 0;

	if (root == MPI_ROOT || comm == MPI_COMM_NULL)
		return root == MPI_ROOT;
	PMPI_Comm_test_inter(comm, &inter);
	return !inter && root == own_rank(comm);
}

static OURS word
bytes_of_all(const int *counts, MPI_Datatype type, int nr)
{
	word sum = 0;

	for (int i = 0; i < nr; i++)
		sum += bytes(counts[i], type);
	return sum;
}

OURS void
cgview_mpi_to(word *sent, long long count, MPI_Datatype type, int receiver)
{
	if (receiver != MPI_PROC_NULL)
		add(sent, bytes(count, type));
}

OURS void
cgview_mpi_part(word *sent, long long count, MPI_Datatype type)
{
	add(sent, bytes(count, type));
}

/* What the root has goes to all others: it counts once. */
OURS void
cgview_mpi_root(word *sent, long long count, MPI_Datatype type, int root, MPI_Comm comm)
{
	if (is_root(root, comm))
		add(sent, bytes(count, type));
}

OURS void
cgview_mpi_gather(word *sent, const void *from, long long count, MPI_Datatype type,
		  long long received, MPI_Datatype received_type)
{
	add(sent, from == MPI_IN_PLACE ? bytes(received, received_type) : bytes(count, type));
}

OURS void
cgview_mpi_gatherv(word *sent, const void *from, long long count, MPI_Datatype type,
		   const int *received, MPI_Datatype received_type, MPI_Comm comm)
{
	add(sent, from == MPI_IN_PLACE ? bytes(received[own_rank(comm)], received_type)
				       : bytes(count, type));
}

OURS void
cgview_mpi_scatter(word *sent, long long count, MPI_Datatype type, int root, MPI_Comm comm)
{
	if (is_root(root, comm))
		add(sent, bytes(count, type) * (word)receivers(comm));
}

OURS void
cgview_mpi_scatterv(word *sent, const int *counts, MPI_Datatype type, int root, MPI_Comm comm)
{
	if (is_root(root, comm))
		add(sent, bytes_of_all(counts, type, receivers(comm)));
}

OURS void
cgview_mpi_all(word *sent, const void *from, long long count, MPI_Datatype type,
	       long long received, MPI_Datatype received_type, MPI_Comm comm)
{
	word each = from == MPI_IN_PLACE ? bytes(received, received_type) : bytes(count, type);

	add(sent, each * (word)receivers(comm));
}

OURS void
cgview_mpi_allv(word *sent, const void *from, const int *counts, MPI_Datatype type,
		const int *received, MPI_Datatype received_type, MPI_Comm comm)
{
	if (from == MPI_IN_PLACE)
		add(sent, bytes_of_all(received, received_type, receivers(comm)));
	else
		add(sent, bytes_of_all(counts, type, receivers(comm)));
}

OURS void
cgview_mpi_allw(word *sent, const void *from, const int *counts, const MPI_Datatype *types,
		const int *received, const MPI_Datatype *received_types, MPI_Comm comm)
{
	int nr = receivers(comm);
	word sum = 0;

	for (int i = 0; i < nr; i++)
		sum += from == MPI_IN_PLACE ? bytes(received[i], received_types[i])
					    : bytes(counts[i], types[i]);
	add(sent, sum);
}

OURS void
cgview_mpi_blocks(word *sent, long long count, MPI_Datatype type, MPI_Comm comm)
{
	add(sent, bytes(count, type) * (word)receivers(comm));
}

OURS void
cgview_mpi_scattered(word *sent, const int *counts, MPI_Datatype type, MPI_Comm comm)
{
	add(sent, bytes_of_all(counts, type, receivers(comm)));
}
