/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which device, and which port of it.  All are looked at, and of those that can
 * be used one is taken; the log says at info level why not the others.
 *
 * The fastest comes first, of equally fast ones InfiniBand, then what has
 * atomic ops, then the first one that there is: all hosts of a kind choose
 * alike, and nobody mixes networks.
 * Of those that surely reach all that this one does (wf_verbs_are_joined()) a
 * process takes the nearest, and the ranks of a node take turns with those that
 * are equally near.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/config.h"
#include "base/log.h"
#include "base/text.h"
#include "boot/boot.h"
#include "transport/verbs/verbs.h"
#include "transport/verbs/verbs_class.h"
#include "transport/verbs/verbs_near.h"

#define DIRECTORY "/dev/infiniband"

enum {
	PORTS = 64			/* that can be used, of a machine */
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

struct candidate {
	struct wf_verbs_port port;
	enum wf_verbs_distance distance;
	const char *why;		/* it is not taken; or NULL */
};

/* What has been looked at so far. */
struct search {
	const struct wf_tp_env *env;
	const struct wf_log *log;
	struct candidate list[PORTS];
	int n;
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

/* ---- what there is ---- */

/* The errno of ibv_open_device() is not that of its open(). */
static bool is_denied(const char *node)
{
	char path[sizeof(DIRECTORY) + IBV_SYSFS_NAME_MAX + 1];

	snprintf(path, sizeof(path), DIRECTORY "/%s", node);
	return access(path, R_OK | W_OK) && (errno == EACCES || errno == EPERM);
}

static void look_at_port(struct search *s, struct wf_verbs_port *p)
{
	struct ibv_device *device = p->context->device;
	const char *name = ibv_get_device_name(device), *reason;

	if (!is_wanted(s->env->config, name, p->number))
		reason = "WEFT_IB_DEVICES leaves it out";
	else if (s->n == PORTS)
		reason = "there are too many before it";
	else
		reason = wf_verbs_judge_port(s->env, s->log, p);
	if (reason)
		reject(s, name, p->number, reason);
	else
		s->list[s->n++] = (struct candidate){
			.port = *p, .distance = wf_verbs_distance(device)
		};
}

static void look_at_ports(struct search *s, struct ibv_context *context)
{
	struct wf_verbs_port of_device = { .context = context };
	const char *name = ibv_get_device_name(context->device);
	int before = s->n;

	if (ibv_query_device(context, &of_device.device))
		reject(s, name, 1, "the device cannot be asked what it can");
	for (int i = 1; i <= of_device.device.phys_port_cnt; i++) {
		struct wf_verbs_port p = of_device;

		p.number = (uint8_t)i;
		look_at_port(s, &p);
	}
	if (s->n == before)
		ibv_close_device(context);
}

static void look_at_device(struct search *s, struct ibv_device *device)
{
	const char *name = ibv_get_device_name(device);
	struct ibv_context *context = ibv_open_device(device);
	bool denied;

	if (context) {
		look_at_ports(s, context);
	} else if (!is_wanted(s->env->config, name, 1)) {
		reject(s, name, 1, "WEFT_IB_DEVICES leaves it out");
	} else {
		denied = is_denied(device->dev_name);
		s->denied |= denied;
		reject(s, name, 1, denied ?
		       "this user may not open it in " DIRECTORY :
		       "the device cannot be opened");
	}
}

/* ---- which of them ---- */

/* Why a comes behind b, whatever process asks; NULL: it does not. */
static const char *behind(const struct wf_verbs_port *a,
			  const struct wf_verbs_port *b)
{
	double speed = wf_verbs_speed(a), other = wf_verbs_speed(b);

	if (speed != other)
		return speed < other ? "another one is faster" : NULL;
	if (a->ethernet != b->ethernet)
		return a->ethernet ? "another one is as fast, and InfiniBand" :
				     NULL;
	return !wf_verbs_port_has_atomics(a) && wf_verbs_port_has_atomics(b) ?
		"another one is as fast, and has atomic operations" : NULL;
}

/* The first of the best ones, and why others are not as good. */
static void rank_all(struct search *s)
{
	const struct wf_verbs_port *best = &s->list[0].port;

	for (int i = 1; i < s->n; i++)
		if (behind(best, &s->list[i].port))
			best = &s->list[i].port;
	for (int i = 0; i < s->n; i++) {
		struct candidate *c = &s->list[i];

		c->why = behind(&c->port, best);
		if (!c->why && &c->port != best &&
		    !wf_verbs_are_joined(&c->port, best))
			c->why = "it may not reach those of other hosts that "
				 "the first one does";
	}
}

static int count(const struct search *s)
{
	int n = 0;

	for (int i = 0; i < s->n; i++)
		n += !s->list[i].why;
	return n;
}

/* Of those that are left only the nearest. */
static void keep_nearest(struct search *s)
{
	enum wf_verbs_distance nearest = WF_VERBS_FAR;

	for (int i = 0; i < s->n; i++)
		if (!s->list[i].why && s->list[i].distance < nearest)
			nearest = s->list[i].distance;
	for (int i = 0; i < s->n; i++) {
		struct candidate *c = &s->list[i];

		if (!c->why && c->distance > nearest)
			c->why = "another one is nearer to the CPUs of this "
				 "process";
	}
}

/*
 * Which of n ports, where there are so many groups of n.  All turns come,
 * whether the ranks of a group are neighbours in number or each group has every
 * so many: steps of that size come back to the same turn after the least common
 * multiple of both.
 */
static int turn_of(int rank, int n, int groups)
{
	int multiple = n;

	if (groups == 1)
		return rank % n;
	while (multiple % groups)
		multiple += n;
	return (rank + rank / multiple) % n;
}

static struct candidate *take_turn(struct search *s, int turn)
{
	struct candidate *mine = NULL;

