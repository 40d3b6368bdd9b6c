/* How the runtime finds the counters of each module: a note, visible in the program headers. */
#define CGVIEW_NOTE_NAME "cgview"
#define CGVIEW_NOTE_TYPE 1
/* Another, without a description: assembly of the module's own enters the kernel. The plugin
 * (plugin/module.c) and cgcc (cgcc/kernel.s) write it. */
#define CGVIEW_KERNEL_NOTE_NAME "cgview_kernel"

/* And one with the bounds of the section of distances to words of call sites, from each to its word
 * MASK (runtime/targets.c); the plugin writes it. */
#define CGVIEW_SITES_NOTE_NAME "cgview_sites"

/* And one with the bounds of the section that tells which counters begin and end loops whose sums
 * are stored behind them (struct open_count; plugin/joint.c). */
#define CGVIEW_OPEN_NOTE_NAME "cgview_open"

#ifdef CGVIEW_START_FILE
/* The section exists in every module, so that the linker defines its bounds. Distances are stored
 * relative to the place they stand at: nothing to relocate. */
__asm__(".pushsection cgview_cnt,\"aw\",@nobits\n"
	"\t.balign 8\n"
	".globl __cgview_slot\n"
	".hidden __cgview_slot\n"
	".type __cgview_slot, @object\n"
	".size __cgview_slot, 8\n"
	"__cgview_slot:\n" /* in a thread's copy: its slot, if this runtime works (slots.c) */
	"\t.zero 8\n"
	".popsection\n"
	".hidden __start_cgview_cnt\n"
	".hidden __stop_cgview_cnt\n"
	".hidden runtime_door\n"
	/* A value other than 0 here tells the constructors of objects that there is a start file
	 * (plugin/module.c). */
	".globl __cgview_linked\n"
	".hidden __cgview_linked\n"
	".type __cgview_linked, @object\n"
	".pushsection .note.cgview,\"a\",@note\n"
	"\t.balign 4\n"
	"__cgview_linked:\n"
	"\t.long 7, 32, 1\n"
	"\t.asciz \"cgview\"\n"
	"\t.balign 4\n"
	"\t.quad __start_cgview_cnt - .\n"
	"\t.quad __stop_cgview_cnt - .\n"
	"\t.quad runtime_door - .\n"
	"\t.quad 96\n" /* sizeof(struct runtime_door) */
	".popsection\n"
	/* The objects bring one, too, but in a group: a linker that collects garbage keeps nothing
	 * of it. */
	".pushsection cgview_open,\"a\",@progbits\n" /* as above; no runs: nothing is read */
	"\t.balign 8\n"
	"\t.zero 16\n"
	".popsection\n"
	".weak __start_cgview_open\n" /* lld may drop the section all the same */
	".weak __stop_cgview_open\n"
	".hidden __start_cgview_open\n"
	".hidden __stop_cgview_open\n"
	".pushsection .note.cgview,\"a\",@note\n"
	"\t.balign 4\n"
	"\t.long 12, 16, 1\n"
	"\t.asciz \"cgview_open\"\n"
	"\t.quad __start_cgview_open - .\n"
	"\t.quad __stop_cgview_open - .\n"
	".popsection\n");
#endif
