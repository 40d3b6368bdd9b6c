/* A library that comes and goes. */
static volatile int sink;

void
library_step(void)
{
	sink++;
}
