/* Of constructs.c; see there. */
#ifdef CONSTRUCTS_FIRST
#define HEADER_MAX(a, b) (first((a) > (b)) ? second(a) : third(b))
//> d 10 first((a) > (b)) | d 3 second(a) | d 7 third(b)
#endif

static inline int
NAME(int n)
{
	if (n > 3)
		//> s 20 (n > 3)
		return n;
		//> s 12 n#2
	return 3;
	//> s 8 3
}
#undef NAME
