	.globl enter
	.type enter, @function
enter:
	movq %rdi, %rax
	movq %rsi, %rdi
	movq %rdx, %rsi
	movq %rcx, %rdx
	movq %r8, %r10
	SYSCALL
	ret
	.size enter, . - enter
	.section .note.GNU-stack,"",@progbits
