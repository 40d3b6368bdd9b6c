#include "collect/import/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/sanitizer.h"

void
confine_to_life_of(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent) /* it died before */
		_exit(1);
}

#if defined(__x86_64__) && !defined(__ILP32__) && !defined(__SANITIZE_ADDRESS__) && \
	!defined(__SANITIZE_THREAD__) && !defined(CGVIEW_COVERAGE)

/* The low half of argument N, which is all of a descriptor, a process id, or flags. */
#define ARGUMENT(n) \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[n]))
#define NUMBER() BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
#define IF_CALL(call, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, skip)

/* Each looks at the number, and leaves it where it is for the next one. */
#define MAY(call) IF_CALL(call, 1), ALLOW
#define MAY_WITH(call, n, value) \
	IF_CALL(call, 4), ARGUMENT(n), \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1), ALLOW, REFUSE
#define MAY_WITHOUT(call, n, bits) \
	IF_CALL(call, 4), ARGUMENT(n), \
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 1, 0), ALLOW, REFUSE

/* Opening with FLAGS, argument N: to read only, or a file that never gets a name. */
#define MAY_OPEN(call, n) \
	IF_CALL(call, 5), ARGUMENT(n), \
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_TMPFILE & ~O_DIRECTORY, 1, 0), \
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, 1, 0), \
	ALLOW, REFUSE

/* It keeps its system calls under valgrind, which makes some of its own. */
static bool
is_watched(void)
{
	static const char variable[] = "LD_PRELOAD";
	const char *preload = getenv(variable);

	return preload && strstr(preload, "vgpreload");
}

static void
give_up(struct sock_fprog filter)
{
	if (is_watched() || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return;
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

#define THIS_MACHINE \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)), \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0), \
	REFUSE, \
	NUMBER()

static void
confine_to_files(void)
{
	const uint32_t spaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
				CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_PTRACE;
	struct sock_filter code[] = {
		THIS_MACHINE,
		MAY(read), MAY(pread64), MAY(readv), MAY(write), MAY(pwrite64), MAY(writev),
		MAY(lseek), MAY(fstat), MAY(newfstatat), MAY(lstat), MAY(stat), MAY(statx),
		MAY(access), MAY(faccessat), MAY(faccessat2), MAY(readlink), MAY(readlinkat),
		MAY(getdents64), MAY(getcwd), MAY(statfs), MAY(fstatfs), MAY(fadvise64),
		MAY_OPEN(open, 1), MAY_OPEN(openat, 2), MAY(memfd_create),
		MAY(close), MAY(close_range), MAY(dup), MAY(dup2), MAY(dup3), MAY(fcntl),
		MAY(ftruncate), MAY(fsync), MAY(fdatasync), MAY(pipe2), MAY(poll), MAY(ppoll),
		MAY_WITH(ioctl, 1, TCGETS),
		MAY_WITHOUT(mmap, 2, PROT_EXEC),
		MAY_WITHOUT(mprotect, 2, PROT_EXEC),
		MAY(munmap), MAY(mremap), MAY(madvise), MAY(brk), MAY(futex), MAY(getrandom),
		MAY(clock_gettime), MAY(gettimeofday), MAY(time), MAY(getrusage), MAY(times),
		MAY(uname), MAY(sysinfo), MAY(sched_getaffinity), MAY(getuid), MAY(geteuid),
		MAY(getgid), MAY(getegid), MAY(getpid), MAY(getppid), MAY(gettid),
		MAY(rt_sigprocmask), MAY(rt_sigaction), MAY(rt_sigreturn), MAY(sigaltstack),
		/* A child that reads debug information, and has limits of its own. */
		MAY_WITHOUT(clone, 0, spaces), MAY(wait4), MAY(prctl), MAY(prlimit64),
		MAY(setrlimit), MAY(getrlimit), MAY(set_robust_list), MAY(rseq), MAY(seccomp),
		MAY_WITH(tgkill, 0, (uint32_t)getpid()), /* abort() */
		MAY(exit), MAY(exit_group),
		REFUSE,
	};

	give_up((struct sock_fprog){ sizeof(code) / sizeof(*code), code });
}

void
confine(int fd)
{
	struct sock_filter code[] = {
		THIS_MACHINE,
		MAY(read), MAY(pread64), MAY(lseek), MAY(fstat), MAY(close),
		MAY_WITH(write, 0, (uint32_t)fd),
		MAY_WITHOUT(mmap, 2, PROT_EXEC),
		MAY_WITHOUT(mprotect, 2, PROT_EXEC),
		MAY(munmap), MAY(mremap), MAY(madvise), MAY(brk), MAY(futex), MAY(getrandom),
		MAY(clock_gettime), MAY(rt_sigprocmask), MAY(rt_sigaction), MAY(rt_sigreturn),
		MAY(getpid), MAY(gettid),
		MAY_WITH(tgkill, 0, (uint32_t)getpid()), /* abort() */
		MAY(exit), MAY(exit_group),
		REFUSE,
	};

	give_up((struct sock_fprog){ sizeof(code) / sizeof(*code), code });
}

#else

static void
confine_to_files(void)
{
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

void
confine(int fd)
{
	(void)fd;
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

#endif

/* Of this process: confine_import() has put off what it does. */
static bool put_off;

void
confine_import(bool tools)
{
	put_off = tools;
	if (!tools)
		confine_to_files();
}

void
confine_without_tools(void)
{
	if (put_off)
		confine_to_files();
	put_off = false;
}
