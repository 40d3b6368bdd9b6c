/* Lets the runtime find the counters of an object that was linked without cgcc: a shared library
 * made by plain gcc or ld has no start file of ours, but a thread that counts elsewhere must find
 * its copy of these counters, too. So each object brings a note that tells their bounds
 * (runtime/note.h) and a constructor that calls the runtime, which may have started before; the
 * linker keeps one for all objects of a module. A module with a start file needs neither: the
 * constructor returns. The note has a section of its own, since .note.cgview tells that there is a
 * runtime.
 *
 * It is written when the code is, as assembly: what -flto keeps for later has no increments until
 * a compiler with this plugin takes it up, and without one it counts nothing that could be found.
 *
 * A second note tells that assembly of the unit enters the kernel: nobody sees what it does to
 * signals there, and the runtime must choose one for its samples that does no harm (sample.c). It
 * is in no group, as a linker that collects garbage would keep nothing of one. */
#include "plugin.h"

static bool has_increments, has_sites, enters_kernel;

void
module_counts(void)
{
	has_increments = true;
}

void
module_has_sites(void)
{
	has_sites = has_increments = true;
}

/* Nobody is harmed if it is only a name. cgcc (names_entry()) looks for the same in assembler
 * files. */
void
module_note_assembly(const char *text)
{
	static const char *const words[] = {"syscall",  "sysenter", "int $0x80",
					    "int\t$0x80", "int 0x80", "int\t0x80"};

	for (unsigned i = 0; i < ARRAY_SIZE(words) && !enters_kernel; i++)
		enters_kernel = strcasestr(text, words[i]) != NULL;
}

/* The assembly outside of procedures, before it is written. */
void
module_begin(void *, void *)
{
	for (asm_node *n = symtab->first_asm_symbol(); n; n = api_asm_at(n->next))
		module_note_assembly(TREE_STRING_POINTER(n->asm_str));
}

static const char kernel_note[] =
	"\t.pushsection\t.note.cgview_kernel,\"a\",@note\n"
	"\t.balign\t4\n"
	"\t.long\t14, 0, 1\n"
	"\t.asciz\t\"cgview_kernel\"\n"
	"\t.balign\t4\n"
	"\t.popsection\n";

/* Weak, since a linker script may have put the counters elsewhere: then there are no bounds. */
static const char note[] =
	"\t.weak\t__start_cgview_cnt\n"
	"\t.weak\t__stop_cgview_cnt\n"
	"\t.hidden\t__start_cgview_cnt\n"
	"\t.hidden\t__stop_cgview_cnt\n"
	"\t.pushsection\t.note.cgview_object,\"aG\",@note,__cgview_module,comdat\n"
	"\t.balign\t4\n"
	"\t.long\t7, 16, 1\n"
	"\t.asciz\t\"cgview\"\n"
	"\t.balign\t4\n"
	"\t.quad\t__start_cgview_cnt - .\n"
	"\t.quad\t__stop_cgview_cnt - .\n"
	"\t.popsection\n";

/* In a group of its own, as the one object may have call sites and the other none. */
static const char sites_note[] =
	"\t.weak\t__start_cgview_sites\n"
	"\t.weak\t__stop_cgview_sites\n"
	"\t.hidden\t__start_cgview_sites\n"
	"\t.hidden\t__stop_cgview_sites\n"
	"\t.pushsection\t.note.cgview_sites,\"aG\",@note,__cgview_sites,comdat\n"
	"\t.balign\t4\n"
	"\t.long\t13, 16, 1\n"
	"\t.asciz\t\"cgview_sites\"\n"
	"\t.balign\t4\n"
	"\t.quad\t__start_cgview_sites - .\n"
	"\t.quad\t__stop_cgview_sites - .\n"
	"\t.popsection\n";

/* What call sites go to when they do not call their first target (targets.c), one for each register
 * that that may be in, here %1$s, which has the number %3$u: the entry in the site's table that the
 * target's bits lead to; else the runtime, if there is one. r11 is where to go on; in front of that
 * stands the distance to the second of the site's words, the fourth is the mask, the fifth the
 * table.
 * All other registers are kept, %2$s too, and what is below the stack pointer.
 *
 * The mask is read first, as a signal handler may put a larger table in the place of a smaller one;
 * where there is no table the sum is below the size of the largest, even if a handler has forked
 * after the mask was read. */
