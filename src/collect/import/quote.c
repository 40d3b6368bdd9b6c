/* The command of a run, as a shell reads it. */
#include "collect/import/import.h"

#include <string.h>

static void
quote(struct strbuf *sb, const char *s)
{
	const char *p;

	if (*s && !s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
			    "@%+=:,./_-")]) {
		strbuf_str(sb, s);
		return;
	}
	strbuf_char(sb, '\'');
	for (p = s; *p; p++)
		if (*p == '\'')
			strbuf_str(sb, "'\\''");
		else
			strbuf_char(sb, *p);
	strbuf_char(sb, '\'');
}

char *
import_quote(const char *const *arguments, size_t nr)
{
	struct strbuf sb = STRBUF_INIT;
	size_t i;

	for (i = 0; i < nr; i++) {
		if (i)
			strbuf_char(&sb, ' ');
		quote(&sb, arguments[i]);
	}
	return strbuf_take(&sb);
}
