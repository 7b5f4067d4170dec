/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who a process is, in words that a peer on the same or another node can
 * compare: host, boot of the kernel, PID namespace, pid with its start time,
 * user. Part of the boot blob.
 */
#ifndef WEFT_BOOT_IDENTITY_H
#define WEFT_BOOT_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weft/status.h>

#define WF_HOST_MAX 63

struct wf_identity {
	char host[WF_HOST_MAX + 1];
	uint8_t boot_id[16]; /* zeros: the kernel does not tell */
	uint64_t pid_ns;     /* inode of the PID namespace */
	uint64_t net_ns;     /* the same of the network; 0: unknown */
	uint64_t start;      /* wf_process_start_time(); 0: unknown */
	int32_t pid;
	uint32_t uid;
};

/* Of this process. WEFT_ERR_DEVICE: /proc does not answer; see why. */
int wf_identity_read(struct wf_identity *id, char *why,
		     size_t why_len) WEFT_MUST_CHECK;

/* Zeros are alike: two kernels that hide their boot ids may look like one. */
bool wf_identity_same_kernel(const struct wf_identity *a,
			     const struct wf_identity *b);
bool wf_identity_knows_kernel(const struct wf_identity *id);

/* The addresses of one are the other's: also the loopback address. */
bool wf_identity_same_network(const struct wf_identity *a,
			      const struct wf_identity *b);

/* The parser, for tests: the text of /proc/sys/kernel/random/boot_id. */
int wf_identity_parse_uuid(const char *text, uint8_t id[16]) WEFT_MUST_CHECK;

#endif
