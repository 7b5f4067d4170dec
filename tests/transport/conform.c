/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The conformance suite: the contract of transport.h, one source for all
 * backends.  A program of it is these files and one fixture_<backend>.c.
 */
#include "tests/transport/fixture.h"

enum {
	CASES = 64
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
	int n = 0;

	n = append(all, n, conform_connect, conform_connect_n);
	n = append(all, n, conform_mail, conform_mail_n);
	n = append(all, n, conform_rma, conform_rma_n);
	n = append(all, n, conform_sleep, conform_sleep_n);
	return tap_run(argc, argv, all, n);
}
