#define LIMITED(x) limited((int)(x))

static inline int
limited(int x)
{
	if (x < 0)
		return -x;
	return x % 1000003;
}
