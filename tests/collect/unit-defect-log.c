/* Reports of errors that are cut at every byte, and such as no tool writes: no crash, and what is
 * whole is read. */
#include "collect/import/errors/defect_log.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tui/check.h"

#define FRAME(ip, name, line) \
	"<frame><ip>0x" ip "</ip><obj>/x/prog</obj><fn>" name "</fn><dir>/x</dir>" \
	"<file>a.c</file><line>" line "</line></frame>"
#define ERROR(unique, kind) \
	"<error><unique>0x" unique "</unique>" \
	"<kind>" kind "</kind><what>Invalid &lt;read&gt;</what>" \
	"<stack>" FRAME("109", "f", "7") FRAME("10a", "main", "9") "</stack>" \
	"<auxwhat>Address 0x4a is 1 bytes inside a block of size 10 free'd</auxwhat>" \
	"<stack>" FRAME("10b", "g", "8") "</stack></error>\n"
#define BEGIN "<?xml version=\"1.0\"?>\n\n<valgrindoutput><protocolversion>4</protocolversion>" \
	"<protocoltool>memcheck</protocoltool>\n"
static const char xml[] = BEGIN ERROR("1", "InvalidRead") ERROR("2", "InvalidWrite")
	"<errorcounts><pair><count>5</count><unique>0x2</unique></pair></errorcounts>"
	"</valgrindoutput>\n";

static const char sanitizers[] =
	"output of the program\n"
	"/x/a.c:17:6: runtime error: signed integer overflow: 1 + 2\n"
	"=====\n"
	"==12==ERROR: AddressSanitizer: attempting double-free on 0x602 in thread T0:\n"
	"    #0 0x7f1 in free (/lib/libasan.so.8+0xb76a8) (BuildId: 0a1b)\n"
	"    #1 0x556 in std::f(int, char const*) /x/a b.cc:11:3\n"
	"\n"
	"0x602 is located 0 bytes inside of 40-byte region [0x602,0x604)\n"
	"freed by thread T0 here:\n"
	"    #0 0x557 in give_back a.c:12\n"
	"SUMMARY: AddressSanitizer: double-free a.c:11 in f\n"
	"==12==ERROR: LeakSanitizer: detected memory leaks\n"
	"\n"
	"Indirect leak of 80 byte(s) in 2 object(s) allocated from:\n"
	"    #0 0x558 in make /x/a.c:5\n"
	"\n"
	"SUMMARY: AddressSanitizer: 80 byte(s) leaked in 2 allocation(s).\n"
	"WARNING: ThreadSanitizer: data race (pid=3)\n"
	"  Write of size 4 at 0x55 by thread T2:\n"
	"    #0 add /x/t.c:5 (prog+0x25b8)\n"
	"  Previous read of size 4 at 0x55 by thread T1:\n"
	"    #0 add /x/t.c:6 (prog+0x25d0)\n"
	"  Location is heap block of size 8 at 0x55 allocated by main thread:\n"
	"    #0 calloc <null> (prog+0x25e0) (BuildId: 0a1b)\n";

static char path[] = "/tmp/cgview-defects-XXXXXX";

/* With sanitizers, what was freed is kept. Thousands of children would copy 256 MB of it. */
const char *__asan_default_options(void);
const char *
__asan_default_options(void)
{
	return "quarantine_size_mb=16";
}

static int
read_bytes(struct defect_log *log, const char *bytes, size_t nr, struct error *err)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);

	*err = (struct error)ERROR_INIT;
	if (fd < 0 || write(fd, bytes, nr) != (ssize_t)nr)
		BUG("cannot write %s", path);
	close(fd);
	return defect_log_read(log, path, err);
}

/* Reads all beginnings of TEXT, or each STEPth. Returns whether none has more than another that is
 * longer, none damages anything, and those that are refused have a message. */
