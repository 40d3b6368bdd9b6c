/* cgcc, cgg++: gcc and g++ with counters on. Same arguments, same exit status: the arguments are
 * looked at only to tell whether this call compiles or links, ours are added, and the compiler
 * takes this process's place. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cgcc/inputs.h"
#include "cgcc/mpi.h"
#include "cgcc/plugin.h"
#include "util/error.h"
#include "util/input.h"
#include "util/installed.h"
#include "util/mem.h"
#include "util/options.h"

/* ---- what the command line asks for ---- */

enum asks {
	ASK_NO_LINK = 1 << 0,	 /* -c, -S, -E, -M: stops before linking */
	ASK_NO_COMPILE = 1 << 1, /* -E, -M: does not get as far as code */
	ASK_SHARED = 1 << 2,
	ASK_STATIC = 1 << 3,
	ASK_RELOCATABLE = 1 << 4,  /* -r */
	ASK_NO_LIBRARIES = 1 << 5, /* -nostdlib and the like */
	ASK_LANGUAGE = 1 << 6,	   /* -x */
	ASK_OTHER_LINKER = 1 << 7, /* -fuse-ld=gold: does not know --export-dynamic-symbol */
	ASK_FREESTANDING = 1 << 8, /* there may be no thread-local storage */
	ASK_OTHER_LIBC = 1 << 9,   /* not glibc */
	ASK_PREPROCESS = 1 << 10,  /* -E */
	ASK_PIPE = 1 << 11,
	ASK_DEBUG = 1 << 12,	   /* -g of any kind */
	ASK_OTHER_WORDS = 1 << 13, /* -m32 and the like: the last of them counts */
};

struct request {
	unsigned asks; /* enum asks */
	unsigned nr_inputs, nr_responses;
	unsigned nr_headers;	/* of these, headers to be precompiled */
	const struct gcc_option *option; /* whose value is the next argument; NULL: none's */
	const char *output;	/* of -o; NULL: not given */
	bool header_language;	/* what follows is said to be a header; not with -x none */
	bool flags_found;	/* our own: a response file with them is none for the compiler */
	bool assembler_language; /* what follows is said to be assembler; not with -x none */
	bool enters_kernel;	/* an assembler file does */
	bool has_objects;	/* some input is no source */
	struct arguments args; /* the compiler's, without ours; response files as they are */
	const char *mode, *counters, *joint, *sums;
	bool off, centres, no_targets, space, mpi;
	bool cxx; /* C++ is linked, or its library */
	struct arguments exclude, targets, wrappers, no_wrappers, allocs, frees, pools;
};

/* ---- our own flags ---- */

static const char *const modes[] = {"tree", "block", NULL};
static const char *const counters[] = {"gs", "plain", "atomic", NULL};
static const char *const joints[] = {"both", "early", "late", "none", NULL};
static const char *const sums[] = {"none", "bounded", "all", NULL};

static void
add_exclude(void *request, char *glob)
{
	if (!*glob)
		die(2, "exclude=: which procedures? See cgcc --cgview-help");
	add(&((struct request *)request)->exclude, glob);
}

static void
add_wrapper(void *request, char *glob)
{
	if (!*glob)
		die(2, "wrapper=: which procedures? See cgcc --cgview-help");
	add(&((struct request *)request)->wrappers, glob);
}

static void
add_no_wrapper(void *request, char *glob)
{
	if (!*glob)
		die(2, "no-wrapper=: which procedures? See cgcc --cgview-help");
	add(&((struct request *)request)->no_wrappers, glob);
}

/* Behind TEXT's pattern at most NR arguments may be named, by their numbers. */
static void
check_arguments(const char *flag, const char *text, int nr)
{
	const char *colon = strchr(text, ':');

	if (!*text || colon == text)
		die(2, "%s=: which procedures? See cgcc --cgview-help", flag);
	for (; colon; colon = strchr(colon + 1, ':'))
		if (nr-- <= 0 || strspn(colon + 1, "0123456789") != strcspn(colon + 1, ":") ||
		    atoi(colon + 1) < 1 || atoi(colon + 1) > 255)
			die(2, "%s=%s: behind ':' stands the number of an argument, from 1 on. "
			    "See cgcc --cgview-help", flag, text);
}

static void
add_alloc(void *request, char *text)
{
	check_arguments("alloc", text, 2);
	add(&((struct request *)request)->allocs, text);
}

static void
add_free(void *request, char *text)
{
	check_arguments("free", text, 2);
	add(&((struct request *)request)->frees, text);
}

static void
add_pool(void *request, char *text)
{
	check_arguments("pool", text, 2);
	add(&((struct request *)request)->pools, text);
}

/* The later flag counts. */
static void
add_targets(void *request, char *glob)
{
	struct request *r = request;

	if (!*glob)
		die(2, "targets=: which procedures? See cgcc --cgview-help");
	r->no_targets = false;
	add(&r->targets, glob);
}

