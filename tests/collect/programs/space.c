/* Allocations whose number, bytes and fate are known: what test-space.sh expects is computed from
 * the sizes that stand here. Each mode is a procedure; places have marks. */
#include <errno.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MANY = 4096 };
static void *volatile kept[MANY];
static void *volatile sink;
static char *volatile buffer;

/* Blocks of 1000, 1001, ... 1099, of which the first 60 are given back; a buffer that grows by 10
 * bytes; 50 blocks of 7 that are given back at once. */
static void
known(void)
{
	int i;

	for (i = 0; i < 100; i++)
		kept[i] = malloc(1000 + i); /* BLOCKS */
	for (i = 0; i < 60; i++)
		free(kept[i]);
	for (i = 1; i <= 2000; i++)
		buffer = realloc(buffer, 10 * i); /* GROWS */
	for (i = 0; i < 50; i++) {
		sink = malloc(7); /* TEMPORARY */
		free(sink);
	}
}

static void
die(void)
{
	known();
	kill(getpid(), SIGKILL);
}

/* Each of the allocators once, and what goes wrong; nothing is kept but what has a mark. */
static void
kinds(void)
{
	void *volatile p;
	void *q = NULL;
	long page = sysconf(_SC_PAGESIZE), bad = 0;

	p = calloc(10, 30); /* CALLOC */
	for (int i = 0; i < 300; i++)
		bad += ((char *)p)[i] != 0;
	free(p);
	p = reallocarray(NULL, 5, 8); /* ARRAY */
	p = reallocarray(p, 500, 8); /* ARRAY2 */
	free(p);
	p = memalign(64, 100); /* MEMALIGN */
	bad += ((uintptr_t)p & 63) != 0;
	free(p);
	p = aligned_alloc(4096, 8192); /* ALIGNED */
	bad += ((uintptr_t)p & 4095) != 0;
	free(p);
	bad += posix_memalign(&q, 256, 77) != 0; /* POSIX */
	bad += ((uintptr_t)q & 255) != 0;
	free(q);
	p = valloc(11); /* VALLOC */
	bad += ((uintptr_t)p & (uintptr_t)(page - 1)) != 0;
	free(p);
	p = pvalloc(12); /* PVALLOC */
	free(p);
	p = malloc(0); /* EMPTY */
	bad += !p;
	free(p);
	p = malloc(400000); /* MAPPED */
	((volatile char *)p)[399999] = 1;
	bad += malloc_usable_size(p) < 400000;
	p = realloc(p, 900000); /* MAPPED2 */
	bad += ((volatile char *)p)[399999] != 1;
	p = realloc(p, 20); /* SHRUNK */
	p = realloc(p, 0); /* GONE */
	bad += p != NULL;
	errno = 0;
	p = malloc(PTRDIFF_MAX); /* TOO_MUCH */
	bad += p || errno != ENOMEM;
	errno = 0;
	p = calloc(SIZE_MAX / 2, 3); /* OVERFLOW */
	bad += p || errno != ENOMEM;
	p = malloc(24); /* LIVES_ON */
	strcpy(p, "whole");
	bad += realloc(p, PTRDIFF_MAX) != NULL || strcmp(p, "whole"); /* FAILS */
	free(p);
	free(NULL);
	errno = 5;
	sink = malloc(33); /* ERRNO */
	free(sink);
	bad += errno != 5;
	for (size_t n = 1000; n < 1100; n++) {
		p = malloc(n); /* SIZES */
		memset(p, 1, malloc_usable_size(p)); /* its record stands behind that */
		bad += malloc_usable_size(p) < n;
		p = realloc(p, 2100 - n); /* SIZES2 */
		memset(p, 1, 2100 - n);
		free(p);
	}
	printf("%ld bad\n", bad);
}

/* What libc allocates is the call's that wants it. */
static void
library(void)
{
	char *line = NULL, *text;
	size_t room = 0;
	FILE *f;

	for (int i = 0; i < 20; i++)
		kept[i] = strdup("hello"); /* STRDUP */
	for (int i = 0; i < 15; i++)
		free(kept[i]);
	if (asprintf(&text, "%0200d", 1) > 0) /* ASPRINTF */
		free(text);
	f = fmemopen((char[]){"some text\n"}, 10, "r");
	if (f && getline(&line, &room, f) > 0) /* GETLINE */
		puts(line);
	free(line);
	if (f)
		fclose(f);
}

