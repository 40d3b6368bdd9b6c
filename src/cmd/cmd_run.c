/* cgview run: compile, record, browse in one go. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/cmd_output.h"
#include "cmd/commands.h"
#include "cmd/common_options.h"
#include "cmd/make/make_profile.h"
#include "db/store/load.h"
#include "util/child.h"
#include "util/error.h"
#include "util/mem.h"
#include "util/text/path.h"

struct run {
	const char *output, *flags;
	char *room;                /* a directory that is removed in the end */
};

#define AT(member) .offset = offsetof(struct run, member)
static const struct option_row option_rows[] = {
	{ "output", 'o', "FILE", "write the profile to FILE (prof.db; one that is there is\n"
	  "kept as FILE.old)", OPTION_TEXT, AT(output) },
	{ "flags", 'f', "FLAGS", "what else the compiler gets: '-O3 -Iinclude -lz' (-O2)",
	  OPTION_TEXT, AT(flags) },
	{ .name = NULL },
};

static const struct option_table command = {
	.command = "run", .usage = "run", .width = 20, .rows = option_rows,
	.head = "usage: cgview run [-o FILE] [-f FLAGS] FILE.c... [--] [ARG...]\n"
		"       cgview run [-o FILE] DIRECTORY [ARG...]\n"
		"       cgview run [-o FILE] -- COMMAND [ARG...]\n"
		"Compile, record, and browse if this is a terminal. C and C++ files are compiled\n"
		"together, and nothing is left of it but the profile. In a directory, 'make ARG'\n"
		"(here: COMMAND) compiles and runs; it works on a private copy, in which all is\n"
		"built anew by cgcc.\n",
	.tail = "",
};

/* ---- processes ---- */

static volatile sig_atomic_t child; /* that we wait for; 0: none */

static void
pass_on(int signal)
{
	if (child)
		kill((pid_t)child, signal);
}

/* Ctrl-C is for the program, and so is what ends us: the directory has to be removed then. */
static void
hold_signals(void)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, pass = { .sa_handler = pass_on };

	sigaction(SIGINT, &ignore, NULL);
	sigaction(SIGQUIT, &ignore, NULL);
	sigaction(SIGTERM, &pass, NULL);
	sigaction(SIGHUP, &pass, NULL);
}

static void
let_signals_go(void)
{
	static const int all[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		signal(all[i], SIG_DFL);
}

/* Runs ARGUMENTS. PREPARE, which may be NULL, is called in the new process. Returns its exit
 * status, as a shell has it. */
static int
run_program(char *const *arguments, void (*prepare)(const void *), const void *context)
{
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid < 0)
		die(1, "run: no process can be started: %s", strerror(errno));
	if (!pid) {
		let_signals_go();
		if (prepare)
			prepare(context);
		execvp(arguments[0], arguments);
		complain("run: %s: %s", arguments[0], strerror(errno));
		child_end(errno == ENOENT ? 127 : 126);
	}
	child = pid;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	child = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

struct words { char **items; size_t nr, alloc; };

static void
add_word(struct words *w, const char *word)
{
	GROW(w->items, w->nr + 2, w->alloc);
	w->items[w->nr++] = xstrdup(word);
	w->items[w->nr] = NULL;
}

/* Adds the words of TEXT, which blanks part. */
static void
add_words(struct words *w, const char *text)
{
	char *copy = xstrdup(text), *rest = copy, *word;

	while ((word = strsep(&rest, " \t\n")))
		if (*word)
			add_word(w, word);
	free(copy);
}

static void
words_release(struct words *w)
{
	for (size_t i = 0; i < w->nr; i++)
		free(w->items[i]);
	free(w->items);
}

/* Returns, heap, the program of ours called NAME: the one beside this one, or what PATH finds. */
static char *
ours(const char *name)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *path;

	if (n <= 0)
		return xstrdup(name);
	self[n] = '\0';
	path = xasprintf("%.*s/%s", (int)path_directory(self), self, name);
	if (!access(path, X_OK))
		return path;
	free(path);
	return xstrdup(name);
}

/* ---- the directory that is removed ---- */

static int
remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st, (void)kind, (void)at;
	remove(path);
	return 0;
}

