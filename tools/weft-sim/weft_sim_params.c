/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parameters of a network by their names: microseconds, and nanoseconds
 * for a byte, of which the simulator has integer picoseconds and femtoseconds.
 */
#include "tools/weft-sim/weft_sim_params.h"

#include <ctype.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	PER_UNIT = 1000000,	/* ps in a us, fs in a ns */
	VALUE_MAX = 1000000	/* a second, or a byte in a millisecond */
};

static const struct {
	const char *name;
	size_t offset;		/* in struct wf_sim_net */
} params[] = {
	{ "o", offsetof(struct wf_sim_net, first_ps) },
	{ "post", offsetof(struct wf_sim_net, post_ps) },
	{ "poll", offsetof(struct wf_sim_net, poll_ps) },
	{ "L", offsetof(struct wf_sim_net, flight_ps) },
	{ "hop", offsetof(struct wf_sim_net, hop_ps) },
	{ "g", offsetof(struct wf_sim_net, gap_ps) },
	{ "G", offsetof(struct wf_sim_net, byte_fs) },
	{ "copy", offsetof(struct wf_sim_net, copy_fs) },
	{ "reduce", offsetof(struct wf_sim_net, reduce_fs) },
};

enum { PARAMS = sizeof(params) / sizeof(*params) };

static bool parse_value(const char *text, const char *end, uint64_t *value_p)
{
	char *stop;
	double value;

	if (!isdigit((unsigned char)*text))
		return false;
	value = strtod(text, &stop);
	if (stop != end || !(value <= VALUE_MAX))
		return false;
	*value_p = (uint64_t)(value * PER_UNIT + 0.5);
	return true;
}

static bool parse_one(const char *text, const char *end,
		      struct wf_sim_net *net)
{
	for (int i = 0; i < PARAMS; i++) {
		size_t n = strlen(params[i].name);
		char *at = (char *)net + params[i].offset;

		if (!strncmp(text, params[i].name, n) && text[n] == '=')
			return parse_value(text + n + 1, end, (uint64_t *)at);
	}
	return false;
}

static const struct wf_sim_net *preset(const char *text, size_t n)
{
	const struct wf_sim_net *net = wf_sim_nets;

	while (net->name && (strlen(net->name) != n ||
			     memcmp(net->name, text, n)))
		net++;
	return net->name ? net : NULL;
}

bool wsim_params_parse(const char *text, struct wf_sim_net *net_p)
{
	const char *at = text, *end = text + strcspn(text, ",");
	const struct wf_sim_net *base = preset(text, (size_t)(end - text));
	struct wf_sim_net net = base ? *base : wf_sim_nets[0];

	if (base)
		at = *end ? end + 1 : NULL;
	while (at) {
		end = at + strcspn(at, ",");
		if (!parse_one(at, end, &net))
			return false;
		at = *end ? end + 1 : NULL;
	}
	/* a look that takes no time would be repeated for ever */
	if (!net.poll_ps)
		return false;
	net.name = text;
	*net_p = net;
	return true;
}

void wsim_params_print(const struct wf_sim_net *net)
{
	for (int i = 0; i < PARAMS; i++) {
		uint64_t value;

		memcpy(&value, (const char *)net + params[i].offset,
		       sizeof(value));
		printf("%s%s=%" PRIu64 ".%06" PRIu64, i ? "," : "",
		       params[i].name, value / PER_UNIT, value % PER_UNIT);
	}
}
