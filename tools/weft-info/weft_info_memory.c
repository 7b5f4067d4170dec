/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ranks of a job are threads of this process, all connected to all by one
 * transport; between the steps of all of them the first one looks at what the
 * process and the segments hold.
 *
 * Counted is what the heap gave and what the segments gave; queues that a
 * driver maps for itself are not.
 */
#include "tools/weft-info/weft_info_memory.h"

#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <weft.h>

#include "job/job.h"
#include "job/peer.h"

enum {
	RANKS = 8,			/* a power of two */
	NEAR = 2,			/* ranks of a pair, oneself too */
	COMMS = 16
};

struct use {
	uint64_t heap, segment;
};

enum step { OPENED, ONE_PEER, ALL_PEERS, ONE_COMM, ALL_COMMS, STEPS };

/* What the ranks share. */
struct probe {
	struct weft_inproc *inproc;
	pthread_barrier_t barrier;
	atomic_int connected, failures;
	bool good;			/* of the first rank, between two waits
					   of all: no failures so far */
	struct weft_job *job[RANKS];
	struct use use[STEPS];
};

struct rank {
	struct probe *probe;
	int rank;
	pthread_t thread;
};

static struct use look(const struct probe *probe)
{
	struct mallinfo2 heap = mallinfo2();
	struct use use = { .heap = heap.uordblks + heap.hblkhd };

	for (int r = 0; r < RANKS; r++) {
		const struct wf_alloc *a = &probe->job[r]->segment.blocks;

		for (size_t i = 0; i < a->count; i++)
			use.segment += a->blocks[i].bytes;
	}
	return use;
}

/*
 * All ranks have come as far as this.  True: without a failure; all get the
 * same answer, also where one has failed before another has read it.
 */
static bool meet(struct rank *rank, enum step step)
{
	struct probe *probe = rank->probe;

	pthread_barrier_wait(&probe->barrier);
	if (rank->rank == 0) {
		probe->good = !probe->failures;
		if (probe->good)
			probe->use[step] = look(probe);
	}
	pthread_barrier_wait(&probe->barrier);
	return probe->good;
}

/* Among the ranks of this distance: a pair of them, or all. */
static bool is_near(const struct weft_job *job, int rank, int distance)
{
	return (rank ^ job->rank) < distance;
}

static bool all_ready(struct weft_job *job, int distance)
{
	bool ready = true;

	for (int r = 0; r < job->size; r++) {
		struct wf_peer *peer;

		if (!is_near(job, r, distance))
			continue;
		peer = wf_peer_get(job, r);
		if (!peer)
			return false;
		wf_peer_connect(peer);
		ready &= peer->state >= WF_PEER_READY;
	}
	return ready;
}

static bool is_good(struct weft_job *job, int distance)
{
	for (int r = 0; r < job->size; r++)
		if (is_near(job, r, distance) &&
		    wf_peer_get(job, r)->state != WF_PEER_READY)
			return false;
	return true;
}

/* Those who are through go on for the others, until so many are. */
static void connect(struct rank *rank, struct weft_job *job, int distance,
		    int through)
{
	struct probe *probe = rank->probe;
	bool counted = false;

	if (wf_job_enter(job)) {
		probe->failures++;
		return;
	}
	while (probe->connected < through && !probe->failures) {
		wf_job_progress(job);
		if (counted || !all_ready(job, distance))
			continue;
		counted = true;
		probe->connected++;
		probe->failures += !is_good(job, distance);
	}
	wf_job_leave(job);
}

/* With the first one comes what all share, as the first block of signals. */
static bool connect_all(struct rank *rank, struct weft_job *job)
{
	connect(rank, job, NEAR, RANKS);
	if (!meet(rank, ONE_PEER))
		return false;
	connect(rank, job, RANKS, 2 * RANKS);
	return meet(rank, ALL_PEERS);
}

