/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that peers can write directly.  Exchanges work on any memory; within
 * a node large messages into weft_mem_alloc()'s go without a copy in between.
 */
#ifndef WEFT_MEM_H
#define WEFT_MEM_H

#include <stddef.h>
#include <weft/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_job;
struct weft_mem;

/**
 * weft_mem_alloc - memory from the registered arena of the job
 *
 * bytes         0 gives a valid address, too
 * base_p [out]  aligned to 64 bytes; not cleared; free with weft_mem_free()
 *
 * Returns:  WEFT_OK, WEFT_ERR_NOMEM (the arena cannot grow: $WEFT_ARENA_MAX).
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_mem_alloc(struct weft_job *job, size_t bytes, void **base_p)
	WEFT_MUST_CHECK;

/**
 * weft_mem_free - give memory of weft_mem_alloc() back
 *
 * base         may be NULL; no exchange that uses it is under way.  An address
 *              that weft_mem_alloc() did not give, or that was given back, is
 *              told in the log and left alone.
 *
 * Blocks:   no.   Collective: no.
 */
WEFT_API void weft_mem_free(struct weft_job *job, void *base);

/**
 * weft_mem_register - register the program's own memory with the devices
 *
 * base, bytes  memory that stays mapped until weft_mem_unregister(); 0 bytes
 *              are allowed, then base may be NULL
 * mem_p [out]  the registration
 *
 * Of the transports only verbs makes a remote key of it: large messages are put
 * straight into it. By the others they go through chunk slots, or by the kernel
 * ($WEFT_CMA).
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG, WEFT_ERR_NOMEM, WEFT_ERR_DEVICE.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_mem_register(struct weft_job *job, void *base, size_t bytes,
			       struct weft_mem **mem_p) WEFT_MUST_CHECK;

/**
 * weft_mem_unregister - end a registration
 *
 * mem_p        set to NULL; NULL inside is fine; no exchange that uses the
 *              memory is under way
 *
 * Blocks:   no.   Collective: no.
 */
WEFT_API void weft_mem_unregister(struct weft_mem **mem_p);

#ifdef __cplusplus
}
#endif

#endif
