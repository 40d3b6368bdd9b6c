/* The JSON of llvm-cov export: exact counts of source ranges of programs that clang, rustc and
 * swift compiled. Columns of ends are exclusive there. What a line's count is, is llvm's own rule
 * (class LineCoverageStats), so that figures are those of its reports. */
#include "collect/import/foreign/foreign_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/import/confine.h"
#include "collect/import/elf/elf.h"
#include "collect/import/foreign/coverage/coverage.h"
#include "collect/import/foreign/coverage/llvm_objects.h"
#include "collect/import/foreign/coverage/llvm_tools.h"
#include "collect/import/foreign/printer.h"

enum {
	NR_NUMBERS = 9,            /* of a region or a branch; later versions have more behind */
	MOST_GAP = 1000000,        /* lines between two segments */
	TO_END_OF_LINE = INT32_MAX,
};
enum region_kind { REGION_CODE, REGION_EXPANSION, REGION_SKIPPED, REGION_GAP, REGION_BRANCH };

struct row { int64_t of[NR_NUMBERS]; };

struct reader {
	struct coverage *coverage;
	struct arena arena;        /* of the function or file that is read */
	struct row row;            /* the array that is read, and how many numbers it has */
	int nr_numbers;
	struct { struct row *items; size_t nr, alloc; } regions, branches, segments;
	const char **files;
	size_t nr_files, files_alloc;
	const char *name;          /* of the function or file */
	uint64_t count;
	char version[32];
	bool is_export;
};

/* ---- arrays of numbers ---- */

static bool
take_number(void *context, struct json *j, enum json_piece value)
{
	struct reader *r = context;

	if (r->nr_numbers < NR_NUMBERS)
		r->row.of[r->nr_numbers++] = value == JSON_TRUE ? 1 : json_integer(j);
	return json_pass(j, value);
}

/* Reads an array into R's row; what is missing is 0. */
static bool
read_row(struct reader *r, struct json *j, enum json_piece value)
{
	memset(&r->row, 0, sizeof(r->row));
	r->nr_numbers = 0;
	return value == JSON_ARRAY ? json_items(j, take_number, r) : json_pass(j, value);
}

#define TAKE_ROW(name, list)                                                             \
	static bool                                                                      \
	name(void *context, struct json *j, enum json_piece value)                       \
	{                                                                                \
		struct reader *r = context;                                              \
		                                                                         \
		if (!read_row(r, j, value))                                              \
			return false;                                                    \
		GROW(r->list.items, r->list.nr + 1, r->list.alloc);                      \
		r->list.items[r->list.nr++] = r->row;                                    \
		return true;                                                             \
	}
TAKE_ROW(take_region, regions)
TAKE_ROW(take_branch, branches)
TAKE_ROW(take_segment, segments)

static uint64_t
count_of(int64_t n)
{
	return n < 0 ? 0 : (uint64_t)n;
}

/* Sets P to the region R, whose end is included in it. False: it is empty, or none. */
static bool
place_of(const struct row *r, model_id file, struct place *p)
{
	for (int i = 0; i < 4; i++)
		if (r->of[i] < 1 || r->of[i] >= INT32_MAX)
			return false;
	*p = (struct place){ file, (uint32_t)r->of[0], (uint32_t)r->of[1], (uint32_t)r->of[2],
			     (uint32_t)r->of[3] - 1 };
	if (!p->end_column) {
		p->end_line--;
		p->end_column = TO_END_OF_LINE;
	}
	return p->end_line > p->line ||
	       (p->end_line == p->line && p->end_column >= p->column);
}

/* ---- functions ---- */

/* A name of one file stands behind that file's name; colons in pairs belong to the name. */
static const char *
linkage_of(const char *name)
{
	const char *found = name;

	if (!strncmp(name, "_Z", 2) || !strncmp(name, "_R", 2) || !strncmp(name, "_$", 2))
		return name;
	for (const char *p = name; *p; p++) {
		if (*p != ':' && *p != ';') /* this from version 18 on */
			continue;
		if (*p == ':' && p[1] == ':')
			p++;
		else
			found = p + 1;
	}
	return *found ? found : name;
}

static model_id
file_of(struct reader *r, int64_t number)
{
	return number < 0 || (uint64_t)number >= r->nr_files
	       ? 0 : coverage_file(r->coverage, "", r->files[number]);
}

