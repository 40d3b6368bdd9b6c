/* syscall(2) under the name NAME: libc's, but that seccomp(2), which has no procedure of its own in
 * libc, is seen before, and what concerns signals goes by signals.c. No frame comes between the
 * caller and the kernel. */
#include <linux/seccomp.h>
#include <sys/syscall.h>

_Static_assert(SYS_rt_sigprocmask == SYS_rt_sigaction + 1, "one comparison tells both");

static __attribute__((used)) void
seen_seccomp(long operation, const void *argument)
{
	if (operation == SECCOMP_SET_MODE_STRICT ||
	    (operation == SECCOMP_SET_MODE_FILTER && argument))
		runtime_enter_sandbox();
}

#define STRING(x) #x
#define NUMBER(x) STRING(x)
#define SYSCALL(name)                                                                              \
	__asm__(".hidden signals_syscall\n"                                                       \
		".pushsection .text\n"                                                             \
		".weak " #name "\n"                                                               \
		".type " #name ", @function\n" #name ":\n"                                         \
		"\t.cfi_startproc\n"                                                               \
		"\tleaq -" NUMBER(SYS_rt_sigaction) "(%rdi), %rax\n"				   \
		"\tcmpq $" NUMBER(SYS_rt_sigprocmask) "-" NUMBER(SYS_rt_sigaction) ", %rax\n"	   \
		"\tjbe signals_syscall\n"							   \
		"\tcmpq $" NUMBER(SYS_seccomp) ", %rdi\n"                                          \
					       "\tjne 1f\n"                                        \
					       "\tpushq %rdi\n\t.cfi_adjust_cfa_offset 8\n"        \
					       "\tpushq %rsi\n\t.cfi_adjust_cfa_offset 8\n"        \
					       "\tpushq %rdx\n\t.cfi_adjust_cfa_offset 8\n"        \
					       "\tpushq %rcx\n\t.cfi_adjust_cfa_offset 8\n"        \
					       "\tpushq %r8\n\t.cfi_adjust_cfa_offset 8\n"         \
					       "\tmovq %rsi, %rdi\n"                               \
					       "\tmovq %rcx, %rsi\n"                               \
					       "\tcall seen_seccomp\n"                             \
					       "\tpopq %r8\n\t.cfi_adjust_cfa_offset -8\n"         \
					       "\tpopq %rcx\n\t.cfi_adjust_cfa_offset -8\n"        \
					       "\tpopq %rdx\n\t.cfi_adjust_cfa_offset -8\n"        \
					       "\tpopq %rsi\n\t.cfi_adjust_cfa_offset -8\n"        \
					       "\tpopq %rdi\n\t.cfi_adjust_cfa_offset -8\n"        \
					       "1:\tmovq %rdi, %rax\n"                             \
					       "\tmovq %rsi, %rdi\n"                               \
					       "\tmovq %rdx, %rsi\n"                               \
					       "\tmovq %rcx, %rdx\n"                               \
					       "\tmovq %r8, %r10\n"                                \
					       "\tmovq %r9, %r8\n"                                 \
					       "\tmovq 8(%rsp), %r9\n"                             \
					       "\tsyscall\n"                                       \
					       "\tcmpq $-4095, %rax\n"                             \
					       "\tjae 2f\n"                                        \
					       "\tret\n"                                           \
					       "2:\tpushq %rax\n\t.cfi_adjust_cfa_offset 8\n"      \
					       "\tcall __errno_location@PLT\n"                     \
					       "\tpopq %rcx\n\t.cfi_adjust_cfa_offset -8\n"        \
					       "\tnegl %ecx\n"                                     \
					       "\tmovl %ecx, (%rax)\n"                             \
					       "\tmovq $-1, %rax\n"                                \
					       "\tret\n"                                           \
					       "\t.cfi_endproc\n"                                  \
					       ".size " #name ", . - " #name "\n"                  \
					       ".popsection\n")
