/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Joining a job through PMI-1, and what becomes of it when the launcher is not
 * what it should be. The ranks are children, because a process has its launcher
 * only once; what they check is in their exit code.
 */
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/config.h"
#include "base/log.h"
#include "boot/boot.h"
#include "boot/leash.h"
#include "tests/tap.h"
#include "tests/unit/pmi_server.h"

#define BYTES 600 /* as much as the largest boot blob */
#define MAP "(vector,(0,1,1))"

static struct wf_config config = { .log = WF_LOG_ERROR };
static struct wf_log logger;
static char why[512];

/* For children, which print what does not hold: they have no TAP line. */
static int failures(void)
{
	return tap.failures > 0 ? 99 : 0;
}

static int ticks; /* while it waited in a barrier */

static void count_tick(void *arg, const char *what)
{
	(void)arg;
	ticks += strcmp(what, "the PMI barrier") == 0;
}

static int open_boot(const struct pmi_rank *rank, struct wf_boot **boot_p)
{
	struct wf_boot_options options = {
		.size = sizeof(options), .config = &config, .log = &logger,
		.environ = rank->environment, .tick = count_tick,
	};

	wf_log_init(&logger, WF_LOG_ERROR, "");
	why[0] = '\0';
	return wf_boot_open(&options, boot_p, why, sizeof(why));
}

static bool says(const char *text, const char *words)
{
	if (strstr(text, words) != NULL)
		return true;
	tap_diag("\"%s\" does not say \"%s\"", text, words);
	return false;
}

/* ---- a launcher that does all right */

static void check_values(struct wf_boot *boot)
{
	unsigned char have[BYTES];
	unsigned char want[BYTES];
	size_t n = 0;
	int r;

	for (r = 0; r < wf_boot_size(boot); r++) {
		memset(want, r + 1, sizeof(want));
		TAP_EQUAL(wf_boot_get(boot, r, "blob", have, sizeof(have), &n),
			  WEFT_OK);
		TAP_EQUAL(n, BYTES);
		TAP_CHECK(memcmp(have, want, BYTES) == 0);
		TAP_EQUAL(wf_boot_get(boot, r, "none", have, 0, &n), WEFT_OK);
		TAP_EQUAL(n, 0);
	}
	TAP_EQUAL(wf_boot_get(boot, 1, "nobody", have, 4, &n), WEFT_ERR_BOOT);
	TAP_CHECK(says(wf_boot_why(boot), "rank 1 has put no value nobody"));
	n = 77;
	TAP_EQUAL(wf_boot_get(boot, 1, "blob", have, 599, &n), WEFT_ERR_SIZE);
	TAP_EQUAL(n, 77);
	/* a refusal is not the end */
	TAP_EQUAL(wf_boot_get(boot, 1, "blob", have, 600, &n), WEFT_OK);
}

static void put_values(struct wf_boot *boot)
{
	unsigned char mine[BYTES];

	memset(mine, wf_boot_rank(boot) + 1, sizeof(mine));
	/* the last value before a fence is the one that counts */
	TAP_EQUAL(wf_boot_put(boot, "blob", "old", 3), WEFT_OK);
	TAP_EQUAL(wf_boot_put(boot, "blob", mine, sizeof(mine)), WEFT_OK);
	TAP_EQUAL(wf_boot_put(boot, "none", NULL, 0), WEFT_OK);
	TAP_EQUAL(wf_boot_fence(boot), WEFT_OK);
}

