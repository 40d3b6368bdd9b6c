/* The lines of source files. GCC's own cache of them looks a line up by reading on from one of a
 * hundred marks: far too slow for a file of 200,000 lines in which every expression is looked at.
 */
#include "plugin.h"

struct source {
	char *text;
	size_t size;
	vec<size_t> begins; /* of each line */
};

static hash_map<nofree_string_hash, source *> *sources;

static void
index_lines(struct source *s)
{
	const char *newline = s->text, *end = s->text + s->size;

	s->begins.safe_push(0);
	while (newline < end && (newline = (const char *)memchr(newline, '\n', end - newline)))
		s->begins.safe_push(++newline - s->text);
}

static struct source *
read_source(const char *path)
{
	struct source *s = new source();
	struct stat st;
	FILE *f;

	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode) || !(f = fopen(path, "rb")))
		return s;
	s->text = XNEWVEC(char, st.st_size + 1);
	s->size = fread(s->text, 1, st.st_size, f);
	fclose(f);
	index_lines(s);
	return s;
}

const char *
text_line(const char *path, int line, int *length)
{
	struct source *s, **known;
	size_t begin, end;

	if (!sources)
		sources = new hash_map<nofree_string_hash, source *>;
	known = sources->get(path);
	s = known ? *known : read_source(path);
	if (!known)
		sources->put(xstrdup(path), s);
	if (line < 1 || (unsigned)line > s->begins.length())
		return NULL;
	begin = s->begins[line - 1];
	end = (unsigned)line < s->begins.length() ? s->begins[line] - 1 : s->size;
	if (begin >= s->size && end <= begin && (unsigned)line == s->begins.length())
		return NULL;
	*length = (int)(end - begin);
	return s->text + begin;
}
