// A coroutine is called as often as the procedure with its name is; resumptions are rows of their own.
#include <coroutine>
#include <cstdio>

struct Numbers {
	struct promise_type {
		int v;
		Numbers get_return_object() //= 16
		{
			return {std::coroutine_handle<promise_type>::from_promise(*this)}; //= 16
		}
		std::suspend_always initial_suspend() { return {}; } //= 16
		std::suspend_always final_suspend() noexcept { return {}; } //= 14
		std::suspend_always yield_value(int x) { v = x; return {}; } //= 73
		void return_void() {} //= 14
		void unhandled_exception() {}
	};
	std::coroutine_handle<promise_type> h;
};

Numbers count(int n) //= 7
{
	for (int i = 0; i < n; i++) //= 24
		co_yield i; //= 19
} //= 5

struct Pair {
	int a, b;
};

// A name for another place: each use has its own line.
template <class T> Numbers names(int n, T more) //= 6
{
	T tot = more; //= 6
	Pair p = {1, 2}, pairs[3] = {{1, 2}, {3, 4}, {5, 6}}; //= 6
	auto [a, b] = p; //= 6
	auto &[c, d] = p; //= 6
	auto add = [&](int k) {
		if (k > 2) //= 24
			tot += k; //= 6
		for (int i = 0; i < k; i++) //= 60
			tot += n; //= 36
	};
	if (n > 1) //= 6
		tot += a; //= 2
	if (n > 0) //= 6
		c = b; //= 4
	for (int i = 0; i < 4; i++) { //= 30
		add(i); //= 24
		tot += a + b; //= 24
		c += d; //= 24
		co_yield (int)tot; //= 24
	}
	for (auto &[e, f] : pairs) { //= 24
		if (e > 4) //= 18
			tot++; //= 6
		for (int i = 0; i < 2; i++) //= 54
			tot += f; //= 36
		co_yield f; //= 18
	}
} //= 6

static int all(Numbers g) //= 9
{
	int s = 0; //= 9
	while (g.h.resume(), !g.h.done()) //= 63
		s += g.h.promise().v; //= 54
	g.h.destroy(); //= 9
	return s; //= 9
}

static Numbers captured(int n)
{
	static int kept;
	auto steps = [x = n + 1, &r = kept](int k) -> Numbers {
		if (k > 1) //= 3
			r += x; //= 1
		for (int i = 0; i < 4; i++) { //= 15
			r += x; //= 12
			co_yield r; //= 12
		}
	};
	static auto first = steps;
	return first(n); //= 3
}

int main()
{
	int s = 0; //= 1
	for (int k = 0; k < 5; k++) { //= 6
		Numbers g = count(3); //= 5
		while (g.h.resume(), !g.h.done()) //= 20
			s += g.h.promise().v; //= 15
		g.h.destroy(); //= 5
	}
	for (int k = 0; k < 2; k++) { //= 3
		Numbers g = count(100); //= 2
		g.h.resume(); //= 2
		g.h.resume(); //= 2
		g.h.destroy(); //= 2
	}
	for (int k = 0; k < 3; k++) //= 4
		s += all(names(k, 0)) + all(names(k, 0L)) + all(captured(k)); //= 3
	printf("%d\n", s); //= 1
}
