/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables of irregular groups: the ranks of a node hold one copy of one that is
 * longer than WEFT_GROUP_SHARE, and a rank a few hundred bytes; whatever the
 * words of the node say, and where there are none, the group is the same.
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include "tests/fail_malloc.h"
#include "tests/sim/scene.h"

enum {
	PAGE = 4096,
	SMALL = 16,			/* ranks of a node of few */
	BOUND = 512			/* bytes of heap per rank */
};

static char *const shared_env[] = {
	"WEFT_ARENA=64k", "WEFT_ARENA_MAX=64m", NULL
};

static char *const small_env[] = {
	"WEFT_ARENA=64k", "WEFT_ARENA_MAX=64m", "WEFT_GROUP_SHARE=0", NULL
};

static char *const own_env[] = {
	"WEFT_ARENA=64k", "WEFT_ARENA_MAX=64m", "WEFT_GROUP_SHARE=inf", NULL
};

/* What the ranks of a run share. */
struct count {
	int members;			/* of each group */
	void (*spoil)(struct scene *s);	/* NULL: nothing is */
	int shared, makers;		/* ranks */
	int done;			/* ranks that have one */
	long before, after;		/* bytes of heap, of all ranks */
};

/* In a row but for one place, and not its own inverse. */
static int member(int i, int n)
{
	return (i + n / 3) % n;
}

static struct weft_group *make(const struct scene *s, int n)
{
	int *ranks = malloc((size_t)n * sizeof(*ranks));
	struct weft_group *all = NULL, *made = NULL;

	for (int i = 0; ranks && i < n; i++)
		ranks[i] = member(i, n);
	ok(s, weft_comm_group(s->world, &all), "group");
	ok(s, weft_group_incl(all, n, ranks, &made), "incl");
	ok(s, weft_group_free(&all), "free");
	free(ranks);
	return made;
}

static void check(const struct scene *s, struct weft_group *made, int n)
{
	int me = wf_sim_rank(s->rank);

	for (int i = 0; i < n; i++)
		if (wf_group_world_rank(made, i) != member(i, n) ||
		    wf_group_find(made, member(i, n)) != i)
			wf_sim_fail(s->rank, "another member at %d", i);
	if (wf_group_find(made, n) != WEFT_UNDEFINED ||
	    (me < n) != (made->rank >= 0))
		wf_sim_fail(s->rank, "who is no member");
}

/* All ranks are as far. */
static void meet(const struct scene *s, int *count, int times)
{
	for (++*count; *count < times * wf_sim_size(s->rank);) {
		ok(s, weft_job_progress(s->job), "progress");
		wf_sim_idle(s->rank, wf_sim_now(s->rank) + 1000000);
	}
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct count *count = arg;
	struct weft_group *made;
	struct scene s;

	if (!start(&s, rank))
		return;
	if (count->spoil)
		count->spoil(&s);
	meet(&s, &count->done, 1);
	if (!wf_sim_rank(rank))
		count->before = fail_malloc_bytes();
	meet(&s, &count->done, 2);
	made = make(&s, count->members);
	check(&s, made, count->members);
	count->shared += made->shared.base != NULL;
	count->makers += made->shared.base && made->shared.fd >= 0;
	meet(&s, &count->done, 3);
	if (!wf_sim_rank(rank))
		count->after = fail_malloc_bytes();
	meet(&s, &count->done, 4);
	ok(&s, weft_group_free(&made), "free");
	stop(&s);
}

static bool run_nodes(struct count *count, int ranks, int per_node,
		      char *const *environment)
{
	struct wf_sim_options options;
	struct wf_sim_result result = { .violations = 0 };

	wf_sim_options_init(&options, ranks, 1);
	options.ranks_per_node = per_node;
	options.environ = environment;
	fail_malloc_at(0);
	if (TAP_EQUAL(wf_sim_run(&options, program, count, &result), WEFT_OK) &&
	    TAP_EQUAL(result.violations, 0))
		return true;
	tap_diag("%s", result.text);
	return false;
}

static long bytes_each(const struct count *count, int ranks)
{
	return (count->after - count->before) / ranks;
}

