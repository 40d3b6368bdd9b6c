/* Operands and arms. a is true in 10 of 100 rounds, b in 5 of these. Columns are looked at: do not
 * reformat. Expected counts: tests/e2e/test-arms.sh. */
// clang-format off
#define MAX(a, b) ((a) > (b) ? (a) : (b))
int r(int a, int b, int c, int i) { return a ? c : (i > 5 ? i : 5); }
int q(int a, int b, int c, int i) { return a && b ? c : (i > 5 ? i : 5); }
int m(int a, int b, int c, int i) { return a && b ? c : MAX(i, 5); }
int k(int a, int x) { return a ? 1 : x; }
int l(int a, int x) { return a ? x : 1; }
int e(int a, int x) { return a ? x : x + 1; }
int f(int a, int x) { return a ? x * 2 : x; }
int n(int a, int x) { return a ? 7 : 8; }
int o(int a, int x) { return !a ? x - 1 : 3; }
long p(int a, int x) { return a ? x : 1L; }
static int C, M;
int y(int a, int c, int i)
{
	return a ? (C++, c)
	         : (M++, i);
}
int main(void)
{
	int s = 0;
	for (int i = 0; i < 100; i++) {
		int a = i % 10 == 0, b = i % 20 == 0;
		s += r(a, b, 1, i) + q(a, b, 1, i) + m(a, b, 1, i) + k(a, i) + l(a, i) + e(a, i);
		s += f(a, i) + n(a, i) + o(a, i) + p(a, i) + y(a, i, i);
	}
	return s == 0;
}
