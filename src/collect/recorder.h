/* How record tells the programs below it where they leave their raw profiles. Shared by record
 * and by the runtime, which takes from here only the names.
 *
 * One variable, RECORDER_VARIABLE, is "off" or HZ:WALL:EVENTS:TIMER:SPACE:MORE:PREFIX: samples a
 * second, 1 or 0, the events wanted (events.h) as a number, 1 if time is sampled by timers only,
 * not 0 if allocations are counted (1: with a call path each RECORDER_SPACE_EVERY bytes,
 * RECORDER_SPACE_SITES: without, more: with one each so many), the sum of 2 if lifetimes are told
 * in time and 4 if so many samples are wanted whatever they take, and the path that the names of
 * raw profiles begin with. The label is the variable CGVIEW_LABEL.
 * A program may be started without them (env -i, su -, a program that clears its environment): so
 * record holds the text and the label, each with a NUL behind it, in a memory file while programs
 * run, under one of RECORDER_DESCRIPTORS numbers, and a program that finds none of our variables
 * asks its ancestors for it, through /proc/PID/fd. What they hold counts only if it is such a file,
 * if nobody can write to it any more, and if it was made by the very user that the program runs as:
 * nobody can have another user's program write files.
 */
#ifndef CGVIEW_COLLECT_RECORDER_H
#define CGVIEW_COLLECT_RECORDER_H

#define RECORDER_VARIABLE "CGVIEW_RUN"
#define RECORDER_FILE	  "cgview-recorder"
/* The library with nothing but the runtime, which is preloaded where the kernel samples nothing. */
#define RECORDER_SAMPLER  "libcgview_sample.so"
#define RECORDER_SEALS	  (F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE)
enum { RECORDER_DESCRIPTOR = 59, RECORDER_DESCRIPTORS = 4, RECORDER_TEXT = 4608 };
enum { RECORDER_SPACE_SITES = 2, RECORDER_SPACE_LEAST = 1024, RECORDER_SPACE_EVERY = 512 << 10 };
#define RECORDER_MOST 10000000000

/* Hold TEXT and LABEL from now on, in place of what was held before. Where that cannot be done
 * there are only the variables. */
void recorder_hold(const char *text, const char *label);

#endif
