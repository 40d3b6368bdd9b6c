// C++: "//= N": the line is executed N times, by all instances of a template together. How often each
// procedure and each instance is entered: test-classes.sh.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#define NOINLINE __attribute__((noinline))

static volatile int sink;

// ---- templates ----

template <typename T> static T
larger(T a, T b)
{
	if (a < b)
		return b; //= 15
	return a; //= 10
}

template <int N> struct Power {
	static int of(int x)
	{
		return x * Power<N - 1>::of(x); //= 30
	}
};
template <> struct Power<0> {
	static int of(int)
	{
		return 1; //= 10
	}
};

template <typename T> class Stack {
      public:
	void push(const T &value)
	{
		items.push_back(value); //= 12
	}
	T pop()
	{
		T top = items.back(); //= 5
		items.pop_back(); //= 5
		return top; //= 5
	}
	bool empty() const
	{
		return items.empty(); //= 3
	}

      private:
	std::vector<T> items;
};

template <typename... Rest> static int
count_all(Rest... rest)
{
	return (int)sizeof...(rest); //= 3
}

// ---- virtual procedures ----

struct Shape {
	virtual ~Shape()
	{
		sink = sink + 1; //= 21
	}
	virtual int area() const = 0;
	virtual int sides() const
	{
		return 0; //= 10
	}
};

struct Square : Shape {
	explicit Square(int l) : length(l)
	{
	}
	int area() const override
	{
		return length * length; //= 10
	}
	int sides() const override
	{
		return 4; //= 10
	}
	int length;
};

struct Circle : Shape {
	int area() const override
	{
		return 3; //= 10
	}
};

// Two bases: a thunk corrects `this` and then enters the procedure.
struct Named {
	virtual int name() const = 0;
	virtual ~Named()
	{
	}
};
struct Both : Shape, Named {
	int area() const override
	{
		return 1; //= 2
	}
	int name() const override
	{
		return 2; //= 3
	}
};

// ---- exceptions ----

struct Guard {
	explicit Guard(int &c) : count(c)
	{
	}
	~Guard()
	{
		count++; //= 9
	}
	int &count;
};

static int NOINLINE
may_throw(int n)
{
	if (n % 3 == 0)
		throw std::runtime_error("three"); //= 3
	if (n % 3 == 1)
		throw n; //= 3
	return n; //= 3
}

static int NOINLINE
between(int n, int &cleaned)
{
	Guard guard(cleaned); //= 9
	int value = may_throw(n); //= 9

	return value + 1; //= 3
}

static int NOINLINE
catches(int n, int &cleaned)
{
	try {
		sink = between(n, cleaned); //= 9
		sink = sink + 1; //= 3
	} catch (const std::runtime_error &e) {
		return 1; //= 3
	} catch (int i) {
		return i; //= 3
	}
	return 0; //= 3
}

static void NOINLINE
rethrows()
{
	try {
		throw 1; //= 4
	} catch (...) {
		sink = 5; //= 4
		throw; //= 4
	}
}

static int NOINLINE
quiet(int n) noexcept
{
	try {
		rethrows(); //= 4
	} catch (int) {
		return n; //= 4
	}
	return 0; //= 0
}

// ---- initialisers ----

static int NOINLINE
initial(int n)
{
	return n + 1; //= 4
}

static int global = initial(1); //= 1
static const int other = initial(2) + initial(3);
inline int shared_between = 7;

static int NOINLINE
local_static()
{
	static int value = initial(3); //= 5

	return value++; //= 5
}

struct Global {
	Global()
	{
		sink = 0; //= 1
	}
	~Global()
	{
		sink = 1; //= 1
	}
};
static Global object;

// ---- operators, references, moves ----

struct Number {
	Number(int v) : value(v)
	{
	}
	Number operator+(const Number &other) const
	{
		return Number(value + other.value); //= 2
	}
	bool operator<(const Number &other) const
	{
		return value < other.value; //= 1
	}
	operator int() const
	{
		return value; //= 1
	}
	int value;
};

namespace space
{
namespace
{
static int NOINLINE
inside(int n)
{
	return n; //= 2
}
}
}

int
main()
{
	int sum = 0, cleaned = 0;
	std::vector<int> numbers;

	for (int i = 0; i < 20; i++)
		sum += larger(i, 12); //= 20
	for (int i = 0; i < 5; i++)
		sum += (int)larger(i * 1.5, 4.0); //= 5
	for (int i = 0; i < 10; i++)
		sum += Power<3>::of(i); //= 10
	Stack<int> stack; //= 1
	Stack<std::string> texts; //= 1
	for (int i = 0; i < 10; i++)
		stack.push(i); //= 10
	texts.push("a"); //= 1
	texts.push("b"); //= 1
	for (int i = 0; i < 5; i++)
		sum += stack.pop(); //= 5
	sum += stack.empty() + stack.empty() + texts.empty(); //= 1
	sum += count_all() + count_all(1) + count_all(1, 2.0); //= 1

	for (int i = 0; i < 10; i++) {
		std::unique_ptr<Shape> a(new Square(i)), b(new Circle); //= 10
		for (Shape *s : { a.get(), b.get() })
			sum += s->area() + s->sides(); //= 20
	}
	{
		Both both; //= 1
		Named *named = &both; //= 1
		Shape *shape = &both; //= 1
		for (int i = 0; i < 3; i++)
			sum += named->name(); //= 3
		sum += shape->area() + both.area(); //= 1
	}

	for (int i = 0; i < 9; i++)
		sum += catches(i, cleaned); //= 9
	for (int i = 0; i < 4; i++)
		sum += quiet(i); //= 4
	for (int i = 0; i < 5; i++)
		sum += local_static(); //= 5

	int base = 3; //= 1
	auto add = [&](int n) { return n + base; };
	auto generic = [](auto n) {
		return n + 1; //= 6
	};
	std::function<int(int)> twice = [](int n) {
		return n * 2; //= 7
	};
	for (int i = 0; i < 8; i++)
		sum += add(i); //= 8
	for (int i = 0; i < 7; i++)
		sum += twice(i); //= 7
	for (int i = 0; i < 3; i++)
		sum += generic(i) + (int)generic(i * 1.0); //= 3
	for (int i = 0; i < 6; i++)
		numbers.push_back(6 - i); //= 6
	std::for_each(numbers.begin(), numbers.end(), [&](int n) {
		sum += n; //= 6
	});

	Number one(1), two = 2; //= 1
	sum += one + two; //= 1
	sum += (one + one) < two; //= 1
	sum += space::inside(1) + space::inside(2); //= 1
	std::printf("%d %d %d\n", sum, cleaned, global + other + shared_between); //= 1
	return 0; //= 1
}
