#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# The end of ranks whose jobs go over an RDMA device alone; those that are
# killed are ROUNDS times, from FIRST_SEED on.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/verbs.sh"

seeded() { KILL_SEED=$seed FIRST_SEED=$seed again "$@"; }
killed() { each_round seeded "$@"; }

death() { KILLS=4 killed survivors.t each_survivor_hears; }
death_unmet() { killed survivors.t dead_before_it_was_met; }
stopped() { again survivors.t stopped_is_not_dead; }
closing() { again survivors.t closed_while_others_wait; }
late_contact() { LATES=1 again survivors.t contact_with_one_that_closes; }
communicators_death() { killed comm.t death; }
communicators_deaths() { killed comm.t deaths; }
messages_death() { killed p2p.t death; }
messages_deaths() { killed p2p.t deaths; }
messages_play_death() { KILLS=3 killed p2p.t death_in_play; }
broadcasts_death() { killed bcast.t death; }
one_sided_death() { killed rma.t death; }
asleep_death() { killed sleep_death.t one_sleeps; }

tap_run "$#" "$@" death death_unmet stopped closing late_contact \
	communicators_death communicators_deaths messages_death \
	messages_deaths broadcasts_death one_sided_death messages_play_death \
	asleep_death
