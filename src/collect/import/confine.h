/* A process that reads what strangers wrote gives up its rights. */
#ifndef CGVIEW_COLLECT_CONFINE_H
#define CGVIEW_COLLECT_CONFINE_H

#include <stdbool.h>
#include <sys/types.h>

/* Makes this process die when PARENT, which has forked it, does. */
void confine_to_life_of(pid_t parent);

/* From now on the process can read what is open, write to FD, ask for memory and end, and nothing
 * else: other system calls fail with EPERM, and no memory becomes code. Only on x86-64 Linux with
 * seccomp; not under valgrind, the sanitizers and `make coverage`, which need more. Elsewhere it
 * goes on as it is. */
void confine(int fd);

/* The same for a process that reads whole files of strangers and makes a profile of them: it can
 * also open and look at files (none to write to), write to what is open, and start processes that
 * give up their rights in their turn; it cannot execute programs, use the net, signal other
 * processes, nor change anything that has a name. TOOLS: it has programs to start before, and gives
 * up nothing until it calls confine_without_tools(), which does nothing in other processes. */
void confine_import(bool tools);
void confine_without_tools(void);

#endif
