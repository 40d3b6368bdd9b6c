#include "collect/import/foreign/costs/costs.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TEXT = 1 << 16 };

void
costs_init(struct costs *c)
{
	*c = (struct costs){ .arena = ARENA_INIT, .nr_texts = 1, .room = 1 };
	GROW(c->texts, 1, c->texts_alloc);
	c->texts[0] = "";
}

void
costs_release(struct costs *c)
{
	index_release(&c->text_index);
	keys_release(&c->functions);
	keys_release(&c->procedures);
	keys_release(&c->lines);
	keys_release(&c->calls);
	free(c->texts);
	free(c->function);
	free(c->first_line);
	free(c->count);
	free(c->threads);
	free(c->of_functions.values);
	free(c->of_lines.values);
	free(c->of_calls.values);
	arena_release(&c->arena);
}

/* ---- texts ---- */

struct text { const char *at; size_t length; };

static bool
text_equal(const void *context, uint32_t item, const void *key)
{
	const char *text = ((const struct costs *)context)->texts[item];
	const struct text *k = key;

	return !strncmp(text, k->at, k->length) && !text[k->length];
}

uint32_t
costs_text(struct costs *c, const char *text, size_t length)
{
	struct text key = { text, strnlen(text, length < MOST_TEXT ? length : MOST_TEXT) };
	uint64_t hash = hash_bytes(HASH_START, key.at, key.length);
	uint32_t i;

	if (!key.length || (key.length == 3 && !memcmp(text, "???", 3)))
		return 0;
	i = index_find(&c->text_index, hash, text_equal, c, &key);
	if (i == INDEX_NONE) {
		i = (uint32_t)c->nr_texts;
		GROW(c->texts, c->nr_texts + 1, c->texts_alloc);
		c->texts[c->nr_texts++] = arena_strndup(&c->arena, key.at, key.length);
		index_add(&c->text_index, hash, i);
	}
	return i;
}

/* ---- values ---- */

void
costs_add(struct costs *c, uint64_t *to, uint64_t value)
{
	c->saturated |= value > INT64_MAX - *to;
	*to = count_add(*to, value);
}

static void
widen(struct cost_values *v, unsigned from, unsigned to)
{
	uint64_t *wide = xcalloc(v->nr * to + 1, sizeof(*wide));

	for (size_t i = 0; i < v->nr; i++)
		memcpy(wide + i * to, v->values + i * from, from * sizeof(*wide));
	free(v->values);
	v->values = wide;
	v->alloc = v->nr * to + 1;
}

static void
add_row(struct costs *c, struct cost_values *v)
{
	size_t used = v->nr * c->room;

	GROW(v->values, used + c->room, v->alloc);
	memset(v->values + used, 0, c->room * sizeof(*v->values));
	v->nr++;
}

static int
find_event(const struct cost_event *events, unsigned nr, const char *name, size_t length)
{
	for (unsigned i = 0; i < nr; i++)
		if (!strncmp(events[i].name, name, length) && !events[i].name[length])
			return (int)i;
	return -1;
}

int
costs_event(struct costs *c, const char *name, size_t length)
{
	int i = find_event(c->events, c->nr_events, name, length), known;
	unsigned room;

	if (i >= 0 || c->nr_events == MEASURES_MAX)
		return i;
	known = find_event(c->formulas, c->nr_formulas, name, length);
	c->events[c->nr_events++] = (struct cost_event){
		.name = arena_strndup(&c->arena, name, length),
		.title = known < 0 ? NULL : c->formulas[known].title,
	};
	if (c->nr_events > c->room) {
		room = c->of_functions.nr ? c->nr_events : c->nr_events + 3;
		room = room < MEASURES_MAX ? room : MEASURES_MAX;
		widen(&c->of_functions, c->room, room);
		widen(&c->of_lines, c->room, room);
		widen(&c->of_calls, c->room, room);
		c->room = room;
	}
	return (int)c->nr_events - 1;
}

