/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a process becomes a member of a job: settings, launcher, segment,
 * devices, boot blob, in this order; parting undoes it in reverse.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/clock.h"
#include "base/descriptor.h"
#include "base/lack.h"
#include "base/text.h"
#include "boot/boot.h"
#include "job/abort.h"
#include "job/crowd.h"
#include "job/job.h"
#include "job/liveness.h"
#include "job/peer.h"
#include "transport/backends.h"

extern char **environ;

static uint64_t real_now(void *arg)
{
	(void)arg;
	return wf_clock_ns();
}

static void fill_env(struct weft_job *job, const struct wf_job_env *env)
{
	job->env = *env;
	job->env.options = NULL;	/* the program's, and soon gone */
	if (!job->env.tps)
		job->env.tps = wf_tp_table;
	if (!job->env.live)
		job->env.live = &wf_live_tcp;
	if (!job->env.now)
		job->env.now = real_now;
}

/* Launchers' libraries set variables, and then it moves: never kept. */
static char *const *environ_of(const struct weft_job *job)
{
	return job->env.environ ? job->env.environ : environ;
}

static int read_settings(struct weft_job *job)
{
	char why[WF_ERROR_TEXT];
	int status = wf_config_read(&job->config, environ_of(job), why,
				    sizeof(why));

	wf_log_init(&job->log, status ? WF_LOG_ERROR : job->config.log, "");
	if (status)
		wf_error(&job->log, "%s", why);
	return status;
}

static void tell_unknown_variable(void *arg, const char *name,
				  const char *suggestion)
{
	struct weft_job *job = arg;

	if (suggestion)
		wf_warn(&job->log, "unknown variable %s: did you mean %s?",
			name, suggestion);
	else
		wf_warn(&job->log, "unknown variable %s: weft(7) lists the "
			"known ones", name);
}

static int join_launcher(struct weft_job *job,
			 const struct weft_job_options *o)
{
	struct wf_boot_options options = {
		.size = sizeof(options), .config = &job->config,
		.log = &job->log, .inproc = o->inproc,
		.inproc_rank = o->inproc_rank,
		.environ = job->env.environ,
		.tick = wf_report_boot, .tick_arg = job
	};
	char why[WF_ERROR_TEXT], prefix[64], host[32] = "?";
	int status = wf_boot_open(&options, &job->boot, why, sizeof(why));

	if (status) {
		wf_error(&job->log, "%s", why);
		return status;
	}
	job->rank = wf_boot_rank(job->boot);
	job->size = wf_boot_size(job->boot);
	if (gethostname(host, sizeof(host) - 1))
		host[0] = 0;
	snprintf(prefix, sizeof(prefix), "rank %d host %s", job->rank, host);
	wf_log_init(&job->log, job->config.log, prefix);
	return WEFT_OK;
}

/* errno says why that call failed. */
static int no_gate(const struct weft_job *job, const char *call)
{
	char why[WF_LACK_TEXT];
	int error = errno;

	wf_lack_text(error, why, sizeof(why));
	wf_error(&job->log, "%s: %s; weft needs it to know the child of a "
		 "fork (Linux 4.14)", call, why);
	return error == ENOMEM ? WEFT_ERR_NOMEM : WEFT_ERR_DEVICE;
}

/* A process has too few mappings for one of each simulated rank. */
static int make_gate(struct weft_job *job)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint64_t *p;
	int status;

	if (job->env.idle) {
		job->own_gate = WF_GATE_OPEN;
		job->gate = &job->own_gate;
		return WEFT_OK;
	}
	p = mmap(NULL, page, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return no_gate(job, "mmap");
	if (madvise(p, page, MADV_WIPEONFORK)) {
		status = no_gate(job, "madvise(MADV_WIPEONFORK)");
		munmap(p, page);
		return status;
	}
	*p = WF_GATE_OPEN;
	job->gate = p;
	return WEFT_OK;
}

static void drop_gate(struct weft_job *job)
{
	if (job->gate != &job->own_gate)
		munmap(job->gate, (size_t)sysconf(_SC_PAGESIZE));
}

static int make_blob(struct weft_job *job)
{
	char why[WF_LACK_TEXT + 64];
	struct wf_identity id;
	int status = wf_identity_read(&id, why, sizeof(why));

	if (status) {
		wf_error(&job->log, "%s", why);
		return status;
	}
	wf_blob_init(&job->blob, &id, wf_config_hash(&job->config));
	job->blob.memfd = job->segment.fd;
	job->blob.segment_base = (uintptr_t)job->segment.base;
	if (!job->env.seed)
		return wf_blob_key_random(&job->blob);
	wf_blob_key_seeded(&job->blob, &job->random);
	return WEFT_OK;
}

static enum wf_segment_kind kind_of_segment(const struct weft_job *job)
{
	if (job->env.world)
		return WF_SEGMENT_ANONYMOUS;
	return job->config.huge_pages ? WF_SEGMENT_HUGE : WF_SEGMENT_MEMFD;
}

