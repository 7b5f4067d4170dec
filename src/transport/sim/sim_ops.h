/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ops of the simulated backend, and what its files share to do them.
 *
 * sim_device.c puts them into the tables; sim_land.c and sim_progress.c call
 * those that follow the arrival of a flight.
 */
#ifndef WEFT_TRANSPORT_SIM_OPS_H
#define WEFT_TRANSPORT_SIM_OPS_H

#include "transport/sim/sim_fetch.h"
#include "transport/sim/sim_world.h"

enum {
	SIM_SHORT = 128		/* bytes of most payloads of mails */
};

extern const struct wf_ep_ops wf_sim_ep_ops;
int wf_sim_mail(struct wf_ep *ep, const struct wf_mail *mail,
		const void *payload);
void wf_sim_mail_consumed(struct sim_ep *ep, const struct sim_op *op);

/* It was delivered, or is not wanted: op and payload go to their pools. */
void wf_sim_forget_mail(struct wf_sim *world, struct sim_op *op);
int wf_sim_connect(struct wf_device *dev, const struct wf_tp_peer *peer,
		   struct wf_ep **ep_p);
void wf_sim_disconnect(struct wf_ep *ep);
int wf_sim_fence(struct wf_ep *ep);
void wf_sim_contact(struct sim_device *dev, struct sim_link *link);
void wf_sim_refuse(struct wf_sim *world, struct sim_link *link);

/* Mails come before the news of a death, or not at all. */
void wf_sim_cut_mails(struct wf_sim *world, int from, int to);
int wf_sim_progress(struct wf_device *dev);
int wf_sim_key(struct wf_region *region, uint64_t offset,
	       struct wf_rloc *rloc_p);

/* Is an op allowed now? Common head of the hot ops. */
void wf_sim_admit(struct sim_ep *ep);

/*
 * Does the op, for which there is room, get WEFT_AGAIN by chance? Where there
 * is none, the event that makes room is awaited instead.
 */
bool wf_sim_again(struct sim_ep *ep);

/* Does the op fail, by chance? */
bool wf_sim_fault(struct sim_ep *ep, unsigned int one_in);

/* The same for lines, puts and fetches: is there room for a post? */
int wf_sim_admit_post(struct sim_ep *ep);

/* A flight of this link that is not ordered with the others: when it lands. */
uint64_t wf_sim_put_flight(struct sim_link *link, uint64_t bytes);
void wf_sim_send(struct sim_op *op, uint32_t kind, uint64_t time);

/* What is done goes into the endpoint. */
void wf_sim_tell(struct sim_ep *ep);

/* A post whose bytes were copied: reusable at once. Returns its number. */
uint64_t wf_sim_post_copied(struct sim_ep *ep);

/* A post of link has reached these bits; the sender may look again. */
void wf_sim_complete(struct sim_link *link, uint64_t post, uint8_t bits);

/* The error of n bytes at a remote operand of a rank; NULL: they are fine. */
const char *wf_sim_key_error(const struct wf_sim_rank *owner,
			     struct wf_rloc rloc, size_t n);

#endif
