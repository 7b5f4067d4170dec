/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is said of libfabric: why a provider or an address is not taken, what
 * has failed and with whom, and addresses as people write them.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <rdma/fi_errno.h>
#include <stdlib.h>
#include <string.h>
#include <weft/status.h>
#include "tests/transport/fixture.h"
#include "transport/ofi/ofi_choose.h"

static struct fixture f;

static struct wf_ofi *open_one(int ranks)
{
	fixture_open(&f, ranks, 1);
	return wf_ofi_dev(f.rank[0].dev);
}

/* ---- the choice ---- */

enum variant { UNORDERED, RXD, NET, FABRIC_ADDRESS, LOOPBACK, TAKEN };

static struct wf_ofi *dev;
static enum variant variant;
static char said[4000];

static void keep(void *arg, const char *line, size_t n)
{
	size_t used = strlen(said);

	(void)arg;
	if (n < sizeof(said) - used)
		memcpy(said + used, line, n);
}

static void rename_to(char **name, const char *to)
{
	free(*name);
	*name = strdup(to);
}

/* One offer, of the provider of the device; its address is of this host. */
static int offer(uint32_t version, const char *node, const char *service,
		 uint64_t flags, const struct fi_info *hints,
		 struct fi_info **info_p)
{
	struct fi_info *info = dev->lib.dupinfo(dev->info);

	(void)version;
	(void)node;
	(void)service;
	(void)flags;
	TAP_EQUAL(hints->ep_attr->type, FI_EP_RDM);
	if (variant == UNORDERED)
		info->tx_attr->msg_order &= ~(uint64_t)FI_ORDER_SAS;
	if (variant == RXD)
		rename_to(&info->fabric_attr->prov_name, "tcp;ofi_rxd");
	if (variant == NET)
		rename_to(&info->fabric_attr->prov_name, "net");
	if (variant == LOOPBACK)
		((struct sockaddr_in *)info->src_addr)->sin_addr.s_addr =
			htonl(INADDR_LOOPBACK);
	if (variant == FABRIC_ADDRESS)
		info->addr_format = FI_ADDR_EFA;
	*info_p = info;
	return 0;
}

static void choose(enum variant v, int expected, const char *sentence)
{
	struct fi_info *info = NULL;
	struct wf_ofi_lib lib = dev->lib;

	variant = v;
	memset(said, 0, sizeof(said));
	lib.getinfo = offer;
	TAP_EQUAL(wf_ofi_choose(&f.rank[0].env, &lib, &f.rank[0].log, &info),
		  expected);
	if (!TAP_CHECK(strstr(said, sentence)))
		tap_diag("%s", said);
	TAP_EQUAL(!info, !!expected);
	if (info)
		lib.freeinfo(info);
}

static void choices(void)
{
	int refused = WEFT_ERR_UNSUPPORTED;

	dev = open_one(1);
	f.rank[0].log.level = WF_LOG_INFO;
	f.rank[0].log.write = keep;
	choose(TAKEN, WEFT_OK, "taken");
	choose(UNORDERED, refused, "does not keep the order of messages");
	choose(RXD, refused, "emulates writes over datagrams");
	strcpy(f.rank[0].config.ofi_interface, "nosuch0,nosuch1");
	choose(TAKEN, refused, "left out by WEFT_OFI_INTERFACE");
	strcpy(f.rank[0].config.ofi_interface, "^nosuch0");
	choose(TAKEN, WEFT_OK, "taken");
	choose(NET, refused, "left out by WEFT_OFI_PROVIDER");
	choose(FABRIC_ADDRESS, WEFT_OK, "address a fabric address: taken");
	strcpy(f.rank[0].config.ofi_provider, "");
	choose(NET, refused, "used only if WEFT_OFI_PROVIDER names it");
	choose(TAKEN, WEFT_OK, "taken");
	f.rank[0].boot.base.node.count = 2;
	choose(LOOPBACK, refused, "a loopback address, which other nodes");
	f.rank[0].boot.base.node.count = 1;
	f.rank[0].log.level = WF_LOG_ERROR;
	fixture_close(&f);
}

