/* Reads the XML of valgrind's tools (protocol 4 and on), in the child that has no rights left. */
#include <expat.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "collect/import/errors/defect_wire.h"
#include "util/input.h"

/* Expat 2.9 wants others in place of these, which older ones do not have. */
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 9
#define current_line XML_GetCurrentLineNumber64
#define set_salt(parser) XML_SetHashSalt16Bytes(parser, (const uint8_t[16]){ 1 })
#else
#define current_line XML_GetCurrentLineNumber
#define set_salt(parser) XML_SetHashSalt(parser, 1)
#endif

enum { MAX_DEPTH = 16, MAX_NAME = 24, CHUNK = 1 << 16 };

struct reader {
	struct defect_draft *d;
	XML_Parser parser;
	const char *tool;
	char names[MAX_DEPTH][MAX_NAME]; /* of the elements that are open */
	int depth;
	bool root;                 /* it is a report */
	struct strbuf text;        /* of the element that began last */
	struct strbuf dir, file, object, name;
	struct logged_frame frame;
	enum defect_role role;     /* of the next stack */
	uint64_t unique, count;
	uint64_t *uniques;         /* of the errors that were sent */
	size_t nr_uniques, uniques_alloc;
	const char *problem;
};

static uint64_t
number(const struct reader *r)
{
	return strtoull(r->text.buf, NULL, 0);
}

/* ---- elements ---- */

static void
set_tool(struct reader *r)
{
	static const char *const tools[] = { "memcheck", "helgrind", "drd", "dhat" };

	for (size_t i = 0; i < sizeof(tools) / sizeof(*tools); i++)
		if (!strcmp(r->text.buf, tools[i]))
			r->tool = tools[i];
}

static void
begin_root(struct reader *r)
{
	r->root |= r->depth == 1;
}

static void
begin_error(struct reader *r)
{
	defect_begin(r->d, r->tool);
	r->role = ROLE_OF_ERROR;
	r->unique = UINT64_MAX;
}

static void
end_error(struct reader *r)
{
	size_t nr = r->d->nr;

	defect_end(r->d);
	if (r->d->nr == nr)
		return;
	GROW(r->uniques, r->nr_uniques + 1, r->uniques_alloc);
	r->uniques[r->nr_uniques++] = r->unique;
}

static void
set_unique(struct reader *r)
{
	r->unique = number(r);
}

static void
set_kind(struct reader *r)
{
	defect_text(&r->d->kind, r->text.buf, r->text.len);
}

/* The number of a leak among the others is another one in each run. */
static void
set_what(struct reader *r)
{
	const char *end = strstr(r->text.buf, " in loss record");

	defect_text(&r->d->what, r->text.buf, end ? (size_t)(end - r->text.buf) : r->text.len);
}

static void
set_bytes(struct reader *r)
{
	r->d->bytes = number(r);
}

static void
set_blocks(struct reader *r)
{
	r->d->blocks = number(r);
}

/* It tells what the next stack is of, and where in a block an address is. */
static void
set_role(struct reader *r)
{
	static const struct { const char *says; enum defect_role role; } rows[] = {
		{ "free'd", ROLE_OF_FREEING }, { "alloc'd", ROLE_OF_ALLOCATION },
		{ "created by", ROLE_OF_CREATION }, { "created", ROLE_OF_CREATION },
		{ "previous", ROLE_OF_PREVIOUS },
	};
	const char *is = strstr(r->text.buf, " is ");

	r->role = ROLE_OF_OTHER;
	for (size_t i = sizeof(rows) / sizeof(*rows); i--;)
		if (strstr(r->text.buf, rows[i].says))
			r->role = rows[i].role;
	if (is && !strncmp(r->text.buf, "Address 0x", strlen("Address 0x"))) {
		strbuf_str(&r->d->what, ": ");
		defect_text(&r->d->what, is + strlen(" is "), strlen(is) - strlen(" is "));
	}
}

static void
begin_stack(struct reader *r)
{
	defect_stack(r->d, r->role);
	r->role = ROLE_OF_OTHER;
}

