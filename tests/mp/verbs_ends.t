#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# The end of ranks whose jobs go over an RDMA device alone.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/verbs.sh"

death() { KILLS=4 again survivors.t each_survivor_hears; }
death_unmet() { again survivors.t dead_before_it_was_met; }
stopped() { again survivors.t stopped_is_not_dead; }
closing() { again survivors.t closed_while_others_wait; }
late_contact() { LATES=1 again survivors.t contact_with_one_that_closes; }
communicators_death() { again comm.t death; }
communicators_deaths() { again comm.t deaths; }
messages_death() { again p2p.t death; }
messages_deaths() { again p2p.t deaths; }
messages_play_death() { KILLS=3 again p2p.t death_in_play; }
broadcasts_death() { again bcast.t death; }
one_sided_death() { again rma.t death; }

tap_run "$#" "$@" death death_unmet stopped closing late_contact \
	communicators_death communicators_deaths messages_death \
	messages_deaths broadcasts_death one_sided_death messages_play_death
