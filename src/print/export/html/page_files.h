/* The script and the style of a page, which are files of this directory and parts of the
 * program. */
#ifndef CGVIEW_PRINT_EXPORT_HTML_PAGE_FILES_H
#define CGVIEW_PRINT_EXPORT_HTML_PAGE_FILES_H

#include <stddef.h>

struct page_file { const char *text; size_t size; };

struct page_file page_script(void);
struct page_file page_style(void);

#endif