static void
remove_room(struct run *r)
{
	if (r->room)
		nftw(r->room, remove_one, 32, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
	free(r->room);
	r->room = NULL;
}

static void
make_room(struct run *r)
{
	const char *in = getenv("TMPDIR");

	in = in && *in == '/' ? in : "/tmp";
	r->room = xasprintf("%s/cgview-run-XXXXXX", in);
	if (!mkdtemp(r->room))
		die(1, "run: no directory can be made in %s: %s", in, strerror(errno));
}

/* Removes all, and ends the program when the STATUS of STEP is no success. */
static void
check_step(struct run *r, int status, const char *step)
{
	if (!status)
		return;
	remove_room(r);
	die(status, "run: %s failed, so that nothing was recorded", step);
}

/* ---- source files ---- */

static bool
has_end(const char *name, const char *const *ends)
{
	const char *dot = strrchr(name, '.');

	for (; dot && *ends; ends++)
		if (!strcmp(dot, *ends))
			return true;
	return false;
}

static const char *const ends_of_c[] = { ".c", NULL };
static const char *const ends_of_cxx[] = { ".cc", ".cpp", ".cxx", ".C", ".c++", NULL };

static bool
is_source(const char *name)
{
	return has_end(name, ends_of_c) || has_end(name, ends_of_cxx);
}

/* Compiles the sources that ARGUMENTS begin with. Returns the program, heap; *REST: behind them. */
static char *
compile(struct run *r, char **arguments, char ***rest)
{
	struct words w = { NULL, 0, 0 };
	const char *base = path_base(arguments[0]);
	char *program = xasprintf("%s/%.*s", r->room, (int)(strrchr(base, '.') - base), base);
	char *compiler;
	bool cxx = false;

	for (*rest = arguments; **rest && is_source(**rest); (*rest)++)
		cxx |= has_end(**rest, ends_of_cxx);
	compiler = ours(cxx ? "cgg++" : "cgcc");
	add_word(&w, compiler);
	if (!r->flags || !strstr(r->flags, "-O"))
		add_word(&w, "-O2");
	for (; arguments < *rest; arguments++)
		add_word(&w, *arguments);
	add_words(&w, r->flags ? r->flags : "");
	add_word(&w, "-lm");
	add_word(&w, "-o");
	add_word(&w, program);
	check_step(r, run_program(w.items, NULL, NULL), "compiling");
	words_release(&w);
	free(compiler);
	if (**rest && !strcmp(**rest, "--"))
		(*rest)++;
	return program;
}

static int
run_sources(struct run *r, char **arguments)
{
	struct words w = { NULL, 0, 0 };
	char **rest, *program = compile(r, arguments, &rest);
	int status;

	add_words(&w, "/proc/self/exe record -o");
	add_word(&w, r->output);
	add_word(&w, "--");
	add_word(&w, program);
	for (; *rest; rest++)
		add_word(&w, *rest);
	status = run_program(w.items, NULL, NULL);
	words_release(&w);
	free(program);
	return status;
}

/* ---- a directory ---- */

/* Removes what was built: object files, libraries, programs. All is to be compiled by cgcc. */
static int
remove_built(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	static const char *const ends[] = { ".o", ".lo", ".la", ".a", ".obj", NULL };
	char head[8] = { 0 };
	int fd;

	(void)st;
	if (kind != FTW_F)
		return 0;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd >= 0 && read(fd, head, sizeof(head)) < (ssize_t)sizeof(head))
		head[0] = '\0';
	if (fd >= 0)
		close(fd);
	if (!memcmp(head, "\177ELF", 4) || !memcmp(head, "!<arch>\n", 8) ||
	    has_end(path + at->base, ends))
		unlink(path);
	return 0;
}

struct place_of_copy { const char *copy, *directory; };

static bool
write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool good = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return good;
}

/* This process and its children see the copy where the directory is, so that all has the paths that
 * the user knows. False: the system does not allow it. */
static bool
put_copy_in_place(const struct place_of_copy *p)
{
	unsigned uid = (unsigned)geteuid(), gid = (unsigned)getegid();
	char text[64];

	if (unshare(CLONE_NEWNS)) {
		if (unshare(CLONE_NEWUSER | CLONE_NEWNS))
			return false;
		write_text("/proc/self/setgroups", "deny");
		snprintf(text, sizeof(text), "%u %u 1", uid, uid);
		write_text("/proc/self/uid_map", text);
		snprintf(text, sizeof(text), "%u %u 1", gid, gid);
		write_text("/proc/self/gid_map", text);
	}
	return !mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) &&
	       !mount(p->copy, p->directory, NULL, MS_BIND, NULL);
}

static void
enter_copy(const void *context)
{
	const struct place_of_copy *p = context;
	bool placed = put_copy_in_place(p);

	if (!placed)
		complain("run: this system allows no private mounts, so that paths are those of "
			 "a copy of %s", p->directory);
	if (chdir(placed ? p->directory : p->copy))
		die(126, "run: %s: %s", p->directory, strerror(errno));
}

