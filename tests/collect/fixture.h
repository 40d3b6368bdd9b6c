/* Files as the compiler, the linker and the runtime would make them, but small and made by hand: an
 * ELF file with tables of cgview, and the raw profile of its run. All bytes are known, so tests can
 * say what must come out, and damage them. */
#ifndef TESTS_COLLECT_FIXTURE_H
#define TESTS_COLLECT_FIXTURE_H

#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/raw.h"
#include "util/mem.h"

static inline void
check(const char *name, int good)
{
	printf("%s - %s\n", good ? "ok" : "not ok", name);
}

static inline void
must(int good, const char *what)
{
	if (good)
		return;
	printf("not ok - fixture: %s\n", what);
	exit(1);
}

/* ---- tables ---- */

static inline void
leb(struct strbuf *sb, uint64_t v)
{
	do {
		strbuf_char(sb, (char)((v & 0x7f) | (v > 0x7f ? 0x80 : 0)));
		v >>= 7;
	} while (v);
}

static inline void
lebs(struct strbuf *sb, size_t nr, const int *v)
{
	for (size_t i = 0; i < nr; i++)
		leb(sb, (uint64_t)v[i]);
}
#define LEBS(sb, ...)                                                                        \
	lebs(sb, sizeof((int[]){ __VA_ARGS__ }) / sizeof(int), (int[]){ __VA_ARGS__ })

static inline void
put_text(struct strbuf *sb, const char *s)
{
	leb(sb, strlen(s));
	strbuf_str(sb, s);
}

static inline void
put_bytes(struct strbuf *sb, uint64_t v, unsigned n)
{
	while (n--) {
		strbuf_char(sb, (char)(v & 0xff));
		v >>= 8;
	}
}

/* Head and body of a unit. */
static inline void
put_unit(struct strbuf *sb, const struct strbuf *body, uint32_t nr_counters, uint64_t address)
{
	size_t padded = (body->len + 7) / 8 * 8;

	put_bytes(sb, 0x54564743, 4);
	put_bytes(sb, 5, 2);
	put_bytes(sb, 4, 2); /* it keeps cost centres */
	put_bytes(sb, 24 + padded, 4);
	put_bytes(sb, nr_counters, 4);
	put_bytes(sb, address, 8);
	strbuf_add(sb, body->buf, body->len);
	put_bytes(sb, 0, (unsigned)(padded - body->len));
}

/* The program of the tests, lines of /tmp/fixture.c (which need not exist):
 *
 *	 1 static int twice(int i) { return 2 * i; }         called directly, n times
 *	 2 static int cmp(const void *, const void *)        its address is passed to qsort
 *	 3 static int odd(int i)                           taken, called through a pointer, m times
 *	 5 int main(void) {
 *	 6         for (i = 0; i < n; i++)
 *	 7                 twice(i);
 *	 8         for (i = 0; i < m; i++) (*f)(i);
 *	 9         qsort(a, n, 4, cmp);
 *	10 }
 *
 * Counters: twice 0; cmp 1; odd 2; main: entry 3, line 7 4, line 8 5. */
enum {
	FIXTURE_COUNTERS = 6, FIXTURE_CNT = 0x4000, FIXTURE_TEXT = 0x1000,
	FIXTURE_TEXT_SIZE = 0x100,
};

static inline void
put_leaf(struct strbuf *b, int name, int flags, int type, int line, int counter)
{
	LEBS(b, name, name, flags, type, 0, line, 12, line, 40, counter, 1);
	LEBS(b, 1, 1, 1, 0, line, 0, 1, 0, 0, line, 20, line, 38); /* one block with the counter */
	LEBS(b, 2, 0, 1, 0, 2, 0, 0);                           /* entry, return */
	LEBS(b, 0);
}