static void thousands(void)
{
	int ranks = (int)tap_figure("MOST_RANKS", 4096), per_node = 64;
	struct count one = { .members = ranks }, own = one;

	if (!run_nodes(&one, ranks, per_node, small_env) ||
	    !run_nodes(&own, ranks, per_node, own_env))
		return;
	tap_diag("%d ranks, %d of a node: %ld bytes of heap each, and with "
		 "tables of their own %ld", ranks, per_node,
		 bytes_each(&one, ranks), bytes_each(&own, ranks));
	TAP_CHECK(bytes_each(&one, ranks) <= BOUND);
	TAP_CHECK(bytes_each(&own, ranks) >= (long)sizeof(int) * ranks);
	TAP_EQUAL(one.shared, ranks);
	TAP_EQUAL(one.makers, ranks / per_node);
	TAP_EQUAL(own.shared, 0);
}

static void pages(void)
{
	int page = PAGE / (int)sizeof(int);
	struct count at = { .members = page }, above = { .members = page + 1 };

	if (!run_nodes(&at, page + 1, 0, shared_env) ||
	    !run_nodes(&above, page + 1, 0, shared_env))
		return;
	TAP_EQUAL(at.shared, 0);
	TAP_EQUAL(above.shared, page + 1);
	TAP_EQUAL(above.makers, 1);
}

/* ---- words that mean something else ---- */

static int lie_fd;			/* what they say */

/* All words of the node, by one rank. */
static void lie(struct scene *s)
{
	struct wf_device *dev = s->job->dev[0];
	uint64_t seen;

	if (wf_sim_rank(s->rank))
		return;
	for (uint64_t i = 0; i < SMALL * WF_BOARD_WORDS; i++) {
		struct wf_swap swap = {
			i, 0, (uint64_t)getpid() << 32 | (uint32_t)lie_fd
		};

		if (dev->ops->board(dev, &swap, &seen) || seen)
			wf_sim_fail(s->rank, "the word %d", (int)i);
	}
}

/* A memfd of so many bytes, all of them 0, sealed so. */
static int make_file(size_t bytes, int seals)
{
	int fd = memfd_create("lie", MFD_ALLOW_SEALING | MFD_CLOEXEC);

	TAP_CHECK(fd >= 0 && !ftruncate(fd, (off_t)bytes) &&
		  !fcntl(fd, F_ADD_SEALS, seals));
	return fd;
}

/* Whatever descriptor it is, one rank makes a copy for all. */
static void expect_lie(int fd)
{
	struct count count = { .members = SMALL, .spoil = lie };

	lie_fd = fd;
	if (!run_nodes(&count, SMALL, 0, small_env))
		return;
	TAP_EQUAL(count.shared, SMALL);
	TAP_EQUAL(count.makers, 1);
}

static void lies(void)
{
	size_t bytes = 2 * SMALL * sizeof(int);
	int all = F_SEAL_WRITE | F_SEAL_SHRINK, pipes[2];
	int fds[] = {
		make_file(bytes, all), make_file(bytes, F_SEAL_SHRINK),
		make_file(bytes / 2, all), open("/dev/null", O_RDWR),
		open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
	};

	expect_lie(1 << 20);		/* no descriptor */
	for (size_t i = 0; i < TAP_COUNT(fds); i++) {
		expect_lie(fds[i]);
		close(fds[i]);
	}
	if (!TAP_CHECK(!pipe(pipes)))
		return;
	expect_lie(pipes[0]);
	close(pipes[0]);
	close(pipes[1]);
}

/* ---- a file that holds the right table ---- */

/* What rank 0 puts in the place of the one that it has made. */
static struct {
	bool ordered;			/* or the table is its own inverse */
	int seals;
	int fd;
} other;

static void replace(struct scene *s)
{
	size_t half = SMALL * sizeof(int);
	struct weft_group *made;
	struct wf_swap swap;
	uint64_t pid = (uint64_t)getpid() << 32, seen = 0;

	if (wf_sim_rank(s->rank))
		return;
	made = make(s, SMALL);
	other.fd = make_file(0, 0);
	if (write(other.fd, made->table, half) < 0 ||
	    write(other.fd, other.ordered ? made->sorted : made->table,
		  half) < 0 ||
	    fcntl(other.fd, F_ADD_SEALS, other.seals))
		wf_sim_fail(s->rank, "cannot make a file");
	swap.number = wf_group_print(made);
	swap.expected = pid | (uint32_t)made->shared.fd;
	swap.desired = pid | (uint32_t)other.fd;
	if (s->job->dev[0]->ops->board(s->job->dev[0], &swap, &seen) ||
	    seen != swap.expected)
		wf_sim_fail(s->rank, "the word is another one");
	ok(s, weft_group_free(&made), "free");
}

