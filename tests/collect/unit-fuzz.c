/* Damaged files: some thousand mutations of a raw profile, of the tables and of the whole ELF file.
 * Each gives a profile or an error with a text; none crashes or hangs (run it with ASAN=1, too).
 * CGVIEW_FUZZ: number of mutations of each kind. */
#include "collect/import/import.h"

#include <errno.h>
#include <sys/wait.h>
#include <time.h>

#include "collect/fixture.h"

static uint64_t state = 0x9e3779b97f4a7c15ull;

static uint32_t
random_below(size_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)((state >> 16) % n);
}

static char *program, *raw;
enum { IMPORTED = 10, REFUSED = 11 }; /* exit statuses that no sanitizer uses */

/* Change some bytes between BEGIN and END; numbers at the edges of types more often than others. */
static void
mutate(struct strbuf *sb, size_t begin, size_t end)
{
	static const uint8_t likely[] = { 0, 1, 0x7f, 0x80, 0xff, 0x40 };
	uint32_t n = 1 + random_below(8);
	size_t at, length;

	while (n--) {
		at = begin + random_below(end - begin);
		switch (random_below(4)) {
		case 0:
			sb->buf[at] = (char)random_below(256);
			break;
		case 1:
			sb->buf[at] = (char)likely[random_below(sizeof(likely))];
			break;
		case 2:
			sb->buf[at] ^= (char)(1 << random_below(8));
			break;
		case 3:
			length = random_below(16);
			memset(sb->buf + at, likely[random_below(sizeof(likely))],
			       length < end - at ? length : end - at);
		}
	}
}

/* Checksums are no obstacle to somebody who means it. */
static void
mend_checksums(struct strbuf *sb)
{
	struct raw_head *h = (struct raw_head *)sb->buf;
	struct raw_extent *e;
	size_t at;

	if (sb->len < sizeof(*h))
		return;
	h->checksum = raw_head_checksum(h);
	for (at = RAW_PAGE; at + sizeof(*e) <= sb->len; at += RAW_PAGE) {
		e = (struct raw_extent *)(sb->buf + at);
		if (e->magic == RAW_EXTENT_MAGIC)
			e->checksum = raw_extent_checksum(e);
	}
}

/* Import in a child, so that a crash is seen. 0 profile, 1 error with text, -1 anything else. */
static int
try(void)
{
	const char *paths[] = { raw };
	struct candidates c;
	struct model m;
	struct error err = ERROR_INIT;
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		alarm(60);
		model_init(&m);
		status = import_raw(&m, paths, 1, NULL, NULL, &c, &err);
		if (status && (!err.set || !*err.text))
			_exit(9);
		candidates_release(&c);
		model_release(&m);
		_exit(status ? REFUSED : IMPORTED);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!WIFEXITED(status) || WEXITSTATUS(status) < IMPORTED || WEXITSTATUS(status) > REFUSED)
		return -1;
	return WEXITSTATUS(status) - IMPORTED;
}

static void
keep(const struct strbuf *sb, const char *name, int number)
{
	char *path = xasprintf("/tmp/cgview-fuzz-%s-%d", name, number);

	write_file(path, sb);
	printf("# %s makes it fail\n", path);
	free(path);
}

static void
fuzz(const char *name, const char *path, const struct strbuf *good, size_t begin, size_t end,
     bool mend, int nr)
{
	struct strbuf sb = STRBUF_INIT;
	int results[3] = { 0 }, result, i;
	char *verdict;

	for (i = 0; i < nr; i++) {
		strbuf_clear(&sb);
		strbuf_add(&sb, good->buf, good->len);
		mutate(&sb, begin, end);
		if (mend)
			mend_checksums(&sb);
		if (!random_below(10))
			sb.len = random_below(sb.len + 1);
		write_file(path, &sb);
		result = try();
		results[result + 1]++;
		if (result < 0 && results[0] < 4)
			keep(&sb, name, i);
	}
	verdict = xasprintf("%d mutations of %s: %d profiles, %d errors, %d crashes", nr, name,
			    results[1], results[2], results[0]);
	check(verdict, !results[0] && results[1] + results[2] == nr);
	free(verdict);
	strbuf_release(&sb);
	write_file(path, good);
}

static void
put_run(struct strbuf *sb)
{
	static const uint64_t counters[FIXTURE_COUNTERS] = { 7, 9, 4, 1, 7, 4 };
	struct strbuf samples = STRBUF_INIT;

	put_raw_head(sb, program);
	put_module(sb, program, 0xab);
	put_counters(sb, FIXTURE_PID, counters);
	put_thread(sb, FIXTURE_PID, 30000000);
	for (unsigned i = 0; i < 30; i++)
		put_sample(&samples, i % 3, i % 7);
	for (unsigned i = 0; i < 10; i++)
		put_event(&samples, i % 3, i % 2, 1 + i);
	put_events(sb, (struct raw_events){ .asked = 7 });
	put_extent(sb, (struct raw_extent){ .kind = RAW_SAMPLES }, samples.buf, samples.len);
	strbuf_release(&samples);
}

int
main(void)
{
	const char *wish = getenv("CGVIEW_FUZZ");
	int nr = wish ? atoi(wish) : 1000;
	struct strbuf tab = STRBUF_INIT, elf = STRBUF_INIT, run = STRBUF_INIT;
	size_t tab_at = sizeof(struct fixture_elf);

	if (wish)
		state ^= (uint64_t)time(NULL) * 2654435761u;
	program = scratch("fuzz-program");
	raw = scratch("fuzz.raw");
	put_fixture_unit(&tab);
	put_elf(&elf, &tab, FIXTURE_COUNTERS);
	put_run(&run);
	write_file(program, &elf);
	write_file(raw, &run);
	must(try() == 0, "the undamaged files import");
	fuzz("raw", raw, &run, 0, run.len, false, nr);
	fuzz("raw-with-checksums", raw, &run, 0, run.len, true, nr);
	fuzz("raw-heads", raw, &run, RAW_PAGE, RAW_PAGE + 128, true, nr);
	fuzz("tables", program, &elf, tab_at + 24, tab_at + tab.len, false, nr);
	fuzz("elf", program, &elf, 0, elf.len, false, nr);
	fuzz("section-heads", program, &elf, elf.len - 6 * sizeof(Elf64_Shdr), elf.len, false, nr);
	unlink(program);
	unlink(raw);
	return 0;
}
