#include "cmd/diff_args.h"

#include <math.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/diff_sizes.h"
#include "util/error.h"
#include "util/text/search.h"

void
diff_args_sizes(struct diff_args *a, const char *command, const char *text)
{
	if (diff_sizes_rule(text)) {
		a->size_rule = text;
		return;
	}
	for (const char *s = text;; s++) {
		char *end;
		double n = strtod(s, &end);

		if (end == s || !(n > 0) || isinf(n) || (*end && *end != ','))
			die(2, "%s: --size %s: it is a number for each profile, as in 1000,2000, "
			    "or a rule, as in arg:1",
			    command, text);
		if (a->nr_sizes == MAX_PROFILES)
			die(2, "%s: --size: more than %d sizes", command, MAX_PROFILES);
		a->sizes[a->nr_sizes++] = n;
		if (!*end)
			return;
		s = end;
	}
}

double
diff_args_size(const char *command, const char *option, const char *text)
{
	char *end;
	double n = strtod(text, &end);

	if (end == text || *end || !(n > 0) || isinf(n))
		die(2, "%s: %s %s: it is a number greater than 0, as in 1e6", command, option,
		    text);
	return n;
}

static void
check_pattern(const char *command, const char *pattern)
{
	char what[100];
	regex_t regex;
	int code = search_regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB);

	if (code) {
		regerror(code, NULL, what, sizeof(what));
		die(2, "%s: --rename %s: %s", command, pattern, what);
	}
	regfree(&regex);
}

/* The last '=' that is followed by none: a pattern may have some. */
void
diff_args_rename(struct diff_args *a, const char *command, char *text)
{
	char *equals = strrchr(text, '=');

	if (!equals || equals == text)
		die(2, "%s: --rename %s: it is REGEX=NEW", command, text);
	if (a->nr_renames == MAX_RENAMES)
		die(2, "%s: --rename: more than %d rules", command, MAX_RENAMES);
	*equals = '\0';
	check_pattern(command, text);
	a->renames[a->nr_renames++] = (struct match_rename){ text, equals + 1 };
}

void
diff_args_check(const struct diff_args *a, const char *command, size_t nr)
{
	if (nr > MAX_PROFILES)
		die(2, "%s: at most %d profiles", command, MAX_PROFILES);
	if (a->nr_sizes && a->nr_sizes != nr)
		die(2, "%s: --size: %zu sizes for %zu profiles", command, a->nr_sizes, nr);
}

struct comparison_options
diff_args_options(const struct diff_args *a)
{
	struct comparison_options options = {
		.match = { .renames = a->renames, .nr_renames = a->nr_renames },
		.normalise = a->normalise, .size_name = a->size_name,
	};

	memcpy(options.sizes, a->sizes, sizeof(options.sizes));
	return options;
}
