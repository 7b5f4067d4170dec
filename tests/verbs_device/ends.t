#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# The end of ranks whose jobs go over the test device: the cases of
# tests/mp/verbs_ends.t but those of ends_in_calls.t.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/device.sh"

death() { case_of_ends death; }
death_unmet() { case_of_ends 'death unmet'; }
stopped() { case_of_ends stopped; }
closing() { case_of_ends closing; }
late_contact() { case_of_ends 'late contact'; }
asleep() { case_of_ends 'asleep death'; }
# What is late is done by the ranks' cores.
death_late() { HEAR_MS=5000 case_of_ends death "$late_and_lost"; }

tap_run "$#" "$@" death death_unmet stopped closing late_contact asleep \
	death_late
