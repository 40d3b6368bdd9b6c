/* Everything of GCC's that the plugin uses, and the differences between its versions. */
#ifndef CGVIEW_PLUGIN_GCC_API_H
#define CGVIEW_PLUGIN_GCC_API_H

#include "gcc-plugin.h"
#include "bversion.h"

#include "system.h"
#include "coretypes.h"
#include "backend.h"
#include "tree.h"
#include "gimple.h"
#include "tree-pass.h"
#include "stringpool.h"
#include "ssa.h"
#include "tree-into-ssa.h"
#include "tree-ssa.h"
#include "tree-dfa.h"
#include "gimple-iterator.h"
#include "gimple-predict.h"
#include "gimplify.h"
#include "gimplify-me.h"
#include "gimple-pretty-print.h"
#include "gimple-walk.h"
#include "tree-cfg.h"
#include "cfg.h"
#include "cfganal.h"
#include "cfghooks.h"
#include "cfgloop.h"
#include "tree-ssa-loop.h"
#include "tree-ssa-loop-niter.h"
#include "tree-scalar-evolution.h"
#include "predict.h"
#include "cgraph.h"
#include "attribs.h"
#include "stor-layout.h"
#include "varasm.h"
#include "fold-const.h"
#include "langhooks.h"
#include "diagnostic.h"
#include "input.h"
#include "line-map.h"
#include "tree-iterator.h"
#include "context.h"
#include "toplev.h"
#include "version.h"
#include "except.h"
#include "output.h"
#include "calls.h"
#include "tree-eh.h"
#include "stmt.h"
#include "target.h"
#include "asan.h"

static inline source_range
api_range(location_t loc)
{
	return get_range_from_loc(line_table, loc);
}

/* The last statement of BB that is not for the debugger, NULL when none; renamed in GCC 14. */
static inline gimple *
api_last_stmt(basic_block bb)
{
#if BUILDING_GCC_MAJOR >= 14
	return last_nondebug_stmt(bb);
#else
	return last_stmt(bb);
#endif
}

/* Where the token at LOC is spelled. GCC 14 wants to be told in which table, and 16
 * has another name for the constant. */
static inline expanded_location
api_spelling_point(location_t loc)
{
#if BUILDING_GCC_MAJOR >= 16
	return linemap_client_expand_location_to_spelling_point(line_table, loc,
								location_aspect::caret);
#elif BUILDING_GCC_MAJOR >= 14
	return linemap_client_expand_location_to_spelling_point(line_table, loc,
								LOCATION_ASPECT_CARET);
#else
	return linemap_client_expand_location_to_spelling_point(loc, LOCATION_ASPECT_CARET);
#endif
}

/* The front end of C++ keeps what it knows of a procedure beside it, and GCC 16 looks there at each
 * call. That of C knows no such thing. */
extern void retrofit_lang_decl(tree) __attribute__((weak));

static inline void
api_declare_to_front_end(tree procedure)
{
	if (retrofit_lang_decl)
		retrofit_lang_decl(procedure);
}

/* Returns the point of LOC alone. Statements of one place may have other ranges and blocks, and
 * from GCC 14 on discriminators, and each makes another location. */
static inline location_t
api_point(location_t loc)
{
	return get_pure_location(line_table, loc);
}

/* The front end of C++ keeps what it has folded (a return's value, to warn of it), and uses that
 * again in place of the tree, and of the marks that were put into it since. Let it forget that. */
extern void clear_fold_cache(void) __attribute__((weak));

static inline void
api_forget_folded(void)
{
	if (clear_fold_cache)
		clear_fold_cache();
}

/* The first assembly outside of procedures at or behind FROM, NULL when there is none. In GCC 16
 * it stands in one list with procedures and variables. */
#if BUILDING_GCC_MAJOR >= 16
static inline asm_node *
api_asm_at(toplevel_node *from)
{
	while (from && !is_a<asm_node *>(from))
		from = from->next;
	return from ? as_a<asm_node *>(from) : NULL;
}
#else
static inline asm_node *
api_asm_at(asm_node *from)
{
	return from;
}
#endif

#endif
