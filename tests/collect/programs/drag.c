/* Blocks that are used at times that the program itself writes down: what --space=drag tells of
 * them is compared with that. And what is done with blocks that are watched, in any way a program
 * may use them: whatever is wrong ends it with a line. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void
fail(const char *what, int line)
{
	printf("%s, line %d\n", what, line);
	fflush(stdout);
	_exit(1);
}
#define MUST(x) ((x) ? (void)0 : fail(#x, __LINE__))

static uint64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void
nap(unsigned ms)
{
	struct timespec t = {ms / 1000, (ms % 1000) * 1000000L};

	while (nanosleep(&t, &t))
		;
}

static unsigned
draw(unsigned *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 12;
}

/* ---- data stay what they are ---- */

/* The first 8 bytes tell what the others are. */
struct held {
	char *p;
	size_t size;
	unsigned char with;
};

static void
fill(struct held *h, unsigned char with)
{
	h->with = with;
	memset(h->p, with, h->size);
}

static int
is_whole(const struct held *h)
{
	for (size_t i = 0; i < h->size; i++)
		if ((unsigned char)h->p[i] != h->with)
			return 0;
	return 1;
}

static void
get(struct held *h, unsigned *seed)
{
	h->size = 1 + draw(seed) % (draw(seed) % 8 ? 600 : 5000);
	if (draw(seed) % 3 == 0) {
		h->p = calloc(1, h->size);
		h->with = 0;
		MUST(h->p && is_whole(h));
	} else {
		h->p = malloc(h->size);
	}
	MUST(h->p && !((uintptr_t)h->p & 15));
	MUST(malloc_usable_size(h->p) >= h->size);
	fill(h, (unsigned char)draw(seed));
}

/* The kernel writes into the block, and reads from it. */
static void
by_kernel(struct held *h, const int *pipe)
{
	size_t size = h->size < 4096 ? h->size : 4096;

	MUST(write(pipe[1], h->p, size) == (ssize_t)size);
	memset(h->p, 0, size);
	MUST(read(pipe[0], h->p, size) == (ssize_t)size);
}

static void
resize(struct held *h, unsigned *seed)
{
	size_t size = 1 + draw(seed) % 5000, same = size < h->size ? size : h->size;

	h->p = realloc(h->p, size);
	MUST(h->p != NULL);
	h->size = same;
	MUST(is_whole(h));
	h->size = size;
	fill(h, h->with);
}

enum { HELD = 3000 };

static void
work(struct held *held, unsigned *seed, unsigned rounds, const int *pipe)
{
	for (unsigned i = 0; i < rounds; i++) {
		struct held *h = &held[draw(seed) % HELD];

		if (!h->p) {
			get(h, seed);
			continue;
		}
		MUST(is_whole(h));
		switch (draw(seed) % 5) {
		case 0:
			free(h->p);
			h->p = NULL;
			break;
		case 1:
			resize(h, seed);
			break;
		case 2:
			by_kernel(h, pipe);
			break;
		default:
			fill(h, (unsigned char)draw(seed));
		}
	}
}

static void
check_all(const struct held *held)
{
	for (int i = 0; i < HELD; i++)
		MUST(!held[i].p || is_whole(&held[i]));
}

static void
free_all(struct held *held)
{
	for (int i = 0; i < HELD; i++)
		free(held[i].p);
	memset(held, 0, HELD * sizeof(*held));
}

/* A child changes all that it has got; the parent sees none of it, and the child nothing of what
 * the parent does meanwhile. */
static void
fork_once(struct held *held, unsigned *seed, const int *pipe)
{
	pid_t child;
	int status, other[2];

	fflush(stdout);
	child = fork();
	if (!child) {
		MUST(!pipe2(other, 0));
		nap(2);
		check_all(held);
		work(held, seed, 2000, other);
		check_all(held);
		free_all(held);
		exit(0);
	}
	MUST(child > 0);
	work(held, seed, 2000, pipe);
	check_all(held);
	MUST(waitpid(child, &status, 0) == child);
	MUST(status == 0);
}

static void
integrity(unsigned seed, int forks)
{
	static struct held held[HELD];
	int p[2];

	MUST(!pipe(p));
	for (int i = 0; i < 8; i++) {
		work(held, &seed, 20000, p);
		nap(15);
		check_all(held);
		if (forks)
			fork_once(held, &seed, p);
	}
	free_all(held);
}

/* ---- threads that give back each other's ---- */

enum { SHELF = 4096, THREADS = 4 };
static struct held *_Atomic shelf[SHELF];
static _Atomic int more = 1;

static void *
exchange(void *seed_at)
{
	unsigned seed = (unsigned)(uintptr_t)seed_at;
	int p[2];

	MUST(!pipe(p));
	while (more) {
		struct held *h = malloc(sizeof(*h));

		get(h, &seed);
		by_kernel(h, p);
		h = atomic_exchange(&shelf[draw(&seed) % SHELF], h);
		if (!h)
			continue;
		MUST(is_whole(h));
		free(h->p);
		free(h);
	}
	close(p[0]);
	close(p[1]);
	return NULL;
}

