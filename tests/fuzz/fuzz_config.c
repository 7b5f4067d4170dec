/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fuzz target: settings. The input is an environment, one variable per line.
 *
 * Whatever stands there, reading ends with a config whose strings are ended
 * and whose numbers are in range, or with a reason that names a variable.
 */
#include "base/config.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <weft/status.h>

#define MOST 64

static void tell(void *arg, const char *name, const char *suggestion)
{
	(void)suggestion;
	FUZZ_CHECK(strncmp(name, "WEFT_", 5) == 0);
	++*(int *)arg;
}

static void check_numbers(const struct wf_config *config)
{
	FUZZ_CHECK(config->check <= 2);
	FUZZ_CHECK(config->line_max <= 56);
	FUZZ_CHECK(config->log <= WF_LOG_TRACE);
	FUZZ_CHECK(config->chunk >= 64);
	FUZZ_CHECK(config->coll == 2 || config->coll == 4 ||
		   config->coll == 8 || config->coll == 16);
	FUZZ_CHECK(strlen(config->boot) < sizeof(config->boot));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	char *env[MOST + 1];
	struct wf_config config;
	char why[200] = "";
	int n = 0;
	int told = 0;

	memcpy(text, data, size);
	text[size] = '\0';
	for (char *line = strtok(text, "\n"); line && n < MOST;
	     line = strtok(NULL, "\n"))
		env[n++] = line;
	env[n] = NULL;
	if (wf_config_read(&config, env, why, sizeof(why)) == WEFT_OK) {
		check_numbers(&config);
		wf_config_hash(&config);
	} else {
		FUZZ_CHECK(strncmp(why, "WEFT_", 5) == 0);
	}
	FUZZ_CHECK(wf_config_unknown(env, tell, &told) == told);
	free(text);
	return 0;
}
