/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Text and JSON of weft-sim.
 *
 * The rule: wherever virtual times are printed it is said which model of a
 * network they are of.
 */
#include "tools/weft-sim/weft_sim_report.h"

#include <stdio.h>
#include <weft/status.h>

#include "tools/weft-sim/weft_sim_child.h"
#include "tools/weft-sim/weft_sim_dist.h"

static void print_model(const struct wsim_options *o)
{
	if (o->net.name)
		printf("# virtual times are LogGP without congestion, %s, "
		       "%s\n", o->net.name, wf_sim_shape_name(o->shape));
	else
		puts("# virtual times are of random delays: they predict "
		     "nothing");
}

static bool has_edges(const struct wsim_report *report)
{
	return wsim_has_graph(report->options);
}

static void print_titles(const struct wsim_report *report)
{
	const struct wsim_options *o = report->options;

	printf("# weft-sim %s %s%s%s\n", PACKAGE_VERSION,
	       wsim_command_name(o->command), has_edges(report) ? " on " : "",
	       has_edges(report) ? o->graph : "");
	print_model(o);
	printf("#%7s %9s %20s %11s %14s %11s %11s %12s %10s %9s %9s  %-9s  "
	       "%s\n",
	       "ranks", "bytes", "seed", "t_min[usec]", "t_median[usec]",
	       "t_max[usec]", "msgs/op", "events", "events/s", "wall[s]",
	       "KiB/rank", "algorithm", "trace hash");
}

void wsim_report_open(struct wsim_report *report,
		      const struct wsim_options *options)
{
	*report = (struct wsim_report){
		.options = options,
		.lines = options->table || options->seeds > 1
	};
	wsim_chart_init(&report->chart, options);
	if (options->json)
		printf("{\"version\":\"%s\",\"command\":\"%s\","
		       "\"net\":\"%s\",\"runs\":[", PACKAGE_VERSION,
		       wsim_command_name(options->command),
		       options->net.name ? options->net.name : "random");
	else if (report->lines)
		print_titles(report);
}

static double events_per_second(const struct wsim_result *result)
{
	return result->wall > 0 ? (double)result->sim.events / result->wall :
				  0;
}

static void print_line(const struct wsim_run *run,
		       const struct wsim_result *r)
{
	printf("%8d %9zu %20llu", run->ranks, run->bytes,
	       (unsigned long long)run->seed);
	if (r->timed)
		printf(" %11.3f %14.3f %11.3f %11.2f", r->min, r->median,
		       r->max, r->messages);
	else
		printf(" %11s %14s %11s %11s", "-", "-", "-", "-");
	printf(" %12llu %10.3g %9.3f", (unsigned long long)r->sim.events,
	       events_per_second(r), r->wall);
	if (r->timed)
		printf(" %9.1f", r->memory / 1024);
	else
		printf(" %9s", "-");
	if (!wsim_has_radix(run->options))
		printf("  %-9s", "-");
	else
		printf("  radix:%-3d", run->radix);
	printf("  %016llx\n", (unsigned long long)r->sim.trace);
}

static void print_head(const struct wsim_report *report,
		       const struct wsim_run *run)
{
	const struct wsim_options *o = report->options;

	printf("# weft-sim %s %s", PACKAGE_VERSION,
	       wsim_command_name(o->command));
	if (has_edges(report))
		printf(" on %s", o->graph);
	if (wsim_has_bytes(o))
		printf(" of %zu bytes", run->bytes);
	if (wsim_has_items(o))
		printf(" of %ld items an edge", o->items);
	if (wsim_has_colors(o))
		printf(" of colors %s:%ld", wsim_colors_name(o->colors.kind),
		       o->colors.n);
	if (wsim_has_radix(o))
		printf(" by radix:%d", run->radix);
	printf(", %d ranks", run->ranks);
	if (o->ppn)
		printf(", %ld on a node", o->ppn);
	printf(", seed %llu\n", (unsigned long long)run->seed);
	print_model(o);
}

static void print_death(const struct wsim_run *run,
			const struct wsim_result *r)
{
	if (r->sim.killed >= 0)
		printf("deaths        rank %d; %d ranks got WEFT_ERR_PEER\n",
		       r->sim.killed, r->refused);
	else if (run->kills)
		puts("deaths        none: the rank ended before");
	if (run->cuts)
		printf("cut           a link; %d ranks got an error\n",
		       r->refused);
}

static void print_forged(const struct wsim_report *report,
			 const struct wsim_result *r)
{
	if (report->options->faults.forge)
		printf("forged        %llu credits\n",
		       (unsigned long long)r->sim.forged);
}

static void print_moved(const struct wsim_run *run)
{
	const struct wsim_moved *m = &run->moved;

	if (m->op < 0)
		return;
	printf("ranks moved   %d of %d, by %s%s%s\n"
	       "between nodes %lld edges before, %lld after\n", m->moved,
	       run->ranks, run->options->method, m->why[0] ? "; " : "", m->why,
	       (long long)m->before.sum, (long long)m->after.sum);
}

static void print_phases(const struct wsim_run *run,
			 const struct wsim_result *r)
{
	if (!wsim_has_items(run->options))
		return;
	for (int i = 0; i < run->phases; i++) {
		const struct wsim_phase *p = &r->phase[i];

		printf("%-13s %.3f us, median of ranks %.3f; messages %.2f "
		       "per rank, %.2f per neighbour\n",
		       wsim_dist_phase_name(i), p->max, p->median, p->messages,
		       p->per_neighbor);
	}
	printf("neighbours    %.2f per rank\n"
	       "a Dist        %.0f bytes of heap per rank, and %.0f of its "
	       "segment\n", r->neighbors, r->heap, r->segment);
}

