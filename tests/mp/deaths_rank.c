/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One rank of a job in which one after another is killed while others wait for
 * it, each time in another collective call, or in another one that makes a
 * communicator; comm.t starts it with as many ranks as are to die, and two.
 *
 *     deaths_rank before   it is killed where it does not call any more, while
 *                          both others wait in the call
 *     deaths_rank inside   it is killed asleep in the call by one of the
 *                          others, which has not called, while the other waits
 *
 * A communicator with a dead member carries no collective any more, so each of
 * those that die has one with the first two alone, and a place of its own in
 * it.
 *
 * Exit code 1 if anything was wrong at this rank.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <weft.h>
#include "tests/mp/asleep.h"

enum {
	LIVING = 2,
	THREE = LIVING + 1,		/* in a communicator */
	KILLER = 1,
	ROUNDS = 10,
	MOST = 100000			/* numbers */
};

static struct weft_job *job;
static struct weft_comm *world;
static int me, n, failures;

/* The communicator of one that dies, and what a call keeps between rounds. */
struct trio {
	struct weft_comm *comm;
	int victim, index;		/* world rank; of this round */
	int at, own;			/* ranks in it: the victim's, the own */
	struct weft_comm *made;		/* child of a child, or graph */
	int64_t *in, *out;		/* MOST of each of them */
};

static void check(bool good, const char *call, const char *what)
{
	if (good)
		return;
	printf("# rank %d: %s: %s: %s\n", me, call, what,
	       weft_error_text(job));
	fflush(stdout);
	failures++;
}

static void ok(int status, const char *what)
{
	check(status == WEFT_OK, weft_status_name(status), what);
}

static void expect(int64_t x, int64_t want, const char *what)
{
	check(x == want, what, "another number");
}

/* ---- collectives ---- */

static int do_barrier(struct trio *t)
{
	return weft_barrier(t->comm);
}

static size_t numbers(const struct trio *t)
{
	static const size_t counts[] = { 1, 700, MOST };

	return counts[t->index % 3];
}

static int do_allreduce(struct trio *t)
{
	size_t last = numbers(t) - 1;
	int status;

	t->in[last] = t->own + 1;
	status = weft_allreduce(t->comm, t->in,
				weft_part(t->out, last + 1, &weft_type_int64),
				&weft_op_sum);
	if (!status)
		expect(t->out[last], 6, "allreduce");
	return status;
}

static int do_scan(struct trio *t)
{
	size_t last = numbers(t) - 1;
	int status;

	t->in[last] = t->own + 1;
	status = weft_scan(t->comm, t->in,
			   weft_part(t->out, last + 1, &weft_type_int64),
			   &weft_op_sum);
	if (!status)
		expect(t->out[last], (t->own + 1) * (t->own + 2) / 2, "scan");
	return status;
}

static int do_exscan(struct trio *t)
{
	size_t last = numbers(t) - 1;
	int status;

	t->in[last] = t->own + 1;
	t->out[last] = 0;
	status = weft_exscan(t->comm, t->in,
			     weft_part(t->out, last + 1, &weft_type_int64),
			     &weft_op_sum);
	if (!status)
		expect(t->out[last], t->own * (t->own + 1) / 2, "exscan");
	return status;
}

static int do_allgather(struct trio *t)
{
	size_t count = numbers(t);
	int status;

	t->in[count - 1] = t->own + 5;
	status = weft_allgather(t->comm,
				weft_part(t->in, count, &weft_type_int64),
				weft_part(t->out, count, &weft_type_int64));
	for (int r = 0; !status && r < THREE; r++)
		expect(t->out[(size_t)(r + 1) * count - 1], r + 5,
		       "allgather");
	return status;
}

static int do_bcast(struct trio *t)
{
	size_t last = numbers(t) - 1;
	int status;

	t->out[last] = t->own == t->at ? t->index : -1;
	status = weft_bcast(t->comm,
			    weft_part(t->out, last + 1, &weft_type_int64),
			    t->at);
	if (!status)
		expect(t->out[last], t->index, "bcast");
	return status;
}

