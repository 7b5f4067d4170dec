/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Orders of Dists, against their definition: stable, by ranks of any number of
 * digits, by roots, by global numbers; and what a side gives to exchanges.
 */
#include "dist/order.h"

#include <stdlib.h>
#include "base/random.h"
#include "dist/side.h"
#include "dist/sweep.h"
#include "tests/tap.h"
#include <weft/status.h>

enum { MOST = 60, TRIALS = 400 };

/* Is it the order of keys: each position once, equal keys ascending? */
static bool is_order(const uint32_t *order, const int64_t *key, uint32_t n)
{
	bool seen[MOST] = { false };

	for (uint32_t k = 0; k < n; k++) {
		uint32_t here = order[k], before = order[k ? k - 1 : 0];

		if (here >= n || seen[here])
			return false;
		seen[here] = true;
		if (k && (key[before] > key[here] ||
			  (key[before] == key[here] && before > here)))
			return false;
	}
	return true;
}

/* ---- orders ---- */

static void by_ranks(void)
{
	static const int sizes[] = { 1, 2, 256, 257, 65536, 70000, 1 << 24,
				     INT32_MAX };
	struct wf_random random;

	wf_random_init(&random, 1);
	for (int t = 0; t < TRIALS; t++) {
		int size = sizes[t % TAP_COUNT(sizes)];
		uint32_t n = (uint32_t)wf_random_below(&random, MOST);
		size_t stride = 1 + (size_t)t % 2;
		int32_t ranks[2 * MOST] = { 0 };
		uint32_t order[MOST];
		int64_t key[MOST];

		for (uint32_t i = 0; i < n; i++) {
			/* Some of them are the same. */
			uint64_t dice = wf_random_below(&random, 7);
			uint64_t rank = t % 3 ? wf_random_below(
				&random, (uint64_t)size) :
				dice * ((uint64_t)size / 7);

			ranks[i * stride] = (int32_t)rank;
			key[i] = (int64_t)rank;
		}
		if (!TAP_EQUAL(wf_order_by_rank(ranks, stride, n, size, order),
			       WEFT_OK) ||
		    !TAP_CHECK(is_order(order, key, n)))
			return;
	}
}

/* Is their order right, and where each of at most MOST begins in it? */
static bool orders_roots(const uint32_t *roots, uint32_t n, uint32_t nroots)
{
	uint32_t order[MOST], offs[MOST + 1];
	int64_t key[MOST];
	bool good;

	for (uint32_t i = 0; i < n; i++)
		key[i] = roots[i];
	wf_order_by_root(roots, n, offs, nroots, order);
	good = is_order(order, key, n) && !offs[0] && offs[nroots] == n;
	for (uint32_t r = 0; good && r < nroots; r++)
		for (uint32_t k = offs[r]; k < offs[r + 1]; k++)
			good &= roots[order[k]] == r;
	return good;
}

static void by_roots(void)
{
	struct wf_random random;

	wf_random_init(&random, 2);
	for (int t = 0; t < TRIALS; t++) {
		uint32_t n = (uint32_t)wf_random_below(&random, MOST);
		uint32_t nroots = 1 + (uint32_t)wf_random_below(&random, 20);
		uint32_t roots[MOST];

		for (uint32_t i = 0; i < n; i++)
			roots[i] = (uint32_t)wf_random_below(&random, nroots);
		if (!TAP_CHECK(orders_roots(roots, n, nroots)))
			return;
	}
}

/* As many positions as roots: of each root one, or one moved to another. */
static void by_permuted_roots(void)
{
	struct wf_random random;

	wf_random_init(&random, 4);
	for (int t = 0; t < TRIALS; t++) {
		uint32_t n = 1 + (uint32_t)wf_random_below(&random, MOST - 1);
		uint32_t roots[MOST];

		for (uint32_t i = 0; i < n; i++)
			roots[i] = i;
		for (uint32_t i = n; i-- > 1;) {
			uint64_t k = wf_random_below(&random, i + 1);
			uint32_t kept = roots[i];

			roots[i] = roots[k];
			roots[k] = kept;
		}
		if (t % 3 == 0)
			roots[wf_random_below(&random, n)] =
				(uint32_t)wf_random_below(&random, n);
		if (!TAP_CHECK(orders_roots(roots, n, n)))
			return;
	}
}

static void by_numbers(void)
{
	struct wf_random random;

	wf_random_init(&random, 3);
	for (int t = 0; t < TRIALS; t++) {
		uint32_t n = (uint32_t)wf_random_below(&random, MOST);
		uint32_t order[MOST];
		int64_t key[MOST];

		for (uint32_t i = 0; i < n; i++)
			key[i] = t % 2 ? (int64_t)wf_random_u64(&random) :
				 (int64_t)wf_random_below(&random, 5) - 2;
		if (!TAP_EQUAL(wf_order_by_number(key, n, order), WEFT_OK) ||
		    !TAP_CHECK(is_order(order, key, n)))
			return;
	}
}

/* ---- sweeps ---- */

enum { LONG = 2100 };

/* Of n elements, the one at place k wrong where there is one. */
static bool sweeps_are_right(size_t n, size_t k)
{
	static int32_t list[2 * LONG];
	static uint32_t copy[LONG];
	bool right = true;

	for (size_t stride = 1; stride <= 2; stride++) {
		for (size_t i = 0; i < 2 * LONG; i++)
			list[i] = -1;
		for (size_t i = 0; i < n; i++)
			list[i * stride] = (int32_t)i;
		if (k < n)
			list[k * stride] = INT32_MAX;
		right &= wf_sweep_are_below(list, stride, n, LONG) == (k >= n);
		/* only the last one may be the greatest */
		right &= wf_sweep_ascends(list, stride, n) == (k + 1 >= n);
		wf_sweep_copy(list, stride, n, copy);
		for (size_t i = 0; i < n; i++)
			right &= copy[i] == (i == k ? INT32_MAX : i);
		right &= wf_sweep_is_identity(copy, n) == (k >= n);
	}
	wf_sweep_identity(copy, n);
	return right && wf_sweep_is_identity(copy, n);
}

