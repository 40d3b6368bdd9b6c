/* A stored source text, unpacked in slices: large ones take long. */
#ifndef CGVIEW_DB_TEXT_READER_H
#define CGVIEW_DB_TEXT_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "db/profile.h"

/* The text of file ID of P, which stays open as long. Heap. */
struct text_reader *text_reader_new(struct profile *p, model_id id);
/* Go on until ENOUGH(CONTEXT) (NULL: to the end). True: done. */
bool text_reader_work(struct text_reader *r, bool (*enough)(void *context), void *context);
/* What profile_file_text() gives; R is freed. NULL also when it was not done. */
char *text_reader_end(struct text_reader *r, size_t *size);

#endif
