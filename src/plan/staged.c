/* SPDX-License-Identifier: BSD-3-Clause */
/* Life and copies of what is staged: see staged.h. */
#include "plan/staged.h"

#include <stdlib.h>
#include <string.h>
#include "base/assert.h"

enum {
	ARENA_LEAST = 4 << 10,		/* bytes */
	ARENA_MOST = 1 << 20,
	ALIGN = _Alignof(max_align_t)
};

/* Nothing is cleared: all of it is written before it is read. */
static int find_room(struct wf_staged *staged, uint64_t bytes)
{
	struct wf_segment *segment = &staged->job->segment;

	if (bytes > PTRDIFF_MAX)
		return WEFT_ERR_NOMEM;
	staged->in_arena = staged->given < staged->n &&
			   bytes >= ARENA_LEAST && bytes <= ARENA_MOST &&
			   !wf_segment_alloc_raw(segment, bytes, 64,
						 &staged->offset);
	if (staged->in_arena)
		staged->packed = wf_segment_at(segment, staged->offset);
	else
		staged->packed = malloc(bytes);
	return staged->packed ? WEFT_OK : WEFT_ERR_NOMEM;
}

/*
 * Of all parts, whose places it sets; UINT64_MAX: too many.  What is got is
 * aligned for whatever combines it where it is.
 */
static uint64_t lay_out(struct wf_staged *staged)
{
	uint64_t bytes = 0;

	for (int i = 0; i < staged->n; i++) {
		if (i == staged->given &&
		    __builtin_add_overflow(bytes, -bytes % ALIGN, &bytes))
			return UINT64_MAX;
		staged->part[i].at = bytes;
		if (__builtin_add_overflow(bytes, staged->part[i].bytes,
					   &bytes))
			return UINT64_MAX;
	}
	return bytes + !bytes;
}

int wf_staged_make(struct weft_job *job, const struct wf_staged_part *part,
		   int given, int n, struct wf_staged **staged_p)
{
	struct wf_staged *staged = malloc(sizeof(*staged) +
					  (size_t)n * sizeof(*part));

	if (!staged)
		return WEFT_ERR_NOMEM;
	staged->job = job;
	staged->per_edge = 0;
	staged->fold = NULL;
	staged->given = given;
	staged->n = n;
	memcpy(staged->part, part, (size_t)n * sizeof(*part));
	if (find_room(staged, lay_out(staged))) {
		free(staged);
		return WEFT_ERR_NOMEM;
	}
	for (int i = 0; i < n; i++)
		wf_type_hold(part[i].type);
	*staged_p = staged;
	return WEFT_OK;
}

int wf_staged_make_one(struct weft_job *job, const struct weft_part *part,
		       uint64_t bytes, struct wf_staged **staged_p)
{
	const struct wf_staged_part one = {
		.type = part->type, .base = part->base, .bytes = bytes
	};

	return wf_staged_make(job, &one, 1, 1, staged_p);
}

void wf_staged_free(struct wf_staged *staged)
{
	if (!staged)
		return;
	wf_fold_free(staged->fold);
	for (int i = 0; i < staged->n; i++)
		wf_type_unhold(staged->part[i].type);
	if (staged->in_arena)
		wf_segment_free(&staged->job->segment, staged->offset);
	else
		free(staged->packed);
	free(staged);
}

void wf_staged_gather(const struct wf_staged *staged)
{
	for (int i = 0; i < staged->given; i++) {
		const struct wf_staged_part *part = &staged->part[i];

		wf_gather(part->type, part->base, 0,
			  staged->packed + part->at, part->bytes);
		wf_job_copied(staged->job, part->bytes);
	}
}

static void scatter(const struct wf_staged *staged,
		    const struct wf_staged_part *part)
{
	wf_scatter(part->type, part->base, 0, staged->packed + part->at,
		   part->bytes);
	wf_job_copied(staged->job, part->bytes);
}

void wf_staged_scatter(const struct wf_staged *staged)
{
	for (int i = staged->given; i < staged->n; i++)
		scatter(staged, &staged->part[i]);
}

void wf_staged_scatter_edge(const struct wf_staged *staged, int i)
{
	int first = staged->given + i * staged->per_edge;

	WF_ASSERT(first + staged->per_edge <= staged->n);
	for (int k = 0; k < staged->per_edge; k++)
		scatter(staged, &staged->part[first + k]);
}

void wf_staged_fold(const struct wf_staged *staged)
{
	int i = staged->given + staged->fold->next;
	const struct wf_staged_part *part = &staged->part[i];

	WF_ASSERT(i < staged->n);
	wf_fold_take(staged->fold, staged->packed + part->at, part->bytes);
	wf_job_reduced(staged->job, part->bytes);
}
