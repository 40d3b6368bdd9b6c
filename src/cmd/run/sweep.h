/* --sweep: a program is run with several sizes in its arguments. */
#ifndef CGVIEW_CMD_SWEEP
#define CGVIEW_CMD_SWEEP

#include <stddef.h>

struct sweep {
	char *name;                /* of NAME=VALUE,VALUE...; NULL: there is none */
	char **values;
	size_t nr;
};

/* Takes TEXT apart. The program ends when it is wrong. */
void sweep_set(struct sweep *s, char *text);
/* ... when no argument has {NAME}. */
void sweep_check(const struct sweep *s, char *const *arguments, int nr);
/* TEXT with each {NAME} replaced by VALUE; heap. */
char *sweep_replace(const char *text, const char *name, const char *value);

#endif
