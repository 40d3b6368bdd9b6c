#include "util/text/clone.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* Is it N bytes of digits, or of what compilers put between dots? */
static bool
is_suffix(const char *s, size_t n, bool *word)
{
	static const char *const words[] = {
		"part", "isra", "constprop", "cold", "lto_priv", "llvm", "localalias", "ipa_sra",
	};
	size_t digits = 0;

	while (digits < n && isxdigit((unsigned char)s[digits]))
		digits++;
	*word = false;
	if (n && digits == n)
		return true;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words) && !*word; i++)
		*word = strlen(words[i]) == n && !memcmp(words[i], s, n);
	return *word;
}

size_t
clone_base(const char *name)
{
	size_t all = strlen(name), end = all, base = all;
	bool word;

	for (size_t i = all; i-- > 1;) {
		if (name[i] != '.')
			continue;
		if (!is_suffix(name + i + 1, end - i - 1, &word))
			break;
		end = i;
		base = word ? i : base; /* numbers stand behind such a word only */
	}
	return base;
}
