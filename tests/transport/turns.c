/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * turns OP: what one op of the transport takes, by turns between two
 * ranks, half of a round trip in microseconds; for who works on a backend.
 *
 *     weftrun -n 2 tests/transport/turns line
 *     weftrun -n 2 tests/transport/turns raised
 *     weftrun -n 2 tests/transport/turns stored
 *
 * A line of 8 bytes; a put of 8 bytes with a signal of the lower half, whose
 * raises the device reports, or with one of the upper half.  The rooms above
 * the transport do nothing meanwhile: they open, connect and close.
 */
#include "base/clock.h"
#include "job/job.h"
#include "job/peer.h"
#include "transport/line.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <weft.h>

enum {
	SAMPLES = 7,
	TURNS = 200,
	BYTES = 8,
	SPIN = 1024		/* looks at memory between those at a device */
};

/* What the other one writes to. */
struct card {
	uint64_t line, put;		/* offsets in the segment */
	uint64_t sig[2];		/* raised, stored */
};

struct table {
	struct weft_job *job;
	struct wf_ep *ep;		/* of the other one */
	struct card mine;
	struct wf_rloc line, put;	/* at the other one */
	uint32_t sig;			/* its signal; 0 for lines */
	const _Atomic uint64_t *count;	/* of mine */
	uint32_t own_sig;
	struct wf_line *in;
	bool ll;
	uint64_t out, number;		/* content */
	bool crowded;
};

static int fail(const char *what)
{
	fprintf(stderr, "turns: %s\n", what);
	return WEFT_ERR_INTERNAL;
}

static int send_line(struct table *t)
{
	uint32_t seq = wf_line_seq(t->number);
	int status;

	while ((status = wf_ep_line(t->ep, t->line, &t->number, BYTES,
					  seq)) == WEFT_AGAIN)
		t->ep->dev->ops->progress(t->ep->dev);
	return status;
}

static int send_put(struct table *t)
{
	int status;

	t->out = t->number;
	while ((status = t->ep->ops->put_signal(
			t->ep, wf_loc_any(&t->out), t->put, BYTES, t->sig,
			NULL)) == WEFT_AGAIN)
		t->ep->dev->ops->progress(t->ep->dev);
	return status;
}

static int send_one(struct table *t)
{
	return t->sig ? send_put(t) : send_line(t);
}

static bool is_here(const struct table *t)
{
	if (t->sig)
		return wf_signal_count(t->count, t->own_sig) >= t->number;
	return wf_line_has(t->in, t->ll, wf_line_seq(t->number));
}

/* A raise that the device reports is seen by its progress only. */
static void look(struct table *t, long i)
{
	bool reported = wf_signal_index(t->own_sig) < WF_SIGNAL_STORED;

	if (t->crowded)
		sched_yield();
	if ((t->sig && reported) || i % SPIN == 0)
		t->ep->dev->ops->progress(t->ep->dev);
}

static void receive_one(struct table *t)
{
	uint64_t content = 0;

	for (long i = 1; !is_here(t); i++)
		look(t, i);
	if (!t->sig) {
		wf_line_read(t->in, t->ll, &content, BYTES);
		if (t->ll)
			wf_ll_clear(t->in);
	} else {
		memcpy(&content, wf_segment_at(&t->job->segment, t->mine.put),
		       BYTES);
	}
	if (content != t->number)
		exit(fail("wrong content"));
}

static int turn(struct table *t)
{
	bool answers = t->job->rank == 1;
	int status = WEFT_OK;

	t->number++;
	if (answers)
		receive_one(t);
	status = send_one(t);
	if (!answers && !status)
		receive_one(t);
	return status;
}

/* The least of some samples: who else runs can only add. */
static int time_turns(struct table *t)
{
	uint64_t least = UINT64_MAX;
	int status = WEFT_OK;

	for (int s = 0; s < SAMPLES && !status; s++) {
		uint64_t took = wf_clock_ns();

		for (int i = 0; i < TURNS && !status; i++)
			status = turn(t);
		took = wf_clock_ns() - took;
		least = took < least ? took : least;
	}
	if (!status && t->job->rank == 0)
		printf("%s, one way: %.2f us\n", t->ep->dev->ops->name,
		       (double)least / TURNS / 2 / WF_NS_PER_US);
	return status;
}

