/* Warned of by gcc, by the front end and by the passes: the same with counters on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int g1, g2;
void ext(int);
void extp(const char *, ...);
int check(void);
int u1(int e) { int x; if (e) x = 1; if (e && g1) return x; return 0; }
int u2(int e) { int x; if (e) x = 1; if (e || g1) return x; return 0; }
int u3(int e) {
	int x;
	for (int i = 0; i < e; i++) {
		if (check()) {
			x = 3;
			break;
		}
	}
	return x;
}
int u4(int e) { int x; switch (e) { case 1: x = 1; break; case 2: x = 2; break; } return x; }
int u5(void) { int x; return x; }
int u6(int e) { int x, y; y = e ? x : 1; return y; }
int u7(int e) { int *p = 0; if (e) p = &g1; return *p; }
int u8(void) { int *p = 0; return *p; }
int u9(int e) { char b[4]; strcpy(b, "too long"); return b[e]; }
int u10(int e) { int a[4] = {0}; return e ? a[5] : a[4]; }
int u12(int e) { char b[4]; sprintf(b, "%d", e); extp(b); return 0; }
int u13(char *d, const char *s) { strncpy(d, s, strlen(s)); return 0; }
int u14(int e) { char b[8]; snprintf(b, sizeof(b), "%s %d", "abcdef", e); extp(b); return 0; }
int u15(int e) { memset(&e, 0, 400); return e; }
int u16(int e) { free(&e); return 0; }
int u17(void) { char *p = malloc(3); free(p); free(p); return p[0]; }
int *u18(void) { int x = 1; return &x; }
int u19(int e) { unsigned u = e; return u < 0 || u >= 0; }
int u20(int e) { return e == 1 || e != 2; }
int u21(int e) { return e > 1 && e < 0; }
int u22(int e) { return (e & 1) && e | 2; }
int u23(int e) { return e == e; }
int u24(int e) { return e = 1, 2; }
int u25(int e) { if (e = 2) return 1; return 0; }
int u26(int e) { e == 1; return e; }
int u27(int e) { e && g1; return e; }
int u28(int e) { e ? g1 : g2; return e; }
int u29(int e) { e ? ext(1) : ext(2); return e; }
int u30(int e) { if (e) break_: ; else ; return e; }
int u31(int e) { return e ? g1 + 1 : g1 + 1; }
int u32(int e) { if (e) return 1; else return 1; }
int u33(int e) { for (; e; e--) { if (g1) break; else break; } return e; }
int u34(int e) { for (; e; e--) { if (g1) { g2 = g1 && e; } else { g2 = g1 && e; } } return e; }
int u35(int e) { for (; e; e--) { if (g1) continue; else continue; } return e; }
int u36(int e) { if (g1) goto out; else goto out; out: return e; }
int u37(int e) { if (e == 1) return 1; else if (e == 1) return 2; return 0; }
int u38(int e) { return e / 0; }
int u39(int e) { return e << 40; }
int u40(int e) { static int unused; int x = e && g1; int y; (void)e; return 0; }
static int unused_function(int e) { return e ? 1 : 2; }
int u41(int e) { int x = 5; x = e ? 1 : 2; return 0; }
int u42(int e) { if (e && (g1 = 2)) ; return e; }
int u43(unsigned char c) { return c == 300 || c < 256; }
int u44(int e) { return !e == 2 && !e & 1; }
int u45(int e) { while (e) ; { e--; } return e; }
int u46(int e) { if (e) ext(1); ext(2); if (g1)
 ext(1);
 ext(2);
 return e; }
int u47(int a, int b) { if (a) if (b) ext(1); else ext(2); return 0; }
int u48(const char *s) { return s == "abc" || s == "def"; }
int u49(int e) { return sizeof(e && g1) + sizeof(e ? 1 : 2L); }
int u50(int e) { return printf("%s\n", e ? 1 : 2); }
int u51(int e) { extp(e ? "a" : 0); return e ? -1 : 1u; }
enum en { A, B, C };
int u52(enum en e) { switch (e) { case A: return 1; case B: break; } return 0; }
int u53(enum en e) { switch (e) { case A: return 1; default: break; } return 0; }
int u54(enum en e) { return e ? A : 3; }
int u55(int n) { int a[n]; a[0] = n && g1; return a[0]; }
int u56(int e) { return __builtin_expect(e && g1, 1) ? 3 : 4; }
__attribute__((const)) int cst(int);
int u57(int e) { cst(e); return cst(e) && cst(e); }
__attribute__((warn_unused_result)) int wur(int);
int u58(int e) { wur(e); e && wur(e); e ? wur(e) : 0; return 0; }
int u59(int e) { return ({ int t = e; t && g1; }) ? 1 : 0; }
int u60(int e) { for (unsigned i = 10; i >= 0; i--) if (e) break; return e; }
int u61(int *p) { int v = *p; if (!p) return 0; return v && *p; }
__attribute__((nonnull)) int u62(int *p) { if (p && *p) return 1; return 0; }
int u63(int e) { return alloca_like(e) ? 1 : 0; }
int u64(int a, int b) { return a < b < 3 || a == b == 2; }
int u65(int e) { unsigned long l = e ? -1 : 0; return l; }
int u66(float f) { return f == 0.1 && f != 1.f ? 1 : 0; }
int u67(int e) { int r = e++ + e++; return r || (e = e++); }
int u68(void) { return; }
void u69(void) { return 1; }
int u70(int *a) { return *a++ && a[1] ? *a++ : 0; }
static inline int u71(int e) { if (e) return 1; }
int u72(int e) { return u71(e) ? 1 : 2; }
__attribute__((noreturn)) void u73(int e) { if (e) exit(1); }
__attribute__((noinline)) static int pure1(int e) { return e && g1; }
int u74(int e) { return pure1(e) + pure1(e); }
int u75(char *p) { char c = *p; return c >= '0' && c <= '9' ? c - '0' : -1; }
