/* Colours: palettes against the brightness of the colours, numbers against the terminal's rules. */
#include <math.h>

#include "check.h"
#include "tui/screen/colour.h"
#include "show/role.h"

/* The 16 colours of xterm and of a PC's text mode: terminals differ about like these two. */
static const int terminals[2][16] = {
	{ 0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
	  0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff },
	{ 0x000000, 0xaa0000, 0x00aa00, 0xaa5500, 0x0000aa, 0xaa00aa, 0x00aaaa, 0xaaaaaa,
	  0x555555, 0xff5555, 0x55ff55, 0xffff55, 0x5555ff, 0xff55ff, 0x55ffff, 0xffffff },
};

static double
linear(int part)
{
	double v = part / 255.0;

	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

/* Relative luminance as WCAG has it. */
static double
luminance(int rgb)
{
	return 0.2126 * linear(rgb >> 16) + 0.7152 * linear(rgb >> 8 & 0xff) +
	       0.0722 * linear(rgb & 0xff);
}

static double
contrast(int a, int b)
{
	double x = luminance(a) + 0.05, y = luminance(b) + 0.05;

	return x > y ? x / y : y / x;
}

/* On a terminal that is black, or white. 3 is what WCAG asks of large text. */
static int
readable(enum palette palette, const int *rgb, enum role role, enum overlay overlay)
{
	int own = palette == PALETTE_LIGHT_16 ? 15 : 0;
	struct look look = role_look(palette, role, overlay);
	int fg = look.fg < 0 ? 15 - own : look.fg, bg = look.bg < 0 ? own : look.bg;
	double c = fg < 16 && bg < 16 ? contrast(rgb[fg], rgb[bg]) : 0;
	bool ok = c >= 3;

	if (!ok)
		printf("# palette %d, %s, overlay %d: %d on %d: %.2f\n", palette, role_name(role),
		       overlay, fg, bg, c);
	return ok;
}

static int
all_readable(enum palette palette)
{
	int ok = 1, role, overlay, t;

	for (t = 0; t < 2; t++)
		for (role = 0; role < ROLE_NR; role++)
			for (overlay = 0; overlay < OVERLAY_NR; overlay++)
				ok &= readable(palette, terminals[t], (enum role)role,
					       (enum overlay)overlay);
	return ok;
}

/* Backgrounds of NR roles from FIRST on: each brighter (darker) than the one before. */
static int
ordered(enum palette palette, enum role first, int nr, int sign)
{
	int i, ok = 1, a, b;

	for (i = 1; i < nr; i++) {
		a = role_look(palette, first + i - 1, OVERLAY_NONE).bg;
		b = role_look(palette, first + i, OVERLAY_NONE).bg;
		ok &= a >= 0 && a < 16 && b >= 0 && b < 16 &&
		      sign * (luminance(terminals[0][b]) - luminance(terminals[0][a])) > 0;
		if (!ok)
			printf("# palette %d, %s: %d, %d\n", palette, role_name(first + i), a, b);
	}
	return ok;
}

/* Bright black is what a bold black becomes. */
static int
no_bold_black(enum palette palette)
{
	int ok = 1, role, overlay;

	for (role = 0; role < ROLE_NR; role++) {
		for (overlay = 0; overlay < OVERLAY_NR; overlay++) {
			struct look l = role_look(palette, (enum role)role, (enum overlay)overlay);

			ok &= l.fg != 0 || !(l.attributes & LOOK_BOLD);
		}
	}
	return ok;
}

static int
selection_differs(enum palette palette)
{
	int ok = 1, role, select = role_look(palette, ROLE_TEXT, OVERLAY_SELECT).bg;

	for (role = 0; role < ROLE_NR; role++)
		ok &= role_look(palette, (enum role)role, OVERLAY_NONE).bg != select;
	return ok && select >= 0;
}

/* What is reversed anyway is not selected by being reversed. */
static int
selection_shows(enum palette palette)
{
	struct look role, selected;
	int ok = 1, i;

	for (i = 0; i < ROLE_NR; i++) {
		role = role_look(palette, (enum role)i, OVERLAY_NONE);
		selected = role_look(palette, (enum role)i, OVERLAY_SELECT);
		ok &= role.bg != selected.bg ||
		      (role.attributes ^ selected.attributes) & LOOK_REVERSE;
	}
	return ok;
}

/* A blank under the cursor has no colour of its own: a bar would seem to go on. */
static int
cursor_is_even(void)
{
	struct look bar = role_look(PALETTE_FEW, ROLE_BAR, OVERLAY_CURSOR);

	return bar.fg == -1 && bar.bg == -1 && bar.attributes & LOOK_REVERSE;
}

/* A terminal of direct colour takes a number below INDEXED for an index. */
static int
direct(void)
{
	static const int indexed[] = { 8, 16, 256 };
	int ok = 1, i, colour, number;

	for (i = 0; i < 3; i++) {
		for (colour = indexed[i]; colour < 256; colour++)
			ok &= colour_number(colour, 1 << 24, indexed[i]) >= indexed[i];
		for (colour = 0; colour < indexed[i]; colour++)
			ok &= colour_number(colour, 1 << 24, indexed[i]) == colour;
		for (colour = 0; colour < 1 << 12; colour++) {
			number = colour_number(COLOUR_RGB + colour, 1 << 24, indexed[i]);
			ok &= number >= indexed[i] &&
			      (number == colour || number - colour == 0x100);
		}
	}
	return ok && colour_number(17, 1 << 24, 8) == 0x00005f &&
	       colour_number(17, 1 << 24, 256) == 17 &&
	       colour_number(9, 1 << 24, 8) == 0xff0000 && colour_number(9, 1 << 24, 16) == 9 &&
	       colour_number(COLOUR_OWN, 1 << 24, 256) == -1 &&
	       colour_number(COLOUR_RGB + 0x5f, 1 << 24, 256) == 0x15f;
}

int
main(void)
{
	verdict(all_readable(PALETTE_DARK_16), "16 colours on dark can be read");
	verdict(all_readable(PALETTE_LIGHT_16), "16 colours on light can be read");
	verdict(ordered(PALETTE_DARK_16, ROLE_HEAT_1, HEAT_LEVELS, 1) &&
		ordered(PALETTE_DARK_16, ROLE_LESS_1, COMPARE_LEVELS, 1) &&
		ordered(PALETTE_DARK_16, ROLE_MORE_1, COMPARE_LEVELS, 1),
		"16 colours on dark: the more, the brighter");
	verdict(ordered(PALETTE_LIGHT_16, ROLE_HEAT_1, HEAT_LEVELS, -1) &&
		ordered(PALETTE_LIGHT_16, ROLE_LESS_1, COMPARE_LEVELS, -1) &&
		ordered(PALETTE_LIGHT_16, ROLE_MORE_1, COMPARE_LEVELS, -1),
		"16 colours on light: the more, the darker");
	verdict(no_bold_black(PALETTE_DARK_16) && no_bold_black(PALETTE_LIGHT_16) &&
		no_bold_black(PALETTE_FEW), "black is not bold");
	verdict(selection_differs(PALETTE_DARK_16) && selection_differs(PALETTE_LIGHT_16),
		"the selection is no level of heat");
	verdict(selection_shows(PALETTE_MONO) && selection_shows(PALETTE_FEW),
		"8 colours or none: the selection shows on all that there is");
	verdict(cursor_is_even(), "8 colours: the cursor row is of one colour");
	verdict(direct(), "direct colour: an index is an index, a colour a colour");
	return failures != 0;
}
