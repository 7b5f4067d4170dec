/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Faults of a simulation: from names to what the simulator is told.
 *
 * Called by the command line, and before each run. A run with faults follows
 * from its seed like any other.
 */
#include "tools/weft-sim/weft_sim_faults.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "transport/sim/sim.h"

enum {
	USUAL = 16,		/* one in so many */
	KILL_EVENTS = 100,	/* a rank dies at one of its first events */
	CONTACT_NS = 1000000,	/* most that a contact is late by */
	UNSIGNALED = 16,	/* posts for one that tells */
	CUT_NS = 100000,	/* a link goes down within that, */
	OUTAGE_NS = 10000000	/* for so long */
};

static bool is_word(const char *at, size_t n, const char *word)
{
	return n == strlen(word) && !memcmp(at, word, n);
}

const struct wsim_fault wsim_fault_list[] = {
	{ "again", offsetof(struct wsim_faults, again), true },
	{ "switch", offsetof(struct wsim_faults, others), true },
	{ "slow", offsetof(struct wsim_faults, slow), true },
	{ "tear", offsetof(struct wsim_faults, tear), true },
	{ "flush", offsetof(struct wsim_faults, flush), true },
	{ "forge", offsetof(struct wsim_faults, forge), true },
	{ "silent", offsetof(struct wsim_faults, silent), false },
	{ "shallow", offsetof(struct wsim_faults, shallow), false },
	{ "held", offsetof(struct wsim_faults, held), false },
	{ "laggard", offsetof(struct wsim_faults, laggard), false },
	{ "contact", offsetof(struct wsim_faults, contact), false },
	{ "outage", offsetof(struct wsim_faults, outage), false },
	{ "unfenced", offsetof(struct wsim_faults, unfenced), false },
	{ "kill", offsetof(struct wsim_faults, kill), false },
	{ "cut", offsetof(struct wsim_faults, cut), false },
	{ "vary", offsetof(struct wsim_faults, vary), false },
	{ NULL, 0, false }
};

unsigned int *wsim_fault_rate(const struct wsim_fault *fault,
			      struct wsim_faults *faults)
{
	return fault->is_rate ?
	       (unsigned int *)((char *)faults + fault->offset) : NULL;
}

bool *wsim_fault_flag(const struct wsim_fault *fault,
		      struct wsim_faults *faults)
{
	return fault->is_rate ? NULL :
	       (bool *)((char *)faults + fault->offset);
}

bool wsim_faults_any(const struct wsim_faults *faults)
{
	struct wsim_faults copy = *faults;

	for (const struct wsim_fault *f = wsim_fault_list; f->name; f++)
		if (f->is_rate ? *wsim_fault_rate(f, &copy) > 0 :
				 *wsim_fault_flag(f, &copy))
			return true;
	return false;
}

static const struct wsim_fault *find(const char *at, size_t n)
{
	const struct wsim_fault *fault = wsim_fault_list;

	while (fault->name && !is_word(at, n, fault->name))
		fault++;
	return fault->name ? fault : NULL;
}

/* ":N" up to the end of the word. */
static bool parse_rate(const char *at, const char *end, unsigned int *rate_p)
{
	unsigned long rate;
	char *stop;

	if (at == end) {
		*rate_p = USUAL;
		return true;
	}
	if (at[1] < '0' || at[1] > '9')
		return false;
	rate = strtoul(at + 1, &stop, 10);
	if (stop != end || rate < 2 || rate > 1000000)
		return false;
	*rate_p = (unsigned int)rate;
	return true;
}

static bool parse_one(const char *at, const char *end,
		      struct wsim_faults *faults)
{
	const char *colon = memchr(at, ':', (size_t)(end - at));
	size_t n = (size_t)((colon ? colon : end) - at);
	const struct wsim_fault *fault = find(at, n);

	if (!fault || (colon && !fault->is_rate))
		return false;
	if (fault->is_rate)
		return parse_rate(at + n, end, wsim_fault_rate(fault, faults));
	*wsim_fault_flag(fault, faults) = true;
	return true;
}

bool wsim_faults_parse(const char *text, struct wsim_faults *faults_p)
{
	struct wsim_faults faults = { 0 };

	for (;;) {
		const char *end = text + strcspn(text, ",");

		if (!parse_one(text, end, &faults))
			return false;
		if (!*end)
			break;
		text = end + 1;
	}
	*faults_p = faults;
	return true;
}

static void set_rates(const struct wsim_faults *faults,
		      struct wf_sim_options *options)
{
	if (faults->again)
		options->again_one_in = faults->again;
	if (faults->others)
		options->switch_one_in = faults->others;
	if (faults->slow)
		options->slow_one_in = faults->slow;
	if (faults->tear)
		options->tear_one_in = faults->tear;
	options->flush_again_one_in = faults->flush;
	options->forge_one_in = faults->forge;
}

/* Which ranks and nodes are hit, and when. */
static void set_victims(const struct wsim_faults *faults,
			struct wf_sim_options *options)
{
	uint64_t ranks = (uint64_t)options->ranks;
	struct wf_random random;

	if (faults->laggard)
		options->slow_rank = (int)(options->seed % ranks);
	if (faults->outage)
		wf_sim_options_cut(options, CUT_NS, CUT_NS + OUTAGE_NS);
	wf_random_init(&random, options->seed ^ 0x6b696c6c);
	if (faults->kill) {
		options->kill_rank = (int)wf_random_below(&random, ranks);
		options->kill_event = 1 + wf_random_below(&random,
							  KILL_EVENTS);
	}
	if (faults->cut)
		wf_sim_options_cut(options, wf_random_below(&random, CUT_NS),
				   UINT64_MAX);
}

void wsim_faults_set(const struct wsim_faults *faults,
		     struct wf_sim_options *options)
{
	if (faults->vary)
		wf_sim_options_vary(options);
	set_rates(faults, options);
	if (faults->silent)
		options->unsignaled = UNSIGNALED;
	if (faults->shallow)
		options->tx_depth = 1;
	if (faults->held)
		options->target_idle = false;
	if (faults->contact)
		options->contact_ns = CONTACT_NS;
	options->no_fence |= faults->unfenced;
	set_victims(faults, options);
}

void wsim_faults_spell_out(struct wsim_faults *faults, uint64_t seed)
{
	struct wf_sim_options options;

	wf_sim_options_init(&options, 1, seed);
	wsim_faults_set(faults, &options);
	faults->again = options.again_one_in;
	faults->others = options.switch_one_in;
	faults->slow = options.slow_one_in;
	faults->shallow = options.tx_depth == 1;
	faults->held = !options.target_idle;
	faults->vary = false;
}
