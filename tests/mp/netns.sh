# SPDX-License-Identifier: BSD-3-Clause
#
# For scripts of jobs on two nodes, which are network namespaces of this machine:
# shared memory inside a node, libfabric between them. Sourced behind
# tests/tap.sh.

netns=$(cd "$(dirname "$0")/.." && pwd)/netns
rank=$top_builddir/tests/mp/exchange_rank
survivor=$top_builddir/tests/mp/survivor
cg=$top_builddir/examples/weft-cg
exchanges=${EXCHANGES:-600}
seed=${FIRST_SEED:-1}

# two_nodes RANKS PROGRAM...: the job must end well
two_nodes() {
	timeout "${limit:-120}" "$netns" "$@" >"$work/out" 2>&1
	local code=$?
	if [ "$code" = 77 ]; then
		skip "$(head -n 1 "$work/out")"
		return 1
	fi
	check [ "$code" = 0 ] || sed 's/^/# /' "$work/out" | tail -n 20
}

# exchange RANKS: on each node
exchange() {
	limit=$((60 + exchanges / 10)) two_nodes "$1" "$rank" "$seed" \
		"$((exchanges / 4 + 1))" 50 || return 0
	expect_line '^seed .* 0 failures'
	grep '^seed' "$work/out" | sed 's/^/# /'
}

# deaths RANKS MODE...: of a job on two nodes whose other ranks go on
deaths() {
	local code=0
	NETNS_KEEP=1 timeout 60 "$netns" "$1" "$survivor" "${@:2}" \
		>"$work/out" 2>&1 || code=$?
	if [ "$code" = 77 ]; then
		skip "$(head -n 1 "$work/out")"
		return 1
	fi
}
