/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How many basic elements are in the first bytes of some elements, and the
 * other way round, of drawn types four deep: each number of bytes against the
 * list of basic elements.
 */
#include <stdlib.h>
#include "tests/sim/scene.h"

enum {
	TYPES = 3000,
	DEEP = 4,
	MOST = 200,			/* basic elements of a type */
	PARTS = 4
};

/* A type, and the bytes of its basic elements, in their order. */
struct drawn {
	struct weft_type *made;		/* NULL: a constant */
	const struct weft_type *type;
	size_t n;
	unsigned char of[MOST];
};

struct artist {
	const struct scene *s;
	struct wf_random *random;
};

static const struct {
	const struct weft_type *type;
	size_t n;
	unsigned char of[2];
} basics[] = {
	{ &weft_type_char, 1, { 1 } },
	{ &weft_type_int16, 1, { 2 } },
	{ &weft_type_float, 1, { 4 } },
	{ &weft_type_double, 1, { 8 } },
	{ &weft_type_complex_double, 1, { 16 } },
	{ &weft_type_short_int, 2, { 2, 4 } },
	{ &weft_type_double_int, 2, { 8, 4 } },
	{ &weft_type_2int, 2, { 4, 4 } },
	{ &weft_type_float_int64, 2, { 4, 8 } },
	{ &weft_type_remote, 2, { 4, 4 } }
};

static size_t below(const struct artist *a, size_t n)
{
	return (size_t)wf_random_below(a->random, n);
}

static void add(struct drawn *to, const struct drawn *of, size_t times)
{
	for (; times; times--)
		for (size_t i = 0; i < of->n; i++)
			to->of[to->n++] = of->of[i];
}

static void done(const struct artist *a, struct drawn *d)
{
	if (d->made)
		ok(a->s, weft_type_free(&d->made), "free");
}

static void draw(const struct artist *a, struct drawn *d, int depth);

static void draw_basic(const struct artist *a, struct drawn *d)
{
	size_t i = below(a, TAP_COUNT(basics));

	d->type = basics[i].type;
	d->n = basics[i].n;
	for (size_t j = 0; j < d->n; j++)
		d->of[j] = basics[i].of[j];
}

/* By one of the constructors of one type. */
static void draw_same(const struct artist *a, struct drawn *d, int depth)
{
	size_t block[2] = { below(a, 3), below(a, 3) };
	const ptrdiff_t displs[2] = { 9, 2 };
	struct weft_job *job = a->s->job;
	struct drawn of = { .n = 0 };

	draw(a, &of, depth - 1);
	if (4 * of.n > MOST)
		block[0] = block[1] = 0;
	switch (below(a, 4)) {
	case 0:
		ok(a->s, weft_type_contiguous(job, block[0], of.type,
					      &d->made), "contiguous");
		add(d, &of, block[0]);
		break;
	case 1:
		ok(a->s, weft_type_vector(job, block[0], block[1], 3, of.type,
					  &d->made), "vector");
		add(d, &of, block[0] * block[1]);
		break;
	case 2:
		ok(a->s, weft_type_indexed(job, 2, block, displs, of.type,
					   &d->made), "indexed");
		add(d, &of, block[0] + block[1]);
		break;
	default:
		ok(a->s, weft_type_resized(job, of.type, -8, 4000, &d->made),
		   "resized");
		add(d, &of, 1);
	}
	done(a, &of);
}

static void draw_struct(const struct artist *a, struct drawn *d, int depth)
{
	struct drawn *part = calloc(PARTS, sizeof(*part));
	const struct weft_type *types[PARTS];
	size_t n = 1 + below(a, PARTS), count[PARTS];
	ptrdiff_t at[PARTS];

	for (size_t i = 0; i < n; i++) {
		draw(a, &part[i], depth - 1);
		types[i] = part[i].type;
		count[i] = below(a, 3);
		if (count[i] * part[i].n > MOST / PARTS)
			count[i] = 0;
		at[i] = 100000 * (ptrdiff_t)(n - i);
		add(d, &part[i], count[i]);
	}
	ok(a->s, weft_type_struct(a->s->job, n, count, at, types, &d->made),
	   "struct");
	for (size_t i = 0; i < n; i++)
		done(a, &part[i]);
	free(part);
}

