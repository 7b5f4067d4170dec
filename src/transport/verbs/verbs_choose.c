/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which device, which port, which GID.  Every port of every device is looked
 * at, the fastest that can be used is taken, and the log says at info level
 * why not the others.
 *
 * Of a RoCE port the peers are told its GIDs of RoCE v2 of the best kinds, or,
 * if there are none, of v1; by which of them it is reached depends on theirs
 * (verbs_gid.h).
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/config.h"
#include "base/log.h"
#include "base/text.h"
#include "transport/verbs/verbs.h"
#include "transport/verbs/verbs_class.h"

#define DIRECTORY "/dev/infiniband"

enum {
	GIDS = 256			/* of a device, that are looked at */
};

/* Is "rxe0" or "rxe0:1" in the list, or, with ^, not in it? */
static bool is_wanted(const struct wf_config *config, const char *device,
		      int port)
{
	const char *list = config->ib_devices;
	char exact[IBV_SYSFS_NAME_MAX + 8];

	snprintf(exact, sizeof(exact), "%s:%d", device, port);
	if (*list == '^')
		return wf_text_allows(list, device) &&
		       wf_text_allows(list, exact);
	return wf_text_allows(list, device) || wf_text_allows(list, exact);
}

static const char *const kind_names[WF_GID_KINDS] = {
	"IPv4", "global IPv6", "unique local IPv6", "link-local IPv6"
};

static void show_gid(const struct wf_log *log, const struct wf_verbs_port *p,
		     const struct ibv_gid_entry *e)
{
	const uint8_t *gid = e->gid.raw;
	char name[64];

	wf_verbs_gid_name(gid, name, sizeof(name));
	wf_info(log, "verbs: device %s port %d GID %u is %s (%s)",
		ibv_get_device_name(p->context->device), p->number,
		(unsigned)e->gid_index, name,
		e->gid_type == IBV_GID_TYPE_IB ? "InfiniBand" :
		e->gid_type == IBV_GID_TYPE_ROCE_V1 ? "RoCE v1" :
		kind_names[wf_gid_kind(gid)]);
}

static void add_gid(struct wf_verbs_port *p, const struct ibv_gid_entry *e)
{
	struct wf_verbs_gids *gids = &p->gids;

	if (gids->n == WF_VERBS_GIDS)
		return;
	memcpy(gids->gid[gids->n], e->gid.raw, WF_VERBS_GID_BYTES);
	p->gid_index[gids->n++] = (uint8_t)e->gid_index;
}

/* The best kinds first, of one kind in the order of the table. */
static void add_gids(struct wf_verbs_port *p, const struct ibv_gid_entry *entry,
		     ssize_t n, uint32_t type)
{
	for (int kind = 0; kind < WF_GID_KINDS; kind++)
		for (ssize_t i = 0; i < n; i++)
			if (entry[i].gid_type == type &&
			    (int)wf_gid_kind(entry[i].gid.raw) == kind)
				add_gid(p, &entry[i]);
	p->roce_v1 = p->gids.n && type == IBV_GID_TYPE_ROCE_V1;
}

/* Only those of the port, and, if index is not -1, only that one; how many. */
static ssize_t keep_gids(const struct wf_verbs_port *p,
			 struct ibv_gid_entry *entry, ssize_t n, long index)
{
	ssize_t kept = 0;

	for (ssize_t i = 0; i < n; i++)
		if (entry[i].port_num == p->number &&
		    entry[i].gid_index <= UINT8_MAX &&
		    (index < 0 || entry[i].gid_index == index))
			entry[kept++] = entry[i];
	return kept;
}

/* The GIDs of a port; the reason against the port, or NULL. */
static const char *choose_gids(const struct wf_tp_env *env,
			       const struct wf_log *log,
			       struct wf_verbs_port *p)
{
	static const uint32_t types[] = {
		IBV_GID_TYPE_IB, IBV_GID_TYPE_ROCE_V2, IBV_GID_TYPE_ROCE_V1
	};
	bool automatic = env->config->ib_gid_index == WF_CONFIG_AUTO;
	/* InfiniBand has one that matters, the first. */
	long index = !automatic ? (long)env->config->ib_gid_index :
		     p->ethernet ? -1 : 0;
	struct ibv_gid_entry entry[GIDS];
	ssize_t n = ibv_query_gid_table(p->context, entry, GIDS, 0);

