/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shared memory wakes who sleeps: each op that a wait may wait for rings the
 * doorbell of an armed rank, once for each sleep, and of no other.
 */
#include <poll.h>
#include <sys/resource.h>
#include <weft/status.h>
#include "base/membarrier.h"
#include "tests/transport/fixture.h"
#include "transport/line.h"
#include "transport/shm/shm.h"

enum {
	SLEEPER = 0,
	WRITER = 1
};

static struct fixture f;
static struct wf_doorbell bell;
static struct wf_ep *ep;		/* of the writer to the sleeper */
static struct wf_device *dev;		/* of the sleeper */

/* The flag of the sleeper when it passed its barriers. */
static uint32_t flag_at_barrier;
static int barriers;

bool __real_wf_membarrier(void);
bool __wrap_wf_membarrier(void);

bool __wrap_wf_membarrier(void)
{
	barriers++;
	flag_at_barrier = atomic_load(&wf_shm_dev(dev)->header->asleep);
	return __real_wf_membarrier();
}

static bool rings(void)
{
	struct pollfd p = { .fd = bell.fd, .events = POLLIN };

	return poll(&p, 1, 0) == 1;
}

static void set_up(void)
{
	fixture_open_sleeper(&f, SLEEPER, &bell);
	dev = f.rank[SLEEPER].dev;
}

static void connect(void)
{
	set_up();
	fixture_connect(&f, SLEEPER, WRITER);
	ep = f.rank[WRITER].ep[SLEEPER];
}

static void take_down(void)
{
	fixture_close(&f);
	wf_doorbell_close(&bell);
}

static int fall_asleep(void)
{
	int ms = 100;

	wf_doorbell_drain(bell.fd);
	TAP_EQUAL(dev->ops->arm(dev, &ms), WEFT_OK);
	TAP_EQUAL(dev->ops->descriptor(dev), -1);
	TAP_CHECK(!rings());
	return ms;
}

/* What was done rang, if it should; nothing rings who is awake. */
static void judge(bool expected)
{
	TAP_EQUAL(rings(), expected);
	dev->ops->disarm(dev);
	wf_doorbell_drain(bell.fd);
}

static void each_op(bool asleep)
{
	uint32_t sig = fixture_signal(&f, SLEEPER);
	struct wf_rloc line, slot;
	char text[] = "wake up";

	fixture_alloc(&f, SLEEPER, WF_LINE_BYTES, &line);
	fixture_alloc(&f, SLEEPER, 4096, &slot);
	if (asleep)
		fall_asleep();
	TAP_EQUAL(fixture_line(&f, ep, line, text, 8, 1), WEFT_OK);
	judge(asleep);
	if (asleep)
		fall_asleep();
	TAP_EQUAL(fixture_put_signal(&f, ep, text, slot, sizeof(text), sig),
		  WEFT_OK);
	judge(asleep);
	if (asleep)
		fall_asleep();
	TAP_EQUAL(fixture_mail(&f, WRITER, SLEEPER, 7, text, sizeof(text)),
		  WEFT_OK);
	judge(asleep);
}

static void asleep(void)
{
	connect();
	each_op(true);
	take_down();
}

static void awake(void)
{
	connect();
	each_op(false);
	take_down();
}

/*
 * A store that the sleeper does not see any more, behind its barrier, finds the
 * flag: each sleep sets its own before.
 */
static void flag_before_barrier(void)
{
	uint32_t last = 0;

	connect();
	for (int i = 1; i <= 3; i++) {
		barriers = 0;
		fall_asleep();
		TAP_EQUAL(barriers, 1);
		TAP_CHECK(flag_at_barrier && flag_at_barrier != last);
		last = flag_at_barrier;
		judge(false);
	}
	take_down();
}

/* Another ring of the same sleep would tell nothing new. */
static void once_for_each_sleep(void)
{
	struct wf_rloc line;

	connect();
	fixture_alloc(&f, SLEEPER, WF_LINE_BYTES, &line);
	for (int i = 0; i < 3; i++) {
		fall_asleep();
		TAP_EQUAL(fixture_line(&f, ep, line, "", 1, 1), WEFT_OK);
		TAP_CHECK(rings());
		wf_doorbell_drain(bell.fd);
		TAP_EQUAL(fixture_line(&f, ep, line, "", 1, 2), WEFT_OK);
		judge(false);
	}
	take_down();
}

/* Room in a ring is what the sender of mails waits for. */
static void room_for_mails(void)
{
	struct fixture_rank *w = &f.rank[WRITER];

	connect();
	TAP_EQUAL(fixture_mail(&f, SLEEPER, WRITER, 1, "", 1), WEFT_OK);
	fall_asleep();
	TAP_EQUAL(w->dev->ops->progress(w->dev), 1);
	TAP_EQUAL(w->nletters, 1);
	judge(true);
	fall_asleep();
	TAP_EQUAL(w->dev->ops->progress(w->dev), 0);
	judge(false);
	take_down();
}

static void contact_of_a_stranger(void)
{
	set_up();
	TAP_EQUAL(fall_asleep(), 100);
	TAP_EQUAL(fixture_ask(&f, WRITER, SLEEPER), WEFT_OK);
	judge(true);
	/* While it connects itself it looks for a refusal now and then. */
	f.rank[SLEEPER].dead = true;
	TAP_EQUAL(fixture_ask(&f, SLEEPER, WRITER), WEFT_OK);
	f.rank[SLEEPER].dead = false;
	fixture_settle(&f);
	take_down();
}

