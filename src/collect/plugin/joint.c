/* Joint counters: made by the optimising stages (coalesce.c), each stands for a sum of others.
 *
 * One that is incremented adds its value, times a factor, to each of its parts: counters of units,
 * or joint counters that were made before it. The parts stand in a table of the section cgview_tab
 * (docs/formats.md). There are two sets: the early one is made while the unit is compiled, and goes
 * through link-time optimisation with it; the late one where machine code is made.
 *
 * A part with factor 0 tells that its counter lacks what runs of a loop did that have not ended
 * (sums.c). How many there are at a moment is a sum of late counters: the runtime finds these, with
 * their factors, in the section cgview_open, and waits for them when the program ends.
 */
#include "plugin.h"
#include "rtl.h"

#include <algorithm>

enum { MAGIC = 0x4a564743, VERSION = 1, MAX_JOINT = 1 << 22 };

struct joint_set {
	const char *array_name, *label;
	tree array; /* NULL: not made yet */
	int nr;
	vec<unsigned char> body;
	vec<tree> arrays; /* 0: its own */
	hash_map<tree, int> *array_index;
	hash_map<nofree_string_hash, int> *known; /* by parts */
	vec<int> open; /* by number: how many loops one of it has begun, negative: ended */
	vec<bool> told; /* by number: has it parts with factor 0? Nothing increments it */
};
static struct joint_set sets[] = {
	{"__cgview_counters_early", "*.Lcgview_early", NULL_TREE, 0, vNULL, vNULL, NULL, NULL,
	 vNULL, vNULL},
	{"__cgview_counters_late", "*.Lcgview_late", NULL_TREE, 0, vNULL, vNULL, NULL, NULL,
	 vNULL, vNULL},
};

