#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# weft-owners: sums of shared vertices are those of one rank, on any number of
# ranks, and who is killed at any moment is named by the others.
# KILLS is how many are killed, FIRST_SEED chooses other moments.
. "$(dirname "$0")/../tap.sh"

run=$top_builddir/tests/run
weftrun=$top_builddir/tools/weftrun/weftrun
owners=$top_builddir/examples/weft-owners
data=${WEFT_TEST_DATA:-$top_srcdir/../shared/data}/4elt.graph

has_data() {
	[ -r "$data" ] || skip "$data is not there; set WEFT_TEST_DATA"
	[ -r "$data" ]
}

# on RANKS FILE: prints the line, which says that nothing is wrong
on() {
	expect_code 0 "$run" -n "$1" --timeout 60 "$owners" "$2" &&
		expect_lines 1 '^[0-9]+ vertices, checksum of counts' &&
		line=$(cat "$work/out")
}

same_on() {
	local file=$1 want ranks
	shift
	on 1 "$file" || return
	want=$line
	for ranks in "$@"; do
		on "$ranks" "$file"
		check [ "$line" = "$want" ]
	done
}

same_sums_on_any_number_of_ranks() {
	has_data || return 0
	same_on "$data" 2 3 4 7 16
}

# Ranks without edges, and vertices that nobody uses or many do.
small_meshes() {
	printf '%s\n' '1 0' '' >"$work/point.graph"
	printf '%s\n' '5 4' 5 5 5 5 '1 2 3 4' >"$work/star.graph"
	same_on "$work/point.graph" 3
	expect_line '^1 vertices, checksum of counts 0, 0 values'
	same_on "$work/star.graph" 2 4 5 9
}

bad_files() {
	expect_code 1 "$run" -n 3 --timeout 60 "$owners" "$work/missing.graph"
	expect_line 'missing.graph: No such file'
	expect_code 2 "$run" -n 1 --timeout 60 "$owners"
	expect_line '^usage: weft-owners FILE.graph$'
}

# killed RANK SECONDS: rank 0 to 3, so long behind its start
killed() {
	local code=0 rank=$1 words=() i
	for i in 0 1 2 3; do
		words+=(: -n 1)
		[ "$i" != "$rank" ] || words+=(timeout -s KILL "$2")
		words+=("$owners" "$data")
	done
	timeout 60 "$weftrun" --keep-going "${words[@]:1}" \
		>"$work/out" 2>&1 || code=$?
	[ $code = 137 ] || [ $code = 0 ] || return 1
	! grep '^weft-owners: ' "$work/out" | grep -v ": rank $rank on host "
}

who_is_killed_is_named() {
	local seed=${FIRST_SEED:-$RANDOM} i rank after
	has_data || return 0
	RANDOM=$seed
	for ((i = 0; i < ${KILLS:-4}; i++)); do
		rank=$((RANDOM % 4)) after=$((RANDOM % 90 + 10))
		killed $rank "0.0$after" && continue
		echo "# FIRST_SEED=$seed, rank $rank, 0.0$after s"
		sed 's/^/#     /' "$work/out"
		return 1
	done
}

tap_run "$#" "$@" same_sums_on_any_number_of_ranks small_meshes bad_files \
	who_is_killed_is_named
