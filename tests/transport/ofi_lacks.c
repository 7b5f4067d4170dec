/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * First contact over libfabric that lacks something: memory, signals, a slot,
 * a key, a socket to knock with.  It fails and leaves nothing behind, or it is
 * made when there is some.
 *
 * The linker leads socket() and poll() of the library here (--wrap).
 */
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <rdma/fi_errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include <weft/status.h>
#include "base/clock.h"
#include "tests/fail_malloc.h"
#include "tests/transport/fixture.h"
#include "transport/backends.h"
#include "transport/ofi/ofi.h"

static struct fixture f;

static struct wf_ofi *device(int rank)
{
	return wf_ofi_dev(f.rank[rank].dev);
}

#define SEEN __attribute__((visibility("default")))

int __real_socket(int family, int type, int protocol);
SEEN int __wrap_socket(int family, int type, int protocol);
int __real_poll(struct pollfd *fds, nfds_t n, int ms);
SEEN int __wrap_poll(struct pollfd *fds, nfds_t n, int ms);

static bool no_socket, no_answer;
static int sockets, polls;

int __wrap_socket(int family, int type, int protocol)
{
	sockets++;
	if (!no_socket)
		return __real_socket(family, type, protocol);
	errno = EMFILE;
	return -1;
}

int __wrap_poll(struct pollfd *fds, nfds_t n, int ms)
{
	polls++;
	return no_answer ? 0 : __real_poll(fds, n, ms);
}

/* Every allocation on the way fails once, and no signal is lost by it. */
static void no_memory(void)
{
	int status = WEFT_ERR_NOMEM;

	fixture_open(&f, 2, 6);
	for (long n = 1; status; n++) {
		uint32_t had = wf_signals_in_use(&f.rank[0].signals);

		fail_malloc_at(n);
		status = fixture_ask(&f, 0, 1);
		fail_malloc_at(0);
		if (!status)
			break;
		TAP_EQUAL(status, WEFT_ERR_NOMEM);
		TAP_CHECK(!f.rank[0].ep[1]);
		TAP_EQUAL(wf_signals_in_use(&f.rank[0].signals), had);
		TAP_EQUAL(wf_map_count(&device(0)->eps), 0);
		if (!TAP_CHECK(n < 50))
			break;
	}
	fixture_close(&f);
	fixture_open(&f, 1, 6);
	fail_malloc_at(1);
	TAP_EQUAL(fixture_ask(&f, 0, 0), WEFT_ERR_NOMEM);
	fail_malloc_at(0);
	TAP_CHECK(!f.rank[0].ep[0]);
	fixture_close(&f);
}

/* No signal is left for the one credit, or the other. */
static void no_signal(void)
{
	uint32_t sig;

	fixture_open(&f, 2, 7);
	while (!wf_signal_alloc(&f.rank[0].signals, 0, &sig))
		;
	TAP_EQUAL(fixture_ask(&f, 0, 1), WEFT_ERR_NOMEM);
	wf_signal_free(&f.rank[0].signals, sig);
	TAP_EQUAL(fixture_ask(&f, 0, 1), WEFT_ERR_NOMEM);
	TAP_CHECK(!f.rank[0].ep[1]);
	/* the one that was taken is back */
	TAP_EQUAL(wf_signal_alloc(&f.rank[0].signals, 0, &sig), WEFT_OK);
	fixture_close(&f);
}

/*
 * No slot, and then no key, for the hello: it is sent when there is one.  A
 * hello of a rank that is not in the job is no contact.
 */
static void late_hello(void)
{
	struct wf_ofi_hello hello = { .front.from = 77 };
	struct wf_list kept, *at;
	struct wf_ofi *dev;
	uint64_t covered;
	int nmrs;

	fixture_open(&f, 2, 12);
	dev = device(0);
	wf_list_init(&kept);
	while ((at = wf_list_pop(&dev->free)))
		wf_list_add_tail(&kept, at);
	TAP_EQUAL(fixture_ask(&f, 0, 1), WEFT_OK);
	fixture_settle(&f);
	TAP_EQUAL(f.rank[1].contacts[0], 0);
	while ((at = wf_list_pop(&kept)))
		wf_list_add_tail(&dev->free, at);
	covered = dev->covered;
	nmrs = dev->nmrs;
	dev->covered = 0;
	dev->nmrs = WF_OFI_MRS;
	fixture_settle(&f);
	TAP_EQUAL(f.rank[1].contacts[0], 0);
	TAP_CHECK(!wf_list_empty(&dev->free));
	dev->covered = covered;
	dev->nmrs = nmrs;
	fixture_await(&f, &f.rank[1].contacts[0], 1);
	wf_ofi_hello_comes(device(1), &hello);
	TAP_EQUAL(device(1)->dropped, 1);
	TAP_EQUAL(fixture_ask(&f, 1, 0), WEFT_OK);
	fixture_settle(&f);
	TAP_EQUAL(f.rank[0].ep[1]->state, WF_EP_READY);
	fixture_close(&f);
}

