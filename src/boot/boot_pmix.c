/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A job started by a launcher with a PMIx server. Opened by boot.c when the
 * environment names one.
 *
 * Every call that talks to the server runs under a watchdog, because a client
 * whose server vanished hangs for ever. After one that did not return in time
 * (`dead`) the library is never called again: that thread still is inside.
 * Puts are kept here and handed over by the next fence, in one such call.
 */
#include <limits.h>
#include <pmix.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/lack.h"
#include "base/log.h"
#include "base/text.h"
#include "boot/boot_impl.h"
#include "boot/kv.h"
#include "boot/pmix_call.h"
#include "boot/pmix_home.h"
#include "boot/ranks.h"

#define ABORT_TIMEOUT_NS (5 * WF_NS_PER_S)

struct boot_pmix {
	struct wf_boot base;
	pmix_proc_t me;
	struct wf_kv puts; /* since the last fence */
	struct wf_pmix_watch *watch;
	bool dead;         /* a call did not return: no more of them */
};

static struct boot_pmix *pmix_boot(struct wf_boot *boot)
{
	return (struct boot_pmix *)boot;
}

/* What to blame: library, namespace, server; from the environment. */
static void describe(char *text, size_t size)
{
	const char *space = getenv("PMIX_NAMESPACE");
	const char *server = getenv("PMIX_SERVER_URI41");
	const char *version = PMIx_Get_version(); /* "OpenPMIx 4.2.2 (..." */
	int n = (int)strcspn(version, ",(");

	while (n > 0 && version[n - 1] == ' ')
		n--;
	if (server == NULL)
		server = getenv("PMIX_SERVER_URI4");
	if (server == NULL)
		server = getenv("PMIX_SERVER_URI2");
	snprintf(text, size, "%.*s, namespace %s, server %s",
		 n, version,
		 space != NULL ? space : "unknown",
		 server != NULL ? server : "unknown");
}

struct waiting {
	const struct wf_boot *boot;
	const char *what;
};

static void on_tick(void *owner)
{
	const struct waiting *waiting = owner;

	wf_boot_tick(waiting->boot, waiting->what);
}

/*
 * Runs the call under the watchdog. WEFT_OK: it returned, with a status of
 * the library in call->rc. Otherwise the call is gone and the sentence set.
 */
static int guard(struct boot_pmix *boot, struct wf_pmix_call *call,
		 uint64_t timeout_ns, const char *what)
{
	struct waiting waiting = { &boot->base, what };
	struct wf_watchdog dog = { timeout_ns, WF_BOOT_TICK_NS, on_tick,
				   &waiting };
	char blame[256];
	int status;

	if (boot->dead) {
		wf_pmix_call_drop(call);
		return wf_boot_fail(&boot->base, WEFT_ERR_BOOT, "the server of "
				    "the launcher did not answer before; %s "
				    "was not tried", what);
	}
	status = wf_watchdog_run(&dog, wf_pmix_call_run, wf_pmix_call_drop,
				 call);
	if (status == WEFT_OK)
		return status;
	if (status != WEFT_ERR_TIMEOUT) {
		wf_pmix_call_drop(call);
		return wf_boot_fail(&boot->base, status, "no memory or thread "
				    "for %s", what);
	}
	boot->dead = true;
	describe(blame, sizeof(blame));
	return wf_boot_fail(&boot->base, status, "%s did not end in %g s "
			    "(WEFT_TIMEOUT): the launcher's server is gone, or "
			    "a rank has not come (%s)", what,
			    (double)timeout_ns / WF_NS_PER_S, blame);
}

/* As guard(); a failure that the library reports is one here, too. */
static int guard_rc(struct boot_pmix *boot, struct wf_pmix_call *call,
		    uint64_t timeout_ns, const char *what)
{
	char blame[256];
	int status = guard(boot, call, timeout_ns, what);

	if (status != WEFT_OK || call->rc == PMIX_SUCCESS)
		return status;
	describe(blame, sizeof(blame));
	status = wf_boot_fail(&boot->base, WEFT_ERR_BOOT, "%s failed: %s (%s)",
			      what, PMIx_Error_string(call->rc), blame);
	wf_pmix_call_drop(call);
	return status;
}

