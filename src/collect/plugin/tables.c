/* The unit's two sections: counters, and the tables that tell what they mean (docs/formats.md). */
#include "plugin.h"

/* Section names carry their flags; the '#' turns what GCC adds into a comment of the assembler.
 * Counters take no room in the file; tables are not loaded when the program runs. */
static const char counter_section[] = "cgview_cnt,\"aw\",@nobits #";
#if HAVE_GAS_SHF_GNU_RETAIN
static const char table_section[] = "cgview_tab,\"R\",@progbits #"; /* --gc-sections keeps it */
#else
static const char table_section[] = "cgview_tab,\"\",@progbits #";
#endif
enum { MAGIC = 0x54564743, VERSION = 5, MAX_COUNTERS = 1 << 24 };
enum unit_flags {
	UNIT_BLOCKS = 1,
	UNIT_TARGETS = 2,
	UNIT_CENTRES = 4,
	UNIT_PATTERNS = 8,
	UNIT_HELD = 16,
	UNIT_BRANCHES = 32
};

static GTY(()) tree counters_decl;
static int nr_counters, nr_procedures, nr_left_out;
static bool emitted;

/* ---- a growing byte string, LEB128 ---- */

static vec<unsigned char> body, left_out; /* both are lists of procedures */

void
put(vec<unsigned char> *out, unsigned HOST_WIDE_INT n)
{
	do {
		unsigned char byte = n & 0x7f;

		n >>= 7;
		out->safe_push(n ? byte | 0x80 : byte);
	} while (n);
}

/* ---- interned texts: strings, files, types ---- */

struct interned {
	hash_map<nofree_string_hash, int> *index;
	vec<const char *> texts;
};
static struct interned strings, files, types;

static int
intern(struct interned *t, const char *text)
{
	bool existed;

	if (!t->index)
		t->index = new hash_map<nofree_string_hash, int>;
	if (int *known = t->index->get(text))
		return *known;
	text = xstrdup(text);
	t->index->get_or_insert(text, &existed) = (int)t->texts.length();
	t->texts.safe_push(text);
	return (int)t->texts.length() - 1;
}

void
put_string(vec<unsigned char> *out, const char *text)
{
	put(out, intern(&strings, text ? text : ""));
}

static void
put_file(vec<unsigned char> *out, const char *file)
{
	static const char *last; /* of the compiler's names, which stay where they are */
	static int number;

	if (!last || file != last) {
		number = intern(&files, file ? file : "");
		last = file;
	}
	put(out, number);
}

const char *
linkage_name(tree decl)
{
	const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl));

	return *name == '*' ? name + 1 : name;
}

/* ---- type signatures ---- */

/* What a pointer to TYPE points to, by its tag; nothing where any pointer fits, or it has none. */
static void
add_pointee(pretty_printer *pp, tree type)
{
	tree tag = TYPE_NAME(TYPE_MAIN_VARIANT(type)), name = tag ? tag : TYPE_NAME(type);

	name = name && TREE_CODE(name) == TYPE_DECL ? DECL_NAME(name) : name;
	if (POINTER_TYPE_P(type)) {
		pp_character(pp, '*');
		add_pointee(pp, TREE_TYPE(type));
	} else if (FUNC_OR_METHOD_TYPE_P(type)) {
		pp_string(pp, "()");
	} else if (RECORD_OR_UNION_TYPE_P(type) && name) {
		for (const char *s = IDENTIFIER_POINTER(name); *s; s++)
			pp_character(pp, *s == '{' || *s == '}' ? '_' : *s);
	} else if (INTEGRAL_TYPE_P(type) || TREE_CODE(type) == REAL_TYPE) {
		pp_printf(pp, "%c%d", INTEGRAL_TYPE_P(type) ? 'i' : 'f',
			  (int)int_size_in_bytes(type));
	}
}

