/* cgview-mpi-reduce: cgview reduce as an MPI job. Each rank adds up its share of the files, then
 * the sums are added up along a binary tree; the message is the sum file. */
#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "cmd/cmd_output.h"
#include "cmd/reduce_options.h"
#include "collect/import/sums/fold.h"
#include "util/input.h"
#include "util/order.h"

#ifndef MOST_BYTES
#define MOST_BYTES (1 << 30)       /* of one message: MPI counts in int */
#endif

static const struct option_row option_rows[] = {
	REDUCE_OPTIONS,
	{ "here", 0, "PATTERN",
	  "add what matches PATTERN on each host, too, as '/tmp/*.raw'; the\n"
	  "ranks of a host share it", OPTION_TEXT,
	  .offset = offsetof(struct reduce_options, here) },
	{ .name = NULL },
};

static const struct option_table command = {
	.command = "reduce", .usage = "reduce", .width = 16, .rows = option_rows,
	.head = "usage: mpirun [...] cgview-mpi-reduce [OPTION...] -o OUT [FILE...]\n"
		"Add up raw profiles (cgview.PID.raw) and sums of them to one sum, as\n"
		"cgview reduce does, on all ranks of an MPI job, which share the files out.\n",
	.tail = "",
};

/* The order of nothing. MPICH 4.0 takes the least of numbers without a sign as if they had one. */
#define NOWHERE INT64_MAX

/* A file that this rank adds. The order is that of the files, of all ranks. */
struct item {
	const char *path;
	uint64_t order;
	size_t first;              /* of its processes in the fold */
	char *error;               /* why it is left out; NULL: it is not */
	bool banned;               /* a file before it, of another rank, has the process */
};

/* A process, and the file that it is in. */
struct whose { uint64_t order, id; };

struct work {
	int rank, size;
	bool keep_going;
	uint64_t keep;
	const char **spreads;
	size_t nr_spreads;
	struct item *items;
	size_t nr, alloc;
	struct fold fold;
	bool began;                /* the other ranks know what is to be done */
};

/* What the first rank tells the others at the start. */
struct start { uint64_t over, status, keep, keep_going; };
enum { NR_START = sizeof(struct start) / sizeof(uint64_t) };

static struct work work;

/* ---- messages ---- */

/* MPI_Wait(), but the processor is left to those who still read. */
static void
await(MPI_Request *request, MPI_Status *status)
{
	enum { MOST = 8000000 };
	struct timespec pause = { 0, 50000 };
	int done;

	while (MPI_Test(request, &done, status), !done) {
		nanosleep(&pause, NULL);
		if (pause.tv_nsec < MOST)
			pause.tv_nsec *= 2;
	}
}

static void
share_numbers(uint64_t *numbers, int nr, MPI_Comm among)
{
	MPI_Request r;

	MPI_Ibcast(numbers, nr, MPI_UINT64_T, 0, among, &r);
	await(&r, MPI_STATUS_IGNORE);
}

static uint64_t
of_all(uint64_t number, MPI_Op op)
{
	uint64_t result;
	MPI_Request r;

	MPI_Iallreduce(&number, &result, 1, MPI_UINT64_T, op, MPI_COMM_WORLD, &r);
	await(&r, MPI_STATUS_IGNORE);
	return result;
}

static int
piece(uint64_t length, uint64_t done)
{
	return length - done < MOST_BYTES ? (int)(length - done) : MOST_BYTES;
}

/* The first rank's bytes become those of all AMONG them; heap. */
static char *
share_bytes(char *bytes, uint64_t length, uint64_t *got, MPI_Comm among)
{
	int rank, n;

	MPI_Comm_rank(among, &rank);
	*got = length;
	share_numbers(got, 1, among);
	if (rank)
		bytes = xmalloc(*got + 1);
	for (uint64_t done = 0; done < *got; done += (uint64_t)n) {
		MPI_Request r;

		n = piece(*got, done);
		MPI_Ibcast(bytes + done, n, MPI_BYTE, 0, among, &r);
		await(&r, MPI_STATUS_IGNORE);
	}
	return bytes;
}

/* ---- the files of this rank ---- */

/* Every NUMBER-th of OF paths, which end in NUL each. */
static void
add_items(const char *paths, uint64_t length, int number, int of, uint64_t order)
{
	const char *end = paths + length;

	for (uint64_t i = 0; paths < end; paths += strlen(paths) + 1, i++) {
		if (i % (uint64_t)of != (uint64_t)number)
			continue;
		GROW(work.items, work.nr + 1, work.alloc);
		work.items[work.nr++] = (struct item){ .path = paths, .order = order + i };
	}
}

static void
put_path(struct strbuf *to, const char *path)
{
	strbuf_add(to, path, strlen(path) + 1);
}

