/* SPDX-License-Identifier: BSD-3-Clause */
/* Attached buffers: their places, attaching and detaching them. */
#include "p2p/p2p_buffer.h"

#include <assert.h>
#include <stdlib.h>
#include <weft/buffered.h>
#include "base/text.h"

enum {
	UNIT = _Alignof(struct wf_p2p_place)
};

/* Its note, and what alignment may cost it and the buffer. */
static_assert(sizeof(struct wf_p2p_place) + 2 * (UNIT - 1) <=
	      WEFT_BSEND_OVERHEAD, "more than a message is told to need");

/* ---- places ---- */

static char *align(char *at)
{
	return at + (UNIT - (uintptr_t)at % UNIT) % UNIT;
}

static struct wf_p2p_place *place_at(const struct wf_list *at)
{
	return wf_container(at, struct wf_p2p_place, link);
}

void wf_buffer_init(struct wf_p2p_buffer *buffer, void *base, size_t bytes)
{
	*buffer = (struct wf_p2p_buffer){ .base = base, .bytes = bytes };
	wf_list_init(&buffer->places);
	wf_list_init(&buffer->turns);
	wf_list_init(&buffer->flushes);
}

/* Behind those of lower addresses, before *next_p; NULL: there is no gap. */
static struct wf_p2p_place *find_gap(struct wf_p2p_buffer *buffer,
				     uint64_t bytes, struct wf_list **next_p)
{
	struct wf_list *next = buffer->places.next;
	char *from = buffer->base, *at, *end;
	size_t head = sizeof(struct wf_p2p_place);

	for (;;) {
		end = next == &buffer->places ? buffer->base + buffer->bytes :
						(char *)place_at(next);
		at = align(from);
		if (at <= end && (size_t)(end - at) >= head &&
		    (size_t)(end - at) - head >= bytes)
			break;
		if (next == &buffer->places)
			return NULL;
		from = place_at(next)->end;
		next = next->next;
	}
	*next_p = next;
	return (struct wf_p2p_place *)(void *)at;
}

struct wf_p2p_place *wf_buffer_get(struct wf_p2p_buffer *buffer,
				   uint64_t bytes)
{
	struct wf_list *next = &buffer->places;
	struct wf_p2p_place *place = buffer->automatic ?
		malloc(sizeof(*place) + bytes) :
		find_gap(buffer, bytes, &next);

	if (!place)
		return NULL;
	place->buffer = buffer;
	place->end = place->content + bytes;
	wf_list_add_tail(next, &place->link);
	wf_list_add_tail(&buffer->turns, &place->turn);
	return place;
}

/* Those that nothing is in front of are over. */
static void end_flushes(struct wf_p2p_buffer *buffer)
{
	struct wf_p2p_flush *first;

	while (!wf_list_empty(&buffer->flushes)) {
		first = wf_container(buffer->flushes.next, struct wf_p2p_flush,
				     link);
		if (buffer->turns.next != &first->turn)
			return;
		wf_list_del(&first->turn);
		wf_list_del(&first->link);
		first->active = false;
		if (first->over)
			first->over(first);
	}
}

void wf_buffer_put(struct wf_p2p_place *place)
{
	struct wf_p2p_buffer *buffer = place->buffer;

	wf_list_del(&place->link);
	wf_list_del(&place->turn);
	if (buffer->automatic)
		free(place);
	end_flushes(buffer);
}

void wf_buffer_flush(struct wf_p2p_buffer *buffer, struct wf_p2p_flush *flush)
{
	flush->active = true;
	wf_list_add_tail(&buffer->turns, &flush->turn);
	wf_list_add_tail(&buffer->flushes, &flush->link);
	end_flushes(buffer);
}

int wf_buffer_count(const struct wf_p2p_buffer *buffer)
{
	const struct wf_list *at = buffer->places.next;
	int n = 0;

	for (; at != &buffer->places; at = at->next)
		n++;
	return n;
}

/* ---- whose ---- */

/* Where it is noted; NULL: nowhere so far. */
static struct wf_p2p_buffer **slot_of_job(const struct weft_job *job)
{
	struct wf_cargo *cargo = wf_contexts(job)->office;

	return cargo ? &wf_container(cargo, struct wf_office, cargo)->buffer :
		       NULL;
}

static struct wf_p2p_buffer **slot_of_comm(const struct weft_comm *comm)
{
	return comm->p2p ? &wf_container(comm->p2p, struct wf_p2p,
					 cargo)->buffer : NULL;
}

