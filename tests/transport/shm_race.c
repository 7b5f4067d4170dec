/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shared memory with two ranks that really run at the same time, as threads
 * of one process and as two processes: an exchange of lines and puts in both
 * directions, with two slots, where the reader checks every byte; mails; and
 * atomics on the same words.
 *
 * What a rank stores last in an epoch the other looks at first, so that each
 * of signal and line has to order its own bytes; the thread sanitizer sees it
 * if one does not.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <weft/status.h>
#include "base/barrier.h"
#include "base/clock.h"
#include "boot/boot.h"
#include "tests/transport/fixture.h"
#include "transport/line.h"

enum {
	SLOTS = 2,
	SLOT = 32768,
	SPINS = 200,
	TURN_NS = 50000,
	ADDS = 100			/* in the time of an epoch */
};

/* What a rank tells the other about the memory that it may write. */
struct offer {
	struct wf_rloc line[SLOTS], slot[SLOTS];
	uint32_t sig[SLOTS];
};

struct side {
	struct fixture *f;
	struct fixture_rank *rank;
	struct wf_ep *ep;
	struct offer theirs;
	struct wf_line *line[SLOTS];
	char *slot[SLOTS];
	const _Atomic uint64_t *word[SLOTS];
	uint32_t sig[SLOTS];
	uint64_t deadline;
	int mails;			/* received so far */
	bool late;
};

static long epochs;

static void yield(struct side *s, unsigned *spins)
{
	wf_cpu_relax();
	if (++*spins % SPINS)
		return;
	sched_yield();
	s->late = s->late || wf_clock_ns() > s->deadline;
}

static void progress(struct side *s)
{
	s->rank->dev->ops->progress(s->rank->dev);
}

static void connect_side(struct side *s)
{
	int other = 1 - s->rank->rank;
	unsigned spins = 0;

	TAP_EQUAL(fixture_ask(s->f, s->rank->rank, other), WEFT_OK);
	s->ep = s->rank->ep[other];
	while (s->ep->state != WF_EP_READY && !s->late) {
		progress(s);
		yield(s, &spins);
	}
	TAP_CHECK(!s->late);
}

static void swap_offers(struct side *s)
{
	struct wf_mail mail = { .kind = 1, .length = sizeof(struct offer) };
	struct offer mine;
	unsigned spins = 0;

	for (int i = 0; i < SLOTS; i++) {
		s->line[i] = fixture_alloc(s->f, s->rank->rank,
					   sizeof(*s->line[i]), &mine.line[i]);
		s->slot[i] = fixture_alloc(s->f, s->rank->rank,
					   SLOT + WF_HEAD_BYTES,
					   &mine.slot[i]);
		mine.sig[i] = fixture_signal(s->f, s->rank->rank);
		s->sig[i] = mine.sig[i];
		s->word[i] = wf_signal_word(&s->rank->signals, mine.sig[i]);
	}
	TAP_EQUAL(s->ep->ops->mail(s->ep, &mail, &mine), WEFT_OK);
	while (!s->rank->nletters && !s->late) {
		progress(s);
		yield(s, &spins);
	}
	if (TAP_CHECK(!s->late))
		memcpy(&s->theirs, s->rank->letters[0].payload,
		       sizeof(s->theirs));
}

/* The same at both ends: rank r sends this in epoch e. */
static uint32_t pattern(uint32_t rank, uint64_t e, uint32_t i)
{
	uint32_t x = (uint32_t)e * 2654435761u + rank * 97 + i * 40503u;

	return x ^ x >> 15;
}

static uint32_t words(uint64_t e)
{
	return pattern(3, e, 0) % 4 ? pattern(3, e, 1) % 32
				    : pattern(3, e, 1) % (SLOT / 4 + 1);
}

static void send_line(struct side *s, uint64_t e)
{
	uint32_t data[WF_LINE_DATA / 4], n = words(e) % 15;

	for (uint32_t i = 0; i < n; i++)
		data[i] = pattern((uint32_t)s->rank->rank, e, i);
	TAP_EQUAL(wf_ep_line(s->ep, s->theirs.line[e % SLOTS], data,
				   4 * n, wf_line_seq(e)), WEFT_OK);
}

static void send_put(struct side *s, uint64_t e)
{
	uint32_t data[SLOT / 4], n = words(e);
	uint64_t head = e;

	for (uint32_t i = 0; i < n; i++)
		data[i] = pattern((uint32_t)s->rank->rank, e, i);
	TAP_EQUAL(s->ep->ops->put_signal(s->ep, wf_loc_any(data),
					 s->theirs.slot[e % SLOTS], 4 * n,
					 s->theirs.sig[e % SLOTS], &head),
		  WEFT_OK);
}

