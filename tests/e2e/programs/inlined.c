/* A small procedure that GCC inlines, also where a pragma asks for something else. */
#ifdef PRAGMA
#pragma GCC optimize("no-ipa-pure-const")
#endif
#ifdef NO_INLINE
#pragma GCC optimize("no-inline")
#endif
extern int printf(const char *, ...);
static int table[16];

static int
entry(int i)
{
	if (i < 0 || i >= 16)
		return -1;
	return table[i];
}

int
later(int i)
{
	printf("%d\n", entry(i));
	return entry(i + 8) - entry(3);
}

int
sooner(int i)
{
	printf("%d\n", entry(-i));
	return entry(i - 8) + entry(i);
}

int
main(void)
{
	return later(4) != sooner(2) && later(9) == 7;
}
