/* The line table of a unit (.debug_line), versions 2 to 5, read from its bytes. libdwarf's reading
 * is not used: that of 2021 says file 0 where a table of version 5 has not set a file and so means
 * 1, and file 0 as well where the table says 0, which is another file. Whatever the bytes are, only
 * bytes of the sections are read. */
#ifndef CGVIEW_COLLECT_LINE_TABLE_H
#define CGVIEW_COLLECT_LINE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes { const uint8_t *at, *end; };

struct line_sections { struct bytes line, line_str, str; }; /* unpacked; empty: there is none */

struct line_file { const char *name; uint64_t directory; }; /* name NULL: there is no such file */

struct line_span {             /* code that stands for one position */
	uint64_t begin, end;   /* link-time addresses, begin < end */
	uint64_t file, line, column;
};

struct line_table {
	unsigned version;
	const char **directories;  /* by the numbers that the table has for them; 0 is that of the
				    * compilation, NULL before version 5 */
	struct line_file *files;   /* by the numbers that the table and debug information have */
	size_t nr_directories, nr_files;
	bool damaged;              /* set as soon as it is seen */
	/* private */
	struct bytes rest;         /* of the program */
	uint8_t instruction, line_range, opcode_base, operands[256];
	int8_t line_base;
	struct line_span row;      /* the registers; BEGIN is the address */
	struct line_span last;     /* the row before it in its sequence */
	bool has_last, dead;       /* dead: the linker has removed the code of the sequence */
};

/* Reads the head of the table at OFFSET of the section; texts point into the sections. Returns -1
 * when it is damaged. Either way line_table_release() is the caller's. */
int line_table_open(struct line_table *t, const struct line_sections *s, uint64_t offset);
void line_table_release(struct line_table *t);

/* Fills SPAN with the next code of the table, in its order. Returns false behind the last one. */
bool line_table_next(struct line_table *t, struct line_span *span);

#endif