static inline void
put_fixture_unit(struct strbuf *sb)
{
	static const char *const strings[] = {
		"", "GNU C17 12.2.0 -O2", "/tmp", "fixture.c", "i4(i4)", "i4(p,p)", "i4()",
		"twice", "cmp", "odd", "main", "qsort", "alias_of_twice",
		"bare",
	};
	enum { NR = sizeof(strings) / sizeof(*strings) };
	struct strbuf b = STRBUF_INIT;

	leb(&b, NR);
	for (int i = 0; i < NR; i++)
		put_text(&b, strings[i]);
	LEBS(&b, 1, 2);                         /* producer, directory */
	LEBS(&b, 1, 3);                         /* files */
	LEBS(&b, 3, 4, 5, 6);                   /* types */
	LEBS(&b, 2, 8, 2, 1, 9, 1, 1);          /* taken: cmp, odd */
	LEBS(&b, 1, 12, 7);                     /* alias */
	LEBS(&b, 4);
	put_leaf(&b, 7, 1, 1, 1, 0);
	put_leaf(&b, 8, 1, 2, 2, 1);
	put_leaf(&b, 9, 1, 1, 3, 2);
	/* main: blocks 0 entry, 1 test of line 6, 2 line 7, 3 test of line 8, 4 body, 5 line 9 */
	LEBS(&b, 10, 10, 4, 3, 0, 5, 5, 10, 1, 3, 3, 6);
	LEBS(&b, 0, 1, 0, 6, 0, 1, 0, 0, 6, 7, 6, 11);
	LEBS(&b, 0, 1, 0, 6, 1, 1, 0, 0, 6, 14, 6, 18);
	LEBS(&b, 0, 2, 0, 7, 0, 0, 6, 2, 1, 0, 0, 7, 17, 7, 24);
	LEBS(&b, 0, 1, 0, 8, 0, 1, 0, 0, 8, 14, 8, 18);
	LEBS(&b, 0, 1, 0, 8, 1, 1, 0, 0, 8, 25, 8, 31);
	LEBS(&b, 0, 1, 0, 9, 0, 1, 0, 0, 9, 9, 9, 27);
	LEBS(&b, 9, 0, 1, 1, 2, 3, 0, 4, 5, 2, 6, 3, 0, 4, 7, 0, 8, 9, 3, 10, 7, 0, 8, 11, 0, 12, 0,
	     0);
	LEBS(&b, 3);
	LEBS(&b, 2, 0, 0, 7, 0, 7, 17, 7, 24, 0);
	LEBS(&b, 4, 1, 0, 1, 0, 8, 25, 8, 31, 0);
	LEBS(&b, 5, 0, 0, 11, 0, 9, 9, 9, 27, 1, 8);
	LEBS(&b, 1, 13, 13, 2, 0, 4); /* bare, of line 4, is left out: naked */
	put_unit(sb, &b, FIXTURE_COUNTERS, FIXTURE_CNT);
	strbuf_release(&b);
}

/* ---- ELF ---- */

struct fixture_elf {
	Elf64_Ehdr head;
	Elf64_Phdr note;
	struct {
		Elf64_Nhdr head;
		char name[4];
		uint8_t id[20];
	} build_id;
	Elf64_Sym symbols[5];
	char names[64];
	char section_names[64];
};

static inline void
fixture_section(Elf64_Shdr *s, uint32_t name, uint32_t type, uint64_t offset, uint64_t size)
{
	s->sh_name = name;
	s->sh_type = type;
	s->sh_offset = offset;
	s->sh_size = size;
}

