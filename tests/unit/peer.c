/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Connecting to a peer that one backend refuses and another lacks memory for:
 * it is tried again for a while, and then given up, or works; another backend
 * need not wait so long for its turn.  What becomes of one that is gone.  And
 * which of several that have not answered a warning names.
 */
#include "job/peer.h"

#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "job/liveness.h"
#include "tests/tap.h"

enum {
	PEER = 1,
	OTHER,
	MS = 1000000,
	STEPS = 2 * WF_LIVE_STARVED_MS	/* of one millisecond */
};

/* Two devices: one answers later, and so far refuses; one has no memory. */
struct world {
	struct weft_job job;
	struct wf_tp_ops refusing, starving;
	struct wf_device late, poor;
	struct wf_ep ep;
	uint64_t now;
	uint64_t takes;			/* a connect() of the poor one */
	bool has_memory;
	int asked, last;		/* connect() of the poor one */
};

static uint64_t now(void *arg)
{
	return ((struct world *)arg)->now;
}

static bool no_verdict(struct wf_peer *peer, char *why, size_t bytes)
{
	(void)peer;
	(void)why;
	(void)bytes;
	return false;
}

static void unwatch(struct wf_peer *peer)
{
	(void)peer;
}

static bool say_lost(struct wf_peer *peer)
{
	(void)peer;
	return true;
}

static const struct wf_live_ops live = {
	.probe = no_verdict, .unwatch = unwatch, .say_lost = say_lost
};

/* The answer comes later. */
static int begin(struct wf_device *dev, const struct wf_tp_peer *peer,
		 struct wf_ep **ep_p)
{
	struct world *w = wf_container(dev, struct world, late);

	(void)peer;
	w->ep = (struct wf_ep){ .dev = dev, .state = WF_EP_CONNECTING };
	*ep_p = &w->ep;
	return WEFT_OK;
}

static int lack(struct wf_device *dev, const struct wf_tp_peer *peer,
		struct wf_ep **ep_p)
{
	struct world *w = wf_container(dev, struct world, poor);

	w->asked++;
	w->now += w->takes;
	w->last += peer->last;
	strcpy(peer->refusal->why, "no memory, and a remedy");
	if (!w->has_memory)
		return WEFT_ERR_NOMEM;
	w->ep = (struct wf_ep){ .dev = dev, .state = WF_EP_READY };
	*ep_p = &w->ep;
	return WEFT_OK;
}

static void disconnect(struct wf_ep *ep)
{
	ep->dev = NULL;
}

static struct wf_peer *world_init(struct world *w, bool poor_first)
{
	struct wf_peer *peer;

	*w = (struct world){ .now = MS };
	w->refusing = (struct wf_tp_ops){
		.name = "refusing", .connect = begin, .disconnect = disconnect
	};
	w->starving = w->refusing;
	w->starving.name = "starving";
	w->starving.connect = lack;
	w->late.ops = &w->refusing;
	w->poor.ops = &w->starving;
	w->job = (struct weft_job){
		.size = 3, .first_dead = -1, .ndevs = 2,
		.env = { .live = &live, .now = now, .arg = w }
	};
	strcpy(w->job.left_out, "; third: not in WEFT_TRANSPORT");
	w->job.dev[poor_first] = &w->late;
	w->job.dev[!poor_first] = &w->poor;
	wf_map_init(&w->job.peers);
	wf_list_init(&w->job.busy_peers);
	wf_live_init(&w->job);
	peer = wf_peer_get(&w->job, PEER);
	if (!peer)
		exit(1);
	peer->has_blob = true;
	return peer;
}

/* Time passes, and whoever is asked refuses. */
static void step(struct world *w, struct wf_peer *peer)
{
	w->now += MS;
	if (peer->ep && peer->ep->state == WF_EP_CONNECTING)
		peer->ep->state = WF_EP_REFUSED;
	wf_peer_look(peer);
}

static void says(const struct wf_peer *peer, const char *text)
{
	if (!TAP_CHECK(!strncmp(wf_peer_why(peer), text, strlen(text))))
		tap_diag("%s", wf_peer_why(peer));
}

