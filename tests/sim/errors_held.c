/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who has an error handler is counted: it is held for each communicator that
 * gets it, and dropped as often, whatever becomes of that and of the call that
 * makes it, also where memory runs out.
 */
#include "tests/sim/lacking.h"
#include "tests/tap.h"

enum {
	MOST_ALLOCATIONS = 400		/* of a call */
};

/* An object of the program; of one rank. */
struct object {
	struct scene scene;
	int users, most, calls;
	int within;			/* users while its function runs */
	struct weft_comm *unset;	/* by that; NULL: none */
};

static void hold(void *arg)
{
	struct object *o = arg;

	o->users++;
	o->most = o->users > o->most ? o->users : o->most;
}

static void drop(void *arg)
{
	struct object *o = arg;

	if (--o->users < 0)
		wf_sim_fail(o->scene.rank, "dropped more often than held");
}

static void see(struct weft_comm *comm, int status, const char *text, void *arg)
{
	struct object *o = arg;

	(void)comm;
	(void)status;
	(void)text;
	o->calls++;
	if (o->unset)
		ok(&o->scene, weft_comm_set_errhandler(o->unset, NULL),
		   "unset");
	o->within = o->users;
}

static struct weft_errhandler handler_of(struct object *o)
{
	return (struct weft_errhandler){
		.kind = WEFT_ERRORS_CALL, .call = see, .arg = o, .hold = hold,
		.drop = drop
	};
}

static void expect(const struct object *o, int users, const char *when)
{
	if (o->users != users)
		wf_sim_fail(o->scene.rank, "%d users %s, not %d", o->users,
			    when, users);
}

static void set(struct object *o, struct weft_comm *comm)
{
	const struct weft_errhandler handler = handler_of(o);

	ok(&o->scene, weft_comm_set_errhandler(comm, &handler), "set");
}

/* ---- set, replaced, refused, and closed with ---- */

static void set_often(struct wf_sim_rank *rank, void *arg)
{
	struct object a = { .users = 0 }, b = { .users = 0 };
	struct weft_errhandler handler;
	struct weft_comm *world;

	(void)arg;
	if (!start(&a.scene, rank))
		return;
	b.scene = a.scene;
	world = a.scene.world;
	set(&a, world);
	set(&a, world);
	expect(&a, 1, "set twice");
	set(&b, world);
	expect(&a, 0, "replaced");
	expect(&b, 1, "set");
	handler = handler_of(&a);
	handler.call = NULL;
	if (weft_comm_set_errhandler(world, &handler) != WEFT_ERR_ARG)
		wf_sim_fail(rank, "no function is taken");
	expect(&a, 0, "refused");
	expect(&b, 1, "not replaced");
	ok(&a.scene, weft_comm_get_errhandler(world, &handler), "get");
	if (handler.arg != &b || handler.hold != hold || handler.drop != drop)
		wf_sim_fail(rank, "another one is got");
	expect(&b, 1, "got");
	handler.kind = WEFT_ERRORS_RETURN;
	ok(&a.scene, weft_comm_set_errhandler(world, &handler), "set");
	ok(&a.scene, weft_comm_get_errhandler(world, &handler), "get");
	if (handler.kind != WEFT_ERRORS_RETURN || handler.arg != &b ||
	    handler.call != see)
		wf_sim_fail(rank, "not as it was set");
	expect(&b, 1, "set otherwise");
	handler.hold = handler.drop = NULL;
	ok(&a.scene, weft_comm_set_errhandler(world, &handler), "set");
	expect(&b, 0, "replaced by one that does not count");
	set(&b, world);
	stop(&a.scene);
	expect(&b, 0, "closed");
}

static void settings(void)
{
	run(2, 1, set_often);
}

/* ---- while its function runs ---- */

static void call_it(struct wf_sim_rank *rank, void *arg)
{
	struct object o = { .users = 0 };
	struct weft_comm *world, *none;

	(void)arg;
	if (!start(&o.scene, rank))
		return;
	world = o.scene.world;
	set(&o, world);
	o.unset = world;
	if (weft_comm_create(world, NULL, &none) != WEFT_ERR_ARG || !o.calls)
		wf_sim_fail(rank, "not called");
	if (o.within != 1)
		wf_sim_fail(rank, "%d users within the function", o.within);
	expect(&o, 0, "behind it");
	stop(&o.scene);
}