/* An ELF file with the tables TAB (all its units). */
static inline void
put_elf(struct strbuf *sb, const struct strbuf *tab, uint64_t nr_counters)
{
	static const char section_names[] = "\0cgview_tab\0cgview_cnt\0.symtab\0.strtab\0.shstrtab";
	static const char names[] = "\0twice\0cmp\0odd\0main";
	static const unsigned name_at[] = { 1, 7, 11, 15 };
	struct fixture_elf f = { 0 };
	Elf64_Shdr s[6] = { { 0 } };
	uint64_t tab_at = sizeof(f), sections_at = (tab_at + tab->len + 7) / 8 * 8;

	memcpy(f.head.e_ident, ELFMAG "\2\1\1", 7);
	f.head.e_type = ET_DYN;
	f.head.e_machine = EM_X86_64;
	f.head.e_version = 1;
	f.head.e_phoff = offsetof(struct fixture_elf, note);
	f.head.e_shoff = sections_at;
	f.head.e_ehsize = sizeof(Elf64_Ehdr);
	f.head.e_phentsize = sizeof(Elf64_Phdr);
	f.head.e_phnum = 1;
	f.head.e_shentsize = sizeof(Elf64_Shdr);
	f.head.e_shnum = 6;
	f.head.e_shstrndx = 5;
	f.note = (Elf64_Phdr){
		.p_type = PT_NOTE, .p_offset = offsetof(struct fixture_elf, build_id),
		.p_filesz = sizeof(f.build_id),
	};
	f.build_id.head = (Elf64_Nhdr){ 4, sizeof(f.build_id.id), NT_GNU_BUILD_ID };
	memcpy(f.build_id.name, "GNU", 4);
	memset(f.build_id.id, 0xab, sizeof(f.build_id.id));
	for (unsigned i = 0; i < 4; i++)
		f.symbols[i + 1] = (Elf64_Sym){
			.st_name = name_at[i], .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
			.st_shndx = 1, .st_value = FIXTURE_TEXT + 0x20 * i, .st_size = 0x10 + i,
		};
	memcpy(f.names, names, sizeof(names));
	memcpy(f.section_names, section_names, sizeof(section_names));
	fixture_section(&s[1], 1, SHT_PROGBITS, tab_at, tab->len);
	fixture_section(&s[2], 12, SHT_NOBITS, tab_at, nr_counters * 8);
	s[2].sh_addr = FIXTURE_CNT;
	fixture_section(&s[3], 23, SHT_SYMTAB, offsetof(struct fixture_elf, symbols),
			sizeof(f.symbols));
	s[3].sh_link = 4;
	fixture_section(&s[4], 31, SHT_STRTAB, offsetof(struct fixture_elf, names),
			sizeof(f.names));
	fixture_section(&s[5], 39, SHT_STRTAB, offsetof(struct fixture_elf, section_names),
			sizeof(f.section_names));
	strbuf_add(sb, &f, sizeof(f));
	strbuf_add(sb, tab->buf, tab->len);
	put_bytes(sb, 0, (unsigned)(sections_at - tab_at - tab->len));
	strbuf_add(sb, s, sizeof(s));
}

/* ---- raw profile ---- */

enum { FIXTURE_PID = 4711, FIXTURE_BIAS = 0x10000 };

static inline void
put_raw_head(struct strbuf *sb, const char *program)
{
	struct raw_head h = {
		.version = RAW_VERSION, .size = sizeof(h),
		.started_ns = 1700000000000000000, .started_mono_ns = 1000,
		.asked_interval_ns = 1000000, .pid = FIXTURE_PID, .argc = 2,
		.ended_ns = 1700000001000000000,
	};
	size_t at = 0;
	const char *texts[RAW_TEXTS + 2] = {
		[RAW_TEXT_HOST] = "host", [RAW_TEXT_RANK] = "3", [RAW_TEXT_RANKS] = "4",
		[RAW_TEXT_JOB] = "job 7", [RAW_TEXT_LABEL] = "a label",
		[RAW_TEXT_PROGRAM] = program, [RAW_TEXT_DIRECTORY] = "/tmp", "./prog", "an arg",
	};

	memcpy(h.magic, RAW_MAGIC, sizeof(h.magic));
	for (int i = 0; i < RAW_TEXTS + 2; i++) {
		memcpy(h.text + at, texts[i], strlen(texts[i]) + 1);
		at += strlen(texts[i]) + 1;
	}
	h.text_length = (uint32_t)at;
	h.checksum = raw_head_checksum(&h);
	strbuf_add(sb, &h, sizeof(h));
}

static inline void
put_extent(struct strbuf *sb, struct raw_extent e, const void *data, size_t size)
{
	size_t begin = sb->len;

	e.magic = RAW_EXTENT_MAGIC;
	e.pid = e.pid ? e.pid : FIXTURE_PID;
	e.data_offset = RAW_PAGE;
	e.data_length = size;
	e.used = e.used ? e.used : size;
	e.length = RAW_PAGE + (size + RAW_PAGE - 1) / RAW_PAGE * RAW_PAGE;
	e.checksum = raw_extent_checksum(&e);
	strbuf_add(sb, &e, sizeof(e));
	put_bytes(sb, 0, RAW_PAGE - sizeof(e));
	strbuf_add(sb, data, size);
	put_bytes(sb, 0, (unsigned)(begin + e.length - sb->len));
}

