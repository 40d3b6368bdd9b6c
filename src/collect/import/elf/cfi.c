#include "collect/import/elf/cfi.h"

#include <stdlib.h>
#include <string.h>

#include "collect/dwarf_cfi.h"
#include "util/order.h"

enum { MOST_SECTION = 512 << 20, MOST_PROCEDURES = 1 << 24, MOST_REMEMBERED = 8, MOST_STACK = 16 };

struct procedure { uint64_t begin, end, at; }; /* where its description begins in the section */

struct cfi {
	uint8_t *bytes;            /* of the section */
	uint64_t size, address;
	bool debug;                /* it is .debug_frame */
	struct procedure *procedures;
	size_t nr, alloc;
	struct cfi *other;         /* of procedures that this section does not tell of; or NULL */
};

/* ---- reading ---- */

struct cursor { const struct cfi *c; uint64_t at, end; bool bad; };

static uint64_t
get(struct cursor *r, unsigned size)
{
	uint64_t v = 0;

	if (r->end - r->at < size || r->bad) {
		r->bad = true;
		return 0;
	}
	memcpy(&v, r->c->bytes + r->at, size);
	r->at += size;
	return v;
}

static int64_t
get_signed(struct cursor *r, unsigned size)
{
	unsigned shift = 64 - 8 * size;

	return (int64_t)(get(r, size) << shift) >> shift;
}

static uint64_t
leb(struct cursor *r, bool is_signed)
{
	uint64_t v = 0, byte;
	unsigned shift = 0;

	do {
		byte = get(r, 1);
		if (shift < 64)
			v |= (byte & 0x7f) << shift;
		shift += shift < 64 ? 7 : 0;
	} while (byte & 0x80);
	if (is_signed && shift < 64 && byte & 0x40)
		v |= -((uint64_t)1 << shift);
	return v;
}

static uint64_t
get_encoded(struct cursor *r, uint8_t encoding)
{
	uint64_t here = r->c->address + r->at, v;

	switch (encoding & DW_EH_PE_format) {
	case DW_EH_PE_uleb128:
		v = leb(r, false);
		break;
	case DW_EH_PE_sleb128:
		v = leb(r, true);
		break;
	case DW_EH_PE_udata2:
		v = get(r, 2);
		break;
	case DW_EH_PE_sdata2:
		v = (uint64_t)get_signed(r, 2);
		break;
	case DW_EH_PE_udata4:
		v = get(r, 4);
		break;
	case DW_EH_PE_sdata4:
		v = (uint64_t)get_signed(r, 4);
		break;
	default:
		v = get(r, 8);
	}
	return (encoding & DW_EH_PE_relative) == DW_EH_PE_pcrel ? v + here : v;
}

/* ---- the descriptions of procedures ---- */

struct description {
	struct cursor initial, program; /* instructions: of all that it shares, and its own */
	uint64_t begin, size, code_align;
	int64_t data_align;
	uint8_t encoding;
	bool signal_frame, augmented;
};

/* Sets R to what an entry at AT has behind its length. False: there is none, or no more. */
static bool
open_entry(const struct cfi *c, uint64_t at, struct cursor *r)
{
	uint64_t length;

	*r = (struct cursor){ c, at, c->size, false };
	length = get(r, 4);
	if (length >= DW_LENGTH_lo_reserved)
		length = get(r, 8);
	if (r->bad || !length || length > r->end - r->at)
		return false;
	r->end = r->at + length;
	return true;
}

static void
read_augmentation(struct cursor r, const char *letters, struct description *d)
{
	uint8_t encoding;

	for (; *letters; letters++)
		switch (*letters) {
		case 'R':
			d->encoding = (uint8_t)get(&r, 1);
			break;
		case 'L':
			get(&r, 1);
			break;
		case 'P':
			encoding = (uint8_t)get(&r, 1);
			get_encoded(&r, encoding);
			break;
		case 'S':
			d->signal_frame = true;
			break;
		default:
			break;
		}
}

/* Reads what many procedures share. */
static bool
read_shared(const struct cfi *c, uint64_t at, struct description *d)
{
	struct cursor r;
	const char *letters;
	uint64_t version, n;

	if (!open_entry(c, at, &r))
		return false;
	n = get(&r, 4);
	if (r.bad || n != (c->debug ? UINT32_MAX : 0))
		return false;
	version = get(&r, 1);
	letters = (const char *)c->bytes + r.at;
	n = strnlen(letters, r.end - r.at);
	if (n == r.end - r.at)
		return false;
	r.at += n + 1;
	if (version >= 4)
		get(&r, 2);
	d->code_align = leb(&r, false);
	d->data_align = (int64_t)leb(&r, true);
	if (version == 1)
		get(&r, 1);
	else
		leb(&r, false);
	d->augmented = *letters == 'z';
	if (*letters && !d->augmented)
		return false;
	if (d->augmented) {
		n = leb(&r, false);
		if (r.bad || n > r.end - r.at)
			return false;
		read_augmentation((struct cursor){ c, r.at, r.at + n, false }, letters + 1, d);
		r.at += n;
	}
	d->initial = r;
	return !r.bad;
}

