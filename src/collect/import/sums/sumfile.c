#include "collect/import/sums/sumfile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/import/sums/share_read.h"
#include "db/model/model.h"
#include "util/input.h"

bool
sumfile_is(const char *path)
{
	char magic[sizeof(((struct sum_head *)0)->magic)];
	struct error ignored = ERROR_INIT;
	struct stat st;
	int fd = input_open(path, &st, &ignored);
	bool is = fd >= 0 && input_read_at(fd, 0, magic, sizeof(magic)) == sizeof(magic) &&
		  !memcmp(magic, SUM_MAGIC, sizeof(magic));

	if (fd >= 0)
		close(fd);
	return is;
}

static int
damaged(const struct sumfile *s, const char *what, struct error *err)
{
	return error_set(err, "%s: damaged: %s", s->path, what);
}

static int
read_head(struct sumfile *s, struct error *err)
{
	const size_t begin = offsetof(struct sum_head, raw_version);
	struct sum_head *h = &s->head;
	size_t end = sizeof(*h);

	if (s->size < RAW_PAGE)
		return error_set(err, "%s: cut off after %" PRIu64 " bytes", s->path, s->size);
	if (input_exactly(s->fd, s->path, 0, h, sizeof(*h), err))
		return -1;
	if (memcmp(h->magic, SUM_MAGIC, sizeof(h->magic)))
		return error_set(err, "%s: no sum of cgview", s->path);
	if (h->version == SUM_WITHOUT_SPREADS)
		end = offsetof(struct sum_head, spreads);
	else if (h->version != SUM_VERSION)
		end = 0;
	if (!end || h->raw_version != RAW_VERSION)
		return error_set(err, "%s: a sum of version %u.%u, this cgview reads version "
				 "%d.%d: make it anew with the cgview that is beside this one",
				 s->path, h->version, h->raw_version, SUM_VERSION, RAW_VERSION);
	if (h->checksum != raw_checksum(RAW_CHECKSUM_START, (char *)h + begin, end - begin))
		return damaged(s, "the checksum of its head is wrong", err);
	return 0;
}

static int
check_place(const struct sumfile *s, const struct sum_section *at, struct error *err)
{
	if (at->offset < RAW_PAGE || at->offset % 8 || at->offset > s->size ||
	    at->length > s->size - at->offset)
		return error_set(err, "%s: cut off or damaged: a part of it is not in the file",
				 s->path);
	return 0;
}

static int
check_sum(const struct sumfile *s, const struct sum_section *at, struct error *err)
{
	static const size_t most = 1 << 16;
	uint32_t sum = RAW_CHECKSUM_START;
	char *room = xmalloc(most);
	uint64_t done = 0;
	int status = 0;

	while (done < at->length && !status) {
		size_t n = at->length - done < most ? (size_t)(at->length - done) : most;

		status = input_exactly(s->fd, s->path, at->offset + done, room, n, err);
		if (!status)
			sum = raw_checksum(sum, room, n);
		done += n;
	}
	free(room);
	if (!status && sum != at->checksum)
		status = damaged(s, "a checksum is wrong", err);
	return status;
}

/* Returns the content of AT, of NR items of SIZE bytes; heap. NULL and ERR. */
static void *
read_section(const struct sumfile *s, const struct sum_section *at, size_t size, size_t *nr,
	     struct error *err)
{
	void *to;

	if (check_place(s, at, err) || check_sum(s, at, err))
		return NULL;
	if (at->length % size || !at->length || at->length / size > UINT32_MAX) {
		damaged(s, "a table of it has a length that none can have", err);
		return NULL;
	}
	*nr = at->length / size;
	to = xmalloc(at->length);
	if (!input_exactly(s->fd, s->path, at->offset, to, at->length, err))
		return to;
	free(to);
	return NULL;
}

static int
check_processes(struct sumfile *s, size_t text_length, struct error *err)
{
	bool *used = xcalloc(s->nr_members, sizeof(*used)), bad = false;
	size_t i, kept = 0, nr_used = 0;

	for (i = 0; i < s->nr_processes && !bad; i++) {
		const struct sum_process *p = &s->processes[i];

		bad = p->member >= s->nr_members || p->host >= text_length ||
		      p->job >= text_length || p->rank < -1;
		if (bad)
			break;
		nr_used += !used[p->member];
		used[p->member] = true;
	}
	free(used);
	/* The first ones were kept; their members are the last ones. */
	while (!bad && kept < s->nr_processes && kept < s->head.keep)
		kept++;
	bad |= nr_used != s->nr_members || kept > s->nr_members;
	for (i = 0; i < s->nr_processes && !bad; i++)
		bad = i < kept ? s->processes[i].member != s->nr_members - kept + i
			       : s->processes[i].member >= s->nr_members - kept;
	s->nr_kept = kept;
	return bad ? damaged(s, "its table of processes contradicts itself", err) : 0;
}

bool
sumfile_spread(const struct sumfile *s, size_t *at, const struct sum_spread **spread,
	       const struct sum_spread_row **rows)
{
	const char *next = s->spreads + *at;

	if (*at >= s->spreads_length)
		return false;
	*spread = (const struct sum_spread *)next;
	*rows = (const struct sum_spread_row *)(next + sizeof(**spread));
	*at += sizeof(**spread) + (size_t)(*spread)->nr_rows * sizeof(**rows);
	return true;
}

