/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One rank of the random programs of collectives in real processes; forms.t
 * starts them.
 *
 *     forms_rank SEED SEEDS   the programs of so many seeds, one by one
 *     forms_rank SEED death   one of the ranks is killed between two calls
 *     forms_rank SEED death COLLECTIVE
 *                             at any moment of a program of this one alone,
 *                             which goes on until then
 *
 * Exit code 1 if anything was wrong at this rank.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/coll/play_coll.h"
#include "tests/mp/moments.h"

enum { MOMENTS = 31 };			/* of a death: so many ms */

static struct weft_job *job;
static bool wrong;

static void complain(const char *what, const char *why)
{
	printf("# rank %d: %s: %s\n", weft_job_rank(job), what, why);
	fflush(stdout);
	wrong = true;
}

static void run_all(struct play_coll *play, long seeds)
{
	for (; seeds > 0 && !play->why[0]; seeds--, play->seed++)
		play_coll(play);
}

/* All others hear of it, and end well. */
static void run_death(struct play_coll *play)
{
	int victim = (int)(play->seed % (uint64_t)weft_job_size(job));
	bool dies = weft_job_rank(job) == victim;
	char name[sizeof("rank -2147483648")];

	snprintf(name, sizeof(name), "rank %d", victim);
	play->bereaved = true;
	if (play->only)
		play->deeds = INT_MAX;
	if (dies && play->only)
		signal_after(SIGKILL, (int64_t)(play->seed * 7 % MOMENTS));
	else if (dies)
		play->dies_before = 1 + (int)(play->seed * 7 % 40);
	if (!play_coll(play) && !play->why[0])
		complain("no error", "a rank is dead");
	else if (!play->why[0] && !strstr(weft_error_text(job), name))
		complain("it is not named", weft_error_text(job));
}

int main(int argc, char **argv)
{
	struct play_coll play = { .deeds = 60, .most = 20000 };
	bool death = argc >= 3 && !strcmp(argv[2], "death");
	int status;

	if (argc != 3 && !(death && argc == 4)) {
		fprintf(stderr, "usage: forms_rank SEED SEEDS | "
			"SEED death [COLLECTIVE]\n");
		return 2;
	}
	status = weft_job_open(NULL, &job);
	if (status) {
		printf("# open: %s\n", weft_status_name(status));
		return 1;
	}
	play.comm = weft_job_world(job);
	play.seed = strtoull(argv[1], NULL, 10);
	play.only = argv[3];
	if (death)
		run_death(&play);
	else
		run_all(&play, atol(argv[2]));
	if (play.why[0])
		complain("collectives", play.why);
	/* the others wait for this one: weftrun ends them */
	if (wrong)
		weft_job_abort(job, 1, "collectives failed");
	status = weft_job_close(job);
	if (status && !death)
		complain("close", weft_status_name(status));
	return wrong;
}
