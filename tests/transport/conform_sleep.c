/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conformance: what arrives at a rank whose device is armed ends its sleep, by
 * the descriptor of the device or by the doorbell, or the device has said that
 * it must look by itself.
 */
#include <poll.h>
#include <weft/status.h>
#include "base/clock.h"
#include "tests/transport/fixture.h"
#include "transport/line.h"
#include "transport/stubs.h"

enum {
	SLEEPER = 1,
	WRITER = 0,
	LONGEST_MS = 100,
	DEADLINE_S = 10,
	ROUNDS = 20
};

static struct fixture f;
static struct wf_doorbell bell;
static int woken;			/* sleeps that an arrival has ended */

static bool set_up(void)
{
	if (fixture_backend.tp->arm == wf_stub_arm) {
		/* Its time stands still while somebody sleeps. */
		tap_skip("%s cannot be slept with", fixture_backend.name);
		return false;
	}
	woken = 0;
	fixture_open_sleeper(&f, SLEEPER, &bell);
	fixture_connect(&f, WRITER, SLEEPER);
	fixture_settle(&f);
	return true;
}

/* Some of the sleeps were such where the backend promises it. */
static void take_down(bool promised)
{
	TAP_CHECK(!promised || woken);
	fixture_close(&f);
	wf_doorbell_close(&bell);
}

/* As a wait does: arm until nothing more has arrived.  The bound. */
static int fall_asleep(void)
{
	struct wf_device *dev = f.rank[SLEEPER].dev;
	uint64_t since = wf_clock_ns();
	int ms = LONGEST_MS, status;

	wf_doorbell_drain(bell.fd);
	do {
		dev->ops->progress(dev);
		status = dev->ops->arm(dev, &ms);
	} while (status == WEFT_AGAIN &&
		 wf_clock_ns() - since < DEADLINE_S * WF_NS_PER_S);
	TAP_EQUAL(status, WEFT_OK);
	dev->ops->progress(dev);
	return ms;
}

/* Only the writer goes on. */
static bool is_woken(void)
{
	struct wf_device *dev = f.rank[SLEEPER].dev;
	struct wf_device *from = f.rank[WRITER].dev;
	uint64_t since = wf_clock_ns();
	struct pollfd fd[2] = {
		{ .fd = bell.fd, .events = POLLIN },
		{ .fd = dev->ops->descriptor(dev), .events = POLLIN }
	};

	while (wf_clock_ns() - since < DEADLINE_S * WF_NS_PER_S) {
		from->ops->progress(from);
		if (poll(fd, 2, 1) > 0)
			return true;
	}
	return false;
}

static void judge(int ms)
{
	struct wf_device *dev = f.rank[SLEEPER].dev;

	if (ms == LONGEST_MS)
		woken += TAP_CHECK(is_woken());
	dev->ops->disarm(dev);
	fixture_settle(&f);
}

static void signals(void)
{
	char text[100] = "bytes";
	struct wf_rloc slot;
	struct wf_ep *ep;
	uint32_t sig;

	if (!set_up())
		return;
	ep = f.rank[WRITER].ep[SLEEPER];
	sig = fixture_signal(&f, SLEEPER);
	fixture_alloc(&f, SLEEPER, sizeof(text), &slot);
	for (int i = 0; i < ROUNDS; i++) {
		int ms = fall_asleep();

		TAP_EQUAL(ep->ops->put_signal(ep, wf_loc_any(text), slot,
					      i % 2 ? sizeof(text) : 0, sig,
					      NULL), WEFT_OK);
		judge(ms);
		TAP_EQUAL(fixture_count(&f, SLEEPER, sig), i + 1);
	}
	take_down(fixture_backend.wakes);
}

static void mails(void)
{
	char text[] = "a letter";

	if (!set_up())
		return;
	for (int i = 0; i < ROUNDS; i++) {
		struct wf_ep *ep = f.rank[WRITER].ep[SLEEPER];
		struct wf_mail mail = { .kind = 7, .length = sizeof(text) };
		int ms = fall_asleep();

		TAP_EQUAL(ep->ops->mail(ep, &mail, text), WEFT_OK);
		judge(ms);
		TAP_EQUAL(f.rank[SLEEPER].nletters, i + 1);
	}
	take_down(fixture_backend.wakes);
}

/* Without the bit nothing is said about lines. */
static void lines(void)
{
	struct wf_rloc at;
	struct wf_line *line;
	struct wf_ep *ep;

	if (!set_up())
		return;
	ep = f.rank[WRITER].ep[SLEEPER];
	line = fixture_alloc(&f, SLEEPER, WF_LINE_BYTES, &at);
	for (uint32_t i = 1; i <= ROUNDS; i++) {
		int ms = fall_asleep();

		TAP_EQUAL(wf_ep_line(ep, at, &i, sizeof(i), i), WEFT_OK);
		judge(ep->dev->caps & WF_CAP_LINE_WAKES ? ms : 1);
		TAP_CHECK(ep->dev->caps & WF_CAP_LINE_PLAIN ?
			  wf_line_ready(line, i) : wf_ll_ready(line, i));
	}
	take_down(ep->dev->caps & WF_CAP_LINE_WAKES);
}

/* The own posts, too, where they are not done at once. */
static void completions(void)
{
	char text[4096] = "";
	struct wf_rloc to;
	struct wf_ep *ep;

	if (!set_up())
		return;
	ep = f.rank[SLEEPER].ep[WRITER];
	fixture_alloc(&f, WRITER, sizeof(text), &to);
	for (int i = 0; i < ROUNDS; i++) {
		int ms = LONGEST_MS;

		TAP_EQUAL(fixture_put(&f, ep, text, to, sizeof(text)),
			  WEFT_OK);
		if (!wf_ep_done(ep, ep->posted))
			ms = fall_asleep();
		if (!wf_ep_done(ep, ep->posted))
			judge(ms);
		else
			f.rank[SLEEPER].dev->ops->disarm(f.rank[SLEEPER].dev);
		fixture_settle(&f);
		TAP_CHECK(wf_ep_done(ep, ep->posted));
	}
	take_down(false);
}

const struct tap_case conform_sleep[] = {
	{ "a signal ends a sleep", signals },
	{ "a mail ends a sleep", mails },
	{ "a line ends a sleep", lines },
	{ "a completion ends a sleep", completions }
};

const int conform_sleep_n = TAP_COUNT(conform_sleep);