static void
threads(int forks)
{
	pthread_t t[THREADS];
	int status;

	for (int i = 0; i < THREADS; i++)
		MUST(!pthread_create(&t[i], NULL, exchange, (void *)(uintptr_t)(i + 1)));
	for (int i = 0; i < 20; i++) {
		struct held own = {.p = NULL};
		unsigned seed = (unsigned)i;
		pid_t child;

		nap(25);
		get(&own, &seed);
		child = forks ? fork() : -1;
		if (!child) {
			MUST(is_whole(&own));
			fill(&own, 77);
			_exit(0);
		}
		if (child > 0) {
			MUST(waitpid(child, &status, 0) == child && status == 0);
			MUST(is_whole(&own));
		}
		free(own.p);
	}
	more = 0;
	for (int i = 0; i < THREADS; i++)
		MUST(!pthread_join(t[i], NULL));
}

/* ---- known lives ---- */

/* In ms, as they were: the sums of size times time, by kinds. */
enum { PHASE_MS = 250, BLOCKS = 12000, KINDS = 4 };
static char *kinds[KINDS][BLOCKS];
static uint64_t born[KINDS][BLOCKS], first[KINDS][BLOCKS], last[KINDS][BLOCKS], died[KINDS][BLOCKS];
static const size_t sizes[KINDS] = {200, 320, 150, 1000};

static void
use(int kind, int i, int write)
{
	volatile char *p = kinds[kind][i] + (size_t)i % sizes[kind];

	if (write)
		*p = (char)i;
	else
		(void)*p;
	last[kind][i] = now();
	if (!first[kind][i])
		first[kind][i] = last[kind][i];
}

static void
use_all(int kind, int write)
{
	for (int i = 0; i < BLOCKS; i++)
		if (kinds[kind][i])
			use(kind, i, write);
}

static void
make_all(int kind)
{
	for (int i = 0; i < BLOCKS; i++) {
		born[kind][i] = now();
		switch (kind) {
		case 0:
			kinds[0][i] = malloc(sizes[0]); /* KIND0 */
			break;
		case 1:
			kinds[1][i] = malloc(sizes[1]); /* KIND1 */
			break;
		case 2:
			kinds[2][i] = calloc(1, sizes[2]); /* KIND2 */
			break;
		default:
			kinds[3][i] = malloc(sizes[3]); /* KIND3 */
		}
	}
}

static void
free_kind(int kind, int step)
{
	for (int i = 0; i < BLOCKS; i += step) {
		if (!kinds[kind][i])
			continue;
		died[kind][i] = now();
		free(kinds[kind][i]);
		kinds[kind][i] = NULL;
	}
}

/* A line of each kind: bytes times seconds that its blocks lag, are in use, are dragged along, are
 * never used. */
static void
tell(void)
{
	uint64_t end = now();

	for (int k = 0; k < KINDS; k++) {
		double lag = 0, used = 0, drag = 0, never = 0;

		for (int i = 0; i < BLOCKS; i++) {
			uint64_t to = died[k][i] ? died[k][i] : end;

			if (!first[k][i]) {
				never += (double)(to - born[k][i]);
				continue;
			}
			lag += (double)(first[k][i] - born[k][i]);
			used += (double)(last[k][i] - first[k][i]);
			drag += (double)(to - last[k][i]);
		}
		printf("%.0f %.0f %.0f %.0f\n", lag * sizes[k] / 1e9, used * sizes[k] / 1e9,
		       drag * sizes[k] / 1e9, never * sizes[k] / 1e9);
	}
	fflush(stdout);
}

/* Kind 0 is used at the begin only, 1 to its end, 2 never (but filled), 3 late, once. The last are
 * not given back. */
static void
truth(void)
{
	nap(4 * PHASE_MS); /* who looks at blocks has begun, also on a busy machine */
	make_all(0);
	use_all(0, 1);
	make_all(1);
	use_all(1, 1);
	make_all(2);
	make_all(3);
	for (int phase = 0; phase < 6; phase++) {
		nap(PHASE_MS);
		use_all(1, phase & 1);
		if (phase == 2)
			use_all(3, 0);
		if (phase == 3)
			free_kind(0, 3);
		if (phase == 4)
			free_kind(2, 2);
	}
	free_kind(0, 1);
	free_kind(1, 1);
	tell();
}

enum { ONCE = 1000 };

static void
make_at_once(void)
{
	for (int i = 0; i < ONCE; i++)
		kinds[0][i] = malloc(1000); /* ONCE */
}

/* Before anything else, and in parent and child as soon as there are two. */
static void
at_once(int forks)
{
	pid_t child;
	int status;

	if (!forks) {
		make_at_once();
		return;
	}
	child = fork();
	make_at_once();
	if (child)
		MUST(waitpid(child, &status, 0) == child && status == 0);
}

int
main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	unsigned seed = argc > 2 ? (unsigned)atoi(argv[2]) : 1;

	if (!strcmp(mode, "integrity"))
		integrity(seed, 0);
	else if (!strcmp(mode, "forks"))
		integrity(seed, 1);
	else if (!strcmp(mode, "threads"))
		threads(0);
	else if (!strcmp(mode, "threads_fork"))
		threads(1);
	else if (!strcmp(mode, "once"))
		at_once(seed == 2);
	else if (!strcmp(mode, "truth"))
		truth();
	else if (!strcmp(mode, "killed"))
		truth(), kill(getpid(), SIGKILL);
	else
		return 2;
	if (strcmp(mode, "truth"))
		puts("whole");
	return 0;
}
