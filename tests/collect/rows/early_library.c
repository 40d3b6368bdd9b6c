/* A library's constructors run before the program's, its destructors after all of them. */
static volatile int sink;

__attribute__((noinline)) static void
library_step(void)
{
	sink++;
}

static void
library_steps(int times)
{
	for (int i = 0; i < times; i++)
		library_step();
}

__attribute__((constructor(101))) static void first(void) { library_steps(1); }
__attribute__((constructor)) static void second(void) { library_steps(10); }
__attribute__((destructor)) static void last(void) { library_steps(100); }
__attribute__((destructor(101))) static void very_last(void) { library_steps(1000); }
void library_use(void) { library_steps(10000); }
