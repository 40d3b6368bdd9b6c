/* Inside src/db only: finds callers and callees of a procedure, for the tree from the arcs. */
#ifndef CGVIEW_DB_TREE_LINKS_H
#define CGVIEW_DB_TREE_LINKS_H

#include "db/trees/tree_reader.h"
#include "util/index.h"

struct link {                    /* all arcs between two procedures */
	model_id other, site;
	uint32_t cycle;          /* of the other */
	bool estimated;
	uint64_t count, time, most; /* most: the count of the site that is shown */
};

/* Links that were read lately, and statements that are not in use. Begins zeroed. */
struct link_cache {
	struct links *links;
	size_t nr_links, links_alloc;
	size_t kept;             /* links in all of these */
	struct index index;
	sqlite3_stmt *spare[QUERY_ARCS_OUT - QUERY_MEMBERS + 1];
	sqlite3_stmt *rows[2];   /* of a measure, see tree_row_query() */
};
void links_release(struct link_cache *c);
size_t links_bytes(const struct link_cache *c);

/* Prepares a query of the tree of T, from QUERY_ALL_ARCS on: of time, or of what was measured. */
sqlite3_stmt *tree_prepare(struct tree *t, enum profile_query query);
/* Returns the cache's own statement of QUERY_CALLED or QUERY_CYCLE. */
sqlite3_stmt *tree_row_query(struct tree *t, struct link_cache *c, enum profile_query query);

/* Goes through the members of a cycle. */
struct members {
	sqlite3_stmt *st;
};

struct members members_begin(struct tree *t, struct link_cache *c, uint32_t cycle);
/* Returns the next member; 0: there are no more. */
model_id members_next(struct tree *t, struct members *m);
void members_end(struct link_cache *c, struct members *m);

/* One link for each procedure at the other end. Begins zeroed. */
struct link_list {
	struct link *links;      /* heap */
	size_t nr, alloc;
	enum profile_query query;
	sqlite3_stmt *st;
	struct members members;
};

/* Reads the links of a procedure, or with PROCEDURE 0 of all members of a cycle. May pause. */
void links_read(struct tree *t, struct link_cache *c, struct link_list *l, bool up,
		model_id procedure, uint32_t cycle);
/* May be called at any time, also while they are read; then the list is empty. */
void links_free(struct link_cache *c, struct link_list *l);

#endif
