#include "cgcc/plugin.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/cache.h"
#include "util/error.h"
#include "util/installed.h"

/* ---- the compiler and its version ---- */

char *
ask(const char *program, const char *const *question)
{
	char answer[PATH_MAX] = "";
	int pipes[2], status;
	ssize_t n;
	pid_t pid;

	if (pipe2(pipes, O_CLOEXEC) < 0)
		die(1, "cannot make a pipe: %s", strerror(errno));
	pid = fork();
	if (pid < 0)
		die(1, "cannot fork: %s", strerror(errno));
	if (pid == 0) {
		dup2(pipes[1], STDOUT_FILENO);
		execvp(program, (char *const *)question);
		_exit(127);
	}
	close(pipes[1]);
	n = read(pipes[0], answer, sizeof(answer) - 1);
	close(pipes[0]);
	waitpid(pid, &status, 0);
	return n <= 0 || !WIFEXITED(status) || WEXITSTATUS(status) ? NULL : xstrdup(answer);
}

static char *
ask_version(const char *compiler)
{
	const char *const question[] = {compiler, "-dumpversion", NULL};
	char *answer = ask(compiler, question);

	if (!answer)
		die(1, "cannot run the compiler %s", compiler);
	answer[strspn(answer, "0123456789")] = '\0';
	return answer;
}

/* Debian's gcc is a link to x86_64-linux-gnu-gcc-12: REAL's number tells, without running it. */
static char *
version_of_link(const char *real)
{
	const char *dash = strrchr(real, '-');

	if (!dash || !dash[1] || dash[1 + strspn(dash + 1, "0123456789")])
		return NULL;
	return xstrdup(dash + 1);
}

/* The file that the name COMPILER stands for; "": none is found. */
static void
find_compiler(const char *compiler, char real[PATH_MAX])
{
	const char *path = getenv("PATH");
	struct strbuf candidate = STRBUF_INIT;
	size_t n;

	real[0] = '\0';
	if (strchr(compiler, '/')) {
		if (!realpath(compiler, real))
			real[0] = '\0';
	}
	for (; !strchr(compiler, '/') && path && *path && !real[0]; path += n + (path[n] == ':')) {
		n = strcspn(path, ":");
		strbuf_clear(&candidate);
		strbuf_add(&candidate, path, n);
		strbuf_fmt(&candidate, "/%s", compiler);
		if (access(candidate.buf, X_OK) == 0 && !realpath(candidate.buf, real))
			real[0] = '\0';
	}
	strbuf_release(&candidate);
}

/* The name without its folders, or "". */
static const char *
last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The major version of COMPILER, which is GCC for this machine, or the program ends; heap. */
static char *
version_of(const char *compiler)
{
	char real[PATH_MAX], *version;

	find_compiler(compiler, real);
	if (strstr(compiler, "clang") || strstr(real, "clang"))
		die(1, "%s is not GCC: the counters are put in by a plugin of GCC", compiler);
	if (strstr(real, "-linux-gnu") && !strstr(real, "/x86_64-"))
		die(1, "%s is not for x86-64, which alone is served", compiler);
	version = version_of_link(real);
	return version ? version : ask_version(compiler);
}

/* ---- plugins ----
 *
 * PARTS/cgviewN.so comes with cgview, for one build of GCC N. What is built later lies in a folder
 * of its own, for this cgview alone, by the full identity of the compiler; a link cgviewN.so leads
 * to the last one that was built for a GCC N. A plugin that is loaded by another compiler than its
 * own looks there for that one's, and hands over (src/collect/plugin/plugin.c). So that what is
 * right in nearly all calls needs no question to the compiler, which takes as long as a small
 * compilation. */

/* The folders where such plugins may be: in the library, in the user's cache; the latter NULL when
 * there is no home. */
enum { IN_PARTS, IN_CACHE, NR_FOLDERS };

static void
name_folders(char *folders[NR_FOLDERS], const char *parts)
{
	char *cache = cache_path();

	folders[IN_PARTS] = xasprintf("%s/built-" CGVIEW_PLUGIN_KEY, parts);
	folders[IN_CACHE] = cache ? xasprintf("%s/built-" CGVIEW_PLUGIN_KEY, cache) : NULL;
	free(cache);
}

const char *
plugin_key(void)
{
	return CGVIEW_PLUGIN_KEY;
}

void
plugin_built_folders(struct arguments *into, const char *parts)
{
	char *folders[NR_FOLDERS];

	name_folders(folders, parts);
	if (access(folders[IN_PARTS], X_OK) == 0)
		add(into, folders[IN_PARTS]);
	if (folders[IN_CACHE] && cache_is_ours(folders[IN_CACHE]))
		add(into, folders[IN_CACHE]);
}

