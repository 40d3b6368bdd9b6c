/* Remarks: two that have the profile open write one after the other; editing, removing; what cannot
 * be written; what a profile of version 2 becomes; merged profiles. */
#include "db/store/remarks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/store/load.h"
#include "db/store/writer.h"
#include "db/store/profile.h"
#include "sample.h"

static struct profile *
opened(const char *name)
{
	struct error err = ERROR_INIT;
	struct profile *p = profile_open(name, &err);

	if (!p)
		printf("# %s\n", err.text);
	return p;
}

static bool
writes(struct profile *p, struct model_remark remark, const char *was, const char *text)
{
	struct error err = ERROR_INIT;
	int status;

	remark.text = text;
	status = remark_write(p, &remark, was, &err);
	if (status)
		printf("# %s\n", err.text);
	return !status;
}

/* Does LINE of file 1 have just these texts, separated by '|'? */
static bool
has(uint32_t line, const char *texts)
{
	struct profile *p = opened(path);
	struct remarks r = { .items = NULL };
	const struct model_remark *on;
	char all[3000] = "";
	size_t nr;

	if (!p)
		return false;
	remarks_read(&r, p);
	on = remarks_on(&r, 1, line, &nr);
	for (size_t i = 0; i < nr; i++) {
		strcat(all, i ? "|" : "");
		strcat(all, on[i].text);
	}
	remarks_release(&r);
	profile_close(p);
	if (strcmp(all, texts))
		printf("# line %u has: %s\n", line, all);
	return !strcmp(all, texts);
}

static void
two_writers(void)
{
	const struct model_remark five = { .place = { 1, 5, 0, 5, 0 } };
	const struct model_remark expression = { .place = { 1, 5, 2, 5, 4 } };
	struct profile *a = opened(path), *b = opened(path);
	struct stat before, after;

	stat(path, &before);
	chmod(path, 0640);
	SAME(writes(a, five, NULL, "of a"), true);
	SAME(writes(b, five, NULL, "of b"), true);
	SAME(writes(b, expression, NULL, "of an expression"), true);
	SAME(has(5, "of a|of b|of an expression"), true);
	SAME(has(4, ""), true);
	stat(path, &after);
	SAME(after.st_mode & 0777, 0640);
	SAME(before.st_ino != after.st_ino, true);
	/* What A has open is as it was. */
	SAME(writes(a, five, "of b", "of b, changed by a"), true);
	SAME(writes(b, five, "of b", "lost"), false);
	SAME(has(5, "of a|of b, changed by a|of an expression"), true);
	SAME(writes(b, five, "of a", ""), true);
	SAME(has(5, "of b, changed by a|of an expression"), true);
	profile_close(a);
	profile_close(b);
}

static void
odd_texts(void)
{
	const struct model_remark six = { .place = { 1, 6, 0, 6, 0 } };
	struct profile *p = opened(path);
	char longer[1502], cut[1001];

	SAME(writes(p, six, NULL, "\033[31mred\nnext\177"), true);
	SAME(has(6, " [31mred next "), true);
	SAME(writes(p, six, " [31mred next ", ""), true);
	SAME(writes(p, six, NULL, ""), true);
	SAME(has(6, ""), true);
	/* 'x' and two-byte characters: byte 1000 is in the middle of one. */
	memset(longer, 'x', 1);
	for (size_t i = 1; i + 1 < sizeof(longer) - 1; i += 2)
		memcpy(longer + i, "\303\244", 2);
	longer[1501] = '\0';
	memcpy(cut, longer, 999);
	cut[999] = '\0';
	SAME(writes(p, six, NULL, longer), true);
	SAME(has(6, cut), true);
	profile_close(p);
}

static void
another_profile(void)
{
	const struct model_remark seven = { .place = { 1, 7, 0, 7, 0 } };
	struct profile *p = opened(path);
	struct error err = ERROR_INIT;
	struct model m;

	model_init(&m);
	SAME(model_load(&m, path, &err), 0);
	m.blocks[0].count += 5;
	SAME(profile_write(path, &m, NULL, &err), 0);
	SAME(writes(p, seven, NULL, "elsewhere"), false);
	SAME(has(7, ""), true);
	unlink(path);
	SAME(writes(p, seven, NULL, "nowhere"), false);
	SAME(access(path, F_OK), -1);
	/* Writing all of a profile anew keeps them. */
	SAME(profile_write(path, &m, NULL, &err), 0);
	SAME(has(5, "of b, changed by a|of an expression"), true);
	model_release(&m);
	profile_close(p);
}

int
main(void)
{
	struct profile *p;
	struct model m;

	p = sample_open(&m, "remarks.db");
	if (!p)
		return 1;
	profile_close(p);
	model_release(&m);
	all_same = true;
	two_writers();
	verdict(all_same, "two that have the profile open write, change and remove remarks");
	all_same = true;
	odd_texts();
	verdict(all_same, "texts are stored as one line of at most 1,000 bytes");
	all_same = true;
	another_profile();
	verdict(all_same, "another profile in its place, and none, are left alone");
	return 0;
}
