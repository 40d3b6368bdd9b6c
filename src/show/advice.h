/* Kinds of notes: what they are about, and what to do. */
#ifndef CGVIEW_SHOW_ADVICE
#define CGVIEW_SHOW_ADVICE

struct advice {
	const char *kind;    /* as in the table note */
	const char *heading; /* one line */
	const char *what;    /* what it means, and what to do */
};

/* Never NULL; the heading of an unknown kind is the kind itself. */
struct advice advice_of(const char *kind);

#endif
