/* plugins HOW CYCLES LIBRARY...: opens each library, calls it as often as its place in the list
 * says, and closes it, CYCLES times. HOW: in the `main` thread, in a new `thread` each, in a child
 * of `fork` as well, `long` calls, or all but the first by the path ./now.so, as if that one were
 * `rebuilt`. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *how;

struct visit {
	const char *path;
	int calls;
};

static void *
visit(void *argument)
{
	const struct visit *v = argument;
	void *library = dlopen(v->path, RTLD_NOW | RTLD_LOCAL);
	int (*work)(int) = library ? (int (*)(int))dlsym(library, "work") : NULL;

	if (!work) {
		puts(dlerror());
		exit(1);
	}
	for (int i = 0; i < v->calls; i++)
		work(strcmp(how, "long") == 0 ? 1000000 : 7);
	dlclose(library);
	return NULL;
}

static void
visit_as_asked(struct visit *v, int cycle)
{
	pthread_t thread;

	if (strcmp(how, "thread") == 0) {
		pthread_create(&thread, NULL, visit, v);
		pthread_join(thread, NULL);
		return;
	}
	if (strcmp(how, "rebuilt") == 0 && v->calls > 1) {
		unlink("./now.so");
		if (link(v->path, "./now.so") != 0)
			exit(2);
		v->path = "./now.so";
	}
	visit(v);
	if (strcmp(how, "fork") == 0 && cycle % 5 == 0) {
		if (fork() == 0) {
			visit(v);
			_exit(0);
		}
		wait(NULL);
	}
}

int
main(int argc, char **argv)
{
	int cycles = argc > 2 ? atoi(argv[2]) : 0;

	how = argv[1];
	for (int cycle = 0; cycle < cycles; cycle++)
		for (int i = 3; i < argc; i++)
			visit_as_asked(&(struct visit){ argv[i], i - 2 }, cycle);
	return 3;
}
