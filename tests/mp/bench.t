#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# weft-bench: every byte of every class, what it prints, and what it refuses.
# Times are not looked at.
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

bench() {
	local ranks=$1
	shift
	"$top_builddir/tools/weftrun/weftrun" -n "$ranks" \
		"$top_builddir/bench/weft-bench" "$@"
}

# MB/s and messages per second are those of the median, in each line.
rates_are_right() {
	local sends=${sends:-1}
	[ "$1" != exchange ] || sends=2
	[ "$1" != batch ] || sends=8
	expect_line ' MB/s +messages/s '
	check awk -v sends=$sends '
		function far(a, b, step) {
			return a > 1.01 * b + step || a < 0.99 * b - step
		}
		/^ +[0-9]/ && (far($6, sends * $1 / $4, 0.06) ||
			       far($7, sends / $4 * 1e6, 1)) { wrong++ }
		END { exit wrong > 0 }' "$work/out"
}

# Each line of a table ends with the number of wrong bytes.
lines_are_right() {
	expect_code 0 bench "$@" --verify -i 20 -r 3
	rates_are_right "$2"
	check test "$(grep -Ec '^ +[0-9].* 0$' "$work/out")" = "$expected"
	check test "$(grep -Ec '^ +[0-9]' "$work/out")" = "$expected"
}

exchange_by_persistent_requests() {
	expected=16
	lines_are_right 2 exchange -s 0,8,56,57,4k,64k,65537,1m
}

exchange_by_blocking_calls_from_the_heap() {
	expected=10
	lines_are_right 2 exchange -b -m heap -s 8,64,64k,65537,1m
}

exchange_of_3_ranks() {
	expected=8
	lines_are_right 3 exchange -s 8,100,64k,256k
	expect_line 'ratios are for 2 ranks'
}

batches() {
	expected=10
	lines_are_right 2 batch -s 0,8,57,4k,65537
	expect_line '^# weft-bench .* batch, 2 ranks.*, persistent, arena mem'
	lines_are_right 3 batch -m heap -s 0,8,100,64k,256k
	expect_code 2 bench 1 batch
	expect_line '^weft-bench: batch needs 2 ranks or more'
	expect_code 2 bench 2 batch -b
	expect_line '^weft-bench: batch has no option --blocking$'
}

# along RANKS WIDTH ARGUMENT...: 2 sizes; in the last table, of set-up, there is
# nothing to check
along() {
	local ranks=$1 width=$2
	shift 2
	expect_code 0 bench "$ranks" dist -w "$width" --verify -i 5 -r 2 "$@"
	expect_lines 10 '^ +[0-9]+ +10 '
	expect_lines 8 '^ +[0-9].* 0$'
	expect_lines 2 '^ +[0-9].* -$'
	expect_line "^# exch along the inverse, packets of width $width$"
	sends=$((ranks - 1)) rates_are_right dist
}

# Packets of another width in each round.
check_dists() {
	local widths=(1 3 8)
	along $((3 + seed % 2)) "${widths[seed % 3]}" -m heap -s 0,1536
	expect_line '^# weft-bench .* dist, .*, blocking, heap mem'
}

dists() {
	along 2 1 -s 8,96k
	each_round check_dists
	expect_code 2 bench 1 dist
	expect_line '^weft-bench: dist needs 2 ranks or more'
	expect_code 2 bench 2 dist -w 3 -s 64
	expect_line '^weft-bench: --sizes 64: give multiples of 24 bytes, which a packet takes$'
	expect_code 2 bench 2 dist -w 0
	expect_line '^weft-bench: --width 0: give a number from 1 to 1000$'
	expect_code 2 bench 2 exchange -w 3
	expect_line '^weft-bench: exchange has no option --width$'
}

# Bytes and way of each line, in both tables.
ways_are() {
	local ways=$1
	shift
	expect_code 0 bench "$@" -i 20 -r 3 -s 8,1k,1025,16k,17k
	check test "$(awk '/^ +[0-9]/ { printf "%s:%s ", $1, $8 }' \
		"$work/out")" = "$ways$ways"
}

# By the limits of shared memory, which are others where ranks share CPUs.
the_way_of_each_length() {
	local cpus crowd='8:line 1024:slot 1025:slot 16384:slot 17408:'
	cpus=$(nproc)
	if [ "$cpus" -gt 1 ]; then
		ways_are '8:line 1024:slot 1025:direct 16384:direct 17408:direct ' \
			2 exchange
		ways_are '8:line 1024:slot 1025:chunks 16384:chunks 17408:chunks ' \
			2 put -b -m heap
	fi
	WEFT_SLOT_MAX=16k ways_are "${crowd}direct " 2 exchange
	[ "$cpus" -gt 8 ] || ways_are "${crowd}chunks " $((cpus + 1)) exchange -m heap
}