static void
set_no_targets(void *request, char *none)
{
	struct request *r = request;

	(void)none;
	r->no_targets = true;
	r->targets.nr = 0;
}

static void
set_strict(void *request, char *none)
{
	(void)none;
	((struct request *)request)->sums = "none";
}

#define AT(member) .offset = offsetof(struct request, member)
static const struct option_row flag_rows[] = {
	{"mode", 0, NULL, "counters where needed (default), or in each block", OPTION_TEXT,
	 AT(mode), .choices = modes},
	{"counters", 0, NULL, "exact per thread (default); inexact with threads;\nslow",
	 OPTION_TEXT, AT(counters), .choices = counters},
	{"joint", 0, NULL, "when counters that run together become one (both)", OPTION_TEXT,
	 AT(joint), .choices = joints},
	{"sums", 0, NULL, "innermost loops whose counts are stored every\n4,096 rounds (bounded)",
	 OPTION_TEXT, AT(sums), .choices = sums},
	{"strict", 0, NULL, "sums=none: every execution is in the file at once", OPTION_CALL,
	 .set = set_strict},
	{"exclude", 0, "GLOB", "leave out procedures by name or source file; repeatable",
	 OPTION_CALL, .set = add_exclude},
	{"cost-centres", 0, NULL, "keep cost centres: time is counted by them, too", OPTION_FLAG,
	 AT(centres)},
	{"centres", 0, NULL, NULL, OPTION_FLAG, AT(centres)},
	{"targets", 0, "GLOB", "note what calls through pointers call, in these procedures\n"
	 "or source files; without =GLOB in all; repeatable", OPTION_CALL, .set = add_targets},
	{"notargets", 0, NULL, "note that nowhere", OPTION_CALL, .set = set_no_targets},
	{"wrapper", 0, "GLOB", "what these procedures allocate is their callers' (xmalloc);\n"
	 "most are found without; repeatable", OPTION_CALL, .set = add_wrapper},
	{"no-wrapper", 0, "GLOB", "what these allocate is their own; repeatable", OPTION_CALL,
	 .set = add_no_wrapper},
	{"alloc", 0, "GLOB[:N[:N]]", "record --space counts calls of these, of a pool, too:\n"
	 "argument N is the size, times argument N; repeatable", OPTION_CALL, .set = add_alloc},
	{"free", 0, "GLOB[:N[:N]]", "argument N is given back to the pool, or is the pool; with\n"
	 "another N, the pool, all it gave out since; repeatable", OPTION_CALL, .set = add_free},
	{"pool", 0, "GLOB[:N[:N]]", "what these return, or argument N (the second) leads to, is\n"
	 "a pool that ends with the one in argument N; repeatable", OPTION_CALL,
	 .set = add_pool},
	{"space", 0, NULL, "link what counts allocations into the program: record --space\n"
	 "needs that of static ones", OPTION_FLAG, AT(space)},
	{"mpi", 0, NULL, "link wrappers: MPI functions are procedures, with counts, times\n"
	 "and bytes sent", OPTION_FLAG, AT(mpi)},
	{"off", 0, NULL, "behave as plain gcc", OPTION_FLAG, AT(off)},
	{.name = NULL},
};

static const struct option_table flags = {
	.bare = true, .width = 30, .rows = flag_rows,
	.head = "usage: cgcc [--cgview-flags=FLAG,...] GCC-ARGUMENTS...\n"
		"       cgg++ the same for g++; cgcc-11, cgg++-11 for gcc-11, g++-11\n"
		"       cgcc --cgview-build-plugin [GCC], for a GCC that has no plugin yet\n"
		"       cgcc --cgview-version\n\n"
		"Compiles and links like gcc, with counters for cgview. Flags:\n",
	.tail = "Environment: CGVIEW_CC, CGVIEW_CXX name the compilers (gcc, g++; \"ccache "
		"gcc\"),\n"
		"  CGVIEW_FLAGS holds flags as --cgview-flags does.\n"
		"Then: cgview record -- PROGRAM\n",
};

static void
read_flag(struct request *r, char *flag)
{
	static char all[] = "*";
	struct error err = ERROR_INIT;
	char *value = strchr(flag, '=');
	const struct option_row *row;

	if (value)
		*value++ = '\0';
	else if (!strcmp(flag, "targets"))
		value = all;
	row = options_find(flag_rows, flag);
	if (!row)
		die(2, "unknown flag %s; see cgcc --cgview-help", flag);
	if (option_set(row, r, value, &err))
		die(2, "%s%s%s: %s; see cgcc --cgview-help", flag, value ? "=" : "",
		    value ? value : "", err.text);
}

