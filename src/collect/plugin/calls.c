/* Before counting: the control flow as it is written, and calls that cannot vanish.
 *
 * Calls: which may be trusted to come back, and that none may vanish.
 *
 * A call of a const or pure procedure is dropped or merged by the optimisers; its body and its
 * counts would be missed. So the attributes are cleared, on the procedure and on the type of the
 * call, for all that is not the compiler's own.
 *
 * Operands: when it optimises, the front end makes one comparison of `c >= '0' && c <= '9'`. Each
 * operand has a count of its own here, so the body is parsed as without optimisation; what the
 * front end does not fold the optimisers do later. Nor does it evaluate calls of constexpr
 * procedures then, where a constant need not be: they are calls at every level.
 *
 * Control flow: when it optimises, GCC drops empty blocks (a break, a goto, a label on a line of
 * their own) as soon as it builds the CFG. They cost no counter and tell the programmer
 * something, so the CFG is built as without optimisation.
 */
#include "plugin.h"

#include "cxx_api.h"

static const pass_data calls_data = {
	GIMPLE_PASS, "cgview_calls", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0,
};

static const pass_data cfg_data = {
	GIMPLE_PASS, "cgview_cfg", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0,
};
static int optimize_before;

static auto_vec<location_t> parsing; /* what begins, within what: the names' places */
static int optimize_outside, inline_outside;
static bool inlines_nothing; /* flag_no_inline is ours */

static void
inline_nothing(void)
{
	if (!inlines_nothing)
		inline_outside = flag_no_inline;
	inlines_nothing = true;
	flag_no_inline = 1;
}

/* Of what is wrong the front end may tell that it is none. */
void
calls_parse_begins(void *gcc_data, void *)
{
	if (!gcc_data || TREE_CODE((tree)gcc_data) != FUNCTION_DECL)
		return;
	parsing.safe_push(DECL_SOURCE_LOCATION((tree)gcc_data));
	if (parsing.length() == 1)
		optimize_outside = optimize;
	inline_nothing();
	optimize = 0;
}

/* The body is read; what the front end still adds to it is that of the level, such as what is to
 * be behind the end of a procedure that does not return a value. */
void
calls_body_parsed(void)
{
	if (!parsing.is_empty())
		optimize = optimize_outside;
}

/* Nobody tells where C++ begins with an instance of a template, most of them when all is read: in
 * between nothing is inlined there either. */
static void
parsed_procedure(void)
{
	parsing.truncate(0);
	optimize = optimize_outside;
	if (!cxx_is_front_end()) {
		flag_no_inline = inline_outside;
		inlines_nothing = false;
	}
}

static void
parsed_all(void)
{
	if (!parsing.is_empty())
		parsed_procedure();
	if (inlines_nothing)
		flag_no_inline = inline_outside;
	inlines_nothing = false;
}

/* The compiler tells the end of some procedures whose begin it does not tell: lambdas, methods,
 * instances of templates. One that was declared before has another declaration at its end than at
 * its begin. */
void
calls_parse_ends(void *gcc_data, void *)
{
	if (parsing.is_empty() || !gcc_data || !DECL_P((tree)gcc_data))
		return;
	if (parsing.last() == DECL_SOURCE_LOCATION((tree)gcc_data))
		parsing.pop();
	if (parsing.is_empty())
		parsed_procedure();
	else
		optimize = 0;
}

/* The front end works out what the attribute `optimize`, and the pragma that gives it to all, ask
 * for where the procedure begins: when calls_parse_begins() has been told. So they have its
 * flag_no_inline, with which nothing is inlined. Whoever asks for that himself has said so. */
static void
let_inline_again(tree decl)
{
	if (!DECL_FUNCTION_SPECIFIC_OPTIMIZATION(decl) || !optimize || !flag_no_inline ||
	    global_options_set.x_flag_no_inline)
		return;
	flag_no_inline = 0;
	DECL_FUNCTION_SPECIFIC_OPTIMIZATION(decl) =
		build_optimization_node(&global_options, &global_options_set);
	optimization_current_node = DECL_FUNCTION_SPECIFIC_OPTIMIZATION(decl);
}

