/* SPDX-License-Identifier: BSD-3-Clause */
/* The create and free of weft-bench dist by hand. */
#include "packets.h"

static struct packets packets;

static void set_up(size_t bytes)
{
	packets_draw(&packets, bytes);
}

static void one(void)
{
	struct plan plan;

	plan_make(&plan, &packets);
	plan_free(&plan);
}

static void take_down(void)
{
	packets_free(&packets);
}

int main(int argc, char **argv)
{
	static const struct loop loop = {
		"dist_create", set_up, one, take_down, 1
	};

	packets_init(&packets, &argc, &argv);
	return loop_main(argc, argv, &loop);
}
