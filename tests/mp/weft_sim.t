#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# weft-sim: its options, one run of each command, what a seed decides, and that
# a run says which network its times are of.
. "$(dirname "$0")/../tap.sh"

sim=$top_builddir/tools/weft-sim/weft-sim

# refused TEXT WORD...: a sentence, and exit code 2.
refused() {
	local text=$1
	shift
	expect_refusal 2 "$text" "$sim" "$@"
}

a_full_disk() {
	expect_code 1 sh -c '"$@" >/dev/full' sh "$sim" -n 4 barrier
	expect_line '^weft-(info|sim): standard output: '
}

bad_options() {
	local list
	refused 'no command'
	refused 'unknown command gathers' gathers
	refused 'unexpected word 8' allreduce 8
	refused 'unknown option --nodes' --nodes 3 barrier
	refused 'no value for -n' barrier -n
	for list in 0 -1 2x '' 1048577 2, 4m 99999999999999999999; do
		refused "--ranks $list: give a number from 1" -n "$list" barrier
	done
	refused '--bytes 8b: give' allreduce --bytes 8b
	refused '--bytes 65m: give' allreduce --bytes 65m
	refused 'allreduce takes multiples of 8' allreduce --bytes 12
	refused 'allreduce has no option --root' allreduce --root 1
	refused 'reduce takes multiples of 8' reduce --bytes 12
	refused '--root x: give' bcast --root x
	refused 'barrier has no option --bytes' barrier --bytes 8
	refused 'a list of ranks, .* needs --table' -n 2,3 barrier
	refused '--iterations 0: give' -i 0 barrier
	refused '--ppn x: give' --ppn x barrier
	refused '--seed x: give' --seed x barrier
	refused '--seeds 0: give' --seeds 0 barrier
	refused '--net hdr: give hdr200,' --net hdr barrier
	refused '--shape round: give flat,' --net hdr200 --shape round barrier
	refused '--shape needs --net' --shape flat barrier
	refused '--faults outage and cut need --ppn' --faults cut barrier
	refused '--faults outage and cut need --ppn' --faults outage barrier
}

bad_faults_and_graphs() {
	local list graph
	for list in '' forge:1 againn again, again:1 again:x again: kill:3 held,,kill; do
		refused "--faults $list: give again" --faults "$list" barrier
	done
	refused 'exchange needs --graph' exchange
	refused 'barrier has no option --graph' barrier --graph 27pt
	refused '--graph : give 27pt' exchange --graph ''
	for graph in 26pt random random: random:0 random:-1 random:2x \
		random:10001; do
		refused "--graph $graph: give 27pt or mesh, random:DEGREE" \
			exchange --graph "$graph"
	done
	expect_code 1 "$sim" exchange --graph "$work/none.graph"
	expect_line '^weft-sim: --graph .*none.graph: No such file'
	echo '3 2' >"$work/short.graph"
	expect_code 1 "$sim" exchange --graph "$work/short.graph"
	expect_line '^weft-sim: .*short.graph: truncated'
}

bad_algorithms() {
	local name
	for name in '' ring radix radix: radix:1 radix:17 radix:3 radix:x radix:2, \
		,radix:2 radix:22222222222; do
		refused "--algorithm $name: give radix:N with N 2, 4, 8 or 16" \
			--algorithm "$name" barrier
	done
	refused 'a list of .* algorithms needs --table' \
		--algorithm radix:2,radix:4 barrier
	refused 'exchange has no option --algorithm' \
		--algorithm radix:2 exchange --graph 27pt
}

# Messages of a rank in an operation tell algorithms apart.
algorithms() {
	runs -n 64 barrier
	expect_line '^messages +14\.00 per rank'
	runs -n 64 --algorithm radix:8 allreduce
	expect_line '^messages +14\.00 per rank'
	runs -n 64 --algorithm radix:2 allreduce
	expect_line '^# .* of 8 bytes by radix:2, 64 ranks'
	expect_line '^messages +6\.00 per rank'
	expect_code 0 "$sim" --table -n 16,64 --algorithm RADIX:4,radix:16 \
		allreduce
	check [ "$(grep -c '^ ' "$work/out")" = 4 ]
	expect_line '^ +16 .* 6\.00 .* radix:4 '
	expect_line '^ +64 .* 9\.00 .* radix:4 '
	expect_line '^ +16 .* 15\.00 .* radix:16 '
}

