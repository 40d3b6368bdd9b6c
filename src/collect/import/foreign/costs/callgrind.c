/* The files of callgrind and cachegrind, which many other tools write as well. Of each line's costs
 * the place stands first, relative to that of the line of costs before, if it begins with a sign:
 *
 *	events: Ir D1mr                 names of the costs
 *	fl=(3) /src/a.c                 the function's file; (3) is a number for the name
 *	fn=(7) main                     the function, and back to its file
 *	12 400 2                        what line 12 cost by itself
 *	fi=(4) /src/a.h                 the lines that follow are of another file; fe=: and back
 *	+2 30
 *	cfi=(5) /src/b.c                the file and
 *	cfn=(8) f                       name of a function that is called;
 *	calls=10 40                     ten times; it begins on line 40;
 *	14 6000 50                      on line 14, which costs so much with all that it leads to
 *
 * Each key has one space of numbers with the others of its kind, and each part of a file, which
 * begins as a file does, has its own. Where the manual, callgrind_annotate and KCachegrind differ,
 * it is done as the last does. */
#include "collect/import/foreign/foreign_format.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/import/foreign/costs/costs.h"
#include "collect/import/unpack.h"
#include "util/keys.h"
#include "util/mem.h"

enum { MOST_LINE = 1 << 20, MOST_LINES = 1 << 24 /* of a source */ };

struct text { const char *at, *end; };

/* ---- what the parts of a line are ---- */

