/* Reads what the program is told to do: by its environment or, where that says nothing, by a record
 * among its ancestors. */
#include "runtime.h"

#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "collect/pattern.h"
#include "collect/recorder.h"

static const char *
environment(char **envp, const char *name)
{
	size_t n = strlen(name);

	for (; envp && *envp; envp++)
		if (**envp == *name && !strncmp(*envp, name, n) && (*envp)[n] == '=')
			return *envp + n + 1;
	return NULL;
}

/* Is the program under valgrind? The time there is valgrind's, and it ends a program whose stack is
 * not yet large enough for a signal. */
static bool
is_under_valgrind(char **envp)
{
	const char *preload = environment(envp, "LD_PRELOAD");

	return preload && memmem(preload, strlen(preload), "vgpreload", 9);
}

/* ---- an ancestor that records ---- */

/* Is there a descriptor NAME (below PROC, a process's directory in /proc)? *HELD: it is that of a
 * memory file of record's. Only that is opened: to open something else may have an effect, or take
 * its time. */
static bool
looks_held(int proc, const char *name, bool *held)
{
	static const char is[] = "/memfd:" RECORDER_FILE " ";
	char target[sizeof(is)];
	long n = kernel(SYS_readlinkat, proc, name, target, sizeof(target));

	*held = n >= (long)sizeof(is) - 1 && !memcmp(target, is, sizeof(is) - 1);
	return n >= 0;
}

