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

static void choices(void)
{
	static const struct { const char *text; uint64_t value; } good[] = {
		{ "auto", WF_CONFIG_AUTO }, { "Auto", WF_CONFIG_AUTO },
		{ "0", 0 }, { "12", 12 }, { "010", 10 }, { "0x0", 0 },
		{ "0x8001", 0x8001 }, { "0XfF", 255 },
		{ "0xfffffffffffffff", UINT64_MAX >> 4 }
	};
	static const char *const bad[] = {
		"", "autos", "aut", "-1", "+1", " 1", "1 ", "0x", "0x ", "x1",
		"0xg", "0x-1", "8001h", "0x8001 ", "18446744073709551615",
		"0xffffffffffffffff"
	};
	uint64_t value;

	for (int i = 0; i < TAP_COUNT(good); i++) {
		TAP_CHECK(wf_config_parse_choice(good[i].text, &value));
		TAP_CHECK(value == good[i].value);
	}
	value = 9;
	for (int i = 0; i < TAP_COUNT(bad); i++)
		if (!TAP_CHECK(!wf_config_parse_choice(bad[i], &value)))
			tap_diag("    %s", bad[i]);
	TAP_EQUAL(value, 9);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "booleans", booleans },
		{ "refused values leave the output", untouched },
		{ "infinite size", infinite },
		{ "words", words },
		{ "auto or a number", choices },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