static const char *
skip_blanks(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

static bool
is_blank(const char *p, const char *end)
{
	return p == end || *p == ' ' || *p == '\t';
}

static int
digit_of(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10
	     : c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

/* Reads a number, decimal or hexadecimal with 0x; one that is too great is the greatest. */
static bool
read_number(struct text *t, uint64_t *n, bool *saturated)
{
	bool hex = t->end - t->at > 2 && t->at[0] == '0' && (t->at[1] | 32) == 'x';
	const int base = hex ? 16 : 10;
	const char *begin;
	int digit;

	t->at += hex ? 2 : 0;
	begin = t->at;
	for (*n = 0; t->at < t->end && (digit = digit_of(*t->at)) < base; t->at++) {
		if (*n > ((uint64_t)INT64_MAX - (unsigned)digit) / (unsigned)base) {
			*n = INT64_MAX;
			*saturated = true;
		} else {
			*n = *n * (unsigned)base + (unsigned)digit;
		}
	}
	return t->at > begin;
}

/* ---- the state of a file ---- */

enum space { OBJECTS, FILES, FUNCTIONS, NR_SPACES };
enum position { POSITION_INSTRUCTION, POSITION_BLOCK, POSITION_LINE, MOST_POSITIONS };
enum pending { PENDING_NOTHING, PENDING_CALL, PENDING_JUMP };

/* The texts of numbers, which are the keys. */
struct name_ids { struct keys keys; uint32_t *texts; size_t alloc; };

struct reader {
	struct costs *costs;
	uint64_t at;               /* number of the line */
	uint64_t bad, first_bad, good;  /* these and the next: lines of the file at hand */
	uint64_t below, unnamed, more, far, full;
	struct name_ids ids[NR_SPACES];
	bool has_body;             /* of the part at hand */
	enum position positions[MOST_POSITIONS];
	unsigned nr_positions;
	uint64_t base[MOST_POSITIONS]; /* of the costs before */
	int events[4 * MEASURES_MAX];  /* of the part: their numbers; -1: there are too many */
	unsigned nr_events;
	uint32_t object, function_file, file, name, function;
	bool settled;              /* FUNCTION is that of the names above it */
	bool has_called_object, has_called_file; /* said for the next cfn= */
	uint32_t called_object, called_file, called[3]; /* object, file, name of the callee */
	enum pending pending;
	struct cost_called call;   /* that is pending */
	uint64_t pid, thread;
	uint64_t self[MEASURES_MAX], told[MEASURES_MAX]; /* sums; as the file has them */
	bool has_told, has_events, callgrind; /* the last: it is by callgrind itself */
	bool ended;                /* there were totals behind the part at hand */
	size_t nr_cut;             /* parts without */
};

static void
forget_names(struct reader *r)
{
	for (int i = 0; i < NR_SPACES; i++) {
		keys_release(&r->ids[i].keys);
	}
}

static void
end_part(struct reader *r)
{
	r->nr_cut += r->has_body && r->callgrind && !r->ended;
}

/* A new part: nothing of the one before holds, but for what a header may leave out. */
static void
begin_part(struct reader *r)
{
	end_part(r);
	forget_names(r);
	r->has_body = r->ended = r->settled = false;
	r->object = r->function_file = r->file = r->name = 0;
	r->has_called_file = r->has_called_object = false;
	memset(r->called, 0, sizeof(r->called));
	r->pending = PENDING_NOTHING;
	memset(r->base, 0, sizeof(r->base));
}

/* A new file has nothing of the one before. */
static void
begin_file(struct reader *r)
{
	r->has_body = false;
	begin_part(r);
	r->positions[0] = POSITION_LINE;
	r->nr_positions = 1;
	r->nr_events = 0;
	r->callgrind = r->has_events = false;
	r->pid = r->thread = 0;
	r->at = 1;
	r->bad = r->first_bad = r->good = r->nr_cut = 0;
	r->below = r->unnamed = r->more = r->far = r->full = 0;
}

static void
enter_body(struct reader *r)
{
	if (!r->has_body)
		costs_thread(r->costs, r->pid, r->thread);
	r->has_body = true;
}

static void
count_bad(struct reader *r)
{
	r->first_bad = r->bad++ ? r->first_bad : r->at;
}

/* ---- names ---- */

/* Returns the text of "name", "(id) name" or "(id)". */
static uint32_t
read_name(struct reader *r, enum space space, struct text t)
{
	struct name_ids *ids = &r->ids[space];
	const char *begin = t.at = skip_blanks(t.at, t.end);
	bool is_new;
	uint64_t id;
	uint32_t i;

	while (t.end > t.at && (t.end[-1] == ' ' || t.end[-1] == '\t'))
		t.end--;
	if (t.at == t.end || *t.at++ != '(' || !read_number(&t, &id, &r->costs->saturated) ||
	    t.at == t.end || *t.at != ')')
		return costs_text(r->costs, begin, (size_t)(t.end - begin));
	t.at = skip_blanks(t.at + 1, t.end);
	i = keys_number(&ids->keys, KEY((uint32_t)(id >> 32), (uint32_t)id, 0, 0), &is_new);
	if (is_new) {
		GROW(ids->texts, ids->keys.nr, ids->alloc);
		ids->texts[i] = 0;
	}
	if (t.at < t.end)
		ids->texts[i] = costs_text(r->costs, t.at, (size_t)(t.end - t.at));
	r->unnamed += is_new && t.at == t.end;
	return ids->texts[i];
}

/* ---- lines of costs ---- */

/* Reads a position of one kind, whose BASE is that of the costs before. */
static bool
read_position(struct reader *r, struct text *t, uint64_t base, uint64_t *to)
{
	bool *saturated = &r->costs->saturated;
	char sign = '\0';
	uint64_t n;

	t->at = skip_blanks(t->at, t->end);
	if (t->at < t->end && *t->at == '*') {
		t->at++;
		*to = base;
		return is_blank(t->at, t->end);
	}
	if (t->at < t->end && (*t->at == '+' || *t->at == '-'))
		sign = *t->at++;
	if (!read_number(t, &n, saturated))
		return false;
	r->below += sign == '-' && n > base;
	*to = !sign ? n : sign == '+' ? count_add(base, n) : n > base ? 0 : base - n;
	/* Of a range the begin counts. */
	if (t->at < t->end && strchr("+-:", *t->at)) {
		t->at++;
		if (!read_number(t, &n, saturated))
			return false;
	}
	return is_blank(t->at, t->end);
}

/* Reads the positions that a line of costs begins with, and returns that of the source; 0: it is
 * not known. MOVE: the next ones are relative to them. */
static bool
read_positions(struct reader *r, struct text *t, bool move, uint32_t *line)
{
	uint64_t to[MOST_POSITIONS], n = 0;

	for (unsigned i = 0; i < r->nr_positions; i++) {
		if (!read_position(r, t, r->base[i], &to[i]))
			return false;
		n = r->positions[i] == POSITION_LINE ? to[i] : n;
	}
	if (move)
		memcpy(r->base, to, r->nr_positions * sizeof(*to));
	r->far += n > MOST_LINES;
	*line = n > MOST_LINES ? 0 : (uint32_t)n;
	return true;
}

/* Reads the costs of a line into VALUES, by event of the part. */
static bool
read_costs(struct reader *r, struct text *t, uint64_t *values, unsigned *nr)
{
	uint64_t n;

	for (*nr = 0; (t->at = skip_blanks(t->at, t->end)) < t->end;) {
		if (!read_number(t, &n, &r->costs->saturated) || !is_blank(t->at, t->end))
			return false;
		if (*nr == r->nr_events) {
			r->more++;
			return true;
		}
		values[(*nr)++] = n;
	}
	return true;
}

static void
add_costs(struct reader *r, uint64_t *to, const uint64_t *values, unsigned nr)
{
	for (unsigned i = 0; i < nr; i++)
		if (r->events[i] >= 0)
			costs_add(r->costs, &to[r->events[i]], values[i]);
}

static uint32_t
function_at(struct reader *r)
{
	if (!r->settled)
		r->function = costs_function(r->costs, r->object, r->function_file, r->name);
	r->settled = true;
	return r->function;
}

static bool
take_costs(struct reader *r, struct text t)
{
	uint64_t values[4 * MEASURES_MAX];
	enum pending pending = r->pending;
	uint32_t line, function;
	unsigned nr;

	enter_body(r);
	r->pending = PENDING_NOTHING;
	if (!r->nr_events || !read_positions(r, &t, true, &line))
		return false;
	if (pending == PENDING_JUMP)
		return true;
	if (!read_costs(r, &t, values, &nr))
		return false;
	function = function_at(r);
	if (pending == PENDING_CALL) {
		add_costs(r, costs_of_call(r->costs, function, r->file, line, &r->call), values,
			  nr);
		return true;
	}
	add_costs(r, costs_of_line(r->costs, function, r->file, line), values, nr);
	add_costs(r, costs_of_function(r->costs, function), values, nr);
	add_costs(r, r->self, values, nr);
	return true;
}

/* ---- lines with "=" ---- */

/* The callee is in the object and file at hand unless it was said to be elsewhere. */
static void
take_called(struct reader *r, struct text t)
{
	r->called[0] = r->has_called_object ? r->called_object : r->object;
	r->called[1] = r->has_called_file ? r->called_file : r->file;
	r->called[2] = read_name(r, FUNCTIONS, t);
	r->has_called_object = r->has_called_file = false;
}

static bool
take_calls(struct reader *r, struct text t)
{
	struct cost_called call = { .line = 0 };

	t.at = skip_blanks(t.at, t.end);
	if (!read_number(&t, &call.count, &r->costs->saturated))
		return false;
	t.at = skip_blanks(t.at, t.end);
	if (t.at < t.end && !read_positions(r, &t, false, &call.line))
		return false;
	call.function = costs_function(r->costs, r->called[0], r->called[1], r->called[2]);
	memset(r->called, 0, sizeof(r->called));
	r->call = call;
	r->pending = PENDING_CALL;
	return true;
}

/* "jump=count position" and "jcnd=taken/all position": a line with a position follows. */
static bool
take_jump(struct reader *r, struct text t)
{
	(void)t;
	r->pending = PENDING_JUMP;
	return true;
}

static bool
take_object(struct reader *r, struct text t)
{
	r->object = read_name(r, OBJECTS, t);
	r->settled = false;
	return true;
}

static bool
take_function_file(struct reader *r, struct text t)
{
	r->function_file = r->file = read_name(r, FILES, t);
	r->settled = false;
	return true;
}

static bool
take_file(struct reader *r, struct text t)
{
	r->file = read_name(r, FILES, t);
	return true;
}

static bool
take_function(struct reader *r, struct text t)
{
	r->name = read_name(r, FUNCTIONS, t);
	r->file = r->function_file;
	r->settled = false;
	return true;
}

static bool
take_called_object(struct reader *r, struct text t)
{
	r->called_object = read_name(r, OBJECTS, t);
	r->has_called_object = true;
	return true;
}

static bool
take_called_file(struct reader *r, struct text t)
{
	r->called_file = read_name(r, FILES, t);
	r->has_called_file = true;
	return true;
}

static bool
take_called_name(struct reader *r, struct text t)
{
	take_called(r, t);
	return true;
}

/* Jumps name files and functions, whose numbers may be used later. */
static bool
take_jump_file(struct reader *r, struct text t)
{
	read_name(r, FILES, t);
	return true;
}

static bool
take_jump_name(struct reader *r, struct text t)
{
	read_name(r, FUNCTIONS, t);
	return true;
}

static bool
pass(struct reader *r, struct text t)
{
	(void)r;
	(void)t;
	return true;
}

static const struct line_key {
	const char *name;
	bool (*take)(struct reader *r, struct text t);
} body_keys[] = {
	{ "fn", take_function }, { "fl", take_function_file }, { "fi", take_file },
	{ "fe", take_file }, { "ob", take_object }, { "cfn", take_called_name },
	{ "cfi", take_called_file }, { "cfl", take_called_file }, { "cob", take_called_object },
	{ "calls", take_calls }, { "rcalls", take_calls }, { "jump", take_jump },
	{ "jcnd", take_jump }, { "jfi", take_jump_file }, { "jfn", take_jump_name },
	{ "frfn", pass }, { "rec", pass }, { "ln", pass }, { "bb", pass },
};

/* ---- lines with ":" ---- */

static struct text
word_of(struct text *t)
{
	struct text word = { skip_blanks(t->at, t->end), NULL };

	for (word.end = word.at; !is_blank(word.end, t->end); word.end++)
		;
	t->at = word.end;
	return word;
}

static bool
take_events(struct reader *r, struct text t)
{
	struct text word;

	r->nr_events = 0;
	r->has_events = true;
	for (;;) {
		word = word_of(&t);
		if (word.at == word.end)
			return r->nr_events > 0;
		if (r->nr_events == sizeof(r->events) / sizeof(*r->events))
			return false;
		r->events[r->nr_events] = costs_event(r->costs, word.at,
						      (size_t)(word.end - word.at));
		r->full += r->events[r->nr_events] < 0;
		r->nr_events++;
	}
}

/* "event: name = formula : title"; formula and title may be missing. */
static bool
take_event(struct reader *r, struct text t)
{
	struct text name = word_of(&t), title = { t.end, t.end };
	const char *colon = memchr(t.at, ':', (size_t)(t.end - t.at));
	struct cost_description as = { NULL, NULL };
	char *texts[2] = { NULL, NULL };

	if (name.end > name.at && name.end[-1] == ':') {
		colon = --name.end;
		t.at = colon;
	}
	if (colon)
		title.at = skip_blanks(colon + 1, t.end);
	t.end = colon ? colon : t.end;
	t.at = skip_blanks(t.at, t.end);
	if (t.at < t.end && *t.at == '=')
		as.formula = texts[0] = xstrndup(t.at + 1, (size_t)(t.end - t.at - 1));
	if (title.at < title.end)
		as.title = texts[1] = xstrndup(title.at, (size_t)(title.end - title.at));
	if (name.at < name.end)
		costs_describe(r->costs, name.at, (size_t)(name.end - name.at), &as);
	free(texts[0]);
	free(texts[1]);
	return name.at < name.end;
}

static bool
take_kinds(struct reader *r, struct text t)
{
	static const char *const names[] = { "instr", "bb", "line" };
	struct text word;

	memset(r->base, 0, sizeof(r->base));
	for (r->nr_positions = 0; r->nr_positions < MOST_POSITIONS; r->nr_positions++) {
		size_t kind = 0, n;

		word = word_of(&t);
		n = (size_t)(word.end - word.at);
		while (kind < MOST_POSITIONS &&
		       (strlen(names[kind]) != n || memcmp(names[kind], word.at, n) != 0))
			kind++;
		if (kind == MOST_POSITIONS)
			break;
		r->positions[r->nr_positions] = (enum position)kind;
	}
	word = r->nr_positions < MOST_POSITIONS ? word : word_of(&t);
	return r->nr_positions && word.at == word.end;
}

static void
take_sums(struct reader *r, struct text t)
{
	uint64_t values[4 * MEASURES_MAX];
	unsigned nr;

	if (!read_costs(r, &t, values, &nr))
		return;
	add_costs(r, r->told, values, nr);
	r->has_told = true;
}

static bool
take_thread(struct reader *r, struct text t)
{
	t.at = skip_blanks(t.at, t.end);
	return read_number(&t, &r->thread, &r->costs->saturated);
}

static bool
take_pid(struct reader *r, struct text t)
{
	t.at = skip_blanks(t.at, t.end);
	r->thread = 0;
	return read_number(&t, &r->pid, &r->costs->saturated);
}

static bool
take_totals(struct reader *r, struct text t)
{
	if (r->has_body)
		take_sums(r, t);
	r->ended = true;
	return true;
}

/* That of callgrind stands in the header and may be more; that of cachegrind is at the end. */
static bool
take_summary(struct reader *r, struct text t)
{
	if (r->has_body && !r->callgrind)
		take_sums(r, t);
	return true;
}

static bool
take_creator(struct reader *r, struct text t)
{
	t.at = skip_blanks(t.at, t.end);
	r->costs->tool = arena_strndup(&r->costs->arena, t.at, (size_t)(t.end - t.at));
	r->callgrind = !strncmp(r->costs->tool, "callgrind-", strlen("callgrind-"));
	return true;
}

static bool
take_command(struct reader *r, struct text t)
{
	t.at = skip_blanks(t.at, t.end);
	if (!r->costs->command)
		r->costs->command = arena_strndup(&r->costs->arena, t.at,
						  (size_t)(t.end - t.at));
	return true;
}

static const struct line_key header_keys[] = {
	{ "events", take_events }, { "event", take_event }, { "positions", take_kinds },
	{ "pid", take_pid }, { "thread", take_thread }, { "part", pass },
	{ "totals", take_totals }, { "summary", take_summary }, { "creator", take_creator },
	{ "cmd", take_command },
};

/* ---- lines ---- */

static const struct line_key *
find_key(const struct line_key *keys, size_t nr, const char *name, size_t length)
{
	for (size_t i = 0; i < nr; i++)
		if (!strncmp(keys[i].name, name, length) && !keys[i].name[length])
			return &keys[i];
	return NULL;
}
#define FIND_KEY(keys, name, length) \
	find_key(keys, sizeof(keys) / sizeof(*(keys)), name, length)

static bool
begins_part(const char *name, size_t n)
{
	static const char *const names[] = { "part", "thread", "pid", "positions", "events" };
	size_t i = 0, nr = sizeof(names) / sizeof(*names);

	while (i < nr && (strncmp(names[i], name, n) != 0 || names[i][n]))
		i++;
	return i < nr;
}

/* Anything may stand in a header: what is not known says nothing. */
static bool
take_header(struct reader *r, struct text t, size_t n)
{
	const struct line_key *key = FIND_KEY(header_keys, t.at, n);

	if (r->has_body && begins_part(t.at, n))
		begin_part(r);
	t.at += n + 1;
	return !key || key->take(r, t);
}

static bool
take_words(struct reader *r, struct text t)
{
	const struct line_key *key;
	size_t n = 0;

	while (t.at + n < t.end && (isalnum((unsigned char)t.at[n]) || t.at[n] == ' '))
		n++;
	if (t.at + n == t.end)
		return false;
	if (t.at[n] == ':')
		return take_header(r, t, n);
	key = t.at[n] == '=' ? FIND_KEY(body_keys, t.at, n) : NULL;
	if (!key)
		return false;
	enter_body(r);
	t.at += n + 1;
	return key->take(r, t);
}

static void
take_line(struct reader *r, struct text t)
{
	bool costs, good;

	if (skip_blanks(t.at, t.end) == t.end || *t.at == '#')
		return;
	costs = isdigit((unsigned char)*t.at) || (*t.at && strchr("+-*", *t.at));
	good = costs ? take_costs(r, t) : take_words(r, t);
	r->good += good;
	if (!good)
		count_bad(r);
}

/* ---- files ---- */

struct input {
	FILE *file;
	char *room;                /* MOST_LINE bytes; those from BEGIN to END are read */
	size_t begin, end;
	bool skipping;             /* the line is too long */
};

/* Reads the next line, without its end. Returns false at the end of the file. TOO_LONG: it is left
 * out. */
static bool
next_line(struct input *in, struct text *line, bool *too_long)
{
	for (*too_long = false;;) {
		char *begin = in->room + in->begin;
		char *end = memchr(begin, '\n', in->end - in->begin);
		size_t n;

		if (!end && in->begin + MOST_LINE == in->end) {
			in->skipping = true;
			in->end = in->begin = 0;
		}
		if (!end) {
			in->end -= in->begin;
			memmove(in->room, in->room + in->begin, in->end);
			in->begin = 0;
			n = fread(in->room + in->end, 1, MOST_LINE - in->end, in->file);
			in->end += n;
			if (n)
				continue;
			if (!in->end && !in->skipping)
				return false;
			begin = in->room;
			end = in->room + in->end;
		}
		in->begin = (size_t)(end - in->room) + (end < in->room + in->end);
		if (end > begin && end[-1] == '\r')
			end--;
		*line = (struct text){ begin, end };
		*too_long = in->skipping;
		in->skipping = false;
		return true;
	}
}

static int
check_file(const struct reader *r, const char *path, struct error *err)
{
	if (!r->has_events)
		return error_set(err, "%s has no line that names its events: is it damaged?", path);
	if (r->bad > r->good)
		return error_set(err, "%s: most of its lines are none of callgrind's format (the "
				      "first is %llu): is it another file?", path,
				 (unsigned long long)r->first_bad);
	return 0;
}

static int
read_file(struct reader *r, const char *path, struct stat *st, struct error *err)
{
	FILE *file = unpack_open(path, st, err);
	struct input in = { .file = file };
	bool too_long, failed;
	struct text line;

	if (!file)
		return -1;
	in.room = xmalloc(MOST_LINE);
	begin_file(r);
	for (; next_line(&in, &line, &too_long); r->at++) {
		if (too_long)
			count_bad(r);
		else
			take_line(r, line);
	}
	end_part(r);
	failed = ferror(file);
	fclose(file);
	free(in.room);
	if (failed)
		return error_set(err, "%s cannot be read to its end", path);
	return check_file(r, path, err);
}

/* ---- what to tell ---- */

static void
tell_lines(struct model *m, const struct reader *r, const char *path)
{
	if (r->bad)
		model_note(m, "counts", "%s: %llu lines were not understood, the first is %llu",
			   path, (unsigned long long)r->bad, (unsigned long long)r->first_bad);
	if (r->nr_cut)
		model_note(m, "counts", "%s was cut: a part of it has no totals at its end", path);
	if (r->unnamed)
		model_note(m, "counts", "%s: %llu lines use a number that no name was given to",
			   path, (unsigned long long)r->unnamed);
	if (r->below || r->far)
		model_note(m, "counts", "%s: %llu lines are of source lines that cannot be, and "
			   "count for none", path, (unsigned long long)(r->below + r->far));
	if (r->more)
		model_note(m, "counts", "%s: %llu lines have more costs than there are events: "
			   "these are left out", path, (unsigned long long)r->more);
	if (r->full)
		model_note(m, "counts", "%s has more events than a profile has room for: the first "
			   "%d are taken", path, MEASURES_MAX);
}

/* What the file itself says of its sums tells whether something is missing. */
static void
tell_sums(struct model *m, const struct reader *r)
{
	for (unsigned i = 0; r->has_told && !r->costs->saturated && i < r->costs->nr_events; i++) {
		if (r->self[i] == r->told[i])
			continue;
		model_note(m, "counts", "the costs of all lines add up to %llu %s, and the file "
			   "says that they are %llu", (unsigned long long)r->self[i],
			   r->costs->events[i].name, (unsigned long long)r->told[i]);
		return;
	}
}

static int
callgrind_read(const char *const *paths, size_t nr, struct model *m, struct error *err)
{
	struct costs costs;
	struct reader r = { .costs = &costs };
	struct stat st = { .st_size = 0 };
	int status = 0;

	costs_init(&costs);
	for (size_t i = 0; i < nr && !status; i++) {
		status = read_file(&r, paths[i], &st, err);
		if (!status)
			tell_lines(m, &r, paths[i]);
	}
	if (!status) {
		tell_sums(m, &r);
		status = costs_finish(&costs, paths[0], &st, m, err);
	}
	forget_names(&r);
	for (int i = 0; i < NR_SPACES; i++)
		free(r.ids[i].texts);
	costs_release(&costs);
	return status;
}

/* A first line of its own, or a line that any such file begins with. */
static bool
callgrind_is(const char *head, size_t n)
{
	static const char *const keys[] = { "events:", "creator:" };
	static const char first[] = "# callgrind format\n";
	size_t most = n < 2047 ? n : 2047, length;

	if (!strncmp(head, first, strlen(first)))
		return true;
	if (memchr(head, '\0', n))
		return false;
	for (const char *p = head, *end; p && p < head + most; p = end) {
		for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
			length = strlen(keys[i]);
			if ((size_t)(head + n - p) > length && !memcmp(p, keys[i], length))
				return true;
		}
		end = memchr(p, '\n', (size_t)(head + n - p));
		end = end ? end + 1 : NULL;
	}
	return false;
}

const struct foreign_format callgrind_format = {
	"a profile of callgrind's format", callgrind_is, callgrind_read, .several = true,
};