static void
read_flags(struct request *r, const char *text)
{
	char *copy = xstrdup(text), *next = copy, *flag;

	while ((flag = strsep(&next, ",")))
		if (*flag)
			read_flag(r, flag);
	/* COPY lives as long as the values that point into it: until exec. */
}

/* ---- looking at the arguments ---- */

static void
look_at_language(struct request *r, const char *language)
{
	bool none = !strcmp(language, "none");

	r->asks = none ? r->asks & ~ASK_LANGUAGE : r->asks | ASK_LANGUAGE;
	r->header_language = strstr(language, "-header") != NULL;
	r->assembler_language = !strncmp(language, "assembler", 9);
}

static bool
is_assembler(const struct request *r, const char *name)
{
	return r->asks & ASK_LANGUAGE ? r->assembler_language : input_kind(name) == INPUT_ASSEMBLER;
}

static void
note_output(struct request *r, const char *name)
{
	r->output = name;
}

/* -m64 behind -m32 */
static void
forget_other_words(struct request *r, const char *rest)
{
	(void)rest;
	r->asks &= ~(unsigned)ASK_OTHER_WORDS;
}

static void
look_at_specs(struct request *r, const char *path)
{
	if (strstr(path, "musl"))
		r->asks |= ASK_OTHER_LIBC;
}

static void
count_library(struct request *r, const char *name)
{
	r->nr_inputs++;
	r->cxx |= !strcmp(name, "stdc++");
}

static void
look_at_input(struct request *r, const char *name)
{
	r->nr_inputs++;
	r->nr_headers += r->asks & ASK_LANGUAGE ? r->header_language
						: input_kind(name) == INPUT_HEADER;
	r->has_objects |= !(r->asks & ASK_LANGUAGE) && input_kind(name) == INPUT_OBJECT;
	if (is_assembler(r, name))
		r->enters_kernel |= input_names_entry(name);
}

static void
read_our_option(struct request *r, const char *text)
{
	r->flags_found = true;
	read_flags(r, text);
}

/* The compiler's options that matter here, and ours. NEXT: the value is the next argument; JOINED:
 * it may stand behind the name, in the same one. */
enum { NEXT = 1 << 0, JOINED = 1 << 1, OURS = 1 << 2 };

static const struct gcc_option {
	const char *name;
	unsigned asks, value;
	void (*look)(struct request *r, const char *value); /* NULL: any value will do */
} gcc_options[] = {
	{"-c", .asks = ASK_NO_LINK},
	{"-S", .asks = ASK_NO_LINK},
	{"-fsyntax-only", .asks = ASK_NO_LINK | ASK_NO_COMPILE},
	{"-E", .asks = ASK_NO_LINK | ASK_NO_COMPILE | ASK_PREPROCESS},
	{"-M", .asks = ASK_NO_LINK | ASK_NO_COMPILE},
	{"-MM", .asks = ASK_NO_LINK | ASK_NO_COMPILE},
	{"-shared", .asks = ASK_SHARED},
	{"--shared", .asks = ASK_SHARED},
	{"-static", .asks = ASK_STATIC},
	{"--static", .asks = ASK_STATIC},
	{"-static-pie", .asks = ASK_STATIC},
	{"-r", .asks = ASK_RELOCATABLE},
	{"-nostdlib", .asks = ASK_NO_LIBRARIES},
	{"-nodefaultlibs", .asks = ASK_NO_LIBRARIES},
	{"-nostartfiles", .asks = ASK_NO_LIBRARIES},
	{"-nolibc", .asks = ASK_NO_LIBRARIES},
	{"-ffreestanding", .asks = ASK_FREESTANDING},
	{"-mcmodel=kernel", .asks = ASK_FREESTANDING},
	{"-fuse-ld=gold", .asks = ASK_OTHER_LINKER},
	{"-mmusl", .asks = ASK_OTHER_LIBC},
	{"-muclibc", .asks = ASK_OTHER_LIBC},
	{"-mbionic", .asks = ASK_OTHER_LIBC},
	{"-m16", .asks = ASK_OTHER_WORDS},
	{"-m32", .asks = ASK_OTHER_WORDS},
	{"-mx32", .asks = ASK_OTHER_WORDS},
	{"-miamcu", .asks = ASK_OTHER_WORDS},
	{"-m64", .look = forget_other_words},
	{"-pipe", .asks = ASK_PIPE},
	{"-g", .asks = ASK_DEBUG, .value = JOINED},
	{"-o", .value = NEXT | JOINED, .look = note_output},
	{"-x", .value = NEXT | JOINED, .look = look_at_language},
	{"-l", .value = NEXT | JOINED, .look = count_library},
	{"-specs", .value = NEXT, .look = look_at_specs},
	{"-specs=", .value = JOINED, .look = look_at_specs},
	{"--cgview-flags=", .value = JOINED | OURS, .look = read_our_option},
	{"-D", .value = NEXT}, {"-U", .value = NEXT}, {"-I", .value = NEXT},
	{"-L", .value = NEXT}, {"-include", .value = NEXT}, {"-imacros", .value = NEXT},
	{"-isystem", .value = NEXT}, {"-iquote", .value = NEXT}, {"-idirafter", .value = NEXT},
	{"-iprefix", .value = NEXT}, {"-iwithprefix", .value = NEXT},
	{"-iwithprefixbefore", .value = NEXT}, {"-isysroot", .value = NEXT},
	{"-imultilib", .value = NEXT}, {"-MF", .value = NEXT}, {"-MT", .value = NEXT},
	{"-MQ", .value = NEXT}, {"-Xlinker", .value = NEXT}, {"-Xassembler", .value = NEXT},
	{"-Xpreprocessor", .value = NEXT}, {"-T", .value = NEXT}, {"-u", .value = NEXT},
	{"-z", .value = NEXT}, {"-e", .value = NEXT}, {"-A", .value = NEXT},
	{"-B", .value = NEXT}, {"-aux-info", .value = NEXT}, {"-dumpbase", .value = NEXT},
	{"-dumpbase-ext", .value = NEXT}, {"-dumpdir", .value = NEXT},
	{"--param", .value = NEXT}, {"-wrapper", .value = NEXT},
};

