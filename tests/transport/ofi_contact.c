/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * First contact over libfabric: who is refused, and that strangers do no harm:
 * keys of others, garbage on the listening address, remote operands that are
 * not this peer's.
 */
#include <netinet/in.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_errno.h>
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

static struct wf_ofi_address *address_in(struct wf_blob *blob)
{
	struct wf_blob_addr *a = (struct wf_blob_addr *)wf_blob_find(blob,
								     "ofi");

	TAP_CHECK(a && a->n == sizeof(struct wf_ofi_address));
	return (struct wf_ofi_address *)a->bytes;
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
	fixture_blob(&f.rank[0], 1, &blob);
	blob.key.word[1] ^= 1;
	TAP_EQUAL(fixture_ask_by(&f, 0, 1, &blob), WEFT_OK);
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
	const in_addr_t loopback = htonl(INADDR_LOOPBACK);

	fixture_open(&f, 2, 2);
	fixture_blob(&f.rank[0], 1, &good);
	blob = good;
	strcpy(address_in(&blob)->provider, "efa");
	TAP_EQUAL(fixture_ask_by(&f, 0, 1, &blob), WEFT_ERR_UNSUPPORTED);
	blob = good;
	address_in(&blob)->version++;
	TAP_EQUAL(fixture_ask_by(&f, 0, 1, &blob), WEFT_ERR_UNSUPPORTED);
	blob = good;
	a = address_in(&blob);
	a->flags ^= WF_OFI_LINES_PLAIN;
	TAP_EQUAL(fixture_ask_by(&f, 0, 1, &blob), WEFT_ERR_UNSUPPORTED);
	blob = good;
	TAP_EQUAL(!(address_in(&blob)->flags & WF_OFI_LAYERED),
		  !strstr(device(0)->info->fabric_attr->prov_name, "ofi_rxm"));
	address_in(&blob)->flags ^= WF_OFI_LAYERED;
	fixture_refused(&f, 1, &blob, WEFT_ERR_UNSUPPORTED,
			"ofi_rxm, and ours is not: both hosts need libfabric");
	blob = good;
	address_in(&blob)->bytes = WF_OFI_NAME + 1;
	TAP_EQUAL(fixture_ask_by(&f, 0, 1, &blob), WEFT_ERR_UNSUPPORTED);
	blob = good;
	address_in(&blob)->bytes = WF_OFI_NAME_IN6;
	fixture_refused(&f, 1, &blob, WEFT_ERR_UNSUPPORTED, "of IPv4 and IPv6");
	blob = good;
	/* behind its port */
	memcpy(address_in(&blob)->name + 2, &loopback, sizeof(loopback));
	blob.id.net_ns++;
	TAP_EQUAL(fixture_ask_by(&f, 0, 1, &blob), WEFT_ERR_UNSUPPORTED);
	blob = good;
	blob.n_addrs = 0;
	TAP_EQUAL(fixture_ask_by(&f, 0, 1, &blob), WEFT_ERR_UNSUPPORTED);
	TAP_CHECK(!f.rank[0].ep[1]);
	fixture_connect(&f, 0, 1);
	fixture_close(&f);
}

/* Addresses come out of a blob as they went in, whatever their family. */
static void families(void)
{
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6,
				    .sin6_port = htons(7),
				    .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(9),
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct wf_ofi_address four = { .names = 0 }, six = { .names = 0 };
	struct sockaddr_storage to;

	for (int i = 0; i < 2; i++) {
		in.sin_port++;
		in6.sin6_port++;
		TAP_CHECK(wf_ofi_address_add(&four, FI_SOCKADDR_IN, &in,
					     sizeof(in)));
		TAP_CHECK(wf_ofi_address_add(&six, FI_SOCKADDR_IN6, &in6,
					     sizeof(in6)));
		TAP_EQUAL(wf_ofi_address_get(&four, FI_SOCKADDR_IN, i, &to),
			  sizeof(in));
		TAP_EQUAL(memcmp(&to, &in, sizeof(in)), 0);
		TAP_EQUAL(wf_ofi_address_get(&six, FI_SOCKADDR_IN6, i, &to),
			  sizeof(in6));
		TAP_EQUAL(memcmp(&to, &in6, sizeof(in6)), 0);
	}
	TAP_CHECK(wf_ofi_address_fits(&six, FI_SOCKADDR_IN6));
	TAP_CHECK(!wf_ofi_address_fits(&six, FI_SOCKADDR_IN));
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
	wf_ofi_receive(dev, &letter, sizeof(letter) - 1);
	letter.front.from = 0;
	wf_ofi_receive(dev, &letter, sizeof(letter));
	letter.front.credit = 2;
	wf_ofi_receive(dev, &letter, sizeof(letter));
	TAP_EQUAL(dev->dropped, sizeof(text) + 259);
	TAP_EQUAL(f.rank[1].nletters, 0);
	TAP_EQUAL(f.rank[1].contacts[0], 0);
	fixture_close(&f);
}

