/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What operations of the program compute: matrices that do not commute,
 * strings, and a function whose value shows the bracket.
 */
#include "tests/sim/user_op.h"

enum {
	MATRIX = 4,			/* numbers, by rows */
	MOST = 100,			/* matrices */
	STRING = 64			/* bytes, with a 0 at the end */
};

/* ---- matrices ---- */

struct matrix {
	uint64_t a[MATRIX];
};

static struct matrix product(const struct matrix *l, const struct matrix *r)
{
	const uint64_t *a = l->a, *b = r->a;

	return (struct matrix){ {
		a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3],
		a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]
	} };
}

static void multiply(const void *in, void *inout, size_t n,
		     const struct weft_type *type, void *arg)
{
	const struct matrix *l = in;
	struct matrix *r = inout;

	(void)type;
	*(size_t *)arg += n % MATRIX;
	for (size_t i = 0; i < n / MATRIX; i++)
		r[i] = product(&l[i], &r[i]);
}

static struct matrix given(int rank, size_t i)
{
	struct matrix m;

	for (size_t k = 0; k < MATRIX; k++)
		m.a[k] = (uint64_t)(rank * 7 + 3) * (i + 5) + k * k +
			 (k == 0 || k == 3);
	return m;
}

/* Of the ranks [0, end). */
static struct matrix product_of(int end, size_t i)
{
	struct matrix m = given(0, i);

	for (int r = 1; r < end; r++) {
		struct matrix next = given(r, i);

		m = product(&m, &next);
	}
	return m;
}

static void compare(const struct player *p, const struct matrix *out, size_t n,
		    int end, const char *call)
{
	for (size_t i = 0; i < n; i++) {
		struct matrix want = product_of(end, i);

		if (!memcmp(&out[i], &want, sizeof(want)))
			continue;
		wf_sim_fail(p->rank, "%s of %zu matrices, %zu is wrong", call,
			    n, i);
		return;
	}
}

static void fill(const struct player *p, struct matrix *to, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = given(p->me, i);
}

static void matrices(const struct player *p, const struct weft_op *op, size_t n)
{
	struct matrix in[MOST], out[MOST];
	struct weft_part part = weft_part(out, n * MATRIX, &weft_type_uint64);

	fill(p, in, n);
	good(p, weft_allreduce(p->world, in, part, op), "allreduce");
	compare(p, out, n, p->size, "allreduce");
	good(p, weft_scan(p->world, in, part, op), "scan");
	compare(p, out, n, p->me + 1, "scan");
	good(p, weft_exscan(p->world, in, part, op), "exscan");
	compare(p, out, n, p->me ? p->me : 1, "exscan");
	fill(p, out, n);
	good(p, weft_allreduce(p->world, WEFT_IN_PLACE, part, op), "allreduce");
	compare(p, out, n, p->size, "allreduce in place");
	fill(p, out, n);
	good(p, weft_scan(p->world, WEFT_IN_PLACE, part, op), "scan");
	compare(p, out, n, p->me + 1, "scan in place");
	fill(p, out, n);
	if (memcmp(in, out, n * sizeof(*in)))
		wf_sim_fail(p->rank, "what was given has changed");
	good(p, weft_exscan(p->world, WEFT_IN_PLACE, part, op), "exscan");
	if (p->me)
		compare(p, out, n, p->me, "exscan in place");
}

static void matrix_program(struct wf_sim_rank *rank, void *arg)
{
	size_t rest = 0;
	struct weft_op *op;
	struct player p;

	(void)arg;
	if (!enter(rank, &p))
		return;
	op = make(&p, multiply, &rest, MATRIX);
	matrices(&p, op, 1);
	matrices(&p, op, 3);
	matrices(&p, op, MOST);
	if (rest)
		wf_sim_fail(rank, "a matrix was cut");
	drop(&p, op);
	leave(&p);
}

static void do_not_commute(void)
{
	for (int ranks = 1; ranks <= 33; ranks += ranks < 18 ? 1 : 5)
		if (!sim_flow_seeds(ranks, 1, env, matrix_program, NULL))
			return;
}

static void cut_at_random(void)
{
	set_check('2');
	for (int ranks = 1; ranks <= 9; ranks++)
		if (!sim_flow_seeds(ranks, 2, env, matrix_program, NULL))
			break;
	set_check('1');
}

/* ---- strings ---- */

static void append(const void *in, void *inout, size_t n,
		   const struct weft_type *type, void *arg)
{
	const char *left = in;
	char *right = inout;

	(void)type;
	(void)arg;
	for (; n >= STRING; n -= STRING, left += STRING, right += STRING) {
		char both[2 * STRING];

		snprintf(both, sizeof(both), "%s%s", left, right);
		memcpy(right, both, STRING);
	}
}

static void string_program(struct wf_sim_rank *rank, void *arg)
{
	char in[STRING] = "", out[STRING] = "", want[STRING] = "";
	struct weft_op *op;
	struct player p;

	(void)arg;
	if (!enter(rank, &p))
		return;
	op = make(&p, append, NULL, STRING);
	in[0] = (char)('A' + p.me);
	for (int r = 0; r < p.size; r++)
		want[r] = (char)('A' + r);
	good(&p, weft_allreduce(p.world, in, weft_part(out, STRING,
						       &weft_type_char), op),
	     "allreduce");
	if (strcmp(out, want))
		wf_sim_fail(rank, "\"%s\", not \"%s\"", out, want);
	drop(&p, op);
	leave(&p);
}

static void strings(void)
{
	for (int ranks = 1; ranks <= 33; ranks++)
		if (!sim_flow_seeds(ranks, 1, env, string_program, NULL))
			return;
}

/* ---- the bracket ---- */

static uint64_t mix(uint64_t a, uint64_t b)
{
	a = (a ^ b) * UINT64_C(0x9e3779b97f4a7c15);
	return a ^ (a >> 29);
}

static void hash(const void *in, void *inout, size_t n,
		 const struct weft_type *type, void *arg)
{
	const uint64_t *left = in;
	uint64_t *right = inout;

	(void)type;
	(void)arg;
	for (size_t i = 0; i < n; i++)
		right[i] = mix(left[i], right[i]);
}

static uint64_t halve(int low, int end)
{
	int middle = (low + end + 1) / 2;

	if (end - low == 1)
		return (uint64_t)low;
	return mix(halve(low, middle), halve(middle, end));
}

static void bracket_program(struct wf_sim_rank *rank, void *arg)
{
	uint64_t in, out[3];
	struct weft_op *op;
	struct player p;

	(void)arg;
	if (!enter(rank, &p))
		return;
	op = make(&p, hash, NULL, 0);
	in = (uint64_t)p.me;
	for (int i = 0; i < 3; i++)
		good(&p, weft_allreduce(p.world, &in, weft_part(&out[i], 1,
			&weft_type_uint64), op), "allreduce");
	for (int i = 0; i < 3; i++)
		if (out[i] != halve(0, p.size))
			wf_sim_fail(rank, "another bracket");
	drop(&p, op);
	leave(&p);
}

static void one_bracket(void)
{
	for (int ranks = 1; ranks <= 70; ranks += ranks < 35 ? 1 : 7)
		if (!sim_flow_seeds(ranks, 1, env, bracket_program, NULL))
			return;
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "matrices, which do not commute", do_not_commute },
		{ "the same cut at random", cut_at_random },
		{ "strings", strings },
		{ "one bracket", one_bracket },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