static void check_words(struct side *s, uint64_t e, const char *p, uint32_t n)
{
	uint32_t from = 1 - (uint32_t)s->rank->rank, have, wrong = 0;

	/* The last word first: it is what a store too early runs ahead of. */
	for (uint32_t i = n; i-- > 0;) {
		memcpy(&have, p + 4 * i, 4);
		wrong += have != pattern(from, e, i);
	}
	if (!TAP_EQUAL(wrong, 0))
		tap_diag("epoch %llu", (unsigned long long)e);
}

static void take_line(struct side *s, uint64_t e)
{
	const struct wf_line *line = s->line[e % SLOTS];
	unsigned spins = 0;

	while (!wf_line_ready(line, wf_line_seq(e)) && !s->late)
		yield(s, &spins);
	TAP_EQUAL(wf_line_length(line), words(e) % 15 * 4);
	check_words(s, e, wf_line_content(line, words(e) % 15 * 4),
		    words(e) % 15);
}

static void take_put(struct side *s, uint64_t e)
{
	uint64_t expected = e / SLOTS + 1, head;
	int i = (int)(e % SLOTS);
	unsigned spins = 0;

	while (wf_signal_count(s->word[i], s->sig[i]) < expected && !s->late)
		yield(s, &spins);
	TAP_EQUAL(wf_signal_count(s->word[i], s->sig[i]), expected);
	memcpy(&head, s->slot[i], sizeof(head));
	TAP_EQUAL(head, e);
	check_words(s, e, s->slot[i] + WF_HEAD_BYTES, words(e));
}

static void exchange(struct side *s)
{
	for (uint64_t e = 0; e < (uint64_t)epochs && !s->late; e++) {
		if (e % 3) {
			send_line(s, e);
			send_put(s, e);
			take_put(s, e);
			take_line(s, e);
		} else {
			send_put(s, e);
			send_line(s, e);
			take_line(s, e);
			take_put(s, e);
		}
	}
	TAP_CHECK(!s->late);
}

static void look(void *arg, const struct letter *l)
{
	struct side *s = arg;
	uint32_t want = (uint32_t)s->mails++;

	TAP_EQUAL(l->mail.word, want);
	for (uint32_t i = 0; i < l->mail.length; i++)
		if (!TAP_EQUAL(l->payload[i], (char)(want + i)))
			return;
	/* kept would be 160 MB */
	s->rank->nletters = 0;
}

static void mails(struct side *s)
{
	char payload[WF_MAIL_LONGEST];
	unsigned spins = 0;
	long sent = 0;

	while ((sent < epochs || s->mails < epochs) && !s->late) {
		struct wf_mail mail = { .kind = 7, .word = (uint32_t)sent };

		mail.length = (uint16_t)(pattern(4, (uint64_t)sent, 0) %
					 (sent % 8 ? WF_MAIL_PAYLOAD + 1 :
						     WF_MAIL_LONGEST + 1));
		for (uint32_t i = 0; i < mail.length; i++)
			payload[i] = (char)((uint32_t)sent + i);
		if (sent < epochs &&
		    s->ep->ops->mail(s->ep, &mail, payload) == WEFT_OK)
			sent++;
		else
			yield(s, &spins);
		progress(s);
	}
	TAP_CHECK(!s->late);
}

/* Rank 0 has the word; the own endpoint there is the one to oneself. */
static struct wf_ep *find_word(struct side *s, struct wf_rloc *rloc_p)
{
	if (s->rank->rank) {
		*rloc_p = s->theirs.slot[0];
		return s->ep;
	}
	TAP_EQUAL(fixture_ask(s->f, 0, 0), WEFT_OK);
	TAP_EQUAL(s->rank->dev->ops->key(&s->rank->dev->arena, (uint64_t)
			(s->slot[0] - (char *)s->rank->dev->arena.base),
			rloc_p), WEFT_OK);
	return s->rank->ep[0];
}

static void await_letters(struct side *s, int n)
{
	unsigned spins = 0;

	while (s->rank->nletters < n && !s->late) {
		progress(s);
		yield(s, &spins);
	}
}