static int good_rank(const struct pmi_rank *rank)
{
	int fd = atoi(rank->fd + 7);
	struct wf_boot *second = NULL;
	struct wf_boot *boot = NULL;
	int r;

	if (!TAP_EQUAL(open_boot(rank, &boot), WEFT_OK))
		return 98;
	TAP_CHECK(strcmp(wf_boot_name(boot), "pmi") == 0);
	TAP_EQUAL(wf_boot_size(boot), 4);
	TAP_EQUAL(wf_boot_rank(boot), atoi(rank->rank + 9));
	TAP_EQUAL(wf_boot_node_size(boot), 4);
	TAP_EQUAL(wf_boot_node_count(boot), 1);
	for (r = 0; r < 4; r++)
		TAP_EQUAL(wf_boot_node_index(boot, r), r);
	/* what this process executes is no rank */
	TAP_EQUAL(fcntl(fd, F_GETFD), FD_CLOEXEC);
	put_values(boot);
	check_values(boot);
	TAP_EQUAL(open_boot(rank, &second), WEFT_ERR_BOOT);
	TAP_CHECK(second == NULL && says(why, "once"));
	/* fences follow each other */
	TAP_EQUAL(wf_boot_put(boot, "late", "x", 1), WEFT_OK);
	TAP_EQUAL(wf_boot_fence(boot), WEFT_OK);
	TAP_EQUAL(wf_boot_fence(boot), WEFT_OK);
	check_values(boot);
	TAP_EQUAL(wf_boot_close(boot), WEFT_OK);
	TAP_EQUAL(fcntl(fd, F_GETFD), -1);
	return failures();
}

static void good_launcher(void)
{
	struct pmi_script script = { .map = MAP };
	int codes[PMI_RANKS_MAX];
	size_t longest;
	int r;

	longest = pmi_serve(&script, 4, good_rank, codes);
	for (r = 0; r < 4; r++)
		TAP_EQUAL(codes[r], 0);
	/* what goes into the store is short enough for every launcher */
	TAP_CHECK(longest > 450 && longest < 600);
}

/* ---- maps of the nodes */

static int alone(const struct pmi_rank *rank)
{
	struct wf_boot *boot = NULL;

	if (!TAP_EQUAL(open_boot(rank, &boot), WEFT_OK))
		return 98;
	TAP_EQUAL(wf_boot_node_size(boot), 1);
	TAP_EQUAL(wf_boot_node_member(boot, 0), wf_boot_rank(boot));
	TAP_EQUAL(wf_boot_node_count(boot), 2);
	TAP_EQUAL(wf_boot_close(boot), WEFT_OK);
	return failures();
}

static int bad_map(const struct pmi_rank *rank)
{
	struct wf_boot *boot = NULL;

	TAP_EQUAL(open_boot(rank, &boot), WEFT_ERR_BOOT);
	TAP_CHECK(boot == NULL && says(why, "map") && says(why, "(vector,x"));
	return failures();
}

static void maps(void)
{
	struct pmi_script script = { .map = "(vector,(0,2,1))" };
	int codes[PMI_RANKS_MAX];

	pmi_serve(&script, 2, alone, codes);
	TAP_CHECK(codes[0] == 0 && codes[1] == 0);
	script.map = NULL;
	pmi_serve(&script, 2, alone, codes);
	TAP_CHECK(codes[0] == 0 && codes[1] == 0);
	script.map = "(vector,x";
	pmi_serve(&script, 1, bad_map, codes);
	TAP_EQUAL(codes[0], 0);
}

/* ---- launchers that refuse, vanish, hang or talk nonsense */

struct expected {
	int status;
	const char *words;
};

static struct expected expected;

static void check_refusal(int status, const char *text)
{
	TAP_EQUAL(status, expected.status);
	TAP_CHECK(says(text, expected.words));
}

static int refused_at_open(const struct pmi_rank *rank)
{
	struct wf_boot *boot = NULL;
	int status = open_boot(rank, &boot);

	check_refusal(status, why);
	TAP_CHECK(boot == NULL);
	return failures();
}

static int refused_at_fence(const struct pmi_rank *rank)
{
	struct wf_boot *boot = NULL;
	char value[8];
	size_t n;

	if (!TAP_EQUAL(open_boot(rank, &boot), WEFT_OK))
		return 98;
	TAP_EQUAL(wf_boot_put(boot, "a", "b", 1), WEFT_OK);
	check_refusal(wf_boot_fence(boot), wf_boot_why(boot));
	TAP_CHECK(ticks > 0 || expected.status != WEFT_ERR_TIMEOUT);
	/* nothing is asked after that, and closing is quiet */
	TAP_EQUAL(wf_boot_get(boot, 0, "a", value, 8, &n), WEFT_ERR_BOOT);
	TAP_CHECK(says(wf_boot_why(boot), "did not answer before"));
	TAP_EQUAL(wf_boot_close(boot), WEFT_OK);
	return failures();
}