static struct wf_pmix_call *make_call(struct boot_pmix *boot,
				      wf_pmix_body *body)
{
	struct wf_pmix_call *call = wf_pmix_call_create(body, &boot->me);

	if (call == NULL)
		wf_boot_fail(&boot->base, WEFT_ERR_NOMEM, "no memory to call "
			     "the launcher");
	return call;
}

static int pmix_put(struct wf_boot *boot, const char *key, const void *value,
		    size_t n)
{
	int status = wf_kv_put(&pmix_boot(boot)->puts, 0, key, value, n);

	if (status != WEFT_OK)
		return wf_boot_fail(boot, status, "no memory for value %s of "
				    "%zu bytes", key, n);
	return WEFT_OK;
}

static int pmix_fence(struct wf_boot *boot)
{
	struct boot_pmix *self = pmix_boot(boot);
	struct wf_pmix_call *call = make_call(self, wf_pmix_fence);
	int status;

	if (call == NULL)
		return WEFT_ERR_NOMEM;
	call->puts = self->puts;
	wf_kv_init(&self->puts);
	status = guard_rc(self, call, boot->timeout_ns, "the PMIx fence");
	if (status == WEFT_OK)
		wf_pmix_call_drop(call);
	return status;
}

static int pmix_get(struct wf_boot *boot, int rank, const char *key,
		    struct wf_boot_value *value)
{
	struct boot_pmix *self = pmix_boot(boot);
	struct wf_pmix_call *call = make_call(self, wf_pmix_get);
	int status;

	if (call == NULL)
		return WEFT_ERR_NOMEM;
	call->proc.rank = (pmix_rank_t)rank;
	snprintf(call->key, sizeof(call->key), "weft.%s", key);
	status = guard(self, call, boot->timeout_ns, "PMIx_Get");
	if (status != WEFT_OK)
		return status;
	if (call->rc == PMIX_SUCCESS)
		status = wf_boot_give(boot, key, call->bytes, call->n, value);
	else
		status = wf_boot_fail(boot, WEFT_ERR_BOOT, "rank %d has put no "
				      "value %s (PMIx_Get: %s)", rank, key,
				      PMIx_Error_string(call->rc));
	wf_pmix_call_drop(call);
	return status;
}

static void pmix_abort(struct wf_boot *boot, int code, const char *why)
{
	struct boot_pmix *self = pmix_boot(boot);
	struct wf_pmix_call *call = make_call(self, wf_pmix_abort);
	uint64_t timeout_ns = boot->timeout_ns;

	wf_error(boot->log, "job aborted with code %d: %s", code, why);
	if (timeout_ns > ABORT_TIMEOUT_NS)
		timeout_ns = ABORT_TIMEOUT_NS;
	if (call != NULL) {
		call->code = code;
		snprintf(call->why, sizeof(call->why), "%s", why);
		if (guard(self, call, timeout_ns, "PMIx_Abort") != WEFT_OK)
			wf_warn(boot->log, "%s", boot->why);
	}
	_exit(code);
}

static int pmix_close(struct wf_boot *boot)
{
	struct boot_pmix *self = pmix_boot(boot);
	struct wf_pmix_call *call;
	int status = WEFT_OK;

	atomic_store(&self->watch->off, true);
	if (!self->dead) {
		call = make_call(self, wf_pmix_leave);
		status = WEFT_ERR_NOMEM;
		if (call != NULL)
			status = guard_rc(self, call, boot->timeout_ns,
					  "PMIx_Finalize");
		if (status != WEFT_OK) {
			wf_warn(boot->log, "%s", boot->why);
		} else {
			wf_pmix_call_drop(call);
			free(self->watch);
		}
	}
	wf_kv_fini(&self->puts);
	free(boot->node.ranks);
	free(self);
	return status;
}

static const struct wf_boot_ops pmix_ops = {
	"pmix", pmix_put, pmix_fence, pmix_get, pmix_abort, pmix_close,
};

