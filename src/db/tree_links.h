/* Inside src/db only: who calls a procedure or is called by it, read in steps for the tree from the
 * arcs. */
#ifndef CGVIEW_DB_TREE_LINKS_H
#define CGVIEW_DB_TREE_LINKS_H

#include "db/tree_reader.h"
#include "util/index.h"
#include "util/slicesort.h"

struct link {                    /* all arcs between two procedures */
	model_id other, site;
	uint32_t cycle;          /* of the other */
	bool estimated;
	uint64_t count, time, most; /* most: the count of the site that is told */
};

/* Links that were read lately, and statements that are not in use. Zeroed to begin with. */
struct link_cache {
	struct links *links;
	size_t nr_links, links_alloc;
	size_t kept;             /* links in all of these */
	struct index index;
	sqlite3_stmt *spare[QUERY_ARCS_OUT - QUERY_MEMBERS + 1];
};
void links_release(struct link_cache *c);
size_t links_bytes(const struct link_cache *c);

/* The members of a cycle, one by one. */
struct members {
	sqlite3_stmt *st;
};

struct members members_begin(struct tree *t, struct link_cache *c, uint32_t cycle);
/* 0: there are no more. */
model_id members_next(struct tree *t, struct members *m);
void members_end(struct link_cache *c, struct members *m);

/* The links of a procedure, or with PROCEDURE 0 of the members of a cycle together. */
struct link_reader {
	enum { LINKS_MEMBER, LINKS_READ, LINKS_SORT, LINKS_READY } stage;
	enum profile_query query;
	uint64_t key;
	bool of_cycle;
	struct members members;
	sqlite3_stmt *st;
	struct link *links;      /* ready: one for each procedure at the other end; heap */
	size_t nr, alloc;
	struct slice_sort sort;
};

void links_begin(struct tree *t, struct link_cache *c, struct link_reader *r, bool up,
		 model_id procedure, uint32_t cycle);
/* False: they are ready. */
bool links_step(struct tree *t, struct link_cache *c, struct link_reader *r);
/* At any time; a reader of zeros but for LINKS_READY, too. */
void links_end(struct link_cache *c, struct link_reader *r);

#endif