static bool
read_beginnings(const char *text, size_t length, size_t step)
{
	struct defect_log log;
	size_t before = 0;
	struct error err;
	bool good = true;

	for (size_t nr = 0; nr <= length && good; nr += step) {
		int status = read_bytes(&log, text, nr, &err);

		good = status ? err.set && !strchr(err.text, '\n') : log.nr_defects >= before;
		good = good && (status || log.nr_defects <= 4) &&
		       !strstr(err.text, "ended by signal");
		if (!good)
			printf("# at byte %zu: %s\n", nr, err.text);
		before = status ? before : log.nr_defects;
		defect_log_release(&log);
	}
	return good;
}

static bool
refuses(const char *bytes, size_t nr, const char *message)
{
	struct defect_log log;
	struct error err;
	bool good = read_bytes(&log, bytes, nr, &err) && strstr(err.text, message);

	if (!good)
		printf("# %s\n", err.text);
	defect_log_release(&log);
	return good;
}

static void
check_xml(void)
{
	struct defect_log log;
	struct error err;

	verdict(!read_bytes(&log, xml, sizeof(xml) - 1, &err) && log.nr_defects == 2 && !log.cut &&
		!strcmp(log.defects[1].kind, "InvalidWrite") && log.defects[0].count == 1 &&
		log.defects[1].count == 5 && log.defects[1].nr_frames == 3 &&
		!strcmp(log.defects[0].tool, "memcheck") &&
		!strcmp(log.defects[0].what,
			"Invalid <read>: 1 bytes inside a block of size 10 free'd"),
		"memcheck: kinds, counts, what");
	verdict(log.nr_frames == 6 && log.frames[1].ip == 0x10a && log.frames[1].depth == 2 &&
		log.frames[1].line == 9 && log.frames[2].role == ROLE_OF_FREEING &&
		log.frames[2].stack == 2 && !strcmp(log.frames[2].file, "/x/a.c") &&
		!strcmp(log.frames[0].name, "f") && !strcmp(log.frames[0].object, "/x/prog"),
		"memcheck: frames");
	defect_log_release(&log);
	verdict(!read_bytes(&log, xml, strlen(BEGIN ERROR("1", "InvalidRead")) + 20, &err) &&
		log.cut && log.nr_defects == 1, "what is whole is taken of a report that is cut");
	defect_log_release(&log);
}

static void
check_sanitizers(void)
{
	struct defect_log log;
	struct error err;

	verdict(!read_bytes(&log, sanitizers, sizeof(sanitizers) - 1, &err) &&
		log.nr_defects == 4 && !strcmp(log.defects[0].kind, "signed integer overflow") &&
		log.frames[0].column == 6 && log.frames[0].line == 17,
		"undefined behaviour: kind and place");
	verdict(log.nr_defects == 4 && !strcmp(log.defects[1].kind, "double-free") &&
		!strcmp(log.defects[1].what, "double-free, 0 bytes inside of 40-byte region") &&
		!strcmp(log.frames[2].name, "std::f(int, char const*)") &&
		!strcmp(log.frames[2].file, "/x/a b.cc") && log.frames[2].column == 3 &&
		!strcmp(log.frames[1].object, "/lib/libasan.so.8") && log.frames[1].ip == 0xb76a8 &&
		log.frames[3].role == ROLE_OF_FREEING && !strcmp(log.frames[3].file, "a.c"),
		"an address: names, files and objects with blanks");
	verdict(log.nr_defects == 4 && !strcmp(log.defects[2].kind, "indirect-leak") &&
		log.defects[2].bytes == 80 && log.defects[2].blocks == 2, "a leak: bytes, blocks");
	verdict(log.nr_defects == 4 && log.defects[3].nr_frames == 3 &&
		!strcmp(log.defects[3].tool, "tsan") && log.frames[5].ip == 0x25b8 &&
		log.frames[6].role == ROLE_OF_PREVIOUS, "a race: both accesses");
	verdict(log.nr_defects == 4 && log.nr_frames == 8 &&
		!strcmp(log.frames[7].name, "calloc") && !*log.frames[7].file &&
		log.frames[7].ip == 0x25e0, "a frame without a file, as clang writes it");
	defect_log_release(&log);
}