static void set_fact(struct wf_boot_fact *fact, long value, long least)
{
	fact->told = value >= least && value <= INT_MAX;
	fact->value = (int)value;
}

/* Takes what the join found out: rank, size, the ranks of this node. */
static int settle(struct boot_pmix *self, const struct wf_pmix_call *call)
{
	struct wf_boot *boot = &self->base;
	const char *peers = call->peers;
	char alone[16];
	int status;

	if (call->size < 1 || call->proc.rank >= (unsigned long)call->size)
		return wf_boot_fail(boot, WEFT_ERR_BOOT, "the launcher says "
				    "that this is rank %u of %ld ranks",
				    call->proc.rank, call->size);
	self->me = call->proc;
	boot->rank = (int)call->proc.rank;
	boot->size = (int)call->size;
	set_fact(&boot->universe_size, call->universe, 1);
	set_fact(&boot->appnum, call->appnum, 0);
	snprintf(alone, sizeof(alone), "%d", boot->rank);
	if (peers == NULL) {
		wf_warn(boot->log, "the launcher does not tell which ranks "
			"share this node; shared memory is not used");
		peers = alone;
	}
	status = wf_ranks_parse(peers, boot->size, &boot->node.ranks,
				&boot->node.size);
	if (status != WEFT_OK)
		return wf_boot_fail(boot, status, "the launcher's list of the "
				    "ranks on this node is malformed: %.80s",
				    peers);
	if (wf_boot_node_index(boot, boot->rank) < 0)
		return wf_boot_fail(boot, WEFT_ERR_BOOT, "the launcher's list "
				    "of the ranks on this node lacks rank %d: "
				    "%.80s", boot->rank, peers);
	boot->node.count = (int)call->nodes;
	if (boot->node.size == boot->size)
		boot->node.count = 1;
	else if (boot->node.count < 2)
		boot->node.count = 2; /* not told; there is another one */
	return WEFT_OK;
}

/* Most likely the variables are those of a launcher that has ended. */
static void add_remedy(struct wf_boot *boot)
{
	wf_text_add(boot->why, sizeof(boot->why), "; if that launcher has "
		    "ended, start with `weftrun -n N` or `srun --mpi=pmix`, "
		    "or unset its PMIX_* variables");
	wf_lack_hint(0, boot->why, sizeof(boot->why));
}

static int join(struct boot_pmix *self)
{
	struct wf_pmix_call *call = make_call(self, wf_pmix_join);
	int status;

	if (call == NULL)
		return WEFT_ERR_NOMEM;
	wf_pmix_need_home();
	/* The library may look at it for ever, unless it was finalized. */
	call->watch = calloc(1, sizeof(*call->watch));
	if (call->watch == NULL) {
		wf_pmix_call_drop(call);
		return wf_boot_fail(&self->base, WEFT_ERR_NOMEM, "no memory to "
				    "open a job");
	}
	call->watch->log = *self->base.log;
	status = guard_rc(self, call, self->base.timeout_ns, "PMIx_Init");
	if (status != WEFT_OK) {
		add_remedy(&self->base);
		return status;
	}
	self->watch = call->watch;
	status = settle(self, call);
	if (status != WEFT_OK)
		atomic_store(&self->watch->off, true);
	wf_pmix_call_drop(call);
	return status;
}

int wf_boot_pmix_open(const struct wf_boot_options *options,
		      struct wf_boot **boot_p, char *why, size_t why_len)
{
	struct boot_pmix *self = wf_boot_create(sizeof(*self), &pmix_ops,
						options, why, why_len);
	int status;

	if (self == NULL)
		return WEFT_ERR_NOMEM;
	wf_kv_init(&self->puts);
	status = wf_boot_take_launcher(&self->base);
	if (status == WEFT_OK)
		status = join(self);
	if (status != WEFT_OK) {
		snprintf(why, why_len, "%s", self->base.why);
		free(self->base.node.ranks);
		free(self);
		return status;
	}
	*boot_p = &self->base;
	return WEFT_OK;
}
