/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the owner of a part sees of its signals: handles and counts.  Waiting
 * for them is in rma_watch.c.
 */
#include "base/handle.h"
#include "base/zeroed.h"
#include "rma/rma_signal.h"

#include <stdlib.h>

static uint64_t count_one(const struct wf_rma_source *s)
{
	uint64_t count = wf_signal_count(s->word, s->sig);

	if (s->quick_word)
		count += wf_signal_count(s->quick_word, s->quick);
	return count;
}

static uint64_t count_all(const struct wf_rma_raised *raised)
{
	const struct wf_list *end = &raised->sources;
	uint64_t sum = 0;

	for (struct wf_list *at = end->next; at != end; at = at->next)
		sum += count_one(wf_container(at, const struct wf_rma_source,
					      link));
	return sum;
}

uint64_t wf_rma_signal_count(const struct weft_signal *s)
{
	return s->one ? count_one(s->one) : count_all(s->all);
}

static int enter(const struct weft_signal *s, const char *call)
{
	return s ? wf_region_enter(s->region, call) : WEFT_ERR_ARG;
}

uint64_t weft_signal_count(const struct weft_signal *signal)
{
	uint64_t count;

	if (enter(signal, __func__))
		return 0;
	wf_job_look(wf_region_job(signal->region));
	wf_rma_signal_credit(signal);
	count = wf_rma_signal_count(signal);
	wf_job_leave(wf_region_job(signal->region));
	return count;
}

/* What it counts is there before its first raise. */
static int find_what(struct weft_signal *s, uint32_t number)
{
	if (s->peer == WEFT_ALL_PEERS)
		s->all = wf_rma_raised_get(s->region, number);
	else if (wf_rma_link_get(s->region, s->peer))
		s->one = wf_rma_source_get(s->region, s->peer, number);
	return s->all || s->one ? WEFT_OK : WEFT_ERR_NOMEM;
}

static int check(const struct weft_region *region, int peer, uint32_t number,
		 struct weft_signal **signal_p)
{
	static const char call[] = "weft_signal_create";
	struct weft_comm *comm = region->rma->comm;

	if (!signal_p)
		return wf_job_fail(comm->job, WEFT_ERR_ARG,
				   "%s: signal_p is NULL", call);
	if (region->kind == WF_REGION_ATTACHED)
		return wf_job_fail(comm->job, WEFT_ERR_ARG, "%s: signals are "
				   "with the owner of a region, rank %d", call,
				   region->owner);
	if (peer != WEFT_ALL_PEERS && (peer < 0 || peer >= comm->size))
		return wf_job_fail_for(comm->job, WEFT_ARGUMENT_RANK,
				       WEFT_ERR_ARG, "%s: peer is %d, the "
				       "communicator has %d ranks", call, peer,
				       comm->size);
	if (number == WF_RMA_NO_NUMBER)
		return wf_job_fail(comm->job, WEFT_ERR_ARG, "%s: number is "
				   "UINT32_MAX, which is none", call);
	return WEFT_OK;
}

static int create(struct weft_region *region, int peer, uint32_t number,
		  struct weft_signal **signal_p)
{
	int status = check(region, peer, number, signal_p);
	struct weft_signal *s;

	if (status)
		return status;
	s = wf_zeroed(1, sizeof(*s));
	if (s) {
		s->region = region;
		s->peer = peer;
	}
	if (!s || find_what(s, number)) {
		free(s);
		return wf_job_fail(wf_region_job(region), WEFT_ERR_NOMEM,
				   "weft_signal_create: no memory for a "
				   "signal");
	}
	wf_list_add_tail(&region->signals, &s->link);
	*signal_p = s;
	return WEFT_OK;
}

int weft_signal_create(struct weft_region *region, int peer, uint32_t number,
		       struct weft_signal **signal_p)
{
	int status = wf_region_enter(region, __func__);

	wf_no_handle(signal_p);
	if (status)
		return status;
	status = create(region, peer, number, signal_p);
	return wf_comm_leave(region->rma->comm, status);
}

void weft_signal_free(struct weft_signal **signal_p)
{
	struct weft_job *job;

	if (!signal_p || enter(*signal_p, __func__))
		return;
	job = wf_region_job((*signal_p)->region);
	wf_list_del(&(*signal_p)->link);
	free(*signal_p);
	*signal_p = NULL;
	wf_job_leave(job);
}

void wf_rma_signals_fini(struct weft_region *region)
{
	struct wf_list *at;

	while ((at = wf_list_pop(&region->signals)))
		free(wf_container(at, struct weft_signal, link));
}
