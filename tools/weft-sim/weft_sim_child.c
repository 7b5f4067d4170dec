/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Communicators of the world by colours: in blocks of ranks, in turn, or by
 * chance.  All ranks work out alike who has which.
 */
#include "tools/weft-sim/weft_sim_child.h"

#include <stdlib.h>
#include <string.h>
#include <weft.h>

#include "base/random.h"
#include "comm/comm.h"

static const char *const colorings[] = {
	[WSIM_BLOCKS] = "block", [WSIM_TURNS] = "turn",
	[WSIM_CHANCE] = "random"
};

bool wsim_child_is_made(enum wsim_command command)
{
	return command >= WSIM_DUP && command <= WSIM_SPLIT;
}

const char *wsim_colors_name(enum wsim_coloring kind)
{
	return colorings[kind];
}

bool wsim_colors_parse(const char *text, struct wsim_colors *colors_p)
{
	size_t length = strcspn(text, ":");
	char *end;

	for (int k = 0; k < (int)WSIM_COLORINGS; k++) {
		if (strlen(colorings[k]) != length ||
		    strncmp(text, colorings[k], length) || !text[length] ||
		    text[length + 1] < '0' || text[length + 1] > '9')
			continue;
		colors_p->kind = (enum wsim_coloring)k;
		colors_p->n = strtol(text + length + 1, &end, 10);
		return !*end && colors_p->n > 0 &&
		       colors_p->n <= WSIM_RANKS_MAX;
	}
	return false;
}

static int color_of(const struct wsim_run *run, int rank)
{
	const struct wsim_colors *c = &run->options->colors;
	struct wf_random random;

	switch (c->kind) {
	case WSIM_BLOCKS:
		return rank / (int)c->n;
	case WSIM_TURNS:
		return rank % (int)c->n;
	default:
		wf_random_init(&random, run->seed * UINT64_C(0x9e3779b97f4a7c15)
					+ (uint64_t)rank);
		return (int)wf_random_below(&random, (uint64_t)c->n);
	}
}

/* Of whom the new one consists: a duplicate of all. */
static bool belongs(const struct wsim_run *run, int rank, int to)
{
	return run->options->command == WSIM_DUP ||
	       color_of(run, rank) == color_of(run, to);
}

struct weft_group *wsim_child_group(const struct wsim_run *run,
				    struct weft_comm *world)
{
	enum wsim_command command = run->options->command;
	struct weft_group *all = NULL, *part = NULL;
	int *ranks, n = 0;

	if (command != WSIM_CREATE && command != WSIM_CREATE_GROUP)
		return NULL;
	ranks = malloc((size_t)run->ranks * sizeof(*ranks));
	for (int r = 0; ranks && r < run->ranks; r++)
		if (belongs(run, r, weft_comm_rank(world)))
			ranks[n++] = r;
	if (!ranks || weft_comm_group(world, &all) ||
	    weft_group_incl(all, n, ranks, &part) || weft_group_free(&all))
		part = NULL;
	free(ranks);
	return part;
}

int wsim_child_make(const struct wsim_run *run, struct weft_comm *world,
		    struct weft_group *group, struct weft_comm **made_p)
{
	switch (run->options->command) {
	case WSIM_DUP:
		return weft_comm_dup(world, made_p);
	case WSIM_CREATE:
		return weft_comm_create(world, group, made_p);
	case WSIM_CREATE_GROUP:
		return weft_comm_create_group(world, group, 0, made_p);
	default:
		return weft_comm_split(world,
				       color_of(run, weft_comm_rank(world)), 0,
				       made_p);
	}
}

/* Its ranks, and the id that the first one to come has. */
bool wsim_child_is_wrong(struct wsim_run *run, struct weft_comm *world,
			 long op, struct weft_comm **made_p)
{
	struct weft_comm *made = *made_p;
	int me = weft_comm_rank(world), rank = 0, size = 0, first = -1;
	struct wsim_id *id;
	bool wrong;

	for (int r = 0; r < run->ranks; r++) {
		if (!belongs(run, r, me))
			continue;
		if (first < 0)
			first = r;
		rank += r < me;
		size++;
	}
	id = &run->id[first];
	if (id->op != op)
		*id = (struct wsim_id){ op, made->id };
	wrong = id->id != made->id || weft_comm_rank(made) != rank ||
		weft_comm_size(made) != size;
	return weft_comm_free(made_p) || wrong;
}
