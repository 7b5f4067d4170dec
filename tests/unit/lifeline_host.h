/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For tests: a lifeline on the loopback address, and a probe that asks it. Time
 * is a number that the test moves.
 */
#ifndef WEFT_TESTS_LIFELINE_HOST_H
#define WEFT_TESTS_LIFELINE_HOST_H

#include <string.h>
#include "base/log.h"
#include "job/lifeline.h"
#include "tests/tap.h"

#define MS UINT64_C(1000000)
#define S (1000 * MS)

static char said[400];
static int lines_said;

static void keep_line(void *arg, const char *line, size_t n)
{
	(void)arg;
	snprintf(said, sizeof(said), "%.*s", (int)n, line);
	lines_said++;
}

struct host {
	struct wf_log log;
	struct wf_blob blob;
	struct wf_identity self;	/* who asks: of the same network */
	struct wf_lifeline line;
	struct wf_prober prober;
	struct wf_probe *probe;
	uint64_t now;
	struct wf_probe_data data;
	char why[200];
};

/* Of the addresses of this machine 127.0.0.1 alone. */
static void take_loopback(struct wf_blob *blob)
{
	int at = blob->n_lifelines - 1;

	while (at > 0 && blob->lifelines[at].address[0] != 127)
		at--;
	blob->lifelines[0] = blob->lifelines[at];
	blob->n_lifelines = 1;
}

static void fill_blob(struct wf_blob *blob, uint64_t key)
{
	memset(blob, 0, sizeof(*blob));
	snprintf(blob->id.host, sizeof(blob->id.host), "there");
	memset(blob->id.boot_id, 7, sizeof(blob->id.boot_id));
	blob->id.net_ns = 11;
	blob->life_key.word[0] = key;
	blob->life_key.word[1] = ~key;
	blob->key.word[0] = 3 * key;
	blob->key.word[1] = 5 * key;
}

static void open_host(struct host *h)
{
	memset(h, 0, sizeof(*h));
	wf_log_init(&h->log, WF_LOG_WARN, "test");
	h->log.write = keep_line;
	lines_said = 0;
	h->now = S;
	fill_blob(&h->blob, 0x1122334455667788);
	TAP_EQUAL(wf_lifeline_open(&h->line, &h->blob, true, &h->log), 0);
	take_loopback(&h->blob);
	h->self = h->blob.id;
	TAP_EQUAL(wf_prober_init(&h->prober, &h->self, 30 * S, &h->log), 0);
	h->probe = wf_probe_create(&h->prober, 3, &h->blob);
}

static void close_host(struct host *h)
{
	wf_probe_free(h->probe);
	TAP_EQUAL(h->prober.n_open, 0);
	wf_prober_fini(&h->prober);
	wf_lifeline_close(&h->line);
}

/* Ticks of 10 ms; true: found dead. */
static bool ticks(struct host *h, struct wf_probe *probe, int n, bool serve)
{
	for (int i = 0; i < n; i++) {
		h->now += 10 * MS;
		if (wf_probe_step(probe, h->now, h->data, h->why,
				  sizeof(h->why)))
			return true;
		if (serve)
			wf_lifeline_serve(&h->line, h->now);
	}
	return false;
}

#endif
