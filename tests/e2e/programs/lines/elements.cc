// Loops that the compiler makes over the elements of arrays are part of one statement, executed once. By hand.
#include <cstdio>
#include <string>
#include <vector>
using namespace std;
static int made, gone;
struct S { int n; S() : n(++made) {} ~S() { gone++; } };
struct T { S s[3]; T() {} };
__attribute__((noinline)) int vs() {
	vector<string> v = {"a", "b", "c"}; //= 2
	return (int)v.size(); //= 2
} //= 2
__attribute__((noinline)) int arr() {
	S a[5]; //= 2
	return a[3].n; //= 2
} //= 2
__attribute__((noinline)) S *nw() {
	return new S[7]; //= 2
}
__attribute__((noinline)) void del(S *p) {
	delete[] p; //= 2
}
__attribute__((noinline)) int inits() {
	S a[4] = {}; //= 2
	S b[2][3]; //= 2
	S *c = new S[2]{}; //= 2
	int s = a[1].n + b[1][1].n + c[1].n; //= 2
	delete[] c; //= 2
	return s; //= 2
} //= 2
__attribute__((noinline)) int mem() {
	T t; //= 2
	T u = t; //= 2
	u = t; //= 2
	return u.s[1].n; //= 2
} //= 2
struct Z { int k = 3; };
__attribute__((noinline)) int pod(int n) {
	Z z[100]; //= 2
	Z *y = new Z[n]; //= 2
	int s = z[7].k + y[3].k; //= 2
	delete[] y; //= 2
	return s; //= 2
}
__attribute__((noinline)) int lam() {
	S a[3]; //= 2
	auto l = [a] { return a[1].n; }; //= 2
	return l(); //= 2
} //= 2
// Within loops of the program's, with several ways out, and one that an exception takes.
__attribute__((noinline)) int ways(int n) {
	int r = 0; //= 2
	for (int i = 0; i < n; i++) { //= 22
		S a[3]; //= 22
		if (i % 3 == 0) //= 22
			continue; //= 8
		for (S &s : a) //= 56
			r += s.n & 1; //= 42
		if (i == 9) //= 14
			break; //= 0
		while (r > 3) r -= 2;
		if (i == 10) //= 14
			return r; //= 2
	} //= 22
	return r; //= 0
}
__attribute__((noinline)) int throws(int n) {
	try {
		S a[4]; //= 2
		if (n) //= 2
			throw n; //= 1
		return a[1].n; //= 1
	} catch (int k) { //= 2
		return k; //= 1
	}
}
int main() {
	int s = 0; //= 1
	for (int i = 0; i < 2; i++) { //= 3
		s += vs() + arr() + inits() + mem() + pod(9) + lam() + ways(15) + throws(i); //= 2
		del(nw()); //= 2
	}
	printf("%d %d\n", s, made - gone); //= 1
}