/* Of the provider of the device, and what reaches an adapter by libfabric. */
static int offer_verbs(uint32_t version, const char *node, const char *service,
		       uint64_t flags, const struct fi_info *hints,
		       struct fi_info **info_p)
{
	variant = TAKEN;
	offer(version, node, service, flags, hints, info_p);
	offer(version, node, service, flags, hints, &(*info_p)->next);
	rename_to(&(*info_p)->next->fabric_attr->prov_name, "verbs;ofi_rxm");
	rename_to(&(*info_p)->next->domain_attr->name, "siw0");
	return 0;
}

/* How often the choice says so. */
static int complaints(void)
{
	struct fi_info *info = NULL;
	struct wf_ofi_lib lib = dev->lib;
	const char *at = said;
	int n = 0;

	memset(said, 0, sizeof(said));
	lib.getinfo = offer_verbs;
	TAP_EQUAL(wf_ofi_choose(&f.rank[0].env, &lib, &f.rank[0].log, &info),
		  WEFT_OK);
	lib.freeinfo(info);
	for (; (at = strstr(at, "RDMA device siw0 is not used: ")); at++)
		n++;
	return n;
}

/* Unless the user, or the backend for it, has decided. */
static void an_unused_adapter_is_told(void)
{
	struct wf_blob with_verbs;
	struct wf_config *config = &f.rank[0].config;

	dev = open_one(1);
	strcpy(config->ofi_provider, "");
	config->transport[0] = '\0';
	f.rank[0].log.level = WF_LOG_WARN;
	f.rank[0].log.write = keep;
	TAP_EQUAL(complaints(), 1);
	strcpy(config->ofi_provider, "^verbs");
	TAP_EQUAL(complaints(), 0);
	strcpy(config->ofi_provider, "");
	strcpy(config->transport, "shm,ofi");
	TAP_EQUAL(complaints(), 0);
	config->transport[0] = '\0';
	with_verbs = *f.rank[0].env.self;
	TAP_EQUAL(wf_blob_add(&with_verbs, "verbs", "", 0), WEFT_OK);
	f.rank[0].env.self = &with_verbs;
	TAP_EQUAL(complaints(), 0);
	f.rank[0].env.self = &f.rank[0].blob;
	f.rank[0].log.level = WF_LOG_ERROR;
	fixture_close(&f);
}

/* Three addresses of one interface, two of another one, one of a third. */
static const char *const offered[][2] = {
	{ "nosuch0", "fd00::1" }, { "nosuch0", "fd00::2" },
	{ "nosuch0", "fd00::3" }, { "nosuch1", "fd01::1" },
	{ "nosuch1", "fd01::2" }, { "nosuch2", "fd02::1" }
};

static int offer_many(uint32_t version, const char *node, const char *service,
		      uint64_t flags, const struct fi_info *hints,
		      struct fi_info **info_p)
{
	struct fi_info **at = info_p;

	for (int i = 0; i < TAP_COUNT(offered); i++, at = &(*at)->next) {
		struct sockaddr_in6 *in6 = calloc(1, sizeof(*in6));

		variant = TAKEN;
		offer(version, node, service, flags, hints, at);
		rename_to(&(*at)->domain_attr->name, offered[i][0]);
		free((*at)->src_addr);
		in6->sin6_family = AF_INET6;
		TAP_EQUAL(inet_pton(AF_INET6, offered[i][1], &in6->sin6_addr),
			  1);
		(*at)->src_addr = in6;
		(*at)->src_addrlen = sizeof(*in6);
		(*at)->addr_format = FI_SOCKADDR_IN6;
	}
	return 0;
}

/* One of each interface before another one of the first. */
static void interfaces_take_turns(void)
{
	static const int want[] = { 0, 3, 5, 1 };
	struct fi_info *taken = NULL, *at;
	struct wf_ofi_lib lib;
	char text[80];
	int n = 0;

	dev = open_one(1);
	lib = dev->lib;
	lib.getinfo = offer_many;
	f.rank[0].boot.base.node.count = 2;
	TAP_EQUAL(wf_ofi_choose(&f.rank[0].env, &lib, NULL, &taken), WEFT_OK);
	for (at = taken; at; at = at->next, n++) {
		const char *address = offered[want[n % 4]][1];

		wf_ofi_name(at->addr_format, at->src_addr, text, sizeof(text));
		if (!TAP_CHECK(!strncmp(text, address, strlen(address))))
			tap_diag("%s", text);
	}
	TAP_EQUAL(n, WF_OFI_NAMES);
	lib.freeinfo(taken);
	f.rank[0].boot.base.node.count = 1;
	fixture_close(&f);
}

