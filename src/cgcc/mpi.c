#include "cgcc/mpi.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cgcc/inputs.h"
#include "util/cache.h"
#include "util/error.h"
#include "util/index.h"
#include "util/mem.h"

/* ---- what is sent ---- */

/* Functions of src/mpi/wrappers/sent.c, each with the arguments that it gets, by numbers from 0
 * on, and the functions of MPI whose they are; those with large counts (MPI_Send_c), too, where
 * counts are no arrays. */
static const struct sending {
	const char *by, *arguments, *names;
	bool arrays;
} sendings[] = {
	{"to", "123", " Send Bsend Ssend Rsend Isend Ibsend Issend Irsend Sendrecv Isendrecv "
		      "Sendrecv_replace Isendrecv_replace Put Rput Accumulate Raccumulate ",
	 false},
	{"to", "126", " Get_accumulate Rget_accumulate ", false},
	{"part", "23", " Reduce Allreduce Scan Exscan Ireduce Iallreduce Iscan Iexscan ", false},
	{"root", "1234", " Bcast Ibcast ", false},
	{"gather", "01245", " Gather Igather Allgather Iallgather ", false},
	{"gatherv", "012468", " Gatherv Igatherv ", true},
	{"gatherv", "012467", " Allgatherv Iallgatherv ", true},
	{"scatter", "1267", " Scatter Iscatter ", false},
	{"scatterv", "1378", " Scatterv Iscatterv ", true},
	{"all", "012456", " Alltoall Ialltoall ", false},
	{"allv", "013578", " Alltoallv Ialltoallv ", true},
	{"allw", "013578", " Alltoallw Ialltoallw ", true},
	{"blocks", "235", " Reduce_scatter_block Ireduce_scatter_block ", false},
	{"scattered", "235", " Reduce_scatter Ireduce_scatter ", true},
};

/* How the wrappers, which are C that was preprocessed, see these. */
static const char sent_prototypes[] =
	"void cgview_mpi_to(unsigned long long *, long long, MPI_Datatype, int);\n"
	"void cgview_mpi_part(unsigned long long *, long long, MPI_Datatype);\n"
	"void cgview_mpi_root(unsigned long long *, long long, MPI_Datatype, int, MPI_Comm);\n"
	"void cgview_mpi_gather(unsigned long long *, const void *, long long, MPI_Datatype, "
	"long long, MPI_Datatype);\n"
	"void cgview_mpi_gatherv(unsigned long long *, const void *, long long, MPI_Datatype, "
	"const int *, MPI_Datatype, MPI_Comm);\n"
	"void cgview_mpi_scatter(unsigned long long *, long long, MPI_Datatype, int, MPI_Comm);\n"
	"void cgview_mpi_scatterv(unsigned long long *, const int *, MPI_Datatype, int, "
	"MPI_Comm);\n"
	"void cgview_mpi_all(unsigned long long *, const void *, long long, MPI_Datatype, "
	"long long, MPI_Datatype, MPI_Comm);\n"
	"void cgview_mpi_allv(unsigned long long *, const void *, const int *, MPI_Datatype, "
	"const int *, MPI_Datatype, MPI_Comm);\n"
	"void cgview_mpi_allw(unsigned long long *, const void *, const int *, "
	"const MPI_Datatype *, const int *, const MPI_Datatype *, MPI_Comm);\n"
	"void cgview_mpi_blocks(unsigned long long *, long long, MPI_Datatype, MPI_Comm);\n"
	"void cgview_mpi_scattered(unsigned long long *, const int *, MPI_Datatype, MPI_Comm);\n";

/* NULL: MPI_NAME sends nothing, or it is not known how much. */
static const struct sending *
sending_of(const char *name)
{
	size_t length = strlen(name += strlen("MPI_"));
	bool large = length > 2 && !strcmp(name + length - 2, "_c");
	char *word = xasprintf(" %.*s ", (int)(length - (large ? 2 : 0)), name);
	const struct sending *found = NULL;

	for (size_t i = 0; !found && i < sizeof(sendings) / sizeof(*sendings); i++)
		if (strstr(sendings[i].names, word) && !(large && sendings[i].arrays))
			found = &sendings[i];
	free(word);
	return found;
}

