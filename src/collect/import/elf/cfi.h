/* From one frame to its caller by the call frame information of a file (.eh_frame, .debug_frame),
 * on a copy of the stack. DWARF 5, section 6.4; Linux Standard Base, "Exception Frames". The
 * runtime has its own of what runs (collect/runtime/unwind.h); here nothing that is read is
 * believed. */
#ifndef CGVIEW_COLLECT_CFI_H
#define CGVIEW_COLLECT_CFI_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/import/elf/elf.h"

enum { CFI_FP = 6, CFI_SP = 7, CFI_RA = 16, CFI_REGS = 17 }; /* DWARF's numbers */

struct cfi_frame {
	uint64_t regs[CFI_REGS];   /* regs[CFI_RA] is the pc */
	uint32_t known;            /* a bit each */
	bool is_return;            /* the pc is a return address: the call lies before it */
};

/* What is known of the stack: SIZE bytes from the address BEGIN on. */
struct cfi_stack { uint64_t begin; const uint8_t *bytes; uint64_t size; };

bool cfi_load(const struct cfi_stack *stack, uint64_t address, uint64_t *value);

struct cfi *cfi_read(const struct elf *e); /* NULL: it has none */
void cfi_free(struct cfi *c);

enum cfi_result { CFI_OK, CFI_END, CFI_UNKNOWN };
/* F, whose pc is in C's file, which runs BIAS behind its own addresses, becomes its caller's frame.
 * CFI_END: it has none. CFI_UNKNOWN: it cannot be told; F is unchanged. */
enum cfi_result cfi_step(const struct cfi *c, uint64_t bias, struct cfi_frame *f,
			 const struct cfi_stack *stack);

/* Sets where the procedure begins that ADDRESS (link-time) is in. */
bool cfi_procedure(const struct cfi *c, uint64_t address, uint64_t *begin);

#endif