static void expect_makers(bool ordered, int seals, int makers)
{
	struct count count = { .members = SMALL, .spoil = replace };

	other.ordered = ordered;
	other.seals = seals;
	if (!run_nodes(&count, SMALL, 0, small_env))
		return;
	close(other.fd);
	TAP_EQUAL(count.shared, SMALL);
	TAP_EQUAL(count.makers, makers);
}

static void order(void)
{
	expect_makers(true, F_SEAL_WRITE | F_SEAL_SHRINK, 0);
	expect_makers(false, F_SEAL_WRITE | F_SEAL_SHRINK, 1);
}

static void seals(void)
{
	expect_makers(true, F_SEAL_SHRINK, 1);
	expect_makers(true, F_SEAL_WRITE, 1);
}

/* ---- two at once ---- */

/* Another rank, in the middle of this one's. */
struct race {
	struct weft_job *job;
	struct wf_shared_want want;
	struct wf_shared faster;
};

static bool is_any(const void *base, const void *arg)
{
	(void)arg;
	return *(const char *)base == 'x';
}

static int write_any(void *base, const void *arg)
{
	(void)arg;
	*(char *)base = 'x';
	return WEFT_OK;
}

static int write_late(void *base, const void *arg)
{
	struct race *race = *(struct race *const *)arg;

	write_any(base, NULL);
	race->want.write = write_any;
	return wf_shared_get(race->job, &race->want, &race->faster);
}

static void get_two(struct wf_sim_rank *rank, void *arg)
{
	struct race race = { .faster = { .fd = -1 } }, *at = &race;
	struct wf_shared mine = { .fd = -1 };
	struct wf_shared_want want = {
		.print = 3, .bytes = PAGE, .is_it = is_any,
		.write = write_late, .arg = &at
	};
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	race.job = s.job;
	race.want = want;
	ok(&s, wf_shared_get(s.job, &want, &mine), "get");
	if (mine.fd >= 0 || race.faster.fd < 0 || s.job->shared_fds != 1)
		wf_sim_fail(rank, "two copies");
	wf_shared_drop(s.job, &race.faster);
	if (!is_any(mine.base, NULL))
		wf_sim_fail(rank, "it went with its maker");
	wf_shared_drop(s.job, &mine);
	stop(&s);
}

static void two(void)
{
	run(1, 1, get_two);
}

/* ---- descriptors ---- */

/* Of one rank, each a group of one more member. */
static void make_many(struct wf_sim_rank *rank, void *arg)
{
	enum { GROUPS = WF_SHARED_FDS + 8 };
	struct weft_group *made[GROUPS];
	int *makers = arg;
	struct scene s;

	if (!start(&s, rank))
		return;
	for (int i = 0; i < GROUPS && !wf_sim_rank(rank); i++) {
		made[i] = make(&s, SMALL + i);
		check(&s, made[i], SMALL + i);
		*makers += made[i]->shared.base != NULL;
	}
	for (int i = 0; i < GROUPS && !wf_sim_rank(rank); i++)
		ok(&s, weft_group_free(&made[i]), "free");
	if (s.job->shared_fds)
		wf_sim_fail(rank, "%d descriptors", s.job->shared_fds);
	stop(&s);
}

static void descriptors(void)
{
	struct wf_sim_options options;
	struct wf_sim_result result = { .violations = 0 };
	int makers = 0;

	wf_sim_options_init(&options, SMALL + WF_SHARED_FDS + 8, 1);
	options.environ = small_env;
	TAP_EQUAL(wf_sim_run(&options, make_many, &makers, &result), WEFT_OK);
	if (!TAP_EQUAL(result.violations, 0))
		tap_diag("%s", result.text);
	TAP_EQUAL(makers, WF_SHARED_FDS);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "one copy per node of thousands", thousands },
		{ "a page is not shared, more is", pages },
		{ "words that mean something else", lies },
		{ "a table in another order", order },
		{ "only what is sealed is mapped", seals },
		{ "the faster of two gives it", two },
		{ "so many descriptors of a rank", descriptors }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
