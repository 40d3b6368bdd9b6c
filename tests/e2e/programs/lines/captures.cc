// Captures of lambdas, structured bindings and whatever else is a name for another place: each use
// has its own line.
#include <array>
#include <cstdio>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

struct Pair {
	int a, b;
};
struct Bits {
	unsigned a : 3, b : 5;
};

static int ticks;
static int tick(int n)
{
	ticks++; //= 47
	return n; //= 47
}
static int sum(int a, int b, int c)
{
	return a + b + c;
}

__attribute__((noinline)) static int by_reference()
{
	int tot = 0, other = 1; //= 1
	auto rec = [&](int lo) {
		if (lo > 7) //= 20
			tot++; //= 4
		for (int c = lo; c < 12; c++) //= 170
			tot += c; //= 150
		for (int c = 0; c < lo; c++) //= 110
			if (c == 8 && //= 90
			    other) //= 2
				other++; //= 2
		return sum(lo, //= 20
			   tot,
			   other); //= 20
	};
	for (int i = 0; i < 20; i++) //= 21
		rec(i % 10); //= 20
	return tot; //= 1
}

__attribute__((noinline)) static int by_copy()
{
	int k = 3, values[4] = {1, 2, 3, 4}; //= 1
	Pair pair = {5, 6}; //= 1
	bool flag = true; //= 1
	auto count = [=](int n) {
		int r = 0; //= 10
		if (n > 7) //= 10
			r += k; //= 2
		if (n > 8) //= 10
			r += values[n & 3]; //= 1
		if (n > 6) //= 10
			r += pair.a; //= 3
		if (n > 5 && flag) //= 10
			r++; //= 4
		for (int i = 0; i < n; i++) { //= 55
			r += values[i & 3]; //= 45
			r -= k; //= 45
			r += pair.b + pair.a; //= 45
			if (flag) //= 45
				r++; //= 45
		}
		return r; //= 10
	};
	int r = 0; //= 1
	for (int i = 0; i < 10; i++) //= 11
		r += count(i); //= 10
	return r; //= 1
}

struct Counter {
	int n = 0, limit = 7;
	int step(int i)
	{
		auto once = [this](int k) {
			if (k > 8) //= 10
				n = 0; //= 1
			for (int c = 0; c < k; c++) //= 55
				n++; //= 45
			for (int c = 0; c < k; c++) //= 55
				this->limit++; //= 45
		};
		auto twice = [*this](int k) mutable {
			if (k > 8) //= 10
				n = 0; //= 1
			for (int c = 0; c < k; c++) //= 55
				n += limit; //= 45
		};
		once(i); //= 10
		twice(i); //= 10
		return n; //= 10
	}
};

__attribute__((noinline)) static int initialised()
{
	int y = 0, z = 1; //= 1
	auto line = [x = tick(3), &r = y](int k) { return r += k > 6 ? x : 0; }; //= 10
	auto lines = [x = tick(3), //= 1
		      &r = y,
		      v = std::vector<int>{1, 2},
		      z](int k) mutable {
		if (k > 6) //= 10
			r += x; //= 3
		if (k > 7) //= 10
			v.push_back(k); //= 2
		if (k > 8) //= 10
			r += z; //= 1
		for (int c = 0; c < k; c++) { //= 55
			r -= x; //= 45
			r += (int)v.size(); //= 45
			r += z; //= 45
		}
	};
	for (int i = 0; i < 10; i++) { //= 11
		line(i); //= 10
		lines(i); //= 10
	}
	return y; //= 1
}

__attribute__((noinline)) static int nested()
{
	int tot = 0, k = 2; //= 1
	auto outer = [&, k](int n) {
		auto inner = [&](int m) {
			if (m > 8) //= 45
				tot += k; //= 0
			if (m > 6) //= 45
				tot += n; //= 3
			for (int i = 0; i < m; i++) //= 165
				tot += n; //= 120
			for (int i = 0; i < m; i++) //= 165
				tot -= k; //= 120
		};
		if (n > 8) //= 10
			tot++; //= 1
		for (int i = 0; i < n; i++) { //= 55
			tot++; //= 45
			inner(i); //= 45
		}
	};
	for (int i = 0; i < 10; i++) //= 11
		outer(i); //= 10
	return tot; //= 1
}

template <class T> __attribute__((noinline)) static int generic(T step)
{
	T tot = 0; //= 2
	auto add = [&, step](auto n) {
		if (n > 7) //= 40
			tot += step; //= 8
		if (n > 8) //= 40
			tot -= n; //= 4
		for (int i = 0; i < (int)n; i++) { //= 220
			tot += step; //= 180
			tot -= n; //= 180
		}
	};
	for (int i = 0; i < 10; i++) { //= 22
		add(i); //= 20
		add((double)i); //= 20
	}
	return (int)tot; //= 2
}

