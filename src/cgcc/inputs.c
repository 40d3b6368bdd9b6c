#include "cgcc/inputs.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/input.h"

static const char *const suffixes[NR_INPUTS][16] = {
	[INPUT_HEADER] = { ".h", ".hh", ".H", ".hp", ".hxx", ".hpp", ".HPP", ".h++", ".tcc" },
	[INPUT_SOURCE] = { ".c", ".i", ".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".C", ".ii" },
	[INPUT_ASSEMBLER] = { ".s", ".S", ".sx" },
};

enum input
input_kind(const char *name)
{
	const char *dot = strrchr(name, '.');

	for (int kind = 0; dot && kind < NR_INPUTS; kind++)
		for (const char *const *ending = suffixes[kind]; *ending; ending++)
			if (!strcmp(dot, *ending))
				return (enum input)kind;
	return INPUT_OBJECT;
}

bool
input_text(const char *path, struct strbuf *text)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;
	char chunk[4096];
	ssize_t n = 0;
	bool is = fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode);

	while (is && (n = input_read(fd, chunk, sizeof(chunk))) > 0)
		strbuf_add(text, chunk, (size_t)n);
	if (fd >= 0)
		close(fd);
	return is && !n; /* what cannot be read, the compiler will tell */
}

bool
input_names_entry(const char *path)
{
	static const char *const words[] = {"syscall",	  "sysenter", "int $0x80",
					    "int\t$0x80", "int 0x80", "int\t0x80"};
	struct strbuf text = STRBUF_INIT;
	bool found = false;

	if (input_text(path, &text))
		for (size_t i = 0; !found && i < sizeof(words) / sizeof(*words); i++)
			found = text.len && strcasestr(text.buf, words[i]);
	strbuf_release(&text);
	return found;
}