/* ---- reading mpi.h ---- */

struct function {
	const char *returns, *name, *parameters; /* as C has them */
	struct arguments args;                   /* names of the parameters */
};

struct header {
	struct strbuf types;         /* all that declares no function of MPI's */
	struct function *items;      /* with a twin */
	size_t nr, alloc;
	struct arguments profiling, odd; /* names PMPI_...; MPI_... that are not understood */
};

static bool
is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Behind the literal or parenthesis, of any kind, that begins at P. */
static const char *
behind(const char *p)
{
	int depth = 0;

	do {
		if (*p == '"' || *p == '\'') {
			char quote = *p;

			while (*++p && *p != quote)
				p += *p == '\\' && p[1];
		} else if (strchr("([{", *p)) {
			depth++;
		} else if (strchr(")]}", *p)) {
			depth--;
		}
		p += *p != '\0';
	} while (*p && depth > 0);
	return p;
}

/* DECLARATION without attributes, "extern", and blanks at its ends; heap. */
static char *
plain(const char *declaration, size_t length)
{
	static const char *const words[] = {"__attribute__", "__extension__", "extern"};
	struct strbuf text = STRBUF_INIT;
	char *copy = xstrndup(declaration, length);
	const char *p = copy;

	while (*p) {
		bool begins = p == copy || !is_name(p[-1]), left_out = false;

		for (size_t i = 0; begins && i < sizeof(words) / sizeof(*words); i++) {
			size_t n = strlen(words[i]);

			if (strncmp(p, words[i], n) || is_name(p[n]))
				continue;
			p += n;
			while (isspace((unsigned char)*p))
				p++;
			p = !i && *p == '(' ? behind(p) : p;
			left_out = true;
			break;
		}
		if (left_out)
			continue;
		if (!isspace((unsigned char)*p))
			strbuf_char(&text, *p);
		else if (text.len && text.buf[text.len - 1] != ' ')
			strbuf_char(&text, ' ');
		p++;
	}
	while (text.len && text.buf[text.len - 1] == ' ')
		text.buf[--text.len] = '\0';
	free(copy);
	return strbuf_take(&text);
}

/* Adds the parameter TEXT, which ends at END, to F and PARAMETERS; one without a name gets one.
 * False: it is not understood. */
static bool
read_parameter(struct function *f, struct strbuf *parameters, const char *text, const char *end)
{
	static const char *const types[] = {"int", "char", "long", "short", "unsigned", "signed",
					    "double", "float", "void", "const"};
	const char *last, *first;
	char *word;
	bool named;

	while (text < end && *text == ' ')
		text++;
	while (end > text && end[-1] == ' ')
		end--;
	if (end == text || memchr(text, '(', (size_t)(end - text)) || end[-1] == '.')
		return false;
	last = memchr(text, '[', (size_t)(end - text)) ?: end;
	while (last > text && last[-1] == ' ')
		last--;
	for (first = last; first > text && is_name(first[-1]);)
		first--;
	word = xstrndup(first, (size_t)(last - first));
	named = first > text && first < last;
	for (size_t i = 0; named && i < sizeof(types) / sizeof(*types); i++)
		named = strcmp(word, types[i]) != 0;
	if (!named)
		word = xasprintf("argument%zu", f->args.nr + 1);
	strbuf_fmt(parameters, "%s%.*s", f->args.nr ? ", " : "",
		   (int)((named ? end : last) - text), text);
	if (!named)
		strbuf_fmt(parameters, " %s%s", word, last < end ? "[]" : "");
	add(&f->args, word);
	return true;
}

