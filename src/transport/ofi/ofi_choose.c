/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which provider, by which address.  libfabric offers each provider once for
 * each address of each interface; all are looked at, the best is taken, and
 * the log says at info level why not the others.
 *
 * The choice uses the own node only, because peers choose for themselves: two
 * that come to different providers refuse each other by name (ofi_connect.c).
 */
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include "base/config.h"
#include "base/interface.h"
#include "base/log.h"
#include "base/text.h"
#include "boot/blob.h"
#include "boot/boot.h"
#include "transport/backends.h"
#include "transport/ofi/ofi_choose.h"

/* Best first; their own names, without the layer that makes them RDM. */
static const char *const known[] = {
	"cxi", "efa", "psm2", "opx", "psm3", "verbs", "tcp", "net"
};

/*
 * Libfabric (1.17 to 2.4) over verbs may die when a peer closes, and our own
 * backend reaches those devices, too; net is slower than tcp.
 */
static bool is_by_default(const char *name)
{
	return strcmp(name, "verbs") && strcmp(name, "net");
}

enum {
	KNOWN = sizeof(known) / sizeof(known[0]),
	CLASSES = 5			/* of addresses */
};

/* "tcp;ofi_rxm" is tcp to those who choose. */
void wf_ofi_provider_name(const struct fi_info *info,
			  char name[WF_OFI_PROVIDER])
{
	size_t n = strcspn(info->fabric_attr->prov_name, ";");

	memset(name, 0, WF_OFI_PROVIDER);
	memcpy(name, info->fabric_attr->prov_name,
	       n < WF_OFI_PROVIDER ? n : WF_OFI_PROVIDER - 1);
}

static bool is_named(const struct fi_info *info, const char *name)
{
	char own[WF_OFI_PROVIDER];

	wf_ofi_provider_name(info, own);
	return !strcmp(own, name);
}

bool wf_ofi_is_tcp(const struct fi_info *info)
{
	return is_named(info, "tcp") || is_named(info, "net");
}

bool wf_ofi_is_native(const struct fi_info *info)
{
	return is_named(info, "psm2") || is_named(info, "opx");
}

static int rank_of(const char *name)
{
	int i = 0;

	while (i < KNOWN && strcmp(known[i], name))
		i++;
	return i;
}

/* Is the name in WEFT_OFI_PROVIDER, or, with ^, not in it? */
static bool is_wanted(const struct wf_config *config, const char *name)
{
	const char *list = config->ofi_provider;

	if ((!*list || *list == '^') &&
	    (rank_of(name) == KNOWN || !is_by_default(name)))
		return false;
	return wf_text_allows(list, name);
}

/* A link-local address means another host on each link. */
static bool is_link_local(const struct fi_info *info)
{
	struct sockaddr_in in;
	struct sockaddr_in6 in6;

	if (info->addr_format == FI_SOCKADDR_IN6) {
		memcpy(&in6, info->src_addr, sizeof(in6));
		return IN6_IS_ADDR_LINKLOCAL(&in6.sin6_addr);
	}
	if (info->addr_format != FI_SOCKADDR_IN)
		return false;
	memcpy(&in, info->src_addr, sizeof(in));
	return ntohl(in.sin_addr.s_addr) >> 16 == 0xa9fe;
}

/* The reason against a provider; NULL: none. */
static const char *reject_provider(const struct wf_tp_env *env,
				   const struct fi_info *info)
{
	char name[WF_OFI_PROVIDER];

	wf_ofi_provider_name(info, name);
	if (!is_wanted(env->config, name))
		return *env->config->ofi_provider ?
			"left out by WEFT_OFI_PROVIDER" :
			"used only if WEFT_OFI_PROVIDER names it";
	if (!(info->tx_attr->msg_order & FI_ORDER_SAS))
		return "does not keep the order of messages";
	if (strstr(info->fabric_attr->prov_name, "ofi_rxd"))
		return "emulates writes over datagrams";
	return NULL;
}

/* The reason against the provider, or this address of it; NULL: none. */
static const char *reject(const struct wf_tp_env *env,
			  const struct fi_info *info)
{
	bool one_node = wf_boot_node_count(env->boot) <= 1;
	const char *why = reject_provider(env, info);

	if (why || !info->src_addr)
		return why;
	if (is_link_local(info))
		return "a link-local address, which others cannot use";
	if (!wf_text_allows(env->config->ofi_interface,
			    info->domain_attr->name))
		return "left out by WEFT_OFI_INTERFACE";
	if (!one_node && wf_ofi_is_loopback(info->addr_format, info->src_addr))
		return "a loopback address, which other nodes cannot reach";
	return NULL;
}