/* ---- what it takes place on ---- */

static int lay(struct table *t)
{
	struct wf_segment *seg = &t->job->segment;
	uint32_t raised, stored;
	int status;

	status = wf_segment_alloc(seg, sizeof(struct wf_line),
				  WF_LINE_BYTES, &t->mine.line);
	if (!status)
		status = wf_segment_alloc(seg, BYTES, BYTES, &t->mine.put);
	if (!status)
		status = wf_signal_alloc(&t->job->signals, 0, &raised);
	if (!status)
		status = wf_signal_alloc_many(&t->job->signals, &stored);
	if (status)
		return status;
	t->mine.sig[0] = raised;
	t->mine.sig[1] = stored;
	t->in = wf_segment_at(seg, t->mine.line);
	return WEFT_OK;
}

static void clear(struct table *t)
{
	wf_segment_free(&t->job->segment, t->mine.line);
	wf_segment_free(&t->job->segment, t->mine.put);
	wf_signal_free(&t->job->signals, (uint32_t)t->mine.sig[0]);
	wf_signal_free(&t->job->signals, (uint32_t)t->mine.sig[1]);
}

/* The keys are those of the owner's device for this peer. */
struct place {
	struct card card;
	struct wf_rloc line, put;
};

/* Each rank adds zeros for the other one's. */
static int swap(struct table *t, struct place *theirs)
{
	struct wf_region *arena = &t->ep->dev->arena;
	const struct wf_tp_ops *ops = t->ep->dev->ops;
	struct place place[2];
	int me = t->job->rank, status;

	memset(place, 0, sizeof(place));
	place[me].card = t->mine;
	status = ops->key(arena, t->mine.line, &place[me].line);
	if (!status)
		status = ops->key(arena, t->mine.put, &place[me].put);
	if (!status)
		status = weft_allreduce(weft_job_world(t->job), WEFT_IN_PLACE,
					weft_part(place, sizeof(place) / 8,
						  &weft_type_uint64),
					&weft_op_sum);
	*theirs = place[!me];
	return status;
}

static int choose(struct table *t, const struct place *theirs,
		  const char *name)
{
	int which = !strcmp(name, "stored");

	t->line = theirs->line;
	t->put = theirs->put;
	t->ll = !(t->ep->dev->caps & WF_CAP_LINE_PLAIN);
	if (!strcmp(name, "line"))
		return WEFT_OK;
	if (strcmp(name, "raised") && !which)
		return fail("the op is line, raised or stored");
	t->sig = (uint32_t)theirs->card.sig[which];
	t->own_sig = (uint32_t)t->mine.sig[which];
	t->count = wf_signal_word(&t->job->signals, t->own_sig);
	return WEFT_OK;
}

static int play(struct table *t, const char *name)
{
	struct place theirs;
	int status = lay(t);

	if (status)
		return status;
	status = swap(t, &theirs);
	if (!status)
		status = choose(t, &theirs, name);
	if (!status)
		status = time_turns(t);
	return status;
}

int main(int argc, char **argv)
{
	struct table t = { .crowded = false };
	int status;

	if (argc != 2)
		return fail("usage: turns line|raised|stored");
	if (weft_job_open(NULL, &t.job))
		return 1;
	if (t.job->size != 2)
		return fail("it takes two ranks");
	t.crowded = t.job->crowded;
	status = weft_barrier(weft_job_world(t.job));
	if (!status)
		t.ep = wf_peer_find(t.job, !t.job->rank)->ep;
	if (!status)
		status = play(&t, argv[1]);
	if (!status)
		status = weft_barrier(weft_job_world(t.job));
	clear(&t);
	return weft_job_close(t.job) || status;
}
