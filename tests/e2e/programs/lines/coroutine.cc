// A coroutine is called as often as the procedure with its name is; resumptions are rows of their own.
#include <coroutine>
#include <cstdio>

struct Numbers {
	struct promise_type {
		int v;
		Numbers get_return_object() //= 7
		{
			return {std::coroutine_handle<promise_type>::from_promise(*this)}; //= 7
		}
		std::suspend_always initial_suspend() { return {}; } //= 7
		std::suspend_always final_suspend() noexcept { return {}; } //= 5
		std::suspend_always yield_value(int x) { v = x; return {}; } //= 19
		void return_void() {} //= 5
		void unhandled_exception() {}
	};
	std::coroutine_handle<promise_type> h;
};

Numbers count(int n) //= 7
{
	for (int i = 0; i < n; i++) //= 24
		co_yield i; //= 19
} //= 5

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
	printf("%d\n", s); //= 1
}