static bool
describe(const struct cfi *c, uint64_t at, struct description *d)
{
	struct cursor r;
	uint64_t here, back;

	*d = (struct description){ .begin = 0 };
	if (!open_entry(c, at, &r))
		return false;
	here = r.at;
	back = get(&r, 4);
	if (c->debug ? back == UINT32_MAX : !back || back > here)
		return false;
	if (!read_shared(c, c->debug ? back : here - back, d))
		return false;
	d->begin = get_encoded(&r, d->encoding);
	d->size = get_encoded(&r, d->encoding & DW_EH_PE_format);
	if (d->augmented) {
		uint64_t n = leb(&r, false);

		r.bad |= n > r.end - r.at;
		r.at += r.bad ? 0 : n;
	}
	d->program = r;
	return !r.bad;
}

static int
compare_procedures(const void *a, const void *b)
{
	const struct procedure *x = a, *y = b;

	COMPARE(x->begin, y->begin);
	COMPARE(x->at, y->at);
	return 0;
}

static void
find_procedures(struct cfi *c)
{
	struct description d;
	struct cursor r;

	for (uint64_t at = 0; open_entry(c, at, &r) && c->nr < MOST_PROCEDURES; at = r.end) {
		if (!describe(c, at, &d) || !d.size || !d.begin)
			continue;
		GROW(c->procedures, c->nr + 1, c->alloc);
		c->procedures[c->nr++] = (struct procedure){ d.begin, d.begin + d.size, at };
	}
	if (c->nr)
		qsort(c->procedures, c->nr, sizeof(*c->procedures), compare_procedures);
}

static struct cfi *
read_section(const struct elf *e, const char *name, struct cfi *other)
{
	const struct elf_section *s = elf_section(e, name);
	struct error ignored = ERROR_INIT;
	struct cfi *c;
	uint8_t *bytes;
	size_t size;

	bytes = s ? elf_read_unpacked(e, s, MOST_SECTION, &size, &ignored) : NULL;
	if (!bytes)
		return other;
	c = xcalloc(1, sizeof(*c));
	*c = (struct cfi){ .bytes = bytes, .size = size, .address = s->address,
			   .debug = s->name[1] == 'd', .other = other };
	find_procedures(c);
	return c;
}

/* A static program can have both: the C library's procedures are in one, its own in the other. */
struct cfi *
cfi_read(const struct elf *e)
{
	return read_section(e, ".eh_frame", read_section(e, ".debug_frame", NULL));
}

void
cfi_free(struct cfi *c)
{
	struct cfi *other;

	for (; c; c = other) {
		other = c->other;
		free(c->bytes);
		free(c->procedures);
		free(c);
	}
}