static int refused_at_get(const struct pmi_rank *rank)
{
	struct wf_boot *boot = NULL;
	unsigned char value[BYTES];
	size_t n;

	if (!TAP_EQUAL(open_boot(rank, &boot), WEFT_OK))
		return 98;
	memset(value, 7, sizeof(value));
	TAP_EQUAL(wf_boot_put(boot, "a", value, BYTES), WEFT_OK);
	TAP_EQUAL(wf_boot_fence(boot), WEFT_OK);
	check_refusal(wf_boot_get(boot, 0, "a", value, BYTES, &n),
		      wf_boot_why(boot));
	TAP_EQUAL(wf_boot_close(boot), WEFT_OK);
	return failures();
}

struct bad_launcher {
	struct pmi_script script;
	int (*rank_main)(const struct pmi_rank *rank);
	struct expected expected;
};

static const struct bad_launcher bad[] = {
	{ { .at = "init", .fault = PMI_CLOSE }, refused_at_open,
	  { WEFT_ERR_BOOT, "closed the connection" } },
	{ { .at = "init", .fault = PMI_CLOSE }, refused_at_open,
	  { WEFT_ERR_BOOT, "`mpiexec.hydra -n N`" } },
	{ { .at = "init", .fault = PMI_SILENT }, refused_at_open,
	  { WEFT_ERR_TIMEOUT, "PMI init did not end in 0.3 s" } },
	{ { .at = "init", .fault = PMI_TEXT, .text = "cmd=response_to_init "
	    "rc=-1" }, refused_at_open, { WEFT_ERR_BOOT, "rc=-1" } },
	{ { .at = "init", .fault = PMI_TEXT, .text = "HTTP/1.0 400" },
	  refused_at_open, { WEFT_ERR_BOOT, "answered \"HTTP/1.0 400\"" } },
	{ { .at = "get_my_kvsname", .fault = PMI_TEXT,
	    .text = "cmd=my_kvsname" }, refused_at_open,
	  { WEFT_ERR_BOOT, "get_my_kvsname" } },
	{ { .map = MAP, .at = "put", .fault = PMI_TEXT,
	    .text = "cmd=put_result rc=-1 msg=full" }, refused_at_fence,
	  { WEFT_ERR_BOOT, "msg=full" } },
	{ { .map = MAP, .at = "barrier_in", .fault = PMI_CLOSE },
	  refused_at_fence, { WEFT_ERR_BOOT, "closed the connection" } },
	{ { .map = MAP, .at = "barrier_in", .fault = PMI_SILENT },
	  refused_at_fence, { WEFT_ERR_TIMEOUT, "a rank has not come" } },
	{ { .map = MAP, .cut = 449 }, refused_at_get,
	  { WEFT_ERR_BOOT, "PMI get failed" } },
	{ { .map = MAP, .missing = "-a-1" }, refused_at_get,
	  { WEFT_ERR_BOOT, "value a of rank 0 came back damaged" } },
	{ { .map = MAP, .missing = "-a-0" }, refused_at_get,
	  { WEFT_ERR_BOOT, "rank 0 has put no value a" } },
};

static void bad_launchers(void)
{
	int codes[PMI_RANKS_MAX];
	int i;

	config.timeout_ns = 300 * WF_NS_PER_MS;
	for (i = 0; i < TAP_COUNT(bad); i++) {
		expected = bad[i].expected;
		pmi_serve(&bad[i].script, 1, bad[i].rank_main, codes);
		if (!TAP_EQUAL(codes[0], 0))
			tap_diag("launcher %d", i);
	}
	config.timeout_ns = 60 * WF_NS_PER_S;
}

