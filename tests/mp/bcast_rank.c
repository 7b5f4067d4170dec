/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One rank of jobs that broadcast; bcast.t starts them.
 *
 *     bcast_rank random SEED STEPS  from any root, up to 8 in flight, with
 *                                   calls between them that synchronise
 *     bcast_rank long               of 4 MiB, from each rank
 *     bcast_rank death ROUND        the last rank is killed in the midst of
 *                                   those from that one on, of all roots; the
 *                                   others hear its name
 *
 * Exit code 1 if anything was wrong at this rank.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <weft.h>

enum {
	FLIGHT = 8,
	MOST = 300000,			/* bytes */
	GUARD = 0x5a
};

struct flight {
	struct weft_request *req;
	unsigned char *data;		/* MOST + 1 bytes */
	size_t n;
	int root;
	unsigned salt;
};

static struct weft_job *job;
static struct weft_comm *world;
static struct flight flight[FLIGHT];
static int me, n, failures;

static void check(bool good, const char *what)
{
	if (good)
		return;
	printf("# rank %d: %s: %s\n", me, what, weft_error_text(job));
	fflush(stdout);
	failures++;
}

/* The same numbers at all ranks. */
static uint32_t draw(uint64_t *state, uint32_t below)
{
	*state = *state * UINT64_C(6364136223846793005) +
		 UINT64_C(1442695040888963407);
	return (uint32_t)(*state >> 33) % below;
}

static unsigned char byte_of(const struct flight *f, size_t i)
{
	return (unsigned char)(f->salt + 31 * (unsigned)f->root + 7 * i +
			       (i >> 8));
}

static void fill(struct flight *f)
{
	memset(f->data, GUARD, f->n + 1);
	for (size_t i = 0; f->root == me && i < f->n; i++)
		f->data[i] = byte_of(f, i);
}

static bool is_right(const struct flight *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->data[i] != byte_of(f, i))
			return false;
	return f->data[f->n] == GUARD;
}

static void finish(struct flight *f)
{
	if (!f->req)
		return;
	check(!weft_request_wait(f->req), "wait");
	check(is_right(f), "the bytes");
	check(!weft_request_free(&f->req), "free");
}

static void bcast(struct flight *f, uint64_t *state)
{
	static const uint32_t below[] = { 1, 9, 57, 3000, 70000, MOST };

	finish(f);
	f->root = (int)draw(state, (uint32_t)n);
	f->n = draw(state, below[draw(state, 6)]);
	f->salt = draw(state, 251);
	fill(f);
	if (draw(state, 3)) {
		check(!weft_ibcast(world,
				   weft_part(f->data, f->n, &weft_type_byte),
				   f->root, &f->req), "ibcast");
		return;
	}
	check(!weft_bcast(world, weft_part(f->data, f->n, &weft_type_byte),
			  f->root),
	      "bcast");
	check(is_right(f), "the bytes");
}

static void sum(void)
{
	int64_t all = me + 1;

	check(!weft_allreduce(world, WEFT_IN_PLACE,
			      weft_part(&all, 1, &weft_type_int64),
			      &weft_op_sum), "allreduce");
	check(all == (int64_t)n * (n + 1) / 2, "the sum");
}

static void any_program(char **argv)
{
	uint64_t state = strtoull(argv[2], NULL, 10);
	long steps = strtol(argv[3], NULL, 10);

	for (long i = 0; i < steps; i++) {
		if (!draw(&state, 12))
			sum();
		else if (!draw(&state, 20))
			check(!weft_barrier(world), "barrier");
		else
			bcast(&flight[draw(&state, FLIGHT)], &state);
	}
	for (int i = 0; i < FLIGHT; i++)
		finish(&flight[i]);
}

enum {
	LONGEST = 4 << 20
};

/* In memory that peers can write, and in other. */
static void long_ones(char **argv)
{
	void *memory[2] = { malloc(LONGEST + 1), NULL };

	(void)argv;
	check(!weft_mem_alloc(job, LONGEST + 1, &memory[1]), "memory");
	for (int i = 0; memory[0] && memory[1] && i < 4 * n; i++) {
		struct flight f = {
			.data = memory[i / n % 2],
			.n = LONGEST - (size_t)(i % 3), .root = i % n,
			.salt = (unsigned)i
		};

		fill(&f);
		check(!weft_bcast(world,
				  weft_part(f.data, f.n, &weft_type_byte),
				  f.root),
		      "bcast");
		check(is_right(&f), "the bytes");
	}
	weft_mem_free(job, memory[1]);
	free(memory[0]);
}

/* The round-th one is from that root, and long or short. */
static void choose(struct flight *f, int round)
{
	f->root = round % n;
	f->n = round % 4 ? 8 : 70000;
	f->salt = (unsigned)round;
	fill(f);
}

/* With some under way, of which it has sent what could leave at once. */
static _Noreturn void die(int round)
{
	for (int i = 0; i < FLIGHT; i++) {
		choose(&flight[i], round + i);
		check(!weft_ibcast(world,
				   weft_part(flight[i].data, flight[i].n,
					     &weft_type_byte), flight[i].root,
				   &flight[i].req), "ibcast");
	}
	raise(SIGKILL);
	abort();
}

static void death(char **argv)
{
	struct flight *f = flight;
	int status = WEFT_OK, round = atoi(argv[2]);
	char name[32];

	snprintf(name, sizeof(name), "rank %d on host", n - 1);
	for (int i = 0; !status && i < 100000; i++) {
		if (me == n - 1 && i == round)
			die(i);
		choose(f, i);
		status = weft_bcast(world,
				    weft_part(f->data, f->n, &weft_type_byte),
				    f->root);
		check(status || is_right(f), "the bytes");
	}
	check(status == WEFT_ERR_PEER, "nobody died");
	check(strstr(weft_error_text(job), name), "another name");
}

int main(int argc, char **argv)
{
	void (*program)(char **argv) = NULL;
	int status;

	if (argc == 4 && !strcmp(argv[1], "random"))
		program = any_program;
	else if (argc == 2 && !strcmp(argv[1], "long"))
		program = long_ones;
	else if (argc == 3 && !strcmp(argv[1], "death"))
		program = death;
	if (!program) {
		fprintf(stderr, "usage: bcast_rank random SEED STEPS | long | "
			"death ROUND\n");
		return 2;
	}
	status = weft_job_open(NULL, &job);
	if (status) {
		printf("# open: %s\n", weft_status_name(status));
		return 1;
	}
	world = weft_job_world(job);
	me = weft_job_rank(job);
	n = weft_job_size(job);
	for (int i = 0; i < FLIGHT; i++) {
		flight[i].data = malloc(MOST + 1);
		if (!flight[i].data)
			return 1;
	}
	program(argv);
	status = weft_job_close(job);
	check(!status || program == death, "close");
	for (int i = 0; i < FLIGHT; i++)
		free(flight[i].data);
	return failures != 0;
}
