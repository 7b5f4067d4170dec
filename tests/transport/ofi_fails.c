/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ops of libfabric for which there is no room, or an error: nothing was posted
 * then, no slot is lost, and what is full gets through after progress.
 *
 * One call of a table of libfabric is replaced by one that fails.
 */
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <string.h>
#include <weft/status.h>
#include "base/clock.h"
#include "tests/transport/fixture.h"
#include "transport/line.h"
#include "transport/ofi/ofi.h"

enum {
	RANKS = 4,
	LARGE = 8192			/* more than a slot bounces */
};

static struct fixture f;

static struct wf_ofi *device(int rank)
{
	return wf_ofi_dev(f.rank[rank].dev);
}

static int free_slots(const struct wf_ofi *dev)
{
	int n = 0;

	for (const struct wf_list *at = dev->free.next; at != &dev->free;
	     at = at->next)
		n++;
	return n;
}

/* ---- ops that libfabric does not take ---- */

enum op { MAIL, LINE, SMALL, PUT, SIGNAL, GET, ADD, OPS };

static int refused_with;
static struct fi_ops_rma real_rma, our_rma;
static struct fi_ops_msg real_msg, our_msg;

static ssize_t refuse_write(struct fid_ep *ep, const struct fi_msg_rma *msg,
			    uint64_t flags)
{
	return refused_with ? refused_with :
			      real_rma.writemsg(ep, msg, flags);
}

static ssize_t refuse_read(struct fid_ep *ep, const struct fi_msg_rma *msg,
			   uint64_t flags)
{
	return refused_with ? refused_with :
			      real_rma.readmsg(ep, msg, flags);
}

static ssize_t refuse_send(struct fid_ep *ep, const struct fi_msg *msg,
			   uint64_t flags)
{
	return refused_with ? refused_with :
			      real_msg.sendmsg(ep, msg, flags);
}

static struct wf_ep *pair(uint64_t seed)
{
	struct fid_ep *ep;

	fixture_open(&f, 2, seed);
	fixture_connect(&f, 0, 1);
	fixture_settle(&f);
	ep = device(0)->source[0].ep;
	real_rma = our_rma = *ep->rma;
	our_rma.writemsg = refuse_write;
	our_rma.readmsg = refuse_read;
	ep->rma = &our_rma;
	real_msg = our_msg = *ep->msg;
	our_msg.sendmsg = refuse_send;
	ep->msg = &our_msg;
	return f.rank[0].ep[1];
}

static int call(struct wf_ep *ep, enum op op, struct wf_rloc to, uint32_t sig)
{
	static char data[LARGE];
	static uint64_t old;
	struct wf_mail mail = { .kind = 7 };
	struct wf_loc any = wf_loc_any(data);

	switch (op) {
	case MAIL:
		return ep->ops->mail(ep, &mail, NULL);
	case LINE:
		return wf_ep_line(ep, to, data, 8, 1);
	case SMALL:
		return ep->ops->put(ep, any, to, 8);
	case PUT:
		return ep->ops->put(ep, any, to, LARGE);
	case SIGNAL:
		return ep->ops->put_signal(ep, any, to, LARGE, sig, NULL);
	case GET:
		return ep->ops->get(ep, any, to, LARGE);
	default:
		return ep->ops->fetch_add(ep, to, 1, &old);
	}
}

/* Full is AGAIN, and the same op is taken later. */
static void full(void)
{
	struct wf_ep *ep = pair(1);
	int slots = free_slots(device(0));
	struct wf_rloc rloc;
	uint32_t sig = fixture_signal(&f, 1);

	fixture_alloc(&f, 1, LARGE, &rloc);
	for (int op = MAIL; op < OPS; op++) {
		refused_with = -FI_EAGAIN;
		TAP_EQUAL(call(ep, op, rloc, sig), WEFT_AGAIN);
		TAP_EQUAL(ep->posted, op);
		TAP_EQUAL(ep->done, op);
		TAP_EQUAL(free_slots(device(0)), slots);
		TAP_CHECK(!ep->broken);
		refused_with = 0;
		TAP_EQUAL(call(ep, op, rloc, sig), WEFT_OK);
		TAP_EQUAL(ep->posted, op + 1);
		fixture_flush(&f, ep, ep->posted);
		fixture_settle(&f);
		TAP_EQUAL(free_slots(device(0)), slots);
	}
	TAP_EQUAL(fixture_count(&f, 1, sig), 1);
	TAP_EQUAL(f.rank[1].nletters, 1);
	fixture_close(&f);
}

