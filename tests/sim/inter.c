/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intercommunicators: what they tell of themselves, messages, and what
 * is made of them, duplicates, parts and mergers, of each pair of group sizes
 * from 1 to 5.
 */
#include <stdlib.h>
#include "tests/sim/inter_pair.h"

/* Along lanes, between all at once. */
static void check_long(const struct pair *p)
{
	enum { LONG = 20000 };
	int64_t *out = malloc((MOST + 1) * LONG * sizeof(*out)), *in;
	struct weft_request *req[2 * MOST];
	int n = remote_size(p);

	if (!out)
		return;
	fill(p, out, LONG);
	for (int r = 0; r < n; r++) {
		in = out + (r + 1) * LONG;
		ok(&p->s, weft_irecv(p->comm, in, LONG, type, weft_from(r, 6),
				     &req[r]), "irecv");
		ok(&p->s, weft_isend(p->comm, out, LONG, type, weft_to(r, 6),
				     &req[n + r]), "isend");
	}
	for (int i = 0; i < 2 * n; i++) {
		ok(&p->s, weft_request_wait(req[i]), "wait");
		ok(&p->s, weft_request_free(&req[i]), "free");
	}
	for (int r = 0; r < n; r++)
		for (int i = 0; i < LONG; i++)
			expect(p, out[(r + 1) * LONG + i],
			       given(!p->side, r, i), "long message", i);
	free(out);
}

/* Sent to each rank of the other side; some come from anywhere. */
static void check_messages(const struct pair *p)
{
	struct weft_request *req[MOST];
	int64_t out = given(p->side, p->rank, 0), in;
	int n = remote_size(p), sum = 0;

	for (int r = 0; r < n; r++)
		ok(&p->s, weft_isend(p->comm, &out, 1, type, weft_to(r, 5),
				     &req[r]), "isend");
	for (int r = 0; r < n; r++) {
		struct weft_message_status got;
		bool any = p->rank % 2;

		ok(&p->s, weft_recv(p->comm, &in, 1, type,
				    weft_from(any ? WEFT_ANY_SOURCE : r, 5),
				    &got), "recv");
		expect(p, in, given(!p->side, got.source, 0), "message", r);
		sum += got.source;
	}
	expect(p, sum, n * (n - 1) / 2, "sources", 0);
	for (int r = 0; r < n; r++) {
		ok(&p->s, weft_request_wait(req[r]), "wait");
		ok(&p->s, weft_request_free(&req[r]), "free");
	}
}

static void check_allgather(const struct pair *p)
{
	int64_t x[N], all[MOST * N + 1];

	fill(p, x, N);
	keep(all, MOST * N + 1);
	ok(&p->s, weft_allgather(p->comm, weft_part(x, N, type),
				 weft_part(all, N, type)), "allgather");
	for (int i = 0; i <= MOST * N; i++)
		expect(p, all[i], i < remote_size(p) * N ?
		       given(!p->side, i / N, i % N) : KEPT, "allgather", i);
}

static void check_sizes(const struct pair *p, struct weft_comm *comm)
{
	struct weft_group *near = NULL, *far = NULL;

	ok(&p->s, weft_comm_group(comm, &near), "group");
	ok(&p->s, weft_comm_remote_group(comm, &far), "remote group");
	expect(p, weft_comm_is_inter(comm), true, "is_inter", 0);
	expect(p, weft_comm_rank(comm), p->rank, "rank", 0);
	expect(p, weft_comm_size(comm), p->size[p->side], "size", 0);
	expect(p, weft_comm_remote_size(comm), remote_size(p), "remote_size",
	       0);
	expect(p, weft_group_size(near), p->size[p->side], "group", 0);
	expect(p, weft_group_size(far), remote_size(p), "remote group", 0);
	expect(p, weft_group_rank(near), p->rank, "group", 1);
	ok(&p->s, weft_group_free(&near), "free");
	ok(&p->s, weft_group_free(&far), "free");
}

/* ---- what is made of them ---- */

static void check_merged(struct pair *p, bool same)
{
	struct weft_comm *merged = NULL;
	bool high = !same && p->side == 0;
	int first = same ? -1 : 1, rank;

	ok(&p->s, weft_intercomm_merge(p->comm, high, &merged), "merge");
	if (!merged)
		return;
	expect(p, weft_comm_size(merged), p->size[0] + p->size[1], "merged",
	       0);
	expect(p, weft_comm_is_inter(merged), false, "merged", 1);
	rank = weft_comm_rank(merged);
	if (first == 1)
		expect(p, rank, p->side ? p->rank : p->size[1] + p->rank,
		       "merged", 2);
	else
		expect(p, rank == p->rank ||
		       rank == p->rank + remote_size(p), true, "merged", 3);
	ok(&p->s, weft_barrier(merged), "barrier");
	ok(&p->s, weft_comm_free(&merged), "free");
}

static void check_compared(const struct pair *p, struct weft_comm *other,
			   enum weft_comparison want)
{
	enum weft_comparison have = WEFT_IDENT;

	ok(&p->s, weft_comm_compare(p->comm, other, &have), "compare");
	expect(p, have, want, "compare", 0);
}