static Pair global_pair = {3, 4};
static auto &[left, right] = global_pair;

__attribute__((noinline)) static int bound(int n)
{
	Pair p = {n, 2}; //= 10
	Bits bits = {3, 4}; //= 10
	int values[2] = {3, 4}; //= 10
	auto [a, b] = p; //= 10
	auto &[c, d] = p; //= 10
	auto [e, f] = bits; //= 10
	auto &[g, h] = values; //= 10
	auto [i, j] = std::make_pair(n, 3); //= 10
	static auto [s, t] = global_pair; //= 10
	auto lambda = [&] {
		if (n > 8) //= 10
			p.a = 4; //= 1
		for (int k = 0; k < n; k++) //= 55
			p.b++; //= 45
	};
	int r = 0; //= 10
	if (n > 7) //= 10
		r += a + b; //= 2
	if (n > 8) //= 10
		c = d; //= 1
	if (n > 6) //= 10
		r += e + f; //= 3
	if (n > 5) //= 10
		g = h; //= 4
	if (n > 4) //= 10
		r += i + j; //= 5
	if (n > 3) //= 10
		s = t; //= 6
	if (n > 2) //= 10
		left = right; //= 7
	for (int k = 0; k < n; k++) { //= 55
		r += a + b; //= 45
		c += d; //= 45
		r += e - f; //= 45
		g += h; //= 45
		i += j; //= 45
		s += t; //= 45
		left += right; //= 45
		tick(i); //= 45
	}
	lambda(); //= 10
	return r; //= 10
}

__attribute__((noinline)) static int ranges()
{
	std::map<int, int> map = {{1, 2}, {3, 4}, {5, 6}}; //= 1
	std::vector<Pair> pairs = {{1, 2}, {3, 4}, {5, 6}}; //= 1
	int tot = 0; //= 1
	for (auto &[key, value] : map) { //= 4
		if (key > 3) //= 3
			value = key; //= 1
		for (int i = 0; i < 5; i++) //= 18
			tot += value; //= 15
	}
	for (const auto &[a, b] : pairs) { //= 4
		if (a > 3) //= 3
			tot += b; //= 1
		for (int i = 0; i < 5; i++) //= 18
			tot += b; //= 15
	}
	auto sums = [&](int n) {
		if (n > 1) //= 2
			tot++; //= 0
		for (auto [a, b] : pairs) { //= 8
			if (a > 3) //= 6
				tot += b; //= 2
			for (int i = 0; i < 5; i++) //= 36
				tot += b + n; //= 30
		}
		for (auto &p : pairs) //= 8
			tot += p.a; //= 6
	};
	sums(0); //= 1
	sums(1); //= 1
	return tot; //= 1
}

__attribute__((noinline)) static int united(int n)
{
	union {
		int whole;
		float part;
	};
	static union {
		int kept;
		float other;
	};
	whole = n; //= 10
	kept = n; //= 10
	if (n > 7) //= 10
		whole++; //= 2
	if (n > 8) //= 10
		kept++; //= 1
	for (int i = 0; i < n; i++) { //= 55
		whole += i; //= 45
		kept += whole; //= 45
	}
	return whole + kept; //= 10
}

__attribute__((noinline)) static int variable(int n)
{
	int values[n + 1]; //= 10
	auto fill = [&](int k) {
		if (k > 7) //= 10
			values[0] = 1;
		for (int i = 0; i <= k; i++) //= 65
			values[i] = i; //= 55
	};
	fill(n); //= 10
	if (n > 8) //= 10
		values[0]++; //= 1
	for (int i = 0; i < n; i++) //= 55
		values[i]++; //= 45
	return values[n]; //= 10
}

template <class... T> __attribute__((noinline)) static int packed(T... values)
{
	auto all = [&](int n) {
		int r = 0; //= 10
		if (n > 7) //= 10
			r = (values + ... + 0); //= 2
		for (int i = 0; i < n; i++) //= 55
			r -= (values + ... + 0); //= 45
		return r; //= 10
	};
	int r = 0; //= 1
	for (int i = 0; i < 10; i++) //= 11
		r += all(i); //= 10
	return r; //= 1
}

int main()
{
	Counter counter; //= 1
	int r = by_reference() + by_copy() + initialised() + nested() + packed(1, 2, 3); //= 1
	r += generic(2) + generic(1.5) + ranges(); //= 1
	for (int i = 0; i < 10; i++) { //= 11
		r += counter.step(i); //= 10
		r += bound(i); //= 10
		r += united(i) + variable(i); //= 10
	}
	printf("%d\n", r != ticks); //= 1
}
