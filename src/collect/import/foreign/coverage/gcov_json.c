/* The JSON of gcov (gcov --json-format), in gcov(1): an object for each object file, one behind the
 * other or in files of their own. A file that several object files include is in each of them, a
 * line once for each function that has code of it: all of this adds up. */
#include "collect/import/foreign/foreign_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/import/confine.h"
#include "collect/import/foreign/coverage/coverage.h"
#include "collect/import/foreign/printer.h"

struct reader {
	struct coverage *coverage;
	struct arena arena;        /* of the object that is read */
	const char *directory;     /* which stands behind the files, often */
	struct covered_file *files;
	size_t nr_files, files_alloc, most_files;
	char version[64];
	bool throws;               /* the branch that is read is of an exception */
	uint64_t taken;            /* how often */
	size_t first_branch;       /* of the line that is read */
};

static const char *
keep(struct reader *r, const struct json *j)
{
	return arena_strdup(&r->arena, json_text(j, NULL));
}

static bool
take_function_member(void *context, struct json *j, const char *key, enum json_piece value)
{
	struct reader *r = context;
	struct covered_file *file = &r->files[r->nr_files - 1];
	struct covered_function *f = &file->functions[file->nr_functions - 1];
	const struct { const char *key; uint32_t *to; } numbers[] = {
		{ "start_line", &f->place.line }, { "start_column", &f->place.column },
		{ "end_line", &f->place.end_line }, { "end_column", &f->place.end_column },
	};

	if (value == JSON_STRING && !strcmp(key, "name"))
		f->linkage = keep(r, j);
	if (value == JSON_NUMBER && !strcmp(key, "execution_count"))
		f->count = coverage_count(r->coverage, j);
	for (size_t i = 0; value == JSON_NUMBER && i < sizeof(numbers) / sizeof(*numbers); i++) {
		int64_t n = json_integer(j);

		if (!strcmp(key, numbers[i].key) && n > 0 && n < INT32_MAX)
			*numbers[i].to = (uint32_t)n;
	}
	return json_pass(j, value);
}

static bool
take_branch_member(void *context, struct json *j, const char *key, enum json_piece value)
{
	struct reader *r = context;

	if (value == JSON_NUMBER && !strcmp(key, "count"))
		r->taken = coverage_count(r->coverage, j);
	if (!strcmp(key, "throw"))
		r->throws = value == JSON_TRUE;
	return json_pass(j, value);
}

/* All branches of a line are ways of one condition: gcov does not tell of which one. Those of
 * exceptions, and the way on of a call that may throw, are of none. */
static bool
take_branch(void *context, struct json *j, enum json_piece value)
{
	struct reader *r = context;
	struct covered_file *f = &r->files[r->nr_files - 1];

	if (value != JSON_OBJECT)
		return json_pass(j, value);
	r->throws = false;
	r->taken = 0;
	if (!json_members(j, take_branch_member, r))
		return false;
	if (r->throws) {
		if (f->nr_branches > r->first_branch)
			f->nr_branches--;
		return true;
	}
	GROW(f->branches, f->nr_branches + 1, f->branches_alloc);
	f->branches[f->nr_branches] = (struct covered_branch){
		.way = (uint32_t)(f->nr_branches - r->first_branch), .count = r->taken,
	};
	f->nr_branches++;
	return true;
}

static bool
take_line_member(void *context, struct json *j, const char *key, enum json_piece value)
{
	struct reader *r = context;
	struct covered_file *file = &r->files[r->nr_files - 1];
	struct covered_line *l = &file->lines[file->nr_lines - 1];

	if (value == JSON_STRING && !strcmp(key, "function_name"))
		l->function = keep(r, j);
	if (value == JSON_NUMBER && !strcmp(key, "count"))
		l->count = coverage_count(r->coverage, j);
	if (value == JSON_NUMBER && !strcmp(key, "line_number")) {
		int64_t n = json_integer(j);

		l->line = n > 0 && n < INT32_MAX ? (uint32_t)n : 0;
	}
	if (value == JSON_ARRAY && !strcmp(key, "branches"))
		return json_items(j, take_branch, r);
	return json_pass(j, value);
}

static bool
take_function(void *context, struct json *j, enum json_piece value)
{
	struct reader *r = context;
	struct covered_file *f = &r->files[r->nr_files - 1];

	if (value != JSON_OBJECT)
		return json_pass(j, value);
	GROW(f->functions, f->nr_functions + 1, f->functions_alloc);
	f->functions[f->nr_functions++] = (struct covered_function){ .linkage = "" };
	return json_members(j, take_function_member, r);
}

static bool
take_line(void *context, struct json *j, enum json_piece value)
{
	struct reader *r = context;
	struct covered_file *f = &r->files[r->nr_files - 1];

	if (value != JSON_OBJECT)
		return json_pass(j, value);
	GROW(f->lines, f->nr_lines + 1, f->lines_alloc);
	f->lines[f->nr_lines++] = (struct covered_line){ .function = NULL };
	r->first_branch = f->nr_branches;
	if (!json_members(j, take_line_member, r))
		return false;
	for (size_t i = r->first_branch; i < f->nr_branches; i++) {
		f->branches[i].line = f->lines[f->nr_lines - 1].line;
		f->branches[i].function = f->lines[f->nr_lines - 1].function;
	}
	return true;
}

