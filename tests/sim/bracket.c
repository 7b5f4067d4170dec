/* SPDX-License-Identifier: BSD-3-Clause */
/* Values and what they combine to: see bracket.h. */
#include "tests/sim/bracket.h"

#include <stdlib.h>
#include <string.h>
#include "base/list.h"
#include "tests/sim/element.h"
#include "type/element.h"

/* Elements of the vectors of all ranks. */
struct slice {
	const struct bracket *by;
	uint64_t key;
	size_t first, n;
};

static size_t extent(const struct slice *s)
{
	return (size_t)weft_type_extent(s->by->type);
}

static char *make_vector(const struct slice *s)
{
	char *vector = calloc(s->n + 1, extent(s));

	if (!vector)
		abort();
	return vector;
}

static void fill(const struct slice *s, int rank, char *to)
{
	for (size_t i = 0; i < s->n; i++)
		element_give(s->by->type, rank, s->key + s->first + i,
			     to + i * extent(s));
}

static void combine(const struct slice *s, const char *left, char *right)
{
	struct weft_part part = weft_part(right, s->n, s->by->type);

	if (weft_reduce_local(s->by->job, left, part, s->by->op))
		abort();
}

/* Ranks [low, end), by halves. */
static void halve(const struct slice *s, int low, int end, char *to)
{
	int middle = (low + end + 1) / 2;
	char *left;

	if (end - low == 1) {
		fill(s, low, to);
		return;
	}
	left = make_vector(s);
	halve(s, low, middle, left);
	halve(s, middle, end, to);
	combine(s, left, to);
	free(left);
}

/* One range more to the right. */
static void append(const struct slice *s, int low, int end, char *sum)
{
	char *range = make_vector(s);

	halve(s, low, end, range);
	if (low)
		combine(s, sum, range);
	memcpy(sum, range, s->n * extent(s));
	free(range);
}

/* Ranks [0, upto): the largest ranges that they are, from the left. */
static void fold_up(const struct slice *s, int ranks, int upto, char *sum)
{
	int low = 0, end = ranks;

	while (end > upto) {
		int middle = (low + end + 1) / 2;

		if (upto <= middle) {
			end = middle;
			continue;
		}
		append(s, low, middle, sum);
		low = middle;
	}
	append(s, low, end, sum);
}

static struct slice slice_of(const struct play_values *v, const struct deed *d,
			     size_t first, size_t n)
{
	return (struct slice){
		.by = wf_container(v, struct bracket, values),
		.key = d->key % 1000, .first = first, .n = n
	};
}

/* Gaps stay as they are. */
static void lay_out(const struct slice *s, char *vector, char *at)
{
	size_t bytes = s->n * weft_type_size(s->by->type);
	char *packed = make_vector(s);

	wf_gather(s->by->type, vector, 0, packed, bytes);
	wf_scatter(s->by->laid, at, 0, packed, bytes);
	free(packed);
	free(vector);
}

static void give(const struct play_values *v, const struct deed *d, int rank,
		 size_t first, size_t n, char *at)
{
	struct slice s = slice_of(v, d, first, n);
	char *vector = make_vector(&s);

	fill(&s, rank, vector);
	lay_out(&s, vector, at);
}

static void fold(const struct play_values *v, const struct deed *d, int end,
		 size_t first, size_t n, char *at)
{
	struct slice s = slice_of(v, d, first, n);
	char *vector = make_vector(&s);

	fold_up(&s, d->size, end, vector);
	lay_out(&s, vector, at);
}

struct bracket bracket_of(struct weft_job *job, const struct weft_type *type,
			  const struct weft_op *op)
{
	return (struct bracket){
		.values = {
			.stride = (size_t)weft_type_extent(type),
			.give = give, .fold = fold,
			.meant = element_meant(type)
		},
		.job = job, .type = type, .laid = type, .op = op
	};
}
