/* Pools (alloc=GLOB, free=GLOB, pool=GLOB): procedures that give out parts of larger blocks. Behind
 * each call of one the runtime is told what it returned and how many bytes were asked for, by a
 * call at the very place: by the address that this returns to the runtime knows the call, as it
 * knows those of malloc(). Before each call of what gives back it is told what that is given, and
 * behind each of what makes a pool in another one, or moves it there, which these are.
 *
 * What a pool's own procedures want of each other is not counted: that is their caller's. */
#include "plugin.h"

#include <fnmatch.h>

/* See runtime/space.c. They return nothing. */
enum hook { COUNTED, MADE, GONE, CUT, HELD, NR_HOOKS };
static const struct {
	const char *name, *arguments; /* p: a pointer, n: a number */
} hook_rows[NR_HOOKS] = {
	{"__cgview_pool_counted", "pn"}, {"__cgview_pool_made", "pnpp"},
	{"__cgview_pool_gone", "p"},	 {"__cgview_pool_cut", "pp"},
	{"__cgview_pool_held", "ppn"},
};
static GTY(()) tree hooks[NR_HOOKS];
static struct ggc_root_tab roots[] = {
	{hooks, NR_HOOKS, sizeof(hooks[0]), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
	LAST_GGC_ROOT_TAB,
};

void
pools_register(const char *plugin)
{
	register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, NULL, roots);
}

bool
pools_read_option(vec<pool_option> *options, const char *text)
{
	struct pool_option o = {xstrdup(text), text, {0, 0}, PATTERN_UNKNOWN};
	char *colon;

	/* The last one is the pattern's, if a number does not follow. */
	for (int i = 0; i < 2 && (colon = strrchr(o.glob, ':')); i++) {
		char *end;
		long number = strtol(colon + 1, &end, 10);

		if (!ISDIGIT(colon[1]) || *end || number < 1 || number > 255)
			break;
		*colon = '\0';
		o.arguments[1] = o.arguments[0];
		o.arguments[0] = (int)number;
	}
	options->safe_push(o);
	return *o.glob != '\0';
}

/* Returns the option that names DECL; NULL: none does. */
static struct pool_option *
option_of(tree decl, vec<pool_option> *all)
{
	for (unsigned i = 0; decl && DECL_NAME(decl) && i < all->length(); i++)
		if (!fnmatch((*all)[i].glob, IDENTIFIER_POINTER(DECL_NAME(decl)), 0))
			return &(*all)[i];
	return NULL;
}

bool
pools_is_alloc(tree decl)
{
	return option_of(decl, &options.allocs) && !is_allocator(decl);
}

static bool
is_free(tree decl)
{
	return option_of(decl, &options.frees) && !is_disposer(decl) && !is_allocator(decl);
}

/* Does CALL make a pool in another one, for the procedure that is compiled? */
static bool
makes_pool(gcall *call)
{
	return option_of(gimple_call_fndecl(call), &options.pools) &&
	       !option_of(cfun->decl, &options.pools) &&
	       !(gimple_call_flags(call) & ECF_NORETURN);
}

bool
pools_counts(gcall *call)
{
	tree to = gimple_call_fndecl(call);

	return to && pools_is_alloc(to) && !pools_is_alloc(cfun->decl) &&
	       !(gimple_call_flags(call) & ECF_NORETURN);
}

bool
pools_concern(gcall *call)
{
	tree to = gimple_call_fndecl(call);

	return to && (pools_counts(call) || is_free(to) || makes_pool(call));
}

bool
pools_is_hook(tree decl)
{
	for (int i = 0; i < NR_HOOKS; i++)
		if (!strcmp(linkage_name(decl), hook_rows[i].name))
			return true;
	return false;
}

/* ---- which argument ---- */

/* Of what returns objects of one type their size, by the procedure's number: with -flto the type is
 * forgotten by the time that counts. */
static hash_map<int_hash<unsigned, 0>, unsigned HOST_WIDE_INT> *sizes;

