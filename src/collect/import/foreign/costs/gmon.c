/* gmon.out, which programs leave that were compiled with -pg: how often a clock found the program
 * at which address, and how often a procedure was called from where. Integers are the machine's:
 *
 *	"gmon", version (4 bytes), 12 spare bytes; then records until the end of the file:
 *	0: low and high address (8 each), number of bins (4), samples a second (4), dimension (15),
 *	   its abbreviation (1); bins of 2 bytes
 *	1: return address in the caller (8), address in the called procedure (8), calls (4); the
 *	   C library keeps the former as a multiple of 16
 *	2: how many (4); of each address (8) and executions (8): of old compilers (gcc -a)
 *
 * Which program it is of, the file does not say. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/import/elf/elf.h"
#include "collect/import/foreign/costs/gmon.h"
#include "collect/import/foreign/foreign_format.h"
#include "collect/import/owners.h"
#include "collect/import/unpack.h"
#include "util/mem.h"
#include "util/text/path.h"

enum {
	VERSION = 1, HEADER = 20,
	MOST_BIN = 65535,          /* of 2 bytes */
	MOST_HZ = 1000000,
	MOST_CANDIDATES = 10000,   /* files that are looked at for the program */
};
#define MOST_TEXT ((uint64_t)1 << 40) /* bytes of code */
#define MOST_CALLS UINT32_MAX

/* ---- the file ---- */

static bool
read_bytes(FILE *f, void *to, size_t n)
{
	return fread(to, 1, n, f) == n;
}

/* Returns how the C library scales addresses to bins, in 65536ths of a bin for 2 bytes: it takes
 * what fits the histogram into the code, as an integer. */
static uint64_t
scale_of(uint64_t code, uint32_t bins)
{
	const uint64_t whole = 65536;
	uint64_t bytes = 2ull * bins;
	uint64_t scale = bytes < code ? (uint64_t)((float)bytes / (float)code * (float)whole)
				      : whole;

	return scale ? scale : 1;
}

/* Returns where the bin I begins. */
static uint64_t
edge(uint64_t low, uint64_t scale, uint64_t i)
{
	return low + 2 * ((65536 * i + scale - 1) / scale);
}

/* Returns why it is no good; NULL: it is. */
static const char *
read_histogram(struct gmon *g, FILE *f)
{
	struct { uint64_t low, high; uint32_t bins, hz; char dimension[16]; } h;
	uint16_t samples;
	uint64_t scale;

	_Static_assert(sizeof(h) == 40, "as in the file");
	if (!read_bytes(f, &h, sizeof(h)))
		return "it is cut within a histogram";
	if (!h.hz || h.hz > MOST_HZ || (h.bins && (h.high <= h.low || h.high - h.low > MOST_TEXT)))
		return "a histogram has no code or no rate";
	if (g->hz && g->hz != h.hz)
		return "its histograms have several rates";
	g->hz = h.hz;
	scale = scale_of(h.high - h.low, h.bins);
	for (uint32_t i = 0; i < h.bins; i++) {
		if (!read_bytes(f, &samples, sizeof(samples)))
			return "it is cut within a histogram";
		if (!samples)
			continue;
		g->saturated += samples == MOST_BIN;
		GROW(g->bins, g->nr_bins + 1, g->bins_alloc);
		g->bins[g->nr_bins++] = (struct gmon_bin){
			edge(h.low, scale, i), edge(h.low, scale, i + 1ull), samples,
		};
	}
	return NULL;
}

static struct key
key_of(uint64_t a, uint64_t b)
{
	return KEY((uint32_t)a, (uint32_t)(a >> 32), (uint32_t)b, (uint32_t)(b >> 32));
}

static const char *
read_arc(struct gmon *g, FILE *f)
{
	uint64_t at[2];
	uint32_t calls, i;
	bool is_new;

	if (!read_bytes(f, at, sizeof(at)) || !read_bytes(f, &calls, sizeof(calls)))
		return "it is cut within a call";
	if (!calls)
		return NULL;
	i = keys_number(&g->arc_keys, key_of(at[0], at[1]), &is_new);
	if (is_new) {
		GROW(g->arcs, g->nr_arcs + 1, g->arcs_alloc);
		g->arcs[g->nr_arcs++] = (struct gmon_arc){ .from = at[0], .to = at[1] };
	}
	g->arcs[i].calls = count_add(g->arcs[i].calls, calls);
	g->wrapped += calls > MOST_CALLS - MOST_CALLS / 16;
	return NULL;
}

static const char *
read_blocks(struct gmon *g, FILE *f)
{
	uint32_t nr, i;
	uint64_t of[2];
	bool is_new;

	if (!read_bytes(f, &nr, sizeof(nr)))
		return "it is cut within its blocks";
	for (; nr; nr--) {
		if (!read_bytes(f, of, sizeof(of)))
			return "it is cut within its blocks";
		i = keys_number(&g->block_keys, key_of(of[0], 0), &is_new);
		if (is_new) {
			GROW(g->blocks, g->nr_blocks + 1, g->blocks_alloc);
			g->blocks[g->nr_blocks++] = (struct gmon_block){ .address = of[0] };
		}
		g->blocks[i].executions = count_add(g->blocks[i].executions, of[1]);
	}
	return NULL;
}

