/* The kernel's calls, past libc. libc's own may be points where a thread that was cancelled ends,
 * may be replaced by the program or by what it preloads (a sanitizer, a clock that was moved), and
 * may take locks; the runtime works where none of this is allowed: in a signal handler, and at the
 * begin and end of a thread. tests/collect/test-runtime-calls.sh lists what it may use of libc. */
#ifndef CGVIEW_RUNTIME_KERNEL_H
#define CGVIEW_RUNTIME_KERNEL_H

#include <errno.h>
#include <sys/syscall.h>

#ifdef __clang_analyzer__
/* The analyzer takes what the kernel writes through a pointer for something that nobody wrote:
 * "memory" below says nothing to it. It expects everything of a function that it does not see. */
long kernel_result(long number, long a, long b, long c, long d, long e, long f);
#else
static inline long
kernel_result(long number, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long result = number;

	__asm__ volatile("syscall"
			 : "+a"(result)
			 : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}
#endif

static inline long
kernel_call(long number, long a, long b, long c, long d, long e, long f)
{
	long result = kernel_result(number, a, b, c, d, e, f);

	if ((unsigned long)result < -4095UL)
		return result;
	errno = (int)-result;
	return -1;
}

#define KERNEL_SIX(call, number, a, b, c, d, e, f, ...)                                            \
	call(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

/* kernel(SYS_name, argument...): as syscall(2), -1 and errno if it fails. */
#define kernel(...)	     KERNEL_PADDED(kernel_call, __VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)
/* The same, but minus the error if it fails, and errno stays. */
#define kernel_quietly(...) KERNEL_PADDED(kernel_result, __VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)
#define KERNEL_PADDED(call, ...) KERNEL_SIX(call, __VA_ARGS__)

#endif
