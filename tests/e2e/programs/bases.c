/* Innermost loops whose counters stay in memory: how many rounds they have is not known, or a round
 * is long. */
#include <signal.h>
#include <setjmp.h>
#include <stdio.h>

static unsigned char text[4096];
static sigjmp_buf away;

static int
search(const unsigned char *p, const unsigned char *end, int wanted)
{
	int seen = 0;

	while (p < end) {
		if (*p == wanted)
			seen++; //= found
		else if (*p > wanted)
			seen ^= 1; //= more
		if (seen > 900)
			break; //= enough
		p += 1 + (*p & 1); //= round
	}
	return seen;
}

/* More counters than a byte of offset reaches. */
static int
many(const unsigned char *p, int n)
{
	int r = 0;

	while (n-- > 0) {
		int c = p[n & 4095] ^ r;

#define ARM(k) if ((c & (k)) == (k)) r += n ^ (k)
		ARM(1);
		ARM(2);
		ARM(3);
		ARM(5);
		ARM(7);
		ARM(11);
		ARM(13);
		ARM(17);
		ARM(19);
		ARM(23);
		ARM(29);
		ARM(31);
		ARM(37);
		ARM(41);
		ARM(43);
		ARM(47);
		ARM(53);
		ARM(59);
		ARM(61);
		ARM(67);
		if ((c & 3) == 2)
			r ^= 5; //= two
		if ((c & 129) == 129)
			r ^= 9; //= both
	}
	return r;
}

/* A loop that is entered at two places. */
static int
entered(int n, int where)
{
	int r = 0;

	if (where)
		goto inside;
	while (n > 0) {
		r += n & 3; //= above
inside:
		if (n & 1)
			r ^= 7; //= odd
		n -= 1 + (r & 1); //= down
	}
	return r;
}

/* A value more than there are registers: the address may go to the stack. */
static unsigned
crowded(unsigned n, const unsigned char *p)
{
	unsigned a = n, b = n + 1, c = n * 3, d = n ^ 5, e = ~n, f = n << 2, g = n >> 1, h = 7;
	unsigned i = 9, j = 11, k = 13, l = 17;

	do {
		if (p[a & 4095] & 1)
			b += c ^ d, k += l; //= pressed
		a += b, c ^= e, d += f, e ^= g, f += h, g ^= i;
		h += j, i ^= k, j += a, l ^= b; //= pressing
	} while (--n);
	return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j ^ k ^ l;
}

static void
jump(int number)
{
	(void)number;
	siglongjmp(away, 1);
}

static int *volatile nowhere;

/* Left by a handler, from within a round: what was counted before is counted. */
static void
left(int *at)
{
	for (int n = 0;; n++) {
		if (n & 1)
			n += 2; //= step
		if (n > 5000)
			at = nowhere; //= last
		*(volatile int *)at = n;
	}
}

static __attribute__((noinline)) int
called(int n)
{
	return n * 3;
}

/* With a call in most rounds. */
static int
calls(int n)
{
	int r = 0;

	while (n-- > 0)
		if (n & 2)
			r += called(r ^ n); //= called
	return r;
}

/* ... and many blocks. */
static int
calls_among(int n)
{
	int r = 0;

	while (n-- > 0) {
		r += called(r ^ n) & 0xff;
		if ((r & 5) == 5)
			r ^= n; //= five
		if ((r & 6) == 6)
			r -= 3; //= six
		if ((r & 9) == 9)
			r ^= 77; //= nine
		if ((r & 10) == 2)
			r += n & 3; //= ten
		if ((r & 11) == 3)
			r ^= n >> 1; //= eleven
	}
	return r;
}

static int bits;

static __attribute__((noinline)) void
refill(int n)
{
	bits = 20 + (n & 7); //= refill
}

/* With a call in few rounds. */
static int
seldom_calls(int n)
{
	int r = 0;

	while (n-- > 0) {
		if (__builtin_expect(bits < 2, 0))
			refill(n);
		bits--;
		if (n & 2)
			r ^= 5 + (r << (bits & 3)); //= shifted
	}
	return r;
}

int
main(void)
{
	int there;
	volatile int r = 0;

	for (int i = 0; i < 4096; i++)
		text[i] = i * 37 ^ i >> 3;
	for (int i = 0; i < 300; i++)
		r += search(text, text + 4096, i & 255); //= searches
	r += many(text, 100000) + entered(5000, 0) + entered(4999, 1);
	r += (int)crowded(30000, text) + calls(1000) + calls_among(1000) + seldom_calls(1000);
	signal(SIGSEGV, jump);
	if (!sigsetjmp(away, 1))
		left(&there);
	printf("%d\n", r);
	return 0;
}
