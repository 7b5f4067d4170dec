/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Words of the node, some in the header of each of its ranks; whoever is not
 * connected to that rank opens its header for a moment.  A word goes with its
 * rank.  Seen through several mappings it is one word of one file, and each
 * access is one atomic operation.
 */
#include "transport/shm/shm.h"

#include "boot/blob.h"
#include "boot/boot.h"

static uint64_t swap_word(struct wf_shm_header *header,
			  const struct wf_swap *swap)
{
	uint64_t seen = swap->expected;

	atomic_compare_exchange_strong(
		&header->board[swap->number % WF_BOARD_WORDS], &seen,
		swap->desired);
	return seen;
}

static int swap_stranger(struct wf_shm *dev, int index,
			 const struct wf_swap *swap, uint64_t *seen_p)
{
	struct wf_shm_view view;
	char why[WF_SHM_WHY];
	struct wf_blob blob;

	int status = wf_shm_visit(dev, wf_boot_node_member(dev->env.boot,
							   index),
				  &blob, &view, why);

	if (status)
		return status;
	*seen_p = swap_word(view.header, swap);
	wf_shm_view_close(&view);
	return WEFT_OK;
}

/* NULL: of one that this rank is not connected to. */
static struct wf_shm_header *header_of(const struct wf_shm *dev, int index)
{
	const struct wf_shm_ep *ep = dev->slot[index].ep;

	if (index == dev->me)
		return dev->header;
	return ep ? ep->header : NULL;
}

int wf_shm_board(struct wf_device *base, const struct wf_swap *swap,
		 uint64_t *seen_p)
{
	struct wf_shm *dev = wf_shm_dev(base);
	int index = (int)(swap->number / WF_BOARD_WORDS % (uint64_t)dev->n);
	struct wf_shm_header *header = header_of(dev, index);

	if (!header)
		return swap_stranger(dev, index, swap, seen_p);
	*seen_p = swap_word(header, swap);
	return WEFT_OK;
}