/* Any other error breaks the endpoint, and the detector hears of it. */
static void broken(void)
{
	for (int op = MAIL; op < OPS; op++) {
		struct wf_ep *ep = pair(2);
		struct wf_rloc rloc;
		uint32_t sig = fixture_signal(&f, 1);
		int slots = free_slots(device(0));

		fixture_alloc(&f, 1, LARGE, &rloc);
		refused_with = -FI_ENOTCONN;
		TAP_EQUAL(call(ep, op, rloc, sig), WEFT_AGAIN);
		TAP_CHECK(ep->broken);
		TAP_EQUAL(ep->posted, 0);
		refused_with = 0;
		for (int then = MAIL; then < OPS; then++)
			TAP_EQUAL(call(ep, then, rloc, sig), WEFT_AGAIN);
		TAP_EQUAL(ep->posted, 0);
		TAP_EQUAL(free_slots(device(0)), slots);
		fixture_await(&f, &f.rank[0].suspects[1], 1);
		fixture_settle(&f);
		TAP_EQUAL(f.rank[0].suspects[1], 1);
		TAP_EQUAL(fixture_count(&f, 1, sig), 0);
		TAP_EQUAL(f.rank[1].nletters, 0);
		fixture_close(&f);
	}
}

/* A flush, and the credits of mails, are owed until they get through. */
static void owed(void)
{
	struct wf_ep *ep = pair(3);
	struct wf_rloc rloc;
	uint64_t value = 5;

	fixture_alloc(&f, 1, 64, &rloc);
	TAP_EQUAL(ep->ops->put(ep, wf_loc_any(&value), rloc, 8), WEFT_OK);
	refused_with = -FI_EAGAIN;
	TAP_EQUAL(ep->ops->put(ep, wf_loc_any(&value), rloc, 8), WEFT_AGAIN);
	TAP_EQUAL(ep->ops->flush(ep, WF_FLUSH_REMOTE), WEFT_OK);
	for (uint32_t i = 0; i < 4; i++)
		TAP_EQUAL(fixture_mail(&f, 1, 0, i, NULL, 0), WEFT_OK);
	fixture_await(&f, &f.rank[0].nletters, 4);
	fixture_settle(&f);
	/* no credit has come back, so the fifth waits */
	TAP_EQUAL(f.rank[1].ep[0]->ops->mail(f.rank[1].ep[0],
					     &(struct wf_mail){ .kind = 7 },
					     NULL), WEFT_AGAIN);
	refused_with = 0;
	for (uint32_t i = 4; i < 20; i++)
		TAP_EQUAL(fixture_mail(&f, 1, 0, i, NULL, 0), WEFT_OK);
	fixture_await(&f, &f.rank[0].nletters, 20);
	fixture_flush(&f, ep, ep->posted);
	fixture_close(&f);
}

/* An answer to an atomic is owed, too, or never comes. */
static void owed_answer(int result)
{
	struct wf_ep *ep = pair(14), *asker = f.rank[1].ep[0];
	uint64_t old = 7, *word;
	struct wf_rloc rloc;

	word = fixture_alloc(&f, 0, 64, &rloc);
	refused_with = result;
	TAP_EQUAL(fixture_fetch_add(&f, asker, rloc, 3, &old), WEFT_OK);
	for (int i = 0; i < 100000 && !*word; i++)
		fixture_pump(&f);
	fixture_settle(&f);
	TAP_EQUAL(*word, 3);
	TAP_EQUAL(old, 7);
	TAP_EQUAL(ep->broken, result != -FI_EAGAIN);
	refused_with = 0;
	if (result == -FI_EAGAIN) {
		fixture_await_done(&f, asker);
		TAP_EQUAL(old, 0);
	} else {
		fixture_await(&f, &f.rank[0].suspects[1], 1);
		TAP_CHECK(!wf_ep_done(asker, asker->posted));
		fixture_leave(&f, 1);
	}
	fixture_close(&f);
}

static void answers(void)
{
	owed_answer(-FI_EAGAIN);
	owed_answer(-FI_ENOTCONN);
}

/* An error that is not there when it is looked at is none, nor is nobody's. */
static int no_errors;
static struct fi_ops_cq real_cq, our_cq;

