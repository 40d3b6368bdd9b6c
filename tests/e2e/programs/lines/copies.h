/* Included twice by copies.c; the second copy is executed when the program has an argument. */
static int PREFIX(count)(const unsigned char *p, int n) //= 10
{
	int s = 0; //= 10
	for (int i = 0; i < n; i++) { //= 1000
		int t;
		t = TYPE(p, i); //= 990
		if (t == 3) //= 990
			s++; //= 200
	}
	return s; //= 10
}
