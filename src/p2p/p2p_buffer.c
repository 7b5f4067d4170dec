/* SPDX-License-Identifier: BSD-3-Clause */
/* The attached buffer: its places, attaching and detaching it. */
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

struct wf_p2p_place *wf_buffer_get(struct wf_p2p_buffer *buffer,
				   uint64_t bytes)
{
	struct wf_list *next = buffer->places.next;
	char *from = buffer->base, *at, *end;
	struct wf_p2p_place *place;

	for (;;) {
		end = next == &buffer->places ? buffer->base + buffer->bytes :
						(char *)place_at(next);
		at = align(from);
		if (at <= end && (size_t)(end - at) >= sizeof(*place) &&
		    (size_t)(end - at) - sizeof(*place) >= bytes)
			break;
		if (next == &buffer->places)
			return NULL;
		from = place_at(next)->end;
		next = next->next;
	}
	place = (struct wf_p2p_place *)(void *)at;
	place->end = place->content + bytes;
	wf_list_add_tail(next, &place->link);
	return place;
}

void wf_buffer_put(struct wf_p2p_place *place)
{
	wf_list_del(&place->link);
}

/* ---- the calls ---- */

static struct wf_office *office_of(const struct weft_job *job)
{
	struct wf_cargo *cargo = wf_contexts(job)->office;

	return cargo ? wf_container(cargo, struct wf_office, cargo) : NULL;
}

static int attach(struct weft_job *job, void *base, size_t bytes)
{
	static const char call[] = "weft_buffer_attach";
	struct wf_office *office = office_of(job);
	struct wf_p2p_buffer *buffer = office ? office->buffer : NULL;

	if (bytes && !base)
		return wf_job_fail(job, WEFT_ERR_ARG, "%s: buffer is NULL with "
				   "%zu bytes", call, bytes);
	if (buffer)
		return wf_job_fail(job, WEFT_ERR_ARG, "%s: one of %zu bytes is "
				   "attached already: detach it first", call,
				   buffer->bytes);
	office = wf_office_of(job);
	buffer = office ? calloc(1, sizeof(*buffer)) : NULL;
	if (!buffer)
		return wf_job_fail(job, WEFT_ERR_NOMEM, "%s: no memory for "
				   "what is noted of it", call);
	buffer->base = base;
	buffer->bytes = bytes;
	wf_list_init(&buffer->places);
	office->buffer = buffer;
	return WEFT_OK;
}

int weft_buffer_attach(struct weft_job *job, void *buffer, size_t bytes)
{
	int status = job ? wf_job_ask(job) : WEFT_ERR_ARG;

	if (status)
		return status;
	status = attach(job, buffer, bytes);
	wf_job_leave(job);
	return status;
}

static bool is_empty(void *arg)
{
	return wf_list_empty(&((struct wf_p2p_buffer *)arg)->places);
}

static void describe(void *arg, char *text, size_t bytes)
{
	const struct wf_p2p_buffer *buffer = arg;
	const struct wf_list *at = buffer->places.next;
	int n = 0;

	for (; at != &buffer->places; at = at->next)
		n++;
	wf_text_add(text, bytes, "weft_buffer_detach: %d messages to leave the "
		    "attached buffer", n);
}

int weft_buffer_detach(struct weft_job *job, void **buffer_p, size_t *bytes_p)
{
	int status = job && buffer_p && bytes_p ? wf_job_enter(job) :
		wf_job_refuse(job, "weft_buffer_detach",
			      buffer_p ? "bytes_p" : "buffer_p");
	struct wf_p2p_buffer *buffer;
	struct wf_office *office;

	if (status)
		return status;
	office = office_of(job);
	buffer = office ? office->buffer : NULL;
	if (!buffer || buffer->detaching) {
		status = wf_job_fail(job, WEFT_ERR_ARG, "weft_buffer_detach: "
				     "no buffer is attached");
	} else {
		struct wf_wait w = { is_empty, describe, buffer };

		buffer->detaching = true;
		wf_job_wait(job, &w);
		*buffer_p = buffer->base;
		*bytes_p = buffer->bytes;
		office->buffer = NULL;
		free(buffer);
	}
	wf_job_leave(job);
	return status;
}
