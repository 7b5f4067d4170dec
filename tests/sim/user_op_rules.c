/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rules of operations of the program: the type, argument and pieces that a
 * function is given, what is refused inside of it, and how long it lives.
 */
#include "tests/sim/user_op.h"

enum { N = 100 };			/* elements */

/* ---- what a function is given ---- */

struct seen {
	const struct weft_type *type;
	size_t calls, shorter, most;
};

static void look(const void *in, void *inout, size_t n,
		 const struct weft_type *type, void *arg)
{
	struct seen *seen = arg;

	(void)in;
	(void)inout;
	seen->calls++;
	seen->shorter += n < seen->most;
	if (type != seen->type || n < 1 || n > seen->most)
		seen->most = 0;
}

static void look_program(struct wf_sim_rank *rank, void *arg)
{
	const bool *cut = arg;
	struct weft_type *type = NULL;
	struct seen seen = { .most = N };
	double in[N] = { 0 }, out[N];
	struct weft_op *op;
	struct player p;

	if (!enter(rank, &p))
		return;
	good(&p, weft_type_dup(p.job, &weft_type_double, &type), "dup");
	seen.type = type;
	op = make(&p, look, &seen, 0);
	good(&p, weft_allreduce(p.world, in, weft_part(out, N, type), op),
	     "allreduce");
	if (!seen.most || !seen.calls || (seen.shorter > 0) != *cut)
		wf_sim_fail(rank, "%zu calls, %zu of a part, %s", seen.calls,
			    seen.shorter, seen.most ? "" : "another type or n");
	drop(&p, op);
	good(&p, weft_type_free(&type), "weft_type_free");
	leave(&p);
}

static void type_and_pieces(void)
{
	bool cut = false;

	sim_flow_seeds(5, 1, env, look_program, &cut);
	set_check('2');
	cut = true;
	sim_flow_seeds(5, 1, env, look_program, &cut);
	set_check('1');
}

/* ---- communication inside ---- */

static struct player *inside;		/* of the function that runs */

static void refused(int status, const char *call)
{
	const char *text = weft_error_text(inside->job);

	if (status != WEFT_ERR_IN_OP || strncmp(text, call, strlen(call)) ||
	    text[strlen(call)] != ':')
		wf_sim_fail(inside->rank, "%s: %s, \"%s\"", call,
			    weft_status_name(status), text);
}

/* By the name of the call, too. */
#define REFUSED(call, ...) refused(call(__VA_ARGS__), #call)

static void messages(struct weft_comm *world, double *x)
{
	struct weft_request *req = NULL;
	bool found;

	REFUSED(weft_send, world, x, 1, &weft_type_double, weft_to(0, 0));
	REFUSED(weft_isend, world, x, 1, &weft_type_double, weft_to(0, 0),
		&req);
	REFUSED(weft_recv, world, x, 1, &weft_type_double, weft_from(0, 0),
		NULL);
	REFUSED(weft_irecv, world, x, 1, &weft_type_double, weft_from(0, 0),
		&req);
	REFUSED(weft_iprobe, world, weft_from(0, 0), &found, NULL);
	REFUSED(weft_send_init, world, x, 1, &weft_type_double, weft_to(0, 0),
		&req);
	REFUSED(weft_sendrecv, world,
		(&(struct weft_outgoing){ x, 1, &weft_type_double,
					  weft_to(0, 0) }),
		(&(struct weft_incoming){ x, 1, &weft_type_double,
					  weft_from(0, 0) }), NULL);
}

static void collectives(struct weft_comm *world, double *x)
{
	struct weft_part part = weft_part(x, 1, &weft_type_double);
	struct weft_comm *made = NULL;
	struct weft_request *req = NULL;

	REFUSED(weft_barrier, world);
	REFUSED(weft_allreduce, world, WEFT_IN_PLACE, part, &weft_op_sum);
	REFUSED(weft_scan, world, WEFT_IN_PLACE, part, &weft_op_sum);
	REFUSED(weft_exscan, world, WEFT_IN_PLACE, part, &weft_op_sum);
	REFUSED(weft_allgather, world, part, part);
	REFUSED(weft_bcast, world, part, 0);
	REFUSED(weft_ibcast, world, part, 0, &req);
	REFUSED(weft_comm_dup, world, &made);
	REFUSED(weft_comm_idup, world, &made, &req);
	REFUSED(weft_comm_split, world, 0, 0, &made);
}

