/* A process of its own executes the query (db/store/sql_child.h): some functions of SQLite can be
 * interrupted in no other way. Its rows come through a pipe, so it is never far ahead. */
#include "db/store/sql.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "db/store/sql_child.h"
#include "util/child.h"
#include "util/mem.h"

enum { LOOK = 10 /* milliseconds between two looks at the time */, CHUNK = 64 << 10 };

const char sql_tables[] =
	"SELECT t.name AS \"table\", c.name AS \"column\", lower(c.type) AS type "
	"FROM pragma_table_list t JOIN pragma_table_info(t.name) c "
	"WHERE t.type = 'table' AND t.schema = 'main' AND t.name NOT LIKE 'sqlite%' "
	"ORDER BY t.name, c.cid";

struct sql_query {
	struct sql_limits limits;
	pid_t pid;
	clockid_t clock;     /* of the child's CPU time */
	int fd;              /* the pipe of its messages */
	int nr;              /* columns */
	struct strbuf in;    /* bytes that came */
	size_t at;           /* how many of them were used */
};

/* ---- the other process ---- */

/* The child must not touch the terminal, nor do what exit() does. */
static void
leave(void)
{
	child_end(1);
}

/* Drops what this process has set up; the child ends with its parent. */
static void
begin_child(pid_t parent, double seconds)
{
	struct rlimit cpu = { .rlim_cur = (rlim_t)seconds + 2, .rlim_max = (rlim_t)seconds + 2 };
	sigset_t none;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		child_end(1);
	error_at_exit(leave);
	setpgid(0, 0); /* what is typed is not for it */
	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setrlimit(RLIMIT_CPU, &cpu); /* in case nobody looks at it for long */
}

static int
start(struct sql_query *q, const char *path, const char *sql, struct error *err)
{
	pid_t parent = getpid();
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return error_set_errno(err, errno, "cannot make a pipe for the query");
	q->pid = fork();
	if (!q->pid) {
		close(ends[0]);
		begin_child(parent, q->limits.seconds);
		sql_child(ends[1], path, sql, q->limits.cell);
	}
	close(ends[1]);
	q->fd = ends[0];
	if (q->pid < 0)
		return error_set_errno(err, errno, "cannot start a process for the query");
	if (clock_getcpuclockid(q->pid, &q->clock))
		return error_set(err, "cannot see how long the query takes");
	return 0;
}

static bool
is_late(const struct sql_query *q)
{
	struct timespec now;

	return !clock_gettime(q->clock, &now) &&
	       (double)now.tv_sec + (double)now.tv_nsec / 1e9 > q->limits.seconds;
}

/* Looks at the time and at stop(). Returns -1 when the query is to end. */
static int
look(const struct sql_query *q, struct sql_problem *problem)
{
	if (is_late(q))
		return error_set(&problem->error, "it takes more than %g seconds of CPU time",
				 q->limits.seconds);
	if (!q->limits.stop || !q->limits.stop(q->limits.arg))
		return 0;
	problem->stopped = true;
	return error_set(&problem->error, "stopped");
}

/* Receives more of the messages. Returns -1 and PROBLEM on failure. */
static int
receive(struct sql_query *q, struct sql_problem *problem)
{
	struct pollfd p = { .fd = q->fd, .events = POLLIN };
	ssize_t n;

	while (poll(&p, 1, LOOK) <= 0)
		if (look(q, problem))
			return -1;
	strbuf_room(&q->in, CHUNK);
	n = read(q->fd, q->in.buf + q->in.len, CHUNK);
	if (n > 0) {
		q->in.len += (size_t)n;
		return 0;
	}
	/* Others have ended it: its own limit, or lack of memory. */
	if (is_late(q))
		return look(q, problem);
	return error_set(&problem->error, "the process of the query has ended: there may not be "
					  "enough memory");
}

/* Returns the next message: its bytes are at *DATA, and stay until the next call. -1: PROBLEM. */
static int
next_message(struct sql_query *q, struct sql_head *head, const char **data,
	     struct sql_problem *problem)
{
	size_t left;

