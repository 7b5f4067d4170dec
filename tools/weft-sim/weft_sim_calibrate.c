/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Microbenchmarks over the ops of the transport, from the fastest samples:
 *
 *   post    a line of a long stream, which nobody reads meanwhile
 *   poll    what each further line adds to a ping-pong of several lines,
 *           less what its post takes where that is more
 *   L       half of a ping-pong of one line, without its post and poll
 *   G       what a byte adds to half of a ping-pong of puts that nobody reads
 *   copy    what it adds where each put is copied out, less G: the bytes come
 *           from the other core then
 *   o       an exchange of 8 bytes of a rank with itself, without its poll:
 *           what the library has to do for one, nothing flies
 *   g       post: no NIC is there
 *   reduce  the library's sum of doubles, in the cache
 */
#include "tools/weft-sim/weft_sim_calibrate.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <weft.h>

#include "job/job.h"
#include "job/peer.h"
#include "tools/weft-sim/weft_sim_ops.h"
#include "transport/line.h"
#include "type/kernel.h"

enum {
	LINES = 8,		/* of a multi-put */
	COUNT = 200,		/* ping-pongs of lines in a sample */
	STREAM = 2000,
	PUT_COUNT = 4,
	SMALL = 1 << 13,	/* bytes of puts */
	MEDIUM = 1 << 16,
	LARGE = 1 << 20,
	VECTOR = 1 << 18,	/* bytes that are reduced */
	SPINS = 4096		/* between yields, where cores are few */
};

/* Where a rank is written by the other. */
struct door {
	struct wf_rloc lines, block;
	uint32_t signal;
};

struct wsim_meter {
	struct door door[2];
	struct wf_sim_net net;
};

struct side {
	struct wsim_place *place;
	struct wf_ep *ep;
	struct door to;		/* the other rank's */
	const struct wf_line *lines;
	const _Atomic uint64_t *word;
	uint32_t signal, seq;
	uint64_t arrivals;
	const char *block;	/* where its puts land */
	char *source;
	size_t n;		/* lines, or bytes, of what is timed */
};

static void post_lines(struct side *s)
{
	struct wf_rloc dst = s->to.lines;

	for (size_t i = 0; i < s->n; i++, dst.addr += WF_LINE_BYTES)
		wsim_pair_check(wf_ep_line(s->ep, dst, &i, sizeof(i),
						 s->seq), "a line");
}

static void breathe(int *spins)
{
	if (++*spins % SPINS == 0)
		sched_yield();
}

static void await_lines(const struct side *s)
{
	int spins = 0;

	for (size_t i = 0; i < s->n; i++)
		while (!wf_line_ready(&s->lines[i], s->seq))
			breathe(&spins);
}

static double ping_lines(struct side *s, double start)
{
	for (int i = 0; i < COUNT; i++) {
		s->seq++;
		if (s->place->rank)
			await_lines(s);
		post_lines(s);
		if (!s->place->rank)
			await_lines(s);
	}
	return (s->place->now(s->place->arg) - start) / (2 * COUNT);
}

static double stream_lines(struct side *s, double start)
{
	if (s->place->rank)
		return 0;
	for (int i = 0; i < STREAM / LINES; i++)
		post_lines(s);
	return (s->place->now(s->place->arg) - start) / STREAM;
}

static void post_put(struct side *s)
{
	wsim_pair_check(s->ep->ops->put_signal(s->ep, wf_loc_any(s->source),
					       s->to.block, s->n,
					       s->to.signal, NULL), "a put");
}

static void await_put(struct side *s)
{
	int spins = 0;

	s->arrivals++;
	while (wf_signal_count(s->word, s->signal) < s->arrivals)
		breathe(&spins);
}

static double ping_puts(struct side *s, double start)
{
	for (int i = 0; i < PUT_COUNT; i++) {
		if (s->place->rank)
			await_put(s);
		post_put(s);
		if (!s->place->rank)
			await_put(s);
	}
	return (s->place->now(s->place->arg) - start) / (2 * PUT_COUNT);
}

/* As a slot is: copied out, and what was copied is sent next. */
static double ping_copies(struct side *s, double start)
{
	for (int i = 0; i < PUT_COUNT; i++) {
		if (s->place->rank) {
			await_put(s);
			memcpy(s->source, s->block, s->n);
		}
		post_put(s);
		if (!s->place->rank) {
			await_put(s);
			memcpy(s->source, s->block, s->n);
		}
	}
	return (s->place->now(s->place->arg) - start) / (2 * PUT_COUNT);
}

