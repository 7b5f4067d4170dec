/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A port, and its GIDs and partition: see verbs_port.h.
 *
 * Of a RoCE port the peers are told its GIDs of RoCE v2 of the best kinds, or,
 * if there are none, of v1; by which of them it is reached depends on theirs
 * (verbs_gid.h).
 */
#include <endian.h>
#include <errno.h>
#include <string.h>
#include "base/config.h"
#include "base/log.h"
#include "transport/verbs/verbs.h"

enum {
	GIDS = 256,			/* of a device, that are looked at */
	PKEYS = 256			/* of a port */
};

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

static bool was_tried(const struct wf_verbs_port *p,
		      const struct ibv_gid_entry *e)
{
	for (int i = 0; i < p->tried.n; i++)
		if (!memcmp(p->tried.gid[i], e->gid.raw, WF_VERBS_GID_BYTES))
			return true;
	return false;
}

/*
 * An errno: in a container some may be of network devices elsewhere, and no
 * path begins at them here.  Nobody has to answer, as the other end is the
 * same.
 */
static int try_gid(struct ibv_pd *pd, const struct wf_verbs_port *p,
		   const struct ibv_gid_entry *e)
{
	struct ibv_ah_attr path = {
		.is_global = 1, .port_num = p->number,
		.grh = { .dgid = e->gid, .hop_limit = 64,
			 .sgid_index = (uint8_t)e->gid_index }
	};
	struct ibv_ah *ah;

	if (!pd || was_tried(p, e))
		return 0;
	errno = 0;
	ah = ibv_create_ah(pd, &path);
	if (!ah)
		return errno ? errno : EIO;
	ibv_destroy_ah(ah);
	return 0;
}

/* Those of a device; pd NULL: they are not tried. */
struct table {
	struct ibv_gid_entry entry[GIDS];
	ssize_t n;
	struct ibv_pd *pd;
	const struct wf_log *log;
	bool any;			/* also those that may have failed for
					 * lack of address handles */
};

static void add_gid(const struct table *t, struct wf_verbs_port *p,
		    const struct ibv_gid_entry *e)
{
	struct wf_verbs_gids *gids = &p->gids;
	int error;

	if (gids->n == WF_VERBS_GIDS)
		return;
	error = try_gid(t->pd, p, e);
	if (error && !(t->any && wf_verbs_is_lack(error))) {
		if (t->log)
			wf_info(t->log, "verbs: device %s port %d GID %u is "
				"not used: no path begins at it here (%s)",
				ibv_get_device_name(p->context->device),
				p->number, (unsigned)e->gid_index,
				strerror(error));
		return;
	}
	memcpy(gids->gid[gids->n], e->gid.raw, WF_VERBS_GID_BYTES);
	p->gid_index[gids->n++] = (uint8_t)e->gid_index;
}

/* The best kinds first, of one kind in the order of the table. */
static void add_gids(const struct table *t, struct wf_verbs_port *p,
		     uint32_t type)
{
	for (int kind = 0; kind < WF_GID_KINDS; kind++)
		for (ssize_t i = 0; i < t->n; i++)
			if (t->entry[i].gid_type == type &&
			    (int)wf_gid_kind(t->entry[i].gid.raw) == kind)
				add_gid(t, p, &t->entry[i]);
	p->roce_v1 = p->gids.n && type == IBV_GID_TYPE_ROCE_V1;
}

/* Of the best type that there is. */
static void add_best(struct table *t, struct wf_verbs_port *p)
{
	static const uint32_t types[] = {
		IBV_GID_TYPE_IB, IBV_GID_TYPE_ROCE_V2, IBV_GID_TYPE_ROCE_V1
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]) && !p->gids.n;
	     i++) {
		t->any = false;
		add_gids(t, p, types[i]);
		t->any = true;
		if (!p->gids.n)
			add_gids(t, p, types[i]);
	}
}

/* Only those of the port, and, if index is not -1, only that one. */
static void keep_gids(const struct wf_verbs_port *p, struct table *t,
		      long index)
{
	ssize_t kept = 0;

	for (ssize_t i = 0; i < t->n; i++)
		if (t->entry[i].port_num == p->number &&
		    t->entry[i].gid_index <= UINT8_MAX &&
		    (index < 0 || t->entry[i].gid_index == index))
			t->entry[kept++] = t->entry[i];
	t->n = kept;
}

/* InfiniBand has one that matters, the first, at place 0 as a rule. */
static void keep_first(const struct wf_verbs_port *p, struct table *t)
{
	keep_gids(p, t, -1);
	for (ssize_t i = 1; i < t->n && t->entry[0].gid_index; i++)
		if (!t->entry[i].gid_index)
			t->entry[0] = t->entry[i];
	t->n = t->n > 0;
}

