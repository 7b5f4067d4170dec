#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Jobs over the test device: the cases of tests/mp/verbs.t but those of messages,
# and the one that counts calls, which takes longer than all others together.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/device.sh"
export CG_RANKS=2

exchanges() { cases '' 'one rank' 'four ranks' 'seven ranks' 'plain lines'; }
graphs() {
	cases '' 'edges of strangers' neighborhoods batches reductions dists
}
short_queue() { cases '' 'short queue'; }
solver() { cases '' solver; }
one_sided() {
	cases '' 'one sided' 'one sided long' 'one sided memory' \
		'one sided ring'
}
registered() { cases '' registered wakes; }
communicators() {
	cases '' communicators collectives 'collectives death' \
		'collectives deaths' sparse bits children 'mpi programs'
}

tap_run "$#" "$@" exchanges graphs short_queue solver one_sided registered \
	communicators