static const struct ggc_root_tab roots[] = {
	{&sets[0].array, 1, sizeof(sets[0].array), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
	{&sets[1].array, 1, sizeof(sets[1].array), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
	LAST_GGC_ROOT_TAB,
};

void
joint_register(const char *plugin)
{
	register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, NULL, (void *)roots);
}

static int
array_number(struct joint_set *set, tree array)
{
	bool existed;
	int *number = &set->array_index->get_or_insert(array, &existed);

	if (!existed) {
		*number = (int)set->arrays.length();
		set->arrays.safe_push(array);
	}
	return *number;
}

tree
joint_counters(enum joint_stage stage)
{
	struct joint_set *set = &sets[stage];

	if (!set->array) {
		set->array = tables_array(set->array_name, MAX_JOINT);
		set->array_index = new hash_map<tree, int>;
		set->known = new hash_map<nofree_string_hash, int>;
		array_number(set, set->array);
	}
	return set->array;
}

static bool
part_before(const struct joint_part &a, const struct joint_part &b)
{
	if (a.array != b.array)
		return DECL_UID(a.array) < DECL_UID(b.array);
	return a.number < b.number;
}

void
joint_normalise(vec<joint_part> *parts)
{
	unsigned n = 0;

	std::sort(parts->begin(), parts->end(), part_before);
	for (unsigned i = 0; i < parts->length(); i++) {
		struct joint_part p = (*parts)[i];

		if (n && (*parts)[n - 1].array == p.array && (*parts)[n - 1].number == p.number)
			(*parts)[n - 1].factor += p.factor;
		else
			(*parts)[n++] = p;
		if (!(*parts)[n - 1].factor)
			n--;
	}
	parts->truncate(n);
}

/* Factors are small and of either sign: 0, -1, 1, -2 ... become 0, 1, 2, 3 ... */
static unsigned
zigzag(int factor)
{
	return factor < 0 ? 2 * (unsigned)-factor - 1 : 2 * (unsigned)factor;
}

static void
encode(struct joint_set *set, const vec<joint_part> *parts)
{
	put(&set->body, parts->length());
	for (unsigned i = 0; i < parts->length(); i++) {
		put(&set->body, array_number(set, (*parts)[i].array));
		put(&set->body, (*parts)[i].number);
		put(&set->body, zigzag((*parts)[i].factor));
	}
}

static char *
key_of(struct joint_set *set, const vec<joint_part> *parts)
{
	pretty_printer pp;

	for (unsigned i = 0; i < parts->length(); i++)
		pp_printf(&pp, "%d:%d:%d ", array_number(set, (*parts)[i].array),
			  (*parts)[i].number, (*parts)[i].factor);
	return xstrdup(pp_formatted_text(&pp));
}

/* What tells of a loop is no increment itself, but those that count into it are. */
static int
opens(const struct joint_set *set, const vec<joint_part> *parts)
{
	int sum = 0;

	for (unsigned i = 0; i < parts->length(); i++) {
		const struct joint_part *p = &(*parts)[i];

		if (!p->factor)
			return 1;
		if (p->array == set->array)
			sum += p->factor * set->open[p->number];
	}
	return sum;
}

int
joint_counter(enum joint_stage stage, const vec<joint_part> *parts)
{
	struct joint_set *set = &sets[stage];
	char *key;

	joint_counters(stage);
	key = key_of(set, parts);
	if (int *known = set->known->get(key)) {
		free(key);
		return *known;
	}
	if (set->nr == MAX_JOINT)
		fatal_error(UNKNOWN_LOCATION, "cgview: more than %d joint counters in one unit",
			    MAX_JOINT);
	encode(set, parts);
	set->told.safe_push(!(*parts)[0].factor);
	set->open.safe_push(opens(set, parts));
	set->known->put(key, set->nr);
	return set->nr++;
}

static void
emit_stage(enum joint_stage stage)
{
	struct joint_set *set = &sets[stage];
	vec<unsigned char> stream = vNULL;
	struct table_head head = {set->label, MAGIC, VERSION, stage, 0};

	if (!set->nr)
		return;
	head.number = (int)set->arrays.length();
	tables_finish_array(set->array, set->nr);
	put(&stream, set->nr);
	stream.safe_splice(set->body);
	tables_write(&head, &set->arrays, &stream);
	stream.release();
	set->nr = 0;
}

static const pass_data joint_data = {
	SIMPLE_IPA_PASS, "cgview_joint", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0,
};

class joint_pass : public simple_ipa_opt_pass
{
      public:
	joint_pass(gcc::context *ctx) : simple_ipa_opt_pass(joint_data, ctx)
	{
	}
	unsigned int execute(function *) final override
	{
		if (!in_lto_p)
			emit_stage(JOINT_EARLY);
		return 0;
	}
};

opt_pass *
make_joint_pass(gcc::context *ctx)
{
	return new joint_pass(ctx);
}

/* The linker keeps one note for all objects of a module. */
static const char open_note[] =
	"\t.weak\t__start_cgview_open\n"
	"\t.weak\t__stop_cgview_open\n"
	"\t.hidden\t__start_cgview_open\n"
	"\t.hidden\t__stop_cgview_open\n"
	"\t.pushsection\t.note.cgview_open,\"aG\",@note,__cgview_open,comdat\n"
	"\t.balign\t4\n"
	"\t.long\t12, 16, 1\n"
	"\t.asciz\t\"cgview_open\"\n"
	"\t.balign\t4\n"
	"\t.quad\t__start_cgview_open - .\n"
	"\t.quad\t__stop_cgview_open - .\n"
	"\t.popsection\n";

/* For each late counter that begins or ends loops: its distance, and how many (struct open_count
 * of the runtime). */
static void
emit_open(const struct joint_set *set)
{
	bool any = false;

	for (unsigned i = 0; i < set->open.length(); i++) {
		if (!set->open[i] || set->told[i])
			continue;
		fprintf(asm_out_file, "%s\t.quad\t",
			any ? "" : "\t.pushsection\tcgview_open,\"a\",@progbits\n\t.balign\t8\n");
		assemble_name(asm_out_file, XSTR(XEXP(DECL_RTL(set->array), 0), 0));
		fprintf(asm_out_file, "+%u - .\n\t.quad\t%d\n", 8 * i, set->open[i]);
		any = true;
	}
	if (any)
		fprintf(asm_out_file, "\t.popsection\n%s", open_note);
}

void
joint_finish(void *, void *)
{
	if (seen_error())
		return;
	emit_stage(JOINT_LATE);
	emit_open(&sets[JOINT_LATE]);
}
