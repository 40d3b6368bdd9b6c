#include "collect/import/sources.h"

#include <errno.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "collect/import/owners.h"
#include "collect/import/source_paths.h"
#include "db/store/schema.h"
#include "util/input.h"

enum { MAX_TEXT_MB = 64, MAX_TEXTS_MB = 512 }; /* of a file, of all files */
_Static_assert((uint64_t)MAX_TEXT_MB << 20 <= SCHEMA_TEXT_MAX, "what is stored can be unpacked");

struct source_name {
	const char *directory, *name;
	model_id file;             /* 0: known to be none of the profile's */
};

struct source_origin {
	int64_t built_ns;          /* when the program was built */
	const char *directory, *name; /* of the compiler; NULL: not known */
	const model_id *together;  /* the files of its unit */
	size_t nr_together;
};

void
sources_init(struct sources *s, struct model *m)
{
	*s = (struct sources){ .m = m };
}

void
sources_take(struct sources *s)
{
	GROW(s->origins, s->m->nr_files, s->origins_alloc);
	for (size_t i = 0; i < s->m->nr_files; i++) {
		s->origins[i] = (struct source_origin){ .built_ns = INT64_MAX };
		index_add(&s->by_path, hash_text(HASH_START, s->m->files[i].path), (uint32_t)i);
	}
}

void
sources_release(struct sources *s)
{
	index_release(&s->by_path);
	index_release(&s->by_name);
	free(s->names);
	free(s->origins);
	*s = (struct sources){ .m = NULL };
}

/* Take "." and empty parts out of an absolute path, and PARENTS: ".." with the part before it. */
static char *
clean_path(const char *path, bool parents)
{
	struct strbuf sb = STRBUF_INIT;
	const char *part = path, *end;
	size_t n;

	for (; *part; part = end) {
		part += strspn(part, "/");
		end = part + strcspn(part, "/");
		n = (size_t)(end - part);
		if (!n || (n == 1 && part[0] == '.'))
			continue;
		if (parents && n == 2 && !memcmp(part, "..", 2)) {
			while (sb.len && sb.buf[--sb.len] != '/')
				;
			strbuf_room(&sb, 0);
			sb.buf[sb.len] = '\0';
			continue;
		}
		strbuf_char(&sb, '/');
		strbuf_add(&sb, part, n);
	}
	if (!sb.len)
		strbuf_char(&sb, '/');
	return strbuf_take(&sb);
}

