/* A library, built with cgcc or without; opened at run time it is asked for opened(). */
static int
inner(int x)
{
	return x + 1;
}

int (*volatile from_library_pointer)(int) = inner;

int
from_library(int x)
{
	return from_library_pointer(x);
}

int
opened(int x)
{
	return from_library_pointer(x) + from_library_pointer(x + 1);
}
