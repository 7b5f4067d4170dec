/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank is killed at each of its events, in each collective call and in each
 * that makes a communicator: all of them end, and the living go on in one that
 * they make of themselves.
 */
#include "tests/sim/death_scene.h"

enum {
	ROUNDS = 4,
	MOST = 5000,			/* bytes */
	TAG = 3				/* of groups */
};

/* ---- collectives ---- */

static void do_barrier(struct mourner *m)
{
	judged(m, WEFT_ANY_SOURCE, weft_barrier(m->s.world));
}

static void expect_number(const struct mourner *m, int64_t x, int64_t want)
{
	if (x != want)
		wf_sim_fail(m->s.rank, "%s: %d, not %d", m->death->call->name,
			    (int)x, (int)want);
}

static void do_allreduce(struct mourner *m)
{
	int64_t x = m->me;

	if (judged(m, WEFT_ANY_SOURCE,
		   weft_allreduce(m->s.world, WEFT_IN_PLACE,
				  weft_part(&x, 1, &weft_type_int64),
				  &weft_op_sum)))
		expect_number(m, x, m->size * (m->size - 1) / 2);
}

static void do_scan(struct mourner *m)
{
	int64_t x = m->me, sum = -1;

	if (judged(m, WEFT_ANY_SOURCE,
		   weft_scan(m->s.world, &x,
			     weft_part(&sum, 1, &weft_type_int64),
			     &weft_op_sum)))
		expect_number(m, sum, m->me * (m->me + 1) / 2);
}

static void do_exscan(struct mourner *m)
{
	int64_t x = m->me, sum = 0;

	if (judged(m, WEFT_ANY_SOURCE,
		   weft_exscan(m->s.world, &x,
			       weft_part(&sum, 1, &weft_type_int64),
			       &weft_op_sum)) && m->me)
		expect_number(m, sum, m->me * (m->me - 1) / 2);
}

static void do_allgather(struct mourner *m)
{
	int64_t x = m->me + 5, all[3] = { 0 };

	if (!judged(m, WEFT_ANY_SOURCE,
		    weft_allgather(m->s.world,
				   weft_part(&x, 1, &weft_type_int64),
				   weft_part(all, 1, &weft_type_int64))))
		return;
	for (int r = 0; r < m->size; r++)
		expect_number(m, all[r], r + 5);
}

static void do_alltoall(struct mourner *m)
{
	int64_t x[3], all[3] = { 0 };

	for (int r = 0; r < m->size; r++)
		x[r] = 10 * m->me + r;
	if (!judged(m, WEFT_ANY_SOURCE,
		    weft_alltoall(m->s.world,
				  weft_part(x, 1, &weft_type_int64),
				  weft_part(all, 1, &weft_type_int64))))
		return;
	for (int r = 0; r < m->size; r++)
		expect_number(m, all[r], 10 * r + m->me);
}

static void do_bcast(struct mourner *m)
{
	char data[MOST] = { 0 };

	for (int root = 0; root < m->size; root++) {
		data[MOST - 1] = m->me == root ? (char)m->tag : 0;
		if (judged(m, WEFT_ANY_SOURCE,
			   weft_bcast(m->s.world,
				      weft_part(data, m->tag % 2 ? MOST : 9,
						&weft_type_byte),
				      root)) && m->tag % 2)
			expect_number(m, data[MOST - 1], m->tag);
	}
}

static void do_ibcast(struct mourner *m)
{
	struct weft_request *req[3] = { NULL };
	int64_t x[3] = { m->me, m->me, m->me };

	for (int k = 0; k < 3; k++)
		ok(&m->s, weft_ibcast(m->s.world,
				      weft_part(&x[k], 1, &weft_type_int64), k,
				      &req[k]), "ibcast");
	for (int k = 0; k < 3; k++) {
		if (judge(m, WEFT_ANY_SOURCE, weft_request_wait(req[k]),
			  req[k]))
			expect_number(m, x[k], k);
		ok(&m->s, weft_request_free(&req[k]), "free");
	}
}

static void do_reduce(struct mourner *m)
{
	int64_t x = m->me, sum = -1;

	for (int root = 0; root < m->size; root++)
		if (judged(m, WEFT_ANY_SOURCE,
			   weft_reduce(m->s.world, &x,
				       weft_part(&sum, 1, &weft_type_int64),
				       &weft_op_sum, root)) && m->me == root)
			expect_number(m, sum, m->size * (m->size - 1) / 2);
}

