/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Knocks of libfabric's backend: where nobody listens any more a wait ends, and
 * where somebody does they do.
 */
#include <weft/status.h>
#include "base/clock.h"
#include "tests/transport/fixture.h"
#include "transport/ofi/ofi.h"

static struct fixture f;

static struct wf_ofi *device(int rank)
{
	return wf_ofi_dev(f.rank[rank].dev);
}

/* Nobody listens at its address any more. */
static void closed(void)
{
	uint64_t since = wf_clock_ns();
	struct wf_ofi_ep *ep;
	struct wf_blob blob;

	fixture_open(&f, 2, 6);
	fixture_blob(&f.rank[0], 1, &blob);
	fixture_leave(&f, 1);
	TAP_EQUAL(fixture_ask_by(&f, 0, 1, &blob), WEFT_OK);
	ep = wf_ofi_ep(f.rank[0].ep[1]);
	while (ep->ep.state != WF_EP_CLOSED &&
	       wf_clock_ns() - since < 10 * WF_NS_PER_S)
		fixture_pump(&f);
	TAP_EQUAL(ep->ep.state, WF_EP_CLOSED);
	TAP_EQUAL(f.rank[0].suspects[1], 1);
	fixture_pump(&f);
	/* nothing is tried any more */
	TAP_CHECK(wf_list_empty(&device(0)->work));
	TAP_CHECK(wf_list_empty(&device(0)->doubtful));
	TAP_CHECK(ep->knock_fd < 0);
	fixture_close(&f);
}

/* The same of one that was connected, which libfabric calls anew for ever. */
static void closed_behind_us(void)
{
	uint64_t since = wf_clock_ns();
	struct wf_ofi_ep *ep;

	fixture_open(&f, 2, 7);
	fixture_connect(&f, 0, 1);
	fixture_settle(&f);
	fixture_leave(&f, 1);
	fixture_settle(&f);
	ep = wf_ofi_ep(f.rank[0].ep[1]);
	while (!f.rank[0].suspects[1] &&
	       wf_clock_ns() - since < 10 * WF_NS_PER_S) {
		struct wf_mail mail = { .kind = 7 };

		(void)!ep->ep.ops->mail(&ep->ep, &mail, NULL);
		fixture_pump(&f);
	}
	TAP_EQUAL(f.rank[0].suspects[1], 1);
	TAP_CHECK(ep->ep.broken);
	TAP_CHECK(wf_list_empty(&device(0)->doubtful));
	TAP_CHECK(ep->knock_fd < 0);
	fixture_close(&f);
}

/* A knock at once that comes behind such a pause; the next pause. */
static uint64_t knock_behind(struct wf_ofi_ep *ep, uint64_t ms)
{
	uint64_t since = wf_clock_ns();

	ep->knock_pause = ms * WF_NS_PER_MS;
	ep->knock_at = 1;
	while (ep->knock_at == 1 && wf_clock_ns() - since < 10 * WF_NS_PER_S)
		fixture_pump(&f);
	return ep->knock_pause / WF_NS_PER_MS;
}

/* Who has answered for long is in no doubt, if nobody has tried since. */
static void nothing_to_knock_for(void)
{
	struct wf_ofi_ep *ep;

	fixture_open(&f, 2, 8);
	fixture_connect(&f, 0, 1);
	fixture_settle(&f);
	ep = wf_ofi_ep(f.rank[0].ep[1]);
	wf_ofi_knock_start(device(0), ep);
	TAP_EQUAL(knock_behind(ep, 50), 100);
	TAP_CHECK(!wf_list_empty(&device(0)->doubtful));
	TAP_EQUAL(knock_behind(ep, 3200), 3200);
	TAP_CHECK(wf_list_empty(&device(0)->doubtful));
	TAP_CHECK(ep->knock_fd < 0);
	TAP_EQUAL(f.rank[0].suspects[1], 0);
	fixture_close(&f);
}

/* What begins anew does so with short pauses, whatever the last one was. */
static void pauses_begin_anew(void)
{
	uint64_t since = wf_clock_ns();
	struct wf_ofi_ep *ep;

	fixture_open(&f, 2, 9);
	fixture_connect(&f, 0, 1);
	fixture_settle(&f);
	ep = wf_ofi_ep(f.rank[0].ep[1]);
	wf_ofi_knock_start(device(0), ep);
	TAP_EQUAL(knock_behind(ep, 3200), 3200);
	wf_ofi_knock_start(device(0), ep);
	while (ep->knock_pause == 3200 * WF_NS_PER_MS &&
	       wf_clock_ns() - since < 2 * WF_NS_PER_S)
		fixture_pump(&f);
	TAP_CHECK(ep->knock_pause < 3200 * WF_NS_PER_MS);
	fixture_close(&f);
}

/* It was refused, and is not any more, as far as there was time to see it. */
static bool forgets_refusal(void)
{
	struct wf_ofi_ep *ep;
	uint64_t since;
	bool in_time;

	fixture_open(&f, 2, 10);
	fixture_connect(&f, 0, 1);
	fixture_settle(&f);
	ep = wf_ofi_ep(f.rank[0].ep[1]);
	wf_ofi_knock_start(device(0), ep);
	since = ep->refused_at = wf_clock_ns();
	knock_behind(ep, 50);
	in_time = wf_clock_ns() - since < 200 * WF_NS_PER_MS;
	TAP_CHECK(!in_time || !ep->refused_at);
	fixture_close(&f);
	return in_time;
}

/* Who answers a knock is not taken for closed by what was before. */
static void answers_again(void)
{
	int tries = 20;

	while (tries && !forgets_refusal())
		tries--;
	if (!tries)
		tap_skip("this machine is too slow to see it");
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "one that has closed is left alone", closed },
		{ "one that closes behind us is broken", closed_behind_us },
		{ "knocks end that nobody needs", nothing_to_knock_for },
		{ "pauses begin anew", pauses_begin_anew },
		{ "a refusal that is over is forgotten", answers_again }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
