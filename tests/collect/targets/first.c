/* The only procedure of a unit (FILL) calls through a pointer: its words are the first of all
 * counters. */
#include <stdio.h>

struct stream {
	const char *(*read)(struct stream *, unsigned *size);
	const char *at;
	unsigned left;
};

int fill(struct stream *s);

#ifdef FILL
int
fill(struct stream *s)
{
	unsigned size;
	const char *got = s->read(s, &size);

	if (!got || !size)
		return -1;
	s->left = size - 1;
	s->at = got;
	return *s->at++;
}
#else
static const char *
reads(struct stream *s, unsigned *size)
{
	(void)s;
	*size = 2;
	return "ab";
}

int
main(void)
{
	struct stream s = { reads, NULL, 0 };
	int sum = 0;

	for (int i = 0; i < 1000; i++)
		sum += fill(&s);
	printf("%d\n", sum);
	return 0;
}
#endif
