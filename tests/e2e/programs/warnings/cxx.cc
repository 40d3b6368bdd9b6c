/* Warned of by g++, at parsing, folding, genericizing, in the passes: the same with counters on. */
#include <string>
#include <vector>
#include <memory>
#include <map>
int g1, g2; void ext(int); int check();
struct D { ~D(); int x = 1; explicit operator bool() const { return x && g1; } };
int s1(int e) { switch (e) { case 1: e = 0; case 2: break; default: return e; } return e + 1; }
int s2(int e) {
	switch (e) {
		case 1: e = 0;
		case 2: {
			break;
		}
		default: return e;
	}
	return e + 1;
}
int s3(int e) {
	for (;;) {
		switch (e) {
			case 1: e = 0;
			case 2: continue;
			default: return e;
		}
	}
}
int s4(int e) {
	switch (e) {
		case 1: e = 0;
		[[fallthrough]];
		case 2: break;
		default: return e;
	}
	return e + 1;
}
int s5(int e) {
	switch (e) {
		case 1: {
			D d;
			e = d.x;
		}
		case 2: break;
		default: return e;
	}
	return e + 1;
}
int s6(int e) {
	switch (e) {
		case 1: {
			D d;
			if (d) break;
		}
		case 2: ext(1);
		break;
		default: return e;
	}
	return e + 1;
}
int s7(int e) {
	for (int i : std::vector<int>{1, 2}) {
		switch (e) {
			case 1: if (i) break;
			case 2: continue;
		}
	}
	return 1;
}
int s8(int e) { switch (e) { case 1: e = 0; case 2: throw 1; } return e; }
int s9(int e) {
	switch (e) {
		case 1: try {
			e = check();
		}  catch (...) {
			break;
		}
		case 2: ext(2);
	}
	return e;
}
int s10(int e) { switch (e) { break; case 1: return 2; } return e; }
int s11(int e) { switch (e) { case 1: e = 0; default: return e; } }
int s12(int e) { switch (e) { case 1: e = 0; default: for (;;) break; } return 1; }
int s13(int e) { switch (e) { case 1: e = 0; case 3: while (true) { break; } } return 1; }
template <class T> int t1(T e) {
	switch (e) {
		case 1: e = 0;
		case 2: break;
		case 3: e = 1;
		case 4: if (e && g1) break;
		default: return e;
	}
	return e + 1;
}
template int t1<int>(int); template int t1<long>(long);
template <class T> int t2(T e) { int x; if (e) x = 1; return e && g1 ? x : T(); }
template int t2<int>(int);
int u1(int e) { auto f = [&](int a) { if (a && e) return 1; }; return f(1); }
int u2(int e) { std::string s; if (e) return s.size() || e; }
int u3(int e) { if (e) return 1; else return 1; }
int u4(int e) { for (; e; e--) { if (g1) break; else break; } return e; }
int u5(int e) { return e ? g1 + 1 : g1 + 1; }
int u6(int e) { e && g1; e ? g1 : g2; g1, g2; return 0; }
const std::string &u7() { return std::string("a"); }
int u8() { std::unique_ptr<int> p; return *p; }
int u9(int e) { int *p = nullptr; if (e) p = &g1; return *p; }
struct B { virtual int f(int); int v; };
struct E : B { int f(long); int w; E() : w(v && 1), q(w) {} int q;
};
int u10(B *b) { delete b; return b->v; }
int u11(E a) {
	E c = a;
	B &r = c;
	try {
		ext(1);
	}  catch (B x) {
		return 1;
	}
	return r.f(1) ? 1 : 0;
}
int u12(unsigned e) { return e >= 0 && -1 < e; }
int u13(int e) { switch (e) { case 1: int y = 2; g1 = y; } return e; }
int u14(int e) { goto out; { D d; } out: return e; }
int u15(std::map<int, int> &m) {
	for (const std::pair<int, int> &p : m) if (p.first && p.second) return 1;
	return 0;
}
int u16(int e) { D *d = new D[2]; delete d; return e; }
int u17(int e) { if (D d{}; d && e) return 1; else { return 2; } return 3; }
int u18(int e) noexcept { if (e) throw 1; return 2; }
int u19(int e) { return static_cast<bool>(e) + (e == 1 ? true : 2); }
enum class en { A, B };
int u20(en e) {
	switch (e) {
		case en::A: return 1;
		case en::B: return 2;
	}
}
int u21(en e) { switch (e) { case en::A: return 1; } return 0; }
constexpr int u22(int e) { return e && e > 2 ? e : throw 2; } static_assert(u22(3) == 3);
int u23(const char *s) { return s == "a" || 0; }
int u24(int e) { volatile int v = e; v += e && g1; v++; return v; }
struct F {
	int x;
	bool operator==(const F &o) const { return x == o.x && x; }
	F &operator=(const F &o) {
	x = o.x;
}
};
int u25(int e) { std::string s(e, 'a'); const char *p = s.c_str(); s += "b"; return p[0] && e; }
int u26(int e) {
	std::vector<int> v;
	v.push_back(e);
	for (size_t i = 0; i < v.size() && i >= 0; i++) if (v[i]) break;
	return v[0];
}
int u27(int e) { char b[4]; __builtin_strcpy(b, e ? "abcdef" : "abcdefg"); return b[e]; }
[[noreturn]] int u28(int e) { if (e) throw 1; }
[[nodiscard]] int nd(int); int u29(int e) { nd(e); e && nd(e); e ? nd(e) : 1; return 0; }