static void others(struct weft_comm *world, struct weft_job *job)
{
	static const struct weft_edges none = { 0, NULL, NULL };
	struct weft_comm *graph = NULL, *held = world;
	struct weft_region *region = NULL;
	void *buffer = NULL;
	size_t bytes;
	char at[64];

	REFUSED(weft_graph_create_adjacent, world, &none, &none, NULL, false,
		&graph);
	REFUSED(weft_region_create, world, at, sizeof(at), &region);
	REFUSED(weft_region_expose, world, at, sizeof(at), &region);
	REFUSED(weft_comm_free, &held);
	REFUSED(weft_job_progress, job);
	REFUSED(weft_job_close, job);
	REFUSED(weft_buffer_detach, job, &buffer, &bytes);
}

/* What only asks works, and the job is locked once, also behind it. */
static void questions(struct weft_comm *world, struct weft_job *job)
{
	struct weft_group *group = NULL;
	struct weft_type *type = NULL;
	const int *ranks;
	int n;

	if (weft_comm_size(world) != inside->size ||
	    weft_type_size(&weft_type_double) != 8 ||
	    weft_comm_group(world, &group) || weft_group_free(&group) ||
	    weft_type_dup(job, &weft_type_double, &type) ||
	    weft_type_free(&type) || weft_job_failed(job, &ranks, &n))
		wf_sim_fail(inside->rank, "a question: %s",
			    weft_error_text(job));
}

static void talk(const void *in, void *inout, size_t n,
		 const struct weft_type *type, void *arg)
{
	struct player *p = arg;
	double x = 1;

	(void)in;
	(void)inout;
	(void)n;
	(void)type;
	inside = p;
	messages(p->world, &x);
	collectives(p->world, &x);
	others(p->world, p->job);
	questions(p->world, p->job);
	p->size = 0;			/* it was here */
}

static void talk_program(struct wf_sim_rank *rank, void *arg)
{
	double x = 1, y;
	struct weft_op *op;
	struct player p;

	(void)arg;
	if (!enter(rank, &p))
		return;
	op = make(&p, talk, &p, 0);
	good(&p, weft_reduce_local(p.job, &x, weft_part(&y, 1,
		&weft_type_double), op), "reduce_local");
	if (p.size)
		wf_sim_fail(rank, "the function was not called");
	/* and in the middle of progress */
	p.size = wf_sim_size(rank);
	good(&p, weft_allreduce(p.world, &x, weft_part(&y, 1,
		&weft_type_double), op), "allreduce");
	if (p.size)
		wf_sim_fail(rank, "the function was not called by progress");
	good(&p, weft_barrier(p.world), "barrier");
	drop(&p, op);
	leave(&p);
}

static void communication_inside(void)
{
	sim_flow_seeds(2, 1, env, talk_program, NULL);
}

/* ---- life ---- */

static void add(const void *in, void *inout, size_t n,
		const struct weft_type *type, void *arg)
{
	const int64_t *left = in;
	int64_t *right = inout;

	(void)type;
	for (size_t i = 0; i < n; i++)
		right[i] += left[i] + *(int64_t *)arg;
}

/* Each time another operation, and another type, at the same address maybe. */
static void life_program(struct wf_sim_rank *rank, void *arg)
{
	int64_t more[20];
	struct player p;

	(void)arg;
	if (!enter(rank, &p))
		return;
	for (int i = 0; i < 20; i++) {
		struct weft_type *type = NULL;
		int64_t v = 1, want = p.size + (p.size - 1) * i;
		struct weft_op *op = make(&p, add, &more[i], 0);

		more[i] = i;

		good(&p, weft_type_dup(p.job, &weft_type_int64, &type), "dup");
		good(&p, weft_allreduce(p.world, WEFT_IN_PLACE,
					weft_part(&v, 1, type), op),
		     "allreduce");
		if (v != want)
			wf_sim_fail(rank, "round %d: %d, not %d", i, (int)v,
				    (int)want);
		drop(&p, op);
		good(&p, weft_type_free(&type), "weft_type_free");
	}
	/* left to the job */
	make(&p, add, NULL, 0);
	leave(&p);
}

/* All that it was called with goes in the function. */
struct belongings {
	struct weft_op *op;
	struct weft_type *type;
};

static void clear(const void *in, void *inout, size_t n,
		  const struct weft_type *type, void *arg)
{
	struct belongings *b = arg;

	(void)in;
	(void)type;
	if (weft_op_free(&b->op) || weft_type_free(&b->type))
		b->op = (void *)b;
	memset(inout, 0, n * sizeof(double));
}

