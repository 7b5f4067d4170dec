/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two work requests in one chain: what a device refuses of it, or memory,
 * leaves nothing behind in the ring, the counters and the pool.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <weft/status.h>
#include "tests/fail_malloc.h"
#include "tests/tap.h"
#include "transport/verbs/verbs_post.h"

enum refusal {
	NONE, FIRST, SECOND, UNSAID
};

static enum refusal refusal;
static int calls, posted;
static struct wf_verbs *dev;
static struct wf_verbs_ep *ep;
static struct ibv_context context;
static struct ibv_qp qp;

static int post_send(struct ibv_qp *to, struct ibv_send_wr *wr,
		     struct ibv_send_wr **bad)
{
	TAP_CHECK(to == &qp);
	calls++;
	*bad = refusal == FIRST ? wr : refusal == SECOND ? wr->next : NULL;
	for (; refusal != UNSAID && wr && wr != *bad; wr = wr->next)
		posted++;
	return refusal == NONE ? 0 : ENOMEM;
}

static void set_up(void)
{
	dev = calloc(1, sizeof(*dev));
	ep = calloc(1, wf_verbs_ep_bytes(WF_VERBS_SQ));
	if (!dev || !ep)
		exit(1);
	context.ops.post_send = post_send;
	qp.context = &context;
	wf_pool_init(&dev->kept, sizeof(struct wf_verbs_request), 1);
	ep->depth = WF_VERBS_SQ;
	ep->qp = &qp;
	ep->ep.dev = &dev->dev;
	ep->ep.broken = true;		/* nothing is to be mended here */
	ep->inline_max = 64;
	calls = posted = 0;
}

static void tear_down(void)
{
	wf_pool_fini(&dev->kept);
	free(dev);
	free(ep);
}

static int stage(bool part)
{
	static const uint64_t word = 7;
	struct wf_verbs_wr *entry = wf_verbs_stage(ep, IBV_WR_RDMA_WRITE,
						   WF_VERBS_DO_PUT);

	if (!entry)
		return WEFT_ERR_NOMEM;
	entry->part = part;
	return wf_verbs_source(ep, entry, wf_loc_any(&word), sizeof(word));
}

/* Eight bytes and a word behind them. */
static int chain(void)
{
	int status = stage(true);

	if (!status)
		status = stage(false);
	if (!status)
		status = wf_verbs_do(ep);
	wf_verbs_discard(ep);
	return status;
}

/* So many work requests are under way, and nothing else is there of any. */
static void expect(uint32_t entered)
{
	TAP_EQUAL(ep->head, entered);
	TAP_EQUAL(ep->staged, 0);
	TAP_EQUAL(ep->hold, entered);
	TAP_EQUAL(ep->silent, entered);
	TAP_EQUAL(dev->kept.live, entered);
}

static void both(void)
{
	set_up();
	refusal = NONE;
	TAP_EQUAL(chain(), WEFT_OK);
	TAP_EQUAL(calls, 1);
	TAP_EQUAL(posted, 2);
	expect(2);
	TAP_CHECK(ep->ring[0].part && !ep->ring[1].part);
	tear_down();
}

static void refused(enum refusal which, uint32_t entered)
{
	set_up();
	refusal = which;
	TAP_EQUAL(chain(), WEFT_AGAIN);
	TAP_EQUAL(calls, 1);
	TAP_EQUAL(posted, entered);
	expect(entered);
	refusal = NONE;
	TAP_EQUAL(chain(), WEFT_OK);
	expect(entered + 2);
	tear_down();
}

static void first_refused(void) { refused(FIRST, 0); }
static void second_refused(void) { refused(SECOND, 1); }
static void refused_unsaid(void) { refused(UNSAID, 0); }

static void no_memory(void)
{
	for (long n = 1; n <= 2; n++) {
		set_up();
		refusal = NONE;
		fail_malloc_once(n);
		TAP_EQUAL(chain(), WEFT_ERR_NOMEM);
		fail_malloc_at(0);
		TAP_EQUAL(calls, 0);
		expect(0);
		TAP_EQUAL(chain(), WEFT_OK);
		expect(2);
		tear_down();
	}
}

/* The first two requests ever, which are of no post: no post is flushed. */
static void located(void)
{
	static char slot[WF_VERBS_SPARE_SLOTS + 2][WF_VERBS_SLOT];
	struct ibv_mr mr = { .lkey = 1 };
	struct ibv_wc last = { .wr_id = 1 };

	set_up();
	refusal = NONE;
	ep->ep.broken = false;
	ep->ep.state = WF_EP_READY;
	dev->buffer_mr = &mr;
	for (int i = 0; i < TAP_COUNT(slot); i++)
		dev->free_slot[dev->nfree++] = slot[i];
	TAP_EQUAL(wf_map_put(&dev->by_serial, 0, ep), WEFT_OK);
	TAP_EQUAL(wf_verbs_find_signal(ep, WF_SIGNAL_STORED), WEFT_AGAIN);
	TAP_EQUAL(calls, 1);
	TAP_EQUAL(posted, 2);
	wf_verbs_complete(dev, &last);
	TAP_EQUAL(ep->tail, 2);
	TAP_EQUAL(ep->ep.flushed, 0);
	TAP_EQUAL(ep->nslots, 0);
	TAP_EQUAL(dev->kept.live, 0);
	wf_verbs_forget_raised(ep);
	wf_map_fini(&dev->by_serial);
	tear_down();
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "both with one call", both },
		{ "the device refuses both", first_refused },
		{ "the device refuses the second", second_refused },
		{ "the device does not say which", refused_unsaid },
		{ "no memory to keep one of them", no_memory },
		{ "where a block of signals is", located }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
