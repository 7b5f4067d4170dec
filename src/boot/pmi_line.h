/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The text of PMI-1: what a launcher answers, and how values and the map of
 * nodes are written there. Pure functions; boot_pmi.c does the talking.
 *
 * A reply is one line of fields "name=value" separated by single spaces, the
 * first of which is "cmd=...". The store holds short words only, so a value of
 * n bytes is written in hexadecimal, 8 digits of n and 8 of its CRC-32 before
 * it, and cut into pieces of WF_PMI_PIECE digits: some launchers truncate what
 * is longer than about a thousand characters, and say nothing.
 */
#ifndef WEFT_BOOT_PMI_LINE_H
#define WEFT_BOOT_PMI_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weft/status.h>

#define WF_PMI_LINE_MAX 2048 /* bytes of a line with its end */
#define WF_PMI_PIECE 450     /* digits of a piece */
#define WF_PMI_HEAD 16       /* digits before the bytes of a value */
#define WF_PMI_VALUE_MAX ((size_t)1 << 20)

/* Is this the reply `cmd`? */
bool wf_pmi_is(const char *line, const char *cmd);

/* Copies the value of a field; false: it is missing or does not fit. */
bool wf_pmi_field(const char *line, const char *name, char *value,
		  size_t size) WEFT_MUST_CHECK;

/* A field that is a number of type int. */
bool wf_pmi_number(const char *line, const char *name,
		   int *number_p) WEFT_MUST_CHECK;

/* The digits of a value, malloc'ed; NULL: no memory. */
char *wf_pmi_encode(const void *bytes, size_t n);

/*
 * Reads the head of a value from its first piece: its bytes and their
 * checksum. WEFT_ERR_BOOT: that is no such head.
 */
int wf_pmi_decode_head(const char *digits, size_t *n_p,
		       uint32_t *crc_p) WEFT_MUST_CHECK;

/* Exactly 2n digits; WEFT_ERR_BOOT: they are not, or the checksum is wrong. */
int wf_pmi_decode(const char *digits, void *bytes, size_t n,
		  uint32_t crc) WEFT_MUST_CHECK;

/*
 * The ranks of the node of `rank`, ascending, in malloc'ed memory, from
 * PMI_process_mapping, "(vector,(first node,nodes,ranks on each),...)", read
 * again from its start when there are more ranks than it lists. nodes_p: how
 * many nodes the job has. WEFT_ERR_BOOT: malformed; WEFT_ERR_NOMEM.
 */
struct wf_pmi_node {
	int *ranks;
	int n;
	int nodes;
};

int wf_pmi_map_parse(const char *text, int rank, int size,
		     struct wf_pmi_node *node) WEFT_MUST_CHECK;

#endif
