#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# weft-sim --shrink: what it prints fails again, alike, and is less. Forged
# credits are what fails for certain.
. "$(dirname "$0")/../tap.sh"

sim=$top_builddir/tools/weft-sim/weft-sim

# value OPTION: of the command in $command.
value() {
	sed -n "s/.* $1 \([^ ]*\).*/\1/p" <<<"$command"
}

# shrinks WORD...: the command that it prints goes to $command, and fails with
# the kind of text that it says.
shrinks() {
	expect_code 0 "$sim" --shrink "$@"
	expect_line '^# seed [0-9]+ fails: at '
	expect_line '^# [0-9]+ of at most [0-9]+ runs, [0-9]+ of at most [0-9]+ s'
	expect_line '^# [0-9]+ ranks instead of '
	local text
	text=$(sed -n 's/^# it fails alike: //p' "$work/out")
	check [ -n "$text" ]
	command=$(tail -n 1 "$work/out")
	check [ "${command%% *}" = weft-sim ]
	eval "expect_code 1 \"$sim\" ${command#weft-sim }"
	check grep -qF -e "$text" "$work/out"
}

a_wrong_result() {
	shrinks --seeds 100 -n 6 --faults vary,forge:2 --warmup 30 \
		--bytes 100 exchange --graph random:2
	expect_line 'wrong bytes of'
	check [ "$(value -n)" -le 3 ]
	check [ "$(value --warmup)" -lt 30 ]
	check [ "$(value -i)" = 1 ]
	check [ "$(value --bytes)" -le 100 ]
	check grep -q 'forge:' <<<"$command"
	check grep -qv vary <<<"$command"
	check grep -q -- "--graph 'edges:[-0-9,]*'$" <<<"$command"
}

ranks_that_hang() {
	shrinks --seeds 100 --faults slow,forge:2 --warmup 20 \
		exchange --graph edges:0-1,1-2
	expect_line 'nothing happens since'
	check [ "$(value -n)" = 2 ]
	check grep -qE "'edges:(0-1|1-0)'$" <<<"$command"
}

# A path of three vertices, each edge in both directions, so that only credits of
# chunks can be forged.
a_graph_of_a_file() {
	printf '%s\n' '3 2' 2 '1 3' 2 >"$work/path.graph"
	shrinks --seeds 20 --faults unfenced,forge:2 --warmup 1 -i 1 \
		--bytes 2m exchange --graph "$work/path.graph"
	check [ "$(value -n)" -le 3 ]
	check grep -qE -- "--graph 'edges:[-0-9,]{3,11}'$" <<<"$command"
}

nothing_that_fails() {
	expect_code 1 "$sim" --shrink --seeds 3 -n 12 barrier
	expect_line '^weft-sim: --shrink: no failure in 3 runs$'
	check [ "$(wc -l <"$work/out")" = 1 ]
	for words in --table --json "--trace $work/trace"; do
		expect_code 2 "$sim" --shrink $words barrier
		expect_line '^weft-sim: --shrink goes without --table, --trace'
	done
}

edges_in_words() {
	local edges
	expect_code 0 "$sim" exchange --graph edges:0-3,0-3,3-3,1-0 --bytes 90
	expect_line '^# .* 4 ranks'
	expect_line '^messages +.* per rank'
	expect_code 0 "$sim" -n 9 exchange --graph edges:0-3
	expect_code 1 "$sim" -n 3 exchange --graph edges:0-1,0-3
	expect_line '^weft-sim: --graph edges:0-1,0-3: 0-3 and 3 ranks$'
	for edges in '' 0 0- 0-1, 0-1,,1-0 -1-0 0-1x 0-1048576; do
		expect_code 2 "$sim" exchange --graph "edges:$edges"
		expect_line "^weft-sim: --graph edges:$edges: give 27pt"
	done
}

operations_before_the_timed_ones() {
	expect_code 2 "$sim" --warmup x barrier
	expect_line '^weft-sim: --warmup x: give a number'
	expect_code 0 "$sim" --warmup 0 -i 1 -n 5 allreduce
	expect_code 0 "$sim" --warmup 30 -i 1 -n 5 allreduce
}

tap_run "$#" "$@" a_wrong_result ranks_that_hang a_graph_of_a_file \
	nothing_that_fails edges_in_words operations_before_the_timed_ones
