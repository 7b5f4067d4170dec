#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Jobs on one node with shared memory left out, so that all goes over libfabric:
# exchanges, the end of ranks, and what a rank takes of memory.
. "$(dirname "$0")/../tap.sh"

here=$(cd "$(dirname "$0")" && pwd)
weftrun=$top_builddir/tools/weftrun/weftrun
export WEFT_TRANSPORT=ofi

# again SCRIPT CASE: that case of another script holds over libfabric, too
again() {
	expect_code 0 "$here/$1" "${2//_/ }"
}

exchange() {
	EXCHANGES=$((${EXCHANGES:-600} / 4)) again exchange.t "$1"
}

one_rank() { exchange one_rank; }
four_ranks() { exchange four_ranks; }
seven_ranks() { exchange seven_ranks; }
edges_of_strangers() { again exchange.t edges_of_strangers; }
neighborhoods() { RANKS='2 5' expect_code 0 "$here/neighborhood.t"; }
ll_lines() { WEFT_OFI_LL=y exchange four_ranks; }
death() { again survivors.t each_survivor_hears; }
death_unmet() { again survivors.t dead_before_it_was_met; }
stopped() { again survivors.t stopped_is_not_dead; }
closing() { again survivors.t closed_while_others_wait; }
communicators() { again comm.t five_ranks; }
communicators_death() { again comm.t death; }
communicators_deaths() { again comm.t deaths_inside; }
messages() { again p2p.t five_ranks; }
messages_flood() { again p2p.t flood; }
messages_early() { again p2p.t early_dup; }
messages_early_create() { again p2p.t early_create; }
messages_early_group() { again p2p.t early_create_group; }
messages_early_split() { again p2p.t early_split; }
messages_freed() { FREED=unseen again p2p.t freed_dup; }
messages_freed_create() { FREED=used again p2p.t freed_create; }
messages_freed_group() { FREED=unused again p2p.t freed_create_group; }
messages_freed_split() { FREED=unused again p2p.t freed_split; }
messages_death() { again p2p.t death; }
messages_deaths() { again p2p.t deaths; }
messages_play() { PROGRAMS=$((${PROGRAMS:-60} / 6)) again p2p.t five_play; }
messages_play_death() { KILLS=3 again p2p.t death_in_play; }
collectives() { PROGRAMS=1 again forms.t five_ranks; }
collectives_death() { KILLS=4 again forms.t deep_death; }
collectives_deaths() { again forms.t death_in_each; }
batches() { again batch.t three_ranks; }
sparse() { again sparse.t up_to_eight; }
reductions() { again neighbor_reduce.t up_to_eight; }
dists() { again dist.t in_pieces; }
bits() { again bits.t five_ranks; }
broadcasts() { again bcast.t five_ranks; }
broadcasts_death() { again bcast.t death; }
one_sided() { again rma.t seven_ranks; }
one_sided_long() { again rma.t long_ones; }
one_sided_memory() { again rma.t own_memory_says_why; }
one_sided_death() { again rma.t death; }
one_sided_ring() { again rma.t ring_example; }
standard_descriptors() { again job_ends.t standard_descriptors; }
few_descriptors() { again job_ends.t few_descriptors; }
late_contact() { again survivors.t contact_with_one_that_closes; }

# The defaults of libfabric 1.17 make it 77 MB, those of 2.1 29 MB.
memory() {
	local kib
	expect_code 0 "$weftrun" -n 3 "$top_builddir/tests/mp/resident"
	kib=$(sed -n 's/^resident \([0-9]*\) KiB$/\1/p' "$work/out")
	echo "# $kib KiB with two connected peers"
	[ -z "${ASAN_OPTIONS+set}" ] ||
		{ skip "a sanitizer's memory counts, too"; return; }
	check [ "${kib:-999999}" -le 24576 ]
}

tap_run "$#" "$@" one_rank four_ranks seven_ranks ll_lines edges_of_strangers \
	neighborhoods death death_unmet stopped closing communicators \
	communicators_death communicators_deaths messages messages_flood \
	messages_early messages_early_create messages_early_group \
	messages_early_split messages_freed messages_freed_create \
	messages_freed_group messages_freed_split messages_death \
	messages_deaths broadcasts broadcasts_death collectives \
	collectives_death collectives_deaths sparse batches reductions dists bits \
	one_sided \
	one_sided_long one_sided_memory one_sided_death one_sided_ring \
	late_contact standard_descriptors few_descriptors memory messages_play \
	messages_play_death
