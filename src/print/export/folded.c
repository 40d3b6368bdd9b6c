/* Folded stacks, as flame graphs are made of: "outermost;...;innermost NUMBER" in each line. */
#include <inttypes.h>
#include <stdlib.h>

#include "print/export/export_stacks.h"
#include "print/export/formats.h"

int
export_folded(struct export *e, FILE *out, struct error *err)
{
	struct export_path path = { .procedures = NULL };
	struct strbuf line = STRBUF_INIT;
	struct export_measure measure;
	struct export_paths t;
	int64_t *self;

	if (export_choose_measure(e, MEASURE_SAMPLES, &measure, err))
		return -1;
	export_paths_make(&t, e);
	self = export_paths_self(&t, e, measure.id);
	for (size_t i = 0; i < t.nr && !ferror(out); i++) {
		if (!self[i])
			continue;
		export_path_of(&path, &t, (uint32_t)i);
		for (size_t j = 0; j < path.nr; j++) {
			strbuf_str(&line, j ? ";" : "");
			export_text(&line, export_name(e, path.procedures[j]), ";", ':');
		}
		strbuf_fmt(&line, " %" PRId64 "\n", self[i]);
		export_flush(&line, out);
	}
	free(self);
	free(path.procedures);
	export_paths_release(&t);
	strbuf_release(&line);
	return 0;
}