static ssize_t read_none(struct fid_cq *cq, void *entry, size_t n)
{
	return no_errors > 0 ? -FI_EAVAIL : real_cq.read(cq, entry, n);
}

static ssize_t read_no_error(struct fid_cq *cq, struct fi_cq_err_entry *entry,
			     uint64_t flags)
{
	if (no_errors-- > 10)
		return -FI_EAGAIN;
	if (no_errors >= 0) {
		memset(entry, 0, sizeof(*entry));
		entry->err = FI_EIO;
		return 1;
	}
	return real_cq.readerr(cq, entry, flags);
}

static void no_error(void)
{
	struct wf_ep *ep = pair(15);

	real_cq = our_cq = *device(0)->cq->ops;
	our_cq.read = read_none;
	our_cq.readerr = read_no_error;
	device(0)->cq->ops = &our_cq;
	no_errors = 20;
	TAP_EQUAL(fixture_mail(&f, 1, 0, 5, NULL, 0), WEFT_OK);
	fixture_await(&f, &f.rank[0].nletters, 1);
	TAP_CHECK(no_errors <= 0);
	TAP_CHECK(!ep->broken);
	device(0)->cq->ops = &real_cq;
	fixture_close(&f);
}

/* ---- slots ---- */

/*
 * One endpoint may hold a part of the slots, and all of them are held before
 * the third has its part: both are AGAIN, and all bytes arrive.
 */
static void slots(void)
{
	static uint64_t value[RANKS][WF_OFI_EP_TX];
	int posted[RANKS] = { 0 };
	struct wf_rloc rloc[RANKS];
	uint64_t *to[RANKS];

	fixture_open(&f, RANKS, 4);
	for (int r = 1; r < RANKS; r++)
		fixture_connect(&f, 0, r);
	fixture_settle(&f);
	TAP_EQUAL(free_slots(device(0)), WF_OFI_TX);
	/* without the guards, which take slots of their own */
	device(0)->guarded = false;
	for (int r = 1; r < RANKS; r++)
		to[r] = fixture_alloc(&f, r, sizeof(value[r]), &rloc[r]);
	for (int r = 1; r < RANKS; r++) {
		struct wf_ep *ep = f.rank[0].ep[r];

		for (int i = 0; i < WF_OFI_EP_TX; i++) {
			struct wf_rloc at = { rloc[r].addr + 8 * (uint64_t)i,
					      rloc[r].key };

			value[r][i] = (uint64_t)(100 * r + i);
			if (ep->ops->put(ep, wf_loc_any(&value[r][i]), at, 8))
				break;
			posted[r]++;
		}
		TAP_EQUAL(ep->ops->put(ep, wf_loc_any(value), rloc[r], LARGE),
			  WEFT_AGAIN);
		TAP_EQUAL(ep->ops->get(ep, wf_loc_any(value), rloc[r], 8),
			  WEFT_AGAIN);
		TAP_EQUAL(ep->posted, posted[r]);
	}
	TAP_EQUAL(posted[1], WF_OFI_EP_TX);
	TAP_EQUAL(posted[2], WF_OFI_EP_TX);
	TAP_EQUAL(posted[3], WF_OFI_TX - 2 * WF_OFI_EP_TX);
	TAP_EQUAL(free_slots(device(0)), 0);
	TAP_EQUAL(f.rank[0].ep[3]->ops->mail(f.rank[0].ep[3],
					     &(struct wf_mail){ .kind = 7 },
					     NULL), WEFT_AGAIN);
	for (int r = 1; r < RANKS; r++) {
		fixture_flush(&f, f.rank[0].ep[r], (uint64_t)posted[r]);
		for (int i = 0; i < posted[r]; i++)
			TAP_EQUAL(to[r][i], 100 * r + i);
	}
	fixture_settle(&f);
	TAP_EQUAL(free_slots(device(0)), WF_OFI_TX);
	fixture_close(&f);
}

/* A buffer that is used up, told by itself and not with its last message. */
static int told, offered;

static ssize_t read_used_up(struct fid_cq *cq, void *entries, size_t n)
{
	struct fi_cq_data_entry *e = entries;

	if (told++)
		return real_cq.read(cq, entries, n);
	*e = (struct fi_cq_data_entry){
		.op_context = &device(0)->source[0].rx[0],
		.flags = FI_MULTI_RECV
	};
	return 1;
}