help_and_version() {
	expect_code 0 "$sim" --help
	expect_line '^usage: weft-sim '
	expect_code 0 "$sim" --version
	expect_line '^weft-sim [0-9]'
}

# runs WORD...: it does, and prints a hash, which goes to $hash.
runs() {
	expect_code 0 "$sim" "$@"
	expect_line '^trace hash [0-9a-f]{16}$'
	hash=$(sed -n 's/^trace hash //p' "$work/out")
}

each_command() {
	local n
	for n in 1 2 9 33; do
		runs -n $n allreduce
		runs -n $n allreduce --bytes 4k --ppn 4
		runs -n $n barrier
		runs -n $n bcast --root 7
		runs -n $n reduce --root 3 --bytes 800
		runs -n $n scan --bytes 24
		runs -n $n allgather --bytes 100
		runs -n $n gather --root 12 --bytes 3000
		runs -n $n scatter --root 5
		runs -n $n alltoall --bytes 20
		runs -n $n gatherv --root 12 --bytes 3000
		runs -n $n scatterv --root 5
		runs -n $n alltoallv --bytes 1k --ppn 4
		runs -n $n bcast --root 1 --bytes 100k --ppn 4
		runs -n $n exchange --graph 27pt
		runs -n $n exchange --graph random:5 --bytes 100
	done
	runs -n 64 -i 3 exchange --graph 27pt
	expect_line '^messages +26\.00 per rank and operation'
	runs -n 9 allreduce --bytes 0
}

# takes COMMAND RANKS MESSAGES [OPTION]...: of a rank in an operation.
takes() {
	expect_code 0 "$sim" --net hdr200 -n "$2" "$1" "${@:4}"
	expect_line "^messages +$3 per rank and operation"
}

# As many as the heads of their files say; of a tree P - 1 together, twice where
# lengths go ahead, and a credit for each four of them.
counts() {
	takes allreduce 4096 28.00
	takes scan 4096 28.00
	takes allgather 64 14.00
	takes alltoall 64 14.00
	takes alltoall 1024 22.00
	takes gather 4096 1.00
	takes scatter 512 1.00
	takes reduce 512 1.00
	takes gatherv 8 0.88
	takes gatherv 64 2.46 -i 4
	takes scatterv 64 2.46 -i 4
	takes alltoallv 64 63.00
	expect_code 0 "$sim" --net hdr200 --table -n 8,64 --svg \
		"$work/chart.svg" scatterv
	expect_line '^ +8 +8 .* 0\.88 '
	check grep -q '<polyline' "$work/chart.svg"
}

# Ids cost no message, a group one each, a split two scans and an allgather.
constructors() {
	local colors
	runs -n 64 dup
	expect_line '^messages +0\.00 per rank'
	runs -n 64 create
	expect_line '^# .* create of colors block:16, 64 ranks'
	expect_line '^messages +0\.00 per rank'
	runs -n 64 --net hdr200 create_group
	expect_line '^messages +0\.94 per rank'
	runs -n 64 split --colors turn:4
	expect_line '^messages +14\.00 per rank'
	runs -n 64 split --colors random:4
	expect_line '^messages +28\.00 per rank'
	for colors in block:1 block:1000 turn:3 turn:1000 random:2 random:90; do
		runs -n 33 split --colors $colors --algorithm radix:4
		runs -n 33 create --colors $colors
		runs -n 33 create_group --colors $colors --faults vary
	done
	runs -n 1 split
	for colors in '' block block: block:0 block:-1 block:1x lines:3 :3; do
		refused "--colors $colors: give block:N, turn:N or random:N" \
			--colors "$colors" split
	done
	refused 'dup has no option --colors' dup --colors block:2
	refused 'create has no option --algorithm' create --algorithm radix:2
	refused 'split has no option --bytes' split --bytes 8
	expect_code 0 "$sim" --table -n 8,16 create_group
	check [ "$(grep -c '^ ' "$work/out")" = 2 ]
}

