#include "show/role.h"

#include <stddef.h>
#include <string.h>

#define OWN (-1)
#define PLAIN { OWN, OWN, 0 }

struct role_row {
	char letter;
	const char *name;
	struct look dark, light, dark_16, light_16, few;
	unsigned mono;
};

/* With few colours only those are used that can be read on black and on white: red, magenta, and
 * backgrounds with a foreground of their own. With 16 there is a choice for either background, but
 * terminals show them differently. Bright black is the background of some dark ones, so it is used
 * on light ones only; black is never bold, which many show as bright black.
 *
 * Heat runs from dark to bright on a dark background and from pale to dark on a light one, so that
 * its order is one of brightness and needs no sense of hue. Every cell that has a background
 * colour has a foreground colour too: it can be read whatever the terminal's own colours are. */
#define LESS(n) [ROLE_LESS_1 + (n) - 1]
#define MORE(n) [ROLE_MORE_1 + (n) - 1]
#define HEAT(n) [ROLE_HEAT_1 + (n) - 1]
/* Letter, name, on dark, on light; with 16 colours on dark, on light; with few, with none. */
#define B LOOK_BOLD
#define D LOOK_DIM
#define U LOOK_UNDERLINE
#define R LOOK_REVERSE
#define I LOOK_ITALIC
static struct role_row roles[ROLE_NR] = {
	[ROLE_TEXT] = { ' ', "text", PLAIN, PLAIN, PLAIN, PLAIN, PLAIN, 0 },
	[ROLE_DIM] = { 'd', "dim", { 245, OWN, 0 }, { 243, OWN, 0 },
		{ OWN, OWN, D }, { 8, OWN, 0 }, { OWN, OWN, D }, D },
	[ROLE_STRONG] = { 'b', "strong", { OWN, OWN, B }, { OWN, OWN, B },
		{ OWN, OWN, B }, { OWN, OWN, B }, { OWN, OWN, B }, B },
	[ROLE_TITLE] = { 't', "title", { 252, 236, 0 }, { 235, 253, 0 },
		{ 15, 4, 0 }, { 0, 7, 0 }, { 7, 4, 0 }, R },
	[ROLE_TITLE_NAME] = { 'T', "title-name", { 231, 236, B }, { 16, 253, B },
		{ 15, 4, B }, { 0, 7, U }, { 7, 4, B }, R | B },
	[ROLE_RULE] = { '-', "rule", { 241, OWN, 0 }, { 246, OWN, 0 },
		{ OWN, OWN, D }, { 8, OWN, 0 }, { OWN, OWN, D }, D },
	[ROLE_RULE_ON] = { '=', "rule-on", { 75, OWN, B }, { 26, OWN, B },
		{ 14, OWN, B }, { 4, OWN, B }, { OWN, OWN, B }, B },
	[ROLE_HEAD] = { 'h', "head", { 247, OWN, 0 }, { 240, OWN, 0 },
		PLAIN, PLAIN, { OWN, OWN, 0 }, U },
	[ROLE_HEAD_SORT] = { 'H', "head-sort", { 75, OWN, B }, { 26, OWN, B },
		{ 14, OWN, B }, { 4, OWN, B }, { OWN, OWN, B | U }, B | U },
	[ROLE_NAME] = { 'n', "name", { 223, OWN, 0 }, { 94, OWN, 0 },
		{ 11, OWN, 0 }, { OWN, OWN, B }, { OWN, OWN, B }, B },
	[ROLE_PLACE] = { 'p', "place", { 109, OWN, 0 }, { 24, OWN, 0 },
		{ 6, OWN, 0 }, { 4, OWN, 0 }, PLAIN, 0 },
	[ROLE_LINENO] = { '#', "line-number", { 242, OWN, 0 }, { 246, OWN, 0 },
		{ OWN, OWN, D }, { 8, OWN, 0 }, { OWN, OWN, D }, D },
	[ROLE_ESTIMATE] = { '~', "estimate", { 179, OWN, I }, { 130, OWN, I },
		{ 3, OWN, I }, { 5, OWN, I }, { 5, OWN, 0 }, 0 },
	[ROLE_BAR] = { '|', "bar", { 209, OWN, 0 }, { 166, OWN, 0 },
		{ 9, OWN, 0 }, { 1, OWN, 0 }, { 1, OWN, 0 }, 0 },
	[ROLE_KEY] = { 'k', "key", { 75, OWN, B }, { 26, OWN, B },
		{ 14, OWN, B }, { 4, OWN, B }, { OWN, OWN, B }, B },
	[ROLE_MESSAGE] = { 'm', "message", { 252, OWN, 0 }, { 236, OWN, 0 },
		PLAIN, PLAIN, PLAIN, 0 },
	[ROLE_WARNING] = { 'w', "warning", { 16, 179, 0 }, { 16, 222, 0 },
		{ 0, 3, 0 }, { 0, 11, 0 }, { 0, 3, 0 }, R },
	[ROLE_ERROR] = { 'e', "error", { 231, 124, B }, { 231, 124, B },
		{ 15, 1, B }, { 15, 1, B }, { 7, 1, B }, R | B },
	[ROLE_PROMPT] = { ':', "prompt", { OWN, OWN, B }, { OWN, OWN, B },
		{ OWN, OWN, B }, { OWN, OWN, B }, { OWN, OWN, B }, B },
	[ROLE_NO_CODE] = { '.', "no-code", { 246, OWN, 0 }, { 242, OWN, 0 },
		{ OWN, OWN, D }, { 8, OWN, 0 }, { OWN, OWN, D }, D },
	[ROLE_NEVER] = { 'x', "never", { 73, OWN, I }, { 30, OWN, I },
		{ 14, OWN, I }, { 4, OWN, I }, { 5, OWN, 0 }, U },
	[ROLE_COLD] = { 'c', "cold", { 253, OWN, 0 }, { 234, OWN, 0 }, PLAIN, PLAIN, PLAIN, 0 },
	HEAT(1) = { '1', "heat-1", { 254, 17, 0 }, { 16, 230, 0 },
		{ 15, 4, 0 }, { 0, 11, 0 }, { 7, 4, 0 }, 0 },
	HEAT(2) = { '2', "heat-2", { 254, 54, 0 }, { 16, 229, 0 },
		{ 15, 1, 0 }, { 0, 3, 0 }, { 7, 4, 0 }, 0 },
	HEAT(3) = { '3', "heat-3", { 254, 90, 0 }, { 16, 222, 0 },
		{ 15, 5, 0 }, { 0, 13, 0 }, { 7, 5, 0 }, B },
	HEAT(4) = { '4', "heat-4", { 231, 126, 0 }, { 16, 215, 0 },
		{ 0, 9, 0 }, { 0, 9, 0 }, { 7, 5, 0 }, B },
	HEAT(5) = { '5', "heat-5", { 231, 161, 0 }, { 16, 209, 0 },
		{ 0, 13, 0 }, { 15, 5, 0 }, { 7, 1, B }, B | U },
	HEAT(6) = { '6', "heat-6", { 16, 202, 0 }, { 231, 161, 0 },
		{ 0, 3, 0 }, { 15, 1, 0 }, { 7, 1, B }, B | U },
	HEAT(7) = { '7', "heat-7", { 16, 214, 0 }, { 231, 125, 0 },
		{ 0, 11, 0 }, { 15, 4, 0 }, { 0, 3, 0 }, R },
	HEAT(8) = { '8', "heat-8", { 16, 228, B }, { 231, 53, B },
		{ 0, 15, 0 }, { 15, 0, B }, { 0, 3, 0 }, R | B },
	/* Blue and orange differ for colour-blind eyes, too; the strongest are the brightest, or on
	 * a light background the darkest. Without colours less is underlined, more is reversed. */
	LESS(1) = { 'f', "less-1", { 254, 17, 0 }, { 16, 195, 0 },
		{ 15, 4, 0 }, { 0, 14, 0 }, { 7, 4, 0 }, U },
	LESS(2) = { 'g', "less-2", { 231, 19, 0 }, { 16, 153, 0 },
		{ 0, 12, 0 }, { 0, 6, 0 }, { 7, 4, 0 }, U },
	LESS(3) = { 'i', "less-3", { 231, 26, 0 }, { 16, 75, 0 },
		{ 0, 6, 0 }, { 0, 12, 0 }, { 0, 6, 0 }, U | B },
	LESS(4) = { 'j', "less-4", { 16, 117, B }, { 231, 19, B },
		{ 0, 14, 0 }, { 15, 4, B }, { 0, 6, U }, U | B | I },
	MORE(1) = { 'F', "more-1", { 254, 52, 0 }, { 16, 230, 0 },
		{ 15, 1, 0 }, { 0, 11, 0 }, { 7, 1, 0 }, B },
	MORE(2) = { 'G', "more-2", { 231, 94, 0 }, { 16, 222, 0 },
		{ 0, 9, 0 }, { 0, 3, 0 }, { 7, 1, 0 }, B },
	MORE(3) = { 'I', "more-3", { 16, 172, 0 }, { 16, 208, 0 },
		{ 0, 3, 0 }, { 0, 9, 0 }, { 0, 3, 0 }, R },
	MORE(4) = { 'J', "more-4", { 16, 214, B }, { 231, 130, B },
		{ 0, 11, 0 }, { 15, 1, B }, { 0, 3, U }, R | B },
	[ROLE_UNSURE] = { 'u', "unsure", { 245, OWN, I }, { 243, OWN, I },
		{ OWN, OWN, D | I }, { 8, OWN, I }, { OWN, OWN, D }, D },
};

