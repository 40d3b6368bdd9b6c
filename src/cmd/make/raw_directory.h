/* The directory in which record has the raw files while a program runs: OUTPUT.raw-XXXXXX. The next
 * record finds what a killed one leaves there, and tells of it; it is nobody's but the user's. */
#ifndef CGVIEW_CMD_RAW_DIRECTORY
#define CGVIEW_CMD_RAW_DIRECTORY

#include <stddef.h>

/* Makes a directory for OUTPUT, whose absolute path is returned, heap; it shows that its recorder
 * lives by a lock on a file in it, which ends with this process: *HELD is to be let go. The program
 * ends with 1 when it cannot be made. */
char *raw_directory_make(const char *output, int *held);

/* Remove the file of the lock; the directory is about to be removed. */
void raw_directory_let_go(const char *directory, int fd);

/* Complain of each directory of OUTPUT with raw files whose recorder does not live, but of those in
 * which one of RAWS (NR of them) is: what it holds, and how to get at it. */
void raw_directory_tell_left(const char *output, const char *const *raws, size_t nr);

#endif