/* From each of them, at the same time. */
static int do_ibcast(struct trio *t)
{
	size_t last = numbers(t) - 1;
	struct weft_request *req[THREE];
	int first = WEFT_OK;

	for (int r = 0; r < THREE; r++) {
		int64_t *data = t->out + (size_t)r * MOST;

		data[last] = t->own == r ? r + t->index : -1;
		ok(weft_ibcast(t->comm,
			       weft_part(data, last + 1, &weft_type_int64), r,
			       &req[r]), "ibcast");
	}
	for (int r = THREE - 1; r >= 0; r--) {
		int status = weft_request_wait(req[r]);

		first = status ? status : first;
		if (!status)
			expect(t->out[(size_t)r * MOST + last], r + t->index,
			       "ibcast");
		ok(weft_request_free(&req[r]), "free a request");
	}
	return first;
}

/* ---- communicators ---- */

/* The child is there, or the error is. */
static int drop(struct trio *t, int status, struct weft_comm *made, int size)
{
	check(!status == (made != NULL), weft_status_name(status), "made");
	if (!made)
		return status;
	expect(weft_comm_size(made), size, "size");
	if (t->made)
		ok(weft_comm_free(&t->made), "free");
	ok(weft_comm_free(&made), "free");
	return status;
}

/* The last two, or the first one, with and without an allgather. */
static int do_split(struct trio *t)
{
	struct weft_comm *made = NULL;
	int key = t->index % 2 ? -t->own : t->own;
	int status = weft_comm_split(t->comm, t->own > 0, key, &made);

	return drop(t, status, made, t->own > 0 ? 2 : 1);
}

static int do_split_type(struct trio *t)
{
	struct weft_comm *made = NULL;
	int status = weft_comm_split_type(t->comm, WEFT_SPLIT_NODE, -t->own,
					  &made);

	return drop(t, status, made, THREE);
}

/* All of them, the victim in front: the others wait for its ids. */
static int do_create_group(struct trio *t)
{
	int ranks[THREE] = { t->at, (t->at + 1) % 3, (t->at + 2) % 3 };
	struct weft_group *all = NULL, *group = NULL;
	struct weft_comm *made = NULL;
	int status;

	ok(weft_comm_group(t->comm, &all), "group");
	ok(weft_group_incl(all, THREE, ranks, &group), "incl");
	status = weft_comm_create_group(t->comm, group, 0, &made);
	ok(weft_group_free(&group), "free a group");
	ok(weft_group_free(&all), "free a group");
	return drop(t, status, made, THREE);
}

/* Of the youngest child: there are ids for three generations or four. */
static struct weft_comm *parent(const struct trio *t)
{
	return t->made ? t->made : t->comm;
}

static int descend(struct trio *t, int status, struct weft_comm *made)
{
	check(!status == (made != NULL), weft_status_name(status), "made");
	if (!made)
		return status;
	if (t->made)
		ok(weft_comm_free(&t->made), "free");
	t->made = made;
	return WEFT_OK;
}

static int do_dup(struct trio *t)
{
	struct weft_comm *made = NULL;
	int status = weft_comm_dup(parent(t), &made);

	return descend(t, status, made);
}

static int do_idup(struct trio *t)
{
	struct weft_comm *made = NULL;
	struct weft_request *req = NULL;
	int status;

	ok(weft_comm_idup(parent(t), &made, &req), "idup");
	status = weft_request_wait(req);
	ok(weft_request_free(&req), "free a request");
	return descend(t, status, made);
}

static int do_create(struct trio *t)
{
	struct weft_group *group = NULL;
	struct weft_comm *made = NULL;
	int status;

	ok(weft_comm_group(parent(t), &group), "group");
	status = weft_comm_create(parent(t), group, &made);
	ok(weft_group_free(&group), "free a group");
	return descend(t, status, made);
}

/* ---- graphs ---- */

