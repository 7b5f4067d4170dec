/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives in their three forms: see coll.h. */
#include "coll.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct coll *coll;
static struct coll_turn turn;
static MPI_Request *requests;		/* persistent ones, of each root */
static int roots;

static void *memory_for(size_t bytes, enum coll_shape all)
{
	int ranks = 1;

	if (coll->shape & all)
		MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	return loop_memory((size_t)ranks * bytes);
}

static void list_ranks(int ranks)
{
	turn.counts = calloc((size_t)ranks, sizeof(*turn.counts));
	turn.displs = calloc((size_t)ranks, sizeof(*turn.displs));
	if (!turn.counts || !turn.displs)
		abort();
	for (int i = 0; i < ranks; i++) {
		turn.counts[i] = turn.count;
		turn.displs[i] = i * turn.count;
	}
}

static void set_up(size_t bytes)
{
	int ranks;

	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	roots = coll->shape & COLL_ROOTED ? ranks : 1;
	turn.out = memory_for(bytes, COLL_GIVES_ALL);
	turn.in = memory_for(bytes, COLL_GETS_ALL);
	turn.count = (int)(bytes / coll->unit);
	list_ranks(ranks);
	turn.root = 0;
}

static void take_down(void)
{
	loop_memory_free(turn.out);
	loop_memory_free(turn.in);
	free(turn.counts);
	free(turn.displs);
}

static void prepare(size_t bytes)
{
	set_up(bytes);
	requests = calloc((size_t)roots, sizeof(*requests));
	if (!requests)
		abort();
	for (; turn.root < roots; turn.root++)
		coll->prepare(&turn, &requests[turn.root]);
	turn.root = 0;
}

static void free_prepared(void)
{
	for (int i = 0; i < roots; i++)
		MPI_Request_free(&requests[i]);
	free(requests);
	take_down();
}

static void next_root(void)
{
	if (++turn.root == roots)
		turn.root = 0;
}

static void blocking(void)
{
	coll->call(&turn);
	next_root();
}

static void nonblocking(void)
{
	MPI_Request request;

	coll->start(&turn, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	next_root();
}

static void persistent(void)
{
	MPI_Start(&requests[turn.root]);
	MPI_Wait(&requests[turn.root], MPI_STATUS_IGNORE);
	next_root();
}

int coll_main(int argc, char **argv, const struct coll *which)
{
	struct loop loop = { which->name, set_up, blocking, take_down, 1 };
	const char *form = argc > 1 ? argv[1] : "";

	coll = which;
	if (!strcmp(form, "-n")) {
		loop.one = nonblocking;
	} else if (!strcmp(form, "-p") && coll->prepare) {
		loop.set_up = prepare;
		loop.one = persistent;
		loop.take_down = free_prepared;
	} else if (*form == '-') {
		fprintf(stderr, "%s: no form %s\n", coll->name, form);
		return 2;
	} else {
		return loop_main(argc, argv, &loop);
	}
	argv[1] = argv[0];
	return loop_main(argc - 1, argv + 1, &loop);
}
