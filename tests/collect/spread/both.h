static inline long
in_both(long n)
{
	long sum = 1;

	for (long i = 0; i < n; i++)
		sum = sum * 3 + i;
	return sum;
}
