/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What calls and requests wait for: polled by progress, known to the failure
 * detector and to people while it is under way, over in any case.
 */
#include <stdarg.h>
#include <stdio.h>
#include "base/text.h"
#include "job/liveness.h"
#include "rma/rma_link.h"

enum {
	MS = 1000000		/* nanoseconds */
};

static struct wf_rma_wait *wait_of(struct wf_poller *poller)
{
	return wf_container(poller, struct wf_rma_wait, listener.poller);
}

static bool poll(struct wf_poller *poller)
{
	struct wf_rma_wait *wait = wait_of(poller);

	if (wait->over || !wait->step(wait))
		return false;
	wait->over = true;
	wf_poller_del(poller->job, poller);
	return true;
}

static int waits_for(struct wf_poller *poller, int *cursor)
{
	struct wf_rma_wait *wait = wait_of(poller);

	if (wait->next_rank)
		return wait->next_rank(wait, cursor);
	return !wait->link || (*cursor)++ ? -1 : wait->link->peer->rank;
}

static void describe(void *arg, char *text, size_t bytes)
{
	struct wf_rma_wait *wait = arg;
	struct wf_rma_link *link = wait->link;
	struct weft_region *region = wait->region;

	wf_text_add(text, bytes, "%s: %s of region %llu of ",
		    wait->call, wait->what,
		    (unsigned long long)(region->id & UINT32_MAX));
	wf_comm_tell(region->rma->comm, text, bytes);
	if (link)
		wf_text_add(text, bytes, ", rank %d on host %s",
			    link->peer->rank, wf_peer_host(link->peer));
}

static void report(struct wf_poller *poller, struct wf_report *to)
{
	char text[WF_RMA_WHY] = "";

	describe(wait_of(poller), text, sizeof(text));
	wf_report_line(to, "  %s", text);
}

static bool is_over(void *arg)
{
	return ((struct wf_rma_wait *)arg)->over;
}

/* Whoever never waits lets others go on, and looks whether they live. */
static void drive(const struct wf_rma_wait *wait)
{
	if (wait->link)
		wf_live_visit(wait->link->peer);
	wf_job_progress(wf_region_job(wait->region));
}

void wf_rma_start(struct wf_rma_wait *wait)
{
	wait->over = wait->step(wait);
	if (wait->over) {
		drive(wait);
		return;
	}
	wait->listener.poller.poll = poll;
	wait->listener.poller.waits_for = waits_for;
	wait->listener.poller.report = report;
	wait->listener.poller.comm = wait->region->rma->comm;
	wf_poller_add(wf_region_job(wait->region), &wait->listener.poller);
}

void wf_rma_wait_for(struct wf_rma_wait *wait)
{
	struct wf_wait until = { is_over, describe, wait };

	if (!wait->over)
		wf_job_wait(wf_region_job(wait->region), &until);
}

int wf_rma_await(struct wf_rma_wait *wait)
{
	wf_rma_start(wait);
	wf_rma_wait_for(wait);
	if (!wait->status)
		return WEFT_OK;
	return wf_job_fail(wf_region_job(wait->region), wait->status, "%s",
			   wait->error);
}

void wf_rma_fail(struct wf_rma_wait *wait, int status, const char *fmt, ...)
{
	va_list args;

	if (wait->status)
		return;
	wait->status = status;
	va_start(args, fmt);
	vsnprintf(wait->error, sizeof(wait->error), fmt, args);
	va_end(args);
}

/* What a death made the peer do: this rank has heard of it before. */
void wf_rma_refused(struct wf_rma_wait *wait, int status, const char *why)
{
	struct wf_peer *peer = wait->link->peer;
	bool destroyed = status == WEFT_ERR_RANGE;
	char dead[WF_PEER_WHY] = "";
	bool blamed = wf_comm_blame(wait->region->rma->comm, peer, dead,
				    sizeof(dead));

	wf_rma_fail(wait, destroyed && blamed ? WEFT_ERR_PEER : status,
		    "%s: rank %d on host %s %s (%s)%s", wait->call,
		    wait->link->rank, wf_peer_host(peer),
		    destroyed ? "has freed the region" : why,
		    weft_status_name(status), dead);
}

/* By then the connection to a process that has ended has broken. */
static bool has_given_time(struct wf_rma_wait *wait)
{
	uint64_t now = wf_job_now(wf_region_job(wait->region));

	if (!wait->lost)
		wait->lost = now;
	return now - wait->lost >= (uint64_t)WF_LIVE_BROKEN_MS * MS;
}

bool wf_rma_is_quiet(struct wf_rma_wait *wait, uint64_t post)
{
	struct wf_peer *peer = wait->link->peer;
	int fenced;

	if (!post || wf_ep_done(peer->ep, post))
		return true;
	if (!wf_peer_is_silent(peer))
		return wf_ep_ask_done(peer->ep, post);
	fenced = wf_peer_fence(peer);
	return fenced == WEFT_OK ||
	       (fenced != WEFT_INPROGRESS && has_given_time(wait));
}

bool wf_rma_is_lost(struct wf_rma_wait *wait)
{
	struct wf_peer *peer = wait->link->peer;
	char dead[WF_PEER_WHY] = "";

	if (wf_peer_is_there(peer))
		return false;
	wf_comm_blame(wait->region->rma->comm, peer, dead, sizeof(dead));
	wf_rma_fail(wait, wf_peer_status(peer), "%s: rank %d on host %s %s%s",
		    wait->call, wait->link->rank, wf_peer_host(peer),
		    wf_peer_why(peer), dead);
	return true;
}
