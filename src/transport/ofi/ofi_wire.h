/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What two processes exchange over libfabric besides writes into segments:
 * the address in the boot blob, the message of first contact and the front of
 * each mail.  docs/wire.md draws it.
 *
 * A signal travels as the 32 bits of remote CQ data of the write that raises
 * it, credits for mails as signals of the sender of those mails.
 */
#ifndef WEFT_TRANSPORT_OFI_WIRE_H
#define WEFT_TRANSPORT_OFI_WIRE_H

#include <stdint.h>
#include "transport/transport.h"

enum {
	WF_OFI_VERSION = 3,
	WF_OFI_PROVIDER = 12,		/* bytes of its name */
	WF_OFI_NAME = 72,		/* bytes of a fabric address; or of */
	WF_OFI_NAMES = 4,		/* so many of IP at most, each */
	WF_OFI_NAME_IN = 2 + 4,		/* a port and an address of IPv4 */
	WF_OFI_NAME_IN6 = 2 + 16,	/* or of IPv6, in network order */
	WF_OFI_CREDITS = 4,		/* mails under way, and one reserved */
	WF_OFI_EP_GIVEN = 12,		/* more for a busy peer, */
	WF_OFI_GIVEN = 192,		/* and for all of them */
	WF_OFI_ASKS = 8			/* atomics under way */
};

enum wf_ofi_address_flag {
	WF_OFI_LINES_PLAIN = 1u << 0,	/* else LL: line_ll.h */
	WF_OFI_LAYERED = 1u << 1	/* ofi_rxm speaks above the provider */
};

/* The address of a device in the boot blob. */
struct wf_ofi_address {
	uint8_t version;
	uint8_t flags;			/* enum wf_ofi_address_flag */
	uint8_t bytes;			/* of each name */
	uint8_t names;
	char provider[WF_OFI_PROVIDER];	/* its own name, filled with zeros */
	uint8_t name[WF_OFI_NAME];	/* of others as fi_getname() gives it */
};

enum wf_ofi_kind {
	WF_OFI_HELLO = 1,		/* first contact, and its answer */
	WF_OFI_MAIL = 2,
	WF_OFI_ASK = 3,			/* for an atomic op */
	WF_OFI_ANSWER = 4		/* to it */
};

/* In front of each message. */
struct wf_ofi_front {
	uint16_t version;
	uint8_t kind;			/* enum wf_ofi_kind */
	uint8_t credit;			/* of a mail: 1 the reserved one */
	uint32_t from;			/* rank */
	uint64_t key[2];		/* of the boot blob of the addressee */
};

struct wf_ofi_hello {
	struct wf_ofi_front front;
	struct wf_rloc nowhere;		/* for writes of no bytes */
	uint32_t credit[2];		/* signals: two mails; a reserved one */
};

struct wf_ofi_letter {
	struct wf_ofi_front front;
	struct wf_mail mail;		/* the payload follows */
};

/* fetch_add: operand is added; cas: it replaces what is expected. */
struct wf_ofi_ask {
	struct wf_ofi_front front;
	struct wf_rloc dst;
	uint64_t operand;
	uint64_t expected;
	uint32_t number;		/* counts what the sender asks */
	uint32_t is_cas;
};

struct wf_ofi_answer {
	struct wf_ofi_front front;
	uint64_t old;
	uint32_t number;		/* of what was asked */
	uint32_t refused;		/* it is not a word of the segment */
};

_Static_assert(sizeof(struct wf_ofi_address) == 88, "wire");
_Static_assert(sizeof(struct wf_ofi_front) == 24, "wire");
_Static_assert(sizeof(struct wf_ofi_hello) == 48, "wire");
_Static_assert(sizeof(struct wf_ofi_letter) == 40, "wire");
_Static_assert(sizeof(struct wf_ofi_ask) == 64, "wire");
_Static_assert(sizeof(struct wf_ofi_answer) == 40, "wire");

#endif