static void
begin_frame(struct reader *r)
{
	r->frame = (struct logged_frame){ .ip = 0 };
	strbuf_clear(&r->dir);
	strbuf_clear(&r->file);
	strbuf_clear(&r->object);
	strbuf_clear(&r->name);
}

static void
end_frame(struct reader *r)
{
	if (r->dir.len && r->file.len && r->file.buf[0] != '/') {
		strbuf_char(&r->dir, '/');
		strbuf_str(&r->dir, r->file.buf);
		r->frame.file = r->dir.buf;
	} else {
		r->frame.file = r->file.buf;
	}
	r->frame.object = r->object.buf;
	r->frame.name = r->name.buf;
	defect_frame(r->d, &r->frame);
}

static void
set_ip(struct reader *r)
{
	r->frame.ip = number(r);
}

static void
set_line(struct reader *r)
{
	uint64_t line = number(r);

	r->frame.line = line > INT32_MAX ? 0 : (uint32_t)line;
}

static void
set_object(struct reader *r)
{
	defect_text(&r->object, r->text.buf, r->text.len);
}

static void
set_name(struct reader *r)
{
	defect_text(&r->name, r->text.buf, r->text.len);
}

static void
set_directory(struct reader *r)
{
	defect_text(&r->dir, r->text.buf, r->text.len);
}

static void
set_file(struct reader *r)
{
	defect_text(&r->file, r->text.buf, r->text.len);
}

static void
set_count(struct reader *r)
{
	r->count = number(r);
}

static void
end_pair(struct reader *r)
{
	static const char *const texts[DEFECT_TEXTS] = { "", "", "" };

	for (size_t i = 0; i < r->nr_uniques; i++)
		if (r->uniques[i] == r->unique)
			defect_send(r->d->to, DEFECT_COUNT,
				    (const uint64_t[DEFECT_NUMBERS]){ i, r->count }, texts);
}

/* What is done at the begin and the end of an element, by its name and that of the one around. */
static const struct element {
	const char *name, *in;
	void (*begin)(struct reader *r), (*end)(struct reader *r);
} elements[] = {
	{ "valgrindoutput", "", begin_root, NULL },
	{ "protocoltool", "valgrindoutput", NULL, set_tool },
	{ "error", "valgrindoutput", begin_error, end_error },
	{ "unique", "error", NULL, set_unique },
	{ "kind", "error", NULL, set_kind },
	{ "what", "error", NULL, set_what },
	{ "text", "xwhat", NULL, set_what },
	{ "leakedbytes", "xwhat", NULL, set_bytes },
	{ "leakedblocks", "xwhat", NULL, set_blocks },
	{ "auxwhat", "error", NULL, set_role },
	{ "text", "xauxwhat", NULL, set_role },
	{ "stack", "error", begin_stack, NULL },
	{ "fatal_signal", "valgrindoutput", begin_error, end_error },
	{ "signame", "fatal_signal", NULL, set_kind },
	{ "event", "fatal_signal", NULL, set_what },
	{ "stack", "fatal_signal", begin_stack, NULL },
	{ "frame", "stack", begin_frame, end_frame },
	{ "ip", "frame", NULL, set_ip },
	{ "obj", "frame", NULL, set_object },
	{ "fn", "frame", NULL, set_name },
	{ "dir", "frame", NULL, set_directory },
	{ "file", "frame", NULL, set_file },
	{ "line", "frame", NULL, set_line },
	{ "unique", "pair", NULL, set_unique },
	{ "count", "pair", NULL, set_count },
	{ "pair", "errorcounts", NULL, end_pair },
};

static const struct element *
element_of(const struct reader *r)
{
	const char *name = r->names[r->depth - 1], *in = r->depth > 1 ? r->names[r->depth - 2] : "";

	for (size_t i = 0; i < sizeof(elements) / sizeof(*elements); i++)
		if (!strcmp(elements[i].name, name) && !strcmp(elements[i].in, in))
			return &elements[i];
	return NULL;
}

/* ---- the parser ---- */

static void
stop(struct reader *r, const char *problem)
{
	r->problem = problem;
	XML_StopParser(r->parser, XML_FALSE);
}

