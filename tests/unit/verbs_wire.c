/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers of mails and immediates: each counts once, however often the device
 * delivers it, and leaves the signal beside it as it is.
 */
#include "tests/tap.h"
#include "transport/verbs/verbs_wire.h"

/* What came before, as far as so many messages back, is no news. */
static void count_once(uint32_t bits, uint32_t far)
{
	uint32_t received = UINT32_MAX - 20;

	for (int i = 0; i < 50; i++) {
		uint32_t number = received;

		TAP_CHECK(wf_verbs_is_new(&received, number, bits));
		for (uint32_t back = 0; back < far; back++)
			TAP_CHECK(!wf_verbs_is_new(&received, number - back,
						   bits));
		TAP_EQUAL(received, number + 1);
	}
}

static void once(void)
{
	count_once(WF_VERBS_NUMBER, 8);
	count_once(UINT32_MAX, 1000);
}

static void check_signal(uint32_t index, uint32_t generation)
{
	uint32_t sig = generation << WF_SIGNAL_INDEX_BITS | index;

	for (uint32_t number = 0; number < 40; number++) {
		uint32_t imm = wf_verbs_imm(sig, number), received = number;

		TAP_EQUAL(wf_verbs_imm_signal(imm), sig);
		TAP_CHECK(wf_verbs_is_new(&received,
					  imm >> WF_VERBS_NUMBER_SHIFT,
					  WF_VERBS_NUMBER));
	}
}

static void signals(void)
{
	for (int bit = 0; bit <= WF_VERBS_INDEX_BITS; bit++)
		for (uint32_t g = 0; g < 4096; g = 2 * g + 1)
			check_signal((1u << bit) - 1, g);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a number counts once", once },
		{ "a signal travels beside it", signals },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