/* A cursor row gets a background of its own, below roles that have none. */
static struct role_row overlays[OVERLAY_NR] = {
	[OVERLAY_NONE] = { 0, "none", PLAIN, PLAIN, PLAIN, PLAIN, PLAIN, 0 },
	[OVERLAY_CURSOR] = { 0, "cursor", { 231, 24, B }, { 16, 153, B },
		{ 0, 7, 0 }, { 0, 14, 0 }, { OWN, OWN, R }, R },
	[OVERLAY_CURSOR_IDLE] = { 0, "cursor-idle", { OWN, 237, 0 }, { OWN, 254, 0 },
		{ OWN, OWN, B }, { OWN, OWN, B }, { OWN, OWN, B }, B },
	[OVERLAY_SELECT] = { 'S', "select", { 16, 255, B }, { 231, 16, B },
		{ 0, 10, 0 }, { 0, 10, 0 }, { OWN, OWN, R | B }, R | B },
	[OVERLAY_CALL] = { '_', "call", { OWN, OWN, U }, { OWN, OWN, U },
		{ OWN, OWN, U }, { OWN, OWN, U }, { OWN, OWN, U }, U },
	[OVERLAY_MATCH] = { 'M', "match", { 16, 120, B }, { 16, 120, B },
		{ 0, 2, U }, { 0, 2, U }, { 0, 2, U }, R | U },
};

