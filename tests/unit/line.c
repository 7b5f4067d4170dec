/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lines in both encodings: what is written is read, for every length, and only
 * under its own sequence number; and one of words that come in any order is not
 * there before the last of them.
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
		TAP_EQUAL(memcmp(wf_line_content(&line, n), data, n), 0);
		TAP_EQUAL(wf_line_start(n), (WF_LINE_DATA - n) / 8 * 8);
		for (uint32_t i = 0; i < wf_line_start(n); i++)
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

/* A line that had another one before; the words of this one in an order. */
static void in_order(const struct wf_line *image, uint32_t n, int first,
		     int stride)
{
	int words = wf_ll_words(n) + 1;
	unsigned char data[WF_LINE_DATA] = { 0 }, before[WF_LL_DATA];
	struct wf_line line;

	memset(&line, 0, sizeof(line));
	memset(before, 0xee, sizeof(before));
	wf_ll_pack(&line, before, WF_LL_DATA, 8);
	for (int i = 0; i < words; i++) {
		int at = (first + i * stride) % words;

		TAP_CHECK(!wf_ll_ready(&line, 9));
		atomic_store(wf_ll_word(&line, at),
			     atomic_load(wf_ll_word(image, at)));
	}
	TAP_CHECK(wf_ll_ready(&line, 9));
	TAP_CHECK(!wf_ll_ready(&line, 8));
	TAP_EQUAL(wf_ll_length(&line), n);
	wf_ll_read(&line, data);
	for (uint32_t i = 0; i < n; i++)
		TAP_EQUAL(data[i], i + 1);
	TAP_EQUAL(data[n], 0);
	wf_ll_clear(&line);
	TAP_CHECK(!wf_ll_ready(&line, 9));
	for (int i = 0; i < words; i++)
		TAP_EQUAL(atomic_load(wf_ll_word(&line, i)), 0);
}

static void words_in_any_order(void)
{
	unsigned char data[WF_LL_DATA];

	for (int i = 0; i < WF_LL_DATA; i++)
		data[i] = (unsigned char)(i + 1);
	for (uint32_t n = 0; n <= WF_LL_DATA; n++) {
		int words = wf_ll_words(n) + 1;
		struct wf_line image;

		memset(&image, 0, sizeof(image));
		TAP_EQUAL(wf_ll_pack(&image, data, n, 9), 8 * words);
		for (int first = 0; first < words; first++) {
			in_order(&image, n, first, 1);
			in_order(&image, n, first, words > 1 ? words - 1 : 1);
		}
	}
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
		{ "words that come in any order", words_in_any_order },
		{ "one cache line", layout },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