/* The option that ARG is, and what is joined to it; *VALUE is NULL when the value is the next
 * argument. NULL: it is none that matters. */
static const struct gcc_option *
find_gcc_option(const char *arg, const char **value)
{
	for (size_t i = 0; i < sizeof(gcc_options) / sizeof(*gcc_options); i++) {
		const struct gcc_option *o = &gcc_options[i];
		size_t n = strlen(o->name);

		if (strncmp(arg, o->name, n) || (arg[n] && !(o->value & JOINED)))
			continue;
		*value = arg[n] || !(o->value & NEXT) ? arg + n : NULL;
		return o;
	}
	return NULL;
}

static bool look_into(struct request *r, const char *path, struct arguments *words);

/* One argument's meaning; what is the compiler's goes into KEPT. */
static void
look_at(struct request *r, const char *arg, struct arguments *kept)
{
	const struct gcc_option *option = r->option;
	const char *value = arg;

	if (arg[0] == '@' && look_into(r, arg + 1, kept))
		return;
	r->option = NULL;
	if (!option && (arg[0] != '-' || !arg[1])) {
		look_at_input(r, arg);
	} else if (!option) {
		option = find_gcc_option(arg, &value);
		r->asks |= option ? option->asks : 0;
		if (option && !value)
			r->option = option;
	}
	if (option && option->look && value)
		option->look(r, value);
	if (!option || !(option->value & OURS))
		add(kept, arg);
}

/* Next word of a response file, in the way libiberty reads them; NULL at the end. */
static char *
next_word(const char **text)
{
	struct strbuf word = STRBUF_INIT;
	const char *p = *text;
	char quote = 0;

	while (*p && strchr(" \t\r\n\f\v", *p))
		p++;
	if (!*p)
		return NULL;
	for (; *p && (quote || !strchr(" \t\r\n\f\v", *p)); p++) {
		if (*p == '\\' && p[1])
			strbuf_char(&word, *++p);
		else if (quote ? *p == quote : *p == '"' || *p == '\'')
			quote = quote ? 0 : *p;
		else
			strbuf_char(&word, *p);
	}
	*text = p;
	return strbuf_take(&word);
}

/* The words of a response file, which live until exec; false: PATH is none, and "@PATH" a name as
 * any other. The compiler refuses more than 2000 files: some contain each other. */
static bool
look_into(struct request *r, const char *path, struct arguments *words)
{
	enum { MOST_FILES = 2000 };
	struct strbuf text = STRBUF_INIT;
	const char *p;
	char *word;

	if (r->nr_responses++ >= MOST_FILES || !input_text(path, &text))
		return false;
	p = text.buf;
	while ((word = next_word(&p)))
		look_at(r, word, words);
	strbuf_release(&text);
	return true;
}

/* A response file is given to the compiler as it is, but when flags of ours are in it. */
static void
read_arguments(struct request *r, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		struct arguments words = {0};

		if (!strcmp(argv[i], "--cgview-help")) {
			options_help(&flags);
			exit(0);
		}
		if (!strcmp(argv[i], "--cgview-version")) {
			printf("cgcc of cgview %s\n", installed_version);
			exit(0);
		}
		r->flags_found = false;
		look_at(r, argv[i], &words);
		if (argv[i][0] == '@' && !r->flags_found) {
			add(&r->args, argv[i]);
			continue;
		}
		for (size_t w = 0; w < words.nr; w++)
			add(&r->args, words.items[w]);
	}
}

