/* SPDX-License-Identifier: BSD-3-Clause */
/* What is counted, and what takes time, by a model: see model.c. */
#ifndef WEFT_TESTS_VERBS_DEVICE_MODEL_H
#define WEFT_TESTS_VERBS_DEVICE_MODEL_H

#include "tests/verbs_device/device.h"

/* The process computes so long; without the lock. */
void vd_model_doorbell(void);
void vd_model_open(void);
void vd_model_registration(uint64_t addr, uint64_t bytes);

/* A request is posted, and executed now; under the lock. */
void vd_model_request(const struct vd_qp *q, struct vd_wr *w);
void vd_model_done(const struct vd_qp *q, struct vd_wr *w, uint64_t now);

/* The process leaves the world. */
void vd_model_tell(void);

#endif
