/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages that no receive will take any more, as their communicator was freed
 * there or the job closes, while the receiver has sends of its own under way,
 * which hold it: all of them end, and a receive that may come still gets its
 * own.
 */
#include <stdlib.h>
#include <weft/persistent.h>
#include "tests/sim/p2p_scene.h"

enum {
	MOST = 20000			/* bytes of a message */
};

static char content[MOST];

/* Who closes before all have heard what they wait for is what they hear of. */
static void stop_together(const struct scene *s)
{
	ok(s, weft_barrier(s->world), "barrier");
	stop(s);
}

/* What nobody needs to receive for the program to go on: kinds of sends. */
static struct weft_request *begin_send(const struct scene *s,
				       struct weft_comm *comm, int to,
				       uint64_t kind)
{
	static const size_t lengths[] = { MOST, 9000, 8, 3000 };
	size_t n = lengths[kind % 4];
	struct weft_request *req = NULL;

	if (n > WF_P2P_SHORT_MAX)
		ok(s, weft_isend(comm, content, n, &weft_type_byte,
				 weft_to(to, 3), &req), "isend");
	else
		ok(s, weft_issend(comm, content, n, &weft_type_byte,
				  weft_to(to, 3), &req), "issend");
	return req;
}

/* As the program likes: it hears what becomes of it, or does not. */
static void end_send(const struct scene *s, struct weft_request *req,
		     bool waits, int wanted, const char *text)
{
	if (waits)
		expect(s, weft_request_wait(req), wanted, text);
	ok(s, weft_request_free(&req), "free a request");
}

/* ---- a communicator is freed ---- */

/* Each to the next one, or to itself where it is alone. */
static void free_with_sends(struct wf_sim_rank *rank, void *arg)
{
	uint64_t dice = *(uint64_t *)arg;
	int me = wf_sim_rank(rank), size;
	struct weft_comm *dup = NULL;
	struct weft_request *req;
	struct scene s;

	if (!start(&s, rank))
		return;
	size = weft_comm_size(s.world);
	ok(&s, weft_comm_dup(s.world, &dup), "dup");
	req = begin_send(&s, dup, (me + 1) % size,
			 dice + dice / 4 * (uint64_t)me);
	if (dice / 16 % 2)
		linger(&s);
	if (dice / 32 % 2)
		ok(&s, weft_comm_free(&dup), "free");
	if (dup) {
		ok(&s, weft_request_free(&req), "free a request");
		ok(&s, weft_comm_free(&dup), "free");
	} else {
		end_send(&s, req, dice / 64 % 2, WEFT_ERR_GRAPH,
			 "freed the communicator");
	}
	stop_together(&s);
}

static void freed(void)
{
	for (uint64_t seed = 0; seed < 128; seed++)
		if (!run(1 + (int)(seed % 3), seed, free_with_sends))
			return;
}

/* ---- the job closes ---- */

/* Rank 0 hears of it, the others close with their sends under way. */
static void close_with_sends(struct wf_sim_rank *rank, void *arg)
{
	uint64_t dice = *(uint64_t *)arg;
	int me = wf_sim_rank(rank), size;
	struct weft_request *req;
	struct scene s;

	if (!start(&s, rank))
		return;
	size = weft_comm_size(s.world);
	req = begin_send(&s, s.world, (me + 1) % size,
			 dice + dice / 4 * (uint64_t)me);
	if (dice / 16 % 2)
		linger(&s);
	end_send(&s, req, me == 0 && size > 1, WEFT_ERR_PEER,
		 "has closed its job");
	stop(&s);
}

static void closed(void)
{
	for (uint64_t seed = 0; seed < 64; seed++)
		if (!run(1 + (int)(seed % 3), seed, close_with_sends))
			return;
}

/* ---- receives that take their messages all the same ---- */