/* The files that are named, and those on this host. */
static void
find_items(const struct reduce_options *o)
{
	struct strbuf named = STRBUF_INIT, here = STRBUF_INIT;
	uint64_t length, first;
	int rank, size;
	MPI_Comm host;
	char *paths;
	glob_t g;

	for (size_t i = 0; i < o->nr_paths && !work.rank; i++)
		put_path(&named, o->paths[i]);
	paths = share_bytes(named.buf, named.len, &length, MPI_COMM_WORLD);
	add_items(paths, length, work.rank, work.size, 0);

	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
	MPI_Comm_rank(host, &rank);
	MPI_Comm_size(host, &size);
	if (!rank && o->here && !glob(o->here, 0, NULL, &g)) {
		for (size_t i = 0; i < g.gl_pathc; i++)
			put_path(&here, g.gl_pathv[i]);
		globfree(&g);
	}
	paths = share_bytes(here.buf, here.len, &length, host);
	first = (uint64_t)work.rank + 1;
	share_numbers(&first, 1, host);
	add_items(paths, length, rank, size, first << 32);
}

/* Adds up all but the files that are banned. Returns where in the order an error is which is not to
 * be gone beyond, or NOWHERE. */
static uint64_t
add_mine(void)
{
	fold_release(&work.fold);
	fold_init(&work.fold, work.keep, NULL);
	for (size_t i = 0; i < work.nr_spreads; i++) {
		struct error err = ERROR_INIT;

		if (fold_spread(&work.fold, work.spreads[i], &err))
			die(1, "%s", err.text);
	}
	for (size_t i = 0; i < work.nr; i++) {
		struct item *item = &work.items[i];
		struct error err = ERROR_INIT;

		item->first = work.fold.nr_processes;
		if (item->banned)
			continue;
		free(item->error);
		item->error = NULL;
		if (!fold_add(&work.fold, item->path, &err))
			continue;
		item->error = xstrdup(err.text);
		if (!work.keep_going || work.fold.stacks.problem.set) {
			work.nr = i + 1; /* what is behind it does not matter any more */
			return item->order;
		}
	}
	return NOWHERE;
}

/* ---- processes that are in the files of several ranks ---- */

static int
by_order(const void *a, const void *b)
{
	const struct whose *x = a, *y = b;

	COMPARE(x->order, y->order);
	COMPARE(x->id, y->id);
	return 0;
}

static bool
whose_equal(const void *all, uint32_t item, const void *id)
{
	return ((const struct whose *)all)[item].id == *(const uint64_t *)id;
}

/* Moves to the begin of ALL the files that have a process of a file before them, each with one such
 * process. Returns their number. */
static size_t
find_twice(struct whose *all, size_t nr)
{
	struct whose *twice = xcalloc(nr, sizeof(*twice));
	struct index by_id = INDEX_INIT;
	size_t nr_twice = 0, end;

	qsort(all, nr, sizeof(*all), by_order);
	for (size_t i = 0; i < nr; i = end) {
		bool is = false;

		for (end = i; end < nr && all[end].order == all[i].order; end++) {
			uint64_t h = hash_number(HASH_START, all[end].id);

			if (is || index_find(&by_id, h, whose_equal, all, &all[end].id) ==
				  INDEX_NONE)
				continue;
			twice[nr_twice++] = all[end];
			is = true;
		}
		for (size_t k = i; k < end && !is; k++)
			index_add(&by_id, hash_number(HASH_START, all[k].id), (uint32_t)k);
	}
	memcpy(all, twice, nr_twice * sizeof(*all));
	index_release(&by_id);
	free(twice);
	return nr_twice;
}

/* The processes of the fold, and the files that they are in; heap. */
static struct whose *
processes_of_mine(void)
{
	struct whose *mine = xcalloc(work.fold.nr_processes + 1, sizeof(*mine));

	for (size_t i = 0, item = 0; i < work.fold.nr_processes; i++) {
		while (item + 1 < work.nr && work.items[item + 1].first <= i)
			item++;
		mine[i] = (struct whose){ work.items[item].order, work.fold.processes[i].of.id };
	}
	return mine;
}

/* Returns the files that find_twice() finds of all ranks'; heap. */
static struct whose *
twice_of_all(size_t *nr)
{
	struct whose *mine = processes_of_mine(), *all = NULL;
	int *counts = xcalloc((size_t)work.size, sizeof(*counts));
	int *places = xcalloc((size_t)work.size, sizeof(*places));
	int count = (int)work.fold.nr_processes;
	uint64_t sum = 0, length;
	MPI_Datatype type;
	MPI_Request r;

	MPI_Type_contiguous(2, MPI_UINT64_T, &type);
	MPI_Type_commit(&type);
	MPI_Igather(&count, 1, MPI_INT, counts, 1, MPI_INT, 0, MPI_COMM_WORLD, &r);
	await(&r, MPI_STATUS_IGNORE);
	for (int i = 0; i < work.size; i++) {
		places[i] = (int)sum;
		sum += (uint64_t)counts[i];
	}
	if (!work.rank)
		all = xcalloc(sum + 1, sizeof(*all));
	MPI_Igatherv(mine, count, type, all, counts, places, type, 0, MPI_COMM_WORLD, &r);
	await(&r, MPI_STATUS_IGNORE);
	MPI_Type_free(&type);
	length = work.rank ? 0 : find_twice(all, sum) * sizeof(*all);
	all = (struct whose *)share_bytes((char *)all, length, &length, MPI_COMM_WORLD);
	*nr = length / sizeof(*all);
	free(mine);
	free(counts);
	free(places);
	return all;
}

