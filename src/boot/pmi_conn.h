/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The connection to a PMI-1 launcher, the socket PMI_FD: lines out and in,
 * nothing for longer than the deadline. For boot_pmi.c only.
 */
#ifndef WEFT_BOOT_PMI_CONN_H
#define WEFT_BOOT_PMI_CONN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "boot/pmi_line.h"

struct wf_pmi_conn {
	int fd;
	size_t have; /* bytes that have come and were not taken */
	uint64_t tick_ns;
	void (*tick)(void *owner); /* so often while it waits */
	void *owner;
	char in[WF_PMI_LINE_MAX];
};

/*
 * The descriptor that PMI_FD names; -1: it is no open stream socket of this
 * process, so whoever set the variable did not start it.
 */
int wf_pmi_descriptor(const char *text);

void wf_pmi_conn_init(struct wf_pmi_conn *conn, int fd, uint64_t tick_ns,
		      void (*tick)(void *owner), void *owner);

/*
 * Sends a line, its newline included; receives one without it. WEFT_OK,
 * WEFT_ERR_TIMEOUT, or WEFT_ERR_BOOT: the connection is broken (errno; 0: the
 * other end has closed it), or no line ends within WF_PMI_LINE_MAX (EMSGSIZE).
 * deadline_ns is a time of wf_clock_ns().
 */
int wf_pmi_send(struct wf_pmi_conn *conn, const char *line,
		uint64_t deadline_ns) WEFT_MUST_CHECK;
int wf_pmi_receive(struct wf_pmi_conn *conn, char line[WF_PMI_LINE_MAX],
		   uint64_t deadline_ns) WEFT_MUST_CHECK;

#endif
