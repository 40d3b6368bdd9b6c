/* A library of many: its procedure is called NAME; the greater SIZE, the more others it has.
 * BY_POINTER: it is called through a pointer. */
#define PASTE(a, b) a##b
#define JOIN(a, b)  PASTE(a, b)

#define MORE(n)                                                                                    \
	int JOIN(NAME, n)(int x)                                                                   \
	{                                                                                          \
		return x > n ? x - n : x + n;                                                      \
	}
#if SIZE > 0
MORE(1) MORE(2) MORE(3) MORE(4)
#endif
#if SIZE > 1
MORE(5) MORE(6) MORE(7) MORE(8)
#endif

static __attribute__((noinline)) int
NAME(int n)
{
	volatile int sum = 0;

	for (int i = 0; i < n; i++)
		sum += i;
	return sum;
}

int
work(int n)
{
#ifdef BY_POINTER
	static int (*volatile pointer)(int) = NAME;

	return pointer(n);
#else
	return NAME(n);
#endif
}
