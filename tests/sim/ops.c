/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All operations on all types: an allreduce has the bits of the tree of halves,
 * folded by weft_reduce_local() on one rank; what is not defined is refused by
 * a sentence that names both.
 */
#include "tests/sim/bracket.h"
#include "tests/sim/element.h"
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"
#include "type/type.h"

#include <stddef.h>

enum {
	MOST = 150,			/* elements */
	WIDEST = ELEMENT_WIDEST,
	GAP = 0x55			/* before, in each byte */
};

static char *env[] = { "WEFT_ARENA=64k", "WEFT_ARENA_MAX=256m", NULL };

struct player {
	struct wf_sim_rank *rank;
	struct weft_job *job;
	const struct element_kind *kind;
	const struct weft_op *op;
	size_t n;
};

/* In memory that is not written to; a long double has bytes of no meaning. */
static int gap_of(const struct player *p)
{
	return p->kind->type->dense ? 0 : GAP;
}

static void reduce(const struct player *p)
{
	_Alignas(max_align_t) char in[MOST * WIDEST] = { 0 };
	_Alignas(max_align_t) char out[MOST * WIDEST];
	char want[MOST * WIDEST];
	struct weft_part part = weft_part(out, p->n, p->kind->type);
	const struct bracket b = bracket_of(p->job, p->kind->type, p->op);
	const struct play_values *v = &b.values;
	struct deed d = { .size = wf_sim_size(p->rank) };

	memset(out, gap_of(p), sizeof(out));
	memset(want, gap_of(p), sizeof(want));
	v->give(v, &d, wf_sim_rank(p->rank), 0, p->n, in);
	v->fold(v, &d, d.size, 0, p->n, want);
	if (weft_allreduce(weft_job_world(p->job), in, part, p->op))
		wf_sim_fail(p->rank, "%s", weft_error_text(p->job));
	else if (memcmp(out, want, sizeof(out)))
		wf_sim_fail(p->rank, "%s of %zu %s", weft_op_name(p->op), p->n,
			    weft_type_name(p->kind->type));
}

static void check_refusal(const struct player *p, int status, const char *call)
{
	char want[100];

	snprintf(want, sizeof(want), "%s: %s is not defined for %s", call,
		 weft_op_name(p->op), weft_type_name(p->kind->type));
	if (status != WEFT_ERR_ARG ||
	    weft_error_argument(p->job) != WEFT_ARGUMENT_OP ||
	    strcmp(weft_error_text(p->job), want))
		wf_sim_fail(p->rank, "not \"%s\" but \"%s\"", want,
			    weft_error_text(p->job));
}

/* Nobody waits: the call is not made. */
static void refuse(const struct player *p)
{
	_Alignas(max_align_t) unsigned char in[WIDEST] = { 0 };
	_Alignas(max_align_t) unsigned char out[WIDEST] = { 0 };
	struct weft_part part = weft_part(out, 1, p->kind->type);

	check_refusal(p, weft_allreduce(weft_job_world(p->job), in, part,
					p->op), "weft_allreduce");
	check_refusal(p, weft_reduce_local(p->job, in, part, p->op),
		      "weft_reduce_local");
}

static void all_pairs(struct player *p)
{
	for (int k = 0; k < ELEMENT_KINDS; k++)
		for (int o = 0; o < ELEMENT_OPS; o++) {
			p->kind = &element_kinds[k];
			p->op = element_ops[o];
			if (p->kind->from <= o && o < p->kind->end)
				reduce(p);
			else
				refuse(p);
		}
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct player p = { .rank = rank, .n = *(const size_t *)arg };

	if (wf_sim_job_open(rank, &p.job)) {
		wf_sim_fail(rank, "cannot open the job");
		return;
	}
	all_pairs(&p);
	if (weft_job_close(p.job))
		wf_sim_fail(rank, "cannot close the job");
}

static void all_operations(void)
{
	static size_t lengths[] = { 1, 5, MOST };

	for (int l = 0; l < TAP_COUNT(lengths); l++)
		for (int ranks = 1; ranks <= 9; ranks++)
			if (!sim_flow_seeds(ranks, 1, env, program,
					    &lengths[l]))
				return;
}

static void refuses(struct wf_sim_rank *rank, struct weft_job *job, int status,
		    const char *why)
{
	const char *text = weft_error_text(job);

	if (status != WEFT_ERR_ARG || !strstr(text, why))
		wf_sim_fail(rank, "not \"%s\" but %s: \"%s\"", why,
			    weft_status_name(status), text);
}

static void bad_arguments(struct wf_sim_rank *rank, void *arg)
{
	const struct weft_op *sum = &weft_op_sum;
	int64_t x = 3, y = 4;
	struct weft_part one = weft_part(&y, 1, &weft_type_int64);
	struct weft_part none = weft_part(NULL, 0, &weft_type_int64);
	struct weft_job *job;

	(void)arg;
	if (wf_sim_job_open(rank, &job)) {
		wf_sim_fail(rank, "cannot open the job");
		return;
	}
	refuses(rank, job, weft_reduce_local(job, WEFT_IN_PLACE, one, sum),
		"weft_reduce_local: in is WEFT_IN_PLACE");
	refuses(rank, job, weft_reduce_local(job, NULL, one, sum),
		"weft_reduce_local: in is NULL with 1 elements");
	refuses(rank, job, weft_reduce_local(job, &x, one, NULL),
		"weft_reduce_local: op is NULL");
	if (weft_reduce_local(NULL, &x, one, sum) != WEFT_ERR_ARG)
		wf_sim_fail(rank, "without a job");
	if (weft_reduce_local(job, NULL, none, sum))
		wf_sim_fail(rank, "nothing: %s", weft_error_text(job));
	if (weft_reduce_local(job, &x, one, sum) || y != 7)
		wf_sim_fail(rank, "3 + 4 is %d", (int)y);
	if (weft_job_close(job))
		wf_sim_fail(rank, "cannot close the job");
}

static void on_one_rank(void)
{
	sim_flow_seeds(1, 1, env, bad_arguments, NULL);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "all types and operations, 1 to 9 ranks", all_operations },
		{ "arguments of weft_reduce_local()", on_one_rank },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