static void
end_function(struct reader *r)
{
	struct covered_function f = { .linkage = linkage_of(r->name), .count = r->count,
				      .unnamed = true };
	struct place place;
	model_id procedure, file;

	for (size_t i = 0; i < r->regions.nr && !f.place.line; i++) {
		const struct row *g = &r->regions.items[i];

		if (g->of[7] == REGION_CODE && !g->of[5])
			place_of(g, file_of(r, 0), &f.place);
	}
	if (!*r->name || !f.place.file)
		return;
	procedure = coverage_function(r->coverage, &f);
	for (size_t i = 0; i < r->regions.nr; i++) {
		const struct row *g = &r->regions.items[i];

		file = file_of(r, g->of[5]);
		if (!file || !place_of(g, file, &place) ||
		    (g->of[7] != REGION_CODE && g->of[7] != REGION_EXPANSION))
			continue;
		coverage_range(r->coverage, procedure, &place,
			       g->of[7] == REGION_EXPANSION ? RANGE_MACRO
			       : g->of[5] ? RANGE_MACRO_DEFINITION : RANGE_STATEMENT,
			       count_of(g->of[4]));
	}
	for (size_t i = 0; i < r->branches.nr; i++) {
		const struct row *b = &r->branches.items[i];

		file = file_of(r, b->of[6]);
		if (!file || b->of[6] || b->of[8] != REGION_BRANCH || !place_of(b, file, &place))
			continue;
		coverage_range(r->coverage, procedure, &place, RANGE_OPERAND,
			       count_add(count_of(b->of[4]), count_of(b->of[5])));
		for (uint32_t way = 0; way < 2; way++)
			coverage_branch(r->coverage, procedure, &place, BRANCH_OPERAND, 0, way,
					count_of(b->of[4 + way]));
	}
}

static bool
take_filename(void *context, struct json *j, enum json_piece value)
{
	struct reader *r = context;

	GROW(r->files, r->nr_files + 1, r->files_alloc);
	r->files[r->nr_files++] = arena_strdup(&r->arena, value == JSON_STRING
								  ? json_text(j, NULL) : "");
	return json_pass(j, value);
}

static void
begin(struct reader *r)
{
	arena_release(&r->arena);
	r->regions.nr = r->branches.nr = r->segments.nr = r->nr_files = 0;
	r->name = "";
	r->count = 0;
}

static bool
take_function_member(void *context, struct json *j, const char *key, enum json_piece value)
{
	struct reader *r = context;

	if (value == JSON_STRING && !strcmp(key, "name"))
		r->name = arena_strdup(&r->arena, json_text(j, NULL));
	if (value == JSON_NUMBER && !strcmp(key, "count"))
		r->count = coverage_count(r->coverage, j);
	if (value == JSON_ARRAY && !strcmp(key, "regions"))
		return json_items(j, take_region, r);
	if (value == JSON_ARRAY && !strcmp(key, "branches"))
		return json_items(j, take_branch, r);
	if (value == JSON_ARRAY && !strcmp(key, "filenames"))
		return json_items(j, take_filename, r);
	return json_pass(j, value);
}

static bool
take_function(void *context, struct json *j, enum json_piece value)
{
	struct reader *r = context;

	begin(r);
	if (value != JSON_OBJECT)
		return json_pass(j, value);
	if (!json_members(j, take_function_member, r))
		return false;
	end_function(r);
	return true;
}

/* ---- lines ---- */

enum { LINE, COUNT = 2, HAS_COUNT, IS_ENTRY, IS_GAP };

/* Adds the line LINE, where NR segments begin and WRAPPED, which may be NULL, goes on. */
static void
end_line(struct reader *r, model_id file, int64_t line, const struct row *wrapped,
	 const struct row *s, size_t nr)
{
	bool skipped = nr && !s[0].of[HAS_COUNT] && s[0].of[IS_ENTRY];
	bool mapped = wrapped && wrapped->of[HAS_COUNT];
	uint64_t count = mapped ? count_of(wrapped->of[COUNT]) : 0;

	for (size_t i = 0; i < nr; i++) {
		if (s[i].of[IS_GAP] || !s[i].of[HAS_COUNT] || !s[i].of[IS_ENTRY])
			continue;
		mapped = true;
		if (count < count_of(s[i].of[COUNT]))
			count = count_of(s[i].of[COUNT]);
	}
	if (mapped && !skipped)
		coverage_line(r->coverage, 0, file, (uint32_t)line, count);
}

