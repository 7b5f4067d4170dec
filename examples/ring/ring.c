/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft-ring: a pipeline over a ring of ranks, by puts with notification.
 *
 *     weftrun -n 4 weft-ring [BLOCKS [DOUBLES]]
 *
 * Rank 0 sends blocks of numbers, each rank adds its own to every element and
 * passes them on, and rank 0 checks what comes round.  No rank calls anything
 * to receive: a block is put into a slot of the next rank, and its signal says
 * that it is there.  Rules that such programs follow:
 *
 *   - Puts are not ordered, so each slot has a signal of its own: the count of
 *     one for all would not say which block has come.
 *   - A slot is written again only when its owner has said that it is empty: a
 *     signal without bytes, back to the rank before.
 *   - A block is passed on from where it came, so its slot is empty once the
 *     request of that put is complete.
 */
#include <stdio.h>
#include <stdlib.h>
#include <weft.h>

enum {
	SLOTS = 4,
	FULL = 0,		/* and up: signals of slots, from the left */
	EMPTY = SLOTS,		/* and up: the same, from the right */
	NUMBERS = 2 * SLOTS
};

struct ring {
	struct weft_job *job;
	struct weft_region *region;
	int left, right;
	long blocks;
	size_t n;			/* numbers of a block */
	double *slot;			/* of this rank */
	double *fresh;			/* rank 0: what it sends, as many */
	struct weft_request *passing[SLOTS];
	struct weft_signal *signal[NUMBERS];
};

/* A job whose ring is broken ends. */
static void must(struct ring *r, int status)
{
	if (status)
		weft_job_abort(r->job, 1, weft_error_text(r->job));
}

static void join(struct ring *r)
{
	struct weft_comm *world = weft_job_world(r->job);
	int me = weft_comm_rank(world), size = weft_comm_size(world);

	r->left = (me + size - 1) % size;
	r->right = (me + 1) % size;
	must(r, weft_region_create(world, NULL, SLOTS * r->n * sizeof(double),
				   &r->region));
	r->slot = weft_region_base(r->region);
	for (uint32_t s = 0; s < NUMBERS; s++)
		must(r, weft_signal_create(r->region, s < EMPTY ? r->left :
					   r->right, s, &r->signal[s]));
}

static uint32_t slot_of(long block)
{
	return (uint32_t)(block % SLOTS);
}

/* Wait until the block is in its slot of this rank. */
static double *receive(struct ring *r, long block)
{
	uint32_t s = slot_of(block);

	must(r, weft_signal_wait(r->signal[FULL + s],
				 (uint64_t)(block / SLOTS) + 1));
	return r->slot + s * r->n;
}

/* Wait until its slot at the right is empty, then put it there. */
static void pass(struct ring *r, long block, const double *from)
{
	uint32_t s = slot_of(block);
	size_t bytes = r->n * sizeof(double);
	struct weft_target to = { r->region, r->right, s * bytes };

	must(r, weft_signal_wait(r->signal[EMPTY + s],
				 (uint64_t)(block / SLOTS)));
	must(r, weft_put_signal(&to, from, bytes, FULL + s,
				&r->passing[s]));
}

/* What was passed from here may be written again. */
static void finish(struct ring *r, long block)
{
	uint32_t s = slot_of(block);

	must(r, weft_request_wait(r->passing[s]));
	must(r, weft_request_free(&r->passing[s]));
}

static void tell_empty(struct ring *r, long block)
{
	struct weft_target to = { r->region, r->left, 0 };

	must(r, weft_put_signal(&to, NULL, 0, EMPTY + slot_of(block), NULL));
}

/* Ranks but 0: one block is worked on while the last one leaves. */
static void work(struct ring *r, int me)
{
	for (long b = 0; b < r->blocks; b++) {
		double *block = receive(r, b);

		for (size_t i = 0; i < r->n; i++)
			block[i] += me;
		pass(r, b, block);
		if (b > 0) {
			finish(r, b - 1);
			tell_empty(r, b - 1);
		}
	}
	if (r->blocks)
		finish(r, r->blocks - 1);
}

static void send_fresh(struct ring *r, long block)
{
	double *fresh = r->fresh + slot_of(block) * r->n;

	for (size_t i = 0; i < r->n; i++)
		fresh[i] = (double)block + (double)i;
	pass(r, block, fresh);
}

/* The number of elements that are not what they should be. */
static long check(struct ring *r, long block, double added)
{
	const double *came = receive(r, block);
	long wrong = 0;

	for (size_t i = 0; i < r->n; i++)
		wrong += came[i] != (double)block + (double)i + added;
	finish(r, block);
	tell_empty(r, block);
	return wrong;
}

/* Rank 0: as many are under way as there are slots, so nobody gets stuck. */
static long send_all(struct ring *r, int size)
{
	double added = (double)size * (size - 1) / 2;
	long wrong = 0, checked = 0;

	for (long b = 0; b < r->blocks; b++) {
		if (b >= SLOTS)
			wrong += check(r, checked++, added);
		send_fresh(r, b);
	}
	while (checked < r->blocks)
		wrong += check(r, checked++, added);
	printf("%ld blocks of %zu numbers went round %d ranks, %ld numbers "
	       "are wrong\n", r->blocks, r->n, size, wrong);
	return wrong;
}

int main(int argc, char **argv)
{
	struct ring r = {
		.blocks = argc > 1 ? atol(argv[1]) : 100,
		.n = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000
	};
	long wrong = 0;
	int me;

	if (weft_job_open(NULL, &r.job))
		return 1;
	me = weft_job_rank(r.job);
	r.fresh = malloc(SLOTS * (r.n + 1) * sizeof(double));
	if (!r.fresh)
		weft_job_abort(r.job, 1, "no memory");
	join(&r);
	if (me == 0)
		wrong = send_all(&r, weft_job_size(r.job));
	else
		work(&r, me);
	must(&r, weft_region_free(&r.region));
	free(r.fresh);
	return weft_job_close(r.job) || wrong;
}
