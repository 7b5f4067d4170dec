/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Life where somebody knows it: the simulator tells deaths by the upcall of
 * its device, so there is nothing to probe.
 */
#include "job/liveness.h"
#include "job/peer.h"

static bool told_probe(struct wf_peer *peer, char *why, size_t bytes)
{
	(void)peer;
	(void)why;
	(void)bytes;
	return false;
}

static bool told_meet(struct wf_peer *peer)
{
	(void)peer;
	return true;
}

static void told_unwatch(struct wf_peer *peer)
{
	(void)peer;
}

const struct wf_live_ops wf_live_told = {
	.probe = told_probe, .meet = told_meet, .unwatch = told_unwatch
};
