/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Measures the physical limits of this machine.
 *
 * Called by the rank that prints, before its job is opened and after it is
 * closed: then the other ranks sleep or are gone, and fork is harmless. Parent
 * and child are bound to a CPU each and the parent's mask is restored, because
 * the library reads it. Nothing of the library is used here.
 */
#include "bench/weft_bench_limit.h"
#include "bench/weft_bench_time.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	BATCHES = 25,
	PING_PONGS = 2000,		/* in each batch */
	SAMPLES = 2001,			/* of a copy; of a long one: */
	LONG_SAMPLES = 201,
	SAMPLE_BYTES = 8192,		/* shorter copies are repeated */
	LOOP_BYTES = 8 << 20		/* what a batch of the loop moves */
};

struct flag {
	_Alignas(64) _Atomic int64_t word;
};

/* Written by one side, read by the other. */
struct side {
	struct flag flag;
	char *slot[2];			/* of the other side's incoming data */
};

struct pair {
	struct side parent;		/* written by the parent only */
	struct side child;
	char *memory;
	size_t bytes;
	cpu_set_t allowed;		/* of the parent, restored */
	int cpu[2];
};

static bool fail(const char *what)
{
	fprintf(stderr, "weft-bench: %s: %s\n", what, strerror(errno));
	return false;
}

static bool find_cpus(struct pair *pair)
{
	int n = 0;

	if (sched_getaffinity(0, sizeof(pair->allowed), &pair->allowed))
		return fail("sched_getaffinity");
	for (int i = 0; i < CPU_SETSIZE && n < 2; i++)
		if (CPU_ISSET(i, &pair->allowed))
			pair->cpu[n++] = i;
	if (n == 2)
		return true;
	fprintf(stderr, "weft-bench: the flag latency needs two CPUs, the "
		"affinity mask allows one\n");
	return false;
}

static void bind_to(int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	(void)sched_setaffinity(0, sizeof(one), &one);
}

/* Release: what was copied before is seen by whoever awaits the value. */
static void raise_flag(struct flag *flag, int64_t value)
{
	atomic_store_explicit(&flag->word, value, memory_order_release);
}

/* Acquire: partner of raise_flag() in the other process. */
static void await_flag(struct flag *flag, int64_t value)
{
	while (atomic_load_explicit(&flag->word, memory_order_acquire) < value)
		;
}

/* Shared memory for two flags and four slots. */
static struct pair *make_pair(size_t bytes)
{
	size_t room = (bytes + 4095) / 4096 * 4096;
	size_t header = (sizeof(struct pair) + 4095) / 4096 * 4096;
	struct pair *pair = mmap(NULL, header + 4 * room,
				 PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (pair == MAP_FAILED) {
		fail("mmap");
		return NULL;
	}
	pair->bytes = header + 4 * room;
	pair->memory = (char *)pair + header;
	memset(pair->memory, 1, 4 * room);
	for (int i = 0; i < 2; i++) {
		pair->parent.slot[i] = pair->memory + (size_t)i * room;
		pair->child.slot[i] = pair->memory + (size_t)(2 + i) * room;
	}
	if (find_cpus(pair))
		return pair;
	munmap(pair, pair->bytes);
	return NULL;
}

/* What each side does round times; n 0: a ping-pong of the flag alone. */
struct job {
	struct side *mine;
	struct side *other;
	char *out;
	char *in;
	size_t n;
};

static void exchange(const struct job *job, int64_t round)
{
	memcpy(job->mine->slot[round & 1], job->out, job->n);
	raise_flag(&job->mine->flag, round);
	await_flag(&job->other->flag, round);
	memcpy(job->in, job->other->slot[round & 1], job->n);
}

/* Its copy of the job's memory becomes its own at the first write. */
static void run_child(struct pair *pair, struct job job, int64_t rounds)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	bind_to(pair->cpu[1]);
	job.mine = &pair->child;
	job.other = &pair->parent;
	memset(job.out, 2, job.n);
	memset(job.in, 2, job.n);
	for (int64_t i = 1; i <= rounds; i++) {
		if (job.n) {
			exchange(&job, i);
		} else {
			await_flag(&pair->parent.flag, i);
			raise_flag(&pair->child.flag, i);
		}
	}
	_exit(0);
}

