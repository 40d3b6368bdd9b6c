/* dump-raw FILE: what collect/import/rawfile.c reads of a raw profile that no view shows: the
 * head's texts, how long the run took (0: it was killed), and of each sample
 *
 *	sample TID NUMBER-OF-EXTENT TIME CPU FLAGS CENTRE STACK-USED FRAMES PC
 *
 * times in ns, PC as the first module that holds it has it in its file. */
#include <inttypes.h>
#include <stdio.h>

#include "collect/import/rawfile.h"

static uint64_t
in_file(const struct rawfile *r, uint64_t address)
{
	for (size_t i = 0; i < r->nr_modules; i++)
		if (address >= r->modules[i].text_start && address < r->modules[i].text_end)
			return address - r->modules[i].load_bias;
	return address;
}

static void
dump_samples(const struct rawfile *r, size_t part)
{
	struct raw_sample_reader s;

	raw_samples_begin(&s, r, &r->parts[part]);
	while (raw_samples_next(&s))
		if (!(s.sample.flags & RAW_MODULES))
			printf("sample %" PRIu32 " %zu %" PRIu64 " %" PRIu64 " %u %" PRIx64
			       " %" PRIu64 " %u %" PRIx64 "\n", s.sample.tid, part,
			       s.sample.time_ns, s.sample.cpu_ns, s.sample.flags, s.centre,
			       s.stack_used, s.sample.nr_frames, in_file(r, s.frames[0]));
	if (s.damaged)
		printf("damaged %zu\n", part);
	raw_samples_end(&s);
}

int
main(int argc, char **argv)
{
	static const char *const names[RAW_TEXTS] = {
		[RAW_TEXT_HOST] = "host", [RAW_TEXT_RANK] = "rank", [RAW_TEXT_RANKS] = "ranks",
		[RAW_TEXT_JOB] = "job", [RAW_TEXT_LABEL] = "label",
		[RAW_TEXT_PROGRAM] = "program", [RAW_TEXT_DIRECTORY] = "directory",
	};
	struct error err = ERROR_INIT;
	struct rawfile r;

	if (argc != 2 || rawfile_open(&r, argv[1], &err)) {
		fprintf(stderr, "%s\n", err.set ? err.text : "usage: dump-raw FILE");
		return 1;
	}
	for (size_t i = 0; i < RAW_TEXTS; i++)
		printf("%s %s\n", names[i], r.texts[i]);
	printf("arguments %zu of %" PRIu32 "\n", r.nr_arguments, r.head.argc);
	printf("wall %" PRIu64 "\n", r.head.ended_ns ? r.head.ended_ns - r.head.started_ns : 0);
	printf("kernel %s\n", r.head.flags & RAW_KERNEL_TOLD ? "told" : "not told");
	for (size_t i = 0; i < r.nr_parts; i++)
		if (r.parts[i].kind == RAW_SAMPLES)
			dump_samples(&r, i);
	rawfile_close(&r);
	return 0;
}
