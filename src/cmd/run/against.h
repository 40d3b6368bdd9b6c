/* record --against: two programs, run by turns in random order. Each has a recorder of its own, a
 * process that does what record always does, but waits for its turn before each run; the process
 * that was started tells whose turn it is, and when it is enough. Either both write a profile, or
 * none does. */
#ifndef CGVIEW_CMD_AGAINST_H
#define CGVIEW_CMD_AGAINST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct against {
	const char *other;         /* the program that it is compared with; NULL: none */
	char **program;            /* the words of the one that is recorded */
	const char *output;        /* its profile */
	size_t pairs;              /* of runs, as many as asked for; 0: see below */
	double seconds;            /* --budget; 0: none */
	/* In a recorder: */
	int in, out;               /* pipes to who tells the turns */
	char *note;                /* what is to be told of the profile; NULL: nothing */
};

/* "60", "60s", "2m" of --budget as seconds; 0: it is none. */
double against_budget(const char *text);
/* Returns the name of the profile of the other program: "prof.base.db" beside "prof.db"; heap. */
char *against_output(const char *output);

/* Starts both recorders and returns in each of them: true in that of the other program. The process
 * itself does not return, but exits in the end. Without a number of pairs or a budget it ends at a
 * look (db/model/looks.h). */
bool against_begin(struct against *a);

/* Waits for the turn to run the program once more. False: it is enough. */
bool against_turn(struct against *a);
/* Tells that it has been run; STOPPED: nothing more is to be run. */
void against_ran(struct against *a, double cpu_seconds, bool stopped);
/* After the last turn: waits until the profile may be written. Returns of how many runs it is to
 * be; 0: none is. */
size_t against_kept(struct against *a);
/* Tells that the profile is there. */
void against_written(struct against *a);

#endif
