/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What goes again over a queue pair that replaces a lost one: all that has not
 * come, in its order, and each of them reports.  And what the loss means for
 * other paths, and for the next loss.
 */
#include <errno.h>
#include <stdlib.h>
#include "base/random.h"
#include "tests/tap.h"
#include "tests/unit/verbs_made.h"
#include "transport/line.h"

enum {
	POSTS = 5
};

static int stopped, destroyed, no_handle = ENOMEM;
static bool has_another;
static int refused;			/* the next ones to INIT */

int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	TAP_CHECK(qp == &made.qp);
	if (attr->qp_state == IBV_QPS_INIT && refused && refused--)
		return EINVAL;
	if (has_another && attr->qp_state != IBV_QPS_ERR)
		return 0;
	TAP_EQUAL(mask, IBV_QP_STATE);
	TAP_EQUAL(attr->qp_state, IBV_QPS_ERR);
	stopped++;
	return 0;
}

/* Its driver has no such options. */
int ibv_query_ece(struct ibv_qp *qp, struct ibv_ece *ece)
{
	(void)qp;
	(void)ece;
	return EOPNOTSUPP;
}

int ibv_destroy_qp(struct ibv_qp *qp)
{
	TAP_CHECK(qp == &made.qp);
	TAP_EQUAL(stopped, 1);
	destroyed++;
	return 0;
}

struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
	(void)pd;
	(void)attr;
	errno = ENOMEM;
	return has_another ? &made.qp : NULL;
}

struct ibv_ah *ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr)
{
	(void)pd;
	TAP_EQUAL(attr->port_num, made.dev.port.number);
	errno = no_handle;
	return NULL;
}

static int raise_it(uint32_t sig)
{
	struct wf_rloc none = { 0, 0 };

	return made.ep->ep.ops->put_signal(&made.ep->ep, wf_loc_any(NULL),
					   none, 0, sig, NULL);
}

/* So many, of signals 20 and on, and then nothing gets through any more. */
static void lose_them(void)
{
	verbs_made_open();
	for (uint32_t i = 0; i < POSTS; i++)
		TAP_EQUAL(raise_it(20 + i), WEFT_OK);
	TAP_EQUAL(made.nposts, POSTS);
	wf_verbs_lose(made.ep, "made up");
	TAP_CHECK(made.ep->life.lost);
	made.nposts = 0;
}

/* The peer's hello has told how many have come. */
static void meet(uint32_t came)
{
	made.ep->life.fresh = made.ep->life.met = true;
	made.ep->hello_seen = true;
	wf_verbs_settle(made.ep, came);
	wf_verbs_mend(&made.dev, made.ep);
}

static void in_order(uint32_t came)
{
	lose_them();
	meet(came);
	TAP_CHECK(!made.ep->life.lost && !made.ep->ep.broken);
	TAP_EQUAL(made.nposts, POSTS - (int)came);
	TAP_EQUAL(made.ep->tail, came);
	TAP_EQUAL(made.ep->ep.flushed, came);
	for (int i = 0; i < made.nposts; i++) {
		uint32_t imm = be32toh(made.post[i].wr.imm_data);

		TAP_EQUAL(wf_verbs_imm_signal(imm), 20 + came + (uint32_t)i);
		TAP_EQUAL(imm >> WF_VERBS_NUMBER_SHIFT, came + (uint32_t)i);
		TAP_CHECK(made.post[i].reports);
	}
	TAP_CHECK(strstr(made.lines, "was lost and is made anew"));
	/* and so nothing more need be posted to know that they have come */
	TAP_EQUAL(made.ep->ep.ops->flush(&made.ep->ep, WF_FLUSH_ARRIVED),
		  WEFT_OK);
	TAP_EQUAL(made.nposts, POSTS - (int)came);
	verbs_made_close();
}

static void what_has_not_come(void)
{
	for (uint32_t came = 0; came <= POSTS; came++)
		in_order(came);
}

/*
 * A line that the peer has seen tells nothing of the put before it: posted
 * again and acknowledged, that is not visible for sure.
 */
