#include "util/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "util/mem.h"
#include "util/text/safe.h"

static const char *program = "cgview";
static void (*restore_terminal)(void);

static void
set_text(struct error *err, const char *format, va_list ap)
{
	err->set = true;
	vsnprintf(err->text, sizeof(err->text), format, ap);
}

int
error_set(struct error *err, const char *format, ...)
{
	va_list ap;

	if (!err || err->set)
		return -1;
	va_start(ap, format);
	set_text(err, format, ap);
	va_end(ap);
	return -1;
}

int
error_set_errno(struct error *err, int errnum, const char *format, ...)
{
	va_list ap;
	size_t n;

	if (!err || err->set)
		return -1;
	va_start(ap, format);
	set_text(err, format, ap);
	va_end(ap);
	err->errnum = errnum;
	n = strlen(err->text);
	snprintf(err->text + n, sizeof(err->text) - n, ": %s", strerror(errnum));
	return -1;
}

int
error_copy(struct error *err, const struct error *from)
{
	if (err && !err->set)
		*err = *from;
	return -1;
}

void
error_program(const char *name)
{
	program = name;
}

void
error_at_exit(void (*restore)(void))
{
	restore_terminal = restore;
}

static void
print(const char *format, va_list ap)
{
	char text[1200];
	struct strbuf safe = STRBUF_INIT;

	vsnprintf(text, sizeof(text), format, ap);
	safe_str(&safe, text);
	fflush(stdout);
	fprintf(stderr, "%s: %s\n", program, safe.buf);
	strbuf_release(&safe);
}

void
complain(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	print(format, ap);
	va_end(ap);
}

static void
restore(void)
{
	void (*f)(void) = restore_terminal;

	restore_terminal = NULL;
	if (f)
		f();
}

void
die(int status, const char *format, ...)
{
	va_list ap;

	restore();
	va_start(ap, format);
	print(format, ap);
	va_end(ap);
	exit(status);
}

void
bug(const char *file, int line, const char *format, ...)
{
	va_list ap;

	restore();
	fprintf(stderr, "%s: BUG at %s:%d: ", program, file, line);
	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fputc('\n', stderr);
	abort();
}