static void
end_file(struct reader *r)
{
	const struct row *s = r->segments.items, *wrapped = NULL;
	model_id file = coverage_file(r->coverage, "", r->name);
	size_t nr = r->segments.nr, at = 0, end;

	while (file && at < nr) {
		int64_t line = s[at].of[LINE], next;

		if (line < 1 || line >= INT32_MAX)
			return;
		for (end = at; end < nr && s[end].of[LINE] == line; end++)
			;
		end_line(r, file, line, wrapped, s + at, end - at);
		wrapped = &s[end - 1];
		next = end < nr ? s[end].of[LINE] : line;
		if (next < line || next - line > MOST_GAP || next >= INT32_MAX)
			return;
		while (++line < next)
			end_line(r, file, line, wrapped, NULL, 0);
		at = end;
	}
}

static bool
take_file_member(void *context, struct json *j, const char *key, enum json_piece value)
{
	struct reader *r = context;

	if (value == JSON_STRING && !strcmp(key, "filename"))
		r->name = arena_strdup(&r->arena, json_text(j, NULL));
	if (value == JSON_ARRAY && !strcmp(key, "segments"))
		return json_items(j, take_segment, r);
	return json_pass(j, value);
}

static bool
take_file(void *context, struct json *j, enum json_piece value)
{
	struct reader *r = context;

	begin(r);
	if (value != JSON_OBJECT)
		return json_pass(j, value);
	if (!json_members(j, take_file_member, r))
		return false;
	end_file(r);
	return true;
}

/* ---- all of it ---- */

static bool
take_data_member(void *context, struct json *j, const char *key, enum json_piece value)
{
	if (value == JSON_ARRAY && !strcmp(key, "functions"))
		return json_items(j, take_function, context);
	if (value == JSON_ARRAY && !strcmp(key, "files"))
		return json_items(j, take_file, context);
	return json_pass(j, value);
}

static bool
take_data(void *context, struct json *j, enum json_piece value)
{
	return value == JSON_OBJECT ? json_members(j, take_data_member, context)
				    : json_pass(j, value);
}

static bool
take_member(void *context, struct json *j, const char *key, enum json_piece value)
{
	struct reader *r = context;

	if (value == JSON_STRING && !strcmp(key, "type"))
		r->is_export = !strcmp(json_text(j, NULL), "llvm.coverage.json.export");
	if (value == JSON_STRING && !strcmp(key, "version"))
		snprintf(r->version, sizeof(r->version), "%s", json_text(j, NULL));
	if (value == JSON_ARRAY && !strcmp(key, "data"))
		return json_items(j, take_data, r);
	return json_pass(j, value);
}

static int
read_all(struct reader *r, FILE *f, const char *path, struct error *err)
{
	struct json *j = json_new(f);
	bool good = json_next(j) == JSON_OBJECT && json_members(j, take_member, r) &&
		    json_next(j) == JSON_END;
	uint64_t line = json_line(j);

	json_free(j);
	if (!good)
		return error_set(err, "%s: line %llu is no JSON: is the file whole?", path,
				 (unsigned long long)line);
	if (!r->is_export)
		return error_set(err, "%s is JSON, but none that llvm-cov export writes", path);
	return 0;
}

/* Reads the file AT, which is, or is made of, PATH. */
static int
read_export(const char *at, const char *path, struct model *m, struct error *err)
{
	struct reader r = { .coverage = coverage_new(m, path), .arena = ARENA_INIT, .name = "" };
	struct stat st;
	FILE *f = unpack_open(at, &st, err);
	int status = f ? read_all(&r, f, path, err) : -1;

	if (!status)
		status = coverage_finish(r.coverage, "llvm-cov", path, st.st_uid, err);
	if (!status && *r.version != '2' && *r.version != '3')
		model_note(m, "counts", "llvm-cov's format has the version %s, and 2 and 3 are "
			   "known: something may be missing", *r.version ? r.version : "none");
	if (f)
		fclose(f);
	free(r.regions.items);
	free(r.branches.items);
	free(r.segments.items);
	free(r.files);
	arena_release(&r.arena);
	coverage_free(r.coverage);
	return status;
}

static int
llvm_cov_read(const char *const *paths, size_t nr, struct model *m, struct error *err)
{
	return read_export(paths[nr - 1], paths[nr - 1], m, err);
}

/* ---- raw and indexed profiles, which LLVM's tools of one release read ---- */