static void
add_class(pretty_printer *pp, tree type)
{
	static const struct {
		enum tree_code code;
		char letter;
	} kinds[] = {
		{INTEGER_TYPE, 'i'}, {ENUMERAL_TYPE, 'i'}, {BOOLEAN_TYPE, 'i'},
		{REAL_TYPE, 'f'},    {COMPLEX_TYPE, 'c'},  {RECORD_TYPE, 'S'},
		{UNION_TYPE, 'S'},   {ARRAY_TYPE, 'S'},	   {VECTOR_TYPE, 'V'},
	};

	if (VOID_TYPE_P(type)) {
		pp_character(pp, 'v');
		return;
	}
	if (POINTER_TYPE_P(type) || TREE_CODE(type) == NULLPTR_TYPE || TREE_ADDRESSABLE(type)) {
		pp_character(pp, 'p');
		if (!POINTER_TYPE_P(type) || VOID_TYPE_P(TREE_TYPE(type)))
			return;
		pp_character(pp, '{');
		add_pointee(pp, TREE_TYPE(type));
		pp_character(pp, '}');
		return;
	}
	for (unsigned i = 0; i < ARRAY_SIZE(kinds); i++)
		if (TREE_CODE(type) == kinds[i].code) {
			pp_character(pp, kinds[i].letter);
			pp_printf(pp, "%d", (int)int_size_in_bytes(type));
			return;
		}
	pp_character(pp, '?');
}

/* The object of a method is of the class that declares it, or of one that inherits it. */
static void
add_parameter(pretty_printer *pp, tree type, bool first, bool method)
{
	if (!first)
		pp_character(pp, ',');
	if (first && method)
		pp_character(pp, 'p');
	else
		add_class(pp, type);
}

char *
type_signature(tree type)
{
	pretty_printer pp;
	tree arg;
	bool first = true, open = true;

	add_class(&pp, TREE_TYPE(type));
	pp_character(&pp, '(');
	for (arg = TYPE_ARG_TYPES(type); arg; arg = TREE_CHAIN(arg)) {
		if (arg == void_list_node || VOID_TYPE_P(TREE_VALUE(arg))) {
			open = false;
			break;
		}
		add_parameter(&pp, TREE_VALUE(arg), first, TREE_CODE(type) == METHOD_TYPE);
		first = false;
	}
	if (open)
		pp_string(&pp, first ? "*" : ",*");
	pp_character(&pp, ')');
	return xstrdup(pp_formatted_text(&pp));
}

static int
type_index(tree type)
{
	char *signature;
	int index;

	if (!type || !FUNC_OR_METHOD_TYPE_P(type))
		return 0;
	signature = type_signature(type);
	index = intern(&types, signature) + 1;
	free(signature);
	return index;
}

/* ---- procedures ---- */

static void
put_place(vec<unsigned char> *out, const struct place *p)
{
	put_file(out, p->file);
	put(out, p->line);
	put(out, p->column);
	put(out, p->end_line);
	put(out, p->end_column);
}

static unsigned
procedure_flags(tree decl)
{
	tree type = TREE_TYPE(decl);

	return (TREE_PUBLIC(decl) ? 0 : 1) | (DECL_COMDAT(decl) || DECL_WEAK(decl) ? 2 : 0) |
	       (MAIN_NAME_P(DECL_NAME(decl)) && TREE_PUBLIC(decl) ? 4 : 0) |
	       (stdarg_p(type) ? 8 : 0) | (DECL_ARTIFICIAL(decl) ? 16 : 0);
}

/* Lines and ranges stand in the order of blocks: how many of them, from NEXT on, belong to BLOCK.
 */
template <typename T>
static unsigned
run_length(const vec<T> *all, unsigned next, int block)
{
	unsigned n = 0;

	while (next + n < all->length() && (*all)[next + n].block == block)
		n++;
	return n;
}

