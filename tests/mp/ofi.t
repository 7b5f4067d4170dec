#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Jobs over libfabric: exchanges, collectives, and what a rank takes of memory.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/ofi.sh"
weftrun=$top_builddir/tools/weftrun/weftrun

exchange() {
	EXCHANGES=$((${EXCHANGES:-600} / 4)) again exchange.t "$1"
}

one_rank() { exchange one_rank; }
four_ranks() { exchange four_ranks; }
seven_ranks() { exchange seven_ranks; }
edges_of_strangers() { again exchange.t edges_of_strangers; }
neighborhoods() { RANKS='2 5' expect_code 0 "$here/neighborhood.t"; }
ll_lines() { WEFT_OFI_LL=y exchange four_ranks; }
communicators() { again comm.t five_ranks; }
collectives() { PROGRAMS=1 again forms.t five_ranks; }
batches() { again batch.t three_ranks; }
sparse() { again sparse.t up_to_eight; }
reductions() { again neighbor_reduce.t up_to_eight; }
dists() { again dist.t in_pieces; }
bits() { again bits.t five_ranks; }
broadcasts() { again bcast.t five_ranks; }

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
	neighborhoods communicators broadcasts collectives sparse batches \
	reductions dists bits memory
