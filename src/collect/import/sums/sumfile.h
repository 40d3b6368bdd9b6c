/* Reading a sum file (collect/sum.h). Nothing in it is believed without a check. */
#ifndef CGVIEW_COLLECT_SUMFILE_H
#define CGVIEW_COLLECT_SUMFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "collect/import/owners.h"
#include "collect/import/rawfile.h"
#include "collect/sum.h"
#include "util/error.h"

struct sumfile {
	int fd;
	char *path;
	uint64_t size;
	uid_t owner;
	struct sum_head head;
	struct sum_section *members;
	size_t nr_members, nr_kept;    /* the last ones were kept */
	struct sum_process *processes;
	size_t nr_processes;
	char *texts;                   /* the numbers in the processes are places in it */
	char *spreads;                 /* NULL: it has none */
	size_t spreads_length;
};

/* The next spread of a sum, with its rows. *AT: 0 before the first one. False: there is none. */
bool sumfile_spread(const struct sumfile *s, size_t *at, const struct sum_spread **spread,
		    const struct sum_spread_row **rows);

/* Does PATH begin as a sum does? */
bool sumfile_is(const char *path);

/* Opens and checks all but what is in the members, whose checksums are right. -1 and ERR: it is no
 * sum, of another version, cut off or damaged, or cannot be read (unread). */
int sumfile_open(struct sumfile *s, const char *path, struct error *err);
void sumfile_close(struct sumfile *s);

/* Opens member I, which stays valid as long as S is open, and checks it. -1 and ERR: it is
 * damaged. To be closed by rawfile_close(). */
int sumfile_member(const struct sumfile *s, size_t i, struct rawfile *r, struct error *err);
/* Returns the ids of what is in member I, as struct model_run has them, but no more of them than a
 * profile's reader takes in one value; heap. */
enum { SUMFILE_MOST_IDS = 60000 };
char *sumfile_ids(const struct sumfile *s, size_t i);
/* Adds the owners of all files that are in it, and its own. */
void sumfile_owners(const struct sumfile *s, struct owners *o);

#endif
