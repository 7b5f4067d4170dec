/* SPDX-License-Identifier: BSD-3-Clause */
/* The CPUs of a process and those of a device: see verbs_near.h. */
#include "transport/verbs/verbs_near.h"

#include <hwloc/bitmap.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "base/process.h"

enum {
	STATUS = 4096			/* bytes of /proc/self/status */
};

/* The line that a list begins; false: it is none. */
static bool parse(char *list, hwloc_bitmap_t cpus)
{
	list += strspn(list, "\t ");
	list[strcspn(list, "\n")] = '\0';
	return !hwloc_bitmap_list_sscanf(cpus, list);
}

static bool read_own(hwloc_bitmap_t cpus)
{
	static const char label[] = "Cpus_allowed_list:";
	char text[STATUS], *at = NULL;

	if (wf_process_read("/proc/self/status", text, sizeof(text)))
		at = strstr(text, label);
	return at && parse(at + strlen(label), cpus);
}

/* A machine without NUMA may list none. */
static bool read_near(const struct ibv_device *device, hwloc_bitmap_t cpus)
{
	char path[sizeof(device->ibdev_path) + 32], text[STATUS];

	snprintf(path, sizeof(path), "%s/device/local_cpulist",
		 device->ibdev_path);
	return wf_process_read(path, text, sizeof(text)) &&
	       parse(text, cpus) && !hwloc_bitmap_iszero(cpus);
}

enum wf_verbs_distance wf_verbs_distance(const struct ibv_device *device)
{
	hwloc_bitmap_t own = hwloc_bitmap_alloc(), near = hwloc_bitmap_alloc();
	enum wf_verbs_distance distance = WF_VERBS_NEAR;

	if (own && near && read_own(own) && read_near(device, near) &&
	    !hwloc_bitmap_isincluded(own, near))
		distance = hwloc_bitmap_intersects(own, near) ?
			WF_VERBS_PARTLY : WF_VERBS_FAR;
	hwloc_bitmap_free(own);
	hwloc_bitmap_free(near);
	return distance;
}
