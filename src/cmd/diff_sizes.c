#include "cmd/diff_sizes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "util/error.h"
#include "util/mem.h"

/* Each returns the size in profile P by what stands behind the rule's name; NAN after ERR. */
typedef double size_of(struct profile *p, const char *what, struct error *err);

static double
per_run(struct profile *p, uint64_t count)
{
	uint32_t runs = profile_totals(p)->nr_runs;

	return (double)count / (runs ? runs : 1);
}

/* Returns what procedures called NAME have of a figure, in a run. */
static double
size_of_procedure(struct profile *p, const char *what, bool work, struct error *err)
{
	uint64_t nr = profile_totals(p)->nr_procedures, sum = 0;
	struct procedure_row row;
	bool found = false;

	for (uint64_t id = 1; id <= nr; id++) {
		if (!profile_procedure(p, (model_id)id, &row) || strcmp(row.name, what))
			continue;
		found = true;
		sum += work ? row.self[MEASURE_WORK] : row.self[MEASURE_CALLS];
	}
	if (found)
		return per_run(p, sum);
	error_set(err, "there is no procedure %s", what);
	return NAN;
}

static double
size_of_calls(struct profile *p, const char *what, struct error *err)
{
	return size_of_procedure(p, what, false, err);
}

static double
size_of_work(struct profile *p, const char *what, struct error *err)
{
	return size_of_procedure(p, what, true, err);
}

/* Does PATH end in NAME, whole directories long? */
static bool
is_path(const char *path, const char *name, size_t n)
{
	size_t length = strlen(path);

	return length >= n && !strncmp(path + length - n, name, n) &&
	       (length == n || path[length - n - 1] == '/' || *name == '/');
}

static double
size_of_line(struct profile *p, const char *what, struct error *err)
{
	const char *colon = strrchr(what, ':');
	unsigned long line = colon ? strtoul(colon + 1, NULL, 10) : 0;

	if (line >= UINT32_MAX)
		line = 0;
	for (uint32_t id = 1; line && id <= profile_totals(p)->nr_files; id++) {
		const struct profile_file *file = profile_file(p, id);
		struct line_row *rows;
		uint64_t count;
		size_t nr;

		if (!file || !is_path(file->path, what, (size_t)(colon - what)))
			continue;
		nr = profile_lines(p, id, (uint32_t)line, (uint32_t)line, &rows);
		count = nr ? rows[0].self[MEASURE_COUNT] : 0;
		free(rows);
		if (nr)
			return per_run(p, count);
	}
	error_set(err, "there is no code in %s, which is FILE:LINE", what);
	return NAN;
}

/* Appends word K (from 0 on) of a command in the shell's quotes. False: it has fewer. */
static bool
word_of(const char *s, size_t k, struct strbuf *out)
{
	bool quoted = false;

	for (; *s; s++) {
		if (!quoted && *s == ' ') {
			if (!k--)
				return true;
			continue;
		}
		if (*s == '\'') {
			quoted = !quoted;
			continue;
		}
		if (!quoted && *s == '\\' && s[1])
			s++;
		if (!k)
			strbuf_char(out, *s);
	}
	return !k;
}

/* Has word K of the command the form NAME=VALUE? Then its value is in OUT, behind the '='. */
static bool
is_variable(const char *command, size_t k, const char *name, struct strbuf *out)
{
	size_t n = strlen(name);
	const char *equals;

	strbuf_clear(out);
	if (!word_of(command, k, out) || !(equals = strchr(out->buf, '=')))
		return false;
	return !n || ((size_t)(equals - out->buf) == n && !strncmp(out->buf, name, n));
}

/* Returns the number of the word that is the program: it may stand behind `env NAME=VALUE`, which
 * is how `record --keep-env` writes what it was asked to keep. */
static size_t
program_word(const char *command)
{
	struct strbuf word = STRBUF_INIT;
	size_t k = 1;

	if (word_of(command, 0, &word) && !strcmp(word.buf, "env"))
		while (is_variable(command, k, "", &word))
			k++;
	strbuf_release(&word);
	return k > 1 ? k : 0;
}