static void
put_blocks(struct procedure *p)
{
	unsigned line = 0, range = 0, n;

	put(&body, p->nr_blocks);
	for (int b = 0; b < p->nr_blocks; b++) {
		put(&body, p->block_counter[b] + 1);
		n = run_length(&p->lines, line, b);
		put(&body, n);
		for (; n; n--, line++) {
			put_file(&body, p->lines[line].file);
			put(&body, p->lines[line].line);
			put(&body, p->lines[line].group);
		}
		n = run_length(&p->ranges, range, b);
		put(&body, n);
		for (; n; n--, range++) {
			put(&body, p->ranges[range].kind);
			put_place(&body, &p->ranges[range].place);
		}
	}
}

static void
put_sites(struct procedure *p)
{
	put(&body, p->sites.length());
	for (unsigned i = 0; i < p->sites.length(); i++) {
		struct site *s = p->sites[i];

		put(&body, s->block);
		put(&body, s->indirect);
		put(&body, s->flags);
		if (s->indirect)
			put(&body, type_index(s->type));
		else
			put_string(&body, s->callee);
		put_place(&body, &s->place);
		put(&body, s->passed.length());
		for (unsigned j = 0; j < s->passed.length(); j++)
			put_string(&body, s->passed[j]);
		if (s->flags & SITE_READS) {
			put(&body, s->reads.length());
			for (unsigned j = 0; j < s->reads.length(); j++)
				put_string(&body, s->reads[j]);
		}
		if (s->flags & SITE_MAKES)
			put_string(&body, s->made);
		if (s->flags & SITE_HELD)
			put(&body, s->held);
		if (targets_wanted_any())
			put(&body, s->words + 1);
	}
}

/* Their edges by way. A condition has two ways, and what they lead to is not told. */
static void
put_branches(struct procedure *p)
{
	put(&body, p->branches.length());
	for (unsigned i = 0; i < p->branches.length(); i++) {
		struct branch *b = p->branches[i];

		put(&body, b->kind);
		put(&body, b->number);
		put_place(&body, &b->place);
		put(&body, b->edges.length());
		for (unsigned k = 0; k < b->edges.length(); k++) {
			put(&body, b->edges[k].way);
			put(&body, b->edges[k].number);
			if (b->kind != BRANCH_SWITCH)
				continue;
			put(&body, b->edges[k].line);
			put(&body, b->edges[k].column);
		}
	}
}

bool
is_deleting(tree decl)
{
	const char *end = DECL_CXX_DESTRUCTOR_P(decl) ? strstr(linkage_name(decl), "D0Ev") : NULL;

	return end && !end[4];
}

void
tables_add(struct procedure *p)
{
	nr_procedures++;
	put_string(&body, names_of(p->decl));
	put_string(&body, linkage_name(p->decl));
	put(&body, procedure_flags(p->decl) | (p->follows ? 32 : 0) |
			   (is_wrapper(p->decl) ? 64 : 0));
	put(&body, type_index(TREE_TYPE(p->decl)));
	put_place(&body, &p->place);
	put(&body, p->first_counter);
	put(&body, p->nr_counters);
	put_blocks(p);
	put(&body, p->edges.length());
	for (unsigned i = 0; i < p->edges.length(); i++) {
		put(&body, p->edges[i].from);
		put(&body, p->edges[i].to);
		put(&body, p->edges[i].counter + 1);
	}
	put_sites(p);
	put_branches(p);
}

void
tables_leave_out(tree decl, enum left_out_reason reason)
{
	expanded_location at = expand_location(DECL_SOURCE_LOCATION(decl));

	nr_left_out++;
	put_string(&left_out, names_of(decl));
	put_string(&left_out, linkage_name(decl));
	put(&left_out, reason);
	put_file(&left_out, at.file);
	put(&left_out, at.line > 0 ? at.line : 0);
}

/* ---- counters ---- */

