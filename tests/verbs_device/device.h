/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a process has of the device: objects behind those of verbs.h, each with
 * its entry in the world.  All of it is looked at under the world's lock.
 */
#ifndef WEFT_TESTS_VERBS_DEVICE_DEVICE_H
#define WEFT_TESTS_VERBS_DEVICE_DEVICE_H

#include <infiniband/verbs.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>
#include "tests/verbs_device/setup.h"
#include "tests/verbs_device/world.h"

/* A descriptor that is readable as long as something is in the list. */
struct vd_box {
	int fd, n;
	void *item[2 * VD_EVENTS];
	int kind[2 * VD_EVENTS];
};

struct vd_context {
	struct verbs_context ex;	/* first: ibv_context is behind */
	int host, device;
	struct vd_box box;		/* asynchronous events */
	int objects;			/* that are to be gone first */
	struct vd_context *next;	/* of this process */
};

struct vd_pd {
	struct ibv_pd ibv;
	uint32_t id;
	int users;
};

struct vd_mr {
	struct ibv_mr ibv;
	uint32_t slot;
};

struct vd_channel {
	struct ibv_comp_channel ibv;
	struct vd_box box;
};

struct vd_cq {
	struct ibv_cq ibv;
	struct vd_cq_state *state;
	struct vd_channel *channel;
	struct vd_cq *next;		/* of this process */
	int users;
	unsigned unacked;		/* events, of both kinds */
};

struct vd_srq {
	struct ibv_srq ibv;
	uint32_t rq;
	int users;
};

struct vd_ah {
	struct ibv_ah ibv;
	struct ibv_ah_attr attr;
	uint32_t qpn, last;		/* who sent by it, its request */
};

/* A work request of a send queue, from its post to its completion. */
struct vd_wr {
	struct vd_wr *next;
	struct ibv_send_wr wr;
	struct ibv_sge sge[VD_SGES];
	char *copy;			/* of inline data; or NULL */
	uint64_t bytes;
	uint32_t number;		/* in the send queue */
	uint64_t ready;			/* ns: not before it */
	uint64_t known;			/* ns: nor its end before this */
	int pieces;			/* not placed */
	bool begun, done;
	bool drawn;			/* whether it is a late read */
	enum ibv_wc_status status;
};

struct vd_qp {
	struct ibv_qp ibv;
	struct vd_qp_state *state;
	struct ibv_qp_cap cap;
	bool all_signaled;
	struct vd_wr *first, **last;
	uint32_t posted, freed;		/* of the send queue */
	struct vd_piece *pieces;	/* under way: place.c */
	uint64_t silent_until;		/* 0: the peer answers */
	unsigned rnr_tries;
	struct vd_qp *next;		/* of this process */
	unsigned unacked;		/* events */
};

extern struct vd_context *vd_contexts;
extern struct vd_qp *vd_qps;
extern struct vd_cq *vd_cqs;

/* setup.c */
void vd_die(const char *format, ...)
	__attribute__((noreturn, format(printf, 1, 2)));
void vd_unknown(const char *name);

/* setup_words.c */
void vd_word(struct vd_setup *s, const char *statement, const char *name,
	     char *value);
void vd_add_gid(struct vd_port_setup *p, char *value);

/* fault.c: what the user of the device did wrong; and what is to go wrong */
void vd_finding(const char *format, ...) __attribute__((format(printf, 1, 2)));
int vd_fails(const char *call);
bool vd_one_in(unsigned n);
uint16_t vd_lids_moved(const struct vd_process *p, int device, int port);
unsigned vd_gids_moved(int device, int port);
uint64_t vd_delay(void);
void vd_mishaps_begin(void);
uint64_t vd_mishaps(uint64_t now);
bool vd_is_down(const struct vd_process *p, int device, int port);

/* engine.c */
int vd_engine_start(void);
void vd_engine_stop(void);
/* Something is to be done at that time. */
void vd_due(uint64_t at);
void vd_step_if_due(void);
bool vd_engine_is_due(void);

/* context.c */
void vd_name_devices(void);
union ibv_gid vd_gid(int host, int device, int port, int index);
void vd_ring_process(uint32_t process);
bool vd_has_room(const struct vd_context *c, enum vd_kind kind);
void vd_hold(struct vd_context *c, enum vd_kind kind, int by);

/* event.c */
int vd_box_open(struct vd_box *box);
void vd_box_close(struct vd_box *box);
void vd_box_put(struct vd_box *box, void *item, int kind);
bool vd_box_get(struct vd_box *box, void **item, int *kind);
unsigned vd_box_purge(struct vd_box *box, const void *item);
void vd_announce(struct vd_qp_state *q, enum ibv_event_type type);
void vd_announce_cq(struct vd_cq_state *c);
void vd_announce_port(struct vd_context *c, enum ibv_event_type type,
		      int port);