graphs() {
	local graph
	runs -n 64 --graph 27pt graph
	expect_line '^# .* graph on 27pt by radix:8, 64 ranks'
	expect_line '^messages +14\.00 per rank'
	for graph in 27pt random:3 edges:0-1,0-1,2-2; do
		runs -n 33 --graph $graph graph --algorithm radix:2
		runs -n 33 --graph $graph graph_any --faults vary
	done
	runs -n 1 --graph 27pt graph_any
	refused 'graph needs --graph' graph
	refused 'graph_any has no option --bytes' --graph 27pt graph_any \
		--bytes 8
}

# Fewer edges go between nodes than before.
between_nodes() {
	awk '$1 == "between" { exit !($6 < $3) }' "$work/out"
}

reorders() {
	local list
	runs -n 64 --ppn 8 reorder
	expect_line '^# .* reorder on shuffled:27pt by radix:8, 64 ranks, 8 on'
	expect_line '^virtual time '
	expect_line '^messages +[0-9]+\.[0-9]+ per rank'
	expect_line '^ranks moved +[1-9][0-9] of 64, by greedy$'
	expect_line '^between nodes [0-9]+ edges before, [0-9]+ after$'
	check between_nodes
	runs -n 64 --ppn 8 reorder --method none
	expect_line '^ranks moved +0 of 64, by none; no method is asked for$'
	runs -n 64 reorder
	expect_line '^ranks moved +0 of 64, by greedy; nothing goes between'
	printf '4 2\n3\n4\n1\n2\n' >"$work/two.graph"
	runs --ppn 2 --graph "$work/two.graph" reorder
	expect_line '^between nodes 4 edges before, 0 after$'
	runs -n 4 --ppn 2 --graph edges:0-2,1-3 reorder
	expect_line '^between nodes 2 edges before, 0 after$'
	for list in again,slow vary tear:2,flush:2,shallow; do
		runs -n 20 --ppn 4 --faults $list reorder --graph random:3
	done
	expect_code 0 "$sim" -n 12 --ppn 4 --seeds 20 --faults kill,vary reorder
	expect_code 0 "$sim" -n 16 --ppn 4 --json reorder
	expect_line '"moved":[0-9]+,"sum_before":[0-9]+,"sum_after":[0-9]+,'
	refused '--method scotch: give greedy or none: Scotch needs a larger st' \
		--method scotch reorder
	refused '--method rcb: give greedy' --method rcb reorder
	refused 'graph has no option --method' --method none --graph 27pt graph
}

# The same edges in another order of ranks; no seed deals them out alike.
shuffled_graphs() {
	local first
	runs -n 27 exchange --graph shuffled:27pt
	expect_line '^messages +26\.00 per rank'
	first=$hash
	runs -n 27 exchange --graph 27pt
	check [ "$hash" != "$first" ]
	runs -n 4 exchange --graph shuffled:edges:0-1,2-2
	printf '5 3\n2 3 4\n1\n1\n1\n\n' >"$work/star.graph"
	runs exchange --graph "shuffled:$work/star.graph"
	expect_line '^messages +1\.20 per rank'
	refused '--graph shuffled:shuffled:27pt: give' exchange \
		--graph shuffled:shuffled:27pt
	refused '--graph shuffled:: give' exchange --graph shuffled:
}

# Of a pair the first mail of a short message, or three and the content.
messages() {
	runs -n 27 p2p --graph 27pt
	expect_line '^messages +26\.00 per rank'
	runs -n 27 p2p --graph 27pt --bytes 5000
	runs -n 6 p2p --graph random:4 --bytes 100000
	runs -n 1 p2p --graph edges:0-0,0-0
	refused 'p2p needs --graph' p2p
	for list in switch:4,again,slow tear:2,shallow,flush:2 held,vary; do
		runs -n 12 --faults $list p2p --graph random:4 --bytes 300
		runs -n 7 --faults $list p2p --graph random:3 --bytes 20000
	done
	expect_code 0 "$sim" -n 8 --seeds 20 --faults kill,vary p2p \
		--graph random:3 --bytes 3000
}

# A star of four and a vertex without edges.
a_graph_of_a_file() {
	printf '5 3\n2 3 4\n1\n1\n1\n\n' >"$work/star.graph"
	runs exchange --graph "$work/star.graph" --bytes 80
	expect_line '^# .* 5 ranks'
	expect_line '^messages +1\.20 per rank'
	runs -n 5 exchange --graph "$work/star.graph"
	expect_code 1 "$sim" -n 6 exchange --graph "$work/star.graph"
	expect_line '5 vertices and 6 ranks; leave -n out'
}

