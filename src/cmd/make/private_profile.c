#include "cmd/make/private_profile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/make/destination.h"
#include "cmd/make/make_profile.h"
#include "collect/import/foreign/foreign_format.h"
#include "util/error.h"
#include "util/index.h"
#include "util/cache.h"
#include "util/mem.h"
#include "util/text/path.h"

static uint64_t
hash_stat(uint64_t h, const struct stat *st)
{
	h = hash_number(h, st->st_dev);
	h = hash_number(h, st->st_ino);
	h = hash_number(h, (uint64_t)st->st_size);
	h = hash_number(h, (uint64_t)st->st_mtim.tv_sec);
	return hash_number(h, (uint64_t)st->st_mtim.tv_nsec);
}

/* Returns a number for the file PATH as it is, read by this build of cgview. */
static uint64_t
number_of(const char *path)
{
	char real[PATH_MAX];
	struct stat st;
	uint64_t h = hash_text(HASH_START, realpath(path, real) ? real : path);

	if (!stat(path, &st))
		h = hash_stat(h, &st);
	if (!stat("/proc/self/exe", &st))
		h = hash_stat(h, &st);
	return h;
}

/* ---- what is kept ---- */

struct kept {
	char *directory, *file;    /* the directory has nothing else; NULL: nothing at all */
	int64_t used_ns;
	uint64_t bytes;
};

/* Fills K with the directory NAME of CACHE. */
static void
look_at(struct kept *k, const char *cache, const char *name)
{
	DIR *d;
	struct dirent *e;
	struct stat st;

	*k = (struct kept){ .directory = xasprintf("%s/%s", cache, name) };
	d = opendir(k->directory);
	while (d && (e = readdir(d))) {
		char *file = xasprintf("%s/%s", k->directory, e->d_name);

		if (!lstat(file, &st) && S_ISREG(st.st_mode)) {
			free(k->file);
			k->file = file;
			k->bytes += (uint64_t)st.st_size;
			k->used_ns = st.st_mtim.tv_sec * INT64_C(1000000000) + st.st_mtim.tv_nsec;
		} else {
			free(file);
		}
	}
	if (d)
		closedir(d);
}

static int
latest_first(const void *a, const void *b)
{
	const struct kept *x = a, *y = b;

	return (x->used_ns < y->used_ns) - (x->used_ns > y->used_ns);
}

/* Our directories are 16 digits. */
static bool
is_ours(const char *name)
{
	return strlen(name) == 16 && strspn(name, "0123456789abcdef") == 16;
}

/* Removes the oldest of CACHE until the rest is within bounds. KEEP stays: it was made now. */
static void
remove_old(const char *cache, const char *keep)
{
	struct kept *all = NULL;
	size_t nr = 0, room = 0;
	uint64_t bytes = 0;
	DIR *d = opendir(cache);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		if (!is_ours(e->d_name))
			continue;
		GROW(all, nr + 1, room);
		look_at(&all[nr++], cache, e->d_name);
	}
	if (d)
		closedir(d);
	qsort(all, nr, sizeof(*all), latest_first);
	for (size_t i = 0; i < nr; i++) {
		bytes += all[i].bytes;
		if (strcmp(all[i].directory, keep) &&
		    (i >= PRIVATE_MOST_PROFILES || bytes >> 20 >= PRIVATE_MOST_MEGABYTES)) {
			if (all[i].file)
				unlink(all[i].file);
			rmdir(all[i].directory); /* stays while another process fills it */
		}
		free(all[i].file);
		free(all[i].directory);
	}
	free(all);
}

/* ---- making ---- */

/* Makes the profile TO of PATH; what is half made has another name. -1 and ERR. */
static int
make(const char *path, const struct foreign_format *format, const char *to, struct error *err)
{
	char *half = xasprintf("%s.%ld", to, (long)getpid());
	struct destination destination;
	struct make_options o = { .to = &destination, .format = format, .quiet = true };
	int status = destination_open(&destination, half, err);

	if (!status)
		status = make_profile(&path, 1, &o, err);
	if (status >= 0)
		status = rename(half, to) ? error_set_errno(err, errno, "%s", to) : 0;
	destination_close(&destination);
	if (status < 0)
		unlink(half);
	free(half);
	return status;
}

const char *
private_profile(const char *path, const char *command)
{
	const struct foreign_format *format = foreign_format_of(path);
	char *cache = format ? cache_path() : NULL, *directory, *to;
	const char *between = *command ? ": " : "";
	struct error err = ERROR_INIT;

	if (!format)
		return path;
	if (!cache || !cache_make_directory(cache))
		die(1, "%s%s%s is %s, and there is no place to keep what is made of it (%s): "
		    "cgview import -o FILE %s", command, between, path, format->name,
		    cache ? cache : "HOME is not set", path);
	directory = xasprintf("%s/%016" PRIx64, cache, number_of(path));
	to = xasprintf("%s/%s", directory, path_base(path));
	if (access(to, R_OK)) {
		mkdir(directory, 0700);
		if (make(path, format, to, &err) < 0) {
			rmdir(directory);
			die(1, "%s%s%s", command, between, err.text);
		}
		complain("%s%s%s is %s, read for this (cgview import -o FILE keeps it)", command,
			 between, path, format->name);
	}
	utimensat(AT_FDCWD, to, NULL, 0); /* used last */
	remove_old(cache, directory);
	free(cache);
	free(directory);
	return to;
}
