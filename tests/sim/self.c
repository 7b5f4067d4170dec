/* SPDX-License-Identifier: BSD-3-Clause */
/* The communicator of a rank alone, and names of communicators. */
#include <string.h>
#include "tests/fail_malloc.h"
#include "tests/sim/scene.h"
#include "tests/tap.h"

enum {
	ALLOCATIONS = 8
};

/* ---- alone ---- */

/* All that ranks do together one does by itself. */
static void use_alone(struct scene *s, struct weft_comm *comm)
{
	int me = wf_sim_rank(s->rank), zero = 0;
	struct weft_edges edge = { 1, &zero, NULL };
	struct weft_comm *graph = NULL;
	int64_t x = me, all = -1;

	ok(s, weft_allreduce(comm, WEFT_IN_PLACE,
			     weft_part(&x, 1, &weft_type_int64),
			     &weft_op_sum), "allreduce");
	ok(s, weft_allgather(comm, weft_part(&x, 1, &weft_type_int64),
			     weft_part(&all, 1, &weft_type_int64)), "gather");
	ok(s, weft_barrier(comm), "barrier");
	if (x != me || all != me || weft_comm_size(comm) != 1 ||
	    weft_comm_rank(comm) || wf_comm_world_rank(comm, 0) != me)
		wf_sim_fail(s->rank, "it is not alone");
	ok(s, weft_graph_create_adjacent(comm, &edge, &edge, NULL, false,
					 &graph), "graph");
	ok(s, weft_comm_free(&graph), "free");
}

static void alone(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *self, *dup, *world;
	uint64_t messages;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	world = weft_job_world(s.job);
	messages = wf_sim_own_messages(rank);
	self = weft_job_self(s.job);
	if (!self || self != weft_job_self(s.job) || weft_job_self(NULL))
		wf_sim_fail(rank, "another one each time");
	for (int i = 0; i < 3; i++) {
		use_alone(&s, self);
		ok(&s, weft_comm_dup(self, &dup), "dup");
		use_alone(&s, dup);
		ok(&s, weft_comm_free(&dup), "free");
	}
	if (wf_sim_own_messages(rank) != messages)
		wf_sim_fail(rank, "it is not silent");
	dup = self;
	if (weft_comm_free(&dup) != WEFT_ERR_ARG || !dup ||
	    !strstr(weft_error_text(s.job), "belong to their job"))
		wf_sim_fail(rank, "%s", weft_error_text(s.job));
	/* Those of the world stay the same at all ranks. */
	ok(&s, weft_comm_dup(world, &dup), "dup of the world");
	ok(&s, weft_barrier(dup), "barrier");
	ok(&s, weft_job_close(s.job), "close");
}

static void by_itself(void)
{
	for (int ranks = 1; ranks <= 5; ranks++)
		run(ranks, 1, alone);
}

struct noted {
	struct scene scene;
	char text[80];			/* what was deleted */
};

static int note(struct weft_comm *comm, struct weft_keyval *keyval,
		void *value, void *extra)
{
	struct noted *n = extra;

	(void)keyval;
	/* Nobody has begun to leave. */
	ok(&n->scene, weft_barrier(comm), "barrier");
	strcat(n->text, value);
	return WEFT_OK;
}

static void close_with(struct wf_sim_rank *rank, void *arg)
{
	struct weft_keyval *key[2];
	struct noted n = { .text = "" };
	struct scene *s = &n.scene;

	(void)arg;
	if (!start(s, rank))
		return;
	for (int i = 0; i < 2; i++)
		ok(s, weft_keyval_create(s->job, NULL, note, &n, &key[i]),
		   "key");
	ok(s, weft_comm_set_attr(weft_job_world(s->job), key[0], "world "),
	   "set");
	ok(s, weft_comm_set_attr(weft_job_self(s->job), key[0], "first "),
	   "set");
	ok(s, weft_comm_set_attr(weft_job_self(s->job), key[1], "second "),
	   "set");
	ok(s, weft_job_close(s->job), "close");
	if (strcmp(n.text, "second first world "))
		wf_sim_fail(rank, "deleted: %s", n.text);
}

static void attributes(void)
{
	run(3, 1, close_with);
}

/* ---- names ---- */

static void expect(struct scene *s, const struct weft_comm *comm,
		   const char *name)
{
	char text[200] = "", quoted[100] = "";

	wf_comm_tell(comm, text, sizeof(text));
	snprintf(quoted, sizeof(quoted), " \"%s\"", name);
	if (strcmp(weft_comm_name(comm), name))
		wf_sim_fail(s->rank, "it is \"%s\", and not \"%s\"",
			    weft_comm_name(comm), name);
	if (!strstr(text, *name ? quoted : "context"))
		wf_sim_fail(s->rank, "told as %s", text);
}

static void give_names(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *world, *dup;
	char name[] = "halo";
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	world = weft_job_world(s.job);
	expect(&s, world, "world");
	expect(&s, weft_job_self(s.job), "self");
	ok(&s, weft_comm_set_name(world, name), "name");
	name[0] = 'm';
	expect(&s, world, "halo");
	ok(&s, weft_comm_set_name(world, name), "name");
	expect(&s, world, "malo");
	ok(&s, weft_comm_dup(world, &dup), "dup");
	expect(&s, dup, "");
	ok(&s, weft_comm_set_name(dup, ""), "empty name");
	expect(&s, dup, "");
	if (weft_comm_set_name(NULL, name) != WEFT_ERR_ARG ||
	    weft_comm_set_name(dup, NULL) != WEFT_ERR_ARG ||
	    strcmp(weft_comm_name(NULL), ""))
		wf_sim_fail(rank, "NULL is taken");
	ok(&s, weft_job_close(s.job), "close");
}

static void names(void)
{
	run(1, 1, give_names);
}

/* ---- no memory ---- */

static void run_short(struct wf_sim_rank *rank, void *arg)
{
	int failed = 0;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	for (long n = 1; n <= ALLOCATIONS && !s.job->self; n++) {
		fail_malloc_once(n);
		failed += !weft_job_self(s.job);
		fail_malloc_at(0);
	}
	fail_malloc_once(1);
	if (failed < 2 || !s.job->self ||
	    weft_comm_set_name(s.job->self, "x") != WEFT_ERR_NOMEM)
		wf_sim_fail(rank, "only %d failed", failed);
	fail_malloc_at(0);
	expect(&s, s.job->self, "self");
	use_alone(&s, s.job->self);
	ok(&s, weft_job_close(s.job), "close");
}

static void no_memory(void)
{
	run(1, 1, run_short);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a rank alone", by_itself },
		{ "its attributes go first when the job closes", attributes },
		{ "names", names },
		{ "no memory", no_memory }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