/* Adds COMMAND with our compilers: make takes them as words, others from the environment. */
static void
add_command(struct words *w, char **words)
{
	char *cc = ours("cgcc"), *cxx = ours("cgg++");
	const char *base = path_base(words[0]);

	setenv("CC", cc, 1);
	setenv("CXX", cxx, 1);
	for (; *words; words++)
		add_word(w, *words);
	if (!strcmp(base, "make") || !strcmp(base, "gmake")) {
		char *set_cc = xasprintf("CC=%s", cc), *set_cxx = xasprintf("CXX=%s", cxx);

		add_word(w, set_cc);
		add_word(w, set_cxx);
		free(set_cc);
		free(set_cxx);
	}
	free(cc);
	free(cxx);
}

/* Record samples what is not counted, too: make and the compilers, where nothing else ran. */
static bool
has_counts(const struct model *m)
{
	for (size_t i = 0; i < m->nr_procedures; i++)
		if (procedure_is_counted(&m->procedures[i]))
			return true;
	return false;
}

/* Takes the profile PATH to where it is wanted. -1 and ERR. */
static int
put_profile(const char *path, const char *output, struct error *err)
{
	struct destination to;
	struct make_options o = { .to = &to };
	struct model m;
	int status;

	model_init(&m);
	status = destination_open(&to, output, err);
	if (!status)
		status = model_load(&m, path, err);
	if (!status && !has_counts(&m))
		status = error_set(err, "run: nothing ran that cgcc has built, so that there is no "
					"profile");
	if (!status)
		status = make_profile_write(&m, &o, err);
	if (status >= 0)
		complain("run: that is in %s", to.put);
	destination_close(&to);
	model_release(&m);
	return status;
}

static int
run_copy(struct run *r, const char *directory, char **words)
{
	char *copy = xasprintf("%s/copy", r->room), *profile = xasprintf("%s/prof.db", r->room);
	char real[PATH_MAX], *cp[] = { (char *)"cp", (char *)"-a", (char *)"--", NULL, copy, NULL };
	struct place_of_copy place = { copy, real };
	struct words w = { NULL, 0, 0 };
	struct error err = ERROR_INIT;
	int status;

	if (!realpath(directory, real) || path_is_in(real, r->room)) {
		remove_room(r);
		die(2, "run: %s cannot be copied: it is not there, or has the directory for "
		    "temporary files in it (TMPDIR)", directory);
	}
	cp[3] = real;
	check_step(r, run_program(cp, NULL, NULL), "copying the directory");
	nftw(copy, remove_built, 32, FTW_PHYS | FTW_MOUNT);
	add_words(&w, "/proc/self/exe record -o");
	add_word(&w, profile);
	add_word(&w, "--");
	add_command(&w, words);
	status = run_program(w.items, enter_copy, &place);
	if (!access(profile, R_OK) && put_profile(profile, r->output, &err) < 0) {
		remove_room(r);
		die(status ? status : 1, "%s", err.text);
	}
	words_release(&w);
	free(profile);
	free(copy);
	return status;
}

/* ---- the command ---- */

static bool
is_directory(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* Returns when and as what the file PATH was written; 0s: it is not there. */
static struct stat
state_of(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		memset(&st, 0, sizeof(st));
	return st;
}

int
cmd_run(int argc, char **argv)
{
	struct run r = { .output = "prof.db" };
	struct stat before, after;
	int first = options_parse(&command, &r, argc, argv), status;
	char **words = argv + first;

	if (!first)
		return output_finish("run");
	if (first == argc)
		die(2, "run: which source files, or which command? See cgview run --help");
	make_room(&r);
	hold_signals();
	before = state_of(r.output);
	if (is_source(words[0])) {
		status = run_sources(&r, words);
	} else if (is_directory(words[0])) {
		struct words w = { NULL, 0, 0 };

		add_word(&w, "make");
		for (words++; *words; words++)
			add_word(&w, *words);
		status = run_copy(&r, argv[first], w.items);
		words_release(&w);
	} else {
		status = run_copy(&r, ".", words);
	}
	remove_room(&r);
	let_signals_go();
	after = state_of(r.output);
	if ((after.st_ino != before.st_ino || after.st_mtim.tv_sec != before.st_mtim.tv_sec ||
	     after.st_mtim.tv_nsec != before.st_mtim.tv_nsec) && isatty(STDIN_FILENO) &&
	    isatty(STDOUT_FILENO))
		cmd_browse(2, (char *[]){ (char *)"browse", (char *)r.output, NULL });
	return status;
}
