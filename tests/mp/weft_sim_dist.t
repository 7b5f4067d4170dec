#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# weft-sim dist: one message for each neighbour and exchange, creation by three
# passes of the schedule, memory that does not depend on the number of ranks,
# and values that arrive whatever goes wrong.
. "$(dirname "$0")/../tap.sh"

sim=$top_builddir/tools/weft-sim/weft-sim

# refused TEXT WORD...: a sentence, and exit code 2.
refused() {
	local text=$1
	shift
	expect_refusal 2 "$text" "$sim" "$@"
}

# messages PHASE RANK NEIGHBOUR: so many.
messages() {
	expect_line "^$1 +[0-9.]+ us, .*; messages $2 per rank, $3 per neighbour$"
}

# bytes OF: of the heap or of the segment, as printed.
bytes() {
	sed -nE "s/^a Dist .* ([0-9]+) (bytes )?of (the |its )?$1.*/\1/p" \
		"$work/out"
}

# Creation is a sparse exchange, of 2 messages along each of up to 21 edges of
# the schedule and a credit for 4, and an agreement.
one_message_a_neighbour() {
	local phase
	expect_code 0 "$sim" -n 64 --net hdr200 dist --pattern mesh
	expect_line '^# .* dist on mesh of 100 items an edge by radix:8, 64 ranks'
	expect_line '^neighbours +26\.00 per rank$'
	for phase in exch reverse exch_reduce; do
		messages $phase 26\\.00 1\\.00
	done
	for phase in exch_first reverse_first; do
		messages $phase 78\\.00 3\\.00
	done
	messages create '4[0-9]\.[0-9]+' '1\.[0-9]+'
	messages free 0\\.00 0\\.00
	expect_code 0 "$sim" -n 8 --net hdr200 dist --pattern edges:0-1,1-0,0-1
	expect_line '^neighbours +0\.25 per rank$'
	messages exch 0\\.25 1\\.00
	messages exch_reduce 0\\.25 1\\.00
}

# Within one in a hundred, as some of what is not of the Dist grows meanwhile.
memory_for_any_ranks() {
	local n heap segment
	for n in 27 64; do
		expect_code 0 "$sim" -n $n --net hdr200 dist --pattern mesh \
			--items 10
		check [ "$(bytes heap)" -gt 50000 ]
		check [ $((100 * $(bytes heap))) -le \
			$((101 * ${heap:-$(bytes heap)})) ]
		check [ "$(bytes segment)" = "${segment:-$(bytes segment)}" ]
		heap=$(bytes heap)
		segment=$(bytes segment)
	done
}

any_pattern() {
	local words
	for words in 'mesh -n 1' 'mesh -n 2' 'random:1 -n 1' 'random:5 -n 9' \
		'shuffled:27pt -n 12 --ppn 4' 'edges:0-1,0-1,2-2,4-0' \
		'random:3 -n 7 --items 1' 'random:4 -n 6 --items 300 --ppn 2'; do
		# shellcheck disable=SC2086
		expect_code 0 "$sim" dist --pattern $words
		expect_line '^exch_reduce +[0-9]'
	done
}

faults() {
	local list
	for list in again,slow vary tear:2,flush:2,shallow held,silent laggard; do
		expect_code 0 "$sim" -n 9 --faults $list dist --items 9 \
			--pattern random:3
	done
	expect_code 0 "$sim" -n 8 --seeds 20 --faults kill,vary dist \
		--items 20 --pattern random:3
	expect_code 0 "$sim" -n 8 --seeds 5 --ppn 2 --faults cut dist \
		--items 5 --pattern mesh
}

# A trace tells the calls of a round apart, a table whole rounds.
tables_and_json() {
	expect_code 0 "$sim" -n 3 --trace "$work/trace.json" dist \
		--pattern mesh --items 2
	check grep -q '"exch_reduce 7"' "$work/trace.json"
	expect_code 0 "$sim" --table -n 2,8 dist --pattern mesh --items 2
	check [ "$(grep -c '^ ' "$work/out")" = 2 ]
	expect_code 0 "$sim" --json -n 27 --net hdr200 dist --pattern mesh --items 10
	if ! command -v python3 >/dev/null; then
		skip 'no python3 to read JSON'
		return
	fi
	check python3 - "$work/out" <<-'END'
	import json, sys
	run, = json.load(open(sys.argv[1]))["runs"]
	assert run["good"] and run["items"] == 10
	assert run["neighbors_per_rank"] == 26
	assert run["dist_heap_bytes"] > 0 and run["dist_segment_bytes"] > 0
	assert list(run["phases"]) == ["create", "exch_first", "exch",
		"reverse_first", "reverse", "exch_reduce", "free"]
	assert all(run["phases"][name]["messages_per_neighbor"] == 1
		   for name in ("exch", "reverse", "exch_reduce"))
	times = [p["t_max_usec"] for p in run["phases"].values()]
	assert all(t > 0 for t in times[:-1])
	assert abs(sum(times) - run["t_max_usec"]) < 0.01
	assert all(0 <= p["t_median_usec"] <= p["t_max_usec"]
		   for p in run["phases"].values())
	END
}

bad_options() {
	local items
	refused 'dist needs --graph' dist
	refused '--graph mash: give 27pt or mesh, random:DEG' dist --pattern mash
	refused 'dist has no option --bytes' dist --pattern mesh --bytes 8
	refused 'exchange has no option --items' exchange --graph mesh --items 9
	for items in 0 -1 x 1000001; do
		refused "--items $items: give a number from 1 to 1000000" \
			dist --pattern mesh --items $items
	done
	expect_code 1 "$sim" -n 1 dist --pattern random:2200 --items 1000000
	expect_line 'rank 0: 2200 edges of 1000000 items each are more than '
}

tap_run "$#" "$@" one_message_a_neighbour memory_for_any_ranks any_pattern \
	faults tables_and_json bad_options
