#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Neighbourhoods whose like has failed with other libraries, between real
# processes: each property holds for several numbers of ranks, or for RANKS.
. "$(dirname "$0")/../tap.sh"

# holds CASE RANKS...
holds() {
	local case=$1 n ranks
	shift
	read -ra ranks <<<"${RANKS:-$*}"
	for n in "${ranks[@]}"; do
		expect_code 0 "$top_builddir/tests/run" -n "$n" --timeout 60 \
			"$top_builddir/tests/mp/neighborhood_rank" "$case"
	done
}

copies_keep_edges_and_weights() { holds copies 1 2 3 5; }
ranks_may_have_no_edges() { holds without_edges 1 2 3 5; }
edges_to_one_rank_keep_their_order() { holds duplicates 1 2 3; }
what_goes_down_comes_from_above() { holds torus 1 2 3 4 5 6 7 8; }
asking_to_reorder_keeps_the_graph() { holds asked_to_reorder 1 4 7 16; }
so_with_many_ranks_on_a_core() { holds asked_to_reorder 56; }

tap_run "$#" "$@" copies_keep_edges_and_weights ranks_may_have_no_edges \
	edges_to_one_rank_keep_their_order what_goes_down_comes_from_above \
	asking_to_reorder_keeps_the_graph so_with_many_ranks_on_a_core
