/* Work of the database that may take longer than a key should: the terminal is looked at meanwhile.
 */
#ifndef CGVIEW_TUI_BUSY_H
#define CGVIEW_TUI_BUSY_H

#include <stdbool.h>
#include <stdint.h>

struct browser;
struct profile;

struct busy {
	uint64_t since_ns;   /* of some clock; 0: nothing goes on */
	bool any_key;        /* stops it; else only Esc does, and that is told */
	bool told;
};

/* Once for each profile that is opened. */
void busy_watch(struct browser *b, struct profile *p);

/* Sorting begins; what is typed at a prompt stops it, else Esc. */
void busy_begin(struct browser *b);
/* Something that can as well be done later begins: any key stops it. */
void busy_begin_idle(struct browser *b);
void busy_end(struct browser *b);

#endif
