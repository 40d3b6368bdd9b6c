/* What a call allocates: the type that its result is of, by the first pointers to something that it
 * becomes, through copies, conversions and merges of ways.
 *
 * It is the class whose constructor gets the block; else what the pointers point to that it is
 * assigned or returned to; else what the procedures want that it is handed to. If these do not
 * agree, or if the size that is asked for cannot be one of that type, nothing is said. This happens
 * when a procedure is in SSA form, before anything is optimised, so all levels tell the same.
 *
 * The front ends make a number of `sizeof (struct s)`, and of the size in `new derived`; the text
 * of the call is looked at, too. If it names another type, nothing is said, either: a block for a
 * derived object may be assigned to a pointer to its base. */
#include "graph.h"

/* ---- names ---- */

/* Of types by their numbers: at the time that counts what the front end knew is forgotten with
 * -flto. */
static hash_map<int_hash<unsigned, 0>, const char *> *names;

static bool
is_cxx(void)
{
	return !strncmp(lang_hooks.name, "GNU C++", 7);
}

/* Returns the name without what it is within; NULL: it has none. */
static const char *
short_name(tree type)
{
	tree name = type ? TYPE_NAME(type) : NULL_TREE;

	if (name && TREE_CODE(name) == TYPE_DECL)
		name = DECL_NAME(name);
	return name && TREE_CODE(name) == IDENTIFIER_NODE ? IDENTIFIER_POINTER(name) : NULL;
}

static const char *
tag_of(tree type)
{
	return TREE_CODE(type) == RECORD_TYPE	   ? "struct "
	       : TREE_CODE(type) == UNION_TYPE	   ? "union "
	       : TREE_CODE(type) == ENUMERAL_TYPE ? "enum "
						   : "";
}

/* In C a typedef's name is the name; in C++ it may stand for the instance of a template. */
static const char *
name_of(tree type)
{
	tree name;

	if (POINTER_TYPE_P(type) && !FUNC_OR_METHOD_TYPE_P(TREE_TYPE(type)))
		return xasprintf("%s *", name_of(TREE_TYPE(type)));
	if (is_cxx())
		type = TYPE_MAIN_VARIANT(type);
	name = TYPE_NAME(type);
	if (name && TREE_CODE(name) == TYPE_DECL && is_cxx())
		return xstrdup(lang_hooks.decl_printable_name(name, 2));
	if (!short_name(type) || (name && TREE_CODE(name) == TYPE_DECL))
		return short_name(type) ? xstrdup(short_name(type))
					: print_generic_expr_to_str(type);
	return xasprintf("%s%s", tag_of(type), short_name(type));
}

static tree
pointee(tree type)
{
	type = type && POINTER_TYPE_P(type) ? TREE_TYPE(type) : NULL_TREE;
	if (!type || VOID_TYPE_P(type) || FUNC_OR_METHOD_TYPE_P(type))
		return NULL_TREE;
	return TYPE_UNQUALIFIED == TYPE_QUALS(type) ? type
						    : build_qualified_type(type, TYPE_UNQUALIFIED);
}

static void
note_name(tree type)
{
	if (!names)
		names = new hash_map<int_hash<unsigned, 0>, const char *>;
	if (!names->get(TYPE_UID(type)))
		names->put(TYPE_UID(type), name_of(type));
}

static void
note_name_of_pointee(tree type)
{
	tree to = pointee(type);

	if (to)
		note_name(to);
}

void
types_note_names(gimple *stmt)
{
	static tree noted;
	gcall *call = dyn_cast<gcall *>(stmt);
	tree decl = call ? gimple_call_fndecl(call) : NULL_TREE;

	if (!flag_generate_lto)
		return;
	if (!noted || noted != cfun->decl)
		note_name_of_pointee(TREE_TYPE(TREE_TYPE(cfun->decl)));
	noted = cfun->decl;
	for (tree arg = call && gimple_call_fntype(call) ? TYPE_ARG_TYPES(gimple_call_fntype(call))
							 : NULL_TREE; arg; arg = TREE_CHAIN(arg))
		note_name_of_pointee(TREE_VALUE(arg));
	for (unsigned i = 0; i < gimple_num_ops(stmt); i++) {
		tree op = gimple_op(stmt, i);

		if (op)
			note_name_of_pointee(TREE_TYPE(op));
	}
	if (decl && DECL_CXX_CONSTRUCTOR_P(decl))
		note_name(TYPE_METHOD_BASETYPE(TREE_TYPE(decl)));
}

