/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the facts about this process from /proc. Called once per job at open.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/process.h"
#include "boot/identity.h"

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

int wf_identity_parse_uuid(const char *text, uint8_t id[16])
{
	int i;

	for (i = 0; i < 16; i++) {
		int high;
		int low;

		if (*text == '-')
			text++;
		high = hex_digit(text[0]);
		low = high < 0 ? -1 : hex_digit(text[1]);
		if (low < 0)
			return WEFT_ERR_DEVICE;
		id[i] = (uint8_t)(high * 16 + low);
		text += 2;
	}
	return WEFT_OK;
}

int wf_identity_read(struct wf_identity *id, char *why, size_t why_len)
{
	char text[64];
	struct stat ns;

	memset(id, 0, sizeof(*id));
	if (gethostname(id->host, sizeof(id->host)) != 0)
		id->host[0] = '\0';
	id->host[WF_HOST_MAX] = '\0';
	id->pid = (int32_t)getpid();
	id->uid = (uint32_t)getuid();
	/* Some containers hide it; then the other facts have to do. */
	if (!wf_process_read("/proc/sys/kernel/random/boot_id", text,
			     sizeof(text)) ||
	    wf_identity_parse_uuid(text, id->boot_id) != WEFT_OK)
		memset(id->boot_id, 0, sizeof(id->boot_id));
	if (stat("/proc/thread-self/ns/pid", &ns) != 0) {
		snprintf(why, why_len, "/proc/thread-self/ns/pid: %s; weft "
			 "needs /proc", strerror(errno));
		return WEFT_ERR_DEVICE;
	}
	id->pid_ns = (uint64_t)ns.st_ino;
	if (stat("/proc/thread-self/ns/net", &ns) == 0)
		id->net_ns = (uint64_t)ns.st_ino;
	/* A /proc from outside knows us, and has others at our pids. */
	if (wf_process_sees_own())
		id->start = wf_process_start_time(getpid());
	return WEFT_OK;
}

bool wf_identity_same_kernel(const struct wf_identity *a,
			     const struct wf_identity *b)
{
	return !memcmp(a->boot_id, b->boot_id, sizeof(a->boot_id));
}

bool wf_identity_knows_kernel(const struct wf_identity *id)
{
	static const uint8_t unknown[sizeof(id->boot_id)];

	return memcmp(id->boot_id, unknown, sizeof(unknown));
}

bool wf_identity_same_network(const struct wf_identity *a,
			      const struct wf_identity *b)
{
	return wf_identity_same_kernel(a, b) && a->net_ns &&
	       a->net_ns == b->net_ns;
}
