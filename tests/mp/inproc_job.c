/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A job beside what it cannot trust or does not know: blobs of other builds,
 * mails of no kind, more ranks than CPUs, threads that wait for long.
 */
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
#include <weft.h>
#include "boot/boot.h"
#include "tests/meet.h"

static char logged[4096];	/* written under the job's lock */

static void capture(void *arg, const char *line, size_t n)
{
	size_t used = strlen(logged);

	(void)arg;
	if (n < sizeof(logged) - used)
		memcpy(logged + used, line, n);
}

static struct weft_job *open_rank(struct weft_inproc *inproc, int rank,
				  bool threads)
{
	struct weft_job_options options;
	struct weft_job *job = NULL;

	weft_job_options_init(&options, sizeof(options));
	options.inproc = inproc;
	options.inproc_rank = rank;
	options.threads = threads;
	if (!TAP_EQUAL(weft_job_open(&options, &job), WEFT_OK))
		return NULL;
	return job;
}

/* What it logs from now on goes to `logged`. */
static void listen_to(struct weft_job *job)
{
	memset(logged, 0, sizeof(logged));
	job->log.write = capture;
}

/* ---- ranks 1 and 2 are no jobs, but their blobs are there ---- */

enum damage { NONE, MISSING, CUT, BROKEN, WIRE, ORDER, SIZES, SETTINGS };

struct stranger {
	struct weft_inproc *inproc;
	int rank;
	enum damage damage;
};

static size_t make_blob(enum damage damage, const struct wf_config *config,
			uint8_t *packed)
{
	struct wf_identity id;
	struct wf_blob blob;
	char why[160];
	size_t n;

	TAP_EQUAL(wf_identity_read(&id, why, sizeof(why)), WEFT_OK);
	wf_blob_init(&blob, &id, wf_config_hash(config));
	blob.wire_version += damage == WIRE;
	blob.marks.order += damage == ORDER;
	blob.marks.long_bytes += damage == SIZES;
	blob.settings += damage == SETTINGS;
	n = wf_blob_pack(&blob, packed);
	packed[n / 2] ^= damage == BROKEN;
	return damage == CUT ? n - 1 : n;
}

static void *stranger_main(void *arg)
{
	struct stranger *s = arg;
	uint8_t packed[WF_BLOB_BYTES_MAX];
	struct wf_config config;
	struct wf_log log;
	struct wf_boot_options options = {
		.size = sizeof(options), .config = &config, .log = &log,
		.inproc = s->inproc, .inproc_rank = s->rank, .environ = environ
	};
	struct wf_boot *boot;
	char why[512];
	size_t n;

	wf_log_init(&log, WF_LOG_WARN, "stranger");
	if (!TAP_EQUAL(wf_config_read(&config, environ, why, sizeof(why)), 0) ||
	    !TAP_EQUAL(wf_boot_open(&options, &boot, why, sizeof(why)), 0))
		abort();
	n = make_blob(s->damage, &config, packed);
	if (s->damage != MISSING)
		TAP_EQUAL(wf_boot_put(boot, "blob", packed, n), WEFT_OK);
	TAP_EQUAL(wf_boot_fence(boot), WEFT_OK);
	wf_boot_close(boot);
	return NULL;
}

/* What rank 0 says of rank 2; its own job is as good as before. */
static void beside(enum damage damage, const char *words)
{
	struct stranger s[2] = { { .rank = 1 }, { .rank = 2 } };
	struct weft_inproc *inproc;
	struct wf_peer *peer;
	struct weft_job *job;
	pthread_t thread[2];

	if (!TAP_EQUAL(weft_inproc_create(3, &inproc), WEFT_OK))
		return;
	s[0].inproc = s[1].inproc = inproc;
	s[1].damage = damage;
	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, stranger_main, &s[i]);
	/* A good rank 1 is next to it: only first contact finds rank 2. */
	job = open_rank(inproc, 0, false);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	listen_to(job);
	peer = wf_peer_get(job, 2);
	wf_peer_connect(peer);
	while (wf_peer_is_there(peer))
		wf_job_progress(job);
	TAP_EQUAL(peer->state, WF_PEER_UNREACHABLE);
	if (!TAP_CHECK(strstr(wf_peer_why(peer), damage == NONE ?
			      "no backend in common with this one: shm: it has "
			      "not opened shared memory" :
			      "cannot be talked to")))
		tap_diag("%s", wf_peer_why(peer));
	if (!TAP_CHECK(strstr(logged, words)))
		tap_diag("damage %d: %s", (int)damage, logged);
	TAP_EQUAL(weft_barrier(weft_job_world(job)),
		  damage == NONE ? WEFT_ERR_DEVICE : WEFT_ERR_PEER);
	TAP_EQUAL(weft_job_close(job), WEFT_OK);
	weft_inproc_free(&inproc);
}

static void blobs(void)
{
	beside(NONE, "");
	beside(MISSING, "rank 2: no boot blob: rank 2 has put no value");
	beside(CUT, "rank 2: ");
	beside(BROKEN, "rank 2: ");
	beside(WIRE, "use one version of weft in a job");
	beside(ORDER, "differ in byte order");
	beside(SIZES, "differ in the sizes of C types");
	beside(SETTINGS, "differ in WEFT_* settings");
}

/* ---- mails ---- */