/* ---- what the result becomes ---- */

enum { ASSIGNED, HANDED, NR_WAYS }; /* the former says more */
struct becoming {
	hash_set<tree> seen;
	tree constructed;    /* the class whose constructor gets it */
	tree types[NR_WAYS]; /* error_mark_node: they differ */
};

static void
add_type(struct becoming *b, int way, tree type)
{
	tree *at = &b->types[way];

	if (!*at)
		*at = type;
	else if (*at == error_mark_node || TYPE_MAIN_VARIANT(*at) != TYPE_MAIN_VARIANT(type))
		*at = error_mark_node;
}

static void follow(struct becoming *b, tree value);

static void
follow_assigned(struct becoming *b, gimple *stmt, tree value)
{
	tree to = gimple_assign_lhs(stmt), type = pointee(TREE_TYPE(to));
	bool copies = gimple_assign_single_p(stmt) || gimple_assign_cast_p(stmt) ||
		      gimple_assign_rhs_code(stmt) == POINTER_PLUS_EXPR;

	if (!copies || gimple_assign_rhs1(stmt) != value)
		return;
	if (TREE_CODE(to) == SSA_NAME)
		follow(b, to);
	else if (type)
		add_type(b, ASSIGNED, type);
}

static void
follow_handed(struct becoming *b, gcall *call, tree value)
{
	tree decl = gimple_call_fndecl(call), fntype = gimple_call_fntype(call);
	tree arg = fntype ? TYPE_ARG_TYPES(fntype) : NULL_TREE;

	if (decl && DECL_CXX_CONSTRUCTOR_P(decl) && gimple_call_num_args(call) &&
	    gimple_call_arg(call, 0) == value) {
		if (!b->constructed)
			b->constructed = TYPE_METHOD_BASETYPE(TREE_TYPE(decl));
		return;
	}
	for (unsigned i = 0; arg && i < gimple_call_num_args(call); i++, arg = TREE_CHAIN(arg)) {
		tree type = pointee(TREE_VALUE(arg));

		if (type && gimple_call_arg(call, i) == value)
			add_type(b, HANDED, type);
	}
}

/* VALUE is what the call returned. */
static void
follow(struct becoming *b, tree value)
{
	enum { MANY = 100 };
	imm_use_iterator uses;
	use_operand_p use;
	tree type = pointee(TREE_TYPE(value));
	tree returned = pointee(TREE_TYPE(TREE_TYPE(cfun->decl)));

	if (!POINTER_TYPE_P(TREE_TYPE(value)) || b->seen.elements() > MANY || b->seen.add(value))
		return;
	if (type)
		add_type(b, ASSIGNED, type);
	FOR_EACH_IMM_USE_FAST(use, uses, value)
	{
		gimple *stmt = USE_STMT(use);

		if (gcall *call = dyn_cast<gcall *>(stmt))
			follow_handed(b, call, value);
		else if (type) /* it has its type; constructors are looked for */
			continue;
		else if (gphi *phi = dyn_cast<gphi *>(stmt))
			follow(b, gimple_phi_result(phi));
		else if (gimple_code(stmt) == GIMPLE_RETURN && returned)
			add_type(b, ASSIGNED, returned);
		else if (is_gimple_assign(stmt))
			follow_assigned(b, stmt, value);
	}
}

/* ---- the size that is asked for ---- */

/* Bytes that a block of TYPE has at least: a struct whose last member is an array may end within
 * it. */
