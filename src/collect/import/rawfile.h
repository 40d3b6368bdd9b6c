/* Reading a raw profile (collect/raw.h): head, extents, holes; a file that was cut or is still
 * being written gives what it has. Nothing in the file is believed without a check. */
#ifndef CGVIEW_COLLECT_RAWFILE_H
#define CGVIEW_COLLECT_RAWFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/raw.h"
#include "util/error.h"
#include "util/mem.h"

struct raw_module {
	const char *path;
	uint8_t build_id[64];
	uint32_t build_id_length;
	uint32_t pid, number;
	uint64_t load_bias, text_start, text_end, nr_counters;
	uint64_t counters;       /* run-time address */
};

struct raw_part {                /* an extent whose data is read later */
	uint32_t kind, pid, module, slot;
	uint64_t offset, size;   /* of the data in the file; size is what there really is */
	bool cut;                /* the file ends before it does */
};

struct rawfile {
	int fd;
	uint64_t base;           /* where it begins in the file of FD; not 0 in a sum */
	bool sum;                /* it tells of several processes (collect/sum.h) */
	const char *path;
	uint64_t size;
	uid_t owner;
	struct raw_head head;
	const char *texts[RAW_TEXTS]; /* of the head; "": none */
	const char *program, *directory, *host; /* three of them */
	const char **arguments;  /* as many as were kept */
	size_t nr_arguments;
	int rank;                /* in a parallel program; -1: none, or no number */
	struct raw_module *modules;
	size_t nr_modules, modules_alloc;
	struct raw_part *parts;  /* all kinds but MODULE */
	size_t nr_parts, parts_alloc;
	uint64_t missing;        /* bytes that were handed out but are not in the file */
	size_t damaged;          /* extents that contradict themselves */
	struct error *problem;   /* the first failure to read it; nothing is read behind one */
	struct arena arena;      /* owns the texts, and the problem */
};

/* Open and walk. -1 and ERR: not there, no regular file, cannot be read (unread), not a raw
 * profile, another version, head damaged. */
int rawfile_open(struct rawfile *r, const char *path, struct error *err);
/* The same for the member of a sum that is SIZE bytes from BASE on in the file of FD, which belongs
 * to OWNER and stays open until it is closed. */
int rawfile_open_member(struct rawfile *r, const char *path, int fd, uint64_t base, uint64_t size,
			uid_t owner, struct error *err);
void rawfile_close(struct rawfile *r);

/* Returns a number that tells the file from every other one, wherever it is copied to and however
 * much it has grown: from host, process and when that began. */
uint64_t rawfile_id(const struct rawfile *r);

/* Read up to SIZE bytes at OFFSET; returns how many there were (0 at the end). A failure returns
 * 0, too, and is kept: whoever has read all that it wants asks rawfile_check() before it believes
 * it. */
size_t rawfile_read(const struct rawfile *r, uint64_t offset, void *buffer, size_t size);

/* Returns -1 and ERR (unread) when something could not be read, or the file was cut meanwhile. */
int rawfile_check(const struct rawfile *r, struct error *err);

/* Returns which of the modules has NUMBER, -1 none: a child of fork has its parent's. */
int rawfile_module(const struct rawfile *r, uint32_t number);

/* The record NUMBER (from 0 on) of PART, if that is of threads. Returns false when there is
 * none. */
bool rawfile_thread(const struct rawfile *r, const struct raw_part *part, uint64_t number,
		    struct raw_thread *t);

/* Returns the part of KIND, NULL none. */
const struct raw_part *rawfile_part(const struct rawfile *r, uint32_t kind);

/* The samples of one part, one after the other. */
struct raw_sample_reader {
	const struct rawfile *raw;
	uint64_t offset, left;     /* not yet read */
	uint8_t *buffer;
	size_t filled, at;
	bool damaged;              /* stopped before the end at something that is no sample */
	struct raw_sample sample;  /* the current one */
	uint64_t frames[RAW_MAX_FRAMES];
	uint64_t centre;           /* RAW_CENTRE; 0: none */
	uint64_t stack_used;       /* bytes; 0: not known */
};
void raw_samples_begin(struct raw_sample_reader *s, const struct rawfile *r,
		       const struct raw_part *p);
bool raw_samples_next(struct raw_sample_reader *s);
void raw_samples_end(struct raw_sample_reader *s);

#endif
