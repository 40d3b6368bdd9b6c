/* How often each call is made is known by hand: test-groups.sh has the figures. */
static volatile unsigned sink;

static void spin(unsigned n)
{
	while (n--)
		sink += n;
}

static void work(unsigned n)
{
	spin(n);
}

static void three(void)
{
	work(2000000);
	for (int i = 0; i < 10; i++)
		work(1000000);
	work(3000000);
}

static void two(void)
{
	work(5000000);
	work(5000000);
}

static void one(void)
{
	work(4000000);
}

/* Calls itself at two places, so that a stack passes both. */
static void deep(int n)
{
	if (n > 3)
		deep(n - 1);
	else if (n > 0)
		deep(n - 1);
	else
		work(30000000);
}

int main(void)
{
	for (int i = 0; i < 4; i++)
		three();
	two();
	one();
	deep(6);
	return 0;
}