/* A wrapper that ends in a jump, and one that looks at what it got. */
static __attribute__((noinline)) void *
jumps(size_t n)
{
	return malloc(n);
}

static __attribute__((noinline)) void *
checks(size_t n)
{
	void *p = malloc(n);

	if (!p)
		abort();
	return p;
}

static inline __attribute__((always_inline)) void *
inlined(size_t n)
{
	return malloc(n);
}

static void
wrappers(void)
{
	for (int i = 0; i < 10; i++) {
		kept[i] = jumps(10); /* JUMPS */
		kept[100 + i] = checks(20); /* CHECKS */
		kept[200 + i] = inlined(30); /* INLINED */
	}
}

/* ---- threads that give back what others have got ---- */

enum { THREADS = 4, ROUNDS = 20000, QUEUE = 64 };
static struct queue {
	pthread_mutex_t mutex;
	void *items[QUEUE];
	unsigned nr;
} queues[THREADS] = {
	{PTHREAD_MUTEX_INITIALIZER}, {PTHREAD_MUTEX_INITIALIZER},
	{PTHREAD_MUTEX_INITIALIZER}, {PTHREAD_MUTEX_INITIALIZER},
};

/* Puts P in the queue, in place of what has been there the longest. */
static void *
exchange(struct queue *q, void *p)
{
	void *old;

	pthread_mutex_lock(&q->mutex);
	old = q->items[q->nr % QUEUE];
	q->items[q->nr++ % QUEUE] = p;
	pthread_mutex_unlock(&q->mutex);
	return old;
}

static void *
work(void *number)
{
	size_t me = (size_t)number;

	for (int i = 0; i < ROUNDS; i++)
		free(exchange(&queues[(me + i) % THREADS], malloc(16 + 8 * me))); /* HANDED */
	return NULL;
}

static void
threads(void)
{
	pthread_t all[THREADS];

	for (size_t i = 0; i < THREADS; i++)
		pthread_create(&all[i], NULL, work, (void *)i); /* CREATES */
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(all[i], NULL);
}

static void *
one_block(void *unused)
{
	sink = malloc(5); /* CHURN */
	free(sink);
	return unused;
}

static void
churn(void)
{
	pthread_t t;

	for (int i = 0; i < 200; i++) {
		pthread_create(&t, NULL, one_block, NULL);
		pthread_join(t, NULL);
	}
}

/* ---- processes ---- */

static __attribute__((noinline)) void
get(int first, int nr)
{
	for (int i = first; i < first + nr; i++)
		kept[i] = malloc(100); /* BOTH */
}

/* Each child inherits 10 blocks of 100, gives back 3 of them, gets 2 more at the same place, and 4
 * of 50, of which it gives back 1; the parent gives back 6. */
static void
processes(int nr)
{
	int i, k;

	get(0, 10);
	for (k = 0; k < nr; k++)
		if (!fork()) {
			for (i = 0; i < 3; i++)
				free(kept[i]);
			get(20, 2);
			for (i = 0; i < 4; i++)
				kept[i] = malloc(50); /* CHILD */
			free(kept[0]);
			_exit(0);
		} else {
			wait(NULL);
		}
	for (i = 0; i < 6; i++)
		free(kept[i]);
}

/* ---- what a program must not do ---- */

/* Writes BEHIND bytes behind a block of 16, which has room for 8 more without us; each becomes
 * another one, whatever it was, and never what it was some rounds before. */
static void
writes(int behind)
{
	for (int i = 0; i < 10; i++) {
		char *volatile p = malloc(16); /* OVERWRITTEN */

		memset(p, 0x5a, 16);
		for (int k = 16; k < 16 + behind; k++)
			p[k]++;
		printf("%d", p[15]);
		free(p); /* GIVEN */
	}
	puts("");
}

/* Of a larger block the size stands before the record, and is hit first. */
static void
writes_long(void)
{
	char *volatile p = malloc(2008); /* LONG */

	memset(p, 0x5a, 2008);
	p[2008]++;
	printf("%d\n", p[2007]);
	p = realloc(p, 1); /* RESIZED */
	free(p);
}

static void
twice(void)
{
	char *volatile p = malloc(40); /* ONCE */

	free(p);
	puts("once");
	fflush(stdout);
	free(p); /* TWICE */
	puts("twice");
}

