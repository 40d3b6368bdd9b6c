# Linked into static programs with the flag space, before all files. The linker
# puts code into these sections in the order of its files: what lies between begin and end is what was
# named in the command line, the rest is of libc and its like. See runtime/space.c.
	.macro mark section, name
	.section \section,"ax",@progbits
	.globl \name
	.hidden \name
\name:
	nop
	.endm
	mark .text.unlikely, __cgview_text_begin_unlikely
	mark .text.exit, __cgview_text_begin_exit
	mark .text.startup, __cgview_text_begin_startup
	mark .text.hot, __cgview_text_begin_hot
	mark .text, __cgview_text_begin_text
