/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The devices of a job: each backend is asked whether it can be used, nodes
 * tell each other what they have, and then all are opened.
 */
#include <string.h>
#include "base/text.h"
#include "boot/boot.h"
#include "boot/offer.h"
#include "job/job.h"
#include "job/liveness.h"
#include "job/peer.h"
#include "transport/backends.h"
#include "transport/limits.h"

/* Peers that need it will be told why it is not there. */
static void leave_out(struct weft_job *job, const char *name, const char *why)
{
	wf_text_add(job->left_out, sizeof(job->left_out), "; %s: %s", name,
		    why);
}

/*
 * Between nodes a backend is missed by who asks for it, where it is there but
 * may not be used, and if it is the last one that could join them.
 */
static enum wf_log_level missed(const struct weft_job *job,
				const struct wf_tp_ops *const *tp, int status)
{
	bool matters = status == WEFT_ERR_DEVICE || !tp[1] ||
		       wf_tp_is_named(&job->config, tp[0]->name);

	return matters && wf_boot_node_count(job->boot) > 1 ? WF_LOG_WARN :
							      WF_LOG_INFO;
}

/* Is the backend to be opened?  Or it is left out, and why. */
static bool find_device(struct weft_job *job, const struct wf_tp_env *env,
			const struct wf_tp_ops *const *at)
{
	const struct wf_tp_ops *tp = *at;
	char why[200];
	int status;

	if (!wf_tp_is_allowed(&job->config, tp->name)) {
		wf_info(&job->log, "backend %s: not in WEFT_TRANSPORT",
			tp->name);
		leave_out(job, tp->name, "not in WEFT_TRANSPORT");
		return false;
	}
	status = tp->query(env, why, sizeof(why));
	if (status) {
		WF_LOG_IF(&job->log, missed(job, at, status), "backend %s: %s",
			  tp->name, why);
		leave_out(job, tp->name, why);
	}
	return !status;
}

static int open_device(struct weft_job *job, const struct wf_tp_env *env,
		       const struct wf_tp_ops *tp)
{
	unsigned char address[WF_BLOB_ADDR_MAX];
	size_t n = 0;
	struct wf_device *dev;
	int status = tp->open(env, &dev);

	if (status)
		return status;
	wf_limits_set(dev, &job->config);
	job->dev[job->ndevs++] = dev;
	status = tp->address(dev, address, sizeof(address), &n);
	if (!status)
		return wf_blob_add(&job->blob, tp->name, address, n);
	if (status != WEFT_ERR_UNSUPPORTED)
		return status;
	tp->close(dev);
	job->ndevs--;
	leave_out(job, tp->name, "its address is too long");
	return WEFT_OK;
}

void wf_job_close_devices(struct weft_job *job)
{
	while (job->ndevs) {
		struct wf_device *dev = job->dev[--job->ndevs];

		dev->ops->close(dev);
	}
}

void wf_job_tp_env(struct weft_job *job, struct wf_tp_env *env)
{
	*env = (struct wf_tp_env){
		.log = &job->log, .config = &job->config, .boot = job->boot,
		.self = &job->blob, .segment = &job->segment,
		.signals = &job->signals, .random = &job->random,
		.doorbell = job->doorbell.fd >= 0 ? &job->doorbell : NULL,
		.up = { wf_mail_deliver, wf_peer_contact, wf_live_suspect,
			wf_live_told_by_node, job },
		.world = job->env.world, .crowded = job->crowded
	};
}

/*
 * Nodes agree on the network before they open a port of it.  All ranks of the
 * job come here, whatever backends they have.
 */
static int tell_offers(struct weft_job *job, const struct wf_tp_env *env,
		       const bool *usable)
{
	unsigned char part[WF_OFFER_MAX];
	struct wf_offer offer = { .n = 0 };
	int status;

	if (wf_boot_node_count(job->boot) < 2 || job->env.idle)
		return WEFT_OK;
	for (int i = 0; job->env.tps[i] && i < WF_DEVICES; i++)
		if (usable[i])
			wf_offer_add(&offer, job->env.tps[i]->name, part,
				     job->env.tps[i]->offer(
					env, part, wf_offer_room(&offer)));
	status = wf_offer_put(job->boot, &offer);
	if (!status)
		status = wf_boot_fence(job->boot);
	return status ? wf_job_join_failed(job, status) : WEFT_OK;
}

/* Those that nobody has opened let go what they have found. */
static int abandon(struct weft_job *job, int status)
{
	for (int i = 0; job->env.tps[i] && i < WF_DEVICES; i++)
		job->env.tps[i]->forget();
	wf_job_close_devices(job);
	return status;
}

/* In place of the emulated one, which follows it. */
static void move_up(struct wf_device **dev, int from, int to)
{
	struct wf_device *moved = dev[from];

	for (int i = from; i > to; i--)
		dev[i] = dev[i - 1];
	dev[to] = moved;
}

/*
 * Backends are best first; a native one comes before the one that is emulated.
 * Two ranks should have the same order, or each calls by another backend: a
 * rank has both kinds only where its adapter is of that kind, and a peer whose
 * adapter is of another kind refuses the emulated one.
 */
void wf_job_order_devices(struct wf_device **dev, int n)
{
	int first = 0;

	while (first < n && !(dev[first]->caps & WF_CAP_EMULATED))
		first++;
	for (int i = first; i < n; i++)
		if (dev[i]->caps & WF_CAP_NATIVE)
			move_up(dev, i, first++);
}

int wf_job_open_devices(struct weft_job *job)
{
	bool usable[WF_DEVICES] = { false };
	struct wf_tp_env env;
	int status;

	wf_job_tp_env(job, &env);
	for (int i = 0; job->env.tps[i] && i < WF_DEVICES; i++)
		usable[i] = find_device(job, &env, &job->env.tps[i]);
	status = tell_offers(job, &env, usable);
	for (int i = 0; !status && job->env.tps[i] && i < WF_DEVICES; i++)
		if (usable[i])
			status = open_device(job, &env, job->env.tps[i]);
	if (!status && !job->ndevs) {
		wf_error(&job->log, "no backend can be used: WEFT_TRANSPORT "
			 "is \"%s\": %s", job->config.transport,
			 job->left_out + strspn(job->left_out, "; "));
		status = WEFT_ERR_DEVICE;
	}
	if (status)
		return abandon(job, status);
	wf_job_order_devices(job->dev, job->ndevs);
	return WEFT_OK;
}
