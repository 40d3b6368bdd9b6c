/* syscall(2) under the name NAME: libc's, but that seccomp(2), which has no procedure of its own in
 * libc, is seen before, what concerns signals goes by signals.c, and processes that are made are
 * seen by thread.c. No frame comes between the caller and the kernel. */
#include <linux/seccomp.h>
#include <sys/syscall.h>

_Static_assert(SYS_rt_sigprocmask == SYS_rt_sigaction + 1, "one comparison tells both");
_Static_assert(SYS_fork == SYS_clone + 1 && SYS_vfork == SYS_fork + 1, "all three, too");

static __attribute__((used)) void
seen_seccomp(long operation, const void *argument)
{
	if (operation == SECCOMP_SET_MODE_STRICT ||
	    (operation == SECCOMP_SET_MODE_FILTER && argument))
		runtime_enter_sandbox();
}

#define STRING(x) #x
#define NUMBER(x) STRING(x)
/* Behind clone(2) there may be another stack, so what is to be known there is in %r9, which it does
 * not read. */
#define SYSCALL(name)                                                                              \
	__asm__(".hidden signals_syscall\n"                                                        \
		".hidden thread_syscall_begins\n"                                                  \
		".hidden thread_syscall_ends\n"                                                    \
		".pushsection .text\n"                                                             \
		".weak " #name "\n"                                                                \
		".type " #name ", @function\n" #name ":\n"                                         \
		"\t.cfi_startproc\n"                                                               \
		"\tleaq -" NUMBER(SYS_rt_sigaction) "(%rdi), %rax\n"                               \
		"\tcmpq $" NUMBER(SYS_rt_sigprocmask) "-" NUMBER(SYS_rt_sigaction) ", %rax\n"      \
		"\tjbe signals_syscall\n"                                                          \
		"\tleaq -" NUMBER(SYS_clone) "(%rdi), %rax\n"                                      \
		"\tcmpq $" NUMBER(SYS_vfork) "-" NUMBER(SYS_clone) ", %rax\n"                      \
		"\tjbe 3f\n"                                                                       \
		"\tcmpq $" NUMBER(SYS_clone3) ", %rdi\n"                                           \
		"\tje 3f\n"                                                                        \
		"\tcmpq $" NUMBER(SYS_seccomp) ", %rdi\n"                                          \
		"\tjne 1f\n"                                                                       \
		SYSCALL_SAVE                                                                       \
		"\tmovq %rsi, %rdi\n"                                                              \
		"\tmovq %rcx, %rsi\n"                                                              \
		"\tcall seen_seccomp\n"                                                            \
		SYSCALL_RESTORE                                                                    \
		"1:\tmovq 8(%rsp), %r11\n"                                                         \
		SYSCALL_ENTER                                                                      \
		"4:\tcmpq $-4095, %rax\n"                                                          \
		"\tjae 2f\n"                                                                       \
		"\tret\n"                                                                          \
		"2:\tpushq %rax\n\t.cfi_adjust_cfa_offset 8\n"                                     \
		"\tcall __errno_location@PLT\n"                                                    \
		"\tpopq %rcx\n\t.cfi_adjust_cfa_offset -8\n"                                      \
		"\tnegl %ecx\n"                                                                    \
		"\tmovl %ecx, (%rax)\n"                                                            \
		"\tmovq $-1, %rax\n"                                                               \
		"\tret\n"                                                                          \
		"3:" SYSCALL_SAVE                                                                  \
		"\tpushq %r9\n\t.cfi_adjust_cfa_offset 8\n"                                       \
		"\tpushq %r9\n\t.cfi_adjust_cfa_offset 8\n"                                       \
		"\tcall thread_syscall_begins\n"                                                   \
		"\tmovzbl %al, %r11d\n"                                                            \
		"\tpopq %r9\n\t.cfi_adjust_cfa_offset -8\n"                                       \
		"\tpopq %r9\n\t.cfi_adjust_cfa_offset -8\n"                                       \
		SYSCALL_RESTORE                                                                    \
		SYSCALL_ENTER                                                                      \
		"\ttestl %r9d, %r9d\n"                                                             \
		"\tje 4b\n"                                                                        \
		"\tpushq %rbp\n\t.cfi_adjust_cfa_offset 8\n\t.cfi_offset %rbp, -16\n"             \
		"\tmovq %rsp, %rbp\n\t.cfi_def_cfa_register %rbp\n"                               \
		"\tandq $-16, %rsp\n"                                                              \
		"\tpushq %rax\n"                                                                   \
		"\tpushq %rax\n"                                                                   \
		"\txorl %edi, %edi\n"                                                              \
		"\ttestq %rax, %rax\n"                                                             \
		"\tsete %dil\n"                                                                    \
		"\tcall thread_syscall_ends\n"                                                     \
		"\tpopq %rax\n"                                                                    \
		"\tleave\n\t.cfi_def_cfa %rsp, 8\n\t.cfi_restore %rbp\n"                          \
		"\tjmp 4b\n"                                                                       \
		"\t.cfi_endproc\n"                                                                 \
		".size " #name ", . - " #name "\n"                                                 \
		".popsection\n")

#define SYSCALL_SAVE                                                                               \
	"\tpushq %rdi\n\t.cfi_adjust_cfa_offset 8\n"                                              \
	"\tpushq %rsi\n\t.cfi_adjust_cfa_offset 8\n"                                              \
	"\tpushq %rdx\n\t.cfi_adjust_cfa_offset 8\n"                                              \
	"\tpushq %rcx\n\t.cfi_adjust_cfa_offset 8\n"                                              \
	"\tpushq %r8\n\t.cfi_adjust_cfa_offset 8\n"
#define SYSCALL_RESTORE                                                                            \
	"\tpopq %r8\n\t.cfi_adjust_cfa_offset -8\n"                                               \
	"\tpopq %rcx\n\t.cfi_adjust_cfa_offset -8\n"                                              \
	"\tpopq %rdx\n\t.cfi_adjust_cfa_offset -8\n"                                              \
	"\tpopq %rsi\n\t.cfi_adjust_cfa_offset -8\n"                                              \
	"\tpopq %rdi\n\t.cfi_adjust_cfa_offset -8\n"
/* The call's last argument is in %r11. */
#define SYSCALL_ENTER                                                                              \
	"\tmovq %rdi, %rax\n"                                                                      \
	"\tmovq %rsi, %rdi\n"                                                                      \
	"\tmovq %rdx, %rsi\n"                                                                      \
	"\tmovq %rcx, %rdx\n"                                                                      \
	"\tmovq %r8, %r10\n"                                                                       \
	"\tmovq %r9, %r8\n"                                                                        \
	"\tmovq %r11, %r9\n"                                                                       \
	"\tsyscall\n"
