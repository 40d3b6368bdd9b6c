#include "tui/screen/key.h"

#include <string.h>
#include <strings.h>

#include "util/text/safe.h"

static const struct {
	const char *name;
	tui_key key;
} names[] = {
	{"Up", K_UP},		{"Down", K_DOWN},
	{"Left", K_LEFT},	{"Right", K_RIGHT},
	{"PgUp", K_PAGE_UP},	{"PgDn", K_PAGE_DOWN},
	{"Home", K_HOME},	{"End", K_END},
	{"Enter", K_ENTER},	{"Backspace", K_BACKSPACE},
	{"Tab", K_TAB},		{"S-Tab", K_BACK_TAB},
	{"Delete", K_DELETE},	{"Insert", K_INSERT},
	{"M-Left", K_ALT_LEFT}, {"M-Right", K_ALT_RIGHT},
	{"F1", K_F1},		{"F2", K_F1 + 1},
	{"F3", K_F1 + 2},	{"F4", K_F1 + 3},
	{"F5", K_F1 + 4},	{"F6", K_F1 + 5},
	{"F7", K_F1 + 6},	{"F8", K_F1 + 7},
	{"F9", K_F1 + 8},	{"F10", K_F1 + 9},
	{"F11", K_F1 + 10},	{"F12", K_F12},
	{"Space", ' '},		{"Esc", K_ESC},
	{"Resize", K_RESIZE},	{"Hangup", K_HANGUP},
	{"Mouse", K_MOUSE},
};

enum { NR_NAMES = sizeof(names) / sizeof(*names) };

void
key_print(struct strbuf *out, tui_key key)
{
	int i;

	for (i = 0; i < NR_NAMES; i++) {
		if (names[i].key == key) {
			strbuf_str(out, names[i].name);
			return;
		}
	}
	if (key > 0 && key < 0x20)
		strbuf_fmt(out, "C-%c", (char)(key + 0x60));
	else if (key > 0 && key < KEYS_SPECIAL)
		safe_char(out, key);
	else
		strbuf_str(out, "this key");
}

tui_key
key_named(const char *name)
{
	size_t n = strlen(name);
	int32_t c;
	int i;

	for (i = 0; i < NR_NAMES; i++)
		if (!strcasecmp(name, names[i].name))
			return names[i].key;
	if (n == 3 && !strncmp(name, "C-", 2) && name[2] >= '`' && name[2] <= 'z')
		return name[2] - 0x60;
	if (n && utf8_decode(name, n, &c) == n && c >= 0)
		return c;
	return K_NONE;
}