/* They were under way when the communicator was freed; by both ranks. */
static void free_with_receives(struct wf_sim_rank *rank, void *arg)
{
	static const size_t lengths[] = { 8, 3000, MOST };
	uint64_t dice = *(uint64_t *)arg;
	size_t n = lengths[dice % 3];
	int me = wf_sim_rank(rank);
	struct weft_request *out[2] = { NULL }, *in = NULL;
	struct weft_comm *dup = NULL;
	char *got = calloc(1, MOST);
	struct scene s;

	if (!start(&s, rank))
		return;
	ok(&s, weft_comm_dup(s.world, &dup), "dup");
	ok(&s, weft_irecv(dup, got, n, &weft_type_byte,
			  weft_from(dice / 3 % 2 ? WEFT_ANY_SOURCE : !me,
				    WEFT_ANY_TAG), &in), "irecv");
	if (dice / 6 % 2)
		ok(&s, weft_barrier(s.world), "barrier");
	for (int k = 0; k < 2; k++)
		ok(&s, weft_issend(dup, content, n, &weft_type_byte,
				   weft_to(!me, k), &out[k]), "issend");
	ok(&s, weft_comm_free(&dup), "free");
	ok(&s, weft_request_wait(in), "receive");
	ok(&s, weft_request_wait(out[0]), "send");
	end_send(&s, out[1], true, WEFT_ERR_GRAPH, "freed the communicator");
	if (memcmp(got, content, n))
		wf_sim_fail(rank, "other content");
	ok(&s, weft_request_free(&in), "free a request");
	ok(&s, weft_request_free(&out[0]), "free a request");
	stop_together(&s);
	free(got);
}

static void received(void)
{
	for (uint64_t seed = 0; seed < 24; seed++)
		if (!run(2, seed, free_with_receives))
			return;
}

/* A persistent one is started when the message is there, or before. */
static void start_later(struct wf_sim_rank *rank, void *arg)
{
	uint64_t dice = *(uint64_t *)arg;
	struct weft_request *in = NULL, *out[2] = { NULL };
	struct weft_comm *dup = NULL;
	char got[8] = { 0 };
	struct scene s;

	if (!start(&s, rank))
		return;
	ok(&s, weft_comm_dup(s.world, &dup), "dup");
	if (wf_sim_rank(rank) == 0) {
		for (int k = 0; k < 2; k++)
			ok(&s, weft_issend(dup, "persists", 8, &weft_type_byte,
					   weft_to(1, 0), &out[k]), "issend");
		ok(&s, weft_request_wait(out[0]), "send");
		end_send(&s, out[1], true, WEFT_ERR_GRAPH,
			 "freed the communicator");
		ok(&s, weft_request_free(&out[0]), "free a request");
		ok(&s, weft_comm_free(&dup), "free");
		stop_together(&s);
		return;
	}
	ok(&s, weft_recv_init(dup, got, 8, &weft_type_byte, weft_from(0, 0),
			      &in), "recv_init");
	if (dice % 2)
		linger(&s);
	ok(&s, weft_comm_free(&dup), "free");
	if (dice / 2 % 2)
		linger(&s);
	ok(&s, weft_request_start(in), "start");
	ok(&s, weft_request_wait(in), "wait");
	if (memcmp(got, "persists", 8))
		wf_sim_fail(rank, "other content");
	ok(&s, weft_request_free(&in), "free a request");
	stop_together(&s);
}

static void persistent(void)
{
	for (uint64_t seed = 0; seed < 8; seed++)
		if (!run(2, seed, start_later))
			return;
}

/* ---- what the error of a death says: free the objects, go on ---- */

static int heard;

static void give_up_after_death(struct wf_sim_rank *rank, void *arg)
{
	int victim = *(int *)arg, me = wf_sim_rank(rank), size;
	struct weft_request *req[2];
	struct weft_comm *dup = NULL;
	struct scene s;
	char at;

	if (!start(&s, rank))
		return;
	size = weft_comm_size(s.world);
	ok(&s, weft_comm_dup(s.world, &dup), "dup");
	req[0] = begin_send(&s, dup, (me + 1) % size, 0);
	req[1] = begin_send(&s, s.world, (me + 2) % size, 1);
	if (me == victim)
		for (;;)
			linger(&s);
	expect(&s, weft_recv(dup, &at, 1, &weft_type_byte,
			     weft_from(victim, 8), NULL), WEFT_ERR_PEER, NULL);
	heard++;
	for (int k = 0; k < 2; k++)
		ok(&s, weft_request_free(&req[k]), "free a request");
	ok(&s, weft_comm_free(&dup), "free");
	(void)!weft_job_close(s.job);
}

static void deaths(void)
{
	run_deaths(60, &heard, give_up_after_death);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "sends of all end when all free the communicator", freed },
		{ "sends of all end when all close the job", closed },
		{ "receives under way take their messages", received },
		{ "a persistent receive takes its message", persistent },
		{ "a death, objects freed, the job closed", deaths }
	};

	memset(content, 'c', sizeof(content));
	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
