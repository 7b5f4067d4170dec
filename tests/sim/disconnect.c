/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A communicator that is disconnected goes when all that is under way on it is
 * over: collectives, messages, those in buffers and those that were given up,
 * a duplicate that is made; and with an error of theirs, where a peer dies.
 */
#include <stdlib.h>
#include <weft/buffered.h>
#include "tests/sim/p2p_scene.h"

enum {
	LONG = 30000			/* waits for its receive */
};

/* ---- what is refused ---- */

static void refuse(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *comm;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	comm = s.world;
	expect(&s, weft_comm_disconnect(&comm), WEFT_ERR_ARG,
	       "weft_comm_disconnect: the world");
	comm = weft_job_self(s.job);
	expect(&s, weft_comm_disconnect(&comm), WEFT_ERR_ARG, "rank alone");
	comm = NULL;
	ok(&s, weft_comm_disconnect(&comm), "nothing");
	if (weft_comm_disconnect(NULL) != WEFT_ERR_ARG)
		wf_sim_fail(rank, "NULL is taken");
	ok(&s, weft_comm_dup(s.world, &comm), "dup");
	ok(&s, weft_comm_disconnect(&comm), "disconnect");
	if (comm)
		wf_sim_fail(rank, "it is left");
	stop(&s);
}

static void refused(void)
{
	run(1, 1, refuse);
	run(2, 1, refuse);
}

/* ---- messages ---- */

/* One of a request, one that was given up, one in a buffer; to rank 1. */
static void send_three(const struct scene *s, struct weft_comm *comm,
		       char *data, struct weft_request **req_p)
{
	struct weft_request *gone;

	ok(s, weft_comm_buffer_attach(comm, WEFT_BUFFER_AUTOMATIC, 0),
	   "attach");
	ok(s, weft_isend(comm, data, LONG, &weft_type_byte, weft_to(1, 0),
			 req_p), "isend");
	ok(s, weft_isend(comm, data, LONG, &weft_type_byte, weft_to(1, 0),
			 &gone), "isend");
	ok(s, weft_request_free(&gone), "give up");
	ok(s, weft_bsend(comm, data, LONG, &weft_type_byte, weft_to(1, 0)),
	   "bsend");
}

static void receive_three(const struct scene *s, struct weft_comm *comm,
			  char *data)
{
	linger(s);
	for (int i = 0; i < 3; i++) {
		memset(data, 0, LONG);
		ok(s, weft_recv(comm, data, LONG, &weft_type_byte,
				weft_from(0, 0), NULL), "recv");
		if (data[LONG - 1] != 5)
			wf_sim_fail(s->rank, "other content");
	}
}

static void messages(struct wf_sim_rank *rank, void *arg)
{
	struct weft_request *req = NULL;
	char *data = malloc(LONG);
	struct weft_comm *comm;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_comm_dup(s.world, &comm), "dup");
	memset(data, 5, LONG);
	if (wf_sim_rank(rank) == 0)
		send_three(&s, comm, data, &req);
	else
		receive_three(&s, comm, data);
	ok(&s, weft_comm_disconnect(&comm), "disconnect");
	/* what has left is not needed any more */
	memset(data, 0, LONG);
	if (req && weft_request_is_active(req))
		wf_sim_fail(rank, "a message is under way");
	ok(&s, weft_request_free(&req), "free");
	stop(&s);
	free(data);
}

static void of_messages(void)
{
	for (uint64_t seed = 1; seed <= 10; seed++)
		if (!run(2, seed, messages))
			return;
}

/* ---- collectives, and what others do ---- */

/* The last rank begins late; a receive that nobody answers is of the world. */
static void collectives(struct wf_sim_rank *rank, void *arg)
{
	int n = wf_sim_size(rank), me = wf_sim_rank(rank);
	int64_t one = 1, sum = 0, big[500] = { 1 }, bigsum[500];
	struct weft_request *req[3] = { NULL }, *other;
	struct weft_comm *comm, *dup = NULL;
	struct scene s;
	char word;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_comm_dup(s.world, &comm), "dup");
	ok(&s, weft_irecv(s.world, &word, 1, &weft_type_byte,
			  weft_from(me, 0), &other), "irecv");
	if (me == n - 1)
		linger(&s);
	ok(&s, weft_iallreduce(comm, &one, weft_part(&sum, 1,
						     &weft_type_int64),
			       &weft_op_sum, &req[0]), "iallreduce");
	ok(&s, weft_iallreduce(comm, big, weft_part(bigsum, 500,
						    &weft_type_int64),
			       &weft_op_sum, &req[1]), "iallreduce");
	ok(&s, weft_comm_idup(comm, &dup, &req[2]), "idup");
	ok(&s, weft_comm_disconnect(&comm), "disconnect");
	for (int i = 0; i < 3; i++)
		if (weft_request_is_active(req[i]))
			wf_sim_fail(rank, "collective %d is under way", i);
	if (sum != n || bigsum[0] != n || !dup)
		wf_sim_fail(rank, "another result");
	ok(&s, weft_request_wait_all(req, 3, NULL), "wait");
	ok(&s, weft_request_free_all(req, 3), "free");
	use(&s, dup);
	ok(&s, weft_comm_disconnect(&dup), "disconnect");
	ok(&s, weft_request_cancel(other), "cancel");
	ok(&s, weft_request_wait(other), "wait");
	ok(&s, weft_request_free(&other), "free");
	stop(&s);
}

static void of_collectives(void)
{
	run_seeds(20, 6, collectives);
}

/* ---- deaths ---- */

static void lose_one(struct wf_sim_rank *rank, void *arg)
{
	struct weft_request *req[2] = { NULL };
	struct weft_comm *comm;
	struct scene s;
	int status[2];
	char word;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_comm_dup(s.world, &comm), "dup");
	ok(&s, weft_barrier(s.world), "barrier");
	if (wf_sim_rank(rank) == 0)
		wf_sim_die(rank);
	ok(&s, weft_irecv(comm, &word, 1, &weft_type_byte, weft_from(0, 0),
			  &req[0]), "irecv");
	ok(&s, weft_ibarrier(comm, &req[1]), "ibarrier");
	ok(&s, weft_comm_disconnect(&comm), "disconnect");
	expect(&s, weft_request_wait_all(req, 2, status), WEFT_ERR_PEER,
	       "rank 0");
	if (status[0] != WEFT_ERR_PEER || status[1] != WEFT_ERR_PEER)
		wf_sim_fail(rank, "no error of what a death has ended");
	ok(&s, weft_request_free_all(req, 2), "free");
	(void)!weft_job_close(s.job);
}

static void deaths(void)
{
	for (uint64_t seed = 1; seed <= 5; seed++)
		run_death(seed, lose_one);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "what is refused", refused },
		{ "messages", of_messages },
		{ "collectives", of_collectives },
		{ "a peer dies", deaths }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
