/* SPDX-License-Identifier: BSD-3-Clause */
/* What mails of matched messages are like: docs/wire.md. */
#ifndef WEFT_P2P_P2P_WIRE_H
#define WEFT_P2P_P2P_WIRE_H

#include <stdint.h>
#include "transport/objects.h"

enum {
	WF_P2P_SHORT_MAX = 8192,	/* bytes of a short message */
	WF_P2P_CONTENT = 65536,		/* bytes that nobody has taken, */
	WF_P2P_MESSAGES = 1024		/* and messages, of one peer */
};

enum wf_p2p_what {
	WF_P2P_SHORT,			/* with the first piece */
	WF_P2P_LONG,
	WF_P2P_GO,			/* a long one is awaited */
	WF_P2P_TAKEN,			/* a short one has a receive */
	WF_P2P_BUDGET,
	WF_P2P_WANT,			/* there is none left */
	WF_P2P_SEVERAL,			/* whole ones, each behind its item */
	WF_P2P_LONG_GAPS		/* a long one, put by stores alone */
};

/* In front of each mail of kind WF_MAIL_P2P. */
struct wf_p2p_note {
	uint32_t what;
	int32_t tag;			/* GO: a status; BUDGET: 1, one was lost
					 * for lack of memory */
	uint64_t bytes;			/* of the message; GO: that are wanted;
					 * BUDGET: of content, ever */
	uint64_t serial;		/* of who awaits an answer; BUDGET:
					 * messages, ever */
};

struct wf_p2p_item {
	int32_t tag;
	uint32_t bytes;			/* of content, which follows */
};

static inline uint64_t wf_p2p_min(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/*
 * The head of a mail, and the note in front of it, by stores of its fields: a
 * copy would load what was just stored in other pieces, and wait until all that
 * was stored before has left the core.  Returns its bytes.
 */
static inline uint16_t wf_p2p_write(struct wf_mail *head, uint64_t context,
				    void *payload,
				    const struct wf_p2p_note *note)
{
	struct wf_p2p_note *to = payload;

	head->kind = WF_MAIL_P2P;
	head->context = context;
	to->what = note->what;
	to->tag = note->tag;
	to->bytes = note->bytes;
	to->serial = note->serial;
	return sizeof(*note);
}

#endif
