/* Explains the kinds of notes: what each is about, and what to do. */
#ifndef CGVIEW_SHOW_ADVICE
#define CGVIEW_SHOW_ADVICE

struct advice {
	const char *kind;    /* as in the table note */
	const char *heading; /* one line */
	const char *what;    /* what it means, and what to do */
};

/* Returns the advice, no member NULL; the heading of an unknown kind is the kind itself. */
struct advice advice_of(const char *kind);

#endif
