/* Nearly all time is that of one access to memory that misses the caches, which stands just before
 * code of other lines. */
#include <stdlib.h>

struct object { int count; char pad[60]; };
struct value { int kind; struct object *object; };

static void
increase(struct object *o)
{
	o->count++; /* here */
}

__attribute__((noinline)) static struct value
copy(struct value v)
{
	if ((v.kind & 15) == 1 ||
	    (v.kind & 15) == 2 ||
	    (v.kind & 15) == 3)
		increase(v.object);
	return v;
}

int
main(void)
{
	enum { N = 1 << 20 };
	struct object *objects = calloc(N, sizeof(*objects));
	size_t k = 1;
	int sum = 0;

	for (long i = 0; i < 36000000; i++) {
		struct value v;

		k = k * 6364136223846793005ul + 1442695040888963407ul;
		v = (struct value){ 1 + (int)((k >> 40) % 3), objects + (k >> 33 & (N - 1)) };
		sum += copy(v).kind;
	}
	free(objects);
	return sum == 1;
}
