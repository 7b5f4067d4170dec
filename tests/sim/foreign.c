/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mails of a rank about an edge between two others: they are dropped and
 * counted, and what the edge carries is what its own ends say.
 */
#include "comm/comm.h"
#include "job/job.h"
#include "plan/edge.h"
#include "tests/sim/sim_flow.h"
#include "topo/graph.h"
#include "tests/tap.h"

enum {
	RANKS = 3,
	MOST = 900,
	MS = 1000000,
	DIRECTIONS = 8		/* of edges of collectives, or more */
};

static size_t bytes(const struct sim_flow_shape *shape, int from, int to,
		    int k, int round)
{
	static const size_t of[] = { 20, 200, 700 };

	(void)shape;
	return of[round % 3] + (size_t)(from + 2 * to + k);
}

/* As if the other of ranks 1 and 2 had sent it. */
static void forge(struct sim_flow *f, const struct wf_mail *head,
		  const struct wf_edge *edge, const void *rest)
{
	int other = edge->sender ? edge->sender : edge->receiver;
	struct wf_peer *liar = wf_peer_get(f->job, 3 - other);
	uint64_t dropped = f->job->mailbox.dropped;
	char payload[WF_MAIL_PAYLOAD] = { 0 };

	if (!liar || !liar->ep) {
		wf_sim_fail(f->rank, "not connected");
		return;
	}
	memcpy(payload, edge, sizeof(*edge));
	if (rest)
		memcpy(payload + sizeof(*edge), rest,
		       head->length - sizeof(*edge));
	wf_mail_deliver(f->job, liar->ep, head, payload);
	if (f->job->mailbox.dropped != dropped + 1)
		wf_sim_fail(f->rank, "a mail of kind %d is not dropped",
			    head->kind);
}

static const struct sim_flow_shape shape = { sim_edges_all, bytes, MOST, 0 };

/* Of all kinds, with the lengths that they have (docs/wire.md). */
static void channels(struct wf_sim_rank *rank, void *arg)
{
	static const struct wf_mail heads[] = {
		{ .kind = WF_MAIL_LANDING, .length = 120 },
		{ .kind = WF_MAIL_READY, .length = 48 },
		{ .kind = WF_MAIL_GROWTH, .length = 120 },
		{ .kind = WF_MAIL_GROWN, .length = 120 },
		{ .kind = WF_MAIL_ANSWER, .length = 48 },
		{ .kind = WF_MAIL_CLOSED, .length = 48 }
	};
	struct sim_parcel p;
	struct sim_flow flow;

	(void)arg;
	if (!sim_flow_join(&flow, &shape, rank) ||
	    !sim_parcel_init(&p, &flow, false))
		return;
	for (int round = 0; round < 9; round++) {
		sim_parcel_exchange(&p, round);
		for (int i = 0; !flow.me && i < 2 * TAP_COUNT(heads); i++) {
			struct wf_mail head = heads[i / 2];
			struct wf_edge out = { .receiver = 1 + round % 2 };
			struct wf_edge in = { .sender = 1 + round % 2 };

			head.context = flow.graph->id;
			head.word = wf_graph_of(flow.graph)->set->port.number;
			forge(&flow, &head, i % 2 ? &out : &in, NULL);
		}
	}
	sim_parcel_fini(&p);
	sim_flow_part(&flow);
}

/* The whole message of an epoch, before its sender has sent it. */
static void forge_values(struct sim_flow *f)
{
	const struct {
		uint64_t epoch, total, offset;
		int64_t value;
	} rest = { .epoch = 1, .total = 8, .value = 1234567 };
	const struct wf_mail head = {
		.kind = WF_MAIL_COLL, .word = WF_PORT_COLL,
		.context = weft_job_world(f->job)->id,
		.length = sizeof(struct wf_edge) + sizeof(rest)
	};

	for (uint32_t i = 0; i < 2 * DIRECTIONS; i++) {
		struct wf_edge in = { .sender = 1 + i % 2, .direction = i / 2 };

		forge(f, &head, &in, &rest);
	}
}

static void collectives(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *world;
	struct sim_flow flow;
	int64_t sum = 0, one = 1;

	(void)arg;
	if (!sim_flow_join(&flow, &shape, rank))
		return;
	world = weft_job_world(flow.job);
	if (weft_barrier(world))
		wf_sim_fail(rank, "no barrier");
	sim_flow_settle(&flow);
	if (flow.me)
		sim_flow_compute(&flow, 5 * MS);
	else
		forge_values(&flow);
	if (weft_allreduce(world, &one, weft_part(&sum, 1, &weft_type_int64),
			   &weft_op_sum) || sum != RANKS)
		wf_sim_fail(rank, "the sum is %lld", (long long)sum);
	sim_flow_part(&flow);
}

static void of_channels(void)
{
	sim_flow_seeds(RANKS, 20, sim_small_env, channels, NULL);
}

static void of_collectives(void)
{
	sim_flow_seeds(RANKS, 20, sim_unchecked_env, collectives, NULL);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "about the channels of an edge", of_channels },
		{ "a message of a collective", of_collectives }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
