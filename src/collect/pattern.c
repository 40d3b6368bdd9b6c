#include "collect/pattern.h"

#include <string.h>

struct text {
	char *at, *start, *end; /* END: of the room, with a place for the NUL behind it */
	bool full;
};

static void
add_byte(struct text *t, char byte)
{
	if (t->at == t->end)
		t->full = true;
	else
		*t->at++ = byte;
}

/* Is there nothing but dots since the last slash? Then one more could make them "..". */
static bool
begins_part(const struct text *t)
{
	const char *p = t->at;

	while (p > t->start && p[-1] == '.')
		p--;
	return p == t->start || p[-1] == '/';
}

static void
add_value(struct text *t, const char *value)
{
	bool begins = begins_part(t);

	for (; *value; value++, begins = false)
		add_byte(t, (unsigned char)*value < ' ' || *value == 0x7f || *value == '/' ||
				    (begins && *value == '.')
				    ? '_'
				    : *value);
}

static const char *
value_of(char *const *environment, const char *name, size_t length)
{
	for (; environment && *environment; environment++)
		if (**environment == *name && !strncmp(*environment, name, length) &&
		    (*environment)[length] == '=' && (*environment)[length + 1])
			return *environment + length + 1;
	return NULL;
}

/* The value of the first of NAMES, which end with NULL, that has one. */
static const char *
first_of(char *const *environment, const char *const *names)
{
	const char *value = NULL;

	for (; *names && !value; names++)
		value = value_of(environment, *names, strlen(*names));
	return value;
}

/* The user's word goes before the launcher's. */
const char *
pattern_rank(char *const *environment)
{
	static const char *const names[] = {
		"CGVIEW_RANK", "PMIX_RANK",    "OMPI_COMM_WORLD_RANK",
		"PMI_RANK",    "SLURM_PROCID", "MV2_COMM_WORLD_RANK",  NULL,
	};

	return first_of(environment, names);
}

void
pattern_read_told(struct pattern_told *told, char *const *environment)
{
	static const char *const sizes[] = {
		"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS", "MV2_COMM_WORLD_SIZE", NULL,
	};
	/* Slurm, PBS, LSF, Flux, OAR, LoadLeveler, Fujitsu's, Grid Engine. */
	static const char *const jobs[] = {
		"CGVIEW_JOB", "SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "FLUX_JOB_ID",
		"OAR_JOB_ID", "LOADL_STEP_ID", "PJM_JOBID", "JOB_ID", NULL,
	};

	told->rank = pattern_rank(environment);
	told->ranks = told->rank ? first_of(environment, sizes) : NULL;
	told->job = first_of(environment, jobs);
	told->label = value_of(environment, "CGVIEW_LABEL", 12);
}

static void
add_number(struct text *t, unsigned long n)
{
	char digits[24];
	int i = sizeof(digits) - 1;

	digits[i] = '\0';
	do
		digits[--i] = (char)('0' + n % 10);
	while (n /= 10);
	add_value(t, digits + i);
}

/* The word at P, behind its percent sign. Returns where it ends, NULL: it is none. */
static const char *
add_word(struct text *t, const char *p, const struct pattern_values *v)
{
	const char *value = NULL, *end;

	switch (*p) {
	case '%':
		add_byte(t, '%');
		return p + 1;
	case 'p':
		add_number(t, v->process);
		return p + 1;
	case 'h':
		add_value(t, *v->host ? v->host : "0");
		return p + 1;
	case 'r':
		value = pattern_rank(v->environment);
		add_value(t, value ? value : "0");
		return p + 1;
	case 'q':
		end = p[1] == '{' ? strchr(p, '}') : NULL;
		if (!end || end == p + 2)
			return NULL;
		value = value_of(v->environment, p + 2, (size_t)(end - p - 2));
		add_value(t, value ? value : "0");
		return end + 1;
	default:
		return NULL;
	}
}

const char *
pattern_expand(const char *pattern, const struct pattern_values *v, char *out, size_t size)
{
	struct text t = {out, out, out + size - 1, false};

	while (pattern && *pattern)
		if (*pattern != '%')
			add_byte(&t, *pattern++);
		else
			pattern = add_word(&t, pattern + 1, v);
	*t.at = '\0';
	if (!pattern)
		return "% begins one of %p %h %r %q{NAME} %%";
	return t.full ? "the name gets too long" : NULL;
}

bool
pattern_has_process(const char *pattern)
{
	const char *p = strchr(pattern, '%');

	while (p && p[1] && p[1] != 'p')
		p = strchr(p + 2, '%');
	return p && p[1];
}
