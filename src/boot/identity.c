/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the facts about this process from /proc. Called once per job at open,
 * and by whoever checks that a pid still is the process of a boot blob.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "boot/identity.h"

/* Reads a short file of /proc as text; negative errno on failure. */
static int read_text(const char *path, char *text, size_t size)
{
	ssize_t n;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	do
		n = read(fd, text, size - 1);
	while (n < 0 && errno == EINTR);
	if (n < 0) {
		int error = errno;

		close(fd);
		return -error;
	}
	close(fd);
	text[n] = '\0';
	return 0;
}

int wf_identity_parse_stat(const char *text, uint64_t *start_p)
{
	/* The name in field 2 may hold anything, also spaces and ')'. */
	const char *field = strrchr(text, ')');
	unsigned long long start;
	int i;

	if (field == NULL)
		return WEFT_ERR_DEVICE;
	for (i = 2; i < 22; i++) {
		field = strchr(field, ' ');
		if (field == NULL)
			return WEFT_ERR_DEVICE;
		field++;
	}
	if (sscanf(field, "%llu", &start) != 1)
		return WEFT_ERR_DEVICE;
	*start_p = start;
	return WEFT_OK;
}

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

int wf_identity_start(pid_t pid, uint64_t *start_p)
{
	char path[32];
	char text[1024];
	int error;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	error = read_text(path, text, sizeof(text));
	if (error == -ENOENT || error == -ESRCH)
		return WEFT_ERR_PEER;
	if (error != 0)
		return WEFT_ERR_DEVICE;
	return wf_identity_parse_stat(text, start_p);
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
	if (read_text("/proc/sys/kernel/random/boot_id", text,
		      sizeof(text)) != 0 ||
	    wf_identity_parse_uuid(text, id->boot_id) != WEFT_OK)
		memset(id->boot_id, 0, sizeof(id->boot_id));
	if (stat("/proc/self/ns/pid", &ns) != 0) {
		snprintf(why, why_len, "/proc/self/ns/pid: %s; weft needs "
			 "/proc", strerror(errno));
		return WEFT_ERR_DEVICE;
	}
	id->pid_ns = (uint64_t)ns.st_ino;
	if (wf_identity_start(getpid(), &id->start) != WEFT_OK) {
		snprintf(why, why_len, "/proc/%d/stat does not tell when this "
			 "process started; weft needs /proc", (int)id->pid);
		return WEFT_ERR_DEVICE;
	}
	return WEFT_OK;
}
