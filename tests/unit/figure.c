/* SPDX-License-Identifier: BSD-3-Clause */
/* How SEEDS and its like say how much of a test is run. */
#include "tests/tap.h"

static void figures(void)
{
	static const struct {
		const char *text;
		long expected;		/* of usually 40 */
	} row[] = {
		{ "", 40 }, { "1", 1 }, { "1000", 1000 },
		{ "most:3", 3 }, { "most:8", 8 }, { "most:1000", 8 }
	};

	unsetenv("FIGURE");
	TAP_EQUAL(tap_figure("FIGURE", 40), 40);
	setenv("FIGURE", "most:20", 1);
	TAP_EQUAL(tap_figure("FIGURE", 1), 1);
	TAP_EQUAL(tap_figure("FIGURE", 6), 2);
	for (int i = 0; i < TAP_COUNT(row); i++) {
		setenv("FIGURE", row[i].text, 1);
		TAP_EQUAL(tap_figure("FIGURE", 40), row[i].expected);
	}
	unsetenv("FIGURE");
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "as many as said, or a fifth", figures }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
