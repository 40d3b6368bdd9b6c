/* Each kind of what stands before and behind a label of a switch, for -Wimplicit-fallthrough,
 * -Wswitch-unreachable and -Wreturn-type. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int g1, g2;
void ext(int);
int check(void);
/* switch: each kind of what follows a label */
int s1(int e) { switch (e) { case 1: e = 0; case 2: break; default: return e; } return e + 1; }
int s2(int e) {
	switch (e) {
		case 1: e = 0;
		case 2: goto out;
		default: return e;
	}
	out: return e + 1;
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
		case 2: case 3: ;
		break;
		default: return e;
	}
	return e + 1;
}
int s5(int e) {
	switch (e) {
		case 1: e = 0;
		case 2: {
			break;
		}
		default: return e;
	}
	return e + 1;
}
int s6(int e) {
	switch (e) {
		case 1: e = 0;
		case 2: {
			int x = e;
			ext(x);
			break;
		}
		default: return e;
	}
	return e + 1;
}
int s7(int e) {
	switch (e) {
		case 1: e = 0;
		case 2: for (;;) break;
		break;
		default: return e;
	}
	return e + 1;
}
int s8(int e) {
	switch (e) {
		case 1: e = 0;
		case 2: do {
			break;
		}  while (0);
		break;
		default: return e;
	}
	return e + 1;
}
int s9(int e) {
	switch (e) {
		case 1: if (e) break;
		case 2: ext(1);
		break;
		default: return e;
	}
	return e + 1;
}
int s10(int e) {
	switch (e) {
		case 1: if (e) break;
		else ext(2);
		case 2: ext(1);
		break;
		default: return e;
	}
	return e + 1;
}
int s12(int e) {
	switch (e) {
		case 1: if (e) break;
		else return 1;
		case 2: ext(1);
		break;
		default: return e;
	}
	return e + 1;
}
int s13(int e) {
	switch (e) {
		case 1: if (e && g1) break;
		case 2: ext(1);
		break;
		default: return e;
	}
	return e + 1;
}
int s14(int e) {
	switch (e) {
		case 1: e && check();
		case 2: ext(1);
		break;
		default: return e;
	}
	return e + 1;
}
int s15(int e) {
	switch (e) {
		case 1: g1 = e ? 1 : check();
		case 2: ext(1);
		break;
		default: return e;
	}
	return e + 1;
}
int s16(int e) {
	switch (e) {
		case 1: while (e) {
			if (check()) break;
		}
		case 2: ext(1);
		break;
		default: return e;
	}
	return e + 1;
}
int s17(int e) { switch (e) { break; case 1: ext(1); break; default: return e; } return e + 1; }
int s18(int e) {
	for (;;) {
		switch (e) {
			continue;
			case 1: ext(1);
			break;
			default: return e;
		}
		e++;
	}
}
int s19(int e) {
	switch (e) {
		goto x;
		case 1: ext(1);
		break;
		default: return e;
	}
	x: return e + 1;
}
int s20(int e) {
	switch (e) {
		e && check();
		case 1: ext(1);
		break;
		default: return e;
	}
	return e + 1;
}
int s21(int e) {
	switch (e) {
		g1 = e ? 2 : check();
		case 1: ext(1);
		break;
		default: return e;
	}
	return e + 1;
}
int s22(int e) {
	switch (e) {
		if (e) break;
		case 1: ext(1);
		break;
		default: return e;
	}
	return e + 1;
}
int s23(int e) {
	switch (e) {
		int y = e && g1;
		case 1: ext(1);
		break;
		default: return y;
	}
	return e + 1;
}
int s24(int e) {
	switch (e) {
		case 1: ext(1);
		lab: case 2: break;
		default: goto lab;
	}
	return e + 1;
}
int s25(int e) { switch (e) { case 1: ext(1); lab: break; default: goto lab; } return e + 1; }
int s26(int e) {
	switch (e) {
		case 1: ext(1);
		__attribute__((fallthrough));
		case 2: break;
	}
	return e + 1;
}
int s27(int e) {
	switch (e) {
		case 1: ext(1);
		/* fall through */
		case 2: break;
	}
	return e + 1;
}
int s28(int e) {
	switch (e) {
		case 1: ext(1);
		case 2: if (e) {
			goto out;
		}
		break;
	}
	out: return e + 1;
}
int s29(int e) {
	switch (e) {
		case 1: ext(1);
		default: goto *(void *[]){
			&&out, &&out
		}
		[e];
	}
	out: return e + 1;
}
int s30(int e) {
	switch (e) {
		case 1: if (e) {
			ext(1);
			goto out;
		}
		case 2: ext(3);
	}
	out: return e + 1;
}
int s31(int e) {
	switch (e) {
		case 1: {
			int a[3];
			ext(a[0] = e);
			if (e) break;
		}
		case 2: ext(3);
	}
	return e + 1;
}
int s32(int e) {
	while (e) {
		switch (e) {
			case 1: if (e) continue;
			case 2: ext(3);
		}
		e--;
	}
	return e + 1;
}
int s33(int e) {
	switch (e) {
		case 1: e = 0;
		case 2: switch (g1) {
			case 3: break;
		}
		break;
		default: return e;
	}
	return e + 1;
}
int s34(int e) {
	switch (e) {
		case 1: switch (g1) {
			case 3: g2 = 1;
			case 4: break;
		}
		case 2: break;
		default: return e;
	}
	return e + 1;
}
int s35(int e) {
	switch (e) {
		case 1: return 1;
		case 2: abort();
		case 3: exit(1);
		case 4: ext(1);
	}
}
int s36(int e) { if (e && g1) return 1; else if (g2 || check()) return 2; }
int s37(int e) { while (1) { if (e) break; } }
int s38(int e) { for (;;) { if (e) goto out; } out: ; }
int s39(int e) { do { if (e > 2) break; return 1; } while (0); }
int s40(int e) { switch (e) { case 1: goto a; case 2: goto b; } a: return 1; b: ; }

