# Assembled before an assembler file that enters the kernel, or linked with it: the note tells the
# runtime so (collect/runtime/note.h, collect/plugin/module.c).
	.pushsection .note.cgview_kernel,"a",@note
	.balign 4
	.long 14, 0, 1
	.asciz "cgview_kernel"
	.balign 4
	.popsection
