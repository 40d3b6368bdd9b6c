#include "compare/threshold.h"

static const struct threshold_unit executions[] = { { NULL, 1 } };
static const struct threshold_unit times[] = {
	{ "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 }, { NULL, 0 }
};
static const struct threshold_unit bytes[] = {
	{ "B", 1 }, { "kB", 1e3 }, { "MB", 1e6 }, { "GB", 1e9 }, { NULL, 1 }
};

#define FORM(name, kind, figure) .is = { name, kind, figure, 0, 0 }
const struct threshold_form threshold_forms[] = {
	{ FORM("slower", THRESHOLD_SLOWER, FIGURE_TOTAL_NS), .units = times,
	  .takes = "slower() takes a share and a time, as in slower(5%, 1ms)" },
	{ FORM("dearer", THRESHOLD_DEARER, FIGURE_SELF_NS), .units = times,
	  .takes = "dearer() takes a share and a time, as in dearer(5%, 1ms)" },
	{ FORM("more_work", THRESHOLD_MORE, FIGURE_TOTAL_WORK), .units = executions,
	  .takes = "more_work() takes a share and a number of executions, as in "
		   "more_work(2%, 1000)" },
	{ FORM("more_bytes", THRESHOLD_MORE, FIGURES_MAX), .figure = "total_bytes", .units = bytes,
	  .takes = "more_bytes() takes a share and a number of bytes, as in more_bytes(2%, 1kB)" },
	{ FORM("unresolved", THRESHOLD_UNRESOLVED, FIGURE_TOTAL_NS), .units = times,
	  .takes = "unresolved() takes a share and a time, as in unresolved(5%, 1ms)" },
	{ .takes = NULL },
};
