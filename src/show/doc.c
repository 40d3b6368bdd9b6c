#include "show/doc.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/store/texts.h"
#include "util/input.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/text/lines.h"
#include "util/text/safe.h"

/* Longer lines have their columns remembered every STEP bytes. */
enum { LONG_LINE = 16 * 1024, STEP = 4096, LONG_LINES = 64 };

struct long_line {
	uint32_t line;
	size_t nr;
	struct {
		size_t byte;
		int column;
	} *points;
};

void
docs_init(struct docs *docs, struct profile *profile)
{
	memset(docs, 0, sizeof(*docs));
	docs->profile = profile;
	remarks_read(&docs->remarks, profile);
}

static void
drop_figures(struct doc *doc)
{
	free(doc->ranges);
	free(doc->lines);
	free(doc->sites);
	conditions_release(&doc->conditions);
	doc->ranges = NULL;
	doc->lines = NULL;
	doc->sites = NULL;
	doc->nr_ranges = doc->nr_figures = doc->nr_sites = 0;
	doc->first = doc->last = 0;
}

static void
doc_free(struct doc *doc)
{
	int i;

	if (!doc)
		return;
	drop_figures(doc);
	for (i = 0; doc->long_lines && i < LONG_LINES; i++)
		free(doc->long_lines[i].points);
	free(doc->long_lines);
	texts_let_go(doc->held);
	free(doc);
}

void
docs_release(struct docs *docs)
{
	int i;

	for (i = 0; i < DOCS_KEPT; i++)
		doc_free(docs->docs[i]);
	remarks_release(&docs->remarks);
	memset(docs, 0, sizeof(*docs));
}

void
docs_forget_figures(struct docs *docs)
{
	docs->change = true;
	for (int i = 0; i < DOCS_KEPT; i++)
		if (docs->docs[i])
			drop_figures(docs->docs[i]);
}

/* ---- the file on disk ---- */

/* Computes FNV-1a of what FD still holds. Returns -1 and errno when it cannot be read. */
static int
hash_of(int fd, uint64_t *hash)
{
	unsigned char buf[64 * 1024];
	uint64_t h = 0xcbf29ce484222325u;
	ssize_t n, i;

	while ((n = input_read(fd, buf, sizeof(buf))) > 0)
		for (i = 0; i < n; i++)
			h = (h ^ buf[i]) * 0x100000001b3u;
	*hash = h;
	return n ? -1 : 0;
}

/* The path is from outside: only a regular file is opened. */
void
doc_check_disk(struct doc *doc)
{
	struct error err = ERROR_INIT;
	struct stat st;
	uint64_t hash;
	int fd;

	doc->disk = DISK_ABSENT;
	if (!doc->text)
		return;
	fd = input_open(doc->file->path, &st, &err);
	doc->disk_errnum = err.errnum;
	if (fd < 0) {
		if (err.errnum != ENOENT && err.errnum != ENOTDIR && err.errnum != EINVAL)
			doc->disk = DISK_UNREADABLE;
		return;
	}
	doc->disk = DISK_DIFFERS;
	if ((uint64_t)st.st_size != doc->file->size) {
		;
	} else if (hash_of(fd, &hash)) {
		doc->disk_errnum = errno;
		doc->disk = DISK_UNREADABLE;
	} else if (hash == doc->file->hash) {
		doc->disk = DISK_SAME;
	}
	close(fd);
}

/* ---- keeping files ---- */

static struct doc *
doc_load(struct docs *docs, model_id id)
{
	const struct profile_file *file = profile_file(docs->profile, id);
	struct doc *doc;

	if (!file)
		return NULL;
	doc = xcalloc(1, sizeof(*doc));
	doc->file = file;
	doc->held = texts_hold(profile_texts(docs->profile), id);
	doc->text = doc->held->lines.text;
	doc->size = doc->held->lines.size;
	doc->starts = doc->held->lines.starts;
	doc->nr_lines = doc->held->lines.nr;
	doc_check_disk(doc);
	return doc;
}

struct doc *
docs_get(struct docs *docs, model_id id)
{
	int i, oldest = 0;

	if (!id)
		return NULL;
	docs->clock++;
	for (i = 0; i < DOCS_KEPT; i++) {
		if (docs->docs[i] && docs->docs[i]->file->id == id) {
			docs->docs[i]->used = docs->clock;
			return docs->docs[i];
		}
	}
	for (i = 0; i < DOCS_KEPT; i++) {
		if (!docs->docs[i]) {
			oldest = i;
			break;
		}
		if (docs->docs[i]->used < docs->docs[oldest]->used)
			oldest = i;
	}
	doc_free(docs->docs[oldest]);
	docs->docs[oldest] = doc_load(docs, id);
	if (docs->docs[oldest])
		docs->docs[oldest]->used = docs->clock;
	return docs->docs[oldest];
}

void
docs_put_remarks(struct strbuf *out, const struct docs *docs, model_id file, uint32_t line)
{
	const struct model_remark *r;
	size_t nr;

	r = remarks_on(&docs->remarks, file, line, &nr);
	for (size_t i = 0; i < nr; i++) {
		strbuf_str(out, i ? "  \" " : "\" ");
		safe_text(out, r[i].text, strnlen(r[i].text, REMARK_MAX));
	}
}

