/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions as the MPI standard shows them (2.2, examples 5.17 to 5.20):
 * where the largest value of each place is, also with an index that is a
 * double, where the least of all is, a product of complex numbers; and an
 * operation that takes 16 bytes for one number.
 */
#include "tests/sim/user_op.h"

enum {
	PLACES = 30,
	LENGTH = 1000,			/* values of a rank at most */
	FACTORS = 100
};

/* Values of a place that some ranks have alike: the lowest one counts. */
static double value_of(int rank, int place)
{
	return (rank * 7 + place * 3) % 5;
}

static int rank_of_largest(int size, int place)
{
	int best = 0;

	for (int r = 1; r < size; r++)
		if (value_of(r, place) > value_of(best, place))
			best = r;
	return best;
}

static void largest(const struct player *p, int root)
{
	struct {
		double value;
		int rank;
	} in[PLACES], out[PLACES];

	for (int i = 0; i < PLACES; i++) {
		in[i].value = value_of(p->me, i);
		in[i].rank = p->me;
	}
	good(p, weft_reduce(p->world, in,
			    weft_part(out, PLACES, &weft_type_double_int),
			    &weft_op_maxloc, root), "reduce of double_int");
	for (int i = 0; i < PLACES && p->me == root; i++) {
		int rank = rank_of_largest(p->size, i);

		if (out[i].rank != rank || out[i].value != value_of(rank, i))
			wf_sim_fail(p->rank, "place %d: %g of rank %d, not %d",
				    i, out[i].value, out[i].rank, rank);
	}
}

static void largest_of_doubles(const struct player *p, int root)
{
	double in[PLACES][2], out[PLACES][2];

	for (int i = 0; i < PLACES; i++) {
		in[i][0] = value_of(p->me, i);
		in[i][1] = p->me;
	}
	good(p, weft_reduce(p->world, in,
			    weft_part(out, PLACES, &weft_type_2double),
			    &weft_op_maxloc, root), "reduce of 2double");
	for (int i = 0; i < PLACES && p->me == root; i++) {
		int rank = rank_of_largest(p->size, i);

		if ((int)out[i][1] != rank || out[i][0] != value_of(rank, i))
			wf_sim_fail(p->rank, "place %d: %g of rank %g, not %d",
				    i, out[i][0], out[i][1], rank);
	}
}

/* The least value of all, the rank that has it, and its index there. */
static void least(const struct player *p, int root)
{
	struct {
		float value;
		int index;
	} in = { 1e30F, 0 }, out;
	int count = LENGTH - p->me, rank = p->size / 2, index = 17;

	for (int i = 0; i < count; i++) {
		bool there = p->me == rank && i >= index;
		float value = there ? -1.5F : (float)(i % 50);

		if (value < in.value) {
			in.value = value;
			in.index = p->me * LENGTH + i;
		}
	}
	good(p, weft_reduce(p->world, &in,
			    weft_part(&out, 1, &weft_type_float_int),
			    &weft_op_minloc, root), "reduce of float_int");
	if (p->me != root)
		return;
	if (out.value != -1.5F || out.index / LENGTH != rank ||
	    out.index % LENGTH != index)
		wf_sim_fail(p->rank, "%g at %d", (double)out.value, out.index);
}

/* ---- operations of the program ---- */

struct complex {
	double real, imag;
};

static struct complex product(struct complex a, struct complex b)
{
	return (struct complex){
		a.real * b.real - a.imag * b.imag,
		a.real * b.imag + a.imag * b.real
	};
}

static void multiply(const void *in, void *inout, size_t n,
		     const struct weft_type *type, void *arg)
{
	const struct complex *l = in;
	struct complex *r = inout;

	(void)type;
	(void)arg;
	for (size_t i = 0; i < n; i++)
		r[i] = product(l[i], r[i]);
}

/* Of units: no product is rounded, in any bracket. */
static struct complex factor_of(int rank, int i)
{
	static const struct complex unit[] = {
		{ 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 }
	};

	return unit[(rank * 5 + i) % 4];
}

static void complex_products(const struct player *p, int root)
{
	struct complex in[FACTORS], out[FACTORS];
	struct weft_type *type = NULL;
	struct weft_op *op = make(p, multiply, NULL, 0);

	good(p, weft_type_contiguous(p->job, 2, &weft_type_double, &type),
	     "contiguous");
	good(p, weft_type_commit(type), "commit");
	for (int i = 0; i < FACTORS; i++)
		in[i] = factor_of(p->me, i);
	good(p, weft_reduce(p->world, in, weft_part(out, FACTORS, type), op,
			    root), "reduce of complex numbers");
	for (int i = 0; i < FACTORS && p->me == root; i++) {
		struct complex want = factor_of(0, i);

		for (int r = 1; r < p->size; r++)
			want = product(want, factor_of(r, i));
		if (out[i].real != want.real || out[i].imag != want.imag)
			wf_sim_fail(p->rank, "product %d", i);
	}
	good(p, weft_type_free(&type), "free");
	drop(p, op);
}

/* One number, however many elements of a byte it is said to be. */
static void add_once(const void *in, void *inout, size_t n,
		     const struct weft_type *type, void *arg)
{
	__int128 l, r;

	(void)type;
	*(bool *)arg |= n != sizeof(l);
	memcpy(&l, in, sizeof(l));
	memcpy(&r, inout, sizeof(r));
	r += l;
	memcpy(inout, &r, sizeof(r));
}

static void one_number(const struct player *p)
{
	__int128 x = (__int128)1 << (64 + p->me % 3), want = 0;
	bool cut = false;
	struct weft_op *op = make(p, add_once, &cut, 0);

	for (int r = 0; r < p->size; r++)
		want += (__int128)1 << (64 + r % 3);
	good(p, weft_allreduce(p->world, WEFT_IN_PLACE,
			       weft_part(&x, sizeof(x), &weft_type_byte), op),
	     "allreduce of bytes");
	if (x != want || cut)
		wf_sim_fail(p->rank, "16 bytes as a number%s",
			    cut ? ", cut" : "");
	drop(p, op);
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct player p;

	(void)arg;
	if (!enter(rank, &p))
		return;
	for (int root = 0; root < p.size; root += 1 + p.size / 4) {
		largest(&p, root);
		largest_of_doubles(&p, root);
		least(&p, root);
		complex_products(&p, root);
	}
	one_number(&p);
	leave(&p);
}

static void examples(void)
{
	for (int ranks = 1; ranks <= 40; ranks++)
		if (!sim_flow_seeds(ranks, 1, env, program, NULL))
			return;
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "1 to 40 ranks", examples },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