	for (ssize_t i = 0; log && i < n; i++)
		if (entry[i].port_num == p->number)
			show_gid(log, p, &entry[i]);
	n = keep_gids(p, entry, n, index);
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]) && !p->gids.n;
	     i++)
		add_gids(p, entry, n, types[i]);
	if (p->gids.n)
		return NULL;
	return automatic ? "it has no GID" :
			   "it has no GID with the index of WEFT_IB_GID_INDEX";
}

static bool is_gid(const struct wf_verbs_port *p, int i,
		   const struct ibv_gid_entry *e)
{
	uint32_t type = !p->ethernet ? IBV_GID_TYPE_IB :
			p->roce_v1 ? IBV_GID_TYPE_ROCE_V1 :
				     IBV_GID_TYPE_ROCE_V2;

	return e->port_num == p->number && e->gid_type == type &&
	       e->gid_index <= UINT8_MAX &&
	       !memcmp(e->gid.raw, p->gids.gid[i], WF_VERBS_GID_BYTES);
}

uint8_t wf_verbs_gid_index(struct wf_verbs_port *p, int i)
{
	struct ibv_gid_entry now, entry[GIDS];
	ssize_t n;

	if (!ibv_query_gid_ex(p->context, p->number, p->gid_index[i], &now,
			      0) && is_gid(p, i, &now))
		return p->gid_index[i];
	n = ibv_query_gid_table(p->context, entry, GIDS, 0);
	for (ssize_t k = 0; k < n; k++)
		if (is_gid(p, i, &entry[k])) {
			p->gid_index[i] = (uint8_t)entry[k].gid_index;
			break;
		}
	return p->gid_index[i];
}

static const char *choose_pkey(const struct wf_tp_env *env,
			       struct wf_verbs_port *p)
{
	uint64_t key = env->config->ib_pkey;

	if (key == WF_CONFIG_AUTO)
		return NULL;
	for (int i = 0; i < p->port.pkey_tbl_len; i++) {
		__be16 found;

		if (ibv_query_pkey(p->context, p->number, i, &found))
			continue;
		/* The highest bit says only how much one is a member. */
		if (((be16toh(found) ^ key) & 0x7fff) == 0) {
			p->pkey_index = (uint16_t)i;
			return NULL;
		}
	}
	return "it does not have the partition of WEFT_IB_PKEY";
}

/* The reason against a device whose queues hold too little, or NULL. */
static const char *lacks(const struct ibv_device_attr *d)
{
	if (d->max_srq < 1)
		return "the device has no shared receive queues";
	if (d->atomic_cap == IBV_ATOMIC_NONE || d->max_qp_rd_atom < 1 ||
	    d->max_qp_init_rd_atom < 1)
		return "the device has no atomics";
	if (d->max_qp_wr < WF_VERBS_SQ_LEAST + WF_VERBS_LETTERS)
		return "a queue pair of the device holds too few work requests";
	if (d->max_sge < 2)
		return "a work request of the device has one piece only";
	if (d->max_srq_wr < WF_VERBS_SRQ_LEAST ||
	    d->max_cqe < WF_VERBS_SRQ_LEAST)
		return "the device holds too few receive buffers";
	return NULL;
}

static const char *judge_port(const struct wf_tp_env *env,
			      const struct wf_log *log,
			      struct wf_verbs_port *p)
{
	const char *why;

	if (ibv_query_port(p->context, p->number, &p->port))
		return "it cannot be asked for its state";
	if (p->port.state != IBV_PORT_ACTIVE)
		return p->port.state == IBV_PORT_DOWN ?
			"the port is down" : "the port is not active";
	p->ethernet = p->port.link_layer == IBV_LINK_LAYER_ETHERNET;
	if (!p->ethernet && p->port.link_layer != IBV_LINK_LAYER_INFINIBAND)
		return "its link layer is unknown";
	why = lacks(&p->device);
	if (!why)
		why = choose_gids(env, log, p);
	return why ? why : choose_pkey(env, p);
}

/* Gb/s, about: codes of lanes and of their speed. */
static double speed_of(const struct ibv_port_attr *port)
{
	static const double lane[] = { 2.5, 5, 10, 10, 14, 25, 50, 100 };
	static const int lanes[] = { 1, 4, 8, 12, 2 };
	double speed = 0;
	int width = 1;

	for (int i = 0; i < 8; i++)
		if (port->active_speed >> i & 1)
			speed = lane[i];
	for (int i = 0; i < 5; i++)
		if (port->active_width >> i & 1)
			width = lanes[i];
	return speed * width;
}

