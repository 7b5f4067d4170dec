/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What communicators are told to do about errors: functions that are called
 * once for each failing call, with its sentence, on communicators, what is made
 * of them, requests and regions; and that may call the library and free what
 * they are called for.
 */
#include <string.h>
#include "tests/sim/scene.h"
#include "tests/tap.h"

enum {
	CHILDREN = 7
};

/* What a rank's function has seen. */
struct seen {
	struct scene scene;
	int calls, status;
	struct weft_comm *comm;
	char text[200];
	struct weft_comm **to_free;	/* NULL: none */
	bool fails;			/* it makes two errors more, once */
};

static void see(struct weft_comm *comm, int status, const char *text, void *arg)
{
	struct seen *seen = arg;

	seen->calls++;
	seen->status = status;
	seen->comm = comm;
	snprintf(seen->text, sizeof(seen->text), "%s", text);
	if (seen->fails) {
		seen->fails = false;
		if (weft_comm_set_name(comm, NULL) != WEFT_ERR_ARG ||
		    weft_comm_free(NULL) != WEFT_ERR_ARG ||
		    weft_barrier(comm) != WEFT_OK ||
		    weft_comm_dup(comm, NULL) != WEFT_ERR_ARG)
			wf_sim_fail(seen->scene.rank, "within the function");
	}
	if (seen->to_free)
		ok(&seen->scene, weft_comm_free(seen->to_free), "free");
	seen->to_free = NULL;
}

/* The last call has failed on it, and the function was called so often. */
static void expect(struct seen *seen, int have, int want,
		   const struct weft_comm *comm, int calls)
{
	struct wf_sim_rank *rank = seen->scene.rank;

	if (have != want || seen->calls != calls ||
	    (calls && (seen->status != want || seen->comm != comm)))
		wf_sim_fail(rank, "%s, %d calls", weft_status_name(have),
			    seen->calls);
	if (calls && strcmp(seen->text, weft_error_text(seen->scene.job)) != 0)
		wf_sim_fail(rank, "\"%s\"", seen->text);
	seen->calls = 0;
}

static void watch(struct seen *seen, struct weft_comm *comm)
{
	const struct weft_errhandler errors = {
		.kind = WEFT_ERRORS_CALL, .call = see, .arg = seen
	};

	ok(&seen->scene, weft_comm_set_errhandler(comm, &errors), "set");
}

static bool begin(struct seen *seen, struct wf_sim_rank *rank)
{
	*seen = (struct seen){ .calls = 0 };
	return start(&seen->scene, rank);
}

/* ---- set and get ---- */

static void set_and_get(struct wf_sim_rank *rank, void *arg)
{
	struct weft_errhandler errors = { .kind = WEFT_ERRORS_CALL };
	struct weft_comm *world;
	struct seen seen;

	(void)arg;
	if (!begin(&seen, rank))
		return;
	world = seen.scene.world;
	expect(&seen, weft_comm_set_errhandler(world, &errors), WEFT_ERR_ARG,
	       world, 0);
	errors.kind = (enum weft_errhandler_kind)9;
	expect(&seen, weft_comm_set_errhandler(world, &errors), WEFT_ERR_ARG,
	       world, 0);
	if (weft_comm_set_errhandler(NULL, NULL) != WEFT_ERR_ARG ||
	    weft_comm_get_errhandler(world, NULL) != WEFT_ERR_ARG)
		wf_sim_fail(rank, "NULL is taken");
	ok(&seen.scene, weft_comm_get_errhandler(world, &errors), "get");
	if (errors.kind != WEFT_ERRORS_RETURN || errors.call || errors.arg)
		wf_sim_fail(rank, "something at the beginning");
	watch(&seen, world);
	ok(&seen.scene, weft_comm_get_errhandler(world, &errors), "get");
	if (errors.kind != WEFT_ERRORS_CALL || errors.call != see ||
	    errors.arg != &seen)
		wf_sim_fail(rank, "something else");
	/* one that is refused changes nothing */
	errors.call = NULL;
	expect(&seen, weft_comm_set_errhandler(world, &errors), WEFT_ERR_ARG,
	       world, 1);
	expect(&seen, weft_comm_dup(world, NULL), WEFT_ERR_ARG, world, 1);
	ok(&seen.scene, weft_comm_set_errhandler(world, NULL), "unset");
	expect(&seen, weft_comm_dup(world, NULL), WEFT_ERR_ARG, world, 0);
	stop(&seen.scene);
}

static void settings(void)
{
	run(1, 1, set_and_get);
}