	for (int i = 0; i < s->n; i++) {
		struct candidate *c = &s->list[i];

		if (c->why)
			continue;
		if (turn-- == 0)
			mine = c;
		else
			c->why = "it is for other ranks of the node";
	}
	return mine;
}

/* Ports of one device have one context. */
static void close_others(const struct search *s, const struct candidate *mine)
{
	struct ibv_context *last = NULL;

	for (int i = 0; i < s->n; i++) {
		struct ibv_context *context = s->list[i].port.context;

		if (context != last && context != mine->port.context)
			ibv_close_device(context);
		last = context;
	}
}

static void choose(struct search *s, struct wf_verbs_port *port_p)
{
	int rank = wf_boot_node_rank(s->env->boot), joined, near;
	struct candidate *mine;

	rank_all(s);
	joined = count(s);
	keep_nearest(s);
	near = count(s);
	mine = take_turn(s, turn_of(rank, near, joined / near));
	for (int i = 0; i < s->n; i++) {
		const struct wf_verbs_port *p = &s->list[i].port;

		if (s->list[i].why)
			reject(s, ibv_get_device_name(p->context->device),
			       p->number, s->list[i].why);
	}
	close_others(s, mine);
	*port_p = mine->port;
}

static void show(const struct wf_log *log, const struct wf_verbs_port *p)
{
	char gid[64];

	wf_verbs_gid_name(p->gids.gid[0], gid, sizeof(gid));
	wf_info(log, "verbs: device %s port %d: used, %s, GID %d %s%s, LID %u, "
		"MTU %u, P_Key 0x%04x, traffic class %u",
		ibv_get_device_name(p->context->device), p->number,
		p->ethernet ? "RoCE" : "InfiniBand", p->gid_index[0], gid,
		p->gids.n > 1 ? " or one that suits the peer" : "",
		(unsigned)p->port.lid, 128u << p->port.active_mtu,
		(unsigned)p->pkey, (unsigned)p->traffic_class);
}

int wf_verbs_choose(const struct wf_tp_env *env, const struct wf_log *log,
		    struct wf_verbs_port *port_p, char *why, size_t why_bytes)
{
	struct search s = { .env = env, .log = log, .why = why,
			    .why_bytes = why_bytes };
	struct ibv_device **list = ibv_get_device_list(NULL);

	snprintf(why, why_bytes, "this machine has no RDMA device");
	for (struct ibv_device **at = list; at && *at; at++)
		look_at_device(&s, *at);
	if (list)
		ibv_free_device_list(list);
	if (!s.n)
		return s.denied ? WEFT_ERR_DEVICE : WEFT_ERR_UNSUPPORTED;
	choose(&s, port_p);
	port_p->traffic_class = wf_verbs_class(env->config,
					       port_p->context->device,
					       port_p->number,
					       port_p->ethernet &&
					       !port_p->roce_v1);
	if (log)
		show(log, port_p);
	return WEFT_OK;
}
