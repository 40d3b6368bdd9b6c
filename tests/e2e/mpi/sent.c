/* Of each way in which MPI sends, one call or some, by four ranks. How often each function is
 * called, and how many bytes it sends in all ranks together, stands behind it: "calls, bytes". */
#include <mpi.h>
#include <stdio.h>

enum { RANKS = 4 };

static void
to_one(int rank)
{
	double three[3] = {0};
	char ten[10] = {0}, got[10];
	int some[12] = {0};
	MPI_Request request;
	MPI_Datatype strided;

	if (rank % 2 == 0) /* 2, 48 */
		MPI_Send(three, 3, MPI_DOUBLE, rank + 1, 1, MPI_COMM_WORLD);
	else
		MPI_Recv(three, 3, MPI_DOUBLE, rank - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Isend(ten, 10, MPI_CHAR, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &request); /* 4, 0 */
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Sendrecv(ten, 10, MPI_CHAR, (rank + 1) % RANKS, 2, got, 10, MPI_CHAR,
		     (rank + RANKS - 1) % RANKS, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* 4, 40 */
	MPI_Type_vector(3, 1, 4, MPI_INT, &strided);
	MPI_Type_commit(&strided);
	if (rank == 0) /* 1, 12 */
		MPI_Ssend(some, 1, strided, 1, 3, MPI_COMM_WORLD);
	if (rank == 1)
		MPI_Recv(some, 3, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Type_free(&strided);
}

static void
to_all(int rank)
{
	int five[5] = {0}, number = rank, counts[RANKS] = {0, 1, 2, 3}, at[RANKS] = {0, 0, 1, 3};
	int received[RANKS] = {rank, rank, rank, rank}, places[RANKS], ints[16] = {0};
	int ones[RANKS] = {1, 1, 1, 1}, bytes[RANKS] = {0, 1, 2, 3}, each[RANKS] = {1, 2, 3, 4};
	int ints_sent[16] = {0};
	MPI_Datatype types[RANKS] = {MPI_CHAR, MPI_CHAR, MPI_CHAR, MPI_CHAR};
	long longs[2] = {0}, sums[2];
	short shorts[2 * RANKS] = {0}, two[2];
	char chars[16] = {0}, more[16];
	double doubles[RANKS] = {0}, others[RANKS], sum;

	for (int i = 0; i < RANKS; i++)
		places[i] = i * rank;
	MPI_Bcast(five, 5, MPI_INT, 1, MPI_COMM_WORLD); /* 4, 20 */
	MPI_Reduce(longs, sums, 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD); /* 4, 64 */
	MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* 4, 16 */
	if (rank == 2) /* 4, 48 */
		MPI_Gather(MPI_IN_PLACE, 77, MPI_CHAR, ints, 3, MPI_INT, 2, MPI_COMM_WORLD);
	else
		MPI_Gather(five, 3, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, 2, MPI_COMM_WORLD);
	if (rank == 3) /* 4, 24 */
		MPI_Gatherv(MPI_IN_PLACE, 77, MPI_CHAR, ints, counts, at, MPI_INT, 3,
			    MPI_COMM_WORLD);
	else
		MPI_Gatherv(five, rank, MPI_INT, NULL, NULL, NULL, MPI_DATATYPE_NULL, 3,
			    MPI_COMM_WORLD);
	MPI_Allgather(&number, 1, MPI_INT, ints, 1, MPI_INT, MPI_COMM_WORLD); /* 4, 16 */
	MPI_Scatter(shorts, 2, MPI_SHORT, two, 2, MPI_SHORT, 0, MPI_COMM_WORLD); /* 4, 16 */
	MPI_Scatterv(chars, each, at, MPI_CHAR, more, rank + 1, MPI_CHAR, 1,
		     MPI_COMM_WORLD); /* 4, 10 */
	MPI_Alltoall(doubles, 1, MPI_DOUBLE, others, 1, MPI_DOUBLE, MPI_COMM_WORLD); /* 4, 128 */
	MPI_Alltoallv(ints_sent, counts, at, MPI_INT, ints, received, places, MPI_INT,
		      MPI_COMM_WORLD); /* 4, 96 */
	MPI_Alltoallw(chars, ones, bytes, types, more, ones, bytes, types,
		      MPI_COMM_WORLD); /* 4, 16 */
	MPI_Reduce_scatter(ints_sent, ints, each, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* 4, 160 */
	MPI_Reduce_scatter_block(ints_sent, ints, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* 4, 128 */
	MPI_Scan(doubles, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* 4, 32 */
}

/* Two halves, and what one half sends to the other. */
static void
in_halves(int rank)
{
	int number = rank, half_rank;
	MPI_Comm half, between;
	MPI_Request request;

	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
	MPI_Comm_rank(half, &half_rank);
	MPI_Ibcast(&number, 1, MPI_INT, 0, half, &request); /* 4, 8 */
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &between);
	MPI_Ibcast(&number, 1, MPI_INT, rank % 2 ? 0 : half_rank ? MPI_PROC_NULL : MPI_ROOT,
		   between, &request); /* 4, 4 */
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Comm_free(&between);
	MPI_Comm_free(&half);
}

int
main(int argc, char **argv)
{
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (size == RANKS) {
		to_one(rank);
		to_all(rank);
		in_halves(rank);
	}
	MPI_Finalize();
	return size != RANKS;
}
