/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tree of rooted operations: every link has its other end, the ranks behind
 * the links of a rank are all others, and from any rank to any root the links
 * lead, up and then down, by no more of them than the stages allow.  Of few
 * ranks each has a link to each.
 */
#include "tests/tap.h"

#include "coll/peers.h"

enum {
	SIZES = 1024,
	LINKS = 200
};

struct node {
	int n;
	struct wf_tree_link link[LINKS];
};

static struct node nodes[SIZES];

static bool has_link(int from, int to)
{
	for (int i = 0; i < nodes[from].n; i++)
		if (nodes[from].link[i].rank == to)
			return true;
	return false;
}

/* The blocks below a rank follow it, without a gap, the nearest last. */
static int end_of(int rank)
{
	const struct node *node = &nodes[rank];
	int end = rank + 1;

	for (int i = node->n; i-- > (rank > 0);)
		for (int k = 0; k < node->n; k++)
			if (node->link[k].low == end)
				end = node->link[k].end;
	return end;
}

static void check_links(const struct wf_ragged_cuts *cuts)
{
	int size = cuts->size, links = 0;

	for (int r = 0; r < size; r++) {
		links += nodes[r].n;
		TAP_CHECK(nodes[r].n < wf_tree_most(cuts));
		for (int i = 0; i < nodes[r].n; i++) {
			const struct wf_tree_link *l = &nodes[r].link[i];

			TAP_CHECK(has_link(l->rank, r));
			TAP_CHECK((r > 0 && !i) == (l->rank < r));
			TAP_CHECK(!i || (l->low == l->rank &&
					 end_of(l->rank) == l->end));
		}
	}
	TAP_EQUAL(links, 2 * (size - 1));
	TAP_EQUAL(end_of(0), size);
}

/* Hops from a rank to a root; more than there can be if it goes astray. */
static int hops(int size, int rank, int root)
{
	int n = 0;

	while (rank != root && n <= size) {
		const struct node *node = &nodes[rank];
		int i = wf_tree_toward(node->link, node->n, rank, root);

		if (i < 0)
			return size + 1;
		rank = node->link[i].rank;
		n++;
	}
	TAP_EQUAL(wf_tree_toward(nodes[rank].link, nodes[rank].n, rank, rank),
		  -1);
	return n;
}

static void check_tree(const struct wf_ragged_cuts *cuts)
{
	int size = cuts->size, stages = cuts->stages;

	check_links(cuts);
	for (int r = 0; r < size; r++) {
		TAP_CHECK(hops(size, r, 0) <= stages);
		TAP_CHECK(hops(size, r, (r * 31 + 7) % size) <= 2 * stages);
	}
}

static void check_mesh(const struct wf_ragged_cuts *cuts)
{
	int size = cuts->size;

	for (int r = 0; r < size; r++) {
		TAP_EQUAL(nodes[r].n, size - 1);
		TAP_CHECK(nodes[r].n < wf_tree_most(cuts));
		for (int root = 0; root < size; root++)
			TAP_EQUAL(hops(size, r, root), r != root);
		for (int i = 0; i < nodes[r].n; i++)
			TAP_EQUAL(nodes[r].link[i].rank, (r + 1 + i) % size);
	}
}

static void check(int size, int radix)
{
	struct wf_ragged_cuts cuts = wf_ragged_cut(size, radix);

	for (int r = 0; r < size; r++)
		nodes[r].n = wf_tree_links(&cuts, r, nodes[r].link);
	if (size <= radix)
		check_mesh(&cuts);
	else
		check_tree(&cuts);
}

static void all_sizes(void)
{
	static const int radix[] = { 2, 4, 8, 16 };
	int most = (int)tap_figure("MOST_RANKS", SIZES);

	for (size_t i = 0; i < TAP_COUNT(radix); i++)
		for (int size = 1; size <= most && size <= SIZES;
		     size += size < 128 ? 1 : 37)
			check(size, radix[i]);
}

/* 11 ranks of radix 4 are (0 1 2) (3 4 5) (6 7 8) (9 10). */
static void eleven_by_hand(void)
{
	struct wf_ragged_cuts cuts = wf_ragged_cut(11, 4);
	struct wf_tree_link link[LINKS];

	TAP_EQUAL(wf_tree_links(&cuts, 0, link), 5);
	TAP_EQUAL(link[0].rank, 3);
	TAP_EQUAL(link[0].end, 6);
	TAP_EQUAL(link[2].rank, 9);
	TAP_EQUAL(link[4].rank, 2);
	TAP_EQUAL(wf_tree_toward(link, 5, 0, 10), 2);
	TAP_EQUAL(wf_tree_links(&cuts, 6, link), 3);
	TAP_EQUAL(link[0].rank, 0);
	TAP_EQUAL(link[1].rank, 7);
	TAP_EQUAL(wf_tree_toward(link, 3, 6, 4), 0);
	TAP_EQUAL(wf_tree_toward(link, 3, 6, 8), 2);
	TAP_EQUAL(wf_tree_links(&cuts, 10, link), 1);
	TAP_EQUAL(link[0].rank, 9);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "11 ranks, radix 4, by hand", eleven_by_hand },
		{ "1 to 1024 ranks", all_sizes },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
