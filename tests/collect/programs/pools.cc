// A pool whose procedure may throw, a method that gives out objects, one that is called by a constructor; -O0 and -O2.
#include <cstdlib>
#include <new>

struct node {
	long a[3];
};

struct pool {
	char room[65536];
	size_t used;
	__attribute__((noinline)) void *take(size_t n);
	__attribute__((noinline)) node *new_node();
};

void *pool::take(size_t n)
{
	if (used + n > sizeof(room))
		throw std::bad_alloc();
	used += n;
	return room + used - n;
}

node *pool::new_node()
{
	return static_cast<node *>(take(sizeof(node)));
}

static pool p;
static void *volatile sink;

struct guard {
	~guard() { sink = nullptr; }
};

static int tries(size_t n)
{
	int done = 0;

	try {
		for (;;) {
			guard g;

			sink = p.take(n);	// TAKE
			done++;
		}
	} catch (const std::bad_alloc &) {
	}
	return done;
}

int main()
{
	for (int i = 0; i < 11; i++)
		sink = p.new_node();	// NODE
	return tries(1000) == 65 ? 0 : 1;
}
