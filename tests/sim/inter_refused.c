/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What intercommunicators refuse, at which ranks, and in which words; and that
 * the next call is as good as ever.
 */
#include <stdlib.h>
#include "tests/sim/inter_pair.h"

static void refused(const struct pair *p, int status, int want,
		    const char *words)
{
	const char *text = weft_error_text(p->s.job);

	if (status != want || !strstr(text, words))
		wf_sim_fail(p->s.rank, "status %d instead of %d, \"%s\" "
			    "without \"%s\"", status, want, text, words);
}

static void check_works(const struct pair *p)
{
	int64_t x = p->side ? KEPT : 5;
	int root = p->side ? 0 : p->rank ? WEFT_PROC_NULL : WEFT_ROOT;

	ok(&p->s, weft_bcast(p->comm, weft_part(&x, 1, type), root), "bcast");
	expect(p, x, 5, "bcast", 0);
}

/* ---- calls for one group ---- */

static void check_constructors(const struct pair *p)
{
	static const char words[] = "is an intercommunicator";
	const struct weft_edges none = { 0, NULL, NULL };
	const struct weft_grid grid = { 0, NULL, NULL };
	const struct weft_bridge bridge = { 0, p->s.world, 0, 0 };
	struct weft_comm *comm = p->comm, *made = comm;
	struct weft_dist *dist = NULL;
	struct weft_region *region = NULL;
	char byte;

	refused(p, weft_comm_create_group(comm, weft_group_empty(), 0, &made),
		WEFT_ERR_ARG, words);
	refused(p, weft_comm_dup_private(comm, &made), WEFT_ERR_ARG, words);
	refused(p, weft_comm_split_type(comm, WEFT_SPLIT_NODE, 0, &made),
		WEFT_ERR_ARG, words);
	refused(p, weft_graph_create_adjacent(comm, &none, &none, NULL, false,
					      &made), WEFT_ERR_ARG, words);
	refused(p, weft_cart_create(comm, &grid, NULL, false, &made),
		WEFT_ERR_ARG, words);
	refused(p, weft_dist_create_empty(comm, &dist), WEFT_ERR_ARG, words);
	refused(p, weft_region_create(comm, &byte, 1, &region), WEFT_ERR_ARG,
		words);
	refused(p, weft_region_expose(comm, &byte, 1, &region), WEFT_ERR_ARG,
		words);
	refused(p, weft_intercomm_create(comm, &bridge, &made), WEFT_ERR_ARG,
		words);
	expect(p, !made && !dist && !region, true, "made", 0);
}

static void check_calls(const struct pair *p)
{
	static const char words[] = "is an intercommunicator";
	struct weft_sparse send = { .n = 0 };
	struct weft_sparse_got got;
	const struct weft_grid grid = { 0, NULL, NULL };
	struct weft_request *req = NULL;
	int64_t x = 1, y;
	int n;

	refused(p, weft_scan(p->comm, &x, weft_part(&y, 1, type),
			     &weft_op_sum), WEFT_ERR_ARG, words);
	refused(p, weft_iexscan(p->comm, &x, weft_part(&y, 1, type),
				&weft_op_sum, &req), WEFT_ERR_ARG, words);
	refused(p, weft_scan_init(p->comm, &x, weft_part(&y, 1, type),
				  &weft_op_sum, &req), WEFT_ERR_ARG, words);
	refused(p, weft_sparse_exchange(p->comm, &send, &got), WEFT_ERR_ARG,
		words);
	refused(p, weft_neighbor_allgather(p->comm, weft_part(&x, 1, type),
					   weft_part(&y, 1, type)),
		WEFT_ERR_GRAPH, "no graph");
	refused(p, weft_graph_degrees(p->comm, &n, &n, NULL), WEFT_ERR_GRAPH,
		"no graph");
	refused(p, weft_cart_map(p->comm, &grid, &n), WEFT_ERR_ARG, words);
	expect(p, !req, true, "request", 0);
	check_works(p);
}

/* ---- arguments of collectives: what one rank refuses fails at others ---- */

