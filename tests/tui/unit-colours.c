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

/* ---- eyes that do not tell red from green ---- */

/* Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision
 * Deficiency" (2009), of linear RGB: protanopia and deuteranopia, whole; and the usual eye. */
enum { NR_EYES = 3 };
static const double eyes[NR_EYES][3][3] = {
	{ { 0.152286, 1.052583, -0.204868 }, { 0.114503, 0.786281, 0.099216 },
	  { -0.003882, -0.048116, 1.051998 } },
	{ { 0.367322, 0.860646, -0.227968 }, { 0.280085, 0.672501, 0.047413 },
	  { -0.011820, 0.042940, 0.968881 } },
	{ { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
};

/* Colours from 16 on are the same on all terminals of 256: a cube, then grey. */
static int
rgb_of(int colour)
{
	static const int steps[] = { 0, 95, 135, 175, 215, 255 };
	int grey = 8 + 10 * (colour - 232), cube = colour - 16;

	return colour >= 232 ? grey << 16 | grey << 8 | grey
			     : steps[cube / 36] << 16 | steps[cube / 6 % 6] << 8 | steps[cube % 6];
}

static double
lab_part(double t)
{
	return t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116;
}

/* CIE L*a*b*, white D65. */
static void
lab_of(int colour, const double eye[3][3], double lab[3])
{
	int rgb = rgb_of(colour);
	double in[3] = { linear(rgb >> 16), linear(rgb >> 8 & 0xff), linear(rgb & 0xff) }, seen[3];
	double x, y, z;

	for (int i = 0; i < 3; i++)
		seen[i] = fmin(1, fmax(0, eye[i][0] * in[0] + eye[i][1] * in[1] +
					  eye[i][2] * in[2]));
	x = lab_part((0.4124 * seen[0] + 0.3576 * seen[1] + 0.1805 * seen[2]) / 0.95047);
	y = lab_part(0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2]);
	z = lab_part((0.0193 * seen[0] + 0.1192 * seen[1] + 0.9505 * seen[2]) / 1.08883);
	lab[0] = 116 * y - 16;
	lab[1] = 500 * (x - y);
	lab[2] = 200 * (y - z);
}

/* Do the backgrounds of both roles differ so much for each eye? 2.3 can just be noticed. */
static int
apart(enum palette palette, enum role a, enum role b, double least)
{
	int ok = 1;

	for (int eye = 0; eye < NR_EYES; eye++) {
		double x[3], y[3], d;

		lab_of(role_look(palette, a, OVERLAY_NONE).bg, eyes[eye], x);
		lab_of(role_look(palette, b, OVERLAY_NONE).bg, eyes[eye], y);
		d = sqrt(pow(x[0] - y[0], 2) + pow(x[1] - y[1], 2) + pow(x[2] - y[2], 2));
		if (d < least)
			printf("# palette %d, eye %d: %s and %s: %.1f\n", palette, eye,
			       role_name(a), role_name(b), d);
		ok &= d >= least;
	}
	return ok;
}

static int
for_all_eyes(enum palette palette)
{
	enum { STEP = 8, SIDES = 20 };
	int ok = 1;

	for (int i = 1; i < HEAT_LEVELS; i++)
		ok &= apart(palette, ROLE_HEAT_1 + i - 1, ROLE_HEAT_1 + i, STEP);
	for (int i = 1; i < COMPARE_LEVELS; i++) {
		ok &= apart(palette, ROLE_LESS_1 + i - 1, ROLE_LESS_1 + i, STEP);
		ok &= apart(palette, ROLE_MORE_1 + i - 1, ROLE_MORE_1 + i, STEP);
	}
	for (int i = 0; i < COMPARE_LEVELS; i++)
		ok &= apart(palette, ROLE_LESS_1 + i, ROLE_MORE_1 + i, SIDES);
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
	verdict(for_all_eyes(PALETTE_DARK),
		"256 colours on dark: steps and sides differ for all eyes");
	verdict(for_all_eyes(PALETTE_LIGHT), "256 colours on light, too");
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
