/* Profiles of other tools that are opened as if they were ours. */
#ifndef CGVIEW_CMD_PRIVATE_PROFILE
#define CGVIEW_CMD_PRIVATE_PROFILE

enum {
	/* What is kept, of this user; the oldest go first. */
	PRIVATE_MOST_PROFILES = 64,
	PRIVATE_MOST_MEGABYTES = 2048,
};

/* Returns PATH, unless it is a file of another tool (foreign_format.h): then, heap, the path of a
 * profile that was made of it in the user's cache, and ends with PATH's own name. It is made anew
 * when the file or cgview has changed; standard error is told. The program ends with 1 when it
 * cannot be made. COMMAND: for the message; "" for cgview itself. */
const char *private_profile(const char *path, const char *command);

#endif