static tree
make_variable(const char *name, tree type, const char *section)
{
	tree decl = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name), type);

	TREE_STATIC(decl) = 1;
	TREE_PUBLIC(decl) = 0;
	DECL_ARTIFICIAL(decl) = 1;
	DECL_IGNORED_P(decl) = 1;
	TREE_USED(decl) = 1;
	TREE_ADDRESSABLE(decl) = 1;
	DECL_PRESERVE_P(decl) = 1;
	DECL_EXTERNAL(decl) = 0;
	SET_DECL_ALIGN(decl, 64);
	DECL_USER_ALIGN(decl) = 1;
	set_decl_section_name(decl, section);
	return decl;
}

static tree
counter_array(int nr)
{
	return build_array_type_nelts(build_nonstandard_integer_type(64, 1), nr);
}

tree
tables_array(const char *name, int most)
{
	tree decl = make_variable(name, counter_array(most), counter_section);

	DECL_NONALIASED(decl) = 1;
	layout_decl(decl, 0);
	return decl;
}

tree
tables_counters(void)
{
	if (!counters_decl)
		counters_decl = tables_array("__cgview_counters", MAX_COUNTERS);
	return counters_decl;
}

int
tables_take_counters(int nr)
{
	int first = nr_counters;

	if (nr > MAX_COUNTERS - nr_counters)
		fatal_error(UNKNOWN_LOCATION, "cgview: more than %d counters in one unit",
			    MAX_COUNTERS);
	nr_counters += nr;
	return first;
}

/* By name: at link time (-flto) it is not the declaration that was made here. */
bool
tables_is_counter(tree ref)
{
	static const char prefix[] = "__cgview_counters";
	tree base = get_base_address(ref);

	return base && VAR_P(base) && DECL_NAME(base) && DECL_ARTIFICIAL(base) &&
	       !strncmp(IDENTIFIER_POINTER(DECL_NAME(base)), prefix, sizeof(prefix) - 1);
}

bool
tables_emitted(void)
{
	return emitted;
}

/* ---- the end of the unit ---- */

bool
tables_address_taken(cgraph_node *node)
{
	ipa_ref *ref = NULL;

	for (int i = 0; node->iterate_referring(i, ref); i++)
		if (ref->use == IPA_REF_ADDR)
			return true;
	return false;
}

/* Returns what is reached by the address of NODE: a C++ thunk goes on to its method. NULL:
 * nothing. */
static cgraph_node *
behind_thunks(cgraph_node *node)
{
	while (node && node->thunk)
		node = node->callees ? node->callees->callee->ultimate_alias_target() : NULL;
	return node;
}

/* How the address of NODE is taken, as the tables have it. */
static int
taken_how(cgraph_node *node, bool only_passed)
{
	enum { PUBLIC, STATIC, PASSED, PUBLIC_PASSED };

	if (TREE_PUBLIC(node->decl))
		return only_passed ? PUBLIC_PASSED : PUBLIC;
	return only_passed ? PASSED : STATIC;
}

static void
put_taken(vec<unsigned char> *out)
{
	vec<unsigned char> list = vNULL;
	cgraph_node *node;
	unsigned n = 0;

	FOR_EACH_FUNCTION(node)
	{
		cgraph_node *reached = tables_address_taken(node) ? behind_thunks(node) : NULL;

		if (!reached || !DECL_NAME(reached->decl))
			continue;
		n++;
		put_string(&list, linkage_name(reached->decl));
		put(&list, type_index(TREE_TYPE(reached->decl)));
		put(&list, taken_how(reached, reached == node && pointers_only_passed(node)));
	}
	put(out, n);
	out->safe_splice(list);
	list.release();
}