/* A report with MANY times the text MIDDLE. */
static bool
read_many(const char *begin, const char *middle, size_t many, const char *end,
	  struct defect_log *log, struct error *err)
{
	struct strbuf sb = STRBUF_INIT;
	int status;

	strbuf_str(&sb, begin);
	for (size_t i = 0; i < many; i++)
		strbuf_str(&sb, middle);
	strbuf_str(&sb, end);
	status = read_bytes(log, sb.buf, sb.len, err);
	strbuf_release(&sb);
	return !status;
}

static void
check_much(void)
{
	struct defect_log log;
	struct error err;

	verdict(read_many(BEGIN "<error><kind>", "aaaaaaaaaaaaaaaa", 1 << 18,
			  "</kind></error></valgrindoutput>", &log, &err) && log.nr_defects == 1 &&
		strlen(log.defects[0].kind) <= LOG_MAX_TEXT, "a text of 4 MB is cut");
	defect_log_release(&log);
	verdict(read_many(BEGIN "<error><stack>", FRAME("1", "f", "1"), 5000,
			  "</stack></error></valgrindoutput>", &log, &err) && log.nr_defects == 1 &&
		log.nr_frames == LOG_MAX_FRAMES, "a stack of 5,000 frames is cut");
	defect_log_release(&log);
	verdict(read_many(BEGIN, "<error><kind>a</kind></error>", LOG_MAX_DEFECTS + 5,
			  "</valgrindoutput>", &log, &err) && log.full &&
		log.nr_defects == LOG_MAX_DEFECTS, "more errors than fit: it is told");
	defect_log_release(&log);
	verdict(read_many("==1==ERROR: AddressSanitizer: x on 0x1\n    #0 0x1 in ",
			  "aaaaaaaaaaaaaaaa", 1 << 18, " a.c:1\n", &log, &err) &&
		log.nr_defects == 1, "a line of 4 MB");
	defect_log_release(&log);
}

/* Bytes that differ at random; the seed is fixed. */
static bool
survives_changes(const char *text, size_t length, int rounds)
{
	char *copy = xmalloc(length);
	struct defect_log log;
	struct error err;
	bool good = true;

	srandom(1);
	for (int i = 0; i < rounds && good; i++) {
		memcpy(copy, text, length);
		for (int k = 0; k < 8; k++)
			copy[(size_t)random() % length] = (char)random();
		if (read_bytes(&log, copy, length, &err))
			good = err.set && !strstr(err.text, "ended by signal");
		if (!good)
			printf("# round %d: %s\n", i, err.text);
		defect_log_release(&log);
	}
	free(copy);
	return good;
}

int
main(void)
{
	static const char bomb[] = "<!DOCTYPE x [<!ENTITY a \"aaaa\">]><valgrindoutput>&a;";
	int fd = mkstemp(path);

	close(fd);
	check_xml();
	check_sanitizers();
	verdict(read_beginnings(xml, sizeof(xml) - 1, 1), "XML cut at every byte");
	verdict(read_beginnings(sanitizers, sizeof(sanitizers) - 1, 1), "a log cut at every byte");
	verdict(survives_changes(xml, sizeof(xml) - 1, 300), "XML with other bytes");
	verdict(survives_changes(sanitizers, sizeof(sanitizers) - 1, 300),
		"a log with other bytes");
	verdict(refuses("", 0, "neither a raw profile"), "nothing");
	verdict(refuses("<a/>", 4, "not what valgrind writes"), "other XML");
	verdict(refuses(bomb, sizeof(bomb) - 1, "document type"), "entities");
	verdict(refuses("<valgrindoutput><error></x>", 27, "line 1 is no XML"), "no XML");
	check_much(); /* last, as each child above would copy its memory */
	unlink(path);
	return 0;
}
