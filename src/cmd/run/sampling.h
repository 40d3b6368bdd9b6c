/* Programs that were not built with cgcc, which the recorder samples (sampler.h). */
#ifndef CGVIEW_CMD_SAMPLING
#define CGVIEW_CMD_SAMPLING

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "cmd/make/make_profile.h"

struct sampling {
	bool wanted;               /* no word of the command is a program that counts */
	bool possible, kernel;     /* see sampler.h */
	bool watched;              /* see sampler.h */
	bool ring;                 /* time is sampled here, also that of programs that count */
	size_t hz;
	int error;                 /* why it is not possible */
	char *preload;             /* then the runtime samples: what LD_PRELOAD is to be; NULL */
	int gate[2];               /* a program waits at it until it is sampled */
	struct sampler *sampler;   /* of the run at hand */
};

/* What is there to do for this command? HZ 0: nothing. FOREIGN: programs that
 * count nothing are sampled. RING: also those that count. */
void sampling_decide(struct sampling *s, const char *const *arguments, size_t nr, size_t hz,
		     bool foreign, bool ring);

/* Around the start of a program, if it is to be sampled: before the fork; in the child, before the
 * program; in the parent, into a new file PATH. */
void sampling_open_gate(struct sampling *s);
void sampling_wait_at_gate(const struct sampling *s);
void sampling_begin(struct sampling *s, pid_t child, const char *path);
/* The program has ended. */
void sampling_end(struct sampling *s);

/* Where in DIRECTORY the samples of run NUMBER, from 1 on, are; heap. */
char *sampling_path(const char *directory, size_t number);
/* Removes those of all runs: they are none of a program that counted after all. */
void sampling_drop(const char *directory, size_t nr_runs);
/* Adds those that were taken of programs that count to their raw profiles RAWS, those of one run
 * behind those of another. */
void sampling_join(const struct sampling *s, const char *directory, char *const *raws,
		   const struct recorded *runs, size_t nr_runs);

/* Takes those of the NR raw profiles away that are only samples, if others count. Returns how many
 * are left; SAMPLES: none counts. */
size_t sampling_sort_out(const struct sampling *s, char **raws, size_t nr, bool *samples);

/* Tells, behind the line of a profile that is made of samples alone, what it lacks. PROGRAM: NULL
 * if it ran before; KERNEL_NS: what the kernel took for it, 0 not known. */
void sampling_tell(const struct sampling *s, const char *program, uint64_t kernel_ns);
/* Why there are no samples of a program; heap. */
char *sampling_nothing(const struct sampling *s, const char *program);

#endif