/* ---- where our parts are ---- */

static char *
parts_folder(void)
{
	char *folder = installed_folder("libcgview_rt.a");

	if (!folder)
		die(1, "lib/cgview/libcgview_rt.a is not beside %s; build or install cgview again",
		    program_invocation_name);
	return folder;
}

/* ---- the call ---- */

static void
add_compiling(struct arguments *a, const struct request *r, const char *folder,
	      const char *compiler)
{
	char *plugin = plugin_for(folder, compiler);
	const char *name = strrchr(plugin, '/') + 1;
	int stem = (int)strcspn(name, ".");
	struct arguments built = {0};

	add(a, xasprintf("-fplugin=%s", plugin));
	plugin_built_folders(&built, folder);
	for (size_t i = 0; i < built.nr; i++)
		add(a, xasprintf("-fplugin-arg-%.*s-built=%s", stem, name, built.items[i]));
	if (r->mode)
		add(a, xasprintf("-fplugin-arg-%.*s-mode=%s", stem, name, r->mode));
	if (r->joint)
		add(a, xasprintf("-fplugin-arg-%.*s-joint=%s", stem, name, r->joint));
	if (r->sums)
		add(a, xasprintf("-fplugin-arg-%.*s-sums=%s", stem, name, r->sums));
	if (r->counters)
		add(a, xasprintf("-fplugin-arg-%.*s-counters=%s", stem, name, r->counters));
	if (r->centres && !(r->asks & (ASK_FREESTANDING | ASK_NO_LIBRARIES)))
		add(a, xasprintf("-fplugin-arg-%.*s-centres", stem, name));
	if (r->no_targets)
		add(a, xasprintf("-fplugin-arg-%.*s-notargets", stem, name));
	for (size_t i = 0; i < r->targets.nr; i++)
		add(a, xasprintf("-fplugin-arg-%.*s-targets=%s", stem, name, r->targets.items[i]));
	for (size_t i = 0; i < r->exclude.nr; i++)
		add(a, xasprintf("-fplugin-arg-%.*s-exclude=%s", stem, name, r->exclude.items[i]));
	for (size_t i = 0; i < r->wrappers.nr; i++)
		add(a, xasprintf("-fplugin-arg-%.*s-wrapper=%s", stem, name, r->wrappers.items[i]));
	for (size_t i = 0; i < r->no_wrappers.nr; i++)
		add(a, xasprintf("-fplugin-arg-%.*s-no-wrapper=%s", stem, name,
				 r->no_wrappers.items[i]));
	for (size_t i = 0; i < r->allocs.nr; i++)
		add(a, xasprintf("-fplugin-arg-%.*s-alloc=%s", stem, name, r->allocs.items[i]));
	for (size_t i = 0; i < r->frees.nr; i++)
		add(a, xasprintf("-fplugin-arg-%.*s-free=%s", stem, name, r->frees.items[i]));
	for (size_t i = 0; i < r->pools.nr; i++)
		add(a, xasprintf("-fplugin-arg-%.*s-pool=%s", stem, name, r->pools.items[i]));
	/* The front end would merge the operands of && and ||. */
	add(a, "--param=logical-op-non-short-circuit=0");
	/* Stacks are walked by the call frame information. */
	add(a, "-fasynchronous-unwind-tables");
	/* Counters hide from GCC that a variable is set on all paths that count. */
	add(a, "-Wno-error=maybe-uninitialized");
}

/* Libraries must find these in the program instead of in libc. */
static const char *const exported[] = {
	"pthread_create",	"thrd_create",		"dlclose",
	"sigaction",		"signal",		"__sysv_signal",
	"sigprocmask",		"pthread_sigmask",	"prctl",
	"syscall",		"__cgview_register",	"__cgview_current",
	"__cgview_target_note", "__cgview_target_missed", "timer_create",
	"mq_notify",		"getaddrinfo_a",	"clone",
	"_Fork",		"sigaltstack",		"_exit",
	"_Exit",
};

/* A static program finds these in the runtime first. */
static const char *const wrapped[] = {
	"pthread_create",  "thrd_create",
	"sigaction",	   "signal",	  "bsd_signal", "ssignal",
	"__sysv_signal",   "sysv_signal", "sigset", "sigignore",  "sigprocmask",
	"pthread_sigmask", "prctl",	  "syscall", "sigaltstack", "clone",
	"_exit",	   "_Exit",
#if __GLIBC_PREREQ(2, 34)
	"_Fork",
#endif
};