/* To and from both others. */
static int make_graph(struct trio *t, struct weft_comm **graph_p)
{
	int ranks[] = { (t->own + 1) % 3, (t->own + 2) % 3 };
	struct weft_edges edges = { .n = 2, .ranks = ranks };

	return weft_graph_create_adjacent(t->comm, &edges, &edges, NULL, false,
					  graph_p);
}

static int do_graph(struct trio *t)
{
	struct weft_comm *made = NULL;
	int status = make_graph(t, &made);

	return drop(t, status, made, THREE);
}

static int do_exchange(struct trio *t)
{
	size_t counts[] = { numbers(t), numbers(t) };
	ptrdiff_t displs[] = { 0, MOST };
	struct weft_vec send = {
		.base = t->in, .type = &weft_type_int64, .counts = counts,
		.displs = (ptrdiff_t[]){ 0, 0 }
	};
	struct weft_vec recv = {
		.base = t->out, .type = &weft_type_int64, .counts = counts,
		.displs = displs
	};
	int status;

	if (!t->made)
		ok(make_graph(t, &t->made), "graph");
	t->in[counts[0] - 1] = t->own;
	status = weft_neighbor_alltoallv(t->made, &send, &recv);
	for (int k = 0; !status && k < 2; k++)
		expect(t->out[displs[k] + (ptrdiff_t)counts[k] - 1],
		       (t->own + k + 1) % 3, "exchange");
	return status;
}

static const struct {
	const char *name;
	int (*run)(struct trio *t);
	bool refills;			/* else it would wait for nothing */
} calls[] = {
	{ "barrier", do_barrier, false }, { "allreduce", do_allreduce, false },
	{ "scan", do_scan, false }, { "exscan", do_exscan, false },
	{ "allgather", do_allgather, false }, { "bcast", do_bcast, false },
	{ "ibcast", do_ibcast, false }, { "split", do_split, false },
	{ "split_type", do_split_type, false },
	{ "create_group", do_create_group, false }, { "dup", do_dup, true },
	{ "idup", do_idup, true }, { "create", do_create, true },
	{ "graph", do_graph, false }, { "exchange", do_exchange, false }
};

enum {
	CALLS = sizeof(calls) / sizeof(*calls)
};

/* ---- deaths ---- */

static struct weft_comm *make(const int *ranks, int count)
{
	struct weft_group *all = NULL, *group = NULL;
	struct weft_comm *made = NULL;

	ok(weft_comm_group(world, &all), "group");
	ok(weft_group_incl(all, count, ranks, &group), "incl");
	ok(weft_comm_create_group(world, group, 0, &made), "create_group");
	ok(weft_group_free(&group), "free a group");
	ok(weft_group_free(&all), "free a group");
	return made;
}

/* While all live. */
static void make_trio(struct trio *t, int k)
{
	int ranks[THREE], living = 0;

	t->victim = LIVING + k;
	t->at = k % THREE;
	for (int i = 0; i < THREE; i++)
		ranks[i] = i == t->at ? t->victim : living++;
	t->comm = make(ranks, THREE);
	t->own = weft_comm_rank(t->comm);
}

/* Where the first one has come to it, it tells who it is. */
static void live_and_die(struct trio *t, bool inside)
{
	int32_t pid = getpid();
	int rounds = ROUNDS + me % 3;

	ok(weft_recv(world, NULL, 0, &weft_type_byte, weft_from(0, 1), NULL),
	   "its turn");
	ok(weft_send(world, &pid, 1, &weft_type_int32, weft_to(KILLER, 1)),
	   "pid");
	for (t->index = 0;; t->index++) {
		if (!inside && t->index == rounds)
			kill(pid, SIGKILL);
		ok(calls[me - LIVING].run(t), calls[me - LIVING].name);
	}
}

static void kill_inside(int pid)
{
	while (!is_asleep(pid))
		;
	check(!kill(pid, SIGKILL), "kill", "no such process");
}

