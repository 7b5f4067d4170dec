#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Jobs with shared memory left out, so that all goes over an RDMA device:
# exchanges, conjugate gradients, the end of ranks.
. "$(dirname "$0")/../tap.sh"

here=$(cd "$(dirname "$0")" && pwd)
export WEFT_TRANSPORT=verbs

has_device() {
	local devices=(/sys/class/infiniband/*)
	[ -e "${devices[0]}" ] ||
		{ skip 'this machine has no RDMA device'; return 1; }
}

# again SCRIPT CASE: that case of another script holds over verbs, too
again() {
	has_device || return 0
	expect_code 0 "$here/$1" "${2//_/ }"
}

exchange() {
	EXCHANGES=$((${EXCHANGES:-600} / 4)) again exchange.t "$1"
}

one_rank() { exchange one_rank; }
four_ranks() { exchange four_ranks; }
seven_ranks() { exchange seven_ranks; }
plain_lines() { WEFT_IB_IN_ORDER=y exchange four_ranks; }
short_queue() { WEFT_IB_SRQ=32 exchange four_ranks; }
solver() { again cg.t meshes; }
death() { KILLS=4 again survivors.t each_survivor_hears; }
death_unmet() { again survivors.t dead_before_it_was_met; }
stopped() { again survivors.t stopped_is_not_dead; }
closing() { again survivors.t closed_while_others_wait; }
one_sided() { again rma.t seven_ranks; }
one_sided_long() { again rma.t long_ones; }
one_sided_memory() { again rma.t own_memory_is_reached; }
one_sided_death() { again rma.t death; }
one_sided_ring() { again rma.t ring_example; }
calls() {
	has_device || return 0
	expect_code 0 "$top_builddir/tests/mp/quiet_verbs"
}
late_contact() { again survivors.t contact_with_one_that_closes; }

tap_run "$#" "$@" one_rank four_ranks seven_ranks plain_lines short_queue \
	solver death death_unmet stopped closing one_sided one_sided_long \
	one_sided_memory one_sided_death one_sided_ring \
	calls late_contact
