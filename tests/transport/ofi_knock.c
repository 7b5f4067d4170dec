/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Knocks of libfabric's backend: where nobody listens any more a wait ends, and
 * where somebody does they do.
 */
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
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

/* Listens at the address of a rank, by a port of its own, and never answers. */
static int open_silent(const struct wf_ofi_address *a,
		       struct sockaddr_storage *at_p, socklen_t *n_p)
{
	uint32_t format = device(0)->info->addr_format;
	socklen_t n = wf_ofi_address_get(a, format, 0, at_p);
	int fd = socket(at_p->ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	/* the same bytes for both families */
	((struct sockaddr_in *)at_p)->sin_port = 0;
	TAP_EQUAL(bind(fd, (struct sockaddr *)at_p, n), 0);
	TAP_EQUAL(listen(fd, SOMAXCONN), 0);
	TAP_EQUAL(getsockname(fd, (struct sockaddr *)at_p, &n), 0);
	*n_p = n;
	return fd;
}

/* The blob of a rank, whose first address is now a silent one; the other. */
static int make_silent(int by, int rank, struct wf_blob *blob)
{
	uint32_t format = device(0)->info->addr_format;
	struct sockaddr_storage silent, own;
	struct wf_ofi_address *a;
	socklen_t n;
	int fd;

	fixture_blob(&f.rank[by], rank, blob);
	a = (void *)wf_blob_find(blob, "ofi")->bytes;
	fd = open_silent(a, &silent, &n);
	wf_ofi_address_get(a, format, 0, &own);
	a->names = 0;
	TAP_CHECK(wf_ofi_address_add(a, format, &silent, n));
	TAP_CHECK(wf_ofi_address_add(a, format, &own, n));
	return fd;
}

static bool pump_until_ready(void)
{
	uint64_t since = wf_clock_ns();

	while ((f.rank[0].ep[1]->state != WF_EP_READY ||
		f.rank[1].ep[0]->state != WF_EP_READY) &&
	       wf_clock_ns() - since < 20 * WF_NS_PER_S)
		fixture_pump(&f);
	return f.rank[0].ep[1]->state == WF_EP_READY &&
	       f.rank[1].ep[0]->state == WF_EP_READY;
}

static void set_host_timeout(uint64_t ms)
{
	for (int i = 0; i < 2; i++)
		f.rank[i].config.host_timeout_ns = ms * WF_NS_PER_MS;
}

/* At the first address of the one, or of both. */
static void silent_strangers(void)
{
	int fd[2] = { -1, -1 };
	struct wf_blob blob;

	for (int both = 0; both < 2; both++) {
		fixture_open(&f, 2, 11);
		set_host_timeout(800);
		for (int i = 0; i < 2; i++) {
			fixture_blob(&f.rank[i], !i, &blob);
			if (!i || both)
				fd[i] = make_silent(i, !i, &blob);
			TAP_EQUAL(fixture_ask_by(&f, i, !i, &blob), WEFT_OK);
		}
		TAP_CHECK(pump_until_ready());
		TAP_EQUAL(wf_ofi_ep(f.rank[0].ep[1])->at, 1);
		TAP_EQUAL(fixture_mail(&f, 0, 1, 5, NULL, 0), WEFT_OK);
		fixture_await(&f, &f.rank[1].nletters, 1);
		fixture_close(&f);
		close(fd[0]);
	}
	close(fd[1]);
}

/*
 * Behind a silent one its turn has come, but it is busy, and gets through by
 * the path that has no turn any more.
 */
static void busy_behind_its_turn(void)
{
	uint64_t since = wf_clock_ns();
	struct wf_ofi_ep *ep;
	struct wf_blob blob;
	int fd;

	fixture_open(&f, 2, 12);
	set_host_timeout(800);
	fd = make_silent(0, 1, &blob);
	TAP_EQUAL(fixture_ask_by(&f, 0, 1, &blob), WEFT_OK);
	ep = wf_ofi_ep(f.rank[0].ep[1]);
	/* twice: by the other one, and back */
	for (int turn = 1; turn >= 0; turn--)
		while (ep->at != turn &&
		       wf_clock_ns() - since < 20 * WF_NS_PER_S)
			f.rank[0].dev->ops->progress(f.rank[0].dev);
	TAP_EQUAL(ep->at, 0);
	TAP_EQUAL(ep->ep.state, WF_EP_CONNECTING);
	set_host_timeout(1000000);
	TAP_EQUAL(fixture_ask(&f, 1, 0), WEFT_OK);
	TAP_CHECK(pump_until_ready());
	TAP_EQUAL(ep->at, 1);
	fixture_close(&f);
	close(fd);
}

/* The blob of a rank that has this address twice. */
static void give_twice(int by, int rank, struct wf_blob *blob)
{
	uint32_t format = device(0)->info->addr_format;
	struct sockaddr_storage own;
	struct wf_ofi_address *a;
	socklen_t n;

	fixture_blob(&f.rank[by], rank, blob);
	a = (void *)wf_blob_find(blob, "ofi")->bytes;
	n = wf_ofi_address_get(a, format, 0, &own);
	TAP_CHECK(wf_ofi_address_add(a, format, &own, n));
}

/* At one address, now. */
static void knock_once(struct wf_ofi_ep *ep)
{
	uint64_t since = wf_clock_ns();
	struct wf_ofi *dev = device(0);
	int at = ep->at;

	while (ep->at == at && ep->ep.state == WF_EP_CONNECTING &&
	       wf_clock_ns() - since < 10 * WF_NS_PER_S) {
		dev->next_knock = 0;
		if (ep->knock_fd < 0)
			ep->knock_at = 1;
		wf_ofi_knock(dev);
	}
}

/*
 * Where an endpoint takes the port of a socket over, nobody listens for a
 * moment: three rounds that are refused are no close, however long it takes.
 */
static void refused_for_a_moment(void)
{
	struct wf_ofi_ep *ep;
	struct wf_blob blob;

	fixture_open(&f, 2, 13);
	give_twice(0, 1, &blob);
	fixture_leave(&f, 1);
	TAP_EQUAL(fixture_ask_by(&f, 0, 1, &blob), WEFT_OK);
	ep = wf_ofi_ep(f.rank[0].ep[1]);
	TAP_EQUAL(ep->npaths, 2);
	for (int i = 0; i < 2; i++)
		knock_once(ep);
	TAP_EQUAL(f.rank[0].suspects[1], 1);
	ep->refused_at = 1;
	for (int i = 2; i < 8; i++) {
		TAP_EQUAL(ep->ep.state, WF_EP_CONNECTING);
		knock_once(ep);
	}
	TAP_EQUAL(ep->ep.state, WF_EP_CLOSED);
	TAP_EQUAL(f.rank[0].suspects[1], 1);
	fixture_close(&f);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "one that has closed is left alone", closed },
		{ "one that closes behind us is broken", closed_behind_us },
		{ "knocks end that nobody needs", nothing_to_knock_for },
		{ "pauses begin anew", pauses_begin_anew },
		{ "a refusal that is over is forgotten", answers_again },
		{ "silent strangers give way", silent_strangers },
		{ "who is busy behind its turn gets through",
		  busy_behind_its_turn },
		{ "three rounds that are refused are no close",
		  refused_for_a_moment }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
