/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Virtual time with a network, to the picosecond: what posts and arrivals cost
 * their ranks, when flights land, and whom a NIC keeps waiting.
 */
#include "tests/sim/node.h"
#include "tests/tap.h"
#include "transport/line.h"

enum {
	START_NS = 1000000,		/* all are connected by then */
	START_PS = 1000000000,
	LINES = 3,
	MOST = 40960,			/* bytes of a put */
	/* hdr200 */
	FIRST = 100000,
	POST = 70000,
	POLL = 30000,
	FLIGHT = 800000,
	HOP = 130000,
	GAP = 4700,
	LINE = 2726			/* 64 bytes */
};

/* What the ranks of a run have to do and find out; all after the start. */
struct times {
	int to[NODE_RANKS];		/* its receiver; its own rank: nobody */
	size_t bytes;			/* of a put; 0: lines */
	struct wf_rloc block[NODE_RANKS];
	uint32_t sig[NODE_RANKS];
	uint64_t posted[NODE_RANKS];	/* the sender goes on, */
	uint64_t come[NODE_RANKS][LINES];	/* the receiver has it */
};

static uint64_t since_start(struct wf_sim_rank *rank)
{
	return wf_sim_now_ps(rank) - START_PS;
}

static void wait_for_start(struct node *node)
{
	while (wf_sim_now(node->rank) < START_NS) {
		wf_sim_tp.progress(node->dev);
		wf_sim_idle(node->rank, START_NS);
	}
}

static void send(struct node *node, struct times *t, int to)
{
	static const char bytes[MOST];
	struct wf_rloc dst = t->block[to];

	if (t->bytes) {
		node_put(node, to, bytes, dst, t->bytes, t->sig[to]);
	} else {
		for (int i = 0; i < LINES; i++, dst.addr += WF_LINE_BYTES)
			node_line(node, to, dst, &i, sizeof(i), 7);
	}
	t->posted[wf_sim_rank(node->rank)] = since_start(node->rank);
}

static void receive(struct node *node, struct times *t)
{
	int me = wf_sim_rank(node->rank);
	const struct wf_line *line = wf_segment_at(&node->segment,
						   t->block[me].addr);
	const _Atomic uint64_t *word = wf_signal_word(&node->signals,
						      t->sig[me]);

	for (int i = 0; i < (t->bytes ? 1 : LINES); i++) {
		while (t->bytes ? !wf_signal_count(word, t->sig[me]) :
				  !wf_line_ready(&line[i], 7))
			node_wait(node);
		t->come[me][i] = since_start(node->rank);
	}
}

/* A node with a block of MOST bytes, at a time when nobody has begun. */
static bool open_node(struct node *node, struct wf_sim_rank *rank,
		      struct times *t)
{
	int me = wf_sim_rank(rank);
	uint64_t at;

	if (!node_open(node, rank))
		return false;
	if (!wf_segment_alloc(&node->segment, MOST, WF_LINE_BYTES, &at) &&
	    !wf_sim_tp.key(&node->dev->arena, at, &t->block[me]) &&
	    !wf_signal_alloc(&node->signals, 0, &t->sig[me]))
		return true;
	wf_sim_fail(rank, "no block");
	return false;
}

static void exchange(struct wf_sim_rank *rank, void *arg)
{
	struct times *t = arg;
	int me = wf_sim_rank(rank);
	struct node node;

	if (!open_node(&node, rank, t))
		return;
	wait_for_start(&node);
	if (t->to[me] != me)
		send(&node, t, t->to[me]);
	for (int i = 0; i < wf_sim_size(rank); i++)
		if (i != me && t->to[i] == me)
			receive(&node, t);
	node_close(&node);
}

static void idle_all(struct times *t, size_t bytes)
{
	*t = (struct times){ .bytes = bytes };
	for (int i = 0; i < NODE_RANKS; i++)
		t->to[i] = i;
}

