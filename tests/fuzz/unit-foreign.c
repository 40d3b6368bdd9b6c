/* Damaged profiles of other tools: of each small one that tests/fuzz/foreign.py makes some
 * mutations, each read as make fuzz does (targets.h); none crashes or hangs (run it with ASAN=1,
 * too).
 * CGVIEW_FUZZ: number of mutations of each. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz/targets.h"
#include "util/mem.h"

enum { MOST = 1 << 14 };

static uint64_t state = 0x9e3779b97f4a7c15ull;

static size_t
random_below(size_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (size_t)(state >> 16) % n;
}

struct bytes { uint8_t at[MOST]; size_t nr; };

/* Bytes, bits, words and numbers at the edges of types; parts that are cut out, or doubled. */
static void
mutate(struct bytes *b)
{
	static const char *const words[] = {
		"0", "-1", "4294967295", "9223372036854775807", "99999999999999999999", "1e999",
		"\n", ";", ":", "(", "\"", "[", "{", "]}", "null", "+", "*", "=", "\\u0000",
		"\xff\xff\xff\xff\xff\xff\xff\xff", "\x80", "\xff\xff\xff\x7f",
	};

	for (size_t n = 1 + random_below(6); n-- && b->nr;) {
		size_t at = random_below(b->nr), length = random_below(24);
		const char *word = words[random_below(sizeof(words) / sizeof(*words))];

		length = length < b->nr - at ? length : b->nr - at;
		switch (random_below(5)) {
		case 0:
			b->at[at] = (uint8_t)random_below(256);
			break;
		case 1:
			b->at[at] ^= (uint8_t)(1 << random_below(8));
			break;
		case 2:
			memmove(b->at + at, b->at + at + length, b->nr - at - length);
			b->nr -= length;
			break;
		case 3: /* doubled */
			if (b->nr + length > MOST)
				break;
			memmove(b->at + at + length, b->at + at, b->nr - at);
			b->nr += length;
			break;
		default:
			length = strlen(word);
			length = length < b->nr - at ? length : b->nr - at;
			memcpy(b->at + at, word, length);
		}
	}
	if (!random_below(10))
		b->nr = random_below(b->nr + 1);
}

/* What is tried, in a file that stays when it ends this process. */
static void
try_all(const struct bytes *good, const char *name, int nr)
{
	static struct bytes b;
	char *kept = xasprintf("failing-%s", name);

	for (int i = 0; i < nr; i++) {
		b = *good;
		if (i)
			mutate(&b);
		fuzz_write(kept, b.at, b.nr);
		alarm(60);
		fuzz_foreign(b.at, b.nr);
	}
	unlink(kept);
	free(kept);
}

static void
check_seed(const char *directory, const char *name, int nr)
{
	static struct bytes good;
	char *path = xasprintf("%s/%s", directory, name);
	FILE *f = fopen(path, "rb");
	int status = -1;
	pid_t pid;

	good.nr = f ? fread(good.at, 1, MOST, f) : 0;
	if (f)
		fclose(f);
	free(path);
	fflush(stdout);
	pid = good.nr ? fork() : -1;
	if (!pid) {
		try_all(&good, name, nr);
		_exit(0);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (status)
		printf("# status %#x: failing-%s\n", (unsigned)status, name);
	printf("%s - %d mutations of %s\n", status ? "not ok" : "ok", nr, name);
}

int
main(void)
{
	const char *tmp = getenv("TMP_DIR"), *wish = getenv("CGVIEW_FUZZ");
	char *script = realpath("tests/fuzz/foreign.py", NULL), *command;
	struct dirent **entries;
	int nr;

	if (!script || !tmp || chdir(tmp)) {
		puts("not ok - tests/fuzz/foreign.py is there");
		return 1;
	}
	command = xasprintf("python3 '%s' seeds /bin/true", script);
	if (system(command)) {
		puts("skip - mutations: there is no python3");
		return 0;
	}
	nr = scandir("seeds", &entries, NULL, alphasort);
	printf("%s - there are seeds\n", nr > 20 ? "ok" : "not ok");
	for (int i = 0; i < nr; i++)
		if (*entries[i]->d_name != '.')
			check_seed("seeds", entries[i]->d_name, wish ? atoi(wish) : 100);
	return 0;
}
