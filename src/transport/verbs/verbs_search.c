/* SPDX-License-Identifier: BSD-3-Clause */
/* What there is: see verbs_search.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "base/config.h"
#include "base/log.h"
#include "base/text.h"
#include "transport/verbs/verbs.h"
#include "transport/verbs/verbs_search.h"

#define DIRECTORY "/dev/infiniband"

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

void wf_verbs_reject(struct wf_verbs_search *s, const char *device, int port,
		     const char *reason)
{
	if (s->log)
		wf_info(s->log, "verbs: device %s port %d: rejected because "
			"%s", device, port, reason);
	if (s->why)
		snprintf(s->why, s->why_bytes, "device %s port %d: %s", device,
			 port, reason);
}

/* The errno of ibv_open_device() is not that of its open(). */
static bool is_denied(const char *node)
{
	char path[sizeof(DIRECTORY) + IBV_SYSFS_NAME_MAX + 1];

	snprintf(path, sizeof(path), DIRECTORY "/%s", node);
	return access(path, R_OK | W_OK) && (errno == EACCES || errno == EPERM);
}

static void look_at_port(struct wf_verbs_search *s, struct wf_verbs_port *p)
{
	struct ibv_device *device = p->context->device;
	const char *name = ibv_get_device_name(device), *reason;

	if (!is_wanted(s->env->config, name, p->number))
		reason = "WEFT_IB_DEVICES leaves it out";
	else if (s->n == WF_VERBS_PORTS)
		reason = "there are too many before it";
	else
		reason = wf_verbs_judge_port(s->env, s->log, p);
	if (reason) {
		wf_verbs_reject(s, name, p->number, reason);
		return;
	}
	s->list[s->n] = (struct wf_verbs_candidate){
		.port = *p, .distance = wf_verbs_distance(device)
	};
	wf_verbs_port_networks(s->env, p, &s->list[s->n++].networks);
}

static void look_at_ports(struct wf_verbs_search *s,
			  struct ibv_context *context)
{
	struct wf_verbs_port of_device = { .context = context };
	const char *name = ibv_get_device_name(context->device);
	int before = s->n;

	if (ibv_query_device(context, &of_device.device))
		wf_verbs_reject(s, name, 1, "the device cannot be asked what "
				"it can");
	for (int i = 1; i <= of_device.device.phys_port_cnt; i++) {
		struct wf_verbs_port p = of_device;

		p.number = (uint8_t)i;
		look_at_port(s, &p);
	}
	if (s->n == before)
		ibv_close_device(context);
}

static void look_at_device(struct wf_verbs_search *s,
			   struct ibv_device *device)
{
	const char *name = ibv_get_device_name(device);
	struct ibv_context *context = ibv_open_device(device);
	bool denied;

	if (context) {
		look_at_ports(s, context);
	} else if (!is_wanted(s->env->config, name, 1)) {
		wf_verbs_reject(s, name, 1, "WEFT_IB_DEVICES leaves it out");
	} else {
		denied = is_denied(device->dev_name);
		s->denied |= denied;
		wf_verbs_reject(s, name, 1, denied ?
				"this user may not open it in " DIRECTORY :
				"the device cannot be opened");
	}
}

/* Ports of one device have one context, and lie side by side. */
static struct ibv_context *next_context(const struct wf_verbs_search *s,
					int *i_p)
{
	struct ibv_context *context = NULL;

	while (*i_p < s->n) {
		int i = (*i_p)++;

		context = s->list[i].port.context;
		if (!i || context != s->list[i - 1].port.context)
			return context;
	}
	return NULL;
}

static void close_in_child(struct wf_forked *forked)
{
	struct wf_verbs_search *s =
		wf_container(forked, struct wf_verbs_search, forked);
	struct ibv_context *context;
	int i = 0;

	while ((context = next_context(s, &i)))
		wf_verbs_close_in_child(context);
}

int wf_verbs_look(const struct wf_tp_env *env, const struct wf_log *log,
		  struct wf_verbs_search **search_p, char *why,
		  size_t why_bytes)
{
	struct wf_verbs_search *s = calloc(1, sizeof(*s));
	struct ibv_device **list;
	int status;

	if (!s)
		return WEFT_ERR_NOMEM;
	s->env = env;
	s->log = log;
	s->why = why;
	s->why_bytes = why_bytes;
	snprintf(why, why_bytes, "this machine has no RDMA device");
	wf_forked_init(&s->forked, close_in_child);
	wf_forked_hold();
	list = ibv_get_device_list(NULL);
	for (struct ibv_device **at = list; at && *at; at++)
		look_at_device(s, *at);
	if (list)
		ibv_free_device_list(list);
	wf_forked_guard(&s->forked);
	s->why = NULL;
	status = s->n ? WEFT_OK :
		 s->denied ? WEFT_ERR_DEVICE : WEFT_ERR_UNSUPPORTED;
	if (status)
		wf_verbs_search_end(s, NULL);
	else
		*search_p = s;
	wf_forked_let_go();
	return status;
}

void wf_verbs_search_networks(const struct wf_verbs_search *s,
			      struct wf_verbs_networks *list)
{
	list->n = 0;
	for (int k = 0; k < WF_VERBS_NETWORKS; k++)
		for (int i = 0; i < s->n; i++)
			if (k < s->list[i].networks.n)
				wf_verbs_networks_add(
					list, &s->list[i].networks.at[k]);
}

void wf_verbs_search_end(struct wf_verbs_search *s,
			 const struct ibv_context *mine)
{
	struct ibv_context *context;
	int i = 0;

	wf_forked_unguard(&s->forked);
	while ((context = next_context(s, &i)))
		if (context != mine)
			ibv_close_device(context);
	free(s);
}
