/* SPDX-License-Identifier: BSD-3-Clause */
/* Which network of RDMA ports suits a job: all nodes choose alike. */
#include <string.h>
#include "base/random.h"
#include "tests/tap.h"
#include "transport/verbs/verbs_gid.h"
#include "transport/verbs/verbs_network.h"

enum {
	JOBS = 2000, NODES = 9, PORTS = 6
};

static uint32_t below(struct wf_random *random, uint32_t n)
{
	return (uint32_t)wf_random_below(random, n);
}

/* Few of each kind, so that nodes have some in common. */
static struct wf_verbs_network drawn(struct wf_random *random)
{
	struct wf_verbs_network network = {
		.speed = 25000u << below(random, 3),
		.limited = !below(random, 4),
		.flags = below(random, 2) ? WF_NETWORK_ATOMICS : 0
	};

	if (below(random, 2)) {
		network.flags |= WF_NETWORK_ETHERNET;
		network.partition = 0x7fff;
		network.kind = (uint8_t)below(random, WF_GID_KINDS);
	} else {
		network.subnet[7] = (uint8_t)below(random, 2);
		network.partition = (uint16_t)(0x7fff - below(random, 3));
	}
	return network;
}

/* The best one of this node, by what all have. */
static struct wf_verbs_tally choice(const struct wf_verbs_networks *node,
				    int which)
{
	struct wf_verbs_tally best, t;

	for (int i = 0; i < node[which].n; i++) {
		wf_verbs_tally_init(&t, &node[which].at[i]);
		for (int k = 0; k < NODES; k++)
			wf_verbs_tally(&t, &node[k]);
		if (!i || wf_verbs_serves_better(&t, &best))
			best = t;
	}
	return best;
}

static bool has(const struct wf_verbs_networks *node,
		const struct wf_verbs_network *network)
{
	for (int i = 0; i < node->n; i++)
		if (wf_verbs_network_is(&node->at[i], network))
			return true;
	return false;
}

static uint64_t pairs(const struct wf_verbs_tally *t)
{
	return t->full * (t->full - !!t->full) / 2 + t->full * t->limited;
}

/* One that two nodes have is chosen by both, or each has a better one. */
static void check_job(const struct wf_verbs_networks *node)
{
	struct wf_verbs_tally mine[NODES];

	for (int i = 0; i < NODES; i++)
		mine[i] = choice(node, i);
	for (int i = 0; i < NODES; i++)
		for (int k = 0; k < NODES; k++) {
			if (!has(&node[k], &mine[i].network) ||
			    wf_verbs_network_is(&mine[k].network,
						&mine[i].network))
				continue;
			TAP_CHECK(wf_verbs_serves_better(&mine[k], &mine[i]));
			TAP_CHECK(pairs(&mine[k]) >= pairs(&mine[i]));
		}
}

static void nodes_choose_alike(void)
{
	struct wf_random random;
	struct wf_verbs_networks node[NODES];

	wf_random_init(&random, 33);
	for (int job = 0; job < JOBS; job++) {
		memset(node, 0, sizeof(node));
		for (int i = 0; i < NODES; i++)
			for (uint32_t k = below(&random, PORTS) + 1; k; k--) {
				struct wf_verbs_network n = drawn(&random);

				wf_verbs_networks_add(&node[i], &n);
			}
		check_job(node);
	}
}

/* One that is everywhere is chosen everywhere, in whatever order. */
static void what_all_have_is_chosen(void)
{
	struct wf_random random;
	struct wf_verbs_networks node[NODES];
	struct wf_verbs_network common, n;

	wf_random_init(&random, 34);
	for (int job = 0; job < JOBS; job++) {
		memset(node, 0, sizeof(node));
		common = drawn(&random);
		common.limited = 0;
		for (int i = 0; i < NODES; i++) {
			n = drawn(&random);
			if (!wf_verbs_network_is(&n, &common))
				wf_verbs_networks_add(&node[i], &n);
			wf_verbs_networks_add(&node[i], &common);
		}
		for (int i = 0; i < NODES; i++)
			TAP_EQUAL(choice(node, i).full, NODES);
	}
}

/* Speed, InfiniBand, atomics, the default partition, numbers. */
static void order_of_networks(void)
{
	static const struct wf_verbs_network best_first[] = {
		{ .partition = 9, .speed = 200 },
		{ .partition = 0x7fff, .flags = WF_NETWORK_ATOMICS,
		  .speed = 100 },
		{ .partition = 2, .flags = WF_NETWORK_ATOMICS, .speed = 100 },
		{ .partition = 3, .flags = WF_NETWORK_ATOMICS, .speed = 100 },
		{ .partition = 0x7fff, .speed = 100 },
		{ .partition = 1, .speed = 100 },
		{ .partition = 0x7fff, .speed = 100, .kind = WF_GID_IPV4,
		  .flags = WF_NETWORK_ETHERNET | WF_NETWORK_ATOMICS },
		{ .partition = 0x7fff, .speed = 100, .kind = WF_GID_LINK_LOCAL,
		  .flags = WF_NETWORK_ETHERNET | WF_NETWORK_ATOMICS }
	};
	int n = (int)(sizeof(best_first) / sizeof(best_first[0]));

	for (int i = 0; i < n; i++)
		for (int k = 0; k < n; k++) {
			struct wf_verbs_tally a = {
				.network = best_first[i], .full = 3
			}, b = { .network = best_first[k], .full = 3 };

			if (!TAP_EQUAL(wf_verbs_serves_better(&a, &b), i < k))
				tap_diag("%d and %d", i, k);
			/* all that comes behind more nodes */
			a.limited = 1;
			TAP_CHECK(wf_verbs_serves_better(&a, &b));
			TAP_CHECK(!wf_verbs_serves_better(&b, &a));
			/* that hear each other */
			a.full = 0;
			a.limited = 100;
			TAP_CHECK(!wf_verbs_serves_better(&a, &b));
			TAP_CHECK(wf_verbs_serves_better(&b, &a));
		}
}

/* Of two ports in one network a node tells of the full member, as it is. */
static void one_of_two_ports(void)
{
	struct wf_verbs_networks node = { .n = 0 };
	struct wf_verbs_network n = { .partition = 1, .speed = 100,
				      .limited = 1 };

	wf_verbs_networks_add(&node, &n);
	n.limited = 0;
	n.speed = 50;
	wf_verbs_networks_add(&node, &n);
	TAP_EQUAL(node.n, 1);
	TAP_EQUAL(node.at[0].speed, 50);
	TAP_EQUAL(node.at[0].limited, 0);
	n.speed = 60;
	wf_verbs_networks_add(&node, &n);
	TAP_EQUAL(node.at[0].speed, 60);
	n.limited = 1;
	n.speed = 200;
	wf_verbs_networks_add(&node, &n);
	TAP_EQUAL(node.at[0].speed, 60);
	n.limited = 0;
	for (uint16_t i = 2; i < 40; i++) {
		n.partition = i;
		wf_verbs_networks_add(&node, &n);
	}
	TAP_EQUAL(node.n, WF_VERBS_NETWORKS);
	TAP_EQUAL(node.at[WF_VERBS_NETWORKS - 1].partition, WF_VERBS_NETWORKS);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "nodes choose alike", nodes_choose_alike },
		{ "what all have is chosen", what_all_have_is_chosen },
		{ "order of networks", order_of_networks },
		{ "one of two ports", one_of_two_ports },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
