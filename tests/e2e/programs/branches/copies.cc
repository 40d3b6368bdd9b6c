/* As odd.c, of C++: copies of a text are one condition, and what throws is none. */
#include <stdexcept>
#include <vector>

static volatile int sink;

static int
odd(int x)
{
	if (x < 0) /* 0/47 */
		throw std::runtime_error("negative");
	return x & 1;
}

template <typename T>
static int
most(T a, T b)
{
	return a > b ? odd((int)a) : odd((int)b); /* 15/5 */
}

struct counted {
	int n;
	explicit counted(int i) : n(i > 4 ? odd(i) : odd(0)) /* 5/5 */
	{
	}
	virtual ~counted()
	{
		if (n) /* 3/7 */
			sink++;
	}
};

struct derived : counted {
	explicit derived(int i) : counted(i)
	{
	}
};

static int
lives(int i)
{
	derived d(i);
	static int once = odd(i);
	std::vector<int> all;

	for (int k = 0; k < i; k++) /* 45/10 */
		all.push_back(k);
	for (int k : all) /* 45/10 */
		sink = k;
	try {
		if (!all.empty() && all.at(0) == 0) /* 9/1 9/0 */
			sink = odd(i);
	} catch (const std::out_of_range &) {
		sink = 0;
	}
	auto late = [&](int j) { return j > 2 and not odd(j); }; /* 7/3 3/4 */
	return late(i) || once; /* 3/7 0/7 */
}

int
main()
{
	for (int i = 0; i < 10; i++) { /* 10/1 */
		sink = lives(i) + most(i, 4) + most((double)i + 1, 0.5);
	}
	return 0;
}