/* LIST is what stands in the parentheses, up to END. */
static bool
read_parameters(struct function *f, const char *list, const char *end)
{
	struct strbuf parameters = STRBUF_INIT;
	const char *from = list, *p;
	bool good = true;
	int depth = 0;

	for (p = list; good && p <= end; p++) {
		depth += p < end && *p == '(' ? 1 : p < end && *p == ')' ? -1 : 0;
		if (p < end && (*p != ',' || depth))
			continue;
		good = read_parameter(f, &parameters, from, p);
		from = p + 1;
	}
	if (!good && !f->args.nr) {
		char *only = plain(list, (size_t)(end - list));

		good = !strcmp(only, "void") || !*only;
		strbuf_clear(&parameters);
		strbuf_str(&parameters, "void");
		free(only);
	} else if (f->args.nr == 1 && !strncmp(parameters.buf, "void argument1", 14)) {
		f->args.nr = 0;
		parameters.buf[strlen("void")] = '\0';
	}
	f->parameters = strbuf_take(&parameters);
	return good;
}

/* Does TEXT, without attributes, declare a function of MPI's? Notes what it is. */
static bool
read_function(struct header *h, const char *text)
{
	const char *paren = strchr(text, '('), *name, *end;
	struct function f = {.args = {0}};
	char *whole;

	if (!paren || !strncmp(text, "typedef ", 8) || strpbrk(text, "{="))
		return false;
	for (end = paren; end > text && end[-1] == ' ';)
		end--;
	for (name = end; name > text && is_name(name[-1]);)
		name--;
	whole = xstrndup(name, (size_t)(end - name));
	if (!strncmp(whole, "PMPI_", 5))
		add(&h->profiling, whole);
	else if (strncmp(whole, "MPI_", 4))
		return !strncmp(whole, "PMPIX_", 6) || !strncmp(whole, "MPIX_", 5) ||
		       !strncmp(whole, "QMPI", 4);
	else {
		f.name = whole;
		f.returns = plain(text, (size_t)(name - text));
		if (*f.returns && *behind(paren) == '\0' &&
		    read_parameters(&f, paren + 1, behind(paren) - 1)) {
			GROW(h->items, h->nr + 1, h->alloc);
			h->items[h->nr++] = f;
		} else {
			add(&h->odd, whole);
		}
	}
	return true;
}

static int
compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Keeps the functions that have a twin. */
static void
find_twins(struct header *h)
{
	size_t kept = 0;

	if (h->profiling.nr)
		qsort(h->profiling.items, h->profiling.nr, sizeof(char *), compare_names);
	for (size_t i = 0; i < h->nr; i++) {
		const char *twin = xasprintf("P%s", h->items[i].name);

		if (h->profiling.nr && bsearch(&twin, h->profiling.items, h->profiling.nr,
					       sizeof(char *), compare_names))
			h->items[kept++] = h->items[i];
		else
			add(&h->odd, h->items[i].name);
	}
	h->nr = kept;
}

/* TEXT is mpi.h with all that it includes, preprocessed. */
static void
read_header(struct header *h, const char *text)
{
	const char *from = text, *p = text;
	char *declaration;

	while (*p) {
		if (*p == '#' && (p == text || p[-1] == '\n')) {
			p += strcspn(p, "\n");
			from = p;
		} else if (*p == ';') {
			declaration = plain(from, (size_t)(p - from));
			if (!read_function(h, declaration))
				strbuf_fmt(&h->types, "%.*s;\n", (int)(p - from), from);
			free(declaration);
			from = ++p;
		} else {
			p = strchr("([{\"'", *p) ? behind(p) : p + 1;
		}
	}
	find_twins(h);
}

/* ---- files ---- */

static bool
write_text(const char *path, const char *text, size_t length)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	ssize_t n = 1;

	if (fd < 0)
		return false;
	for (size_t done = 0; done < length && n > 0; done += n > 0 ? (size_t)n : 0)
		n = write(fd, text + done, length - done);
	return !close(fd) && n > 0;
}

/* ---- writing wrappers ---- */

