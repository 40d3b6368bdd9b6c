/* Two calls through pointers, and two procedures that are called once each: counts alone tell
 * nothing. slow() takes all the time below the first call. With JUMP it is not called there, but
 * jump() is, and its last act is to jump to slow(), so that the stack looks the same. */
typedef int operation(int);
static volatile int work;
__attribute__((noipa)) static int
slow(int n)
{
	for (int i = 0; i < 200000000; i++)
		work += n;
	return work;
}
__attribute__((noipa)) static int
quick(int n)
{
	return n + work;
}
__attribute__((noipa)) static int
jump(int n)
{
	return JUMP ? slow(n + 1) : n;
}
static operation *volatile all[] = { JUMP ? jump : slow, quick, jump, slow };
__attribute__((noipa)) static int
call_first(int n)
{
	return all[0](n) + 1;
}
__attribute__((noipa)) static int
call_second(int n)
{
	return all[1](n) + 1;
}
int
main(void)
{
	return call_first(1) + call_second(2) == 12345;
}