static void seen_is_not_flushed(void)
{
	static const uint64_t word = 7;
	const struct wf_rloc to = { 0x10000, 1 };
	struct wf_ep *ep;

	verbs_made_open();
	made.dev.dev.line_data = 8;
	ep = &made.ep->ep;
	TAP_EQUAL(ep->ops->put(ep, wf_loc_any(&word), to, 8), WEFT_OK);
	TAP_EQUAL(wf_ep_line(ep, to, &word, 8, 1), WEFT_OK);
	wf_verbs_lose(made.ep, "made up");
	made.nposts = 0;
	made.ep->life.fresh = made.ep->life.met = true;
	made.ep->hello_seen = true;
	wf_verbs_settle(made.ep, 0);
	made.ep->life.answered = true;
	made.ep->life.answer = 1;
	wf_verbs_mend(&made.dev, made.ep);
	TAP_CHECK(!made.ep->life.lost);
	verbs_made_complete(0, IBV_WC_SUCCESS);
	TAP_EQUAL(made.ep->tail, 2);
	TAP_EQUAL(ep->arrived, 2);
	TAP_EQUAL(ep->flushed, 0);
	verbs_made_close();
}

/* More than were sent: all ends, behind the queue pair. */
static void impossible(void)
{
	stopped = destroyed = 0;
	lose_them();
	meet(POSTS + 1);
	TAP_CHECK(made.ep->ep.broken);
	TAP_EQUAL(made.nposts, 0);
	TAP_EQUAL(destroyed, 1);
	TAP_EQUAL(made.ep->tail, made.ep->head);
	TAP_EQUAL(made.dev.kept.live, 0);
	verbs_made_close();
}

/* The new queue pair takes no posts: the path is lost again, and all stays. */
static void lost_again(void)
{
	lose_them();
	made.refuse = EIO;
	meet(2);
	TAP_CHECK(made.ep->life.lost && !made.ep->ep.broken);
	TAP_EQUAL(made.ep->head - made.ep->tail, POSTS - 2);
	made.ep->life.fresh = true;
	wf_verbs_mend(&made.dev, made.ep);
	TAP_EQUAL(made.nposts, POSTS - 2);
	verbs_made_close();
}

static void nothing_new_before(void)
{
	lose_them();
	TAP_EQUAL(raise_it(30), WEFT_AGAIN);
	meet(POSTS);
	TAP_EQUAL(raise_it(30), WEFT_OK);
	verbs_made_close();
}

/* One of which nothing is under way; no device gives it another queue pair. */
static void lose_another(void)
{
	struct wf_verbs_ep *other = calloc(1, wf_verbs_ep_bytes(WF_VERBS_SQ));

	memcpy(other, made.ep, sizeof(*other));
	other->ep.rank = 6;
	other->qp = NULL;
	other->head = other->tail = other->hold = 0;
	other->life.lost = other->life.reported = true;
	wf_list_init(&other->work);
	wf_list_init(&other->calling);
	TAP_EQUAL(wf_map_put(&made.dev.eps, 6, other), WEFT_OK);
	wf_verbs_mend(&made.dev, other);
	TAP_CHECK(other->ep.broken);
	wf_list_del(&other->work);
	wf_map_del(&made.dev.eps, 6);
	free(other);
}

static void others(void)
{
	verbs_made_open();
	TAP_EQUAL(raise_it(20), WEFT_OK);
	TAP_CHECK(!made.post[0].reports);
	lose_another();
	TAP_EQUAL(made.nposts, 2);
	TAP_CHECK(made.post[1].reports);
	TAP_EQUAL(made.post[1].wr.num_sge, 0);
	/* it will report, and one behind it need not */
	TAP_EQUAL(raise_it(21), WEFT_OK);
	lose_another();
	TAP_EQUAL(made.nposts, 3);
	verbs_made_complete(1, IBV_WC_SUCCESS);
	lose_another();
	TAP_EQUAL(made.nposts, 4);
	TAP_EQUAL(made.ep->ep.arrived, 1);
	/* of a peer that has left nobody needs to know */
	verbs_made_complete(3, IBV_WC_SUCCESS);
	made.ep->ep.gone = true;
	lose_another();
	TAP_EQUAL(made.nposts, 4);
	verbs_made_close();
}

