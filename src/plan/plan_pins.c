/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins: the memory of a request that is started often, registered when it is
 * made.  Some devices reach registered memory only: without it a source is
 * copied, or, a long one, registered anew for each epoch, once for all of its
 * chunks, and what arrives goes through chunks.
 *
 * They are the request's alone.  Between two starts the program may free its
 * memory and get other pages at the same addresses, while the device still has
 * the old ones.
 */
#include <stdlib.h>
#include "job/memory.h"
#include "plan/plan.h"

enum {
	LEAST = 1024,			/* bytes: fewer are copied faster */
	PAGE = 4096			/* none is smaller */
};

struct wf_pin {
	char *at;
	uint64_t bytes;
	struct weft_mem *mem;
};

struct wf_pins {
	struct wf_pins *next;		/* older ones of the run */
	bool once;			/* they go when the run is over */
	int n;
	struct wf_pin pin[];		/* by their addresses, apart */
};

static bool pays(const struct weft_job *job)
{
	for (int i = 0; i < job->ndevs; i++)
		if (job->dev[i]->caps & WF_CAP_REG_PAYS)
			return true;
	return false;
}

/* It may yet turn out to be reached by another device. */
static bool may_gain(const struct wf_peer *peer)
{
	return peer->state != WF_PEER_READY ||
	       peer->ep->dev->caps & WF_CAP_REG_PAYS;
}

/* Is it neither of the arena nor registered by the program? */
static bool is_plain(const struct weft_job *job, const struct wf_pin *pin)
{
	uint64_t offset;

	return !wf_segment_has(&job->segment, pin->at, pin->bytes, &offset) &&
	       !wf_memory_is_known(job, pin->at, pin->bytes);
}

/* The longest that lands in a slot of whatever device gains by pins. */
static uint64_t longest_slot(const struct wf_set *set)
{
	const struct weft_job *job = set->comm->job;
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < job->ndevs; i++)
		if (job->dev[i]->caps & WF_CAP_REG_PAYS &&
		    job->dev[i]->slot_max < least)
			least = job->dev[i]->slot_max;
	return least > set->slot_least ? least : set->slot_least;
}

/* What a device reaches of this step; false: nothing that has to be pinned. */
static bool memory_of(const struct wf_run *run, uint32_t i, struct wf_pin *pin)
{
	const struct wf_peer *peer = wf_run_peer(run, i);
	const struct wf_step *s = &run->plan->step[i];
	bool sends = s->kind == WF_STEP_SEND;
	uint64_t least = sends ? LEAST : longest_slot(run->set);

	if ((!sends && s->kind != WF_STEP_RECV) || s->bytes <= least ||
	    !peer || !may_gain(peer))
		return false;
	pin->at = wf_run_place(run, sends ? s->from : s->to);
	pin->bytes = s->bytes;
	pin->mem = NULL;
	return is_plain(run->set->comm->job, pin);
}

static int by_address(const void *a, const void *b)
{
	const struct wf_pin *left = a, *right = b;

	return (left->at > right->at) - (left->at < right->at);
}

/* Joins what shares pages, or has no whole page in between. */
static void join(struct wf_pins *pins)
{
	int n = 0;

	qsort(pins->pin, (size_t)pins->n, sizeof(pins->pin[0]), by_address);
	for (int i = 1; i < pins->n; i++) {
		struct wf_pin *last = &pins->pin[n], *next = &pins->pin[i];
		uint64_t begin = (uint64_t)(next->at - last->at);

		if (begin >= last->bytes + PAGE)
			pins->pin[++n] = *next;
		else if (begin + next->bytes > last->bytes)
			last->bytes = begin + next->bytes;
	}
	pins->n = pins->n ? n + 1 : 0;
}

void wf_pins_free(struct wf_pins *pins)
{
	for (int i = 0; pins && i < pins->n; i++)
		wf_memory_unpin(pins->pin[i].mem);
	free(pins);
}

static struct wf_pins *make(int most)
{
	struct wf_pins *pins = malloc(sizeof(*pins) +
				      (size_t)most * sizeof(pins->pin[0]));

	if (pins)
		*pins = (struct wf_pins){ .next = NULL };
	return pins;
}

/* All, or none: a device that has no room for them has said so. */
static struct wf_pins *pin_all(struct weft_job *job, struct wf_pins *pins)
{
	bool all = pins->n;