const char *
doc_line(const struct doc *doc, uint32_t line, size_t *length)
{
	return lines_get(&doc->held->lines, line, length);
}

/* ---- figures ---- */

/* The number of lines fetched before and behind those that are asked for; when figures change, most
 * of these would never be seen. */
enum { MARGIN = 100, MARGIN_OF_CHANGING = 20 };

/* Sorts by begin, outer before inner, like ranges. */
static int
compare_sites(const void *pa, const void *pb)
{
	const struct site_row *x = pa, *y = pb;
	const struct place *a = &x->place, *b = &y->place;

	COMPARE(a->line, b->line);
	COMPARE(a->column, b->column);
	COMPARE(b->end_line, a->end_line);
	COMPARE(b->end_column, a->end_column);
	return x->id < y->id ? -1 : x->id > y->id;
}

void
doc_window(struct docs *docs, struct doc *doc, uint32_t first, uint32_t last)
{
	const uint32_t margin = docs->change ? MARGIN_OF_CHANGING : MARGIN;

	if (doc->first && doc->first <= first && last <= doc->last)
		return;
	drop_figures(doc);
	doc->first = first > margin ? first - margin : 1;
	doc->last = last < UINT32_MAX - margin ? last + margin : last;
	doc->nr_ranges = profile_ranges(docs->profile, doc->file->id, doc->first, doc->last,
					&doc->ranges);
	doc->nr_figures = profile_lines(docs->profile, doc->file->id, doc->first, doc->last,
					&doc->lines);
	doc->nr_sites = profile_sites(docs->profile, doc->file->id, doc->first, doc->last,
				      &doc->sites);
	profile_conditions_at(docs->profile, doc->file->id, doc->first, doc->last,
			      &doc->conditions);
	if (doc->nr_sites)
		qsort(doc->sites, doc->nr_sites, sizeof(*doc->sites), compare_sites);
}

const struct line_row *
doc_figures(const struct doc *doc, uint32_t line)
{
	size_t low = 0, high = doc->nr_figures, i;

	while (low < high) {
		i = low + (high - low) / 2;
		if (doc->lines[i].line == line)
			return &doc->lines[i];
		if (doc->lines[i].line < line)
			low = i + 1;
		else
			high = i;
	}
	return NULL;
}

/* ---- columns ---- */

static int
char_width(int32_t c, int column)
{
	return c == '\t' ? TAB_WIDTH - column % TAB_WIDTH : safe_width_char(c);
}

/* Returns the columns every STEP bytes of LINE, computed when first asked for. */
static const struct long_line *
long_line(struct doc *doc, uint32_t line, const char *s, size_t n)
{
	struct long_line *l;
	size_t i, alloc = 0, next = 0;
	int column = 0;
	int32_t c;

	if (!doc->long_lines)
		doc->long_lines = xcalloc(LONG_LINES, sizeof(*doc->long_lines));
	l = &doc->long_lines[line % LONG_LINES];
	if (l->line == line)
		return l;
	free(l->points);
	l->points = NULL;
	l->nr = 0;
	l->line = line;
	for (i = 0; i < n;) {
		if (i >= next) {
			GROW(l->points, l->nr + 1, alloc);
			l->points[l->nr].byte = i;
			l->points[l->nr++].column = column;
			next = i + STEP;
		}
		i += utf8_decode(s + i, n - i, &c);
		column += char_width(c, column);
		if (column > INT_MAX / 2)
			break;
	}
	return l;
}

/* Finds a start at or before BYTE and COLUMN, whichever comes first. */
static void
nearest(struct doc *doc, uint32_t line, const char *s, size_t n, size_t byte, int column,
	size_t *at_byte, int *at_column)
{
	const struct long_line *l;
	size_t i;

	*at_byte = 0;
	*at_column = 0;
	if (n < LONG_LINE)
		return;
	l = long_line(doc, line, s, n);
	for (i = 0; i < l->nr; i++) {
		if (l->points[i].byte > byte || l->points[i].column > column)
			break;
		*at_byte = l->points[i].byte;
		*at_column = l->points[i].column;
	}
}

int
doc_column(struct doc *doc, uint32_t line, size_t byte)
{
	size_t n, i;
	const char *s = doc_line(doc, line, &n);
	int column;
	int32_t c;

	nearest(doc, line, s, n, byte, INT_MAX, &i, &column);
	while (i < n && i < byte && column < INT_MAX / 2) {
		i += utf8_decode(s + i, n - i, &c);
		column += char_width(c, column);
	}
	return column;
}

size_t
doc_byte(struct doc *doc, uint32_t line, int column, int *at)
{
	size_t n, i, step;
	const char *s = doc_line(doc, line, &n);
	int now, w;
	int32_t c;

	nearest(doc, line, s, n, SIZE_MAX, column, &i, &now);
	while (i < n) {
		step = utf8_decode(s + i, n - i, &c);
		w = char_width(c, now);
		if (now + w > column)
			break;
		now += w;
		i += step;
	}
	*at = now;
	return i;
}
