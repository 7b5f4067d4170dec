/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Virtual time of an exchange between two nodes, hdr200, for each class of
 * channel: what its messages take on the wire, and every byte that is copied
 * out of slots by the CPU. To the picosecond, as nothing else happens.
 */
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum {
	WARM = 3,		/* connects, opens channels */
	CHUNK = 65536,
	CHUNKS = 16,
	HEAD = 8,		/* bytes in front of a slot */
	/* hdr200, ps */
	FIRST = 100000,
	POLL = 30000,
	GAP = 4700,
	WIRE = 800000,
	LINE = FIRST + WIRE + 2726 + POLL,
	COPY = 20		/* of a byte */
};

struct times {
	int (*edges)(int from, int to, int ranks);
	size_t bytes;
	bool arena;		/* peers can write the buffers */
	uint64_t start, end;	/* of the last rank */
};

static void later(uint64_t *time, uint64_t than)
{
	if (*time < than)
		*time = than;
}

/* ps in which so many bytes leave a NIC. */
static uint64_t leaving(uint64_t bytes)
{
	return bytes * 426 / 10;
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct times *t = arg;
	struct sim_flow_shape shape = { t->edges, NULL, t->bytes, 0 };
	struct sim_parcel p;
	struct sim_flow flow;

	if (!sim_flow_join(&flow, &shape, rank) ||
	    !sim_parcel_init(&p, &flow, t->arena))
		return;
	for (int round = 0; round <= WARM; round++) {
		if (round == WARM)
			later(&t->start, wf_sim_now_ps(rank));
		sim_parcel_exchange(&p, round);
	}
	later(&t->end, wf_sim_now_ps(rank));
	sim_parcel_fini(&p);
	sim_flow_part(&flow);
}

static uint64_t measure(struct times t)
{
	static char *const environ[] = {
		"WEFT_ARENA=1m", "WEFT_ARENA_MAX=64m", "WEFT_CHUNK=64k", NULL
	};
	struct wf_sim_options options;

	wf_sim_options_init(&options, 2, 1);
	options.ranks_per_node = 1;
	options.net = wf_sim_net_find("hdr200");
	options.environ = environ;
	TAP_CHECK(sim_flow_run(&options, program, &t));
	tap_diag("%zu bytes: %.3f us", t.bytes,
		 (double)(t.end - t.start) / 1e6);
	return t.end - t.start;
}

static void line(void)
{
	struct times t = { .edges = sim_edges_all, .bytes = 8 };

	TAP_EQUAL(measure(t), LINE);
}

/* Copied out while word comes back that the source is free again. */
static void slot(void)
{
	struct times t = { .edges = sim_edges_all };

	for (t.bytes = 1000; t.bytes <= 64000; t.bytes *= 4) {
		uint64_t out = POLL + t.bytes * COPY;

		TAP_EQUAL(measure(t), FIRST + WIRE + leaving(HEAD + t.bytes) +
				      (out > WIRE ? out : WIRE));
	}
}

static void direct(void)
{
	struct times t = {
		.edges = sim_edges_all, .bytes = CHUNKS * CHUNK, .arena = true
	};

	TAP_EQUAL(measure(t), LINE + FIRST + WIRE + leaving(t.bytes) + WIRE);
}

/*
 * All but the last are copied out while others are under way. Without edges
 * back, the end of every second exchange is a credit for two.
 */
static void chunks(void)
{
	struct times t = {
		.edges = sim_edges_chain, .bytes = CHUNKS * CHUNK
	};

	TAP_EQUAL(measure(t), LINE + FIRST + CHUNKS * leaving(CHUNK) +
			      (CHUNKS - 1) * GAP + WIRE + POLL +
			      CHUNK * COPY + FIRST);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a line", line },
		{ "a slot", slot },
		{ "1 MiB into memory that peers can write", direct },
		{ "1 MiB through chunk slots", chunks },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