static double reduce(struct side *s, double start)
{
	wf_kernel sum = wf_kernel_find(&weft_op_sum, &weft_type_double);

	sum(s->source, s->source + VECTOR, s->source,
	    VECTOR / sizeof(double));
	return s->place->now(s->place->arg) - start;
}

/* Of the fastest sample; n is what the benchmark makes of it. */
static double fastest(struct side *s, double (*timed)(struct side *, double),
		      size_t n)
{
	double best = 0;

	s->n = n;
	for (int i = 0; i <= s->place->samples; i++) {
		double us;

		wsim_pair_check(weft_barrier(weft_job_world(s->place->job)),
				"barrier");
		us = timed(s, s->place->now(s->place->arg));
		if (i < 2 || us < best)
			best = us;
	}
	return best;
}

static uint64_t whole(double value, uint64_t least)
{
	double n = value * 1e6 + 0.5;

	return n > (double)least ? (uint64_t)n : least;
}

static double positive(double value)
{
	return value > 0 ? value : 0;
}

static void measure(struct side *s, struct wf_sim_net *net)
{
	double post = fastest(s, stream_lines, LINES);
	double one = fastest(s, ping_lines, 1);
	double each = (fastest(s, ping_lines, LINES) - one) / (LINES - 1);
	double poll = each > post ? each : post;
	double byte = (fastest(s, ping_puts, LARGE) -
		       fastest(s, ping_puts, MEDIUM)) / (LARGE - MEDIUM);
	double copied = (fastest(s, ping_copies, MEDIUM) -
			 fastest(s, ping_copies, SMALL)) / (MEDIUM - SMALL);
	double own = wsim_ops_alone(s->place, 8);

	*net = (struct wf_sim_net){
		.name = "this machine",
		.first_ps = whole(positive(own - poll), whole(post, 1)),
		.post_ps = whole(post, 1),
		.poll_ps = whole(poll, 1),
		.flight_ps = whole(positive(one - post - poll), 1),
		.gap_ps = whole(post, 1),
		.byte_fs = whole(byte * 1e3, 1),
		.copy_fs = whole((copied - byte) * 1e3, 1),
		.reduce_fs = whole(fastest(s, reduce, 0) * 1e3 / VECTOR, 1)
	};
}

/* Memory that the other rank writes, and how it names it. */
static void open_door(struct side *s, struct door *mine)
{
	struct weft_job *job = s->place->job;
	struct wf_device *dev = s->ep->dev;
	uint64_t lines, block;

	wsim_pair_check(wf_segment_alloc(&job->segment, LINES * WF_LINE_BYTES,
					 WF_LINE_BYTES, &lines), "lines");
	wsim_pair_check(wf_segment_alloc(&job->segment, LARGE, WF_LINE_BYTES,
					 &block), "a block");
	wsim_pair_check(wf_signal_alloc(&job->signals, s->ep->room,
					&s->signal),
			"a signal");
	wsim_pair_check(dev->ops->key(&dev->arena, lines, &mine->lines),
			"lines");
	wsim_pair_check(dev->ops->key(&dev->arena, block, &mine->block),
			"a block");
	mine->signal = s->signal;
	s->lines = wf_segment_at(&job->segment, lines);
	s->block = wf_segment_at(&job->segment, block);
	s->word = wf_signal_word(&job->signals, s->signal);
}

/* Its blocks are given back with the segment. */
void wsim_calibrate(struct wsim_place *place)
{
	struct wsim_meter *meter = place->shared;
	struct weft_comm *world = weft_job_world(place->job);
	struct side s = { .place = place };
	const struct wf_peer *peer;
	struct wf_sim_net net;

	wsim_pair_check(weft_barrier(world), "barrier");
	peer = wf_peer_find(place->job, !place->rank);
	if (!peer || !peer->ep || strcmp(peer->ep->dev->ops->name, "shm"))
		wsim_pair_check(WEFT_ERR_UNSUPPORTED,
				"the two ranks do not use shm");
	s.ep = peer->ep;
	s.source = calloc(1, LARGE);
	if (!s.source)
		wsim_pair_check(WEFT_ERR_NOMEM, "a buffer");
	open_door(&s, &meter->door[place->rank]);
	wsim_pair_check(weft_barrier(world), "barrier");
	s.to = meter->door[!place->rank];
	measure(&s, &net);
	if (!place->rank)
		meter->net = net;
	wsim_pair_check(weft_barrier(world), "barrier");
	free(s.source);
}

struct wsim_meter *wsim_meter_create(void)
{
	return calloc(1, sizeof(struct wsim_meter));
}

void wsim_meter_destroy(struct wsim_meter *meter)
{
	free(meter);
}

const struct wf_sim_net *wsim_meter_net(const struct wsim_meter *meter)
{
	return &meter->net;
}
