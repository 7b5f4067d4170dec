/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How runs are named in sentences, and what one adds to a report: the call, its
 * communicator, and how far each edge is that it waits for.
 */
#include <inttypes.h>
#include "base/text.h"
#include "plan/plan.h"

enum {
	EDGES_SHOWN = 16
};

static const char *call_of(const struct wf_run *run)
{
	return run->call ? run->call : "operation";
}

void wf_run_tell(const struct wf_run *run, char *text, size_t bytes)
{
	wf_text_add(text, bytes, "%s %" PRIu64 " of ", call_of(run),
		    run->epoch);
	wf_comm_tell(run->set->comm, text, bytes);
}

void wf_run_tell_step(const struct wf_run *run, uint32_t step, char *text,
		      size_t bytes)
{
	const struct wf_step *s = &run->plan->step[step];
	const struct wf_peer *peer = wf_run_peer(run, step);
	bool sends = s->kind == WF_STEP_SEND;

	if (wf_set_has_numbers(run->set))
		wf_text_add(text, bytes, "%s-edge %u ", sends ? "out" : "in",
			    s->edge);
	wf_text_add(text, bytes, "%s rank %d on host %s", sends ? "to" : "from",
		    peer->rank, wf_peer_host(peer));
}

static const char *way_of_large(const struct wf_run *run, uint32_t step)
{
	const struct wf_step *s = &run->plan->step[step];
	const struct wf_device *dev = run->set->in[s->edge].ep->dev;
	uint64_t offset;

	if (!run->move[step].direct)
		return "chunks";
	if (!(dev->caps & WF_CAP_ANYWHERE) ||
	    wf_segment_has(&run->set->comm->job->segment,
			   wf_run_place(run, s->to), s->bytes, &offset))
		return "direct";
	return "kernel";
}

const char *wf_run_way(const struct wf_run *run, uint32_t edge)
{
	const struct wf_in *in = &run->set->in[edge];
	uint32_t i = 0;

	while (run->plan->step[i].kind != WF_STEP_RECV ||
	       run->plan->step[i].edge != edge)
		i++;
	if (run->status || run->move[i].phase == WF_PHASE_BEGIN)
		return NULL;
	if (run->plan->step[i].bytes <= in->line_max)
		return "line";
	if (run->plan->step[i].bytes <= in->slot_max)
		return "slot";
	return way_of_large(run, i);
}

static const char *kind_of(const struct weft_comm *comm)
{
	if (comm->owned_by_job)
		return "the world";
	return comm->topo ? "a graph" : "a communicator";
}

static const char *state_of(const struct wf_run *run)
{
	switch (run->state) {
	case WF_RUN_QUEUED:
		return "queued behind earlier ones";
	case WF_RUN_FAILING:
		return "failed, until the memory is quiet";
	case WF_RUN_ACTIVE:
	case WF_RUN_IDLE:
		break;
	}
	return "active";
}

static const char *send_phase(const struct wf_out *out,
			      const struct wf_move *m)
{
	switch ((enum wf_phase)m->phase) {
	case WF_PHASE_POSTED:
		return "sent, its source still in use";
	case WF_PHASE_MAILING:
	case WF_PHASE_MAILED:
		return "going by mail";
	case WF_PHASE_CHUNKS:
		return "going in chunks";
	case WF_PHASE_BEGIN:
		return "until the receiver has taken an earlier one";
	case WF_PHASE_OPEN:
	case WF_PHASE_ANNOUNCED:
	case WF_PHASE_VERDICT:
	case WF_PHASE_DROP:
	case WF_PHASE_LANDING:
		break;
	}
	return out->ep ? "until the receiver has room for it"
		       : "until the receiver opens the edge";
}

static const char *recv_phase(const struct wf_move *m)
{
	switch ((enum wf_phase)m->phase) {
	case WF_PHASE_ANNOUNCED:
		return "asked for, nothing has come";
	case WF_PHASE_VERDICT:
		return "until the sender says what became of it";
	case WF_PHASE_DROP:
		return "not wanted, until it has come";
	case WF_PHASE_LANDING:
		return "here, until the sender's memory is quiet";
	case WF_PHASE_BEGIN:
	case WF_PHASE_OPEN:
	case WF_PHASE_MAILING:
	case WF_PHASE_MAILED:
	case WF_PHASE_CHUNKS:
	case WF_PHASE_POSTED:
		break;
	}
	return "nothing has come";
}

static void report_step(struct wf_report *to, const struct wf_run *run,
			uint32_t i)
{
	const struct wf_step *s = &run->plan->step[i];
	const struct wf_move *m = &run->move[i];
	char what[128] = "";

	if (!wf_run_peer(run, i))
		return;
	wf_run_tell_step(run, i, what, sizeof(what));
	wf_report_line(to, "  %s, %" PRIu64 " bytes: %s", what, s->bytes,
		       s->kind == WF_STEP_SEND ?
		       send_phase(&run->set->out[s->edge], m) : recv_phase(m));
}

void wf_run_report(struct wf_poller *poller, struct wf_report *to)
{
	struct wf_run *run = wf_container(poller, struct wf_run, poller);
	const struct weft_comm *comm = run->set->comm;
	uint64_t now = wf_job_now(comm->job);
	double age = poller->since ? (double)(now - poller->since) / 1e9 : 0;

	wf_report_line(to, "%s %" PRIu64 " on %s (context %" PRIu64 ", here "
		       "rank %d of %d), %s, since %.1f s, %u step%s to go",
		       call_of(run), run->epoch, kind_of(comm), comm->id,
		       comm->rank, comm->size, state_of(run), age,
		       run->npending, run->npending == 1 ? "" : "s");
	/* A queued one waits for those before it, which say for whom. */
	if (run->state == WF_RUN_QUEUED)
		return;
	for (uint32_t at = 0; at < run->npending && at < EDGES_SHOWN; at++)
		report_step(to, run, run->pending[at]);
	if (run->npending > EDGES_SHOWN)
		wf_report_line(to, "  and %u more steps",
			       run->npending - EDGES_SHOWN);
}