static void function(void)
{
	run(1, 1, call_it);
}

/* ---- what is made of one ---- */

static struct weft_comm *graph_of(const struct scene *s, struct weft_comm *of)
{
	int me = weft_comm_rank(of), n = weft_comm_size(of);
	int next = (me + 1) % n, before = (me + n - 1) % n;
	struct weft_edges in = { 1, &before, NULL }, out = { 1, &next, NULL };
	struct weft_comm *graph = NULL;

	ok(s, weft_graph_create_adjacent(of, &in, &out, NULL, false, &graph),
	   "graph");
	return graph;
}

static void make_children(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *world, *made[4], *own;
	struct weft_request *req = NULL;
	struct object o = { .users = 0 };
	char content;

	(void)arg;
	if (!start(&o.scene, rank))
		return;
	world = o.scene.world;
	set(&o, world);
	ok(&o.scene, weft_comm_dup(world, &made[0]), "dup");
	ok(&o.scene, weft_comm_idup(world, &made[1], &req), "idup");
	ok(&o.scene, weft_request_wait(req), "wait");
	ok(&o.scene, weft_request_free(&req), "free request");
	ok(&o.scene, weft_comm_split(world, 0, 0, &made[2]), "split");
	made[3] = graph_of(&o.scene, world);
	expect(&o, 5, "of five communicators");
	ok(&o.scene, weft_comm_dup_private(world, &own), "private");
	expect(&o, 5, "of five, and a private one");
	ok(&o.scene, weft_comm_free(&own), "free");
	if (weft_comm_dup(world, NULL) != WEFT_ERR_ARG)
		wf_sim_fail(rank, "a duplicate for nobody");
	expect(&o, 5, "behind one that was refused");
	/* a receive keeps the communicator */
	ok(&o.scene, weft_irecv(made[0], &content, 1, &weft_type_byte,
				weft_from(wf_sim_rank(rank), 0), &req),
	   "irecv");
	for (int i = 0; i < 4; i++)
		ok(&o.scene, weft_comm_free(&made[i]), "free");
	expect(&o, 2, "of the world, and one in use");
	ok(&o.scene, weft_request_cancel(req), "cancel");
	ok(&o.scene, weft_request_wait(req), "wait");
	ok(&o.scene, weft_request_free(&req), "free request");
	expect(&o, 1, "of the world");
	ok(&o.scene, weft_comm_set_errhandler(world, NULL), "unset");
	expect(&o, 0, "of none");
	stop(&o.scene);
}

static void children(void)
{
	run(1, 1, make_children);
	run(3, 1, make_children);
}

/* ---- without memory ---- */

/* Sets, duplicates and frees; was there an allocation of that number? */
static bool lack_once(struct object *o, long at)
{
	const struct weft_errhandler handler = handler_of(o);
	struct weft_comm *world = o->scene.world, *made[2] = { NULL };
	bool reached;
	int status;

	lacking_begin(at);
	status = weft_comm_set_errhandler(world, &handler);
	if (!status)
		status = weft_comm_dup(world, &made[0]);
	if (!status)
		status = weft_comm_dup_with_info(world, NULL, &made[1]);
	reached = lacking_end(at);
	if (!reached) {
		ok(&o->scene, status, "with memory");
		expect(o, 3, "with memory");
	}
	for (int i = 0; i < 2; i++)
		ok(&o->scene, weft_comm_free(&made[i]), "free");
	ok(&o->scene, weft_comm_set_errhandler(world, NULL), "unset");
	expect(o, 0, "behind a lack of memory");
	return reached;
}

static void lack(struct wf_sim_rank *rank, void *arg)
{
	struct object o = { .users = 0 };
	long at = 1;

	(void)arg;
	if (!start(&o.scene, rank))
		return;
	while (at < MOST_ALLOCATIONS && lack_once(&o, at))
		at++;
	if (at == 1 || at == MOST_ALLOCATIONS)
		wf_sim_fail(rank, "%ld allocations", at);
	stop(&o.scene);
}

static void memory(void)
{
	run(1, 1, lack);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "set and replaced", settings },
		{ "while its function runs", function },
		{ "what is made of one", children },
		{ "no memory", memory }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