class cfg_pass : public gimple_opt_pass
{
      public:
	cfg_pass(gcc::context *ctx) : gimple_opt_pass(cfg_data, ctx)
	{
	}
	unsigned int execute(function *fun) final override
	{
		if (symtab->state != PARSING)
			parsed_all();
		if (!in_lto_p)
			let_inline_again(fun->decl);
		optimize_before = optimize;
		if (!in_lto_p)
			optimize = 0;
		return 0;
	}
};

opt_pass *
make_cfg_pass(gcc::context *ctx)
{
	return new cfg_pass(ctx);
}

static bool
own_builtin(tree decl)
{
	return fndecl_built_in_p(decl);
}

static void
make_impure(tree decl)
{
	TREE_READONLY(decl) = 0;
	DECL_PURE_P(decl) = 0;
	DECL_LOOPING_CONST_OR_PURE_P(decl) = 0;
}

/* What libc's headers call for errno and the tables of ctype: no program has procedures of such
 * names, so nobody counts their entries, and the compiler may take one call for several, or out of
 * a loop, as it does without us. (A tolower() in a loop is twice as slow otherwise.) */
static bool
is_internal_of_library(tree decl)
{
	tree name = DECL_NAME(decl);

	return name && DECL_EXTERNAL(decl) && DECL_IN_SYSTEM_HEADER(decl) && TREE_READONLY(decl) &&
	       !strncmp(IDENTIFIER_POINTER(name), "__", 2);
}

static void
treat_call(gcall *call)
{
	tree decl = gimple_call_fndecl(call), type = gimple_call_fntype(call);

	if (gimple_call_internal_p(call))
		return;
	if (decl && (own_builtin(decl) || is_internal_of_library(decl)))
		return;
	if (decl)
		make_impure(decl);
	if (type && TYPE_MAIN_VARIANT(type) != type)
		gimple_call_set_fntype(call, TYPE_MAIN_VARIANT(type));
}

class calls_pass : public gimple_opt_pass
{
      public:
	calls_pass(gcc::context *ctx) : gimple_opt_pass(calls_data, ctx)
	{
	}
	unsigned int execute(function *fun) final override
	{
		basic_block bb;

		if (in_lto_p)
			return 0;
		optimize = optimize_before;
		names_note(fun->decl);
		make_impure(fun->decl);
		conditional_note_variables(fun);
		coroutine_note(fun);
		FOR_EACH_BB_FN(bb, fun)
			for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i);
			     gsi_next(&i)) {
				if (gasm *assembly = dyn_cast<gasm *>(gsi_stmt(i)))
					elide_note_asm(assembly);
				types_note_names(gsi_stmt(i));
				if (gcall *call = dyn_cast<gcall *>(gsi_stmt(i))) {
					treat_call(call);
					pools_note_size(call);
					centre_note_arguments(call);
				}
			}
		return 0;
	}
};

opt_pass *
make_calls_pass(gcc::context *ctx)
{
	return new calls_pass(ctx);
}

/* Library procedures that are declared nothrow and leaf but may not come back (exec), or come back
 * twice in effect (fork: parent and child each go on with counters of their own), or in which a
 * signal is delivered that they send or that waits, whose handler may jump away, or that wait
 * themselves. */
