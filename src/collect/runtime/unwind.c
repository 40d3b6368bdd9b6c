#include "unwind.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "collect/dwarf_cfi.h"

/* ---- loaded objects ---- */

/* Objects that were loaded at the start are never unloaded. For all others glibc's own table is
 * asked, which may be read in a signal handler; a glibc older than 2.35 has none. */
static _Atomic uint32_t nr_objects;
static _Atomic uint32_t unloading, walking;
static _Atomic bool has_rules; /* some have been remembered since they were forgotten */

extern __typeof__(_dl_find_object) _dl_find_object __attribute__((weak));

/* The I-th that was noted. */
static struct object *
object(uint32_t i)
{
	return &runtime.tables->objects[MAX_OBJECTS - 1 - i];
}

struct noting {
	uint32_t nr, most;
};

static int
note_object(struct dl_phdr_info *info, size_t size, void *argument)
{
	struct noting *n = argument;
	struct object o = {0};
	int i;

	(void)size;
	for (i = 0; i < info->dlpi_phnum; i++) {
		const Elf64_Phdr *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_LOAD && (p->p_flags & PF_X)) {
			o.text_start = info->dlpi_addr + p->p_vaddr;
			o.text_end = o.text_start + p->p_memsz;
		} else if (p->p_type == PT_GNU_EH_FRAME) {
			o.table = (const unsigned char *)info->dlpi_addr + p->p_vaddr;
		}
	}
	if (o.table && o.text_end && n->nr < n->most)
		*object(n->nr++) = o;
	return 0;
}

void
unwind_start(bool at_program_start)
{
	struct noting n = {.most = at_program_start ? MAX_OBJECTS : 1};

	dl_iterate_phdr(note_object, &n);
	atomic_store(&nr_objects, n.nr);
}

/* Forgets the rules that were worked out before. What has none stays untouched. */
void
unwind_forget(void)
{
	uint32_t i;

	if (!atomic_exchange(&has_rules, false))
		return;
	for (i = 0; runtime.tables && i < MAX_RULES; i++)
		if (atomic_load_explicit(&runtime.tables->rules[i].pc, memory_order_relaxed))
			atomic_store_explicit(&runtime.tables->rules[i].pc, 0,
					      memory_order_relaxed);
}

void
unwind_suspend(void)
{
	static const struct timespec pause = {.tv_nsec = 100000};

	atomic_fetch_add(&unloading, 1);
	while (atomic_load(&walking)) /* in other threads; they are soon done */
		kernel(SYS_nanosleep, &pause, NULL);
}

void
unwind_resume(void)
{
	unwind_forget();
	atomic_fetch_sub(&unloading, 1);
}

void
unwind_after_fork(void)
{
	atomic_store(&walking, 0);
	atomic_store(&unloading, 0);
}

bool
unwind_enter(void)
{
	atomic_fetch_add(&walking, 1);
	if (!atomic_load(&unloading))
		return true;
	atomic_fetch_sub(&walking, 1);
	return false;
}

void
unwind_leave(void)
{
	atomic_fetch_sub(&walking, 1);
}

/* The call frame information of the object that PC is in, NULL: not known. */
static const unsigned char *
table_of(uint64_t pc, bool all)
{
	uint32_t i, n = atomic_load_explicit(&nr_objects, memory_order_acquire);
	struct dl_find_object found;

	for (i = 0; i < n; i++)
		if (pc >= object(i)->text_start && pc < object(i)->text_end)
			return object(i)->table;
	if (!all || !_dl_find_object || _dl_find_object((void *)(uintptr_t)pc, &found) < 0)
		return NULL;
	return found.dlfo_eh_frame;
}

bool
unwind_can_read_code(const struct frame *f, uint64_t pc)
{
	return table_of(pc, f->all) != NULL;
}

/* ---- reading ---- */

static uint64_t
read_number(const unsigned char **p, unsigned size)
{
	uint64_t v = 0;

	memcpy(&v, *p, size);
	*p += size;
	return v;
}

static int64_t
read_signed(const unsigned char **p, unsigned size)
{
	unsigned shift = 64 - 8 * size;

	return (int64_t)(read_number(p, size) << shift) >> shift;
}