static void
write_head(struct strbuf *source, const struct header *h)
{
	strbuf_fmt(source, "/* Wrappers of the functions of mpi.h, made by cgcc. Left out, as they "
			   "cannot be wrapped:");
	for (size_t i = 0; i < h->odd.nr; i++)
		strbuf_fmt(source, "%s %s", i ? "," : "", h->odd.items[i]);
	strbuf_fmt(source, "%s. */\n#include <mpi.h>\n", h->odd.nr ? "" : " none");
}

static void
add_body(struct strbuf *to, const struct function *f)
{
	const struct sending *s = sending_of(f->name);

	strbuf_fmt(to, "%s\n%s(%s)\n{\n", f->returns, f->name, f->parameters);
	if (s) {
		strbuf_fmt(to, "\tcgview_mpi_%s(&cgview_sent_by_%s", s->by, f->name);
		for (const char *a = s->arguments; *a; a++)
			strbuf_fmt(to, ", %s", (size_t)(*a - '0') < f->args.nr
						       ? f->args.items[*a - '0'] : "0");
		strbuf_str(to, ");\n");
	}
	strbuf_fmt(to, "\t%sP%s(", strcmp(f->returns, "void") ? "return " : "", f->name);
	for (size_t i = 0; i < f->args.nr; i++)
		strbuf_fmt(to, "%s%s", i ? ", " : "", f->args.items[i]);
	strbuf_str(to, ");\n}\n");
}

/* The word that counts bytes, and what says so (docs/formats.md). */
static void
add_word(struct strbuf *to, const char *name)
{
	strbuf_fmt(to,
		   "extern unsigned long long cgview_sent_by_%s "
		   "__attribute__((visibility(\"hidden\")));\n"
		   "__asm__(\".pushsection cgview_cnt,\\\"aw\\\",@nobits\\n\"\n"
		   "\"\\t.balign 8\\ncgview_sent_by_%s:\\n\\t.zero 8\\n\\t.popsection\\n\"\n"
		   "\"\\t.pushsection cgview_msr,\\\"R\\\",@progbits\\n\\t.balign 8\\n\"\n"
		   "\"\\t.quad cgview_sent_by_%s\\n\"\n"
		   "\"\\t.asciz \\\"%s\\\", \\\"mpi_sent\\\", \\\"bytes sent\\\", "
		   "\\\"bytes\\\"\\n\\t.balign 8\\n\"\n"
		   "\"\\t.popsection\\n\");\n", name, name, name, name);
}

/* Writes the unit of F, whose text begins in line LINE of SOURCE. */
static bool
write_unit(const struct header *h, const struct function *f, const char *work,
	   const char *source, unsigned line)
{
	struct strbuf text = STRBUF_INIT;
	char *path = xasprintf("%s/%s.i", work, f->name);
	bool written;

	strbuf_fmt(&text, "# 1 \"mpi.h\"\n%s%s", h->types.buf, sent_prototypes);
	strbuf_fmt(&text, "%s P%s(%s);\n", f->returns, f->name, f->parameters);
	if (sending_of(f->name))
		add_word(&text, f->name);
	strbuf_fmt(&text, "# %u \"%s\"\n", line, source);
	add_body(&text, f);
	written = write_text(path, text.buf, text.len);
	strbuf_release(&text);
	free(path);
	return written;
}

static unsigned
count_lines(const char *text)
{
	unsigned n = 0;

	while ((text = strchr(text, '\n'))) {
		text++;
		n++;
	}
	return n;
}

/* Writes SOURCE, the text that the profile shows, and in WORK a unit for each function, so that
 * only what a program calls is linked. */
static bool
write_units(const struct header *h, const char *work, const char *source)
{
	char *new = xasprintf("%s/source", work);
	struct strbuf text = STRBUF_INIT;
	unsigned *lines = xcalloc(h->nr + 1, sizeof(*lines));
	bool written;

	write_head(&text, h);
	for (size_t i = 0; i < h->nr; i++) {
		strbuf_char(&text, '\n');
		lines[i] = count_lines(text.buf) + 1;
		add_body(&text, &h->items[i]);
	}
	written = write_text(new, text.buf, text.len) && !rename(new, source);
	for (size_t i = 0; written && i < h->nr; i++)
		written = write_unit(h, &h->items[i], work, source, lines[i]);
	strbuf_release(&text);
	free(lines);
	free(new);
	return written;
}

