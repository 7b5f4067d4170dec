/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft-halo2d: a diffusion on a periodic square, by a halo exchange that is
 * planned once.
 *
 *     weftrun -n 4 weft-halo2d [STEPS [N]]
 *
 * Each rank has N x N cells and a border of what its four neighbours have.
 * Rows lie side by side; a column is a datatype, so nothing is copied by hand.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <weft.h>

enum { WEST, EAST, NORTH, SOUTH, SIDES };

static struct weft_job *job;

static void must(int status)
{
	if (status)
		weft_job_abort(job, 1, weft_error_text(job));
}

struct grid {
	int columns, rows;		/* of ranks */
	int x, y;			/* of this rank among them */
	int n;				/* cells of a rank, each way */
};

/* Columns and rows as equal as they can be. */
static void place(struct grid *g)
{
	int me = weft_job_rank(job), size = weft_job_size(job);

	for (int c = 1; c * c <= size; c++)
		if (size % c == 0)
			g->columns = c;
	g->rows = size / g->columns;
	g->x = me % g->columns;
	g->y = me / g->columns;
}

static int rank_at(const struct grid *g, int x, int y)
{
	return (y + g->rows) % g->rows * g->columns +
	       (x + g->columns) % g->columns;
}

/*
 * What leaves to the west comes from the east, and so on: also where two of
 * the four are the same rank, or this one, each edge finds its other end.
 */
static struct weft_comm *neighbours(const struct grid *g)
{
	int to[SIDES] = {
		rank_at(g, g->x - 1, g->y), rank_at(g, g->x + 1, g->y),
		rank_at(g, g->x, g->y - 1), rank_at(g, g->x, g->y + 1)
	};
	int from[SIDES] = { to[EAST], to[WEST], to[SOUTH], to[NORTH] };
	struct weft_edges in = { SIDES, from, NULL }, out = { SIDES, to, NULL };
	struct weft_comm *graph;

	must(weft_graph_create_adjacent(weft_job_world(job), &in, &out, NULL,
					false, &graph));
	return graph;
}

/* Of an array of m x m: the cells at each side leave, the border comes. */
static struct weft_request *plan(struct weft_comm *graph, double *u, int m)
{
	static const size_t one[SIDES] = { 1, 1, 1, 1 };
	const ptrdiff_t size = sizeof(*u), row = m * size, n = m - 2;
	const ptrdiff_t leaves[SIDES] = {
		row + size, row + n * size, row + size, n * row + size
	}, comes[SIDES] = {	/* from the east, the west, ... */
		row + (n + 1) * size, row, (n + 1) * row + size, size
	};
	const struct weft_type *types[SIDES];
	struct weft_type *across, *along;
	struct weft_request *halo;
	struct weft_vec send = {
		.base = u, .types = types, .counts = one, .displs = leaves
	}, recv = send;

	must(weft_type_vector(job, (size_t)n, 1, m, &weft_type_double, &along));
	must(weft_type_commit(along));
	must(weft_type_contiguous(job, (size_t)n, &weft_type_double, &across));
	must(weft_type_commit(across));
	types[WEST] = types[EAST] = along;
	types[NORTH] = types[SOUTH] = across;
	recv.displs = comes;
	must(weft_neighbor_alltoallv_init(graph, &send, &recv, &halo));
	must(weft_type_free(&along));		/* the request holds them */
	must(weft_type_free(&across));
	return halo;
}

/* The mean of a cell and of its four neighbours, the cell four times. */
static void step(const double *u, double *next, int m)
{
	for (int i = m; i < m * m - m; i++)
		next[i] = 0.5 * u[i] + 0.125 * (u[i - 1] + u[i + 1] +
						u[i - m] + u[i + m]);
}

/* Two waves, which only become flatter: the value behind so many steps. */
static double exact(const struct grid *g, int x, int y, int steps)
{
	double a = 2 * M_PI / (g->columns * g->n);
	double b = 2 * M_PI / (g->rows * g->n);

	return pow(0.75 + 0.25 * cos(a), steps) * cos(a * (g->x * g->n + x)) +
	       pow(0.75 + 0.25 * cos(b), steps) * cos(b * (g->y * g->n + y));
}

/* The largest difference of all ranks. */
static double compare(const struct grid *g, double *u, int steps, bool set)
{
	double worst = 0;

	for (int y = 0; y < g->n; y++)
		for (int x = 0; x < g->n; x++) {
			double *cell = &u[(y + 1) * (g->n + 2) + x + 1];
			double want = exact(g, x, y, steps);

			if (set)
				*cell = want;
			worst = fmax(worst, fabs(*cell - want));
		}
	must(weft_allreduce(weft_job_world(job), WEFT_IN_PLACE,
			    weft_part(&worst, 1, &weft_type_double),
			    &weft_op_max));
	return worst;
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 100, m;
	struct grid g = { .n = argc > 2 ? atoi(argv[2]) : 64 };
	struct weft_request *halo[2];
	struct weft_comm *graph;
	double *u[2], worst;

	if (weft_job_open(NULL, &job))
		return 1;
	place(&g);
	graph = neighbours(&g);
	m = g.n + 2;
	for (int i = 0; i < 2; i++) {
		must(weft_mem_alloc(job, (size_t)m * m * sizeof(**u),
				    (void **)&u[i]));
		halo[i] = plan(graph, u[i], m);
	}
	compare(&g, u[0], 0, true);
	for (int i = 0; i < steps; i++) {
		must(weft_request_start(halo[i % 2]));
		must(weft_request_wait(halo[i % 2]));
		step(u[i % 2], u[(i + 1) % 2], m);
	}
	worst = compare(&g, u[steps % 2], steps, false);
	if (!weft_job_rank(job))
		printf("%d steps of %d x %d cells on %d x %d ranks, off by "
		       "%.0e\n", steps, g.n, g.n, g.columns, g.rows, worst);
	for (int i = 0; i < 2; i++) {
		must(weft_request_free(&halo[i]));
		weft_mem_free(job, u[i]);
	}
	must(weft_comm_free(&graph));
	return weft_job_close(job) || worst > 1e-9;
}
