/* What is fuzzed: each target is a function of any bytes. Built twice: with clang's libFuzzer
 * (make fuzz), and into a unit test that replays what was found once (unit-regressions.c). */
#ifndef CGVIEW_TESTS_FUZZ_TARGETS_H
#define CGVIEW_TESTS_FUZZ_TARGETS_H

#include <stddef.h>
#include <stdint.h>

void fuzz_raw(const uint8_t *data, size_t size);        /* a raw file, its checksums mended */
void fuzz_tables(const uint8_t *data, size_t size);     /* a section cgview_tab */
void fuzz_pages(const uint8_t *data, size_t size);      /* changes of a profile's bytes */
void fuzz_contents(const uint8_t *data, size_t size);   /* changes of its rows, by SQL */
void fuzz_expression(const uint8_t *data, size_t size); /* diff -e */
void fuzz_config(const uint8_t *data, size_t size);
void fuzz_series(const uint8_t *data, size_t size);     /* diff --series FILE */
void fuzz_errors(const uint8_t *data, size_t size);     /* reports of other tools' errors */
void fuzz_foreign(const uint8_t *data, size_t size);    /* profiles of other tools */

static const struct fuzz_target {
	const char *name;
	void (*run)(const uint8_t *data, size_t size);
} fuzz_targets[] = {
	{ "raw", fuzz_raw }, { "tables", fuzz_tables }, { "pages", fuzz_pages },
	{ "contents", fuzz_contents }, { "expression", fuzz_expression },
	{ "config", fuzz_config }, { "series", fuzz_series },
	{ "errors", fuzz_errors }, { "foreign", fuzz_foreign }, { NULL, NULL },
};

/* A file of this process, in memory if the system has such a place; "" while it cannot be. */
const char *fuzz_file(const char *name);
void fuzz_write(const char *path, const void *data, size_t size);

#endif
