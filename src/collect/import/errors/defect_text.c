/* Reads the logs of the address, leak, undefined-behaviour and thread sanitizers, as gcc's and
 * clang's runtime libraries write them, in the child that has no rights left. Other lines, such as
 * the output of the program, may stand between. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "collect/import/errors/defect_wire.h"
#include "util/input.h"

enum { CHUNK = 1 << 16, MAX_LINE = 1 << 16 };

struct reader {
	struct defect_draft *d;
	bool any;               /* a line of a sanitizer was there */
	bool lone;              /* the defect has but the frame of its first line */
	struct strbuf line;
};

static bool
begins(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

/* ---- frames: "#1 0x4e3f in name file.c:12:3", "#1 name file.c:12 (prog+0x2f)" ---- */

/* Cuts "(object+0xoffset)" and "(BuildId: ...)" off the end. */
static void
cut_object(char *s, struct logged_frame *f)
{
	char *open = strrchr(s, '('), *plus;

	if (open && begins(open, "(BuildId:")) {
		*open = '\0';
		while (open > s && open[-1] == ' ')
			*--open = '\0';
		open = strrchr(s, '(');
	}
	plus = open ? strrchr(open, '+') : NULL;
	if (!plus || !begins(plus, "+0x"))
		return;
	f->ip = strtoull(plus + 1, NULL, 16);
	*plus = *open = '\0';
	f->object = open + 1;
	while (open > s && open[-1] == ' ')
		*--open = '\0';
}

/* Cuts ":12:3", or ":12", off the end. Returns false when there is none. */
static bool
cut_line(char *s, uint32_t *line, uint32_t *column)
{
	unsigned long numbers[2];
	int nr = 0;
	char *colon;

	while (nr < 2 && (colon = strrchr(s, ':')) && isdigit((unsigned char)colon[1]) &&
	       !colon[1 + strspn(colon + 1, "0123456789")]) {
		numbers[nr++] = strtoul(colon + 1, NULL, 10);
		*colon = '\0';
	}
	if (!nr)
		return false;
	*line = numbers[nr - 1] > INT32_MAX ? 0 : (uint32_t)numbers[nr - 1];
	*column = nr < 2 || numbers[0] > INT32_MAX ? 0 : (uint32_t)numbers[0];
	return true;
}

/* The name of a C++ function has blanks itself; most paths begin with a slash, and have none. */
static void
cut_file(char *s, struct logged_frame *f)
{
	char *blank = strstr(s, " /"), *null = strrchr(s, ' ');

	if (null && !strcmp(null, " <null>")) { /* clang's word for none */
		*null = '\0';
		return;
	}
	if (!cut_line(s, &f->line, &f->column))
		return;
	if (!blank)
		blank = strrchr(s, ' ');
	if (!blank) { /* a file alone */
		f->file = s;
		return;
	}
	*blank = '\0';
	f->file = blank + 1;
}

static bool
is_frame(const char *s)
{
	return *s == '#' && isdigit((unsigned char)s[1]);
}

static void
take_frame(struct reader *r, char *s)
{
	struct logged_frame f = { .object = "", .name = "", .file = "" };
	bool is_first = begins(s, "#0 ");

	s += 1 + strspn(s + 1, "0123456789");
	s += strspn(s, " ");
	if (begins(s, "0x")) {
		f.ip = strtoull(s, &s, 16);
		s += strspn(s, " ");
	}
	if (begins(s, "in "))
		s += strlen("in ");
	cut_object(s, &f);
	cut_file(s, &f);
	if (f.file != s)
		f.name = s;
	/* The first line of an undefined behaviour had it already, and the column. */
	if (r->lone && is_first) {
		r->lone = false;
		return;
	}
	defect_frame(r->d, &f);
}

/* ---- heads of errors and of stacks ---- */

static void
set_what(struct reader *r, const char *kind, size_t length, const char *what)
{
	defect_text(&r->d->kind, kind, length);
	defect_text(&r->d->what, what, strlen(what));
}

/* "heap-use-after-free on address 0x...", "attempting double-free on 0x...", "SEGV on unknown". */
static bool
take_address(struct reader *r, char *s)
{
	char *end;

	if (begins(s, "attempting "))
		s += strlen("attempting ");
	end = strstr(s, " on ");
	if (end)
		*end = '\0';
	defect_begin(r->d, "asan");
	set_what(r, s, strcspn(s, " :"), s);
	defect_stack(r->d, ROLE_OF_ERROR);
	return true;
}

static bool
take_leaks(struct reader *r, char *s)
{
	(void)s;
	defect_end(r->d);
	return true;
}

static bool
take_thread(struct reader *r, char *s)
{
	char *end = strstr(s, " (pid=");

	if (end)
		*end = '\0';
	defect_begin(r->d, "tsan");
	set_what(r, s, strlen(s), s);
	return true;
}

static bool
take_summary(struct reader *r, char *s)
{
	(void)s;
	defect_end(r->d);
	return true;
}

/* "Direct leak of 80 byte(s) in 1 object(s) allocated from:" */
static void
take_leak(struct reader *r, char *s)
{
	const char *of = strstr(s, " leak of "), *in = of ? strstr(of, " in ") : NULL;
	char *end = strstr(s, " allocated from");

	if (!in || !end)
		return;
	*end = '\0';
	defect_begin(r->d, "lsan");
	r->d->bytes = strtoull(of + strlen(" leak of "), NULL, 10);
	r->d->blocks = strtoull(in + strlen(" in "), NULL, 10);
	set_what(r, begins(s, "Direct") ? "leak" : "indirect-leak",
		 strlen(begins(s, "Direct") ? "leak" : "indirect-leak"), s);
	defect_stack(r->d, ROLE_OF_ERROR);
	r->any = true;
}

/* "x.c:17:6: runtime error: signed integer overflow: 2147483647 + 1 cannot be ..." */
static bool
take_undefined(struct reader *r, char *s)
{
	static const char mark[] = ": runtime error: ";
	struct logged_frame f = { .object = "", .name = "", .file = s };
	char *at = strstr(s, mark), *what;

	if (!at)
		return false;
	*at = '\0';
	what = at + strlen(mark);
	if (!cut_line(s, &f.line, &f.column)) {
		*at = ':';
		return false;
	}
	defect_begin(r->d, "ubsan");
	set_what(r, what, strcspn(what, ":0123456789"), what);
	while (r->d->kind.len && r->d->kind.buf[r->d->kind.len - 1] == ' ')
		r->d->kind.buf[--r->d->kind.len] = '\0';
	defect_stack(r->d, ROLE_OF_ERROR);
	defect_frame(r->d, &f);
	r->lone = r->any = true;
	return true;
}

/* "READ of size 4 at 0x..." behind the head of an address error, without the address. */
static void
take_access(struct reader *r, char *s)
{
	char *end = strstr(s, " at 0x");

	if (end)
		*end = '\0';
	strbuf_str(&r->d->what, ": ");
	defect_text(&r->d->what, s, strlen(s));
}

/* "0x... is located 12 bytes inside of 40-byte region [...)" */
static void
take_location(struct reader *r, char *s)
{
	char *at = strstr(s, " is located "), *end;

	if (!at)
		return;
	at += strlen(" is located ");
	end = strstr(at, " [");
	if (end)
		*end = '\0';
	strbuf_str(&r->d->what, ", ");
	defect_text(&r->d->what, at, strlen(at));
}

/* "freed by thread T0 here:", "Previous write of size 4 at 0x... by thread T1:" */
static void
take_stack(struct reader *r, const char *s)
{
	static const struct { const char *says; enum defect_role role; } rows[] = {
		{ "freed by ", ROLE_OF_FREEING }, { "allocated by ", ROLE_OF_ALLOCATION },
		{ "allocated from", ROLE_OF_ALLOCATION },
		{ "created ", ROLE_OF_CREATION }, { "revious ", ROLE_OF_PREVIOUS },
		{ "stored to memory", ROLE_OF_OTHER }, { "As if ", ROLE_OF_OTHER },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (!strstr(s, rows[i].says))
			continue;
		defect_stack(r->d, rows[i].role);
		return;
	}
	defect_stack(r->d, r->d->stack ? ROLE_OF_OTHER : ROLE_OF_ERROR);
}

static const struct head {
	const char *mark;
	bool (*take)(struct reader *r, char *s); /* what stands behind it */
} heads[] = {
	{ "ERROR: AddressSanitizer: ", take_address },
	{ "ERROR: LeakSanitizer: ", take_leaks },
	{ "WARNING: ThreadSanitizer: ", take_thread },
	{ "ERROR: ThreadSanitizer: ", take_thread },
	{ "SUMMARY: ", take_summary },
};

static bool
take_head(struct reader *r, char *s)
{
	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++) {
		char *at = strstr(s, heads[i].mark);

		if (at && strstr(s, "Sanitizer: ")) {
			r->lone = false;
			r->any = true;
			return heads[i].take(r, at + strlen(heads[i].mark));
		}
	}
	return strstr(s, ": runtime error: ") && take_undefined(r, s);
}

