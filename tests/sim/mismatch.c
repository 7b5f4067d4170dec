/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sizes that differ between the two ends of an edge, and refused calls: each
 * end gets the right error, nothing is written beyond what the receiver takes,
 * and the next exchange is unaffected.  Classes are cut at 56 and 1024 bytes.
 */
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum {
	MOST = 6000,
	GUARD = 0x5a
};

/* One exchange from rank 0 to rank 1, and back 8 bytes. */
struct mismatch {
	size_t sent, taken;
	int receiver;		/* status there */
	bool sender_too;	/* it ends with the same */
	int refused;		/* rank whose call is bad; -1: none */
};

struct plan {
	const struct mismatch *m;
	bool one_way;
	int rounds;		/* each third one is bad */
	size_t before, after;	/* bytes of the good rounds around it */
	bool direct;		/* large ones need no copy */
	uint64_t late_ns;	/* the sender waits before each sixth round */
};

struct buffers {
	unsigned char send[MOST], recv[MOST];
	size_t sent, taken;
	ptrdiff_t zero;
	struct weft_vec out, in;
};

static void fill(struct buffers *b, int rank, int round, size_t sent,
		 size_t taken)
{
	memset(b->send, 16 * rank + round, sizeof(b->send));
	memset(b->recv, GUARD, sizeof(b->recv));
	b->sent = sent;
	b->taken = taken;
	b->zero = 0;
	b->out = (struct weft_vec){ .base = b->send,
		.type = &weft_type_byte, .counts = &b->sent,
		.displs = &b->zero };
	b->in = b->out;
	b->in.base = b->recv;
	b->in.counts = &b->taken;
}

/* Nothing beyond what was taken; where it succeeded, the bytes. */
static void check_bytes(struct wf_sim_rank *rank, const struct buffers *b,
			int from, int round, int status)
{
	for (size_t i = status ? b->taken : 0; i < MOST; i++) {
		int want = i < b->taken ? 16 * from + round : GUARD;

		if (b->recv[i] == want)
			continue;
		wf_sim_fail(rank, "round %d byte %zu is %d, not %d", round, i,
			    b->recv[i], want);
		return;
	}
}

/* Of an error of another's making. */
static void check_names(struct wf_sim_rank *rank, struct weft_comm *graph,
			int status)
{
	const char *text = weft_error_text(weft_comm_job(graph));
	unsigned long long number, id;
	int edge, from, to;

	if (status &&
	    sscanf(text, "weft_neighbor_alltoallv %llu of context %llu, edge "
		   "%d from rank %d to rank %d: ", &number, &id, &edge, &from,
		   &to) != 5)
		wf_sim_fail(rank, "neither call nor edge: %s", text);
}

static void exchange(struct wf_sim_rank *rank, struct weft_comm *graph,
		     const struct plan *p, int round, struct buffers *b)
{
	size_t usual = round % 3 ? p->after : p->before;
	const struct mismatch good = { usual, usual, 0, false, -1 };
	const struct mismatch *m = round % 3 == 1 ? p->m : &good;
	int me = weft_comm_rank(graph), want = WEFT_OK, status;

	fill(b, me, round, me ? 8 : m->sent, me ? m->taken : 8);
	if (m->refused == me)
		b->out.type = b->in.type = NULL;
	status = weft_neighbor_alltoallv(graph, &b->out, &b->in);
	if (m->refused >= 0)
		want = WEFT_ERR_ARG;
	else if (me == 1)
		want = m->receiver;
	else if (m->sender_too)
		want = m->receiver;
	if (status != want)
		wf_sim_fail(rank, "round %d: %s, not %s: %s", round,
			    weft_status_name(status), weft_status_name(want),
			    weft_error_text(weft_comm_job(graph)));
	check_names(rank, graph, m->refused == me ? WEFT_OK : status);
	if (m->refused < 0 && (me == 1 || !p->one_way))
		check_bytes(rank, b, 1 - me, round, me == 1 ? status : 0);
}

