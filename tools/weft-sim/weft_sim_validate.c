/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calibrates the model to shared memory of this machine, then times the same
 * operations on two real ranks, and on two simulated ones with what was found.
 */
#include "tools/weft-sim/weft_sim_validate.h"

#include <stdio.h>
#include <weft.h>

#include "tests/sim/sim_job.h"
#include "tools/weft-sim/weft_sim_calibrate.h"
#include "tools/weft-sim/weft_sim_ops.h"
#include "tools/weft-sim/weft_sim_params.h"
#include "transport/sim/sim.h"

enum { SAMPLES = 50 };

/* ---- on real ranks ---- */

static void measure(struct wsim_place *place)
{
	double us[WSIM_OPS], *to = place->shared;

	wsim_ops_time(place, us);
	for (int i = 0; i < WSIM_OPS && !place->rank; i++)
		to[i] = us[i];
}

/* ---- on simulated ones ---- */

static double virtual_now(void *arg)
{
	return (double)wf_sim_now_ps(arg) * 1e-6;
}

/* One sample is as good as many. */
static void predict(struct wf_sim_rank *rank, void *arg)
{
	struct wsim_place place = {
		.rank = wf_sim_rank(rank), .now = virtual_now, .arg = rank,
		.samples = 1, .shared = arg
	};

	wsim_pair_check(wf_sim_job_open(rank, &place.job),
			"cannot open a simulated job");
	measure(&place);
	wsim_pair_check(weft_job_close(place.job),
			"cannot close a simulated job");
}

static int simulate(const struct wf_sim_net *net, double *us)
{
	static char *const settings[] = {
		"WEFT_ARENA=64m", "WEFT_ARENA_MAX=64m", NULL
	};
	struct wf_sim_options options;
	struct wf_sim_result result;
	int status;

	wf_sim_options_init(&options, 2, 1);
	options.environ = settings;
	options.net = options.node_net = net;
	status = wf_sim_run(&options, predict, us, &result);
	if (!status && result.violations) {
		fprintf(stderr, "weft-sim: %s\n", result.text);
		status = WEFT_ERR_ARG;
	}
	return status;
}

static void print(const struct wf_sim_net *net, const double *predicted,
		  const double *measured)
{
	puts("# weft-sim " PACKAGE_VERSION " validate: 2 ranks over shm, the "
	     "fastest of 50 samples\n"
	     "# predictions are LogGP without congestion, calibrated to this "
	     "machine:");
	fputs("--node-net ", stdout);
	wsim_params_print(net);
	printf("\n#%9s %9s %15s %14s %9s\n", "operation", "bytes",
	       "predicted[usec]", "measured[usec]", "error[%]");
	for (int i = 0; i < WSIM_OPS; i++)
		printf("%10s %9zu %15.3f %14.3f %+9.1f\n", wsim_ops[i].name,
		       wsim_ops[i].bytes, predicted[i], measured[i],
		       (predicted[i] / measured[i] - 1) * 100);
}

int wsim_validate(void)
{
	struct wsim_meter *meter = wsim_meter_create();
	double predicted[WSIM_OPS], measured[WSIM_OPS];

	if (!meter)
		wsim_pair_check(WEFT_ERR_NOMEM, "validate");
	wsim_pair_run(wsim_calibrate, meter, SAMPLES);
	wsim_pair_run(measure, measured, SAMPLES);
	wsim_pair_check(simulate(wsim_meter_net(meter), predicted),
			"the simulation");
	print(wsim_meter_net(meter), predicted, measured);
	wsim_meter_destroy(meter);
	return 0;
}
