/* The source files of a profile: one path for each, however the compiler named it, and its text. */
#ifndef CGVIEW_COLLECT_SOURCES_H
#define CGVIEW_COLLECT_SOURCES_H

#include "util/index.h"
#include "db/model/model.h"

struct owners;

struct sources {
	struct model *m;
	struct index by_path;      /* m->files */
	struct index by_name;      /* what the compiler said -> names */
	struct source_name *names;
	size_t nr_names, names_alloc;
	struct source_origin *origins; /* per file */
	size_t origins_alloc;
};

void sources_init(struct sources *s, struct model *m);
/* Knows all files that the model has already. */
void sources_take(struct sources *s);
void sources_release(struct sources *s);

/* Returns the file that the compiler, working in DIRECTORY, calls NAME; it is added when it is new.
 * BUILT_NS: when the program that it belongs to was built (the earliest of several counts). */
model_id sources_add(struct sources *s, const char *directory, const char *name, int64_t built_ns);

/* FILES, which live as long as the model, are those of one unit: where one of them is, others may
 * be, too. */
void sources_together(struct sources *s, const model_id *files, size_t nr);

/* Like sources_add(), but adds nothing: 0 when the profile has no such file. */
model_id sources_find(struct sources *s, const char *directory, const char *name);

/* Read the texts of all files into the model, as OWNERS may, unless the model is to be without
 * them; set their states; notes tell what is missing. They are looked for where the model's
 * source_paths say, see source_paths.h; a place that was guessed is told, and is none if its text
 * has fewer lines than the profile knows of. Only regular files that are stored somewhere
 * are read (not those of /proc and its like). A text that cannot be read is one that is missing,
 * whatever the reason: no number depends on it. */
void sources_read(struct sources *s, struct owners *owners);

#endif
