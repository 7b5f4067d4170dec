/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Known runs: the trace hash of a seed is the same on every machine, in every
 * process, wherever its memory lies, and in every build. Optimised, debug and
 * sanitizer builds all run this test, so a hash of one of them that differs
 * shows a decision that hangs on an address, a clock or an undefined value.
 *
 * A change of what the library sends, or of what the simulator does, changes
 * the hashes: then, and only then, the new ones belong here.
 */
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum {
	RANKS = 9,
	MOST = 700,			/* bytes of a message */
	DYING = 4,
	CUT_NS = 10000,
	ALL_SWITCHES = (1 << 6) - 1
};

struct outcome {
	struct wf_sim_result result;
	int bereaved;			/* ranks whose allreduce has failed */
};

static size_t bytes(const struct sim_flow_shape *shape, int from, int to,
		    int k, int round)
{
	static const size_t any[] = { 8, 200, 0, MOST, 28, 29, 256, 257 };

	(void)shape;
	return any[(from + 2 * to + 3 * k + round) % 8];
}

static const struct sim_flow_shape ring = { sim_edges_ring, bytes, MOST, 0 };

static void meet(struct sim_flow *flow, int round)
{
	struct weft_comm *world = weft_job_world(flow->job);
	int64_t v[] = { flow->me, round };

	if (weft_allreduce(world, WEFT_IN_PLACE,
			   weft_part(v, 2, &weft_type_int64),
			   &weft_op_sum) || weft_barrier(world))
		wf_sim_fail(flow->rank, "round %d: %s", round,
			    weft_error_text(flow->job));
}

static void lives(struct wf_sim_rank *rank, void *arg)
{
	struct sim_parcel p;
	struct sim_flow flow;

	(void)arg;
	if (!sim_flow_join(&flow, &ring, rank) ||
	    !sim_parcel_init(&p, &flow, true))
		return;
	for (int round = 0; round < 12; round++) {
		sim_parcel_exchange(&p, round);
		meet(&flow, round);
	}
	sim_parcel_fini(&p);
	sim_flow_part(&flow);
}

/* Until something has failed: then no more is tried. */
static void reduce_often(struct weft_job *job, struct outcome *outcome)
{
	int64_t v = 1;

	for (int round = 0; round < 12; round++) {
		if (weft_allreduce(weft_job_world(job), WEFT_IN_PLACE,
				   weft_part(&v, 1, &weft_type_int64),
				   &weft_op_sum)) {
			outcome->bereaved++;
			return;
		}
	}
}

/* A peer dies or is out of reach; for the others what fails, fails. */
static void loses(struct wf_sim_rank *rank, void *arg)
{
	struct weft_job *job;
	int status;

	if (wf_sim_job_open(rank, &job))
		return;
	reduce_often(job, arg);
	status = weft_job_close(job);
	if (status && status != WEFT_ERR_PEER)
		wf_sim_fail(rank, "close: %s", weft_status_name(status));
}

/* Ops of one fail, and it dies without a word when it gives up. */
static void gives_up(struct wf_sim_rank *rank, void *arg)
{
	if (wf_sim_rank(rank) != DYING) {
		loses(rank, arg);
		return;
	}
	wf_sim_set_faults(rank, 16, 16);
	loses(rank, arg);
	wf_sim_die(rank);
}

/* Gives what the second run has brought, which is as the first. */
static struct outcome expect(const struct wf_sim_options *options,
			     void (*program)(struct wf_sim_rank *rank,
					     void *arg), uint64_t hash)
{
	struct outcome outcome = { .result.violations = 1 };
	struct wf_sim_result *result = &outcome.result;

	for (int i = 0; i < 2; i++) {
		outcome.bereaved = 0;
		TAP_EQUAL(wf_sim_run(options, program, &outcome, result),
			  WEFT_OK);
		if (!TAP_EQUAL(result->violations, 0))
			tap_diag("%s", result->text);
		if (!TAP_CHECK(result->trace == hash))
			tap_diag("trace hash %016llx, not %016llx",
				 (unsigned long long)result->trace,
				 (unsigned long long)hash);
	}
	return outcome;
}

static void random_delays(void)
{
	static const uint64_t hashes[] = {
		0xe35277d22ad4569f, 0x6ab6cf6aef9bf598,
		0x8660b6dfe62a1449, 0x1e207bed9e4f3aca
	};

	for (int i = 0; i < TAP_COUNT(hashes); i++) {
		struct wf_sim_options options;

		wf_sim_options_init(&options, RANKS, (uint64_t)i + 1);
		wf_sim_options_vary(&options);
		options.environ = sim_small_env;
		expect(&options, lives, hashes[i]);
	}
}

