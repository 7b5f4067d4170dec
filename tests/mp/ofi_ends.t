#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Jobs over libfabric: the end of ranks, and descriptors that are closed, or few.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/ofi.sh"

death() { again survivors.t each_survivor_hears; }
death_unmet() { again survivors.t dead_before_it_was_met; }
stopped() { again survivors.t stopped_is_not_dead; }
closing() { again survivors.t closed_while_others_wait; }
communicators_death() { again comm.t death; }
communicators_deaths() { again comm.t deaths_inside; }
collectives_death() { KILLS=4 again forms.t deep_death; }
collectives_deaths() { again forms.t death_in_each; }
broadcasts_death() { again bcast.t death; }
late_contact() { again survivors.t contact_with_one_that_closes; }
standard_descriptors() { again job_ends.t standard_descriptors; }
few_descriptors() { again job_ends.t few_descriptors; }

tap_run "$#" "$@" death death_unmet stopped closing communicators_death \
	communicators_deaths collectives_death collectives_deaths \
	broadcasts_death late_contact standard_descriptors few_descriptors