/* Reads seven bits a byte; IS_SIGNED: the last one has the sign. */
static uint64_t
read_leb(const unsigned char **p, bool is_signed)
{
	uint64_t v = 0;
	unsigned shift = 0;
	unsigned char byte;

	do {
		byte = *(*p)++;
		if (shift < 64)
			v |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (is_signed && shift < 64 && (byte & 0x40))
		v |= -((uint64_t)1 << shift);
	return v;
}

static uint64_t
read_uleb(const unsigned char **p)
{
	return read_leb(p, false);
}

static int64_t
read_sleb(const unsigned char **p)
{
	return (int64_t)read_leb(p, true);
}

/* A pointer in one of the encodings DW_EH_PE_*; those that occur here. */
static uint64_t
read_encoded(const unsigned char **p, unsigned char encoding)
{
	uint64_t at = (uint64_t)(uintptr_t)*p, v;

	switch (encoding & DW_EH_PE_format) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_udata8:
		v = read_number(p, 8);
		break;
	case DW_EH_PE_uleb128:
		v = read_uleb(p);
		break;
	case DW_EH_PE_udata2:
		v = read_number(p, 2);
		break;
	case DW_EH_PE_udata4:
		v = read_number(p, 4);
		break;
	case DW_EH_PE_sleb128:
		v = (uint64_t)read_sleb(p);
		break;
	case DW_EH_PE_sdata2:
		v = (uint64_t)read_signed(p, 2);
		break;
	case DW_EH_PE_sdata4:
		v = (uint64_t)read_signed(p, 4);
		break;
	default:
		v = read_number(p, 8);
		break;
	}
	return (encoding & DW_EH_PE_relative) == DW_EH_PE_pcrel ? v + at : v;
}

/* ---- finding the description of a pc ---- */

struct description {
	const unsigned char *initial, *initial_end; /* the CIE's instructions */
	const unsigned char *program, *program_end; /* the FDE's */
	uint64_t begin;
	uint64_t code_align;
	int64_t data_align;
	unsigned char encoding;
	bool signal_frame, augmented;
};

/* Sorted table of (procedure, description), both relative to the table: version 1, 4-byte entries.
 */
