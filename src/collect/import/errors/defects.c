#include "collect/import/errors/defects.h"

#include <stdlib.h>
#include <string.h>

#include "collect/import/errors/defect_code.h"
#include "collect/import/sources.h"
#include "util/order.h"
#include "util/text/path.h"

/* ---- which expression ---- */

struct spot {                  /* a place that is looked for */
	model_id file;
	uint32_t line, column; /* column 0: unknown */
	struct place best;     /* line 0: none yet */
	model_id procedure;
	uint32_t procedure_lines;
};

struct spots {
	struct spot *items;    /* sorted by file, line, column; each once */
	size_t nr;
};

static int
compare_spots(const void *a, const void *b)
{
	const struct spot *x = a, *y = b;

	COMPARE(x->file, y->file);
	COMPARE(x->line, y->line);
	COMPARE(x->column, y->column);
	return 0;
}

static bool
holds(const struct place *p, const struct spot *s)
{
	if (s->line == p->line && s->column < p->column)
		return false;
	return s->line < p->end_line || (s->line == p->end_line && s->column <= p->end_column);
}

static bool
smaller(const struct place *a, const struct place *b)
{
	uint32_t of_a = a->end_line - a->line, of_b = b->end_line - b->line;

	if (of_a != of_b)
		return of_a < of_b;
	return a->end_column - a->column < b->end_column - b->column;
}

