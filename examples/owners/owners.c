/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft-owners: owners of shared mesh vertices sum what others contribute, and
 * send it back.
 *
 *     weftrun -n 4 weft-owners 4elt.graph
 *
 * A rank has a block of the edges, and a copy of each vertex at their ends.  A
 * vertex is owned by the lowest rank that has a copy.  So the pattern has an
 * item from each copy to a root of the owner: an exch_reduce along it sums, an
 * exch along its inverse brings the sum to all copies.
 *
 * All ranks read the whole mesh, and know what comes out: integers to the bit,
 * doubles by the order of ranks, in which a root's items are combined.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft.h>

#include "../cg/cg_load.h"

/* Of one rank, in the order in which its edges meet the vertices. */
struct copies {
	size_t n;
	int64_t *vertex;
	size_t *place;			/* of each vertex, from 1; 0: none */
	int64_t *count;
	double *length;
};

/* Of each vertex of the mesh. */
struct serial {
	struct weft_remote *owner;	/* and the root there */
	int32_t owned;			/* by this rank */
	int64_t *count;
	double *length;
};

static struct weft_job *job;

/* Of a death all ranks hear by themselves; else the job ends. */
static void must(int status)
{
	if (status == WEFT_OK)
		return;
	if (status != WEFT_ERR_PEER)
		weft_job_abort(job, EXIT_FAILURE, weft_error_text(job));
	fprintf(stderr, "weft-owners: rank %d: %s\n", weft_job_rank(job),
		weft_error_text(job));
	(void)!weft_job_close(job);
	exit(EXIT_FAILURE);
}

static void *zeros(int64_t n, size_t size)
{
	void *room = calloc((size_t)n + 1, size);

	if (!room)
		weft_job_abort(job, EXIT_FAILURE, "no memory for the mesh");
	return room;
}

static void add(struct copies *c, int64_t v, int64_t weight)
{
	if (!c->place[v]) {
		c->vertex[c->n] = v;
		c->count[c->n] = 0;
		c->length[c->n] = 0;
		c->place[v] = ++c->n;
	}
	c->count[c->place[v] - 1] += weight;
	c->length[c->place[v] - 1] += 1.0 / (double)weight;
}

/* Each edge is of the rank that has the lower one of its ends in its block. */
static void assemble(const struct cg_csr *mesh, int rank, struct copies *c)
{
	int64_t size = weft_job_size(job), end = mesh->rows * (rank + 1) / size;

	for (size_t i = 0; i < c->n; i++)
		c->place[c->vertex[i]] = 0;
	c->n = 0;
	for (int64_t u = mesh->rows * rank / size; u < end; u++)
		for (int64_t e = mesh->start[u]; e < mesh->start[u + 1]; e++) {
			int64_t v = mesh->col[e], weight = 1 + u * v % 1009;

			if (v <= u)
				continue;
			add(c, u, weight);
			add(c, v, weight);
		}
}

/* All ranks by turns, c being the copies of each. */
static void sum_serially(const struct cg_csr *mesh, struct copies *c,
			 struct serial *s)
{
	for (int rank = 0; rank < weft_job_size(job); rank++) {
		int32_t owned = 0;

		assemble(mesh, rank, c);
		for (size_t i = 0; i < c->n; i++) {
			int64_t v = c->vertex[i];

			if (!s->count[v])	/* weights are positive */
				s->owner[v] = (struct weft_remote){
					rank, owned++
				};
			s->count[v] += c->count[i];
			s->length[v] += c->length[i];
		}
		if (rank == weft_job_rank(job))
			s->owned = owned;
	}
}

static void make_dist(const struct copies *c, const struct serial *s,
		      struct weft_dist **dist_p)
{
	struct weft_remote *dests = zeros((int64_t)c->n, sizeof(*dests));

	for (size_t i = 0; i < c->n; i++)
		dests[i] = s->owner[c->vertex[i]];
	must(weft_dist_create(weft_job_world(job), dests, c->n, s->owned,
			      dist_p));
	free(dests);
}

/* To the owners and back, where the sum takes the place of what was there. */
static void sum(struct weft_dist *dist, const struct weft_packets *copies)
{
	struct weft_packets roots = { .width = 1, .type = copies->type };
	struct weft_dist *back;

	must(weft_dist_invert(dist, &back));
	must(weft_dist_nsrcs(back, &roots.n));
	roots.base = zeros((int64_t)roots.n, sizeof(int64_t));
	must(weft_dist_exch_reduce(dist, copies, &weft_op_sum, &roots));
	must(weft_dist_exch(back, &roots, copies));
	free(roots.base);
	must(weft_dist_free(&back));
}

/* Of all ranks: wrong values of copies, and a number of the owners' counts. */
static void compare(const struct copies *c, const struct serial *s,
		    int64_t all[2])
{
	all[0] = all[1] = 0;
	for (size_t i = 0; i < c->n; i++) {
		int64_t v = c->vertex[i];

		all[0] += c->count[i] != s->count[v];
		all[0] += memcmp(&c->length[i], &s->length[v],
				 sizeof(*c->length)) != 0;
		if (s->owner[v].rank == weft_job_rank(job))
			all[1] += c->count[i] % 9973 * (v % 9973 + 1);
	}
	must(weft_allreduce(weft_job_world(job), WEFT_IN_PLACE,
			    weft_part(all, 2, &weft_type_int64),
			    &weft_op_sum));
}

static void make_room(int64_t vertices, struct copies *c, struct serial *s)
{
	c->vertex = zeros(vertices, sizeof(*c->vertex));
	c->place = zeros(vertices, sizeof(*c->place));
	c->count = zeros(vertices, sizeof(*c->count));
	c->length = zeros(vertices, sizeof(*c->length));
	s->owner = zeros(vertices, sizeof(*s->owner));
	s->count = zeros(vertices, sizeof(*s->count));
	s->length = zeros(vertices, sizeof(*s->length));
}

static void free_room(struct copies *c, struct serial *s)
{
	void *all[] = {
		c->vertex, c->place, c->count, c->length,
		s->owner, s->count, s->length
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		free(all[i]);
}

int main(int argc, char **argv)
{
	struct cg_csr mesh = { .rows = 0 };
	struct copies c = { .n = 0 };
	struct serial s = { .owned = 0 };
	struct weft_dist *dist;
	struct cg_why why;
	int64_t all[2];

	if (argc != 2) {
		fputs("usage: weft-owners FILE.graph\n", stderr);
		return 2;
	}
	if (weft_job_open(NULL, &job))
		return EXIT_FAILURE;
	if (cg_load(argv[1], &mesh, &why))
		weft_job_abort(job, EXIT_FAILURE, why.text);
	make_room(mesh.rows, &c, &s);
	sum_serially(&mesh, &c, &s);
	assemble(&mesh, weft_job_rank(job), &c);
	make_dist(&c, &s, &dist);
	sum(dist, &(struct weft_packets){ c.count, c.n, 1, &weft_type_int64 });
	sum(dist, &(struct weft_packets){ c.length, c.n, 1,
					  &weft_type_double });
	must(weft_dist_free(&dist));
	compare(&c, &s, all);
	if (!weft_job_rank(job))
		printf("%lld vertices, checksum of counts %lld, %lld values "
		       "of copies are wrong\n", (long long)mesh.rows,
		       (long long)all[1], (long long)all[0]);
	free_room(&c, &s);
	cg_csr_free(&mesh);
	return weft_job_close(job) || all[0];
}
