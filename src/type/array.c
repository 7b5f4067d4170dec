/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Constructors of datatypes that are part of an array: dimension by dimension,
 * the fastest one first, each repeats what those before have made (MPI 4.1,
 * 5.1.3 and 5.1.4).
 */
#include "type/making.h"

#include <string.h>
#include "job/job.h"

/* Elements of one dimension, as far as they are made. */
struct array {
	struct wf_making *m;
	ptrdiff_t stride;		/* bytes from an index to the next */
};

/* The fastest dimension first. */
static int dimension(int n, enum weft_order order, int i)
{
	return order == WEFT_ORDER_C ? n - 1 - i : i;
}

/* In the place of what was made so far; next goes with it. */
static void take(struct array *a, struct wf_shape *next)
{
	wf_shape_drop(&a->m->shape);
	a->m->shape = *next;
}

/* Blocks, of so many indices each, every so many indices, from one on. */
struct runs {
	size_t first, block, count, every;
};

static int make_runs(const struct array *a, const struct runs *r,
		     struct wf_shape *to)
{
	ptrdiff_t stride = a->stride, every, at;
	struct wf_shape one, all;
	int status;

	if (__builtin_mul_overflow(r->every, stride, &every) ||
	    __builtin_mul_overflow(r->first, stride, &at))
		return WEFT_ERR_RANGE;
	status = wf_shape_repeat(&a->m->shape, r->block, stride, &one);
	if (status)
		return status;
	status = wf_shape_repeat(&one, r->count, every, &all);
	wf_shape_drop(&one);
	if (status)
		return status;
	status = wf_shape_move(&all, at, to);
	wf_shape_drop(&all);
	return status;
}

static void begin(struct array *a, struct wf_making *m)
{
	const struct wf_shape *of = &m->recipe->types[0]->shape;

	*a = (struct array){ m, wf_shape_extent(of) };
	m->shape = *of;
	wf_shape_hold(of);
}

static int next_dimension(struct array *a, size_t size)
{
	return __builtin_mul_overflow(a->stride, size, &a->stride) ?
	       WEFT_ERR_RANGE : WEFT_OK;
}

/* The extent is that of the array. */
static int end(struct array *a, int status, struct weft_type **type_p)
{
	struct wf_making *m = a->m;

	if (!status)
		status = wf_shape_set_bounds(&m->shape, 0, a->stride);
	if (status)
		wf_shape_drop(&m->shape);
	return wf_making_end(m, status, type_p);
}

static int refuse_count(const struct wf_making *m, int n)
{
	return wf_job_fail(m->job, WEFT_ERR_ARG, "%s: part->n is %d, and "
			   "arrays have a dimension or more", m->call, n);
}

static int check_order(const struct wf_making *m, enum weft_order order)
{
	if (order == WEFT_ORDER_C || order == WEFT_ORDER_FORTRAN)
		return WEFT_OK;
	return wf_job_fail(m->job, WEFT_ERR_ARG, "%s: part->order is %d, and "
			   "no order", m->call, (int)order);
}

/* ---- subarray ---- */

static int check_subarray(const struct wf_making *m,
			  const struct weft_subarray *part)
{
	if (!part->sizes)
		return wf_job_fail_null(m->job, m->call, "part->sizes");
	if (!part->subsizes)
		return wf_job_fail_null(m->job, m->call, "part->subsizes");
	if (!part->starts)
		return wf_job_fail_null(m->job, m->call, "part->starts");
	for (int i = 0; i < part->n; i++) {
		if (part->subsizes[i] <= part->sizes[i] &&
		    part->starts[i] <= part->sizes[i] - part->subsizes[i])
			continue;
		return wf_job_fail(m->job, WEFT_ERR_ARG, "%s: dimension %d "
				   "has %zu indices, and not %zu from %zu on",
				   m->call, i, part->sizes[i],
				   part->subsizes[i], part->starts[i]);
	}
	return check_order(m, part->order);
}

static void note_subarray(struct wf_recipe *recipe,
			  const struct weft_subarray *part)
{
	size_t n = (size_t)part->n, *to = recipe->sizes;

	to[0] = n;
	memcpy(to + 1, part->sizes, n * sizeof(*to));
	memcpy(to + 1 + n, part->subsizes, n * sizeof(*to));
	memcpy(to + 1 + 2 * n, part->starts, n * sizeof(*to));
	to[1 + 3 * n] = part->order;
}