/*
 * Less is better; among equal ones the first that libfabric gave.  Bridges of
 * containers have the same address on every host, and containers of one node
 * have loopback interfaces of their own: only if there is no other.
 */
static int score(const struct fi_info *info)
{
	int class = 1;
	char name[WF_OFI_PROVIDER];

	wf_ofi_provider_name(info, name);
	if (info->addr_format == FI_SOCKADDR_IN)
		class = 0;
	else if (info->addr_format == FI_SOCKADDR_IN6)
		class = 2;
	if (wf_interface_is_inner(info->domain_attr->name))
		class = 3;
	if (info->src_addr &&
	    wf_ofi_is_loopback(info->addr_format, info->src_addr))
		class = 4;
	return rank_of(name) * CLASSES + class;
}

static void say_provider(const struct wf_log *log, const struct fi_info *info,
			 const char *verdict)
{
	wf_info(log, "ofi: provider %s: %s", info->fabric_attr->prov_name,
		verdict);
}

static void say_address(const struct wf_log *log, const struct fi_info *info,
			const char *verdict)
{
	char address[80] = "no address";

	if (info->src_addr)
		wf_ofi_name(info->addr_format, info->src_addr, address,
			    sizeof(address));
	wf_info(log, "ofi: provider %s interface %s address %s: %s",
		info->fabric_attr->prov_name, info->domain_attr->name,
		address, verdict);
}

static bool is_same_provider(const struct fi_info *a, const struct fi_info *b)
{
	return !strcmp(a->fabric_attr->prov_name, b->fabric_attr->prov_name);
}

static bool is_same_address(const struct fi_info *a, const struct fi_info *b)
{
	return is_same_provider(a, b) &&
	       !strcmp(a->domain_attr->name, b->domain_attr->name) &&
	       a->src_addrlen == b->src_addrlen &&
	       !memcmp(a->src_addr ? a->src_addr : "",
		       b->src_addr ? b->src_addr : "", a->src_addrlen);
}

/* libfabric gives some of them more than once. */
static bool was_seen(const struct fi_info *all, const struct fi_info *info,
		     bool (*is_same)(const struct fi_info *a,
				     const struct fi_info *b))
{
	for (; all != info; all = all->next)
		if (is_same(all, info))
			return true;
	return false;
}

static struct fi_info *best_of(const struct wf_tp_env *env,
			       struct fi_info *all)
{
	struct fi_info *best = NULL;

	for (struct fi_info *at = all; at; at = at->next)
		if (!reject(env, at) &&
		    (!best || score(at) < score(best)))
			best = at;
	return best;
}

static bool is_same_interface(const struct fi_info *a, const struct fi_info *b)
{
	return !strcmp(a->domain_attr->name, b->domain_attr->name);
}

/* Is one of the list the same as it? */
static bool is_among(const struct fi_info *list, const struct fi_info *info,
		     bool (*is_same)(const struct fi_info *a,
				     const struct fi_info *b))
{
	for (; list; list = list->next)
		if (is_same(list, info))
			return true;
	return false;
}

static void say_all(const struct wf_tp_env *env, const struct wf_log *log,
		    const struct fi_info *all, const struct fi_info *taken)
{
	for (const struct fi_info *at = all; at; at = at->next) {
		const char *why = reject_provider(env, at);

		if (why) {
			if (!was_seen(all, at, is_same_provider))
				say_provider(log, at, why);
			continue;
		}
		if (was_seen(all, at, is_same_address))
			continue;
		why = reject(env, at);
		if (is_among(taken, at, is_same_address))
			why = "taken";
		say_address(log, at, why ? why : "less preferred than the one "
			    "that is taken");
	}
}

static bool has_verbs(void)
{
	const struct wf_tp_ops *const *at = wf_tp_table;

	while (*at && strcmp((*at)->name, "verbs"))
		at++;
	return *at;
}

/* Has this user chosen, or uses another backend the devices? */
static bool is_settled(const struct wf_tp_env *env)
{
	const struct wf_config *c = env->config;

	return *c->ofi_provider || *c->ofi_interface || *c->ib_devices ||
	       c->ib_pkey != WF_CONFIG_AUTO || !wf_tp_is_allowed(c, "verbs") ||
	       wf_blob_find(env->self, "verbs");
}

