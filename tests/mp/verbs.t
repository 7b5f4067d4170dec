#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Jobs over an RDMA device alone: exchanges, conjugate gradients, one-sided
# access. How they end is in verbs_ends.t.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/verbs.sh"

exchange() {
	EXCHANGES=$((${EXCHANGES:-600} / 4)) again exchange.t "$1"
}

one_rank() { exchange one_rank; }
four_ranks() { exchange four_ranks; }
seven_ranks() { exchange seven_ranks; }
edges_of_strangers() { again exchange.t edges_of_strangers; }
neighborhoods() {
	has_device || return 0
	RANKS='2 5' expect_code 0 "$here/neighborhood.t"
}
plain_lines() { WEFT_IB_IN_ORDER=y exchange four_ranks; }
short_queue() { WEFT_IB_SRQ=32 WEFT_IB_SQ=16 exchange four_ranks; }
solver() { again cg.t meshes; }
communicators() { again comm.t five_ranks; }
collectives() { PROGRAMS=1 again forms.t five_ranks; }
collectives_death() { KILLS=2 again forms.t deep_death; }
collectives_deaths() { again forms.t death_in_each; }
batches() { again batch.t three_ranks; }
sparse() { again sparse.t many_stages; }
reductions() { again neighbor_reduce.t in_pieces; }
dists() { again dist.t in_pieces; }
bits() { again bits.t five_ranks; }
messages() { COMMS=4 again p2p.t five_ranks; }
messages_flood() { again p2p.t flood; }
messages_early() { again p2p.t early_dup; }
messages_early_create() { again p2p.t early_create; }
messages_early_group() { again p2p.t early_create_group; }
messages_early_split() { again p2p.t early_split; }
messages_freed() { FREED=unseen again p2p.t freed_dup; }
messages_freed_create() { FREED=used again p2p.t freed_create; }
messages_freed_group() { FREED=unused again p2p.t freed_create_group; }
messages_freed_split() { FREED=unused again p2p.t freed_split; }
messages_play() { PROGRAMS=$((${PROGRAMS:-60} / 6)) again p2p.t three_play; }
one_sided() { again rma.t seven_ranks; }
one_sided_long() { again rma.t long_ones; }
one_sided_memory() { again rma.t own_memory_is_reached; }
one_sided_ring() { again rma.t ring_example; }
calls() {
	has_device || return 0
	expect_code 0 "$top_builddir/tests/mp/quiet_verbs"
}
registered() {
	has_device || return 0
	expect_code 0 "$top_builddir/tests/mp/registered"
}
wakes() {
	has_device || return 0
	expect_code 0 "$top_builddir/tests/mp/wakes.t"
}
children() {
	has_device || return 0
	expect_code 0 "$top_builddir/tests/mp/children.t"
}

# Programs that use mpi.h alone.
mpi_programs() {
	local program
	has_device || return 0
	for program in messages collectives forms graphs; do
		expect_code 0 "$top_builddir/tools/weftrun/weftrun" -n 3 \
			"$top_builddir/tests/mpi/$program"
		expect_lines 0 '^not ok'
		expect_line '^ok'
	done
}

tap_run "$#" "$@" one_rank four_ranks seven_ranks edges_of_strangers \
	neighborhoods plain_lines short_queue solver communicators collectives \
	collectives_death collectives_deaths sparse batches reductions dists bits messages \
	messages_flood messages_early messages_early_create \
	messages_early_group messages_early_split messages_freed \
	messages_freed_create messages_freed_group messages_freed_split \
	one_sided one_sided_long one_sided_memory one_sided_ring calls \
	messages_play registered wakes children mpi_programs
