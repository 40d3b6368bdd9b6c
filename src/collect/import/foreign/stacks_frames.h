/* The frames of foreign stacks: each once, and what they are by symbols and debug information. */
#ifndef CGVIEW_COLLECT_IMPORT_FOREIGN_STACKS_FRAMES_H
#define CGVIEW_COLLECT_IMPORT_FOREIGN_STACKS_FRAMES_H

#include <sys/types.h>

#include "collect/import/foreign/objects.h"
#include "collect/import/foreign/stacks.h"
#include "collect/import/owners.h"
#include "collect/import/sources.h"
#include "util/index.h"
#include "util/keys.h"
#include "util/mem.h"

struct frame_part { model_id procedure, file; uint32_t line, column; }; /* 0: not known */

struct frame {
	uint32_t module, symbol, name, file; /* numbers of texts */
	uint32_t line, start_line; /* with a line it says itself where it is */
	uint64_t address, offset;
	bool caller;               /* the address is behind a call */
	bool inlined, in_file, next; /* see struct stacks_frame */
	uint32_t into;             /* inlined: the frame whose code it is in; 0: not known */
	/* By frames_resolve(): what it is, from the outside in. None: it is a part of INTO. */
	size_t first_part, nr_parts;
	uint64_t link;             /* its address in the file; 0: not known */
};

struct frames {
	struct frame *items;       /* from 1 on */
	size_t nr, alloc;
	struct frame_part *parts;
	size_t nr_parts, parts_alloc;
	const char **texts;
	size_t nr_texts, texts_alloc;
	struct index frame_index, text_index;
	/* Of each procedure of the model: its place begins at the first line that was seen. */
	bool *begins_unknown;
	struct object_id *builds;
	size_t nr_builds, builds_alloc;
	struct keys build_keys;    /* by the number of a module's text */
	uint32_t program;          /* see stacks_program(): the number of its text */
	uint64_t loaded;
	struct arena arena;        /* owns texts */
	struct owners owners;
	struct sources sources;
};

void frames_init(struct frames *f);
void frames_release(struct frames *f);

/* Returns the number of a text in f->texts; that of "" is 0. What is behind a NUL is cut off. */
uint32_t frames_text(struct frames *f, struct stacks_text text);

/* Returns the number of a frame. INTO: see struct frame. */
uint32_t frames_add(struct frames *f, const struct stacks_frame *frame, bool caller, uint32_t into);

/* See stacks_build(). */
void frames_build(struct frames *f, struct stacks_text module, const uint8_t *id, size_t length);

/* Adds the procedures of all frames to M, and sets their parts. Programs, debug information and
 * sources are read as UID may. WRITTEN_NS: when the profile was, in which files have a name of
 * their own. */
void frames_resolve(struct frames *f, struct model *m, uid_t uid, int64_t written_ns);

/* The same of one frame after the other, while they are added, by symbols and line tables alone:
 * what was inlined is a part of the procedure that has its code. F, which must stay, and its
 * programs stay open. Returns what frame NUMBER is; its procedure is added to M if it is new. */
struct frames_symbols;
struct frames_symbols *frames_symbols_new(struct frames *f, struct model *m, uid_t uid);
struct frame_part frames_symbols_part(struct frames_symbols *s, uint32_t number);
void frames_symbols_free(struct frames_symbols *s);

/* Reads the texts of M's files. */
void frames_read_sources(struct frames *f);

/* Returns the path of the program that most frames lead to; "": not known. */
const char *frames_program(const struct frames *f);

#endif