static int lacks_memory(const struct weft_job *job)
{
	char why[WF_LACK_TEXT];

	wf_segment_why(&job->segment, why, sizeof(why));
	wf_error(&job->log, "cannot make a segment that may grow to %llu "
		 "bytes: %s%s", (unsigned long long)job->config.arena_max, why,
		 job->config.huge_pages ? "; or raise the number of huge pages "
		 "(sysctl vm.nr_hugepages), or unset WEFT_HUGE_PAGES" : "");
	return WEFT_ERR_NOMEM;
}

static int open_memory(struct weft_job *job)
{
	const struct wf_config *c = &job->config;

	if (c->arena > c->arena_max) {
		wf_error(&job->log, "WEFT_ARENA, %llu bytes, is more than "
			 "WEFT_ARENA_MAX, %llu: lower it or raise that",
			 (unsigned long long)c->arena,
			 (unsigned long long)c->arena_max);
		return WEFT_ERR_ARG;
	}
	if (wf_segment_open(&job->segment, kind_of_segment(job), c->arena,
			    c->arena_max))
		return lacks_memory(job);
	if (!wf_signals_init(&job->signals, &job->segment))
		return WEFT_OK;
	lacks_memory(job);
	wf_segment_close(&job->segment);
	return WEFT_ERR_NOMEM;
}

static bool is_backend(const struct weft_job *job, const char *name, size_t n)
{
	for (int i = 0; job->env.tps[i]; i++) {
		const char *known = job->env.tps[i]->name;

		if (strlen(known) == n && !memcmp(known, name, n))
			return true;
	}
	return false;
}

/* A name of WEFT_TRANSPORT that is none would leave out, or in, too much. */
static void tell_unknown_backends(const struct weft_job *job)
{
	const char *at = job->config.transport;
	char names[80] = "";

	for (int i = 0; job->env.tps[i]; i++)
		wf_text_add(names, sizeof(names), "%s%s", i ? ", " : "",
			    job->env.tps[i]->name);

	for (at += *at == '^'; *at; at += *at == ',') {
		size_t len = strcspn(at, ",");

		if (len && !is_backend(job, at, len))
			wf_warn(&job->log, "WEFT_TRANSPORT names %.*s, which "
				"is no backend of this build: it has %s",
				(int)len, at, names);
		at += len;
	}
}

int wf_job_join_failed(const struct weft_job *job, int status)
{
	wf_error(&job->log, "joining the job failed: %s",
		 wf_boot_why(job->boot));
	return status;
}

/*
 * On one node pids tell of those who share memory; others may be in containers,
 * if a network joins them.
 */
static bool needs_lifeline(const struct weft_job *job)
{
	bool needs = wf_boot_node_count(job->boot) > 1;

	for (int i = 0; job->size > 1 && i < job->ndevs; i++)
		needs |= !!(job->dev[i]->caps & WF_CAP_NETWORK);
	return needs && !job->env.idle;
}

/*
 * Without it the job runs, but others do not see this process die; in the
 * simulator they are told.
 */
static void open_lifeline(struct weft_job *job)
{
	bool alone = wf_boot_node_count(job->boot) < 2;

	wf_lifeline_init(&job->lifeline);
	if (!needs_lifeline(job) ||
	    wf_prober_init(&job->prober, &job->blob.id,
			   job->config.host_timeout_ns, &job->log))
		return;
	if (wf_lifeline_open(&job->lifeline, &job->blob, alone, &job->log))
		wf_prober_fini(&job->prober);
	job->lifeline.lost = wf_live_told_lost;
	job->lifeline.left = wf_leave_told;
	job->lifeline.gone = &job->leave.left;
	job->lifeline.arg = job;
	job->leave.on = job->lifeline.fd >= 0;
}

static void close_lifeline(struct weft_job *job)
{
	wf_lifeline_close(&job->lifeline);
	wf_prober_fini(&job->prober);
}

static int publish_blob(struct weft_job *job)
{
	uint8_t packed[WF_BLOB_BYTES_MAX];
	size_t n = wf_blob_pack(&job->blob, packed);
	int status = wf_boot_put(job->boot, "blob", packed, n);

	if (!status)
		status = wf_boot_fence(job->boot);
	return status ? wf_job_join_failed(job, status) : WEFT_OK;
}

/*
 * A job that mixes kinds of ranks is refused before anything is sent: around
 * the ring of all ranks some pair of neighbours differs then.  The others hear
 * of the end of those who find out.
 */
static int check_next(struct weft_job *job)
{
	struct wf_blob blob;
	char why[WF_PEER_WHY];

	if (job->size == 1)
		return WEFT_OK;
	return wf_peer_fetch_blob(job, (job->rank + 1) % job->size, &blob, why,
				  sizeof(why));
}