/* The device makes one from now on. */
static void have_another(void)
{
	static struct wf_random random;
	static struct wf_segment segment;
	static struct wf_signals signals;
	static struct wf_blob blob;
	static struct ibv_mr mr;

	wf_random_init(&random, 1);
	made.dev.env.self = &blob;
	made.dev.env.segment = &segment;
	made.dev.env.signals = &signals;
	made.dev.ud = &made.qp;
	made.dev.dev.arena.dev = &made.dev.dev;
	made.dev.mr[0] = &mr;
	made.dev.nmrs = 1;
	made.dev.env.random = &random;
	made.dev.scqs.cq[0].cq = &made.cq;
	made.dev.scqs.cq[0].room = 1000;
	made.dev.scqs.n = 1;
	has_another = true;
	stopped = destroyed = 0;
}

/* Lost once more: also the next queue pair of the peer is waited for. */
static void each_is_met(void)
{
	lose_them();
	meet(2);
	have_another();
	wf_verbs_lose(made.ep, "made up");
	made.nposts = 0;
	wf_verbs_mend(&made.dev, made.ep);
	TAP_EQUAL(destroyed, 1);
	made.ep->hello_seen = true;
	wf_verbs_settle(made.ep, 2);
	wf_verbs_mend(&made.dev, made.ep);
	TAP_EQUAL(made.nposts, 0);
	wf_verbs_ready(made.ep);
	wf_verbs_mend(&made.dev, made.ep);
	TAP_EQUAL(made.nposts, POSTS - 2);
	has_another = false;
	verbs_made_close();
}

/* The device has failed the next queue pair before it was prepared. */
static void another_fails_at_once(void)
{
	lose_them();
	have_another();
	refused = 1;
	wf_verbs_mend(&made.dev, made.ep);
	TAP_EQUAL(destroyed, 2);
	TAP_CHECK(!made.ep->ep.broken);
	TAP_EQUAL(made.ep->head - made.ep->tail, POSTS);
	TAP_CHECK(!strcmp(made.ep->why, "made up"));
	made.ep->hello_seen = true;
	wf_verbs_settle(made.ep, 0);
	wf_verbs_ready(made.ep);
	wf_verbs_mend(&made.dev, made.ep);
	TAP_EQUAL(made.nposts, POSTS);
	has_another = false;
	verbs_made_close();
}

/* Loses the path by the oldest post, and steps on; lines of the log so far. */
static int lose_in_vain(void)
{
	int lines = 0;

	verbs_made_complete(0, IBV_WC_LOC_QP_OP_ERR);
	made.nposts = 0;
	stopped = 0;
	wf_verbs_mend(&made.dev, made.ep);
	for (const char *at = made.lines; (at = strstr(at, "warn: ")); at++)
		lines++;
	return lines;
}

/*
 * An error that every queue pair with oneself has: it is told once, and the
 * next one is not made at once.
 */
static void oneself_in_vain(void)
{
	verbs_made_open();
	have_another();
	made.ep->ep.rank = 0;
	TAP_EQUAL(raise_it(20), WEFT_OK);
	TAP_EQUAL(lose_in_vain(), 2);
	TAP_EQUAL(made.nposts, 1);
	TAP_EQUAL(lose_in_vain(), 3);
	TAP_EQUAL(made.nposts, 1);
	/* as if its time was far away */
	made.ep->life.again = UINT64_MAX;
	TAP_EQUAL(lose_in_vain(), 3);
	TAP_EQUAL(made.nposts, 0);
	TAP_CHECK(made.ep->life.lost && wf_verbs_mends_by_itself(made.ep));
	made.ep->life.since = 1;
	wf_verbs_mend(&made.dev, made.ep);
	TAP_CHECK(made.ep->ep.broken);
	has_another = false;
	verbs_made_close();
}

