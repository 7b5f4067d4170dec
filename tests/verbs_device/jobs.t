#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Jobs over the test device: the cases of tests/mp/verbs.t but the one that counts
# calls, which takes longer than all others together; and what they wait for when
# things come late, and in any order.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/device.sh"
export CG_RANKS=2

exchanges() { cases '' 'one rank' 'four ranks' 'seven ranks' 'plain lines'; }
graphs() {
	cases '' 'edges of strangers' neighborhoods batches reductions dists
}
short_queue() { cases '' 'short queue'; }
solver() { cases '' solver; }
messages() { cases '' messages 'messages flood' 'messages play'; }
messages_early() {
	cases '' 'messages early' 'messages early create' \
		'messages early group' 'messages early split'
}
messages_freed() {
	cases '' 'messages freed' 'messages freed create' \
		'messages freed group' 'messages freed split'
}
one_sided() {
	cases '' 'one sided' 'one sided long' 'one sided memory' \
		'one sided ring'
}
registered() { cases '' registered wakes; }
communicators() {
	cases '' communicators collectives 'collectives death' \
		'collectives deaths' sparse bits children 'mpi programs'
}
late_and_lost() {
	local seeds seed
	seeds=$(seq "${DEVICE_SEEDS:-2}") || return 1
	for seed in $seeds; do
		cases "$late_and_lost seed=$seed" 'four ranks' 'short queue' \
			'edges of strangers' messages 'messages play' \
			'one sided' collectives || return 1
	done
}
in_any_order() {
	local seeds seed
	seeds=$(seq "${DEVICE_SEEDS:-2}") || return 1
	for seed in $seeds; do
		cases "$any_time seed=$seed" 'four ranks' 'seven ranks' \
			'edges of strangers' 'short queue' messages \
			'messages flood' 'messages play' 'one sided' \
			collectives || return 1
	done
}

tap_run "$#" "$@" exchanges graphs short_queue solver messages \
	messages_early messages_freed one_sided registered communicators \
	late_and_lost in_any_order
