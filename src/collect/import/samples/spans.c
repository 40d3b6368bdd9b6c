#include "collect/import/samples/spans.h"

#include <string.h>

/* Is it there, as far as has been told? */
static bool
is_loaded(const struct spans *s, uint32_t number)
{
	size_t i;

	for (i = 0; i < s->nr_loaded; i++)
		if (s->loaded[i] == number)
			return true;
	return false;
}

static void
add_some(struct spans *s, const struct rawfile *r, const int *module_of, bool own, bool loaded)
{
	const struct raw_module *m;
	size_t i;

	for (i = 0; i < r->nr_modules; i++) {
		m = &r->modules[i];
		if (module_of[i] < 0 || (m->pid == s->pid) != own ||
		    is_loaded(s, m->number) != loaded)
			continue;
		GROW(s->items, s->nr + 1, s->alloc);
		s->items[s->nr++] = (struct span){
			m->text_start, m->text_end, m->load_bias, module_of[i],
		};
	}
}

void
spans_find(struct spans *s, const struct rawfile *r, const int *module_of, uint32_t pid)
{
	bool full = s->nr_loaded == RAW_MAX_FRAMES; /* others may be there as well */

	s->nr = 0;
	s->pid = pid;
	if (s->nr_loaded) {
		add_some(s, r, module_of, true, true);
		add_some(s, r, module_of, false, true);
	}
	if (!s->nr_loaded || full) {
		add_some(s, r, module_of, true, false);
		add_some(s, r, module_of, false, false);
	}
}

void
spans_load(struct spans *s, const struct raw_sample_reader *from)
{
	s->nr_loaded = from->sample.nr_frames;
	memcpy(s->loaded, from->frames, s->nr_loaded * sizeof(*s->loaded));
}

const struct span *
spans_at(const struct spans *s, uint64_t address)
{
	size_t i;

	for (i = 0; i < s->nr; i++)
		if (address >= s->items[i].start && address < s->items[i].end)
			return &s->items[i];
	return NULL;
}

/* An event in the code that begins or ends a process, which has no call frame information: hardly a
 * process is without one, and no procedure of the program's could be its caller. */
static bool
is_bottom(const struct raw_sample *sample)
{
	return sample->flags & RAW_EVENT && sample->nr_frames <= 2;
}

/* The recorder has a copy of so many bytes of a stack, the program so many frames. */
void
sample_faults_note(struct sample_faults *f, const struct raw_sample_reader *from)
{
	bool copied = from->raw->head.flags & RAW_CLOCK_RING && from->sample.flags & RAW_CLOCK;

	f->guessed += from->sample.flags & RAW_STACK_GUESS && !is_bottom(&from->sample);
	if (!(from->sample.flags & RAW_STACK_CUT))
		return;
	f->copies_cut += copied;
	f->cut += !copied;
	f->ends += !copied && from->sample.nr_frames && !from->frames[from->sample.nr_frames - 1];
}
