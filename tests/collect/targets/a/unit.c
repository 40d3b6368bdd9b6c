static int
same(int x)
{
	return x + 1;
}

int (*from_unit_a(void))(int)
{
	return same;
}