static void deaths(void)
{
	static const uint64_t hashes[] = {
		0x27b9f93d64e6a191, 0x5e95f9681131f754,
		0xd2e199b90ac37c90, 0x462cf2716f8d5be6
	};

	for (int i = 0; i < TAP_COUNT(hashes); i++) {
		struct wf_sim_options options;

		wf_sim_options_init(&options, RANKS, (uint64_t)i + 1);
		wf_sim_options_vary(&options);
		options.kill_rank = DYING;
		options.kill_event = 30 + 20 * (uint64_t)i;
		TAP_CHECK(expect(&options, loses, hashes[i]).bereaved > 0);
	}
}

static void networks(void)
{
	static const uint64_t hashes[] = {
		0x8d8ac18ff1f6ccae, 0x8663ad6e77b0b144,
		0xe1ce0b1f10c44ef2
	};
	static const char *const names[] = { "hdr200", "tcp10", "shm" };

	for (int i = 0; i < TAP_COUNT(hashes); i++) {
		struct wf_sim_options options;

		wf_sim_options_init(&options, RANKS, 1);
		options.net = wf_sim_net_find(names[i]);
		options.shape = (enum wf_sim_shape)i;
		options.ranks_per_node = 1 + i;
		options.environ = sim_small_env;
		expect(&options, lives, hashes[i]);
	}
}

/* Which of the switches of wf_sim_options_harden() a seed has set. */
static unsigned int switches(const struct wf_sim_options *o)
{
	return (o->slow_rank >= 0) | (o->tear_one_in > 0) << 1 |
	       (o->contact_ns > 0) << 2 | (o->ranks_per_node > 0) << 3 |
	       o->no_fence << 4 | (o->down.node[0] != o->down.node[1]) << 5;
}

/* A seed that has drawn of them, too. */
static void draw(struct wf_sim_options *options, uint64_t seed)
{
	wf_sim_options_init(options, RANKS, seed);
	wf_sim_options_vary(options);
	wf_sim_options_harden(options);
}

static void hardships(void)
{
	static const uint64_t hashes[] = {
		0x4204fb8ad141f876, 0x5fc8ad8d0f8c6d23,
		0x3fd4ee737e230193, 0xc02d799cd5cf1286
	};
	unsigned int seen = 0;

	for (int i = 0; i < TAP_COUNT(hashes); i++) {
		struct wf_sim_options options;

		draw(&options, (uint64_t)i + 1);
		options.environ = sim_small_env;
		seen |= switches(&options);
		expect(&options, lives, hashes[i]);
	}
	TAP_EQUAL(seen, ALL_SWITCHES);
}

static void few_are_told(void)
{
	static const uint64_t hashes[] = {
		0x9069879af28a5546, 0x163d5f712210f690,
		0x09cd70544c05313e, 0xc0677e89d3124b9c
	};

	for (int i = 0; i < TAP_COUNT(hashes); i++) {
		struct wf_sim_options options;

		draw(&options, (uint64_t)i + 1);
		options.told_ranks = 2;
		options.kill_rank = DYING;
		options.kill_event = 30 + 20 * (uint64_t)i;
		TAP_CHECK(expect(&options, loses, hashes[i]).bereaved > 0);
	}
}

static void failing_ops(void)
{
	static const uint64_t hashes[] = {
		0x6c874c44cd14f1ca, 0xceaa09589d26e079,
		0xeba5e91859584ded, 0x7af7829c81b1b4c5
	};

	for (int i = 0; i < TAP_COUNT(hashes); i++) {
		struct wf_sim_options options;
		struct outcome outcome;

		draw(&options, (uint64_t)i + 1);
		options.kill_rank = DYING;
		outcome = expect(&options, gives_up, hashes[i]);
		TAP_CHECK(outcome.result.faults > 0 && outcome.bereaved > 0);
	}
}

static void broken_links(void)
{
	static const uint64_t hashes[] = {
		0x81b50b992c2a1d30, 0x85c4c5c08b04ab8c,
		0xa551574fdac1beb8, 0x2c8be798d4d4eaec
	};

	for (int i = 0; i < TAP_COUNT(hashes); i++) {
		struct wf_sim_options options;

		draw(&options, (uint64_t)i + 1);
		/* of one rank each, two nodes may have nothing to say */
		options.ranks_per_node = 2 + i;
		TAP_CHECK(wf_sim_options_cut(&options, CUT_NS, UINT64_MAX));
		TAP_CHECK(expect(&options, loses, hashes[i]).bereaved > 0);
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "runs with random delays", random_delays },
		{ "runs in which a rank dies", deaths },
		{ "runs over networks", networks },
		{ "runs with hardships", hardships },
		{ "runs in which few are told of a death", few_are_told },
		{ "runs in which ops of a rank fail", failing_ops },
		{ "runs in which a link breaks", broken_links },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