/* Appends the argument of the recorded command that WHAT numbers. */
static bool
argument_of(struct profile *p, const char *what, struct strbuf *out, struct error *err)
{
	const char *command = profile_totals(p)->run.command;
	char *end;
	unsigned long k = strtoul(what, &end, 10);

	if (!k || *end || k > 10000)
		error_set(err, "%s is no number of an argument: the first one is 1", what);
	else if (!command || !word_of(command, program_word(command) + k, out) || !out->len)
		error_set(err, "the recorded command has no argument %lu", k);
	return !err->set;
}

/* Returns the number that TEXT is, which WHAT WHICH has. */
static double
number_in(const char *text, const char *what, const char *which, struct error *err)
{
	char *end;
	double size = strtod(text, &end);

	if (end != text && !*end)
		return size;
	error_set(err, "%s %s is '%s', which is no number", what, which, text);
	return NAN;
}

static double
size_of_variable(struct profile *p, const char *what, struct error *err)
{
	const char *command = profile_totals(p)->run.command;
	size_t nr = command ? program_word(command) : 0;
	struct strbuf text = STRBUF_INIT;
	double size = NAN;
	size_t k = 1;

	if (!*what || strchr(what, '=')) {
		error_set(err, "env:%s names no variable: env:NAME", what);
		return NAN;
	}
	while (k < nr && !is_variable(command, k, what, &text))
		k++;
	if (k < nr)
		size = number_in(strchr(text.buf, '=') + 1, "the variable", what, err);
	else
		error_set(err, "the variable %s was not kept: record --keep-env %s does so", what,
			  what);
	strbuf_release(&text);
	return size;
}

static double
size_of_argument(struct profile *p, const char *what, struct error *err)
{
	struct strbuf text = STRBUF_INIT;
	double size = NAN;

	if (argument_of(p, what, &text, err))
		size = number_in(text.buf, "argument", what, err);
	strbuf_release(&text);
	return size;
}

static double
size_of_file(struct profile *p, const char *what, struct error *err)
{
	const char *directory = profile_totals(p)->run.directory;
	struct strbuf name = STRBUF_INIT, path = STRBUF_INIT;
	struct stat st;

	if (argument_of(p, what, &name, err)) {
		if (*name.buf != '/' && directory)
			strbuf_fmt(&path, "%s/", directory);
		strbuf_str(&path, name.buf);
		if (stat(path.buf, &st) || !S_ISREG(st.st_mode))
			error_set(err, "argument %s is %s, which is no file any more", what,
				  path.buf);
	}
	strbuf_release(&name);
	strbuf_release(&path);
	return err->set ? NAN : (double)st.st_size;
}

/* Rules are named before what they are about, or behind it. */
static const struct rule {
	const char *name;
	bool behind;
	size_of *size;
	const char *unit; /* with what it is about behind it */
} rules[] = {
	{ "calls:", false, size_of_calls, "calls of " },
	{ "work:", false, size_of_work, "work of " },
	{ "line:", false, size_of_line, "executions of " },
	{ "arg:", false, size_of_argument, "argument " },
	{ "bytes:", false, size_of_file, "bytes of argument " },
	{ "env:", false, size_of_variable, "" }, { ".n", true, size_of_calls, "calls of " },
	{ ".calls", true, size_of_calls, "calls of " }, { ".work", true, size_of_work, "work of " },
};

static bool
is_rule(const struct rule *rule, const char *text)
{
	size_t n = strlen(rule->name), length = strlen(text);

	if (!rule->behind)
		return !strncmp(text, rule->name, n);
	/* A file of such a name can be written with its directory. */
	return length > n && !strcmp(text + length - n, rule->name) && !strchr(text, '/');
}

static const struct rule *
find_rule(const char *text)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (is_rule(&rules[i], text))
			return &rules[i];
	}
	return NULL;
}

bool
diff_sizes_rule(const char *text)
{
	return find_rule(text);
}

/* What RULE in TEXT is about; heap. */
static char *
about(const struct rule *rule, const char *text)
{
	size_t n = strlen(rule->name);

	return rule->behind ? xstrndup(text, strlen(text) - n) : xstrdup(text + n);
}

char *
diff_sizes_name(const char *text)
{
	const struct rule *rule = find_rule(text);
	char *what = about(rule, text), *name = xasprintf("%s%s", rule->unit, what);

	free(what);
	return name;
}