/* With the flag space, it finds these in libcgview_space.a; the latter if C++ is linked. */
static const char *const wrapped_for_space[] = {
	"malloc",	  "calloc",	    "realloc",	      "reallocarray", "free",
	"memalign",	  "aligned_alloc",  "posix_memalign", "valloc",	      "pvalloc",
	"malloc_usable_size", "exit",	    "__libc_start_main",
};
static const char *const wrapped_objects[] = {
	"_Znwm", "_Znam", "_ZnwmRKSt9nothrow_t", "_ZnamRKSt9nothrow_t",
	"_ZnwmSt11align_val_t", "_ZnamSt11align_val_t",
	"_ZnwmSt11align_val_tRKSt9nothrow_t", "_ZnamSt11align_val_tRKSt9nothrow_t",
	"_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm", "_ZdlPvRKSt9nothrow_t", "_ZdaPvRKSt9nothrow_t",
	"_ZdlPvSt11align_val_t", "_ZdaPvSt11align_val_t", "_ZdlPvmSt11align_val_t",
	"_ZdaPvmSt11align_val_t", "_ZdlPvSt11align_val_tRKSt9nothrow_t",
	"_ZdaPvSt11align_val_tRKSt9nothrow_t",
};

static void
add_wraps(struct arguments *a, const char *const *names, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		add(a, xasprintf("-Wl,--wrap=%s", names[i]));
}

/* What only libraries that come later call must be there, too. */
static void
add_space(struct arguments *a, const struct request *r, const char *folder)
{
	static const char *const shown[] = {"__cgview_space_attach", "__cgview_space_following"};

	if (!(r->asks & ASK_STATIC)) {
		add(a, xasprintf("%s/cgview_space.o", folder));
		for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++)
			add(a, xasprintf("-Wl,--export-dynamic-symbol=%s", shown[i]));
		return;
	}
	add_wraps(a, wrapped_for_space, sizeof(wrapped_for_space) / sizeof(*wrapped_for_space));
	add(a, "-Wl,--undefined=__wrap_malloc");
	if (r->cxx) {
		add_wraps(a, wrapped_objects, sizeof(wrapped_objects) / sizeof(*wrapped_objects));
		add(a, "-Wl,--undefined=__wrap__Znwm");
	}
	add(a, xasprintf("%s/libcgview_space.a", folder));
	add(a, xasprintf("%s/cgview_text_end.o", folder));
	if (r->cxx) /* it may have been named before */
		add(a, "-lstdc++");
}

/* The linker makes no table of the call frame information for static programs unasked. */
static void
add_static(struct arguments *a)
{
	add_wraps(a, wrapped, sizeof(wrapped) / sizeof(*wrapped));
	/* libgomp.a asks for it only weakly. */
	add(a, "-Wl,--undefined=__wrap_pthread_create");
	add(a, "-Wl,--eh-frame-hdr");
}

/* Libraries are served by what the program has. */
static bool
is_space_linked(const struct request *r)
{
	return r->space && !(r->asks & ASK_SHARED);
}

static void
add_linking(struct arguments *a, const struct request *r, const char *folder)
{
	if (r->asks & ASK_LANGUAGE) {
		add(a, "-x");
		add(a, "none");
	}
	add(a, xasprintf("%s/%s", folder, r->asks & ASK_SHARED ? "cgview_so.o" : "cgview_exe.o"));
	if (!(r->asks & ASK_STATIC))
		add(a, xasprintf("%s/cgview_dynamic.o", folder));
	if (r->enters_kernel)
		add(a, xasprintf("%s/cgview_kernel.o", folder));
	if (is_space_linked(r))
		add_space(a, r, folder);
	add(a, xasprintf("%s/libcgview_rt.a", folder));
	if (r->asks & ASK_STATIC)
		add_static(a);
	else if (!(r->asks & (ASK_SHARED | ASK_OTHER_LINKER)))
		for (size_t i = 0; i < sizeof(exported) / sizeof(*exported); i++)
			add(a, xasprintf("-Wl,--export-dynamic-symbol=%s", exported[i]));
}

/* ---- a cache of compilations ----
 *
 * ccache looks its objects up by the command line, the compiler's file and the preprocessed source.
 * It knows neither CGVIEW_FLAGS nor our plugin: so when it asks for the preprocessed source, they
 * are told in it, as the name of a file in a line marker. As there is no such file, it also does
 * not take the short way, by the contents of the headers alone, on which we would not be asked. Its
 * depend mode never asks. */

/* The cache that has called us, NULL: none. */
static const char *
calling_cache(void)
{
	static char parent[PATH_MAX];
	char *link = xasprintf("/proc/%ld/exe", (long)getppid());
	ssize_t n = readlink(link, parent, sizeof(parent) - 1);

	free(link);
	parent[n > 0 ? n : 0] = '\0';
	return strstr(parent, "/ccache") || strstr(parent, "/sccache") ? parent : NULL;
}

