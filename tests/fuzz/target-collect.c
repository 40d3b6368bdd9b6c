/* Raw files, and the tables of programs. */
#include "collect/import/import.h"

#include "collect/fixture.h"
#include "fuzz/targets.h"

static void
mend_checksums(struct strbuf *sb)
{
	struct raw_head *h = (struct raw_head *)sb->buf;
	struct raw_extent *e;

	memcpy(h->magic, RAW_MAGIC, sizeof(h->magic));
	h->version = RAW_VERSION;
	h->size = sizeof(*h);
	h->checksum = raw_head_checksum(h);
	for (size_t at = RAW_PAGE; at + sizeof(*e) <= sb->len; at += RAW_PAGE) {
		e = (struct raw_extent *)(sb->buf + at);
		if (e->magic == RAW_EXTENT_MAGIC)
			e->checksum = raw_extent_checksum(e);
	}
}

static void
import(const char *raw)
{
	const char *paths[] = { raw };
	struct error err = ERROR_INIT;
	struct candidates c;
	struct model m;

	memset(&c, 0, sizeof(c));
	model_init(&m);
	if (import_raw(&m, paths, 1, NULL, NULL, &c, &err) && !err.set)
		abort();
	candidates_release(&c);
	model_release(&m);
}

/* The program that raw files name: this one. */
static void
need_program(void)
{
	static bool done;
	struct strbuf tab = STRBUF_INIT, elf = STRBUF_INIT;

	if (done)
		return;
	done = true;
	put_fixture_unit(&tab);
	put_elf(&elf, &tab, FIXTURE_COUNTERS);
	fuzz_write("fuzz-program", elf.buf, elf.len);
	strbuf_release(&tab);
	strbuf_release(&elf);
}

void
fuzz_raw(const uint8_t *data, size_t size)
{
	static char *path;
	struct strbuf sb = STRBUF_INIT;

	need_program();
	if (!path)
		path = xstrdup(fuzz_file("raw"));
	strbuf_add(&sb, data, size);
	if (sb.len >= sizeof(struct raw_head))
		mend_checksums(&sb);
	fuzz_write(path, sb.buf, sb.len);
	import(path);
	unlink(path);
	strbuf_release(&sb);
}

void
fuzz_tables(const uint8_t *data, size_t size)
{
	struct error err = ERROR_INIT;
	struct tables t;

	memset(&t, 0, sizeof(t));
	if (tables_parse(&t, data, size, "tables", &err) && !err.set)
		abort();
	tables_release(&t);
}
