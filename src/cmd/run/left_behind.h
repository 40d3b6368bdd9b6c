/* Tells why a program that was run left nothing where record waits for it. */
#ifndef CGVIEW_CMD_LEFT_BEHIND
#define CGVIEW_CMD_LEFT_BEHIND

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns where a shell would find the program; heap, NULL: nowhere. */
char *find_program(const char *name);

/* Is it an ELF file with that section? */
bool has_section(const char *path, const char *name);
/* Was it built with cgcc? */
bool has_counters(const char *path);

/* Is one of the words of a command such a program (sudo nice ./prog)? */
bool counts_something(const char *const *arguments, size_t nr);

/* Returns why nothing came back from the program that was run, and what to do about it; one line,
 * heap. SINCE_NS is when it was started (CLOCK_REALTIME), OUTPUT the profile that was to be
 * written. */
char *left_nothing(const char *const *arguments, size_t nr, int64_t since_ns, const char *output);

/* Ends this process, as the program NAME could not be started: one line says why; the status is a
 * shell's. */
enum { CANNOT_EXECUTE = 126, NOT_FOUND = 127 };
void start_failed(const char *name, int error) __attribute__((noreturn));

/* Did raw profiles appear in the working directory since then? */
bool raws_appeared(int64_t since_ns);

/* Tells, when a profile was made, of raw profiles that appeared in the working directory meanwhile:
 * a program that cannot reach record leaves its own there. */
void left_behind_tell(int64_t since_ns, const char *output);

#endif