/* Until the call fails. */
static int repeat(struct trio *t, int pid, int k)
{
	int status = WEFT_OK;

	for (t->index = 0; !status; t->index++) {
		if (pid && t->index == ROUNDS)
			kill_inside(pid);
		status = calls[k].run(t);
	}
	return status;
}

/* A message in the one with a dead rank, and a sum in the other one. */
static void go_on(const struct trio *t, struct weft_comm *living)
{
	int64_t x = me, sum = me + 1;
	struct weft_incoming in = {
		&x, 1, &weft_type_int64, weft_from(THREE - t->at - t->own, 2)
	};

	ok(weft_sendrecv_replace(t->comm, &in, in.from, NULL), "sendrecv");
	expect(x, !me, "sendrecv");
	ok(weft_allreduce(living, WEFT_IN_PLACE,
			  weft_part(&sum, 1, &weft_type_int64),
			  &weft_op_sum), "of the living");
	expect(sum, 3, "of the living");
}

static unsigned long long refills(void)
{
	struct weft_contexts contexts = { .refills = 0 };

	ok(weft_context_query(job, &contexts), "query");
	return contexts.refills;
}

static void outlive(struct trio *t, int k, bool inside)
{
	unsigned long long before = refills();
	int32_t pid = 0;
	int status;
	char name[24];

	if (me == 0)
		ok(weft_send(world, NULL, 0, &weft_type_byte,
			     weft_to(t->victim, 1)), "turn");
	if (me == KILLER)
		ok(weft_recv(world, &pid, 1, &weft_type_int32,
			     weft_from(t->victim, 1), NULL), "pid");
	status = repeat(t, inside ? pid : 0, k);
	snprintf(name, sizeof(name), "rank %d on", t->victim);
	check(status == WEFT_ERR_PEER, calls[k].name,
	      weft_status_name(status));
	check(strstr(weft_error_text(job), name), calls[k].name, name);
	check((refills() > before) == calls[k].refills, calls[k].name,
	      "refills");
	if (t->made)
		ok(weft_comm_free(&t->made), "free");
}

static void outlive_all(struct trio *trios, bool inside)
{
	static const int ranks[LIVING] = { 0, 1 };
	struct weft_comm *living = make(ranks, LIVING), *made;

	for (int k = 0; k < CALLS; k++) {
		outlive(&trios[k], k, inside);
		go_on(&trios[k], living);
		ok(weft_comm_free(&trios[k].comm), "free");
	}
	made = make(ranks, LIVING);
	ok(weft_barrier(made), "barrier");
	ok(weft_comm_free(&made), "free");
	ok(weft_comm_free(&living), "free");
}

static void run(struct trio *trios, bool inside)
{
	for (int k = 0; k < CALLS; k++)
		if (me < LIVING || me == LIVING + k)
			make_trio(&trios[k], k);
	if (me < LIVING)
		outlive_all(trios, inside);
	else
		live_and_die(&trios[me - LIVING], inside);
}

int main(int argc, char **argv)
{
	struct trio trios[CALLS] = { { .comm = NULL } };
	int64_t *memory = calloc((1 + THREE) * MOST, sizeof(*memory));
	int status;

	if (argc != 2 ||
	    (strcmp(argv[1], "before") && strcmp(argv[1], "inside"))) {
		fprintf(stderr, "usage: deaths_rank before | inside\n");
		return 2;
	}
	status = weft_job_open(NULL, &job);
	if (status || !memory) {
		printf("# open: %s\n", weft_status_name(status));
		return 1;
	}
	world = weft_job_world(job);
	me = weft_job_rank(job);
	n = weft_job_size(job);
	for (int k = 0; k < CALLS; k++) {
		trios[k].in = memory;
		trios[k].out = memory + MOST;
	}
	if (n == LIVING + CALLS)
		run(trios, !strcmp(argv[1], "inside"));
	else
		printf("# expected %d ranks\n", LIVING + CALLS);
	status = weft_job_close(job);
	check(status == WEFT_ERR_PEER, "close", weft_status_name(status));
	free(memory);
	return failures != 0;
}
