/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The checker of the simulator has teeth: each broken rule ends a run with a
 * violation that says which one it was.
 */
#include "tests/sim/node.h"
#include "tests/tap.h"
#include "transport/line.h"

enum breach {
	NONE,
	SLOT_FREED,		/* while a put into it is under way */
	SLOT_REUSED,		/* and in use again when it lands */
	SIGNAL_FREED,
	SOURCE_FREED,
	TOO_LONG,
	WRONG_OWNER,
	LEFT_EARLY,		/* disconnects with posts under way */
	NOT_REGISTERED,
	NO_BLOCK,		/* gives away what it has not allocated */
	BREACHES
};

static const char *const expected[BREACHES] = {
	[SLOT_FREED] = "its block was given back",
	[SLOT_REUSED] = "its block was given back",
	[SIGNAL_FREED] = "which was given back",
	[SOURCE_FREED] = "has given back the source",
	[TOO_LONG] = "reaches beyond its block",
	[WRONG_OWNER] = "of another rank",
	[LEFT_EARLY] = "with 1 posts under way",
	[NOT_REGISTERED] = "not registered",
	[NO_BLOCK] = "gives away",
};

enum { BYTES = 256 };

struct shared {
	enum breach breach;
	struct wf_rloc block[2];
	uint32_t sig[2];
	int posted;
};

static void give_memory(struct node *node, struct shared *shared)
{
	int me = wf_sim_rank(node->rank);
	uint64_t offset;

	if (wf_segment_alloc(&node->segment, BYTES, 64, &offset) ||
	    wf_signal_alloc(&node->signals, 0, &shared->sig[me]) ||
	    wf_sim_tp.key(&node->dev->arena, offset, &shared->block[me]))
		wf_sim_fail(node->rank, "no memory");
}

/* The owner of the target breaks its part. */
static void owner(struct node *node, struct shared *shared)
{
	enum breach breach = shared->breach;
	uint64_t offset = shared->block[1].addr;
	struct wf_rloc none;

	while (!shared->posted)
		wf_sim_idle(node->rank, 0);
	if (breach == SLOT_FREED || breach == SLOT_REUSED)
		wf_segment_free(&node->segment, offset);
	if (breach == SLOT_REUSED &&
	    (wf_segment_alloc(&node->segment, BYTES, 64, &offset) ||
	     offset != shared->block[1].addr))
		wf_sim_fail(node->rank, "not the same block");
	if (breach == SIGNAL_FREED)
		wf_signal_free(&node->signals, shared->sig[1]);
	if (breach == NO_BLOCK)
		(void)wf_sim_tp.key(&node->dev->arena, 8 << 20, &none);
}

static void sender(struct node *node, struct shared *shared)
{
	enum breach breach = shared->breach;
	const char *source = wf_segment_at(&node->segment,
					   shared->block[0].addr);
	struct wf_rloc dst = shared->block[1];
	size_t n = BYTES;

	if (breach == TOO_LONG)
		dst.addr += 64;
	if (breach == WRONG_OWNER)
		dst = shared->block[0];
	if (breach == LEFT_EARLY)
		n = 0;
	node_put(node, 1, source, dst, n, shared->sig[1]);
	if (breach == SOURCE_FREED)
		wf_segment_free(&node->segment, shared->block[0].addr);
	if (breach == LEFT_EARLY)
		wf_sim_tp.disconnect(node->ep[1]);
	shared->posted = 1;
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct shared *shared = arg;
	struct node node;

	if (!node_open(&node, rank))
		return;
	give_memory(&node, shared);
	node_mail(&node, 1 - wf_sim_rank(rank), 1, 0);
	while (!node.mails)
		node_wait(&node);
	if (wf_sim_rank(rank) == 0)
		sender(&node, shared);
	else
		owner(&node, shared);
	if (shared->breach != LEFT_EARLY) {
		node_close(&node);
		return;
	}
	/* without the farewell, which could not work */
	for (int i = 0; i < 2; i++)
		if (!(wf_sim_rank(rank) == 0 && i == 1))
			wf_sim_tp.disconnect(node.ep[i]);
	wf_sim_tp.close(node.dev);
	wf_signals_fini(&node.signals);
	wf_segment_close(&node.segment);
}

static void each_breach(void)
{
	for (int breach = NONE; breach < BREACHES; breach++) {
		struct shared shared = { .breach = (enum breach)breach };
		struct wf_sim_options options;
		struct wf_sim_result result;

		wf_sim_options_init(&options, 2, 7);
		options.min_delay_ns = 2000;	/* the owner is quicker */
		options.local_any = breach != NOT_REGISTERED;
		if (wf_sim_run(&options, program, &shared, &result)) {
			TAP_CHECK(false);
			return;
		}
		if (breach == NONE) {
			TAP_EQUAL(result.violations, 0);
			continue;
		}
		TAP_CHECK(result.violations > 0);
		if (!TAP_CHECK(strstr(result.text, expected[breach])))
			tap_diag("breach %d: \"%s\"", breach, result.text);
	}
}

static void complain(struct wf_sim_rank *rank, void *arg)
{
	(void)arg;
	wf_sim_fail(rank, "number %d", 42);
}

static void failures(void)
{
	struct wf_sim_options options;
	struct wf_sim_result result;

	wf_sim_options_init(&options, 3, 1);
	TAP_EQUAL(wf_sim_run(&options, complain, NULL, &result), WEFT_OK);
	TAP_EQUAL(result.violations, 3);
	TAP_CHECK(strstr(result.text, "number 42"));
}

/* Breaks rules that need nothing of a peer. */
static void alone(struct wf_sim_rank *rank, void *arg)
{
	const struct wf_tp_peer nobody = { .rank = 7 };
	int *refused = arg;
	struct wf_ep *ep;
	struct node node;
	char address[64];
	size_t n = 0;

	if (wf_sim_rank(rank) || !node_open(&node, rank))
		return;
	*refused += wf_sim_tp.connect(node.dev, &nobody, &ep) == WEFT_ERR_ARG;
	*refused += wf_sim_tp.address(node.dev, address, 1, &n) ==
		    WEFT_ERR_UNSUPPORTED;
	node.dev->ops->tell(node.dev, 1);
	wf_sim_tp.close(node.dev);
	wf_signals_fini(&node.signals);
	wf_segment_close(&node.segment);
}

static void without_peers(void)
{
	struct wf_tp_env env = { .world = NULL };
	struct wf_sim_options options;
	struct wf_sim_result result;
	char why[200] = "";
	int refused = 0;

	TAP_EQUAL(wf_sim_tp.query(&env, why, sizeof(why)),
		  WEFT_ERR_UNSUPPORTED);
	TAP_CHECK(strstr(why, "not a simulated rank"));
	wf_sim_options_init(&options, 2, 1);
	TAP_EQUAL(wf_sim_run(&options, alone, &refused, &result), WEFT_OK);
	TAP_EQUAL(refused, 2);
	TAP_EQUAL(result.violations, 2);
	TAP_CHECK(strstr(result.text, "which is not"));
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "each broken rule is a violation", each_breach },
		{ "failures of the program count", failures },
		{ "what a rank can do wrong alone", without_peers },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
