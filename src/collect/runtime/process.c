/* Processes that were made past us, by assembly that enters the kernel: the runtime was not told
 * that it is in another one. They count where their creator does, and have no samples; that is told
 * in the file when they end. */
#include "runtime.h"

#include <sys/mman.h>

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

/* The kernel gives a zero to every process with memory of its own. NULL: it cannot. */
static _Atomic char *mark;

void
process_mark(void)
{
	void *p = mark;

	if (!p) {
		p = sys_mmap(NULL, RAW_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			     -1, 0);
		if (p == MAP_FAILED)
			return;
		if (kernel_quietly(SYS_madvise, p, RAW_PAGE, MADV_WIPEONFORK)) {
			sys_munmap(p, RAW_PAGE);
			return;
		}
		mark = p;
	}
	atomic_store(mark, 1);
}

bool
process_is_unseen(void)
{
	return runtime.active && mark && !atomic_load(mark);
}

void
process_ends(void)
{
	if (!process_is_unseen() || runtime_closed())
		return;
	process_mark(); /* it is told once */
	atomic_fetch_or((_Atomic uint64_t *)&runtime.head->flags, RAW_UNSEEN_PROCESS);
	slots_note_process();
}