/* Behind the first one, for which the world makes channels of its own. */
static void make_comms(struct rank *rank, struct weft_job *job)
{
	static const struct weft_edges none = { 0, NULL, NULL };
	struct weft_comm *comm[COMMS + 1] = { NULL };

	for (int i = 0; i <= COMMS; i++) {
		if (weft_graph_create_adjacent(weft_job_world(job), &none,
					       &none, NULL, false, &comm[i]))
			rank->probe->failures++;
		if (i == 0)
			meet(rank, ONE_COMM);
	}
	meet(rank, ALL_COMMS);
	for (int i = 0; i <= COMMS; i++)
		if (comm[i] && weft_comm_free(&comm[i]))
			rank->probe->failures++;
}

static void *rank_main(void *arg)
{
	struct rank *rank = arg;
	struct probe *probe = rank->probe;
	struct weft_job_options options;
	struct weft_job *job = NULL;

	weft_job_options_init(&options, sizeof(options));
	options.inproc = probe->inproc;
	options.inproc_rank = rank->rank;
	if (weft_job_open(&options, &job))
		probe->failures++;
	probe->job[rank->rank] = job;
	if (meet(rank, OPENED) && connect_all(rank, job))
		make_comms(rank, job);
	if (job && weft_job_close(job))
		probe->failures++;
	return NULL;
}

static bool run(struct probe *probe)
{
	struct rank rank[RANKS];

	if (weft_inproc_create(RANKS, &probe->inproc))
		return false;
	pthread_barrier_init(&probe->barrier, NULL, RANKS);
	for (int r = 0; r < RANKS; r++) {
		rank[r] = (struct rank){ .probe = probe, .rank = r };
		/* Without all of them the others would wait for ever. */
		if (pthread_create(&rank[r].thread, NULL, rank_main,
				   &rank[r])) {
			fputs("weft-info: no threads\n", stderr);
			exit(WINFO_FAILED);
		}
	}
	for (int r = 0; r < RANKS; r++)
		pthread_join(rank[r].thread, NULL);
	pthread_barrier_destroy(&probe->barrier);
	weft_inproc_free(&probe->inproc);
	return !probe->failures;
}

static uint64_t share(uint64_t after, uint64_t before, int n)
{
	return after > before ? (after - before) / (uint64_t)n : 0;
}

static void print(const char *name, const struct use *use,
		  struct winfo_table *table)
{
	uint64_t number[] = {
		share(use[ALL_PEERS].heap, use[ONE_PEER].heap,
		      RANKS * (RANKS - NEAR)),
		share(use[ALL_PEERS].segment, use[ONE_PEER].segment,
		      RANKS * (RANKS - NEAR)),
		share(use[ALL_COMMS].heap, use[ONE_COMM].heap, RANKS * COMMS),
		share(use[ALL_COMMS].segment, use[ONE_COMM].segment,
		      RANKS * COMMS)
	};
	char text[4][24];
	const char *cell[] = { name, text[0], text[1], text[2], text[3] };

	for (int i = 0; i < 4; i++)
		snprintf(text[i], sizeof(text[i]), "%llu",
			 (unsigned long long)number[i]);
	winfo_row(table, cell);
}

bool winfo_memory(const struct winfo_devices *devices,
		  struct winfo_table *table)
{
	static const struct winfo_column columns[] = {
		{ "transport", 9, WINFO_TEXT },
		{ "peer_heap", 9, WINFO_NUMBER },
		{ "peer_segment", 12, WINFO_NUMBER },
		{ "comm_heap", 9, WINFO_NUMBER },
		{ "comm_segment", 12, WINFO_NUMBER }
	};
	bool good = true;

	winfo_table(table, "memory", columns, 5);
	for (int i = 0; i < devices->n; i++) {
		const struct winfo_transport *t = &devices->transport[i];
		struct probe probe = { .inproc = NULL };

		if (t->code != WINFO_USABLE)
			continue;
		setenv("WEFT_TRANSPORT", t->name, 1);
		if (run(&probe))
			print(t->name, probe.use, table);
		else
			good = false;
	}
	return good;
}