static void options_init(struct wf_sim_options *options, int ranks)
{
	wf_sim_options_init(options, ranks, 1);
	options->ranks_per_node = 1;
	options->net = wf_sim_net_find("hdr200");
}

static void run(const struct wf_sim_options *options,
		void (*program)(struct wf_sim_rank *rank, void *arg),
		struct times *t)
{
	struct wf_sim_result result = { .violations = 1 };

	TAP_EQUAL(wf_sim_run(options, program, t, &result), WEFT_OK);
	if (!TAP_EQUAL(result.violations, 0))
		tap_diag("%s", result.text);
}

/* The receiver has looked at each before the next one lands. */
static void lines(void)
{
	struct wf_sim_options options;
	struct times t;

	options_init(&options, 2);
	idle_all(&t, 0);
	t.to[0] = 1;
	run(&options, exchange, &t);
	TAP_EQUAL(t.posted[0], FIRST + 2 * POST);
	for (int i = 0; i < LINES; i++)
		TAP_EQUAL(t.come[1][i],
			  FIRST + i * POST + FLIGHT + LINE + POLL);
}

/* What has landed together is looked at in turn, and all of it costs. */
static void arrivals_add_up(void)
{
	struct wf_sim_options options;
	struct times t;

	options_init(&options, 4);
	idle_all(&t, MOST);
	t.to[0] = t.to[1] = t.to[2] = 3;
	run(&options, exchange, &t);
	TAP_EQUAL(t.come[3][0], FIRST + FLIGHT + MOST * 426 / 10 + 3 * POLL);
}

/* Ranks of a node share its NIC, those of two nodes do not. */
static void nics(void)
{
	const int busy = GAP + MOST * 426 / 10;
	const int alone = FIRST + FLIGHT + MOST * 426 / 10 + POLL;

	for (int per_node = 1; per_node <= 2; per_node++) {
		struct wf_sim_options options;
		struct times t;

		options_init(&options, 4);
		options.ranks_per_node = per_node;
		idle_all(&t, MOST);
		t.to[0] = 2;
		t.to[1] = 3;
		run(&options, exchange, &t);
		TAP_EQUAL(t.come[2][0], alone);
		TAP_EQUAL(t.come[3][0], alone + (per_node - 1) * busy);
	}
}

/* Their messages take turns: a NIC does not wait for who posts later. */
static void turns(void)
{
	struct wf_sim_options options;
	struct times t;

	options_init(&options, 4);
	options.ranks_per_node = 2;
	idle_all(&t, 0);
	t.to[0] = 2;
	t.to[1] = 3;
	run(&options, exchange, &t);
	for (int i = 0; i < LINES; i++) {
		int alone = FIRST + i * POST + FLIGHT + LINE + POLL;

		TAP_EQUAL(t.come[2][i], alone);
		TAP_EQUAL(t.come[3][i], alone + GAP + LINE);
	}
}

/* Rank 0 copies inside the node while rank 1 has its NIC for itself. */
static void beside_the_nic(void)
{
	struct wf_sim_options options;
	struct times t;

	options_init(&options, 4);
	options.ranks_per_node = 2;
	idle_all(&t, MOST);
	t.to[0] = 1;
	t.to[1] = 2;
	run(&options, exchange, &t);
	TAP_EQUAL(t.come[2][0], FIRST + FLIGHT + MOST * 426 / 10 + POLL);
}

/* Inside a node the parameters are others. */
static void nodes(void)
{
	struct wf_sim_net slow = *wf_sim_net_find("shm");
	struct wf_sim_options options;
	struct times t;

	options_init(&options, 4);
	options.ranks_per_node = 2;
	idle_all(&t, MOST);
	t.to[0] = 1;
	t.to[2] = 3;
	run(&options, exchange, &t);
	TAP_EQUAL(t.come[1][0], 10000 + 60000 + MOST * 175 / 10 + 10000);
	TAP_EQUAL(t.come[3][0], t.come[1][0]);
	slow.flight_ps = 1000000;
	options.node_net = &slow;
	run(&options, exchange, &t);
	TAP_EQUAL(t.come[1][0], 10000 + 1000000 + MOST * 175 / 10 + 10000);
}

