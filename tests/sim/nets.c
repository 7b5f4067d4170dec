/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of networks, as documented in microseconds and nanoseconds per
 * byte, and the ways through their shapes.
 */
#include <math.h>
#include <string.h>

#include "tests/tap.h"
#include "transport/sim/sim_net.h"

enum { US = 1000000 };

struct row {
	const char *name;
	double first, post, poll, flight, hop, gap;	/* us */
	double byte;					/* ns per byte */
};

/* The documented table. */
static const struct row table[] = {
	{ "hdr200", 0.10, 0.07, 0.03, 0.80, 0.13, 0.0047, 0.0426 },
	{ "ndr400", 0.10, 0.07, 0.03, 0.75, 0.13, 0.0030, 0.0205 },
	{ "roce100", 0.10, 0.07, 0.03, 1.00, 0.30, 0.0067, 0.0828 },
	{ "tcp10", 1.50, 1.00, 0.50, 12.0, 1.00, 1.0000, 0.8500 },
	{ "shm", 0.01, 0.01, 0.01, 0.06, 0, 0.0100, 0.0175 },
};

static uint64_t ps(double us)
{
	return (uint64_t)llround(us * US);
}

static void presets(void)
{
	int n = 0;

	while (wf_sim_nets[n].name)
		n++;
	TAP_EQUAL(n, TAP_COUNT(table));
	for (int i = 0; i < TAP_COUNT(table); i++) {
		const struct row *row = &table[i];
		const struct wf_sim_net *net = wf_sim_net_find(row->name);

		if (!TAP_CHECK(net != NULL))
			continue;
		TAP_CHECK(net == &wf_sim_nets[i]);
		TAP_EQUAL(net->first_ps, ps(row->first));
		TAP_EQUAL(net->post_ps, ps(row->post));
		TAP_EQUAL(net->poll_ps, ps(row->poll));
		TAP_EQUAL(net->flight_ps, ps(row->flight));
		TAP_EQUAL(net->hop_ps, ps(row->hop));
		TAP_EQUAL(net->gap_ps, ps(row->gap));
		TAP_EQUAL(net->byte_fs, ps(row->byte));
		TAP_EQUAL(net->copy_fs, 20000);
		TAP_EQUAL(net->reduce_fs, 60000);
	}
	TAP_CHECK(wf_sim_net_find("edr100") == NULL);
}

static void messages(void)
{
	const struct wf_sim_net *hdr = wf_sim_net_find("hdr200");

	TAP_EQUAL(wf_sim_net_flight(hdr, 1, 0), 800000);
	TAP_EQUAL(wf_sim_net_flight(hdr, 3, 0), 1060000);
	TAP_EQUAL(wf_sim_net_flight(hdr, 1, 1000), 842600);
	TAP_EQUAL(wf_sim_net_busy(hdr, 0), 4700);
	TAP_EQUAL(wf_sim_net_busy(hdr, 1000), 47300);
	/* No overflow: 1 TiB is 46.8 seconds. */
	TAP_EQUAL(wf_sim_net_busy(hdr, UINT64_C(1) << 40), 46839195347957);
}

static void shapes(void)
{
	enum wf_sim_shape flat, tree, fly;

	TAP_CHECK(wf_sim_shape_find("flat", &flat) && flat == WF_SIM_FLAT);
	TAP_CHECK(wf_sim_shape_find("fattree", &tree) &&
		  tree == WF_SIM_FATTREE);
	TAP_CHECK(wf_sim_shape_find("dragonfly", &fly) &&
		  fly == WF_SIM_DRAGONFLY);
	TAP_CHECK(!wf_sim_shape_find("torus", &fly));
	TAP_EQUAL(wf_sim_switches(flat, 0, 4095), 1);
	TAP_EQUAL(wf_sim_switches(tree, 0, 19), 1);
	TAP_EQUAL(wf_sim_switches(tree, 19, 20), 3);
	TAP_EQUAL(wf_sim_switches(tree, 20, 39), 1);
}

/*
 * Groups of 512 nodes: the switch j of a group has the links to the groups
 * that are j modulo 32.
 */
static void dragonflies(void)
{
	const enum wf_sim_shape fly = WF_SIM_DRAGONFLY;

	TAP_EQUAL(wf_sim_switches(fly, 0, 15), 1);
	TAP_EQUAL(wf_sim_switches(fly, 0, 16), 2);
	TAP_EQUAL(wf_sim_switches(fly, 0, 511), 2);
	TAP_EQUAL(wf_sim_switches(fly, 16, 512), 2);
	TAP_EQUAL(wf_sim_switches(fly, 0, 512), 3);
	TAP_EQUAL(wf_sim_switches(fly, 16, 528), 3);
	TAP_EQUAL(wf_sim_switches(fly, 0, 528), 4);
	for (int a = 0; a < 4096; a += 13)
		for (int b = 0; b < 4096; b += 11)
			if (!TAP_EQUAL(wf_sim_switches(fly, a, b),
				       wf_sim_switches(fly, b, a)))
				tap_diag("between %d and %d", a, b);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "the table of networks", presets },
		{ "flights and the time of a NIC", messages },
		{ "shapes", shapes },
		{ "ways through a dragonfly", dragonflies },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
