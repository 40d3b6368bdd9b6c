#include "tui/screen/colour.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	int rgb;             /* as in xterm */
} basic[16] = {
	{ "black", 0x000000 }, { "red", 0xcd0000 }, { "green", 0x00cd00 }, { "yellow", 0xcdcd00 },
	{ "blue", 0x0000ee }, { "magenta", 0xcd00cd }, { "cyan", 0x00cdcd }, { "white", 0xe5e5e5 },
	{ "bright-black", 0x7f7f7f }, { "bright-red", 0xff0000 }, { "bright-green", 0x00ff00 },
	{ "bright-yellow", 0xffff00 }, { "bright-blue", 0x5c5cff }, { "bright-magenta", 0xff00ff },
	{ "bright-cyan", 0x00ffff }, { "bright-white", 0xffffff },
};

static bool
parse_number(const char *text, int base, size_t digits, long most, int *number)
{
	static const char *const allowed[] = { "0123456789", "0123456789abcdefABCDEF" };
	long n;

	if (!*text || strlen(text) > digits || text[strspn(text, allowed[base == 16])])
		return false;
	n = strtol(text, NULL, base);
	if (n > most)
		return false;
	*number = (int)n;
	return true;
}

bool
colour_parse(const char *text, int *colour)
{
	int i;

	*colour = COLOUR_OWN;
	if (!strcmp(text, "default"))
		return true;
	for (i = 0; i < 16; i++) {
		if (strcmp(text, basic[i].name))
			continue;
		*colour = i;
		return true;
	}
	if (*text != '#')
		return parse_number(text, 10, 3, 255, colour);
	if (strlen(text) != 7 || !parse_number(text + 1, 16, 6, 0xffffff, colour))
		return false;
	*colour += COLOUR_RGB;
	return true;
}

/* Returns the RGB of colour N of 256: 16 basic ones, a cube of 6 x 6 x 6, 24 greys. */
static int
rgb_of(int n)
{
	static const int steps[6] = { 0, 0x5f, 0x87, 0xaf, 0xd7, 0xff };
	int grey;

	if (n < 16)
		return basic[n].rgb;
	if (n >= 232) {
		grey = 8 + 10 * (n - 232);
		return grey << 16 | grey << 8 | grey;
	}
	n -= 16;
	return steps[n / 36] << 16 | steps[n / 6 % 6] << 8 | steps[n % 6];
}

static int
distance(int a, int b)
{
	int shift, d, sum = 0;

	for (shift = 0; shift <= 16; shift += 8) {
		d = (a >> shift & 0xff) - (b >> shift & 0xff);
		sum += d * d;
	}
	return sum;
}

/* Returns the nearest colour from FIRST on: of 256 colours the basic ones may look like
 * anything. */
static int
nearest(int rgb, int first, int end)
{
	int i, best = first;

	for (i = first + 1; i < end; i++)
		if (distance(rgb, rgb_of(i)) < distance(rgb, rgb_of(best)))
			best = i;
	return best;
}

int
colour_number(int colour, int nr, int indexed)
{
	int rgb;

	if (colour < 0)
		return -1;
	if (nr > 256) {
		if (colour < indexed)
			return colour;
		rgb = colour >= COLOUR_RGB ? colour - COLOUR_RGB : rgb_of(colour);
		/* Black and dark blues would be taken for an index but for a trace of green. */
		return rgb < indexed ? rgb + 0x100 : rgb;
	}
	if (colour < nr)
		return colour;
	rgb = colour >= COLOUR_RGB ? colour - COLOUR_RGB : rgb_of(colour);
	return nr >= 256 ? nearest(rgb, 16, 256) : nearest(rgb, 0, nr >= 16 ? 16 : 8);
}