static unsigned HOST_WIDE_INT
least_bytes(tree type, unsigned HOST_WIDE_INT size)
{
	tree last = NULL_TREE;

	for (tree f = TREE_CODE(type) == RECORD_TYPE ? TYPE_FIELDS(type) : NULL_TREE; f;
	     f = DECL_CHAIN(f))
		if (TREE_CODE(f) == FIELD_DECL)
			last = f;
	if (!last || TREE_CODE(TREE_TYPE(last)) != ARRAY_TYPE ||
	    !tree_fits_uhwi_p(byte_position(last)))
		return size;
	return tree_to_uhwi(byte_position(last));
}

/* Can BYTES, or with SOME of them and others, be asked for as blocks of TYPE? */
static bool
can_be_bytes(tree type, unsigned HOST_WIDE_INT bytes, bool some)
{
	tree unit = COMPLETE_TYPE_P(type) ? TYPE_SIZE_UNIT(type) : NULL_TREE;
	unsigned HOST_WIDE_INT size, least;

	if (!unit || !tree_fits_uhwi_p(unit) || !tree_to_uhwi(unit))
		return true;
	size = tree_to_uhwi(unit);
	least = least_bytes(type, size);
	return bytes % size == 0 || (bytes >= least && (some || least < size));
}

/* Can SIZE, as it is computed, be a size of TYPE? */
static bool
can_be_size(tree type, tree size)
{
	gimple *from = TREE_CODE(size) == SSA_NAME ? SSA_NAME_DEF_STMT(size) : NULL;
	enum tree_code code = from && is_gimple_assign(from) ? gimple_assign_rhs_code(from)
							     : ERROR_MARK;
	tree by = NULL_TREE;

	if (code == NOP_EXPR)
		return can_be_size(type, gimple_assign_rhs1(from));
	if (tree_fits_uhwi_p(size))
		return can_be_bytes(type, tree_to_uhwi(size), false);
	if (code == MULT_EXPR || code == PLUS_EXPR || code == LSHIFT_EXPR)
		by = gimple_assign_rhs2(from);
	if (!by || !tree_fits_uhwi_p(by))
		return true;
	if (code == LSHIFT_EXPR)
		return tree_to_uhwi(by) > 30 ||
		       can_be_bytes(type, HOST_WIDE_INT_1U << tree_to_uhwi(by), false);
	return can_be_bytes(type, tree_to_uhwi(by), code == PLUS_EXPR);
}

static bool
is_called(tree decl, const char *name)
{
	return decl && !strcmp(linkage_name(decl), name);
}

/* Returns which argument of CALL, of DECL, is the size of an element, or of all; -1: it is not
 * known. */
static int
size_argument(gcall *call, tree decl)
{
	static const struct {
		const char *name;
		int argument;
	} known[] = {
		{"calloc", 1},	      {"reallocarray", 2}, {"memalign", 1},
		{"aligned_alloc", 1}, {"posix_memalign", 2},
	};
	int found = -1, n = 0;

	for (unsigned i = 0; i < ARRAY_SIZE(known); i++)
		if (is_called(decl, known[i].name))
			return known[i].argument;
	for (tree arg = TYPE_ARG_TYPES(gimple_call_fntype(call)); arg; arg = TREE_CHAIN(arg), n++)
		if (TYPE_MAIN_VARIANT(TREE_VALUE(arg)) == TYPE_MAIN_VARIANT(size_type_node)) {
			if (found >= 0)
				return -1;
			found = n;
		}
	return found;
}

static bool
can_be(tree type, gcall *call, tree decl)
{
	int argument = size_argument(call, decl);

	if (is_called(decl, "_Znam")) /* it has a word more, for the number */
		return true;
	return argument < 0 || (unsigned)argument >= gimple_call_num_args(call) ||
	       can_be_size(type, gimple_call_arg(call, argument));
}

/* ---- what the text says ---- */

/* What the names of typedefs stand for, "" if that has none; and classes themselves. */
static hash_map<nofree_string_hash, const char *> *declared;

static void
declare(const char *name, const char *stands_for)
{
	if (!declared)
		declared = new hash_map<nofree_string_hash, const char *>;
	if (name && !declared->get(name))
		declared->put(xstrdup(name), xstrdup(stands_for ? stands_for : ""));
}

