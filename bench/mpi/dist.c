/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The exch of weft-bench dist by hand: pack, exchange, unpack.  The first one
 * is checked.
 */
#include "packets.h"

#include <stdio.h>
#include <string.h>

static struct packets packets;
static struct plan plan;
static double *items, *ritems, *out, *in;
static MPI_Datatype packet;

static void pack(void)
{
	size_t width = (size_t)packets.width;

	if (width == 1)
		for (int i = 0; i < packets.nitems; i++)
			out[plan.items2content[i]] = items[i];
	else
		for (int i = 0; i < packets.nitems; i++)
			memcpy(&out[(size_t)plan.items2content[i] * width],
			       &items[(size_t)i * width],
			       width * sizeof(*out));
}

static void unpack(void)
{
	size_t width = (size_t)packets.width;

	if (width == 1)
		for (int i = 0; i < packets.nitems; i++)
			ritems[i] = in[plan.ritems2content[i]];
	else
		for (int i = 0; i < packets.nitems; i++)
			memcpy(&ritems[(size_t)i * width],
			       &in[(size_t)plan.ritems2content[i] * width],
			       width * sizeof(*in));
}

static void one(void)
{
	pack();
	MPI_Neighbor_alltoallv(out, plan.counts, plan.displs, packet, in,
			       plan.counts, plan.displs, packet, plan.graph);
	unpack();
}

/* Each packet is its rank and root at first. */
static void check(void)
{
	int at = 0;

	for (int i = 0; i < packets.nitems * packets.width; i++)
		items[i] = packets.rank * 1e6 +
			   packets.items2roots[i / packets.width];
	one();
	for (int i = 0; i < packets.nitems; i++, at += packets.width) {
		int k = i / (packets.ranks - 1);
		int r = i % (packets.ranks - 1);

		if (ritems[at] == plan.peers[r] * 1e6 + k)
			continue;
		fprintf(stderr, "dist: rank %d: reverse item %d is wrong\n",
			packets.rank, i);
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
}

static void set_up(size_t bytes)
{
	size_t all;

	packets_draw(&packets, bytes);
	plan_make(&plan, &packets);
	all = (size_t)packets.nitems * (size_t)packets.width * sizeof(*items);
	items = loop_memory(all);
	ritems = loop_memory(all);
	out = loop_memory(all);
	in = loop_memory(all);
	MPI_Type_contiguous(packets.width, MPI_DOUBLE, &packet);
	MPI_Type_commit(&packet);
	check();
}

static void take_down(void)
{
	MPI_Type_free(&packet);
	loop_memory_free(items);
	loop_memory_free(ritems);
	loop_memory_free(out);
	loop_memory_free(in);
	plan_free(&plan);
	packets_free(&packets);
}

int main(int argc, char **argv)
{
	static const struct loop loop = { "dist", set_up, one, take_down, 1 };

	packets_init(&packets, &argc, &argv);
	return loop_main(argc, argv, &loop);
}
