/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shared memory between processes, where one of them is killed: its stores
 * end with it, what it mailed arrives, a third one is told, and nothing stays
 * behind in the survivors.
 */
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <weft/status.h>
#include "base/clock.h"
#include "boot/boot.h"
#include "tests/dumped.h"
#include "tests/transport/fixture.h"
#include "transport/shm/shm.h"

enum {
	AREA = 1 << 16
};

static struct fixture f;
static pid_t child[BOARD_RANKS];

/* What rank 0 tells the others about the memory that they may write. */
struct offer {
	struct wf_rloc area;
	uint32_t sig;
};

static void enter(int rank)
{
	fixture_prepare(&f, rank);
	fixture_enter(&f, rank);
	TAP_EQUAL(wf_boot_fence(&f.rank[rank].boot.base), WEFT_OK);
	/* the others are not here: no progress for them */
	for (int i = 0; i < f.n; i++)
		f.rank[i].dead = i != rank;
}

/* n ranks; this process is 0, the others run main and never return. */
static void start(int n, void (*main)(int rank))
{
	memset(&f, 0, sizeof(f));
	f.n = n;
	f.board = board_create(n);
	for (int i = 1; i < n; i++) {
		child[i] = fork();
		if (child[i] == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			alarm(60);
			enter(i);
			main(i);
			_exit(tap.failures ? 1 : 0);
		}
		TAP_CHECK(child[i] > 0);
	}
	enter(0);
}

static void finish(void)
{
	fixture_close(&f);
	for (int i = 1; i < BOARD_RANKS; i++)
		child[i] = 0;
}

static void await_ready(int me, int other)
{
	uint64_t since = wf_clock_ns();

	TAP_EQUAL(fixture_ask(&f, me, other), WEFT_OK);
	while (f.rank[me].ep[other]->state != WF_EP_READY &&
	       wf_clock_ns() - since < 10 * WF_NS_PER_S)
		fixture_pump(&f);
	if (!TAP_EQUAL(f.rank[me].ep[other]->state, WF_EP_READY))
		exit(1);
}

static void make_offer(int to, struct offer *offer)
{
	TAP_CHECK(fixture_alloc(&f, 0, AREA, &offer->area));
	offer->sig = fixture_signal(&f, 0);
	TAP_EQUAL(fixture_mail(&f, 0, to, 0, offer, sizeof(*offer)), WEFT_OK);
}

static void take_offer(int me, struct offer *offer_p)
{
	fixture_await(&f, &f.rank[me].nletters, 1);
	memcpy(offer_p, f.rank[me].letters[0].payload, sizeof(*offer_p));
}

/* Puts as fast as it can until it is killed, never zeros. */
static void writer_main(int me)
{
	static char data[AREA];
	struct offer offer;
	struct wf_ep *ep;

	await_ready(me, 0);
	take_offer(me, &offer);
	ep = f.rank[me].ep[0];
	TAP_EQUAL(fixture_mail(&f, me, 0, 1, NULL, 0), WEFT_OK);
	TAP_EQUAL(fixture_mail(&f, me, 0, 2, NULL, 0), WEFT_OK);
	for (int i = 0;; i++) {
		memset(data, 1 + i % 255, sizeof(data));
		if (ep->ops->put_signal(ep, wf_loc_any(data), offer.area,
					sizeof(data), offer.sig, NULL))
			_exit(1);
	}
}

static bool await_fence(struct wf_ep *ep)
{
	uint64_t since = wf_clock_ns();

	while (ep->dev->ops->fence(ep) == WEFT_INPROGRESS &&
	       wf_clock_ns() - since < 10 * WF_NS_PER_S)
		fixture_pump(&f);
	return TAP_EQUAL(ep->dev->ops->fence(ep), WEFT_OK);
}

static void killed(void)
{
	static char seen[AREA];
	const struct wf_shm_map *map;
	struct offer offer;
	struct wf_ep *ep;
	uint64_t count;
	char *area;

	start(2, writer_main);
	await_ready(0, 1);
	ep = f.rank[0].ep[1];
	/* Its memory is reserved here as it is there: not for core dumps. */
	map = &wf_container(ep, struct wf_shm_ep, ep)->map;
	TAP_EQUAL(dumped_bytes(map->base, map->limit), 0);
	make_offer(1, &offer);
	fixture_await_count(&f, 0, offer.sig, 100);
	TAP_EQUAL(ep->dev->ops->fence(ep), WEFT_INPROGRESS);
	kill(child[1], SIGKILL);
	/* not waited for: a zombie is fenced, too */
	await_fence(ep);
	area = wf_segment_at(&f.rank[0].segment, offer.area.addr);
	memcpy(seen, area, sizeof(seen));
	count = fixture_count(&f, 0, offer.sig);
	fixture_settle(&f);
	TAP_EQUAL(memcmp(seen, area, sizeof(seen)), 0);
	TAP_EQUAL(fixture_count(&f, 0, offer.sig), count);
	waitpid(child[1], NULL, 0);
	finish();
}

