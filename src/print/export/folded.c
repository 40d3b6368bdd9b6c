/* Folded stacks, as flame graphs are made of: "outermost;...;innermost NUMBER" in each line. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "print/export/export_stacks.h"
#include "print/export/formats.h"

/* Finds the figure that the user wants. -1 and ERR: stacks have none of that name. */
static int
choose(const struct export *e, struct export_measure *chosen, struct error *err)
{
	struct export_measure found[EXPORT_MOST_MEASURES];
	size_t nr = export_stack_measures(e, found);
	struct strbuf names = STRBUF_INIT;

	for (size_t i = 0; i < nr; i++) {
		if (!e->measure || !strcmp(e->measure, found[i].name)) {
			*chosen = found[i];
			strbuf_release(&names);
			return 0;
		}
		strbuf_fmt(&names, "%s%s", i ? ", " : "", found[i].name);
	}
	if (e->measure && nr)
		error_set(err, "--measure %s: with the stacks of %s it is one of %s", e->measure,
			  profile_name(e->p), names.buf);
	else
		error_set(err, "the stacks of %s have no figures", profile_name(e->p));
	strbuf_release(&names);
	return -1;
}

int
export_folded(struct export *e, FILE *out, struct error *err)
{
	struct export_path path = { .procedures = NULL };
	struct strbuf line = STRBUF_INIT;
	struct export_measure measure;
	struct export_paths t;
	int64_t *self;

	if (choose(e, &measure, err))
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