static const char *
read_records(struct gmon *g, FILE *f)
{
	const char *wrong = NULL;
	uint8_t tag;

	while (!wrong && read_bytes(f, &tag, 1))
		wrong = tag == 0 ? read_histogram(g, f) : tag == 1 ? read_arc(g, f)
			: tag == 2 ? read_blocks(g, f) : "it has a record of an unknown kind";
	return wrong;
}

static int
read_file(struct gmon *g, const char *path, struct stat *st, struct error *err)
{
	FILE *f = unpack_open(path, st, err);
	char header[HEADER];
	const char *wrong;
	int status = -1;

	if (!f)
		return -1;
	wrong = read_bytes(f, header, sizeof(header)) ? read_records(g, f)
						      : "it is cut within its head";
	if (ferror(f))
		error_set(err, "%s cannot be read to its end", path);
	else if (wrong)
		error_set(err, "%s is a file of gprof that is damaged: %s", path, wrong);
	else
		status = 0;
	fclose(f);
	g->files++;
	return status;
}

/* ---- the program ---- */

/* Was the program compiled with -pg? */
static bool
counts_calls(const char *path, struct owners *owners)
{
	static const char *const strings[] = { ".dynstr", ".strtab" };
	static const char *const names[] = { "mcount", "_mcount", "__fentry__" };
	struct error ignored = ERROR_INIT;
	bool counts = false;
	struct elf e;

	if (elf_open_for(&e, path, owners, &ignored))
		return false;
	for (size_t i = 0; i < 2; i++) {
		const struct elf_section *s = elf_section(&e, strings[i]);
		uint8_t *texts = s ? elf_read(&e, s, &ignored) : NULL;

		for (size_t k = 0; texts && k < sizeof(names) / sizeof(*names); k++)
			counts |= memmem(texts, s->size, names[k], strlen(names[k]) + 1) != NULL;
		free(texts);
	}
	elf_close(&e);
	return counts;
}

/* Returns the program that stands beside the profile, heap: the only one that counts calls, or
 * a.out among several; NULL and NR, how many there are. */
static char *
program_beside(const char *path, struct owners *owners, size_t *nr)
{
	char *directory = strndup(path, (size_t)(path_base(path) - path)), *found = NULL;
	DIR *d = opendir(*directory ? directory : ".");
	struct dirent *e;
	bool is_default = false;
	struct stat st;

	*nr = 0;
	for (size_t i = 0; d && i < MOST_CANDIDATES && !is_default && (e = readdir(d)); i++) {
		char *candidate = xasprintf("%s%s", *directory ? directory : "./", e->d_name);

		if (stat(candidate, &st) || !S_ISREG(st.st_mode) || !(st.st_mode & S_IXUSR) ||
		    !counts_calls(candidate, owners)) {
			free(candidate);
			continue;
		}
		is_default = !strcmp(e->d_name, "a.out");
		free(found);
		found = candidate;
		++*nr;
	}
	if (d)
		closedir(d);
	free(directory);
	if (is_default || *nr == 1)
		return found;
	free(found);
	return NULL;
}

static char *
find_program(const char *path, const struct stat *st, const struct model *m, struct error *err)
{
	struct owners owners = { .nr = 0 };
	char *program, *absolute;
	size_t nr;

	if (m->program) {
		absolute = realpath(m->program, NULL);
		return absolute ? absolute : xstrdup(m->program);
	}
	owners_add(&owners, st->st_uid);
	program = program_beside(path, &owners, &nr);
	owners_release(&owners);
	if (!program) {
		error_set(err, "%s has addresses and does not say of which program, and beside it "
			  "there %s compiled with -pg: cgview import --program PROGRAM %s", path,
			  nr ? "are several" : "is none", path);
		return NULL;
	}
	absolute = realpath(program, NULL);
	if (!absolute)
		return program;
	free(program);
	return absolute;
}

/* ---- all of it ---- */

static void
release(struct gmon *g)
{
	free(g->bins);
	free(g->arcs);
	free(g->blocks);
	keys_release(&g->arc_keys);
	keys_release(&g->block_keys);
}

static int
gmon_read(const char *const *paths, size_t nr, struct model *m, struct error *err)
{
	struct gmon g = { .hz = 0 };
	char *program = NULL;
	struct stat st;
	int status = 0;

	for (size_t i = 0; i < nr && !status; i++)
		status = read_file(&g, paths[i], &st, err);
	if (!status && !g.nr_bins && !g.nr_arcs && !g.nr_blocks)
		status = error_set(err, "%s has neither calls nor samples: there is nothing to "
				   "show", paths[0]);
	if (!status) {
		program = find_program(paths[0], &st, m, err);
		status = program ? gmon_make(&g, program, paths[0], &st, m, err) : -1;
	}
	release(&g);
	free(program);
	return status;
}

static bool
gmon_is(const char *head, size_t n)
{
	uint32_t version = 0;

	if (n >= 8)
		memcpy(&version, head + 4, sizeof(version));
	return version == VERSION && !memcmp(head, "gmon", 4);
}

const struct foreign_format gmon_format = {
	.name = "a profile of gprof", .is = gmon_is, .read = gmon_read, .several = true,
};