static inline void
put_module(struct strbuf *sb, const char *program, uint8_t id)
{
	struct strbuf data = STRBUF_INIT;

	strbuf_add(&data, program, strlen(program) + 1);
	for (int i = 0; i < 20; i++)
		strbuf_char(&data, (char)id);
	put_extent(sb, (struct raw_extent){
		.kind = RAW_MODULE, .load_bias = FIXTURE_BIAS,
		.counters = FIXTURE_BIAS + FIXTURE_CNT,
		.nr_counters = FIXTURE_COUNTERS, .text_start = FIXTURE_BIAS + FIXTURE_TEXT,
		.text_end = FIXTURE_BIAS + FIXTURE_TEXT + FIXTURE_TEXT_SIZE, .build_id_length = 20,
	}, data.buf, data.len);
	strbuf_release(&data);
}

static inline void
put_counters(struct strbuf *sb, uint32_t pid, const uint64_t counters[FIXTURE_COUNTERS])
{
	put_extent(sb, (struct raw_extent){
		.kind = RAW_COUNTERS, .pid = pid, .nr_counters = FIXTURE_COUNTERS,
	}, counters, FIXTURE_COUNTERS * 8);
}

static inline void
put_thread(struct strbuf *sb, uint32_t pid, uint64_t cpu_ns)
{
	struct raw_thread t = { .pid = pid, .tid = pid, .cpu_ns = cpu_ns };

	put_extent(sb, (struct raw_extent){ .kind = RAW_THREADS, .pid = pid }, &t, sizeof(t));
}

/* A sample in main's frame of the procedure whose symbol is number I (0 twice, 1 cmp, 2 odd), all
 * else as in S; CENTRE is its word if S has RAW_CENTRE. */
static inline void
put_sample_like(struct strbuf *samples, unsigned i, struct raw_sample s, uint64_t centre)
{
	uint64_t frames[3] = {
		FIXTURE_BIAS + FIXTURE_TEXT + 0x20 * i + 4,
		FIXTURE_BIAS + FIXTURE_TEXT + 0x60 + 8 + i, 0x7f0000001234,
	};

	s.tid = FIXTURE_PID;
	s.nr_frames = 3;
	strbuf_add(samples, &s, sizeof(s));
	strbuf_add(samples, frames, sizeof(frames));
	if (s.flags & RAW_CENTRE)
		strbuf_add(samples, &centre, sizeof(centre));
}

/* Has the address of COUNTER as its cost centre. Each stands for 1 ms. */
static inline void
put_sample(struct strbuf *samples, unsigned i, unsigned counter)
{
	static uint64_t cpu_ns;

	cpu_ns += 1000000;
	put_sample_like(samples, i, (struct raw_sample){
				.flags = RAW_CENTRE, .amount = 1000000, .cpu_ns = cpu_ns },
			FIXTURE_BIAS + FIXTURE_CNT + 8 * counter);
}

/* Stands for AMOUNT events of SOURCE. */
static inline void
put_event(struct strbuf *samples, unsigned i, unsigned source, uint64_t amount)
{
	put_sample_like(samples, i, (struct raw_sample){
		.flags = (uint16_t)(RAW_EVENT | source << RAW_SOURCE_SHIFT), .amount = amount }, 0);
}

/* What is told of the events ASKED for. */
static inline void
put_events(struct strbuf *sb, struct raw_events e)
{
	e.nr_sources = 2;
	put_extent(sb, (struct raw_extent){ .kind = RAW_EVENTS }, &e, sizeof(e));
}

/* ---- files ---- */

static inline char *
scratch(const char *name)
{
	const char *dir = getenv("TMP_DIR");

	return xasprintf("%s/%s", dir ? dir : "/tmp", name);
}

static inline void
write_file(const char *path, const struct strbuf *sb)
{
	FILE *f = fopen(path, "w");

	must(f && fwrite(sb->buf, 1, sb->len, f) == sb->len && !fclose(f), path);
}

#endif