static const struct procedure *
procedure_at(const struct cfi *c, uint64_t address)
{
	size_t lo = 0, hi = c->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (c->procedures[mid].begin <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && address < c->procedures[lo - 1].end ? &c->procedures[lo - 1] : NULL;
}

bool
cfi_procedure(const struct cfi *c, uint64_t address, uint64_t *begin)
{
	const struct procedure *p = procedure_at(c, address);

	if (!p && c->other)
		return cfi_procedure(c->other, address, begin);
	if (p)
		*begin = p->begin;
	return p != NULL;
}

/* ---- the program that says where the registers are ---- */

enum rule_kind {
	RULE_SAME, RULE_OFFSET, RULE_VALUE_OFFSET, RULE_EXPRESSION, RULE_VALUE_EXPRESSION,
	RULE_REGISTER, RULE_UNDEFINED,
};

struct rule { enum rule_kind kind; int64_t offset; }; /* of an expression: where it stands */

struct row {
	struct rule regs[CFI_REGS];
	uint64_t cfa_register;
	int64_t cfa_offset;
	uint64_t cfa_expression;   /* where it stands; 0: there is none */
};

struct machine {
	const struct description *d;
	struct row row, initial, remembered[MOST_REMEMBERED];
	unsigned nr_remembered;
	uint64_t location;
};

static void
set_rule(struct row *row, uint64_t reg, enum rule_kind kind, int64_t offset)
{
	if (reg < CFI_REGS)
		row->regs[reg] = (struct rule){ kind, offset };
}

/* An expression: its length, then so many bytes. Returns where it stands. */
static uint64_t
expression(struct cursor *r)
{
	uint64_t at = r->at, n = leb(r, false);

	if (r->bad || n > r->end - r->at)
		r->bad = true;
	else
		r->at += n;
	return at;
}

static int64_t
factored(int64_t n, int64_t by)
{
	return (int64_t)((uint64_t)n * (uint64_t)by);
}

static void
set_offset(struct machine *m, struct cursor *r, uint64_t reg, enum rule_kind kind, bool is_signed)
{
	set_rule(&m->row, reg, kind, factored((int64_t)leb(r, is_signed), m->d->data_align));
}

static void
set_cfa(struct row *row, uint64_t reg, int64_t offset)
{
	row->cfa_register = reg;
	row->cfa_offset = offset;
	row->cfa_expression = 0;
}

static bool
remember(struct machine *m, bool restore)
{
	if (restore ? !m->nr_remembered : m->nr_remembered == MOST_REMEMBERED)
		return false;
	if (restore)
		m->row = m->remembered[--m->nr_remembered];
	else
		m->remembered[m->nr_remembered++] = m->row;
	return true;
}

static void
define_register(struct machine *m, struct cursor *r, unsigned op)
{
	uint64_t reg = leb(r, false), in;

	switch (op) {
	case DW_CFA_offset_extended:
		set_offset(m, r, reg, RULE_OFFSET, false);
		break;
	case DW_CFA_offset_extended_sf:
		set_offset(m, r, reg, RULE_OFFSET, true);
		break;
	case DW_CFA_GNU_negative_offset_extended:
		set_rule(&m->row, reg, RULE_OFFSET,
			 factored(-(int64_t)(leb(r, false) & INT64_MAX), m->d->data_align));
		break;
	case DW_CFA_val_offset:
		set_offset(m, r, reg, RULE_VALUE_OFFSET, false);
		break;
	case DW_CFA_val_offset_sf:
		set_offset(m, r, reg, RULE_VALUE_OFFSET, true);
		break;
	case DW_CFA_restore_extended:
		if (reg < CFI_REGS)
			m->row.regs[reg] = m->initial.regs[reg];
		break;
	case DW_CFA_undefined:
		set_rule(&m->row, reg, RULE_UNDEFINED, 0);
		break;
	case DW_CFA_same_value:
		set_rule(&m->row, reg, RULE_SAME, 0);
		break;
	case DW_CFA_register:
		in = leb(r, false);
		set_rule(&m->row, reg, in < CFI_REGS ? RULE_REGISTER : RULE_UNDEFINED,
			 (int64_t)(in % CFI_REGS));
		break;
	case DW_CFA_expression:
		set_rule(&m->row, reg, RULE_EXPRESSION, (int64_t)expression(r));
		break;
	case DW_CFA_val_expression:
		set_rule(&m->row, reg, RULE_VALUE_EXPRESSION, (int64_t)expression(r));
		break;
	default:
		r->bad = true;
	}
}

/* An instruction whose operands stand behind it. False: it is not known. */
static bool
extended(struct machine *m, struct cursor *r, unsigned op)
{
	struct row *row = &m->row;
	uint64_t reg;

	switch (op) {
	case DW_CFA_nop:
		return true;
	case DW_CFA_set_loc:
		m->location = get_encoded(r, m->d->encoding);
		return true;
	case DW_CFA_advance_loc1:
		m->location += get(r, 1) * m->d->code_align;
		return true;
	case DW_CFA_advance_loc2:
		m->location += get(r, 2) * m->d->code_align;
		return true;
	case DW_CFA_advance_loc4:
		m->location += get(r, 4) * m->d->code_align;
		return true;
	case DW_CFA_remember_state:
	case DW_CFA_restore_state:
		return remember(m, op == DW_CFA_restore_state);
	case DW_CFA_def_cfa:
		reg = leb(r, false);
		set_cfa(row, reg, (int64_t)leb(r, false));
		return true;
	case DW_CFA_def_cfa_sf:
		reg = leb(r, false);
		set_cfa(row, reg, factored((int64_t)leb(r, true), m->d->data_align));
		return true;
	case DW_CFA_def_cfa_register:
		set_cfa(row, leb(r, false), row->cfa_offset);
		return true;
	case DW_CFA_def_cfa_offset:
		row->cfa_offset = (int64_t)leb(r, false);
		return true;
	case DW_CFA_def_cfa_offset_sf:
		row->cfa_offset = factored((int64_t)leb(r, true), m->d->data_align);
		return true;
	case DW_CFA_def_cfa_expression:
		row->cfa_expression = expression(r);
		return true;
	case DW_CFA_GNU_args_size:
		leb(r, false);
		return true;
	default:
		define_register(m, r, op);
		return true;
	}
}

/* Runs until the location lies behind PC. */
static bool
run(struct machine *m, struct cursor r, uint64_t pc)
{
	while (r.at < r.end && m->location <= pc) {
		unsigned op = (unsigned)get(&r, 1), low = op & DW_CFA_operand;

		if (op >> DW_CFA_shift == DW_CFA_advance_loc >> DW_CFA_shift)
			m->location += low * m->d->code_align;
		else if (op >> DW_CFA_shift == DW_CFA_offset >> DW_CFA_shift)
			set_offset(m, &r, low, RULE_OFFSET, false);
		else if (op >> DW_CFA_shift == DW_CFA_restore >> DW_CFA_shift && low < CFI_REGS)
			m->row.regs[low] = m->initial.regs[low];
		else if (op >> DW_CFA_shift == 0 && !extended(m, &r, op))
			return false;
		if (r.bad)
			return false;
	}
	return true;
}

/* ---- values ---- */

bool
cfi_load(const struct cfi_stack *stack, uint64_t address, uint64_t *value)
{
	uint64_t at = address - stack->begin;

	if (address < stack->begin || stack->size < 8 || at > stack->size - 8)
		return false;
	memcpy(value, stack->bytes + at, 8);
	return true;
}

struct place { const struct cfi_frame *f; const struct cfi_stack *stack; uint64_t bias; };

static bool
binary(unsigned op, uint64_t a, uint64_t b, uint64_t *out)
{
	switch (op) {
	case DW_OP_and:
		*out = a & b;
		return true;
	case DW_OP_minus:
		*out = a - b;
		return true;
	case DW_OP_or:
		*out = a | b;
		return true;
	case DW_OP_plus:
		*out = a + b;
		return true;
	case DW_OP_shl:
		*out = b < 64 ? a << b : 0;
		return true;
	case DW_OP_eq:
		*out = a == b;
		return true;
	case DW_OP_ge:
		*out = (int64_t)a >= (int64_t)b;
		return true;
	case DW_OP_gt:
		*out = (int64_t)a > (int64_t)b;
		return true;
	case DW_OP_le:
		*out = (int64_t)a <= (int64_t)b;
		return true;
	case DW_OP_lt:
		*out = (int64_t)a < (int64_t)b;
		return true;
	case DW_OP_ne:
		*out = a != b;
		return true;
	default:
		return false;
	}
}

/* A number that stands behind OP. */
static bool
constant(struct cursor *r, unsigned op, uint64_t *value)
{
	static const uint8_t size[] = { [DW_OP_const1u - DW_OP_const1u] = 1,
					[DW_OP_const2u - DW_OP_const1u] = 2,
					[DW_OP_const4u - DW_OP_const1u] = 4,
					[DW_OP_const8u - DW_OP_const1u] = 8 };

	if (op < DW_OP_const1u || op > DW_OP_const8u)
		return false;
	*value = (op - DW_OP_const1u) % 2 ? (uint64_t)get_signed(r, size[op - DW_OP_const1u - 1])
					  : get(r, size[op - DW_OP_const1u]);
	return true;
}

/* Sets what the expression at AT is; FIRST, if not NULL, is on its stack. */
static bool
evaluate(const struct cfi *c, const struct place *p, uint64_t at, const uint64_t *first,
	 uint64_t *result)
{
	struct cursor r = { c, at, c->size, false };
	uint64_t s[MOST_STACK], length = leb(&r, false);
	unsigned n = 0;

	if (r.bad || length > r.end - r.at)
		return false;
	r.end = r.at + length;
	if (first)
		s[n++] = *first;
	while (r.at < r.end) {
		unsigned op = (unsigned)get(&r, 1), reg = op - DW_OP_breg0;

		if (n == MOST_STACK)
			return false;
		if (op >= DW_OP_breg0 && op <= DW_OP_breg16) {
			if (!(p->f->known >> reg & 1))
				return false;
			/* The pc itself, and not where the call before it was. */
			s[n++] = p->f->regs[reg] + leb(&r, true);
		} else if (op >= DW_OP_lit0 && op <= DW_OP_lit31) {
			s[n++] = op - DW_OP_lit0;
		} else if (op == DW_OP_addr) {
			s[n++] = get(&r, 8) + p->bias;
		} else if (constant(&r, op, &s[n])) {
			n++;
		} else if (op == DW_OP_deref && n) {
			if (!cfi_load(p->stack, s[n - 1], &s[n - 1]))
				return false;
		} else if (op == DW_OP_plus_uconst && n) {
			s[n - 1] += leb(&r, false);
		} else if (op == DW_OP_dup && n) {
			s[n] = s[n - 1];
			n++;
		} else if (n >= 2 && binary(op, s[n - 2], s[n - 1], &s[n - 2])) {
			n--;
		} else {
			return false;
		}
		if (r.bad)
			return false;
	}
	*result = n ? s[n - 1] : 0;
	return n > 0;
}

/* ---- a step ---- */

static bool
value_of(const struct cfi *c, const struct place *p, const struct rule *rule, uint64_t cfa,
	 unsigned reg, uint64_t *value)
{
	uint64_t address;

	switch (rule->kind) {
	case RULE_SAME:
		*value = p->f->regs[reg];
		return p->f->known >> reg & 1;
	case RULE_OFFSET:
		return cfi_load(p->stack, cfa + (uint64_t)rule->offset, value);
	case RULE_VALUE_OFFSET:
		*value = cfa + (uint64_t)rule->offset;
		return true;
	case RULE_EXPRESSION:
		return evaluate(c, p, (uint64_t)rule->offset, &cfa, &address) &&
		       cfi_load(p->stack, address, value);
	case RULE_VALUE_EXPRESSION:
		return evaluate(c, p, (uint64_t)rule->offset, &cfa, value);
	case RULE_REGISTER:
		*value = p->f->regs[rule->offset];
		return p->f->known >> rule->offset & 1;
	default:
		return false;
	}
}

static bool
cfa_of(const struct cfi *c, const struct place *p, const struct row *row, uint64_t *cfa)
{
	if (row->cfa_expression)
		return evaluate(c, p, row->cfa_expression, NULL, cfa);
	if (row->cfa_register >= CFI_REGS || !(p->f->known >> row->cfa_register & 1))
		return false;
	*cfa = p->f->regs[row->cfa_register] + (uint64_t)row->cfa_offset;
	return true;
}

static bool
work_out(const struct cfi *c, uint64_t pc, struct machine *m, struct description *d)
{
	const struct procedure *p = procedure_at(c, pc);

	if (!p || !describe(c, p->at, d))
		return false;
	*m = (struct machine){ .d = d };
	if (!run(m, d->initial, UINT64_MAX))
		return false;
	m->initial = m->row;
	m->location = d->begin;
	return run(m, d->program, pc);
}

static enum cfi_result
step(const struct cfi *c, uint64_t bias, struct cfi_frame *f, const struct cfi_stack *stack)
{
	const struct place p = { f, stack, bias };
	uint64_t pc = f->regs[CFI_RA] - bias - f->is_return, cfa;
	struct cfi_frame next = { .known = 0 };
	struct description d;
	struct machine m;

	/* Where a signal's handler returns to stands at the beginning of its description. */
	if (!work_out(c, pc, &m, &d) &&
	    !(f->is_return && work_out(c, pc + 1, &m, &d) && d.signal_frame))
		return CFI_UNKNOWN;
	if (m.row.regs[CFI_RA].kind == RULE_UNDEFINED)
		return CFI_END;
	if (!cfa_of(c, &p, &m.row, &cfa) ||
	    (!d.signal_frame && m.row.regs[CFI_RA].kind == RULE_OFFSET &&
	     cfa <= f->regs[CFI_SP]) ||
	    !value_of(c, &p, &m.row.regs[CFI_RA], cfa, CFI_RA, &next.regs[CFI_RA]))
		return CFI_UNKNOWN;
	if (!next.regs[CFI_RA])
		return CFI_END;
	if (m.row.regs[CFI_SP].kind == RULE_SAME)
		m.row.regs[CFI_SP] = (struct rule){ RULE_VALUE_OFFSET, 0 };
	for (unsigned i = 0; i < CFI_RA; i++)
		if (value_of(c, &p, &m.row.regs[i], cfa, i, &next.regs[i]))
			next.known |= 1u << i;
	if (!(next.known >> CFI_SP & 1))
		return CFI_UNKNOWN;
	next.known |= 1u << CFI_RA;
	next.is_return = !d.signal_frame;
	*f = next;
	return CFI_OK;
}

enum cfi_result
cfi_step(const struct cfi *c, uint64_t bias, struct cfi_frame *f, const struct cfi_stack *stack)
{
	enum cfi_result result = CFI_UNKNOWN;

	for (; c && result == CFI_UNKNOWN; c = c->other)
		result = step(c, bias, f, stack);
	return result;
}