/* Passes of rank 0 alone for so long, or until *p is value. */
static void pump_for_ms(const int *p, int value, uint64_t ms)
{
	uint64_t since = wf_clock_ns();

	while (*p != value && wf_clock_ns() - since < ms * WF_NS_PER_MS)
		f.rank[0].dev->ops->progress(f.rank[0].dev);
}

/* No socket to knock with, and no answer yet: both are no verdict. */
static void knocks(void)
{
	struct wf_ofi_ep *ep;

	fixture_open(&f, 2, 13);
	TAP_EQUAL(fixture_ask(&f, 0, 1), WEFT_OK);
	ep = wf_ofi_ep(f.rank[0].ep[1]);
	no_socket = true;
	sockets = 0;
	pump_for_ms(&sockets, 1, 10000);
	no_socket = false;
	TAP_EQUAL(sockets, 1);
	TAP_EQUAL(ep->knock_fd, -1);
	TAP_CHECK(ep->knock_at > wf_clock_ns() + WF_NS_PER_S);
	/* earlier than it would */
	ep->knock_at = 1;
	no_answer = true;
	polls = 0;
	pump_for_ms(&polls, 2, 10000);
	no_answer = false;
	TAP_EQUAL(polls, 2);
	TAP_CHECK(ep->knock_fd >= 0);
	TAP_EQUAL(f.rank[0].suspects[1], 0);
	TAP_EQUAL(ep->ep.state, WF_EP_CONNECTING);
	TAP_EQUAL(fixture_ask(&f, 1, 0), WEFT_OK);
	fixture_settle(&f);
	TAP_EQUAL(ep->ep.state, WF_EP_READY);
	TAP_EQUAL(ep->knock_fd, -1);
	fixture_close(&f);
}

/* The blob of rank 1, with a second address, which is the same. */
static void two_addresses(struct wf_blob *blob)
{
	uint32_t format = device(0)->info->addr_format;
	struct sockaddr_storage at;
	struct wf_ofi_address *a;
	socklen_t n;

	fixture_blob(&f.rank[0], 1, blob);
	a = (void *)wf_blob_find(blob, "ofi")->bytes;
	n = wf_ofi_address_get(a, format, 0, &at);
	TAP_CHECK(wf_ofi_address_add(a, format, &at, n));
}

/* Nothing comes back from the first of two addresses: the next one is tried. */
static void unheard(void)
{
	uint64_t since = wf_clock_ns();
	struct wf_ofi_ep *ep;
	struct wf_blob blob;

	fixture_open(&f, 2, 19);
	two_addresses(&blob);
	TAP_EQUAL(fixture_ask_by(&f, 0, 1, &blob), WEFT_OK);
	ep = wf_ofi_ep(f.rank[0].ep[1]);
	no_answer = true;
	while (!ep->at && wf_clock_ns() - since < 10 * WF_NS_PER_S)
		f.rank[0].dev->ops->progress(f.rank[0].dev);
	no_answer = false;
	TAP_EQUAL(ep->at, 1);
	TAP_CHECK(wf_clock_ns() - since >= WF_NS_PER_S);
	TAP_EQUAL(ep->ep.failed, ETIMEDOUT);
	TAP_EQUAL(f.rank[0].suspects[1], 0);
	TAP_EQUAL(fixture_ask(&f, 1, 0), WEFT_OK);
	fixture_settle(&f);
	TAP_EQUAL(ep->ep.state, WF_EP_READY);
	fixture_close(&f);
}

static void count_retry(void *arg, const char *line, size_t n)
{
	static const char what[] = "ulimit -n, now ", retry[] = "tried again";

	*(int *)arg += memmem(line, n, what, sizeof(what) - 1) &&
		       memmem(line, n, retry, sizeof(retry) - 1);
}

/* One more knock, of which nothing comes. */
static void knock_in_vain(struct wf_ofi_ep *ep)
{
	ep->knock_at = 1;
	sockets = 0;
	pump_for_ms(&sockets, 1, 10000);
	TAP_EQUAL(sockets, 1);
}

