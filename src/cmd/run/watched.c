#include "cmd/run/watched.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/raw.h"
#include "util/input.h"
#include "util/mem.h"
#include "util/process.h"
#include "util/text/path.h"

static const char raw_suffix[] = ".raw";

/* Has it ended, but for its parent's taking notice? */
static bool
is_over(const struct process *t)
{
	return t->state == 'Z' || t->state == 'X';
}

/* ---- raw files ---- */

static bool
is_raw(int fd)
{
	char magic[sizeof(((struct raw_head *)0)->magic)];

	return input_read_at(fd, 0, magic, sizeof(magic)) == sizeof(magic) &&
	       !memcmp(magic, RAW_MAGIC, sizeof(magic));
}

static bool
is_known(const struct watched *w, const struct stat *st)
{
	for (size_t i = 0; i < w->nr_files; i++)
		if (w->files[i].device == st->st_dev && w->files[i].inode == st->st_ino)
			return true;
	return false;
}

/* Takes FD if it is of a raw file that is not known. Returns whether it is a raw file. */
static bool
take_file(struct watched *w, int fd, const struct stat *st, const char *path)
{
	bool raw = is_raw(fd);
	size_t directory = path_directory(path);

	if (!raw || is_known(w, st)) {
		close(fd);
		return raw;
	}
	if (!w->directory)
		w->directory = directory ? xstrndup(path, directory) : xstrdup(".");
	GROW(w->paths, w->nr_files + 1, w->paths_alloc);
	GROW(w->files, w->nr_files + 1, w->files_alloc);
	w->paths[w->nr_files] = xasprintf("/proc/self/fd/%d", fd);
	w->files[w->nr_files++] = (struct watched_file){
		fd, st->st_dev, st->st_ino, xstrdup(path_base(path)),
	};
	return true;
}

/* The files that stand beside the first one are those of one recording. */
static void
take_beside(struct watched *w)
{
	DIR *d = w->beside && w->directory ? opendir(w->directory) : NULL;
	struct dirent *e;
	struct stat st;

	while (d && (e = readdir(d))) {
		size_t n = strlen(e->d_name), end = sizeof(raw_suffix) - 1;
		char *path;
		int fd;

		if (n <= end || strcmp(e->d_name + n - end, raw_suffix))
			continue;
		path = xasprintf("%s/%s", w->directory, e->d_name);
		fd = stat(path, &st) || is_known(w, &st) ? -1 : input_open(path, &st, NULL);
		if (fd >= 0)
			take_file(w, fd, &st, path);
		free(path);
	}
	if (d)
		closedir(d);
}

/* ---- mappings ---- */

/* A line of /proc/PID/maps: the path of a file that is mapped to be written for all. NULL: it is
 * none. */
static char *
shared_file(char *line)
{
	char mode[5] = "";
	int at = 0;

	if (sscanf(line, "%*s %4s %*s %*s %*s %n", mode, &at) != 1 || !at ||
	    strcmp(mode, "rw-s") || line[at] != '/')
		return NULL;
	line[strcspn(line, "\n")] = '\0';
	return line + at;
}

bool
watched_elsewhere(pid_t pid)
{
	char *of = xasprintf("/proc/%d/root", pid);
	struct stat theirs, ours;
	bool elsewhere = !stat(of, &theirs) && !stat("/", &ours) &&
			 (theirs.st_dev != ours.st_dev || theirs.st_ino != ours.st_ino);

	free(of);
	return elsewhere;
}

static int
refuse(pid_t pid, const char *path, struct error *err)
{
	if (watched_elsewhere(pid))
		return error_set(err, "watch %d: it has another root directory, as in a "
				 "container: run cgview in there", pid);
	return error_set(err, "watch %d: %s, into which it counts, %s", pid, path,
			 strstr(path, " (deleted)") ? "was removed" : "cannot be opened");
}

/* Its mappings cannot be read. */
static int
refuse_closed(pid_t pid, struct error *err)
{
	char *of = xasprintf("/proc/%d", pid);
	struct stat st;
	bool others = !stat(of, &st) && st.st_uid != geteuid() && geteuid();

	free(of);
	if (others)
		return error_set(err, "watch %d: it is another user's: its owner may watch it, "
				 "and root", pid);
	return error_set(err, "watch %d: the system does not let it be looked at, as of a program "
			 "with rights of its own, or where CAP_SYS_PTRACE is missing", pid);
}

/* Takes the raw files that PID has mapped. Returns whether there are any; -1 and ERR: not to be
 * had. A file has several mappings, one behind the other. */