/* The other end hears of it at the last try, and not before. */
static void gives_up(void)
{
	struct world w;
	struct wf_peer *peer = world_init(&w, false);
	int steps = 0;

	wf_peer_connect(peer);
	while (peer->state == WF_PEER_CONNECTING && steps < STEPS) {
		step(&w, peer);
		steps++;
	}
	TAP_EQUAL(peer->state, WF_PEER_UNREACHABLE);
	TAP_CHECK(steps >= WF_LIVE_STARVED_MS);
	/* now and then, each backend once, and one that was never opened */
	TAP_CHECK(w.asked > 2 && w.asked <= steps / WF_LIVE_TICK_MS + 2);
	TAP_EQUAL(w.last, 1);
	says(peer, "cannot be connected to: refusing: it refuses, and its own "
	     "error tells why; starving: no memory, and a remedy; third: not "
	     "in WEFT_TRANSPORT");
	/* it lives, and hears that it is given up */
	TAP_EQUAL(wf_peer_status(peer), WEFT_ERR_DEVICE);
	TAP_CHECK(peer->untold);
	wf_peers_fini(&w.job);
}

/* Most of the time is for others, and it ends no later. */
static void gives_up_what_takes_long(void)
{
	struct world w;
	struct wf_peer *peer = world_init(&w, false);

	w.takes = (uint64_t)500 * MS;
	wf_peer_connect(peer);
	for (int i = 0; peer->state == WF_PEER_CONNECTING && i < STEPS; i++)
		step(&w, peer);
	TAP_EQUAL(peer->state, WF_PEER_UNREACHABLE);
	TAP_CHECK(w.now < 2 * (uint64_t)WF_LIVE_STARVED_MS * MS);
	TAP_CHECK(w.asked > 2 && w.asked < 8);
	wf_peers_fini(&w.job);
}

static void tries_again(void)
{
	struct world w;
	struct wf_peer *peer = world_init(&w, false);

	wf_peer_connect(peer);
	for (int i = 0; i < WF_LIVE_STARVED_MS / 2; i++)
		step(&w, peer);
	TAP_EQUAL(peer->state, WF_PEER_CONNECTING);
	w.has_memory = true;
	for (int i = 0; i < 2 * WF_LIVE_TICK_MS; i++)
		step(&w, peer);
	TAP_EQUAL(peer->state, WF_PEER_READY);
	/* a connection that breaks later has its own time, and reason */
	TAP_EQUAL(peer->lost, 0);
	TAP_CHECK(!peer->starved);
	wf_peers_fini(&w.job);
}

static void next_backend(void)
{
	struct world w;
	struct wf_peer *peer = world_init(&w, true);
	int steps = 0;

	wf_peer_connect(peer);
	for (; !peer->ep && steps < STEPS; steps++)
		step(&w, peer);
	TAP_CHECK(steps >= WF_LIVE_AGE_MS && steps < 2 * WF_LIVE_AGE_MS);
	TAP_EQUAL(w.last, 1);
	/* who answers it late is not late for what was lacking before */
	TAP_EQUAL(peer->lost, 0);
	peer->ep->state = WF_EP_READY;
	wf_peer_look(peer);
	TAP_EQUAL(peer->state, WF_PEER_READY);
	wf_peers_fini(&w.job);
}

/* It is the other end that lacks something, and says so by its refusal. */
static void lacks_there(void)
{
	struct world w;
	struct wf_peer *peer = world_init(&w, false);

	w.job.ndevs = 1;
	wf_peer_connect(peer);
	peer->ep->lack = "it has no memory";
	for (int i = 0; i < 2 * WF_LIVE_AGE_MS; i++)
		step(&w, peer);
	TAP_EQUAL(peer->state, WF_PEER_UNREACHABLE);
	says(peer, "cannot be connected to: refusing: it has no memory");
	TAP_EQUAL(wf_peer_status(peer), WEFT_ERR_DEVICE);
	wf_peers_fini(&w.job);
}

