/* Writes JSON that can stand in a page: no text of it ends the element that it is in, or begins
 * another one. Nothing here fails. */
#ifndef CGVIEW_PRINT_EXPORT_HTML_PAGE_JSON_H
#define CGVIEW_PRINT_EXPORT_HTML_PAGE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/mem.h"

struct page_json {
	struct strbuf out;       /* the caller's to release */
	bool behind;             /* what comes next needs a comma before it */
};

/* Begin and end an object ('{', '}') or an array ('[', ']'). */
void page_json_begin(struct page_json *j, char bracket);
void page_json_end(struct page_json *j, char bracket);
/* Writes the name of the member whose value comes next. */
void page_json_name(struct page_json *j, const char *name);

/* Write a value. Texts are UTF-8, made safe by safe_text() but for tabs. */
void page_json_text(struct page_json *j, const char *s, size_t n);
void page_json_str(struct page_json *j, const char *s);
/* Beyond what a double holds exactly it is the nearest such number: it is for sorting. */
void page_json_whole(struct page_json *j, int64_t n);
void page_json_real(struct page_json *j, double v); /* not finite: null */
void page_json_null(struct page_json *j);

#endif