static int
take_mapped(struct watched *w, pid_t pid, struct error *err)
{
	char *name = xasprintf("/proc/%d/maps", pid), *line = NULL, *path, *last = xstrdup("");
	FILE *f = fopen(name, "re");
	size_t room = 0;
	struct stat st;
	int found = 0, fd;

	free(name);
	if (!f && (errno == EACCES || errno == EPERM))
		found = refuse_closed(pid, err);
	while (f && found >= 0 && getline(&line, &room, f) >= 0) {
		path = shared_file(line);
		if (!path || !strcmp(path, last))
			continue;
		free(last);
		last = xstrdup(path);
		fd = input_open(path, &st, NULL);
		if (fd >= 0)
			found |= take_file(w, fd, &st, path);
		else if (strstr(path, raw_suffix))
			found = refuse(pid, path, err);
	}
	free(last);
	free(line);
	if (f)
		fclose(f);
	return found;
}

/* ---- processes ---- */

static struct watched_process *
process_of(struct watched *w, pid_t pid, const struct process *t)
{
	struct watched_process *p;

	for (size_t i = 0; i < w->nr_processes; i++) {
		p = &w->processes[i];
		if (p->pid == pid && p->started == t->started && p->image == t->image)
			return p;
	}
	GROW(w->processes, w->nr_processes + 1, w->processes_alloc);
	p = &w->processes[w->nr_processes++];
	*p = (struct watched_process){ .pid = pid, .started = t->started, .image = t->image };
	return p;
}

/* Takes what PID counts into. Mappings are read until that is known, as the kernel holds up a
 * process that maps something meanwhile. */
static int
take_process(struct watched *w, pid_t pid, const struct process *t, struct error *err)
{
	struct watched_process *p = process_of(w, pid, t);
	int status = 0;

	p->seen = true;
	if (is_over(t))
		return 0;
	if (!p->counts)
		status = take_mapped(w, pid, err);
	p->counts |= status > 0;
	w->nr_alive += p->counts;
	return status < 0 ? -1 : 0;
}

/* OTHER: not ours, and what is told of it is not known. */
struct living { pid_t pid; struct process told; bool ours, other; };

/* Was PID another's at the last search? *AT goes along with those that were; /proc is in order, and
 * where it is not, a process is looked at once more. */
static bool
was_other(const struct watched *w, pid_t pid, size_t *at)
{
	while (*at < w->nr_others && w->others[*at] < pid)
		++*at;
	return *at < w->nr_others && w->others[*at] == pid;
}

static void
add_other(struct watched *w, pid_t pid)
{
	GROW(w->others, w->nr_others + 1, w->others_alloc);
	w->others[w->nr_others++] = pid;
}

/* Whoever is another's process stays that; but its number may be given to a new one, so all are
 * looked at now and then. */
static struct living *
all_processes(const struct watched *w, size_t *nr)
{
	enum { ALL_AGAIN = 16 /* searches */ };
	bool every = w->searches % ALL_AGAIN == 0;
	struct living *all = NULL;
	size_t alloc = 0, at = 0;
	DIR *d = opendir("/proc");
	struct dirent *e;

	*nr = 0;
	while (d && (e = readdir(d))) {
		struct living one = { .pid = (pid_t)strtol(e->d_name, NULL, 10) };

		if (one.pid <= 0)
			continue;
		one.other = was_other(w, one.pid, &at) && !every;
		if (!one.other && !process_look(one.pid, &one.told))
			continue;
		GROW(all, *nr + 1, alloc);
		all[(*nr)++] = one;
	}
	if (d)
		closedir(d);
	return all;
}

/* Is ONE the watched process, one that was watched, or started by one of OURS? */
static bool
belongs(const struct watched *w, const struct living *one, const pid_t *ours, size_t nr)
{
	if (one->pid == w->pid)
		return true;
	for (size_t i = 0; i < w->nr_processes; i++) /* its parent may have ended since */
		if (w->processes[i].pid == one->pid &&
		    w->processes[i].started == one->told.started)
			return true;
	for (size_t i = 0; i < nr; i++)
		if (ours[i] == one->told.parent)
			return true;
	return false;
}

/* Marks those of ALL that are watched. */
static void
find_ours(const struct watched *w, struct living *all, size_t nr)
{
	pid_t *ours = xcalloc(nr + 1, sizeof(*ours));
	size_t nr_ours = 0;
	bool more = true;

	while (more) {
		more = false;
		for (size_t i = 0; i < nr; i++)
			if (!all[i].ours && !all[i].other &&
			    belongs(w, &all[i], ours, nr_ours)) {
				ours[nr_ours++] = all[i].pid;
				more = all[i].ours = true;
			}
	}
	free(ours);
}