static int make_subarray(struct array *a, const struct weft_subarray *part)
{
	int status = WEFT_OK;

	for (int i = 0; !status && i < part->n; i++) {
		int d = dimension(part->n, part->order, i);
		struct runs runs = { part->starts[d], part->subsizes[d], 1, 0 };
		struct wf_shape next;

		status = make_runs(a, &runs, &next);
		if (status)
			return status;
		take(a, &next);
		status = next_dimension(a, part->sizes[d]);
	}
	return status;
}

int weft_type_subarray(struct weft_job *job, const struct weft_subarray *part,
		       const struct weft_type *of, struct weft_type **type_p)
{
	struct wf_making m = { .job = job, .call = "weft_type_subarray" };
	size_t n = part && part->n > 0 ? (size_t)part->n : 0;
	const struct wf_made_of args = {
		of, WEFT_COMBINER_SUBARRAY, 2 + 3 * n, 0, 1
	};
	int status = wf_making_begin(&m, &args, type_p);
	struct array a;

	if (status)
		return status;
	if (!part)
		status = wf_job_fail_null(job, m.call, "part");
	else
		status = n ? check_subarray(&m, part) :
			     refuse_count(&m, part->n);
	if (status)
		return wf_making_end(&m, status, type_p);
	note_subarray(m.recipe, part);
	begin(&a, &m);
	return end(&a, make_subarray(&a, part), type_p);
}

/* ---- darray ---- */

/* One dimension of it, and where in the grid this rank is. */
struct share {
	size_t size, block;
	size_t ranks, rank;
};

static size_t share_block(const struct weft_darray *part, int d)
{
	size_t size = part->sizes[d], ranks = (size_t)part->grid[d];

	if (part->how[d] == WEFT_DISTRIBUTE_NONE)
		return size;
	if (part->blocks && part->blocks[d])
		return part->blocks[d];
	return part->how[d] == WEFT_DISTRIBUTE_CYCLIC ? 1 :
	       (size ? (size - 1) / ranks + 1 : 1);
}

/*
 * The grid is in the order of C: the last dimension is the fastest.  No block
 * is longer than the dimension, nor empty.
 */
static struct share share_of(const struct weft_darray *part, int d)
{
	size_t block = share_block(part, d), below = 1;

	block = block < part->sizes[d] ? block : part->sizes[d];

	for (int i = d + 1; i < part->n; i++)
		below *= (size_t)part->grid[i];
	return (struct share){
		part->sizes[d], block ? block : 1, (size_t)part->grid[d],
		(size_t)part->rank / below % (size_t)part->grid[d]
	};
}

static int check_dimension(const struct wf_making *m,
			   const struct weft_darray *part, int d)
{
	size_t covered;

	if (part->grid[d] < 1)
		return wf_job_fail(m->job, WEFT_ERR_ARG, "%s: part->grid[%d] "
				   "is %d", m->call, d, part->grid[d]);
	if ((unsigned int)part->how[d] > WEFT_DISTRIBUTE_CYCLIC)
		return wf_job_fail(m->job, WEFT_ERR_ARG, "%s: part->how[%d] "
				   "is %d, and no distribution", m->call, d,
				   (int)part->how[d]);
	if (part->how[d] == WEFT_DISTRIBUTE_NONE && part->grid[d] != 1)
		return wf_job_fail(m->job, WEFT_ERR_ARG, "%s: dimension %d is "
				   "not distributed, and part->grid[%d] is %d",
				   m->call, d, d, part->grid[d]);
	if (part->how[d] != WEFT_DISTRIBUTE_BLOCK ||
	    __builtin_mul_overflow(share_block(part, d),
				   (size_t)part->grid[d], &covered) ||
	    covered >= part->sizes[d])
		return WEFT_OK;
	return wf_job_fail(m->job, WEFT_ERR_ARG, "%s: in dimension %d %d "
			   "blocks of %zu do not cover %zu indices", m->call,
			   d, part->grid[d], share_block(part, d),
			   part->sizes[d]);
}

