#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Jobs over real verbs devices: those of tests/mp/verbs.t on one device, and
# jobs of four nodes, of which each has a device and a wire of its own. Packets
# get lost, doubled and late there, and ranks die.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/guest.sh"

# For the guest: four nodes, and how a job gets there. To the launcher they are
# nodes (`on_nodes RANKS DEVICE... -- PROGRAM...`), or one node whose ranks have
# a device each (`on_devices PROGRAM...`).
four_nodes='nodes 4
export WEFT_TRANSPORT=shm,verbs
on_nodes() { "$tests/pmi_launch" -d "$@"; }
on_devices() {
	WEFT_TRANSPORT=verbs tools/weftrun/weftrun --keep-going -n 4 sh -c \
		"WEFT_IB_DEVICES=rx\$((PMIX_RANK + 1)) exec \"\$@\"" sh "$@"
}
wires() {
	for i in 1 2 3 4; do
		tc qdisc replace dev n$i root netem "$@" || exit 1
	done
}
'

# Nothing of tests/mp/verbs.t may be skipped there.
one_device() {
	needs_guests || return 0
	guest 0 "EXCHANGES=${EXCHANGES:-160} CG_RANKS='2 5' \
		tests/run --timeout 250 \"\$tests/mp/verbs.t\""
	check [ "$(grep -c SKIP "$work/out")" = 0 ]
}

# The same bits with shared memory inside a node, and without it.
solver() {
	needs_guests || return 0
	guest 0 "$four_nodes
		cg='examples/weft-cg --serial-check --mesh 9,8,7'
		on_nodes 1 rx1 rx2 rx3 rx4 -- \$cg &&
		on_nodes 2 rx1 rx2 -- \$cg &&
		WEFT_TRANSPORT=verbs on_nodes 2 rx1 rx2 -- \$cg"
	check [ "$(grep -c '^same bits on one rank ok' "$work/out")" = 3 ]
	check [ "$(grep -c ' verbs: 6 edges, ' "$work/out")" = 2 ]
	check [ "$(grep -c ' shm: ' "$work/out")" = 1 ]
}

# A thousand queue pairs on one device.
many_ranks() {
	needs_guests || return 0
	guest 0 'WEFT_TRANSPORT=verbs tools/weftrun/weftrun -n 32 \
		tests/guest/everyone "rdma resource"'
	expect_line '^32 ranks, each with each$'
	expect_line ' qp 1[0-9]{3} '
}

huge_pages() {
	needs_guests || return 0
	guest 0 'echo 40 >/proc/sys/vm/nr_hugepages
		tests/unit/segment.t "huge pages, as many as there are" &&
		WEFT_HUGE_PAGES=y WEFT_TRANSPORT=verbs tests/run -n 3 \
			tests/mp/exchange_rank 1 40 20 &&
		! WEFT_HUGE_PAGES=y WEFT_ARENA=1g WEFT_TRANSPORT=verbs \
			tests/run -n 2 tests/mp/exchange_rank 1 1 20'
	expect_line '^ok 1 - huge pages, as many as there are$'
	expect_line '^seed 1: .* 0 failures'
	expect_line 'number of huge pages .sysctl vm.nr_hugepages.'
}

bad_wires() {
	needs_guests || return 0
	guest 0 "$four_nodes
		exchange() {
			on_nodes 1 rx1 rx2 rx3 rx4 -- tests/mp/exchange_rank \
				${FIRST_SEED:-1} 20 50
		}
		# Soft-RoCE may fail a write of many packets that it repeats,
		# and counts one for each packet that was out of order
		export WEFT_IB_RETRY=7 WEFT_SLOT_MAX=16k WEFT_CHUNK=16k
		wires loss 1% && exchange &&
		wires duplicate 5% && exchange &&
		wires delay 1ms reorder 95% && exchange"
	check [ "$(grep -c '^seed .* 0 failures' "$work/out")" = 3 ]
}

# Each of the others hears of it, whatever it was sending.
death() {
	needs_guests || return 0
	guest 0 "$four_nodes
		for kind in line slot; do
			on_devices tests/mp/survivor kill \$kind 1 30
			[ \$? = 137 ] || exit 1
		done"
	check [ "$(grep -c '^rank [0-3] heard of rank 1' "$work/out")" = 6 ]
}

# Refused at once, with what to do about it; root may lock what it likes.
little_memory() {
	needs_guests || return 0
	guest 1 'chmod 666 /dev/infiniband/* && ulimit -l 64 &&
		WEFT_TRANSPORT=verbs exec setpriv --reuid 65534 \
			--regid 65534 --clear-groups examples/weft-cg \
			--mesh 9,8,7'
	expect_line 'may lock 64 KiB: raise the limit .*ulimit -l unlimited'
}

tap_run "$#" "$@" one_device solver many_ranks huge_pages bad_wires death little_memory