static void do_gather(struct mourner *m)
{
	int64_t x = m->me + 5, all[3] = { 0 };

	for (int root = 0; root < m->size; root++) {
		if (!judged(m, WEFT_ANY_SOURCE,
			    weft_gather(m->s.world,
					weft_part(&x, 1, &weft_type_int64),
					weft_part(all, 1, &weft_type_int64),
					root)))
			continue;
		for (int r = 0; r < m->size && m->me == root; r++)
			expect_number(m, all[r], r + 5);
	}
}

static void do_scatter(struct mourner *m)
{
	int64_t x = -1, all[3] = { 5, 6, 7 };

	for (int root = 0; root < m->size; root++)
		if (judged(m, WEFT_ANY_SOURCE,
			   weft_scatter(m->s.world,
					weft_part(all, 1, &weft_type_int64),
					weft_part(&x, 1, &weft_type_int64),
					root)))
			expect_number(m, x, m->me + 5);
}

/* Rank r has as many as r. */
static const size_t counts[] = { 0, 1, 2 };
static const ptrdiff_t displs[] = { 0, 0, 1 };

static void do_gatherv(struct mourner *m)
{
	int64_t x[2] = { m->me + 5, m->me + 6 }, all[3] = { 0 };
	const struct weft_vec recv = {
		.base = all, .type = &weft_type_int64, .counts = counts,
		.displs = displs
	};

	for (int root = 0; root < m->size; root++) {
		if (!judged(m, WEFT_ANY_SOURCE,
			    weft_gatherv(m->s.world,
					 weft_part(x, m->me, &weft_type_int64),
					 &recv, root)))
			continue;
		for (int i = 0; i < 3 && m->me == root; i++)
			expect_number(m, all[i], i + 6);
	}
}

static void do_scatterv(struct mourner *m)
{
	int64_t x[2] = { -1, -1 }, all[3] = { 6, 7, 8 };
	const struct weft_vec send = {
		.base = all, .type = &weft_type_int64, .counts = counts,
		.displs = displs
	};

	for (int root = 0; root < m->size; root++)
		if (judged(m, WEFT_ANY_SOURCE,
			   weft_scatterv(m->s.world, &send,
					 weft_part(x, m->me, &weft_type_int64),
					 root)) && m->me)
			expect_number(m, x[m->me - 1], 2 * m->me + 4);
}

/* Each gives to each its number and that of the other; to rank 1 nothing. */
static void do_alltoallv(struct mourner *m)
{
	static const size_t to[] = { 1, 0, 1 }, none[] = { 0, 0, 0 };
	static const ptrdiff_t at[] = { 0, 1, 2 };
	int64_t x[3] = { 10 * m->me, 0, 10 * m->me + 2 }, y[3] = { 0 };
	static const size_t from[] = { 1, 1, 1 };
	const struct weft_vec send = {
		.base = x, .type = &weft_type_int64, .counts = to, .displs = at
	};
	const struct weft_vec recv = {
		.base = y, .type = &weft_type_int64,
		.counts = m->me == 1 ? none : from, .displs = at
	};

	if (!judged(m, WEFT_ANY_SOURCE,
		    weft_alltoallv(m->s.world, &send, &recv)))
		return;
	for (int r = 0; r < 3 && m->me != 1; r++)
		expect_number(m, y[r], 10 * r + m->me);
}

/* Each gives to the other two, and then only to the one behind it. */
static void do_sparse(struct mourner *m)
{
	int to[2] = { (m->me + 1) % 3, (m->me + 2) % 3 };
	int64_t x[2] = { m->me + 5, m->me + 5 };
	static const size_t bytes[] = { 8, 8 };
	struct weft_sparse send = { 2, to, bytes, x };
	struct weft_request *req = NULL;
	struct weft_sparse_got got;

	if (judged(m, WEFT_ANY_SOURCE,
		   weft_sparse_exchange(m->s.world, &send, &got)))
		for (int i = 0; i < 2; i++)
			expect_number(m, ((int64_t *)got.base)[i],
				      got.ranks[i] + 5);
	weft_sparse_free(&got);
	send.n = 1;
	if (!judged(m, WEFT_ANY_SOURCE,
		    weft_isparse_exchange(m->s.world, &send, &got, &req)))
		return;
	if (judge(m, WEFT_ANY_SOURCE, weft_request_wait(req), req))
		expect_number(m, *(int64_t *)got.base, (m->me + 2) % 3 + 5);
	ok(&m->s, weft_request_free(&req), "free");
	weft_sparse_free(&got);
}