/* Of a large block nothing is left that could be looked at: libc ends the program, too. */
static void
twice_mapped(void)
{
	char *volatile p = malloc(300000), *volatile q = malloc(300000), *volatile other;

	free(q);
	other = malloc(300000); /* where q was, and given back as it must be */
	free(other);
	free(p);
	free(malloc(400000));
	puts("once");
	fflush(stdout);
	free(p); /* UNMAPPED */
	puts("twice");
}

/* What was never handed out, where nothing is; nor can be, if NO_ADDRESS. A handler of the
 * program's own gets the signal, and may go on. */
static sigjmp_buf back;

static void
on_segv(int signal)
{
	siglongjmp(back, signal);
}

static void
wild(int no_address, int resized, int handled)
{
	char *volatile p = (char *)(no_address ? 0xdeadbeefdeadbee0 : 0x123456789ab0);

	if (handled)
		signal(SIGSEGV, on_segv);
	puts("once");
	fflush(stdout);
	if (sigsetjmp(back, 1)) {
		puts("handled");
		return;
	}
	if (resized)
		p = realloc(p, 100); /* WILD_RESIZED */
	else
		free(p); /* WILD */
	puts("twice");
}

/* Blocks in memory that may not be used, until the handler of the program's own lets it. */
enum { PAGE = 4096 };
static volatile int let_through;

static void
let(int signal, siginfo_t *info, void *context)
{
	let_through++;
	mprotect((void *)((unsigned long)info->si_addr & -(unsigned long)PAGE), PAGE,
		 PROT_READ | PROT_WRITE);
	errno = EDOM;
}

static void
barriers(void)
{
	struct sigaction a = {.sa_sigaction = let, .sa_flags = SA_SIGINFO};
	volatile int *number = &errno;
	char *volatile blocks[40], *volatile page;
	int i, k = 0;

	sigaction(SIGSEGV, &a, NULL);
	for (i = 0; i < 40; i++)
		blocks[i] = malloc(500);
	page = (char *)((unsigned long)(blocks[10] + PAGE - 1) & -(unsigned long)PAGE);
	while (blocks[k] < page + 16)
		k++;
	mprotect(page, PAGE, PROT_NONE);
	free(blocks[k]);
	mprotect(page, PAGE, PROT_NONE);
	blocks[k] = realloc(blocks[k + 1], 1000);
	blocks[k + 1] = NULL;
	mprotect(page, PAGE, PROT_NONE);
	*number = 0;
	*(volatile char *)(page + PAGE / 2) = 1;
	printf("%d %d\n", let_through, *number == EDOM);
	for (i = 0; i < 40; i++)
		free(blocks[i]); /* ALL_LET */
}

/* The last block of libc's heap becomes part of its end: the size before it leads to behind all. */
static void
twice_at_end(void)
{
	char *volatile p;

	for (int i = 0; i < 4; i++)
		kept[i] = malloc(3000);
	p = malloc(5000);
	free(p);
	puts("once");
	fflush(stdout);
	free(p); /* AT_END */
	puts("twice");
}

/* What pvalloc() makes is whole pages. */
static void
fills_pages(void)
{
	for (int i = 1; i < 10; i++) {
		size_t n = (size_t)i * 1000, whole = (n + 4095) / 4096 * 4096;
		char *volatile p = pvalloc(n); /* PAGES */

		memset(p, 0x5a, whole);
		printf("%d %d\n", p[whole - 1], malloc_usable_size(p) >= whole);
		free(p);
	}
	printf("%d\n", pvalloc(SIZE_MAX - 5) == NULL);
}

/* What the parent has given back the child gives back again. */
static void
twice_in_child(void)
{
	char *volatile p = malloc(100); /* PARENTS */
	int status;

	free(p);
	if (!fork()) {
		free(p); /* CHILDS */
		_exit(0);
	}
	wait(&status);
	printf("%d\n", WTERMSIG(status));
}

static char area[1 << 21];

/* What stands before it is a size that leads into nothing. */
static void
no_block(const char *what)
{
	char *volatile p = area + 4096;

	memset(p - 16, *what == 'f' ? 0xff : 0, 16);
	if (*what == 'l')
		*(uint64_t *)(uintptr_t)(p - 8) = UINT64_C(0x7fff00000001);
	if (*what == 'm')
		p = (char *)malloc(400) + 48;
	if (*what == 'o')
		p = (char *)malloc(400) + 3;
	puts("now");
	fflush(stdout);
	free(p); /* NO_BLOCK */
	puts("then");
}

/* ---- at random, with an account of its own ---- */

