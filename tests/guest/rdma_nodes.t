#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Jobs of four nodes, of which each has a verbs device and a wire of its own.
# Packets get lost, doubled and late there, and ranks die: ROUNDS times, from
# FIRST_SEED on.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/guest.sh"
in_a_guest "$@"
nodes 4 || exit 1
export WEFT_TRANSPORT=shm,verbs

# One node to the launcher, whose ranks have a device each.
on_devices() {
	WEFT_TRANSPORT=verbs tools/weftrun/weftrun --keep-going -n 4 sh -c \
		'WEFT_IB_DEVICES=rx$((PMIX_RANK + 1)) exec "$@"' sh "$@"
}

# solve RANKS DEVICE...: the same bits as on one rank.
solve() {
	on_nodes "$@" -- examples/weft-cg --serial-check --mesh 9,8,7
	expect_line '^same bits on one rank ok'
}

solver() {
	solve 1 rx1 rx2 rx3 rx4
	expect_line ' verbs: 6 edges, '
}

solver_with_shared_memory() {
	solve 2 rx1 rx2
	expect_line ' shm: 4 edges, '
	expect_line ' verbs: 2 edges, '
}

solver_without_shared_memory() {
	WEFT_TRANSPORT=verbs solve 2 rx1 rx2
	expect_line ' verbs: 6 edges, '
}

one_sided() {
	on_nodes 2 rx1 rx2 -- tests/mp/rma_rank random 1 20
}

# Atomics by two transports: who comes by the other one asks the owner, which
# does them by the agent of the first.
atomics() {
	WEFT_LOG=debug on_nodes 2 rx1 rx2 -- tests/mp/rma_rank agent 2
	expect_line 'rank 0 .* atomics are done by verbs$'
	expect_line 'rank 0 .* verbs: an endpoint to itself$'
	WEFT_LOG=debug on_nodes 2 rx1 rx2 -- tests/mp/rma_rank agent 1
	expect_line 'rank 0 .* atomics are done by CPUs$'
}

exchanges() {
	WEFT_IB_RETRY=7 WEFT_SLOT_MAX=16k WEFT_CHUNK=16k on_nodes 1 \
		rx1 rx2 rx3 rx4 -- tests/mp/exchange_rank "$seed" 20 50
	expect_line '^seed .* 0 failures'
}

# bad_wires NETEM...: every byte is right all the same. Soft-RoCE may fail a
# write of many packets that it repeats, and counts one for each packet that
# was out of order.
bad_wires() {
	wires "$@" || return 1
	each_round exchanges
	good_wires
}

packets_get_lost() { bad_wires loss 1%; }
packets_come_twice() { bad_wires duplicate 5%; }
packets_overtake() { bad_wires delay 1ms reorder 95%; }

# foreign I: node I gets addresses that no other node reaches, in front.  One of
# them comes first: without any the kernel forgets the neighbours.
foreign() {
	local gids=/sys/class/infiniband/rx$1/ports/1/gids
	ip -batch - <<-END
	addr add 172.20.$1.1/24 dev n$1 noprefixroute
	addr del 10.7.0.$1/24 dev n$1
	END
	wait_until 10 grep -q '^[0:]*$' "$gids/1"
	ip -batch - <<-END
	addr add 172.21.$1.1/24 dev n$1 noprefixroute
	addr add 10.7.0.$1/24 dev n$1 noprefixroute
	route replace 10.7.0.0/24 dev n$1 src 10.7.0.$1 table $((100 + $1))
	END
	wait_until 10 grep -q ac15 "$gids/1"
	wait_until 10 grep -q ac14 "$gids/2"
	wait_until 10 grep -q 0a07 "$gids/3"
}

# Each pair takes those of its subnet.
several_addresses() {
	foreign 1 || return 1
	foreign 3 || return 1
	WEFT_LOG=debug on_nodes 1 rx1 rx2 rx3 -- examples/weft-cg \
		--serial-check --mesh 9,8,7
	expect_line '^same bits on one rank ok'
	expect_line 'rank 0 .*: rank 1 .* connecting by .*, GIDs 10.7.0.1 and 10.7.0.2,'
	expect_line 'rank 2 .*: rank 0 .* connecting by .*, GIDs 10.7.0.3 and 10.7.0.1,'
}

# Each of the others hears of it within 2 s, whatever it was sending.
one_dies() {
	local kind victim=$((seed % 4))
	for kind in line slot; do
		expect_code 137 on_devices tests/mp/survivor kill $kind \
			$victim $((30 * seed % 41))
		check [ "$(grep -c "^rank [0-3] heard of rank $victim after" \
			"$work/out")" = 3 ]
		sed -n 's/^rank . heard/# &/p' "$work/out"
	done
}

death() { each_round one_dies; }

tap_run "$#" "$@" solver solver_with_shared_memory \
	solver_without_shared_memory one_sided atomics packets_get_lost \
	packets_come_twice packets_overtake death several_addresses
