/* cgview's GCC plugin: counts every block, notes every range, call site and procedure.
 *
 * Purpose   exact execution counts at any optimisation level, in terms of the source. The counters
 *           are placed before the inliner runs, so a copy that the optimiser makes shares its
 *           counters with the original (Waddell & Ashley 1999, section 4; Appel et al. 1988, 4).
 * Passes    PLUGIN_PRE_GENERICIZE  operands.c  ranges of expressions, marks in operands
 *           around "cfg"           calls.c     blocks as written; no call dropped as const or pure
 *           after "ssa"            count.c     counters outside of a maximum spanning tree, tables
 *                                  lines.c     lines, and what is one statement on them
 *                                  elements.c  loops over the elements of arrays
 *                                  coroutine.c what the compiler makes of a coroutine
 *                                  elide.c     entries that follow from the calls
 *                                  returns.c   which calls come back for certain
 *                                  tail.c      which calls may become jumps
 *                                  conditional.c  lines of ?: on several lines
 *                                  wrapper.c   procedures that hand on what malloc() returns
 *                                  pools.c     with -alloc: the runtime is told of blocks
 *                                  centre.c    with -centres: the current cost centre
 *           after all of them      tables.c    the unit's two sections
 *           after "profile_estimate" coalesce.c  after early inlining: fewer increments
 *           before "loop"          sums.c      innermost loops: the counter is a variable
 *                                  strips.c    for so many rounds at most
 *           after the early passes  joint.c     the table of the joint counters
 *           after "ehdisp"         lower.c     the same, for the thread sanitizer
 *           after "optimized"      coalesce.c  once more, after all inlining
 *           after "optimized"      targets.c   the common case of noting a target in line
 *           after "optimized"      lower.c     each increment becomes one instruction
 *           after "optimized"      tail.c      which calls may have become jumps
 *           before "bbro"          order.c     tests at the ends of loops
 *           before "shorten"       wrapper.c   marks behind their calls
 *           PLUGIN_FINISH_UNIT     module.c    how the runtime finds the counters
 * Options   -fplugin-arg-NAME-mode=tree|block, -counters=gs|plain|atomic, -exclude=GLOB, -centres,
 *           -joint=both|early|late|none (which stages of coalesce.c),
 *           -sums=none|bounded|all (in which loops), -targets=GLOB, -notargets,
 *           -wrapper=GLOB, -no-wrapper=GLOB, -alloc=GLOB[:N[:N]], -free=GLOB[:N[:N]],
 *           -pool=GLOB[:N[:N]],
 *           -disable, -verbose,
 *           -built=FOLDER: where plugins for other builds of this GCC are,
 *           -identity: tell for which this one is, and end
 * Debugging -fplugin-arg-NAME-verbose tells per procedure how many counters it got; compare
 *           mode=block with mode=tree: their counts must be equal.
 * Language  compiled as C++ because GCC's headers are; written in C style.
 */
#include "plugin.h"

#include <dlfcn.h>
#include <inttypes.h>

#include "plugin-version.h"

int plugin_is_GPL_compatible;
struct options options;

static int
option_value(const char *key, const char *value, const char *const *names)
{
	for (int i = 0; names[i]; i++)
		if (value && !strcmp(value, names[i]))
			return i;
	error("cgview: option %qs does not know %qs", key, value ? value : "");
	return -1;
}

/* Names all that must be equal in the compiler and the one that a plugin was built for; heap. */
static char *
identity(const struct plugin_gcc_version *v)
{
	const char *const rest[] = {v->devphase, v->revision, v->configuration_arguments};
	uint64_t sum = 0xcbf29ce484222325; /* FNV-1a */

	for (size_t i = 0; i < ARRAY_SIZE(rest); i++)
		for (const char *p = rest[i];; p++) {
			sum = (sum ^ (unsigned char)*p) * 0x100000001b3;
			if (!*p)
				break;
		}
	return xasprintf("%s-%s-%016" PRIx64, v->basever, v->datestamp, sum);
}

