/* 5: an exception across a library. */
struct guard {
	int *count;
	~guard() { ++*count; }
};

extern "C" {
int guarded;

__attribute__((noinline)) void
call_back(void (*f)(int), int i)
{
	guard g = { &guarded };

	f(i);
	guarded = -1;
}
}
