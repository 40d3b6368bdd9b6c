#include "collect/import/sums/fold.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "collect/import/sums/member.h"
#include "collect/import/sums/spread.h"
#include "db/store/new_file.h"

/* The state of writing one file. */
struct writing {
	struct fold *f;
	FILE *out;
	struct folded_process **order; /* all of them, in their order */
	struct share **members;
	size_t nr_members;
	struct sum_section *sections;  /* of the members */
	struct strbuf texts;
	uint32_t *text_at;             /* per text of the places: where it is in TEXTS; 0: not */
	uint64_t at;
};

static int
compare_processes(const void *a, const void *b)
{
	return folded_compare(*(struct folded_process *const *)a,
			      *(struct folded_process *const *)b);
}

/* By program and build. */
static int
compare_programs(const void *a, const void *b, void *fold)
{
	const struct places *places = &((struct fold *)fold)->places;
	const struct share *x = *(struct share *const *)a, *y = *(struct share *const *)b;
	int by_name = strcmp(x->texts[RAW_TEXT_PROGRAM], y->texts[RAW_TEXT_PROGRAM]);
	int i, k;

	if (by_name)
		return by_name;
	i = fold_program_place(fold, x);
	k = fold_program_place(fold, y);
	if (i < 0 || k < 0)
		return i < 0 ? k >= 0 : -1;
	return memcmp(places->items[i].build_id, places->items[k].build_id,
		      sizeof(places->items[i].build_id));
}

static void
find_members(struct writing *w)
{
	struct fold *f = w->f;

	w->order = xcalloc(f->nr_processes, sizeof(*w->order));
	w->members = xcalloc(f->nr_programs + f->nr_kept, sizeof(*w->members));
	w->sections = xcalloc(f->nr_programs + f->nr_kept, sizeof(*w->sections));
	for (size_t i = 0; i < f->nr_processes; i++)
		w->order[i] = &f->processes[i];
	if (f->nr_processes)
		qsort(w->order, f->nr_processes, sizeof(*w->order), compare_processes);
	for (size_t i = 0; i < f->nr_programs; i++)
		w->members[w->nr_members++] = f->programs[i];
	if (f->nr_programs)
		qsort_r(w->members, f->nr_programs, sizeof(*w->members), compare_programs, f);
	for (size_t i = 0; i < f->nr_kept; i++)
		w->members[w->nr_members++] = f->processes[f->kept[i]].share;
}

/* WRITTEN becomes SECTION. */
static void
end(struct writing *w, struct sum_section *section, const struct summed_file *written)
{
	static const char zeros[8];

	*section = (struct sum_section){ w->at, written->length, written->checksum, 0 };
	fwrite(zeros, 1, (8 - written->length % 8) % 8, w->out);
	w->at += (written->length + 7) / 8 * 8;
}

static void
put(struct writing *w, struct sum_section *section, const void *data, size_t length)
{
	struct summed_file to = SUMMED_FILE(w->out);

	summed_file_add(&to, data, length);
	end(w, section, &to);
}

static int
put_members(struct writing *w, struct error *err)
{
	int status = 0;

	for (size_t i = 0; i < w->nr_members && !status; i++) {
		struct summed_file to = SUMMED_FILE(w->out);

		status = member_write(&to, &w->f->places, w->members[i], err);
		end(w, &w->sections[i], &to);
	}
	return status;
}

static uint32_t
text_at(void *writing, const char *text)
{
	struct writing *w = writing;
	size_t number = places_text_number(&w->f->places, text);

	if (*text && !w->text_at[number]) {
		w->text_at[number] = (uint32_t)w->texts.len;
		strbuf_add(&w->texts, text, strlen(text) + 1);
	}
	return w->text_at[number];
}

static void
find_spreads(struct writing *w, struct strbuf *out)
{
	const struct fold *f = w->f;
	uint32_t *numbers = xcalloc(f->nr_processes, sizeof(*numbers));

	for (size_t i = 0; i < f->nr_processes; i++)
		numbers[w->order[i] - f->processes] = (uint32_t)i;
	spreads_put(f, out, numbers, text_at, w);
	free(numbers);
}

static void
put_processes(struct writing *w, struct sum_head *h)
{
	struct summed_file to = SUMMED_FILE(w->out);
	struct strbuf spreads = STRBUF_INIT;

	for (size_t i = 0; i < w->nr_members; i++)
		w->members[i]->number = (uint32_t)i;
	strbuf_char(&w->texts, '\0');
	for (size_t i = 0; i < w->f->nr_processes; i++) {
		struct sum_process p = w->order[i]->of;

		p.host = text_at(w, w->order[i]->host);
		p.job = text_at(w, w->order[i]->job);
		p.member = w->order[i]->share->number;
		summed_file_add(&to, &p, sizeof(p));
	}
	end(w, &h->processes, &to);
	find_spreads(w, &spreads);
	put(w, &h->texts, w->texts.buf, w->texts.len);
	if (spreads.len)
		put(w, &h->spreads, spreads.buf, spreads.len);
	else
		h->version = SUM_WITHOUT_SPREADS;
	strbuf_release(&spreads);
}

/* Writes W to OUT, which stands at its begin. */
static int
write_head_and_all(struct writing *w, FILE *out, struct error *err)
{
	char page[RAW_PAGE] = { 0 };
	const size_t begin = offsetof(struct sum_head, raw_version);
	size_t end;
	struct sum_head h = { .version = SUM_VERSION, .raw_version = RAW_VERSION,
			      .keep = w->f->keep };

	w->out = out;
	w->at = sizeof(page);
	fwrite(page, 1, sizeof(page), out);
	find_members(w);
	if (put_members(w, err))
		return -1;
	put(w, &h.members, w->sections, w->nr_members * sizeof(*w->sections));
	put_processes(w, &h);
	memcpy(h.magic, SUM_MAGIC, sizeof(h.magic));
	end = h.version == SUM_VERSION ? sizeof(h) : offsetof(struct sum_head, spreads);
	h.checksum = raw_checksum(RAW_CHECKSUM_START, (char *)&h + begin, end - begin);
	if (fseeko(out, 0, SEEK_SET) || fwrite(&h, sizeof(h), 1, out) != 1)
		return error_set_errno(err, errno, "cannot write the sum");
	return 0;
}

static int
write_all(void *fold, FILE *out, struct error *err)
{
	return fold_write_to(fold, out, err);
}

int
fold_write_to(struct fold *f, FILE *out, struct error *err)
{
	struct writing w = { .f = f, .texts = STRBUF_INIT };
	int status;

	w.text_at = xcalloc(f->places.nr_texts + 1, sizeof(*w.text_at));
	status = write_head_and_all(&w, out, err);
	free(w.order);
	free(w.members);
	free(w.sections);
	free(w.text_at);
	strbuf_release(&w.texts);
	return status;
}

int
fold_write(struct fold *f, const char *path, bool passing, struct error *err)
{
	return new_file_write(path, passing ? NEW_FILE_PASSING : NEW_FILE_OVER, write_all, f, err);
}