static void XMLCALL
begin(void *reader, const XML_Char *name, const XML_Char **attributes)
{
	struct reader *r = reader;
	const struct element *e;

	(void)attributes;
	if (r->depth == MAX_DEPTH) {
		stop(r, "its elements are nested too deeply to be valgrind's");
		return;
	}
	strncpy(r->names[r->depth], name, MAX_NAME - 1);
	r->depth++;
	strbuf_clear(&r->text);
	e = element_of(r);
	if (e && e->begin)
		e->begin(r);
	if (!r->root)
		stop(r, "it is XML, but not what valgrind writes with --xml=yes");
}

static void XMLCALL
end(void *reader, const XML_Char *name)
{
	struct reader *r = reader;
	const struct element *e = element_of(r);

	(void)name;
	if (e && e->end)
		e->end(r);
	strbuf_clear(&r->text);
	memset(r->names[--r->depth], 0, MAX_NAME);
}

static void XMLCALL
text(void *reader, const XML_Char *s, int length)
{
	struct reader *r = reader;

	if (r->text.len < LOG_MAX_TEXT)
		strbuf_add(&r->text, s, (size_t)length);
}

/* Valgrind declares no types and no entities. */
static void XMLCALL
doctype(void *reader, const XML_Char *name, const XML_Char *system, const XML_Char *public,
	int internal)
{
	(void)name;
	(void)system;
	(void)public;
	(void)internal;
	stop(reader, "it declares a document type, which valgrind's XML does not");
}

/* A run that was killed leaves a file that ends anywhere. */
static bool
is_cut(enum XML_Error why, bool last)
{
	return last && (why == XML_ERROR_NO_ELEMENTS || why == XML_ERROR_UNCLOSED_TOKEN ||
			why == XML_ERROR_PARTIAL_CHAR || why == XML_ERROR_UNCLOSED_CDATA_SECTION ||
			why == XML_ERROR_ASYNC_ENTITY || why == XML_ERROR_INVALID_TOKEN);
}

static void
tell_end(struct reader *r, bool cut, char *problem)
{
	const uint64_t numbers[DEFECT_NUMBERS] = { cut, r->d->full };
	const char *const texts[DEFECT_TEXTS] = { problem ? problem : "", "", "" };

	defect_send(r->d->to, problem ? DEFECT_PROBLEM : DEFECT_END, numbers, texts);
	free(problem);
}

static void
parse(struct reader *r, int fd)
{
	enum XML_Status status;
	ssize_t nr;
	void *room;

	do {
		room = XML_GetBuffer(r->parser, CHUNK);
		nr = room ? input_read(fd, room, CHUNK) : -1;
		if (nr < 0) {
			tell_end(r, false, xstrdup("it could not be read"));
			return;
		}
		status = XML_ParseBuffer(r->parser, (int)nr, nr < CHUNK);
	} while (status == XML_STATUS_OK && nr == CHUNK);
	if (status == XML_STATUS_OK)
		tell_end(r, false, NULL);
	else if (!r->problem && !r->root)
		tell_end(r, false, xstrdup("it is XML, but not what valgrind writes with "
					   "--xml=yes"));
	else if (!r->problem && is_cut(XML_GetErrorCode(r->parser), nr < CHUNK))
		tell_end(r, true, NULL);
	else if (r->problem)
		tell_end(r, false, xstrdup(r->problem));
	else
		tell_end(r, false, xasprintf("line %lu is no XML: %s",
					     (unsigned long)current_line(r->parser),
					     XML_ErrorString(XML_GetErrorCode(r->parser))));
}

void
defect_xml_read(int fd, struct defect_draft *d)
{
	struct reader r = {
		.d = d, .tool = "valgrind", .text = STRBUF_INIT, .dir = STRBUF_INIT,
		.file = STRBUF_INIT, .object = STRBUF_INIT, .name = STRBUF_INIT,
		.parser = XML_ParserCreate(NULL),
	};

	if (!r.parser)
		return;
	XML_SetUserData(r.parser, &r);
	set_salt(r.parser); /* else it looks for some, which it may not */
	XML_SetElementHandler(r.parser, begin, end);
	XML_SetCharacterDataHandler(r.parser, text);
	XML_SetStartDoctypeDeclHandler(r.parser, doctype);
	parse(&r, fd);
	XML_ParserFree(r.parser);
}