a_seed_is_a_run() {
	local first
	runs -n 20 --seed 7 allreduce
	first=$hash
	runs -n 20 --seed 7 allreduce
	check [ "$hash" = "$first" ]
	runs -n 20 --seed 8 allreduce
	check [ "$hash" != "$first" ]
	runs -n 20 --seed 7 --faults slow allreduce
	check [ "$hash" != "$first" ]
	expect_code 0 "$sim" -n 20 --seed 7 --seeds 2 allreduce
	expect_line "^ +20 +8 +7 .* $first$"
	check [ "$(grep -c '^ ' "$work/out")" = 2 ]
}

# What the network says: no run of 16 ranks takes a millisecond.
times() {
	runs -n 16 allreduce
	expect_line '^# virtual times are of random delays: they predict noth'
	expect_line '^virtual time +[0-9]{1,2}\.[0-9]{3} us .*; .* to [0-9]{1,2}\.'
	runs -n 16 --net hdr200 allreduce
	expect_line '^# virtual times are LogGP without congestion, hdr200, flat'
	expect_line '^virtual time +[0-9]\.[0-9]{3} us per operation'
	runs -n 64 --net tcp10 --shape fattree --ppn 2 barrier
	expect_line 'congestion, tcp10, fattree'
}

faults() {
	local list
	for list in again switch:4 slow tear:2 shallow held laggard contact \
		unfenced vary flush:2 silent flush:2,silent,shallow \
		again:2,switch,slow,shallow,held; do
		runs -n 12 --faults $list allreduce
		runs -n 12 --faults $list exchange --graph random:4 --bytes 300
	done
	expect_code 0 "$sim" -n 8 --seeds 20 --faults kill,vary barrier
	runs -n 8 --faults kill exchange --graph 27pt
	expect_line '^deaths +rank [0-7]; '
	runs -n 8 --ppn 1 --faults outage --warmup 0 -i 100 barrier
	expect_line '^virtual time .* to (9|10)[0-9]{3}\.[0-9]{3}$'
	runs -n 8 --ppn 2 --faults cut exchange --graph 27pt
	expect_line '^cut +a link; [0-9]+ ranks got an error'
}

# The manual's example is found out; where there is nothing to forge, it says so.
forged_credits() {
	local words
	words=$(sed -n 's/^\.Dl weft-sim \(.*forge.*\)/\1/p' \
		"$top_srcdir/man/weft-sim.1")
	# shellcheck disable=SC2086
	expect_code 1 "$sim" $words
	expect_line 'nothing happens since|wrong bytes'
	for words in barrier allreduce 'exchange --graph 27pt'; do
		# shellcheck disable=SC2086
		expect_code 1 "$sim" -n 6 --faults forge:2 $words
		expect_line '^forged +0 credits$'
		expect_line '^weft-sim: --faults forge: no credit was raised'
	done
	expect_code 0 "$sim" --json -n 6 --faults forge:2 bcast
	expect_line '"forged":[1-9]'
}

tables_and_json() {
	expect_code 0 "$sim" --table -n 2,4 allreduce --bytes 8,64,1k
	check [ "$(grep -c '^ ' "$work/out")" = 6 ]
	expect_line '^ +4 +1024 +1 '
	expect_code 0 "$sim" --json -n 4 --net hdr200 --seeds 2 barrier
	if ! command -v python3 >/dev/null; then
		skip 'no python3 to read JSON'
		return
	fi
	check python3 - "$work/out" <<-'END'
	import json, sys
	runs = json.load(open(sys.argv[1]))["runs"]
	assert [r["seed"] for r in runs] == [1, 2]
	assert all(r["good"] and len(r["trace_hash"]) == 16 for r in runs)
	assert all(0 < r["t_median_usec"] < 10 for r in runs)
	END
}

tap_run "$#" "$@" a_full_disk bad_options \
	bad_faults_and_graphs bad_algorithms \
	help_and_version each_command counts constructors graphs reorders shuffled_graphs messages \
	algorithms \
	a_graph_of_a_file \
	a_seed_is_a_run times faults forged_credits tables_and_json
