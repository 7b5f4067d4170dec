#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# The end of ranks in the midst of collectives, messages and one-sided calls,
# over the test device.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/device.sh"

communicators() {
	case_of_ends 'communicators death' &&
		case_of_ends 'communicators deaths'
}
messages() {
	case_of_ends 'messages death' && case_of_ends 'messages deaths' &&
		case_of_ends 'messages play death'
}
broadcasts() { case_of_ends 'broadcasts death'; }
one_sided() { case_of_ends 'one sided death'; }

tap_run "$#" "$@" communicators messages broadcasts one_sided
