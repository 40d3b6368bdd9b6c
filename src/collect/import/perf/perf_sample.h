/* The fields of a sample of perf's. */
#ifndef CGVIEW_COLLECT_IMPORT_PERF_SAMPLE_H
#define CGVIEW_COLLECT_IMPORT_PERF_SAMPLE_H

#include "collect/import/elf/cfi.h"
#include "collect/import/perf/perf_file.h"

struct perf_sample {
	uint64_t ip, time, period, addr;
	uint32_t pid, tid;
	uint64_t nr_chain;
	const uint8_t *chain;
	uint64_t abi;
	struct cfi_frame regs;     /* known 0: there are none */
	struct cfi_stack stack;
};

/* B: a record's body. False: it contradicts itself. */
bool perf_sample_read(const struct perf_event *e, struct perf_bytes b, struct perf_sample *s);

#endif