static const unsigned char *
search_table(const unsigned char *table, uint64_t pc)
{
	const unsigned char *p = table + 4;
	const int32_t *rows;
	uint64_t n, lo = 0, hi, mid;

	if (table[0] != 1 || table[2] != DW_EH_PE_udata4 ||
	    table[3] != (DW_EH_PE_datarel | DW_EH_PE_sdata4))
		return NULL;
	read_encoded(&p, table[1]);
	n = read_number(&p, 4);
	rows = (const int32_t *)p;
	for (hi = n; lo < hi;) {
		mid = lo + (hi - lo) / 2;
		if ((uint64_t)(uintptr_t)table + (uint64_t)(int64_t)rows[2 * mid] <= pc)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? table + rows[2 * (lo - 1) + 1] : NULL;
}

static void
read_augmentation(const char *letters, const unsigned char *p, struct description *d)
{
	unsigned char encoding;

	for (; *letters; letters++)
		switch (*letters) {
		case 'R':
			d->encoding = *p++;
			break;
		case 'L':
			p++;
			break;
		case 'P':
			encoding = *p++;
			read_encoded(&p, encoding);
			break;
		case 'S':
			d->signal_frame = true;
			break;
		default:
			break;
		}
}

static bool
read_cie(const unsigned char *p, struct description *d)
{
	uint64_t length = read_number(&p, 4);
	const unsigned char *end = p + length, *letters, *after;
	unsigned char version;

	if (length >= DW_LENGTH_lo_reserved)
		return false;
	p += 4;
	version = *p++;
	letters = p;
	p += strlen((const char *)p) + 1;
	d->code_align = read_uleb(&p);
	d->data_align = read_sleb(&p);
	if (version == 1)
		p++;
	else
		read_uleb(&p);
	d->augmented = *letters == 'z';
	if (!d->augmented && *letters)
		return false;
	if (d->augmented) {
		length = read_uleb(&p);
		after = p + length;
		read_augmentation((const char *)letters + 1, p, d);
		p = after;
	}
	d->initial = p;
	d->initial_end = end;
	return true;
}

static bool
describe(uint64_t pc, bool all, struct description *d)
{
	const unsigned char *table = table_of(pc, all);
	const unsigned char *p = table ? search_table(table, pc) : NULL, *cie;
	uint64_t length, size;

	*d = (struct description){0};
	if (!p)
		return false;
	length = read_number(&p, 4);
	if (!length || length >= DW_LENGTH_lo_reserved)
		return false;
	d->program_end = p + length;
	cie = p;
	cie -= read_number(&p, 4);
	if (!read_cie(cie, d))
		return false;
	d->begin = read_encoded(&p, d->encoding);
	size = read_encoded(&p, d->encoding & DW_EH_PE_format);
	if (pc < d->begin || pc >= d->begin + size)
		return false;
	if (d->augmented) {
		length = read_uleb(&p);
		p += length;
	}
	d->program = p;
	return true;
}

/* ---- the program that describes where the registers are ---- */

enum rule_kind {
	RULE_SAME, RULE_OFFSET, RULE_VALUE_OFFSET, RULE_EXPRESSION, RULE_REGISTER, RULE_UNDEFINED
};

/* Only what leads on to the next caller: frame pointer, stack pointer, return address, and the
 * register in which the dynamic linker keeps the stack pointer. */
enum { KEPT_FP, KEPT_SP, KEPT_RA, KEPT_BX, NR_KEPT, NOT_KEPT = NR_KEPT };

struct rule {
	enum rule_kind kind;
	int32_t offset; /* RULE_REGISTER: its number */
	const unsigned char *expression;
};

struct row {
	struct rule kept[NR_KEPT];
	bool eh_return;			     /* it saves rax and rdx: only what throws does so */
	const unsigned char *cfa_expression; /* NULL: register and offset */
	uint32_t cfa_register;
	int32_t cfa_offset;
};

enum { MAX_REMEMBERED = 4 };
struct machine {
	struct row row, initial;
	struct row remembered[MAX_REMEMBERED];
	unsigned nr_remembered;
	uint64_t location;
};

static unsigned
kept(uint64_t reg)
{
	return reg == REG_FP   ? KEPT_FP
	       : reg == REG_SP ? KEPT_SP
	       : reg == REG_RA ? KEPT_RA
	       : reg == REG_BX ? KEPT_BX
			       : NOT_KEPT;
}

static void
set_rule(struct row *row, uint64_t reg, enum rule_kind kind, int64_t offset)
{
	if (kept(reg) != NOT_KEPT)
		row->kept[kept(reg)] = (struct rule){.kind = kind, .offset = (int32_t)offset};
	row->eh_return |= reg == REG_AX && kind == RULE_OFFSET;
}

static void
set_expression(struct row *row, uint64_t reg, const unsigned char **p, enum rule_kind kind)
{
	const unsigned char *expression = *p;
	uint64_t length = read_uleb(p);

	*p += length;
	if (kept(reg) != NOT_KEPT)
		row->kept[kept(reg)] = (struct rule){.kind = kind, .expression = expression};
}

static void
restore(struct machine *m, uint64_t reg)
{
	if (kept(reg) != NOT_KEPT)
		m->row.kept[kept(reg)] = m->initial.kept[kept(reg)];
}

/* One instruction of the second kind (opcode in the low six bits). False: not known. */
static bool
extended(struct machine *m, const struct description *d, unsigned char op, const unsigned char **p)
{
	struct row *row = &m->row;
	uint64_t reg, in;

	switch (op) {
	case DW_CFA_nop:
		break;
	case DW_CFA_set_loc:
		m->location = read_encoded(p, d->encoding);
		break;
	case DW_CFA_advance_loc1:
		m->location += read_number(p, 1) * d->code_align;
		break;
	case DW_CFA_advance_loc2:
		m->location += read_number(p, 2) * d->code_align;
		break;
	case DW_CFA_advance_loc4:
		m->location += read_number(p, 4) * d->code_align;
		break;
	case DW_CFA_offset_extended:
		reg = read_uleb(p);
		set_rule(row, reg, RULE_OFFSET, (int64_t)read_uleb(p) * d->data_align);
		break;
	case DW_CFA_restore_extended:
		restore(m, read_uleb(p));
		break;
	case DW_CFA_undefined:
		set_rule(row, read_uleb(p), RULE_UNDEFINED, 0);
		break;
	case DW_CFA_same_value:
		set_rule(row, read_uleb(p), RULE_SAME, 0);
		break;
	case DW_CFA_register:
		reg = read_uleb(p);
		in = read_uleb(p);
		set_rule(row, reg, in < NR_REGS ? RULE_REGISTER : RULE_UNDEFINED, (int64_t)in);
		break;
	case DW_CFA_remember_state:
		if (m->nr_remembered == MAX_REMEMBERED)
			return false;
		m->remembered[m->nr_remembered++] = *row;
		break;
	case DW_CFA_restore_state:
		if (!m->nr_remembered)
			return false;
		*row = m->remembered[--m->nr_remembered];
		break;
	case DW_CFA_def_cfa:
		row->cfa_register = (uint32_t)read_uleb(p);
		row->cfa_offset = (int32_t)read_uleb(p);
		row->cfa_expression = NULL;
		break;
	case DW_CFA_def_cfa_register:
		row->cfa_register = (uint32_t)read_uleb(p);
		row->cfa_expression = NULL;
		break;
	case DW_CFA_def_cfa_offset:
		row->cfa_offset = (int32_t)read_uleb(p);
		break;
	case DW_CFA_def_cfa_expression:
		row->cfa_expression = *p;
		reg = read_uleb(p);
		*p += reg;
		break;
	case DW_CFA_expression:
		set_expression(row, read_uleb(p), p, RULE_EXPRESSION);
		break;
	case DW_CFA_offset_extended_sf:
		reg = read_uleb(p);
		set_rule(row, reg, RULE_OFFSET, read_sleb(p) * d->data_align);
		break;
	case DW_CFA_def_cfa_sf:
		row->cfa_register = (uint32_t)read_uleb(p);
		row->cfa_offset = (int32_t)(read_sleb(p) * d->data_align);
		row->cfa_expression = NULL;
		break;
	case DW_CFA_def_cfa_offset_sf:
		row->cfa_offset = (int32_t)(read_sleb(p) * d->data_align);
		break;
	case DW_CFA_val_offset:
		reg = read_uleb(p);
		set_rule(row, reg, RULE_VALUE_OFFSET, (int64_t)read_uleb(p) * d->data_align);
		break;
	case DW_CFA_GNU_args_size:
		read_uleb(p);
		break;
	default:
		return false;
	}
	return true;
}

/* Run until the location lies behind PC. */
static bool
run(struct machine *m, const struct description *d, const unsigned char *p,
    const unsigned char *end, uint64_t pc)
{
	while (p < end && m->location <= pc) {
		unsigned char op = *p++;

		switch (op >> DW_CFA_shift) {
		case DW_CFA_advance_loc >> DW_CFA_shift:
			m->location += (op & DW_CFA_operand) * d->code_align;
			break;
		case DW_CFA_offset >> DW_CFA_shift:
			set_rule(&m->row, op & DW_CFA_operand, RULE_OFFSET,
				 (int64_t)read_uleb(&p) * d->data_align);
			break;
		case DW_CFA_restore >> DW_CFA_shift:
			restore(m, op & DW_CFA_operand);
			break;
		default:
			if (!extended(m, d, op, &p))
				return false;
		}
	}
	return true;
}

/* ---- expressions: the linker's for the PLT, glibc's for signal frames, gcc's for realigned stacks
 * ---- */

/* The kernel looks, and finds that 99 is no operation. */
bool
unwind_readable(uintptr_t address)
{
	int saved = errno;
	bool yes = kernel(SYS_rt_sigprocmask, 99, address, NULL, 8) < 0 && errno == EINVAL;

	errno = saved;
	return yes;
}

/* Values that an epilogue has popped may still be read: a signal's frame lies below the red
 * zone. */
enum { RED_ZONE = 128, FAR = 1 << 20 };

bool
unwind_load(struct frame *f, uint64_t address, uint64_t *value)
{
	uint64_t first = f->regs[REG_SP] - RED_ZONE;

	if (address & 7)
		return false;
	if (address < f->lo || address >= f->hi) {
		if (!f->probe || address < first || address - first > FAR ||
		    !unwind_readable(page_down(address)))
			return false;
		f->lo = page_down(address);
		f->hi = f->lo + RAW_PAGE;
	}
	*value = *(const volatile uint64_t *)(uintptr_t)(address + (uint64_t)f->moved);
	return true;
}

void
unwind_find_stack(struct frame *f)
{
	uintptr_t sp = f->regs[REG_SP];

	f->probe = sp < f->thread_lo || sp >= f->thread_hi;
	f->lo = f->probe ? 0 : (sp - RED_ZONE) & ~(uintptr_t)7;
	f->hi = f->probe ? 0 : f->thread_hi & ~(uintptr_t)7;
}

static bool
binary(unsigned char op, uint64_t a, uint64_t b, uint64_t *out)
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

static bool
evaluate(struct frame *f, const unsigned char *p, const uint64_t *first, uint64_t *result)
{
	uint64_t stack[8], length = read_uleb(&p);
	const unsigned char *end = p + length;
	unsigned n = 0, reg, size;

	if (first)
		stack[n++] = *first;
	while (p < end) {
		unsigned char op = *p++;

		if (n == 8)
			return false;
		if (op >= DW_OP_breg0 && op <= DW_OP_breg16) {
			reg = op - DW_OP_breg0;
			if (!(f->known & 1u << reg))
				return false;
			stack[n++] = f->regs[reg] + (uint64_t)read_sleb(&p);
		} else if (op >= DW_OP_lit0 && op <= DW_OP_lit31) {
			stack[n++] = op - DW_OP_lit0;
		} else if (op == DW_OP_const1u || op == DW_OP_const2u || op == DW_OP_const4u) {
			size = op == DW_OP_const1u ? 1 : op == DW_OP_const2u ? 2 : 4;
			stack[n++] = read_number(&p, size);
		} else if (op == DW_OP_const1s || op == DW_OP_const2s || op == DW_OP_const4s) {
			size = op == DW_OP_const1s ? 1 : op == DW_OP_const2s ? 2 : 4;
			stack[n++] = (uint64_t)read_signed(&p, size);
		} else if (op == DW_OP_deref && n) {
			if (!unwind_load(f, stack[n - 1], &stack[n - 1]))
				return false;
		} else if (op == DW_OP_plus_uconst && n) {
			stack[n - 1] += read_uleb(&p);
		} else if (op == DW_OP_dup && n) {
			stack[n] = stack[n - 1];
			n++;
		} else if (n >= 2 && binary(op, stack[n - 2], stack[n - 1], &stack[n - 2])) {
			n--;
		} else {
			return false;
		}
	}
	*result = n ? stack[n - 1] : 0;
	return n > 0;
}

/* ---- a step ---- */

static bool
value_of(struct frame *f, const struct rule *r, uint64_t cfa, unsigned reg, uint64_t *value)
{
	uint64_t address;

	switch (r->kind) {
	case RULE_SAME:
		*value = f->regs[reg];
		return (f->known & 1u << reg) != 0;
	case RULE_OFFSET:
		return unwind_load(f, cfa + (uint64_t)(int64_t)r->offset, value);
	case RULE_VALUE_OFFSET:
		*value = cfa + (uint64_t)(int64_t)r->offset;
		return true;
	case RULE_EXPRESSION:
		return evaluate(f, r->expression, &cfa, &address) && unwind_load(f, address, value);
	case RULE_REGISTER:
		*value = f->regs[r->offset];
		return (f->known & 1u << r->offset) != 0;
	default:
		return false;
	}
}

static bool
simple_register(const struct rule *r)
{
	return r->kind == RULE_SAME || (r->kind == RULE_OFFSET && r->offset < 0 &&
					r->offset > -32768 && r->offset % 8 == 0);
}

static bool
simple(const struct row *r)
{
	return !r->eh_return && !r->cfa_expression &&
	       (r->cfa_register == REG_FP || r->cfa_register == REG_SP) && r->cfa_offset >= 0 &&
	       r->cfa_offset < 1 << 23 && r->kept[KEPT_RA].kind == RULE_OFFSET &&
	       r->kept[KEPT_RA].offset == -8 && r->kept[KEPT_SP].kind == RULE_SAME &&
	       simple_register(&r->kept[KEPT_FP]) && simple_register(&r->kept[KEPT_BX]);
}

static uint64_t
pack_register(const struct rule *r)
{
	return r->kind == RULE_OFFSET ? (uint64_t)-r->offset / 8 : 0;
}

static struct rule
unpack_register(uint64_t bits)
{
	return bits & 0xfff ? (struct rule){.kind = RULE_OFFSET, .offset = -8 * (int)(bits & 0xfff)}
			    : (struct rule){.kind = RULE_SAME};
}

/* A simple row in 64 bits: 0..22 offset of the CFA, 23 is it from the frame pointer, 24..35 and
 * 36..47 where the frame pointer and rbx are, and 16 bits of the pc that it belongs to. */
static uint64_t
check_bits(uint64_t pc)
{
	return pc * 0x9e3779b97f4a7c15u >> 48 << 48;
}

static uint64_t
pack(const struct row *r)
{
	return (uint64_t)r->cfa_offset | (uint64_t)(r->cfa_register == REG_FP) << 23 |
	       pack_register(&r->kept[KEPT_FP]) << 24 | pack_register(&r->kept[KEPT_BX]) << 36;
}

static struct row
unpack(uint64_t rule)
{
	struct row r = {0};

	r.cfa_offset = (int32_t)(rule & 0x7fffff);
	r.cfa_register = rule >> 23 & 1 ? REG_FP : REG_SP;
	r.kept[KEPT_RA] = (struct rule){.kind = RULE_OFFSET, .offset = -8};
	r.kept[KEPT_FP] = unpack_register(rule >> 24);
	r.kept[KEPT_BX] = unpack_register(rule >> 36);
	return r;
}

/* Threads may write one entry at a time: a rule is only taken if it belongs to the pc. */
static struct cached *
cached(uint64_t pc)
{
	return &runtime.tables->rules[(pc ^ pc >> 12) % MAX_RULES];
}

static bool
rule_known(uint64_t pc, uint64_t *rule)
{
	struct cached *c = cached(pc);

	if (atomic_load_explicit(&c->pc, memory_order_acquire) != pc)
		return false;
	*rule = atomic_load_explicit(&c->rule, memory_order_acquire);
	return !((*rule ^ check_bits(pc)) >> 48);
}

static bool
row_known(uint64_t pc, struct row *row)
{
	uint64_t rule;

	if (!rule_known(pc, &rule))
		return false;
	*row = unpack(rule);
	return true;
}

static void
remember(uint64_t pc, const struct row *row)
{
	struct cached *c = cached(pc);

	atomic_store_explicit(&c->rule, pack(row) | check_bits(pc), memory_order_release);
	atomic_store_explicit(&c->pc, pc, memory_order_release);
	atomic_store(&has_rules, true);
}

static bool
work_out(uint64_t pc, bool all, struct row *row, bool *signal_frame)
{
	struct description d;
	struct machine m = {0};

	if (!describe(pc, all, &d))
		return false;
	if (!run(&m, &d, d.initial, d.initial_end, UINT64_MAX))
		return false;
	m.initial = m.row;
	m.location = d.begin;
	if (!run(&m, &d, d.program, d.program_end, pc))
		return false;
	*row = m.row;
	*signal_frame = d.signal_frame;
	if (!d.signal_frame && simple(&m.row))
		remember(pc, &m.row);
	return true;
}

/* Its own stack, or that of the code that a signal interrupted, may be another one. */
static struct frame
caller_of(const struct frame *f, bool signal_frame)
{
	return (struct frame){
		.is_return = !signal_frame,
		.probe = f->probe,
		.all = f->all,
		.moved = f->moved,
		.lo = f->lo,
		.hi = f->hi,
		.thread_lo = f->thread_lo,
		.thread_hi = f->thread_hi,
	};
}

static bool
find_cfa(struct frame *f, const struct row *row, uint64_t *cfa)
{
	if (row->cfa_expression)
		return evaluate(f, row->cfa_expression, NULL, cfa);
	if (row->cfa_register >= NR_REGS || !(f->known & 1u << row->cfa_register))
		return false;
	*cfa = f->regs[row->cfa_register] + (uint64_t)(int64_t)row->cfa_offset;
	return true;
}

static enum unwind_result
apply(struct frame *f, const struct row *row, bool signal_frame)
{
	static const struct {
		unsigned char reg, rule;
	} others[] = {{REG_FP, KEPT_FP}, {REG_BX, KEPT_BX}};
	struct frame next = caller_of(f, signal_frame);
	uint64_t cfa, least = f->regs[REG_SP] + 1;
	unsigned i;

	if (row->kept[KEPT_RA].kind == RULE_UNDEFINED)
		return UNWIND_END;
	/* Code that was jumped to, with where to go on in a register, has nothing on the stack. */
	if (row->kept[KEPT_RA].kind == RULE_REGISTER && !f->is_return)
		least = f->regs[REG_SP];
	if (!find_cfa(f, row, &cfa) || (!signal_frame && cfa < least) ||
	    !value_of(f, &row->kept[KEPT_RA], cfa, REG_RA, &next.regs[REG_RA]))
		return UNWIND_UNKNOWN;
	if (row->kept[KEPT_SP].kind == RULE_SAME)
		next.regs[REG_SP] = cfa;
	else if (!value_of(f, &row->kept[KEPT_SP], cfa, REG_SP, &next.regs[REG_SP]))
		return UNWIND_UNKNOWN;
	next.known = 1u << REG_RA | 1u << REG_SP;
	for (i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (value_of(f, &row->kept[others[i].rule], cfa, others[i].reg,
			     &next.regs[others[i].reg]))
			next.known |= 1u << others[i].reg;
	if (!next.regs[REG_RA])
		return UNWIND_END;
	next.throwing = row->eh_return;
	next.lo = f->lo;
	next.hi = f->hi;
	*f = next;
	if (signal_frame && !f->moved) /* of a copy there is no more than that */
		unwind_find_stack(f);
	return UNWIND_OK;
}

enum unwind_result
unwind_step(struct frame *f)
{
	uint64_t pc = f->regs[REG_RA] - f->is_return;
	bool signal_frame = false;
	struct row row;

	/* A signal frame's return address is that of the interrupted instruction's trampoline. */
	if (!row_known(pc, &row) && !work_out(pc, f->all, &row, &signal_frame) &&
	    !(f->is_return && work_out(pc + 1, f->all, &row, &signal_frame) && signal_frame))
		return UNWIND_UNKNOWN;
	return apply(f, &row, signal_frame);
}

/* Loads from what may be read without asking. */
static bool
load_near(const struct frame *f, uint64_t address, uint64_t *value)
{
	if (address & 7 || address < f->lo || address >= f->hi)
		return false;
	*value = *(const volatile uint64_t *)(uintptr_t)(address + (uint64_t)f->moved);
	return true;
}

/* A register's new value by 12 bits of a rule, where KNOWN says whether it is known. */
static bool
load_kept(const struct frame *f, unsigned reg, uint64_t bits, uint64_t cfa, uint64_t *value,
	  uint32_t *known)
{
	*value = f->regs[reg];
	if (!(bits & 0xfff)) {
		*known |= f->known & 1u << reg;
		return true;
	}
	*known |= 1u << reg;
	return load_near(f, cfa - 8 * (bits & 0xfff), value);
}

bool
unwind_step_known(struct frame *f)
{
	uint64_t pc = f->regs[REG_RA] - f->is_return, rule, cfa, ra, fp, bx;
	uint32_t known = 1u << REG_RA | 1u << REG_SP;
	unsigned base;

	if (!rule_known(pc, &rule))
		return false;
	base = rule >> 23 & 1 ? REG_FP : REG_SP;
	cfa = f->regs[base] + (rule & 0x7fffff);
	if (!(f->known & 1u << base) || cfa <= f->regs[REG_SP] || !load_near(f, cfa - 8, &ra) ||
	    !ra || !load_kept(f, REG_FP, rule >> 24, cfa, &fp, &known) ||
	    !load_kept(f, REG_BX, rule >> 36, cfa, &bx, &known))
		return false;
	f->regs[REG_RA] = ra;
	f->regs[REG_SP] = cfa;
	f->regs[REG_FP] = fp;
	f->regs[REG_BX] = bx;
	f->known = known;
	f->is_return = true;
	f->throwing = false;
	return true;
}

bool
unwind_procedure(const struct frame *f, uint64_t pc, uint64_t *begin)
{
	struct description d;

	if (!describe(pc, f->all, &d))
		return false;
	*begin = d.begin;
	return true;
}