static bool
leaves_or_splits(tree decl)
{
	static const char *const names[] = {
		"execl", "execle", "execlp", "execv", "execve", "execveat", "execvp", "execvpe",
		"fexecve", "fork", "vfork", "_Fork", "forkpty", "daemon", "clone", "clone3",
		"raise", "gsignal", "kill", "killpg", "tgkill", "tkill", "sigqueue",
		"pthread_kill", "pthread_sigqueue", "pidfd_send_signal", "sigprocmask",
		"pthread_sigmask", "sigsetmask", "sigrelse", "longjmp", "_longjmp", "siglongjmp",
		"__longjmp_chk", "swapcontext", "setcontext", "pthread_exit", "syscall",
		"sigset", "feraiseexcept", "feupdateenv", "vhangup", "ptrace", "reboot", "ioctl",
		"tcsetattr", "tcsetpgrp", "tcflow", "tcflush", "tcsendbreak", "truncate",
		"truncate64", "ftruncate", "ftruncate64", "sendfile", "sendfile64", "flock",
		"semop", "semtimedop", "klogctl",
	};
	static hash_set<nofree_string_hash> *known;

	if (!known) {
		known = new hash_set<nofree_string_hash>;
		for (unsigned i = 0; i < ARRAY_SIZE(names); i++)
			known->add(names[i]);
	}
	return known->contains(linkage_name(decl));
}

/* A procedure of the program's own that has the name of a builtin or of the library is not known to
 * come back as that does. One that a system header defines stands for the library's. */
static bool
is_programs_own(tree decl)
{
	cgraph_node *node = cgraph_node::get(decl);

	return node && node->definition && !DECL_IN_SYSTEM_HEADER(decl);
}

/* Parallel regions and tasks run the program's code, and barriers, locks and loops wait for other
 * threads: one of them may end the program meanwhile. */
static bool
runs_or_waits(tree decl)
{
	const char *name = linkage_name(decl);

	return !strncmp(name, "GOMP_", 5) || !strncmp(name, "GOACC_", 6);
}

/* Library procedures say so in the system's headers. The attributes of the program's own procedures
 * only say that nothing comes back into this unit; they may end the program. */
static bool
is_leaf_of_library(tree decl, int flags)
{
	return decl && (flags & ECF_LEAF) && (flags & ECF_NOTHROW) && DECL_IN_SYSTEM_HEADER(decl) &&
	       !is_programs_own(decl);
}

/* The calls that -finstrument-functions adds stand at no place of the source. */
static bool
instruments(tree decl)
{
	return fndecl_built_in_p(decl, BUILT_IN_PROFILE_FUNC_ENTER) ||
	       fndecl_built_in_p(decl, BUILT_IN_PROFILE_FUNC_EXIT) ||
	       fndecl_built_in_p(decl, BUILT_IN_RETURN_ADDRESS);
}

bool
call_returns(gcall *call)
{
	int flags = gimple_call_flags(call);
	tree decl = gimple_call_fndecl(call);

	if (gimple_call_internal_p(call))
		return !(flags & ECF_NORETURN);
	if (flags & ECF_NORETURN)
		return false;
	if (decl && leaves_or_splits(decl))
		return false;
	if (flags & ECF_RETURNS_TWICE)
		return true; /* setjmp itself comes back; each return enters its block's end */
	if (decl && own_builtin(decl) && (is_programs_own(decl) || runs_or_waits(decl)))
		return false;
	if (decl && own_builtin(decl) && ((flags & ECF_NOTHROW) || instruments(decl)))
		return true;
	if ((flags & (ECF_CONST | ECF_PURE)) && !(flags & ECF_LOOPING_CONST_OR_PURE))
		return true;
	return is_leaf_of_library(decl, flags);
}

/* Does TEXT, of assembly, jump or enter the kernel, or change the stack? */
static bool
assembly_may_leave(const char *text)
{
	static const char *const words[] = {"call", "jmp", "ret", "sys", "int", "ud2", "hlt", "sp"};

	for (unsigned i = 0; i < ARRAY_SIZE(words); i++)
		if (strstr(text, words[i]))
			return true;
	return false;
}

bool
statement_may_leave(gimple *stmt)
{
	if (gasm *assembly = dyn_cast<gasm *>(stmt))
		return assembly_may_leave(gimple_asm_string(assembly));
	return !is_gimple_call(stmt) && !is_increment(stmt) && !operands_mark(stmt) &&
	       cfun->can_throw_non_call_exceptions && stmt_could_throw_p(cfun, stmt);
}
