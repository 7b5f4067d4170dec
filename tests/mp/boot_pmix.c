/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The way through a launcher: what a rank learns, the store, and that a
 * process has its launcher's job only once.
 */
#include <unistd.h>

#include "base/config.h"
#include "base/log.h"
#include "boot/boot.h"
#include "tests/ranks.h"
#include "tests/tap.h"

#define RANKS 4

static struct wf_config config;
static struct wf_log logger;
static struct wf_boot *boot;
static bool closed;
static char why[512];

static int open_job(struct wf_boot **boot_p)
{
	struct wf_boot_options options = {
		.size = sizeof(options), .config = &config, .log = &logger,
	};

	why[0] = '\0';
	return wf_boot_open(&options, boot_p, why, sizeof(why));
}

static void who_am_i(void)
{
	int n = wf_boot_node_size(boot);
	int i;

	TAP_CHECK(strcmp(wf_boot_name(boot), getenv("PMI_FD") ? "pmi" :
								"pmix") == 0);
	TAP_EQUAL(wf_boot_size(boot), RANKS);
	TAP_EQUAL(wf_boot_rank(boot), atoi(getenv("TEST_RANK")));
	TAP_CHECK(n >= 1 && n <= RANKS);
	TAP_EQUAL(wf_boot_node_count(boot) == 1, n == RANKS);
	TAP_EQUAL(wf_boot_node_member(boot, wf_boot_node_rank(boot)),
		  wf_boot_rank(boot));
	for (i = 0; i < n; i++) {
		int member = wf_boot_node_member(boot, i);

		TAP_EQUAL(wf_boot_node_index(boot, member), i);
		TAP_CHECK(i == 0 || member > wf_boot_node_member(boot, i - 1));
		TAP_CHECK(n < RANKS || member == i);
	}
	TAP_EQUAL(wf_boot_node_member(boot, n), -1);
	TAP_EQUAL(wf_boot_node_index(boot, RANKS), -1);
}

static void values(void)
{
	int mine = wf_boot_rank(boot) + 100;
	int have = 0;
	size_t n = 0;
	int r;

	/* The last value before a fence is the one that counts. */
	TAP_EQUAL(wf_boot_put(boot, "a", "old", 3), WEFT_OK);
	TAP_EQUAL(wf_boot_put(boot, "a", &mine, sizeof(mine)), WEFT_OK);
	TAP_EQUAL(wf_boot_put(boot, "none", NULL, 0), WEFT_OK);
	TAP_EQUAL(wf_boot_fence(boot), WEFT_OK);
	for (r = 0; r < RANKS; r++) {
		TAP_EQUAL(wf_boot_get(boot, r, "a", &have, sizeof(have), &n),
			  WEFT_OK);
		TAP_EQUAL(n, sizeof(have));
		TAP_EQUAL(have, r + 100);
		TAP_EQUAL(wf_boot_get(boot, r, "none", &have, 0, &n), WEFT_OK);
		TAP_EQUAL(n, 0);
	}
}

static void refusals(void)
{
	char have[2];
	size_t n = 77;

	TAP_EQUAL(wf_boot_put(boot, "long", "long", 4), WEFT_OK);
	TAP_EQUAL(wf_boot_fence(boot), WEFT_OK);
	TAP_EQUAL(wf_boot_get(boot, 1, "nobody", have, 2, &n), WEFT_ERR_BOOT);
	TAP_CHECK(strstr(wf_boot_why(boot), "rank 1") != NULL);
	TAP_CHECK(strstr(wf_boot_why(boot), "nobody") != NULL);
	TAP_EQUAL(wf_boot_get(boot, 1, "long", have, 2, &n), WEFT_ERR_SIZE);
	TAP_EQUAL(wf_boot_get(boot, RANKS, "a", have, 2, &n), WEFT_ERR_RANGE);
	TAP_EQUAL(n, 77);
}

static void second_fence(void)
{
	int have = 0;
	size_t n = 0;
	int last = RANKS - 1;

	if (wf_boot_rank(boot) == last)
		TAP_EQUAL(wf_boot_put(boot, "late", &last, sizeof(last)),
			  WEFT_OK);
	TAP_EQUAL(wf_boot_fence(boot), WEFT_OK);
	TAP_EQUAL(wf_boot_get(boot, last, "late", &have, sizeof(have), &n),
		  WEFT_OK);
	TAP_EQUAL(have, last);
}

static void second_job(void)
{
	struct wf_boot *second = NULL;

	TAP_EQUAL(open_job(&second), WEFT_ERR_BOOT);
	TAP_CHECK(second == NULL && strstr(why, "once") != NULL);
}

static void closing(void)
{
	struct wf_boot *second = NULL;

	TAP_EQUAL(wf_boot_close(boot), WEFT_OK);
	closed = true;
	TAP_EQUAL(open_job(&second), WEFT_ERR_BOOT);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "rank and node map", who_am_i },
		{ "values put are read by all", values },
		{ "values that are not there, or too long", refusals },
		{ "a second fence", second_fence },
		{ "a second job is refused", second_job },
		{ "close", closing },
	};
	int code;

	ranks_start(argc, argv, RANKS, 60);
	tap_rank(atoi(getenv("TEST_RANK")));
	if (wf_config_read(&config, environ, why, sizeof(why)) != WEFT_OK) {
		tap_diag("%s", why);
		return 1;
	}
	wf_log_init(&logger, config.log, getenv("TEST_RANK"));
	if (open_job(&boot) != WEFT_OK) {
		tap_diag("%s", why);
		return 1;
	}
	code = tap_run(argc, argv, cases, TAP_COUNT(cases));
	if (!closed && wf_boot_close(boot) != WEFT_OK)
		code = 1;
	return code;
}
