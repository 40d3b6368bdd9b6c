/* Likewise for C++. */
#include <list>
#include <vector>

namespace shapes
{
struct base {
	virtual ~base() {}
	int kind;
};
struct square : base {
	long sides[7];
	square(int n) { sides[0] = n; }
};
struct plain {
	int a, b;
};
struct same : plain {
};
template <typename T> struct cell {
	T value;
	cell *next;
};
}
using namespace shapes;

static void *volatile sink;

template <typename T> __attribute__((noinline)) static T *
make()
{
	return new T(); // TEMPLATE
}

int
main()
{
	for (int i = 0; i < 3; i++)
		sink = new square(3); // DERIVED: shapes::square
	base *a = new square(3); // BASE: shapes::square
	sink = a;
	plain *b = new same; // SAME:
	sink = b;
	plain *c = new plain; // PLAIN: shapes::plain
	sink = c;
	cell<int> *d = new cell<int>{1, nullptr}; // CELL: shapes::cell<int>
	sink = d;
	sink = make<cell<double>>();
	sink = make<cell<char>>();
	int *e = new int[20]; // ARRAY: int
	sink = e;
	square *f = static_cast<square *>(operator new(10 * sizeof(square))); // CALLED: shapes::square
	sink = f;
	std::vector<plain> g;
	for (int i = 0; i < 10; i++)
		g.push_back({i, i});
	std::list<long> h;
	for (int i = 0; i < 5; i++)
		h.push_back(i);
	return (int)(g.size() - 10);
}