void
pools_note_size(gcall *call)
{
	tree to = gimple_call_fndecl(call), type, size;

	if (!to || !pools_is_alloc(to))
		return;
	type = gimple_call_return_type(call); /* the compiler's own calls have none */
	if (!POINTER_TYPE_P(type))
		return;
	type = TREE_TYPE(type);
	size = COMPLETE_TYPE_P(type) && !VOID_TYPE_P(type) ? TYPE_SIZE_UNIT(type) : NULL_TREE;
	if (!size || !tree_fits_uhwi_p(size))
		return;
	if (!sizes)
		sizes = new hash_map<int_hash<unsigned, 0>, unsigned HOST_WIDE_INT>;
	sizes->put(DECL_UID(to) + 1, tree_to_uhwi(size));
}

static tree
argument(gcall *call, int number)
{
	return number > 0 && (unsigned)number <= gimple_call_num_args(call)
		       ? gimple_call_arg(call, number - 1) : NULL_TREE;
}

static bool
is_integer(tree value)
{
	return value && INTEGRAL_TYPE_P(TREE_TYPE(value)) &&
	       TREE_CODE(TREE_TYPE(value)) != BOOLEAN_TYPE;
}

/* Finds the numbers of the arguments that tell the size, and how often: those that were named, else
 * those of the attribute alloc_size, else the only one that is a number. */
static void
find_size(gcall *call, const struct pool_option *o, int numbers[2])
{
	tree attribute = lookup_attribute("alloc_size", TYPE_ATTRIBUTES(gimple_call_fntype(call)));
	int nr = 0;

	numbers[0] = o->arguments[0];
	numbers[1] = o->arguments[1];
	if (numbers[0])
		return;
	if (attribute) {
		tree args = TREE_VALUE(attribute);

		for (int i = 0; i < 2 && args; i++, args = TREE_CHAIN(args))
			numbers[i] = (int)TREE_INT_CST_LOW(TREE_VALUE(args));
		return;
	}
	for (unsigned i = 1; i <= gimple_call_num_args(call); i++)
		if (is_integer(argument(call, (int)i)) && ++nr == 1)
			numbers[0] = (int)i;
	if (nr != 1)
		numbers[0] = 0;
}

bool
pools_is_given_size(gcall *call)
{
	int numbers[2];
	tree size;

	find_size(call, option_of(gimple_call_fndecl(call), &options.allocs), numbers);
	size = argument(call, numbers[0]);
	return size && !is_gimple_min_invariant(size);
}

/* Returns the number of the first argument that is a pointer, but for OTHER; 0: there is none. */
static int
first_pointer(gcall *call, int other)
{
	for (int i = 1; i <= (int)gimple_call_num_args(call); i++)
		if (i != other && POINTER_TYPE_P(TREE_TYPE(argument(call, i))))
			return i;
	return 0;
}

/* Returns NUMBER, of an argument that O names; 0: CALL has no pointer there. */
static int
named_pointer(gcall *call, const struct pool_option *o, int number)
{
	tree value = argument(call, o->arguments[number]);

	return value && POINTER_TYPE_P(TREE_TYPE(value)) ? o->arguments[number] : 0;
}

/* Returns the number of the argument that is given back; 0: there is none. */
static int
given_back(gcall *call)
{
	const struct pool_option *o = option_of(gimple_call_fndecl(call), &options.frees);

	return o->arguments[0] ? named_pointer(call, o, 0) : first_pointer(call, 0);
}

/* Something was made of O, if it was GOT. */
static bool
note_use(struct pool_option *o, bool got)
{
	if (o->use < (got ? PATTERN_USED : PATTERN_NO_ARGUMENT))
		o->use = got ? PATTERN_USED : PATTERN_NO_ARGUMENT;
	return got;
}

/* ---- what the runtime is told ---- */

/* They neither throw nor call back. Weak, as a program may be linked without the runtime. */
static tree
hook(enum hook which)
{
	const char *arguments = hook_rows[which].arguments;
	tree types[4];
	int nr;

	if (hooks[which])
		return hooks[which];
	for (nr = 0; arguments[nr]; nr++)
		types[nr] = arguments[nr] == 'p' ? ptr_type_node : size_type_node;
	hooks[which] = build_fn_decl(hook_rows[which].name,
				     build_function_type_array(void_type_node, nr, types));
	declare_weak(hooks[which]);
	TREE_NOTHROW(hooks[which]) = 1;
	DECL_ATTRIBUTES(hooks[which]) = tree_cons(get_identifier("leaf"), NULL_TREE,
						  DECL_ATTRIBUTES(hooks[which]));
	return hooks[which];
}

