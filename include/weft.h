/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft.h - communication between the processes of a parallel job
 *
 * The umbrella over the topical headers. What holds for every call:
 *
 * Errors:   a call that can fail returns a status (weft/status.h): 0 is
 *           success, a positive value means not finished yet, a negative one
 *           is an error. Outputs, named with the suffix _p and last, are
 *           written only on success.
 * Threads:  a job opened for one thread is used by one thread at a time; one
 *           opened for several may be called from any of them.
 * Since:    all calls are there since version 0.1.
 * Objects:  every call takes the job or an object that belongs to one; there
 *           is no global state. What a create call returns, the matching
 *           destroy call gives back.
 */
#ifndef WEFT_H
#define WEFT_H

#include <weft/coll.h>
#include <weft/comm.h>
#include <weft/graph.h>
#include <weft/job.h>
#include <weft/mem.h>
#include <weft/op.h>
#include <weft/request.h>
#include <weft/status.h>
#include <weft/type.h>

#endif
