/* SPDX-License-Identifier: BSD-3-Clause */
/* What tests of matched messages have in common, beyond a scene. */
#ifndef WEFT_TESTS_SIM_P2P_SCENE_H
#define WEFT_TESTS_SIM_P2P_SCENE_H

#include <string.h>
#include "p2p/p2p.h"
#include "tests/sim/scene.h"

/* This status, and after an error this in its sentence (NULL: whatever). */
static inline void expect(const struct scene *s, int status, int wanted,
			  const char *text)
{
	const char *said = weft_error_text(s->job);

	if (status != wanted || (status && text && !strstr(said, text)))
		wf_sim_fail(s->rank, "%s instead of %s, or no \"%s\" in: %s",
			    weft_status_name(status),
			    weft_status_name(wanted), text ? text : "", said);
}

/* n bytes to a rank of the world, and from it. */
static inline int bytes_to(const struct scene *s, const void *data, size_t n,
			   int to, int tag)
{
	return weft_send(s->world, data, n, &weft_type_byte,
			 weft_to(to, tag));
}

static inline int bytes_from(const struct scene *s, void *data, size_t n,
			     int from, int tag, struct weft_message_status *got)
{
	return weft_recv(s->world, data, n, &weft_type_byte,
			 weft_from(from, tag), got);
}

/* What this process knows of it and another one. */
static inline struct wf_p2p_pair *pair_of(const struct scene *s, int rank)
{
	return wf_pair_of(wf_office_of(s->job), wf_peer_get(s->job, rank));
}

/* Rank 0 dies when it is told to; all others know it at once. */
static inline void run_death(uint64_t seed,
			     void (*program)(struct wf_sim_rank *rank,
					     void *arg))
{
	struct wf_sim_options options;

	wf_sim_options_init(&options, 2, seed);
	options.kill_rank = 0;
	sim_flow_run(&options, program, &seed);
}

/* Until progress has something to do. */
static inline void await_news(const struct scene *s)
{
	while (!weft_job_progress(s->job))
		wf_sim_idle(s->rank, wf_sim_now(s->rank) + 1000000);
}

#endif
