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

/* Its first words are. */
static void is_zero(const struct wf_line *line, int words)
{
	TAP_CHECK(!wf_ll_ready(line, 9));
	for (int i = 0; i < words; i++)
		TAP_EQUAL(atomic_load(wf_ll_word(line, i)), 0);
}

/* A line that had another one before; the words of this one in an order. */
static void in_order(const struct wf_line *image, uint32_t n, int first,
		     int stride)
{
	int words = wf_ll_words(n) + 1;
	unsigned char data[WF_LINE_DATA] = { 0 }, before[WF_LL_DATA];
	uint32_t piece[WF_LL_WORDS], length = 0;
	struct wf_line line;

	memset(&line, 0, sizeof(line));
	memset(before, 0xee, sizeof(before));
	wf_ll_pack(wf_ll_of(&line), before, WF_LL_DATA, 8);
	for (int i = 0; i < words; i++) {
		int at = (first + i * stride) % words;

		TAP_CHECK(!wf_ll_ready(&line, 9));
		TAP_CHECK(!wf_ll_take(&line, 9, piece, &length));
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
	TAP_CHECK(!wf_ll_take(&line, 8, piece, &length));
	TAP_CHECK(wf_ll_take(&line, 9, piece, &length));
	TAP_EQUAL(length, n);
	TAP_EQUAL(memcmp(piece, data, n), 0);
	is_zero(&line, words);
}

static void cleared(void)
{
	static const char data[WF_LL_DATA] = "a few words";

	for (uint32_t n = 0; n <= WF_LL_DATA; n++) {
		struct wf_line line;

		memset(&line, 0, sizeof(line));
		wf_ll_pack(wf_ll_of(&line), data, n, 9);
		wf_ll_clear(&line);
		is_zero(&line, WF_LL_WORDS);
	}
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
		TAP_EQUAL(wf_ll_bytes(n), 8 * words);
		wf_ll_pack(wf_ll_of(&image), data, n, 9);
		for (int first = 0; first < words; first++) {
			in_order(&image, n, first, 1);
			in_order(&image, n, first, words > 1 ? words - 1 : 1);
		}
	}
}

/* The line is there, and has these n bytes. */
static void has(const struct wf_line *line, bool ll, const unsigned char *data,
		uint32_t n)
{
	unsigned char got[WF_LINE_DATA];

	TAP_CHECK(wf_line_has(line, ll, 9));
	TAP_EQUAL(wf_line_bytes(line, ll), n);
	wf_line_read(line, ll, got, n);
	TAP_EQUAL(memcmp(got, data, n), 0);
}

/* Of lines at `first` and, if n is 2, behind it. */
static void image_of(bool ll, int first, uint32_t n, uint32_t a, uint32_t b)
{
	static const unsigned char data[2][WF_LINE_DATA] = {
		"one message along an edge, of whatever length it is, ...",
		"ANOTHER ONE THAT GOES TO THE LINE WHICH LIES BEHIND THAT"
	};
	struct wf_piece piece[2] = { { data[0], a }, { data[1], b } };
	_Alignas(2 * WF_LINE_BYTES) struct wf_line place[2];
	_Alignas(8) char bytes[2 * WF_LINE_BYTES + 1];
	struct wf_image image = wf_image_of((uintptr_t)&place[first], ll, piece,
					    n);

	memset(bytes, 0x77, sizeof(bytes));
	memset(place, 0, sizeof(place));
	wf_image_pack(&image, bytes, piece, n, 9);
	TAP_EQUAL(bytes[image.bytes], 0x77);
	memcpy((char *)&place[first] + image.at, bytes, image.bytes);
	has(&place[first], ll, data[0], a);
	if (n == 2)
		has(&place[1], ll, data[1], b);
	else
		TAP_CHECK(!wf_line_has(&place[!first], ll, 9));
	/* Short ones are side by side, each word with half of it data. */
	if (ll)
		TAP_EQUAL(image.bytes, 8 * (1 + (a + 3) / 4) +
			  (n == 2 ? 8 * (1 + (b + 3) / 4) : 0));
}

static void images(void)
{
	for (int ll = 0; ll < 2; ll++) {
		uint32_t most = ll ? WF_LL_DATA : WF_LINE_DATA;

		for (uint32_t a = 0; a <= most; a++) {
			image_of(ll, 0, 1, a, 0);
			image_of(ll, 1, 1, a, 0);
			for (uint32_t b = 0; b <= most; b++)
				image_of(ll, 0, 2, a, b);
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
		{ "a line that is cleared", cleared },
		{ "images of one and of two lines", images },
		{ "one cache line", layout },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