/* The file of T, if it is of this rank, is banned. */
static void
ban(const struct whose *t)
{
	const struct fold *f = &work.fold;

	for (size_t i = 0; i < work.nr; i++) {
		struct item *item = &work.items[i];
		struct error err = ERROR_INIT;
		size_t k = item->first;

		if (item->order != t->order)
			continue;
		while (f->processes[k].of.id != t->id)
			k++;
		fold_twice(&f->processes[k].of, f->processes[k].host, item->path, &err);
		item->error = xstrdup(err.text);
		item->banned = true;
	}
}

/* Adds to the spreads what the files did that were added. */
static int
add_spreads(void)
{
	struct error err = ERROR_INIT;
	int status = 0;

	for (size_t i = 0; i < work.nr && !status; i++)
		if (!work.items[i].error)
			status = fold_add_spread(&work.fold, work.items[i].path, &err);
	if (status)
		complain("%s", err.text);
	return of_all(status != 0, MPI_MAX) ? -1 : 0;
}

/* Adds up the files of this rank but those that are left out, which are told. Returns how many of
 * all ranks'; -1: nothing is to be written, which is told by one of them. */
static int
add_share(void)
{
	uint64_t failed = add_mine(), left_out = 0;
	size_t nr;

	do {
		struct whose *twice = twice_of_all(&nr);

		for (size_t i = 0; i < nr; i++)
			ban(&twice[i]);
		if (nr && twice[0].order < failed && !work.keep_going)
			failed = twice[0].order;
		free(twice);
		failed = of_all(failed, MPI_MIN);
		if (nr && work.keep_going)
			add_mine();
	} while (nr && work.keep_going);

	for (size_t i = 0; i < work.nr; i++) {
		const struct item *item = &work.items[i];

		if (item->order == failed)
			complain("%s", item->error);
		if (!item->error || !work.keep_going)
			continue;
		complain("left out: %s", item->error);
		left_out++;
	}
	if (failed != NOWHERE || add_spreads())
		return -1;
	if (of_all(work.fold.nr_processes, MPI_SUM))
		return (int)of_all(left_out, MPI_SUM);
	if (!work.rank)
		complain("none of the files can be added");
	return -1;
}

/* ---- the tree ---- */

#define NOTHING_COMES UINT64_MAX   /* in place of a length */

/* The fold as a file without a name, which the caller closes. -1 and ERR. */
static int
fold_in_memory(struct error *err)
{
	int fd = memfd_create("cgview-sum", MFD_CLOEXEC), copy = fd < 0 ? -1 : dup(fd);
	FILE *out = copy < 0 ? NULL : fdopen(copy, "w");

	if (!out)
		error_set_errno(err, errno, "no memory for a sum");
	else if (!fold_write_to(&work.fold, out, err) && !fflush(out)) {
		fclose(out);
		return fd;
	} else
		error_set_errno(err, errno, "no memory for a sum");
	if (out)
		fclose(out);
	if (fd >= 0)
		close(fd);
	return -1;
}

/* GOOD: there is a sum to be sent. */
static int
send_sum(int to, bool good, struct error *err)
{
	int fd = good && work.fold.nr_processes ? fold_in_memory(err) : -1;
	uint64_t length = fd < 0 ? 0 : (uint64_t)lseek(fd, 0, SEEK_END);
	char *bytes = fd < 0 ? NULL : mmap(NULL, length, PROT_READ, MAP_SHARED, fd, 0);
	MPI_Request r;
	int n;

	if (bytes == MAP_FAILED)
		error_set_errno(err, errno, "no memory for a sum");
	if (!good || err->set)
		length = NOTHING_COMES;
	MPI_Isend(&length, 1, MPI_UINT64_T, to, 0, MPI_COMM_WORLD, &r);
	await(&r, MPI_STATUS_IGNORE);
	for (uint64_t done = 0; length != NOTHING_COMES && done < length; done += (uint64_t)n) {
		n = piece(length, done);
		MPI_Isend(bytes + done, n, MPI_BYTE, to, 0, MPI_COMM_WORLD, &r);
		await(&r, MPI_STATUS_IGNORE);
	}
	if (fd >= 0)
		close(fd);
	return err->set ? -1 : 0;
}

