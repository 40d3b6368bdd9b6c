/* Unpacks a stored source text in slices: large ones take long. */
#ifndef CGVIEW_DB_TEXT_READER_H
#define CGVIEW_DB_TEXT_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "db/store/profile.h"

/* Begins with the text of file ID of P, which must stay open. Heap. */
struct text_reader *text_reader_new(struct profile *p, model_id id);
/* Goes on until all is done (returns true) or ENOUGH(CONTEXT) says so (NULL: to the end). */
bool text_reader_work(struct text_reader *r, bool (*enough)(void *context), void *context);
/* Returns what profile_file_text() gives, or NULL when it was not done; frees R. */
char *text_reader_end(struct text_reader *r, size_t *size);

#endif
