/* More calls of one procedure than 32 bits can count: 2^32 + 5. */
static volatile int sink;

static inline void
tick(void)
{
	__asm__ volatile("");
}

int
main(void)
{
	for (unsigned i = 0; i < 1u << 28; i++) {
		tick(); tick(); tick(); tick(); tick(); tick(); tick(); tick();
		tick(); tick(); tick(); tick(); tick(); tick(); tick(); tick();
	}
	for (int i = 0; i < 5; i++)
		tick();
	return sink;
}
