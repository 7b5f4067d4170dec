/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A plan as text: one line a step, the same for the same plan, to be read by
 * people and compared with golden files.
 */
#include <inttypes.h>
#include "plan/plan.h"

static const char *const buffer_name[] = { "send", "recv", "scratch" };

static void dump_place(FILE *to, const char *word, struct wf_place at)
{
	fprintf(to, " %s %s+%" PRId64, word, buffer_name[at.buffer],
		(int64_t)at.offset);
}

static void dump_step(const struct wf_plan *plan, int i, FILE *to)
{
	const struct wf_step *s = &plan->step[i];

	switch (s->kind) {
	case WF_STEP_SEND:
		fprintf(to, "%d: send to rank %d", i,
			plan->set->out[s->edge].edge.receiver);
		dump_place(to, "from", s->from);
		break;
	case WF_STEP_RECV:
		fprintf(to, "%d: recv from rank %d", i,
			plan->set->in[s->edge].edge.sender);
		dump_place(to, "to", s->to);
		break;
	case WF_STEP_COPY:
		fprintf(to, "%d: copy", i);
		dump_place(to, "from", s->from);
		dump_place(to, "to", s->to);
		break;
	case WF_STEP_REDUCE:
		fprintf(to, "%d: reduce", i);
		dump_place(to, "left", s->from);
		dump_place(to, "right", s->other);
		dump_place(to, "to", s->to);
		break;
	}
	fprintf(to, " bytes %" PRIu64, s->bytes);
	if (s->kind == WF_STEP_COPY && s->bytes && s->edge)
		fprintf(to, " times %u", s->edge + 1);
	if (plan->needs[i])
		fprintf(to, " needs %u", plan->needs[i]);
	for (uint32_t k = 0; k < s->nnext; k++)
		fprintf(to, "%s%u", k ? "," : " then ",
			plan->next[s->first_next + k]);
	fputc('\n', to);
}

void wf_plan_dump(const struct wf_plan *plan, FILE *to)
{
	for (int i = 0; i < plan->nsteps; i++)
		dump_step(plan, i, to);
}
