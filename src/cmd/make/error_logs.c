#include "cmd/make/error_logs.h"

#include <inttypes.h>

static int
add_one(struct error_logs *l, struct model *m, const char *path, struct error *err)
{
	struct defect_log log;
	int status = defect_log_read(&log, path, err);

	if (!status) {
		l->read++;
		l->errors += log.nr_defects;
		status = defects_add(m, &log, &l->found, err);
	}
	if (!status && log.cut)
		complain("%s ends in the middle: what was read before that is taken", path);
	if (!status && log.full)
		complain("%s has more than %d errors: the others are left out", path,
			 LOG_MAX_DEFECTS);
	defect_log_release(&log);
	return status;
}

int
error_logs_add(struct error_logs *l, struct model *m, const char *const *paths, size_t nr,
	       bool keep_going, struct error *err)
{
	for (size_t i = 0; i < nr; i++) {
		struct error problem = ERROR_INIT;

		if (!add_one(l, m, paths[i], &problem))
			continue;
		if (!keep_going)
			return error_copy(err, &problem);
		complain("left out: %s", problem.text);
		model_note(m, "merge", "left out: %s", problem.text);
		l->left_out++;
	}
	return 0;
}

void
error_logs_tell(const struct error_logs *l, const char *profile)
{
	const struct defects_found *f = &l->found;
	struct strbuf sb = STRBUF_INIT;

	if (!l->read)
		return;
	strbuf_fmt(&sb, "%zu error%s", f->exact + f->lines + f->without,
		   f->exact + f->lines + f->without == 1 ? "" : "s");
	if (f->seen > f->exact + f->lines + f->without)
		strbuf_fmt(&sb, ", seen %" PRIu64 " times", f->seen);
	if (f->exact)
		strbuf_fmt(&sb, ", %zu at an expression", f->exact);
	if (f->lines)
		strbuf_fmt(&sb, ", %zu at a line", f->lines);
	if (f->without)
		strbuf_fmt(&sb, ", %zu at no place of the profile", f->without);
	if (f->elsewhere)
		strbuf_fmt(&sb, "; %zu in other programs left out", f->elsewhere);
	if (f->runtime)
		strbuf_fmt(&sb, "; %zu in the counting itself left out", f->runtime);
	complain("%s  ->  %s", sb.buf, profile);
	strbuf_release(&sb);
}
