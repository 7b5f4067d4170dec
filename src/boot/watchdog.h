/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A time limit for calls that may hang for ever: the call runs in a thread of
 * its own and the caller waits for it on a clock. A client library whose
 * server vanished does hang, and cannot be interrupted otherwise.
 */
#ifndef WEFT_BOOT_WATCHDOG_H
#define WEFT_BOOT_WATCHDOG_H

#include <stdint.h>

#include <weft/status.h>

/* How long the caller waits; meanwhile it calls tick(owner) so often. */
struct wf_watchdog {
	uint64_t timeout_ns;
	uint64_t tick_ns;
	void (*tick)(void *owner);
	void *owner;
};

/*
 * Runs call(arg). WEFT_OK: it has returned, `arg` is the caller's again.
 * WEFT_ERR_TIMEOUT: it has not; `arg` and all that it refers to belong to the
 * thread from now on, which calls drop(arg) if the call ever returns.
 * WEFT_ERR_NOMEM: no thread could be made and nothing was called.
 * Signals are blocked in the thread, and in threads that the call makes.
 */
int wf_watchdog_run(const struct wf_watchdog *dog, void (*call)(void *arg),
		    void (*drop)(void *arg), void *arg) WEFT_MUST_CHECK;

#endif
