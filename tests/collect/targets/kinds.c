/* Calls through pointers of many kinds, the counts known by hand (test-targets.sh). */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int operation(int);
int from_library(int); /* library.c */
operation *from_unit_a(void), *from_unit_b(void);

static int
plus(int x)
{
	return x + 1;
}

static int
minus(int x)
{
	return x - 1;
}

int other_name(int) __attribute__((alias("exported")));
int
exported(int x)
{
	return x * 2;
}

static operation *
choose(void)
{
	return minus;
}
int resolved(int) __attribute__((ifunc("choose")));

static int
compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static inline __attribute__((always_inline)) int
apply(operation *f, int x)
{
	return f(x);
}

/* A call in tail position. */
static __attribute__((noinline)) int
jump(operation *f, int x)
{
	return f(x);
}

static int
early(operation *f, int x)
{
	return f(x);
}

static __attribute__((constructor)) void
before_main(void)
{
	early(plus, 3);
}

static int
children(void)
{
	int status;

	for (int i = 0; i < 3; i++)
		if (fork() == 0) {
			operation *volatile f = i ? plus : minus;

			_exit(f(1) == 7); /* in the child */
		}
	while (wait(&status) > 0)
		;
	return 0;
}

/* The procedures of one name: the static one of each unit. */
static int
units(int sum)
{
	operation *volatile f = from_unit_a();

	for (int i = 0; i < 5; i++)
		sum += f(i);
	f = from_unit_b();
	for (int i = 0; i < 6; i++)
		sum += f(i);
	return sum;
}

static int
nested(int n)
{
	auto int add(int x);
	operation *volatile f = add;
	int add(int x)
	{
		return x + n;
	}
	return f(1) + f(2);
}

static int
outside(void)
{
	unsigned long (*volatile length)(const char *) = strlen;
	operation *volatile library = from_library;
	int sum = (int)length("abc");

	for (int i = 0; i < 4; i++)
		sum += library(i);
	return sum;
}

int
main(int argc, char **argv)
{
	int sum = 0, v[] = {3, 1, 2};
	operation *volatile alias = other_name, *volatile chosen = resolved;
	void *handle = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
	operation *opened = handle ? (operation *)dlsym(handle, "opened") : NULL;

	for (int i = 0; i < 10; i++)
		sum += apply(i % 5 ? plus : minus, i);
	for (int i = 0; i < 9; i++)
		sum += jump(i % 3 ? plus : exported, i);
	qsort(v, 3, sizeof(*v), compare);
	sum += alias(1) + chosen(1) + children() + units(sum) + nested(3) + outside();
	if (opened)
		sum += opened(1) + opened(2);
	printf("%d\n", sum);
	return 0;
}
