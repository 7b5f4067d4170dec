/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables of calls, in each of which a rank is killed at every one of its
 * events: from the first one behind the open of its job, until it lives to the
 * end.  At the others each call is over sooner or later: it is complete, or
 * has WEFT_ERR_PEER and names the dead one.
 */
#ifndef WEFT_TESTS_SIM_DEATH_SCENE_H
#define WEFT_TESTS_SIM_DEATH_SCENE_H

#include "tests/sim/p2p_scene.h"

struct mourner;

/* What each rank does, maybe some times. */
struct death_call {
	const char *name;
	void (*run)(struct mourner *m);
};

/* What the ranks of a run share. */
struct death {
	const struct death_call *call;
	int victim;
	bool opened;			/* by the victim */
	int heard;			/* errors that named it */
};

/* One of them; in a ring. */
struct mourner {
	struct scene s;
	struct death *death;
	int me, size, left, right;
	size_t n;			/* bytes of a message */
	int tag;			/* of this round */
	char *out, *in[2];		/* n bytes, and of both neighbours */
};

/*
 * Of what has to do with that rank (WEFT_ANY_SOURCE: all of them), of a request
 * or (NULL) of a call: well?
 */
static inline bool judge(const struct mourner *m, int other, int status,
			 const struct weft_request *req)
{
	const char *text = req ? weft_request_error(req) :
				 weft_error_text(m->s.job);
	const struct death *d = m->death;
	char name[16];

	snprintf(name, sizeof(name), "rank %d ", d->victim);
	if (status == WEFT_ERR_PEER && strstr(text, name) &&
	    m->me != d->victim &&
	    (other == d->victim || other == WEFT_ANY_SOURCE))
		m->death->heard++;
	else if (status)
		wf_sim_fail(m->s.rank, "%s, round %d, with rank %d: %s: %s",
			    d->call->name, m->tag, other,
			    weft_status_name(status), text);
	return !status;
}

/* The same of a call that has returned. */
static inline bool judged(const struct mourner *m, int other, int status)
{
	return judge(m, other, status, NULL);
}

/* False: the victim died before it had opened its job. */
static inline bool mourner_open(struct mourner *m, struct wf_sim_rank *rank,
				struct death *death)
{
	*m = (struct mourner){ .s = { .rank = rank }, .death = death };
	m->me = wf_sim_rank(rank);
	m->size = wf_sim_size(rank);
	m->left = (m->me + m->size - 1) % m->size;
	m->right = (m->me + 1) % m->size;
	if (wf_sim_job_open(rank, &m->s.job)) {
		if (death->opened)
			wf_sim_fail(rank, "cannot open the job");
		return false;
	}
	death->opened |= m->me == death->victim;
	m->s.world = weft_job_world(m->s.job);
	return true;
}

/* It may say that somebody has died, and waits for nobody who has. */
static inline void mourner_close(struct mourner *m)
{
	int status = weft_job_close(m->s.job);

	if (status && status != WEFT_ERR_PEER)
		wf_sim_fail(m->s.rank, "close: %s", weft_status_name(status));
	m->death->heard += status == WEFT_ERR_PEER;
}

enum {
	TOLD_NS = 100000	/* there are loops that poll until then */
};

/* False: it lived to the end, or a rule was broken. */
static inline bool
kill_at(struct death *death, uint64_t event, uint64_t seed,
	void (*program)(struct wf_sim_rank *rank, void *arg))
{
	/* a tree of three, in place of a mesh */
	static char *deep[] = {
		"WEFT_COLL=radix:2", "WEFT_ARENA=64k", "WEFT_ARENA_MAX=16m",
		NULL
	};
	struct wf_sim_options options;
	struct wf_sim_result result;
	int survivors;

	wf_sim_options_init(&options, 3, seed);
	wf_sim_options_vary(&options);
	if (seed % 2)
		options.environ = deep;
	options.told_ns = TOLD_NS;
	options.kill_rank = death->victim;
	options.kill_event = event;
	death->opened = false;
	death->heard = 0;
	if (!TAP_EQUAL(wf_sim_run(&options, program, death, &result), WEFT_OK))
		return false;
	survivors = options.ranks - (result.killed >= 0);
	if (!TAP_EQUAL(result.violations, 0) ||
	    !TAP_EQUAL(result.finished, survivors) ||
	    !TAP_CHECK(result.killed >= 0 || !death->heard)) {
		tap_diag("%s: rank %d at event %d, seed %d: %s",
			 death->call->name, death->victim, (int)event,
			 (int)seed, result.text);
		return false;
	}
	return result.killed >= 0;
}

/* The first event behind the open; 0: a rule was broken. */
static inline uint64_t
first_event(struct death *death, uint64_t seed,
	    void (*program)(struct wf_sim_rank *rank, void *arg))
{
	uint64_t before = 0, event = 1;

	for (; kill_at(death, event, seed, program) && !death->opened;
	     event *= 2)
		before = event;
	/* it may have lived as long, and then it has opened it, too */
	while (event - before > 1 && death->opened) {
		uint64_t middle = before + (event - before) / 2;

		kill_at(death, middle, seed, program);
		if (death->opened)
			event = middle;
		else
			before = middle;
		death->opened = true;
	}
	return death->opened ? event : 0;
}

/* Each rank of three in its turn dies in each call, by DEATHS seeds. */
static inline void
run_every_death(const struct death_call *calls, int n,
		void (*program)(struct wf_sim_rank *rank, void *arg))
{
	uint64_t first_seed = (uint64_t)tap_figure("FIRST_SEED", 1);
	uint64_t seeds = (uint64_t)tap_figure("DEATHS", 1);
	int runs = 0;

	for (uint64_t i = 0; i < seeds * 3 * (uint64_t)n; i++) {
		struct death death = { .call = &calls[i / 3 % (uint64_t)n] };
		uint64_t seed = first_seed + i, event;
		int heard = 0;

		death.victim = (int)(i % 3);
		event = first_event(&death, seed, program);
		for (; kill_at(&death, event, seed, program); event++, runs++)
			heard += death.heard;
		if (!TAP_CHECK(heard > 0)) {
			tap_diag("nobody hears of it in %s", death.call->name);
			return;
		}
	}
	tap_diag("%d deaths", runs);
}

#endif