/* Returns VALUE as TYPE, an operand of what is inserted behind CALL. */
static tree
operand(gcall *call, tree value, tree type)
{
	gimple_stmt_iterator i = gsi_for_stmt(call);

	return force_gimple_operand_gsi(&i, fold_convert_loc(gimple_location(call), type,
							     unshare_expr(value)),
					true, NULL_TREE, true, GSI_SAME_STMT);
}

static tree
operand_pointer(gcall *call, int number)
{
	tree value = argument(call, number);

	return value && POINTER_TYPE_P(TREE_TYPE(value)) ? operand(call, value, ptr_type_node)
							 : null_pointer_node;
}

/* Returns how many bytes CALL asks for. What returns objects of one type wants no number. */
static tree
bytes_asked(gcall *call)
{
	tree to = gimple_call_fndecl(call), size, times;
	const unsigned HOST_WIDE_INT *of_object = sizes ? sizes->get(DECL_UID(to) + 1) : NULL;
	int numbers[2];

	find_size(call, option_of(to, &options.allocs), numbers);
	size = argument(call, numbers[0]);
	times = argument(call, numbers[1]);
	if (is_integer(size) && (!numbers[1] || is_integer(times))) {
		size = operand(call, size, size_type_node);
		return !times ? size
			      : operand(call, build2(MULT_EXPR, size_type_node, size,
						     operand(call, times, size_type_node)),
					size_type_node);
	}
	if (!numbers[0] && of_object)
		return build_int_cstu(size_type_node, *of_object);
	warning_at(gimple_location(call), 0, "cgview: alloc=: which argument of %qD is the size? "
		   "It counts as none (%<alloc=%D:NUMBER%>)", to, to);
	return size_zero_node;
}

/* Returns what CALL returned, as a pointer; one that is none, of what returns none. */
static tree
block_returned(gcall *call)
{
	tree type = gimple_call_return_type(call);

	if (!POINTER_TYPE_P(type))
		return build_int_cst(ptr_type_node, 1);
	if (!gimple_call_lhs(call)) {
		gimple_call_set_lhs(call, make_ssa_name(type, call));
		update_stmt(call);
	}
	return gimple_call_lhs(call);
}

/* Behind CALL, which may end its block. */
static void
insert_behind(gcall *call, gimple *stmt)
{
	gimple_stmt_iterator i = gsi_for_stmt(call);
	edge on = stmt_ends_bb_p(call) ? find_fallthru_edge(gimple_bb(call)->succs) : NULL;

	if (!stmt_ends_bb_p(call))
		gsi_insert_after(&i, stmt, GSI_SAME_STMT);
	else if (on)
		gsi_insert_on_edge_immediate(on, stmt);
}

static void
tell_made(gcall *call, int old)
{
	struct pool_option *o = option_of(gimple_call_fndecl(call), &options.allocs);
	bool remembered = options.frees.length() && POINTER_TYPE_P(gimple_call_return_type(call));
	tree size = bytes_asked(call), pool = NULL_TREE, before = NULL_TREE, block;
	gcall *tell;

	note_use(o, !o->arguments[0] || argument(call, o->arguments[0]));
	if (remembered) {
		pool = operand_pointer(call, first_pointer(call, old));
		before = operand_pointer(call, old);
	}
	block = block_returned(call);
	if (!is_gimple_val(block))
		return;
	tell = remembered ? gimple_build_call(hook(MADE), 4, block, size, pool, before)
			  : gimple_build_call(hook(COUNTED), 2, block, size);
	gimple_set_location(tell, gimple_location(call));
	insert_behind(call, tell);
}

/* Returns the pool that CALL, which O names, has made: what it returned, or what its argument leads
 * to afterwards, by *LOAD. NULL: there is none. */
