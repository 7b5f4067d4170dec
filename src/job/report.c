/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a report says: the wait, the operations that are open, the peers, the
 * devices, the memory.  Called by progress, with the job entered; while the
 * job is opened or closed, of the wait alone, by boot/.
 */
#include "job/report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/process.h"
#include "base/text.h"
#include "job/job.h"
#include "job/peer.h"
#include "job/threads.h"

enum {
	PEERS_SHOWN = 16
};

void wf_report_begin(struct wf_report *to, const struct wf_log *log)
{
	to->log = log;
	to->used = 0;
}

void wf_report_end(struct wf_report *to)
{
	if (to->used)
		to->log->write(to->log->arg, to->text, to->used);
	to->used = 0;
}

void wf_report_line(struct wf_report *to, const char *format, ...)
{
	char line[WF_ERROR_TEXT + 256];
	size_t n;
	va_list args;

	snprintf(line, sizeof(line), "weft: %s%sreport: ", to->log->prefix,
		 to->log->prefix[0] ? ": " : "");
	n = strlen(line);
	va_start(args, format);
	vsnprintf(line + n, sizeof(line) - n, format, args);
	va_end(args);
	n = strlen(line);
	if (n > sizeof(line) - 2)
		n = sizeof(line) - 2;
	line[n++] = '\n';
	if (n > sizeof(to->text) - to->used)
		wf_report_end(to);
	memcpy(to->text + to->used, line, n);
	to->used += n;
}

static void report_wait(void *arg, const struct wf_wait *wait)
{
	char text[WF_ERROR_TEXT] = "";

	wait->describe(wait->arg, text, sizeof(text));
	wf_report_line(arg, "waits for %s", text);
}

static void report_waits(struct wf_report *to, const struct weft_job *job)
{
	wf_report_line(to, "process %d, rank %d of %d, asked by SIGUSR1",
		       (int)getpid(), job->rank, job->size);
	if (job->wait)
		report_wait(to, job->wait);
	else
		wf_report_line(to, "in no call that waits");
	if (job->threads)
		wf_threads_each(job, report_wait, to);
}

static void report_operations(struct wf_report *to, struct weft_job *job)
{
	struct wf_list *at;
	bool any = false;

	for (at = job->pollers.next; at != &job->pollers; at = at->next) {
		struct wf_poller *p = wf_container(at, struct wf_poller, link);

		if (!p->report)
			continue;
		p->report(p, to);
		any = true;
	}
	if (!any)
		wf_report_line(to, "no operation is open");
}

static const char *state_of(const struct wf_peer *peer)
{
	switch (peer->state) {
	case WF_PEER_NEW:
		return "not connected";
	case WF_PEER_CONNECTING:
		return "connecting";
	case WF_PEER_READY:
		return peer->broken ? "connected, with trouble" : "connected";
	case WF_PEER_LEFT:
	case WF_PEER_DEAD:
	case WF_PEER_UNREACHABLE:
		break;
	}
	return wf_peer_why(peer);
}

static void report_peer(struct wf_report *to, const struct wf_peer *peer)
{
	const struct wf_ep *ep = peer->ep;
	char text[160] = "", by[16] = "";
	int owed = 0;

	for (struct wf_list *at = peer->owed.next; at != &peer->owed;
	     at = at->next)
		owed++;
	if (ep) {
		wf_text_add(by, sizeof(by), " by %s", ep->dev->ops->name);
		wf_text_add(text, sizeof(text), ", %" PRIu64 " posts, %" PRIu64
			    " of them done", ep->posted, ep->done);
	}
	if (owed)
		wf_text_add(text, sizeof(text), ", %d mail%s to send", owed,
			    owed > 1 ? "s" : "");
	wf_report_line(to, "peer rank %d on host %s%s: %s%s", peer->rank,
		       wf_peer_host(peer), by, state_of(peer), text);
}

static void report_peers(struct wf_report *to, const struct weft_job *job)
{
	size_t cursor = 0;
	uint64_t rank;
	void *peer;
	int n = 0;

	while (wf_map_next(&job->peers, &cursor, &rank, &peer))
		if (n++ < PEERS_SHOWN)
			report_peer(to, peer);
	if (n > PEERS_SHOWN)
		wf_report_line(to, "and %d more peers", n - PEERS_SHOWN);
}

/* Pages in use; 0 where the system does not say. */
static unsigned long resident_pages(void)
{
	unsigned long pages;
	char text[128];

	if (!wf_process_read("/proc/thread-self/statm", text, sizeof(text)) ||
	    sscanf(text, "%*u %lu", &pages) != 1)
		return 0;
	return pages;
}

static void report_memory(struct wf_report *to, const struct weft_job *job)
{
	for (int i = 0; i < job->ndevs; i++) {
		const struct wf_device *dev = job->dev[i];
		struct wf_tp_memory m = { .fixed = 0 };

		dev->ops->memory(dev, &m);
		wf_report_line(to, "device %s: %" PRIu64 " bytes, and %" PRIu64
			       " for each peer", dev->ops->name, m.fixed,
			       m.per_ep);
	}
	wf_report_line(to, "memory: segment of %" PRIu64 " bytes, used up to %"
		       PRIu64 ", may grow to %" PRIu64 "; process %lu KiB; %"
		       PRIu64 " mails dropped", job->segment.size,
		       wf_alloc_end(&job->segment.blocks), job->segment.limit,
		       resident_pages() *
		       (unsigned long)(sysconf(_SC_PAGESIZE) / 1024),
		       job->mailbox.dropped);
}

void wf_report(struct weft_job *job)
{
	struct wf_report to;

	/* What is asked from here on is another one. */
	atomic_store(&job->report.asked, false);
	wf_report_begin(&to, &job->log);
	report_waits(&to, job);
	report_operations(&to, job);
	report_peers(&to, job);
	report_memory(&to, job);
	wf_report_end(&to);
}

void wf_report_boot(void *arg, const char *what)
{
	struct weft_job *job = arg;
	struct wf_report to;

	if (!wf_report_is_due(&job->report))
		return;
	atomic_store(&job->report.asked, false);
	wf_report_begin(&to, &job->log);
	/* Who it is it may be about to ask. */
	if (job->size)
		wf_report_line(&to, "process %d, rank %d of %d, asked by "
			       "SIGUSR1", (int)getpid(), job->rank, job->size);
	else
		wf_report_line(&to, "process %d, asked by SIGUSR1",
			       (int)getpid());
	wf_report_line(&to, "waits for %s: the launcher, or a rank that has "
		       "not come", what);
	wf_report_end(&to);
}