static void print_times(const struct wsim_report *report,
			const struct wsim_result *r)
{
	const struct wsim_options *o = report->options;
	const char *what = wsim_has_items(o) ? "round" : "operation";

	printf("virtual time  %.3f us per %s, median of %ld; %.3f to %.3f\n"
	       "messages      %.2f per rank and %s, %llu in all\n", r->median,
	       what, o->iterations, r->min, r->max, r->messages, what,
	       (unsigned long long)r->sim.messages);
}

static void print_block(const struct wsim_report *report,
			const struct wsim_run *run,
			const struct wsim_result *r)
{
	print_head(report, run);
	if (r->timed)
		print_times(report, r);
	else
		printf("messages      %llu\n",
		       (unsigned long long)r->sim.messages);
	if (r->timed)
		print_phases(run, r);
	print_moved(run);
	print_death(run, r);
	print_forged(report, r);
	printf("events        %llu, %.3g per second\nwall time     %.3f s\n",
	       (unsigned long long)r->sim.events, events_per_second(r),
	       r->wall);
	if (r->timed)
		printf("memory        %.1f KiB per rank\n", r->memory / 1024);
	printf("trace hash %016llx\n", (unsigned long long)r->sim.trace);
}

static void print_phase_objects(const struct wsim_run *run,
				const struct wsim_result *r)
{
	printf(",\"items\":%ld,\"neighbors_per_rank\":%.4f,"
	       "\"dist_heap_bytes\":%.0f,\"dist_segment_bytes\":%.0f,"
	       "\"phases\":{", run->options->items, r->neighbors, r->heap,
	       r->segment);
	for (int i = 0; i < run->phases; i++) {
		const struct wsim_phase *p = &r->phase[i];

		printf("%s\"%s\":{\"t_median_usec\":%.4f,"
		       "\"t_max_usec\":%.4f,\"messages_per_rank\":%.4f,"
		       "\"messages_per_neighbor\":%.4f}", i ? "," : "",
		       wsim_dist_phase_name(i), p->median, p->max, p->messages,
		       p->per_neighbor);
	}
	putchar('}');
}

static void print_object(const struct wsim_report *report,
			 const struct wsim_run *run,
			 const struct wsim_result *r)
{
	printf("%s{\"ranks\":%d,\"ranks_per_node\":%ld,\"bytes\":%zu,"
	       "\"seed\":%llu", report->runs ? "," : "", run->ranks,
	       report->options->ppn ? report->options->ppn : run->ranks,
	       run->bytes, (unsigned long long)run->seed);
	if (wsim_has_radix(run->options))
		printf(",\"algorithm\":\"radix:%d\"", run->radix);
	if (r->timed)
		printf(",\"iterations\":%ld,\"t_min_usec\":%.4f,"
		       "\"t_median_usec\":%.4f,\"t_max_usec\":%.4f,"
		       "\"messages_per_rank\":%.4f,\"bytes_per_rank\":%.0f",
		       report->options->iterations, r->min, r->median, r->max,
		       r->messages, r->memory);
	if (r->timed && wsim_has_items(run->options))
		print_phase_objects(run, r);
	if (run->moved.op >= 0)
		printf(",\"moved\":%d,\"sum_before\":%lld,\"sum_after\":%lld",
		       run->moved.moved, (long long)run->moved.before.sum,
		       (long long)run->moved.after.sum);
	if (r->sim.killed >= 0)
		printf(",\"killed\":%d,\"refused\":%d", r->sim.killed,
		       r->refused);
	if (report->options->faults.forge)
		printf(",\"forged\":%llu", (unsigned long long)r->sim.forged);
	printf(",\"messages\":%llu,\"events\":%llu,\"wall_sec\":%.4f,"
	       "\"good\":%s,\"trace_hash\":\"%016llx\"}",
	       (unsigned long long)r->sim.messages,
	       (unsigned long long)r->sim.events, r->wall,
	       wsim_result_good(run, r) ? "true" : "false",
	       (unsigned long long)r->sim.trace);
}

void wsim_report_run(struct wsim_report *report, const struct wsim_run *run,
		     const struct wsim_result *result)
{
	if (report->options->json)
		print_object(report, run, result);
	else if (report->lines)
		print_line(run, result);
	else
		print_block(report, run, result);
	if (report->options->svg)
		wsim_chart_add(&report->chart, run, result);
	report->runs++;
	report->forged += result->sim.forged;
	fflush(stdout);
	if (!wsim_result_good(run, result))
		fprintf(stderr, "weft-sim: %d ranks, seed %llu: %d of them "
			"ended; %s\n", run->ranks,
			(unsigned long long)run->seed, result->sim.finished,
			result->sim.text);
}

/* Who asks for credits to be forged takes a run without any for a test. */
static bool has_forged(const struct wsim_report *report)
{
	if (!report->options->faults.forge || report->forged)
		return true;
	fputs("weft-sim: --faults forge: no credit was raised that could be "
	      "forged; credits are for exchange along edges that lead one "
	      "way, for bcast, and for messages in chunks, and come when some "
	      "operations are over: give more --warmup\n", stderr);
	return false;
}

bool wsim_report_close(struct wsim_report *report)
{
	const struct wsim_options *options = report->options;
	bool good;

	if (options->json)
		puts("]}");
	fflush(stdout);
	good = has_forged(report);
	if (!options->svg)
		return good;
	wsim_chart_sort(&report->chart);
	return wsim_chart_write(&report->chart, options->svg) && good;
}