static int check_grid(const struct wf_making *m,
		      const struct weft_darray *part)
{
	uint64_t ranks = 1;

	for (int d = 0; d < part->n && ranks <= INT32_MAX; d++) {
		int status = check_dimension(m, part, d);

		if (status)
			return status;
		ranks *= (uint64_t)part->grid[d];
	}
	if (part->ranks < 1 || ranks != (uint64_t)part->ranks)
		return wf_job_fail(m->job, WEFT_ERR_ARG, "%s: part->ranks is "
				   "%d, and the grid has %llu", m->call,
				   part->ranks, (unsigned long long)ranks);
	if (part->rank < 0 || part->rank >= part->ranks)
		return wf_job_fail(m->job, WEFT_ERR_ARG, "%s: part->rank is "
				   "%d, and ranks are 0 to %d", m->call,
				   part->rank, part->ranks - 1);
	return WEFT_OK;
}

static int check_darray(const struct wf_making *m,
			const struct weft_darray *part)
{
	int status;

	if (!part->sizes)
		return wf_job_fail_null(m->job, m->call, "part->sizes");
	if (!part->how)
		return wf_job_fail_null(m->job, m->call, "part->how");
	if (!part->grid)
		return wf_job_fail_null(m->job, m->call, "part->grid");
	status = check_grid(m, part);
	return status ? status : check_order(m, part->order);
}

static void note_darray(struct wf_recipe *recipe,
			const struct weft_darray *part)
{
	size_t n = (size_t)part->n, *to = recipe->sizes;

	to[0] = (size_t)part->ranks;
	to[1] = (size_t)part->rank;
	to[2] = n;
	for (size_t i = 0; i < n; i++) {
		to[3 + i] = part->sizes[i];
		to[3 + n + i] = part->how[i];
		to[3 + 2 * n + i] = part->blocks ? part->blocks[i] : 0;
		to[3 + 3 * n + i] = (size_t)part->grid[i];
	}
	to[3 + 4 * n] = part->order;
}

/* Whole blocks of a rank, and one that the end of the dimension cuts. */
struct shares {
	struct runs whole, cut;
};

/* Every so many indices a block of each rank; beyond the numbers: one alone. */
static struct shares find_shares(const struct share *s)
{
	size_t first, every, behind, periods, rest, count;

	if (__builtin_mul_overflow(s->rank, s->block, &first) ||
	    first > s->size)
		first = s->size;
	if (__builtin_mul_overflow(s->ranks, s->block, &every))
		every = SIZE_MAX;
	behind = s->size - first;
	periods = behind / every;
	rest = behind - periods * every;
	count = periods + (rest >= s->block);
	return (struct shares){
		{ first, s->block, count, count > 1 ? every : 0 },
		{ first + periods * every, rest < s->block ? rest : 0, 1, 0 }
	};
}

static int make_share(struct array *a, const struct share *s)
{
	struct shares shares = find_shares(s);
	struct wf_shape list[2], next;
	int status = make_runs(a, &shares.whole, &list[0]);

	if (status)
		return status;
	status = make_runs(a, &shares.cut, &list[1]);
	if (status) {
		wf_shape_drop(&list[0]);
		return status;
	}
	status = wf_shape_join(list, 2, &next);
	wf_shape_drop(&list[0]);
	wf_shape_drop(&list[1]);
	if (!status)
		take(a, &next);
	return status;
}

static int make_darray(struct array *a, const struct weft_darray *part)
{
	int status = WEFT_OK;

	for (int i = 0; !status && i < part->n; i++) {
		int d = dimension(part->n, part->order, i);
		struct share share = share_of(part, d);

		status = make_share(a, &share);
		if (!status)
			status = next_dimension(a, share.size);
	}
	return status;
}

int weft_type_darray(struct weft_job *job, const struct weft_darray *part,
		     const struct weft_type *of, struct weft_type **type_p)
{
	struct wf_making m = { .job = job, .call = "weft_type_darray" };
	size_t n = part && part->n > 0 ? (size_t)part->n : 0;
	const struct wf_made_of args = {
		of, WEFT_COMBINER_DARRAY, 4 + 4 * n, 0, 1
	};
	int status = wf_making_begin(&m, &args, type_p);
	struct array a;

	if (status)
		return status;
	if (!part)
		status = wf_job_fail_null(job, m.call, "part");
	else
		status = n ? check_darray(&m, part) : refuse_count(&m, part->n);
	if (status)
		return wf_making_end(&m, status, type_p);
	note_darray(m.recipe, part);
	begin(&a, &m);
	return end(&a, make_darray(&a, part), type_p);
}