void vd_forget_news(const void *element);
bool vd_is_unacked(const char *call, unsigned events);
/* Events of this process go to its descriptors. */
void vd_tell(void);

/* cq.c; a completion is of a queue pair that may be another process's */
void vd_complete(struct vd_cq_state *c, const struct vd_cqe *e);
void vd_cq_fail(struct vd_cq_state *c);
uint64_t vd_show_completions(uint64_t now);
void vd_forget_completions(struct vd_cq_state *c, uint32_t qpn);
int vd_poll_cq(struct ibv_cq *cq, int n, struct ibv_wc *wc);
int vd_req_notify_cq(struct ibv_cq *cq, int solicited_only);

/* receive.c */
uint32_t vd_rq_create(uint32_t pd, uint32_t size, bool shared);
void vd_rq_destroy(uint32_t rq);
int vd_rq_post(uint32_t rq, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad);
struct vd_recv *vd_rq_take(struct vd_rq_state *rq);
void vd_flush_receives(struct vd_qp_state *q);
int vd_post_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *wr,
		     struct ibv_recv_wr **bad);
int vd_post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr,
		 struct ibv_recv_wr **bad);

/* memory.c: a local operand, a remote one; 0: it may be used */
bool vd_has_died(uint32_t process, uint64_t addr, int error);
struct vd_mr_state *vd_mr_of(uint32_t key, bool remote);
enum ibv_wc_status vd_check_sges(const struct vd_qp_state *q,
				 const struct ibv_sge *sge, int n,
				 unsigned access);
bool vd_may_reach(const struct vd_qp_state *q, uint32_t rkey, uint64_t addr,
		  uint64_t n, unsigned access);
int vd_gather(const struct ibv_sge *sge, int n, struct iovec *to);
uint64_t vd_sge_bytes(const struct ibv_sge *sge, int n);

/* qp.c */
struct vd_qp_state *vd_qp_of(uint32_t qpn);
void vd_qp_fail(struct vd_qp_state *q);
void vd_qp_reset(struct vd_qp *qp);
void vd_drop_requests(struct vd_qp *q);

/* send.c: the send queue, and what is next in it */
int vd_post_send(struct ibv_qp *qp, struct ibv_send_wr *wr,
		 struct ibv_send_wr **bad);
void vd_pump(struct vd_qp *q);
void vd_request_ends(struct vd_wr *w, enum ibv_wc_status status);

/* wire.c: at the peer.  WAIT: later; SILENT: nobody answers. */
enum vd_answer { VD_DONE, VD_WAIT, VD_SILENT, VD_FAILED };
enum vd_answer vd_execute(struct vd_qp *q, struct vd_wr *w);

/* route.c: a queue pair, or NULL: nobody there receives */
int vd_check_gid(int device, const struct ibv_ah_attr *path);
struct ibv_ah_attr vd_path(int device, const struct ibv_ah_attr *path);
struct vd_qp_state *vd_route(const struct vd_qp_state *from,
			     const struct ibv_ah_attr *path, uint32_t qpn);

/* place.c: bytes on their way into the peer's memory */
void vd_launch(struct vd_qp *q, struct vd_wr *w, struct vd_qp_state *to);
void vd_place_now(struct vd_wr *w, struct vd_qp_state *to);
uint64_t vd_place_due(struct vd_qp *q, uint64_t now);
bool vd_is_under_way(const struct vd_qp *q);
void vd_land_acknowledged(struct vd_qp *q);

/* ud.c */
void vd_sends_by(const struct vd_qp *q, struct ibv_ah *ah);
enum vd_answer vd_send_datagram(struct vd_qp *q, struct vd_wr *w);
uint64_t vd_datagrams_due(uint64_t now);
void vd_forget_datagrams(void);

static inline struct vd_context *vd_context(struct ibv_context *c)
{
	return (struct vd_context *)((char *)c -
		offsetof(struct vd_context, ex.context));
}

static inline struct vd_qp *vd_qp(struct ibv_qp *qp)
{
	return (struct vd_qp *)qp;
}

static inline struct vd_cq *vd_cq(struct ibv_cq *cq)
{
	return (struct vd_cq *)cq;
}

static inline struct vd_pd *vd_pd(struct ibv_pd *pd)
{
	return (struct vd_pd *)pd;
}

static inline struct vd_srq *vd_srq(struct ibv_srq *srq)
{
	return (struct vd_srq *)srq;
}

static inline uint64_t vd_sooner(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

#endif