static bool
same_file(const char *a, const char *b)
{
	struct stat x, y;
	int failed_a = stat(a, &x), failed_b = stat(b, &y);

	if (failed_a || failed_b)
		return failed_a && failed_b;
	return x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Heap. ".." is taken out only where that does not lead to another file (symbolic links). */
static char *
full_path(const char *directory, const char *name)
{
	char *joined, *simple, *short_path;

	if (!*name || name[0] == '<') /* <built-in>, <stdin> */
		return xstrdup(*name ? name : "<unknown>");
	joined = name[0] == '/' || directory[0] != '/' ? xstrdup(name)
						       : xasprintf("%s/%s", directory, name);
	if (joined[0] != '/')
		return joined;
	simple = clean_path(joined, false);
	free(joined);
	if (!strstr(simple, "/.."))
		return simple;
	short_path = clean_path(simple, true);
	if (same_file(simple, short_path)) {
		free(simple);
		return short_path;
	}
	free(short_path);
	return simple;
}

static bool
path_equal(const void *ctx, uint32_t item, const void *key)
{
	return !strcmp(((const struct sources *)ctx)->m->files[item].path, key);
}

static bool
name_equal(const void *ctx, uint32_t item, const void *key)
{
	const struct source_name *n = &((const struct sources *)ctx)->names[item], *k = key;

	return !strcmp(n->name, k->name) && !strcmp(n->directory, k->directory);
}

static model_id
file_by_path(struct sources *s, const char *path, bool add)
{
	uint64_t h = hash_text(HASH_START, path);
	uint32_t i = index_find(&s->by_path, h, path_equal, s, path);

	if (i != INDEX_NONE)
		return i + 1;
	if (!add)
		return 0;
	i = (uint32_t)s->m->nr_files;
	MODEL_ADD(s->m, files)->path = arena_strdup(&s->m->arena, path);
	GROW(s->origins, s->m->nr_files, s->origins_alloc);
	s->origins[i] = (struct source_origin){ .built_ns = INT64_MAX };
	index_add(&s->by_path, h, i);
	return i + 1;
}

static model_id
look_up(struct sources *s, const char *directory, const char *name, bool add)
{
	struct source_name key = { .directory = directory, .name = name };
	uint64_t h = hash_text(hash_text(HASH_START, directory), name);
	uint32_t i = index_find(&s->by_name, h, name_equal, s, &key);
	char *path;

	if (i == INDEX_NONE) {
		GROW(s->names, s->nr_names + 1, s->names_alloc);
		i = (uint32_t)s->nr_names++;
		s->names[i] = (struct source_name){
			.directory = arena_strdup(&s->m->arena, directory),
			.name = arena_strdup(&s->m->arena, name),
		};
		index_add(&s->by_name, h, i);
	}
	if (!s->names[i].file) {
		path = full_path(directory, name);
		s->names[i].file = file_by_path(s, path, add);
		free(path);
	}
	if (add && !s->origins[s->names[i].file - 1].name) {
		s->origins[s->names[i].file - 1].directory = s->names[i].directory;
		s->origins[s->names[i].file - 1].name = s->names[i].name;
	}
	return s->names[i].file;
}

model_id
sources_add(struct sources *s, const char *directory, const char *name, int64_t built_ns)
{
	model_id file = look_up(s, directory, name, true);

	if (built_ns < s->origins[file - 1].built_ns)
		s->origins[file - 1].built_ns = built_ns;
	return file;
}

void
sources_together(struct sources *s, const model_id *files, size_t nr)
{
	struct source_origin *o;

	for (size_t i = 0; i < nr; i++) {
		o = &s->origins[files[i] - 1];
		if (o->nr_together < nr) {
			o->together = files;
			o->nr_together = nr;
		}
	}
}

model_id
sources_find(struct sources *s, const char *directory, const char *name)
{
	return look_up(s, directory, name, false);
}

static uint32_t
count_lines(const char *text, size_t size)
{
	const char *end = text + size, *p = text;
	uint32_t lines = 0;

	while (p < end) {
		p = memchr(p, '\n', (size_t)(end - p));
		lines++;
		if (!p)
			break;
		p++;
	}
	return lines;
}

static bool
too_large(off_t size, size_t total)
{
	return size > (off_t)MAX_TEXT_MB << 20 ||
	       total + (size_t)size > (size_t)MAX_TEXTS_MB << 20;
}

/* Does FD look like a file, but is an answer of the kernel? That is no source, and reading it may
 * do something. */
static bool
is_kernels(int fd)
{
	static const long kernels[] = {
		PROC_SUPER_MAGIC, SYSFS_MAGIC, DEBUGFS_MAGIC, TRACEFS_MAGIC, SECURITYFS_MAGIC,
		EFIVARFS_MAGIC, CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC, BPF_FS_MAGIC,
		PSTOREFS_MAGIC, SELINUX_MAGIC, SMACK_MAGIC,
	};
	struct statfs fs;
	size_t i;

	if (fstatfs(fd, &fs))
		return true;
	for (i = 0; i < sizeof(kernels) / sizeof(*kernels); i++)
		if ((long)fs.f_type == kernels[i])
			return true;
	return false;
}

struct reading {                   /* of the text of one file */
	struct sources *s;
	struct model_file *f;
	struct owners *owners;
	int64_t built_ns;
	uint32_t last;             /* a line that it has */
	size_t *total;
	enum file_state state;
	char **elsewhere;          /* where it was found by guessing */
};

/* FD is a regular file of ST. */
static enum file_state
take_text(const struct reading *r, int fd, const struct stat *st, bool guessed)
{
	size_t size = (size_t)st->st_size;
	struct model_file *f = r->f;
	uint32_t lines;
	ssize_t got;
	char *text;

	if (is_kernels(fd))
		return FILE_UNREADABLE;
	if (too_large(st->st_size, *r->total)) {
		f->size = size;
		return FILE_TOO_LARGE;
	}
	text = arena_alloc(&r->s->m->arena, size + 1);
	got = input_read(fd, text, size);
	if (got < 0) {
		model_note(r->s->m, "unread", "%s could not be read (%s): the profile has no "
			   "source text of it", f->path, strerror(errno));
		return FILE_UNREADABLE;
	}
	lines = count_lines(text, (size_t)got);
	if (guessed && lines < r->last)
		return FILE_MISSING; /* this is another file */
	f->size = (uint64_t)got;
	*r->total += f->size;
	f->text = text;
	f->lines = lines;
	f->hash = hash_bytes(HASH_START, text, f->size);
	return (size_t)got < size || /* it is being written */
	       (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec > r->built_ns
	       ? FILE_STALE : FILE_STORED;
}

/* The state is that of the first place where something is, unless a later one has the text. */
static bool
try_place(void *ctx, const char *place, bool guessed)
{
	struct reading *r = ctx;
	struct error err = ERROR_INIT;
	enum file_state state;
	struct stat st;
	int fd = owners_open(r->owners, place, &st, &err);
	bool done;

	if (fd >= 0) {
		state = take_text(r, fd, &st, guessed);
		close(fd);
	} else if (err.errnum == ENOENT || err.errnum == ENOTDIR) {
		state = FILE_MISSING;
	} else {
		state = err.errnum == EACCES && r->owners->nr ? FILE_WITHHELD : FILE_UNREADABLE;
	}
	if (fd < 0 && err.unread)
		model_note(r->s->m, "unread", "%s: the profile has no source text of it", err.text);
	done = r->f->text || state == FILE_TOO_LARGE;
	if (done || r->state == FILE_MISSING)
		r->state = state;
	if (r->f->text && guessed)
		*r->elsewhere = xstrdup(place);
	return done;
}

static enum file_state
read_text(struct sources *s, size_t i, struct reading *r)
{
	const struct source_origin *o = &s->origins[i];
	struct source_wanted w = { .path = s->m->files[i].path, .directory = o->directory,
				   .name = o->name, .nr_beside = o->nr_together };
	const char **beside = xcalloc(o->nr_together, sizeof(*beside));

	for (size_t k = 0; k < o->nr_together; k++)
		beside[k] = s->m->files[o->together[k] - 1].path;
	w.beside = beside;
	r->f = &s->m->files[i];
	r->built_ns = o->built_ns;
	r->state = FILE_MISSING;
	source_paths_try(s->m->source_paths, &w, try_place, r);
	free(beside);
	return r->state;
}

/* Adds a note about the files of a state that have from LEAST to MOST bytes. */
static void
tell_sized(struct model *m, enum file_state state, uint64_t least, uint64_t most, const char *what)
{
	const char *kind = state == FILE_WITHHELD ? "unread" : "source";
	const char *example = NULL;
	size_t i, nr = 0;

	for (i = 0; i < m->nr_files; i++) {
		if (m->files[i].state != state || m->files[i].path[0] == '<' ||
		    m->files[i].size < least || m->files[i].size > most)
			continue;
		example = example ? example : m->files[i].path;
		nr++;
	}
	if (nr == 1)
		model_note(m, kind, "%s %s", example, what);
	else if (nr)
		model_note(m, kind, "%s and %zu more %s", example, nr - 1, what);
}

static void
note_files(struct model *m, enum file_state state, const char *what)
{
	tell_sized(m, state, 0, UINT64_MAX, what);
}

static void
tell_too_large(struct model *m)
{
	const uint64_t most = (uint64_t)MAX_TEXT_MB << 20;
	char *one = xasprintf("larger than %d MB: the profile has no source text of it",
			      MAX_TEXT_MB);
	char *all = xasprintf("too large, all sources together are larger than %d MB: the profile "
			      "has no source text of it", MAX_TEXTS_MB);
	size_t i;

	tell_sized(m, FILE_TOO_LARGE, most + 1, UINT64_MAX, one);
	tell_sized(m, FILE_TOO_LARGE, 0, most, all);
	for (i = 0; i < m->nr_files; i++)
		if (m->files[i].state == FILE_TOO_LARGE)
			m->files[i].size = 0; /* of the text that is not there */
	free(one);
	free(all);
}

/* The last line of each file that the profile knows of, heap. */
static uint32_t *
last_lines(const struct model *m)
{
	uint32_t *last = xcalloc(m->nr_files, sizeof(*last));
	const struct model_line *l;

	for (l = m->lines; l < m->lines + m->nr_lines; l++)
		if (l->line > last[l->file - 1])
			last[l->file - 1] = l->line;
	return last;
}

void
sources_read(struct sources *s, struct owners *owners)
{
	struct model *m = s->m;
	size_t i, total = 0, nr = 0;
	uint32_t *last = last_lines(m);
	char *place, *first = NULL;
	struct reading r = { .s = s, .owners = owners, .total = &total, .elsewhere = &place };

	for (i = 0; i < m->nr_files; i++) {
		place = NULL;
		r.last = last[i];
		m->files[i].state = m->without_texts ? FILE_WITHHELD : read_text(s, i, &r);
		if (place && !nr++)
			first = xasprintf("the text of %s is from %s", m->files[i].path, place);
		free(place);
	}
	if (nr == 1)
		model_note(m, "source", "%s", first);
	else if (nr)
		model_note(m, "source", "%s; %zu more were found elsewhere, too", first, nr - 1);
	free(first);
	free(last);
	if (m->without_texts)
		return;
	note_files(m, FILE_WITHHELD, "may not be read by the owner of the raw profile: the profile "
		   "has no source text of it");
	note_files(m, FILE_MISSING, "not found: the profile has no source text of it");
	note_files(m, FILE_UNREADABLE, "could not be read: the profile has no source text of it");
	tell_too_large(m);
	note_files(m, FILE_STALE, "changed after the program was built: lines may not fit");
}
