/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside of the verbs backend: the datagram queue pair, and first contact. */
#ifndef WEFT_TRANSPORT_VERBS_HELLO_H
#define WEFT_TRANSPORT_VERBS_HELLO_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stdint.h>
#include "base/list.h"
#include "transport/transport.h"
#include "transport/verbs/verbs_wire.h"

struct wf_random;
struct wf_verbs;
struct wf_verbs_ep;
struct wf_verbs_port;

struct wf_verbs_handle {
	struct ibv_ah *ah;
	uint32_t sent;			/* datagrams, up to the last by it */
	struct wf_list leaving;		/* in the device's, or in none */
};

int wf_verbs_ud_open(struct wf_verbs *dev);
void wf_verbs_ud_close(struct wf_verbs *dev);
void wf_verbs_make_hello(struct wf_verbs *dev, struct wf_verbs_ep *ep,
			 struct wf_verbs_hello *hello);
bool wf_verbs_send_hello(struct wf_verbs *dev, struct wf_verbs_handle *by,
			 const struct wf_verbs_hello *hello);
void wf_verbs_call(struct wf_verbs *dev, struct wf_verbs_ep *ep);
void wf_verbs_part(struct wf_verbs *dev, struct wf_verbs_ep *ep,
		   enum wf_verbs_hello_flag flag);
void wf_verbs_turn_down(struct wf_verbs *dev, const struct wf_tp_peer *peer,
			const struct wf_verbs_address *address);
int wf_verbs_hellos(struct wf_verbs *dev);

/*
 * Until the next call if nobody answers, in nanoseconds; *pause, 0 before the
 * first call, is about that.
 */
uint64_t wf_verbs_pause(struct wf_random *random, uint64_t *pause);

/* Nanoseconds; what this rank computes while it calls hardly counts. */
uint64_t wf_verbs_time_of_calls(struct wf_verbs *dev);

/* verbs_handle.c: NULL and errno: the device makes none. */
struct wf_verbs_handle *wf_verbs_make_handle(struct wf_verbs *dev,
					     const struct wf_verbs_address *a);
int wf_verbs_ep_handle(struct wf_verbs_ep *ep);
void wf_verbs_let_handle_go(struct wf_verbs *dev, struct wf_verbs_handle **h_p);
void wf_verbs_destroy_handles(struct wf_verbs *dev, bool all);
bool wf_verbs_is_lack(int error);	/* of handles */
bool wf_verbs_has_few_handles(const struct wf_verbs *dev);
void wf_verbs_path(struct wf_verbs *dev,
		   const struct wf_verbs_address *a, struct ibv_ah_attr *attr);

/* verbs_refuse.c: flag: _REFUSED, for good, or _CLOSED */
void wf_verbs_refuse(struct wf_verbs *dev, uint64_t rank, const uint64_t key[2],
		     const struct wf_verbs_address *address,
		     enum wf_verbs_hello_flag flag);
void wf_verbs_keep_handle(struct wf_verbs *dev, uint64_t rank,
			  struct wf_verbs_handle **h_p);
bool wf_verbs_let_refusals_go(struct wf_verbs *dev);
void wf_verbs_is_turned_down(struct wf_verbs *dev, uint64_t rank);
bool wf_verbs_is_refused(const struct wf_verbs *dev, uint64_t rank);
void wf_verbs_say_refusals(struct wf_verbs *dev);
void wf_verbs_forget_refusals(struct wf_verbs *dev);

#endif
