/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a probe of a lifeline keeps: lifeline_probe.c calls and asks, and
 * lifeline_silence.c judges what was heard meanwhile.
 */
#ifndef WEFT_JOB_LIFELINE_PROBE_H
#define WEFT_JOB_LIFELINE_PROBE_H

#include "job/lifeline.h"

enum wf_probe_state {
	WF_PROBE_IDLE,
	WF_PROBE_CALLING,
	WF_PROBE_GREETING,
	WF_PROBE_OPEN
};

struct wf_probe {
	struct wf_list link;		/* in prober->open while fd >= 0 */
	struct wf_prober *prober;
	const struct wf_blob *blob;
	int rank;
	int near;			/* so many addresses, the first */
	enum wf_probe_state state;
	int fd;
	int at;				/* which of its addresses */
	bool knocking;			/* at the port of nobody */
	bool worked;			/* it has answered once */
	uint8_t refused;		/* bit i: its address i does */
	bool cut_short;			/* its last call was, without a word */
	bool warned;
	uint64_t called;		/* when its connection was begun */
	uint64_t stepped;		/* when it was last looked at */
	uint64_t since;			/* of the call or greeting */
	uint64_t not_before;		/* of the next call */
	uint64_t heard;			/* when the host last answered, */
	uint64_t answered;		/* or the lifeline, or nobody asked */
	int error;			/* of the last call without an answer */
	int failed;			/* and to which of its addresses */
	uint64_t moved;			/* as the caller of step() counts */
	bool broken;			/* as it says */
	bool answers;			/* the same */
	bool connecting;		/* the same: since then, */
	uint64_t others;		/* or since these have come about, */
	unsigned greetings;		/* it was heard, in parts of its own */
	uint64_t greeted;		/* the last time */
	uint64_t asked;			/* when it was to be asked; 0: never */
	uint64_t doubted;		/* since when a refusal is; 0: none */
	struct wf_life_talk *talk;		/* NULL: none */
	int loser;			/* our rank, to be told; -1: not */
	bool saying;			/* it has left by this connection */
	bool said;			/* it has, or nothing leads there */
	unsigned n;
	uint8_t bytes[WF_GREETING];
};

/* A step begins: the data path may have heard of the peer, too. */
void wf_probe_look_at_data(struct wf_probe *probe, uint64_t now,
			   struct wf_probe_data data);

/* Has its host been silent for too long?  Then why says for how long. */
bool wf_probe_is_lost(struct wf_probe *probe, char *why, size_t bytes);

/*
 * What is open shows a process.  Only a greeting shows that it makes progress,
 * as a connection of the data path needs it.  Is another one wanted?
 */
bool wf_probe_wants_greeting(const struct wf_probe *probe, uint64_t now);
void wf_probe_count_greeting(struct wf_probe *probe, uint64_t now);

/*
 * It is refused where that is a death.  True: the data path is asked first
 * (lifeline_doubt.c).
 */
bool wf_probe_doubt(struct wf_probe *probe, uint64_t now);

/* A step: something has moved since the last one; nobody has listened. */
void wf_probe_look_at_doubt(struct wf_probe *probe, uint64_t now, bool moved,
			    bool away);

/* The doubt has lasted, and nothing has answered. */
bool wf_probe_was_right(const struct wf_probe *probe);

/* Nothing will show its death here. */
void wf_probe_warn_once(struct wf_probe *probe, const char *what);

#endif
