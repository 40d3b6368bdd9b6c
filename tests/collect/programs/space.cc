// What C++ allocates: by new, by the library's code, by an operator new of the program's own.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <new>
#include <string>
#include <vector>

struct node {
	long a, b, c;
};
static node *volatile nodes[100];
static char *volatile arrays[100];

#ifdef OWN
void *
operator new(size_t n)
{
	void *p = malloc(n + 100); /* OWN */

	if (!p)
		throw std::bad_alloc();
	return p;
}

void
operator delete(void *p) noexcept
{
	free(p);
}
#endif

int
main()
{
	std::string text(50, 'x'); // STRING
	std::map<int, int> map;
	int failed = 0;

	for (int i = 0; i < 40; i++)
		nodes[i] = new node; // NEW
	for (int i = 0; i < 30; i++)
		delete nodes[i];
	for (int i = 0; i < 7; i++)
		arrays[i] = new char[500]; // ARRAY
	for (int i = 0; i < 7; i++)
		delete[] arrays[i];
	nodes[50] = new (std::nothrow) node; // NOTHROW
	for (int i = 0; i < 20; i++)
		map[i] = i;
	text += std::string(500, 'y'); // GROWS
	try {
		arrays[1] = new char[(size_t)1 << 62]; // FAILS
	} catch (const std::bad_alloc &) {
		failed = 1;
	}
	printf("%zu %zu %d\n", text.size(), map.size(), failed);
	return 0;
}