static void
put_aliases(vec<unsigned char> *out)
{
	vec<unsigned char> list = vNULL;
	cgraph_node *node;
	unsigned n = 0;

	FOR_EACH_FUNCTION(node)
	{
		/* The resolver of an ifunc decides what it stands for when the program starts. */
		if (!node->alias || !node->analyzed ||
		    lookup_attribute("ifunc", DECL_ATTRIBUTES(node->decl)))
			continue;
		n++;
		put_string(&list, linkage_name(node->decl));
		put_string(&list, linkage_name(node->ultimate_alias_target()->decl));
	}
	put(out, n);
	out->safe_splice(list);
	list.release();
}

static void
put_texts(vec<unsigned char> *out, const struct interned *t)
{
	put(out, t->texts.length());
	for (unsigned i = 0; i < t->texts.length(); i++) {
		const char *s = t->texts[i];
		unsigned n = (unsigned)strlen(s);

		put(out, n);
		for (unsigned j = 0; j < n; j++)
			out->safe_push(s[j]);
	}
}

static void
put_indexed(vec<unsigned char> *out, const struct interned *t)
{
	put(out, t->texts.length());
	for (unsigned i = 0; i < t->texts.length(); i++)
		put_string(out, t->texts[i]);
}

/* The stream behind the head. The strings come first in the file but are complete only at the end.
 */
static vec<unsigned char>
assemble(void)
{
	vec<unsigned char> tail = vNULL, lists = vNULL, out = vNULL;
	char *producer = xasprintf("%s %s -O%d", lang_hooks.name, version_string, optimize);

	put_taken(&lists);
	put_aliases(&lists);
	if (pointers_nr_held()) {
		put(&lists, pointers_nr_held());
		pointers_put_held(&lists);
	}
	put_string(&tail, producer);
	put_string(&tail, get_src_pwd());
	put_indexed(&tail, &files);
	put_indexed(&tail, &types);
	tail.safe_splice(lists);
	put(&tail, nr_procedures);
	tail.safe_splice(body);
	put(&tail, nr_left_out);
	tail.safe_splice(left_out);
	if (pools_nr_patterns()) {
		put(&tail, pools_nr_patterns());
		pools_put_patterns(&tail);
	}
	put_texts(&out, &strings);
	out.safe_splice(tail);
	tail.release();
	lists.release();
	free(producer);
	return out;
}

static void
put_u32(unsigned char *at, unsigned value)
{
	for (int i = 0; i < 4; i++)
		at[i] = (unsigned char)(value >> 8 * i);
}

static tree
bytes_type(unsigned n)
{
	return build_array_type_nelts(char_type_node, n);
}

static tree
bytes(const unsigned char *data, unsigned n)
{
	tree s = build_string(n, (const char *)data);

	TREE_TYPE(s) = bytes_type(n);
	return s;
}

static tree
field(tree type, const char *name, tree chain)
{
	tree f = build_decl(UNKNOWN_LOCATION, FIELD_DECL, get_identifier(name), type);

	DECL_CHAIN(f) = chain;
	return f;
}

void
tables_finish_array(tree decl, int nr)
{
	tree type = counter_array(nr);

	TREE_TYPE(decl) = type;
	DECL_SIZE(decl) = TYPE_SIZE(type);
	DECL_SIZE_UNIT(decl) = TYPE_SIZE_UNIT(type);
	varpool_node::finalize_decl(decl);
	varpool_node::get(decl)->force_output = 1;
}

static tree
constructor(tree type, vec<constructor_elt, va_gc> *init)
{
	tree c = build_constructor(type, init);

	TREE_STATIC(c) = 1;
	TREE_CONSTANT(c) = 1;
	return c;
}

/* ARRAYS' addresses. */
static tree
addresses(tree type, const vec<tree> *arrays)
{
	vec<constructor_elt, va_gc> *init = NULL;

	for (unsigned i = 0; i < arrays->length(); i++) {
		tree address = fold_convert(ptr_type_node, build_fold_addr_expr((*arrays)[i]));

		CONSTRUCTOR_APPEND_ELT(init, size_int(i), address);
	}
	return constructor(type, init);
}

