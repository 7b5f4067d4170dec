/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The adapters and the wire between them: one piece of memory that all
 * processes of a test map, under one lock.  A table for each kind of object
 * whose state other processes need; what only its owner needs is in device.h.
 *
 * A process may die at any place, also under the lock: an entry counts from the
 * moment at which one word says so, and is taken back by who finds its owner
 * dead.
 */
#ifndef WEFT_TESTS_VERBS_DEVICE_WORLD_H
#define WEFT_TESTS_VERBS_DEVICE_WORLD_H

#include <infiniband/verbs.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	VD_HOSTS = 16,
	VD_DEVICES = 8,			/* of each host */
	VD_PORTS = 2,			/* of each device */
	VD_PROCESSES = 64,
	VD_QPS = 1 << 15,
	VD_QP_BITS = 15,
	VD_CQS = 1 << 12,
	VD_RQS = 1 << 15,
	VD_MRS = 1 << 14,
	VD_SGES = 4,			/* of a work request, at most */
	VD_EVENTS = 64,
	VD_PAGE = 4096,
	VD_PAGES = 1 << 16		/* for rings */
};

/* An asynchronous event on its way to the process that is to hear it. */
struct vd_news {
	enum ibv_event_type type;
	struct vd_context *context;	/* the owner's own addresses */
	void *element;
};

/* What an adapter has a limited number of, for all processes of its host. */
enum vd_kind { VD_QP, VD_CQ, VD_SRQ, VD_MR, VD_AH, VD_KINDS };

/* used is 0, or the process: its number and 1. */
struct vd_process {
	uint32_t used;
	int pid;
	int host;
	uint64_t *beacon;		/* in it, */
	uint64_t cookie;		/* and what is there while it lives */
	uint64_t born;			/* ns: its first context; 0: none yet */
	uint32_t bell;			/* futex: something is to be done */
	uint32_t told;			/* the bell, when all was told */
	uint32_t has[VD_DEVICES][VD_KINDS];
	uint32_t nnews;
	struct vd_news news[VD_EVENTS];
};

struct vd_cqe {
	struct ibv_wc wc;
	uint32_t frees;			/* send queue: up to this one */
	uint32_t rq;			/* receive queue: of this one; or 0 */
	uint64_t due;			/* when it may be seen; ns */
	bool solicited;			/* or an error: any request hears it */
};

struct vd_cq_state {
	uint32_t used;
	uint32_t size, head, tail;	/* entries ever */
	uint32_t ring, pages;		/* struct vd_cqe */
	uint8_t armed;			/* 1: any event, 2: a solicited one, */
	uint64_t since;			/* of what is seen after that; ns */
	bool rung, failed;
	struct vd_cq *local;
};

struct vd_recv {
	uint64_t wr_id;
	int n;
	struct ibv_sge sge[VD_SGES];
};

/* The receive queue of a queue pair, or a shared one. */
struct vd_rq_state {
	uint32_t used;
	uint32_t pd;
	uint32_t size, head, tail;	/* posted, taken by messages, ever */
	uint32_t freed;			/* whose completions were polled */
	uint32_t ring, pages;		/* struct vd_recv */
	bool shared;
};

struct vd_qp_state {
	uint32_t used;
	uint32_t qpn;			/* a number is not used twice soon */
	enum ibv_qp_type type;
	enum ibv_qp_state state;
	uint32_t pd;
	uint32_t scq, rcq, rq;		/* numbers in the tables */
	int host, device, port;		/* ports count from 1 */
	struct ibv_qp_attr attr;	/* as it was modified */
	bool established;		/* something has come */
	uint32_t ece;			/* options that were asked for */
	struct vd_qp *local;
};

struct vd_mr_state {
	uint32_t used;
	uint32_t key;			/* number and a count of its uses */
	uint32_t pd;
	int host, device;
	uint32_t late;			/* pieces acknowledged, not placed */
	uint64_t addr, length;
	unsigned access;
};

struct vd_world {
	uint32_t ready;
	uint64_t description;		/* hash: all mean the same */
	pthread_mutex_t lock;		/* robust */
	uint32_t last_pd;
	uint32_t last_qp, last_mr;
	struct vd_process process[VD_PROCESSES];
	uint64_t wire[VD_HOSTS][VD_DEVICES];	/* free from then on; ns */
	struct vd_cq_state cq[VD_CQS];
	struct vd_rq_state rq[VD_RQS];
	struct vd_qp_state qp[VD_QPS];
	struct vd_mr_state mr[VD_MRS];
	uint8_t taken[VD_PAGES];	/* by whose rings */
	_Alignas(VD_PAGE) char page[VD_PAGES][VD_PAGE];
};

/* Of this process. */
extern struct vd_world *vd_world;
extern struct vd_process *vd_self;

static inline uint32_t vd_me(void)
{
	return (uint32_t)(vd_self - vd_world->process) + 1;
}

static inline struct vd_process *vd_process(uint32_t used)
{
	return &vd_world->process[used - 1];
}

static inline void *vd_ring(uint32_t page)
{
	return vd_world->page[page];
}

/* qp_state.c: its vendor, and options of it that are in use; 0: none */
uint64_t vd_ece(const struct vd_qp_state *q);

/* world.c: enter is called for each context, and has its leave. */
void vd_look_again(void);
int vd_enter(void);
void vd_leave(void);
void vd_lock(void);
void vd_unlock(void);
bool vd_is_alive(struct vd_process *p);
uint64_t vd_now(void);
uint32_t vd_count(int device, enum vd_kind kind);
/* Pages for so many bytes; 0: there are none. */
uint32_t vd_take_pages(size_t bytes);
void vd_give_pages(uint32_t page, uint32_t n);
static inline uint32_t vd_pages_for(size_t bytes)
{
	return (uint32_t)((bytes + VD_PAGE - 1) / VD_PAGE);
}

/* memory.c: another process's memory, or the own; 0 or an errno. */
int vd_write(uint32_t process, const struct iovec *from, int n, uint64_t to);
int vd_read(uint32_t process, const struct iovec *to, int n, uint64_t from);

#endif