/* What failed on a private duplicate is told to the one that it was made of. */
static void pass_on(struct seen *seen)
{
	struct scene *s = &seen->scene;
	struct weft_comm *own, *none;

	ok(s, weft_comm_dup_private(s->world, &own), "private");
	expect(seen, weft_comm_create(own, NULL, &none), WEFT_ERR_ARG, own, 0);
	ok(s, weft_comm_call_errhandler(s->world, WEFT_ERR_ARG,
					weft_error_text(s->job)), "pass on");
	if (seen->calls != 1 || !strstr(seen->text, "group is NULL") ||
	    !strstr(weft_error_text(s->job), "group is NULL"))
		wf_sim_fail(s->rank, "\"%s\" was passed on", seen->text);
	seen->calls = 0;
	ok(s, weft_comm_free(&own), "free");
}

/* Those of a library, by any number but 0; nothing happens if none is told. */
static void raise_errors(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *world;
	struct seen seen;

	(void)arg;
	if (!begin(&seen, rank))
		return;
	world = seen.scene.world;
	expect(&seen, weft_comm_call_errhandler(world, 7, "mine"), WEFT_OK,
	       world, 0);
	if (strcmp(weft_error_text(seen.scene.job), "mine") != 0)
		wf_sim_fail(rank, "not the sentence of the program");
	watch(&seen, world);
	ok(&seen.scene, weft_comm_call_errhandler(world, 7, "mine"), "raise");
	if (seen.calls != 1 || seen.status != 7 || seen.comm != world ||
	    strcmp(seen.text, "mine") != 0)
		wf_sim_fail(rank, "called with something else");
	ok(&seen.scene, weft_comm_call_errhandler(world, WEFT_ERR_SIZE, NULL),
	   "raise");
	if (seen.calls != 2 || seen.status != WEFT_ERR_SIZE ||
	    strcmp(seen.text, weft_status_text(WEFT_ERR_SIZE)) != 0)
		wf_sim_fail(rank, "not the sentence of the status");
	seen.calls = 0;
	pass_on(&seen);
	expect(&seen, weft_comm_call_errhandler(world, WEFT_OK, "mine"),
	       WEFT_ERR_ARG, world, 1);
	if (weft_comm_call_errhandler(NULL, 7, "mine") != WEFT_ERR_ARG)
		wf_sim_fail(rank, "NULL is taken");
	stop(&seen.scene);
}

static void raised(void)
{
	run(1, 1, raise_errors);
}

/* ---- who is called ---- */

/* All that are made of one; 7 of them. */
static void make_children(struct seen *seen, struct weft_comm *of,
			  struct weft_comm **made)
{
	struct scene *s = &seen->scene;
	int me = weft_comm_rank(of), n = weft_comm_size(of);
	int next = (me + 1) % n, before = (me + n - 1) % n;
	struct weft_edges in = { 1, &before, NULL }, out = { 1, &next, NULL };
	struct weft_group *all = NULL;
	struct weft_request *req;

	ok(s, weft_comm_group(of, &all), "group");
	ok(s, weft_comm_dup(of, &made[0]), "dup");
	ok(s, weft_comm_idup(of, &made[1], &req), "idup");
	ok(s, weft_request_wait(req), "wait");
	ok(s, weft_request_free(&req), "free request");
	ok(s, weft_comm_create(of, all, &made[2]), "create");
	ok(s, weft_comm_create_group(of, all, 1, &made[3]), "create_group");
	ok(s, weft_comm_split(of, 0, 0, &made[4]), "split");
	ok(s, weft_graph_create_adjacent(of, &in, &out, NULL, false,
					 &made[5]), "graph");
	ok(s, weft_comm_dup(made[5], &made[6]), "dup");
	ok(s, weft_group_free(&all), "free group");
}

static void inherit(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *made[CHILDREN], *world, *none;
	struct seen seen;

	(void)arg;
	if (!begin(&seen, rank))
		return;
	world = seen.scene.world;
	watch(&seen, world);
	make_children(&seen, world, made);
	/* those that are there stay as they are */
	ok(&seen.scene, weft_comm_set_errhandler(world, NULL), "unset");
	for (int i = 0; i < CHILDREN; i++) {
		expect(&seen, weft_comm_dup(made[i], NULL), WEFT_ERR_ARG,
		       made[i], 1);
		expect(&seen, weft_comm_create(made[i], NULL, &none),
		       WEFT_ERR_ARG, made[i], 1);
		ok(&seen.scene, weft_comm_free(&made[i]), "free");
	}
	if (seen.calls)
		wf_sim_fail(rank, "%d calls without an error", seen.calls);
	stop(&seen.scene);
}

