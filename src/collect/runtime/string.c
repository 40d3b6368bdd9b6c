/* Those procedures of libc's string.h that the runtime calls, for itself: each of libc's would have
 * to be bound, in every process, which takes the loader up to a microsecond, and the first a page
 * or two of the stack. They have their usual names, also as the compiler calls some by itself; like
 * all hidden names of the runtime they get others when it is archived. What is long is not looked
 * at by any of them. */
#include "runtime.h"

#include <string.h>

/* In C23 what looks for something is a macro around the procedure of its name, too. */
#undef memchr
#undef strchr
#undef strrchr
#undef strstr
#undef memrchr

HIDDEN void *
memcpy(void *restrict to, const void *restrict from, size_t n)
{
	void *begin = to;

	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
	return begin;
}

HIDDEN void *
memmove(void *to, const void *from, size_t n)
{
	unsigned char *t = to;
	const unsigned char *f = from;

	if (t <= f || t >= f + n)
		return memcpy(to, from, n);
	while (n-- > 0)
		t[n] = f[n];
	return to;
}

HIDDEN void *
memset(void *p, int byte, size_t n)
{
	void *begin = p;

	__asm__ volatile("rep stosb" : "+D"(p), "+c"(n) : "a"(byte) : "memory");
	return begin;
}

HIDDEN int
memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *p = a, *q = b;

	for (; n > 0; n--, p++, q++)
		if (*p != *q)
			return *p - *q;
	return 0;
}

HIDDEN void *
memchr(const void *p, int byte, size_t n)
{
	const unsigned char *at = p;

	for (; n > 0; n--, at++)
		if (*at == (unsigned char)byte)
			return (void *)at;
	return NULL;
}

HIDDEN void *
memmem(const void *p, size_t size, const void *what, size_t n)
{
	const char *at = p;

	for (; size >= n; size--, at++)
		if (!memcmp(at, what, n))
			return (void *)at;
	return NULL;
}

HIDDEN size_t
strlen(const char *s)
{
	size_t n = 0;

	while (s[n])
		n++;
	return n;
}

HIDDEN int
strncmp(const char *a, const char *b, size_t n)
{
	for (; n > 0; n--, a++, b++)
		if (*a != *b || !*a)
			return (unsigned char)*a - (unsigned char)*b;
	return 0;
}

HIDDEN int
strcmp(const char *a, const char *b)
{
	return strncmp(a, b, SIZE_MAX);
}

HIDDEN char *
strrchr(const char *s, int byte)
{
	const char *found = NULL;

	do
		if (*s == (char)byte)
			found = s;
	while (*s++);
	return (char *)found;
}

HIDDEN char *
strchr(const char *s, int byte)
{
	while (*s && *s != (char)byte)
		s++;
	return *s == (char)byte ? (char *)s : NULL;
}

HIDDEN size_t
strcspn(const char *s, const char *bytes)
{
	size_t n = 0;

	while (s[n] && !strchr(bytes, s[n]))
		n++;
	return n;
}