static tree
pool_made(gcall *call, const struct pool_option *o, gimple **load)
{
	tree from, pool;

	*load = NULL;
	if (!o->arguments[1])
		return POINTER_TYPE_P(gimple_call_return_type(call)) ? block_returned(call)
								     : NULL_TREE;
	if (!named_pointer(call, o, 1))
		return NULL_TREE;
	from = operand_pointer(call, o->arguments[1]);
	pool = make_ssa_name(ptr_type_node);
	/* Of any type: as one of characters. */
	*load = gimple_build_assign(
		pool, build2(MEM_REF, ptr_type_node, from,
			     build_int_cst(build_pointer_type(char_type_node), 0)));
	gimple_set_location(*load, gimple_location(call));
	return pool;
}

/* IS_BLOCK: CALL wants a block of a pool as well, which is this one. */
static void
tell_pool(gcall *call, bool is_block)
{
	struct pool_option *o = option_of(gimple_call_fndecl(call), &options.pools);
	int parent = o->arguments[0] ? named_pointer(call, o, 0)
				     : first_pointer(call, o->arguments[1]);
	tree of, pool = NULL_TREE;
	gimple *load = NULL;
	gcall *tell;

	if (parent)
		pool = pool_made(call, o, &load);
	if (!note_use(o, pool && is_gimple_val(pool)))
		return;
	of = operand_pointer(call, parent);
	tell = gimple_build_call(hook(HELD), 3, pool, of, size_int(is_block));
	gimple_set_location(tell, gimple_location(call));
	insert_behind(call, tell);
	if (load)
		insert_behind(call, load);
}

static void
tell_gone(gcall *call)
{
	struct pool_option *o = option_of(gimple_call_fndecl(call), &options.frees);
	int back = given_back(call), of = named_pointer(call, o, 1);
	gimple_stmt_iterator i;
	tree pointer, pool;
	gcall *tell;

	if (!note_use(o, back && (of || !o->arguments[1])))
		return;
	pointer = operand_pointer(call, back);
	pool = operand_pointer(call, of);
	tell = of ? gimple_build_call(hook(CUT), 2, pointer, pool)
		  : gimple_build_call(hook(GONE), 1, pointer);
	gimple_set_location(tell, gimple_location(call));
	i = gsi_for_stmt(call);
	gsi_insert_before(&i, tell, GSI_SAME_STMT);
}

/* What is inserted last stands directly behind the call. */
void
pools_insert(gcall *call)
{
	tree to = gimple_call_fndecl(call);
	bool gives_back = is_free(to);

	if (makes_pool(call))
		tell_pool(call, pools_counts(call));
	if (pools_counts(call)) {
		if (gives_back)
			note_use(option_of(to, &options.frees), given_back(call));
		tell_made(call, gives_back ? given_back(call) : 0);
	} else if (gives_back) {
		tell_gone(call);
	}
}

/* ---- what the options did ---- */

static void
put_pattern(vec<unsigned char> *out, const char *flag, const char *text, enum pattern_use use)
{
	char *whole = xasprintf("%s=%s", flag, text);

	put_string(out, whole);
	put(out, use);
	free(whole);
}

unsigned
pools_nr_patterns(void)
{
	return options.wrappers.length() + options.no_wrappers.length() +
	       options.allocs.length() + options.frees.length() + options.pools.length();
}

void
pools_put_patterns(vec<unsigned char> *out)
{
	const struct {
		const char *flag;
		const vec<char *> *globs;
		const vec<enum pattern_use> *uses;
	} named[] = {
		{"wrapper", &options.wrappers, &options.wrapper_uses},
		{"no-wrapper", &options.no_wrappers, &options.no_wrapper_uses},
	};
	const struct {
		const char *flag;
		const vec<pool_option> *all;
	} lists[] = {
		{"alloc", &options.allocs}, {"free", &options.frees}, {"pool", &options.pools},
	};

	for (unsigned i = 0; i < ARRAY_SIZE(named); i++)
		for (unsigned k = 0; k < named[i].globs->length(); k++)
			put_pattern(out, named[i].flag, (*named[i].globs)[k],
				    (*named[i].uses)[k]);
	for (unsigned i = 0; i < ARRAY_SIZE(lists); i++)
		for (unsigned k = 0; k < lists[i].all->length(); k++) {
			const struct pool_option *o = &(*lists[i].all)[k];

			put_pattern(out, lists[i].flag, o->text, o->use);
		}
}
