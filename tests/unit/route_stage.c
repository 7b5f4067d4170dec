/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stages of a routing, those of all ranks in one process: what each of them
 * gives along an edge is what the other end gets along its own, and behind the
 * last one every parcel is where it is for, with its content, once.
 */
#include <weft/status.h>

#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>
#include "coll/route_stage.h"

enum { SIZES = 130, EACH = 3 };		/* parcels of a rank */

struct node {
	struct wf_parcels held[2];
	struct wf_route_stage stage;
};

static struct node nodes[SIZES];

static bool ascending;

/* Of the parcels of a rank: in the order of ranks, or in none. */
static int target(int from, int i, int size)
{
	if (ascending)
		return i * size / EACH;
	return (from * 7 + i * i * 13 + size / 2) % size;
}

static uint64_t bytes_of(int from, int i)
{
	return (uint64_t)(from + 5 * i) % 9;
}

static void start(struct node *n, int from, int size)
{
	char content[16], *at = n->held[0].memory = malloc(1000);

	if (!at)
		abort();
	n->held[1] = (struct wf_parcels){ .memory = NULL };
	memset(&n->stage, 0, sizeof(n->stage));
	memset(content, from, sizeof(content));
	for (int i = 0; i < EACH; i++) {
		const struct wf_parcel parcel = {
			.to = target(from, i, size), .from = from,
			.position = i, .bytes = bytes_of(from, i),
			.content = content
		};

		at = wf_parcel_put(at, &parcel);
	}
	n->held[0].at = 0;
	n->held[0].bytes = (uint64_t)(at - n->held[0].memory);
}

/* Where the content of an out-edge begins. */
static const char *given(const struct wf_route_stage *s, int edge)
{
	return s->packed + s->gives_at[edge];
}

/* The edge of a source that leads here; -1: it has none. */
static int edge_to(const struct wf_route_stage *source, int rank)
{
	for (int i = 0; i < source->ngives; i++)
		if (wf_route_target(source, i) == rank)
			return i;
	return -1;
}

static bool receive(struct node *n, int rank)
{
	struct wf_route_stage *s = &n->stage;
	char *at;

	for (int i = 0; i < s->ngets; i++) {
		const struct wf_route_stage *source =
			&nodes[wf_route_source(s, i)].stage;
		int edge = edge_to(source, rank);

		if (!TAP_CHECK(edge >= 0))
			return false;
		s->gets[i] = source->gives[edge];
	}
	if (!TAP_EQUAL(wf_route_make_room(s), WEFT_OK))
		return false;
	at = s->comes.memory;
	for (int i = 0; i < s->ngets; i++) {
		const struct wf_route_stage *source =
			&nodes[wf_route_source(s, i)].stage;

		if (!s->gets[i])
			continue;
		memcpy(at, given(source, edge_to(source, rank)),
		       (size_t)s->gets[i]);
		at += s->gets[i];
	}
	return true;
}

static bool run_stage(const struct wf_ragged_cuts *cuts, int stage)
{
	bool good = true;

	for (int r = 0; r < cuts->size; r++) {
		wf_route_stage_init(&nodes[r].stage, cuts, r, stage);
		good &= !wf_route_pack(&nodes[r].stage, nodes[r].held);
	}
	for (int r = 0; good && r < cuts->size; r++)
		good = receive(&nodes[r], r);
	for (int r = 0; r < cuts->size; r++)
		wf_route_take_over(&nodes[r].stage, nodes[r].held);
	return TAP_CHECK(good);
}

static bool is_right(const struct wf_parcel *p, int rank, int size)
{
	bool right = p->to == rank && p->from >= 0 && p->from < size &&
		     p->position >= 0 && p->position < EACH &&
		     target(p->from, p->position, size) == rank &&
		     p->bytes == bytes_of(p->from, p->position);

	for (uint64_t k = 0; right && k < p->bytes; k++)
		right = p->content[k] == (char)p->from;
	return right;
}

/* Those of a row count, if they are right and were not seen before. */
static int look(const struct wf_parcels *row, int rank, int size,
		bool seen[SIZES][EACH])
{
	struct wf_parcel p;
	int n = 0;

	for (uint64_t at = 0; wf_parcels_next(row, &at, &p); n++) {
		if (!TAP_CHECK(is_right(&p, rank, size)) ||
		    !TAP_CHECK(!seen[p.from][p.position]))
			return -EACH * SIZES;
		seen[p.from][p.position] = true;
	}
	return n;
}

/* All of them, once. */
static bool end(int size)
{
	bool seen[SIZES][EACH] = { { false } };
	int n = 0;

	for (int r = 0; r < size; r++)
		for (int h = 0; h < 2; h++) {
			n += look(&nodes[r].held[h], r, size, seen);
			wf_parcels_drop(&nodes[r].held[h]);
		}
	return TAP_EQUAL(n, EACH * size);
}

static void pass_all(void)
{
	for (int radix = 2; radix <= 16; radix *= 2)
		for (int size = 1; size <= SIZES; size++) {
			struct wf_ragged_cuts cuts = wf_ragged_cut(size, radix);
			bool good = true;

			for (int r = 0; r < size; r++)
				start(&nodes[r], r, size);
			for (int i = cuts.stages; good && i-- > 0;)
				good = run_stage(&cuts, i);
			if (!end(size) || !good) {
				tap_diag("%d ranks, radix %d", size, radix);
				return;
			}
		}
}

static void every_size(void)
{
	ascending = false;
	pass_all();
}

static void every_size_sorted(void)
{
	ascending = true;
	pass_all();
}

/* Edges of a rank follow each other in the order of the stages. */
static void edges_in_turn(void)
{
	struct wf_ragged_cuts cuts = wf_ragged_cut(100, 4);
	struct wf_route_stage s = { .ngives = 0 };
	int gives = 0, gets = 0;

	for (int i = cuts.stages; i-- > 0;) {
		wf_route_stage_init(&s, &cuts, 57, i);
		TAP_EQUAL(s.first_out, gives);
		TAP_EQUAL(s.first_in, gets);
		gives += s.ngives;
		gets += s.ngets;
	}
	TAP_CHECK(gives > 0 && gets > 0);
}

/* More than there is: the number of bytes has 63 bits, of one edge. */
static void too_much(void)
{
	struct wf_route_stage s = { .ngets = 2 };

	s.gets[0] = s.gets[1] = INT64_MAX;
	TAP_EQUAL(wf_route_make_room(&s), WEFT_ERR_NOMEM);
	wf_route_drop(&s);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "every number of ranks", every_size },
		{ "every number of ranks, in their order", every_size_sorted },
		{ "edges in turn", edges_in_turn },
		{ "more than there can be", too_much }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