static int call(const struct wf_ofi_address *a)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr_storage to;
	socklen_t n = wf_ofi_address_get(a, FI_SOCKADDR_IN, 0, &to);

	TAP_EQUAL(connect(fd, (struct sockaddr *)&to, n), 0);
	return fd;
}

/* A port scanner, and one that sends what nobody understands. */
static void garbage(void)
{
	static char noise[5000];
	struct wf_blob blob;
	int fd;

	fixture_open(&f, 2, 4);
	fixture_blob(&f.rank[0], 1, &blob);
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

/* ---- libfabric that fails: one call of its tables is ours ---- */

static int failing;			/* calls that fail from now on */
static int failed_with;
static struct fi_ops_msg real_msg, our_msg;

static ssize_t refuse_recv(struct fid_ep *ep, const struct fi_msg *msg,
			   uint64_t flags)
{
	if (failing > 0) {
		failing--;
		return failed_with;
	}
	return real_msg.recvmsg(ep, msg, flags);
}

/* More mails than the buffers hold, each with its number. */
static void mails(int from, int n)
{
	char payload[WF_MAIL_PAYLOAD];

	for (int i = from; i < from + n; i++) {
		memset(payload, i, sizeof(payload));
		TAP_EQUAL(fixture_mail(&f, 0, 1, (uint32_t)i, payload,
				       sizeof(payload)), WEFT_OK);
	}
	TAP_CHECK(fixture_await(&f, &f.rank[1].nletters, from + n));
	for (int i = from; i < from + n; i++) {
		const struct letter *l = &f.rank[1].letters[i];

		TAP_EQUAL(l->mail.word, i);
		TAP_EQUAL((uint8_t)l->payload[0], (uint8_t)i);
		TAP_EQUAL((uint8_t)l->payload[WF_MAIL_PAYLOAD - 1],
			  (uint8_t)i);
	}
}

/* A receive buffer that is not taken at once comes back later. */
static void receive_fails(int error)
{
	struct wf_ofi *dev;

	fixture_open(&f, 2, 7);
	f.rank[1].log.level = WF_LOG_ERROR;
	fixture_connect(&f, 0, 1);
	dev = device(1);
	real_msg = our_msg = *dev->source[0].ep->msg;
	our_msg.recvmsg = refuse_recv;
	dev->source[0].ep->msg = &our_msg;
	failing = 100;
	failed_with = error;
	mails(0, 200);
	TAP_EQUAL(failing, 0);
	TAP_EQUAL(dev->nidle, 0);
	dev->source[0].ep->msg = &real_msg;
	fixture_close(&f);
}

static void receive_lacks(void)
{
	receive_fails(-FI_EAGAIN);
	receive_fails(-FI_ENOMEM);
}

/* Of somebody who is connected to libfabric, but not to us. */
static int shout(const char *noise, size_t n)
{
	struct wf_ofi_ep *ep = wf_ofi_ep(f.rank[0].ep[1]);
	struct wf_ofi_tx *tx = wf_ofi_take(ep, WF_OFI_DO_HELLO);
	int result;

	if (!tx)
		return -FI_EAGAIN;
	tx->ep = NULL;
	result = (int)fi_send(ep->via, noise, n, NULL, ep->addr,
			      &tx->context);
	if (result)
		wf_ofi_give(device(0), tx);
	return result;
}

static void count_cut(void *arg, const char *line, size_t n)
{
	static const char what[] = "receiving of provider";

	*(int *)arg += !!memmem(line, n, what, sizeof(what) - 1);
}

/*
 * Until the other end has seen it.  One that was too long ends the connection,
 * and the next ones may be lost with it: those are said again.
 */
static bool shout_until_heard(const char *noise, size_t n, const int *cut)
{
	uint64_t since = wf_clock_ns(), dropped = device(1)->dropped;
	int cut_before = *cut;

	while (wf_clock_ns() - since < 60 * WF_NS_PER_S) {
		bool said = !shout(noise, n);

		for (int i = 0; i < (said ? 100 : 1); i++) {
			fixture_pump(&f);
			if (device(1)->dropped > dropped || *cut > cut_before)
				return true;
		}
	}
	return false;
}

/*
 * Messages of any length cost no receive buffer: what is longer than the rest
 * of one is an error there, and the next one is begun.  More of them are cut
 * than there are buffers.
 */
static void too_long(void)
{
	static char noise[5000];
	int cut = 0;

	fixture_open(&f, 2, 8);
	fixture_connect(&f, 0, 1);
	f.rank[1].log.level = WF_LOG_WARN;
	f.rank[1].log.write = count_cut;
	f.rank[1].log.arg = &cut;
	for (int i = 0; i < 132; i++)
		if (!TAP_CHECK(shout_until_heard(noise, 1 + (size_t)i / 12 *
						 499, &cut)))
			break;
	TAP_CHECK(cut > WF_OFI_RX);
	TAP_CHECK(device(1)->dropped + (uint64_t)cut >= 132);
	mails(0, 200);
	TAP_EQUAL(f.rank[1].nletters, 200);
	TAP_EQUAL(device(1)->nidle, 0);
	fixture_close(&f);
}

static int long_name(struct fid *fid, void *name, size_t *n)
{
	(void)fid;
	(void)name;
	*n = failed_with ? 60 : WF_OFI_NAME + 1;
	return failed_with;
}

/* The job goes without it, and the reason is in the log. */
static void long_address(void)
{
	struct fi_ops_cm ours, *real;
	uint8_t to[WF_BLOB_ADDR_MAX];
	struct wf_ofi *dev;
	size_t n = 0;

	fixture_open(&f, 1, 9);
	dev = device(0);
	real = dev->source[0].ep->cm;
	ours = *real;
	ours.getname = long_name;
	dev->source[0].ep->cm = &ours;
	failed_with = -FI_ETOOSMALL;
	TAP_EQUAL(dev->dev.ops->address(&dev->dev, to, sizeof(to), &n),
		  WEFT_ERR_UNSUPPORTED);
	failed_with = 0;
	TAP_EQUAL(dev->dev.ops->address(&dev->dev, to, sizeof(to), &n),
		  WEFT_ERR_UNSUPPORTED);
	f.rank[0].log.level = 0;
	failed_with = -FI_EIO;
	TAP_EQUAL(dev->dev.ops->address(&dev->dev, to, sizeof(to), &n),
		  WEFT_ERR_DEVICE);
	TAP_EQUAL(n, 0);
	dev->source[0].ep->cm = real;
	fixture_close(&f);
}

static uint64_t flags_seen;

static ssize_t see_send(struct fid_ep *ep, const struct fi_msg *msg,
			uint64_t flags)
{
	flags_seen = flags;
	return real_msg.sendmsg(ep, msg, flags);
}

/*
 * Flushed means delivered, also of mails: without order among the operations
 * no write behind them can answer for them.
 */
static void mail_is_delivered(void)
{
	struct wf_ofi *dev;

	fixture_open(&f, 2, 10);
	fixture_connect(&f, 0, 1);
	dev = device(0);
	dev->inject = 0;
	real_msg = our_msg = *dev->source[0].ep->msg;
	our_msg.sendmsg = see_send;
	dev->source[0].ep->msg = &our_msg;
	TAP_CHECK(dev->ordered);
	mails(0, 1);
	TAP_CHECK(flags_seen & FI_COMPLETION);
	TAP_CHECK(!(flags_seen & FI_DELIVERY_COMPLETE));
	dev->ordered = false;
	mails(1, 1);
	TAP_CHECK(flags_seen & FI_DELIVERY_COMPLETE);
	fixture_settle(&f);
	TAP_CHECK(wf_ep_flushed(f.rank[0].ep[1], f.rank[0].ep[1]->posted));
	dev->source[0].ep->msg = &real_msg;
	fixture_close(&f);
}

/* ---- connections that end under living ranks ---- */

/* All of this process, which has no other connected sockets of IPv4. */
static int sever(void)
{
	struct sockaddr_in to;
	int severed = 0;

	for (int fd = 3; fd < 256; fd++) {
		socklen_t n = sizeof(to);

		if (!getpeername(fd, (struct sockaddr *)&to, &n) &&
		    to.sin_family == AF_INET)
			severed += !shutdown(fd, SHUT_RDWR);
	}
	return severed;
}

static bool pump_until_suspected(int rank, int other)
{
	uint64_t since = wf_clock_ns();

	while (!f.rank[rank].suspects[other] &&
	       wf_clock_ns() - since < 10 * WF_NS_PER_S)
		fixture_pump(&f);
	return f.rank[rank].suspects[other] > 0;
}

/*
 * What was posted has left, as far as libfabric tells, and the peer has not
 * taken it: whoever sent it hears of the loss, without another op.
 */
static void severed_under_way(void)
{
	struct wf_rloc rloc;
	uint64_t value = 7, since;
	struct wf_ep *ep;

	fixture_open(&f, 2, 11);
	fixture_connect(&f, 0, 1);
	fixture_settle(&f);
	ep = f.rank[0].ep[1];
	fixture_alloc(&f, 1, 64, &rloc);
	TAP_EQUAL(ep->ops->put(ep, wf_loc_any(&value), rloc, 8), WEFT_OK);
	/* rank 1 makes no progress */
	since = wf_clock_ns();
	while (wf_clock_ns() - since < WF_NS_PER_S / 10)
		f.rank[0].dev->ops->progress(f.rank[0].dev);
	TAP_CHECK(sever() > 0);
	TAP_CHECK(pump_until_suspected(0, 1));
	TAP_CHECK(ep->broken);
	fixture_close(&f);
}

/* All had been delivered: nothing is lost, and the next mail arrives. */
static void severed_idle(void)
{
	struct wf_ep *ep;

	fixture_open(&f, 2, 12);
	fixture_connect(&f, 0, 1);
	mails(0, 3);
	fixture_settle(&f);
	ep = f.rank[0].ep[1];
	TAP_CHECK(sever() > 0);
	fixture_settle(&f);
	TAP_CHECK(!ep->broken);
	mails(3, 20);
	fixture_close(&f);
}

/* To oneself bytes are copied, and operands of others are refused. */
static void oneself(void)
{
	uint64_t value = 7, back = 0, *to;
	struct wf_rloc rloc, wrong, past;
	struct wf_ep *ep;

	fixture_open(&f, 1, 13);
	fixture_connect(&f, 0, 0);
	ep = f.rank[0].ep[0];
	to = fixture_alloc(&f, 0, 64, &rloc);
	wrong = rloc;
	wrong.key ^= 0x100;
	past = rloc;
	past.addr += FIXTURE_LIMIT;
	TAP_EQUAL(fixture_put(&f, ep, &value, wrong, 8), WEFT_ERR_RANGE);
	TAP_EQUAL(fixture_put(&f, ep, &value, past, 8), WEFT_ERR_RANGE);
	TAP_EQUAL(ep->ops->get(ep, wf_loc_any(&back), wrong, 8),
		  WEFT_ERR_RANGE);
	TAP_EQUAL(ep->ops->get(ep, wf_loc_any(&back), past, 8),
		  WEFT_ERR_RANGE);
	TAP_EQUAL(*to, 0);
	TAP_EQUAL(ep->posted, 0);
	TAP_EQUAL(fixture_put(&f, ep, &value, rloc, 8), WEFT_OK);
	TAP_EQUAL(*to, 7);
	TAP_EQUAL(ep->ops->get(ep, wf_loc_any(&back), rloc, 8), WEFT_OK);
	TAP_EQUAL(back, 7);
	TAP_CHECK(wf_ep_flushed(ep, ep->posted));
	TAP_EQUAL(ep->posted, 2);
	fixture_close(&f);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a key of somebody else", wrong_key },
		{ "addresses of both families come out as they went in",
		  families },
		{ "addresses that do not fit are refused", refusals },
		{ "messages against the rules are dropped", bad_messages },
		{ "garbage on the listening address", garbage },
		{ "a remote operand that is not the peer's",
		  foreign_operand },
		{ "receive buffers that are not taken", receive_lacks },
		{ "messages of any length cost no buffer", too_long },
		{ "an address that is too long", long_address },
		{ "mails are flushed by delivery where there is no order",
		  mail_is_delivered },
		{ "a connection that ends with posts under way",
		  severed_under_way },
		{ "a connection that ends with none", severed_idle },
		{ "puts and gets to oneself", oneself },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
