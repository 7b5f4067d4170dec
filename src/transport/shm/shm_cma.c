/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory of a peer that is not in its segment, by its address there: a copy by
 * the kernel between two processes (cross memory attach), a plain one between
 * ranks of one process.
 *
 * The kernel asks for the right to trace the peer, which containers and
 * hardened systems withhold, from one of the two calls alone, too.  So both are
 * tried on the peer itself at the connect, by reading what is known already and
 * by writing what is there.  A dead writer writes no more: the pidfd is the
 * fence for this, too.
 */
#include "transport/shm/shm.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include "base/config.h"
#include "base/log.h"
#include "base/process.h"
#include "boot/blob.h"

enum {
	KNOWN_BYTES = offsetof(struct wf_shm_header, directory)
};

/* By the kernel, of the process that has this thread; an errno. */
static int copy_of(pid_t thread, uint64_t addr, char *local, size_t n,
		   bool to_peer)
{
	while (n) {
		struct iovec here = { local, n };
		struct iovec there = { (void *)(uintptr_t)addr, n };
		ssize_t done = to_peer ?
			process_vm_writev(thread, &here, 1, &there, 1, 0) :
			process_vm_readv(thread, &here, 1, &there, 1, 0);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return errno;
		local += done;
		addr += (uint64_t)done;
		n -= (size_t)done;
	}
	return 0;
}

/* Its first thread may have ended: then its memory is another one's. */
static int copy(const struct wf_shm_ep *ep, uint64_t addr, char *local,
		size_t n, bool to_peer)
{
	int error = copy_of(ep->pid, addr, local, n, to_peer);
	pid_t thread = error == ESRCH ? wf_process_thread(ep->pid) : 0;

	return thread ? copy_of(thread, addr, local, n, to_peer) : error;
}

/*
 * Is what lies at its header's address in the peer what the mapping shows?  And
 * may it be written: a word that is ours to write, and still is 0?
 */
static int try_peer(const struct wf_shm *dev, const struct wf_shm_ep *ep,
		    const struct wf_blob *blob)
{
	uint64_t header = blob->segment_base + ep->map.header, none = 0;
	char there[KNOWN_BYTES];
	int error = copy(ep, header, there, sizeof(there), false);

	if (!error && memcmp(there, (const void *)ep->header, sizeof(there)))
		error = EFAULT;
	if (error)
		return error;
	return copy(ep, header + wf_shm_header_bytes(dev->me) +
			offsetof(struct wf_shm_node, connect),
		    (char *)&none, sizeof(none), true);
}

bool wf_shm_reaches_anywhere(const struct wf_shm *dev,
			     const struct wf_shm_ep *ep,
			     const struct wf_blob *blob)
{
	int error;

	if (!dev->env.config->cma)
		return false;
	if (ep->pidfd < 0)
		return true;
	error = try_peer(dev, ep, blob);
	if (error)
		wf_info(dev->env.log, "shm: rank %d: no cross memory attach "
			"(%s): long messages into memory that is not from "
			"weft_mem_alloc() are copied twice", ep->ep.rank,
			strerror(error));
	return !error;
}

static int refusal(int error)
{
	return error == EFAULT ? WEFT_ERR_RANGE : WEFT_ERR_DEVICE;
}

/* Nothing comes from it any more; whether it is dead the detector says. */
static int ended(struct wf_shm_ep *ep)
{
	ep->ep.broken = true;
	return WEFT_AGAIN;
}

int wf_shm_write_anywhere(const struct wf_shm_ep *ep, uint64_t addr,
			  const void *src, size_t n)
{
	int error;

	if (!ep->ep.writes_anywhere)
		return WEFT_ERR_RANGE;
	if (ep->pidfd < 0) {
		memcpy((void *)(uintptr_t)addr, src, n);
		return WEFT_OK;
	}
	/* Its number may be another process's by now. */
	if (wf_process_ended(ep->pidfd))
		return WEFT_OK;
	error = copy(ep, addr, (char *)(uintptr_t)src, n, true);
	return !error || error == ESRCH || wf_shm_is_over(ep) ? WEFT_OK :
								refusal(error);
}

int wf_shm_read_anywhere(struct wf_shm_ep *ep, void *dst, uint64_t addr,
			 size_t n)
{
	int error;

	if (!ep->ep.writes_anywhere)
		return WEFT_ERR_RANGE;
	if (ep->pidfd < 0) {
		memcpy(dst, (const void *)(uintptr_t)addr, n);
		return WEFT_OK;
	}
	if (wf_process_ended(ep->pidfd))
		return ended(ep);
	error = copy(ep, addr, dst, n, false);
	/* Behind the copy: were these bytes of the peer? */
	if (!error && !wf_process_ended(ep->pidfd))
		return WEFT_OK;
	return !error || error == ESRCH || wf_shm_is_over(ep) ? ended(ep) :
								refusal(error);
}
