/* Looks at programs that count nothing, by the samples of our recorder. Each is unwound once, when
 * it comes; each address is looked up once. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/import/foreign/line_rows.h"
#include "collect/import/foreign/perf_growing.h"
#include "collect/import/foreign/stacks_frames.h"
#include "collect/import/live/live_state.h"

struct live_sampled {
	struct perf_growing *from;
	struct frames frames;
	struct frames_symbols *symbols;
	struct keys threads;
	struct line_rows rows;     /* of lines with time of their own */
	uint32_t *lines;           /* of each block, from 0 */
	size_t lines_alloc, nr_lines; /* as many as blocks */
	size_t rows_shown;         /* when the tables were shown last */
	size_t blocks_shown, files_read; /* files_read: texts of so many */
	unsigned looks_since;
};

void
live_sampled_free(struct live_sampled *s)
{
	if (!s)
		return;
	perf_growing_free(s->from);
	frames_symbols_free(s->symbols);
	frames_release(&s->frames);
	keys_release(&s->threads);
	line_rows_release(&s->rows);
	free(s->lines);
	free(s);
}

static struct frame_part
part_of(struct live *l, const struct stacks_frame *frame, bool caller)
{
	struct live_sampled *s = l->sampled;
	size_t before = l->m.nr_procedures;
	uint32_t number = frames_add(&s->frames, frame, caller, 0);
	struct frame_part part = frames_symbols_part(s->symbols, number);

	if (l->m.nr_procedures > before)
		live_add_rows(l);
	return part;
}

/* The time of a block, which is all code of a procedure on one line, is in a slot of its number. */
static void
count_line(struct live *l, const struct frame_part *part, uint64_t ns)
{
	struct live_sampled *s = l->sampled;
	model_id block = line_rows_block(&s->rows, part->procedure, part->file, part->line);

	if (!block)
		return;
	if (block > l->nr_slots) {
		GROW(l->slots, block, l->slots_alloc);
		l->slots[l->nr_slots++] = (struct live_slot){ .block = block };
		GROW(s->lines, block, s->lines_alloc);
		s->lines[s->nr_lines++] = (uint32_t)(line_rows_line(&s->rows, part->file,
								    part->line) - l->m.lines);
	}
	l->slots[block - 1].count += ns;
}

uint32_t
live_sampled_line(const struct live *l, size_t block)
{
	return l->sampled->lines[block];
}

static void
count_thread(struct live *l, const struct stacks_sample *sample, uint64_t ns)
{
	bool is_new;
	uint32_t i = keys_number(&l->sampled->threads, KEY(sample->pid, sample->tid), &is_new);
	struct raw_thread *t;
	size_t n;

	if (is_new) {
		GROW(l->threads, l->nr_threads + 1, l->threads_alloc);
		l->threads[l->nr_threads++] = (struct live_thread){
			.number = i, .now = { .pid = sample->pid, .tid = sample->tid },
		};
	}
	t = &l->threads[i].now;
	n = sample->name.length < sizeof(t->name) - 1 ? sample->name.length : sizeof(t->name) - 1;
	memset(t->name, 0, sizeof(t->name));
	memcpy(t->name, sample->name.at, n); /* the last one that it had */
	t->cpu_ns += ns;
	t->nr_samples++;
}

/* A total has each stack once, however often the procedure is on it. */
static void
take_sample(void *live, const struct stacks_sample *sample)
{
	struct live *l = live;
	uint64_t ns = (uint64_t)sample->values[0].weight;

	l->stacks++;
	for (size_t i = 0; i < sample->nr_frames; i++) {
		struct frame_part part = part_of(l, &sample->frames[i], i > 0);
		struct live_counted *c = &l->counted[part.procedure - 1];
		struct live_procedure *row = &l->rows[part.procedure - 1];

		if (!i)
			count_line(l, &part, ns);
		row->now.ns += i ? 0 : ns;
		if (c->stack == l->stacks)
			continue;
		c->stack = l->stacks;
		row->now.total_ns += ns;
	}
	count_thread(l, sample, ns);
	l->sums.now.ns += ns;
	l->sums.cpu_ns += ns;
}

static void
add_run(struct model *m, const struct live_samples *of)
{
	struct model_run *run = MODEL_ADD(m, runs);
	const uint32_t interval_ns = 1000000000 / of->hz;

	*run = (struct model_run){
		.command = arena_strdup(&m->arena, of->command), .build_id = "",
		.directory = "", .program = arena_strdup(&m->arena, of->program), .host = "",
		.exit_status = -1, .started_ns = of->started_ns, .processes = 1,
		.asked_interval_ns = interval_ns, .interval_ns = interval_ns,
	};
}

/* -1 and ERR: the file cannot be opened. */
static int
begin(struct live *l, const struct live_samples *of, struct error *err)
{
	int fd = open(of->file, O_RDONLY | O_CLOEXEC);
	struct live_sampled *s;
	struct stat st;

	if (fd < 0 || fstat(fd, &st)) {
		if (fd >= 0)
			close(fd);
		return error_set_errno(err, errno, "%s", of->file);
	}
	add_run(&l->m, of);
	l->sampled = s = xcalloc(1, sizeof(*s));
	s->rows = (struct line_rows)LINE_ROWS_INIT(&l->m);
	frames_init(&s->frames);
	s->symbols = frames_symbols_new(&s->frames, &l->m, st.st_uid);
	s->from = perf_growing_new(fd, st.st_uid, take_sample, l);
	return 0;
}

int
live_look_samples(struct live *l, const struct live_samples *of, struct error *err)
{
	if (!l->sampled && begin(l, of, err))
		return -1;
	for (size_t i = 0; i < l->nr_rows; i++)
		l->rows[i].before = l->rows[i].now;
	l->sums.before = l->sums.now;
	l->sums.sampled = true;
	if (perf_growing_read(l->sampled->from, err))
		return -1;
	l->sums.threads = l->nr_threads;
	return l->nr_threads ? 0 : error_set(err, "watch: it has used no CPU time so far");
}

void
live_sampled_shown(struct live *l)
{
	if (l->sampled->files_read != l->m.nr_files) {
		model_drop_notes(&l->m, "source");
		frames_read_sources(&l->sampled->frames);
	}
	line_rows_set_columns(&l->m);
	l->sampled->files_read = l->m.nr_files;
	l->sampled->rows_shown = l->nr_rows;
	l->sampled->blocks_shown = l->nr_slots;
	l->sampled->looks_since = 0;
}

/* Each procedure, or line, that is new in a sample is one more. Tables are made again at once when
 * such a procedure has a hundredth of all time, or a twentieth of the last look's; else once in so
 * many looks. */
bool
live_sampled_has_more(struct live *l)
{
	enum { PART = 100, PART_OF_LOOK = 20, LOOKS = 10 };
	size_t i = l->sampled->rows_shown;
	bool more = (i < l->nr_rows || l->sampled->blocks_shown < l->nr_slots) &&
		    ++l->sampled->looks_since >= LOOKS;

	for (; i < l->nr_rows && !more; i++) {
		const struct live_procedure *row = &l->rows[i];

		more = row->now.total_ns * PART >= l->sums.now.ns ||
		       (row->now.total_ns - row->before.total_ns) * PART_OF_LOOK >=
			       l->sums.now.ns - l->sums.before.ns;
	}
	return more;
}
