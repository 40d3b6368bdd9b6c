#include "collect/import/raw_notes.h"

#include <inttypes.h>

#include "collect/import/sums/sumfile.h"

void
raw_notes_tell(struct model *m, const struct rawfile *r)
{
	if (r->missing)
		model_note(m, "counts", "%s was cut off: %" PRIu64 " bytes are missing, counts "
			   "and times are too low", r->path, r->missing);
	if (r->damaged)
		model_note(m, "counts", "%s: %zu of its parts are damaged and left out: counts "
			   "and times may be too low", r->path, r->damaged);
	if (r->head.flags & RAW_NO_ROOM)
		model_note(m, "counts", "there was no room for the counts of some threads, "
			   "processes or libraries: counts are too low");
	if (r->head.flags & RAW_NO_TIMER)
		model_note(m, "samples", "some threads have no time: the system gave them no "
			   "timer (ulimit -i limits them)");
	if (r->head.flags & RAW_SIGNAL_TAKEN)
		model_note(m, "samples", "the program itself has set, blocked or waited for "
			   "the signal that measures time: part of the time is missing");
	if (r->head.flags & RAW_SANDBOXED)
		model_note(m, "counts", "the program restricted its system calls (seccomp): "
			   "from then on no time was measured, and what its new threads and "
			   "processes counted may be too low");
	if (r->head.flags & RAW_SHARED_COUNTERS)
		model_note(m, "counts",
			   "some threads had to share counters: counts may be too low");
}

void
raw_notes_tell_sum(struct model *m, const struct sum_facts *f)
{
	if (f->files > 1)
		model_note(m, "threads", "%" PRIu64 " raw profiles were added up: what each of "
			   "these processes and their threads did, and when, is not known",
			   f->files);
	if (f->files > SUMFILE_MOST_IDS)
		model_note(m, "merge", "only the first %d of %" PRIu64 " raw profiles are "
			   "remembered: another that is added once more counts twice",
			   SUMFILE_MOST_IDS, f->files);
	if (f->left_space)
		model_note(m, "counts", "allocations were counted in %" PRIu64 " of the raw "
			   "profiles, and are left out: of an interval nobody knows what is live",
			   f->left_space);
}
