#include "instances.h"

#include <cstdio>

namespace { struct Same { int v = 1; int operator()(int i) { return i; } }; }
static int step(int i) { return i + 1; }

#define OVERLOADS(n) static int n(int i) { return i; } static int n(const char *s) { return *s; }
OVERLOADS(load)
#define TWO(f) (f([](int x) { return x + 1; }) + f([](int x) { return x + 2; }))
#define AGAIN(f, x) (f(x) + f(x))

int over(int i) { return i + 1; }
int over(long i) { return (int)i + 2; }

template<class T> T plus_cube(T v) { return v + cube(3); }
template<class T> int in_branches(T v)
{
	if (v > cube(1))
		return cube(2);
	while (v < cube(0))
		v++;
	return v ? cube(3) : cube(4);
}
template<class T> int in_lambda(T v) { auto l = [](int x) { return x + cube(5); }; return l((int)v) + l(2); }
template<class T> int constants() { constexpr int k = cube(5); int a[cube(1)] = {cube(2)}; return k + a[0]; }

int first(int n)
{
	int s = 0, k = 1;
	It<A> a{{1}};

	for (int i = 0; i < n; i++) {
		s += call(Same()) + call(of_unit) + call(constant) + of_header(1) + helper(1);
		s += call(Hidden()) + (a == a) + sum(k) + valued(Same()) + by_pointer<int, step>(k);
	}
	return s;
}

int main()
{
	int n = 0, i, a = 1, b = 2;
	It<A> ia{{1}};
	It<B> ib{{2}};

	for (i = 0; i < 3; i++)
		n += call_twice(i, [](int x) { return x + 1; });
	for (i = 0; i < 7; i++)
		n += call_twice(i, [](int x) { return x * 2; });
	n += call_twice(1, [](int x) { return x + 5; }) + call_twice(2, [&](int x) { return x + n; });
	for (i = 0; i < 10; i++)
		n += sum(a);
	for (i = 0; i < 4; i++)
		n += sum(a, b);
	for (i = 0; i < 2; i++)
		n += sum<B>(a);
	for (i = 0; i < 11; i++)
		n += (ia == ia) + friendly(ia, i) + mix(ia, i) + A(ia).v + ia.one() + It<A>::made(i) +
		     ia.inner(i) + ia.generic(i) + ia.converted(i) + It<A>::In().f(i), ia += 1;
	for (i = 0; i < 101; i++)
		n += (ib == ib) + friendly(ib, i) + mix(ib, i) + B(ib).v + ib.one() + It<B>::made(i) +
		     ib.inner(i) + ib.generic(i) + ib.converted(i) + It<B>::In().f(i), ib += 1;
	for (i = 0; i < 5; i++)
		n += mix(ia, 1L) + ia.converted(2L) + TWO(call);
	for (i = 0; i < 6; i++)
		n += AGAIN(call, [](int x) { return x - 1; });
	n += load(1) + load("a") + load("b");
	n += by_value<static_cast<int (*)(int)>(over)>(1);
	n += by_value<static_cast<int (*)(long)>(over)>(1) + by_value<static_cast<int (*)(long)>(over)>(2);
	n += by_method(&It<A>::generic) + by_method(&It<B>::inner);
	n += all([](int x) { return x; }, [](int x) { return x; }) + all([](int x) { return x; });
	{
		struct Local { int v; } here{1};
		n += valued(here);
	}
	{
		struct Local { int v; } here{2};
		n += valued(here) + valued(here);
	}
	struct { int v; } unnamed{1}, *other = &unnamed;
	n += valued(unnamed) + valued(*other) + valued(*other);
	for (i = 0; i < 10; i++)
		n += plus_cube(i);
	for (i = 0; i < 3; i++)
		n += in_branches(i) + in_lambda(i) + constants<int>();
	auto of_any = [](auto x) { return x + cube(8); };
	for (i = 0; i < 5; i++)
		n += of_any(i);
	printf("%d\n", n + first(3) + second(5));
	return 0;
}
