// As copies.c, for C++: by hand.
#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

static int ticks;
static int tick() { return ++ticks; } //= 6

template <class T> __attribute__((noinline)) static int twice(const T &x, int n) //= 3
{
	int s = 0; //= 3
	for (int i = 0; i < n; i++) { //= 1020
		T y{}; //= 1017
		y = x; //= 1017
		if (y == T()) //= 1017
			s++; //= 10
	}
	return s; //= 3
}

// A member's initialiser has the place of each constructor.
struct Member {
	int a = tick();
	Member() {} //= 3
	explicit Member(int n) //= 2
	{
		a = n; //= 2
	}
	virtual ~Member() { ticks--; } //= 5
};

struct Guard {
	int *p;
	explicit Guard(int *q) : p(q) {} //= 55
	~Guard() { ++*p; } //= 55
};

__attribute__((noinline)) static int breaks(int left)
{
	int n = 0; //= 5
	while (true) {
		Guard g(&n); //= 20
		if (left < 0) //= 20
			break; //= 0
		if (left-- == 0) //= 20
			break; //= 5
		n++; //= 15
	} //= 20
	return n; //= 5
}

__attribute__((noinline)) static std::string returns(int n)
{
	std::string other = std::to_string(n); //= 5
	std::string s = other + "x"; //= 5
	if (n == 3) //= 5
		return other; //= 1
	s += other; //= 4
	return s; //= 4
} //= 5

struct Value {
	int x;
	explicit Value(int n) : x(n) {} //= 10
	~Value() { ticks--; } //= 10
};

// What is returned is made where the caller wants it; only the other one's life ends here.
__attribute__((noinline)) static Value named(int n)
{
	Value other(n + 1); //= 5
	Value value(n); //= 5
	value.x += other.x; //= 5
	return value; //= 5
} //= 5

__attribute__((noinline)) static int throws(int n)
{
	int k = 0; //= 10
	try {
		Guard g(&k); //= 10
		if (n & 1) //= 10
			throw std::runtime_error("odd"); //= 5
		k += 7; //= 5
	} catch (const std::exception &) { //= 10
		k += 1; //= 5
	}
	return k; //= 10
}

__attribute__((noinline)) static int lambdas(int n)
{
	int s = 0; //= 10
	std::vector<int> v(n, 3); //= 10
	for (int x : v) //= 55
		s += x; //= 45
	std::for_each(v.begin(), v.end(), [&](int x) { s += x; }); //= 45
	std::for_each(v.begin(), v.end(), [&](int x) { //= 10
		if (x > 100) //= 45
			s += 100; //= 0
		s += x; //= 45
	});
	return s; //= 10
} //= 10

static int leaves(int n)
{
	for (int i = 0; i < n; i++) { //= 25
		Guard g(&n); //= 25
		if (i == 4) //= 25
			goto done; //= 5
		if (i == 100) //= 20
			return 1; //= 0
	} //= 25
done: //= 5
	return n; //= 5
}

constexpr int square(int x)
{
	return x * x; //= 4
}

// The front end guesses; that is no code.
__attribute__((noinline)) static int guesses(int n)
{
	int r = 0; //= 1
	for (int i = 0; i < n; i++) { //= 9
		if (i % 4) { //= 8
			for (int k : {1, 2, 3, 4, 5}) { //= 36
				if (k & 1) [[unlikely]] //= 30
					continue; //= 18
				else [[likely]]
					r++; //= 12
			}
		}
	}
	return r; //= 1
}

// It folds what is returned, to warn of it: operands count all the same.
__attribute__((noinline)) static bool is_name(int c)
{
	return ('A' <= c && c <= 'Z') || //= 8
	       ('a' <= c && c <= 'z') || //= 7
	       ('0' <= c && c <= '9') || //= 5
	       c == '_'; //= 4
}
__attribute__((noinline)) static int is_blank(int c)
{
	return c == ' ' //= 8
	       || c == '\t' //= 7
	       || c == '\n'; //= 7
}
__attribute__((noinline)) static bool in_parentheses(int c)
{
	return (c == ' ' //= 8
		|| (c == '\t' //= 7
		    || c)); //= 7
}
template <class T> __attribute__((noinline)) static bool inside(T c, bool d)
{
	return c >= 'a' //= 16
	       && c <= 'z' //= 6
	       && (d //= 4
		   || c != 'q'); //= 2
}
__attribute__((noinline)) static int arm(int c, int d)
{
	return c == '_' || //= 8
			       c == ' ' //= 7
		       ? d
		       : c;
}
__attribute__((noinline)) static bool not_both(int a, int b)
{
	return !(a > '9' //= 8
		 && b > 'Z') == //= 5
	       (a == 'a' //= 8
		|| b == '~'); //= 7
}

static std::string global = std::to_string(tick()); //= 1

int main(int argc, char **)
{
	int t = twice(3, 1000) + twice(0, 10) + twice(std::string("x"), 7); //= 1
	for (int i = 0; i < 5; i++) { //= 6
		t += breaks(3); //= 5
		t += (int)returns(i).size(); //= 5
		t += named(i).x; //= 5
		t += leaves(7); //= 5
	}
	for (int i = 0; i < 10; i++) //= 11
		t += throws(i) + lambdas(i); //= 10
	{
		Member a, b, c(4); //= 1
		Member *d = new Member; //= 1
		Member *e = new Member(argc); //= 1
		delete d; //= 1
		delete e; //= 1
	}
	t += guesses(8); //= 1
	for (char c : {'A', 'a', 'c', '0', '_', ' ', '~', '!'}) { //= 9
		t += is_name(c) + is_blank(c) + inside(c, true) + inside<int>(c, false); //= 8
		t += arm(c, 7) + in_parentheses(c) + not_both(c, c); //= 8
	}
	t += square(5) + square(argc); //= 1
	t += square(6) * square(t); //= 1
	printf("%d\n", t != 0); //= 1
}
