int sorted(int n);

static volatile int sink;

int
sorted(int n)
{
	for (int i = 0; i < 1000 * n; i++)
		sink ^= i;
	return sink;
}
