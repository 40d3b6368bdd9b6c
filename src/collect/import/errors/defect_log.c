#include "collect/import/errors/defect_log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/import/confine.h"
#include "collect/import/errors/defect_wire.h"
#include "collect/import/limited.h"
#include "util/input.h"
#include "util/text/path.h"

enum { LOOK_AT = 512 /* bytes */ };

/* ---- in the child ---- */

struct question { int fd; bool xml; };

static void
run_child(const void *question, int fd)
{
	const struct question *q = question;
	struct defect_draft d = {
		.to = fdopen(fd, "w"), .kind = STRBUF_INIT, .what = STRBUF_INIT,
		.frames = STRBUF_INIT,
	};

	confine(fd);
	if (!d.to)
		return;
	if (q->xml)
		defect_xml_read(q->fd, &d);
	else
		defect_text_read(q->fd, &d);
	fflush(d.to);
}

/* ---- its answer ---- */

struct answer {
	struct defect_log *log;
	bool done;
	struct error *err;
};

static uint32_t
small(uint64_t n)
{
	return n > INT32_MAX ? 0 : (uint32_t)n;
}

static uint64_t
count(uint64_t n)
{
	return n > INT64_MAX ? INT64_MAX : n;
}

static bool
take_error(struct answer *a, const uint64_t *n, const char *const *texts)
{
	struct defect_log *log = a->log;

	if (log->nr_defects == LOG_MAX_DEFECTS)
		return false;
	GROW(log->defects, log->nr_defects + 1, log->defects_alloc);
	log->defects[log->nr_defects++] = (struct logged_defect){
		.tool = texts[0], .kind = texts[1], .what = texts[2], .count = count(n[0]),
		.bytes = count(n[1]), .blocks = count(n[2]), .first_frame = log->nr_frames,
	};
	return true;
}

static bool
take_frame(struct answer *a, const uint64_t *n, const char *const *texts)
{
	struct defect_log *log = a->log;
	struct logged_defect *d = log->nr_defects ? &log->defects[log->nr_defects - 1] : NULL;

	if (!d || d->nr_frames == LOG_MAX_FRAMES || n[1] > ROLE_OF_OTHER)
		return false;
	GROW(log->frames, log->nr_frames + 1, log->frames_alloc);
	log->frames[log->nr_frames++] = (struct logged_frame){
		.stack = small(n[0]), .role = (enum defect_role)n[1], .depth = small(n[2]),
		.ip = n[3], .line = small(n[4]), .column = small(n[5]),
		.object = texts[0], .name = texts[1], .file = texts[2],
	};
	d->nr_frames++;
	return true;
}

static bool
take_count(struct answer *a, const uint64_t *n, const char *const *texts)
{
	(void)texts;
	if (n[0] >= a->log->nr_defects)
		return false;
	a->log->defects[n[0]].count = count(n[1]);
	return true;
}

static bool
take_end(struct answer *a, const uint64_t *n, const char *const *texts)
{
	(void)texts;
	a->log->cut = n[0] != 0;
	a->log->full = n[1] != 0;
	a->done = true;
	return true;
}

static bool
take_problem(struct answer *a, const uint64_t *n, const char *const *texts)
{
	(void)n;
	error_set(a->err, "%s", texts[0]);
	a->done = true;
	return false;
}

static bool (*const take[])(struct answer *, const uint64_t *, const char *const *) = {
	[DEFECT_ERROR] = take_error, [DEFECT_FRAME] = take_frame, [DEFECT_COUNT] = take_count,
	[DEFECT_END] = take_end, [DEFECT_PROBLEM] = take_problem,
};

static bool
take_message(void *answer, uint32_t kind, const char *data, size_t size)
{
	struct answer *a = answer;
	uint64_t numbers[DEFECT_NUMBERS];
	const char *texts[DEFECT_TEXTS], *end;

	if (kind >= sizeof(take) / sizeof(*take) || !take[kind] || size < sizeof(numbers))
		return false;
	memcpy(numbers, data, sizeof(numbers));
	data += sizeof(numbers);
	size -= sizeof(numbers);
	for (int i = 0; i < DEFECT_TEXTS; i++) {
		end = memchr(data, '\0', size);
		if (!end)
			return false;
		texts[i] = arena_strndup(&a->log->arena, data, (size_t)(end - data));
		size -= (size_t)(end + 1 - data);
		data = end + 1;
	}
	return take[kind](a, numbers, texts);
}

/* ---- reading ---- */

/* Skips what may stand before XML. */
static bool
is_xml(const char *begin, size_t nr)
{
	size_t i = nr >= 3 && !memcmp(begin, "\357\273\277", 3) ? 3 : 0;

	while (i < nr && strchr(" \t\r\n", begin[i]))
		i++;
	return i < nr && begin[i] == '<';
}

bool
defect_log_is(const char *path)
{
	char begin[LOOK_AT];
	struct error ignored = ERROR_INIT;
	size_t length = strlen(path);
	bool raw = length > 4 && !strcmp(path + length - 4, ".raw");
	struct stat st;
	ssize_t nr = -1;
	int fd = raw ? -1 : input_open(path, &st, &ignored);

	if (fd >= 0) {
		nr = input_read(fd, begin, sizeof(begin));
		close(fd);
	}
	return nr > 0 && !memchr(begin, '\0', (size_t)nr);
}

int
defect_log_read(struct defect_log *log, const char *path, struct error *err)
{
	struct answer a = { .log = log, .err = err };
	struct question q = { .xml = false };
	struct limited child = { .what = path, .run = run_child, .context = &q };
	struct strbuf bytes = STRBUF_INIT;
	struct error limits = ERROR_INIT, problem = ERROR_INIT;
	char begin[LOOK_AT];
	struct stat st;
	ssize_t nr;
	int status;

	*log = (struct defect_log){ .arena = ARENA_INIT };
	q.fd = input_open(path, &st, err);
	if (q.fd < 0)
		return -1;
	nr = input_read_at(q.fd, 0, begin, sizeof(begin));
	q.xml = nr > 0 && is_xml(begin, (size_t)nr);
	child.keep = &q.fd;
	child.nr_keep = 1;
	a.err = &problem;
	status = limited_ask(&child, &bytes, &limits, err);
	close(q.fd);
	limited_messages(&bytes, &a, take_message);
	strbuf_release(&bytes);
	if (limits.set)
		error_copy(err, &limits);
	else if (problem.set)
		error_set(err, "%s: %s", path, problem.text);
	else if (!a.done)
		limited_tell_end(&child, status, err);
	return err->set ? -1 : 0;
}

void
defect_log_release(struct defect_log *log)
{
	free(log->defects);
	free(log->frames);
	arena_release(&log->arena);
	*log = (struct defect_log){ .arena = ARENA_INIT };
}
