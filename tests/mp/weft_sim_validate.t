#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# weft-sim: networks of one's own, and validate, which finds one by measuring.
# Nothing is said about how large its errors are: the machine may be busy.
. "$(dirname "$0")/../tap.sh"

sim=$top_builddir/tools/weft-sim/weft-sim

# hash WORD...: of a run, to $hash.
hash() {
	expect_code 0 "$sim" -n 20 "$@" allreduce --bytes 1k
	hash=$(sed -n 's/^trace hash //p' "$work/out")
	check [ -n "$hash" ]
}

networks_of_ones_own() {
	local preset
	hash --net hdr200
	preset=$hash
	hash --net o=0.1,post=0.07,poll=0.03,L=0.8,hop=0.13,g=0.0047,G=0.0426
	check [ "$hash" = "$preset" ]
	hash --net tcp10,o=0.1
	expect_line 'without congestion, tcp10,o=0\.1, flat'
}

parameters() {
	local first word
	hash --net hdr200
	first=$hash
	hash --net hdr200,copy=0.02,reduce=0.06
	check [ "$hash" = "$first" ]
	for word in o=0.2 post=1 poll=0.04 L=12.5 g=0.2 G=1; do
		hash --net "hdr200,$word"
		check [ "$hash" != "$first" ]
	done
	hash --net hdr200 --shape fattree --ppn 2
	first=$hash
	hash --net hdr200,hop=2 --shape fattree --ppn 2
	hash --net hdr200 --shape fattree --ppn 2 --node-net shm
	check [ "$hash" = "$first" ]
	hash --net hdr200 --shape fattree --ppn 2 --node-net shm,L=1
	check [ "$hash" != "$first" ]
}

bad_parameters() {
	local net
	for net in '' hdr200, ,hdr200 o= o=x o=-1 o=nan o=1x x=1 o 'o=1 ' \
		poll=0 L=1e7 o=1,,L=2 shm,hdr200; do
		expect_code 2 "$sim" --net "$net" barrier
		expect_line "^weft-sim: --net $net: give hdr200,"
	done
	expect_code 2 "$sim" --node-net shm barrier
	expect_line '^weft-sim: --node-net needs --net'
}

predictions_and_measurements() {
	local net number='[0-9]+\.[0-9]+' line
	expect_code 2 "$sim" -n 2 validate
	expect_line '^weft-sim: validate has no options'
	expect_code 0 "$sim" validate
	expect_line '^# predictions are LogGP without congestion'
	expect_line "^ +barrier +0 +$number +$number +[-+]$number$"
	expect_line "^ +allreduce +8 +$number +$number +[-+]$number$"
	for bytes in 8 1024 16384 65536 262144 1048576; do
		expect_line "^ +exchange +$bytes +$number +$number +[-+]$number$"
	done
	check [ "$(grep -c '^ ' "$work/out")" = 8 ]
	check awk '/^ / && ($3 <= 0 || $4 <= 0) { bad = 1 } END { exit bad }' \
		"$work/out"
	net=$(sed -n 's/^--node-net //p' "$work/out")
	for line in o post poll L G copy reduce; do
		check grep -qE "(^|,)$line=$number(,|$)" <<<"$net"
		check grep -qvE "(^|,)$line=0\.000000(,|$)" <<<"$net"
	done
	hash --net hdr200 --ppn 2 --node-net "$net"
}

without_shared_memory() {
	expect_code 1 env WEFT_TRANSPORT=none "$sim" validate
	expect_line '^weft-sim: '
}

tap_run "$#" "$@" networks_of_ones_own parameters bad_parameters \
	predictions_and_measurements without_shared_memory