static void check_dups(struct pair *p)
{
	struct pair dup = *p;
	struct weft_request *req = NULL;

	ok(&p->s, weft_comm_dup(p->comm, &dup.comm), "dup");
	check_compared(p, dup.comm, WEFT_CONGRUENT);
	check_compared(p, p->s.world, WEFT_UNEQUAL);
	check_sizes(&dup, dup.comm);
	check_allgather(&dup);
	check_messages(&dup);
	ok(&p->s, weft_comm_free(&dup.comm), "free");
	ok(&p->s, weft_comm_idup(p->comm, &dup.comm, &req), "idup");
	ok(&p->s, weft_request_wait(req), "wait");
	ok(&p->s, weft_request_free(&req), "free");
	check_allgather(&dup);
	ok(&p->s, weft_comm_free(&dup.comm), "free");
}

/* Colour of a rank is its parity, and keys turn the order around. */
static void check_split(struct pair *p)
{
	struct pair part = *p;
	int color = p->rank % 2;
	bool lonely = color && (p->size[0] < 2 || p->size[1] < 2);

	part.comm = NULL;
	ok(&p->s, weft_comm_split(p->comm, color, -p->rank, &part.comm),
	   "split");
	expect(p, part.comm != NULL, !lonely, "split", 0);
	if (!part.comm)
		return;
	for (int side = 0; side < 2; side++)
		part.size[side] = (p->size[side] + 1 - color) / 2;
	part.rank = part.size[p->side] - 1 - p->rank / 2;
	check_sizes(&part, part.comm);
	check_allgather(&part);
	check_messages(&part);
	ok(&p->s, weft_comm_free(&part.comm), "free");
}

/* All but the first rank of each side. */
static void check_create(struct pair *p)
{
	static const int first[] = { 0 };
	struct weft_group *all = NULL, *most = NULL;
	struct pair part = *p;
	bool some = p->size[0] > 1 && p->size[1] > 1 && p->rank;

	part.comm = NULL;
	ok(&p->s, weft_comm_group(p->comm, &all), "group");
	ok(&p->s, weft_group_excl(all, 1, first, &most), "excl");
	ok(&p->s, weft_comm_create(p->comm, most, &part.comm), "create");
	expect(p, part.comm != NULL, some, "create", 0);
	ok(&p->s, weft_group_free(&all), "free");
	ok(&p->s, weft_group_free(&most), "free");
	if (!part.comm)
		return;
	for (int side = 0; side < 2; side++)
		part.size[side]--;
	part.rank--;
	check_sizes(&part, part.comm);
	check_allgather(&part);
	ok(&p->s, weft_comm_free(&part.comm), "free");
}

/* Two of the own group, which odd ranks make in the other order. */
static void check_from_group(const struct pair *p,
			     const struct weft_group *near)
{
	static const char *const tag[] = { "mpi", "", };
	struct weft_comm *made[2] = { NULL, NULL };
	int64_t x = 1;

	for (int k = 0; k < 2; k++) {
		int i = k ^ (p->rank & 1);

		ok(&p->s, weft_comm_create_from_group(near, tag[i], &made[i]),
		   "from a group");
	}
	for (int i = 0; i < 2 && made[i]; i++) {
		expect(p, weft_comm_rank(made[i]), p->rank, "from a group", 0);
		ok(&p->s, weft_allreduce(made[i], WEFT_IN_PLACE,
					 weft_part(&x, 1, type),
					 &weft_op_sum), "allreduce");
		ok(&p->s, weft_comm_free(&made[i]), "free");
	}
	expect(p, x, p->size[p->side] * p->size[p->side], "from a group", 1);
}

static void check_from_groups(const struct pair *p)
{
	struct weft_group *near = NULL, *far = NULL;
	struct weft_comm *made = NULL;
	int leader = p->size[p->side] - 1;

	ok(&p->s, weft_comm_group(p->comm, &near), "group");
	ok(&p->s, weft_comm_remote_group(p->comm, &far), "remote group");
	check_from_group(p, near);
	ok(&p->s, weft_intercomm_create_from_groups(
		near, leader, p->rank == leader ? far : NULL,
		p->rank == leader ? remote_size(p) - 1 : KEPT, "x", &made),
	   "from groups");
	if (made)
		check_compared(p, made, WEFT_CONGRUENT);
	ok(&p->s, weft_comm_free(&made), "free");
	ok(&p->s, weft_group_free(&near), "free");
	ok(&p->s, weft_group_free(&far), "free");
}

static void ranks(struct wf_sim_rank *rank, void *arg)
{
	struct pair p = { .comm = NULL };

	if (!start(&p.s, rank))
		return;
	make_sides(&p, *(const unsigned *)arg);
	if (p.comm) {
		check_sizes(&p, p.comm);
		check_messages(&p);
		check_long(&p);
		check_merged(&p, false);
		check_merged(&p, true);
		check_dups(&p);
		check_split(&p);
		check_create(&p);
		check_from_groups(&p);
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
		{ "every pair of sizes", every_pair }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
