/* An MPI program with two communicators, a thread that sends, and OpenMP; how often each procedure
 * is called follows from rank and size. The first argument says how it ends: "end", "abort" (rank 1
 * calls MPI_Abort), "kill" (rank 1 gets SIGKILL). */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile long sum;

static __attribute__((noinline)) void
work(long n)
{
	for (long i = 0; i < n; i++)
		sum += i;
}

static __attribute__((noinline)) void
in_half(MPI_Comm half)
{
	int of_half = 0, one = 1;

	MPI_Allreduce(&one, &of_half, 1, MPI_INT, MPI_SUM, half);
	work(of_half);
}

static void *
thread(void *rank)
{
	int from = (int)(long)rank, got = -1;

	MPI_Sendrecv(&from, 1, MPI_INT, from, 7, &got, 1, MPI_INT, from, 7,
		     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	for (int i = 0; i <= got; i++)
		work(1);
	return NULL;
}

int
main(int argc, char **argv)
{
	int rank, size, level;
	pthread_t t;
	MPI_Comm half;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
	for (int i = 0; i < 10 * (rank + 1); i++)
		work(100);
	for (int i = 0; i < 5; i++)
		in_half(half);
	if (level == MPI_THREAD_MULTIPLE) {
		pthread_create(&t, NULL, thread, (void *)(long)rank);
		pthread_join(t, NULL);
	}
#pragma omp parallel num_threads(3)
	work(2);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 1 && argc > 1 && !strcmp(argv[1], "abort"))
		MPI_Abort(MPI_COMM_WORLD, 3);
	if (rank == 1 && argc > 1 && !strcmp(argv[1], "kill"))
		kill(getpid(), SIGKILL);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return level == MPI_THREAD_MULTIPLE ? 0 : 9;
}
