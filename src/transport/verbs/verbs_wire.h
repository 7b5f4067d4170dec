/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What two processes exchange over verbs besides writes into segments: the
 * address in the boot blob, the datagram of first contact, the front of each
 * mail, and the door, a word of the segment that peers read.
 *
 * A signal travels as the immediate data of the write that raises it, or its
 * word is swapped (verbs_raise.c).
 *
 * Mails and immediates are numbered together by their sender, because Soft-RoCE
 * delivers some of them twice where packets get lost, and because the count of
 * those that came tells what to send again when a path is lost (verbs_mend.c).
 */
#ifndef WEFT_TRANSPORT_VERBS_WIRE_H
#define WEFT_TRANSPORT_VERBS_WIRE_H

#include <stdbool.h>
#include <stdint.h>
#include "transport/signals.h"
#include "transport/transport.h"
#include "transport/verbs/verbs_gid.h"

enum {
	WF_VERBS_VERSION = 7,
	WF_VERBS_FULL_MEMBER = 0x8000,	/* of a partition; its number: */
	WF_VERBS_PARTITION = 0x7fff,
	WF_VERBS_GRH = 40,		/* bytes in front of each datagram */
	WF_VERBS_QKEY = 0x77656674	/* of all datagram queue pairs */
};

enum wf_verbs_address_flag {
	WF_VERBS_LINES_PLAIN = 1u << 0,	/* else LL: line_ll.h */
	WF_VERBS_ETHERNET = 1u << 1,	/* RoCE: reached by GID only */
	WF_VERBS_ROCE_V1 = 1u << 2,	/* of RoCE: else version 2 */
	WF_VERBS_ATOMICS = 1u << 3,	/* the device does atomic ops */
	WF_VERBS_OMNI_PATH = 1u << 4	/* else InfiniBand, or Ethernet */
};

/* The address of a device in the boot blob, and in each hello. */
struct wf_verbs_address {
	uint8_t version;
	uint8_t flags;			/* enum wf_verbs_address_flag */
	uint8_t mtu;			/* enum ibv_mtu */
	uint8_t reads;			/* and atomics answered at once */
	uint32_t qpn;			/* of the datagram queue pair */
	uint16_t lid;
	uint16_t pkey;			/* of the partition; its highest bit: a
					 * full member */
	uint8_t unused[3];
	struct wf_verbs_gids gids;
};

enum wf_verbs_hello_flag {
	WF_VERBS_SEEN = 1u << 0,	/* the addressee's hello was here */
	WF_VERBS_DONE = 1u << 1,	/* needs no answer */
	WF_VERBS_CLOSED = 1u << 2,	/* will not connect any more */
	WF_VERBS_REFUSED = 1u << 3,	/* cannot connect */
	WF_VERBS_ANSWER = 1u << 4	/* connects because it was called */
};

/* Of a queue pair, by ibv_query_ece(3); options 0: the driver has none. */
struct wf_verbs_ece {
	uint32_t vendor, options;
};

struct wf_verbs_hello {
	uint16_t version;
	uint16_t flags;			/* enum wf_verbs_hello_flag */
	uint32_t from;			/* rank */
	uint64_t key[2];		/* of the boot blob of the addressee */
	uint64_t own_key[2];		/* for the answer */
	struct wf_verbs_address address;	/* of the sender */
	uint32_t qpn, psn;		/* of the queue pair for this peer */
	struct wf_rloc zero;		/* the beginning of the segment */
	uint64_t door;			/* address of it */
	uint64_t directory;		/* address of that of signals */
	uint32_t credit[2];		/* signals: two mails; a reserved one */
	uint32_t life;			/* how often the path was lost */
	uint32_t received;		/* mails and immediates before it */
	struct wf_verbs_ece ece;
};

enum wf_verbs_letter_kind {
	WF_VERBS_MAIL,
	WF_VERBS_RESERVED_MAIL,		/* it took the reserved credit */
	WF_VERBS_CREDIT_MAIL,		/* empty, for what it says of credits */
	/* Between two lives, numbered by the life that begins: verbs_ask.c */
	WF_VERBS_ASKS,		/* struct wf_verbs_doubt ... */
	WF_VERBS_TELLS,			/* in mail.context: which have come */
	WF_VERBS_REPLAYED		/* all in doubt is there */
};

/* In front of each message. */
struct wf_verbs_letter {
	uint8_t kind;			/* enum wf_verbs_letter_kind */
	uint8_t wanted;			/* 1: bulks that are not in use */
	uint16_t returned;		/* bulks that are given back */
	uint32_t number;
	uint32_t stamp;			/* generation of its newest block */
	uint32_t bulk;			/* signal for a bulk; or none */
	struct wf_mail mail;		/* the payload follows */
};

/*
 * How peers reach what the segment grew by: the key of its newest
 * registration and the pages of 4 KiB that it covers, in one word.
 */
struct wf_verbs_door {
	_Alignas(64) uint64_t word;	/* key << 32 | pages */
};

enum {
	WF_VERBS_DOOR_PAGE = 4096
};

/*
 * Immediate data: the low bits of the number 4 | generation 12 | index 16.  A
 * signal whose index has no room in it is not raised by them.
 */
enum {
	WF_VERBS_INDEX_BITS = 16,
	WF_VERBS_NUMBER_SHIFT = 28,
	WF_VERBS_NUMBER = 0xf
};

static inline uint32_t wf_verbs_imm(uint32_t sig, uint32_t number)
{
	return number << WF_VERBS_NUMBER_SHIFT |
	       wf_signal_generation(sig) << WF_VERBS_INDEX_BITS |
	       wf_signal_index(sig);
}

/* Is the word of this signal swapped, not raised by immediate data? */
static inline bool wf_verbs_stores(uint32_t sig)
{
	return wf_signal_index(sig) >= WF_SIGNAL_REPORTED;
}

static inline uint32_t wf_verbs_imm_signal(uint32_t imm)
{
	uint32_t sig = imm & ((1u << WF_VERBS_NUMBER_SHIFT) - 1);
	uint32_t index = imm & ((1u << WF_VERBS_INDEX_BITS) - 1);

	return sig >> WF_VERBS_INDEX_BITS << WF_SIGNAL_INDEX_BITS | index;
}

/*
 * A message with these bits of its number counts; else it was here before.
 * They come in order and none is left out, so the few that an immediate has
 * tell, as long as the device repeats no older ones; a mail has them all.
 */
static inline bool wf_verbs_is_new(uint32_t *received, uint32_t number,
				   uint32_t bits)
{
	if ((number ^ *received) & bits)
		return false;
	(*received)++;
	return true;
}

_Static_assert(WF_SIGNAL_REPORTED == 1 << WF_VERBS_INDEX_BITS, "wire");
_Static_assert(sizeof(struct wf_verbs_address) == 64, "wire");
_Static_assert(sizeof(struct wf_verbs_hello) == 168, "wire");
_Static_assert(sizeof(struct wf_verbs_letter) == 32, "wire");

#endif
