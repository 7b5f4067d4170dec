/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two queue pairs in one process, connected with each other, for the tests of
 * the test device itself.
 */
#ifndef WEFT_TESTS_VERBS_DEVICE_ENDS_H
#define WEFT_TESTS_VERBS_DEVICE_ENDS_H

#include <infiniband/verbs.h>
#include "tests/tap.h"

enum {
	ENDS_BYTES = 1 << 16,
	ENDS_ROOM = 16			/* work requests, and completions */
};

struct end {
	struct ibv_context *context;
	struct ibv_pd *pd;
	struct ibv_comp_channel *channel;
	struct ibv_cq *scq, *rcq;
	struct ibv_qp *qp;
	struct ibv_mr *mr;
	char *bytes;
	union ibv_gid gid;
	struct ibv_port_attr port;
};

extern struct end ends[2];

/* As tap_run(), where the device can be; else all is skipped. */
int ends_run(int argc, char **argv, const struct tap_case *cases, int n);

/* By this description; then to INIT, RTR and RTS, as far as is wanted. */
void ends_open(const char *description, enum ibv_qp_type type);
void ends_connect(void);
void ends_close(void);

/* Attributes of a transition, which a test may spoil. */
struct ibv_qp_attr ends_to_init(int i, int *mask_p);
struct ibv_qp_attr ends_to_receive(int i, int *mask_p);
struct ibv_qp_attr ends_to_send(int i, int *mask_p);

/*
 * From the first end to the same place of the other one: offset, bytes; it
 * reports.  A test may change it before it is posted.
 */
struct ends_post {
	struct ibv_send_wr wr;
	struct ibv_sge sge;
};
void ends_make(struct ends_post *p, enum ibv_wr_opcode opcode, size_t offset,
	       size_t n);
int ends_post(struct ends_post *p);

/* A buffer at an end. */
int ends_receive(int i, size_t offset, size_t n);

/* The next completion of a queue, for 10 s at most; false: there is none. */
bool ends_poll(struct ibv_cq *cq, struct ibv_wc *wc);
/* Its status; -1: none came. */
int ends_status(struct ibv_cq *cq);
/* The next event of an end, within a second; -1: none came. */
int ends_event(int i);

#endif
