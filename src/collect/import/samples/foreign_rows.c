#include "collect/import/samples/foreign_rows.h"

#include <stdlib.h>
#include <string.h>

#include "collect/import/elf/demangle.h"

struct foreign_vote { const char *module; uint64_t samples; };

static const char kernel_module[] = "kernel";

void
foreign_rows_release(struct foreign_rows *f)
{
	for (size_t i = 0; i < f->nr; i++)
		free(f->rows[i].votes);
	free(f->rows);
	index_release(&f->ix);
	*f = (struct foreign_rows){ .nr = 0 };
}

static bool
same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* One name is one function, whatever library is seen at first: the first call of it leads through
 * the dynamic linker. Without a name it is all of its library. */
static bool
row_equal(const void *ctx, uint32_t item, const void *key)
{
	const struct foreign_row *r = &((const struct foreign_rows *)ctx)->rows[item], *k = key;

	return r->kernel == k->kernel && same_text(r->name, k->name) &&
	       (r->name || r->kernel || same_text(r->module, k->module));
}

static uint64_t
hash_row(const struct foreign_row *r)
{
	const char *text = r->name ? r->name : r->kernel || !r->module ? "" : r->module;

	return hash_text(hash_number(HASH_START, (uint64_t)r->kernel << 1 | !r->name), text);
}

/* The key of the row of what was called. The call site knows best what that is: libraries have
 * several names and versions of one function, most of them not exported. */
static struct foreign_row
key_of_called(const struct foreign_segment *s)
{
	return (struct foreign_row){
		.name = s->target ? s->target : s->called->name, .module = s->called->module,
	};
}

/* The key of the row that a segment's time is in. */
static struct foreign_row
key_of(const struct foreign_segment *s)
{
	struct foreign_row key = key_of_called(s);

	if (!s->kernel)
		return key;
	key.kernel = true;
	key.enters = s->kernel == s->called;
	if (s->kernel->name && !key.enters)
		key.name = s->kernel->name;
	return key;
}

static void
vote(struct foreign_row *r, const char *module, uint64_t samples)
{
	size_t i;

	for (i = 0; i < r->nr_votes && strcmp(r->votes[i].module, module); i++)
		;
	if (i == r->nr_votes) {
		GROW(r->votes, r->nr_votes + 1, r->votes_alloc);
		r->votes[r->nr_votes++] = (struct foreign_vote){ .module = module };
	}
	r->votes[i].samples += samples;
}

/* Is it the dynamic linker, at work to find what was called? */
static bool
only_loads(const struct foreign_segment *s)
{
	static const char loader[] = "ld-";

	return s->target && !same_text(s->target, s->called->name) && s->called->module &&
	       !strncmp(s->called->module, loader, strlen(loader));
}

static void
note(struct foreign_rows *f, struct foreign_row key, const struct foreign_segment *s,
     uint64_t samples)
{
	uint64_t h = hash_row(&key);
	uint32_t i = index_find(&f->ix, h, row_equal, f, &key);

	if (!key.name && !key.module && !key.kernel)
		return;
	if (i == INDEX_NONE) {
		GROW(f->rows, f->nr + 1, f->alloc);
		i = (uint32_t)f->nr++;
		f->rows[i] = key;
		index_add(&f->ix, h, i);
	}
	f->rows[i].enters |= key.enters;
	if (key.module && !only_loads(s))
		vote(&f->rows[i], key.module, samples);
}

void
foreign_rows_note(struct foreign_rows *f, const struct foreign_segment *s, uint64_t samples)
{
	note(f, key_of(s), s, samples);
	if (s->kernel)
		note(f, key_of_called(s), s, samples);
}

static const struct foreign_row *
find(const struct foreign_rows *f, struct foreign_row key)
{
	uint32_t i = index_find(&f->ix, hash_row(&key), row_equal, f, &key);

	return i == INDEX_NONE ? NULL : &f->rows[i];
}

/* A function of libc and its work in the kernel share one row: it is one call. */
static const struct foreign_row *
in_kernel(const struct foreign_rows *f, struct foreign_row key)
{
	const struct foreign_row *r;

	key.kernel = true;
	r = key.name ? find(f, key) : NULL;
	return r && r->enters ? r : NULL;
}

static const char *
most_votes(const struct foreign_row *r)
{
	const struct foreign_vote *best = NULL, *v;

	for (size_t i = 0; i < r->nr_votes; i++) {
		v = &r->votes[i];
		if (!best || v->samples > best->samples ||
		    (v->samples == best->samples && strcmp(v->module, best->module) < 0))
			best = v;
	}
	return best ? best->module : NULL;
}

static void
add_procedure(struct foreign_row *r, struct model *m)
{
	const char *name = r->name ? r->name : "";
	const char *module = r->kernel ? kernel_module : most_votes(r);
	struct model_procedure *p = MODEL_ADD(m, procedures);
	struct strbuf shown = STRBUF_INIT;

	if (!demangle(&shown, name, DEMANGLE_SHORT))
		strbuf_str(&shown, name);
	if (module)
		strbuf_fmt(&shown, "%s(%s)", *name ? " " : "", module);
	*p = (struct model_procedure){
		.name = arena_strdup(&m->arena, shown.buf),
		.linkage_name = arena_strdup(&m->arena, name),
		.module = module ? arena_strdup(&m->arena, module) : "",
		.flags = PROCEDURE_STATIC | PROCEDURE_ARTIFICIAL | PROCEDURE_FOREIGN,
	};
	strbuf_release(&shown);
	r->procedure = (model_id)m->nr_procedures;
}

void
foreign_rows_settle(struct foreign_rows *f, struct model *m)
{
	/* Calls by name are those of the library's row, which is first where the kernel has one of
	 * that name, too. */
	for (size_t i = 0; i < f->nr; i++)
		if (!f->rows[i].kernel && !in_kernel(f, f->rows[i]))
			add_procedure(&f->rows[i], m);
	for (size_t i = 0; i < f->nr; i++)
		if (f->rows[i].kernel)
			add_procedure(&f->rows[i], m);
}

static model_id
procedure_of(const struct foreign_rows *f, struct foreign_row key)
{
	const struct foreign_row *r = key.kernel ? NULL : in_kernel(f, key);

	if (!r)
		r = find(f, key);
	return r ? r->procedure : 0;
}

model_id
foreign_rows_find(const struct foreign_rows *f, const struct foreign_segment *s)
{
	return procedure_of(f, key_of(s));
}

model_id
foreign_rows_called(const struct foreign_rows *f, const struct foreign_segment *s)
{
	model_id called = procedure_of(f, key_of_called(s));

	return called != foreign_rows_find(f, s) ? called : 0;
}