void
types_declared(void *gcc_data, void *)
{
	tree decl = (tree)gcc_data;

	if (decl && TREE_CODE(decl) == TYPE_DECL && DECL_NAME(decl) && TREE_TYPE(decl) &&
	    TREE_TYPE(decl) != error_mark_node)
		declare(IDENTIFIER_POINTER(DECL_NAME(decl)),
			short_name(TYPE_MAIN_VARIANT(TREE_TYPE(decl))));
}

void
types_class_declared(void *gcc_data, void *)
{
	tree type = (tree)gcc_data;

	if (is_cxx() && type && RECORD_OR_UNION_TYPE_P(type))
		declare(short_name(type), short_name(type));
}

/* The text of PLACE; "": it is too long, or not there. */
enum { TEXT_MOST = 400 };
static void
read_text(const struct place *place, char text[TEXT_MOST])
{
	int n = 0, length;

	for (int line = place->line; line <= place->end_line; line++) {
		const char *s = text_line(place->file, line, &length);
		int from = line == place->line ? place->column - 1 : 0;
		int to = line == place->end_line ? place->end_column : length;

		if (!s || from < 0 || to > length || to - from + 2 > TEXT_MOST - n) {
			n = 0;
			break;
		}
		memcpy(text + n, s + from, to > from ? to - from : 0);
		n += to > from ? to - from : 0;
		text[n++] = ' ';
	}
	text[n] = '\0';
}

static const char *
skip_blanks(const char *s)
{
	return s + strspn(s, " \t\r");
}

static int
name_length(const char *s)
{
	int n = 0;

	while (ISALNUM(s[n]) || s[n] == '_')
		n++;
	return n;
}

static bool
is_word(const char *s, const char *word)
{
	return name_length(s) == (int)strlen(word) && !strncmp(s, word, strlen(word));
}

/* Returns where WORD stands in TEXT, if it does so once; else NULL. */
static const char *
find_only(const char *text, const char *word)
{
	const char *found = NULL;

	for (const char *s = text; *s; s += name_length(s) ? name_length(s) : 1) {
		if (!is_word(s, word))
			continue;
		if (found)
			return NULL;
		found = s;
	}
	return found;
}

/* A type as the text names it. */
struct said {
	char name[TEXT_MOST];
	bool tag;	     /* behind struct, union, enum or class */
	char whole[TEXT_MOST]; /* with these */
};

/* Reads the name at S, before END. Returns false if there is no plain one. */
static bool
read_name(const char *s, char end, struct said *said)
{
	static const char *const tags[] = {"struct", "union", "enum", "class", NULL};
	const char *begin = s = skip_blanks(s);

	said->tag = false;
	for (int i = 0; tags[i]; i++)
		if (is_word(begin, tags[i])) {
			said->tag = true;
			s = skip_blanks(s + strlen(tags[i]));
			break;
		}
	for (int n = name_length(s); n && !strncmp(s + n, "::", 2); n = name_length(s))
		s += n + 2;
	if (!name_length(s) || ISDIGIT(*s))
		return false;
	sprintf(said->name, "%.*s", name_length(s), s);
	sprintf(said->whole, "%.*s", (int)(s + name_length(s) - begin), begin);
	s = skip_blanks(s + name_length(s));
	return end ? *s == end : !strchr("*<&:", *s) || !*s;
}

/* Reads the name behind the last `new` before the end of PLACE; PLACE begins at the type. */
static bool
is_said_by_new(const struct place *place, struct said *said)
{
	struct place line = *place;
	char text[TEXT_MOST];
	const char *at = NULL;

	line.line = line.end_line;
	line.column = 1;
	read_text(&line, text);
	for (const char *s = text; *s; s += name_length(s) ? name_length(s) : 1)
		if (is_word(s, "new"))
			at = s + strlen("new");
	return at && read_name(at, 0, said);
}

/* Does the text of the call of DECL at PLACE name the type, in `sizeof (...)` or behind `new`? The
 * compiler's own calls, as in thunks, have no place. */
