/* SPDX-License-Identifier: BSD-3-Clause */
/* A pattern, and its set-up by hand: see packets.h. */
#include "packets.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int *ints(int n)
{
	int *list = calloc((size_t)n + 1, sizeof(*list));

	if (!list)
		abort();
	return list;
}

void packets_init(struct packets *p, int *argc, char ***argv)
{
	*p = (struct packets){ .width = 1 };
	if (*argc < 3 || strcmp((*argv)[1], "-w"))
		return;
	p->width = atoi((*argv)[2]);
	(*argv)[2] = (*argv)[0];
	*argc -= 2;
	*argv += 2;
	if (p->width < 1) {
		fprintf(stderr, "%s: -w: give a number from 1\n", (*argv)[0]);
		exit(2);
	}
}

static void swap(int *list, int i, int j)
{
	int kept = list[i];

	list[i] = list[j];
	list[j] = kept;
}

void packets_draw(struct packets *p, size_t bytes)
{
	uint64_t state;
	int n = 0;

	MPI_Comm_rank(MPI_COMM_WORLD, &p->rank);
	MPI_Comm_size(MPI_COMM_WORLD, &p->ranks);
	p->nroots = (int)(bytes / sizeof(double)) / p->width;
	p->nitems = p->nroots * (p->ranks - 1);
	p->items2ranks = ints(p->nitems);
	p->items2roots = ints(p->nitems);
	for (int rank = 0; rank < p->ranks; rank++)
		for (int k = 0; rank != p->rank && k < p->nroots; k++) {
			p->items2ranks[n] = rank;
			p->items2roots[n++] = k;
		}
	state = (uint64_t)p->rank + 1;
	for (; n > 1; n--) {
		int other;

		state = state * 6364136223846793005u + 1442695040888963407u;
		other = (int)((state >> 33) % (uint64_t)n);
		swap(p->items2ranks, n - 1, other);
		swap(p->items2roots, n - 1, other);
	}
}

void packets_free(struct packets *p)
{
	free(p->items2ranks);
	free(p->items2roots);
}

/* ---- set-up ---- */

/*
 * Of each rank: the items that go there and that come from there, and where
 * they begin in content.
 */
struct table {
	int *to, *to_at;
	int *from, *from_at;
	int *ones, *at;			/* to exchange these numbers */
};

static void add_up(const int *counts, int *displs, int n)
{
	displs[0] = 0;
	for (int i = 1; i < n; i++)
		displs[i] = displs[i - 1] + counts[i - 1];
}

static void count(const struct packets *p, struct table *t)
{
	for (int i = 0; i < p->nitems; i++)
		t->to[p->items2ranks[i]]++;
	for (int r = 0; r < p->ranks; r++) {
		t->ones[r] = 1;
		t->at[r] = r;
	}
	MPI_Alltoallv(t->to, t->ones, t->at, MPI_INT, t->from, t->ones, t->at,
		      MPI_INT, MPI_COMM_WORLD);
	add_up(t->to, t->to_at, p->ranks);
	add_up(t->from, t->from_at, p->ranks);
}

/* Content by rank, and the roots of what comes, which are sorted. */
static void sort(const struct packets *p, struct plan *plan,
		 const struct table *t)
{
	int *next = memcpy(ints(p->ranks), t->to_at,
			   (size_t)p->ranks * sizeof(*next));
	int *out = ints(p->nitems), *in = ints(p->nitems);
	int *first = ints(p->nroots + 1);

	for (int i = 0; i < p->nitems; i++) {
		int place = next[p->items2ranks[i]]++;

		plan->items2content[i] = place;
		out[place] = p->items2roots[i];
	}
	MPI_Alltoallv(out, t->to, t->to_at, MPI_INT, in, t->from, t->from_at,
		      MPI_INT, MPI_COMM_WORLD);
	for (int c = 0; c < p->nitems; c++)
		first[in[c] + 1]++;
	for (int k = 0; k < p->nroots; k++)
		first[k + 1] += first[k];
	for (int c = 0; c < p->nitems; c++)
		plan->ritems2content[first[in[c]]++] = c;
	free(next);
	free(out);
	free(in);
	free(first);
}

/* As many go to each as come from there. */
static void make_graph(const struct packets *p, struct plan *plan,
		       const struct table *t)
{
	int n = 0;

	for (int r = 0; r < p->ranks; r++) {
		if (!t->to[r])
			continue;
		plan->peers[n] = r;
		plan->counts[n] = t->to[r];
		plan->displs[n++] = t->to_at[r];
	}
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, n, plan->peers, t->ones,
				       n, plan->peers, t->ones, MPI_INFO_NULL,
				       0, &plan->graph);
}

void plan_make(struct plan *plan, const struct packets *p)
{
	int *memory = ints(6 * p->ranks);
	struct table t = {
		memory, memory + p->ranks, memory + 2 * p->ranks,
		memory + 3 * p->ranks, memory + 4 * p->ranks,
		memory + 5 * p->ranks
	};

	plan->peers = ints(p->ranks);
	plan->counts = ints(p->ranks);
	plan->displs = ints(p->ranks);
	plan->items2content = ints(p->nitems);
	plan->ritems2content = ints(p->nitems);
	count(p, &t);
	sort(p, plan, &t);
	make_graph(p, plan, &t);
	free(memory);
}

void plan_free(struct plan *plan)
{
	MPI_Comm_free(&plan->graph);
	free(plan->peers);
	free(plan->counts);
	free(plan->displs);
	free(plan->items2content);
	free(plan->ritems2content);
}