static struct wf_p2p_buffer *usable(struct wf_p2p_buffer **at)
{
	return at && *at && !(*at)->detaching ? *at : NULL;
}

struct wf_p2p_buffer *wf_buffer_of_job(const struct weft_job *job)
{
	return usable(slot_of_job(job));
}

struct wf_p2p_buffer *wf_buffer_of_comm(const struct weft_comm *comm)
{
	return usable(slot_of_comm(comm));
}

/* ---- attached ---- */

/* at is NULL where there was no memory for it. */
static int attach(struct weft_job *job, const char *call,
		  struct wf_p2p_buffer **at, void *base, size_t bytes)
{
	bool automatic = base == WEFT_BUFFER_AUTOMATIC;
	struct wf_p2p_buffer *buffer;

	if (bytes && !base)
		return wf_job_fail(job, WEFT_ERR_ARG, "%s: buffer is NULL with "
				   "%zu bytes", call, bytes);
	if (at && *at)
		return wf_job_fail(job, WEFT_ERR_ARG, "%s: one of %zu bytes is "
				   "attached already: detach it first", call,
				   (*at)->bytes);
	buffer = at ? malloc(sizeof(*buffer)) : NULL;
	if (!buffer)
		return wf_job_fail(job, WEFT_ERR_NOMEM, "%s: no memory for "
				   "what is noted of it", call);
	wf_buffer_init(buffer, base, automatic ? 0 : bytes);
	buffer->automatic = automatic;
	*at = buffer;
	return WEFT_OK;
}

int weft_buffer_attach(struct weft_job *job, void *buffer, size_t bytes)
{
	int status = job ? wf_job_ask(job) : WEFT_ERR_ARG;
	struct wf_office *office;

	if (status)
		return status;
	office = wf_office_of(job);
	status = attach(job, "weft_buffer_attach",
			office ? &office->buffer : NULL, buffer, bytes);
	wf_job_leave(job);
	return status;
}

int weft_comm_buffer_attach(struct weft_comm *comm, void *buffer, size_t bytes)
{
	int status = wf_comm_ask(comm);
	struct wf_p2p *p2p;

	if (status)
		return status;
	p2p = wf_p2p_of(comm);
	status = attach(comm->job, "weft_comm_buffer_attach",
			p2p ? &p2p->buffer : NULL, buffer, bytes);
	return wf_comm_leave(comm, status);
}

/* ---- detached ---- */

struct leaving {
	const char *call;
	struct wf_p2p_buffer *buffer;
};

static bool is_empty(void *arg)
{
	const struct leaving *l = arg;

	return wf_list_empty(&l->buffer->places);
}

static void describe(void *arg, char *text, size_t bytes)
{
	const struct leaving *l = arg;

	wf_text_add(text, bytes, "%s: %d messages to leave the attached "
		    "buffer", l->call, wf_buffer_count(l->buffer));
}

static int detach(struct weft_job *job, const char *call,
		  struct wf_p2p_buffer **at, void **buffer_p, size_t *bytes_p)
{
	struct leaving l = { call, usable(at) };
	struct wf_wait w = { is_empty, describe, &l };

	if (!l.buffer)
		return wf_job_fail(job, WEFT_ERR_ARG, "%s: no buffer is "
				   "attached", call);
	l.buffer->detaching = true;
	wf_job_wait(job, &w);
	*buffer_p = l.buffer->base;
	*bytes_p = l.buffer->bytes;
	*at = NULL;
	free(l.buffer);
	return WEFT_OK;
}

int weft_buffer_detach(struct weft_job *job, void **buffer_p, size_t *bytes_p)
{
	static const char call[] = "weft_buffer_detach";
	int status = job && buffer_p && bytes_p ? wf_job_enter(job) :
		wf_job_refuse(job, call, buffer_p ? "bytes_p" : "buffer_p");

	if (status)
		return status;
	status = detach(job, call, slot_of_job(job), buffer_p, bytes_p);
	wf_job_leave(job);
	return status;
}

int weft_comm_buffer_detach(struct weft_comm *comm, void **buffer_p,
			    size_t *bytes_p)
{
	static const char call[] = "weft_comm_buffer_detach";
	int status = comm && buffer_p && bytes_p ? wf_comm_enter(comm) :
		wf_comm_refuse(comm, call, buffer_p ? "bytes_p" : "buffer_p");

	if (status)
		return status;
	wf_comm_hold(comm);
	status = detach(comm->job, call, slot_of_comm(comm), buffer_p,
			bytes_p);
	return wf_comm_leave_held(comm, status);
}