/* Returns the look in PALETTE; NULL: it has no colours. */
static struct look *
look_in(struct role_row *row, enum palette palette)
{
	struct look *const looks[PALETTE_NR] = {
		[PALETTE_FEW] = &row->few,
		[PALETTE_DARK_16] = &row->dark_16, [PALETTE_LIGHT_16] = &row->light_16,
		[PALETTE_DARK] = &row->dark, [PALETTE_LIGHT] = &row->light,
	};

	return looks[palette];
}

static struct look
look_of(struct role_row *row, enum palette palette)
{
	const struct look *look = look_in(row, palette);

	return look ? *look : (struct look){ OWN, OWN, row->mono };
}

struct look
role_look(enum palette palette, enum role role, enum overlay overlay)
{
	struct look base = look_of(&roles[role], palette);
	struct look over = look_of(&overlays[overlay], palette);

	if (overlay == OVERLAY_NONE)
		return base;
	/* Where the role itself is reversed, the selection is shown by not reversing. */
	if (overlay == OVERLAY_SELECT && base.attributes & LOOK_REVERSE)
		over.attributes = (over.attributes & ~(unsigned)LOOK_REVERSE) | LOOK_UNDERLINE;
	if (overlay == OVERLAY_SELECT || overlay == OVERLAY_MATCH)
		return over;
	/* Heat shows through a cursor row: it has a background already. */
	if (base.bg != OWN && palette != PALETTE_MONO)
		return base;
	if (over.bg != OWN)
		base.bg = over.bg;
	/* A reversed foreground would become a background even where there is only a blank. */
	if (overlay == OVERLAY_CURSOR && (over.fg != OWN || over.attributes & LOOK_REVERSE))
		base.fg = over.fg;
	if (overlay == OVERLAY_CURSOR && over.fg != OWN)
		base.attributes &= ~(unsigned)LOOK_BOLD;
	base.attributes = (base.attributes & ~(unsigned)LOOK_DIM) | over.attributes;
	return base;
}

bool
role_named(const char *name, enum role *role, enum overlay *overlay)
{
	int i;

	*role = ROLE_TEXT;
	*overlay = OVERLAY_NONE;
	for (i = 0; i < ROLE_NR; i++) {
		*role = (enum role)i;
		if (!strcmp(roles[i].name, name))
			return true;
	}
	*role = ROLE_TEXT;
	for (i = OVERLAY_NONE + 1; i < OVERLAY_NR; i++) {
		*overlay = (enum overlay)i;
		if (!strcmp(overlays[i].name, name))
			return true;
	}
	return false;
}

void
role_change(enum palette palette, enum role role, enum overlay overlay, struct look look)
{
	struct role_row *row = overlay == OVERLAY_NONE ? &roles[role] : &overlays[overlay];
	struct look *changed = look_in(row, palette);

	if (changed)
		*changed = look;
	else
		row->mono = look.attributes;
}

unsigned
role_attribute(const char *name)
{
	static const struct {
		const char *name;
		unsigned attribute;
	} names[] = {
		{ "bold", LOOK_BOLD }, { "dim", LOOK_DIM }, { "underline", LOOK_UNDERLINE },
		{ "reverse", LOOK_REVERSE }, { "italic", LOOK_ITALIC },
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(names[i].name, name))
			return names[i].attribute;
	return 0;
}

char
role_letter(enum role role, enum overlay overlay)
{
	return overlays[overlay].letter ? overlays[overlay].letter : roles[role].letter;
}

const char *
role_name(enum role role)
{
	return roles[role].name;
}
