#include "cmd/make/apart.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/make/error_logs.h"
#include "cmd/make/make_profile.h"
#include "cmd/make/raw_check.h"
#include "collect/import/confine.h"
#include "collect/import/foreign/foreign_format.h"
#include "collect/import/limited.h"
#include "collect/import/reading.h"
#include "db/store/new_file.h"
#include "db/store/writer.h"
#include "util/mem.h"
#include "util/text/safe.h"

/* What is kept of a file is not more than a browser can show: 1 GB of callgrind's lines takes 0.3
 * GB, and 15 s. Reading a file takes longer if it is longer. */
enum { CPU_S = 600, MEGABYTES_A_S = 2, MEMORY_MB = 8192, FILE_MB = 16384 };

/* Files that are shorter are read in no time. */
enum { LONG_MB = 4 };

enum said { SAID_FAILURE = 1, SAID_POINTLESS, SAID_NOTES, SAID_LINE, SAID_LOGS, SAID_DONE };

struct job {
	const char *const *paths;
	size_t nr;
	const struct make_options *o;
	const char *target;
	int file;
	bool is_long;
};

/* ---- the process with limits ---- */

static struct make_shown reading = { .percent = -1 }, writing = { .percent = -1 };
static struct strbuf speaker = STRBUF_INIT;

/* Before die() says its line: there is no memory, here either. */
static void
before_death(void)
{
	make_shown_end(&reading);
	make_shown_end(&writing);
	error_program(speaker.buf);
}

static void
say(int fd, enum said kind, const void *data, size_t size)
{
	const struct wire_head h = { kind, (uint32_t)size };
	const char *parts[] = { (const char *)&h, data };
	const size_t sizes[] = { sizeof(h), size };

	for (int i = 0; i < 2; i++)
		for (size_t at = 0; at < sizes[i];) {
			ssize_t n = write(fd, parts[i] + at, sizes[i] - at);

			if (n < 0)
				_exit(1);
			at += (size_t)n;
		}
}

static int
make(const struct job *job, struct model *m, struct error_logs *logs, struct error *err)
{
	const struct raw_check none = { .paths = NULL };
	int status;

	reading_watch(make_shown_begin(&reading, "reading", job->is_long));
	status = make_profile_model(m, job->paths, job->nr, job->o, &none, logs, err);
	make_shown_end(&reading);
	if (status)
		return status;
	status = profile_store_open(job->file, m,
				    make_shown_begin(&writing, "writing",
						     make_profile_is_large(m)),
				    job->target, err);
	make_shown_end(&writing);
	return status;
}

static void
run(const void *context, int fd)
{
	const struct job *job = context;
	struct error_logs logs = { .read = 0 };
	struct make_told told = MAKE_TOLD_INIT;
	struct error err = ERROR_INIT;
	struct model m;

	strbuf_str(&speaker, "cgview: ");
	safe_str(&speaker, job->paths[0]);
	error_at_exit(before_death);
	confine_import(job->o->format->runs_tool);
	model_init(&m);
	if (make(job, &m, &logs, &err)) {
		say(fd, err.pointless ? SAID_POINTLESS : SAID_FAILURE, err.text, strlen(err.text));
		return;
	}
	if (!job->o->quiet) {
		make_profile_collect(&told, &m, job->o);
		say(fd, SAID_NOTES, told.notes.buf, told.notes.len);
		say(fd, SAID_LINE, told.line.buf, told.line.len);
	}
	say(fd, SAID_LOGS, &logs, sizeof(logs));
	say(fd, SAID_DONE, "", 0);
}

/* ---- the other one ---- */

struct heard {
	bool done;
	struct error failure;
	struct make_told told;
	struct error_logs logs;
};

/* What was crashed may say anything: texts are shown safely, and end where they end. */
static bool
hear(void *heard, uint32_t kind, const char *data, size_t size)
{
	struct heard *h = heard;

	switch (kind) {
	case SAID_POINTLESS:
	case SAID_FAILURE:
		h->failure.pointless = kind == SAID_POINTLESS;
		error_set(&h->failure, "%.*s", (int)strnlen(data, size), data);
		break;
	case SAID_NOTES:
		strbuf_add(&h->told.notes, data, size);
		break;
	case SAID_LINE:
		strbuf_add(&h->told.line, data, size);
		break;
	case SAID_LOGS:
		if (size != sizeof(h->logs))
			return false;
		memcpy(&h->logs, data, size);
		break;
	case SAID_DONE:
		h->done = true;
		break;
	default:
		return false;
	}
	return true;
}

static uint64_t
megabytes(const char *const *paths, size_t nr)
{
	uint64_t bytes = 0;
	struct stat st;

	for (size_t i = 0; i < nr; i++)
		bytes += stat(paths[i], &st) ? 0 : (uint64_t)st.st_size;
	return bytes >> 20;
}

/* Fills H with what the process says. -1 and ERR: it could not do its work; -2: it has said why. */
static int
ask(struct job *job, struct heard *h, struct error *err)
{
	const uint64_t size = megabytes(job->paths, job->nr);
	const struct limits limits = {
		.cpu_s = CPU_S + (unsigned)(size / MEGABYTES_A_S), .memory_mb = MEMORY_MB,
		.file_mb = FILE_MB,
	};
	const struct limited l = {
		.what = job->paths[0], .limits = &limits, .speaks = true, .run = run,
		.context = job, .keep = &job->file, .nr_keep = 1,
	};
	struct error exceeded = ERROR_INIT;
	struct strbuf answer = STRBUF_INIT;
	int status;

	job->is_long = size >= LONG_MB;
	status = limited_ask(&l, &answer, &exceeded, err);
	if (status >= 0)
		limited_messages(&answer, h, hear);
	strbuf_release(&answer);
	if (status < 0 || h->done)
		return status < 0 ? -1 : 0;
	if (h->failure.set)
		return error_copy(err, &h->failure);
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr); /* it may have shown its progress */
	if (!exceeded.set && WIFEXITED(status) && WEXITSTATUS(status) == 1)
		return -2;
	if (!exceeded.set)
		limited_tell_end(&l, status, &exceeded);
	return error_copy(err, &exceeded);
}

int
make_apart(const char *const *paths, size_t nr, const struct make_options *o, struct error *err)
{
	struct heard h = { .failure = ERROR_INIT, .told = MAKE_TOLD_INIT };
	struct job job = { .paths = paths, .nr = nr, .o = o, .target = o->to->target };
	struct new_file f = { .fd = -1 };
	int status = -1;

	/* What it is added to stays as it is until then. */
	if ((!o->append || !destination_lock(o->to, err)) && !destination_begin(o->to, &f, err)) {
		job.file = f.fd;
		status = ask(&job, &h, err);
	}
	if (!status)
		status = destination_put_file(o->to, &f, o->append, err);
	new_file_end(&f);
	if (status == -2) {
		destination_close(o->to);
		exit(1);
	}
	if (status >= 0 && !o->quiet)
		make_told_print(&h.told, o);
	if (status >= 0)
		error_logs_tell(&h.logs, o->to->put);
	if (!status && h.logs.left_out)
		status = 1;
	make_told_release(&h.told);
	return status;
}
