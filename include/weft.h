/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft.h - communication between the processes of a parallel job
 *
 * The umbrella over the topical headers. What holds for every call:
 *
 * Errors:   a call that can fail returns a status (weft/status.h): 0 is
 *           success, a positive value means not finished yet, a negative one
 *           is an error. Outputs are named with the suffix _p and last: at an
 *           error a handle that the call makes is NULL, other outputs are
 *           not written unless that is said. NULL where a call needs an
 *           object or a place for its output is WEFT_ERR_ARG; calls that
 *           return no status answer NULL with -1 for a rank, 0 for a size,
 *           NULL or an empty string. Where an argument leads to a job,
 *           weft_error_text() names the bad one and its value.
 * Forks:    the child of a fork is no rank: WEFT_ERR_FORKED, but for calls on
 *           what is of no job.
 * Threads:  a job opened for one thread is used by one thread at a time; one
 *           opened for several may be called from any of them.
 * Since:    all calls are there since version 0.1.
 * Objects:  every call takes the job or an object that belongs to one, or a
 *           value that needs none (weft/group.h, weft/info.h), which one
 *           thread uses at a time; there is no global state. What a create
 *           call returns, the free call of its kind gives back: it takes the
 *           address of the handle, sets that to NULL, and has nothing to do
 *           where it is NULL.
 */
#ifndef WEFT_H
#define WEFT_H

#include <weft/attr.h>
#include <weft/batch.h>
#include <weft/buffered.h>
#include <weft/cart.h>
#include <weft/coll.h>
#include <weft/comm.h>
#include <weft/derived.h>
#include <weft/dist.h>
#include <weft/dist_exch.h>
#include <weft/dist_query.h>
#include <weft/errors.h>
#include <weft/fold.h>
#include <weft/graph.h>
#include <weft/graph_full.h>
#include <weft/group.h>
#include <weft/icoll.h>
#include <weft/info.h>
#include <weft/inter.h>
#include <weft/job.h>
#include <weft/mem.h>
#include <weft/mprobe.h>
#include <weft/neighbor.h>
#include <weft/op.h>
#include <weft/p2p.h>
#include <weft/pack.h>
#include <weft/pattern.h>
#include <weft/peek.h>
#include <weft/persistent.h>
#include <weft/recipe.h>
#include <weft/reorder.h>
#include <weft/request.h>
#include <weft/rma.h>
#include <weft/sendrecv.h>
#include <weft/sparse.h>
#include <weft/status.h>
#include <weft/type.h>
#include <weft/vec.h>
#include <weft/version.h>

#endif