/* The GIDs of a port; the reason against the port, or NULL. */
static const char *choose_gids(const struct wf_tp_env *env,
			       const struct wf_log *log,
			       struct wf_verbs_port *p)
{
	bool automatic = env->config->ib_gid_index == WF_CONFIG_AUTO;
	struct table t = { .log = log };

	t.n = ibv_query_gid_table(p->context, t.entry, GIDS, 0);
	for (ssize_t i = 0; log && i < t.n; i++)
		if (t.entry[i].port_num == p->number)
			show_gid(log, p, &t.entry[i]);
	if (!automatic)
		keep_gids(p, &t, (long)env->config->ib_gid_index);
	else if (p->ethernet)
		keep_gids(p, &t, -1);
	else
		keep_first(p, &t);
	if (automatic && p->ethernet)
		t.pd = ibv_alloc_pd(p->context);
	add_best(&t, p);
	if (t.pd)
		ibv_dealloc_pd(t.pd);
	if (p->gids.n)
		return NULL;
	return automatic && t.n > 0 ?
		"no path begins at any of its GIDs: are they of another "
		"network namespace?" :
	       automatic ? "it has no GID" :
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

/* How well it serves: -1 not at all; full members reach all others. */
static int rate_pkey(uint16_t key, uint64_t wanted)
{
	uint16_t number = key & WF_VERBS_PARTITION;

	if (!number || (wanted != WF_CONFIG_AUTO &&
			number != (wanted & WF_VERBS_PARTITION)))
		return -1;
	return 2 * !!(key & WF_VERBS_FULL_MEMBER) +
	       (number == WF_VERBS_PARTITION);
}

/* The place of the one that serves best; -1: none does; -2: none is read. */
static int find_pkey(const struct wf_verbs_port *p, uint64_t wanted,
		     uint16_t *key_p)
{
	int best = -1, place = -2;

	for (int i = 0; i < p->port.pkey_tbl_len && best < 3; i++) {
		__be16 found;
		int rate;

		if (ibv_query_pkey(p->context, p->number, i, &found))
			continue;
		if (place < 0)
			place = -1;
		rate = rate_pkey(be16toh(found), wanted);
		if (rate < best || rate < 0 ||
		    (rate == best && be16toh(found) >= *key_p))
			continue;
		best = rate;
		*key_p = be16toh(found);
		place = i;
	}
	return place;
}

/*
 * The default partition, if the port is a full member of it, or the lowest one
 * of which it is: another host may have them in another order.  One that it
 * has it keeps.  Where the table cannot be read its first one is the default.
 */
static const char *choose_pkey(const struct wf_tp_env *env,
			       struct wf_verbs_port *p)
{
	uint64_t wanted = p->pkey ? p->pkey : env->config->ib_pkey;
	uint16_t key = 0;
	int place = find_pkey(p, wanted, &key);

	if (place >= 0) {
		p->pkey = key;
		p->pkey_index = (uint16_t)place;
		return NULL;
	}
	if (place == -1)
		return wanted == WF_CONFIG_AUTO ?
			"it is in no partition" :
			"it does not have the partition of WEFT_IB_PKEY";
	if (!p->pkey && wanted != WF_CONFIG_AUTO)
		return "its partitions cannot be read";
	if (!p->pkey)
		p->pkey = WF_VERBS_PARTITION | WF_VERBS_FULL_MEMBER;
	return NULL;
}

void wf_verbs_take_partition(struct wf_verbs_port *p, uint16_t number)
{
	uint16_t key = 0;
	int place = find_pkey(p, number, &key);

	if (place < 0)
		return;
	p->pkey = key;
	p->pkey_index = (uint16_t)place;
}

/* The key with the next higher number that serves; 0: there is none. */
static uint16_t next_pkey(const uint16_t *key, int n, uint16_t last,
			  uint64_t wanted)
{
	uint16_t next = 0;

	for (int i = 0; i < n; i++) {
		uint16_t number = key[i] & WF_VERBS_PARTITION;

		if (rate_pkey(key[i], wanted) < 0 || number <= last)
			continue;
		/* a full membership has the higher key */
		if (!next || number < (next & WF_VERBS_PARTITION) ||
		    (number == (next & WF_VERBS_PARTITION) && key[i] > next))
			next = key[i];
	}
	return next;
}

static int read_pkeys(const struct wf_verbs_port *p, uint16_t *key)
{
	int n = 0;

	for (int i = 0; i < p->port.pkey_tbl_len && n < PKEYS; i++) {
		__be16 found;

		if (!ibv_query_pkey(p->context, p->number, i, &found))
			key[n++] = be16toh(found);
	}
	return n;
}

/* The best one, then by number: there may be more than a node tells of. */
static void add_partitions(const struct wf_tp_env *env,
			   const struct wf_verbs_port *p,
			   struct wf_verbs_network *network,
			   struct wf_verbs_networks *list)
{
	uint16_t key[PKEYS], next = p->pkey, last = 0;
	int n = read_pkeys(p, key);

