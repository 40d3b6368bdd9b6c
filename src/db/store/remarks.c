#include "db/store/remarks.h"

#include <errno.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "db/store/connection.h"
#include "db/store/load.h"
#include "db/store/new_file.h"
#include "db/store/writer.h"
#include "util/input.h"
#include "util/order.h"

/* ---- reading ---- */

#define BIT(table) ((uint64_t)1 << (table))

static int
compare_remarks(const void *a, const void *b)
{
	const struct model_remark *x = a, *y = b;

	COMPARE(x->place.file, y->place.file);
	COMPARE(x->place.line, y->place.line);
	COMPARE(x->place.column, y->place.column);
	return strcmp(x->text, y->text);
}

void
remarks_release(struct remarks *r)
{
	model_release(&r->m);
	*r = (struct remarks){ .items = NULL };
}

void
remarks_read(struct remarks *r, struct profile *p)
{
	struct error err = ERROR_INIT;

	remarks_release(r);
	model_init(&r->m);
	if (p && !model_load_tables(&r->m, p, BIT(TABLE_REMARK), &err)) {
		r->items = r->m.remarks;
		r->nr = r->m.nr_remarks;
	}
	if (r->nr)
		qsort(r->items, r->nr, sizeof(*r->items), compare_remarks);
}

const struct model_remark *
remarks_on(const struct remarks *r, model_id file, uint32_t line, size_t *nr)
{
	const struct model_remark wanted = { .place = { .file = file, .line = line }, .text = "" };
	size_t lo = 0, hi = r->nr, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (compare_remarks(&r->items[mid], &wanted) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (hi = lo; file && hi < r->nr && r->items[hi].place.file == file &&
	     r->items[hi].place.line == line; hi++)
		;
	*nr = hi - lo;
	return r->items + lo;
}

/* ---- writing ---- */

/* Returns TEXT as it is stored: one line, no longer than REMARK_MAX. */
static char *
stored_text(struct model *m, const char *text)
{
	size_t n = strlen(text);
	char *s;

	if (n > REMARK_MAX) {
		n = REMARK_MAX;
		while (n && ((unsigned char)text[n] & 0xc0) == 0x80)
			n--;
	}
	s = arena_alloc(&m->arena, n + 1);
	memcpy(s, text, n);
	s[n] = '\0';
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)s[i] < ' ' || s[i] == 0x7f)
			s[i] = ' ';
	return s;
}

static int64_t
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Is NOW, read from P's file, what P is but for the remarks? Ids mean the same then. */
static bool
is_same(const struct profile_totals *p, const struct profile_totals *now)
{
	return p->run.started_ns == now->run.started_ns && p->nr_runs == now->nr_runs &&
	       p->nr_files == now->nr_files && p->nr_procedures == now->nr_procedures &&
	       p->nr_blocks == now->nr_blocks && p->nr_ranges == now->nr_ranges &&
	       p->nr_lines == now->nr_lines && p->self_ns == now->self_ns &&
	       p->blocks_executed == now->blocks_executed;
}

/* Makes REMARK one of M's, in place of the one that WAS; removes it if it has no text. */
static int
change(struct model *m, const struct model_remark *remark, const char *was, const char *path,
       struct error *err)
{
	struct model_remark *r = NULL;

	for (size_t i = 0; was && i < m->nr_remarks && !r; i++)
		if (place_same(&m->remarks[i].place, &remark->place) &&
		    m->remarks[i].procedure == remark->procedure &&
		    m->remarks[i].path_line == remark->path_line &&
		    !strcmp(m->remarks[i].text, was))
			r = &m->remarks[i];
	if (was && !r)
		return error_set(err, "this remark in %s was changed by another program: open the "
				      "profile again", path);
	if (!r && !*remark->text)
		return 0;
	if (!*remark->text) {
		m->nr_remarks--;
		memmove(r, r + 1, (size_t)(m->remarks + m->nr_remarks - r) * sizeof(*r));
		return 0;
	}
	if (!r) {
		r = MODEL_ADD(m, remarks);
		*r = *remark;
	}
	r->text = stored_text(m, remark->text);
	r->written_ns = now_ns();
	return 0;
}

/* Where the file system shares what two files have in common, nothing is copied. */
static int
copy_bytes(const char *path, int from, int to, uint64_t size, struct error *err)
{
	enum { PIECE = 1 << 16 };
	char *buffer;
	uint64_t at = 0;
	int status = 0;

	if (!ioctl(to, FICLONE, from))
		return 0;
	buffer = xmalloc(PIECE);
	while (at < size && !status) {
		size_t n = size - at < PIECE ? (size_t)(size - at) : PIECE;

		status = input_exactly(from, path, at, buffer, n, err);
		for (size_t done = 0; done < n && !status;) {
			ssize_t put = write(to, buffer + done, n - done);

			if (put < 0 && errno != EINTR)
				status = error_set_errno(err, errno, "cannot write beside %s",
							 path);
			done += put > 0 ? (size_t)put : 0;
		}
		at += n;
	}
	free(buffer);
	return status;
}

/* Makes F a copy of PATH, for those who may read that, and notes what was SEEN there. */
static int
copy_file(const char *path, struct new_file *f, struct file_seen *seen, struct error *err)
{
	struct stat st;
	int fd, status;

	file_see(seen, path);
	fd = input_open(path, &st, err);
	if (fd < 0)
		return -1;
	status = copy_bytes(path, fd, f->fd, (uint64_t)st.st_size, err);
	if (!status && fchmod(f->fd, st.st_mode & 0777))
		status = error_set_errno(err, errno, "cannot write beside %s", path);
	close(fd);
	return status;
}

/* Changes the copy COPY of P's file PATH. */
static int
change_copy(const char *copy, const char *path, struct profile *p,
	    const struct model_remark *remark, const char *was, struct error *err)
{
	struct profile *now = profile_open(copy, err);
	struct model m;
	int status = now ? 0 : -1;

	if (!now)
		return error_set(err, "%s is another file now: open it again", path);
	model_init(&m);
	if (!is_same(&p->totals, &now->totals))
		status = error_set(err, "%s was written by another program meanwhile: open it "
				   "again", path);
	if (!status)
		status = model_load_tables(&m, now, BIT(TABLE_REMARK) | BIT(TABLE_FILE), err);
	if (!status)
		status = change(&m, remark, was, path, err);
	if (!status)
		status = profile_store_table(copy, now->others.version, &m, TABLE_REMARK, path,
					     err);
	model_release(&m);
	profile_close(now);
	return status;
}

int
remark_write(struct profile *p, const struct model_remark *remark, const char *was,
	     struct error *err)
{
	const char *path = profile_path(p);
	struct file_lock lock = { .name = NULL };
	struct new_file f = { .fd = -1 };
	struct file_seen seen;
	char *target;
	int status;

	/* It is replaced, which its directory might allow where the file itself does not. */
	if (access(path, W_OK) < 0)
		return error_set_errno(err, errno, "%s cannot be written", path);
	target = file_meant(path, err);
	status = target ? file_lock_take(&lock, target, NULL, err) : -1;
	if (!status)
		status = new_file_begin(&f, path, err);
	if (!status)
		status = copy_file(path, &f, &seen, err);
	if (!status)
		status = change_copy(f.name, path, p, remark, was, err);
	if (!status)
		status = new_file_put(&f, false, &seen, err);
	if (status > 0)
		status = error_set(err, "%s was written by another program meanwhile: try again",
				   path);
	new_file_end(&f);
	file_lock_release(&lock);
	free(target);
	return status;
}