static void check_in_place(const struct pair *p)
{
	int64_t x = 1;

	refused(p, weft_allreduce(p->comm, WEFT_IN_PLACE,
				  weft_part(&x, 1, type), &weft_op_sum),
		WEFT_ERR_ARG, "WEFT_IN_PLACE");
	refused(p, weft_allgather(p->comm, weft_part(WEFT_IN_PLACE, 1, type),
				  weft_part(&x, 1, type)),
		WEFT_ERR_ARG, "WEFT_IN_PLACE");
	check_works(p);
}

static void check_roots(const struct pair *p)
{
	int64_t x = 1, all[MOST];

	refused(p, weft_bcast(p->comm, weft_part(&x, 1, type), remote_size(p)),
		WEFT_ERR_RANGE, "the root is");
	refused(p, weft_reduce(p->comm, &x, weft_part(all, 1, type),
			       &weft_op_sum, -7), WEFT_ERR_RANGE,
		"the root is -7");
	check_works(p);
}

/* All hear of one rank that has no place for its request. */
static void check_places(const struct pair *p)
{
	struct weft_request *req = NULL, *other = NULL;
	bool lacks = p->side && !p->rank;
	int64_t x = 1, y = 1;
	int status;

	status = weft_iallreduce(p->comm, &x, weft_part(&y, 1, type),
				 &weft_op_sum, lacks ? NULL : &req);
	if (lacks)
		refused(p, status, WEFT_ERR_ARG, "req_p is NULL");
	else if (p->side)
		ok(&p->s, weft_request_wait(req), "wait");
	else
		refused(p, weft_request_wait(req), WEFT_ERR_ARG, "refused");
	ok(&p->s, weft_request_free(&req), "free");
	refused(p, weft_bcast_init(p->comm, weft_part(&x, 1, type),
				   p->side ? 0 : p->rank ? WEFT_PROC_NULL :
				   WEFT_ROOT, lacks ? NULL : &other),
		WEFT_ERR_ARG, "req_p is NULL");
	expect(p, !other, true, "made", 0);
	check_works(p);
}

static void check_ops(const struct pair *p)
{
	int64_t x = 1, y;

	refused(p, weft_allreduce(p->comm, &x, weft_part(&y, 1, type), NULL),
		WEFT_ERR_ARG, "op is NULL");
	refused(p, weft_reduce_scatter_block(p->comm, &x, weft_part(NULL, 1,
								    type),
					     &weft_op_sum), WEFT_ERR_ARG,
		"out.base is NULL");
	check_works(p);
}

static void check_ranks(const struct pair *p)
{
	int64_t x = 1;

	refused(p, weft_send(p->comm, &x, 1, type, weft_to(remote_size(p), 0)),
		WEFT_ERR_RANGE, "the rank is");
	refused(p, weft_recv(p->comm, &x, 1, type, weft_from(remote_size(p), 0),
			     NULL), WEFT_ERR_RANGE, "the rank is");
}

static void check_one_group(const struct pair *p)
{
	struct weft_group *group = NULL;
	struct weft_comm *merged = NULL;

	refused(p, weft_comm_remote_group(p->s.world, &group), WEFT_ERR_ARG,
		"is an intracommunicator");
	refused(p, weft_intercomm_merge(p->s.world, false, &merged),
		WEFT_ERR_ARG, "is an intracommunicator");
	expect(p, weft_comm_remote_size(p->s.world), 0, "remote_size", 0);
	expect(p, weft_comm_is_inter(NULL), false, "is_inter", 0);
}

/* ---- creating one ---- */

/* By all ranks of the own group, which hear of the leader's words. */
static void check_create(const struct pair *p)
{
	struct weft_comm *own = NULL, *made = NULL;
	struct weft_bridge bridge = { p->size[p->side], p->s.world, 0, 0 };
	int last = p->size[p->side] - 1;

	ok(&p->s, weft_comm_split(p->s.world, p->side, 0, &own), "split");
	refused(p, weft_intercomm_create(own, NULL, &made), WEFT_ERR_ARG,
		"bridge is NULL");
	refused(p, weft_intercomm_create(own, &bridge, &made), WEFT_ERR_RANGE,
		"leader is");
	bridge.leader = 0;
	bridge.peers = NULL;
	refused(p, weft_intercomm_create(own, &bridge, &made), WEFT_ERR_ARG,
		"peers is NULL");
	bridge.peers = p->s.world;
	bridge.remote_leader = weft_comm_size(p->s.world);
	refused(p, weft_intercomm_create(own, &bridge, &made), WEFT_ERR_RANGE,
		"remote_leader is");
	/* of one rank that is no leader, and leaders go wrong, too */
	bridge.remote_leader = -1;
	refused(p, weft_intercomm_create(own, p->rank == last ? NULL : &bridge,
					 &made),
		p->rank == last ? WEFT_ERR_ARG : WEFT_ERR_RANGE,
		p->rank == last ? "bridge is NULL" : "remote_leader is");
	expect(p, !made, true, "made", 0);
	ok(&p->s, weft_comm_free(&own), "free");
}