	while (next) {
		network->partition = next & WF_VERBS_PARTITION;
		network->limited = !(next & WF_VERBS_FULL_MEMBER);
		wf_verbs_networks_add(list, network);
		next = next_pkey(key, n, last, env->config->ib_pkey);
		last = next & WF_VERBS_PARTITION;
	}
}

static void add_kinds(const struct wf_verbs_port *p,
		      struct wf_verbs_network *network,
		      struct wf_verbs_networks *list)
{
	for (int i = 0; i < p->gids.n; i++) {
		enum wf_gid_kind kind = wf_gid_kind(p->gids.gid[i]);

		/* these two may reach each other */
		network->kind = kind == WF_GID_UNIQUE_LOCAL ? WF_GID_GLOBAL :
				(uint8_t)kind;
		wf_verbs_networks_add(list, network);
	}
}

void wf_verbs_port_networks(const struct wf_tp_env *env,
			    const struct wf_verbs_port *p,
			    struct wf_verbs_networks *list)
{
	struct wf_verbs_network network = {
		.partition = p->pkey & WF_VERBS_PARTITION,
		.limited = !(p->pkey & WF_VERBS_FULL_MEMBER),
		.flags = (uint8_t)((p->ethernet ? WF_NETWORK_ETHERNET : 0) |
				   (p->roce_v1 ? WF_NETWORK_ROCE_V1 : 0) |
				   (wf_verbs_port_is_omni_path(p) ?
				    WF_NETWORK_OMNI_PATH : 0) |
				   (wf_verbs_port_has_atomics(p) ?
				    WF_NETWORK_ATOMICS : 0)),
		.speed = (uint32_t)(1000 * wf_verbs_speed(p))
	};

	list->n = 0;
	if (p->ethernet) {
		add_kinds(p, &network, list);
		return;
	}
	memcpy(network.subnet, p->gids.gid[0], sizeof(network.subnet));
	add_partitions(env, p, &network, list);
}

/* The reason against a device whose queues hold too little, or NULL. */
static const char *lacks(const struct ibv_device_attr *d)
{
	if (d->max_qp_rd_atom < 1 || d->max_qp_init_rd_atom < 1)
		return "the device reads no remote memory";
	if (d->max_qp_wr < WF_VERBS_SQ_LEAST + WF_VERBS_LETTERS)
		return "a queue pair of the device holds too few work requests";
	if (d->max_sge < 2)
		return "a work request of the device has one piece only";
	if (d->max_cqe < WF_VERBS_RQ_LEAST ||
	    (d->max_qp_wr < WF_VERBS_RQ_LEAST &&
	     (d->max_srq < 1 || d->max_srq_wr < WF_VERBS_RQ_LEAST)))
		return "the device holds too few receive buffers";
	return NULL;
}

const char *wf_verbs_judge_port(const struct wf_tp_env *env,
				const struct wf_log *log,
				struct wf_verbs_port *p)
{
	const char *why;

	if (p->context->device->transport_type == IBV_TRANSPORT_IWARP)
		return "an iWARP device has no datagrams for first contact";
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

/* By codes of lanes and of their speed. */
double wf_verbs_speed(const struct wf_verbs_port *p)
{
	static const double lane[] = { 2.5, 5, 10, 10, 14, 25, 50, 100 };
	static const int lanes[] = { 1, 4, 8, 12, 2 };
	double speed = 0;
	int width = 1;

	for (int i = 0; i < 8; i++)
		if (p->port.active_speed >> i & 1)
			speed = lane[i];
	for (int i = 0; i < 5; i++)
		if (p->port.active_width >> i & 1)
			width = lanes[i];
	return speed * width;
}

/*
 * Of InfiniBand they are in one subnet if its number is the same.  A RoCE port
 * has a subnet of its own as a rule, and whether routers join these nobody can
 * tell; of IPv6 the subnet is told by the GID.
 */
bool wf_verbs_are_joined(const struct wf_verbs_port *a,
			 const struct wf_verbs_port *b)
{
	enum wf_gid_kind kind = wf_gid_kind(a->gids.gid[0]);

	return a->ethernet == b->ethernet && a->roce_v1 == b->roce_v1 &&
	       wf_verbs_port_is_omni_path(a) == wf_verbs_port_is_omni_path(b) &&
	       wf_verbs_port_has_atomics(a) == wf_verbs_port_has_atomics(b) &&
	       a->pkey == b->pkey &&
	       (!a->ethernet || kind == WF_GID_GLOBAL ||
		kind == WF_GID_UNIQUE_LOCAL) &&
	       !memcmp(a->gids.gid[0], b->gids.gid[0], WF_VERBS_SUBNET_BYTES);
}