/* No socket for long, though nothing else is wrong: refused, and why. */
static void no_descriptor(void)
{
	struct wf_ofi_ep *ep;
	int lines = 0;

	fixture_open(&f, 2, 14);
	f.rank[0].log.level = WF_LOG_INFO;
	f.rank[0].log.write = count_retry;
	f.rank[0].log.arg = &lines;
	TAP_EQUAL(fixture_ask(&f, 0, 1), WEFT_OK);
	ep = wf_ofi_ep(f.rank[0].ep[1]);
	no_socket = true;
	/* behind a hello there is a connection */
	ep->hello_sent = true;
	knock_in_vain(ep);
	TAP_EQUAL(lines, 0);
	ep->hello_sent = false;
	for (int i = 0; i < 3; i++)
		knock_in_vain(ep);
	TAP_EQUAL(lines, 1);
	TAP_EQUAL(ep->ep.state, WF_EP_CONNECTING);
	/* as if that was long ago */
	ep->starved_at -= 10 * WF_NS_PER_S;
	knock_in_vain(ep);
	no_socket = false;
	TAP_EQUAL(ep->ep.state, WF_EP_REFUSED);
	TAP_CHECK(ep->ep.lack && strstr(ep->ep.lack, "raise the limit of open "
					"files (ulimit -n, now "));
	TAP_EQUAL(f.rank[0].suspects[1], 0);
	fixture_close(&f);
}

static void count_listen(void *arg, const char *line, size_t n)
{
	*(int *)arg += !!memmem(line, n, "listen of provider", 18);
}

/* Of two own addresses the first is none of this host, or has no socket. */
static void no_own_address(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(0xc0000201) };
	struct fi_info info[2];
	struct wf_ofi dev;
	int lines = 0;
	size_t n = sizeof(at);

	fixture_open(&f, 1, 15);
	f.rank[0].log.write = count_listen;
	f.rank[0].log.arg = &lines;
	dev = *device(0);
	info[0] = info[1] = *dev.info;
	info[0].next = &info[1];
	info[0].src_addr = &at;
	info[1].next = NULL;
	dev.info = info;
	for (int i = 0; i < 2; i++) {
		no_socket = i;
		dev.nsources = dev.nheld = 0;
		memset(dev.source, 0, sizeof(dev.source));
		TAP_EQUAL(wf_ofi_open_sources(&dev), WEFT_ERR_DEVICE);
		no_socket = false;
		TAP_EQUAL(lines, i + 1);
		TAP_EQUAL(dev.nheld, 0);
		TAP_EQUAL(wf_ofi_name_source(&dev, 0, &at, &n), -EBADF);
	}
	fixture_close(&f);
}

static struct fi_ops_domain our_domain, *real_domain;
static int refused_with;

static int refuse_endpoint(struct fid_domain *domain, struct fi_info *info,
			   struct fid_ep **ep_p, void *context)
{
	(void)domain;
	(void)info;
	(void)ep_p;
	(void)context;
	return refused_with;
}

static void refuse_endpoints(struct wf_ofi *dev, int result)
{
	refused_with = result;
	real_domain = dev->domain->ops;
	our_domain = *real_domain;
	our_domain.endpoint = refuse_endpoint;
	dev->domain->ops = &our_domain;
}

static void count_endpoint(void *arg, const char *line, size_t n)
{
	*(int *)arg += memmem(line, n, "fi_endpoint of provider", 23) ||
		       memmem(line, n, "where a rank calls: Too many open", 33);
}

/* A device with the address of rank 0 twice, and other ports. */
static struct wf_ofi open_two(struct fi_info info[2],
			      struct sockaddr_storage at[2])
{
	struct wf_ofi dev = *device(0);

	for (int i = 0; i < 2; i++) {
		memset(&at[i], 0, sizeof(at[i]));
		memcpy(&at[i], dev.info->src_addr, dev.info->src_addrlen);
		info[i] = *dev.info;
		info[i].src_addr = &at[i];
		info[i].next = i ? NULL : &info[1];
	}
	dev.info = info;
	dev.nsources = 0;
	memset(dev.source, 0, sizeof(dev.source));
	TAP_EQUAL(wf_ofi_open_sources(&dev), WEFT_OK);
	TAP_EQUAL(dev.nheld, 2);
	return dev;
}

