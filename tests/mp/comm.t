#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Communicators of real processes: random constructors, whose children are used
# at once, a rank that is killed while others wait for it, and one after another,
# in every call that waits, and what is not freed.
# STEPS is how many constructors, FIRST_SEED chooses others.
. "$(dirname "$0")/../tap.sh"

run=$top_builddir/tests/run
weftrun=$top_builddir/tools/weftrun/weftrun
rank=$top_builddir/tests/mp/comm_rank
deaths_rank=$top_builddir/tests/mp/deaths_rank

# random RANKS
random() {
	expect_code 0 "$run" -n "$1" --timeout 60 "$rank" random \
		"$((${FIRST_SEED:-1} + $1))" "${STEPS:-150}"
}

one_rank() { random 1; }
two_ranks() { random 2; }
five_ranks() { random 5; }
sixteen_ranks() { random 16; }

death() {
	local n
	for n in 2 3 7; do
		expect_code 137 timeout 60 "$weftrun" --keep-going -n $n \
			"$rank" death
		check [ -z "$(grep '^#' "$work/out")" ]
	done
}

# each_death HOW: and all who are left end well.
each_death() {
	expect_code 137 timeout $((60 * ${TEST_TIME:-1})) "$weftrun" \
		--keep-going -n 17 "$deaths_rank" "$1"
	check [ -z "$(grep '^#' "$work/out")" ]
	check [ "$(grep -c '^weftrun: rank .*signal 9' "$work/out")" = 15 ]
	check [ "$(grep -c '^weftrun: rank' "$work/out")" = 15 ]
}

deaths() { each_death before; }
deaths_inside() { each_death inside; }

# sizes TYPE WANTED...: of the communicators of 4 ranks, bound to CPUs in turn
sizes() {
	expect_code 0 "$weftrun" -n 4 sh -c 'exec taskset -c $((PMIX_RANK % 2)) \
		"$0" split $1' "$rank" "$1"
	check [ "$(sed -n 's/^[0-3] of 4: //p' "$work/out" | sort | xargs)" = \
		"$2" ]
}

# On a machine made up of the two CPUs that are there.
by_object() {
	taskset -c 0,1 true || { skip 'there are no CPUs 0 and 1'; return; }
	export HWLOC_THISSYSTEM=1
	export HWLOC_SYNTHETIC='package:2 numa:1 pu:1(indexes=0,1)'
	sizes 0 '4 4 4 4'
	sizes 1 '2 2 2 2'
	sizes 2 '2 2 2 2'
	sizes 3 '0 0 0 0'
	HWLOC_SYNTHETIC='package:1 numa:1 l3:2 pu:1(indexes=0,1)'
	sizes 1 '4 4 4 4'
	sizes 2 '4 4 4 4'
	sizes 3 '2 2 2 2'
	# not bound to one of them
	expect_code 0 taskset -c 0,1 "$weftrun" -n 1 "$rank" split 3
	expect_line '^0 of 1: 0$'
}

# lines N TEXT: so many are that.
lines() {
	check [ "$(grep -cx "$2" "$work/out")" = "$1" ]
}

given_attributes() {
	expect_code 0 "$weftrun" -n 3 "$rank" given
	lines 3 'tag_ub 2147483647'
	lines 3 'universe_size 3'
	lines 3 'appnum 0'
	lines 3 'wtime_is_global 1'
	# with several programs each has its number
	expect_code 0 "$weftrun" -n 1 "$rank" given : -n 2 "$rank" given
	lines 1 'appnum 0'
	lines 2 'appnum 1'
	# who has no launcher is not told
	expect_code 0 "$rank" given
	lines 1 'tag_ub 2147483647'
	lines 1 'no universe_size'
	lines 1 'no appnum'
}

leaks() {
	local where='at (lt-)?comm_rank\(\+0x[0-9a-f]+\)$'
	WEFT_CHECK=2 expect_code 0 "$run" -n 1 "$rank" leak 3
	expect_line '^context 0 "world", 1 rank, by the job$'
	expect_line "^context [0-9]+ \"halo\", 1 rank, by weft_comm_dup $where"
	expect_line "not freed: context [0-9]+ \"halo\", .* $where"
	check [ "$(grep -c 'not freed' "$work/out")" = 3 ]
	WEFT_CHECK=2 expect_code 0 "$run" -n 1 "$rank" leak 15
	check [ "$(grep -c 'not freed: context' "$work/out")" = 10 ]
	expect_line 'not freed: 5 more communicators$'
	expect_code 0 "$run" -n 1 "$rank" leak 3
	check [ "$(grep -c 'not freed' "$work/out")" = 0 ]
}

tap_run "$#" "$@" one_rank two_ranks five_ranks sixteen_ranks death \
	deaths deaths_inside by_object given_attributes leaks