static const char other[] =
	"\t.ifdef\t.Lcgview_has_%1$s\n"
	"\t.pushsection\t.text.cgview_beside,\"axG\",@progbits,__cgview_beside_%1$s,comdat\n"
	"\t.weak\t__cgview_beside_%1$s\n"
	"\t.hidden\t__cgview_beside_%1$s\n"
	"\t.type\t__cgview_beside_%1$s, @function\n"
	"__cgview_beside_%1$s:\n"
	"\t.cfi_startproc\n"
	"\t.cfi_def_cfa 7, 0\n"
	"\t.cfi_register 16, 11\n"
	"\tleaq\t-128(%%rsp), %%rsp\n"
	"\t.cfi_def_cfa_offset 128\n"
	"\tpushq\t%%r11\n"
	"\t.cfi_adjust_cfa_offset 8\n"
	"\t.cfi_offset 16, -136\n"
	"\tpushq\t%%%2$s\n"
	"\t.cfi_adjust_cfa_offset 8\n"
	"\tmovslq\t-4(%%r11), %%%2$s\n"
	"\taddq\t%%r11, %%%2$s\n"
	"\tmovq\t%%%1$s, %%r11\n"
	"\tandq\t%%gs:16(%%%2$s), %%r11\n"
	"\taddq\t%%gs:24(%%%2$s), %%r11\n"
	"\tcmpq\t$8192, %%r11\n"
	"\tjb\t1f\n"
	"\tcmpq\t%%%1$s, (%%r11)\n"
	"\tjne\t1f\n"
	"\tincq\t8(%%r11)\n"
	"\tpopq\t%%%2$s\n"
	"\t.cfi_adjust_cfa_offset -8\n"
	"\t.cfi_remember_state\n"
	"\tpopq\t%%r11\n"
	"\t.cfi_adjust_cfa_offset -8\n"
	"\t.cfi_register 16, 11\n"
	"\tleaq\t128(%%rsp), %%rsp\n"
	"\t.cfi_adjust_cfa_offset -128\n"
	"\tnotrack jmp\t*%%r11\n"
	"1:\t.cfi_restore_state\n"
	"\t.cfi_adjust_cfa_offset 8\n"
	"\tpopq\t%%%2$s\n"
	"\t.cfi_adjust_cfa_offset -8\n"
	"\tpopq\t%%r11\n"
	"\t.cfi_adjust_cfa_offset -8\n"
	"\t.cfi_register 16, 11\n"
	"\tpushq\t$%3$u\n"
	"\t.cfi_adjust_cfa_offset 8\n"
	"\tjmp\t__cgview_missed\n"
	"\t.cfi_endproc\n"
	"\t.size\t__cgview_beside_%1$s, . - __cgview_beside_%1$s\n"
	"\t.popsection\n"
	"\t.endif\n";

/* The number of the target's register has been pushed. */
static const char missed[] =
	"\t.pushsection\t.text.cgview_beside,\"axG\",@progbits,__cgview_missed,comdat\n"
	"\t.weak\t__cgview_missed\n"
	"\t.hidden\t__cgview_missed\n"
	"\t.weak\t__cgview_target_missed\n"
	"\t.type\t__cgview_missed, @function\n"
	"__cgview_missed:\n"
	"\t.cfi_startproc\n"
	"\t.cfi_def_cfa 7, 136\n"
	"\t.cfi_register 16, 11\n"
	"\tcmpq\t$0, __cgview_target_missed@GOTPCREL(%rip)\n"
	"\tje\t1f\n"
	"\tjmp\t*__cgview_target_missed@GOTPCREL(%rip)\n"
	"1:\tleaq\t136(%rsp), %rsp\n"
	"\t.cfi_def_cfa_offset 0\n"
	"\tnotrack jmp\t*%r11\n"
	"\t.cfi_endproc\n"
	"\t.size\t__cgview_missed, . - __cgview_missed\n"
	"\t.popsection\n";

/* The numbers are those that the processor has for them, as in runtime/targets.c. The assembler
 * knows which registers a site of this unit has its target in (targets.c). */
static void
put_others(void)
{
	static const char *const registers[] = {"rax", "rcx", "rdx", "rbx", NULL,  "rbp",
						"rsi", "rdi", "r8",  "r9",  "r10", NULL,
						"r12", "r13", "r14", "r15"};

	for (unsigned i = 0; i < ARRAY_SIZE(registers); i++)
		if (registers[i])
			fprintf(asm_out_file, other, registers[i], i ? "rax" : "rcx", i);
	fputs(missed, asm_out_file);
}

/* __cgview_register() is called if it can be seen from here; else, as the one who knows it may keep
 * it to itself, the runtime's own note is looked for in all modules. It is called when
 * dl_iterate_phdr() has let go of its lock. */