static void sweeps(void)
{
	static const size_t lengths[] = { 0, 1, 2, 3, 17, 1023, 1024, 1025,
					  1026, 2047, 2048, 2049, LONG };

	for (size_t i = 0; i < TAP_COUNT(lengths); i++) {
		size_t n = lengths[i];

		if (!TAP_CHECK(sweeps_are_right(n, n)))
			return;
		for (size_t k = 0; k < n; k += k < 1000 && k > 20 ? 97 : 1)
			if (!TAP_CHECK(sweeps_are_right(n, k)))
				return;
	}
}

/* ---- sides ---- */

struct drawn {
	uint32_t n, nroots;
	uint32_t place[MOST], root[MOST];	/* of each item */
	bool permuted, rooted;
	struct wf_dist_side *side;
};

static struct wf_dist_array *array_of(const uint32_t *values, size_t n)
{
	struct wf_dist_array *a = wf_dist_array_new(n);

	for (size_t i = 0; i < n; i++)
		a->at[i] = values[i];
	return a;
}

static void shuffle(struct wf_random *random, struct drawn *d)
{
	for (uint32_t i = 0; i < d->n; i++)
		d->place[i] = i;
	for (uint32_t i = d->n; d->permuted && i > 1; i--) {
		uint32_t k = (uint32_t)wf_random_below(random, i);
		uint32_t held = d->place[i - 1];

		d->place[i - 1] = d->place[k];
		d->place[k] = held;
	}
}

/* Roots with as many items as come, some without. */
static void fan_out(struct wf_random *random, struct drawn *d, uint32_t *offs)
{
	uint32_t at = 0;

	offs[0] = 0;
	for (d->nroots = 0; at < d->n || wf_random_below(random, 2);) {
		uint32_t more = (uint32_t)wf_random_below(random, 4);

		for (; more && at < d->n; more--)
			d->root[at++] = d->nroots;
		offs[++d->nroots] = at;
	}
}

/* One message; t: which shape. */
static void draw(struct wf_random *random, struct drawn *d, int t)
{
	uint32_t offs[16 * MOST], content[2], zero = 0;

	*d = (struct drawn){ .permuted = t & 1, .rooted = t & 2 };
	d->n = 1 + (uint32_t)wf_random_below(random, 12);
	shuffle(random, d);
	fan_out(random, d, offs);
	content[0] = 0;
	content[1] = d->n;
	d->side = wf_dist_side_new();
	wf_dist_side_put(d->side, WF_MSGS2RANKS, array_of(&zero, 1));
	wf_dist_side_put(d->side, WF_MSGS2CONTENT, array_of(content, 2));
	if (d->permuted)
		wf_dist_side_put(d->side, WF_ITEMS2CONTENT,
				 array_of(d->place, d->n));
	if (d->rooted)
		wf_dist_side_put(d->side, WF_ROOTS2ITEMS,
				 array_of(offs, (size_t)d->nroots + 1));
}

/* Does each place send its own source, or get its own item? */
static bool in_place(const struct drawn *d, bool sends)
{
	for (uint32_t i = 0; i < d->n; i++)
		if (d->place[i] != (sends && d->rooted ? d->root[i] : i))
			return false;
	return true;
}

/* Without a list where it would be the identity. */
static bool sends_and_gets(const struct drawn *d)
{
	struct wf_dist_ends send, recv;
	bool good = !wf_dist_side_send(d->side, &send) &&
		    !wf_dist_side_recv(d->side, &recv) &&
		    send.offs[1] == d->n && recv.offs == send.offs &&
		    !send.at == in_place(d, true) &&
		    !recv.at == in_place(d, false);

	for (uint32_t i = 0; good && i < d->n; i++) {
		uint32_t c = d->place[i];

		good = (send.at ? send.at[c] : c) ==
		       (d->rooted ? d->root[i] : i) &&
		       (recv.at ? recv.at[c] : c) == i;
	}
	return good;
}

static bool folds(const struct drawn *d)
{
	struct wf_dist_fold fold;
	bool in_order = true, good = !wf_dist_side_fold(d->side, &fold) &&
				     !fold.at == !d->rooted &&
				     !fold.items2content == !d->permuted;

	for (uint32_t i = 0; good && d->rooted && i < d->n; i++) {
		bool first = !i || d->root[i] != d->root[i - 1];

		good = fold.at[d->place[i]] ==
		       (d->root[i] | (first ? WF_FOLD_FIRST : 0));
		in_order &= first || d->place[i] > d->place[i - 1];
	}
	return good && fold.in_order == in_order;
}

static void of_sides(bool (*holds)(const struct drawn *d))
{
	struct wf_random random;
	struct drawn d;
	bool good = true;

	wf_random_init(&random, 4);
	for (int t = 0; good && t < TRIALS; t++) {
		draw(&random, &d, t);
		good = TAP_CHECK(holds(&d));
		wf_dist_side_drop(d.side);
	}
}

static void exchanged(void)
{
	of_sides(sends_and_gets);
}

static void folded(void)
{
	of_sides(folds);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "ranks", by_ranks },
		{ "roots", by_roots },
		{ "roots with one position each", by_permuted_roots },
		{ "global numbers", by_numbers },
		{ "sweeps, of each length about a block", sweeps },
		{ "sources and items of content", exchanged },
		{ "folds", folded }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
