/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks that have never met close their jobs at any time, together or one by
 * one, and one may die.  Those that stay look for who has ended, over lines
 * that are slow, and cut off by who leaves: nobody who has closed its job is
 * ever called dead, the death is known within 2 s if few have left, else at
 * least the end, and nobody is connected for that.
 */
#include "job/liveness.h"
#include "job/peer.h"
#include "tests/sim/scene.h"

enum {
	MOST = 24,			/* ranks */
	FEW = 3,			/* that leave */
	SEEDS = 300,
	SLOW = 6			/* looks until a word is there */
};

#define MS UINT64_C(1000000)
#define LEAVING_NS (2000 * MS)		/* until then */
#define END_NS (5000 * MS)
#define KNOWN_NS (2000 * MS)
#define DOUBTED_NS (5000 * MS)		/* if nobody is left that would know */

/* To whom a rank talks: how long until it is heard, and has its answer. */
struct line {
	bool open, heard;
	int late;
	size_t told;			/* ranges, one at a time */
};

static struct weft_job *jobs[MOST];
static struct line lines[MOST];
static bool gone[MOST];
static struct wf_random chance;
static int ranks, victim;		/* -1: nobody dies */
static bool few;
static int first;			/* of those, if few leave */
static uint64_t died;

static bool find_ended(struct wf_peer *peer, char *why, size_t bytes)
{
	snprintf(why, bytes, "is dead: it was seen");
	return gone[peer->rank];
}

static bool meet(struct wf_peer *peer)
{
	(void)peer;
	return true;
}

static void unwatch(struct wf_peer *peer)
{
	(void)peer;
}

static void tell(const struct wf_range *range,
		 bool (*told)(void *arg, int first, int last),
		 struct weft_job *job)
{
	if (!told(job, (int)range->low, (int)range->end - 1))
		exit(1);
}

/* False: it goes on. */
static bool hear(struct line *line, struct weft_job *from, struct weft_job *to,
		 struct wf_life_talk *talk)
{
	const struct wf_rangeset *known = &to->leave.left;

	if (talk->tells && line->told < talk->tells->count) {
		tell(&talk->tells->ranges[line->told++], wf_leave_told, to);
		return false;
	}
	if (talk->last.kind == WF_LIFE_WHO)
		for (size_t i = 0; i < known->count; i++)
			tell(&known->ranges[i], talk->left, from);
	return true;
}

static enum wf_said talk_to(struct wf_peer *peer, struct wf_life_talk *talk)
{
	struct weft_job *from = peer->job, *to = jobs[peer->rank];
	struct line *line = &lines[from->rank];

	if (gone[peer->rank])
		return WF_SAID_TO_NOBODY;
	if (!line->open)
		*line = (struct line){
			.open = true,
			.late = (int)wf_random_below(&chance, SLOW)
		};
	if (line->late-- > 0)
		return WF_SAID_NOT_YET;
	if (line->heard)
		return WF_SAID_ANSWERED;
	if (to->lifeline.parting)
		return WF_SAID_IN_VAIN;
	line->heard = hear(line, from, to, talk);
	line->late = (int)wf_random_below(&chance, SLOW);
	return WF_SAID_NOT_YET;
}

static void hush(struct weft_job *job)
{
	lines[job->rank].open = false;
}

static const struct wf_live_ops live = {
	.probe = find_ended, .meet = meet, .unwatch = unwatch,
	.talk = talk_to, .hush = hush
};

static void go_on_until(const struct scene *s, uint64_t end)
{
	while (wf_sim_now(s->rank) < end) {
		wf_job_look(s->job);
		wf_sim_idle(s->rank, wf_sim_now(s->rank) +
				     WF_LIVE_TICK_MS * MS);
	}
}

/* Is the death of the victim known? */
static bool check_peers(const struct scene *s)
{
	bool known = false;

	for (int r = 0; r < ranks; r++) {
		const struct wf_peer *peer = wf_peer_find(s->job, r);
		bool dead = peer && peer->state == WF_PEER_DEAD;

		known |= dead;
		if (dead && r != victim)
			wf_sim_fail(s->rank, "rank %d, which has closed its "
				    "job, is called dead: %s", r, peer->why);
		if (r == victim && !dead &&
		    (few || !peer || wf_peer_is_there(peer)))
			wf_sim_fail(s->rank, "it is not known that rank %d "
				    "%s", r, few ? "is dead" : "has ended");
		if (victim < 0 && peer && peer->ep)
			wf_sim_fail(s->rank, "rank %d is connected", r);
	}
	return known;
}

