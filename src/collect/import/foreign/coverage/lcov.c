/* Traces of lcov, in geninfo(1): lines that begin with a word and a colon; a record for each source
 * file and test. Records of one file add up. Other tools write it, too: grcov, kcov, llvm-cov. */
#include "collect/import/foreign/foreign_format.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/import/foreign/coverage/coverage.h"
#include "util/text/path.h"

enum { MOST_LINE = 1 << 20 };

struct reader {
	struct coverage *coverage;
	struct arena arena;        /* of the record */
	struct covered_file file;
	const char **blocks;       /* of the line's branches, their numbers are their positions */
	size_t nr_blocks, blocks_alloc;
	uint64_t at, good, bad, first_bad;
};

/* Reads a number up to its comma or the end; *P stands behind both. A count may be negative, or
 * have a fraction, as tools write what has overflowed. */
static bool
read_number(const char **p, uint64_t *n)
{
	char *end;
	double d = strtod(*p, &end);

	if (end == *p || (*end && *end != ',' && *end != '\r'))
		return false;
	*n = d < 0 ? 0 : d < 0x1p53 ? (uint64_t)d : strtoull(*p, NULL, 10);
	if (d >= 0x1p63)
		*n = INT64_MAX;
	*p = *end == ',' ? end + 1 : end;
	return true;
}

static bool
read_line_number(const char **p, uint32_t *line)
{
	uint64_t n;

	if (!read_number(p, &n) || n > INT32_MAX)
		return false;
	*line = (uint32_t)n;
	return true;
}

static struct covered_function *
find_function(struct covered_file *f, const char *name)
{
	for (size_t i = 0; i < f->nr_functions; i++)
		if (!strcmp(f->functions[i].linkage, name))
			return &f->functions[i];
	return NULL;
}

/* What is only known in its file is called "a.c:f" by LLVM, "a.c;f" from version 18 on. */
static const char *
without_file(const char *name, const char *path)
{
	const char *base = path_base(path), *p = strstr(name, base);
	size_t n = strlen(base);

	if (!n || !p || (p > name && p[-1] != '/') || (p[n] != ':' && p[n] != ';') || !p[n + 1])
		return name;
	return p + n + 1;
}

static struct covered_function *
add_function(struct reader *r, const char *name)
{
	struct covered_function *f;

	name = r->file.name ? without_file(name, r->file.name) : name;
	f = find_function(&r->file, name);
	if (f)
		return f;
	GROW(r->file.functions, r->file.nr_functions + 1, r->file.functions_alloc);
	f = &r->file.functions[r->file.nr_functions++];
	*f = (struct covered_function){ .linkage = arena_strdup(&r->arena, name), .unnamed = true };
	return f;
}

/* "FN:12,name", "FN:12,20,name" */
static bool
take_fn(struct reader *r, const char *p)
{
	uint32_t line, end = 0;
	struct covered_function *f;

	if (!read_line_number(&p, &line))
		return false;
	if (isdigit((unsigned char)*p) && !read_line_number(&p, &end))
		return false;
	f = add_function(r, p);
	f->place.line = line;
	f->place.end_line = end;
	return *p;
}

/* "FNDA:7,name" */
static bool
take_fnda(struct reader *r, const char *p)
{
	uint64_t count;

	if (!read_number(&p, &count))
		return false;
	add_function(r, p)->count = count;
	return *p;
}

/* "FNL:0,12,20" of lcov 2: the function number 0; its names follow. Until then it has none. */
static bool
take_fnl(struct reader *r, const char *p)
{
	char name[32];
	uint64_t index;
	uint32_t line, end = 0;
	struct covered_function *f;

	if (!read_number(&p, &index) || !read_line_number(&p, &line) ||
	    (*p && !read_line_number(&p, &end)))
		return false;
	snprintf(name, sizeof(name), "\n%llu", (unsigned long long)index);
	f = add_function(r, name);
	f->place.line = line;
	f->place.end_line = end;
	return true;
}

/* "FNA:0,7,name": several are aliases, each with its count, and are one function here. */
static bool
take_fna(struct reader *r, const char *p)
{
	char name[32];
	uint64_t index, count;
	struct covered_function *f;

	if (!read_number(&p, &index) || !read_number(&p, &count) || !*p)
		return false;
	snprintf(name, sizeof(name), "\n%llu", (unsigned long long)index);
	f = find_function(&r->file, name);
	if (!f)
		return false;
	/* The place stays behind under the number, for the next alias. */
	if (!find_function(&r->file, p)) {
		const struct place place = f->place;
		struct covered_function *named = add_function(r, p);

		named->place = place;
		named->count = count;
	}
	return true;
}

/* "DA:12,7", "DA:12,7,checksum" */
static bool
take_da(struct reader *r, const char *p)
{
	struct covered_file *f = &r->file;
	uint64_t count;
	uint32_t line;

	if (!read_line_number(&p, &line) || !read_number(&p, &count))
		return false;
	GROW(f->lines, f->nr_lines + 1, f->lines_alloc);
	f->lines[f->nr_lines++] = (struct covered_line){ .line = line, .count = count };
	return true;
}

static uint32_t
known_block(struct reader *r, const char *text, size_t n)
{
	size_t i;

	for (i = 0; i < r->nr_blocks; i++)
		if (strlen(r->blocks[i]) == n && !strncmp(r->blocks[i], text, n))
			return (uint32_t)i;
	GROW(r->blocks, r->nr_blocks + 1, r->blocks_alloc);
	r->blocks[r->nr_blocks++] = arena_strndup(&r->arena, text, n);
	return (uint32_t)i;
}

/* "BRDA:12,0,1,7": line, block, branch, how often it was taken, or - where its condition was not
 * evaluated. A block is any text; one that begins with e is of exceptions. In lcov 2 a branch may
 * be a text, too: the ways of a block are numbered as they come. */
