#include "util/process.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

bool
process_look(pid_t pid, struct process *p)
{
	char *path = xasprintf("/proc/%d/stat", pid), text[2048], *at;
	FILE *f = fopen(path, "re");
	size_t n = f ? fread(text, 1, sizeof(text) - 1, f) : 0;
	uint64_t code, stack;

	if (f)
		fclose(f);
	free(path);
	text[n] = '\0';
	at = strrchr(text, ')');       /* the name may hold anything */
	if (!at || sscanf(at, ") %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d "
			  "%*d %*d %*d %*d %" SCNu64 " %*u %*d %*u %" SCNu64 " %*u %" SCNu64,
			  &p->state, &p->parent, &p->started, &code, &stack) != 5)
		return false;
	p->image = stack ^ code << 1;
	return true;
}
