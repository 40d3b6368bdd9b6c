#include "centres.h"

static volatile int zero;

void /* 3 */
in_library(void)
{
	burn(3);
	zero++;
}