/* One rank leads both groups. */
static void check_common(const struct pair *p)
{
	struct weft_comm *made = NULL, *self = weft_job_self(p->s.job);
	const struct weft_bridge bridge = { .peers = self };

	refused(p, weft_intercomm_create(self, &bridge, &made), WEFT_ERR_ARG,
		"leads both");
	expect(p, !made, true, "made", 0);
}

static void check_groups(const struct pair *p)
{
	struct weft_group *near = NULL, *far = NULL;
	struct weft_comm *made = NULL;

	ok(&p->s, weft_comm_group(p->comm, &near), "group");
	ok(&p->s, weft_comm_remote_group(p->comm, &far), "remote group");
	refused(p, weft_comm_create_from_group(far, "x", &made), WEFT_ERR_ARG,
		"is not in the group");
	refused(p, weft_comm_create_from_group(near, NULL, &made),
		WEFT_ERR_ARG, "tag is NULL");
	refused(p, weft_intercomm_create_from_groups(near, 0, far, 0, NULL,
						     &made), WEFT_ERR_ARG,
		"tag is NULL");
	refused(p, weft_intercomm_create_from_groups(near, 0, NULL, 0, "x",
						     &made), WEFT_ERR_ARG,
		"remote is NULL");
	refused(p, weft_intercomm_create_from_groups(near, 0, far, MOST, "x",
						     &made), WEFT_ERR_RANGE,
		"remote_leader is 5");
	refused(p, weft_intercomm_create_from_groups(near, 0, near, 0, "x",
						     &made), WEFT_ERR_ARG,
		"leads both");
	expect(p, !made, true, "made", 0);
	ok(&p->s, weft_group_free(&near), "free");
	ok(&p->s, weft_group_free(&far), "free");
}

/* The leader's group is known to be good, and the other leader's is not. */
static void check_other_leader(const struct pair *p)
{
	struct weft_comm *own = NULL, *made = NULL;
	struct weft_bridge bridge = { .peers = p->s.world };
	struct wf_cid_space *ids = &wf_contexts(p->s.job)->ids;
	uint64_t next;
	int last = weft_comm_size(p->s.world) - 1;
	int me = weft_comm_rank(p->s.world);

	ok(&p->s, weft_comm_split(p->s.world, me == last, 0, &own), "split");
	bridge.remote_leader = me == last ? 0 : last;
	/* rank 0 gives the ids, and has none */
	next = ids->mint_next;
	if (!me)
		ids->mint_next = ids->mint_end;
	refused(p, weft_intercomm_create(own, &bridge, &made),
		WEFT_ERR_NOMEM, me == last ? "the other leader failed" :
		"no context ids left");
	if (!me)
		ids->mint_next = next;
	expect(p, !made, true, "made", 0);
	ok(&p->s, weft_intercomm_create(own, &bridge, &made), "create");
	ok(&p->s, weft_comm_free(&made), "free");
	ok(&p->s, weft_comm_free(&own), "free");
}

static void ranks(struct wf_sim_rank *rank, void *arg)
{
	struct pair p = { .comm = NULL };

	if (!start(&p.s, rank))
		return;
	make_sides(&p, *(const unsigned *)arg);
	if (p.comm) {
		check_constructors(&p);
		check_calls(&p);
		check_in_place(&p);
		check_roots(&p);
		check_places(&p);
		check_ops(&p);
		check_ranks(&p);
		check_one_group(&p);
		check_create(&p);
		check_common(&p);
		check_groups(&p);
		check_other_leader(&p);
	}
	ok(&p.s, weft_comm_free(&p.comm), "free");
	stop(&p.s);
}

static void every_pair(void)
{
	try_every_pair(ranks);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "arguments of every pair of sizes", every_pair }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
