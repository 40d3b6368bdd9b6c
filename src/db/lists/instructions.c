#include "db/lists/instructions.h"

#include <stdlib.h>

#include "db/store/connection.h"
#include "util/mem.h"

static char *
text_of(sqlite3_stmt *st, int i)
{
	size_t length;
	const char *text = column_text(st, i, &length);

	return text ? xstrndup(text, length) : xstrdup("");
}

bool
profile_procedure_code(struct profile *p, model_id procedure, struct procedure_code *c)
{
	static const char sql[] =
		"SELECT name, linkage_name, module, (SELECT build_id FROM module "
		"WHERE path = procedure.module LIMIT 1) FROM procedure WHERE id = ?1";
	sqlite3_stmt *st = profile_prepare(p, sql);
	bool there;

	sqlite3_bind_int64(st, 1, procedure);
	there = profile_step(p, st);
	if (there)
		*c = (struct procedure_code){ text_of(st, 0), text_of(st, 1), text_of(st, 2),
					      text_of(st, 3) };
	sqlite3_finalize(st);
	return there;
}

void
procedure_code_release(struct procedure_code *c)
{
	free(c->name);
	free(c->linkage_name);
	free(c->module);
	free(c->build_id);
}

size_t
profile_instructions(struct profile *p, const char *module, struct instruction_row **rows)
{
	static const char sql[] =
		"SELECT address, procedure, self_samples, self_ns, self_wait_ns FROM instruction "
		"WHERE module = ?1 ORDER BY address, id";
	sqlite3_stmt *st = profile_prepare(p, sql);
	size_t nr = 0, alloc = 0;

	*rows = NULL;
	sqlite3_bind_text(st, 1, module, -1, SQLITE_STATIC);
	while (profile_step(p, st)) {
		GROW(*rows, nr + 1, alloc);
		(*rows)[nr++] = (struct instruction_row){
			.address = column_count(p, st, 0),
			.procedure = column_id(p, st, 1, TABLE_PROCEDURE),
			.self = { column_count(p, st, 2), column_count(p, st, 3),
				  column_count(p, st, 4) },
		};
	}
	sqlite3_finalize(st);
	return nr;
}

bool
profile_has_instructions(struct profile *p)
{
	return column_last_id(p, TABLE_INSTRUCTION) > 0;
}