/* What has been looked at so far. */
struct search {
	const struct wf_tp_env *env;
	const struct wf_log *log;
	struct wf_verbs_port best;	/* context NULL: none yet */
	char *why;			/* of the last that was rejected */
	size_t why_bytes;
	bool denied;			/* to this user */
};

static void reject(struct search *s, const char *device, int port,
		   const char *reason)
{
	if (s->log)
		wf_info(s->log, "verbs: device %s port %d: rejected because "
			"%s", device, port, reason);
	snprintf(s->why, s->why_bytes, "device %s port %d: %s", device, port,
		 reason);
}

/* The errno of ibv_open_device() is not that of its open(). */
static bool is_denied(const char *node)
{
	char path[sizeof(DIRECTORY) + IBV_SYSFS_NAME_MAX + 1];

	snprintf(path, sizeof(path), DIRECTORY "/%s", node);
	return access(path, R_OK | W_OK) && (errno == EACCES || errno == EPERM);
}

static void look_at_port(struct search *s, struct ibv_device *device, int n)
{
	const char *name = ibv_get_device_name(device), *reason;
	struct wf_verbs_port p = { .number = (uint8_t)n };
	bool better;

	if (!is_wanted(s->env->config, name, n)) {
		reject(s, name, n, "WEFT_IB_DEVICES leaves it out");
		return;
	}
	p.context = ibv_open_device(device);
	if (!p.context) {
		bool denied = is_denied(device->dev_name);

		s->denied |= denied;
		reject(s, name, n, denied ?
		       "this user may not open it in " DIRECTORY :
		       "the device cannot be opened");
		return;
	}
	reason = ibv_query_device(p.context, &p.device) ?
		"the device cannot be asked what it can" :
		judge_port(s->env, s->log, &p);
	better = !reason && (!s->best.context || speed_of(&p.port) >
			     speed_of(&s->best.port));
	if (!better) {
		reject(s, name, n, reason ? reason : "another one is faster, "
		       "or came first");
		ibv_close_device(p.context);
		return;
	}
	if (s->best.context) {
		reject(s, ibv_get_device_name(s->best.context->device),
		       s->best.number, "another one is faster");
		ibv_close_device(s->best.context);
	}
	s->best = p;
}

static int ports_of(struct ibv_device *device)
{
	struct ibv_context *context = ibv_open_device(device);
	struct ibv_device_attr attr;
	int n = 1;

	if (!context)
		return 1;
	if (!ibv_query_device(context, &attr))
		n = attr.phys_port_cnt;
	ibv_close_device(context);
	return n;
}

int wf_verbs_choose(const struct wf_tp_env *env, const struct wf_log *log,
		    struct wf_verbs_port *port_p, char *why, size_t why_bytes)
{
	struct search s = { .env = env, .log = log, .why = why,
			    .why_bytes = why_bytes };
	struct ibv_device **list = ibv_get_device_list(NULL);
	char gid[64];

	snprintf(why, why_bytes, "this machine has no RDMA device");
	for (struct ibv_device **at = list; at && *at; at++)
		for (int i = 1, n = ports_of(*at); i <= n; i++)
			look_at_port(&s, *at, i);
	if (list)
		ibv_free_device_list(list);
	if (!s.best.context)
		return s.denied ? WEFT_ERR_DEVICE : WEFT_ERR_UNSUPPORTED;
	s.best.traffic_class = wf_verbs_class(env->config,
					      s.best.context->device,
					      s.best.number, s.best.ethernet &&
					      !s.best.roce_v1);
	if (log) {
		wf_verbs_gid_name(s.best.gids.gid[0], gid, sizeof(gid));
		wf_info(log, "verbs: device %s port %d: used, %s, GID %d %s%s, "
			"LID %u, MTU %u, traffic class %u",
			ibv_get_device_name(s.best.context->device),
			s.best.number, s.best.ethernet ? "RoCE" : "InfiniBand",
			s.best.gid_index[0], gid,
			s.best.gids.n > 1 ? " or one that suits the peer" : "",
			(unsigned)s.best.port.lid,
			128u << s.best.port.active_mtu,
			(unsigned)s.best.traffic_class);
	}
	*port_p = s.best;
	return WEFT_OK;
}
