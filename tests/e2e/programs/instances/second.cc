static auto before = [](int x) { return x * 7; };
static auto between = [](int x) { return x * 8; };
#include "instances.h"

namespace { struct Same { int v = 1; int operator()(int i) { return i + 1; } }; }
static int step(int i) { return i + 2; }

int second(int n)
{
	int s = before(1) + between(1), k = 1;
	It<A> a{{1}};
	It<B> b{{1}};

	for (int i = 0; i < n; i++) {
		s += call(Same()) + call(of_unit) + call(constant) + of_header(1) + helper(1);
		s += call(Hidden()) + (a == a) + (b == b) + sum(k) + sum(k, k) + valued(Same());
		s += by_pointer<int, step>(k);
	}
	return s;
}