static void compute(struct wf_sim_rank *rank, uint64_t ns)
{
	uint64_t until = wf_sim_now(rank) + ns;

	while (wf_sim_now(rank) < until)
		wf_sim_idle(rank, until);
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	const struct plan *p = arg;
	int me = wf_sim_rank(rank), other = 1 - me;
	struct weft_edges in = { 1, &other, NULL }, out = in;
	struct buffers plain;
	void *b = &plain;
	struct weft_comm *graph;
	struct weft_job *job;

	if (wf_sim_job_open(rank, &job) ||
	    (p->direct && weft_mem_alloc(job, sizeof(plain), &b))) {
		wf_sim_fail(rank, "cannot open the job");
		return;
	}
	if (p->one_way && me == 0)
		in.n = 0;
	if (p->one_way && me == 1)
		out.n = 0;
	if (weft_graph_create_adjacent(weft_job_world(job), &in, &out, NULL,
				       false, &graph)) {
		wf_sim_fail(rank, "no graph: %s", weft_error_text(job));
		return;
	}
	for (int round = 0; round < p->rounds; round++) {
		if (me == 0 && round % 6 == 5)
			compute(rank, p->late_ns);
		exchange(rank, graph, p, round, b);
	}
	if (p->direct)
		weft_mem_free(job, b);
	if (weft_comm_free(&graph) || weft_job_close(job))
		wf_sim_fail(rank, "cannot close");
}

static void run(const struct mismatch *m, bool one_way)
{
	static char *env[] = { "WEFT_SLOT_MAX=1024", "WEFT_CHUNK=256",
			       "WEFT_ARENA_MAX=64m", NULL };
	struct plan plan = { m, one_way, 9, 200, 200, false, 0 };

	if (!sim_flow_seeds(2, 30, env, program, &plan))
		tap_diag("%zu sent, %zu taken", m->sent, m->taken);
}

static void run_both(size_t sent, size_t taken, int status, bool sender_too)
{
	struct mismatch m = { sent, taken, status, sender_too, -1 };

	run(&m, false);
	run(&m, true);
}

static void lines(void)
{
	run_both(8, 16, WEFT_ERR_SIZE, false);
	run_both(16, 8, WEFT_ERR_TRUNCATE, false);
	run_both(0, 8, WEFT_ERR_SIZE, false);
}

static void slots(void)
{
	run_both(100, 300, WEFT_ERR_SIZE, false);
	run_both(150, 100, WEFT_ERR_TRUNCATE, false);
}

static void line_and_slot(void)
{
	run_both(8, 100, WEFT_ERR_SIZE, false);
	run_both(100, 8, WEFT_ERR_TRUNCATE, false);
}

static void growth_on_one_side(void)
{
	run_both(1000, 100, WEFT_ERR_TRUNCATE, true);
	run_both(100, 1000, WEFT_ERR_SIZE, false);
}

static void large(void)
{
	run_both(3000, 2000, WEFT_ERR_TRUNCATE, true);
	run_both(2000, 3000, WEFT_ERR_SIZE, true);
	run_both(3000, 100, WEFT_ERR_TRUNCATE, true);
	run_both(100, 3000, WEFT_ERR_SIZE, false);
}

static void let_lines_be_late(struct wf_sim_options *options)
{
	options->max_delay_ns = 50000;
	options->slow_one_in = 16;
}

/*
 * The receiver hears that less comes before its ready line has landed, which
 * must not come over that of a later round.
 */
static void large_with_late_lines(void)
{
	static char *env[] = { "WEFT_SLOT_MAX=1024", "WEFT_CHUNK=256", NULL };
	struct mismatch m = { 200, 3000, WEFT_ERR_SIZE, false, -1 };
	struct plan plan = { &m, true, 90, 200, 3000, true, 200000 };

	sim_flow_seeds_set(2, 200, env, let_lines_be_late, program, &plan);
}

static void refused_at_the_sender(void)
{
	struct mismatch m = { 100, 100, WEFT_OK, false, 0 };

	run(&m, false);
	run(&m, true);
}

static void refused_at_the_receiver(void)
{
	struct mismatch m = { 3000, 3000, WEFT_OK, false, 1 };

	run(&m, false);
	run(&m, true);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "two lines", lines },
		{ "two slots", slots },
		{ "a line and a slot", line_and_slot },
		{ "growth on one side", growth_on_one_side },
		{ "large ones", large },
		{ "large ones whose ready lines are late",
		  large_with_late_lines },
		{ "a call refused at the sender", refused_at_the_sender },
		{ "a call refused at the receiver", refused_at_the_receiver }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
