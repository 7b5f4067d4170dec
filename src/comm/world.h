/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Opening a job in a given environment: the real one by weft_job_open(), a
 * simulated one by tests and tools.
 */
#ifndef WEFT_COMM_WORLD_H
#define WEFT_COMM_WORLD_H

struct weft_job;
struct wf_job_env;

int wf_job_open_env(const struct wf_job_env *env, struct weft_job **job_p);

#endif
