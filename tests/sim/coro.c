/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Coroutines: control goes to and fro, every one keeps its own locals, a deep
 * stack holds, one that is too deep hits its guard page.
 */
#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <weft/status.h>

#include "tests/tap.h"
#include "transport/sim/sim_coro.h"

enum { MANY = 200, ROUNDS = 50 };

struct worker {
	struct wf_coro coro;
	int number;
	uint64_t sum;
	double product;
};

/* Values that live in registers and on the stack across switches. */
static void work(void *arg)
{
	struct worker *w = arg;
	uint64_t sum = (uint64_t)w->number;
	double product = 1 + w->number;
	char local[64];

	memset(local, w->number, sizeof(local));
	for (int i = 0; i < ROUNDS; i++) {
		sum += (uint64_t)i * (uint64_t)w->number;
		product *= 1.0625;
		wf_coro_suspend(&w->coro);
		TAP_CHECK(local[i % 64] == (char)w->number);
	}
	w->sum = sum;
	w->product = product;
}

static void take_turns(void)
{
	static struct worker workers[MANY];
	double growth = 1;

	for (int i = 0; i < MANY; i++) {
		workers[i].number = i;
		if (!TAP_EQUAL(wf_coro_init(&workers[i].coro, 0, work,
					    &workers[i]), WEFT_OK))
			return;
	}
	for (int round = 0; round <= ROUNDS; round++)
		for (int i = 0; i < MANY; i++) {
			TAP_CHECK(!workers[i].coro.finished);
			wf_coro_resume(&workers[i].coro);
		}
	for (int i = 0; i < ROUNDS; i++)
		growth *= 1.0625;
	for (int i = 0; i < MANY; i++) {
		uint64_t n = (uint64_t)i;

		TAP_CHECK(workers[i].coro.finished);
		TAP_EQUAL(workers[i].sum, n + n * (ROUNDS * (ROUNDS - 1) / 2));
		TAP_CHECK(workers[i].product > 0.999999 * (1 + i) * growth);
		TAP_CHECK(workers[i].product < 1.000001 * (1 + i) * growth);
		wf_coro_fini(&workers[i].coro);
	}
}

/* Writes bytes of stack, all of them; the sum keeps the compiler from it. */
static __attribute__((noinline)) unsigned int dig(long bytes)
{
	volatile char page[2048];
	unsigned int below = 0;

	for (int i = 0; i < 2048; i++)
		page[i] = (char)bytes;
	if (bytes > 2048)
		below = dig(bytes - 2048);
	return below + (unsigned char)page[0] + (unsigned char)page[2047];
}

struct digger {
	struct wf_coro coro;
	long bytes;
	unsigned int sum;
};

static void dig_deep(void *arg)
{
	struct digger *d = arg;

	d->sum = dig(d->bytes);
}

static bool dig_in_coro(long bytes)
{
	struct digger d = { .bytes = bytes };

	if (wf_coro_init(&d.coro, 0, dig_deep, &d))
		return false;
	wf_coro_resume(&d.coro);
	wf_coro_fini(&d.coro);
	return d.coro.finished;
}

static void deep(void)
{
	for (int i = 0; i < 100; i++)
		TAP_CHECK(dig_in_coro(40 << 10));
}

static void guarded(void)
{
	const struct rlimit none = { 0, 0 };
	int status = 0;
	pid_t child;

#if defined(WF_CORO_ASAN) || defined(WF_CORO_TSAN)
	tap_skip("a sanitizer handles the fault");
	return;
#endif
	fflush(stdout);
	child = fork();
	if (child == 0) {
		setrlimit(RLIMIT_CORE, &none);
		signal(SIGSEGV, SIG_DFL);
		dig_in_coro(80 << 10);
		_exit(0);
	}
	waitpid(child, &status, 0);
	TAP_CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
}

/* One that never ends is given up where it stands. */
static void abandoned(void)
{
	struct worker w = { .number = 1 };

	TAP_EQUAL(wf_coro_init(&w.coro, 0, work, &w), WEFT_OK);
	wf_coro_resume(&w.coro);
	wf_coro_resume(&w.coro);
	TAP_CHECK(!w.coro.finished);
	wf_coro_fini(&w.coro);
}

/* Stacks side by side: a canary instead of a guard page. */
static void side_by_side(void)
{
	size_t bytes = wf_coro_stack_bytes();
	char *stacks = malloc(2 * bytes);
	struct digger low = { .bytes = (long)bytes / 2 };
	struct digger high = { .bytes = (long)(bytes + bytes / 8) };

	if (!TAP_CHECK(stacks))
		return;
	wf_coro_init_at(&low.coro, stacks, bytes, dig_deep, &low);
	wf_coro_init_at(&high.coro, stacks + bytes, bytes, dig_deep, &high);
	wf_coro_resume(&low.coro);
	TAP_CHECK(low.coro.finished && wf_coro_is_sound(&low.coro));
	TAP_CHECK(wf_coro_is_sound(&high.coro));
#if !defined(WF_CORO_ASAN) && !defined(WF_CORO_TSAN)
	wf_coro_resume(&high.coro);
	TAP_CHECK(high.coro.finished && !wf_coro_is_sound(&high.coro));
#endif
	wf_coro_fini(&low.coro);
	wf_coro_fini(&high.coro);
	free(stacks);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "200 coroutines take turns", take_turns },
		{ "40 KiB of stack", deep },
		{ "a guard page below the stack", guarded },
		{ "a canary instead of a guard page", side_by_side },
		{ "one is given up before its end", abandoned },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