/* Calls of each room, which fail before they need others. */
static void each_room(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *made[CHILDREN], *world, *graph, *of;
	struct weft_region *region = NULL;
	struct weft_signal *signal = NULL;
	struct weft_request *req = NULL;
	size_t one = 1;
	ptrdiff_t zero = 0;
	char sent = 1, came;
	struct weft_vec send = { .base = &sent, .type = &weft_type_byte,
		.counts = &one, .displs = &zero }, recv = send;
	struct seen seen;
	bool done;

	(void)arg;
	if (!begin(&seen, rank))
		return;
	recv.base = &came;
	world = seen.scene.world;
	watch(&seen, world);
	make_children(&seen, world, made);
	graph = made[5];
	expect(&seen, weft_allreduce(world, NULL, weft_part(NULL, 1, NULL),
				     NULL),
	       WEFT_ERR_ARG, world, 1);
	expect(&seen, weft_allgather(world, weft_part(NULL, 1, NULL),
				     weft_part(NULL, 1, NULL)),
	       WEFT_ERR_ARG, world, 1);
	expect(&seen, weft_neighbor_alltoallv(world, &send, &recv),
	       WEFT_ERR_GRAPH, world, 1);
	expect(&seen, weft_comm_idup(world, NULL, &req), WEFT_ERR_ARG, world,
	       1);
	of = world;
	expect(&seen, weft_comm_free(&of), WEFT_ERR_ARG, world, 1);
	ok(&seen.scene, weft_neighbor_alltoallv_init(graph, &send, &recv,
						     &req), "init");
	expect(&seen, weft_request_test(req, NULL), WEFT_ERR_ARG, graph, 1);
	ok(&seen.scene, weft_request_start(req), "start");
	expect(&seen, weft_request_free(&req), WEFT_ERR_REQUEST, graph, 1);
	expect(&seen, weft_request_start(req), WEFT_ERR_REQUEST, graph, 1);
	do
		ok(&seen.scene, weft_request_test(req, &done), "test");
	while (!done);
	ok(&seen.scene, weft_request_free(&req), "free request");
	ok(&seen.scene, weft_region_create(made[0], NULL, 64, &region),
	   "region");
	expect(&seen, weft_signal_create(region, 99, 0, &signal),
	       WEFT_ERR_ARG, made[0], 1);
	expect(&seen, weft_flush(region, 99, WEFT_FLUSH_REMOTE), WEFT_ERR_ARG,
	       made[0], 1);
	ok(&seen.scene, weft_region_free(&region), "destroy");
	stop(&seen.scene);
}

static void children(void)
{
	for (int ranks = 1; ranks <= 4; ranks++)
		run(ranks, 1, inherit);
}

static void rooms(void)
{
	run(1, 1, each_room);
	run(3, 1, each_room);
}

/* ---- what they do ---- */

static void do_much(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *of, *kept;
	struct seen seen;

	(void)arg;
	if (!begin(&seen, rank))
		return;
	ok(&seen.scene, weft_comm_dup(seen.scene.world, &of), "dup");
	watch(&seen, of);
	/* it fails itself, and the call's own sentence is the last one */
	seen.fails = true;
	if (weft_allreduce(of, NULL, weft_part(NULL, 1, NULL),
			   NULL) != WEFT_ERR_ARG ||
	    !strstr(weft_error_text(seen.scene.job), "type is NULL") ||
	    seen.calls != 3)
		wf_sim_fail(rank, "%d calls", seen.calls);
	seen.calls = 0;
	/* the communicator goes with the call */
	kept = of;
	seen.to_free = &of;
	expect(&seen, weft_comm_dup(kept, NULL), WEFT_ERR_ARG, kept, 1);
	if (of)
		wf_sim_fail(rank, "it was not freed");
	stop(&seen.scene);
}

static void functions(void)
{
	run(2, 1, do_much);
}

/* A wait that a death ends. */
static void lose_one(struct wf_sim_rank *rank, void *arg)
{
	struct seen seen;
	int status;

	(void)arg;
	if (!begin(&seen, rank))
		return;
	watch(&seen, seen.scene.world);
	ok(&seen.scene, weft_barrier(seen.scene.world), "barrier");
	if (wf_sim_rank(rank) == 1)
		wf_sim_die(rank);
	expect(&seen, weft_barrier(seen.scene.world), WEFT_ERR_PEER,
	       seen.scene.world, 1);
	status = weft_job_close(seen.scene.job);
	if (status && status != WEFT_ERR_PEER)
		wf_sim_fail(rank, "close: %s", weft_status_name(status));
}

static void deaths(void)
{
	struct wf_sim_options options;

	wf_sim_options_init(&options, 3, 1);
	options.kill_rank = 1;
	sim_flow_run(&options, lose_one, NULL);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "set and get", settings },
		{ "errors of a library", raised },
		{ "what is made of one", children },
		{ "calls of each room", rooms },
		{ "what functions do", functions },
		{ "a rank dies", deaths }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