/*
 * The same with memory that the writer has not mapped.  Whatever the moment of
 * its death, nothing is written after the fence.
 */
static void killed_anywhere(void)
{
	static char area[AREA], seen[AREA];
	struct offer offer = { .sig = 0 };
	struct wf_device *dev;
	struct wf_ep *ep;
	uint64_t count;

	start(2, writer_main);
	await_ready(0, 1);
	ep = f.rank[0].ep[1];
	dev = f.rank[0].dev;
	if (!ep->writes_anywhere)
		tap_skip("no right to write the memory of a child");
	TAP_EQUAL(dev->ops->key(&dev->anywhere, (uintptr_t)area, &offer.area),
		  WEFT_OK);
	if (!ep->writes_anywhere)
		TAP_CHECK(fixture_alloc(&f, 0, AREA, &offer.area));
	offer.sig = fixture_signal(&f, 0);
	TAP_EQUAL(fixture_mail(&f, 0, 1, 0, &offer, sizeof(offer)), WEFT_OK);
	fixture_await_count(&f, 0, offer.sig, 100);
	kill(child[1], SIGKILL);
	await_fence(ep);
	memcpy(seen, area, sizeof(seen));
	count = fixture_count(&f, 0, offer.sig);
	TAP_CHECK(!ep->writes_anywhere || area[0] || area[AREA - 1]);
	fixture_settle(&f);
	TAP_EQUAL(memcmp(seen, area, sizeof(seen)), 0);
	TAP_EQUAL(fixture_count(&f, 0, offer.sig), count);
	/* puts into the dead one's memory reach nobody */
	if (ep->writes_anywhere)
		TAP_EQUAL(ep->ops->put(ep, wf_loc_any(seen), (struct wf_rloc){
			(uintptr_t)area, wf_shm_ep(ep)->any_key }, AREA),
			WEFT_OK);
	waitpid(child[1], NULL, 0);
	finish();
}

/* Says where it has bytes of its own, and lives until it is killed. */
static void keeper_main(int me)
{
	static unsigned char kept[AREA];
	struct wf_device *dev = f.rank[me].dev;
	struct offer offer = { .sig = 0 };

	for (int i = 0; i < AREA; i++)
		kept[i] = (unsigned char)(i * 31 + (i >> 8));
	await_ready(me, 0);
	TAP_EQUAL(dev->ops->key(&dev->anywhere, (uintptr_t)kept, &offer.area),
		  WEFT_OK);
	TAP_EQUAL(fixture_mail(&f, me, 0, 0, &offer, sizeof(offer)), WEFT_OK);
	for (;;)
		pause();
}

/* Memory that this process has not mapped is read; nothing of a dead one. */
static void read_anywhere(void)
{
	static unsigned char seen[AREA];
	struct offer offer;
	struct wf_rloc bad;
	struct wf_ep *ep;
	int wrong = 0;

	start(2, keeper_main);
	await_ready(0, 1);
	ep = f.rank[0].ep[1];
	take_offer(0, &offer);
	bad = (struct wf_rloc){ 8, offer.area.key };
	if (ep->writes_anywhere) {
		TAP_EQUAL(ep->ops->get(ep, wf_loc_any(seen), offer.area, AREA),
			  WEFT_OK);
		TAP_CHECK(wf_ep_done(ep, ep->posted));
		for (int i = 0; i < AREA; i++)
			wrong += seen[i] != (unsigned char)(i * 31 + (i >> 8));
		TAP_EQUAL(wrong, 0);
	} else {
		tap_skip("no right to read the memory of a child");
	}
	TAP_EQUAL(ep->ops->get(ep, wf_loc_any(seen), bad, 8), WEFT_ERR_RANGE);
	TAP_EQUAL(ep->posted, ep->writes_anywhere);
	kill(child[1], SIGKILL);
	await_fence(ep);
	if (ep->writes_anywhere) {
		TAP_CHECK(!ep->broken);
		TAP_EQUAL(ep->ops->get(ep, wf_loc_any(seen), offer.area, AREA),
			  WEFT_AGAIN);
		TAP_CHECK(ep->broken);
		TAP_EQUAL(ep->posted, 1);
	}
	waitpid(child[1], NULL, 0);
	finish();
}