void
diff_sizes_read(const char *command, const char *text, struct profile *const *profiles, size_t nr,
		double *sizes)
{
	const struct rule *rule = find_rule(text);
	char *what = about(rule, text);

	for (size_t k = 0; k < nr; k++) {
		struct error err = ERROR_INIT;

		sizes[k] = rule->size(profiles[k], what, &err);
		if (!err.set && !(sizes[k] > 0 && isfinite(sizes[k])))
			error_set(&err, "%g is no size: one greater than 0 is", sizes[k]);
		if (err.set)
			die(2, "%s: %s: %s: %s", command, text, profile_path(profiles[k]),
			    err.text);
	}
	free(what);
}

/* ---- a sweep: runs of several sizes in one profile ---- */

struct sweep_run {
	unsigned number;
	double size;
};

/* Reads the value of the variable NAME in a recorded command. False: it has none that is a size. */
static bool
size_in(const char *command, const char *name, double *size)
{
	struct strbuf text = STRBUF_INIT;
	size_t nr = program_word(command), k = 1;
	const char *value;
	char *end;
	bool is;

	while (k < nr && !is_variable(command, k, name, &text))
		k++;
	value = k < nr ? strchr(text.buf, '=') + 1 : "";
	*size = strtod(value, &end);
	is = end != value && !*end && *size > 0 && isfinite(*size);
	strbuf_release(&text);
	return is;
}

/* Reads the sizes of P's runs, heap. NULL: not all of them have NAME. */
static struct sweep_run *
read_runs(struct profile *p, const char *name)
{
	struct list_query q = { .kind = LIST_RUN };
	int command = list_column_find(q.kind, "command"), run = list_column_find(q.kind, "run");
	size_t nr = profile_totals(p)->nr_runs;
	struct sweep_run *runs = xcalloc(nr, sizeof(*runs));
	struct listing *list = listing_open(p, &q);
	const struct list_row *row;
	size_t i = 0;

	for (; i < nr && (row = listing_row(list, i)); i++) {
		runs[i].number = (unsigned)row->cells[run].number;
		if (row->cells[command].null ||
		    !size_in(row->cells[command].text, name, &runs[i].size))
			break;
	}
	listing_close(list);
	if (i == nr)
		return runs;
	free(runs);
	return NULL;
}

static int
compare_runs(const void *a, const void *b)
{
	const struct sweep_run *x = a, *y = b;

	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* Names the runs of each size. Returns how many sizes there are; 0: more than MOST. */
static size_t
name_sizes(const char *path, const struct sweep_run *runs, size_t nr, size_t most, char ***names)
{
	struct strbuf name = STRBUF_INIT;
	size_t sizes = 0;

	*names = xcalloc(most, sizeof(**names));
	for (size_t i = 0; i < nr; i++) {
		if (!name.len)
			strbuf_fmt(&name, "%s:runs=%u", path, runs[i].number);
		else
			strbuf_fmt(&name, ",%u", runs[i].number);
		if (i + 1 < nr && runs[i + 1].size == runs[i].size)
			continue;
		if (sizes == most)
			return 0;
		(*names)[sizes++] = strbuf_take(&name);
	}
	return sizes;
}

bool
diff_sizes_sweep(const char *path, size_t most, char ***names, size_t *nr, char **rule)
{
	struct error err = ERROR_INIT;
	struct profile *p = profile_open(path, &err);
	const char *command = p ? profile_totals(p)->run.command : NULL;
	struct strbuf name = STRBUF_INIT;
	size_t nr_runs = p ? profile_totals(p)->nr_runs : 0, words;
	struct sweep_run *runs;

	*nr = 0;
	words = command && nr_runs > 1 ? program_word(command) : 0;
	for (size_t k = 1; k < words && *nr < 2; k++) {
		is_variable(command, k, "", &name);
		*strchr(name.buf, '=') = '\0';
		runs = read_runs(p, name.buf);
		if (!runs)
			continue;
		qsort(runs, nr_runs, sizeof(*runs), compare_runs);
		*nr = name_sizes(path, runs, nr_runs, most, names);
		*rule = xasprintf("env:%s", name.buf);
		free(runs);
	}
	strbuf_release(&name);
	if (p)
		profile_close(p);
	return *nr >= 2;
}
