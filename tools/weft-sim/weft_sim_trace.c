/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Trace events in JSON, written while the run goes on.
 *
 * A node is a process, a rank a thread. Calls are B and E events, what the CPU
 * does inside them X events, a message an arrow (s, f) from the X of its post
 * to an X without length where and when it lands. In the file the events of a
 * rank's CPU are in the order of their times, and so are its landings; a CPU
 * can be ahead of what lands. Nothing is kept but how many calls each rank is
 * in, so that all of them end, also those of the dead.
 */
#include "tools/weft-sim/weft_sim_trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/weft-sim/weft_sim_run.h"

enum { PS_PER_US = 1000000 };

struct wsim_trace {
	FILE *out;
	const char *path;
	const struct wsim_run *run;
	struct wf_sim_observer observer;
	int *calls;		/* of each rank, begun and not ended */
	bool more;		/* than one event */
};

static void print_string(FILE *out, const char *text)
{
	putc('"', out);
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < ' ' || c >= 0x7f)
			fprintf(out, "\\u%04x", c);
		else
			putc(c, out);
	}
	putc('"', out);
}

static long node_of(const struct wsim_trace *trace, int rank)
{
	long per_node = trace->run->options->ppn;

	return per_node ? rank / per_node : 0;
}

/* An event without its end: the caller adds members and a brace. */
static void print_event(struct wsim_trace *trace, char phase, int rank)
{
	fprintf(trace->out, "%s{\"ph\":\"%c\",\"pid\":%ld,\"tid\":%d",
		trace->more ? ",\n" : "\n", phase, node_of(trace, rank), rank);
	trace->more = true;
}

static void print_us(FILE *out, const char *name, uint64_t ps)
{
	fprintf(out, ",\"%s\":%" PRIu64 ".%06u", name, ps / PS_PER_US,
		(unsigned int)(ps % PS_PER_US));
}

static void print_at(struct wsim_trace *trace, char phase, int rank,
		     uint64_t ps)
{
	print_event(trace, phase, rank);
	print_us(trace->out, "ts", ps);
}

static void print_name(struct wsim_trace *trace, const char *what, int rank,
		       const char *name)
{
	print_event(trace, 'M', rank);
	fprintf(trace->out, ",\"name\":\"%s\",\"args\":{\"name\":\"%s %ld\"}}",
		what, name, *name == 'n' ? node_of(trace, rank) : (long)rank);
}

static void print_slice(struct wsim_trace *trace, int rank, uint64_t start,
			uint64_t end)
{
	print_at(trace, 'X', rank, start);
	print_us(trace->out, "dur", end - start);
}

static void print_arrow(struct wsim_trace *trace, char phase, int rank,
			uint64_t ps, uint64_t number)
{
	print_at(trace, phase, rank, ps);
	fprintf(trace->out, ",\"id\":%" PRIu64 ",\"cat\":\"message\","
		"\"name\":\"message\"%s}", number,
		phase == 'f' ? ",\"bp\":\"e\"" : "");
}

static void posted(void *arg, const struct wf_sim_message *m)
{
	struct wsim_trace *trace = arg;

	print_slice(trace, m->from, m->start_ps, m->end_ps);
	fprintf(trace->out, ",\"cat\":\"post\",\"name\":\"%s\",\"args\":"
		"{\"to\":%d,\"bytes\":%" PRIu64 "}}", m->kind, m->to, m->bytes);
	print_arrow(trace, 's', m->from, m->start_ps, m->number);
}

static void landed(void *arg, const struct wf_sim_message *m, bool lands)
{
	struct wsim_trace *trace = arg;

	print_slice(trace, m->to, m->end_ps, m->end_ps);
	fprintf(trace->out, ",\"cat\":\"%s\",\"name\":\"%s\",\"args\":"
		"{\"from\":%d,\"bytes\":%" PRIu64 "}}",
		lands ? "landing" : "lost", m->kind, m->from, m->bytes);
	print_arrow(trace, 'f', m->to, m->end_ps, m->number);
}

static void busy(void *arg, int rank, const char *what, uint64_t start_ps,
		 uint64_t end_ps)
{
	struct wsim_trace *trace = arg;

	print_slice(trace, rank, start_ps, end_ps);
	fprintf(trace->out, ",\"cat\":\"cpu\",\"name\":\"%s\"}", what);
}

