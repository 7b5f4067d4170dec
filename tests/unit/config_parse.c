/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values of settings that no variable of today has: booleans, and that a
 * refused value leaves the output alone.
 */
#include "base/config_parse.h"
#include "base/config.h"
#include "tests/tap.h"

static void booleans(void)
{
	static const char *const yes[] = { "y", "Yes", "on", "1", "ON" };
	static const char *const no[] = { "n", "No", "off", "0", "OFF" };
	static const char *const bad[] = { "", "2", "true ", "yy", "01" };
	uint64_t value;

	for (int i = 0; i < 5; i++) {
		value = 9;
		TAP_CHECK(wf_config_parse_bool(yes[i], &value));
		TAP_EQUAL(value, 1);
		TAP_CHECK(wf_config_parse_bool(no[i], &value));
		TAP_EQUAL(value, 0);
		value = 9;
		TAP_CHECK(!wf_config_parse_bool(bad[i], &value));
		TAP_EQUAL(value, 9);
	}
}

static void untouched(void)
{
	uint64_t value = 9;

	TAP_CHECK(!wf_config_parse_int("", &value));
	TAP_CHECK(!wf_config_parse_int("7x", &value));
	TAP_CHECK(!wf_config_parse_size("7x", &value));
	TAP_CHECK(!wf_config_parse_time("7x", &value));
	TAP_CHECK(!wf_config_parse_enum("x", "a|b", &value));
	TAP_CHECK(!wf_config_parse_enum("", "a|b", &value));
	TAP_EQUAL(value, 9);
}

static void infinite(void)
{
	uint64_t value = 9;

	TAP_CHECK(wf_config_parse_size("Inf", &value));
	TAP_CHECK(value == WF_CONFIG_INF);
}

static void words(void)
{
	uint64_t value = 9;

	TAP_CHECK(wf_config_parse_enum("a", "a|bb|c", &value));
	TAP_EQUAL(value, 0);
	TAP_CHECK(wf_config_parse_enum("BB", "a|bb|c", &value));
	TAP_EQUAL(value, 1);
	TAP_CHECK(wf_config_parse_enum("c", "a|bb|c", &value));
	TAP_EQUAL(value, 2);
	TAP_CHECK(!wf_config_parse_enum("b", "a|bb|c", &value));
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "booleans", booleans },
		{ "refused values leave the output", untouched },
		{ "infinite size", infinite },
		{ "words", words },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