/*
 * Who has said bye here, or could not be reached, and dies before it has said
 * it to others: those fail, and trust that all hear why.  Once.
 */
static void dies_behind(enum wf_peer_state state)
{
	struct world w;
	struct wf_peer *peer = world_init(&w, false);

	w.job.closing = true;		/* nobody is told */
	wf_peer_gone(peer, state, "is gone");
	TAP_EQUAL(peer->state, state);
	TAP_EQUAL(w.job.first_dead, -1);
	wf_peer_gone(peer, WF_PEER_DEAD, "is dead");
	TAP_EQUAL(peer->state, WF_PEER_DEAD);
	TAP_EQUAL(w.job.first_dead, PEER);
	TAP_EQUAL(w.job.deaths.n, 1);
	TAP_EQUAL(w.job.gone, 2);
	wf_peer_gone(peer, WF_PEER_DEAD, "dead again");
	wf_peer_gone(peer, WF_PEER_LEFT, "has closed its job");
	says(peer, "is dead");
	TAP_EQUAL(peer->state, WF_PEER_DEAD);
	TAP_EQUAL(w.job.gone, 2);
	wf_peers_fini(&w.job);
	wf_flood_fini(&w.job);
}

static void dies_later(void)
{
	dies_behind(WF_PEER_LEFT);
	dies_behind(WF_PEER_UNREACHABLE);
}

static void calls(struct world *w, int rank, struct wf_ep *ep)
{
	struct wf_peer *peer = wf_peer_get(&w->job, rank);

	if (!peer)
		exit(1);
	*ep = (struct wf_ep){ .dev = &w->late, .where = "its address" };
	peer->ep = ep;
	peer->state = WF_PEER_CONNECTING;
	snprintf(peer->blob.id.host, sizeof(peer->blob.id.host), "n%d", rank);
	wf_list_del(&peer->busy);
	wf_list_add_tail(&w->job.busy_peers, &peer->busy);
}

static int waits_for_other(struct wf_poller *poller, int *cursor)
{
	(void)poller;
	return (*cursor)++ ? -1 : OTHER;
}

static void describe(void *arg, char *text, size_t bytes)
{
	(void)arg;
	wf_text_add(text, bytes, "something");
}

static void keep(void *arg, const char *line, size_t n)
{
	snprintf(arg, WF_ERROR_TEXT, "%.*s", (int)n, line);
}

static void warns_of(struct world *w, const char *what)
{
	const struct wf_wait wait = { NULL, describe, NULL };
	char line[WF_ERROR_TEXT] = "";

	w->job.log.arg = line;
	wf_job_report_stall(&w->job, &wait, 0);
	if (!TAP_CHECK(strstr(line, what)))
		tap_diag("%s", line);
}

/* One that is waited for, and else any. */
static void unanswered(void)
{
	struct wf_poller poller = { .waits_for = waits_for_other };
	struct wf_ep ep[2];
	struct world w;

	world_init(&w, false);
	wf_log_init(&w.job.log, WF_LOG_WARN, "");
	w.job.log.write = keep;
	wf_list_init(&w.job.pollers);
	calls(&w, PEER, &ep[0]);
	calls(&w, OTHER, &ep[1]);
	warns_of(&w, "something; no answer so far from rank 1 on host n1 by "
		 "refusing: its address, since 0 s");
	wf_poller_add(&w.job, &poller);
	warns_of(&w, "no answer so far from rank 2 on host n2 by ");
	ep[1].where = NULL;
	warns_of(&w, "no answer so far from rank 1 on host n1 by ");
	wf_poller_del(&w.job, &poller);
	wf_peers_fini(&w.job);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "given up when it was tried for long", gives_up },
		{ "a try that takes long is made rarely",
		  gives_up_what_takes_long },
		{ "connected when there is memory again", tries_again },
		{ "another backend need not wait", next_backend },
		{ "the other end lacks something", lacks_there },
		{ "a death behind a bye is known, once", dies_later },
		{ "who has not answered is named", unanswered }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
