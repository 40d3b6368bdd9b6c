/* The file that perf record writes (perf.data, also through a pipe): its head, the events that were
 * recorded, and the records in the order of their times. Whatever the file says is checked. */
#ifndef CGVIEW_COLLECT_IMPORT_PERF_FILE_H
#define CGVIEW_COLLECT_IMPORT_PERF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/error.h"
#include "util/mem.h"

struct perf_event {                /* one of those that were recorded */
	uint32_t type;
	uint64_t config, sample_type, read_format, branch_type, regs_user, period;
	bool frequency;            /* PERIOD is samples a second */
	bool precise;              /* a sample's address is that of what it is of */
	bool id_all;               /* other records tell their time, too */
	const char *name;          /* as the tool has it; NULL: it does not tell */
};

struct perf_record {
	uint32_t type;             /* PERF_RECORD_ */
	uint16_t misc;
	const uint8_t *body;       /* behind the head */
	size_t size;
	uint64_t time;             /* 0: not told */
	const struct perf_event *event; /* NULL: not known */
};

enum { PERF_MOST_EVENTS = 4096, PERF_BUILD_ID = 20 };

struct perf_build_id {
	const char *path;
	uint8_t id[PERF_BUILD_ID];
	size_t length;
};

struct perf_file {
	const char *path;
	struct perf_event *events;
	size_t nr_events;
	struct perf_build_id *build_ids;
	size_t nr_build_ids;
	struct strbuf host, version, command, release;
	bool cut;                  /* the file ends within a record, or was not finished */
	uint64_t unknown;          /* records of events that the file does not tell of */
	uint64_t damaged;          /* records that contradict themselves */
	struct arena arena;        /* owns texts */
};

/* Does a file begin so? */
bool perf_file_is(const char *head, size_t n);

/* Reads PATH, which is FD and SIZE bytes long, and calls TAKE for each record, in turn. What F says
 * is known before the first one, but for files that came through a pipe. -1 and ERR: it is none. */
int perf_file_read(struct perf_file *f, const char *path, int fd, uint64_t size,
		   void (*take)(void *context, const struct perf_record *r), void *context,
		   struct error *err);
void perf_file_release(struct perf_file *f);

/* The same of a file of our own recorder that still grows, in steps: reads its head (NULL and ERR:
 * it is none, or has not that much yet); calls TAKE for what is whole of its first SIZE bytes and
 * was not taken before, but for the records of its last rounds, whose turn others may come before;
 * takes these, too, and ends. FD stays the caller's, and open until then. */
struct perf_reader;
struct perf_reader *perf_file_begin(struct perf_file *f, const char *path, int fd, uint64_t size,
				    void (*take)(void *context, const struct perf_record *r),
				    void *context, struct error *err);
void perf_file_go_on(struct perf_reader *r, uint64_t size);
void perf_file_end(struct perf_reader *r);

/* Numbers that are read one after another; 0 and BAD behind the end. */
struct perf_bytes { const uint8_t *at, *end; bool bad; };
uint64_t perf_u64(struct perf_bytes *b);
uint32_t perf_u32(struct perf_bytes *b);
void perf_skip(struct perf_bytes *b, uint64_t n);
/* A text that ends in a NUL, or where the record does. */
struct stacks_text perf_text(struct perf_bytes *b);

#endif
