/* The browser over programs that run. */
#ifndef CGVIEW_CMD_WATCH_BROWSER
#define CGVIEW_CMD_WATCH_BROWSER

#include <stdbool.h>
#include <stdint.h>

#include "cmd/run/watched.h"
#include "collect/import/live/live.h"

struct watch_browser {
	struct watched *watched;
	/* Looks, and sets *LIVE, which stays until the browser has ended; another one than before:
	 * programs are looked at in another way. -1 and ERR. It has looked once. */
	int (*look)(void *context, struct live **live, struct error *err);
	struct live *live;         /* of that */
	const char *output;        /* where the profile will be */
	uint64_t delay_ns;
	uint64_t began_ns;         /* CLOCK_MONOTONIC; 0: before it was watched */
	bool rate;
	const char *leaving;       /* what leaving does to a program that runs; NULL: nothing */
	bool (*ended)(void *context); /* have the programs ended? */
	void *context;
};

/* Browses until the user leaves. -1 and ERR: the terminal cannot be used, or the tables cannot be
 * kept. */
int watch_browse(const struct watch_browser *w, struct error *err);

#endif
