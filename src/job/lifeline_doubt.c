/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Asking the data path.  The network of lifelines may be down, or a firewall
 * may refuse, while that of the data is well; and some adapters answer by
 * themselves as long as the process lives whose queue pair it is.  So there a
 * refusal is a doubt for a second: any answer to what is under way ends it, as
 * the silence of the host, and where nothing is under way a question is sent.
 * The next call may be refused again, and is a new doubt.
 *
 * Adapters also answer behind a kernel that has stopped.  So questions of ours
 * cover the silence of a lifeline for some time only.
 */
#include "job/lifeline_probe.h"

#define ASK_NS UINT64_C(1000000000)	/* between questions, at most */
#define DOUBT_NS UINT64_C(1000000000)	/* then the refusal was right */
#define COVER_NS UINT64_C(600000000000)	/* of a lifeline, by questions alone */

/* Some of them before a host counts as lost. */
static uint64_t pause_of(const struct wf_probe *probe)
{
	uint64_t part = probe->prober->host_timeout_ns / 4;

	return part < ASK_NS ? part : ASK_NS;
}

static bool is_due(const struct wf_probe *probe, uint64_t now)
{
	return !probe->asked || now - probe->asked >= pause_of(probe);
}

static bool is_quiet(const struct wf_probe *probe, uint64_t now)
{
	uint64_t quiet = now - probe->answered;

	return quiet >= pause_of(probe) && quiet < COVER_NS;
}

bool wf_probe_asks_data(struct wf_probe *probe, uint64_t now)
{
	bool wants = wf_probe_is_refused(probe) || probe->doubted ||
		     (probe->answers && is_quiet(probe, now));

	if (probe->broken || !wants || !is_due(probe, now))
		return false;
	probe->asked = now;
	return true;
}

bool wf_probe_doubt(struct wf_probe *probe, uint64_t now)
{
	if (!probe->answers || probe->broken)
		return false;
	probe->doubted = now;
	probe->asked = 0;
	probe->not_before = now + DOUBT_NS;
	return true;
}

bool wf_probe_is_doubted(const struct wf_probe *probe)
{
	return probe && probe->doubted;
}

void wf_probe_look_at_doubt(struct wf_probe *probe, uint64_t now, bool moved,
			    bool away)
{
	if (!probe->doubted)
		return;
	if (moved || !probe->answers)
		probe->doubted = 0;
	else if (away)
		probe->doubted = now;
}

bool wf_probe_was_right(const struct wf_probe *probe)
{
	return probe->doubted && probe->stepped - probe->doubted >= DOUBT_NS;
}