neighbour_exchanges() {
	local command
	expected=12
	for command in neighbor_alltoall neighbor_alltoallw neighbor_allgather; do
		sends=2 lines_are_right 2 $command -s 0,8,64,1k,64k,1m
		sends=2 lines_are_right 3 $command -b -m heap \
			-s 0,8,64,1k,64k,1m
	done
	expect_code 2 bench 2 neighbor_alltoallw -s 12
	expect_line '^weft-bench: --sizes 12: give multiples of 8 bytes, which double takes$'
}

put_along_one_edge() {
	expected=10
	lines_are_right 2 put -s 8,57,64k,65537,1m
}

signal_by_turns() {
	expected=4
	lines_are_right 2 signal -s 0,8,1k,1m
	expect_code 2 bench 3 signal -i 20
	expect_line '^weft-bench: signal is for 2 ranks, not 3$'
	expect_code 2 bench 2 signal -m heap
	expect_line '^weft-bench: signal has no option --memory$'
	expect_code 1 bench 2 signal -i 20 --raw nosuch
	expect_line 'no RDMA device has this name'
}

stream_into_a_region() {
	expected=4
	lines_are_right 2 stream -s 0,8,1k,1m
	expect_code 2 bench 3 stream -i 20
	expect_line '^weft-bench: stream is for 2 ranks, not 3$'
}

messages() {
	local command
	expected=5
	for command in pingpong strided rate; do
		lines_are_right 2 $command -s 0,64,9k,64k,1m
		lines_are_right 3 $command -m heap -s 0,64,9k,64k,1m
		expect_code 2 bench 1 $command
		expect_line "^weft-bench: $command needs 2 ranks or more"
	done
}

allreduce_of_1_to_4_ranks() {
	expected=5
	for ranks in 1 2 3 4; do
		lines_are_right $ranks allreduce -s 0,8,64,4k,100k
	done
}

bcast_of_2_and_3_ranks() {
	local ranks
	expected=5
	for ranks in 2 3; do
		lines_are_right $ranks bcast -s 0,8,57,4k,65537
	done
	lines_are_right 2 bcast -m heap -s 0,8,4k,65537,1m
}

# Every second one, in another form, with other ranks and memory, in each round.
check_collectives() {
	local command n=0 forms=(blocking nonblocking persistent) form
	local memories=(arena heap) memory
	expected=2
	for command in allreduce reduce scan exscan reduce_scatter \
		reduce_scatter_block bcast allgather allgatherv gather gatherv \
		scatter scatterv alltoall alltoallv; do
		n=$((n + 1))
		[ $(((seed + n) % 2)) = 0 ] || continue
		form=${forms[(seed + n / 2) % 3]}
		memory=${memories[(seed + n / 2) % 5 % 2]}
		lines_are_right $((1 + (seed + n / 2) % 4)) $command --$form \
			-m $memory -s 56,65544
		expect_line "^# weft-bench .* $command, .* $form, $memory mem"
	done
}

collectives() {
	each_round check_collectives
	expect_code 2 bench 1 scan -s 12
	expect_line '^weft-bench: --sizes 12: give multiples of 8 bytes, which double takes$'
}

# A pair of an operation and a type that has it.
check_operation() {
	lines_are_right 3 "$1" --op "${2#*:}" --type "${2%:*}" -s 0,9600
	expect_line "^# ${2#*:} of ${2%:*}"
}

