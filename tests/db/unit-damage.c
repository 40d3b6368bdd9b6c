/* Every reader on copies of a profile with bits turned over: whatever comes out, nothing crashes,
 * nothing runs on for ever, and what does not fit is told. Run it with ASAN=1. */
#include "db/store/profile.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sample.h"

enum { COPIES = 250, PAGE = 8192 };

static unsigned char *
read_whole(const char *name, size_t *size)
{
	int fd = open(name, O_RDONLY);
	unsigned char *data = NULL;
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		return NULL;
	*size = (size_t)st.st_size;
	data = xmalloc(*size);
	if (read(fd, data, *size) != (ssize_t)*size)
		return NULL;
	close(fd);
	return data;
}

static bool
write_whole(const char *name, const unsigned char *data, size_t size)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	bool good = fd >= 0 && write(fd, data, size) == (ssize_t)size;

	close(fd);
	return good;
}

static void
read_listings(struct profile *p)
{
	for (int kind = LIST_PROCEDURE; kind < LIST_NR; kind++) {
		struct list_query q = { .kind = (enum list_kind)kind, .descending = below(2) };
		struct listing *l;
		size_t rows;
		int columns = 0;

		while (list_columns(q.kind)[columns].name)
			columns++;
		q.sort = (int)below((uint32_t)columns);
		q.filter = below(4) ? NULL : "a";
		l = listing_open(p, &q);
		rows = listing_rows(l);
		for (size_t i = 0; i < 70; i++) {
			const struct list_row *row = listing_row(l, i % 2 ? i : rows - i);

			for (int c = 0; row && c < columns; c++)
				all_same &= strlen(row->cells[c].text) < 5000;
		}
		listing_find(l, 7);
		listing_close(l);
	}
}

static bool
place_fits(const struct place *p)
{
	return p->end_line > p->line || (p->end_line == p->line && p->end_column >= p->column);
}

static void
read_windows(struct profile *p)
{
	for (model_id file = 0; file <= FILES + 1; file++) {
		struct range_row *ranges;
		struct line_row *lines;
		struct site_row *sites, site;
		struct procedure_row procedure;
		size_t n, size;

		n = profile_ranges(p, file, 10, 90, &ranges);
		for (size_t i = 0; i < n; i++)
			all_same &= place_fits(&ranges[i].place) &&
				    ranges[i].kind <= RANGE_PROCEDURE;
		free(ranges);
		profile_lines(p, file, 1, UINT32_MAX, &lines);
		free(lines);
		n = profile_sites(p, file, 1, 200, &sites);
		for (size_t i = 0; i < n; i++)
			all_same &= place_fits(&sites[i].place) &&
				    strnlen(sites[i].target, sizeof(sites[i].target)) < 256;
		free(sites);
		profile_site(p, file, &site);
		profile_procedure(p, file, &procedure);
		profile_procedure_at(p, file, 40, &procedure);
		profile_file(p, file);
		free(profile_file_text(p, file, &size));
	}
}

/* In turn: anywhere, the head of a page, the text of the schema, the head of the file. */
static size_t
place_to_damage(const unsigned char *data, size_t size, int turn)
{
	size_t from = below(PAGE * 20);
	const unsigned char *schema = memmem(data + from, size - from, "CREATE ", 7);

	switch (turn % 4) {
	case 0:
		return below((uint32_t)size);
	case 1:
		return below((uint32_t)(size / PAGE)) * PAGE + below(40);
	case 2:
		return schema ? (size_t)(schema - data) + below(100) : 0;
	}
	return below(100);
}

int
main(void)
{
	unsigned told = 0, late = 0;
	unsigned char *data;
	struct profile *p;
	struct model m;
	size_t size;

	p = sample_open(&m, "damage.db");
	if (!p)
		return 1;
	profile_close(p);
	model_release(&m);
	data = read_whole(path, &size);
	all_same = data != NULL;
	for (int i = 0; i < COPIES && data; i++) {
		struct error err = ERROR_INIT;
		size_t at = place_to_damage(data, size, i);
		unsigned char saved;

		saved = data[at];
		data[at] ^= (unsigned char)(1 << below(8));
		all_same &= write_whole(path, data, size);
		data[at] = saved;
		p = profile_open(path, &err);
		if (p) {
			read_listings(p);
			read_windows(p);
			late += profile_error(p) != NULL;
		}
		told += !p && err.set && !strchr(err.text, '\n');
		all_same &= p || err.set;
		profile_close(p);
	}
	printf("# %u of %d refused, %u told later\n", told, COPIES, late);
	verdict(all_same && told > 5 && late > 5,
		"damaged copies: every reader survives, and damage is told");
	free(data);
	return 0;
}
