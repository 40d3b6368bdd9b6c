/* Inside src/db only: who calls a procedure or is called by it, for the tree from the arcs. */
#ifndef CGVIEW_DB_TREE_LINKS_H
#define CGVIEW_DB_TREE_LINKS_H

#include "db/tree_reader.h"
#include "util/index.h"

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

/* One for each procedure at the other end. Zeroed to begin with. */
struct link_list {
	struct link *links;      /* heap */
	size_t nr, alloc;
	enum profile_query query;
	sqlite3_stmt *st;
	struct members members;
};

/* The links of a procedure, or with PROCEDURE 0 of the members of a cycle together. May pause. */
void links_read(struct tree *t, struct link_cache *c, struct link_list *l, bool up,
		model_id procedure, uint32_t cycle);
/* At any time, also while they are read; then it is empty. */
void links_free(struct link_cache *c, struct link_list *l);

#endif
