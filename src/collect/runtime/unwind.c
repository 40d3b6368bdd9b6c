#include "unwind.h"

#include <elf.h>
#include <link.h>
#include <sched.h>
#include <string.h>

/* ---- loaded objects ---- */

struct object {
	uint64_t text_start, text_end;
	const unsigned char *table; /* .eh_frame_hdr */
};

enum { MAX_OBJECTS = 2048 };
static struct object objects[MAX_OBJECTS];
static _Atomic uint32_t nr_objects;
static _Atomic uint32_t suspended, readers;

static int
note_object(struct dl_phdr_info *info, size_t size, void *count)
{
	uint32_t *n = count;
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
	if (o.table && o.text_end && *n < MAX_OBJECTS)
		objects[(*n)++] = o;
	return 0;
}

/* Rules that were worked out before, by pc. */
struct cached {
	_Atomic uint64_t pc, rule;
};
enum { CACHE = 4096 };
static struct cached cache[CACHE];

void
unwind_note_objects(void)
{
	uint32_t n = 0, i;

	unwind_suspend();
	dl_iterate_phdr(note_object, &n);
	atomic_store(&nr_objects, n);
	for (i = 0; i < CACHE; i++)
		atomic_store_explicit(&cache[i].pc, 0, memory_order_relaxed);
	unwind_resume();
}

/* A sample that interrupts the one who waits here comes to its end before he goes on. */
void
unwind_suspend(void)
{
	atomic_fetch_add(&suspended, 1);
	while (atomic_load(&readers))
		sched_yield();
}

void
unwind_resume(void)
{
	atomic_fetch_sub(&suspended, 1);
}

bool
unwind_enter(void)
{
	atomic_fetch_add(&readers, 1);
	return !atomic_load(&suspended);
}

void
unwind_leave(void)
{
	atomic_fetch_sub(&readers, 1);
}

void
unwind_after_fork(void)
{
	atomic_store(&readers, 0);
}

static const struct object *
object_of(uint64_t pc)
{
	uint32_t i, n = atomic_load(&nr_objects);

	for (i = 0; i < n; i++)
		if (pc >= objects[i].text_start && pc < objects[i].text_end)
			return &objects[i];
	return NULL;
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

static uint64_t
read_uleb(const unsigned char **p)
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
	return v;
}

static int64_t
read_sleb(const unsigned char **p)
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
	if (shift < 64 && (byte & 0x40))
		v |= -((uint64_t)1 << shift);
	return (int64_t)v;
}

