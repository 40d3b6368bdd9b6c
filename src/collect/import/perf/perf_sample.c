#include "collect/import/perf/perf_sample.h"

#include <linux/perf_event.h>

static void
skip_read(struct perf_bytes *b, uint64_t format)
{
	uint64_t nr = 1, each = 8;

	if (format & PERF_FORMAT_GROUP)
		nr = perf_u64(b);
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		perf_skip(b, 8);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		perf_skip(b, 8);
	each += format & PERF_FORMAT_ID ? 8 : 0;
	each += format & PERF_FORMAT_LOST ? 8 : 0;
	if (nr > (uint64_t)(b->end - b->at) / each)
		b->bad = true;
	else
		perf_skip(b, nr * each);
}

static void
skip_branches(struct perf_bytes *b, uint64_t type)
{
	enum { BRANCH = 24, COUNTERS = 1 << 19 };
	uint64_t nr = perf_u64(b), each = BRANCH + (type & COUNTERS ? 8 : 0);

	if (type & PERF_SAMPLE_BRANCH_HW_INDEX)
		perf_skip(b, 8);
	if (nr > (uint64_t)(b->end - b->at) / each)
		b->bad = true;
	else
		perf_skip(b, nr * each);
}

/* The registers that MASK has, in the kernel's order. */
static void
read_registers(struct perf_bytes *b, uint64_t mask, struct perf_sample *s)
{
	/* To DWARF's: ax bx cx dx si di bp sp ip, seven others, r8 to r15. */
	static const int8_t dwarf[] = { 0, 3, 2, 1, 4, 5, 6, 7, 16, -1, -1, -1, -1, -1, -1, -1,
					8, 9, 10, 11, 12, 13, 14, 15 };

	s->abi = perf_u64(b);
	if (!s->abi)
		return;
	for (unsigned i = 0; i < 64; i++) {
		uint64_t value;

		if (!(mask >> i & 1))
			continue;
		value = perf_u64(b);
		if (i >= sizeof(dwarf) || dwarf[i] < 0)
			continue;
		s->regs.regs[dwarf[i]] = value;
		s->regs.known |= 1u << dwarf[i];
	}
}

static void
read_stack(struct perf_bytes *b, struct perf_sample *s)
{
	uint64_t size = perf_u64(b), used;
	const uint8_t *at = b->at;

	if (!size)
		return;
	perf_skip(b, size);
	used = perf_u64(b);
	if (!b->bad)
		s->stack = (struct cfi_stack){ s->regs.regs[CFI_SP], at,
					       used < size ? used : size };
}

bool
perf_sample_read(const struct perf_event *e, struct perf_bytes b, struct perf_sample *s)
{
	uint64_t type = e->sample_type;

	*s = (struct perf_sample){ .period = e->frequency ? 1 : e->period };
	if (type & PERF_SAMPLE_IP)
		s->ip = perf_u64(&b);
	if (type & PERF_SAMPLE_TID) {
		s->pid = perf_u32(&b);
		s->tid = perf_u32(&b);
	}
	if (type & PERF_SAMPLE_TIME)
		s->time = perf_u64(&b);
	if (type & PERF_SAMPLE_ADDR)
		s->addr = perf_u64(&b);
	if (type & PERF_SAMPLE_ID)
		perf_skip(&b, 8);
	if (type & PERF_SAMPLE_STREAM_ID)
		perf_skip(&b, 8);
	if (type & PERF_SAMPLE_CPU)
		perf_skip(&b, 8);
	if (type & PERF_SAMPLE_PERIOD)
		s->period = perf_u64(&b);
	if (type & PERF_SAMPLE_READ)
		skip_read(&b, e->read_format);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		s->nr_chain = perf_u64(&b);
		s->chain = b.at;
		if (s->nr_chain > (uint64_t)(b.end - b.at) / 8)
			return false;
		perf_skip(&b, s->nr_chain * 8);
	}
	if (type & PERF_SAMPLE_RAW)
		perf_skip(&b, perf_u32(&b));
	if (type & PERF_SAMPLE_BRANCH_STACK)
		skip_branches(&b, e->branch_type);
	if (type & PERF_SAMPLE_REGS_USER)
		read_registers(&b, e->regs_user, s);
	if (type & PERF_SAMPLE_STACK_USER)
		read_stack(&b, s);
	return !b.bad;
}
