#include "cmd/run/sampling.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/run/left_behind.h"
#include "cmd/run/preload.h"
#include "cmd/run/sampler.h"
#include "collect/import/foreign/foreign_format.h"
#include "collect/import/perf/ring.h"
#include "collect/recorder.h"
#include "print/report.h"
#include "show/human.h"
#include "util/mem.h"

void
sampling_decide(struct sampling *s, const char *const *arguments, size_t nr, size_t hz,
		bool foreign, bool ring)
{
	struct sampler_kind kind = { .kernel = false };
	struct error err = ERROR_INIT;
	char *library;

	*s = (struct sampling){ .hz = hz, .gate = { -1, -1 } };
	s->wanted = hz && foreign && !counts_something(arguments, nr);
	if (!s->wanted && !(ring && hz))
		return;
	s->possible = !sampler_possible(&kind, &err);
	s->kernel = kind.kernel;
	s->error = err.errnum;
	s->ring = ring && nr && s->possible;
	s->kernel &= !s->ring;
	if (!s->wanted && !s->ring)
		complain("--clock ring: the program must sample itself: perf_event_open: %s",
			 strerror(s->error));
	if (!s->wanted)
		return;
	library = s->possible ? NULL : preload_library(RECORDER_SAMPLER);
	if (library)
		s->preload = preload_with(library, "record");
}

void
sampling_open_gate(struct sampling *s)
{
	if (s->possible && pipe2(s->gate, O_CLOEXEC))
		s->gate[0] = s->gate[1] = -1;
}

void
sampling_wait_at_gate(const struct sampling *s)
{
	char byte;

	if (s->gate[0] < 0)
		return;
	close(s->gate[1]);
	while (read(s->gate[0], &byte, 1) < 0 && errno == EINTR)
		;
}

void
sampling_begin(struct sampling *s, pid_t child, const char *path)
{
	struct error err = ERROR_INIT;

	if (s->gate[0] < 0)
		return;
	s->sampler = sampler_start(&(struct sampler_task){
		.pid = child, .waiting = true, .watched = s->watched, .counts = s->ring,
		.hz = s->hz }, path, &err);
	if (!s->sampler)
		complain("cannot sample: %s", err.text);
	close(s->gate[0]);
	close(s->gate[1]);
	s->gate[0] = s->gate[1] = -1;
}

void
sampling_end(struct sampling *s)
{
	struct error err = ERROR_INIT;

	if (s->sampler && sampler_end(s->sampler, &err))
		complain("%s", err.text);
	s->sampler = NULL;
}

char *
sampling_path(const char *directory, size_t number)
{
	return xasprintf("%s/run%zu.perf", directory, number);
}

void
sampling_drop(const char *directory, size_t nr_runs)
{
	for (size_t i = 1; i <= nr_runs; i++) {
		char *path = sampling_path(directory, i);

		unlink(path);
		free(path);
	}
}

static void
join(const char *path, char *const *raws, size_t nr)
{
	struct ring_joined joined;
	struct error err = ERROR_INIT;
	uint64_t all;

	if (ring_join(path, (const char *const *)raws, nr, &joined, &err))
		complain("%s", err.text);
	all = joined.samples + joined.lost;
	if (joined.lost * 100 > all)
		complain("%.2g%% of the samples were lost: the machine is too busy",
			 100 * (double)joined.lost / (double)all);
}

void
sampling_join(const struct sampling *s, const char *directory, char *const *raws,
	      const struct recorded *runs, size_t nr_runs)
{
	for (size_t i = 1; i <= nr_runs && s->ring; raws += runs[i++ - 1].nr_raws) {
		char *path = sampling_path(directory, i);

		if (runs[i - 1].nr_raws && !access(path, F_OK))
			join(path, raws, runs[i - 1].nr_raws);
		free(path);
	}
}

size_t
sampling_sort_out(const struct sampling *s, char **raws, size_t nr, bool *samples)
{
	bool *counts = xcalloc(nr + 1, sizeof(*counts));
	size_t some = 0, left = 0;

	for (size_t i = 0; i < nr && s->preload; i++)
		some += counts[i] = raw_stacks_has_counts(raws[i]);
	*samples = s->preload && nr && !some;
	for (size_t i = 0; i < nr; i++) {
		if (some && !counts[i])
			unlink(raws[i]);
		else
			raws[left++] = raws[i];
	}
	free(counts);
	return left;
}

static int
paranoid(void)
{
	FILE *f = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
	int level = -1;

	if (f && fscanf(f, "%d", &level) != 1)
		level = -1;
	if (f)
		fclose(f);
	return level;
}

/* Heap. */
static char *
why_forbidden(void)
{
	int level = paranoid();

	if (level > 2)
		return xasprintf("kernel.perf_event_paranoid is %d (sysctl "
				 "kernel.perf_event_paranoid=2; CAP_PERFMON will do, too)", level);
	return xstrdup("a container, or another filter of system calls, forbids perf_event_open");
}

void
sampling_tell(const struct sampling *s, const char *program, uint64_t kernel_ns)
{
	struct strbuf lacks = STRBUF_INIT;
	char *why;

	if (!s->kernel && !s->preload) {
		strbuf_str(&lacks, ", but not what the kernel did for it");
		if (kernel_ns) {
			strbuf_str(&lacks, " (");
			human_ns(&lacks, kernel_ns, report_ascii());
			strbuf_str(&lacks, ")");
		}
		strbuf_str(&lacks, ", which this user may not sample");
	}
	if (s->preload) {
		why = why_forbidden();
		complain("%s was not built with cgcc: nothing is counted; it has times and stacks, "
			 "by a timer in each process: %s. Built with cgcc in place of gcc it has "
			 "counts, too", program, why);
		free(why);
	} else if (program) {
		complain("%s was not built with cgcc: nothing is counted; it has times and "
			 "stacks%s. Built with cgcc in place of gcc it has counts, too", program,
			 lacks.buf);
	} else {
		complain("what runs already has times and stacks%s; nothing is counted", lacks.buf);
	}
	strbuf_release(&lacks);
}

/* Does it get the rights of another user, so that the kernel lets nobody look? */
static bool
is_set_uid(const char *program)
{
	char *path = find_program(program);
	struct stat st;
	bool is = path && !stat(path, &st) && st.st_mode & (S_ISUID | S_ISGID) &&
		  geteuid() && geteuid() != st.st_uid;

	free(path);
	return is;
}

char *
sampling_nothing(const struct sampling *s, const char *program)
{
	char *why, *text;

	if (!program)
		return xstrdup("the process used no CPU time: there is no sample of it");
	if (is_set_uid(program))
		return xasprintf("%s runs with the rights of another user (set-uid): the kernel "
				 "lets only root sample it", program);
	if (s->possible)
		return xasprintf("%s was not built with cgcc, and used too little CPU time for a "
				 "sample, one each %g ms: ask for more with -F", program,
				 1000.0 / (double)s->hz);
	if (s->error != EACCES && s->error != EPERM)
		return xasprintf("%s was not built with cgcc, and this kernel cannot sample it "
				 "(perf_event_open: %s)", program, strerror(s->error));
	why = why_forbidden();
	text = xasprintf("%s was not built with cgcc, is static or cannot load libraries, and this "
			 "user may not sample it: %s", program, why);
	free(why);
	return text;
}
