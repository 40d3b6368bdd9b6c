/* Counts that leave a choice: two call sites, three handlers. And a cycle, and recursion. */
typedef void handler(int *);
static void one(int *n) { *n += 1; }
static void two(int *n) { *n += 2; }
static void three(int *n) { *n += 3; }
static handler *volatile handlers[] = { one, two, three };
static void first(int *n, int which) { handlers[which](n); }
static void second(int *n, int which) { handlers[which](n); }
static int odd(unsigned n);
static int even(unsigned n) { return n ? odd(n - 1) : 1; }
static int odd(unsigned n) { return n ? even(n - 1) : 0; }
static int down(int n) { return n ? down(n - 1) + 1 : 0; }
int main(void)
{
	int n = 0;

	for (int i = 0; i < 3000; i++)
		first(&n, i % 3);
	for (int i = 0; i < 6000; i++)
		second(&n, i % 2);
	return n == 0 || !even(100) || down(50) != 50;
}
