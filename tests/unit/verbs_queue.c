/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ring of posts under way: which of them report, what one completion
 * answers for, and what a failed one leaves behind.
 */
#include <errno.h>
#include "tests/tap.h"
#include "tests/unit/verbs_made.h"

static int put(void)
{
	static const uint64_t word = 7;
	struct wf_rloc to = { 0x10000, 1 };

	return made.ep->ep.ops->put(&made.ep->ep, wf_loc_any(&word), to,
				    sizeof(word));
}

static void puts_of(int n)
{
	for (int i = 0; i < n; i++)
		TAP_EQUAL(put(), WEFT_OK);
}

/* Of those that hold nothing of the user the last of each quarter. */
static void a_quarter_is_silent(uint32_t depth)
{
	verbs_made_open();
	made.ep->depth = depth;
	puts_of((int)depth / 2);
	TAP_EQUAL(made.nposts, (int)depth / 2);
	for (int i = 0; i < made.nposts; i++)
		TAP_EQUAL(made.post[i].reports,
			  (i + 1) % (int)(depth / 4) == 0);
	verbs_made_close();
}

static void some_report(void)
{
	for (uint32_t depth = WF_VERBS_SQ_LEAST; depth <= WF_VERBS_SQ;
	     depth *= 2)
		a_quarter_is_silent(depth);
}

/* A full ring is one in which a completion is to come. */
static void full(uint32_t depth)
{
	bool reports = false;
	int last = -1;

	verbs_made_open();
	made.ep->depth = depth;
	while (put() == WEFT_OK && made.nposts < MADE_POSTS - 1)
		;
	TAP_CHECK(made.nposts <= (int)depth);
	for (int i = 0; i < made.nposts; i++)
		if (made.post[i].reports)
			last = i;
	TAP_CHECK(last >= 0);
	TAP_EQUAL(put(), WEFT_AGAIN);
	verbs_made_complete(last, IBV_WC_SUCCESS);
	reports = put() == WEFT_OK;
	TAP_CHECK(reports);
	verbs_made_close();
}

static void never_full_for_ever(void)
{
	for (uint32_t depth = WF_VERBS_SQ_LEAST; depth <= WF_VERBS_SQ;
	     depth *= 2)
		full(depth);
}

static void one_for_all(void)
{
	verbs_made_open();
	puts_of(20);
	verbs_made_complete(15, IBV_WC_SUCCESS);
	TAP_EQUAL(made.ep->tail, 16);
	TAP_EQUAL(made.ep->ep.arrived, 16);
	TAP_EQUAL(made.dev.kept.live, 4);
	/* A second time it means nothing. */
	verbs_made_complete(15, IBV_WC_SUCCESS);
	TAP_EQUAL(made.ep->tail, 16);
	verbs_made_close();
}

static int flush(enum wf_flush what)
{
	return made.ep->ep.ops->flush(&made.ep->ep, what);
}

/* An acknowledge says that they have arrived; a read behind them, all of it. */
static void flushed_by_a_read(void)
{
	const struct wf_ep *ep;

	verbs_made_open();
	ep = &made.ep->ep;
	TAP_EQUAL(flush(WF_FLUSH_REMOTE), WEFT_OK);
	TAP_EQUAL(made.nposts, 0);
	puts_of(3);
	TAP_EQUAL(flush(WF_FLUSH_ARRIVED), WEFT_OK);
	TAP_EQUAL(made.post[3].wr.opcode, IBV_WR_RDMA_WRITE);
	verbs_made_complete(3, IBV_WC_SUCCESS);
	TAP_CHECK(wf_ep_arrived(ep, 3) && !wf_ep_flushed(ep, 1));
	made.refuse = ENOMEM;
	TAP_EQUAL(flush(WF_FLUSH_REMOTE), WEFT_AGAIN);
	for (int i = 0; i < 2; i++)
		TAP_EQUAL(flush(WF_FLUSH_REMOTE), WEFT_OK);
	TAP_EQUAL(made.nposts, 5);
	TAP_EQUAL(made.post[4].wr.opcode, IBV_WR_RDMA_READ);
	puts_of(1);
	verbs_made_complete(4, IBV_WC_SUCCESS);
	TAP_CHECK(wf_ep_flushed(ep, 3) && !wf_ep_flushed(ep, 4));
	TAP_EQUAL(ep->posted, 4);
	TAP_EQUAL(flush(WF_FLUSH_REMOTE), WEFT_OK);
	TAP_EQUAL(made.nposts, 7);
	verbs_made_close();
}

static void of_a_former_one(void)
{
	struct ibv_wc wc = { .status = IBV_WC_SUCCESS };

	verbs_made_open();
	puts_of(20);
	wc.wr_id = made.post[15].wr.wr_id;
	wc.qp_num = made.ep->qpn + 1;
	wf_verbs_complete(&made.dev, &wc);
	TAP_EQUAL(made.ep->tail, 0);
	TAP_EQUAL(made.ep->ep.arrived, 0);
	verbs_made_close();
}

/* All is kept for another queue pair; what came before is done. */
static void lost(enum ibv_wc_status status)
{
	verbs_made_open();
	puts_of(20);
	verbs_made_complete(3, status);
	TAP_CHECK(made.ep->life.lost && !made.ep->ep.broken);
	TAP_EQUAL(made.ep->tail, 3);
	TAP_EQUAL(made.ep->ep.arrived, 3);
	TAP_EQUAL(put(), WEFT_AGAIN);
	/* What follows is the same trouble. */
	verbs_made_complete(4, IBV_WC_WR_FLUSH_ERR);
	TAP_EQUAL(made.ep->tail, 3);
	verbs_made_close();
}

/* It would fail in the same way again: nothing is kept. */
static void refused(enum ibv_wc_status status)
{
	verbs_made_open();
	puts_of(20);
	verbs_made_complete(3, status);
	TAP_CHECK(made.ep->ep.broken && !made.ep->life.lost);
	TAP_EQUAL(made.ep->tail, 4);
	TAP_EQUAL(made.ep->ep.done, made.ep->ep.posted);
	TAP_EQUAL(put(), WEFT_AGAIN);
	verbs_made_close();
}

static void failures(void)
{
	for (int status = 1; status <= IBV_WC_TM_RNDV_INCOMPLETE; status++)
		switch (status) {
		case IBV_WC_LOC_LEN_ERR:
		case IBV_WC_LOC_PROT_ERR:
		case IBV_WC_LOC_ACCESS_ERR:
		case IBV_WC_REM_ACCESS_ERR:
		case IBV_WC_FATAL_ERR:
			refused((enum ibv_wc_status)status);
			break;
		default:
			lost((enum ibv_wc_status)status);
		}
}

/* The one that failed is told, and asks for the events of its device. */
static void it_is_told(void)
{
	verbs_made_open();
	made.dev.passes = 5;
	puts_of(20);
	verbs_made_complete(3, IBV_WC_REM_OP_ERR);
	TAP_CHECK(strstr(made.lines, "warn: verbs: a put of 8 bytes to rank "
			 "5 on host n7 failed: "));
	TAP_EQUAL(made.dev.passes, 0);
	verbs_made_close();
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "which ones report", some_report },
		{ "a full ring gets room", never_full_for_ever },
		{ "one completion for all before it", one_for_all },
		{ "a remote flush is a read", flushed_by_a_read },
		{ "a completion of a former queue pair", of_a_former_one },
		{ "what each failure leaves", failures },
		{ "a failure is told", it_is_told }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
