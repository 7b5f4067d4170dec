/* SPDX-License-Identifier: BSD-3-Clause */
/* The release: headers, library and package say the same. */
#include <stdio.h>
#include <string.h>
#include <weft.h>
#include "tests/tap.h"

static void of_the_package(void)
{
	char text[64];

	snprintf(text, sizeof(text), "%d.%d.%d", WEFT_VERSION_MAJOR,
		 WEFT_VERSION_MINOR, WEFT_VERSION_PATCH);
	TAP_CHECK(!strcmp(text, PACKAGE_VERSION));
}

static void of_the_library(void)
{
	TAP_EQUAL(weft_version(), WEFT_VERSION);
}

/* Also where the preprocessor compares. */
static void in_order(void)
{
#if WEFT_VERSION < WEFT_VERSION_NUMBER(0, 1, 0) || \
	WEFT_VERSION_NUMBER(1, 0, 0) <= WEFT_VERSION_NUMBER(0, 999, 999) || \
	WEFT_VERSION_NUMBER(1, 2, 0) <= WEFT_VERSION_NUMBER(1, 1, 999)
	bool in_order = false;
#else
	bool in_order = true;
#endif

	TAP_CHECK(in_order);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "of the package", of_the_package },
		{ "of the library", of_the_library },
		{ "in order", in_order },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
