#include "flow/flow.h"

#include <stdlib.h>
#include <string.h>

#include "flow/solver.h"

typedef unsigned __int128 wide;

void
flow_result_release(struct flow_result *r)
{
	free(r->count);
	free(r->lo);
	free(r->hi);
	free(r->how);
	free(r->site_residual);
	free(r->procedure_residual);
	memset(r, 0, sizeof(*r));
}

static enum flow_status
solve(const struct flow_problem *problem, const struct flow_options *options,
      struct flow_result *result)
{
	struct flow_solver s;
	enum flow_status status;

	status = solver_init(&s, problem, options, result->count);
	if (!status)
		status = solver_bound(&s, options->bounds);
	if (!status)
		status = solver_estimate(&s, options->estimator, NULL);
	if (!status)
		status = solver_store(&s, result);
	solver_release(&s);
	return status;
}

/* ---- pins must not make counts unexplained that were explained without them ---- */

static wide
residual_of(const struct flow_result *r, const struct flow_problem *p)
{
	wide sum = 0;

	for (size_t i = 0; i < p->nr_sites; i++)
		sum += r->site_residual[i];
	for (size_t i = 0; i < p->nr_procedures; i++)
		sum += r->procedure_residual[i];
	return sum;
}

static enum flow_status
residual_without_pins(const struct flow_problem *problem, wide *residual)
{
	static const struct flow_options plain = { .estimator = FLOW_ENTROPY };
	struct flow_result r;
	enum flow_status status = solver_result_init(&r, problem);

	if (!status)
		status = solve(problem, &plain, &r);
	if (!status)
		*residual = residual_of(&r, problem);
	flow_result_release(&r);
	return status;
}

static enum flow_status
check_pins(const struct flow_problem *problem, const struct flow_options *options,
	   const struct flow_result *result)
{
	wide with = residual_of(result, problem), without;
	enum flow_status status;

	if (!options->nr_pins || !with)
		return FLOW_OK;
	status = residual_without_pins(problem, &without);
	if (!status && with != without)
		status = FLOW_BAD_PIN;
	return status;
}

enum flow_status
flow_solve(const struct flow_problem *problem, const struct flow_options *options,
	   struct flow_result *result)
{
	enum flow_status status = solver_result_init(result, problem);

	if (!status)
		status = solve(problem, options, result);
	if (!status)
		status = check_pins(problem, options, result);
	if (status)
		flow_result_release(result);
	return status;
}
