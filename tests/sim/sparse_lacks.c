/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One rank lacks memory at one of the allocations of a sparse exchange, at each
 * in turn: no rank waits for ever, each has an error that says so or all that
 * is for it, and the next ones are right.
 */
#include "tests/coll/sparse_play.h"
#include "tests/sim/lacking.h"

enum {
	VICTIM = 1,
	LATER = 3,			/* calls behind the one that lacks */
	SEVERAL = 3			/* at once, where it does not wait */
};

/* Of one run. */
struct lack {
	struct sparse_deed deed;
	bool waits;
	int before;			/* calls that go well */
	long at;			/* the allocation; */
	bool reached;			/* there are so many */
	int failed;			/* ranks that had an error */
};

struct caller {
	struct scene s;
	struct weft_comm *comm;
	struct lack *lack;
};

static bool is_victim(const struct caller *c)
{
	return wf_sim_rank(c->s.rank) == VICTIM;
}

static void judge(struct caller *c, const struct sparse_play *play, int status,
		  bool may_fail)
{
	const struct lack *lack = c->lack;

	if (status && may_fail && status == WEFT_ERR_NOMEM)
		return;
	if (status || !sparse_play_check(play, &lack->deed,
					 wf_sim_rank(c->s.rank)))
		wf_sim_fail(c->s.rank, "pattern %d, allocation %ld behind %d: "
			    "%s", (int)lack->deed.pattern, lack->at,
			    lack->before, status ? weft_error_text(c->s.job) :
			    "other messages");
}

/* Some under way at once, which all fail, or none. */
static int call_several(const struct caller *c, struct sparse_play *play,
			int *status)
{
	struct weft_request *req[SEVERAL] = { NULL };
	int first = WEFT_OK;

	for (int i = 0; i < SEVERAL; i++)
		status[i] = weft_isparse_exchange(c->comm, &play[i].send,
						  &play[i].got, &req[i]);
	for (int i = 0; i < SEVERAL; i++) {
		if (req[i])
			status[i] = weft_request_wait(req[i]);
		ok(&c->s, weft_request_free(&req[i]), "free");
		first = first ? first : status[i];
	}
	return first;
}

static int call_one(const struct caller *c, struct sparse_play *play)
{
	return weft_sparse_exchange(c->comm, &play->send, &play->got);
}

/* lacking: the victim lacks memory meanwhile. */
static void call(struct caller *c, bool lacking)
{
	struct lack *lack = c->lack;
	struct sparse_play play[SEVERAL];
	int status[SEVERAL] = { WEFT_OK }, n = lack->waits ? 1 : SEVERAL;
	int worst;

	for (int i = 0; i < n; i++)
		sparse_play_init(&play[i], &lack->deed,
				 wf_sim_rank(c->s.rank));
	if (lacking && is_victim(c))
		lacking_begin(lack->at);
	worst = status[0] = lack->waits ? call_one(c, play) : WEFT_OK;
	if (!lack->waits)
		worst = call_several(c, play, status);
	if (lacking && is_victim(c))
		lack->reached = lacking_end(lack->at);
	lack->failed += lacking && worst;
	for (int i = 0; i < n; i++) {
		judge(c, &play[i], status[i], lacking);
		sparse_play_fini(&play[i]);
	}
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct caller c = { .lack = arg };

	if (!start(&c.s, rank))
		return;
	c.comm = c.s.world;
	/* the peers know each other, and the simulator what it needs */
	call(&c, false);
	for (int i = 0; i < 7; i++)
		use(&c.s, c.s.world);
	crowd(&c.s, c.s.world);
	ok(&c.s, weft_comm_dup(c.s.world, &c.comm), "dup");
	for (int i = 0; i < c.lack->before; i++)
		call(&c, false);
	call(&c, true);
	for (int i = 0; i < LATER; i++) {
		call(&c, false);
		use(&c.s, c.comm);
	}
	ok(&c.s, weft_comm_free(&c.comm), "free");
	stop(&c.s);
}

static bool lacks(struct lack *lack, bool compared, int radix)
{
	char text[32];
	char *env[] = {
		text, "WEFT_ARENA=64k", "WEFT_ARENA_MAX=64m",
		compared ? "WEFT_CHECK=2" : NULL, NULL
	};
	struct wf_sim_options options;

	snprintf(text, sizeof(text), "WEFT_COLL=radix:%d", radix);
	lack->reached = false;
	wf_sim_options_init(&options, lack->deed.size, (uint64_t)lack->at);
	options.environ = env;
	return sim_flow_run(&options, program, lack);
}

/* Some allocation is missed in each of them, and some is not. */
static bool lacks_anywhere(struct lack *lack, bool compared, int radix)
{
	lack->reached = true;
	lack->failed = 0;
	for (lack->at = 1; lack->reached; lack->at++)
		if (!lacks(lack, compared, radix)) {
			tap_diag("pattern %d, %d ranks, radix %d, allocation "
				 "%ld behind %d", (int)lack->deed.pattern,
				 lack->deed.size, radix, lack->at,
				 lack->before);
			return false;
		}
	return TAP_CHECK(lack->at > 3) && TAP_CHECK(lack->failed > 0);
}

static void every_allocation(bool compared)
{
	static const size_t most[] = { 30, 3000, 100000 };
	long seeds = tap_figure("SEEDS", 24);
	long first = tap_figure("FIRST_SEED", 1);

	for (long seed = first; seed < first + seeds; seed++) {
		struct lack lack = {
			.deed = {
				.pattern = (enum sparse_pattern)
					   (seed % SPARSE_PATTERNS),
				.number = (uint64_t)seed,
				.size = seed / 4 % 2 ? 3 : 11,
				.most = most[seed % 3]
			},
			.waits = seed % 2, .before = (int)(seed / 2 % 2)
		};

		if (!lacks_anywhere(&lack, compared, 2 << seed / 3 % 3))
			return;
	}
}

static void alone(void)
{
	every_allocation(false);
}

static void compared(void)
{
	every_allocation(true);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "each allocation", alone },
		{ "the same where calls are compared", compared }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