struct account {
	long allocs, bytes, live, live_blocks;
} accounts[4];
static struct slot {
	void *block;
	size_t size;
	int place;
} slots[512];

static void
give_back(struct slot *s)
{
	free(s->block);
	accounts[s->place].live -= (long)s->size;
	accounts[s->place].live_blocks -= s->block != NULL;
	*s = (struct slot){0};
}

static void
take(struct slot *s, int place, size_t size, void *block)
{
	*s = (struct slot){block, size, place};
	memset(block, 0xee, size);
	accounts[place].allocs++;
	accounts[place].bytes += (long)size;
	accounts[place].live += (long)size;
	accounts[place].live_blocks++;
}

static void
at_random(unsigned seed)
{
	for (int i = 0; i < 200000; i++) {
		struct slot *s;
		size_t n;
		void *p;

		seed = seed * 1664525 + 1013904223;
		s = &slots[seed >> 23];
		n = (seed >> 8) % (seed & 64 ? 50 : seed & 128 ? 1100 : 20000);
		if ((seed & 3) == 3 && s->block && n) {
			accounts[s->place].live -= (long)s->size;
			accounts[s->place].live_blocks--;
			p = realloc(s->block, n); /* RANDOM3 */
			take(s, 3, n, p);
			continue;
		}
		give_back(s);
		if ((seed & 3) == 0)
			take(s, 0, n, malloc(n)); /* RANDOM0 */
		else if ((seed & 3) == 1)
			take(s, 1, n, calloc(n, 1)); /* RANDOM1 */
		else if ((seed & 3) == 2)
			take(s, 2, n, aligned_alloc(64, n)); /* RANDOM2 */
	}
	for (int i = 0; i < 4; i++)
		printf("%ld,%ld,%ld,%ld\n", accounts[i].allocs, accounts[i].bytes, accounts[i].live,
		       accounts[i].live_blocks);
}

/* ---- where the kernel must not be asked ---- */

static void
sandbox(void)
{
	sink = malloc(100);
	free(sink);
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
	for (int i = 0; i < 10; i++)
		kept[i] = malloc(60); /* SHUT_IN */
	for (int i = 0; i < 4; i++)
		free(kept[i]);
	kept[0] = strdup("text"); /* SHUT_IN2 */
	syscall(SYS_exit, 0);
}

/* Is the library in the process? */
static void
maps(void)
{
	static char line[4096];
	FILE *f = fopen("/proc/self/maps", "r");
	int nr = 0;

	while (f && fgets(line, sizeof(line), f))
		nr += strstr(line, "libcgview_space.so") != NULL;
	printf("%s %s\n", nr ? "there" : "not there", getenv("LD_PRELOAD") ? "set" : "not set");
}

int
main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "known";
	const char *value = argc > 2 ? argv[2] : "0";

	setvbuf(stdout, NULL, _IONBF, 0);
	if (!strcmp(mode, "known"))
		known();
	else if (!strcmp(mode, "die"))
		die();
	else if (!strcmp(mode, "kinds"))
		kinds();
	else if (!strcmp(mode, "library"))
		library();
	else if (!strcmp(mode, "wrappers"))
		wrappers();
	else if (!strcmp(mode, "threads"))
		threads();
	else if (!strcmp(mode, "churn"))
		churn();
	else if (!strcmp(mode, "processes"))
		processes(atoi(value));
	else if (!strcmp(mode, "writes"))
		writes(atoi(value));
	else if (!strcmp(mode, "writes_long"))
		writes_long();
	else if (!strcmp(mode, "twice"))
		twice();
	else if (!strcmp(mode, "twice_mapped"))
		twice_mapped();
	else if (!strcmp(mode, "wild"))
		wild(atoi(argv[2]), atoi(argv[3]), atoi(argv[4]));
	else if (!strcmp(mode, "barriers"))
		barriers();
	else if (!strcmp(mode, "twice_at_end"))
		twice_at_end();
	else if (!strcmp(mode, "fills_pages"))
		fills_pages();
	else if (!strcmp(mode, "twice_in_child"))
		twice_in_child();
	else if (!strcmp(mode, "no_block"))
		no_block(value);
	else if (!strcmp(mode, "random"))
		at_random((unsigned)atoi(value));
	else if (!strcmp(mode, "sandbox"))
		sandbox();
	else if (!strcmp(mode, "maps"))
		maps();
	else if (!strcmp(mode, "exec"))
		return execl(argv[0], argv[0], "known", NULL);
	return 0;
}
