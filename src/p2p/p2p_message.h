/* SPDX-License-Identifier: BSD-3-Clause */
/* What becomes of messages that come.  A part of p2p.h, which includes it. */
#ifndef WEFT_P2P_P2P_MESSAGE_H
#define WEFT_P2P_P2P_MESSAGE_H

void wf_p2p_deliver(struct weft_job *job, const struct wf_letter *letter);

/* Those of a context that is there now, and of those that will not come. */
void wf_p2p_adopt(struct wf_p2p *p2p);
void wf_p2p_sweep(struct weft_job *job);

/* No receive begins in it any more: those that wait for one go. */
void wf_p2p_clear(struct wf_p2p *p2p);

/* It has its receive, with what of the content has come. */
void wf_p2p_join(struct wf_p2p_message *msg, struct wf_p2p_request *req,
		 const void *content);

/* The receiver of a long one is ready, or fails. */
void wf_p2p_answer(struct wf_p2p_message *msg, enum wf_p2p_what what,
		   uint64_t bytes, int status);

/* Nobody takes it; and nobody takes it any more, who did before. */
void wf_p2p_forget(struct wf_p2p_message *msg);
void wf_p2p_abandon(struct wf_p2p_message *msg);

#endif
