/* Many conditions that lead to one place, with the same value and with others. */
#include <stdio.h>
#include <string.h>

static const char *at;

static __attribute__((noinline)) int
scan(const char *p, const char *end, const char **next)
{
	const char *begin = p;
	int depth = 0;

	if (p == end)
		return -1;
	if (*p == '#') {
		*next = p;
		return 0;
	}
	for (; p < end; p++) {
		switch (*p) {
		case '(':
			if (end - p < 2)
				return -2;
			if (p[1] == '#') {
				*next = p;
				return 0;
			}
			depth++;
			break;
		case ')':
			if (end - p < 3)
				return -2;
			if (p[1] == '!' || p[2] == '!') {
				*next = p;
				return 0;
			}
			if (!depth--)
				return -1;
			continue;
		case 'a':
			if (p - begin > 30)
				return -2;
			if (p[1] == 'b')
				continue;
			break;
		case 'c':
			if (depth > 3)
				return -1;
			if (depth == 2)
				return 7;
			break;
		case '!':
			*next = p + 1;
			return 3;
		default:
			if (*p == at[depth])
				continue;
			if (depth > 2 && *p == 'x')
				return -2;
		}
		if (p[1] == '?')
			return 7;
	}
	*next = end;
	return depth ? -1 : 1;
}

int
main(void)
{
	static const char letters[] = "()#!abcx? ()aabb(((c";
	char text[48];
	const char *next;
	unsigned x = 1;
	long sum = 0;

	at = "xyzxyz";
	for (int i = 0; i < 5000; i++) {
		unsigned n;

		x = x * 1103515245 + 12345;
		n = (x >> 16) % (sizeof(text) - 3);
		for (unsigned k = 0; k < sizeof(text); k++) {
			x = x * 1103515245 + 12345;
			text[k] = letters[(x >> 16) % (sizeof(letters) - 1)];
		}
		next = text;
		sum = sum * 3 % 1000003 + scan(text, text + n, &next) + (next - text);
	}
	printf("%ld\n", sum);
	return 0;
}