/* Microseconds of one round of a batch of them. */
static double run_batch(struct pair *pair, const struct job *job, int rounds,
			int64_t *round)
{
	double start = bench_now();

	for (int i = 0; i < rounds; i++) {
		++*round;
		if (job->n) {
			exchange(job, *round);
		} else {
			raise_flag(&pair->parent.flag, *round);
			await_flag(&pair->child.flag, *round);
		}
	}
	return (bench_now() - start) / rounds;
}

/* The parent's side: the first batch is warm-up. */
static double run_parent(struct pair *pair, struct job *job, int rounds)
{
	double samples[1 + BATCHES];
	int64_t round = 0;

	bind_to(pair->cpu[0]);
	memset(job->out, 1, job->n);
	memset(job->in, 1, job->n);
	for (int b = 0; b <= BATCHES; b++)
		samples[b] = run_batch(pair, job, rounds, &round);
	sched_setaffinity(0, sizeof(pair->allowed), &pair->allowed);
	return bench_median(samples + 1, BATCHES);
}

/* Time of one round between two processes. */
static bool time_pair(size_t n, int rounds, double *us_p)
{
	struct pair *pair = make_pair(n);
	struct job job = { NULL, NULL, malloc(n + 1), malloc(n + 1), n };
	pid_t child = -1;

	if (pair && job.out && job.in) {
		job.mine = &pair->parent;
		job.other = &pair->child;
		child = fork();
		if (child < 0)
			fail("fork");
	}
	if (child == 0)
		run_child(pair, job, (int64_t)rounds * (1 + BATCHES));
	if (child > 0) {
		*us_p = run_parent(pair, &job, rounds);
		waitpid(child, NULL, 0);
	}
	free(job.out);
	free(job.in);
	if (pair)
		munmap(pair, pair->bytes);
	return child > 0;
}

bool bench_limit_flag(double *flag_p)
{
	double round_trip;

	if (!time_pair(0, PING_PONGS, &round_trip))
		return false;
	*flag_p = round_trip / 2;
	return true;
}

static void rewrite(uint64_t *word, size_t bytes)
{
	for (size_t i = 0; i < bytes / sizeof(*word); i++)
		word[i] += i;
	__asm__ volatile("" ::: "memory");
}

/* One sample of a copy: `pieces` of n bytes. */
static double copy_once(char *to, const char *from, size_t n, size_t pieces)
{
	double start = bench_now();

	for (size_t k = 0; k < pieces; k++) {
		memcpy(to + k * n, from + k * n, n);
		/* the copy is seen by somebody else */
		__asm__ volatile("" ::: "memory");
	}
	return bench_now() - start;
}

static bool time_copy(size_t n, bool rewritten, double *us_p)
{
	size_t pieces = n < SAMPLE_BYTES ? SAMPLE_BYTES / n : 1;
	size_t bytes = pieces * n;
	int count = bytes > 65536 ? LONG_SAMPLES : SAMPLES;
	double samples[SAMPLES], clock = bench_clock_cost();
	char *from = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
	char *to = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	bool made = from && to != MAP_FAILED;

	if (made) {
		memset(from, 1, bytes);
		memcpy(to, from, bytes);
		for (int i = 0; i < count; i++) {
			if (rewritten)
				rewrite((uint64_t *)from, bytes);
			samples[i] = copy_once(to, from, n, pieces) - clock;
		}
		*us_p = bench_median(samples, count) / (double)pieces;
	}
	if (to != MAP_FAILED)
		munmap(to, bytes);
	free(from);
	return made || fail("memory for a copy");
}

bool bench_limit_bytes(size_t bytes, struct bench_limit *limit_p)
{
	int rounds = (int)(LOOP_BYTES / (bytes + 4096)) + 4;

	return time_copy(bytes, false, &limit_p->copy) &&
	       time_copy(bytes, true, &limit_p->rewritten) &&
	       time_pair(bytes, rounds, &limit_p->loop);
}