/* An arm that is nothing but a jump, in front of a label. */
int e1(int e)
{
	switch (e) {
	case 1: if (e) ext(1); else break;
	case 2: ext(1); case 3: ext(3); break; default: return e; } return e + 1; }
int e2(int e)
{
	switch (e) {
	case 1: if (e && g1) ext(1); else break;
	case 2: ext(1); case 3: ext(3); break; default: return e; } return e + 1; }
int e3(int e)
{
	switch (e) {
	case 1: if (e || g1) ext(1); else break;
	case 2: ext(1); case 3: ext(3); break; default: return e; } return e + 1; }
int e4(int e)
{
	switch (e) {
	case 1: if (e || g1) ext(1); else goto out;
	case 2: ext(1); case 3: ext(3); break; default: return e; } out: return e + 1; }
int e5(int e)
{
	switch (e) {
	case 1: if (!e) ext(1); else break;
	case 2: ext(1); case 3: ext(3); break; default: return e; } return e + 1; }
int e6(int e)
{
	switch (e) {
	case 1: if (!(e && g1)) ext(1); else { break; }
	case 2: ext(1); case 3: ext(3); break; default: return e; } return e + 1; }
int e7(int e)
{ while (g1)
	switch (e) {
	case 1: if (e) ext(1); else continue;
	case 2: ext(1); case 3: ext(3); break; default: return e; } return e + 1; }
int e8(int e)
{
	switch (e) {
	case 1: ext(4); if (e) ext(1); else break; ext(5);
	case 2: ext(1); case 3: ext(3); break; default: return e; } return e + 1; }
int e10(int e)
{
	switch (e) {
	case 1: if (e) ext(1); else if (g1) break; else ext(6);
	case 2: ext(1); case 3: ext(3); break; default: return e; } return e + 1; }
int e11(int e)
{
	switch (e) {
	case 1: if (e) ext(1); else if (g1) ext(6); else break;
	case 2: ext(1); case 3: ext(3); break; default: return e; } return e + 1; }
int e12(int e)
{
	switch (e) {
	case 1: if (e) break; else if (g1) break;
	case 2: ext(1); case 3: ext(3); break; default: return e; } return e + 1; }
int e13(int e)
{
	switch (e) { case 0: ext(9);
	case 1: if (e) break; else break;
	case 2: ext(1); case 3: ext(3); break; default: return e; } return e + 1; }
int e14(int e)
{
	switch (e) { case 1:
	switch (g1) {
	case 1: if (e) ext(1); else break;
	case 2: ext(1); }
	case 3: ext(3); case 4: ext(2); break; default: return e; } return e + 1; }
int e16(int e)
{
	switch (e) {
	case 1: if (g2) { if (e) ext(1); else break; }
	case 3: ext(3); case 4: ext(2); break; default: return e; } return e + 1; }
int e17(int e)
{
	switch (e) {
	case 1: if (g2) { ext(2); break; } else ext(1);
	case 3: ext(3); case 4: ext(2); break; default: return e; } return e + 1; }
int e18(int e)
{
	switch (e) {
	case 1: e ? ext(2) : ext(1);
	case 3: ext(3); case 4: ext(2); break; default: return e; } return e + 1; }
int e19(int e)
{
	switch (e) {
	case 1: if (g2) ext(1); else { if (e) break; }
	case 3: ext(3); case 4: ext(2); break; default: return e; } return e + 1; }
int e20(int e)
{
	switch (e) {
	case 1: if (check()) goto out; else break;
	case 3: ext(3); case 4: ext(2); break; default: return e; } out: return e + 1; }
