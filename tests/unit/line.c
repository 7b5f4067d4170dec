/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lines: what is written is read, for every length, and only under its own
 * sequence number.
 */
#include "transport/line.h"

#include <stddef.h>
#include "tests/tap.h"

static void all_lengths(void)
{
	unsigned char data[WF_LINE_DATA];

	for (int i = 0; i < WF_LINE_DATA; i++)
		data[i] = (unsigned char)(i + 1);
	for (uint32_t n = 0; n <= WF_LINE_DATA; n++) {
		struct wf_line line;

		memset(&line, 0, sizeof(line));
		TAP_CHECK(!wf_line_ready(&line, 9));
		wf_line_write(&line, data, n, 9);
		TAP_CHECK(wf_line_ready(&line, 9));
		TAP_EQUAL(wf_line_length(&line), n);
		TAP_EQUAL(memcmp(line.data, data, n), 0);
		for (uint32_t i = n; i < WF_LINE_DATA; i++)
			TAP_EQUAL(line.data[i], 0);
	}
}

static void other_sequences(void)
{
	struct wf_line line;

	memset(&line, 0, sizeof(line));
	wf_line_write(&line, NULL, 0, 5);
	TAP_CHECK(wf_line_ready(&line, 5));
	TAP_CHECK(!wf_line_ready(&line, 4));
	TAP_CHECK(!wf_line_ready(&line, 6));
	wf_line_write(&line, NULL, 0, 6);
	TAP_CHECK(!wf_line_ready(&line, 5));
	TAP_CHECK(wf_line_ready(&line, 6));
}

static void sequence_of_epochs(void)
{
	const uint64_t lap = UINT32_MAX;

	TAP_EQUAL(wf_line_seq(0), 1);
	TAP_EQUAL(wf_line_seq(1), 2);
	TAP_EQUAL(wf_line_seq(lap - 1), UINT32_MAX);
	TAP_EQUAL(wf_line_seq(lap), 1);
	TAP_EQUAL(wf_line_seq(7 * lap + 3), 4);
	for (uint64_t e = lap - 5; e < lap + 5; e++)
		TAP_CHECK(wf_line_seq(e) != 0);
}

static void layout(void)
{
	TAP_EQUAL(sizeof(struct wf_line), 64);
	TAP_EQUAL(_Alignof(struct wf_line), 64);
	TAP_EQUAL(offsetof(struct wf_line, tail), 56);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "every length", all_lengths },
		{ "only its own sequence number is ready", other_sequences },
		{ "sequence numbers are never 0", sequence_of_epochs },
		{ "one cache line", layout },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
