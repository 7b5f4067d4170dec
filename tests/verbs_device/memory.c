/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Protection domains and memory regions, and every access to memory.
 *
 * A key is the number of a region and a count of its uses, so that one that was
 * deregistered is seen.  Keys for local and for remote use differ, as they may
 * (InfiniBand vol. 1, 10.6.3.1 and 10.6.3.2).
 */
#include "tests/verbs_device/model.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	REMOTE = 1u << 31,		/* in a key */
	COUNT_BITS = 8,
	PATIENCE = 2000,		/* times, while a peer may be away, */
	PATIENCE_US = 50
};

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif

/*
 * 0, or why not all of it was copied.  Only ESRCH and EFAULT say something of
 * the other process; a machine that forbids it must not pass for a death.
 */
static int check_copy(int pid, ssize_t copied, size_t bytes)
{
	int error = errno;

	if (copied == (ssize_t)bytes)
		return 0;
	if (copied >= 0)
		return EFAULT;
	/* One that ends just now is forbidden, too (yama). */
	if (error == EPERM && kill(pid, 0))
		error = errno;
	if (error != ESRCH && error != EFAULT)
		vd_die("processes may not reach each other's memory: %s",
		       strerror(error));
	return error;
}

/* process_vm_writev() or process_vm_readv() */
typedef ssize_t copier(pid_t pid, const struct iovec *local,
		       unsigned long nlocal, const struct iovec *remote,
		       unsigned long nremote, unsigned long flags);

static int copy(copier *by, uint32_t process, const struct iovec *local, int n,
		uint64_t at)
{
	struct iovec remote = { (void *)(uintptr_t)at, 0 };
	int pid = vd_process(process)->pid;

	for (int i = 0; i < n; i++)
		remote.iov_len += local[i].iov_len;
	return remote.iov_len ?
		check_copy(pid, by(pid, local, (unsigned long)n, &remote, 1, 0),
			   remote.iov_len) : 0;
}

int vd_write(uint32_t process, const struct iovec *from, int n, uint64_t to)
{
	return copy(process_vm_writev, process, from, n, to);
}

int vd_read(uint32_t process, const struct iovec *to, int n, uint64_t from)
{
	return copy(process_vm_readv, process, to, n, from);
}

/*
 * Why an access to memory that may be reached has failed: who died has none,
 * and nobody who looks at it.  A user who lives has taken it away.
 */
bool vd_has_died(uint32_t process, uint64_t addr, int error)
{
	if (error == ESRCH || !vd_is_alive(vd_process(process)))
		return true;
	vd_finding("registered memory at 0x%llx is gone: %s",
		   (unsigned long long)addr, strerror(error));
	return false;
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context)
{
	struct vd_pd *pd = calloc(1, sizeof(*pd));
	int error = vd_fails("ibv_alloc_pd");

	if (error || !pd) {
		free(pd);
		errno = error ? error : ENOMEM;
		return NULL;
	}
	vd_lock();
	pd->id = ++vd_world->last_pd;
	vd_context(context)->objects++;
	vd_unlock();
	pd->ibv.context = context;
	return &pd->ibv;
}

int ibv_dealloc_pd(struct ibv_pd *ibv)
{
	struct vd_pd *pd = vd_pd(ibv);

	if (pd->users) {
		vd_finding("ibv_dealloc_pd: %d objects use it", pd->users);
		return EBUSY;
	}
	vd_lock();
	vd_context(ibv->context)->objects--;
	vd_unlock();
	free(pd);
	return 0;
}

/* Nothing is added to a word of it; the kernel does that in one step. */
static bool is_writable(uintptr_t page)
{
	uint32_t none = 0;

	return syscall(SYS_futex, &none, FUTEX_WAKE_OP_PRIVATE, 0, NULL, page,
		       FUTEX_OP(FUTEX_OP_ADD, 0, FUTEX_OP_CMP_EQ, 0)) >= 0;
}

