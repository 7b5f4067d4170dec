/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Flushes: of each link, what was posted so far.  All are begun before the
 * first is waited for.
 */
#include "rma/rma_link.h"

struct flush {
	struct wf_rma_wait wait;
	enum weft_flush what;
	bool marked;
	uint64_t mark;			/* the last post that counts */
};

static bool is_dirty(const struct wf_rma_link *link)
{
	return link->last > link->flushed;
}

/* An atomic op that the owner does, or one that failed untold. */
static bool owes_words(const struct wf_rma_link *link)
{
	const struct wf_rma_asked *asked = &link->asked_word;

	return wf_rma_agent_asks(link) || (asked->failed && !asked->told);
}

static bool is_reached(const struct flush *f, const struct wf_ep *ep)
{
	/* What a broken one has lost is done, too. */
	if (ep->broken)
		return false;
	return f->what == WEFT_FLUSH_LOCAL ? wf_ep_done(ep, f->mark) :
					     wf_ep_flushed(ep, f->mark) &&
					     wf_ep_done(ep, f->mark);
}

/* Towards a peer that may be gone. */
static bool advance(struct flush *f, struct wf_peer *peer)
{
	struct wf_ep *ep = peer->ep;

	if (peer->state != WF_PEER_DEAD && is_reached(f, ep))
		return true;
	if (wf_rma_is_lost(&f->wait))
		return wf_rma_is_quiet(&f->wait, f->mark);
	ep->ops->flush(ep, f->what == WEFT_FLUSH_LOCAL ? WF_FLUSH_LOCAL :
							 WF_FLUSH_REMOTE);
	return is_reached(f, ep);
}

static bool step(struct wf_rma_wait *wait)
{
	struct flush *f = wf_container(wait, struct flush, wait);
	struct wf_rma_link *link = wait->link;

	/* What a request still holds back is posted by progress, or fails. */
	if (link->queued)
		return false;
	if (wf_rma_agent_asks(link)) {
		wait->what = "an atomic op by its owner";
		if (!wf_rma_is_lost(wait)) {
			wf_rma_agent_remind(link);
			return false;
		}
		wf_rma_agent_forget(link);
	}
	wf_rma_agent_tell(link, UINT64_MAX, wait);
	/* Nothing was posted: all of it has failed. */
	if (!is_dirty(link))
		return true;
	if (!f->marked) {
		f->mark = link->peer->ep->posted;
		f->marked = true;
	}
	return advance(f, link->peer);
}

/* Nothing to wait for, or a wait. */
static int flush_link(struct wf_rma_link *link, const char *call,
		      enum weft_flush what)
{
	struct flush f = {
		.wait = { .call = call, .region = link->region, .link = link,
			  .step = step, .what = "a flush" },
		.what = what
	};

	if (!is_dirty(link) && !link->queued && !owes_words(link))
		return WEFT_OK;
	wf_rma_await(&f.wait);
	/*
	 * A loss is told once.  Others may have posted meanwhile: theirs is
	 * still to be flushed.
	 */
	if ((f.wait.status || what == WEFT_FLUSH_REMOTE) &&
	    f.mark > link->flushed)
		link->flushed = f.mark;
	return f.wait.status;
}

static void begin(struct wf_rma_link *link, enum weft_flush what)
{
	struct wf_ep *ep = link->peer->ep;

	if (is_dirty(link) && wf_peer_is_there(link->peer))
		ep->ops->flush(ep, what == WEFT_FLUSH_LOCAL ?
				   WF_FLUSH_LOCAL : WF_FLUSH_REMOTE);
}

int wf_rma_flush_all(struct weft_region *region, const char *call,
		     enum weft_flush what)
{
	int worst = WEFT_OK, status;

	for (int r = 0; r < 2; r++) {
		struct wf_list *at = region->all.next;

		for (; at != &region->all; at = at->next) {
			struct wf_rma_link *link =
				wf_container(at, struct wf_rma_link, all);

			if (r == 0) {
				begin(link, what);
				continue;
			}
			status = flush_link(link, call, what);
			worst = worst ? worst : status;
		}
	}
	return worst;
}

static int flush(struct weft_region *region, int peer, enum weft_flush what)
{
	static const char call[] = "weft_flush";
	struct weft_comm *comm = region->rma->comm;
	struct wf_rma_link *link;
	int status;

	if (what != WEFT_FLUSH_LOCAL && what != WEFT_FLUSH_REMOTE)
		return wf_job_fail(comm->job, WEFT_ERR_ARG, "%s: what is %d, "
				   "which is no enum weft_flush", call,
				   (int)what);
	if (peer == WEFT_ALL_PEERS)
		return wf_rma_flush_all(region, call, what);
	status = wf_region_check_peer(region, call, peer);
	if (status)
		return status;
	link = wf_map_get(&region->links, (uint64_t)peer);
	return link ? flush_link(link, call, what) : WEFT_OK;
}

int weft_flush(struct weft_region *region, int peer, enum weft_flush what)
{
	int status = wf_region_enter(region, __func__);

	if (status)
		return status;
	status = flush(region, peer, what);
	return wf_comm_leave(region->rma->comm, status);
}