static const char constructor[] =
	"\t.weak\t__cgview_register\n"
	"\t.weak\tdl_iterate_phdr\n"
	"\t.pushsection\t.init_array.00000,\"awG\",@init_array,__cgview_module,comdat\n"
	"\t.balign\t8\n"
	"\t.quad\t.Lcgview_module\n"
	"\t.popsection\n"
	"\t.pushsection\t.text.startup.cgview,\"axG\",@progbits,__cgview_module,comdat\n"
	".Lcgview_module:\n"
	"\tendbr64\n"
	"\tcmpb\t$0, __cgview_linked(%rip)\n"
	"\tjne\t2f\n"
	"\tmovq\t__cgview_register@GOTPCREL(%rip), %rax\n"
	"\ttestq\t%rax, %rax\n"
	"\tjne\t1f\n"
	"\tmovq\tdl_iterate_phdr@GOTPCREL(%rip), %rax\n"
	"\ttestq\t%rax, %rax\n"
	"\tje\t2f\n"
	"\tleaq\t.Lcgview_look(%rip), %rdi\n"
	"\tpushq\t$0\n"
	"\tmovq\t%rsp, %rsi\n"
	"\tcall\t*%rax\n"
	"\tpopq\t%rax\n"
	"\ttestq\t%rax, %rax\n"
	"\tje\t2f\n"
	"1:\tjmp\t*%rax\n"
	"2:\tret\n"
	/* Not 0 if there is a start file, whose symbol is not weak. (A symbol that nobody defines
	 * would do, but for gold, which makes something of it.) */
	"\t.weak\t__cgview_linked\n"
	"\t.hidden\t__cgview_linked\n"
	"\t.type\t__cgview_linked, @object\n"
	"__cgview_linked:\n"
	"\t.byte\t0\n";

/* Is there a note in the module (struct dl_phdr_info, %rdi) that leads to a runtime that has
 * started (struct runtime_door)? Then its entry is stored (%rdx). */
static const char look[] =
	".Lcgview_look:\n"
	"\tendbr64\n"
	"\tmovabsq\t$0x776569766763, %r11\n" /* "cgview" */
	"\tmovq\t16(%rdi), %r8\n"
	"\tmovzwl\t24(%rdi), %ecx\n"
	"1:\tsubl\t$1, %ecx\n" /* a program header */
	"\tjs\t5f\n"
	"\tcmpl\t$4, (%r8)\n" /* PT_NOTE */
	"\tjne\t4f\n"
	"\tmovq\t16(%r8), %rsi\n"
	"\taddq\t(%rdi), %rsi\n"
	"\tmovq\t40(%r8), %r9\n"
	"\tleaq\t-44(%rsi,%r9), %r9\n"
	"2:\tcmpq\t%r9, %rsi\n" /* a note may begin here */
	"\tja\t4f\n"
	"\tcmpl\t$7, (%rsi)\n"
	"\tjne\t3f\n"
	"\tcmpl\t$24, 4(%rsi)\n"
	"\tjb\t3f\n"
	"\tcmpq\t%r11, 12(%rsi)\n"
	"\tjne\t3f\n"
	"\tmovq\t36(%rsi), %rax\n"
	"\taddq\t%rsi, %rax\n"
	"\tmovq\t36(%rax), %r10\n"
	"\tcmpb\t$0, (%r10)\n"
	"\tje\t3f\n"
	"\tmovq\t44(%rax), %rax\n"
	"\tmovq\t%rax, (%rdx)\n"
	"\tmovl\t$1, %eax\n"
	"\tret\n"
	"3:\taddq\t$4, %rsi\n"
	"\tjmp\t2b\n"
	"4:\taddq\t$56, %r8\n"
	"\tjmp\t1b\n"
	"5:\txorl\t%eax, %eax\n"
	"\tret\n"
	"\t.popsection\n";

/* GCC goes on in the section that it was in. */
void
module_finish(void *, void *)
{
	bool intel = ASSEMBLER_DIALECT == ASM_INTEL;

	if (enters_kernel && !seen_error())
		fputs(kernel_note, asm_out_file);
	if (!has_increments || seen_error())
		return;
	if (intel)
		fputs("\t.att_syntax prefix\n", asm_out_file);
	if (has_sites)
		put_others();
	fprintf(asm_out_file, "%s%s%s%s%s", note, has_sites ? sites_note : "", constructor, look,
		intel ? "\t.intel_syntax noprefix\n" : "");
}
