/* Libraries of ours that are loaded into programs. */
#ifndef CGVIEW_CMD_PRELOAD
#define CGVIEW_CMD_PRELOAD

/* Returns the path of the library NAME beside cgview, built or installed; heap, NULL: it is not
 * there. */
char *preload_library(const char *name);

/* Returns what LD_PRELOAD is to be, with LIBRARY first, which it takes; heap. The program ends when
 * that cannot be said. ASKED: what asks for it, for the message. */
char *preload_with(char *library, const char *asked);

#endif
