/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Statuses: values that programs compiled earlier rely on, a name and a
 * sentence for each, a constant answer for anything else.  And the values that
 * stand in the place of a rank or a tag.
 */
#include "tests/tap.h"

#include <limits.h>
#include <weft.h>

static void values(void)
{
	/* written out, not taken from the list: these are the ABI */
	TAP_EQUAL(WEFT_OK, 0);
	TAP_EQUAL(WEFT_INPROGRESS, 1);
	TAP_EQUAL(WEFT_AGAIN, 2);
	TAP_EQUAL(WEFT_ERR_ARG, -1);
	TAP_EQUAL(WEFT_ERR_RANGE, -2);
	TAP_EQUAL(WEFT_ERR_NOMEM, -3);
	TAP_EQUAL(WEFT_ERR_BOOT, -4);
	TAP_EQUAL(WEFT_ERR_TIMEOUT, -5);
	TAP_EQUAL(WEFT_ERR_PEER, -6);
	TAP_EQUAL(WEFT_ERR_DEVICE, -7);
	TAP_EQUAL(WEFT_ERR_TRUNCATE, -8);
	TAP_EQUAL(WEFT_ERR_SIZE, -9);
	TAP_EQUAL(WEFT_ERR_GRAPH, -10);
	TAP_EQUAL(WEFT_ERR_REQUEST, -11);
	TAP_EQUAL(WEFT_ERR_UNSUPPORTED, -12);
	TAP_EQUAL(WEFT_ERR_IN_OP, -13);
	TAP_EQUAL(WEFT_ERR_INTERNAL, -14);
	TAP_EQUAL(WEFT_ERR_FORKED, -15);
	TAP_EQUAL(WEFT_ERR_BUFFER, -16);
}

/* One in the place of another is refused, instead of meaning something else. */
static void places(void)
{
	TAP_EQUAL(WEFT_PROC_NULL, -3);
	TAP_EQUAL(WEFT_ANY_SOURCE, -1);
	TAP_EQUAL(WEFT_ANY_TAG, -2);
	TAP_EQUAL(WEFT_ALL_PEERS, -5);
	TAP_EQUAL(WEFT_UNDEFINED, -32766);
}

static void names(void)
{
	TAP_CHECK(strcmp(weft_status_name(0), "WEFT_OK") == 0);
	TAP_CHECK(strcmp(weft_status_name(2), "WEFT_AGAIN") == 0);
	TAP_CHECK(strcmp(weft_status_name(-6), "WEFT_ERR_PEER") == 0);
	TAP_CHECK(strcmp(weft_status_name(-16), "WEFT_ERR_BUFFER") == 0);
}

static void sentences(void)
{
	for (int a = -16; a <= 2; a++) {
		TAP_CHECK(strlen(weft_status_text(a)) > 0);
		TAP_CHECK(strcmp(weft_status_name(a), "WEFT_ERR_UNKNOWN"));
		for (int b = -16; b < a; b++)
			TAP_CHECK(strcmp(weft_status_text(a),
					 weft_status_text(b)) != 0);
	}
	TAP_CHECK(strstr(weft_status_text(WEFT_ERR_PEER), "died") != NULL);
}

static void unknown(void)
{
	static const int values[] = { 3, -17, INT_MIN, INT_MAX };

	for (int i = 0; i < TAP_COUNT(values); i++) {
		TAP_CHECK(strcmp(weft_status_name(values[i]),
				 "WEFT_ERR_UNKNOWN") == 0);
		TAP_CHECK(weft_status_text(values[i]) ==
			  weft_status_text(99));
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "values", values },
		{ "places", places },
		{ "names", names },
		{ "sentences", sentences },
		{ "unknown", unknown },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