void
costs_describe(struct costs *c, const char *name, size_t length,
	       const struct cost_description *as)
{
	int event = find_event(c->events, c->nr_events, name, length);
	int i = find_event(c->formulas, c->nr_formulas, name, length);
	const char *kept = as->title ? arena_strdup(&c->arena, as->title) : NULL;

	if (event >= 0 && kept)
		c->events[event].title = kept;
	if (i >= 0 || c->nr_formulas == MEASURES_MAX)
		return;
	c->formulas[c->nr_formulas++] = (struct cost_event){
		.name = arena_strndup(&c->arena, name, length), .title = kept,
		.formula = as->formula ? arena_strdup(&c->arena, as->formula) : NULL,
	};
}

/* ---- functions and procedures ---- */

static uint32_t
procedure_of(struct costs *c, uint32_t object, uint32_t file, uint32_t name)
{
	bool is_new;
	uint32_t i = keys_number(&c->procedures, KEY(object, file, name), &is_new);

	if (is_new) {
		GROW(c->first_line, c->procedures.nr, c->first_line_alloc);
		c->first_line[i] = 0;
	}
	return i;
}

/* Returns the length of NAME without level of recursion ("f'2") and context ("f'main"). The quote
 * of Rust's lifetimes stands behind another character. */
static size_t
length_of_name(const char *name)
{
	const char *quote = *name ? strchr(name + 1, '\'') : NULL;

	while (quote && strchr("&<( ,+", quote[-1]))
		quote = strchr(quote + 1, '\'');
	return quote ? (size_t)(quote - name) : strlen(name);
}

/* Is NAME that of a level of recursion below the first: "f'2", "f'2'main"? */
static bool
is_deeper(const char *name)
{
	const char *suffix = name + length_of_name(name);
	size_t digits = *suffix ? strspn(suffix + 1, "0123456789") : 0;

	return digits && (!suffix[1 + digits] || suffix[1 + digits] == '\'');
}

uint32_t
costs_function(struct costs *c, uint32_t object, uint32_t file, uint32_t name)
{
	bool is_new;
	uint32_t i = keys_number(&c->functions, KEY(object, file, name), &is_new), base;
	const char *text = c->texts[name];

	if (!is_new)
		return i;
	base = costs_text(c, text, length_of_name(text));
	GROW(c->function, c->functions.nr, c->function_alloc);
	c->function[i] = (struct cost_function){
		.procedure = procedure_of(c, object, file, base), .deeper = is_deeper(text),
	};
	add_row(c, &c->of_functions);
	return i;
}

/* ---- costs ---- */

uint64_t *
costs_of_function(struct costs *c, uint32_t function)
{
	return c->of_functions.values + (size_t)function * c->room;
}

uint64_t *
costs_of_line(struct costs *c, uint32_t function, uint32_t file, uint32_t line)
{
	bool is_new;
	uint32_t i = keys_number(&c->lines, KEY(c->function[function].procedure, file, line),
				 &is_new);

	if (is_new)
		add_row(c, &c->of_lines);
	return c->of_lines.values + (size_t)i * c->room;
}

uint64_t *
costs_of_call(struct costs *c, uint32_t caller, uint32_t file, uint32_t line,
	      const struct cost_called *called)
{
	struct cost_function *f = &c->function[called->function];
	uint32_t *first = &c->first_line[f->procedure], i;
	bool is_new;

	i = keys_number(&c->calls, KEY(caller, file, line, called->function), &is_new);
	if (is_new) {
		GROW(c->count, c->calls.nr, c->count_alloc);
		c->count[i] = 0;
		add_row(c, &c->of_calls);
	}
	costs_add(c, &c->count[i], called->count);
	costs_add(c, &f->calls, called->count);
	if (called->line && (!*first || called->line < *first))
		*first = called->line;
	return c->of_calls.values + (size_t)i * c->room;
}

void
costs_thread(struct costs *c, uint64_t pid, uint64_t thread)
{
	enum { MOST = 10000 };
	size_t i = 0;

	while (i < c->nr_threads && (c->threads[i].pid != pid || c->threads[i].thread != thread))
		i++;
	if (i < c->nr_threads || i == MOST)
		return;
	GROW(c->threads, c->nr_threads + 1, c->threads_alloc);
	c->threads[c->nr_threads++] = (struct cost_thread){ pid, thread };
}