/* ---- compiling ---- */

/* Runs PROGRAM with the words of CALL in DIRECTORY; QUIET: what it complains of is dropped. */
static pid_t
start(const char *program, const struct arguments *call, const char *directory, bool quiet)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	setenv("CGVIEW_FLAGS", "", 1);
	if (quiet && !freopen("/dev/null", "w", stderr))
		_exit(127);
	if (!chdir(directory))
		execvp(program, (char *const *)call->items);
	_exit(127);
}

static bool
ended_well(pid_t pid)
{
	int status = 1;

	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* The words that call this program again, as cgcc, to compile with FLAGS of ours. */
static void
call_again(struct arguments *call, const char *flags)
{
	const char *version = strrchr(program_invocation_short_name, '-');

	*call = (struct arguments){0};
	add(call, xasprintf("cgcc%s", version ? version : ""));
	add(call, xasprintf("--cgview-flags=%s", flags));
	add(call, "-w");
	add(call, "-O2");
	add(call, "-fPIC");
	add(call, "-fno-lto");
	add(call, "-fno-optimize-sibling-calls"); /* else their time is their callers' */
	add(call, "-c");
}

/* Compiles all that is in WORK, the wrappers on all processors. INCLUDES: where mpi.h is. */
static bool
compile(const struct header *h, const char *work, const char *parts,
	const struct arguments *includes, bool centres)
{
	enum { MOST = 64 };
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	size_t nr = processors < 1 ? 1 : processors > MOST ? MOST : (size_t)processors;
	static const char self[] = "/proc/self/exe";
	struct arguments call;
	pid_t pids[MOST + 1];
	bool well = true;

	for (size_t k = 0; k < nr; k++) {
		call_again(&call, centres ? "cost-centres" : "");
		for (size_t i = k; i < h->nr; i += nr)
			add(&call, xasprintf("%s.i", h->items[i].name));
		pids[k] = k < h->nr ? start(self, &call, work, true) : 0;
	}
	call_again(&call, "off");
	for (size_t i = 0; i < includes->nr; i++)
		add(&call, includes->items[i]);
	add(&call, xasprintf("%s/cgview_mpi_sent.c", parts));
	pids[nr] = start(self, &call, work, true);
	for (size_t k = 0; k <= nr; k++)
		well &= !pids[k] || ended_well(pids[k]);
	if (!well)
		return false;
	call = (struct arguments){0};
	add(&call, "ar");
	add(&call, "rcs");
	add(&call, "cgview_mpi.a");
	add(&call, "cgview_mpi_sent.o");
	for (size_t i = 0; i < h->nr; i++)
		add(&call, xasprintf("%s.o", h->items[i].name));
	return ended_well(start(call.items[0], &call, work, true));
}

/* ---- the archive ---- */

/* What of ARGS says where headers are; paths are made absolute. */
static void
find_includes(struct arguments *includes, const struct arguments *args)
{
	static const char *const options[] = {"-I", "-isystem", "-iquote", "-idirafter"};
	char *here = get_current_dir_name();

	for (size_t i = 0; i < args->nr; i++)
		for (size_t k = 0; k < sizeof(options) / sizeof(*options); k++) {
			const char *arg = args->items[i], *path = arg + strlen(options[k]);

			if (strncmp(arg, options[k], strlen(options[k])))
				continue;
			if (!*path && ++i < args->nr)
				path = args->items[i];
			add(includes, options[k]);
			add(includes, *path == '/' ? path
						   : xasprintf("%s/%s", here ? here : ".", path));
			break;
		}
	free(here);
}

/* What #include <mpi.h> is for the compiler, all of it. */
static bool
preprocess(struct strbuf *text, const struct arguments *command, const struct arguments *includes,
	   const char *work)
{
	char *source = xasprintf("%s/mpi.c", work), *out = xasprintf("%s/mpi.i", work);
	static const char include[] = "#include <mpi.h>\n";
	struct arguments call = {0};
	bool done;

	for (size_t i = 0; i < command->nr; i++)
		add(&call, command->items[i]);
	for (size_t i = 0; i < includes->nr; i++)
		add(&call, includes->items[i]);
	add(&call, "-E");
	add(&call, "-P");
	add(&call, "-xc");
	add(&call, "mpi.c");
	add(&call, "-o");
	add(&call, "mpi.i");
	done = write_text(source, include, strlen(include)) &&
	       ended_well(start(call.items[0], &call, work, true)) && input_text(out, text);
	free(source);
	free(out);
	free(call.items);
	return done;
}

/* The archive in FOLDER, NULL: it cannot be made there. */
static char *
make_archive(const char *text, const char *folder, const char *work, const char *parts,
	     const struct arguments *includes, bool centres)
{
	char *archive = xasprintf("%s/cgview_mpi.a", folder), *made;
	struct header h = {.types = STRBUF_INIT};

	if (access(archive, R_OK) == 0)
		return archive;
	read_header(&h, text);
	if (!h.nr) {
		complain("mpi: no prototype of mpi.h is understood: time in MPI stays its "
			 "callers'");
		return NULL;
	}
	complain("compiling wrappers of %zu MPI functions, once for this mpi.h", h.nr);
	made = xasprintf("%s/cgview_mpi.a", work);
	if ((mkdir(folder, 0700) && errno != EEXIST) ||
	    !write_units(&h, work, xasprintf("%s/cgview_mpi.c", folder)) ||
	    !compile(&h, work, parts, includes, centres) || rename(made, archive)) {
		complain("mpi: the wrappers of MPI functions cannot be compiled in %s: time in MPI "
			 "stays its callers'", folder);
		return NULL;
	}
	return archive;
}

static void
remove_folder(const char *path)
{
	struct arguments call = {0};

	add(&call, "rm");
	add(&call, "-rf");
	add(&call, path);
	ended_well(start(call.items[0], &call, "/", false));
	free(call.items);
}

char *
mpi_wrappers(const struct arguments *command, const struct arguments *args, const char *parts,
	     bool centres)
{
	char *cache = cache_path(), *base = cache ? xasprintf("%s/mpi", cache) : NULL, *work;
	char *archive = NULL, *folder;
	struct arguments includes = {0};
	struct strbuf text = STRBUF_INIT;
	uint64_t key;

	free(cache);
	if (!base || !cache_make_directory(base)) {
		complain("mpi: no cache for wrappers of MPI functions can be written (%s): time in "
			 "MPI stays its callers'", base ? base : "HOME is not set");
		return NULL;
	}
	work = xasprintf("%s/work-XXXXXX", base);
	if (!mkdtemp(work)) {
		complain("mpi: cannot make %s: %s", work, strerror(errno));
		return NULL;
	}
	find_includes(&includes, args);
	if (preprocess(&text, command, &includes, work)) {
		key = hash_text(hash_text(HASH_START, text.buf), plugin_key());
		folder = xasprintf("%s/%016llx%s", base, (unsigned long long)key,
				   centres ? "-centres" : "");
		archive = make_archive(text.buf, folder, work, parts, &includes, centres);
	} else {
		complain("mpi: mpi.h is not found: link with mpicc (OMPI_CC=cgcc, MPICH_CC=cgcc), "
			 "or name its folder with -I; time in MPI stays its callers'");
	}
	remove_folder(work);
	strbuf_release(&text);
	return archive;
}

bool
mpi_is_library(const char *arg)
{
	const char *slash = strrchr(arg, '/'), *name = slash ? slash + 1 : arg;

	return !strncmp(arg, "-lmpi", 5) || (arg[0] != '-' && !strncmp(name, "libmpi", 6));
}