/* Whether or not it is known how it has. */
static void hear_of_end(const struct scene *s)
{
	int status = weft_recv(s->world, NULL, 0, &weft_type_byte,
			       weft_from(victim, 0), NULL);

	if (status != WEFT_ERR_PEER)
		wf_sim_fail(s->rank, "a receive from rank %d: %s", victim,
			    weft_error_text(s->job));
}

/* From anybody, until the end. */
static void stay(const struct scene *s)
{
	struct weft_request *req;
	bool known;
	int status;

	ok(s, weft_irecv(s->world, NULL, 0, &weft_type_byte,
			 weft_from(WEFT_ANY_SOURCE, 0), &req), "irecv");
	go_on_until(s, victim < 0 ? END_NS :
		       died + (few ? KNOWN_NS : DOUBTED_NS));
	known = check_peers(s);
	if (victim >= 0)
		hear_of_end(s);
	status = weft_send(s->world, NULL, 0, &weft_type_byte,
			   weft_to(wf_sim_rank(s->rank), 0));
	if (!known)
		ok(s, status, "send");
	status = weft_request_wait(req);
	if ((status != WEFT_OK) != known)
		wf_sim_fail(s->rank, "the receive: %s",
			    weft_error_text(s->job));
	(void)!weft_request_free(&req);
}

/* When: each for itself, or several at once; or all, with who dies. */
static uint64_t pick_time(struct wf_random *random)
{
	uint64_t step = LEAVING_NS / (1 + wf_random_below(random, 4));

	if (victim >= 0 && !few)
		return died;
	return wf_random_below(random, 3) ?
	       step * (1 + wf_random_below(random, 3)) :
	       wf_random_below(random, LEAVING_NS);
}

/* Few: some that follow each other, from any on. */
static bool leaves(struct wf_random *random, int me)
{
	if (few)
		return (me + ranks - first) % ranks < FEW;
	return me && wf_random_below(random, 4);
}

static void close_in_the_end(const struct scene *s)
{
	int status = weft_job_close(s->job);

	gone[wf_sim_rank(s->rank)] = true;
	if (status && (status != WEFT_ERR_PEER || victim < 0))
		wf_sim_fail(s->rank, "close: %s", weft_status_name(status));
}

static void leave_or_stay(struct wf_sim_rank *rank, void *arg)
{
	struct wf_random random;
	struct scene s;
	int me = wf_sim_rank(rank);

	if (!start(&s, rank))
		return;
	wf_random_init(&random, *(uint64_t *)arg * MOST + (uint64_t)me);
	jobs[me] = s.job;
	s.job->env.live = &live;
	s.job->leave.on = true;
	if (me == victim) {
		wf_sim_doom(rank);
		pause_for(&s, died - wf_sim_now(rank));
		gone[me] = true;
		wf_sim_die(rank);
	} else if (leaves(&random, me)) {
		go_on_until(&s, pick_time(&random));
	} else {
		stay(&s);
	}
	close_in_the_end(&s);
}

static bool run_seed(uint64_t seed, bool dies)
{
	struct wf_sim_options options;

	memset(lines, 0, sizeof(lines));
	memset(gone, 0, sizeof(gone));
	wf_random_init(&chance, seed);
	ranks = 2 + (int)wf_random_below(&chance, MOST - 1);
	victim = dies ? 1 + (int)wf_random_below(&chance,
						 (uint64_t)ranks - 1) : -1;
	died = LEAVING_NS / 4 + wf_random_below(&chance, LEAVING_NS);
	first = (int)wf_random_below(&chance, (uint64_t)ranks);
	wf_sim_options_init(&options, ranks, seed);
	options.ranks_per_node = 1;
	options.poll_ns = MS / 20;
	options.kill_rank = victim;
	options.told_ns = 1000 * END_NS;
	return sim_flow_run(&options, leave_or_stay, &seed);
}

static void run_all(bool dies)
{
	long seeds = tap_figure("SEEDS", SEEDS);

	for (long seed = tap_figure("FIRST_SEED", 1); seed <= seeds; seed++)
		if (!run_seed((uint64_t)seed, dies))
			break;
}

static void nobody_dies(void)
{
	few = false;
	run_all(false);
}

static void one_dies(void)
{
	few = true;
	run_all(true);
}

static void one_dies_behind_many(void)
{
	few = false;
	run_all(true);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "who has closed its job is not dead", nobody_dies },
		{ "who has not is", one_dies },
		{ "among many it has ended", one_dies_behind_many }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