static ssize_t offer(struct fid_ep *ep, const struct fi_msg *msg,
		     uint64_t flags)
{
	(void)ep;
	(void)msg;
	offered += flags & FI_MULTI_RECV ? 1 : 0;
	return 0;
}

static void used_up(void)
{
	fixture_open(&f, 2, 16);
	fixture_connect(&f, 0, 1);
	fixture_settle(&f);
	TAP_EQUAL(free_slots(device(0)), WF_OFI_TX);
	real_cq = our_cq = *device(0)->cq->ops;
	our_cq.read = read_used_up;
	device(0)->cq->ops = &our_cq;
	our_msg = *device(0)->source[0].ep->msg;
	our_msg.recvmsg = offer;
	device(0)->source[0].ep->msg = &our_msg;
	fixture_pump(&f);
	TAP_CHECK(told > 0);
	TAP_EQUAL(offered, 1);
	TAP_EQUAL(free_slots(device(0)), WF_OFI_TX);
	fixture_close(&f);
}

/* How many mails it takes while its peer makes no progress. */
static int mails_at_once(struct wf_ep *ep)
{
	const struct wf_mail mail = { .kind = 7 };
	int n = 0;

	while (n < 100 && !ep->ops->mail(ep, &mail, NULL))
		n++;
	return n;
}

/* Who sends many mails may have more under way, unless others have all. */
static void busy(void)
{
	for (int given = 0; given <= WF_OFI_GIVEN; given += WF_OFI_GIVEN) {
		int more = given ? 0 : WF_OFI_EP_GIVEN;
		struct wf_ep *ep;

		fixture_open(&f, 2, 6);
		fixture_connect(&f, 0, 1);
		fixture_settle(&f);
		device(1)->given = given;
		ep = f.rank[0].ep[1];
		TAP_EQUAL(mails_at_once(ep), WF_OFI_CREDITS);
		for (uint32_t i = 0; i < 50; i++)
			TAP_EQUAL(fixture_mail(&f, 0, 1, i, NULL, 0), WEFT_OK);
		fixture_await(&f, &f.rank[1].nletters, WF_OFI_CREDITS + 50);
		fixture_settle(&f);
		TAP_EQUAL(mails_at_once(ep), WF_OFI_CREDITS + more);
		fixture_await(&f, &f.rank[1].nletters,
			      2 * WF_OFI_CREDITS + 50 + more);
		TAP_EQUAL(device(1)->given, given + more);
		ep = f.rank[1].ep[0];
		ep->dev->ops->disconnect(ep);
		f.rank[1].ep[0] = NULL;
		TAP_EQUAL(device(1)->given, given);
		fixture_close(&f);
	}
}

/* A provider that injects keeps no slot, and its sources are copied. */
static void injected(void)
{
	struct wf_rloc rloc, line_at;
	uint64_t value = 7, *to;
	struct wf_line *line;
	struct wf_ep *ep;
	uint32_t sig;

	fixture_open(&f, 2, 5);
	fixture_connect(&f, 0, 1);
	fixture_settle(&f);
	ep = f.rank[0].ep[1];
	device(0)->guarded = false;
	device(0)->inject = device(0)->info->tx_attr->inject_size;
	TAP_CHECK(device(0)->inject >= 64);
	to = fixture_alloc(&f, 1, 64, &rloc);
	line = fixture_alloc(&f, 1, sizeof(*line), &line_at);
	sig = fixture_signal(&f, 1);
	TAP_EQUAL(fixture_put(&f, ep, &value, rloc, 8), WEFT_OK);
	value = 8;
	rloc.addr += 8;
	TAP_EQUAL(fixture_put_signal(&f, ep, &value, rloc, 8, sig), WEFT_OK);
	value = 9;
	TAP_EQUAL(fixture_line(&f, ep, line_at, &value, 8, 3), WEFT_OK);
	value = 10;
	TAP_EQUAL(fixture_mail(&f, 0, 1, 1, &value, 8), WEFT_OK);
	value = 0;
	TAP_EQUAL(free_slots(device(0)), WF_OFI_TX);
	TAP_EQUAL(ep->posted, 4);
	TAP_EQUAL(ep->done, 4);
	fixture_await_count(&f, 1, sig, 1);
	fixture_await(&f, &f.rank[1].nletters, 1);
	fixture_flush(&f, ep, ep->posted);
	TAP_EQUAL(to[0], 7);
	TAP_EQUAL(to[1], 8);
	TAP_CHECK(wf_line_ready(line, 3) && *wf_line_content(line, 8) == 9);
	TAP_EQUAL(f.rank[1].letters[0].payload[0], 10);
	fixture_close(&f);
}