/* A line without an end is not read for ever. */
static int endless_rank(const struct pmi_rank *rank)
{
	struct wf_boot *boot = NULL;

	TAP_EQUAL(open_boot(rank, &boot), WEFT_ERR_BOOT);
	TAP_CHECK(says(why, "PMI init failed"));
	return failures();
}

static void endless_line(void)
{
	struct pmi_rank rank = { .rank = "PMI_RANK=0", .size = "PMI_SIZE=1" };
	struct wf_boot *boot = NULL;
	char noise[4096];
	int ends[2];

	TAP_EQUAL(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	memset(noise, 'x', sizeof(noise));
	TAP_EQUAL(send(ends[0], noise, sizeof(noise), 0), sizeof(noise));
	snprintf(rank.fd, sizeof(rank.fd), "PMI_FD=%d", ends[1]);
	rank.environment[0] = rank.fd;
	rank.environment[1] = rank.rank;
	rank.environment[2] = rank.size;
	TAP_EQUAL(endless_rank(&rank), 0);
	/* that was the only one */
	TAP_EQUAL(open_boot(&rank, &boot), WEFT_ERR_BOOT);
	TAP_CHECK(!boot && says(why, "can do so once"));
	close(ends[0]);
	close(ends[1]);
}

/* ---- a launcher that ends while a rank computes */

static int computing_rank(const struct pmi_rank *rank)
{
	struct wf_boot *boot = NULL;

	if (!TAP_EQUAL(open_boot(rank, &boot), WEFT_OK) ||
	    !TAP_EQUAL(wf_boot_fence(boot), WEFT_OK))
		return 98;
	wf_log_init(&logger, WF_LOG_ERROR, "rank 0");
	/* The launcher closes the connection after this. */
	if (dup2(open("/dev/null", O_WRONLY), STDERR_FILENO) < 0)
		return 97;
	if (send(atoi(rank->fd + 7), "cmd=bye\n", 8, MSG_NOSIGNAL) != 8)
		return 96;
	for (;;)
		pause();
}

static void launcher_that_ends(void)
{
	struct pmi_script script = { .map = MAP, .at = "bye",
				     .fault = PMI_CLOSE };
	int codes[PMI_RANKS_MAX];

	pmi_serve(&script, 1, computing_rank, codes);
	TAP_EQUAL(codes[0], WF_LEASH_EXIT);
}

/* ---- an abort that the launcher does not take */

static int aborting_rank(const struct pmi_rank *rank)
{
	char noise[4096] = "";
	struct wf_boot *boot = NULL;
	int fd = atoi(rank->fd + 7);

	if (!TAP_EQUAL(open_boot(rank, &boot), WEFT_OK))
		return 98;
	if (dup2(open("/dev/null", O_WRONLY), STDERR_FILENO) < 0)
		return 97;
	if (send(fd, "cmd=deaf\n", 9, MSG_NOSIGNAL) != 9)
		return 95;
	do
		while (send(fd, noise, sizeof(noise), MSG_DONTWAIT) > 0)
			;
	while (poll(&(struct pollfd){ .fd = fd, .events = POLLOUT }, 1,
		    200) > 0);
	wf_boot_abort(boot, 7, "enough");
	return 96;
}

static void deaf_launcher(void)
{
	struct pmi_script script = { .map = MAP, .at = "deaf",
				     .fault = PMI_DEAF };
	uint64_t since = wf_clock_ns();
	int codes[PMI_RANKS_MAX];

	pmi_serve(&script, 1, aborting_rank, codes);
	TAP_EQUAL(codes[0], 7);
	/* much earlier than WEFT_TIMEOUT */
	TAP_CHECK(wf_clock_ns() - since < 30 * WF_NS_PER_S);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "good launcher", good_launcher },
		{ "maps", maps },
		{ "bad launchers", bad_launchers },
		{ "launcher that ends", launcher_that_ends },
		{ "a launcher that does not take an abort", deaf_launcher },
		/* in this process, which has its launcher after that */
		{ "endless line", endless_line },
	};

	config.timeout_ns = 60 * WF_NS_PER_S;
	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