/* Writes all that comes from FROM to FD; what comes behind an error is taken, and dropped. */
static int
receive_bytes(int from, uint64_t length, int fd, struct error *err)
{
	char *room = xmalloc((size_t)piece(length, 0) + 1);
	MPI_Request r;
	int n;

	for (uint64_t done = 0; done < length; done += (uint64_t)n) {
		n = piece(length, done);
		MPI_Irecv(room, n, MPI_BYTE, from, 0, MPI_COMM_WORLD, &r);
		await(&r, MPI_STATUS_IGNORE);
		for (ssize_t put = 0, at = 0; at < n && !err->set; at += put) {
			put = write(fd, room + at, (size_t)(n - at));
			if (put < 0)
				error_set_errno(err, errno, "no memory for a sum");
		}
	}
	free(room);
	return err->set ? -1 : 0;
}

/* Adds what comes from FROM. False: nothing comes, or ERR says why it cannot be added. */
static bool
receive_sum(int from, struct error *err)
{
	uint64_t length;
	MPI_Request r;
	char path[64];
	int fd;

	MPI_Irecv(&length, 1, MPI_UINT64_T, from, 0, MPI_COMM_WORLD, &r);
	await(&r, MPI_STATUS_IGNORE);
	if (!length || length == NOTHING_COMES)
		return !length;
	fd = memfd_create("cgview-sum", MFD_CLOEXEC);
	if (fd < 0)
		error_set_errno(err, errno, "no memory for a sum");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!receive_bytes(from, length, fd, err))
		fold_add(&work.fold, path, err);
	if (fd >= 0)
		close(fd);
	return !err->set;
}

/* The first rank gets the sum of all, and writes it. */
static int
add_all(const char *output)
{
	struct error err = ERROR_INIT;
	bool good = true, sent = false;

	for (int step = 1; step < work.size && !sent; step *= 2) {
		sent = work.rank & step;
		if (sent)
			send_sum(work.rank - step, good, &err);
		else if (work.rank + step < work.size)
			good &= receive_sum(work.rank + step, &err);
	}
	if (!work.rank && good && !fold_check_spreads(&work.fold, &err))
		fold_write(&work.fold, output, false, &err);
	if (err.set)
		complain("rank %d: %s", work.rank, err.text);
	return of_all(!good || err.set, MPI_MAX) ? -1 : 0;
}

/* ---- */

/* What ends a rank by exit() ends the job. */
static void
leave(int status, void *ignored)
{
	struct start s = { .over = 1, .status = (uint64_t)status };
	int finished;

	(void)ignored;
	MPI_Finalized(&finished);
	if (finished)
		return;
	if (work.began || work.rank)
		MPI_Abort(MPI_COMM_WORLD, status);
	share_numbers(&s.over, NR_START, MPI_COMM_WORLD);
	MPI_Finalize();
}

/* One rank says what is wrong with a program, before all read it. */
static void
try_programs(const struct reduce_options *o)
{
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < o->nr_spreads; i++) {
		struct derive *d = derive_open(o->spreads[i], &err);

		if (!d)
			die(1, "%s", err.text);
		derive_close(d);
	}
}

/* The first rank reads what is to be done, and tells the others. Only where they find files on
 * their host each has its own options. */
static void
begin(struct reduce_options *o, int argc, char **argv)
{
	struct start s = { .over = 0 };
	int first;

	if (!work.rank) {
		first = options_parse(&command, o, argc, argv);
		if (!first)
			exit(output_finish("reduce"));
		reduce_given(o, first, argc, argv);
		if (!o->nr_paths && !o->here)
			die(2, "reduce: which raw profiles? See cgview-mpi-reduce --help");
		try_programs(o);
		s.keep = o->keep;
		s.keep_going = o->keep_going;
	}
	share_numbers(&s.over, NR_START, MPI_COMM_WORLD);
	if (s.over) {
		MPI_Finalize();
		exit((int)s.status);
	}
	work.began = true;
	work.keep = s.keep;
	work.keep_going = s.keep_going;
	if (work.rank)
		options_parse(&command, o, argc, argv);
	work.spreads = o->spreads;
	work.nr_spreads = o->nr_spreads;
}

int
main(int argc, char **argv)
{
	struct reduce_options o = REDUCE_OPTIONS_INIT;
	int left_out;

	error_program("cgview-mpi-reduce");
	signal(SIGXFSZ, SIG_IGN);
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &work.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &work.size);
	on_exit(leave, NULL);
	begin(&o, argc, argv);
	find_items(&o);
	left_out = add_share();
	if (left_out >= 0 && add_all(o.output))
		left_out = -1;
	MPI_Finalize();
	return left_out ? 1 : 0;
}
