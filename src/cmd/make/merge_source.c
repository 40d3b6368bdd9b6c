#include "cmd/make/merge_source.h"

/* In the matching, BASE is profile 0 and the other one is profile 1. */

static model_id
find_file(void *context, model_id file)
{
	uint32_t number = match_file(context, 1, file);

	return number ? match_file_in(context, number, 0) : 0;
}

static model_id
find_procedure(void *context, model_id procedure)
{
	entity_id e = match_entity(context, 1, procedure);

	return e ? match_procedure(context, e, 0) : 0;
}

static model_id
find_target(void *context, const char *linkage_name)
{
	entity_id e = match_target(context, 1, linkage_name);

	return e ? match_procedure(context, e, 0) : 0;
}

static bool
is_changed(void *context, model_id procedure)
{
	entity_id e = match_entity(context, 1, procedure);

	return !e || match_changed(context, e, 1);
}

static bool
find_place(void *context, struct place *place)
{
	struct matched_place found;

	match_place(context, 1, place, &found);
	if (found.home)
		return false;
	*place = found.place;
	return true;
}

static bool
find_line(void *context, model_id *file, uint32_t *line)
{
	struct matched_place found;

	match_line(context, 1, *file, *line, &found);
	if (found.home)
		return false;
	*file = found.place.file;
	*line = found.place.line;
	return true;
}

int
merge_by_source(struct model *sum, const char *base, const struct model *m, const char *path,
		const struct match_options *options, struct candidates *c, struct error *err)
{
	struct profile *profiles[2] = { profile_open(base, err), profile_open(path, err) };
	struct merge_source source = {
		.file = find_file, .procedure = find_procedure, .target = find_target,
		.changed = is_changed, .place = find_place, .line = find_line,
	};
	struct match *match = NULL;
	int status = -1;

	if (profiles[0] && profiles[1] && !match_open(profiles, 2, options, &match, err)) {
		source.context = match;
		status = model_merge_by_source(sum, m, &source, path, c, err);
	}
	if (match)
		match_close(match);
	profile_close(profiles[0]);
	profile_close(profiles[1]);
	return status;
}