/* What was mailed before the end is there after the fence. */
static void last_mails(void)
{
	struct offer offer;

	start(2, writer_main);
	await_ready(0, 1);
	make_offer(1, &offer);
	while (fixture_count(&f, 0, offer.sig) < 1)
		usleep(100);		/* no progress: nothing is drained */
	kill(child[1], SIGKILL);
	await_fence(f.rank[0].ep[1]);
	fixture_settle(&f);
	TAP_EQUAL(f.rank[0].nletters, 2);
	TAP_EQUAL(f.rank[0].letters[1].mail.word, 2);
	waitpid(child[1], NULL, 0);
	finish();
}

/* Tells rank 0, which it has never spoken to, that rank 2 is dead. */
static void teller_main(int me)
{
	if (me == 1)
		f.rank[me].dev->ops->tell(f.rank[me].dev, 2);
	fixture_await(&f, &f.rank[me].told[2], me == 3);
}

static void told(void)
{
	int status;

	start(4, teller_main);
	fixture_await(&f, &f.rank[0].told[2], 1);
	TAP_EQUAL(f.rank[0].told[1] + f.rank[0].told[3], 0);
	for (int i = 1; i < 4; i++) {
		TAP_EQUAL(waitpid(child[i], &status, 0), child[i]);
		TAP_EQUAL(status, 0);
	}
	finish();
}

static void grower_main(int me)
{
	static char data[AREA];
	struct offer offer;

	await_ready(me, 0);
	for (int i = 1; i <= 5; i++) {
		fixture_await(&f, &f.rank[me].nletters, i);
		memcpy(&offer, f.rank[me].letters[i - 1].payload,
		       sizeof(offer));
		memset(data, i, sizeof(data));
		TAP_EQUAL(fixture_put_signal(&f, f.rank[me].ep[0], data,
					     offer.area, sizeof(data),
					     offer.sig), WEFT_OK);
	}
}

/* The peer has mapped the segment once, before it grew. */
static void growth(void)
{
	struct offer offer;
	int status;

	start(2, grower_main);
	await_ready(0, 1);
	for (int i = 1; i <= 5; i++) {
		uint64_t gap;
		char *area;

		TAP_EQUAL(wf_segment_alloc_raw(&f.rank[0].segment,
					       (size_t)3 << 20, 64, &gap),
			  WEFT_OK);
		make_offer(1, &offer);
		TAP_CHECK(offer.area.addr > (uint64_t)i * (3 << 20));
		fixture_await_count(&f, 0, offer.sig, 1);
		area = wf_segment_at(&f.rank[0].segment, offer.area.addr);
		TAP_EQUAL(area[0], i);
		TAP_EQUAL(area[AREA - 1], i);
	}
	waitpid(child[1], &status, 0);
	TAP_EQUAL(status, 0);
	finish();
}

static void quitter_main(int me)
{
	(void)me;
}

/* It has ended before anybody spoke to it: reaped, or still a zombie. */
static void ended_unmet(bool reaped)
{
	siginfo_t info;

	start(2, quitter_main);
	waitid(P_PID, (id_t)child[1], &info, WEXITED | (reaped ? 0 : WNOWAIT));
	TAP_EQUAL(fixture_ask(&f, 0, 1), WEFT_ERR_PEER);
	waitpid(child[1], NULL, 0);
	finish();
}

/* A zombie has its number still, but no memory. */
static void never_met(void)
{
	ended_unmet(true);
	ended_unmet(false);
}

/* Descriptors and mappings of many lives of a device. */
static void nothing_left(void)
{
	int before = dup(0), after;

	close(before);
	for (int i = 0; i < 30; i++) {
		start(2, quitter_main);
		fixture_ask(&f, 0, 0);
		fixture_ask(&f, 0, 1);	/* alive, a zombie, or gone */
		fixture_pump(&f);
		waitpid(child[1], NULL, 0);
		finish();
	}
	after = dup(0);
	close(after);
	TAP_EQUAL(after, before);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a killed writer is fenced", killed },
		{ "the same outside of the segment", killed_anywhere },
		{ "a get from outside of the segment", read_anywhere },
		{ "its mails arrive", last_mails },
		{ "a death is told to strangers", told },
		{ "growth is seen by an attached process", growth },
		{ "a rank that ended before any contact", never_met },
		{ "descriptors are given back", nothing_left },
	};

	alarm(100);
	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