/* ---- failures ---- */

static void failures(void)
{
	static const char *const what[] = {
		[WF_OFI_DO_MAIL] = "a mail",
		[WF_OFI_DO_HELLO] = "the first contact",
		[WF_OFI_DO_LINE] = "a line",
		[WF_OFI_DO_PUT] = "a put",
		[WF_OFI_DO_GET] = "a get",
		[WF_OFI_DO_FLUSH] = "a flush",
		[WF_OFI_DO_CREDIT] = "a credit",
		[WF_OFI_DO_ASK] = "what asks for an atomic op",
		[WF_OFI_DO_ANSWER] = "the answer to an atomic op"
	};
	const struct fi_cq_err_entry error = { .err = FI_EIO };
	struct wf_ofi_tx tx = { .bytes = 12 };
	char text[WF_OFI_WHY], want[WF_OFI_WHY];

	dev = open_one(2);
	fixture_connect(&f, 0, 1);
	tx.ep = wf_ofi_ep(f.rank[0].ep[1]);
	for (int i = 0; i < TAP_COUNT(what); i++) {
		tx.what = (enum wf_ofi_what)i;
		snprintf(want, sizeof(want), "%s of 12 bytes to rank 1 on host "
			 "%s by provider %s failed: Input/output error",
			 what[i], tx.ep->host,
			 dev->info->fabric_attr->prov_name);
		wf_ofi_tell(dev, &tx, &error, text);
		if (!TAP_CHECK(!strncmp(text, want, strlen(want))))
			tap_diag("%s", text);
	}
	tx.ep = NULL;
	wf_ofi_tell(dev, &tx, &error, text);
	TAP_CHECK(!strncmp(text, "the answer to an atomic op of provider", 38));
	wf_ofi_tell(dev, NULL, &error, text);
	TAP_CHECK(!strncmp(text, "receiving of provider", 21));
	fixture_close(&f);
}

/* ---- addresses ---- */

static void addresses(void)
{
	struct sockaddr_in in = { .sin_family = AF_INET,
				  .sin_port = htons(77) };
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6,
				    .sin6_port = htons(78) };
	char text[80];

	TAP_EQUAL(inet_pton(AF_INET, "127.0.0.9", &in.sin_addr), 1);
	wf_ofi_name(FI_SOCKADDR_IN, &in, text, sizeof(text));
	TAP_CHECK(!strcmp(text, "127.0.0.9 port 77"));
	TAP_CHECK(wf_ofi_is_loopback(FI_SOCKADDR_IN, &in));
	TAP_EQUAL(inet_pton(AF_INET, "10.0.0.9", &in.sin_addr), 1);
	TAP_CHECK(!wf_ofi_is_loopback(FI_SOCKADDR_IN, &in));
	TAP_EQUAL(inet_pton(AF_INET6, "::1", &in6.sin6_addr), 1);
	wf_ofi_name(FI_SOCKADDR_IN6, &in6, text, sizeof(text));
	TAP_CHECK(!strcmp(text, "::1 port 78"));
	TAP_CHECK(wf_ofi_is_loopback(FI_SOCKADDR_IN6, &in6));
	TAP_EQUAL(inet_pton(AF_INET6, "fd00::1", &in6.sin6_addr), 1);
	TAP_CHECK(!wf_ofi_is_loopback(FI_SOCKADDR_IN6, &in6));
	wf_ofi_name(FI_ADDR_EFA, &in6, text, sizeof(text));
	TAP_CHECK(!strcmp(text, "a fabric address"));
	TAP_CHECK(!wf_ofi_is_loopback(FI_ADDR_EFA, &in6));
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "why a provider is not taken", choices },
		{ "an unused adapter is told", an_unused_adapter_is_told },
		{ "interfaces take turns", interfaces_take_turns },
		{ "what has failed, and with whom", failures },
		{ "addresses", addresses },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
