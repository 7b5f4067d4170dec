/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks that get no connection here: they are told so by a last hello, as soon
 * as it is decided, and again whenever they call, since it may get lost.  It is
 * noted while hellos are read, and said behind that, once for all calls of a
 * rank; nobody waits until it has gone but who closes the device.
 */
#include <stdlib.h>
#include "boot/boot.h"
#include "transport/verbs/verbs.h"

struct refusal {
	struct wf_list due;		/* in the device's, or in none */
	struct wf_verbs_handle *handle;	/* NULL: nothing was said yet, or
					 * there are few */
	struct wf_verbs_hello hello;	/* the address in it is the rank's */
};

/* NULL: no memory. */
static struct refusal *refusal_of(struct wf_verbs *dev, uint64_t rank)
{
	struct refusal *r = wf_map_get(&dev->refused, rank);

	if (r)
		return r;
	r = calloc(1, sizeof(*r));
	if (!r || wf_map_put(&dev->refused, rank, r)) {
		free(r);
		return NULL;
	}
	wf_list_init(&r->due);
	return r;
}

static bool is_refusal(const struct refusal *r)
{
	return r && r->hello.flags & WF_VERBS_REFUSED;
}

/* For good.  Who has only been told of the end may call once more. */
bool wf_verbs_is_refused(const struct wf_verbs *dev, uint64_t rank)
{
	return is_refusal(wf_map_get(&dev->refused, rank));
}

/* Without memory it is not noted, and the rank goes on calling. */
void wf_verbs_refuse(struct wf_verbs *dev, uint64_t rank, const uint64_t key[2],
		     const struct wf_verbs_address *address,
		     enum wf_verbs_hello_flag flag)
{
	struct refusal *r = refusal_of(dev, rank);

	if (!r)
		return;
	if (is_refusal(r))
		flag = WF_VERBS_REFUSED;
	/* Its port may have got another LID. */
	if (memcmp(&r->hello.address, address, sizeof(*address)))
		wf_verbs_let_handle_go(dev, &r->handle);
	r->hello = (struct wf_verbs_hello){
		.version = WF_VERBS_VERSION,
		.flags = (uint16_t)(flag | WF_VERBS_DONE),
		.from = (uint32_t)wf_boot_rank(dev->env.boot),
		.key = { key[0], key[1] },
		.address = *address
	};
	wf_list_del(&r->due);
	wf_list_add_tail(&dev->refusals, &r->due);
}

void wf_verbs_keep_handle(struct wf_verbs *dev, uint64_t rank,
			  struct wf_verbs_handle **h_p)
{
	struct refusal *r = wf_map_get(&dev->refused, rank);

	if (!r || r->handle)
		return;
	r->handle = *h_p;
	*h_p = NULL;
}

/* It has said so itself. */
void wf_verbs_is_turned_down(struct wf_verbs *dev, uint64_t rank)
{
	struct refusal *r = refusal_of(dev, rank);

	if (r)
		r->hello.flags = WF_VERBS_REFUSED;
}

/*
 * False: there is no room, or no handle before others have left.  Where there
 * is none at all, it waits for the next call.
 */
static bool say(struct wf_verbs *dev, struct refusal *r)
{
	if (!r->handle)
		r->handle = wf_verbs_make_handle(dev, &r->hello.address);
	if (!r->handle)
		return wf_list_empty(&dev->leaving);
	return wf_verbs_send_hello(dev, r->handle, &r->hello);
}

/* All that are due and find room. */
void wf_verbs_say_refusals(struct wf_verbs *dev)
{
	struct wf_list *at = dev->refusals.next;

	while (at != &dev->refusals) {
		struct refusal *r = wf_container(at, struct refusal, due);

		at = at->next;
		if (say(dev, r))
			wf_list_del(&r->due);
		if (dev->few_handles)
			wf_verbs_let_handle_go(dev, &r->handle);
	}
}

/* Their handles are made anew when they are needed.  False: there are none. */
bool wf_verbs_let_refusals_go(struct wf_verbs *dev)
{
	size_t cursor = 0;
	bool any = false;
	void *at;

	while (wf_map_next(&dev->refused, &cursor, NULL, &at)) {
		struct refusal *r = at;

		any |= r->handle != NULL;
		wf_verbs_let_handle_go(dev, &r->handle);
	}
	return any;
}

/* When nothing is sent any more. */
void wf_verbs_forget_refusals(struct wf_verbs *dev)
{
	size_t cursor = 0;
	void *at;

	while (wf_map_next(&dev->refused, &cursor, NULL, &at)) {
		struct refusal *r = at;

		wf_verbs_let_handle_go(dev, &r->handle);
		free(r);
	}
	wf_map_fini(&dev->refused);
}
