/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the facts about this process from /proc. Called once per job at open.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/lack.h"
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

/* What is hidden by a container is done without; what errno lacks is not. */
static int judge(char *why, size_t why_len)
{
	char lack[WF_LACK_TEXT];

	if (!wf_lack_is(errno))
		return WEFT_OK;
	wf_lack_text(errno, lack, sizeof(lack));
	snprintf(why, why_len, "this process cannot read of itself in /proc: "
		 "%s", lack);
	return WEFT_ERR_NOMEM;
}

/* Some containers hide it; then the other facts have to do. */
static int read_boot_id(uint8_t id[16], char *why, size_t why_len)
{
	char text[64];

	if (!wf_process_read("/proc/sys/kernel/random/boot_id", text,
			     sizeof(text)))
		return judge(why, why_len);
	if (wf_identity_parse_uuid(text, id))
		memset(id, 0, 16);
	return WEFT_OK;
}

/* A /proc from outside knows us, and has others at our pids. */
static int read_start(uint64_t *start_p, char *why, size_t why_len)
{
	if (!wf_process_sees_own())
		return WEFT_OK;
	*start_p = wf_process_start_time(getpid());
	return *start_p ? WEFT_OK : judge(why, why_len);
}

int wf_identity_read(struct wf_identity *id, char *why, size_t why_len)
{
	struct stat ns;
	int status;

	memset(id, 0, sizeof(*id));
	if (gethostname(id->host, sizeof(id->host)) != 0)
		id->host[0] = '\0';
	id->host[WF_HOST_MAX] = '\0';
	id->pid = (int32_t)getpid();
	id->uid = (uint32_t)getuid();
	status = read_boot_id(id->boot_id, why, why_len);
	if (status)
		return status;
	if (stat("/proc/thread-self/ns/pid", &ns) != 0) {
		snprintf(why, why_len, "/proc/thread-self/ns/pid: %s; weft "
			 "needs /proc", strerror(errno));
		return WEFT_ERR_DEVICE;
	}
	id->pid_ns = (uint64_t)ns.st_ino;
	if (stat("/proc/thread-self/ns/net", &ns) == 0)
		id->net_ns = (uint64_t)ns.st_ino;
	return read_start(&id->start, why, why_len);
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
