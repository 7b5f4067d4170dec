/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The usual exchange of ghosts: a field in three periodic dimensions, faces as
 * parts of the array, six edges whatever the number of ranks.  With 1 or 2
 * ranks along a dimension both of its neighbours are the same rank, maybe this
 * one; what goes down must still come from above.
 */
#include <stdint.h>
#include <string.h>

#include "tests/mp/neighborhood.h"
#include "tests/neighbor_call.h"

enum {
	DIMS = 3,
	FACES = 2 * DIMS,
	GHOST = -1
};

static const size_t inside[DIMS] = { 4, 3, 2 };	/* cells of a rank */

struct torus {
	struct hood *h;
	int ranks[DIMS], at[DIMS];	/* of the grid, and this one in it */
	size_t sizes[DIMS];		/* cells, with ghosts */
	int64_t *field;
	int in[FACES], out[FACES];
	struct weft_type *sent[FACES], *received[FACES];
	struct weft_vec send, recv;
};

/* ---- ranks ---- */

/* Twos first: 8 is 2 x 2 x 2, 6 is 2 x 3 x 1, 7 is 7 x 1 x 1. */
static void factor(struct torus *t, int size)
{
	int d = 0;

	for (int i = 0; i < DIMS; i++)
		t->ranks[i] = 1;
	for (int p = 2; p <= size; p++)
		for (; size % p == 0; size /= p)
			t->ranks[d++ % DIMS] *= p;
}

static int rank_at(const struct torus *t, const int *at)
{
	int rank = 0;

	for (int d = 0; d < DIMS; d++)
		rank = rank * t->ranks[d] +
		       (at[d] + t->ranks[d]) % t->ranks[d];
	return rank;
}

static void place(struct torus *t, int rank)
{
	for (int d = DIMS; d--;) {
		t->at[d] = rank % t->ranks[d];
		rank /= t->ranks[d];
	}
}

/* Down, then up; what went down there comes from above, so that comes first. */
static void find_neighbors(struct torus *t)
{
	for (int d = 0; d < DIMS; d++) {
		int at[DIMS];

		memcpy(at, t->at, sizeof(at));
		at[d] = t->at[d] - 1;
		t->out[2 * d] = t->in[2 * d + 1] = rank_at(t, at);
		at[d] = t->at[d] + 1;
		t->out[2 * d + 1] = t->in[2 * d] = rank_at(t, at);
	}
}

/* ---- cells ---- */

/* Ghosts are at 0 and behind the last one. */
static int64_t *cell(const struct torus *t, size_t x, size_t y, size_t z)
{
	return &t->field[(x * t->sizes[1] + y) * t->sizes[2] + z];
}

/* By its place in the whole field, which begins again behind its end. */
static int64_t value_at(const struct torus *t, const size_t *at, int round)
{
	int64_t value = round;

	for (int d = 0; d < DIMS; d++) {
		int64_t all = t->ranks[d] * (int64_t)inside[d];
		int64_t x = t->at[d] * (int64_t)inside[d] + (int64_t)at[d] - 1;

		value = value * 1000 + (x + all) % all;
	}
	return value;
}

/* Of how many dimensions is it a ghost? */
static int ghosts_at(const struct torus *t, const size_t *at)
{
	int n = 0;

	for (int d = 0; d < DIMS; d++)
		n += at[d] == 0 || at[d] == t->sizes[d] - 1;
	return n;
}

static void fill(const struct torus *t, int round)
{
	for (size_t x = 0; x < t->sizes[0]; x++)
		for (size_t y = 0; y < t->sizes[1]; y++)
			for (size_t z = 0; z < t->sizes[2]; z++) {
				size_t at[] = { x, y, z };

				*cell(t, x, y, z) = ghosts_at(t, at) ? GHOST :
						    value_at(t, at, round);
			}
}

/* Faces have come; edges and corners of the box have not. */
static void check_cell(const struct torus *t, const size_t *at, int round,
		       const char *form)
{
	int64_t want = ghosts_at(t, at) > 1 ? GHOST : value_at(t, at, round);
	int64_t have = *cell(t, at[0], at[1], at[2]);

	if (have != want)
		hood_fail(t->h, "%s: cell %zu %zu %zu is %lld, not %lld", form,
			  at[0], at[1], at[2], (long long)have,
			  (long long)want);
}