/* Some at once, along both schedules. */
static void do_nonblocking(struct mourner *m)
{
	const struct weft_type *word = &weft_type_int64;
	int64_t x = m->me, sum[2] = { -1, -1 }, all[2][3] = { { 0 } };
	struct weft_request *req[4] = { NULL };

	ok(&m->s, weft_iallreduce(m->s.world, &x, weft_part(&sum[0], 1, word),
				  &weft_op_sum, &req[0]), "iallreduce");
	ok(&m->s, weft_igather(m->s.world, weft_part(&x, 1, word),
			       weft_part(all[0], 1, word), 2, &req[1]),
	   "igather");
	ok(&m->s, weft_iallgather(m->s.world, weft_part(&x, 1, word),
				  weft_part(all[1], 1, word), &req[2]),
	   "iallgather");
	ok(&m->s, weft_ireduce(m->s.world, &x, weft_part(&sum[1], 1, word),
			       &weft_op_sum, 1, &req[3]), "ireduce");
	for (int k = 3; k >= 0; k--) {
		bool well = judge(m, WEFT_ANY_SOURCE, weft_request_wait(req[k]),
				  req[k]);

		if (well && k % 3 == 0 && (k == 0 || m->me == 1))
			expect_number(m, sum[k / 3], 3);
		if (well && k % 3 && (k == 2 || m->me == 2))
			expect_number(m, all[k - 1][1], 1);
		ok(&m->s, weft_request_free(&req[k]), "free");
	}
}

/* Made, started, and given back; whoever has an error has none. */
static void do_persistent(struct mourner *m)
{
	struct weft_request *req = NULL;
	int64_t x = m->me, sum = -1;
	struct weft_part out = weft_part(&sum, 1, &weft_type_int64);
	int root = m->tag % m->size;
	int status = m->tag % 2 ?
		weft_allreduce_init(m->s.world, &x, out, &weft_op_sum, &req) :
		weft_reduce_init(m->s.world, &x, out, &weft_op_sum, root,
				 &req);

	if (!judged(m, WEFT_ANY_SOURCE, status))
		return;
	for (int k = 0; k < 2; k++) {
		ok(&m->s, weft_request_start(req), "start");
		if (judge(m, WEFT_ANY_SOURCE, weft_request_wait(req), req) &&
		    (m->tag % 2 || m->me == root))
			expect_number(m, sum, m->size * (m->size - 1) / 2);
	}
	ok(&m->s, weft_request_free(&req), "free");
}

/* ---- communicators ---- */

/* Whoever has one gives it back; who has an error has none. */
static void expect_made(const struct mourner *m, int status,
			struct weft_comm *made)
{
	if (judged(m, WEFT_ANY_SOURCE, status) != (made != NULL))
		wf_sim_fail(m->s.rank, "%s: a communicator with %s",
			    m->death->call->name, weft_status_name(status));
	if (made)
		ok(&m->s, weft_comm_free(&made), "free");
}

/* So that there is something to wait for: two allreduces. */
static void use_up_ids(const struct mourner *m)
{
	m->s.world->pool.next = m->s.world->pool.end;
}

static void do_dup(struct mourner *m)
{
	struct weft_comm *made = NULL;
	int status;

	use_up_ids(m);
	status = weft_comm_dup(m->s.world, &made);
	expect_made(m, status, made);
}

/* One by itself, and one that another constructor waits for. */
static void do_idup(struct mourner *m)
{
	struct weft_comm *first = NULL, *second = NULL;
	struct weft_request *req = NULL;
	int status;

	use_up_ids(m);
	status = weft_comm_idup(m->s.world, &first, &req);
	if (m->tag % 2) {
		int dup = weft_comm_dup(m->s.world, &second);

		expect_made(m, dup, second);
	}
	if (!status)
		status = weft_request_wait(req);
	ok(&m->s, weft_request_free(&req), "free");
	expect_made(m, status, first);
}