static bool
is_said(tree decl, const struct place *place, struct said *said)
{
	char text[TEXT_MOST];
	const char *at;

	if (!place || !place->file || place->line < 1)
		return false;
	if (decl && !strncmp(linkage_name(decl), "_Zn", 3))
		return is_said_by_new(place, said);
	read_text(place, text);
	at = find_only(text, "sizeof");
	at = at ? skip_blanks(at + strlen("sizeof")) : NULL;
	return at && *at == '(' && read_name(at + 1, ')', said);
}

static bool
equal_names(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

/* Returns whether TYPE can be what is SAID; what is no type's name says nothing. */
static bool
agrees(tree type, const struct said *said)
{
	const char *tag = short_name(TYPE_MAIN_VARIANT(type));
	const char **stands_for = declared ? declared->get(said->name) : NULL;

	if (equal_names(said->name, tag) || equal_names(said->name, short_name(type)))
		return true;
	return !said->tag && (!stands_for || equal_names(*stands_for, tag));
}

/* Returns the name of what is SAID, if it is one for certain, else NULL. */
static const char *
name_said(const struct said *said)
{
	if (said->tag && !is_cxx())
		return xstrdup(said->whole);
	return declared && declared->get(said->name) && !is_cxx() ? xstrdup(said->name) : NULL;
}

/* ---- all of it ---- */

/* With -flto only the short name of TYPE is left by now, and whether there is a typedef of it. In
 * C++ it would be mangled. */
static const char *
name_without_front_end(tree type)
{
	const char *name = short_name(type);
	const char **stands_for = name && declared ? declared->get(name) : NULL;

	if (is_cxx())
		return NULL;
	return stands_for && (!**stands_for || !strcmp(*stands_for, name)) ? xstrdup(name)
									   : name_of(type);
}

/* What posix_memalign() is to set. */
static tree
type_of_set(gcall *call)
{
	tree to = gimple_call_num_args(call) ? gimple_call_arg(call, 0) : NULL_TREE;

	while (to && TREE_CODE(to) == SSA_NAME && is_gimple_assign(SSA_NAME_DEF_STMT(to)))
		to = gimple_assign_rhs1(SSA_NAME_DEF_STMT(to));
	return to && TREE_CODE(to) == ADDR_EXPR ? pointee(TREE_TYPE(TREE_OPERAND(to, 0)))
						: NULL_TREE;
}

/* Returns what the result of CALL, of DECL, becomes; NULL_TREE: nothing that has a type,
 * error_mark_node: of several types. */
static tree
type_of_result(gcall *call, tree decl)
{
	tree value = gimple_call_lhs(call);
	struct becoming b;

	b.constructed = b.types[ASSIGNED] = b.types[HANDED] = NULL_TREE;
	if (is_called(decl, "posix_memalign"))
		b.types[ASSIGNED] = type_of_set(call);
	else if (!value || !POINTER_TYPE_P(TREE_TYPE(value)))
		return error_mark_node;
	else if (TREE_CODE(value) == SSA_NAME)
		follow(&b, value);
	else
		b.types[ASSIGNED] = pointee(TREE_TYPE(value));
	return b.constructed	   ? b.constructed
	       : b.types[ASSIGNED] ? b.types[ASSIGNED]
				   : b.types[HANDED];
}

/* Can what a pointer calls be an allocator? */
static bool
returns_bytes(gcall *call)
{
	tree type = gimple_call_fntype(call);

	return type && POINTER_TYPE_P(TREE_TYPE(type)) && VOID_TYPE_P(TREE_TYPE(TREE_TYPE(type)));
}

const char *
types_of(gcall *call, const struct place *place)
{
	tree decl = gimple_call_fndecl(call), type;
	const char **name;
	struct said said;
	bool known;

	if (gimple_call_internal_p(call) || gimple_call_alloca_for_var_p(call) ||
	    (!decl && !returns_bytes(call)))
		return NULL;
	type = type_of_result(call, decl);
	if (type == error_mark_node)
		return NULL;
	known = is_said(decl, place, &said);
	if (!type)
		return known ? name_said(&said) : NULL;
	if (!can_be(type, call, decl) || (known && !agrees(type, &said)))
		return NULL;
	name = names ? names->get(TYPE_UID(type)) : NULL;
	return name ? *name : flag_generate_lto ? name_without_front_end(type) : name_of(type);
}
