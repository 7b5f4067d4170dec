/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What long messages into memory of malloc take of the receiver's arena: as
 * much as they need, while they are under way.
 */
#include <stdlib.h>
#include "tests/sim/p2p_scene.h"

enum {
	RANKS = 10,
	COMMS = 3,
	SMALL = 9000,
	MOST = 1200000,
	ROOM = 2 << 20			/* nine areas of a 64th, and the rest */
};

static char *env[] = { "WEFT_ARENA=64k", "WEFT_ARENA_MAX=8m", NULL };

static void send_one(const struct scene *s, struct weft_comm *comm, size_t n)
{
	char *out = malloc(n);

	memset(out, wf_sim_rank(s->rank), n);
	ok(s, weft_send(comm, out, n, &weft_type_byte, weft_to(0, 0)), "send");
	free(out);
}

/* From all others at once. */
static void receive_all(const struct scene *s, struct weft_comm *comm, size_t n)
{
	struct weft_request *req[RANKS] = { NULL };
	char *in = malloc(RANKS * n);

	for (int r = 1; r < RANKS; r++)
		ok(s, weft_irecv(comm, in + (size_t)r * n, n, &weft_type_byte,
				 weft_from(r, 0), &req[r]), "irecv");
	for (int r = 1; r < RANKS; r++) {
		ok(s, weft_request_wait(req[r]), "receive");
		ok(s, weft_request_free(&req[r]), "free");
		if (in[(size_t)r * n] != r || in[(size_t)(r + 1) * n - 1] != r)
			wf_sim_fail(s->rank, "other content of rank %d", r);
	}
	free(in);
}

static void talk(const struct scene *s, struct weft_comm *comm, size_t n)
{
	if (wf_sim_rank(s->rank))
		send_one(s, comm, n);
	else
		receive_all(s, comm, n);
}

static void use_arena(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *comm[COMMS] = { NULL };
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	for (int c = 0; c < COMMS; c++) {
		ok(&s, weft_comm_dup(s.world, &comm[c]), "dup");
		talk(&s, comm[c], MOST);
	}
	for (size_t n = SMALL; n <= MOST; n *= 5)
		for (int c = 0; c < COMMS; c++)
			talk(&s, comm[c], n);
	if (wf_alloc_end(&s.job->segment.blocks) > ROOM)
		wf_sim_fail(rank, "%llu bytes, of which nothing is in use",
			    (unsigned long long)
			    wf_alloc_end(&s.job->segment.blocks));
	for (int c = 0; c < COMMS; c++)
		ok(&s, weft_comm_free(&comm[c]), "free");
	stop(&s);
}

static void short_arena(void)
{
	for (uint64_t seed = 1; seed <= 3; seed++) {
		struct wf_sim_options options;

		wf_sim_options_init(&options, RANKS, seed);
		options.environ = env;
		if (!sim_flow_run(&options, use_arena, NULL))
			return;
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "long messages of nine ranks in an arena of 8 MiB",
		  short_arena }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
