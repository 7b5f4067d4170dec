#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Jobs on two nodes: shared memory inside a node, libfabric between them, then
# libfabric for everything.  EXCHANGES of them, also on a wire that loses packets,
# and on one that is slow; ranks and nodes that end.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/netns.sh"

weftrun=$top_builddir/tools/weftrun/weftrun

# The same bits as on one node.
same_bits() {
	local want
	expect_code 0 "$weftrun" -n 4 "$cg" --mesh 9,8,7
	want=$(grep checksum "$work/out")
	two_nodes 2 "$cg" --serial-check --mesh 9,8,7 || return 0
	check [ "$(grep checksum "$work/out")" = "$want" ]
	expect_line '^edges .* shm: '
	expect_line '^edges .* ofi: '
	WEFT_TRANSPORT=ofi two_nodes 2 "$cg" --mesh 9,8,7 || return 0
	check [ "$(grep checksum "$work/out")" = "$want" ]
	check [ "$(grep -c 'shm: ' "$work/out")" = 0 ]
}

# A chain of rows that goes from node to node: 5 edges, of which 1 has to be.
moved() {
	local want
	printf '6 5\n4\n4 5\n5 6\n1 2\n2 3\n3\n' >"$work/chain.graph"
	expect_code 0 "$weftrun" -n 6 "$cg" "$work/chain.graph"
	want=$(grep checksum "$work/out")
	two_nodes 3 "$cg" --serial-check --reorder greedy \
		"$work/chain.graph" || return 0
	check [ "$(grep checksum "$work/out")" = "$want" ]
	expect_line '^reorder .* 16 bytes between nodes, before 80$'
	expect_line '^edges .* ofi: 2 edges, 16 bytes'
}

two_ranks() { exchange 1; }
six_ranks() { exchange 3; }
one_backend() { WEFT_TRANSPORT=ofi exchange 2; }
ll_lines() { WEFT_OFI_LL=y exchange 2; }
loss() { NETNS_LOSS=0.01 exchange 2; }
slow_and_loss() { NETNS_DELAY=${DELAY:-300} NETNS_LOSS=0.01 exchange 2; }

# Each survivor on both nodes hears within 2 s which rank is dead.
death() {
	local kinds=(line slot direct chunks) n=${KILLS:-8} i victim code
	for ((i = 0; i < n; i++)); do
		victim=$((i % 4))
		NETNS_KEEP=1 timeout 60 "$netns" 2 "$survivor" kill \
			"${kinds[(i / 4 + i) % 4]}" $victim $((i * 7 % 40)) \
			>"$work/out" 2>&1
		code=$?
		[ $code != 77 ] || { skip "$(head -n 1 "$work/out")"; return; }
		check [ $code = 137 ]
		check [ "$(grep -c "heard of rank $victim" "$work/out")" = 3 ] ||
			sed 's/^/# /' "$work/out"
	done
}

# Nobody but the lifeline can tell.
last_of_its_node() {
	deaths 1 kill line 1 30 || return 0
	expect_line '^rank 0 heard of rank 1'
	deaths 1 kill chunks 0 60 || return 0
	expect_line '^rank 1 heard of rank 0'
}

# Who shares its node sees that, or its lifeline does.
another_program() {
	local i
	for i in 0 3; do
		deaths 2 exec line $i || return 0
		expect_lines 3 "^rank [0-3] heard of rank $i"
	done
}

# Nor has that shown its key yet: refused is proof with a broken data path.
before_its_lifeline_answers() {
	local rounds
	rounds=$(seq "${ROUNDS:-5}") || return 1
	for _ in $rounds; do
		deaths 1 early 1 || return 0
		expect_line '^rank 0 heard of rank 1 after 1?[0-9]{1,3} ms$'
	done
}

# Who awaits a signal of any, or tests for one, finds out by itself.
before_its_signal() {
	local survivor=$top_builddir/tests/mp/rma_rank
	deaths 1 unraised wait all || return 0
	expect_line '^rank 0 heard of it'
	deaths 1 unraised test all || return 0
	expect_line '^rank 0 heard of it'
	deaths 1 unraised test it || return 0
	expect_line '^rank 0 heard of it'
}

# All of the other node close: that is told to some on this one.
node_leaves() {
	local survivor=$top_builddir/tests/mp/stranger
	WEFT_LOG=debug deaths 3 part 1500 || return 0
	expect_lines 6 '^rank [0-5] knows of 0 dead$'
	expect_lines 6 '^rank [0-5] close: WEFT_OK: $'
	expect_lines 0 ' connected by ofi'
}

# All but one, which nobody has met and no rank of its node sees.
node_leaves_and_one_dies() {
	local survivor=$top_builddir/tests/mp/stranger
	deaths 3 survive watched || return 0
	expect_lines 3 '^rank [0-2] recv: WEFT_ERR_PEER: .*rank 5 on host .* is dead'
	expect_lines 3 '^rank [0-2] knows of 1 dead$'
}

# The lifeline ends a sleep, too.
# Of some deaths one wakes: a rank may be looking by itself at that moment.
asleep() {
	local survivor=$top_builddir/tests/mp/sleeper i
	for ((i = 0; i < 6; i++)); do
		WEFT_OFI_WAIT=y deaths 1 700 || return 0
		expect_line '^rank 0 heard after 1?[0-9]{1,3} ms, woken '
		! grep -q 'woken by an end$' "$work/out" || break
	done
	check grep -q 'woken by an end$' "$work/out"
	# it looks each millisecond, and may see by itself
	WEFT_OFI_WAIT=n deaths 1 700 || return 0
	expect_line '^rank 0 heard after 1?[0-9]{1,3} ms, woken '
}

# Both sides lose each other, and not before the time is over.
cut_wire() {
	WEFT_HOST_TIMEOUT=3 NETNS_CUT=$work/cut deaths 2 cut "$work/cut" ||
		return 0
	check [ "$(grep -cE '^rank [0-3] after [3-9]... ms: weft_neighbor_alltoallv .* rank' \
		"$work/out")" = 4 ] || sed 's/^/# /' "$work/out"
	expect_line 'answers nowhere since 3 s \(WEFT_HOST_TIMEOUT\)'
}

# A stopped or busy rank is alive to the other node, too. Rank 1 is
# not the first of its host, whose lifeline is greeted early.
away() {
	local n=${STOPS:-1} i
	for ((i = 0; i < n; i++)); do
		deaths "$1" "$2" $(((i + 1) % (2 * $1))) "${AWAY_MS:-2000}" || return 0
		check [ ! -s "$work/out" ] || sed 's/^/# /' "$work/out"
	done
}

stopped() { away 1 stop; }
busy() { away 2 busy; }
longer_than_a_lost_host() { WEFT_HOST_TIMEOUT=1 away 2 busy; }

tap_run "$#" "$@" same_bits moved two_ranks six_ranks one_backend ll_lines loss \
	slow_and_loss death last_of_its_node another_program \
	before_its_lifeline_answers before_its_signal node_leaves \
	node_leaves_and_one_dies asleep cut_wire stopped \
	busy longer_than_a_lost_host
