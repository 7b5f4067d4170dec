/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What it means that a probe hears nothing: no verdict before its host has been
 * silent for WEFT_HOST_TIMEOUT, on the network of the data, too; and that only
 * the lifeline is heard.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "base/log.h"
#include "job/lifeline_probe.h"

#define GAP_NS UINT64_C(1000000000)	/* between steps: nobody listened */

enum {
	GREETINGS = 8			/* wanted, in WEFT_HOST_TIMEOUT */
};

void wf_probe_warn_once(struct wf_probe *probe, const char *what)
{
	if (!probe->warned)
		wf_warn(probe->prober->log, "rank %d on host %s %s: its death "
			"will be seen only by others", probe->rank,
			probe->blob->id.host, what);
	probe->warned = true;
}

/* Between steps nobody has listened. */
void wf_probe_look_at_data(struct wf_probe *probe, uint64_t now,
			   struct wf_probe_data data)
{
	bool moved = probe->moved != data.moved;
	bool away = now - probe->stepped > GAP_NS;

	if (moved || away)
		probe->heard = now;
	if (away)
		probe->answered = now;
	probe->answers = data.answers;
	wf_probe_look_at_doubt(probe, now, moved, away);
	probe->stepped = now;
	probe->moved = data.moved;
	if (!data.connecting || probe->others != data.others)
		probe->greetings = 0;
	probe->connecting = data.connecting;
	probe->others = data.others;
}

bool wf_probe_wants_greeting(const struct wf_probe *probe, uint64_t now)
{
	return probe->connecting &&
	       now - probe->greeted >=
		       probe->prober->host_timeout_ns / GREETINGS;
}

void wf_probe_count_greeting(struct wf_probe *probe, uint64_t now)
{
	if (!wf_probe_wants_greeting(probe, now))
		return;
	probe->greetings++;
	probe->greeted = now;
}

static uint64_t silent_ns(const struct wf_probe *probe)
{
	return probe->stepped - probe->heard;
}

bool wf_probe_is_lost(struct wf_probe *probe, char *why, size_t bytes)
{
	uint64_t silent = silent_ns(probe);

	if (silent < probe->prober->host_timeout_ns)
		return false;
	if (!probe->worked && !probe->broken &&
	    !wf_prober_knows(probe->prober, probe->blob)) {
		wf_probe_warn_once(probe, "answers at none of its addresses");
		return false;
	}
	snprintf(why, bytes, "is lost: its host answers nowhere since %llu s "
		 "(WEFT_HOST_TIMEOUT)", (unsigned long long)(silent /
							     1000000000));
	return true;
}

static bool is_silent(const struct wf_probe *probe)
{
	return probe->stepped && !probe->worked &&
	       silent_ns(probe) >= probe->prober->host_timeout_ns;
}

bool wf_probe_is_unheard(const struct wf_probe *probe, char *why, size_t bytes)
{
	char at[WF_HOST_NAME] = "no address that leads there";

	if (is_silent(probe)) {
		if (probe->error)
			wf_host_name(&probe->blob->lifelines[probe->failed],
				     at);
		snprintf(why, bytes, "nor from its lifeline at %s: %s", at,
			 strerror(probe->error ? probe->error : ENETUNREACH));
	} else if (probe->greetings > GREETINGS) {
		wf_host_name(&probe->blob->lifelines[probe->at], at);
		snprintf(why, bytes, "but from its lifeline at %s", at);
	} else {
		return false;
	}
	return true;
}