static bool
read_option(const struct plugin_argument *arg)
{
	static const char *const modes[] = {"tree", "block", NULL};
	static const char *const accesses[] = {"gs", "plain", "atomic", NULL};
	static const char *const sums[] = {"none", "bounded", "all", NULL};
	static const char *const stages[] = {"none", "early", "late", "both", NULL};
	int v = 0;

	if (!strcmp(arg->key, "mode")) {
		v = option_value(arg->key, arg->value, modes);
		options.mode = (enum count_mode)v;
	} else if (!strcmp(arg->key, "counters")) {
		v = option_value(arg->key, arg->value, accesses);
		options.access = (enum counter_access)v;
	} else if (!strcmp(arg->key, "exclude") && arg->value) {
		options.exclude.safe_push(xstrdup(arg->value));
	} else if (!strcmp(arg->key, "joint")) {
		v = option_value(arg->key, arg->value, stages);
		options.joint[JOINT_EARLY] = v & 1;
		options.joint[JOINT_LATE] = v & 2;
	} else if (!strcmp(arg->key, "sums")) {
		v = option_value(arg->key, arg->value, sums);
		options.sums = (enum sums_where)v;
	} else if (!strcmp(arg->key, "centres")) {
		options.centres = true;
	} else if (!strcmp(arg->key, "targets") && arg->value) {
		options.targets_of.safe_push(xstrdup(arg->value));
	} else if (!strcmp(arg->key, "wrapper") && arg->value) {
		options.wrappers.safe_push(xstrdup(arg->value));
		options.wrapper_uses.safe_push(PATTERN_UNKNOWN);
	} else if (!strcmp(arg->key, "no-wrapper") && arg->value) {
		options.no_wrappers.safe_push(xstrdup(arg->value));
		options.no_wrapper_uses.safe_push(PATTERN_UNKNOWN);
	} else if (!strcmp(arg->key, "alloc") && arg->value) {
		return pools_read_option(&options.allocs, arg->value);
	} else if (!strcmp(arg->key, "free") && arg->value) {
		return pools_read_option(&options.frees, arg->value);
	} else if (!strcmp(arg->key, "pool") && arg->value) {
		return pools_read_option(&options.pools, arg->value);
	} else if (!strcmp(arg->key, "notargets")) {
		options.targets = false;
	} else if (!strcmp(arg->key, "built")) {
		/* see hand_over() */
	} else if (!strcmp(arg->key, "identity")) {
		puts(identity(&gcc_version));
		exit(0);
	} else if (!strcmp(arg->key, "disable")) {
		options.disable = true;
	} else if (!strcmp(arg->key, "verbose")) {
		options.verbose = true;
	} else {
		error("cgview: unknown plugin option %qs", arg->key);
		return false;
	}
	return v >= 0;
}

static void
add_pass(const char *plugin, opt_pass *pass, const char *reference, enum pass_positioning_ops where)
{
	struct register_pass_info info = {pass, reference, 1, where};

	register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
}

/* Returns what differs between the compiler and the one that the plugin was built for. */
static const char *
difference(const struct plugin_gcc_version *compiler)
{
	if (strcmp(gcc_version.basever, compiler->basever))
		return "version";
	if (strcmp(gcc_version.datestamp, compiler->datestamp))
		return "date";
	if (strcmp(gcc_version.devphase, compiler->devphase) ||
	    strcmp(gcc_version.revision, compiler->revision))
		return "revision";
	return "configuration";
}

/* Has the plugin that was built for this compiler (cgcc --cgview-build-plugin), if there is one in
 * a folder that -built names, do all instead. Returns its status; -1: there is none. Its names are
 * its own, not ours. */
