/* SPDX-License-Identifier: BSD-3-Clause */
/* Life and copies of what is staged: see staged.h. */
#include "plan/staged.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "base/assert.h"

enum {
	ARENA_LEAST = 4 << 10,		/* bytes */
	ARENA_MOST = 1 << 20,
	ARENA_AMPLE = 16 << 20,
	LEFT_MOST = 1 << 20,		/* what one that is left may have, */
	REST_MOST = 64 << 10,		/* and of several that rest each */
	ALIGN = _Alignof(max_align_t),
	NEAR = 8192			/* bytes */
};

/* Nothing is cleared: all of it is written before it is read. */
static int find_room(struct wf_staged *staged)
{
	struct wf_segment *segment = &staged->job->segment;
	uint64_t most = staged->ample ? ARENA_AMPLE : ARENA_MOST;
	uint64_t bytes = staged->bytes;

	if (bytes > PTRDIFF_MAX)
		return WEFT_ERR_NOMEM;
	staged->in_arena = staged->given < staged->n &&
			   bytes >= ARENA_LEAST && bytes <= most &&
			   !wf_segment_alloc_raw(segment, bytes, 64,
						 &staged->offset);
	if (staged->in_arena) {
		staged->packed = wf_segment_at(segment, staged->offset);
		return WEFT_OK;
	}
	if (staged->room < bytes) {
		free(staged->heap);
		staged->heap = malloc(bytes);
		staged->room = staged->heap ? bytes : 0;
	}
	staged->packed = staged->heap;
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

/* The one that was left, if it has room for so many parts. */
static struct wf_staged *take_left(size_t most, struct wf_staged **left)
{
	struct wf_staged *staged = left ? *left : NULL;

	if (!staged || staged->most < most)
		return NULL;
	*left = NULL;
	return staged;
}

struct wf_staged *wf_staged_begin(struct weft_job *job, size_t most,
				  struct wf_staged **left)
{
	struct wf_staged *staged = take_left(most, left);

	if (!staged && most <= INT_MAX)
		staged = malloc(sizeof(*staged) +
				most * sizeof(staged->part[0]));
	else if (staged)
		return staged;
	if (!staged)
		return NULL;
	*staged = (struct wf_staged){ .job = job, .most = most };
	return staged;
}

static void destroy(struct wf_staged *staged)
{
	free(staged->heap);
	free(staged);
}

int wf_staged_lay(struct wf_staged **staged_p, int given, int n)
{
	struct wf_staged *staged = *staged_p;

	staged->given = given;
	staged->n = n;
	staged->bytes = lay_out(staged);
	if (find_room(staged)) {
		*staged_p = NULL;
		destroy(staged);
		return WEFT_ERR_NOMEM;
	}
	for (int i = 0; i < n; i++)
		if (staged->part[i].type)
			wf_type_hold(staged->part[i].type);
	return WEFT_OK;
}

int wf_staged_make(struct weft_job *job, const struct wf_staged_part *part,
		   int given, int n, struct wf_staged **staged_p)
{
	*staged_p = wf_staged_begin(job, (size_t)n, NULL);
	if (!*staged_p)
		return WEFT_ERR_NOMEM;
	memcpy((*staged_p)->part, part, (size_t)n * sizeof(*part));
	return wf_staged_lay(staged_p, given, n);
}

int wf_staged_make_one(struct weft_job *job, const struct weft_part *part,
		       uint64_t bytes, struct wf_staged **staged_p)
{
	const struct wf_staged_part one = {
		.type = part->type, .base = part->base, .bytes = bytes
	};

	return wf_staged_make(job, &one, 1, 1, staged_p);
}

/* All but its own memory. */
static void empty(struct wf_staged *staged)
{
	wf_fold_free(staged->fold);
	for (int i = 0; i < staged->n; i++)
		if (staged->part[i].type)
			wf_type_unhold(staged->part[i].type);
	if (staged->in_arena)
		wf_segment_free(&staged->job->segment, staged->offset);
	for (int i = 0; staged->let_go && i < 2; i++)
		staged->let_go(staged->owner[i]);
}

void wf_staged_free(struct wf_staged *staged)
{
	if (!staged)
		return;
	empty(staged);
	destroy(staged);
}

/* What has owners is as long as their lists, which stay. */
static bool is_too_large(const struct wf_staged *staged)
{
	return !staged->let_go &&
	       (staged->room > LEFT_MOST ||
		staged->most > LEFT_MOST / sizeof(staged->part[0]));
}

/* Of two the one with room for more parts stays. */
void wf_staged_leave(struct wf_staged *staged, struct wf_staged **left)
{
	if (is_too_large(staged) || (*left && (*left)->most >= staged->most)) {
		wf_staged_free(staged);
		return;
	}
	if (*left)
		destroy(*left);
	empty(staged);
	*staged = (struct wf_staged){
		.job = staged->job, .most = staged->most,
		.heap = staged->heap, .room = staged->room
	};
	*left = staged;
}

/* ---- one that stays ---- */

void wf_staged_rest(struct wf_staged *staged)
{
	if (staged->in_arena)
		wf_segment_free(&staged->job->segment, staged->offset);
	if (staged->room > REST_MOST) {
		free(staged->heap);
		staged->heap = NULL;
		staged->room = 0;
	}
	staged->in_arena = false;
	staged->packed = NULL;
}

int wf_staged_wake(struct wf_staged *staged)
{
	return find_room(staged);
}

bool wf_staged_is_light(const struct wf_staged *staged)
{
	return staged->room <= REST_MOST;
}

/* As numbers: without packets it may be NULL. */
static void move_by(char **base, uintptr_t by)
{
	*base = (char *)((uintptr_t)*base + by);
}

void wf_staged_move(struct wf_staged *staged, char *const base[2])
{
	if (base[0] == staged->base[0] && base[1] == staged->base[1])
		return;
	for (int i = 0; i < staged->n; i++) {
		bool got = i >= staged->given;

		move_by(&staged->part[i].base, (uintptr_t)base[got] -
			(uintptr_t)staged->base[got]);
	}
	if (staged->all.index)
		staged->all.base = base[1];
	if (staged->fold)
		staged->fold->of.base = base[1];
	staged->base[0] = base[0];
	staged->base[1] = base[1];
}

/* ---- a part, packed bytes of it from so many on ---- */

static struct wf_packets packets_of(const struct wf_staged_part *part)
{
	return (struct wf_packets){ part->base, part->unit, part->index };
}

/* Of a packet with gaps in it, as of elements at its place. */
static char *packet_at(const struct wf_staged_part *part, uint64_t i)
{
	size_t size = wf_type_bytes(part->type);
	ptrdiff_t step = (ptrdiff_t)(part->unit / size) *
			 wf_shape_extent(&part->type->shape);
	ptrdiff_t at = (ptrdiff_t)(part->index ? part->index[i] : i);

	return part->base + at * step;
}

static void pack_each(const struct wf_staged_part *part, uint64_t from,
		      char *to, uint64_t n)
{
	for (uint64_t some; n; n -= some, from += some, to += some) {
		uint64_t off = from % part->unit, rest = part->unit - off;

		some = n < rest ? n : rest;
		wf_gather(part->type, packet_at(part, from / part->unit), off,
			  to, some);
	}
}

static void unpack_each(const struct wf_staged_part *part, uint64_t from,
			const char *data, uint64_t n)
{
	for (uint64_t some; n; n -= some, from += some, data += some) {
		uint64_t off = from % part->unit, rest = part->unit - off;

		some = n < rest ? n : rest;
		wf_scatter(part->type, packet_at(part, from / part->unit), off,
			   data, some);
	}
}

static void pack(const struct wf_staged_part *part, uint64_t from, char *to,
		 uint64_t n)
{
	const struct wf_packets packets = packets_of(part);

	if (!part->type)
		wf_packets_gather(&packets, from, to, n);
	else if (part->unit)
		pack_each(part, from, to, n);
	else
		wf_gather(part->type, part->base, from, to, n);
}

static void unpack(const struct wf_staged_part *part, uint64_t from,
		   const char *data, uint64_t n)
{
	const struct wf_packets packets = packets_of(part);

	if (!part->type)
		wf_packets_scatter(&packets, from, data, n);
	else if (part->unit)
		unpack_each(part, from, data, n);
	else
		wf_scatter(part->type, part->base, from, data, n);
}

/* ---- by way of the copy ---- */

static void gather(const struct wf_staged *staged, struct wf_staged_part *part)
{
	if (part->moved)
		return;
	part->moved = true;
	pack(part, 0, staged->packed + part->at, part->bytes);
	wf_job_copied(staged->job, part->bytes);
}

static void scatter(const struct wf_staged *staged,
		    const struct wf_staged_part *part)
{
	if (part->moved)
		return;
	unpack(part, 0, staged->packed + part->at, part->bytes);
	wf_job_copied(staged->job, part->bytes);
}

void wf_staged_rewind(struct wf_staged *staged)
{
	for (int i = 0; i < staged->n; i++)
		staged->part[i].moved = false;
	if (staged->fold)
		wf_fold_rewind(staged->fold);
}

void wf_staged_gather(struct wf_staged *staged)
{
	wf_staged_rewind(staged);
	for (int i = 0; i < staged->given; i++)
		gather(staged, &staged->part[i]);
}

/* Loads of any order overlap, where stores wait for each other. */
static void fetch_all(const struct wf_staged *staged)
{
	const struct wf_packets from = {
		wf_staged_got(staged), staged->all.unit, staged->all.index
	};
	size_t bytes = staged->nall * staged->all.unit;

	wf_packets_gather(&from, 0, staged->all.base, bytes);
	wf_job_copied(staged->job, bytes);
}

void wf_staged_scatter(const struct wf_staged *staged)
{
	if (staged->all.index) {
		fetch_all(staged);
		return;
	}
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

/* ---- without it ---- */

/* The part that has byte *from_p of an edge; it becomes that of the part. */
static const struct wf_staged_part *find(const struct wf_staged_part *part,
					 uint64_t *from_p)
{
	for (; *from_p >= part->bytes; part++)
		*from_p -= part->bytes;
	return part;
}

static uint64_t within(const struct wf_staged_part *part, uint64_t from,
		       uint64_t n)
{
	return n < part->bytes - from ? n : part->bytes - from;
}

/*
 * Small pieces are packed in the cache of this core first: stores of some bytes
 * each keep few of the peer's cache lines under way, and a copy many.
 */
static void pack_far(const struct wf_staged_part *part, uint64_t from, char *to,
		     uint64_t n)
{
	char near[NEAR];

	for (uint64_t some; n; n -= some, from += some, to += some) {
		some = n < NEAR ? n : NEAR;
		pack(part, from, near, some);
		memcpy(to, near, some);
	}
}

static void unpack_far(const struct wf_staged_part *part, uint64_t from,
		       const char *data, uint64_t n)
{
	char near[NEAR];

	for (uint64_t some; n; n -= some, from += some, data += some) {
		some = n < NEAR ? n : NEAR;
		memcpy(near, data, some);
		unpack(part, from, near, some);
	}
}

void wf_staged_pack(const struct wf_staged *staged, int edge, uint64_t from,
		    char *to, uint64_t n)
{
	const struct wf_staged_part *part =
		&staged->part[edge * staged->per_out];

	for (uint64_t some; n; n -= some, to += some, from += some) {
		uint64_t at = from;
		const struct wf_staged_part *p = find(part, &at);

		some = within(p, at, n);
		pack_far(p, at, to, some);
	}
}

void wf_staged_unpack(const struct wf_staged *staged, int edge, uint64_t from,
		      const char *data, uint64_t n)
{
	const struct wf_staged_part *part =
		&staged->part[staged->given + edge * staged->per_edge];

	for (uint64_t some; n; n -= some, data += some, from += some) {
		uint64_t at = from;
		const struct wf_staged_part *p = find(part, &at);

		some = within(p, at, n);
		unpack_far(p, at, data, some);
	}
}

bool wf_staged_is_gathered(const struct wf_staged *staged, int edge)
{
	return !staged->per_out || staged->part[edge * staged->per_out].moved;
}

void wf_staged_gather_edge(struct wf_staged *staged, int edge)
{
	for (int k = 0; k < staged->per_out; k++)
		gather(staged, &staged->part[edge * staged->per_out + k]);
}

void wf_staged_was_unpacked(struct wf_staged *staged, int edge)
{
	int first = staged->given + edge * staged->per_edge;

	for (int k = 0; k < staged->per_edge; k++)
		staged->part[first + k].moved = true;
}