static void hops(void)
{
	static const struct {
		enum wf_sim_shape shape;
		int further;
	} shapes[] = {
		{ WF_SIM_FLAT, 0 }, { WF_SIM_FATTREE, 2 },
		{ WF_SIM_DRAGONFLY, 1 }
	};

	for (int i = 0; i < TAP_COUNT(shapes); i++) {
		struct wf_sim_options options;
		struct times t;

		options_init(&options, 22);
		options.shape = shapes[i].shape;
		idle_all(&t, 0);
		t.to[0] = 21;
		run(&options, exchange, &t);
		TAP_EQUAL(t.come[21][0], FIRST + FLIGHT + LINE + POLL +
					 shapes[i].further * HOP);
	}
}

/* Rank 0 gets what rank 1 has, which computes for long. */
static void get(struct wf_sim_rank *rank, void *arg)
{
	int me = wf_sim_rank(rank);
	struct times *t = arg;
	struct node node;
	char bytes[MOST];

	if (!open_node(&node, rank, t))
		return;
	wait_for_start(&node);
	if (me == 1) {
		wf_sim_reduced(rank, 1000000);
	} else {
		struct wf_ep *ep = node.ep[1];

		if (ep->ops->get(ep, wf_loc_any(bytes), t->block[1], MOST))
			wf_sim_fail(rank, "no get");
		while (!wf_ep_done(ep, ep->posted))
			node_wait(&node);
	}
	t->come[me][0] = since_start(rank);
	node_close(&node);
}

/* The NIC of the owner answers, not its CPU. */
static void gets(void)
{
	struct wf_sim_options options;
	struct times t;

	options_init(&options, 2);
	idle_all(&t, 0);
	run(&options, get, &t);
	TAP_EQUAL(t.come[0][0], FIRST + 2 * FLIGHT + MOST * 426 / 10);
	TAP_EQUAL(t.come[1][0], 60000000);
}

static void work(struct wf_sim_rank *rank, void *arg)
{
	uint64_t *spent = arg;

	wf_sim_copied(rank, 1000);
	spent[0] = wf_sim_now_ps(rank);
	wf_sim_reduced(rank, 1000);
	spent[1] = wf_sim_now_ps(rank);
}

static void work_costs_time(void)
{
	struct wf_sim_options options;
	struct wf_sim_result result;
	uint64_t spent[2];

	options_init(&options, 1);
	TAP_EQUAL(wf_sim_run(&options, work, spent, &result), WEFT_OK);
	TAP_EQUAL(spent[0], 20000);
	TAP_EQUAL(spent[1], 80000);
	TAP_EQUAL(result.time_ps, 80000);
}

static void timeless(void)
{
	struct wf_sim_net net = *wf_sim_net_find("shm");
	struct wf_sim_options options;
	struct wf_sim_result result;
	uint64_t spent[2];

	net.poll_ps = 0;
	options_init(&options, 1);
	options.net = &net;
	TAP_EQUAL(wf_sim_run(&options, work, spent, &result), WEFT_ERR_ARG);
	options_init(&options, 1);
	options.node_net = &net;
	TAP_EQUAL(wf_sim_run(&options, work, spent, &result), WEFT_ERR_ARG);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "lines, one after the other", lines },
		{ "arrivals add up", arrivals_add_up },
		{ "ranks share the NIC of their node", nics },
		{ "they take turns", turns },
		{ "copies inside a node leave its NIC alone", beside_the_nic },
		{ "inside a node", nodes },
		{ "each switch takes time", hops },
		{ "gets are answered by the NIC", gets },
		{ "copies and reductions take time", work_costs_time },
		{ "polls take time, or are refused", timeless },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