void
tables_write(const struct table_head *h, const vec<tree> *arrays, vec<unsigned char> *stream)
{
	tree pointers = arrays->is_empty()
				? NULL_TREE
				: build_array_type_nelts(ptr_type_node, arrays->length());
	vec<constructor_elt, va_gc> *init = NULL;
	unsigned char head[16] = {0};
	tree type, fields, decl;

	while (stream->length() % 8)
		stream->safe_push(0);
	put_u32(head, h->magic);
	head[4] = h->version;
	head[6] = h->flags;
	put_u32(head + 8, 16 + 8 * arrays->length() + stream->length());
	put_u32(head + 12, h->number);

	/* finish_builtin_struct() wants the fields last first. */
	fields = field(bytes_type(16), "head", NULL_TREE);
	if (pointers)
		fields = field(pointers, "counters", fields);
	fields = field(bytes_type(stream->length()), "body", fields);
	type = make_node(RECORD_TYPE);
	finish_builtin_struct(type, "__cgview_unit", fields, NULL_TREE);
	fields = TYPE_FIELDS(type);
	CONSTRUCTOR_APPEND_ELT(init, fields, bytes(head, 16));
	fields = DECL_CHAIN(fields);
	if (pointers) {
		CONSTRUCTOR_APPEND_ELT(init, fields, addresses(pointers, arrays));
		fields = DECL_CHAIN(fields);
	}
	CONSTRUCTOR_APPEND_ELT(init, fields, bytes(stream->address(), stream->length()));
	decl = make_variable("__cgview_table", type, table_section);
	/* No symbol: in a section without address it would seem to lie somewhere in the program. */
	SET_DECL_ASSEMBLER_NAME(decl, get_identifier(h->label));
	/* Not TREE_READONLY: one with addresses and one without would want another kind of section,
	 * which GCC refuses where both are in one partition of -flto. */
	DECL_INITIAL(decl) = constructor(type, init);
	layout_decl(decl, 0);
	varpool_node::finalize_decl(decl);
	varpool_node::get(decl)->force_output = 1;
}

/* A unit of nothing but data may take addresses, as a table of handlers does. */
static bool
takes_addresses(void)
{
	cgraph_node *node;

	FOR_EACH_FUNCTION(node)
	if (tables_address_taken(node))
		return true;
	return false;
}

/* Writes both sections at the end of a unit. */
static void
emit_sections(void)
{
	struct table_head head = {"*.Lcgview_table", MAGIC, 0, 0, 0};
	vec<unsigned char> stream;
	auto_vec<tree> arrays;

	emitted = true;
	if (!nr_procedures && !nr_left_out && !takes_addresses())
		return;
	arrays.safe_push(tables_counters());
	tables_finish_array(counters_decl, nr_counters ? nr_counters : 1);
	stream = assemble();
	head.version = VERSION;
	head.flags = (options.mode == MODE_BLOCK ? UNIT_BLOCKS : 0) | UNIT_BRANCHES |
		     (targets_wanted_any() ? UNIT_TARGETS : 0) |
		     (options.centres ? UNIT_CENTRES : 0) |
		     (pools_nr_patterns() ? UNIT_PATTERNS : 0) |
		     (pointers_nr_held() ? UNIT_HELD : 0);
	head.number = nr_counters;
	tables_write(&head, &arrays, &stream);
	stream.release();
}

static const pass_data unit_data = {
	SIMPLE_IPA_PASS, "cgview_unit", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0,
};

class unit_pass : public simple_ipa_opt_pass
{
      public:
	unit_pass(gcc::context *ctx) : simple_ipa_opt_pass(unit_data, ctx)
	{
	}
	unsigned int execute(function *) final override
	{
		if (!in_lto_p && !emitted)
			emit_sections();
		return 0;
	}
};

opt_pass *
make_unit_pass(gcc::context *ctx)
{
	return new unit_pass(ctx);
}
