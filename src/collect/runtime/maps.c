/* Where code is: the executable lines of /proc/self/maps, by which the reader finds out which
 * library an address belongs to. */
#include "runtime.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>

/* Reads the executable lines. Those that do not fit are left out. */
static size_t
read_lines(char *text, size_t room)
{
	int fd = (int)kernel(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
	size_t kept = 0, got = 0;
	char *line, *end;
	ssize_t n;

	if (fd < 0)
		return 0;
	while (got < room && (n = kernel(SYS_read, fd, text + got, room - got)) > 0) {
		got += (size_t)n;
		for (line = text + kept; (end = memchr(line, '\n', (size_t)(text + got - line)));
		     line = end + 1)
			if (memmem(line, (size_t)(end - line), " r-xp ", 6)) {
				memmove(text + kept, line, (size_t)(end + 1 - line));
				kept += (size_t)(end + 1 - line);
			}
		memmove(text + kept, line, (size_t)(text + got - line));
		got = kept + (size_t)(text + got - line);
	}
	kernel(SYS_close, fd);
	return kept;
}

/* ---- at the start of a program ---- */

/* Then nothing is there but what the loader knows: to ask it takes a tenth of the time that the
 * kernel needs to print it. */
struct loaded {
	char *text;
	size_t room, at;
};

static size_t
add_hex(char *buffer, size_t size, size_t at, uint64_t n)
{
	char digits[17];
	int i = sizeof(digits) - 1;

	digits[i] = '\0';
	do
		digits[--i] = "0123456789abcdef"[n & 15];
	while (n >>= 4);
	return add_text(buffer, size, at, digits + i);
}

static void
add_line(struct loaded *l, uint64_t base, const Elf64_Phdr *p, uint64_t inode, const char *path)
{
	uint64_t begin = page_down(base + p->p_vaddr);

	l->at = add_hex(l->text, l->room, l->at, begin);
	l->at = add_text(l->text, l->room, l->at, "-");
	l->at = add_hex(l->text, l->room, l->at, page_up(base + p->p_vaddr + p->p_memsz));
	l->at = add_text(l->text, l->room, l->at, " r-xp ");
	l->at = add_hex(l->text, l->room, l->at, page_down(p->p_offset));
	l->at = add_text(l->text, l->room, l->at, " 00:00 ");
	l->at = add_number(l->text, l->room, l->at, inode);
	l->at = add_text(l->text, l->room, l->at, " ");
	l->at = add_text(l->text, l->room, l->at, path);
	l->at = add_text(l->text, l->room, l->at, "\n");
}

/* The path of what INFO tells of; NULL: it is not known here. The program has none there, and is
 * not the one that the kernel was told to execute if the loader was called by its name: then the
 * program wants a loader, but the kernel has loaded none. */
static const char *
path_of(const struct dl_phdr_info *info)
{
	int i;

	if (*info->dlpi_name)
		return info->dlpi_name;
	for (i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_INTERP && !getauxval(AT_BASE))
			return NULL;
	return file_program();
}

static int
add_loaded(struct dl_phdr_info *info, size_t size, void *argument)
{
	struct loaded *l = argument;
	const char *path = path_of(info);
	struct stat st = {.st_ino = 0};
	int i;

	(void)size;
	if (info->dlpi_addr == getauxval(AT_SYSINFO_EHDR))
		path = "[vdso]";
	else if (!path || *path != '/' || kernel(SYS_stat, path, &st) < 0)
		return 1;
	for (i = 0; i < info->dlpi_phnum; i++) {
		const Elf64_Phdr *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_LOAD && (p->p_flags & (PF_X | PF_W | PF_R)) == (PF_X | PF_R))
			add_line(l, info->dlpi_addr, p, st.st_ino, path);
	}
	return l->at + 1 >= l->room;
}

size_t
maps_loaded(char *text, size_t room)
{
	struct loaded l = {.text = text, .room = room};

	return dl_iterate_phdr(add_loaded, &l) ? 0 : l.at;
}

size_t
maps_read(char *text, size_t room, bool at_start)
{
	size_t n = at_start ? maps_loaded(text, room) : 0;

	return n ? n : read_lines(text, room);
}