	for (int i = 0; all && i < pins->n; i++) {
		struct wf_pin *p = &pins->pin[i];

		p->mem = wf_memory_pin(job, p->at, p->bytes);
		all = p->mem;
	}
	if (all)
		return pins;
	wf_pins_free(pins);
	return NULL;
}

void wf_run_pin(struct wf_run *run)
{
	const struct wf_plan *plan = run->plan;
	struct weft_job *job = run->set->comm->job;
	struct wf_pins *pins;

	pins = pays(job) ? make(plan->nsteps) : NULL;
	if (!pins)
		return;
	for (int i = 0; i < plan->nsteps; i++)
		pins->n += memory_of(run, (uint32_t)i, &pins->pin[pins->n]);
	join(pins);
	run->pins = pin_all(job, pins);
}

struct wf_pins *wf_pins_make(struct weft_job *job, const struct wf_peer *peer,
			     void *at, uint64_t bytes)
{
	struct wf_pins *pins = pays(job) && (!peer || may_gain(peer)) ?
				       make(1) : NULL;

	if (!pins)
		return NULL;
	pins->pin[0] = (struct wf_pin){ at, bytes, NULL };
	pins->n = is_plain(job, &pins->pin[0]);
	return pin_all(job, pins);
}

static struct wf_region *find_in(const struct wf_pins *pins,
				 const struct wf_device *dev, const char *data,
				 uint64_t bytes)
{
	int low = 0, high = pins->n;

	while (low < high) {
		int middle = (low + high) / 2;
		const struct wf_pin *p = &pins->pin[middle];

		if (data < p->at)
			high = middle;
		else if (data >= p->at + p->bytes)
			low = middle + 1;
		else
			return wf_memory_region(p->mem, dev, data, bytes);
	}
	return NULL;
}

static struct wf_region *find(const struct wf_pins *pins,
			      const struct wf_device *dev, const char *data,
			      uint64_t bytes)
{
	struct wf_region *region = NULL;

	for (; pins && !region; pins = pins->next)
		region = find_in(pins, dev, data, bytes);
	return region;
}

/* What a device has no room for it is not asked again, until some is free. */
static struct wf_pins *pin_once(struct weft_job *job, const struct wf_leg *leg)
{
	const struct wf_pin pin = { leg->data, leg->bytes, NULL };
	struct wf_pins *pins;

	if (leg->bytes >= job->pins_fail || !is_plain(job, &pin))
		return NULL;
	pins = wf_pins_make(job, NULL, leg->data, leg->bytes);
	if (!pins)
		job->pins_fail = leg->bytes;
	return pins;
}

void wf_leg_pin(const struct wf_leg *leg, const struct wf_device *dev)
{
	struct wf_run *run = leg->run;
	struct wf_pins *pins;

	if (!(dev->caps & WF_CAP_REG_PAYS) ||
	    find(run->pins, dev, leg->data, leg->bytes))
		return;
	pins = pin_once(run->set->comm->job, leg);
	if (!pins)
		return;
	pins->once = true;
	pins->next = run->pins;
	run->pins = pins;
}

void wf_run_unpin(struct wf_run *run)
{
	while (run->pins && run->pins->once) {
		struct wf_pins *pins = run->pins;

		run->pins = pins->next;
		run->set->comm->job->pins_fail = UINT64_MAX;
		wf_pins_free(pins);
	}
}

struct wf_loc wf_leg_source(const struct wf_leg *leg,
			    const struct wf_device *dev, const char *data,
			    uint64_t bytes)
{
	struct wf_region *region = find(leg->run->pins, dev, data, bytes);

	if (!region)
		return wf_loc_any(data);
	return (struct wf_loc){ region,
				(uint64_t)(data - (char *)region->base) };
}

bool wf_leg_key(const struct wf_leg *leg, const struct wf_device *dev,
		struct wf_rloc *to_p)
{
	const struct weft_job *job = leg->run->set->comm->job;
	const struct wf_pins *pins = leg->run->pins;
	struct wf_region *region;

	while (pins && pins->once)	/* of sources */
		pins = pins->next;
	region = find(pins, dev, leg->data, leg->bytes);

	if (!region)
		return wf_memory_key(job, dev, leg->data, leg->bytes, to_p);
	return !dev->ops->key(region, (uint64_t)(leg->data -
						 (char *)region->base), to_p);
}