static int
hand_over(struct plugin_name_args *args, struct plugin_gcc_version *compiler)
{
	for (int i = 0; i < args->argc; i++) {
		const struct plugin_argument *arg = &args->argv[i];
		int (*init)(struct plugin_name_args *, struct plugin_gcc_version *);
		void *plugin;

		if (strcmp(arg->key, "built") || !arg->value)
			continue;
		plugin = dlopen(xasprintf("%s/%s.so", arg->value, identity(compiler)),
				RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
		init = plugin ? (decltype(init))dlsym(plugin, "plugin_init") : NULL;
		if (init)
			return init(args, compiler);
	}
	return -1;
}

/* GCC's structures may lie otherwise in a compiler that was built otherwise. */
static void ATTRIBUTE_NORETURN
refuse(const struct plugin_gcc_version *compiler)
{
	const char *called = getenv("COLLECT_GCC"); /* as the user called it */
	char *name = xstrdup(called ? called : xasprintf("gcc-%d", atoi(compiler->basever)));

	if (char *cxx = strstr(name, "g++"))
		memcpy(cxx, "gcc", 3);
	error("cgview: this plugin was built for GCC %s (%s), but the compiler is GCC %s (%s): the "
	      "%s differs; build one for it: %<cgcc --cgview-build-plugin %s%>",
	      gcc_version.basever, gcc_version.datestamp, compiler->basever, compiler->datestamp,
	      difference(compiler), name);
	exit(FATAL_EXIT_CODE); /* before GCC tells once more that it failed */
}

int
plugin_init(struct plugin_name_args *args, struct plugin_gcc_version *version)
{
	static struct plugin_info info = {"1", "cgview: counts every block, see cgcc(1)"};

	if (!plugin_default_version_check(version, &gcc_version)) {
		int status = hand_over(args, version);

		if (status < 0)
			refuse(version);
		return status;
	}
	options.sums = SUMS_BOUNDED;
	options.joint[JOINT_EARLY] = options.joint[JOINT_LATE] = true;
	/* Where nearly every call is virtual it is a larger part of the time. */
	options.targets = strncmp(lang_hooks.name, "GNU C++", 7) != 0;
	for (int i = 0; i < args->argc; i++)
		if (!read_option(&args->argv[i]))
			return 1;
	if (options.disable)
		return 0;
	register_callback(args->base_name, PLUGIN_INFO, NULL, &info);
	register_callback(args->base_name, PLUGIN_START_PARSE_FUNCTION, calls_parse_begins, NULL);
	register_callback(args->base_name, PLUGIN_FINISH_PARSE_FUNCTION, calls_parse_ends, NULL);
	register_callback(args->base_name, PLUGIN_FINISH_DECL, types_declared, NULL);
	register_callback(args->base_name, PLUGIN_FINISH_TYPE, types_class_declared, NULL);
	register_callback(args->base_name, PLUGIN_PRE_GENERICIZE, operands_scan, NULL);
	register_callback(args->base_name, PLUGIN_FINISH_UNIT, joint_finish, NULL);
	register_callback(args->base_name, PLUGIN_FINISH_UNIT, tail_finish, NULL);
	register_callback(args->base_name, PLUGIN_ALL_IPA_PASSES_START, module_begin, NULL);
	register_callback(args->base_name, PLUGIN_FINISH_UNIT, module_finish, NULL);
	targets_register(args->base_name);
	pools_register(args->base_name);
	joint_register(args->base_name);
	add_pass(args->base_name, make_cfg_pass(g), "cfg", PASS_POS_INSERT_BEFORE);
	add_pass(args->base_name, make_calls_pass(g), "cfg", PASS_POS_INSERT_AFTER);
	add_pass(args->base_name, make_count_pass(g), "ssa", PASS_POS_INSERT_AFTER);
	add_pass(args->base_name, make_unit_pass(g), "build_ssa_passes", PASS_POS_INSERT_AFTER);
	add_pass(args->base_name, make_early_coalesce_pass(g), "profile_estimate",
		 PASS_POS_INSERT_AFTER);
	add_pass(args->base_name, make_joint_pass(g), "opt_local_passes", PASS_POS_INSERT_AFTER);
	add_pass(args->base_name, make_early_lower_pass(g), "ehdisp", PASS_POS_INSERT_AFTER);
	add_pass(args->base_name, make_sums_pass(g), "loop", PASS_POS_INSERT_BEFORE);
	add_pass(args->base_name, make_tail_pass(g), "optimized", PASS_POS_INSERT_AFTER);
	add_pass(args->base_name, make_targets_pass(g), "optimized", PASS_POS_INSERT_AFTER);
	add_pass(args->base_name, make_lower_pass(g), "optimized", PASS_POS_INSERT_AFTER);
	add_pass(args->base_name, make_late_coalesce_pass(g), "optimized", PASS_POS_INSERT_AFTER);
	add_pass(args->base_name, make_bases_pass(g), "expand", PASS_POS_INSERT_AFTER);
	add_pass(args->base_name, make_address_pass(g), "expand", PASS_POS_INSERT_AFTER);
	add_pass(args->base_name, make_order_pass(g), "bbro", PASS_POS_INSERT_BEFORE);
	add_pass(args->base_name, make_ordered_pass(g), "bbro", PASS_POS_INSERT_AFTER);
	add_pass(args->base_name, make_wrapper_pass(g), "shorten", PASS_POS_INSERT_BEFORE);
	return 0;
}
