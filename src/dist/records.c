/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records of items, given and got: see records.h.
 *
 * A record is in 32 bits each: the number of items, and then their roots.
 */
#include "dist/records.h"

#include <stdlib.h>
#include <string.h>
#include "coll/sparse.h"
#include "dist/sweep.h"

enum { HEAD = 1 };

/* ---- given ---- */

struct mail {
	struct weft_sparse sparse;
	size_t *bytes;
	uint32_t *content;
};

static void mail_free(struct mail *mail)
{
	free(mail->bytes);
	free(mail->content);
}

/* The roots of n items, those of content from a place on. */
static void fill_roots(const struct wf_dist_idxs *idxs,
		       const struct wf_dist_array *items, uint32_t from,
		       uint32_t n, uint32_t *restrict at)
{
	const uint32_t *item = items->at + from;
	const int32_t *roots = idxs->at;
	size_t stride = idxs->stride;

	if (items->is_identity) {
		wf_sweep_copy(roots + from * stride, stride, n, at);
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		at[i] = (uint32_t)roots[item[i] * stride];
}

static void fill(struct mail *mail, const struct wf_dist_side *side,
		 const struct wf_dist_idxs *idxs,
		 const struct wf_dist_array *items)
{
	const uint32_t *offs = side->array[WF_MSGS2CONTENT]->at;
	uint32_t *at = mail->content;

	for (int m = 0; m < mail->sparse.n; m++) {
		uint32_t n = offs[m + 1] - offs[m];

		mail->bytes[m] = (HEAD + (idxs ? n : 0)) * sizeof(*at);
		*at++ = n;
		if (!idxs)
			continue;
		fill_roots(idxs, items, offs[m], n, at);
		at += n;
	}
}

/* To be freed in any case.  WEFT_ERR_NOMEM. */
static int mail_make(struct mail *mail, struct wf_dist_side *side,
		     const struct wf_dist_idxs *idxs)
{
	size_t nmsgs = wf_dist_side_nmsgs(side);
	size_t words = nmsgs * HEAD + (idxs ? wf_dist_side_nitems(side) : 0);
	const struct wf_dist_array *items;

	mail->bytes = malloc(nmsgs * sizeof(*mail->bytes) + 1);
	mail->content = malloc(words * sizeof(*mail->content) + 1);
	if (!mail->bytes || !mail->content ||
	    wf_dist_side_get(side, WF_CONTENT2ITEMS, &items))
		return WEFT_ERR_NOMEM;
	mail->sparse = (struct weft_sparse){
		(int)nmsgs, (const int *)side->array[WF_MSGS2RANKS]->at,
		mail->bytes, mail->content
	};
	fill(mail, side, idxs, items);
	return WEFT_OK;
}

/* ---- got ---- */

/* Is it one, of so many bytes? */
static bool is_record(const struct wf_dist_setting *s, const uint32_t *at,
		      size_t bytes)
{
	return bytes >= HEAD * sizeof(*at) &&
	       bytes == (HEAD + (s->idxs ? (size_t)*at : 0)) * sizeof(*at);
}

/* Are all of them of this call, and not too many? */
static int check(const struct wf_dist_setting *s,
		 const struct weft_sparse_got *got)
{
	const uint32_t *at = got->base;
	uint64_t all = 0;

	for (int m = 0; m < got->n; m++) {
		if (!is_record(s, at, got->bytes[m]))
			return wf_job_fail(s->comm->job, WEFT_ERR_ARG,
					   "%s: rank %d makes another call",
					   s->origin.call, got->ranks[m]);
		all += *at;
		at += got->bytes[m] / sizeof(*at);
	}
	if (all > INT32_MAX)
		return wf_job_fail_for(s->comm->job, WEFT_ARGUMENT_COUNT,
				       WEFT_ERR_RANGE, "%s: %llu items go to "
				       "rank %d, and %d are the most",
				       s->origin.call, (unsigned long long)all,
				       s->comm->rank, INT32_MAX);
	return WEFT_OK;
}

/*
 * Messages as they came.  roots, behind the head of the first one, or NULL: the
 * others' move down there, so that all are in the order of content.
 */
static void read_records(const struct weft_sparse_got *got, uint32_t *ranks,
			 uint32_t *offs, uint32_t *roots)
{
	const uint32_t *at = got->base;

	offs[0] = 0;
	for (int m = 0; m < got->n; m++) {
		uint32_t n = *at++;

		ranks[m] = (uint32_t)got->ranks[m];
		offs[m + 1] = offs[m] + n;
		if (!roots)
			continue;
		if (m)
			memmove(roots + offs[m], at, n * sizeof(*at));
		at += n;
	}
}

static struct wf_dist_side *make_side(struct wf_dist_setting *s,
				      const struct weft_sparse_got *got,
				      uint32_t *roots)
{
	size_t n = (size_t)got->n;
	struct wf_dist_array *ranks = wf_dist_array_new(n);
	struct wf_dist_array *offs = wf_dist_array_new(n + 1);
	struct wf_dist_side *side = wf_dist_side_new();

	if (!ranks || !offs || !side) {
		wf_dist_array_drop(ranks);
		wf_dist_array_drop(offs);
		wf_dist_side_drop(side);
		wf_dist_lack(s, "what comes");
		return NULL;
	}
	read_records(got, ranks->at, offs->at, roots);
	wf_dist_side_put(side, WF_MSGS2RANKS, ranks);
	wf_dist_side_put(side, WF_MSGS2CONTENT, offs);
	return side;
}

static struct wf_dist_side *hear(struct wf_dist_setting *s,
				 const struct weft_sparse_got *got)
{
	uint32_t *roots = s->idxs && got->n ? (uint32_t *)got->base + HEAD :
					      NULL;
	struct wf_dist_side *side;

	s->status = check(s, got);
	if (s->status)
		return NULL;
	side = make_side(s, got, roots);
	if (side && s->idxs && wf_dist_check_idxs(s, side, roots))
		wf_dist_group(s, side, roots);
	return side;
}

struct wf_dist_side *wf_dist_tell(struct wf_dist_setting *s,
				  struct wf_dist_side *forward)
{
	struct weft_sparse_got got = { 0 };
	struct mail mail = { .bytes = NULL };
	struct wf_dist_side *side = NULL;

	if (!s->status && mail_make(&mail, forward, s->idxs))
		wf_dist_lack(s, "what it tells");
	s->status = wf_sparse_exchange(s->comm, s->origin.call, s->status,
				       &mail.sparse, &got, &s->whose);
	mail_free(&mail);
	if (!s->status)
		side = hear(s, &got);
	weft_sparse_free(&got);
	return side;
}
