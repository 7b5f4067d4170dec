/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Options turned back into words: the rule is that a run of the words is the
 * run of the options, event by event.
 */
#include "tools/weft-sim/weft_sim_command.h"

#include <inttypes.h>
#include <stdio.h>

#include "tools/weft-sim/weft_sim_child.h"

static void print_rate(const char *name, unsigned int rate, bool *more)
{
	if (!rate)
		return;
	printf("%s%s:%u", *more ? "," : " --faults ", name, rate);
	*more = true;
}

static void print_flag(const char *name, bool flag, bool *more)
{
	if (!flag)
		return;
	printf("%s%s", *more ? "," : " --faults ", name);
	*more = true;
}

static void print_faults(struct wsim_faults faults)
{
	const struct wsim_fault *f = wsim_fault_list;
	bool more = false;

	for (; f->name; f++)
		if (f->is_rate)
			print_rate(f->name, *wsim_fault_rate(f, &faults),
				   &more);
		else
			print_flag(f->name, *wsim_fault_flag(f, &faults),
				   &more);
}

/* In quotes, where the shell would see something else than the word. */
static void print_word(const char *word)
{
	putchar('\'');
	for (; *word; word++)
		if (*word == '\'')
			fputs("'\\''", stdout);
		else
			putchar(*word);
	putchar('\'');
}

static void print_net(const struct wsim_options *o)
{
	if (o->net.name)
		printf(" --net %s", o->net.name);
	if (o->node_net.name)
		printf(" --node-net %s", o->node_net.name);
	if (o->shaped)
		printf(" --shape %s", wf_sim_shape_name(o->shape));
	if (o->ppn)
		printf(" --ppn %ld", o->ppn);
}

void wsim_command_print(const struct wsim_options *o)
{
	fputs("weft-sim", stdout);
	if (o->nranks)
		printf(" -n %zu", o->ranks[0]);
	print_net(o);
	printf(" --seed %" PRIu64, o->seed);
	/* given, it is that many as usual */
	if (!o->mailed_epochs)
		printf(" --warmup %ld", o->warmup);
	printf(" -i %ld", o->iterations);
	print_faults(o->faults);
	printf(" %s", wsim_command_name(o->command));
	if (wsim_has_radix(o))
		printf(" --algorithm radix:%d", o->radix[0]);
	if (wsim_has_bytes(o))
		printf(" --bytes %zu", o->bytes[0]);
	if (wsim_has_colors(o))
		printf(" --colors %s:%ld", wsim_colors_name(o->colors.kind),
		       o->colors.n);
	if (wsim_has_root(o))
		printf(" --root %ld", o->root);
	if (wsim_has_items(o))
		printf(" --items %ld", o->items);
	if (wsim_has_method(o))
		printf(" --method %s", o->method);
	if (o->graph) {
		fputs(" --graph ", stdout);
		print_word(o->graph);
	}
	putchar('\n');
}