/* What an adapter does better than sockets is not left out without a word. */
static void warn_of_unused(const struct wf_tp_env *env,
			   const struct wf_log *log, const struct fi_info *all,
			   const struct fi_info *taken)
{
	if (!taken || !wf_ofi_is_tcp(taken) || is_settled(env) ||
	    wf_boot_node_rank(env->boot) != 0)
		return;
	while (all && !is_named(all, "verbs"))
		all = all->next;
	if (all)
		wf_warn(log, "ofi: provider %s is taken, and RDMA device %s is "
			"not used: %s; WEFT_OFI_PROVIDER=verbs uses it by "
			"libfabric", taken->fabric_attr->prov_name,
			all->domain_attr->name, has_verbs() ?
			"backend verbs cannot (WEFT_LOG=info says why)" :
			"this build has no backend verbs");
}

/* Another address of its family, for others to try, is as good as it. */
static bool is_alike(const struct wf_tp_env *env, const struct fi_info *best,
		     const struct fi_info *at)
{
	return wf_ofi_is_tcp(best) && at->addr_format == best->addr_format &&
	       is_same_provider(best, at) && score(at) == score(best) &&
	       wf_boot_node_count(env->boot) > 1 && !reject(env, at);
}

/* What leads elsewhere comes before another address of an interface. */
static const struct fi_info *next_of(const struct wf_tp_env *env,
				     const struct fi_info *all,
				     const struct fi_info *taken)
{
	const struct fi_info *next = NULL;

	for (const struct fi_info *at = all; at; at = at->next) {
		if (!is_alike(env, taken, at) ||
		    is_among(taken, at, is_same_address))
			continue;
		if (!is_among(taken, at, is_same_interface))
			return at;
		if (!next)
			next = at;
	}
	return next;
}

/* The best one, and what is alike behind it; NULL: no memory. */
static struct fi_info *take(const struct wf_tp_env *env,
			    const struct wf_ofi_lib *lib,
			    const struct fi_info *all,
			    const struct fi_info *best)
{
	struct fi_info *taken = lib->dupinfo(best), *last = taken;
	const struct fi_info *at = best;

	for (int n = 1; at && last && n < WF_OFI_NAMES; n++) {
		at = next_of(env, all, taken);
		last->next = at ? lib->dupinfo(at) : NULL;
		last = at ? last->next : last;
	}
	if (last)
		return taken;
	if (taken)
		lib->freeinfo(taken);
	return NULL;
}

static struct fi_info *make_hints(const struct wf_ofi_lib *lib)
{
	struct fi_info *hints = lib->dupinfo(NULL);

	if (!hints)
		return NULL;
	hints->caps = FI_MSG | FI_RMA | FI_MULTI_RECV;
	hints->mode = FI_CONTEXT | FI_CONTEXT2;
	hints->ep_attr->type = FI_EP_RDM;
	hints->ep_attr->max_msg_size = WF_OFI_MOST;
	hints->tx_attr->size = WF_OFI_TX;
	hints->rx_attr->size = WF_OFI_TX;
	hints->domain_attr->threading = FI_THREAD_DOMAIN;
	hints->domain_attr->control_progress = FI_PROGRESS_MANUAL;
	hints->domain_attr->data_progress = FI_PROGRESS_MANUAL;
	hints->domain_attr->resource_mgmt = FI_RM_ENABLED;
	hints->domain_attr->cq_data_size = sizeof(uint32_t);
	/* Not FI_MR_LOCAL: local operands need no registration. */
	hints->domain_attr->mr_mode = FI_MR_VIRT_ADDR | FI_MR_ALLOCATED |
				      FI_MR_PROV_KEY | FI_MR_ENDPOINT;
	return hints;
}

int wf_ofi_choose(const struct wf_tp_env *env, const struct wf_ofi_lib *lib,
		  const struct wf_log *log, struct fi_info **info_p)
{
	struct fi_info *hints = make_hints(lib), *all = NULL, *best, *taken;
	int status = WEFT_OK;

	if (!hints)
		return WEFT_ERR_NOMEM;
	if (lib->getinfo(FI_VERSION(1, 14), NULL, NULL, 0, hints, &all))
		all = NULL;
	lib->freeinfo(hints);
	best = best_of(env, all);
	taken = best ? take(env, lib, all, best) : NULL;
	if (log) {
		say_all(env, log, all, taken);
		warn_of_unused(env, log, all, taken);
	}
	if (taken)
		*info_p = taken;
	else
		status = best ? WEFT_ERR_NOMEM : WEFT_ERR_UNSUPPORTED;
	if (all)
		lib->freeinfo(all);
	return status;
}