char *
plugin_for(const char *parts, const char *compiler)
{
	struct arguments folders = {0};
	char *version = version_of(compiler), *path;

	add(&folders, parts);
	plugin_built_folders(&folders, parts);
	for (size_t i = 0; i < folders.nr; i++) {
		path = xasprintf("%s/cgview%s.so", folders.items[i], version);
		if (access(path, R_OK) == 0)
			break;
		free(path);
		path = NULL;
	}
	if (!path)
		die(1,
		    "no plugin for GCC %s (%s) in %s; build it: apt-get install g++-%s "
		    "gcc-%s-plugin-dev; cgcc --cgview-build-plugin %s",
		    version, compiler, parts, version, version, compiler);
	free(version);
	free(folders.items);
	return path;
}

/* ---- building one ---- */

/* The C++ compiler that belongs to COMPILER: g++-12 to gcc-12; heap. */
static char *
cxx_of(const char *compiler)
{
	const char *name = last_part(compiler), *gcc = strstr(name, "gcc");

	if (!gcc)
		return xasprintf("%.*s%s", (int)(name - compiler), compiler, "g++");
	return xasprintf("%.*sg++%s", (int)(gcc - compiler), compiler, gcc + 3);
}

/* What COMPILER says to -QUESTION, without the newline; heap. */
static char *
answer_of(const char *compiler, const char *question)
{
	const char *const words[] = {compiler, question, NULL};
	char *answer = ask(compiler, words);

	if (!answer)
		die(1, "cannot run the compiler %s", compiler);
	answer[strcspn(answer, "\n")] = '\0';
	return answer;
}

static bool
run(const char *const *words)
{
	int status;
	pid_t pid = fork();

	if (pid < 0)
		die(1, "cannot fork: %s", strerror(errno));
	if (pid == 0) {
		execvp(words[0], (char *const *)words);
		complain("cannot run %s: %s", words[0], strerror(errno));
		_exit(127);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* The first of the folders that can be written to; it is made. */
static char *
folder_to_write(const char *parts)
{
	char *folders[NR_FOLDERS];

	name_folders(folders, parts);
	mkdir(folders[IN_PARTS], 0755);
	if (access(folders[IN_PARTS], W_OK | X_OK) == 0)
		return folders[IN_PARTS];
	if (!folders[IN_CACHE] || !cache_make_directory(folders[IN_CACHE]))
		die(1, "cannot write plugins to %s, nor to the user's cache %s", folders[IN_PARTS],
		    folders[IN_CACHE] ? folders[IN_CACHE] : "(HOME is not set)");
	return folders[IN_CACHE];
}

/* The plugin tells the identity of the compiler that loads it: so it does load. NULL: not. */
static char *
identity_by(const char *compiler, const char *plugin)
{
	const char *const question[] = {compiler, xasprintf("-fplugin=%s", plugin),
		"-fplugin-arg-new-identity", "-x", "c", "-fsyntax-only", "/dev/null", NULL};
	char *answer = ask(compiler, question), *end = answer ? strchr(answer, '\n') : NULL;

	if (!end || strchr(answer, '/'))
		return NULL;
	*end = '\0';
	return answer;
}

void
plugin_build(const char *parts, const char *compiler)
{
	char *version = version_of(compiler), *cxx = cxx_of(compiler), *identity, *path, *link;
	char *headers = answer_of(compiler, "-print-file-name=plugin");
	char *header = xasprintf("%s/include/gcc-plugin.h", headers), real[PATH_MAX];
	char *script = installed_shared("plugin/build"), *folder, *work, *made;
	bool built;

	if (!script)
		die(1, "share/cgview/plugin, the sources of the plugin, is not there; build or "
		    "install cgview again");
	if (access(header, R_OK))
		die(1, "the plugin headers of %s are missing: apt-get install gcc-%s-plugin-dev",
		    compiler, version);
	find_compiler(cxx, real);
	if (!real[0])
		die(1, "%s, which builds plugins of %s, is missing: apt-get install g++-%s", cxx,
		    compiler, version);
	folder = folder_to_write(parts);
	work = xasprintf("%s/work-XXXXXX", folder);
	if (!mkdtemp(work))
		die(1, "cannot make %s: %s", work, strerror(errno));
	complain("building the plugin for %s, which takes a minute", compiler);
	made = xasprintf("%s/new.so", work);
	built = run((const char *const[]){"sh", script, compiler, cxx, headers, work, NULL});
	identity = built ? identity_by(compiler, made) : NULL;
	if (identity) {
		path = xasprintf("%s/%s.so", folder, identity);
		link = xasprintf("%s/link", work);
		built = !rename(made, path) && !symlink(last_part(path), link) &&
			!rename(link, xasprintf("%s/cgview%s.so", folder, version));
	}
	run((const char *const[]){"rm", "-rf", work, NULL});
	if (!built || !identity)
		die(1, "the plugin for %s could not be built; what stands above says why",
		    compiler);
	complain("built %s", path);
}