static void
refuse_depend_mode(const char *cache)
{
	const char *const question[] = {"ccache", "--get-config", "depend_mode", NULL};
	char *answer = strstr(cache, "/ccache") ? ask(cache, question) : NULL;

	if (answer && !strncmp(answer, "true", 4))
		die(1, "ccache does not see cgview's flags in its depend mode: call cgcc itself, "
		       "with CGVIEW_CC=\"ccache gcc\"");
	free(answer);
}

static void
describe_globs(struct strbuf *text, const char *flag, const struct arguments *globs)
{
	for (size_t i = 0; i < globs->nr; i++) {
		strbuf_fmt(text, ",%s=", flag);
		for (const char *p = globs->items[i]; *p; p++)
			strbuf_fmt(text, strchr("\"\\\n", *p) ? "%%%02x" : "%c", (unsigned char)*p);
	}
}

static void
describe_flags(struct strbuf *text, const struct request *r, const char *folder, const char *plugin)
{
	struct arguments files = {0};
	struct stat st;

	add(&files, plugin);
	plugin_built_folders(&files, folder); /* one in them may take its place */
	strbuf_fmt(text, "# 1 \"cgview:%s", strrchr(plugin, '/') + 1);
	for (size_t i = 0; i < files.nr; i++) {
		memset(&st, 0, sizeof(st));
		stat(files.items[i], &st);
		strbuf_fmt(text, ",%lld,%lld.%09ld", (long long)st.st_size,
			   (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	}
	strbuf_fmt(text, ",mode=%s,counters=%s,joint=%s,sums=%s%s%s%s", r->mode ?: "",
		   r->counters ?: "", r->joint ?: "", r->sums ?: "", r->centres ? ",centres" : "",
		   r->no_targets ? ",notargets" : "", r->off ? ",off" : "");
	describe_globs(text, "exclude", &r->exclude);
	describe_globs(text, "targets", &r->targets);
	describe_globs(text, "wrapper", &r->wrappers);
	describe_globs(text, "no-wrapper", &r->no_wrappers);
	describe_globs(text, "alloc", &r->allocs);
	describe_globs(text, "free", &r->frees);
	strbuf_fmt(text, "\"\n");
}

/* Preprocess by CALL, then add the line. It could be included instead, but then a file of ours
 * would be among the dependencies. */
static void
preprocess_for_cache(const struct arguments *call, const struct request *r, const char *folder,
		     const char *plugin)
{
	struct strbuf text = STRBUF_INIT;
	int status, out = STDOUT_FILENO;
	pid_t pid = fork();

	if (pid < 0)
		die(1, "cannot fork: %s", strerror(errno));
	if (pid == 0) {
		execvp(call->items[0], (char *const *)call->items);
		die(127, "cannot run %s: %s", call->items[0], strerror(errno));
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
	describe_flags(&text, r, folder, plugin);
	if (r->output && strcmp(r->output, "-"))
		out = open(r->output, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (out < 0 || write(out, text.buf, text.len) != (ssize_t)text.len)
		die(1, "cannot tell ccache the flags: %s", strerror(errno));
	exit(0);
}

/* Adds the note to an assembler file that is not linked here. The assembler reads files in its
 * command line as if they were one, but then nothing from a pipe: so no pipe, which changes nothing
 * else. (It does when the file is linked: -flto complains of options that other files had not.) */
static void
add_kernel_note(struct arguments *a, const struct request *r, const char *folder)
{
	size_t kept = 0;

	for (size_t i = 0; i < a->nr; i++)
		if (strcmp(a->items[i], "-pipe"))
			a->items[kept++] = a->items[i];
	if (r->asks & ASK_PIPE && kept == a->nr) /* it is in a response file */
		return;
	a->items[a->nr = kept] = NULL;
	add(a, "-Xassembler"); /* with -Wa, a comma in the path would end it */
	add(a, xasprintf("%s/cgview_kernel.s", folder));
}

/* Before the MPI library, behind all that calls it: what is needed of the wrappers. */
static void
add_arguments(struct arguments *out, const struct request *r, const struct arguments *command,
	      const char *folder, bool program)
{
	bool wanted = program && r->mpi;

	for (size_t i = 0; i < r->args.nr; i++) {
		if (wanted && mpi_is_library(r->args.items[i])) {
			const char *wrappers = mpi_wrappers(command, &r->args, folder, r->centres);

			if (wrappers)
				add(out, wrappers);
			wanted = false;
		}
		add(out, r->args.items[i]);
	}
}

/* What stands before the user's options: his own -g3 or -g0 wins, and what is aligned is his
 * choice, too. Where variables are only a debugger wants to know, and to find out takes the
 * compiler long: who does not ask for -g has no debugger in mind. Objects that are linked, and
 * compiled for that (-flto), may be of one who has. */
static void
add_defaults(struct arguments *out, const struct request *r)
{
	add(out, "-g");
	if (!(r->asks & ASK_DEBUG) && (r->asks & ASK_NO_LINK || !r->has_objects))
		add(out, "-fno-var-tracking");
	/* Counters make more blocks that are jumped to. */
	add(out, "-fno-align-jumps");
	add(out, "-freorder-blocks-algorithm=simple");
}

/* All else of ours stands behind the user's options. */
static void
build_call(struct arguments *out, const struct request *r, const struct arguments *command)
{
	const char *compiler = command->items[command->nr - 1];
	bool compiles = !(r->asks & ASK_NO_COMPILE) && r->nr_inputs && !r->off;
	bool links = compiles && r->nr_inputs > r->nr_headers &&
		     !(r->asks & (ASK_NO_LINK | ASK_RELOCATABLE | ASK_NO_LIBRARIES));
	const char *cache = r->asks & ASK_NO_LINK ? calling_cache() : NULL;
	bool for_cache = cache && (r->asks & ASK_PREPROCESS);
	char *folder = compiles || for_cache ? parts_folder() : NULL;

	if (compiles && (r->asks & ASK_OTHER_LIBC || strstr(compiler, "musl")))
		die(1, "%s: only glibc is served, no program of another C library can be profiled",
		    compiler);
	if (compiles && r->asks & ASK_OTHER_WORDS)
		die(1, "only programs of 64 bits can be profiled: compile those of -m32 with %s",
		    compiler);
	if (cache && !(r->asks & ASK_NO_COMPILE))
		refuse_depend_mode(cache);
	for (size_t i = 0; i < command->nr; i++)
		add(out, command->items[i]);
	if (compiles)
		add_defaults(out, r);
	if (links && is_space_linked(r) && r->asks & ASK_STATIC)
		add(out, xasprintf("%s/cgview_text_begin.o", folder));
	add_arguments(out, r, command, folder, links && !(r->asks & ASK_SHARED));
	if (for_cache)
		preprocess_for_cache(out, r, folder, plugin_for(folder, compiler));
	if (compiles)
		add_compiling(out, r, folder, compiler);
	if (compiles && r->enters_kernel && !links)
		add_kernel_note(out, r, folder);
	if (links)
		add_linking(out, r, folder);
}

/* cgcc-11 calls gcc-11. The environment may name a launcher before the compiler. */
static void
compiler_for(struct arguments *command, const char *program, bool *links_cxx)
{
	const char *name = strrchr(program, '/'), *chosen, *dash;
	char *words, *word;
	bool cxx;

	name = name ? name + 1 : program;
	cxx = strstr(name, "++") != NULL;
	*links_cxx = cxx;
	chosen = getenv(cxx ? "CGVIEW_CXX" : "CGVIEW_CC");
	if (chosen && access(chosen, X_OK) == 0) { /* its path may have blanks */
		add(command, chosen);
		return;
	}
	words = xstrdup(chosen ? chosen : "");
	while ((word = strsep(&words, " \t")))
		if (*word)
			add(command, word);
	if (command->nr)
		return;
	dash = strrchr(name, '-');
	if (!dash || !dash[1] || dash[1 + strspn(dash + 1, "0123456789")])
		dash = "";
	add(command, xasprintf("%s%s", cxx ? "g++" : "gcc", dash));
}

/* The compiler may be a program that runs cgcc again: ccache does, where the first gcc in PATH is a
 * link to cgcc. Each would run the other for ever. */
static void
count_nesting(const char *compiler)
{
	enum { MOST_NESTED = 20 };
	static const char name[] = "CGVIEW_NESTED";
	const char *before = getenv(name);
	int n = before ? atoi(before) : 0;
	char text[16];

	if (n >= MOST_NESTED)
		die(1, "%s runs cgcc again, and so on: name the compiler itself "
		       "(CGVIEW_CC=/usr/bin/gcc)", compiler);
	snprintf(text, sizeof(text), "%d", n > 0 ? n + 1 : 1);
	setenv(name, text, 1);
}

int
main(int argc, char **argv)
{
	struct request r = {0};
	struct arguments call = {0}, command = {0};
	const char *flags = getenv("CGVIEW_FLAGS");

	error_program("cgcc");
	compiler_for(&command, argc ? argv[0] : "cgcc", &r.cxx);
	count_nesting(command.items[command.nr - 1]);
	if (argc > 1 && !strcmp(argv[1], "--cgview-build-plugin")) {
		if (argc > 3)
			die(2, "%s: one compiler; see cgcc --cgview-help", argv[1]);
		plugin_build(parts_folder(), argc > 2 ? argv[2] : command.items[command.nr - 1]);
		return 0;
	}
	if (flags)
		read_flags(&r, flags);
	read_arguments(&r, argc, argv);
	build_call(&call, &r, &command);
	execvp(call.items[0], (char *const *)call.items);
	die(127, "cannot run %s: %s", call.items[0], strerror(errno));
}
