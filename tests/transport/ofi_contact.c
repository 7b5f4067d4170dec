/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * First contact over libfabric: who is refused, and that strangers do no harm:
 * keys of others, garbage on the listening address, remote operands that are
 * not this peer's.
 */
#include <netinet/in.h>
#include <string.h>
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

static void read_blob(int rank, struct wf_blob *blob)
{
	struct wf_boot *boot = &f.rank[0].boot.base;
	uint8_t packed[WF_BLOB_BYTES_MAX];
	char why[200];
	size_t n;

	TAP_EQUAL(wf_boot_get(boot, rank, "blob", packed, sizeof(packed), &n),
		  WEFT_OK);
	TAP_EQUAL(wf_blob_unpack(blob, packed, n, why, sizeof(why)), WEFT_OK);
}

static struct wf_ofi_address *address_in(struct wf_blob *blob)
{
	struct wf_blob_addr *a = (struct wf_blob_addr *)wf_blob_find(blob,
								     "ofi");

	TAP_CHECK(a && a->n == sizeof(struct wf_ofi_address));
	return (struct wf_ofi_address *)a->bytes;
}

static int connect_to(const struct wf_blob *blob)
{
	struct wf_tp_peer peer = { 1, blob };

	return f.rank[0].dev->ops->connect(f.rank[0].dev, &peer,
					   &f.rank[0].ep[1]);
}

static bool await_dropped(uint64_t value)
{
	uint64_t since = wf_clock_ns();

	while (device(1)->dropped < value &&
	       wf_clock_ns() - since < 10 * WF_NS_PER_S)
		fixture_pump(&f);
	return device(1)->dropped >= value;
}

/* A hello with a key that is not the addressee's is no contact. */
static void wrong_key(void)
{
	struct wf_blob blob;

	fixture_open(&f, 3, 1);
	read_blob(1, &blob);
	blob.key.word[1] ^= 1;
	TAP_EQUAL(connect_to(&blob), WEFT_OK);
	TAP_CHECK(await_dropped(1));
	fixture_settle(&f);
	TAP_EQUAL(f.rank[1].contacts[0], 0);
	TAP_EQUAL(f.rank[0].ep[1]->state, WF_EP_CONNECTING);
	/* others are not disturbed */
	fixture_connect(&f, 2, 1);
	TAP_EQUAL(fixture_mail(&f, 2, 1, 5, NULL, 0), WEFT_OK);
	fixture_await(&f, &f.rank[1].nletters, 1);
	fixture_close(&f);
}

static void refusals(void)
{
	struct wf_ofi_address *a;
	struct wf_blob good, blob;

	fixture_open(&f, 2, 2);
	read_blob(1, &good);
	blob = good;
	strcpy(address_in(&blob)->provider, "efa");
	TAP_EQUAL(connect_to(&blob), WEFT_ERR_UNSUPPORTED);
	blob = good;
	address_in(&blob)->version++;
	TAP_EQUAL(connect_to(&blob), WEFT_ERR_UNSUPPORTED);
	blob = good;
	a = address_in(&blob);
	a->flags ^= WF_OFI_LINES_PLAIN;
	TAP_EQUAL(connect_to(&blob), WEFT_ERR_UNSUPPORTED);
	blob = good;
	address_in(&blob)->bytes = WF_OFI_NAME + 1;
	TAP_EQUAL(connect_to(&blob), WEFT_ERR_UNSUPPORTED);
	blob = good;
	strcpy(blob.id.host, "elsewhere");
	TAP_EQUAL(connect_to(&blob), WEFT_ERR_UNSUPPORTED);
	blob = good;
	blob.n_addrs = 0;
	TAP_EQUAL(connect_to(&blob), WEFT_ERR_UNSUPPORTED);
	TAP_CHECK(!f.rank[0].ep[1]);
	fixture_connect(&f, 0, 1);
	fixture_close(&f);
}

