/* A process that reads what strangers wrote gives up its rights. */
#ifndef CGVIEW_COLLECT_CONFINE_H
#define CGVIEW_COLLECT_CONFINE_H

#include <sys/types.h>

/* Makes this process die when PARENT, which has forked it, does. */
void confine_to_life_of(pid_t parent);

/* From now on the process can read what is open, write to FD, ask for memory and end, and nothing
 * else: other system calls fail with EPERM, and no memory becomes code. Only on x86-64 Linux with
 * seccomp; not under valgrind, the sanitizers and `make coverage`, which need more. Elsewhere it
 * goes on as it is. */
void confine(int fd);

#endif
