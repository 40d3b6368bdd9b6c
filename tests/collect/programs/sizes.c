/* Blocks of sizes that stand here, of which test-space-sizes.sh computes the classes: of sizes[i]
 * there are i + 1, and the last i / 2 of them are never given back. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const size_t sizes[] = {
	0, 1, 15, 16, 17, 31, 32, 33, 64, 65, 1000, 1023, 1024, 1025, 4096, 4097, 70000, 300000
};
enum { NR = sizeof(sizes) / sizeof(*sizes) };
static char *volatile sink;

__attribute__((noinline, noclone)) static void *
xmalloc(size_t n)
{
	void *p = malloc(n);

	if (!p)
		abort();
	return p;
}

static void *
work(void *unused)
{
	for (int i = 0; i < NR; i++) {
		for (int k = 0; k <= i; k++) {
			void *p = malloc(sizes[i]); /* MALLOC */
			void *q = xmalloc(sizes[i]); /* XMALLOC */

			sink = p;
			sink = q;
			if (k < i + 1 - i / 2) {
				free(p);
				free(q);
			}
		}
	}
	return unused;
}

static void *
other(void *unused)
{
	static char *buffer;

	for (int i = 1; i <= 100; i++)
		buffer = realloc(buffer, i); /* REALLOC */
	for (int i = 0; i < 5; i++)
		sink = strdup("seventeen letters"); /* STRDUP */
	sink = calloc(10, 5); /* CALLOC */
	return unused;
}

/* sizes [THREADS [CHILDREN [die]]] */
int
main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 0, children = argc > 2 ? atoi(argv[2]) : 0;
	pthread_t ids[16];

	work(NULL);
	other(NULL);
	for (int i = 0; i < threads; i++)
		pthread_create(&ids[i], NULL, work, NULL);
	for (int i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	for (int i = 0; i < children; i++) {
		if (!fork()) {
			work(NULL);
			_exit(0);
		}
		wait(NULL);
	}
	if (argc > 3)
		kill(getpid(), SIGKILL);
	return 0;
}