/* Its text into runtime.text. */
static bool
read_held(int proc, const char *name)
{
	int fd = (int)kernel(SYS_openat, proc, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	long n = 0;

	if (fd < 0)
		return false;
	if (kernel(SYS_fcntl, fd, F_GET_SEALS) == RECORDER_SEALS &&
	    kernel(SYS_fstat, fd, &st) == 0 && st.st_uid == (uid_t)kernel(SYS_geteuid))
		n = kernel(SYS_pread64, fd, runtime.text, sizeof(runtime.text), 0);
	kernel(SYS_close, fd);
	return n > 0 && !runtime.text[n - 1] && strlen(runtime.text) + 1 < (size_t)n;
}

static pid_t
read_parent(int proc)
{
	char line[512], *p;
	int fd = (int)kernel(SYS_openat, proc, "stat", O_RDONLY | O_CLOEXEC);
	long n = fd < 0 ? 0 : kernel(SYS_read, fd, line, sizeof(line) - 1);
	pid_t parent = 0;

	if (fd >= 0)
		kernel(SYS_close, fd);
	line[n > 0 ? n : 0] = '\0';
	p = strrchr(line, ')'); /* the name before may hold anything */
	for (p = p && strlen(p) > 4 ? p + 4 : NULL; p && *p >= '0' && *p <= '9'; p++)
		parent = parent * 10 + (*p - '0');
	return parent;
}

/* PID's parent; 0: it has none that can be seen. *FOUND: PID records, and runtime.text is what it
 * wants. */
static pid_t
ask(pid_t pid, bool *found)
{
	char name[32] = "/proc/";
	bool held;
	int proc, i;
	pid_t parent;

	add_number(name, sizeof(name), strlen(name), (unsigned long)pid);
	proc = (int)kernel(SYS_openat, AT_FDCWD, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (proc < 0)
		return 0;
	for (i = 0; i < RECORDER_DESCRIPTORS && !*found; i++) {
		add_number(name, sizeof(name), add_text(name, sizeof(name), 0, "fd/"),
			   RECORDER_DESCRIPTOR + (unsigned long)i);
		if (!looks_held(proc, name, &held))
			break;
		*found = held && read_held(proc, name);
	}
	parent = *found ? 0 : read_parent(proc);
	kernel(SYS_close, proc);
	return parent;
}

static const char *
ask_ancestors(void)
{
	enum { MOST = 200 }; /* nobody waits for us in a circle */
	pid_t pid = (pid_t)kernel(SYS_getppid);
	bool found = false;
	int i;

	for (i = 0; i < MOST && pid > 0 && !found; i++)
		pid = ask(pid, &found);
	return found ? runtime.text : NULL;
}

/* ---- all of it ---- */

enum { MOST_NUMBER = 1000000 };

/* It has no more digits than the first number with so many as MOST. */
static const char *
read_number(const char *p, long *n, long most)
{
	*n = 0;
	for (; *p >= '0' && *p <= '9' && *n < most; p++)
		*n = *n * 10 + (*p - '0');
	return p;
}

/* See recorder.h: what stands for SPACE. */
static void
set_space(struct settings *s, long number)
{
	s->space = number > 0;
	s->space_every = number >= RECORDER_SPACE_LEAST ? (uint64_t)number
			 : number == RECORDER_SPACE_SITES ? 0 : RECORDER_SPACE_EVERY;
}

/* See recorder.h. */
static void
read_recorder(struct settings *s, const char *p)
{
	long numbers[6]; /* HZ, WALL, EVENTS, TIMER, SPACE, MORE */
	size_t i;

	s->off = !strcmp(p, "off");
	for (i = 0; i < 6; i++) {
		p = read_number(p, &numbers[i], i == 4 ? RECORDER_MOST : MOST_NUMBER);
		if (*p++ != ':')
			return;
	}
	if (*p != '/')
		return;
	s->hz = numbers[0];
	s->wall = numbers[1] == 1;
	s->events = (uint32_t)numbers[2];
	s->timer = numbers[3] == 1;
	set_space(s, numbers[4]);
	s->times = numbers[5] & 2;
	s->hz_asked = numbers[5] & 4;
	s->prefix = p;
	s->recorded = true;
}

/* CGVIEW_OUT */
static void
read_pattern(struct settings *s, const char *pattern, char **envp)
{
	struct utsname host = {.nodename = ""};
	struct pattern_values v = {runtime.pid, host.nodename, envp};
	const char *wrong;

	s->off = !strcmp(pattern, "off");
	s->recorded = false;
	s->prefix = pattern;
	if (!strchr(pattern, '%'))
		return;
	kernel(SYS_uname, &host);
	wrong = pattern_expand(pattern, &v, runtime.text, sizeof(runtime.text));
	if (wrong) {
		tell("CGVIEW_OUT: ", wrong, "; the name is taken as it is");
		return;
	}
	s->prefix = runtime.text;
	s->has_process = pattern_has_process(pattern);
}

/* Is the program run by what builds programs: a small one that configure tries, or a step of a
 * make? Nobody asked for its profile, and its file would lie among the sources. */
static bool
is_of_a_build(char **envp)
{
	static const char *const tried[] = {"conftest", "cmTC_", "sanitycheckc"};
	const char *name = (const char *)getauxval(AT_EXECFN);
	const char *slash = name ? strrchr(name, '/') : NULL;
	size_t i;

	name = slash ? slash + 1 : name ? name : "";
	for (i = 0; i < sizeof(tried) / sizeof(tried[0]); i++)
		if (!strncmp(name, tried[i], strlen(tried[i])))
			return true;
	return environment(envp, "MAKELEVEL") != NULL;
}

void
settings_read(struct settings *s, char **envp)
{
	const char *run = environment(envp, RECORDER_VARIABLE);
	const char *out = environment(envp, "CGVIEW_OUT");
	const char *hz = environment(envp, "CGVIEW_HZ");
	const char *wall = environment(envp, "CGVIEW_WALL");
	const char *events = environment(envp, "CGVIEW_EVENTS");
	const char *clock = environment(envp, "CGVIEW_CLOCK");
	const char *space = environment(envp, "CGVIEW_SPACE");
	const char *seed = environment(envp, "CGVIEW_SPACE_SEED");
	size_t length;
	long number;

	*s = (struct settings){.hz = 1000, .prefix = "cgview"};
	pattern_read_told(&s->told, envp);
	if (!run && (!out || !*out)) {
		run = ask_ancestors();
		if (run && !s->told.label)
			s->told.label = run + strlen(run) + 1;
	}
	if (run)
		read_recorder(s, run);
	else if (!out || !*out)
		s->off = is_of_a_build(envp);
	if (is_under_valgrind(envp))
		s->hz = 0;
	if (hz && *hz) {
		read_number(hz, &s->hz, MOST_NUMBER);
		s->hz_asked = true;
	}
	if (wall)
		s->wall = *wall && strcmp(wall, "0") != 0;
	if (clock)
		s->timer = !strcmp(clock, "timer");
	if (space) {
		s->times = !strcmp(space, "times");
		read_number(space, &number, RECORDER_MOST);
		set_space(s, *space && strcmp(space, "0") && !number ? 1 : number);
	}
	if (seed) {
		read_number(seed, &number, RECORDER_MOST);
		s->space_seed = (uint64_t)number;
	}
	if (events && events_parse(events, &s->events, &length))
		tell("CGVIEW_EVENTS: ", "an event in it is unknown",
		     "; cgview record -e list tells which there are");
	if (out && *out)
		read_pattern(s, out, envp);
}