static void draw(const struct artist *a, struct drawn *d, int depth)
{
	size_t what = depth ? below(a, 4) : 0;

	if (!what) {
		draw_basic(a, d);
		return;
	}
	if (what == 1)
		draw_same(a, d, depth);
	else
		draw_struct(a, d, depth);
	d->type = d->made;
}

/* ---- each number of bytes of two elements and a half ---- */

static void expect(const struct artist *a, const struct drawn *d,
		   uint64_t bytes, int64_t wanted)
{
	int64_t n = -1;
	uint64_t back = 1;

	ok(a->s, weft_type_elements(d->type, bytes, &n), "elements");
	if (n != wanted)
		wf_sim_fail(a->s->rank, "%lld elements in %llu bytes, not %lld",
			    (long long)n, (unsigned long long)bytes,
			    (long long)wanted);
	if (wanted < 0)
		return;
	ok(a->s, weft_type_element_bytes(d->type, (uint64_t)wanted, &back),
	   "bytes");
	if (back != bytes)
		wf_sim_fail(a->s->rank, "%llu bytes of %lld elements, not %llu",
			    (unsigned long long)back, (long long)wanted,
			    (unsigned long long)bytes);
}

static void check(const struct artist *a, const struct drawn *d)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < 2 * d->n + d->n / 2; i++) {
		unsigned char of = d->of[i % d->n];

		expect(a, d, bytes, (int64_t)i);
		for (unsigned char part = 1; part < of; part++)
			expect(a, d, bytes + part, WEFT_UNDEFINED);
		bytes += of;
	}
	if (d->n)
		return;
	expect(a, d, 0, 0);
	expect(a, d, 5, WEFT_UNDEFINED);
}

static void draw_many(struct wf_sim_rank *rank, void *arg)
{
	struct wf_random random;
	struct scene s;
	struct artist a = { &s, &random };

	(void)arg;
	if (!start(&s, rank))
		return;
	wf_random_init(&random, 5);
	for (int i = 0; i < TYPES; i++) {
		struct drawn d = { .n = 0 };

		draw(&a, &d, DEEP);
		check(&a, &d);
		done(&a, &d);
	}
	stop(&s);
}

static void drawn_types(void)
{
	run(1, 1, draw_many);
}

/* ---- large numbers, and what is refused ---- */

static void go_far(struct wf_sim_rank *rank, void *arg)
{
	const uint64_t most = INT64_MAX / 12 * 12;
	struct weft_type *none;
	uint64_t bytes = 7;
	int64_t n = 7;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_type_elements(&weft_type_double_int, most, &n), "most");
	if (n != (int64_t)(most / 6))
		wf_sim_fail(rank, "%lld elements", (long long)n);
	ok(&s, weft_type_element_bytes(&weft_type_double_int, most / 6 - 1,
				       &bytes), "most");
	if (bytes != most - 4)
		wf_sim_fail(rank, "not 2^63 bytes");
	ok(&s, weft_type_elements(&weft_type_char, UINT64_MAX, &n), "more");
	if (n != WEFT_UNDEFINED)
		wf_sim_fail(rank, "elements in 2^64 bytes");
	ok(&s, weft_type_contiguous(s.job, 0, &weft_type_int8, &none), "none");
	bytes = 7;
	if (weft_type_element_bytes(&weft_type_int16, UINT64_MAX, &bytes) !=
	    WEFT_ERR_RANGE ||
	    weft_type_element_bytes(none, 1, &bytes) != WEFT_ERR_RANGE ||
	    weft_type_elements(NULL, 1, &n) != WEFT_ERR_ARG ||
	    weft_type_elements(none, 1, NULL) != WEFT_ERR_ARG ||
	    weft_type_element_bytes(NULL, 1, &bytes) != WEFT_ERR_ARG ||
	    weft_type_element_bytes(none, 1, NULL) != WEFT_ERR_ARG ||
	    bytes != 7)
		wf_sim_fail(rank, "a wrong argument is taken");
	ok(&s, weft_type_element_bytes(none, 0, &bytes), "none of none");
	if (bytes)
		wf_sim_fail(rank, "bytes of none");
	ok(&s, weft_type_free(&none), "free");
	stop(&s);
}

static void far(void)
{
	run(1, 1, go_far);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "drawn types", drawn_types },
		{ "large numbers, and what is refused", far }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