static void clear_program(struct wf_sim_rank *rank, void *arg)
{
	double x[3] = { 1, 2, 3 }, y[3] = { 4, 5, 6 };
	bool *locally = arg;
	struct belongings b = { NULL, NULL };
	struct weft_part part;
	struct player p;

	if (!enter(rank, &p))
		return;
	b.op = make(&p, clear, &b, 0);
	good(&p, weft_type_dup(p.job, &weft_type_double, &b.type), "dup");
	part = weft_part(y, 3, b.type);
	if (*locally)
		good(&p, weft_reduce_local(p.job, x, part, b.op), "local");
	else
		good(&p, weft_allreduce(p.world, x, part, b.op), "allreduce");
	if (b.op || b.type || y[2] != 0)
		wf_sim_fail(rank, "not freed inside, or not called");
	leave(&p);
}

static void freed_inside(void)
{
	bool locally = true;

	sim_flow_seeds(1, 1, env, clear_program, &locally);
	locally = false;
	sim_flow_seeds(2, 1, env, clear_program, &locally);
}

static void freed_while_kept(void)
{
	for (int ranks = 1; ranks <= 5; ranks++)
		sim_flow_seeds(ranks, 1, env, life_program, NULL);
}

static void refuses(const struct player *p, int status, const char *why)
{
	const char *text = weft_error_text(p->job);

	if (status != WEFT_ERR_ARG || !strstr(text, why))
		wf_sim_fail(p->rank, "not \"%s\" but %s: \"%s\"", why,
			    weft_status_name(status), text);
}

static void bad_options(const struct player *p)
{
	struct weft_op_options o;
	struct weft_op *op = NULL;
	struct {
		struct weft_op_options known;
		size_t unknown;
	} longer;

	weft_op_options_init(&o, sizeof(o));
	refuses(p, weft_op_create(p->job, &o, &op), "options->call is NULL");
	refuses(p, weft_op_create(p->job, NULL, &op), "options is NULL");
	o.call = add;
	refuses(p, weft_op_create(p->job, &o, NULL), "op_p is NULL");
	o.size = 7;
	refuses(p, weft_op_create(p->job, &o, &op), "options->size is 7");
	weft_op_options_init(&longer.known, sizeof(longer));
	longer.known.call = add;
	longer.unknown = 1;
	refuses(p, weft_op_create(p->job, &longer.known, &op),
		"does not know");
	longer.unknown = 0;
	good(p, weft_op_create(p->job, &longer.known, &op), "a longer one");
	drop(p, op);
	if (weft_op_create(NULL, &o, &op) != WEFT_ERR_ARG)
		wf_sim_fail(p->rank, "without a job");
}

static void bad_program(struct wf_sim_rank *rank, void *arg)
{
	struct weft_op *op, *gone, *constant = (void *)&weft_op_sum;
	int64_t x = 1, one = 0;
	struct weft_part part = weft_part(&x, 1, &weft_type_int64);
	struct player p;

	(void)arg;
	if (!enter(rank, &p))
		return;
	bad_options(&p);
	op = gone = make(&p, add, &one, 0);
	good(&p, weft_allreduce(p.world, WEFT_IN_PLACE, part, op), "allreduce");
	if (!strcmp(weft_op_name(op), "sum") || weft_op_commutes(op) ||
	    !weft_op_commutes(&weft_op_sum) || weft_op_userdata(op))
		wf_sim_fail(rank, "name, commutes or userdata");
	good(&p, weft_op_set_userdata(op, &x), "set_userdata");
	if (weft_op_userdata(op) != &x || weft_op_userdata(constant) ||
	    weft_op_set_userdata(constant, &x) != WEFT_ERR_ARG)
		wf_sim_fail(rank, "userdata");
	drop(&p, op);
	/* a plan has it still */
	refuses(&p, weft_allreduce(p.world, WEFT_IN_PLACE, part, gone),
		"op was given to weft_op_free()");
	refuses(&p, weft_op_free(&gone), "was given to weft_op_free()");
	if (weft_op_free(&constant) != WEFT_ERR_ARG ||
	    weft_op_free(NULL) != WEFT_ERR_ARG)
		wf_sim_fail(rank, "freed a constant");
	leave(&p);
}

static void bad_arguments(void)
{
	sim_flow_seeds(2, 1, env, bad_program, NULL);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "the caller's type, and pieces", type_and_pieces },
		{ "communication inside", communication_inside },
		{ "freed while a plan has it", freed_while_kept },
		{ "freed inside", freed_inside },
		{ "bad arguments", bad_arguments },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