static void mails_of_no_kind(void)
{
	static const uint8_t kinds[] = { 0, WF_MAIL_KINDS, 200, 255 };
	struct weft_job *job = open_rank(NULL, 0, false);

	TAP_EQUAL(meet(job), WEFT_OK);
	for (int i = 0; i < TAP_COUNT(kinds); i++) {
		struct wf_mail head = { .kind = kinds[i] };

		wf_mail_deliver(job, wf_peer_find(job, 0)->ep, &head, NULL);
		TAP_EQUAL(job->mailbox.dropped, i + 1);
	}
	TAP_EQUAL(weft_job_close(job), WEFT_OK);
}

/* ---- CPUs ---- */

struct rank {
	pthread_t thread;
	struct weft_inproc *inproc;
	int rank;
	bool crowded;
	uint64_t spin, wanted;
};

static void *rank_main(void *arg)
{
	struct rank *rank = arg;
	struct weft_job *job = open_rank(rank->inproc, rank->rank, false);

	rank->crowded = job->crowded;
	rank->spin = job->spin;
	rank->wanted = job->config.spin;
	TAP_EQUAL(weft_job_close(job), WEFT_OK);
	return NULL;
}

static void spins(int n, bool crowded)
{
	struct weft_inproc *inproc;
	struct rank *rank = calloc((size_t)n, sizeof(*rank));

	if (!TAP_EQUAL(weft_inproc_create(n, &inproc), WEFT_OK) || !rank)
		abort();
	for (int r = 0; r < n; r++) {
		rank[r] = (struct rank){ .inproc = inproc, .rank = r };
		pthread_create(&rank[r].thread, NULL, rank_main, &rank[r]);
	}
	for (int r = 0; r < n; r++) {
		pthread_join(rank[r].thread, NULL);
		TAP_CHECK(rank[r].wanted > WF_SPIN_IN_A_CROWD);
		TAP_EQUAL(rank[r].crowded, crowded);
		if (crowded)
			TAP_CHECK(rank[r].spin <= WF_SPIN_IN_A_CROWD);
		else
			TAP_EQUAL(rank[r].spin, rank[r].wanted);
	}
	weft_inproc_free(&inproc);
	free(rank);
}

/* A thread has the CPUs of the one that made it. */
static void more_ranks_than_cpus(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	cpu_set_t all, two;
	int found = 0;

	if (cpus > 64) {
		tap_skip("a job of %ld ranks", cpus + 1);
		return;
	}
	spins(1, false);
	spins((int)cpus + 1, true);
	if (sched_getaffinity(0, sizeof(all), &all) || CPU_COUNT(&all) < 3)
		return;
	CPU_ZERO(&two);
	for (int i = 0; i < CPU_SETSIZE && found < 2; i++)
		if (CPU_ISSET(i, &all)) {
			CPU_SET(i, &two);
			found++;
		}
	TAP_EQUAL(sched_setaffinity(0, sizeof(two), &two), 0);
	spins(3, true);
	TAP_EQUAL(sched_setaffinity(0, sizeof(all), &all), 0);
}

/* ---- threads ---- */

enum { THREADS = 3 };

struct waiter {
	pthread_t thread;
	struct weft_job *job;
	int number;
};

static atomic_bool over;

static bool is_over(void *arg)
{
	(void)arg;
	return over;
}

static void describe(void *arg, char *text, size_t bytes)
{
	snprintf(text, bytes, "thing %d", ((struct waiter *)arg)->number);
}

static void *waiter_main(void *arg)
{
	struct waiter *w = arg;
	struct wf_wait wait = { is_over, describe, w };

	if (TAP_EQUAL(wf_job_enter(w->job), WEFT_OK)) {
		wf_job_wait(w->job, &wait);
		wf_job_leave(w->job);
	}
	return NULL;
}

/* Has each of them said it, and once? */
static int times(struct weft_job *job, int number)
{
	char words[40];
	int n = 0;

	snprintf(words, sizeof(words), "waiting for thing %d, since", number);
	if (!TAP_EQUAL(wf_job_enter(job), WEFT_OK))
		return 0;
	for (char *at = logged; (at = strstr(at, words)); at++)
		n++;
	wf_job_leave(job);
	return n;
}

/* The one that makes progress, and those that sleep meanwhile. */
static void each_thread_tells(void)
{
	struct waiter w[THREADS];
	struct weft_job *job;

	setenv("WEFT_STALL", "50ms", 1);
	job = open_rank(NULL, 0, true);
	unsetenv("WEFT_STALL");
	listen_to(job);
	for (int i = 0; i < THREADS; i++) {
		w[i] = (struct waiter){ .job = job, .number = i };
		pthread_create(&w[i].thread, NULL, waiter_main, &w[i]);
	}
	for (int i = 0; i < THREADS; i++)
		while (!times(job, i))
			sched_yield();
	over = true;
	for (int i = 0; i < THREADS; i++)
		pthread_join(w[i].thread, NULL);
	for (int i = 0; i < THREADS; i++)
		TAP_EQUAL(times(job, i), 1);
	TAP_EQUAL(weft_job_close(job), WEFT_OK);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a rank whose boot blob does not fit", blobs },
		{ "mails of no kind are dropped", mails_of_no_kind },
		{ "more ranks than CPUs yield early", more_ranks_than_cpus },
		{ "each thread that waits says so", each_thread_tells },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