/* ---- sleeping, and keys ---- */

static int trywait_gives;

static int trywait(struct fid_fabric *fabric, struct fid **fids, int n)
{
	(void)fabric;
	(void)fids;
	TAP_EQUAL(n, 1);
	return trywait_gives;
}

static int arm_after(int result, int *ms_p)
{
	struct wf_device *dev = f.rank[0].dev;
	int status;

	*ms_p = 100;
	trywait_gives = result;
	status = dev->ops->arm(dev, ms_p);
	dev->ops->disarm(dev);
	return status;
}

static void sleeps(void)
{
	struct fi_ops_fabric ours, *real;
	int ms;

	fixture_open(&f, 1, 10);
	real = device(0)->fabric->ops;
	ours = *real;
	ours.trywait = trywait;
	device(0)->fabric->ops = &ours;
	TAP_CHECK(device(0)->wait_fd >= 0);
	TAP_EQUAL(arm_after(0, &ms), WEFT_OK);
	TAP_EQUAL(ms, 100);
	TAP_EQUAL(arm_after(-FI_EAGAIN, &ms), WEFT_AGAIN);
	TAP_EQUAL(arm_after(-FI_EINVAL, &ms), WEFT_OK);
	TAP_EQUAL(ms, 1);
	device(0)->fabric->ops = real;
	fixture_close(&f);
}

/* As many registrations as a device has, one for each growth. */
static void too_many_keys(void)
{
	struct wf_rloc rloc = { 1, 2 };
	uint64_t covered;
	struct wf_ofi *dev;
	int nmrs;

	fixture_open(&f, 1, 11);
	dev = device(0);
	covered = dev->covered;
	nmrs = dev->nmrs;
	dev->covered = 0;
	dev->nmrs = WF_OFI_MRS;
	TAP_EQUAL(dev->dev.ops->key(&dev->dev.arena, 0, &rloc),
		  WEFT_ERR_NOMEM);
	TAP_EQUAL(rloc.addr, 1);
	dev->nmrs = nmrs;
	dev->covered = covered;
	fixture_close(&f);
}

/* A provider that looks at half of a key would take it for another one. */
static void too_long_a_key(void)
{
	struct wf_rloc rloc;
	struct wf_ep *ep = pair(12);
	char *to = fixture_alloc(&f, 1, 64, &rloc), byte = 1;
	struct wf_loc here = wf_loc_any(&byte);
	uint64_t posted = ep->posted;

	device(0)->info->domain_attr->mr_key_size = sizeof(uint32_t);
	rloc.key |= UINT64_C(1) << 32;
	TAP_EQUAL(ep->ops->put(ep, here, rloc, 1), WEFT_ERR_RANGE);
	TAP_EQUAL(wf_ep_line(ep, rloc, "x", 1, 1), WEFT_ERR_RANGE);
	TAP_EQUAL(ep->ops->get(ep, here, rloc, 1), WEFT_ERR_RANGE);
	TAP_EQUAL(ep->posted, posted);
	TAP_CHECK(!ep->broken);
	rloc.key = (uint32_t)rloc.key;
	TAP_CHECK(wf_ofi_is_key(device(0), rloc.key));
	TAP_EQUAL(*to, 0);
	TAP_EQUAL(byte, 1);
	device(0)->info->domain_attr->mr_key_size = sizeof(uint64_t);
	fixture_close(&f);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "ops for which there is no room", full },
		{ "ops that fail break the endpoint", broken },
		{ "a flush and credits for which there is no room", owed },
		{ "answers for which there is no room", answers },
		{ "an error that is not there", no_error },
		{ "slots of one endpoint, and of all", slots },
		{ "a receive buffer that comes back by itself", used_up },
		{ "more credits for busy peers", busy },
		{ "a provider that injects", injected },
		{ "a queue that something has come to", sleeps },
		{ "more registrations than a device has", too_many_keys },
		{ "a key that is longer than a provider's", too_long_a_key },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
