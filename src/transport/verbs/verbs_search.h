/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ports of this machine that can be used, each with its device open, until
 * one of them is chosen.  The log says at info level why not the others.
 */
#ifndef WEFT_TRANSPORT_VERBS_SEARCH_H
#define WEFT_TRANSPORT_VERBS_SEARCH_H

#include "base/forked.h"
#include "transport/verbs/verbs_near.h"
#include "transport/verbs/verbs_network.h"
#include "transport/verbs/verbs_port.h"

enum {
	WF_VERBS_PORTS = 64		/* that can be used, of a machine */
};

struct wf_verbs_candidate {
	struct wf_verbs_port port;
	struct wf_verbs_networks networks;	/* that the port is in */
	enum wf_verbs_distance distance;
	bool elsewhere;			/* not in the network of the job */
	const char *why;		/* it is not taken; or NULL */
};

struct wf_verbs_search {
	const struct wf_tp_env *env;
	const struct wf_log *log;	/* NULL: nothing is said */
	struct wf_forked forked;
	struct wf_verbs_candidate list[WF_VERBS_PORTS];
	int n;
	char *why;			/* of the last that was rejected */
	size_t why_bytes;
	bool denied;			/* to this user */
};

/*
 * WEFT_ERR_UNSUPPORTED: no usable port, and the reason in why; WEFT_ERR_DEVICE:
 * there is one, but this user may not open it; WEFT_ERR_NOMEM.
 */
int wf_verbs_look(const struct wf_tp_env *env, const struct wf_log *log,
		  struct wf_verbs_search **search_p, char *why,
		  size_t why_bytes);

void wf_verbs_reject(struct wf_verbs_search *s, const char *device, int port,
		     const char *reason);

/*
 * Closes all devices except mine (NULL: all of them) and frees the search.  The
 * lock of forks is held.
 */
void wf_verbs_search_end(struct wf_verbs_search *s,
			 const struct ibv_context *mine);

/* verbs_choose.c: by what other nodes have offered. */
void wf_verbs_choose(struct wf_verbs_search *s, struct wf_verbs_port *port_p);

/* The networks of all of them, the best one of each port first. */
void wf_verbs_search_networks(const struct wf_verbs_search *s,
			      struct wf_verbs_networks *list);

#endif
