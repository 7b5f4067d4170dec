/* SPDX-License-Identifier: BSD-3-Clause */
/* The traffic class of packets: see verbs_class.h. */
#include "transport/verbs/verbs_class.h"

#include <stdio.h>
#include <string.h>
#include "base/config.h"
#include "base/process.h"

enum {
	/* DSCP 26, and ECN: the queue without loss, as guides set it up */
	ROCE_V2 = 26 << 2 | 2,
	MOST = 255
};

/* False: nobody has said. */
static bool read_global(const struct ibv_device *device, int port,
			uint8_t *class_p)
{
	static const char label[] = "Global tclass=";
	char path[sizeof(device->ibdev_path) + 32], text[512] = "";
	const char *at;
	unsigned class;

	snprintf(path, sizeof(path), "%s/tc/%d/traffic_class",
		 device->ibdev_path, port);
	if (!wf_process_read(path, text, sizeof(text)))
		return false;
	at = strstr(text, label);
	if (!at || sscanf(at + strlen(label), "%u", &class) != 1 ||
	    class > MOST)
		return false;
	*class_p = (uint8_t)class;
	return true;
}

uint8_t wf_verbs_class(const struct wf_config *config,
		       const struct ibv_device *device, int port, bool roce_v2)
{
	uint8_t class = roce_v2 ? ROCE_V2 : 0;

	if (config->ib_traffic_class != WF_CONFIG_AUTO)
		return (uint8_t)config->ib_traffic_class;
	(void)read_global(device, port, &class);
	return class;
}