static void check(const struct torus *t, int round, const char *form)
{
	for (size_t x = 0; x < t->sizes[0]; x++)
		for (size_t y = 0; y < t->sizes[1]; y++)
			for (size_t z = 0; z < t->sizes[2]; z++)
				check_cell(t, (size_t[]){ x, y, z }, round,
					   form);
}

/* ---- faces ---- */

static struct weft_type *face(const struct torus *t, int d, size_t start)
{
	size_t starts[DIMS] = { 1, 1, 1 }, part[DIMS];
	const struct weft_subarray sub = {
		.n = DIMS, .sizes = t->sizes, .subsizes = part,
		.starts = starts, .order = WEFT_ORDER_C
	};
	struct weft_type *type = NULL;

	memcpy(part, inside, sizeof(part));
	part[d] = 1;
	starts[d] = start;
	if (hood_ok(t->h, weft_type_subarray(t->h->job, &sub, &weft_type_int64,
					     &type), "weft_type_subarray"))
		hood_ok(t->h, weft_type_commit(type), "weft_type_commit");
	return type;
}

static void make_faces(struct torus *t)
{
	for (int d = 0; d < DIMS; d++) {
		t->sent[2 * d] = face(t, d, 1);
		t->received[2 * d] = face(t, d, inside[d] + 1);
		t->sent[2 * d + 1] = face(t, d, inside[d]);
		t->received[2 * d + 1] = face(t, d, 0);
	}
}

static void free_faces(struct torus *t)
{
	for (int i = 0; i < FACES; i++) {
		hood_ok(t->h, weft_type_free(&t->sent[i]), "weft_type_free");
		hood_ok(t->h, weft_type_free(&t->received[i]),
			"weft_type_free");
	}
}

/* Six elements: as many as there are edges, and not as ranks. */
static struct weft_vec describe(const struct torus *t,
				struct weft_type *const *faces)
{
	const struct weft_type **types = hood_array(t->h, FACES,
						    sizeof(*types));
	size_t *counts = hood_array(t->h, FACES, sizeof(*counts));
	ptrdiff_t *displs = hood_array(t->h, FACES, sizeof(*displs));

	for (int i = 0; i < FACES; i++) {
		types[i] = faces[i];
		counts[i] = 1;
	}
	return (struct weft_vec){
		.base = t->field, .types = types, .counts = counts,
		.displs = displs
	};
}

/* ---- the program ---- */

static void exchange(struct torus *t, struct weft_comm *graph, enum form form)
{
	const struct neighbor_args args = { .sends = &t->send,
					    .recvs = &t->recv };
	const char *name = neighbor_call_name(ALLTOALLW, form);
	struct weft_request *req = NULL;
	int status;

	fill(t, (int)form);
	status = neighbor_call(graph, ALLTOALLW, form, &args, &req);
	for (int round = 0; hood_ok(t->h, status, name) && round < 3; round++) {
		if (form == PERSISTENT) {
			fill(t, round);
			status = weft_request_start(req);
		}
		if (req && !status)
			status = weft_request_wait(req);
		if (!status)
			check(t, form == PERSISTENT ? round : (int)form, name);
		if (form != PERSISTENT)
			break;
	}
	hood_ok(t->h, status, name);
	hood_ok(t->h, weft_request_free(&req), "weft_request_free");
}

static void torus_init(struct torus *t, struct hood *h)
{
	size_t cells = 1;

	*t = (struct torus){ .h = h };
	for (int d = 0; d < DIMS; d++) {
		t->sizes[d] = inside[d] + 2;
		cells *= t->sizes[d];
	}
	factor(t, h->size);
	place(t, h->me);
	find_neighbors(t);
	t->field = hood_array(h, cells, sizeof(*t->field));
	make_faces(t);
	t->send = describe(t, t->sent);
	t->recv = describe(t, t->received);
}

void hood_torus(struct hood *h)
{
	struct weft_comm *graph;
	struct torus t;

	torus_init(&t, h);
	graph = hood_adjacent(h, &(struct weft_edges){ FACES, t.in, NULL },
			      &(struct weft_edges){ FACES, t.out, NULL });
	for (int form = 0; form < FORMS && graph; form++)
		exchange(&t, graph, (enum form)form);
	hood_ok(h, weft_comm_free(&graph), "weft_comm_free");
	free_faces(&t);
	hood_release(h, 0);
}
