/* A value of an expression, as SQLite has them. */
#ifndef CGVIEW_DB_SCALAR_VALUE_H
#define CGVIEW_DB_SCALAR_VALUE_H

#include <stdint.h>

enum scalar_type { SCALAR_NULL, SCALAR_INTEGER, SCALAR_REAL, SCALAR_TEXT };

struct scalar_value {
	enum scalar_type type;
	union {
		int64_t integer;
		double real;         /* may be infinite, is never NaN */
		const char *text;    /* parameters only; outlives the evaluation */
	};
};

#endif