static void end_calls(struct wsim_trace *trace, int rank, uint64_t time_ps)
{
	while (trace->calls[rank])
		wsim_trace_end(trace, rank, time_ps);
}

static void died(void *arg, int rank, uint64_t time_ps)
{
	struct wsim_trace *trace = arg;

	print_at(trace, 'i', rank, time_ps);
	fputs(",\"s\":\"g\",\"cat\":\"death\",\"name\":\"dies\"}", trace->out);
	end_calls(trace, rank, time_ps);
}

/* Which run it is, and who is in it. */
static void print_head(struct wsim_trace *trace)
{
	const struct wsim_run *run = trace->run;
	const struct wsim_options *o = run->options;

	fprintf(trace->out, "{\"displayTimeUnit\":\"ns\",\"otherData\":{"
		"\"version\":\"weft-sim %s\",\"command\":\"%s\",\"ranks\":%d,"
		"\"bytes\":%zu,\"seed\":\"%" PRIu64 "\",\"times\":\"%s\"",
		PACKAGE_VERSION, wsim_command_name(o->command), run->ranks,
		run->bytes, run->seed, o->net.name ?
		"LogGP without congestion" : "random");
	if (o->graph) {
		fputs(",\"graph\":", trace->out);
		print_string(trace->out, o->graph);
	} else {
		fprintf(trace->out, ",\"algorithm\":\"radix:%d\"",
			run->radix);
	}
	fputs("},\"traceEvents\":[", trace->out);
	for (int i = 0; i < run->ranks; i++) {
		if (!i || node_of(trace, i) != node_of(trace, i - 1))
			print_name(trace, "process_name", i, "node");
		print_name(trace, "thread_name", i, "rank");
	}
}

struct wsim_trace *wsim_trace_open(const char *path,
				   const struct wsim_run *run)
{
	struct wsim_trace *trace = calloc(1, sizeof(*trace));
	int *calls = calloc((size_t)run->ranks, sizeof(*calls));
	FILE *out = trace && calls ? fopen(path, "w") : NULL;

	if (!out) {
		fprintf(stderr, "weft-sim: --trace %s: %s\n", path,
			strerror(trace && calls ? errno : ENOMEM));
		free(trace);
		free(calls);
		return NULL;
	}
	*trace = (struct wsim_trace){
		.out = out, .path = path, .run = run, .calls = calls,
		.observer = { trace, posted, landed, busy, died }
	};
	print_head(trace);
	return trace;
}

const struct wf_sim_observer *
wsim_trace_observer(const struct wsim_trace *trace)
{
	return &trace->observer;
}

void wsim_trace_begin(struct wsim_trace *trace, int rank, uint64_t time_ps,
		      const char *call)
{
	if (!trace)
		return;
	trace->calls[rank]++;
	print_at(trace, 'B', rank, time_ps);
	fprintf(trace->out, ",\"cat\":\"call\",\"name\":\"%s\"}", call);
}

void wsim_trace_end(struct wsim_trace *trace, int rank, uint64_t time_ps)
{
	if (!trace)
		return;
	trace->calls[rank]--;
	print_at(trace, 'E', rank, time_ps);
	putc('}', trace->out);
}

static void print_end(struct wsim_trace *trace,
		      const struct wf_sim_result *result)
{
	for (int i = 0; i < trace->run->ranks; i++)
		end_calls(trace, i, result->time_ps);
	if (!result->violations)
		return;
	print_at(trace, 'i', 0, result->time_ps);
	fputs(",\"s\":\"g\",\"cat\":\"failure\",\"name\":", trace->out);
	print_string(trace->out, result->text);
	putc('}', trace->out);
}

bool wsim_trace_close(struct wsim_trace *trace,
		      const struct wf_sim_result *result)
{
	bool good;

	if (result)
		print_end(trace, result);
	fputs("\n]}\n", trace->out);
	good = !ferror(trace->out);
	if (fclose(trace->out) || !good) {
		fprintf(stderr, "weft-sim: --trace %s: %s\n", trace->path,
			strerror(errno ? errno : EIO));
		good = false;
	}
	free(trace->calls);
	free(trace);
	return good;
}
