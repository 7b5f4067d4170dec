/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a process learns its rank and exchanges its first bytes.
 *
 * One interface, four ways behind it: pmix (a launcher with a PMIx server:
 * weftrun, srun --mpi=pmix, mpirun), pmi (one that speaks PMI-1 on PMI_FD:
 * mpiexec.hydra, srun --mpi=pmi2), inproc (N ranks in one process) and solo
 * (one rank). job/ opens exactly one boot per job and closes it last. Nothing
 * here waits longer than config->timeout_ns, whatever the launcher does.
 *
 * Statuses: WEFT_ERR_BOOT (no launcher, a broken one, a missing value),
 * WEFT_ERR_TIMEOUT (the launcher or another rank did not answer in time),
 * WEFT_ERR_NOMEM, WEFT_ERR_SIZE (a value does not fit), WEFT_ERR_RANGE (no
 * such rank). The sentence is in wf_boot_why(), for open in `why`. After
 * WEFT_ERR_TIMEOUT the launcher is never called again.
 *
 * Threads: one at a time per boot; boots of one inproc are independent.
 */
#ifndef WEFT_BOOT_BOOT_H
#define WEFT_BOOT_BOOT_H

#include <stddef.h>

#include <weft/status.h>

struct wf_boot;
struct wf_config;
struct wf_log;
struct weft_inproc;

/*
 * Called each WF_BOOT_TICK_NS by a thread that waits in a call of boot/ for
 * the launcher, or for other ranks: `what` names the operation.
 */
typedef void wf_boot_tick_fn(void *arg, const char *what);

#define WF_BOOT_TICK_NS 100000000u

struct wf_boot_options {
	size_t size;                    /* sizeof(struct wf_boot_options) */
	const struct wf_config *config; /* outlives the boot */
	const struct wf_log *log;       /* outlives the boot */
	struct weft_inproc *inproc;     /* NULL: look at the environment */
	int inproc_rank;                /* my rank there */
	char *const *environ;           /* NULL: that of the process */
	wf_boot_tick_fn *tick;          /* NULL: nobody wants to know */
	void *tick_arg;
};

/*
 * Chooses the way (WEFT_BOOT, else inproc if given, else what the environment
 * shows) and joins. A launcher without a usable server is refused with the
 * remedy in `why`; never N singletons.
 */
int wf_boot_open(const struct wf_boot_options *options, struct wf_boot **boot_p,
		 char *why, size_t why_len) WEFT_MUST_CHECK;

/* Local: does not wait for other ranks. Frees the boot whatever it returns. */
int wf_boot_close(struct wf_boot *boot);

/*
 * Ends the job and says why. Ends the process with `code`; only at
 * inproc it returns, and every fence of the job fails from now on.
 */
void wf_boot_abort(struct wf_boot *boot, int code, const char *why);

int wf_boot_rank(const struct wf_boot *boot);
int wf_boot_size(const struct wf_boot *boot);
const char *wf_boot_name(const struct wf_boot *boot);

/*
 * What some launchers tell: how many ranks there can be, and which of several
 * programs this is.  NULL: not told.  As long as the boot.
 */
const int *wf_boot_universe_size(const struct wf_boot *boot);
const int *wf_boot_appnum(const struct wf_boot *boot);

const char *wf_boot_why(const struct wf_boot *boot);

/*
 * The launcher's node map, as much of it as concerns this rank: memory is
 * proportional to the ranks on the node, never to the job.
 */
int wf_boot_node_size(const struct wf_boot *boot);  /* ranks on my node */
int wf_boot_node_rank(const struct wf_boot *boot);  /* my index among them */
int wf_boot_node_count(const struct wf_boot *boot); /* nodes of the job */

/* World rank of the i-th rank of my node, ascending; -1: no such index. */
int wf_boot_node_member(const struct wf_boot *boot, int i);

/* Inverse: index on my node of a world rank; -1: on another node. */
int wf_boot_node_index(const struct wf_boot *boot, int world_rank);

/*
 * The store. Keys are words of at most 31 printable characters, values bytes.
 * What was put before a fence is visible to every rank after it; a key that
 * was is not put again (launchers differ in what that does). Reading is not
 * cached here.
 */
int wf_boot_put(struct wf_boot *boot, const char *key, const void *value,
		size_t n) WEFT_MUST_CHECK;
int wf_boot_fence(struct wf_boot *boot) WEFT_MUST_CHECK;
int wf_boot_get(struct wf_boot *boot, int rank, const char *key, void *value,
		size_t max, size_t *n_p) WEFT_MUST_CHECK;

#endif