/* With more ranks on the node than CPUs for them a wait yields early. */
static void set_spin(struct weft_job *job)
{
	uint64_t most = WF_SPIN_IN_A_CROWD;
	struct wf_crowd crowd;

	job->pass_mask = WF_PASSES_IN_A_CROWD - 1;
	/* A simulated rank is woken when there is something to see. */
	if (job->env.idle)
		return;
	wf_crowd_look(&crowd);
	job->crowded = wf_crowd_is_dense(&crowd, wf_boot_node_size(job->boot));
	if (!job->crowded) {
		job->pass_mask = WF_PASSES_PER_DEVICE - 1;
		most = UINT64_MAX;
	} else if (crowd.online == 1) {
		most = 0;	/* nobody else runs at the same time */
	}
	job->spin = job->config.spin < most ? job->config.spin : most;
}

static void init_state(struct weft_job *job, bool threads)
{
	uint64_t seed = job->env.seed ? *job->env.seed : job->config.seed;

	wf_random_init(&job->random, seed + (uint64_t)job->rank);
	wf_map_init(&job->peers);
	wf_list_init(&job->busy_peers);
	wf_list_init(&job->pollers);
	wf_live_init(job);
	wf_leave_init(job);
	wf_list_init(&job->aborts);
	wf_list_init(&job->sleepers);
	wf_list_init(&job->keyvals);
	wf_list_init(&job->memories);
	job->pins_fail = UINT64_MAX;
	wf_list_init(&job->types);
	wf_list_init(&job->ops);
	job->first_dead = -1;
	job->sleeps.most_ms = WF_SLEEP_MS;
	job->threads = threads;
	pthread_mutex_init(&job->lock, NULL);
	set_spin(job);
	if (job->rank == 0) {
		wf_config_unknown(environ_of(job), tell_unknown_variable, job);
		tell_unknown_backends(job);
	}
}

/* In the simulator ranks are no processes that could be asked, or woken. */
static void open_ears(struct weft_job *job)
{
	job->doorbell.fd = -1;
	if (job->env.idle)
		return;
	wf_fd_hold_standard();
	/* Without one a sleep is short. */
	if (wf_doorbell_open(&job->doorbell))
		wf_info(&job->log, "no doorbell: a wait that sleeps wakes each "
			"millisecond");
	wf_report_listen(&job->report, job->doorbell.fd);
}

static void close_ears(struct weft_job *job)
{
	wf_report_deafen(&job->report);
	wf_doorbell_close(&job->doorbell);
}

/* All ranks have joined. */
static void tell_devices(struct weft_job *job)
{
	for (int i = 0; i < job->ndevs; i++)
		job->dev[i]->ops->joined(job->dev[i]);
}

int wf_job_join(const struct wf_job_env *env, struct weft_job **job_p)
{
	struct weft_job *job = calloc(1, sizeof(*job));
	struct weft_job_options options;
	int status = WEFT_ERR_NOMEM;

	if (!job)
		return status;
	fill_env(job, env);
	status = read_settings(job);
	if (!status)
		status = wf_job_read_options(job, env->options, &options);
	if (status)
		goto free_job;
	open_ears(job);
	status = join_launcher(job, &options);
	if (status)
		goto close_ears;
	init_state(job, options.threads);
	status = make_gate(job);
	if (status)
		goto leave_launcher;
	status = open_memory(job);
	if (status)
		goto drop_gate;
	status = make_blob(job);
	if (status)
		goto close_memory;
	status = wf_job_open_devices(job);
	if (status)
		goto close_memory;
	open_lifeline(job);
	*job_p = job;
	status = publish_blob(job);
	if (!status)
		status = check_next(job);
	if (!status) {
		tell_devices(job);
		return WEFT_OK;
	}
	*job_p = NULL;
	close_lifeline(job);
	wf_job_close_devices(job);

close_memory:
	wf_signals_fini(&job->signals);
	wf_segment_close(&job->segment);
drop_gate:
	drop_gate(job);
leave_launcher:
	wf_boot_close(job->boot);
	wf_sentences_fini(job);
	wf_map_fini(&job->peers);
	pthread_mutex_destroy(&job->lock);
close_ears:
	close_ears(job);
free_job:
	free(job);
	return status;
}

/* Everything of a job whose peers have said bye, or that nobody knows yet. */
static int take_down(struct weft_job *job)
{
	int status;

	wf_loop_fini(job);
	wf_leave_fini(job);
	wf_peers_fini(job);
	close_lifeline(job);
	wf_job_close_devices(job);
	wf_flood_fini(job);
	wf_abort_fini(job);
	free(job->failed);
	wf_sentences_fini(job);
	wf_signals_fini(&job->signals);
	wf_segment_close(&job->segment);
	drop_gate(job);
	status = wf_boot_close(job->boot);
	close_ears(job);
	pthread_mutex_destroy(&job->lock);
	free(job);
	return status;
}

int wf_job_part(struct weft_job *job)
{
	int status = wf_job_say_bye(job), closed;

	closed = take_down(job);
	return status ? status : closed;
}
