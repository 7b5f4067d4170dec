/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The conformance suite: the contract of transport.h, one source for all
 * backends.  A program of it is these files and one fixture_<backend>.c.
 */
#include "tests/transport/fixture.h"

enum {
	CASES = 80
};

static int append(struct tap_case *all, int n, const struct tap_case *some,
		  int count)
{
	for (int i = 0; i < count && n < CASES; i++)
		all[n++] = some[i];
	return n;
}

int main(int argc, char **argv)
{
	static struct tap_case all[CASES];
	const char *why = NULL;
	int n = 0;

	if (fixture_backend.lacks)
		why = fixture_backend.lacks();
	if (why) {
		printf("1..0 # SKIP %s\n", why);
		return 0;
	}
	n = append(all, n, conform_connect, conform_connect_n);
	n = append(all, n, conform_mail, conform_mail_n);
	n = append(all, n, conform_rma, conform_rma_n);
	n = append(all, n, conform_fetch, conform_fetch_n);
	n = append(all, n, conform_word, conform_word_n);
	n = append(all, n, conform_bounds, conform_bounds_n);
	n = append(all, n, conform_flow, conform_flow_n);
	n = append(all, n, conform_sleep, conform_sleep_n);
	return tap_run(argc, argv, all, n);
}