/* Returns the position of the first spot on or behind LINE of FILE. */
static size_t
first_spot(const struct spots *s, model_id file, uint32_t line)
{
	const struct spot key = { .file = file, .line = line };
	size_t lo = 0, hi = s->nr, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (compare_spots(&s->items[mid], &key) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static bool
is_on(const struct spots *s, size_t i, const struct place *p)
{
	return i < s->nr && s->items[i].file == p->file && s->items[i].line <= p->end_line;
}

static void
try_expression(struct spots *s, const struct place *p)
{
	for (size_t i = first_spot(s, p->file, p->line); is_on(s, i, p); i++) {
		struct spot *at = &s->items[i];

		if (at->column && holds(p, at) && (!at->best.line || smaller(p, &at->best)))
			at->best = *p;
	}
}

static void
try_procedure(struct spots *s, const struct model *m, model_id id)
{
	const struct place *p = &m->procedures[id - 1].place;
	uint32_t lines = p->end_line - p->line;

	for (size_t i = first_spot(s, p->file, p->line); is_on(s, i, p); i++) {
		struct spot *at = &s->items[i];

		if (at->procedure && at->procedure_lines <= lines)
			continue;
		at->procedure = id;
		at->procedure_lines = lines;
	}
}

static void
find_expressions(struct spots *s, const struct model *m)
{
	for (size_t i = 0; i < m->nr_ranges; i++)
		if (m->ranges[i].kind != RANGE_MACRO_DEFINITION &&
		    m->ranges[i].kind != RANGE_PROCEDURE && m->ranges[i].place.file)
			try_expression(s, &m->ranges[i].place);
	for (size_t i = 0; i < m->nr_sites; i++)
		if (m->sites[i].place.file)
			try_expression(s, &m->sites[i].place);
	for (size_t i = 0; i < m->nr_procedures; i++)
		if (m->procedures[i].place.file)
			try_procedure(s, m, (model_id)i + 1);
}

/* ---- files ---- */

/* Returns the only file of M whose path ends in the components of NAME; 0: none, or several. */
static model_id
file_ending_in(const struct model *m, const char *name)
{
	size_t n = strlen(name), length;
	model_id found = 0;

	for (size_t i = 0; i < m->nr_files; i++) {
		const char *path = m->files[i].path;

		length = strlen(path);
		if (length < n || strcmp(path + length - n, name) ||
		    (length > n && path[length - n - 1] != '/'))
			continue;
		if (found)
			return 0;
		found = (model_id)i + 1;
	}
	return found;
}

static model_id
file_of(struct sources *s, const char *name)
{
	if (!*name)
		return 0;
	return name[0] == '/' ? sources_find(s, "", name) : file_ending_in(s->m, name);
}

/* ---- adding ---- */

static bool
same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool
same_frame(const struct model_defect_frame *a, const struct model_defect_frame *b)
{
	return a->stack == b->stack && a->role == b->role && a->depth == b->depth &&
	       a->procedure == b->procedure && place_same(&a->place, &b->place) &&
	       a->path_line == b->path_line && same_text(a->path, b->path) &&
	       same_text(a->name, b->name) && same_text(a->module, b->module);
}

/* Returns the position of the first frame of defect ID, or behind all of those before it. */
static size_t
first_frame(const struct model *m, model_id id)
{
	size_t lo = 0, hi = m->nr_defect_frames, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (m->defect_frames[mid].defect < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static bool
same_defect(const struct model *m, size_t i, const struct model_defect *d,
	    const struct model_defect_frame *frames, size_t nr)
{
	const struct model_defect *at = &m->defects[i];
	size_t first, k;

	if (!place_same(&at->place, &d->place) || strcmp(at->kind, d->kind) ||
	    strcmp(at->what, d->what) || strcmp(at->tool, d->tool))
		return false;
	first = first_frame(m, (model_id)i + 1);
	if (first_frame(m, (model_id)i + 2) - first != nr)
		return false;
	for (k = 0; k < nr && same_frame(&m->defect_frames[first + k], &frames[k]); k++)
		;
	return k == nr;
}

void
defects_unite(struct model *m, const struct model_defect *d,
	      const struct model_defect_frame *frames, size_t nr)
{
	struct model_defect *to;
	size_t i;

	for (i = 0; i < m->nr_defects && !same_defect(m, i, d, frames, nr); i++)
		;
	if (i < m->nr_defects) {
		to = &m->defects[i];
		to->count = count_add(to->count, d->count);
		to->bytes = count_add(to->bytes, d->bytes);
		to->blocks = count_add(to->blocks, d->blocks);
		return;
	}
	to = MODEL_ADD(m, defects);
	*to = *d;
	to->tool = arena_strdup(&m->arena, d->tool);
	to->kind = arena_strdup(&m->arena, d->kind);
	to->what = arena_strdup(&m->arena, d->what);
	for (i = 0; i < nr; i++) {
		struct model_defect_frame *f = MODEL_ADD(m, defect_frames);

		*f = frames[i];
		f->defect = (model_id)m->nr_defects;
		f->name = arena_strdup(&m->arena, f->name);
		f->module = arena_strdup(&m->arena, f->module);
		f->path = f->path ? arena_strdup(&m->arena, f->path) : NULL;
	}
}

/* ---- a log ---- */

struct work {
	struct model *m;
	const struct defect_log *log;
	struct code_place *places; /* of its frames */
	struct spot *at;           /* of its frames; file 0: not in the profile */
	struct spots spots;
	struct defects_found *found;
};

/* What DWARF knows is better than what the tool has made of it. */
static void
set_spot(struct work *w, struct sources *sources, size_t i)
{
	const struct code_place *p = &w->places[i];
	const struct logged_frame *f = &w->log->frames[i];
	struct spot *s = &w->at[i];

	*s = (struct spot){ .file = p->file ? file_of(sources, p->file) : 0, .line = p->line,
			    .column = p->column };
	if (!s->file)
		*s = (struct spot){ file_of(sources, f->file), f->line, f->column, { 0 }, 0, 0 };
	if (s->file && s->line && s->line <= INT32_MAX)
		w->spots.items[w->spots.nr++] = *s;
	else
		s->file = 0;
}

static void
sort_spots(struct spots *s)
{
	size_t n = 0;

	if (s->nr)
		qsort(s->items, s->nr, sizeof(*s->items), compare_spots);
	for (size_t i = 0; i < s->nr; i++)
		if (!n || compare_spots(&s->items[n - 1], &s->items[i]))
			s->items[n++] = s->items[i];
	s->nr = n;
}

static struct model_defect_frame
frame_of(const struct work *w, size_t i)
{
	const struct logged_frame *f = &w->log->frames[i];
	struct model_defect_frame to = {
		.stack = f->stack, .role = f->role, .depth = f->depth, .name = f->name,
		.module = f->object,
	};
	const struct spot *s = w->at[i].file ? bsearch(&w->at[i], w->spots.items, w->spots.nr,
						       sizeof(*s), compare_spots) : NULL;

	if (s) {
		to.place = s->best;
		to.procedure = s->procedure;
		if (!s->best.line)
			to.place = (struct place){ s->file, s->line, 0, s->line, 0 };
	} else if (*f->file) {
		to.path = f->file;
		to.path_line = f->line;
	}
	return to;
}

/* Is it a program or library of the profile? */
static bool
is_module(const struct model *m, const char *object)
{
	for (size_t i = 0; i < m->nr_modules; i++)
		if (!strcmp(object, m->modules[i].path) ||
		    (!strchr(object, '/') && !strcmp(object, path_base(m->modules[i].path))))
			return true;
	return false;
}

/* Has D to do with what was profiled? */
static bool
is_of_profile(const struct work *w, const struct logged_defect *d)
{
	for (size_t i = d->first_frame; i < d->first_frame + d->nr_frames; i++)
		if (w->at[i].file || is_module(w->m, w->log->frames[i].object))
			return true;
	return false;
}

/* Is D in what counts, or in what that called of libraries without symbols? */
static bool
is_of_runtime(const struct work *w, const struct logged_defect *d)
{
	const struct logged_frame *f = &w->log->frames[d->first_frame];
	size_t i = 0;

	while (i < d->nr_frames && !*f[i].name)
		i++;
	return i < d->nr_frames && !strncmp(f[i].name, "__cgview_", strlen("__cgview_"));
}

static void
count_defect(struct defects_found *found, const struct model_defect *d)
{
	found->exact += d->place.column != 0;
	found->lines += d->place.file && !d->place.column;
	found->without += !d->place.file;
	found->seen = count_add(found->seen, d->count);
}

/* Is the place of F in a wrapper of an allocator? */
static bool
is_in_wrapper(const struct work *w, const struct model_defect_frame *f)
{
	return f->procedure && (w->m->procedures[f->procedure - 1].flags & PROCEDURE_WRAPPER);
}

/* Does NAME, as tools write it, want memory or give it back? */
static bool
is_allocator(const char *name)
{
	static const char *const those[] = {
		"malloc", "calloc", "realloc", "reallocarray", "aligned_alloc", "memalign",
		"posix_memalign", "valloc", "pvalloc", "free", "strdup", "strndup",
	};
	static const char *const begins[] = { "operator new", "operator delete" };
	const char *bare = strstr(name, "interceptor_");

	bare = bare ? bare + strlen("interceptor_") : name;
	for (size_t i = 0; i < sizeof(those) / sizeof(*those); i++)
		if (!strcmp(bare, those[i]))
			return true;
	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++)
		if (!strncmp(bare, begins[i], strlen(begins[i])))
			return true;
	return false;
}

/* Puts D where the innermost of NR FRAMES is that has a place. What a wrapper of an allocator calls
 * that for is its callers' doing, what it does besides its own. */
static void
place_defect(const struct work *w, struct model_defect *d, const struct model_defect_frame *frames,
	     size_t nr)
{
	const struct model_defect_frame *at = NULL;
	bool in_allocator = nr && is_allocator(frames[0].name);

	for (size_t i = 0; i < nr && (!at || (in_allocator && is_in_wrapper(w, at))); i++)
		if (frames[i].place.file && frames[i].role == ROLE_OF_ERROR &&
		    (!at || (frames[i].stack == at->stack && !is_in_wrapper(w, &frames[i]))))
			at = &frames[i];
	if (!at)
		return;
	d->place = at->place;
	d->procedure = at->procedure;
}

static void
add_defect(const struct work *w, const struct logged_defect *d)
{
	struct model_defect_frame *frames = xcalloc(d->nr_frames + 1, sizeof(*frames));
	struct model_defect to = {
		.tool = d->tool, .kind = d->kind, .what = d->what, .count = d->count,
		.bytes = d->bytes, .blocks = d->blocks,
	};

	if (!is_of_profile(w, d) || is_of_runtime(w, d)) {
		*(is_of_profile(w, d) ? &w->found->runtime : &w->found->elsewhere) += 1;
		free(frames);
		return;
	}
	for (size_t i = 0; i < d->nr_frames; i++)
		frames[i] = frame_of(w, d->first_frame + i);
	place_defect(w, &to, frames, d->nr_frames);
	count_defect(w->found, &to);
	defects_unite(w->m, &to, frames, d->nr_frames);
	free(frames);
}

int
defects_add(struct model *m, const struct defect_log *log, struct defects_found *found,
	    struct error *err)
{
	struct work w = { .m = m, .log = log, .found = found };
	struct arena arena = ARENA_INIT;
	struct sources sources;
	int status;

	w.places = xcalloc(log->nr_frames, sizeof(*w.places));
	w.at = xcalloc(log->nr_frames, sizeof(*w.at));
	w.spots.items = xcalloc(log->nr_frames, sizeof(*w.spots.items));
	status = defect_code_find(w.places, log, m, &arena, err);
	sources_init(&sources, m);
	sources_take(&sources);
	for (size_t i = 0; i < log->nr_frames; i++)
		set_spot(&w, &sources, i);
	sort_spots(&w.spots);
	find_expressions(&w.spots, m);
	for (size_t i = 0; i < log->nr_defects && !status; i++)
		add_defect(&w, &log->defects[i]);
	sources_release(&sources);
	free(w.places);
	free(w.at);
	free(w.spots.items);
	arena_release(&arena);
	return status;
}