static bool
take_brda(struct reader *r, const char *p)
{
	struct covered_file *f = &r->file;
	const char *block, *branch, *taken;
	uint64_t count = 0;
	uint32_t line, number, way = 0;

	if (!read_line_number(&p, &line))
		return false;
	block = p;
	branch = strchr(block, ',');
	taken = branch ? strrchr(branch + 1, ',') : NULL;
	if (!taken)
		return false;
	p = taken + 1;
	if (strcmp(p, "-") != 0 && !read_number(&p, &count))
		return false;
	if (*block == 'e')
		return true;
	if (f->nr_branches && f->branches[f->nr_branches - 1].line != line)
		r->nr_blocks = 0;
	number = known_block(r, block, (size_t)(branch - block));
	for (size_t i = f->nr_branches; i-- && f->branches[i].line == line;)
		way += f->branches[i].number == number;
	GROW(f->branches, f->nr_branches + 1, f->branches_alloc);
	f->branches[f->nr_branches++] = (struct covered_branch){
		.line = line, .number = number, .way = way, .count = count,
	};
	return true;
}

static bool
take_sf(struct reader *r, const char *p)
{
	r->file.name = arena_strdup(&r->arena, p);
	return *p;
}

/* Functions without a place, and places without a name, are none. */
static bool
take_end(struct reader *r, const char *p)
{
	struct covered_file *f = &r->file;
	size_t n = 0;

	(void)p;
	for (size_t i = 0; i < f->nr_functions; i++)
		if (f->functions[i].place.line && *f->functions[i].linkage != '\n')
			f->functions[n++] = f->functions[i];
	f->nr_functions = n;
	if (*f->name)
		coverage_take_file(r->coverage, "", f);
	f->nr_functions = f->nr_lines = f->nr_branches = r->nr_blocks = 0;
	arena_release(&r->arena);
	f->name = "";
	return true;
}

static bool
take_nothing(struct reader *r, const char *p)
{
	(void)r, (void)p;
	return true;
}

static const struct { const char *word; bool (*take)(struct reader *r, const char *p); } words[] = {
	{ "DA:", take_da }, { "SF:", take_sf }, { "FN:", take_fn }, { "FNDA:", take_fnda },
	{ "FNL:", take_fnl }, { "FNA:", take_fna }, { "end_of_record", take_end },
	{ "BRDA:", take_brda },
	/* Sums, conditions, names of tests. */
	{ "TN:", take_nothing }, { "LF:", take_nothing }, { "LH:", take_nothing },
	{ "FNF:", take_nothing }, { "FNH:", take_nothing },
	{ "BRF:", take_nothing }, { "BRH:", take_nothing }, { "MCDC:", take_nothing },
	{ "MCF:", take_nothing }, { "MCH:", take_nothing }, { "VER:", take_nothing },
	{ "#", take_nothing },
};

static void
take_line(struct reader *r, char *line, size_t n)
{
	bool good = n <= MOST_LINE && strlen(line) == n;
	size_t i = 0;

	if (!n)
		return;
	while (good && i < sizeof(words) / sizeof(*words) &&
	       strncmp(line, words[i].word, strlen(words[i].word)) != 0)
		i++;
	good = good && i < sizeof(words) / sizeof(*words) &&
	       words[i].take(r, line + strlen(words[i].word));
	if (good)
		r->good++;
	else if (!r->bad++)
		r->first_bad = r->at;
}

static int
read_file(struct reader *r, const char *path, uid_t *uid, struct error *err)
{
	struct stat st;
	FILE *f = unpack_open(path, &st, err);
	char *line = NULL;
	size_t room = 0;
	ssize_t n;
	bool failed;

	if (!f)
		return -1;
	for (r->at = 1; (n = getline(&line, &room, f)) >= 0; r->at++) {
		while (n && (line[n - 1] == '\n' || line[n - 1] == '\r'))
			line[--n] = '\0';
		take_line(r, line, (size_t)n);
	}
	if (*r->file.name)
		take_end(r, "");
	free(line);
	*uid = st.st_uid;
	failed = ferror(f);
	fclose(f);
	if (failed)
		return error_set(err, "%s cannot be read to its end", path);
	if (r->bad > r->good)
		return error_set(err, "%s: most of its lines are none of lcov's (the first is "
				      "%llu): is it another file?", path,
				 (unsigned long long)r->first_bad);
	return 0;
}

static int
lcov_read(const char *const *paths, size_t nr, struct model *m, struct error *err)
{
	struct reader r = { .coverage = coverage_new(m, paths[0]), .arena = ARENA_INIT,
			    .file.name = "" };
	uid_t uid = 0;
	int status = 0;

	for (size_t i = 0; i < nr && !status; i++)
		status = read_file(&r, paths[i], &uid, err);
	if (!status)
		status = coverage_finish(r.coverage, "lcov", paths[0], uid, err);
	if (!status && r.bad)
		model_note(m, "counts", "%llu lines were not understood, the first is %llu",
			   (unsigned long long)r.bad, (unsigned long long)r.first_bad);
	covered_file_release(&r.file);
	free(r.blocks);
	arena_release(&r.arena);
	coverage_free(r.coverage);
	return status;
}

static bool
lcov_is(const char *head, size_t n)
{
	const char *p = head;

	while (*p == '#' || *p == '\n') {
		p = strchr(p, '\n');
		if (!p)
			return false;
		p++;
	}
	return n && (!strncmp(p, "TN:", 3) || !strncmp(p, "SF:", 3));
}

const struct foreign_format lcov_format = {
	.name = "a trace of lcov", .is = lcov_is, .read = lcov_read, .several = true,
};