# Three in the first round; later ones have all operations, and each type.
check_operations() {
	local commands=(allreduce exscan reduce reduce_scatter scan) n
	local pairs=(int:prod double_int:minloc complex_double:user)
	[ "$seed" = 1 ] || pairs=(long:sum double:max int16:lxor float:min
		int8:land uint8:lor uint16:band byte:bor uint32:bxor
		2int:maxloc int64:sum uint64:prod long_double:max
		complex_float:prod bool:lxor complex_long_double:sum
		int32:user long_double_int:minloc float_int:maxloc
		long_int:minloc short_int:maxloc)
	expected=2
	for ((n = 0; n < ${#pairs[@]}; n++)); do
		check_operation "${commands[(seed + n) % 5]}" "${pairs[n]}"
	done
}

operations_and_types() {
	each_round check_operations
	expect_code 2 bench 1 scan --op minloc
	expect_line '^weft-bench: there is no minloc of double$'
	expect_code 2 bench 1 scan --op plus
	expect_line '^weft-bench: --op plus: give one that weft-bench --help'
	expect_code 2 bench 1 reduce --type string
	expect_line '^weft-bench: --type string: give one that weft-bench --he'
	expect_code 2 bench 1 gather --type int
	expect_line '^weft-bench: gather has no option --type$'
	expect_code 0 bench 1 scan --op maxloc --type long_double_int \
		-i 20 -r 3 --json
	expect_line '"lines":\[\{"bytes":64,'
}

# The share that its three times say, where each rank has a core.
overlap() {
	[ "$(nproc)" -ge 2 ] || { skip "one CPU"; return 0; }
	expect_code 0 bench 2 bcast -n -i 20 -r 3 -s 8
	expect_line ' overlap\[%\] '
	bench 2 bcast -n --json -i 20 -r 5 -s 8,1k >"$work/json"
	check perl -MJSON::PP -e '
		local $/;
		my @lines = @{decode_json(<>)->{cases}[0]{lines}};
		exit !(@lines == 2 && !grep {
			my ($t, $c, $b) = @$_{qw(t_median_usec
				computation_usec both_usec)};
			$c <= 0 || $b < $c / 2 || abs($_->{overlap} -
				($t + $c - $b) / $t) > 0.01 } @lines);
	' "$work/json"
}

barrier() {
	local form
	expect_code 0 bench 2 barrier -i 20 -r 3
	expect_line '^ +0 +60 '
	check test "$(grep -c MB/s "$work/out")" = 0
	for form in nonblocking persistent; do
		expect_code 0 bench 2 barrier --$form -i 20 -r 3
		expect_line '^ +0 +60 '
		expect_line "^# weft-bench .* $form, "
	done
}

constructors() {
	local command
	for command in dup split; do
		expect_code 0 bench 2 $command -i 20 -r 3
		expect_line '^ +0 +60 '
		expect_code 0 bench 1 $command -i 20 -r 3
		expect_code 2 bench 2 $command -s 8
		expect_line "^weft-bench: $command has no option --sizes"
	done
}

# Three calls, each of which is a sample.
entry() {
	local ranks
	for ranks in 1 2; do
		expect_code 0 bench $ranks entry -i 20 -r 3
		check test "$(grep -Ec '^ +0 +60( +[0-9.]+){4} ' \
			"$work/out")" = 3
	done
	expect_line 't_median\[usec\] +t_p99\[usec\] +t_max\[usec\]'
	expect_code 0 bench 1 entry --json -i 20 -r 3
	check test "$(grep -o '"t_p99_usec":[0-9]' "$work/out" | wc -l)" = 3
	expect_code 2 bench 1 entry -s 8
	expect_line '^weft-bench: entry has no option --sizes'
}

# So many lines of compare, which has timed weft where a round counts.
compares() {
	local lines=$1
	shift
	"$top_srcdir/bench/compare" --build "$top_builddir" --rounds 1 \
		--tries 1 --json "$@" >"$work/json" 2>"$work/err"
	check perl -MJSON::PP -e '
		local $/;
		my $n = shift;
		my $r = decode_json(<>);
		my @lines = @{$r->{lines}};
		exit !(@lines == $n && $r->{ranks} == 2 &&
		       !grep { $_->{rounds} && !$_->{median_usec}{weft} }
		       @lines);
	' "$lines" "$work/json"
	check [ "$(grep -Evc 'is not installed|no persistent collectives$' \
		"$work/err")" = 0 ]
}

# Another source in each round, and another form when all had their turn.
compare_collectives() {
	local cases=(scatter reduce alltoall gather bcast scan allgather
		allreduce exscan reduce_scatter allgatherv gatherv scatterv
		alltoallv reduce_scatter_block)
	local forms=(persistent nonblocking) n=${#cases[@]}
	compares 1 --form "${forms[seed / n % 2]}" "${cases[seed % n]}:64"
}

compare_others() {
	local cases=(barrier dist:64 dist_create:64)
	compares 1 "${cases[seed % 3]}"
}

# With what is installed of other libraries, which is named where it is not.
beside_others() {
	compares 1 dup
	each_round compare_others
	compares 1 --form blocking neighbor_alltoallw:8
	each_round compare_collectives
	compares 1 --mpi pingpong:8
	check grep -q '"mpi.h":' "$work/json"
	expect_code 2 "$top_srcdir/bench/compare" --rounds
	expect_code 255 "$top_srcdir/bench/compare" 'exchange of 8'
	expect_code 255 "$top_srcdir/bench/compare" --form persistent dup
	expect_line ': --form persistent is for collectives, not dup$'
}

limits_between_ways() {
	expect_code 0 "$top_srcdir/bench/limits" --build "$top_builddir" \
		--rounds 1 --tries 1 --sizes 64,1k --chunks 4k
	expect_lines 4 'slots pay up to [0-9]+ bytes'
	expect_lines 2 'heap, by the size of chunks'
	expect_code 2 "$top_srcdir/bench/limits" 64
}

json_parses() {
	bench 2 exchange --json --verify -i 20 -r 3 -s 8,64k >"$work/json"
	check perl -MJSON::PP -e '
		local $/;
		my $r = decode_json(<>);
		my @lines = map { @{$_->{lines}} } @{$r->{cases}};
		exit !(@lines == 4 && $r->{ranks} == 2 &&
		       !grep { $_->{wrong_bytes} || $_->{t_min_usec} <= 0 ||
			       $_->{mb_per_sec} <= 0 ||
			       $_->{messages_per_sec} <= 0 ||
			       $_->{iterations} != 60 } @lines);
	' "$work/json"
}

limits_of_this_machine() {
	[ "$(nproc)" -ge 2 ] || { skip "one CPU"; return 0; }
	expect_code 0 bench 2 barrier -i 20 -r 3
	expect_line '^# flag latency [0-9]+\.[0-9]+ us one way'
	expect_line '^# flag latency [0-9]+\.[0-9]+ us afterwards'
}

help_and_version() {
	expect_code 0 bench 2 --help
	check test "$(grep -c '^usage:' "$work/out")" = 1
	expect_code 0 bench 1 barrier --version
	expect_line '^weft-bench [0-9]'
}

wrong_usage() {
	expect_code 2 bench 1 frobnicate
	expect_line 'unknown command frobnicate'
	expect_code 2 bench 2 strided -s 64,100
	expect_line 'give multiples of 64 bytes, which a piece takes$'
	expect_code 2 bench 2 exchange --frobnicate
	expect_line 'unknown option --frobnicate'
	expect_code 2 bench 2 exchange -s 8,x
	expect_line '^weft-bench: --sizes 8,x: give up to 40 numbers of bytes'
	expect_code 2 bench 2 allreduce -s 12
	expect_line '^weft-bench: --sizes 12: give multiples of 8 bytes, which double takes$'
	expect_code 2 bench 2 exchange -i 0
	expect_line '^weft-bench: --iterations 0: give a number from 1'
	expect_code 2 bench 2 exchange --repeat=x
	expect_line '^weft-bench: --repeat x: give a number from 1'
	expect_code 2 bench 2 exchange -m disk
	expect_line '^weft-bench: --memory disk: give arena or heap'
	expect_code 2 bench 2 exchange -s
	expect_line 'no value for -s'
	expect_code 2 bench 1 exchange -i 20
	expect_line 'needs 2 ranks'
}

options_that_would_change_nothing() {
	local option
	for option in '-s 8' '-m heap' '--raw lo'; do
		# shellcheck disable=SC2086
		expect_code 2 bench 2 barrier $option
		expect_line '^weft-bench: barrier has no option --[a-z]+$'
	done
	for option in -p -b -n; do
		expect_code 2 bench 2 pingpong $option
		expect_line '^weft-bench: pingpong has no option --[a-z]+$'
	done
	expect_code 2 bench 2 exchange -n
	expect_line '^weft-bench: exchange has no option --nonblocking$'
	expect_code 2 bench 2 bcast --raw lo
	expect_line '^weft-bench: bcast has no option --raw$'
	expect_code 2 bench 3 exchange -i 20 --raw lo
	expect_line '^weft-bench: --raw is for 2 ranks, not 3$'
	expect_code 2 bench 1 allreduce -i 20 --raw lo
	expect_line '^weft-bench: --raw is for 2 ranks, not 1$'
}

# The same messages over libfabric alone, on the loopback interface.
raw_loop() {
	local command
	expect_code 1 bench 2 put -i 20 -r 3 -s 8 --raw nosuch
	if grep -q 'built without libfabric' "$work/out"; then
		skip "built without libfabric"
		return 0
	fi
	expect_line 'the raw loop: libfabric has no provider .*nosuch'
	for command in put exchange; do
		expect_code 0 bench 2 "$command" -i 20 -r 3 -s 0,8,70000 \
			--raw lo
		expect_line '^# libfabric alone, provider .* on interface lo'
		check test "$(grep -Ec '^ +[0-9]' "$work/out")" = 9
	done
	expect_code 0 bench 2 allreduce -i 20 -r 3 -s 8,70000 --raw lo
	check test "$(grep -Ec '^ +[0-9]' "$work/out")" = 4
	check test "$(grep -Ec ' raw +[0-9]' "$work/out")" = 2
}

tap_run "$#" "$@" \
	exchange_by_persistent_requests \
	exchange_by_blocking_calls_from_the_heap \
	exchange_of_3_ranks \
	batches \
	dists \
	the_way_of_each_length \
	neighbour_exchanges \
	put_along_one_edge \
	signal_by_turns \
	stream_into_a_region \
	messages \
	allreduce_of_1_to_4_ranks \
	bcast_of_2_and_3_ranks \
	collectives \
	operations_and_types \
	overlap \
	barrier \
	constructors \
	entry \
	beside_others \
	limits_between_ways \
	json_parses \
	limits_of_this_machine \
	help_and_version \
	wrong_usage \
	options_that_would_change_nothing \
	raw_loop