/* The line may have come: the peer is asked when there is a slot to ask by. */
static void asked_later(void)
{
	struct ibv_mr mr = { .lkey = 1 };
	struct wf_piece piece = { "8 bytes", 8 };
	struct wf_segment segment = { .size = 0 };
	const struct wf_rloc to = { 64, 0 };
	char slot[WF_VERBS_SLOT];

	verbs_made_open();
	made.dev.ucq = &made.cq;
	made.dev.env.segment = &segment;
	made.dev.buffer_mr = &mr;
	made.dev.passes = made.dev.looks = 1;
	made.dev.dev.line_data = 8;
	TAP_EQUAL(made.ep->ep.ops->lines(&made.ep->ep, to, &piece, 1, 1),
		  WEFT_OK);
	wf_verbs_lose(made.ep, "made up");
	made.nposts = 0;
	meet(0);
	for (int i = 0; i < 2; i++)
		wf_verbs_progress(&made.dev.dev);
	TAP_EQUAL(made.nposts, 0);
	TAP_CHECK(made.ep->life.lost);
	made.dev.free_slot[made.dev.nfree++] = slot;
	wf_verbs_progress(&made.dev.dev);
	TAP_EQUAL(made.nposts, 1);
	TAP_EQUAL(((struct wf_verbs_letter *)slot)->kind, WF_VERBS_ASKS);
	/* then it is the peer's turn */
	TAP_CHECK(wf_list_empty(&made.ep->work));
	wf_verbs_end_letters(made.ep);
	verbs_made_close();
}

/* The peer asks after each loss what has come, and is told each time. */
static void each_is_judged(void)
{
	struct wf_verbs_letter asks = { .kind = WF_VERBS_ASKS };
	struct wf_segment segment = { .holds = 1 };
	struct ibv_mr mr = { .lkey = 1 };
	char slot[WF_VERBS_SLOT];

	verbs_made_open();
	made.dev.env.segment = &segment;
	made.dev.buffer_mr = &mr;
	made.dev.free_slot[made.dev.nfree++] = slot;
	for (int times = 1; times <= 2; times++) {
		asks.number = ++made.ep->life.number;
		wf_verbs_hear(made.ep, &asks, "");
		TAP_CHECK(wf_verbs_reply(made.ep));
		TAP_EQUAL(made.nposts, times);
		TAP_EQUAL(segment.holds, 2);
		/* a second time from the device */
		wf_verbs_hear(made.ep, &asks, "");
		TAP_CHECK(wf_verbs_reply(made.ep));
		TAP_EQUAL(made.nposts, times);
		wf_verbs_end_letters(made.ep);
		TAP_EQUAL(segment.holds, 1);
	}
	verbs_made_close();
}

/* Who asked for what the device does not do. */
static void is_told(const char *what)
{
	char why[WF_VERBS_WHY];

	snprintf(why, sizeof(why), "device mlx5_0 %s: Cannot allocate memory",
		 what);
	TAP_CHECK(!strncmp(made.ep->why, why, strlen(why)));
	TAP_EQUAL(made.lines[0], 0);
}

/* A first contact asks for it every 10 ms, and tells once. */
static void nothing_is_logged(void)
{
	verbs_made_open();
	have_another();
	has_another = false;
	TAP_EQUAL(wf_verbs_qp_create(&made.dev, made.ep), WEFT_ERR_NOMEM);
	is_told("does not open a queue pair");
	TAP_EQUAL(wf_verbs_ep_handle(made.ep), WEFT_ERR_NOMEM);
	is_told("makes no address handle");
	verbs_made_close();
}

/* A host that does not answer now may later. */
static void nobody_is_found(void)
{
	static const struct {
		int error, status;
	} cases[] = {
		{ EAGAIN, WEFT_ERR_NOMEM }, { ETIMEDOUT, WEFT_ERR_NOMEM },
		{ EIO, WEFT_ERR_UNSUPPORTED }
	};

	verbs_made_open();
	for (size_t i = 0; i < TAP_COUNT(cases); i++) {
		no_handle = cases[i].error;
		TAP_EQUAL(wf_verbs_ep_handle(made.ep), cases[i].status);
	}
	no_handle = ENOMEM;
	verbs_made_close();
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "what was seen is not flushed", seen_is_not_flushed },
		{ "what has not come, in its order", what_has_not_come },
		{ "a count that cannot be", impossible },
		{ "lost again", lost_again },
		{ "nothing new before", nothing_new_before },
		{ "others are asked whether they are there", others },
		{ "the next queue pair is met, too", each_is_met },
		{ "what goes again outlasts a queue pair that fails at once",
		  another_fails_at_once },
		{ "oneself is not met again and again", oneself_in_vain },
		{ "a question waits for a slot", asked_later },
		{ "each question is answered, once", each_is_judged },
		{ "who asks for a queue pair tells that there is none",
		  nothing_is_logged },
		{ "a peer's host that is not found is looked for again",
		  nobody_is_found }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
