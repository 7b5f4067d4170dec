/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank of two that sends from memory of its own, new for each operation and
 * gone behind it, and looks at what it gets: heap COUNT KIND:BYTES...  Run by
 * heap.t, which counts registrations.
 */
#include <weft.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static struct weft_comm *world, *graph;
static struct weft_region *region;
static size_t bytes;
static int rank, other;

static void must(int status, const char *what)
{
	if (status == WEFT_OK)
		return;
	fprintf(stderr, "%s: %s: %s\n", what, weft_status_name(status),
		weft_error_text(weft_comm_job(world)));
	exit(1);
}

static unsigned char *map(void)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		abort();
	return at;
}

/* Of each operation, rank and place others. */
static unsigned char byte_of(int round, int from, size_t i)
{
	return (unsigned char)(i * 7 + i / 251 + (size_t)(31 * round + from));
}

static unsigned char *fill(int round)
{
	unsigned char *at = map();

	for (size_t i = 0; i < bytes; i++)
		at[i] = byte_of(round, rank, i);
	return at;
}

static void check(const unsigned char *at, int round, int from)
{
	for (size_t i = 0; i < bytes; i++) {
		if (at[i] == byte_of(round, from, i))
			continue;
		fprintf(stderr, "operation %d: byte %zu from rank %d is %d\n",
			round, i, from, at[i]);
		exit(1);
	}
}

/* ---- kinds ---- */

static void exchange(int round)
{
	unsigned char *out = fill(round), *in = map();
	ptrdiff_t displ = 0;
	const struct weft_vec send = { .base = out, .type = &weft_type_byte,
				       .counts = &bytes, .displs = &displ };
	const struct weft_vec recv = { .base = in, .type = &weft_type_byte,
				       .counts = &bytes, .displs = &displ };

	must(weft_neighbor_alltoallv(graph, &send, &recv), "exchange");
	check(in, round, other);
	munmap(out, bytes);
	munmap(in, bytes);
}

static void message(int round)
{
	const struct weft_envelope with = { other, 0 };
	unsigned char *at = rank ? map() : fill(round);

	if (rank) {
		must(weft_recv(world, at, bytes, &weft_type_byte, with, NULL),
		     "receive");
		check(at, round, 0);
	} else {
		must(weft_send(world, at, bytes, &weft_type_byte, with),
		     "send");
	}
	munmap(at, bytes);
}

/* What was put is there, and looked at before the next one comes. */
static void finish_put(unsigned char *from, int round)
{
	must(weft_flush(region, other, WEFT_FLUSH_REMOTE), "flush");
	munmap(from, bytes);
	must(weft_barrier(world), "barrier");
	check(weft_region_base(region), round, other);
	must(weft_barrier(world), "barrier");
}

static void put(int round)
{
	const struct weft_target to = { region, other, 0 };
	unsigned char *at = fill(round);

	must(weft_put(&to, at, bytes, NULL), "put");
	finish_put(at, round);
}

/* The same in five pieces, all of them under way at once. */
static void puts_of_pieces(int round)
{
	unsigned char *at = fill(round);
	size_t piece = bytes / 5;

	for (size_t i = 0; i < 5; i++) {
		const struct weft_target to = { region, other, i * piece };
		size_t n = i < 4 ? piece : bytes - i * piece;

		must(weft_put(&to, at + i * piece, n, NULL), "put");
	}
	finish_put(at, round);
}

static void get(int round)
{
	const struct weft_target from = { region, other, 0 };
	unsigned char *mine = weft_region_base(region), *at = map();

	for (size_t i = 0; i < bytes; i++)
		mine[i] = byte_of(round, rank, i);
	must(weft_barrier(world), "barrier");
	must(weft_get(&from, at, bytes, NULL), "get");
	must(weft_flush(region, other, WEFT_FLUSH_LOCAL), "flush");
	check(at, round, other);
	munmap(at, bytes);
	must(weft_barrier(world), "barrier");
}

static const struct {
	const char *name;
	void (*once)(int round);
} kinds[] = {
	{ "exchange", exchange }, { "message", message }, { "put", put },
	{ "puts", puts_of_pieces }, { "get", get }
};

/* KIND:BYTES; false: there is no such kind. */
static bool run(const char *what, int count)
{
	struct weft_edges edges = { 1, &other, NULL };
	size_t n = sizeof(kinds) / sizeof(*kinds), kind = 0;
	char name[16] = "";

	if (sscanf(what, "%15[a-z]:%zu", name, &bytes) != 2)
		return false;
	while (kind < n && strcmp(kinds[kind].name, name))
		kind++;
	if (kind == n)
		return false;
	must(weft_graph_create_adjacent(world, &edges, &edges, NULL, false,
					&graph), "graph");
	must(weft_region_create(world, NULL, bytes, &region), "region");
	for (int i = 0; i < count; i++)
		kinds[kind].once(i);
	must(weft_region_free(&region), "free of the region");
	must(weft_comm_free(&graph), "free of the graph");
	return true;
}

int main(int argc, char **argv)
{
	struct weft_job *job;
	bool all = argc > 2;

	if (weft_job_open(NULL, &job))
		return 1;
	world = weft_job_world(job);
	rank = weft_comm_rank(world);
	other = !rank;
	for (int i = 2; all && i < argc; i++)
		all = run(argv[i], atoi(argv[1]));
	return weft_job_close(job) || !all;
}
