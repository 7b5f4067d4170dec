/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which requests of a job are active; while there are any the job polls the
 * office, which rests when a poll finds none.  Of messages that follow each
 * other most find it awake, and renew it, so that it is as old as its oldest
 * request, or younger.  Compiled into its callers, as each message begins and
 * ends one.
 */
#ifndef WEFT_P2P_P2P_OFFICE_H
#define WEFT_P2P_P2P_OFFICE_H

#include "base/assert.h"
#include "p2p/p2p.h"

/* Its poller is needed. */
void wf_office_wake(struct wf_office *office);

/* A request is active. */
static inline void wf_office_begin(struct wf_p2p_request *req)
{
	struct wf_office *office = req->p2p->office;

	if (!office->awake)
		wf_office_wake(office);
	else if (!office->active)
		wf_poller_renew(&office->listener.poller);
	office->active++;
	req->born = office->job->live_looks;
	req->active = true;
}

/* It is over. */
static inline void wf_office_end(struct wf_p2p_request *req)
{
	struct wf_office *office = req->p2p->office;

	WF_ASSERT(req->active);
	req->active = false;
	office->active--;
	if (req->given_up) {
		req->next = office->spent;
		office->spent = req;
	}
}

/* Frees those that are over and were given up; false: there were none. */
bool wf_office_free_spent(struct wf_office *office);

#endif