static void do_create(struct mourner *m)
{
	struct weft_group *group = range(&m->s, 2, 3, -1);
	struct weft_comm *made = NULL;
	int status;

	use_up_ids(m);
	status = weft_comm_create(m->s.world, group, &made);
	expect_made(m, status, made);
	ok(&m->s, weft_group_free(&group), "free");
}

/* Of all, in either order. */
static void do_create_group(struct mourner *m)
{
	bool rising = m->tag % 2;
	struct weft_group *group = range(&m->s, rising ? 0 : 2, 3,
					 rising ? 1 : -1);
	struct weft_comm *made = NULL;
	int status = weft_comm_create_group(m->s.world, group, TAG, &made);

	expect_made(m, status, made);
	ok(&m->s, weft_group_free(&group), "free");
}

/* With an allgather behind the scans, and without. */
static void do_split(struct mourner *m)
{
	struct weft_comm *made = NULL;
	int key = m->tag % 2 ? -m->me : m->me;
	int status = weft_comm_split(m->s.world, m->me % 2, key, &made);

	expect_made(m, status, made);
}

static void do_split_type(struct mourner *m)
{
	struct weft_comm *made = NULL;
	int status = weft_comm_split_type(m->s.world, WEFT_SPLIT_NODE, -m->me,
					  &made);

	expect_made(m, status, made);
}

/* Edges of rank 0 and the last one, given by the next; or in another order. */
static void do_graph(struct mourner *m)
{
	int from = m->right ? m->right : m->size - 1, to = 0, one = 1, nine = 9;
	struct weft_comm *made = NULL;
	struct weft_info *info = NULL;
	int status;

	use_up_ids(m);
	ok(&m->s, weft_info_create(m->s.job, &info), "info");
	ok(&m->s, weft_info_set(info, "weft_reorder", "greedy"), "set");
	status = weft_graph_create(m->s.world, &(struct weft_graph_edges){
		1, &from, &one, &to, &nine
	}, info, m->tag % 2, &made);
	expect_made(m, status, made);
	ok(&m->s, weft_info_free(&info), "free info");
}

/* ---- all of them ---- */

static const struct death_call calls[] = {
	{ "barrier", do_barrier }, { "allreduce", do_allreduce },
	{ "scan", do_scan }, { "exscan", do_exscan },
	{ "allgather", do_allgather }, { "alltoall", do_alltoall },
	{ "bcast", do_bcast },
	{ "ibcast", do_ibcast }, { "reduce", do_reduce },
	{ "gather", do_gather }, { "scatter", do_scatter },
	{ "gatherv", do_gatherv }, { "scatterv", do_scatterv },
	{ "alltoallv", do_alltoallv },
	{ "sparse", do_sparse },
	{ "nonblocking ones", do_nonblocking },
	{ "persistent ones", do_persistent },
	{ "dup", do_dup }, { "idup", do_idup },
	{ "create", do_create }, { "create_group", do_create_group },
	{ "split", do_split }, { "split_type", do_split_type },
	{ "graph", do_graph }
};

/* Over whatever the failed calls have left. */
static void go_on_without(const struct mourner *m)
{
	struct weft_group *all = NULL, *rest = NULL;
	struct weft_comm *living = NULL;

	ok(&m->s, weft_comm_group(m->s.world, &all), "group");
	ok(&m->s, weft_group_excl(all, 1, &m->death->victim, &rest), "excl");
	ok(&m->s, weft_comm_create_group(m->s.world, rest, TAG + 1, &living),
	   "rest");
	if (living) {
		use(&m->s, living);
		ok(&m->s, weft_comm_free(&living), "free");
	}
	ok(&m->s, weft_group_free(&rest), "free");
	ok(&m->s, weft_group_free(&all), "free");
}

/* All make the same calls, whatever becomes of them. */
static void mourn(struct wf_sim_rank *rank, void *arg)
{
	struct mourner m;

	if (!mourner_open(&m, rank, arg))
		return;
	for (m.tag = 1; m.tag <= ROUNDS; m.tag++)
		m.death->call->run(&m);
	go_on_without(&m);
	mourner_close(&m);
}

static void every_call(void)
{
	run_every_death(calls, TAP_COUNT(calls), mourn);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a death at every event of every call", every_call }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
