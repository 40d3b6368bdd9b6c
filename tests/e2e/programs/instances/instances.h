/* Instances of templates that look alike: see test-instances.sh. */
#ifndef INSTANCES_H
#define INSTANCES_H

struct A { int v; };
struct B { int v; };

template<class F> int call(F f) { return f(1); }
template<class F> int call_twice(int w, F f) { return f(w) + f(w); }
template<class C = A, class... T> int sum(T &...t) { int n = 0; ((n += t), ...); return n; }
template<class T> int valued(T t) { return t.v; }
template<class T, int (*F)(int)> T by_pointer(T t) { return F((int)t); }
template<auto F, class T> int by_value(T t) { return F(t); }
template<class T, class R> int by_method(R (T::*f)(int)) { T t{}; return (t.*f)(1); }
template<class... F> int all(F... f) { return (f(1) + ...); }

constexpr int cube(int k) { return k * k * k; }

template<class T> struct It {
	T t;
	friend bool operator==(const It &a, const It &b) { return a.t.v == b.t.v; }
	friend int friendly(It a, int n) { return a.t.v + n; }
	template<class U> friend int mix(const It &a, U u) { return a.t.v + (int)u; }
	It &operator+=(int n) { t.v += n; return *this; }
	operator T() const { return t; }
	constexpr int one() const { return 1; }
	static int made(int i) { static int s; return [](int k) { return s += k; }(i); }
	int inner(int i) { struct L { int g(int k) { return k; } } l; return l.g(call(l_of(i))); }
	auto l_of(int i) { struct K { int i; int operator()(int k) { return k; } }; return K{i}; }
	int generic(int i) { auto l = [](auto x) { return (int)x + 1; }; return l(i) + l(1.5); }
	template<class U> U converted(U u) { return u + t.v; }
	struct In { int f(int k) { return k * 2; } };
};

static auto of_unit = [](int x) { return x * 3; };
constexpr auto constant = [](int x) { return x * 4; };
inline int of_header(int n) { return call([n](int x) { return x + n; }); }
static int helper(int n) { return n + 1; }
namespace { struct Hidden { int operator()(int i) { return i; } }; }

int first(int n);
int second(int n);

#endif