/* One agent: both change two words at the same time, and nothing is lost. */
static void add_words(struct side *s)
{
	struct wf_rloc sum, turns;
	struct wf_ep *ep = find_word(s, &sum);
	const struct wf_mail done = { .kind = 2 };
	uint64_t old, last = 0, guess = 0;

	turns = (struct wf_rloc){ sum.addr + 8, sum.key };
	for (long i = 0; i < ADDS * epochs; i++) {
		TAP_EQUAL(ep->ops->fetch_add(ep, sum, 3, &old), WEFT_OK);
		TAP_CHECK(old % 3 == 0 && (!i || old > last));
		last = old;
		for (;; guess = old) {
			TAP_EQUAL(ep->ops->cas(ep, turns, guess, guess + 1,
					       &old), WEFT_OK);
			if (old == guess)
				break;
		}
	}
	TAP_EQUAL(s->ep->ops->mail(s->ep, &done, NULL), WEFT_OK);
	await_letters(s, 2);
	TAP_CHECK(!s->late);
	TAP_EQUAL(ep->ops->get(ep, wf_loc_any(&old), sum, 8), WEFT_OK);
	TAP_EQUAL(old, 6 * ADDS * (uint64_t)epochs);
	TAP_EQUAL(ep->ops->get(ep, wf_loc_any(&old), turns, 8), WEFT_OK);
	TAP_EQUAL(old, 2 * ADDS * (uint64_t)epochs);
}

struct job {
	struct fixture f;
	struct side side[2];
	void (*run)(struct side *s);
};

static void run_side(struct job *job, int rank)
{
	struct side *s = &job->side[rank];

	s->f = &job->f;
	s->rank = &job->f.rank[rank];
	s->deadline = wf_clock_ns() + 100 * WF_NS_PER_S;
	if (job->run == mails) {
		/* the other side may be ready, and mail, before we know */
		s->rank->arg = s;
		s->rank->on_mail = look;
	}
	connect_side(s);
	if (job->run != mails)
		swap_offers(s);
	if (!s->late)
		job->run(s);
	TAP_EQUAL(wf_boot_fence(&s->rank->boot.base), WEFT_OK);
}

static void *thread_main(void *arg)
{
	run_side(arg, 1);
	return NULL;
}

static void by_threads(void (*run)(struct side *s))
{
	static struct job job;
	pthread_t thread;

	memset(&job, 0, sizeof(job));
	job.run = run;
	fixture_open(&job.f, 2, 1);
	if (pthread_create(&thread, NULL, thread_main, &job)) {
		TAP_CHECK(!"pthread_create");
		return;
	}
	run_side(&job, 0);
	pthread_join(thread, NULL);
	fixture_close(&job.f);
}

static void run_process(struct job *job, int rank)
{
	fixture_prepare(&job->f, rank);
	fixture_enter(&job->f, rank);
	TAP_EQUAL(wf_boot_fence(&job->f.rank[rank].boot.base), WEFT_OK);
	run_side(job, rank);
	fixture_leave(&job->f, rank);
}

static void by_processes(void (*run)(struct side *s))
{
	static struct job job;
	int status = -1;
	pid_t child;

	memset(&job, 0, sizeof(job));
	job.run = run;
	job.f.n = 2;
	job.f.board = board_create(2);
	child = fork();
	if (child == 0) {
		alarm(110);
		run_process(&job, 1);
		_exit(tap.failures ? 1 : 0);
	}
	run_process(&job, 0);
	TAP_EQUAL(waitpid(child, &status, 0), child);
	TAP_EQUAL(status, 0);
	board_destroy(job.f.board);
}

static void exchange_threads(void)
{
	by_threads(exchange);
}

static void exchange_processes(void)
{
	by_processes(exchange);
}

static void mail_threads(void)
{
	by_threads(mails);
}

static void mail_processes(void)
{
	by_processes(mails);
}

static void word_threads(void)
{
	by_threads(add_words);
}

static void word_processes(void)
{
	by_processes(add_words);
}

static void give_way(int signal)
{
	(void)signal;
	sched_yield();
}

/*
 * A busy machine may give both sides one CPU, where they would take turns only
 * where they wait; now the first does so anywhere.
 */
static void take_turns_anywhere(void)
{
	struct sigaction action = {
		.sa_handler = give_way, .sa_flags = SA_RESTART
	};
	struct sigevent event = {
		.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR2
	};
	struct itimerspec often = {
		.it_interval = { .tv_nsec = TURN_NS },
		.it_value = { .tv_nsec = TURN_NS }
	};
	timer_t timer;

	TAP_EQUAL(sigaction(SIGUSR2, &action, NULL), 0);
	if (TAP_EQUAL(timer_create(CLOCK_MONOTONIC, &event, &timer), 0))
		TAP_EQUAL(timer_settime(timer, 0, &often, NULL), 0);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "lines and puts between threads", exchange_threads },
		{ "lines and puts between processes", exchange_processes },
		{ "mails between threads", mail_threads },
		{ "mails between processes", mail_processes },
		{ "atomics between threads", word_threads },
		{ "atomics between processes", word_processes },
	};

	epochs = tap_figure("EPOCHS", 20000);
	alarm(120);
	take_turns_anywhere();
	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
