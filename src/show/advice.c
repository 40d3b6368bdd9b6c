#include "show/advice.h"

#include <string.h>

static const struct advice advices[] = {
	{ "subset", "Only a part is shown",
	  "Everything else that was recorded is still in the profile: in the browser T, then A; in "
	  "reports leave --threads, --runs and --span out." },
	{ "counts", "Counts that may be wrong",
	  "Counts are exact but for what is told here. Record again; when it comes back, leave the "
	  "program more room (disk, memory, ulimit), or let it end by itself." },
	{ "tables", "Programs and libraries without tables",
	  "What they did is not counted. The tables are in the program file that ran: keep it, do "
	  "not strip it with -R or rebuild it before the import, or build and record again." },
	{ "uncounted", "Procedures that are not counted",
	  "Their time is counted to those who called them. Compile them with cgcc to count them, "
	  "and leave the option or attribute out that keeps them from it." },
	{ "library", "Procedures of libraries' headers",
	  "Nothing is wrong: where one is inlined, its time is its caller's, as that of all of the "
	  "library. Calls of it are counted." },
	{ "looks", "When recording stopped",
	  "Nothing is wrong: cgview diff judges differences with that in mind. Record with -n to "
	  "judge them by 5 %." },
	{ "samples", "Times that may be wrong or too low",
	  "Counts are not touched. A longer run, or record -F with a higher rate, gives more "
	  "samples." },
	{ "stacks", "Stacks that are not whole",
	  "Counts and self times are not touched: what is missing, or guessed, are callers "
	  "between or outside of those that are shown." },
	{ "heap", "Programs whose allocations are not counted",
	  "Their procedures are, and their time. Record again when it is done what is told here." },
	{ "space", "Allocations that are not counted, or not as calls are",
	  "Where GCC takes a call of malloc and free out, since nothing is done with the block, "
	  "more calls are counted than were made: -fno-builtin keeps it from that." },
	{ "dwarf", "Debug information that could not be read",
	  "Times of lines and of inlined calls need it. Compile with -g, and do not strip the "
	  "program." },
	{ "source", "Source texts that are missing",
	  "Figures are there, the text is not, or not the one that was compiled. Record where the "
	  "sources are, before they are changed." },
	{ "unread", "Source texts that were not read",
	  "Figures are there, the text is not. What the disk did not give may be there the next "
	  "time; what the owner of the raw profile may not read, he must be allowed to, or the raw "
	  "profile be given to who imports it (chown)." },
	{ "flow", "Who called what is not all known",
	  "Counts are exact; what is told here is about arcs. Compile all that calls, with cgcc; "
	  "of C++ with --cgview-flags=targets, which notes what calls through pointers reach." },
	{ "builds", "Figures of only some of the runs",
	  "The column \"without\" tells how many runs have no part in the figures of a row: they "
	  "are of builds in which it was not found." },
	{ "threads", "Threads that cannot be told apart",
	  "The counts of all together are what they are. Compile without counters=plain, and link "
	  "the program itself with cgcc, too." },
	{ "baseline", "How much profiling costs is not known",
	  "Record again with --baseline and a program that does the same without profiling." },
};

struct advice
advice_of(const char *kind)
{
	for (size_t i = 0; i < sizeof(advices) / sizeof(*advices); i++)
		if (!strcmp(advices[i].kind, kind))
			return advices[i];
	return (struct advice){ kind, kind, "" };
}
