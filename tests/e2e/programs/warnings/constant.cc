/* Evaluated while it is compiled, with marks in it or before them: the values must be constants as
 * without counters, or it does not compile. */
#include <atomic>
#include <string>
#include <vector>
consteval int square(int n, int m) { return n && m ? n * n : n > 1 ? 3 : -1; }
template <class T> constexpr T least(T a, T b)
{
	if (a > b && b)
		return b;
	for (T i = 0; i < 3; i++) {
		if (i == 2)
			break;
		if (a)
			continue;
		b++;
	}
	return a ? a : b;
}
constexpr bool both(int a, int b) { return a && !b; }
constexpr int k = 3, m = least(5, 2);
int array[least(4, 3)];
template <class T> constexpr auto escalates(T t) { return square(2, 3) + (t > 2 ? t : 0); }
struct point {
	int at;
	constexpr point(int x) : at(x > 2 && x < 9 ? x : -x) {}
	constexpr bool operator<(const point &o) const { return at < o.at || (at == o.at && at); }
};
constinit point place{k ? 4 : 1};
std::atomic<float> number;
int one(int i)
{
	return square(k > 2 && m ? k : 1, k || m) + (i > 3 ? least(i, 2) : square(k ? 0 : 1, 1 && k));
}
int all(int i)
{
	static_assert(square(2, 2) == 4 && least(5, 2) == 2 && both(1, 0) && point(4).at == 4);
	if constexpr (both(k, 0) && square(1, 0) < 0)
		i++;
	return one(i) + escalates(i) + (point(i) < place ? i : 0);
}
