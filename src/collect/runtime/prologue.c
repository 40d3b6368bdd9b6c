/* The frame pointer of a procedure that waits. The kernel tells only the program counter and the
 * stack pointer of a waiting thread; that is enough for all frames but those that are described
 * relative to the frame pointer (code without optimisation, alloca). The begin of such a procedure
 * tells how far below its frame pointer its stack pointer is. */
#include "unwind.h"

#include <string.h>

static uint32_t
little_endian(const unsigned char *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* P, behind `endbr64` if there is one. */
static const unsigned char *
behind_landing(const unsigned char *p)
{
	static const unsigned char endbr[] = {0xf3, 0x0f, 0x1e, 0xfa};

	return memcmp(p, endbr, sizeof(endbr)) ? p : p + sizeof(endbr);
}

bool
pushes_frame_pointer(uint64_t begin)
{
	return *behind_landing((const unsigned char *)(uintptr_t)begin) == 0x55;
}

/* Bytes that the instructions at P (pushes, then `sub $n,%rsp`) take from the stack. */
static uint64_t
taken_from_stack(const unsigned char *p)
{
	uint64_t taken = 0;

	for (;; taken += 8) {
		if ((p[0] & 0xf8) == 0x50) /* push */
			p++;
		else if (p[0] == 0x41 && (p[1] & 0xf8) == 0x50) /* push %r8.. */
			p += 2;
		else
			break;
	}
	if (p[0] == 0x48 && p[1] == 0x83 && p[2] == 0xec)
		taken += p[3];
	else if (p[0] == 0x48 && p[1] == 0x81 && p[2] == 0xec)
		taken += little_endian(p + 3);
	return taken;
}

bool
find_frame_pointer(struct frame *f)
{
	static const unsigned char push_move[] = {0x55, 0x48, 0x89, 0xe5};
	uint64_t begin, pc = f->regs[REG_RA] - f->is_return, fp, caller;
	const unsigned char *p;

	if (f->known & 1u << REG_FP || !unwind_procedure(f, pc, &begin) || pc < begin + 16)
		return false;
	p = behind_landing((const unsigned char *)(uintptr_t)begin);
	if (memcmp(p, push_move, sizeof(push_move)))
		return false;
	fp = f->regs[REG_SP] + taken_from_stack(p + sizeof(push_move));
	/* It took more from the stack since: then no return address is there. */
	if (!unwind_load(f, fp + 8, &caller) || !unwind_procedure(f, caller - 1, &begin))
		return false;
	f->regs[REG_FP] = fp;
	f->known |= 1u << REG_FP;
	return true;
}