static void
take_line(struct reader *r)
{
	char *s = r->line.buf + strspn(r->line.buf, " \t");
	size_t n = strlen(s);

	while (n && (s[n - 1] == ' ' || s[n - 1] == '\r'))
		s[--n] = '\0';
	if (take_head(r, s))
		return;
	if (begins(s, "Direct leak of ") || begins(s, "Indirect leak of "))
		take_leak(r, s);
	else if (!r->d->open)
		return;
	else if (is_frame(s))
		take_frame(r, s);
	else if ((begins(s, "READ of ") || begins(s, "WRITE of ")) && r->d->stack == 1)
		take_access(r, s);
	else if (strstr(s, " is located in stack of "))
		defect_stack(r->d, ROLE_OF_OTHER);
	else if (strstr(s, " is located ") && begins(s, "0x"))
		take_location(r, s);
	else if (n && s[n - 1] == ':')
		take_stack(r, s);
}

/* ---- lines ---- */

static void
take_bytes(struct reader *r, const char *bytes, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		if (bytes[i] == '\n') {
			take_line(r);
			strbuf_clear(&r->line);
		} else if (bytes[i] && r->line.len < MAX_LINE) {
			strbuf_char(&r->line, bytes[i]);
		}
	}
}

void
defect_text_read(int fd, struct defect_draft *d)
{
	static const char *const none[DEFECT_TEXTS] = { "", "", "" };
	static const char *const strange[DEFECT_TEXTS] = {
		"it is neither a raw profile, nor a report of errors: the XML of valgrind "
		"(--xml=yes), or what a sanitizer wrote", "", "",
	};
	struct reader r = { .d = d, .line = STRBUF_INIT };
	char *bytes = xmalloc(CHUNK);
	ssize_t nr;

	while ((nr = input_read(fd, bytes, CHUNK)) > 0)
		take_bytes(&r, bytes, (size_t)nr);
	if (r.line.len)
		take_line(&r);
	defect_end(d);
	if (nr < 0 || !r.any)
		defect_send(d->to, DEFECT_PROBLEM, (const uint64_t[DEFECT_NUMBERS]){ 0 }, strange);
	else
		defect_send(d->to, DEFECT_END,
			    (const uint64_t[DEFECT_NUMBERS]){ false, d->full }, none);
	strbuf_release(&r.line);
	free(bytes);
}