static void
forget_ended(struct watched *w)
{
	size_t nr = 0;

	for (size_t i = 0; i < w->nr_processes; i++)
		if (w->processes[i].seen)
			w->processes[nr++] = w->processes[i];
	w->nr_processes = nr;
	for (size_t i = 0; i < nr; i++)
		w->processes[i].seen = false;
}

int
watched_search(struct watched *w, struct error *err)
{
	size_t nr;
	struct living *all = all_processes(w, &nr);
	int status = 0;

	w->searches++;
	w->nr_alive = w->nr_others = 0;
	find_ours(w, all, nr);
	for (size_t i = 0; i < nr; i++)
		if (!all[i].ours)
			add_other(w, all[i].pid);
		else if (take_process(w, all[i].pid, &all[i].told, err))
			status = -1;
	free(all);
	forget_ended(w);
	take_beside(w);
	return status;
}

bool
watched_find_samples(struct watched *w)
{
	static const char suffix[] = "/run1.perf";
	char *name = xasprintf("/proc/%d/fd", w->pid), to[PATH_MAX];
	DIR *d = w->samples ? NULL : opendir(name);
	struct dirent *e;

	while (d && !w->samples && (e = readdir(d))) {
		ssize_t n = readlinkat(dirfd(d), e->d_name, to, sizeof(to)), end;

		end = n - (ssize_t)(sizeof(suffix) - 1);
		if (n < (ssize_t)sizeof(to) && end > 0 &&
		    !memcmp(to + end, suffix, (size_t)(n - end)))
			w->samples = xstrndup(to, (size_t)n);
	}
	if (d)
		closedir(d);
	free(name);
	return w->samples != NULL;
}

int
watched_check(const struct watched *w, struct error *err)
{
	struct process t;

	if (!process_look(w->pid, &t))
		return error_set(err, "watch %d: there is no such process", w->pid);
	if (is_over(&t))
		return error_set(err, "watch %d: the process has ended", w->pid);
	return 0;
}

void
watched_release(struct watched *w)
{
	for (size_t i = 0; i < w->nr_files; i++) {
		close(w->files[i].fd);
		free(w->files[i].name);
		free(w->paths[i]);
	}
	free(w->files);
	free(w->paths);
	free(w->processes);
	free(w->others);
	free(w->directory);
	free(w->samples);
	*w = (struct watched){ .pid = 0 };
}

/* ---- copies ---- */

/* Holes stay holes: files are made larger than what is in them. */
static int
copy_data(int from, int to)
{
	enum { CHUNK = 1 << 20 };
	char *buffer = xmalloc(CHUNK);
	off_t at = 0, hole, end = lseek(from, 0, SEEK_END);
	ssize_t n = 0;

	while (n >= 0 && (at = lseek(from, at, SEEK_DATA)) >= 0 &&
	       (hole = lseek(from, at, SEEK_HOLE)) > at)
		for (; at < hole; at += n) {
			size_t want = hole - at < CHUNK ? (size_t)(hole - at) : CHUNK;

			n = input_read_at(from, (uint64_t)at, buffer, want);
			if (n > 0)
				n = pwrite(to, buffer, (size_t)n, at);
			if (n <= 0)
				break;
		}
	free(buffer);
	return n < 0 || end < 0 || ftruncate(to, end) ? -1 : 0;
}

static int
copy(int from, const char *path, struct error *err)
{
	int to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600), status = 0;

	if (to < 0 || copy_data(from, to))
		status = error_set_errno(err, errno, "%s: cannot write it", path);
	if (to >= 0)
		close(to);
	return status;
}

int
watched_copy(const struct watched *w, const char *directory, char ***copies, struct error *err)
{
	char **paths = xcalloc(w->nr_files + 2, sizeof(*paths));
	int status = 0, from;

	*copies = paths;
	for (size_t i = 0; i < w->nr_files && !status; i++) {
		paths[i] = xasprintf("%s/%zu.%s", directory, i, w->files[i].name);
		status = copy(w->files[i].fd, paths[i], err);
	}
	if (w->nr_files || !w->samples)
		return status;
	from = open(w->samples, O_RDONLY | O_CLOEXEC);
	if (from < 0)
		return error_set_errno(err, errno, "%s", w->samples);
	paths[0] = xasprintf("%s/samples.perf", directory);
	status = copy(from, paths[0], err);
	close(from);
	return status;
}
