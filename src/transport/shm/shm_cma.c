/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory of a peer that is not in its segment, by its address there: a copy by
 * the kernel between two processes (cross memory attach), a plain one between
 * ranks of one process.
 *
 * The kernel asks for the right to trace the peer, which containers and
 * hardened systems withhold, so it is tried on the peer itself at the connect,
 * by reading what is known already.  A dead writer writes no more: the pidfd
 * is the fence for this, too.
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

/* Is what lies at its header's address in the peer what the mapping shows? */
static int try_peer(const struct wf_shm_ep *ep, const struct wf_blob *blob)
{
	char there[KNOWN_BYTES];
	struct iovec to = { there, sizeof(there) };
	struct iovec from = {
		(void *)(uintptr_t)(blob->segment_base + ep->map.header),
		sizeof(there)
	};
	ssize_t n = process_vm_readv(ep->pid, &to, 1, &from, 1, 0);

	if (n < 0)
		return errno;
	return n == (ssize_t)sizeof(there) &&
	       !memcmp(there, (const void *)ep->header, sizeof(there)) ?
		0 : EFAULT;
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
	error = try_peer(ep, blob);
	if (error)
		wf_info(dev->env.log, "shm: rank %d: no cross memory attach "
			"(%s): long messages into memory that is not from "
			"weft_mem_alloc() are copied twice", ep->ep.rank,
			strerror(error));
	return !error;
}

/* By the kernel; an errno. */
static int copy(const struct wf_shm_ep *ep, uint64_t addr, char *local,
		size_t n, bool to_peer)
{
	while (n) {
		struct iovec here = { local, n };
		struct iovec there = { (void *)(uintptr_t)addr, n };
		ssize_t done = to_peer ?
			process_vm_writev(ep->pid, &here, 1, &there, 1, 0) :
			process_vm_readv(ep->pid, &here, 1, &there, 1, 0);

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
	return !error || error == ESRCH ? WEFT_OK : refusal(error);
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
	if (error == ESRCH || (!error && wf_process_ended(ep->pidfd)))
		return ended(ep);
	return error ? refusal(error) : WEFT_OK;
}
