#include "print/export/html/page_files.h"

/* The assembler reads the files when this is compiled, which is done where the makefile is. */
#define EMBED(name, file)                                                                    \
	__asm__(".pushsection .rodata\n" name "_begin: .incbin \"" file "\"\n" name "_end:\n" \
		".popsection\n")
#define PLACE "src/print/export/html/"

EMBED("cgview_page_script", PLACE "page.js");
EMBED("cgview_page_style", PLACE "page.css");

extern const char cgview_page_script_begin[], cgview_page_script_end[];
extern const char cgview_page_style_begin[], cgview_page_style_end[];

struct page_file
page_script(void)
{
	return (struct page_file){ cgview_page_script_begin,
				   (size_t)(cgview_page_script_end - cgview_page_script_begin) };
}

struct page_file
page_style(void)
{
	return (struct page_file){ cgview_page_style_begin,
				   (size_t)(cgview_page_style_end - cgview_page_style_begin) };
}
