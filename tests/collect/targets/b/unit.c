static int
same(int x)
{
	return x + 2;
}

int (*from_unit_b(void))(int)
{
	return same;
}