static bool
is_row(const struct sumfile *s, const struct sum_spread *of, const struct sum_spread_row *r,
       const struct sum_spread_row *before)
{
	return r->procedure < of->nr_procedures && r->figure < SUM_SPREAD_FIGURES &&
	       (!before || before->procedure < r->procedure ||
		(before->procedure == r->procedure && before->figure < r->figure)) &&
	       r->some && r->some <= of->processes && r->sum && r->least <= r->most &&
	       r->most && r->most <= r->sum && !r->least == (r->some < of->processes) &&
	       r->least_at < s->nr_processes && r->most_at < s->nr_processes;
}

static int
read_spreads(struct sumfile *s, size_t text_length, struct error *err)
{
	const struct sum_spread *of;
	const struct sum_spread_row *rows;
	bool good = true;

	if (s->head.version == SUM_WITHOUT_SPREADS)
		return 0;
	s->spreads = read_section(s, &s->head.spreads, 1, &s->spreads_length, err);
	if (!s->spreads)
		return -1;
	for (size_t at = 0, left; at < s->spreads_length && good;) {
		left = s->spreads_length - at;
		of = (const struct sum_spread *)(s->spreads + at);
		good = left >= sizeof(*of) &&
		       of->nr_rows <= (left - sizeof(*of)) / sizeof(*rows) &&
		       of->path < text_length && of->build_id_length <= sizeof(of->build_id) &&
		       of->nr_procedures <= SUM_MOST_PROCEDURES && of->processes &&
		       of->processes <= s->nr_processes && of->first < s->nr_processes;
		if (!good)
			break;
		sumfile_spread(s, &at, &of, &rows);
		for (size_t i = 0; i < of->nr_rows && good; i++)
			good = is_row(s, of, &rows[i], i ? &rows[i - 1] : NULL);
	}
	return good ? 0 : damaged(s, "a spread of it contradicts itself", err);
}

static int
read_tables(struct sumfile *s, struct error *err)
{
	size_t length = 0;

	s->members = read_section(s, &s->head.members, sizeof(*s->members), &s->nr_members, err);
	if (!s->members)
		return -1;
	s->processes = read_section(s, &s->head.processes, sizeof(*s->processes),
				    &s->nr_processes, err);
	if (!s->processes)
		return -1;
	s->texts = read_section(s, &s->head.texts, 1, &length, err);
	if (!s->texts)
		return -1;
	if (s->texts[length - 1] || s->texts[0])
		return damaged(s, "its texts have no end", err);
	for (size_t i = 0; i < s->nr_members; i++) {
		if (check_place(s, &s->members[i], err) || check_sum(s, &s->members[i], err))
			return -1;
		if (s->members[i].offset % RAW_PAGE)
			return damaged(s, "a member begins within a page", err);
	}
	return check_processes(s, length, err) || read_spreads(s, length, err) ? -1 : 0;
}

int
sumfile_open(struct sumfile *s, const char *path, struct error *err)
{
	struct stat st;

	*s = (struct sumfile){ .path = xstrdup(path) };
	s->fd = input_open(path, &st, err);
	if (s->fd >= 0) {
		s->size = (uint64_t)st.st_size;
		s->owner = st.st_uid;
		if (!read_head(s, err) && !read_tables(s, err))
			return 0;
	}
	sumfile_close(s);
	return -1;
}

void
sumfile_close(struct sumfile *s)
{
	if (s->fd >= 0)
		close(s->fd);
	free(s->path);
	free(s->members);
	free(s->processes);
	free(s->texts);
	free(s->spreads);
	*s = (struct sumfile){ .fd = -1 };
}

static int
check_member(const struct rawfile *r, struct error *err)
{
	struct sum_facts facts;
	struct sum_stack_reader stacks = { .damaged = false };

	if (r->missing || r->damaged || !r->nr_modules)
		return error_set(err, "%s: damaged: its parts contradict themselves", r->path);
	for (size_t i = 0; i < r->nr_parts && !stacks.damaged; i++) {
		if (r->parts[i].kind != SUM_STACKS)
			continue;
		sum_stacks_begin(&stacks, r, &r->parts[i]);
		while (sum_stacks_next(&stacks))
			;
	}
	if (stacks.damaged)
		return error_set(err, "%s: damaged: some of its stacks are none", r->path);
	return sum_facts_read(r, &facts, err);
}

int
sumfile_member(const struct sumfile *s, size_t i, struct rawfile *r, struct error *err)
{
	const struct sum_section *at = &s->members[i];
	int status = rawfile_open_member(r, s->path, s->fd, at->offset, at->length, s->owner, err);

	if (!status && check_member(r, err)) {
		rawfile_close(r);
		status = -1;
	}
	return status;
}

char *
sumfile_ids(const struct sumfile *s, size_t i)
{
	struct strbuf sb = STRBUF_INIT;
	const size_t most = SUMFILE_MOST_IDS * (RAW_ID + 1) - 1;

	for (size_t k = 0; k < s->nr_processes; k++)
		if (s->processes[k].member == i && sb.len < most)
			strbuf_fmt(&sb, "%s%0*" PRIx64, sb.len ? " " : "", RAW_ID,
				   s->processes[k].id);
	return strbuf_take(&sb);
}

void
sumfile_owners(const struct sumfile *s, struct owners *o)
{
	owners_add(o, s->owner);
	for (size_t i = 0; i < s->nr_processes; i++)
		if (!i || s->processes[i].uid != s->processes[i - 1].uid)
			owners_add(o, s->processes[i].uid);
}