	for (;;) {
		left = q->in.len - q->at;
		if (left >= sizeof(*head)) {
			memcpy(head, q->in.buf + q->at, sizeof(*head));
			if (left - sizeof(*head) >= head->bytes)
				break;
		}
		if (q->at)
			memmove(q->in.buf, q->in.buf + q->at, left);
		q->in.len = left;
		q->at = 0;
		if (receive(q, problem))
			return -1;
	}
	*data = q->in.buf + q->at + sizeof(*head);
	q->at += sizeof(*head) + head->bytes;
	return 0;
}

static int
take_problem(const char *data, size_t bytes, struct sql_problem *problem)
{
	int64_t at;

	memcpy(&at, data, sizeof(at));
	problem->at = (ptrdiff_t)at;
	return error_set(&problem->error, "%.*s", (int)(bytes - sizeof(at)), data + sizeof(at));
}

static void
take_columns(struct sql_query *q, const char *data, size_t bytes)
{
	const char *names[SQL_MAX_COLUMNS];

	for (size_t i = 0; i < bytes && q->nr < SQL_MAX_COLUMNS; i += strlen(data + i) + 1)
		names[q->nr++] = data + i;
	q->limits.columns(q->limits.arg, q->nr, names);
}

static bool
take_row(const struct sql_query *q, const char *data)
{
	struct sql_cell cells[SQL_MAX_COLUMNS];
	struct sql_packed packed;

	for (int i = 0; i < q->nr; i++) {
		memcpy(&packed, data, sizeof(packed));
		data += sizeof(packed);
		cells[i] = (struct sql_cell){
			.type = packed.type, .integer = packed.integer, .real = packed.real,
			.text = data, .length = packed.length, .cut = packed.cut,
		};
		data += packed.length;
	}
	return q->limits.row(q->limits.arg, cells);
}

void
sql_cell_text(const struct sql_cell *cell, struct strbuf *out)
{
	if (cell->type == SQL_BLOB)
		strbuf_fmt(out, "<%" PRId64 " bytes>", cell->integer);
	else
		strbuf_add(out, cell->text, cell->length);
	if (cell->cut)
		strbuf_str(out, "\342\200\246");
}

/* ---- the whole ---- */

struct sql_query *
sql_begin(const char *path, const char *sql, const struct sql_limits *limits,
	  struct sql_problem *problem)
{
	struct sql_query *q = xcalloc(1, sizeof(*q));
	struct sql_head head;
	const char *data;

	memset(problem, 0, sizeof(*problem));
	problem->at = -1;
	q->limits = *limits;
	q->fd = -1;
	strbuf_init(&q->in);
	if (!start(q, path, sql, &problem->error) && !next_message(q, &head, &data, problem)) {
		if (head.message == SQL_COLUMNS) {
			take_columns(q, data, head.bytes);
			return q;
		}
		take_problem(data, head.bytes, problem);
	}
	sql_close(q);
	return NULL;
}

enum sql_state
sql_work(struct sql_query *q, bool (*enough)(void *context), void *context,
	 struct sql_problem *problem)
{
	struct sql_head head;
	const char *data;

	while (!next_message(q, &head, &data, problem)) {
		if (head.message == SQL_PROBLEM) {
			take_problem(data, head.bytes, problem);
			return SQL_FAILED;
		}
		if (head.message == SQL_END || !take_row(q, data))
			return SQL_DONE;
		if (enough && enough(context))
			return SQL_MORE;
	}
	return SQL_FAILED;
}

void
sql_close(struct sql_query *q)
{
	if (!q)
		return;
	if (q->fd >= 0)
		close(q->fd);
	if (q->pid > 0) {
		kill(q->pid, SIGKILL);
		while (waitpid(q->pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	strbuf_release(&q->in);
	free(q);
}

int
sql_run(const char *path, const char *sql, const struct sql_limits *limits,
	struct sql_problem *problem)
{
	struct sql_query *q = sql_begin(path, sql, limits, problem);
	enum sql_state state = q ? sql_work(q, NULL, NULL, problem) : SQL_FAILED;

	sql_close(q);
	return state == SQL_DONE ? 0 : -1;
}