static int touch(uintptr_t from, uintptr_t to, bool writes)
{
	char byte;
	struct iovec iov = { &byte, 1 };

	for (uintptr_t page = from; page < to; page += VD_PAGE)
		if (writes ? !is_writable(page) :
		    vd_read(vd_me(), &iov, 1, page) != 0)
			return EFAULT;
	return 0;
}

/* As a driver pins: memory that is not there, or not writable, is refused. */
static int pin(void *addr, size_t bytes, unsigned access)
{
	uintptr_t from = (uintptr_t)addr & -(uintptr_t)VD_PAGE;
	uintptr_t to = ((uintptr_t)addr + bytes + VD_PAGE - 1) &
		       -(uintptr_t)VD_PAGE;
	bool writes = access & (IBV_ACCESS_LOCAL_WRITE |
				IBV_ACCESS_REMOTE_WRITE |
				IBV_ACCESS_REMOTE_ATOMIC);

	if (!madvise((void *)from, to - from, writes ? MADV_POPULATE_WRITE :
		     MADV_POPULATE_READ))
		return 0;
	/* Linux before 5.14 does not know that. */
	if (errno == EINVAL)
		return touch(from, to, writes);
	return errno == ENOMEM ? EFAULT : errno;
}

static int check_registration(struct vd_context *c, void *addr, size_t bytes,
			      unsigned access)
{
	unsigned remote = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC;
	int error = vd_fails("ibv_reg_mr");

	if (error)
		return error;
	/* ibv_reg_mr(3): who lets others write must let itself. */
	if (access & remote && !(access & IBV_ACCESS_LOCAL_WRITE))
		return EINVAL;
	if (!bytes || bytes > vd_device_setup(c->device)->attr.max_mr_size)
		return EINVAL;
	return pin(addr, bytes, access);
}

static struct vd_mr_state *free_mr(const struct vd_context *c)
{
	for (uint32_t i = 0; vd_has_room(c, VD_MR) && i < VD_MRS; i++) {
		uint32_t at = (vd_world->last_mr + 1 + i) % VD_MRS;

		if (at && !vd_world->mr[at].used) {
			vd_world->last_mr = at;
			return &vd_world->mr[at];
		}
	}
	return NULL;
}

static struct vd_mr_state *enter(struct vd_pd *pd, void *addr, size_t bytes,
				 unsigned access)
{
	struct vd_context *c = vd_context(pd->ibv.context);
	struct vd_mr_state *m = free_mr(c);

	if (!m)
		return NULL;
	m->key = (uint32_t)(m - vd_world->mr) << COUNT_BITS |
		 ((m->key + 1) & ((1u << COUNT_BITS) - 1));
	m->pd = pd->id;
	m->host = c->host;
	m->device = c->device;
	m->late = 0;
	m->addr = (uintptr_t)addr;
	m->length = bytes;
	m->access = access;
	__atomic_store_n(&m->used, vd_me(), __ATOMIC_RELEASE);
	vd_hold(c, VD_MR, 1);
	pd->users++;
	return m;
}

static struct ibv_mr *reg_mr(struct ibv_pd *ibv, void *addr, size_t bytes,
			     unsigned access)
{
	struct vd_mr *mr = calloc(1, sizeof(*mr));
	struct vd_mr_state *m = NULL;
	int error = check_registration(vd_context(ibv->context), addr, bytes,
				       access);

	if (!error && mr) {
		vd_lock();
		m = enter(vd_pd(ibv), addr, bytes, access);
		vd_unlock();
	}
	if (!m) {
		free(mr);
		errno = error ? error : ENOMEM;
		return NULL;
	}
	vd_model_registration((uintptr_t)addr, bytes);
	mr->slot = (uint32_t)(m - vd_world->mr);
	mr->ibv = (struct ibv_mr){
		.context = ibv->context, .pd = ibv, .addr = addr,
		.length = bytes, .lkey = m->key, .rkey = m->key | REMOTE
	};
	return &mr->ibv;
}

struct ibv_mr *(ibv_reg_mr)(struct ibv_pd *pd, void *addr, size_t bytes,
			    int access)
{
	return reg_mr(pd, addr, bytes, (unsigned)access);
}

struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *addr, size_t bytes,
				uint64_t iova, unsigned access)
{
	if (iova != (uintptr_t)addr) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	return reg_mr(pd, addr, bytes, access);
}

/*
 * What was acknowledged is placed before the call returns, unless its sender is
 * stopped or dead: then it never is.
 */
int ibv_dereg_mr(struct ibv_mr *ibv)
{
	struct vd_mr *mr = (struct vd_mr *)ibv;
	struct vd_mr_state *m = &vd_world->mr[mr->slot];

	vd_lock();
	for (int i = 0; m->late && i < PATIENCE; i++) {
		vd_unlock();
		usleep(PATIENCE_US);
		vd_lock();
	}
	m->used = 0;
	vd_pd(ibv->pd)->users--;
	vd_hold(vd_context(ibv->context), VD_MR, -1);
	vd_unlock();
	free(mr);
	return 0;
}

/* NULL: there is none with this key. */
struct vd_mr_state *vd_mr_of(uint32_t key, bool remote)
{
	struct vd_mr_state *m =
		&vd_world->mr[((key & ~REMOTE) >> COUNT_BITS) % VD_MRS];

	if (!!(key & REMOTE) != remote || !m->used ||
	    m->key != (key & ~REMOTE))
		return NULL;
	return m;
}

static const char *why_not(const struct vd_mr_state *m,
			   const struct vd_qp_state *q, uint64_t addr,
			   uint64_t n, unsigned access)
{
	if (!m)
		return "there is no such key";
	if (m->used != q->used || m->host != q->host ||
	    m->device != q->device || m->pd != q->pd)
		return "the key is of another protection domain";
	if (addr < m->addr || n > m->length || addr - m->addr > m->length - n)
		return "it is not inside of the region";
	if ((m->access & access) != access)
		return "the region does not allow it";
	return NULL;
}

/* InfiniBand vol. 1, 10.7.2.2: each local segment, when it is used. */
enum ibv_wc_status vd_check_sges(const struct vd_qp_state *q,
				 const struct ibv_sge *sge, int n,
				 unsigned access)
{
	for (int i = 0; i < n; i++) {
		const char *why = sge[i].length ?
			why_not(vd_mr_of(sge[i].lkey, false), q, sge[i].addr,
				sge[i].length, access) : NULL;

		if (!why)
			continue;
		vd_finding("queue pair 0x%x: local operand of %u bytes: %s",
			   (unsigned)q->qpn, (unsigned)sge[i].length, why);
		return IBV_WC_LOC_PROT_ERR;
	}
	return IBV_WC_SUCCESS;
}

/*
 * InfiniBand vol. 1, 9.7.4.1.5 and 10.6.3.2: key, domain, range, rights of the
 * region and of the queue pair.  The key of an access to nothing is not looked
 * at.
 */
bool vd_may_reach(const struct vd_qp_state *q, uint32_t rkey, uint64_t addr,
		  uint64_t n, unsigned access)
{
	const char *why;

	if ((q->attr.qp_access_flags & access) != access)
		why = "the queue pair does not allow it";
	else
		why = n ? why_not(vd_mr_of(rkey, true), q, addr, n, access) :
			  NULL;
	if (why)
		vd_finding("queue pair 0x%x of process %d: remote operand of "
			   "%llu bytes: %s", (unsigned)q->qpn,
			   vd_process(q->used)->pid, (unsigned long long)n,
			   why);
	return !why;
}

int vd_gather(const struct ibv_sge *sge, int n, struct iovec *to)
{
	for (int i = 0; i < n; i++)
		to[i] = (struct iovec){ (void *)(uintptr_t)sge[i].addr,
					sge[i].length };
	return n;
}

uint64_t vd_sge_bytes(const struct ibv_sge *sge, int n)
{
	uint64_t bytes = 0;

	for (int i = 0; i < n; i++)
		bytes += sge[i].length;
	return bytes;
}