static int call(const struct sockaddr_storage *at, size_t n)
{
	int fd = socket(at->ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	TAP_EQUAL(connect(fd, (const struct sockaddr *)at, (socklen_t)n), 0);
	return fd;
}

/*
 * A path from an own address that nobody has needed yet, and no descriptor for
 * an endpoint: it may be tried again, and others find it listening as before.
 */
static void no_endpoint(void)
{
	struct wf_ofi_ep ep = { .npaths = 1 };
	struct sockaddr_storage at[2];
	struct fi_info info[2];
	struct wf_ofi dev;
	int lines = 0, fd;

	fixture_open(&f, 1, 16);
	f.rank[0].log.level = WF_LOG_WARN;
	f.rank[0].log.write = count_endpoint;
	f.rank[0].log.arg = &lines;
	dev = open_two(info, at);
	refuse_endpoints(&dev, -FI_EMFILE);
	TAP_EQUAL(wf_ofi_take_path(&dev, &ep), WEFT_ERR_NOMEM);
	TAP_CHECK(!ep.via && !dev.source[0].ep);
	TAP_CHECK(strstr(dev.lack, "Too many open files: raise the limit of "
			 "open files (ulimit -n, now "));
	TAP_EQUAL(lines, 0);
	TAP_EQUAL(dev.nheld, 2);
	/* who calls is told nothing, and the log once */
	fd = call(&at[0], info[0].src_addrlen);
	for (int i = 0; i < 3; i++) {
		dev.next_look = 0;
		wf_ofi_look_at_sources(&dev);
		TAP_CHECK(dev.next_look > wf_clock_ns() + WF_NS_PER_S / 2);
		close(fd);
		fd = call(&at[0], info[0].src_addrlen);
	}
	TAP_EQUAL(lines, 1);
	/* any other error is none that passes */
	refused_with = -FI_EIO;
	TAP_EQUAL(wf_ofi_take_path(&dev, &ep), WEFT_ERR_DEVICE);
	TAP_EQUAL(lines, 2);
	TAP_EQUAL(dev.nheld, 1);
	dev.domain->ops = real_domain;
	dev.next_look = 0;
	close(fd);
	fd = call(&at[1], info[1].src_addrlen);
	wf_ofi_look_at_sources(&dev);
	TAP_CHECK(dev.source[1].ep);
	TAP_EQUAL(dev.nheld, 0);
	/* too early for the next look */
	polls = 0;
	dev.next_look = wf_clock_ns() + WF_NS_PER_S;
	wf_ofi_look_at_sources(&dev);
	TAP_EQUAL(polls, 0);
	close(fd);
	wf_ofi_close_sources(&dev);
	fixture_close(&f);
}

/* All descriptors but so many. */
static void leave_descriptors(int left, struct rlimit *old)
{
	struct rlimit few;
	int fd = dup(0), last = fd;

	TAP_EQUAL(getrlimit(RLIMIT_NOFILE, old), 0);
	few = *old;
	few.rlim_cur = (rlim_t)fd + 40;
	TAP_EQUAL(setrlimit(RLIMIT_NOFILE, &few), 0);
	while ((fd = dup(0)) >= 0)
		last = fd;
	for (int i = 0; i < left; i++)
		close(last - i);
}

static void give_descriptors(const struct rlimit *old)
{
	struct rlimit few;

	TAP_EQUAL(getrlimit(RLIMIT_NOFILE, &few), 0);
	TAP_EQUAL(setrlimit(RLIMIT_NOFILE, old), 0);
	for (int fd = (int)few.rlim_cur - 41; fd < (int)few.rlim_cur; fd++)
		close(fd);
}

/* However many are left: it asks again until there are enough. */
static void few_descriptors(void)
{
	int status = WEFT_ERR_NOMEM;

	for (int left = 0; status && left < 30; left++) {
		struct wf_ofi_ep ep = { .npaths = 1 };
		struct sockaddr_storage at[2];
		struct fi_info info[2];
		struct rlimit old;
		struct wf_ofi dev;

		fixture_open(&f, 1, 18);
		TAP_EQUAL(wf_ofi_tp.address(f.rank[0].dev, &ep.address,
					    sizeof(ep.address), &(size_t){ 0 }),
			  WEFT_OK);
		dev = open_two(info, at);
		leave_descriptors(left, &old);
		status = wf_ofi_take_path(&dev, &ep);
		give_descriptors(&old);
		if (!TAP_CHECK(!status || status == WEFT_ERR_NOMEM))
			tap_diag("%d with %d left", status, left);
		TAP_CHECK(!status || strstr(dev.lack, "raise the limit of open "
					    "files (ulimit -n, now "));
		TAP_EQUAL(dev.nheld, status ? 2 : 1);
		wf_ofi_close_sources(&dev);
		fixture_close(&f);
	}
	TAP_EQUAL(status, WEFT_OK);
}

/* The path behind it is taken, and kept while there is no other one. */
static void no_endpoint_for_one(void)
{
	struct wf_ofi_ep ep = {
		.ep.state = WF_EP_CONNECTING, .npaths = 2, .path = {
			{ .source = 0, .addr = FI_ADDR_NOTAVAIL },
			{ .source = 1, .addr = FI_ADDR_NOTAVAIL }
		}
	};
	struct wf_ofi dev;
	size_t n;

	fixture_open(&f, 1, 17);
	dev = *device(0);
	TAP_EQUAL(wf_ofi_tp.address(&dev.dev, &ep.address, sizeof(ep.address),
				    &n), WEFT_OK);
	refuse_endpoints(&dev, -FI_EMFILE);
	dev.source[1] = dev.source[0];
	dev.source[0] = (struct wf_ofi_source){ .info = dev.info, .fd = -1 };
	TAP_EQUAL(wf_ofi_take_path(&dev, &ep), WEFT_OK);
	TAP_EQUAL(ep.at, 1);
	TAP_CHECK(ep.via && ep.via == dev.source[1].ep);
	TAP_EQUAL(wf_ofi_path_failed(&dev, &ep, EHOSTUNREACH), 0);
	TAP_EQUAL(ep.at, 1);
	TAP_EQUAL(wf_ofi_path_failed(&dev, &ep, ECONNREFUSED), ECONNREFUSED);
	TAP_EQUAL(ep.at, 1);
	wf_ofi_forget_paths(&dev, &ep);
	dev.domain->ops = real_domain;
	fixture_close(&f);
}

static int refuse_insert(struct fid_av *av, const void *addr, size_t n,
			 fi_addr_t *addr_p, uint64_t flags, void *context)
{
	(void)av;
	(void)addr;
	(void)n;
	(void)addr_p;
	(void)flags;
	(void)context;
	return 0;
}

/* libfabric does not take the address: refused, and the reason is told. */
static void no_address(void)
{
	struct wf_tp_refusal refusal = { .why = "" };
	struct wf_tp_peer peer = { .rank = 1, .refusal = &refusal };
	struct fi_ops_av ours, *real;
	struct wf_ep *ep = NULL;
	struct wf_ofi *dev;

	fixture_open(&f, 2, 8);
	dev = device(0);
	real = dev->av->ops;
	ours = *real;
	ours.insert = refuse_insert;
	dev->av->ops = &ours;
	peer.blob = &f.rank[1].blob;
	TAP_EQUAL(dev->dev.ops->connect(&dev->dev, &peer, &ep),
		  WEFT_ERR_UNSUPPORTED);
	TAP_CHECK(!ep);
	TAP_CHECK(strstr(refusal.why, "does not take its address"));
	TAP_EQUAL(wf_map_count(&dev->eps), 0);
	dev->av->ops = real;
	fixture_connect(&f, 0, 1);
	fixture_close(&f);
}

static void count_line(void *arg, const char *line, size_t n)
{
	*(int *)arg += !!memmem(line, n, "no memory for the contact of rank 0",
				35);
}

/* A contact that cannot be kept is no contact, and the log says so. */
static void no_room_for_contact(void)
{
	struct wf_ofi_hello hello = { .front.kind = WF_OFI_HELLO };
	int lines = 0;

	fixture_open(&f, 2, 9);
	f.rank[1].log.write = count_line;
	f.rank[1].log.arg = &lines;
	for (long n = 1; n <= 2; n++) {
		fail_malloc_at(n);
		wf_ofi_hello_comes(device(1), &hello);
		fail_malloc_at(0);
		TAP_EQUAL(lines, n);
		TAP_EQUAL(f.rank[1].contacts[0], 0);
		TAP_EQUAL(wf_map_count(&device(1)->strangers), 0);
	}
	fixture_connect(&f, 0, 1);
	fixture_close(&f);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "no memory for a contact", no_memory },
		{ "no signal for a contact", no_signal },
		{ "an address that libfabric does not take", no_address },
		{ "a contact that cannot be kept", no_room_for_contact },
		{ "a hello that has to wait", late_hello },
		{ "a knock that cannot be, or is not heard", knocks },
		{ "the first of two addresses is not heard", unheard },
		{ "no descriptor is there for long", no_descriptor },
		{ "an own address that cannot be held", no_own_address },
		{ "no endpoint for an own address", no_endpoint },
		{ "few descriptors for an endpoint", few_descriptors },
		{ "no endpoint for one of two own addresses",
		  no_endpoint_for_one },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