/* A pointer in one of the encodings DW_EH_PE_*; those that occur here. */
static uint64_t
read_encoded(const unsigned char **p, unsigned char encoding)
{
	uint64_t at = (uint64_t)(uintptr_t)*p, v;

	switch (encoding & 0x0f) {
	case 0x0:
	case 0x4:
		v = read_number(p, 8);
		break;
	case 0x1:
		v = read_uleb(p);
		break;
	case 0x2:
		v = read_number(p, 2);
		break;
	case 0x3:
		v = read_number(p, 4);
		break;
	case 0x9:
		v = (uint64_t)read_sleb(p);
		break;
	case 0xa:
		v = (uint64_t)read_signed(p, 2);
		break;
	case 0xb:
		v = (uint64_t)read_signed(p, 4);
		break;
	default:
		v = read_number(p, 8);
		break;
	}
	return (encoding & 0x70) == 0x10 ? v + at : v;
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

	if (table[0] != 1 || table[2] != 0x03 || table[3] != 0x3b)
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

	if (length >= 0xfffffff0)
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
describe(uint64_t pc, struct description *d)
{
	const struct object *o = object_of(pc);
	const unsigned char *p = o ? search_table(o->table, pc) : NULL, *cie;
	uint64_t length, size;

	*d = (struct description){0};
	if (!p)
		return false;
	length = read_number(&p, 4);
	if (!length || length >= 0xfffffff0)
		return false;
	d->program_end = p + length;
	cie = p;
	cie -= read_number(&p, 4);
	if (!read_cie(cie, d))
		return false;
	d->begin = read_encoded(&p, d->encoding);
	size = read_encoded(&p, d->encoding & 0x0f);
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

enum rule_kind { RULE_SAME, RULE_OFFSET, RULE_VALUE_OFFSET, RULE_EXPRESSION, RULE_UNDEFINED };

/* Only what leads on to the next caller: frame pointer, stack pointer, return address. */
enum { KEPT_FP, KEPT_SP, KEPT_RA, NR_KEPT };

struct rule {
	enum rule_kind kind;
	int32_t offset;
	const unsigned char *expression;
};

struct row {
	struct rule kept[NR_KEPT];
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

static struct rule *
rule_of(struct row *row, uint64_t reg)
{
	static struct rule nowhere;

	return reg == REG_FP   ? &row->kept[KEPT_FP]
	       : reg == REG_SP ? &row->kept[KEPT_SP]
	       : reg == REG_RA ? &row->kept[KEPT_RA]
			       : &nowhere;
}

static void
set_rule(struct row *row, uint64_t reg, enum rule_kind kind, int64_t offset)
{
	if (reg == REG_FP || reg == REG_SP || reg == REG_RA)
		*rule_of(row, reg) = (struct rule){.kind = kind, .offset = (int32_t)offset};
}

static void
set_expression(struct row *row, uint64_t reg, const unsigned char **p, enum rule_kind kind)
{
	const unsigned char *expression = *p;
	uint64_t length = read_uleb(p);

	*p += length;
	if (reg == REG_FP || reg == REG_SP || reg == REG_RA)
		*rule_of(row, reg) = (struct rule){.kind = kind, .expression = expression};
}

static void
restore(struct machine *m, uint64_t reg)
{
	if (reg == REG_FP || reg == REG_SP || reg == REG_RA)
		*rule_of(&m->row, reg) = *rule_of(&m->initial, reg);
}

/* One instruction of the second kind (opcode in the low six bits). False: not known. */
static bool
extended(struct machine *m, const struct description *d, unsigned char op, const unsigned char **p)
{
	struct row *row = &m->row;
	uint64_t reg;

	switch (op) {
	case 0x00:
		break; /* nop */
	case 0x01:
		m->location = read_encoded(p, d->encoding);
		break; /* set_loc */
	case 0x02:
		m->location += read_number(p, 1) * d->code_align;
		break;
	case 0x03:
		m->location += read_number(p, 2) * d->code_align;
		break;
	case 0x04:
		m->location += read_number(p, 4) * d->code_align;
		break;
	case 0x05:
		reg = read_uleb(p); /* offset_extended */
		set_rule(row, reg, RULE_OFFSET, (int64_t)read_uleb(p) * d->data_align);
		break;
	case 0x06:
		restore(m, read_uleb(p));
		break;
	case 0x07:
		set_rule(row, read_uleb(p), RULE_UNDEFINED, 0);
		break;
	case 0x08:
		set_rule(row, read_uleb(p), RULE_SAME, 0);
		break;
	case 0x09:
		reg = read_uleb(p);
		read_uleb(p);
		set_rule(row, reg, RULE_UNDEFINED, 0);
		break;
	case 0x0a: /* remember_state */
		if (m->nr_remembered == MAX_REMEMBERED)
			return false;
		m->remembered[m->nr_remembered++] = *row;
		break;
	case 0x0b: /* restore_state */
		if (!m->nr_remembered)
			return false;
		*row = m->remembered[--m->nr_remembered];
		break;
	case 0x0c:
		row->cfa_register = (uint32_t)read_uleb(p); /* def_cfa */
		row->cfa_offset = (int32_t)read_uleb(p);
		row->cfa_expression = NULL;
		break;
	case 0x0d:
		row->cfa_register = (uint32_t)read_uleb(p);
		row->cfa_expression = NULL;
		break;
	case 0x0e:
		row->cfa_offset = (int32_t)read_uleb(p);
		break;
	case 0x0f:
		row->cfa_expression = *p;
		reg = read_uleb(p);
		*p += reg;
		break;
	case 0x10:
		set_expression(row, read_uleb(p), p, RULE_EXPRESSION);
		break;
	case 0x11:
		reg = read_uleb(p); /* offset_extended_sf */
		set_rule(row, reg, RULE_OFFSET, read_sleb(p) * d->data_align);
		break;
	case 0x12:
		row->cfa_register = (uint32_t)read_uleb(p); /* def_cfa_sf */
		row->cfa_offset = (int32_t)(read_sleb(p) * d->data_align);
		row->cfa_expression = NULL;
		break;
	case 0x13:
		row->cfa_offset = (int32_t)(read_sleb(p) * d->data_align);
		break;
	case 0x14:
		reg = read_uleb(p); /* val_offset */
		set_rule(row, reg, RULE_VALUE_OFFSET, (int64_t)read_uleb(p) * d->data_align);
		break;
	case 0x2e:
		read_uleb(p);
		break; /* GNU_args_size */
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

		switch (op >> 6) {
		case 1:
			m->location += (op & 0x3f) * d->code_align;
			break;
		case 2:
			set_rule(&m->row, op & 0x3f, RULE_OFFSET,
				 (int64_t)read_uleb(&p) * d->data_align);
			break;
		case 3:
			restore(m, op & 0x3f);
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

static bool
load(const struct frame *f, uint64_t address, uint64_t *value)
{
	if (address < f->lo || address + 8 > f->hi || (address & 7))
		return false;
	*value = *(const volatile uint64_t *)(uintptr_t)address;
	return true;
}

static bool
binary(unsigned char op, uint64_t a, uint64_t b, uint64_t *out)
{
	switch (op) {
	case 0x1a:
		*out = a & b;
		return true;
	case 0x1c:
		*out = a - b;
		return true;
	case 0x21:
		*out = a | b;
		return true;
	case 0x22:
		*out = a + b;
		return true;
	case 0x24:
		*out = b < 64 ? a << b : 0;
		return true;
	case 0x29:
		*out = a == b;
		return true;
	case 0x2a:
		*out = (int64_t)a >= (int64_t)b;
		return true;
	case 0x2b:
		*out = (int64_t)a > (int64_t)b;
		return true;
	case 0x2c:
		*out = (int64_t)a <= (int64_t)b;
		return true;
	case 0x2d:
		*out = (int64_t)a < (int64_t)b;
		return true;
	case 0x2e:
		*out = a != b;
		return true;
	default:
		return false;
	}
}

static bool
evaluate(const struct frame *f, const unsigned char *p, const uint64_t *first, uint64_t *result)
{
	uint64_t stack[8], length = read_uleb(&p);
	const unsigned char *end = p + length;
	unsigned n = 0, reg;

	if (first)
		stack[n++] = *first;
	while (p < end) {
		unsigned char op = *p++;

		if (n == 8)
			return false;
		if (op >= 0x70 && op <= 0x80) { /* breg0..16 */
			reg = op - 0x70;
			if (!(f->known & 1u << reg))
				return false;
			stack[n++] = f->regs[reg] + (uint64_t)read_sleb(&p);
		} else if (op >= 0x30 && op <= 0x4f) {
			stack[n++] = op - 0x30; /* lit0..31 */
		} else if (op == 0x08 || op == 0x0a || op == 0x0c) {
			stack[n++] = read_number(&p, op == 0x08 ? 1 : op == 0x0a ? 2 : 4);
		} else if (op == 0x09 || op == 0x0b || op == 0x0d) {
			stack[n++] = (uint64_t)read_signed(&p, op == 0x09 ? 1 : op == 0x0b ? 2 : 4);
		} else if (op == 0x06 && n) { /* deref */
			if (!load(f, stack[n - 1], &stack[n - 1]))
				return false;
		} else if (op == 0x23 && n) { /* plus_uconst */
			stack[n - 1] += read_uleb(&p);
		} else if (op == 0x12 && n) { /* dup */
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
value_of(const struct frame *f, const struct rule *r, uint64_t cfa, unsigned reg, uint64_t *value)
{
	uint64_t address;

	switch (r->kind) {
	case RULE_SAME:
		*value = f->regs[reg];
		return (f->known & 1u << reg) != 0;
	case RULE_OFFSET:
		return load(f, cfa + (uint64_t)(int64_t)r->offset, value);
	case RULE_VALUE_OFFSET:
		*value = cfa + (uint64_t)(int64_t)r->offset;
		return true;
	case RULE_EXPRESSION:
		return evaluate(f, r->expression, &cfa, &address) && load(f, address, value);
	default:
		return false;
	}
}

static bool
simple(const struct row *r)
{
	return !r->cfa_expression && (r->cfa_register == REG_FP || r->cfa_register == REG_SP) &&
	       r->kept[KEPT_RA].kind == RULE_OFFSET && r->kept[KEPT_RA].offset == -8 &&
	       r->kept[KEPT_SP].kind == RULE_SAME &&
	       (r->kept[KEPT_FP].kind == RULE_SAME ||
		(r->kept[KEPT_FP].kind == RULE_OFFSET && r->kept[KEPT_FP].offset > -32768 &&
		 r->kept[KEPT_FP].offset < 0));
}

/* A simple row in 64 bits: offset of the CFA, its register, where the frame pointer is. */
static uint64_t
pack(const struct row *r)
{
	uint64_t fp = r->kept[KEPT_FP].kind == RULE_OFFSET ? (uint64_t)-r->kept[KEPT_FP].offset : 0;

	return (uint64_t)(uint32_t)r->cfa_offset | fp << 32 |
	       (uint64_t)(r->cfa_register == REG_FP) << 48;
}

static struct row
unpack(uint64_t rule)
{
	struct row r = {0};
	int32_t fp = (int32_t)(rule >> 32 & 0xffff);

	r.cfa_offset = (int32_t)(uint32_t)rule;
	r.cfa_register = rule >> 48 & 1 ? REG_FP : REG_SP;
	r.kept[KEPT_RA] = (struct rule){.kind = RULE_OFFSET, .offset = -8};
	if (fp)
		r.kept[KEPT_FP] = (struct rule){.kind = RULE_OFFSET, .offset = -fp};
	return r;
}

/* Threads may write one entry at a time: the pc is taken away before and put back behind. */
static struct cached *
cached(uint64_t pc)
{
	return &cache[(pc ^ pc >> 12) % CACHE];
}

static bool
row_known(uint64_t pc, struct row *row)
{
	struct cached *c = cached(pc);
	uint64_t rule;

	if (atomic_load_explicit(&c->pc, memory_order_acquire) != pc)
		return false;
	rule = atomic_load_explicit(&c->rule, memory_order_acquire);
	if (atomic_load_explicit(&c->pc, memory_order_acquire) != pc)
		return false;
	*row = unpack(rule);
	return true;
}

static void
remember(uint64_t pc, const struct row *row)
{
	struct cached *c = cached(pc);

	atomic_store_explicit(&c->pc, 0, memory_order_release);
	atomic_store_explicit(&c->rule, pack(row), memory_order_release);
	atomic_store_explicit(&c->pc, pc, memory_order_release);
}

static bool
work_out(uint64_t pc, struct row *row, bool *signal_frame)
{
	struct description d;
	struct machine m = {0};

	if (!describe(pc, &d))
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

static enum unwind_result
apply(struct frame *f, const struct row *row, bool signal_frame)
{
	struct frame next = {.lo = f->lo, .hi = f->hi, .is_return = !signal_frame};
	uint64_t cfa;

	if (row->kept[KEPT_RA].kind == RULE_UNDEFINED)
		return UNWIND_END;
	if (row->cfa_expression) {
		if (!evaluate(f, row->cfa_expression, NULL, &cfa))
			return UNWIND_UNKNOWN;
	} else {
		if (row->cfa_register >= NR_REGS || !(f->known & 1u << row->cfa_register))
			return UNWIND_UNKNOWN;
		cfa = f->regs[row->cfa_register] + (uint64_t)(int64_t)row->cfa_offset;
	}
	if (!signal_frame && cfa <= f->regs[REG_SP])
		return UNWIND_UNKNOWN;
	if (!value_of(f, &row->kept[KEPT_RA], cfa, REG_RA, &next.regs[REG_RA]))
		return UNWIND_UNKNOWN;
	if (row->kept[KEPT_SP].kind == RULE_SAME)
		next.regs[REG_SP] = cfa;
	else if (!value_of(f, &row->kept[KEPT_SP], cfa, REG_SP, &next.regs[REG_SP]))
		return UNWIND_UNKNOWN;
	next.known = 1u << REG_RA | 1u << REG_SP;
	if (value_of(f, &row->kept[KEPT_FP], cfa, REG_FP, &next.regs[REG_FP]))
		next.known |= 1u << REG_FP;
	if (!next.regs[REG_RA])
		return UNWIND_END;
	*f = next;
	return UNWIND_OK;
}

enum unwind_result
unwind_step(struct frame *f)
{
	uint64_t pc = f->regs[REG_RA] - f->is_return;
	bool signal_frame = false;
	struct row row;

	/* A signal frame's return address is that of the interrupted instruction's trampoline. */
	if (!row_known(pc, &row) && !work_out(pc, &row, &signal_frame) &&
	    !(f->is_return && work_out(pc + 1, &row, &signal_frame) && signal_frame))
		return UNWIND_UNKNOWN;
	return apply(f, &row, signal_frame);
}