static bool
take_file_member(void *context, struct json *j, const char *key, enum json_piece value)
{
	struct reader *r = context;

	if (value == JSON_STRING && !strcmp(key, "file"))
		r->files[r->nr_files - 1].name = keep(r, j);
	if (value == JSON_ARRAY && !strcmp(key, "functions"))
		return json_items(j, take_function, r);
	if (value == JSON_ARRAY && !strcmp(key, "lines"))
		return json_items(j, take_line, r);
	return json_pass(j, value);
}

static bool
take_file(void *context, struct json *j, enum json_piece value)
{
	struct reader *r = context;

	if (value != JSON_OBJECT)
		return json_pass(j, value);
	if (r->nr_files == r->most_files) {
		GROW(r->files, r->nr_files + 1, r->files_alloc);
		r->files[r->most_files++] = (struct covered_file){ .name = "" };
	}
	r->nr_files++;
	return json_members(j, take_file_member, r);
}

static bool
take_member(void *context, struct json *j, const char *key, enum json_piece value)
{
	struct reader *r = context;

	if (value == JSON_STRING && !strcmp(key, "current_working_directory"))
		r->directory = keep(r, j);
	if (value == JSON_STRING && !strcmp(key, "gcc_version"))
		snprintf(r->version, sizeof(r->version), "gcov %s", json_text(j, NULL));
	if (value == JSON_ARRAY && !strcmp(key, "files"))
		return json_items(j, take_file, r);
	return json_pass(j, value);
}

/* Reads the file AT, which is called PATH: objects, one behind the other. */
static int
read_file(struct reader *r, const char *at, const char *path, uid_t *uid, struct error *err)
{
	struct stat st;
	FILE *f = unpack_open(at, &st, err);
	struct json *j = f ? json_new(f) : NULL;
	enum json_piece p = JSON_END;
	int status = f ? 0 : -1;

	while (f && (p = json_next(j)) == JSON_OBJECT) {
		r->directory = "";
		if (!json_members(j, take_member, r)) {
			p = JSON_BAD;
			break;
		}
		for (size_t i = 0; i < r->nr_files; i++)
			coverage_take_file(r->coverage, r->directory, &r->files[i]);
		r->nr_files = 0;
		arena_release(&r->arena);
	}
	if (f && p != JSON_END)
		status = error_set(err, "%s: line %llu is no JSON of gcov's: is the file whole?",
				   path, (unsigned long long)json_line(j));
	if (f) {
		*uid = st.st_uid;
		json_free(j);
		fclose(f);
	}
	return status;
}

/* PRINTED: what gcov prints of the files PATHS; NULL: they are that. */
static int
read_all(const char *const *paths, size_t nr, const struct printed *printed, struct model *m,
	 struct error *err)
{
	struct reader r = { .coverage = coverage_new(m, paths[0]), .arena = ARENA_INIT };
	uid_t uid = 0;
	int status = printed ? read_file(&r, printed->path, paths[0], &uid, err) : 0;

	for (size_t i = 0; !printed && i < nr && !status; i++)
		status = read_file(&r, paths[i], paths[i], &uid, err);
	if (!status)
		status = coverage_finish(r.coverage, *r.version ? r.version : "gcov", paths[0],
					 uid, err);
	for (size_t i = 0; i < r.most_files; i++)
		covered_file_release(&r.files[i]);
	free(r.files);
	arena_release(&r.arena);
	coverage_free(r.coverage);
	return status;
}

static int
gcov_json_read(const char *const *paths, size_t nr, struct model *m, struct error *err)
{
	return read_all(paths, nr, NULL, m, err);
}

/* Returns the release of GCC that wrote HEAD, a file of counts: "B22*" is 12.2, from behind. */
static int
release_of(const char *head)
{
	int tens = head[7] - 'A', ones = head[6] - '0';

	return tens >= 0 && tens < 26 && ones >= 0 && ones <= 9 ? 10 * tens + ones : 0;
}

/* Files of counts, which only gcov of the same release can read, with the notes beside them. */
static int
gcda_read(const char *const *paths, size_t nr, struct model *m, struct error *err)
{
	const char **words = xcalloc(nr + 6, sizeof(*words));
	struct printed printed = PRINTED_INIT;
	struct error first = ERROR_INIT;
	char head[8] = { 0 }, name[32];
	int status;

	unpack_head(paths[0], head, sizeof(head));
	snprintf(name, sizeof(name), "gcov-%d", release_of(head));
	words[0] = name;
	words[1] = "-j";
	words[2] = "-t";
	words[3] = "-b"; /* also branches */
	words[4] = "--";
	memcpy(&words[5], paths, nr * sizeof(*paths));
	status = printer_run(&printed, words, &first);
	if (status) {
		words[0] = "gcov";
		status = printer_run(&printed, words, err);
	}
	confine_without_tools();
	if (!status)
		status = read_all(paths, nr, &printed, m, err);
	printed_close(&printed);
	free(words);
	return status;
}

static bool
gcda_is(const char *head, size_t n)
{
	return n > 8 && !memcmp(head, "adcg", 4);
}

static bool
gcov_json_is(const char *head, size_t n)
{
	return n && *head == '{' &&
	       (strstr(head, "\"gcc_version\"") || strstr(head, "\"unexecuted_block\""));
}

const struct foreign_format gcov_json_format = {
	.name = "the JSON of gcov", .is = gcov_json_is, .read = gcov_json_read, .several = true,
};
const struct foreign_format gcda_format = {
	.name = "gcov's counts", .is = gcda_is, .read = gcda_read, .several = true,
	.runs_tool = true,
};