/* Messages of one that is connected, but does not keep to the rules. */
static void bad_messages(void)
{
	struct wf_ofi_letter letter;
	struct wf_ofi *dev;
	char text[64];

	fixture_open(&f, 2, 3);
	fixture_connect(&f, 0, 1);
	dev = device(1);
	memset(text, 0x5a, sizeof(text));
	for (size_t n = 0; n < sizeof(text); n++)
		wf_ofi_receive(dev, text, n);
	TAP_EQUAL(dev->dropped, sizeof(text));
	memset(&letter, 0, sizeof(letter));
	letter.front.version = WF_OFI_VERSION;
	letter.front.key[0] = dev->env.self->key.word[0];
	letter.front.key[1] = dev->env.self->key.word[1];
	for (int kind = 0; kind < 256; kind++) {
		letter.front.kind = (uint8_t)kind;
		letter.front.from = kind % 2 ? 77 : 1;
		letter.mail.length = 9;
		wf_ofi_receive(dev, &letter, sizeof(letter));
	}
	TAP_EQUAL(dev->dropped, sizeof(text) + 256);
	letter.front.kind = WF_OFI_MAIL;
	letter.front.from = 0;
	wf_ofi_receive(dev, &letter, sizeof(letter));
	letter.front.credit = 2;
	wf_ofi_receive(dev, &letter, sizeof(letter));
	TAP_EQUAL(dev->dropped, sizeof(text) + 258);
	TAP_EQUAL(f.rank[1].nletters, 0);
	TAP_EQUAL(f.rank[1].contacts[0], 0);
	fixture_close(&f);
}

static int call(const struct wf_ofi_address *a)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr_in to;

	memcpy(&to, a->name, sizeof(to));
	TAP_EQUAL(connect(fd, (struct sockaddr *)&to, sizeof(to)), 0);
	return fd;
}

/* A port scanner, and one that sends what nobody understands. */
static void garbage(void)
{
	static char noise[5000];
	struct wf_blob blob;
	int fd;

	fixture_open(&f, 2, 4);
	read_blob(1, &blob);
	for (size_t i = 0; i < sizeof(noise); i++)
		noise[i] = (char)(i * 31);
	for (int i = 0; i < 8; i++) {
		fd = call(address_in(&blob));
		fixture_settle(&f);
		if (i % 2)
			TAP_CHECK(send(fd, noise, (size_t)i * 600,
				       MSG_NOSIGNAL) > 0);
		if (i % 4 < 2)
			fixture_settle(&f);
		close(fd);
	}
	fixture_connect(&f, 0, 1);
	TAP_EQUAL(fixture_mail(&f, 0, 1, 5, NULL, 0), WEFT_OK);
	fixture_await(&f, &f.rank[1].nletters, 1);
	TAP_EQUAL(f.rank[1].contacts[0], 0);
	fixture_close(&f);
}

/* A key that is not the peer's: nothing is written, and the sender hears. */
static void foreign_operand(void)
{
	uint64_t value = 7, *to, since = wf_clock_ns();
	struct wf_rloc rloc;
	struct wf_ep *ep;

	fixture_open(&f, 2, 5);
	f.rank[0].log.level = WF_LOG_ERROR;
	fixture_connect(&f, 0, 1);
	ep = f.rank[0].ep[1];
	to = fixture_alloc(&f, 1, 64, &rloc);
	rloc.key ^= 0x100;
	TAP_EQUAL(fixture_put(&f, ep, &value, rloc, 8), WEFT_OK);
	TAP_EQUAL(ep->ops->flush(ep, WF_FLUSH_REMOTE), WEFT_OK);
	while (!f.rank[0].suspects[1] &&
	       wf_clock_ns() - since < 10 * WF_NS_PER_S)
		fixture_pump(&f);
	TAP_CHECK(f.rank[0].suspects[1] > 0);
	TAP_EQUAL(*to, 0);
	TAP_CHECK(wf_ep_done(ep, ep->posted));
	TAP_CHECK(ep->broken);
	TAP_EQUAL(ep->ops->put(ep, wf_loc_any(&value), rloc, 8), WEFT_AGAIN);
	fixture_close(&f);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a key of somebody else", wrong_key },
		{ "addresses that do not fit are refused", refusals },
		{ "messages against the rules are dropped", bad_messages },
		{ "garbage on the listening address", garbage },
		{ "a remote operand that is not the peer's",
		  foreign_operand },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