static void death_of_another(void)
{
	set_up();
	fall_asleep();
	/* Who tells need not be connected. */
	f.rank[WRITER].dev->ops->tell(f.rank[WRITER].dev, WRITER);
	judge(true);
	take_down();
}

/* Towards a writer that cannot ring one looks oneself. */
static void deaf_ones_sleep_short(void)
{
	struct wf_shm *writer;

	connect();
	writer = wf_shm_dev(f.rank[WRITER].dev);
	TAP_EQUAL(fall_asleep(), 100);
	dev->ops->disarm(dev);
	atomic_store(&writer->header->rings, 0);
	TAP_EQUAL(fall_asleep(), 1);
	dev->ops->disarm(dev);
	take_down();
}

/* Its doorbell is another file by now: nothing is written there. */
static void another_file(void)
{
	struct wf_shm *sleeper, *writer;
	struct wf_rloc line;

	connect();
	sleeper = wf_shm_dev(dev);
	writer = wf_shm_dev(f.rank[WRITER].dev);
	sleeper->header->doorbell_id++;
	fixture_alloc(&f, SLEEPER, WF_LINE_BYTES, &line);
	fall_asleep();
	TAP_EQUAL(fixture_line(&f, ep, line, "", 1, 1), WEFT_OK);
	judge(false);
	TAP_EQUAL(atomic_load(&writer->header->rings), 0);
	take_down();
}

/*
 * The writer has no descriptor left for a while: until it rings again those
 * that wait for it look by themselves, and no longer.
 */
static void out_of_descriptors(void)
{
	struct rlimit old, none;
	struct wf_rloc line;

	connect();
	fixture_alloc(&f, SLEEPER, WF_LINE_BYTES, &line);
	getrlimit(RLIMIT_NOFILE, &old);
	none = old;
	none.rlim_cur = 0;
	fall_asleep();
	TAP_EQUAL(setrlimit(RLIMIT_NOFILE, &none), 0);
	TAP_EQUAL(fixture_line(&f, ep, line, "", 1, 1), WEFT_OK);
	TAP_EQUAL(setrlimit(RLIMIT_NOFILE, &old), 0);
	judge(false);
	TAP_EQUAL(fall_asleep(), 1);
	TAP_EQUAL(fixture_line(&f, ep, line, "", 1, 2), WEFT_OK);
	judge(true);
	TAP_EQUAL(fall_asleep(), 100);
	dev->ops->disarm(dev);
	take_down();
}

/* Who was not reached and has gone is no reason to look. */
static void deaf_one_leaves(void)
{
	struct wf_shm *writer;
	struct wf_rloc line;

	connect();
	writer = wf_shm_dev(f.rank[WRITER].dev);
	wf_shm_dev(dev)->header->doorbell_id++;
	fixture_alloc(&f, SLEEPER, WF_LINE_BYTES, &line);
	fall_asleep();
	TAP_EQUAL(fixture_line(&f, ep, line, "", 1, 1), WEFT_OK);
	judge(false);
	TAP_EQUAL(atomic_load(&writer->header->rings), 0);
	ep->dev->ops->disconnect(ep);
	f.rank[WRITER].ep[SLEEPER] = NULL;
	TAP_EQUAL(atomic_load(&writer->header->rings), 1);
	take_down();
}

/* Who has none looks every millisecond, and whoever writes goes on. */
static void no_doorbell(void)
{
	uint64_t value = 5, *to;
	struct wf_rloc rloc;
	int ms = 100;
	uint32_t sig;

	fixture_open(&f, 3, 1);
	fixture_connect(&f, SLEEPER, WRITER);
	dev = f.rank[SLEEPER].dev;
	ep = f.rank[WRITER].ep[SLEEPER];
	to = fixture_alloc(&f, SLEEPER, 64, &rloc);
	sig = fixture_signal(&f, SLEEPER);
	TAP_EQUAL(dev->ops->arm(dev, &ms), WEFT_OK);
	TAP_EQUAL(ms, 1);
	TAP_EQUAL(fixture_put_signal(&f, ep, &value, rloc, 8, sig), WEFT_OK);
	TAP_EQUAL(*to, 5);
	/* neither does a stranger's contact ring */
	TAP_EQUAL(fixture_ask(&f, 2, SLEEPER), WEFT_OK);
	dev->ops->disarm(dev);
	fixture_await(&f, &f.rank[SLEEPER].contacts[2], 1);
	TAP_CHECK(!ep->broken);
	fixture_close(&f);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "line, put and mail", asleep },
		{ "nothing rings who is awake", awake },
		{ "the flag is set before the barrier", flag_before_barrier },
		{ "once for each sleep", once_for_each_sleep },
		{ "room for mails", room_for_mails },
		{ "contact of a stranger", contact_of_a_stranger },
		{ "death of another", death_of_another },
		{ "a writer that cannot ring", deaf_ones_sleep_short },
		{ "another file", another_file },
		{ "no descriptor for a while", out_of_descriptors },
		{ "one that is not reached leaves", deaf_one_leaves },
		{ "a sleeper without a doorbell", no_doorbell }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