/* Merges PATHS by the tools of RELEASE, and exports what the OBJECTS have of it. */
static int
export_with(int release, const char *const *paths, size_t nr,
	    const struct llvm_objects *objects, struct printed *exported, struct error *err)
{
	char *profdata = llvm_tool("llvm-profdata", release), *cov = llvm_tool("llvm-cov", release);
	const char **merge = xcalloc(nr + 5, sizeof(*merge));
	struct printed merged = PRINTED_INIT;
	const char *const begin[] = { cov, "export", "-skip-expansions", "-instr-profile",
				      merged.path, objects->paths[0] };
	enum { NR_BEGIN = sizeof(begin) / sizeof(*begin) };
	const char **export = xcalloc(NR_BEGIN + 2 * objects->nr, sizeof(*export));
	int status;

	memcpy(export, begin, sizeof(begin));
	for (size_t i = 1; i < objects->nr; i++) {
		export[NR_BEGIN + 2 * i - 2] = "-object";
		export[NR_BEGIN + 2 * i - 1] = objects->paths[i];
	}

	merge[0] = profdata;
	merge[1] = "merge";
	merge[2] = "-o";
	merge[3] = "-";
	memcpy(&merge[4], paths, nr * sizeof(*paths));
	status = printer_run(&merged, merge, err);
	if (!status)
		status = printer_run(exported, export, err);
	printed_close(&merged);
	free(merge);
	free(export);
	free(profdata);
	free(cov);
	return status;
}

/* The run is one of M's program. */
static void
set_program(struct model *m)
{
	struct model_run *run = &m->runs[m->nr_runs - 1];
	struct error ignored = ERROR_INIT;
	char *path = realpath(m->program, NULL);
	struct strbuf id = STRBUF_INIT;
	struct elf elf;

	run->program = arena_strdup(&m->arena, path ? path : m->program);
	if (!elf_open(&elf, m->program, &ignored)) {
		for (size_t i = 0; i < elf.build_id_length; i++)
			strbuf_fmt(&id, "%02x", elf.build_id[i]);
		elf_close(&elf);
	}
	run->build_id = arena_strdup(&m->arena, id.buf);
	*MODEL_ADD(m, modules) = (struct model_module){
		.path = run->program, .build_id = run->build_id,
	};
	strbuf_release(&id);
	free(path);
}

static int
llvm_profile_read(const char *const *paths, size_t nr, struct model *m, struct error *err)
{
	struct printed exported = PRINTED_INIT;
	struct error first = ERROR_INIT;
	struct llvm_objects objects;
	int status = -1, release = llvm_tools_find(0);

	if (!m->program)
		return error_set(err, "%s has counts without their places, which the program has: "
				      "cgview import --program PROGRAM %s", paths[0], paths[0]);
	if (!release)
		return error_set(err, "%s: %s", paths[0], llvm_tools_missing);
	llvm_objects_find(&objects, m->program);
	if (!objects.nr)
		error_set(&first, "%s and its libraries were not built by clang with "
				  "-fcoverage-mapping: llvm-cov has nothing to tell where counts "
				  "are", m->program);
	for (; objects.nr && status && release; release = llvm_tools_find(release)) {
		struct error failed = ERROR_INIT;

		status = export_with(release, paths, nr, &objects, &exported, &failed);
		if (status && !first.set)
			first = failed;
	}
	confine_without_tools();
	status = status ? error_copy(err, &first) : read_export(exported.path, paths[0], m, err);
	printed_close(&exported);
	llvm_objects_release(&objects);
	if (!status)
		set_program(m);
	return status;
}

static bool
llvm_profile_is(const char *head, size_t n)
{
	return n > 8 && (!memcmp(head, "\x81rforpl\xff", 8) ||
			 !memcmp(head, "\xfflprofi\x81", 8));
}

const struct foreign_format llvm_profile_format = {
	.name = "a profile of LLVM", .is = llvm_profile_is, .read = llvm_profile_read,
	.several = true, .runs_tool = true,
};

/* Its type stands at the end of the file, which may be large. */
static bool
llvm_cov_is(const char *head, size_t n)
{
	return n && *head == '{' && (strstr(head, "llvm.coverage.json.export") ||
				     (strstr(head, "\"data\"") && (strstr(head, "\"files\"") ||
				      strstr(head, "\"functions\""))));
}

const struct foreign_format llvm_cov_format = {
	.name = "the JSON of llvm-cov", .is = llvm_cov_is, .read = llvm_cov_read,
};
