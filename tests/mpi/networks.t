#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Programs that use mpi.h alone, over libfabric: on one node, where shared memory
# is left out, and on two, which are network namespaces.
. "$(dirname "$0")/../tap.sh"

netns=$(cd "$(dirname "$0")/.." && pwd)/netns
programs="messages points collectives forms communicators graphs
intercommunicators sessions"

# passes COMMAND...: with each program behind it
passes() {
	local program code
	for program in $programs; do
		code=0
		timeout $((60 * ${TEST_TIME:-1})) "$@" \
			"$top_builddir/tests/mpi/$program" >"$work/out" 2>&1 ||
			code=$?
		if [ "$code" = 77 ]; then
			skip "$(head -n 1 "$work/out")"
			return 0
		fi
		check [ "$code" = 0 ] || sed 's/^/# /' "$work/out"
		expect_lines 0 '^not ok'
		expect_line '^ok'
	done
}

one_node() {
	needs_built OFI || return 0
	WEFT_TRANSPORT=ofi passes "$top_builddir/tools/weftrun/weftrun" -n 3
}

two_nodes() { passes "$netns" 2; }

tap_run "$#" "$@" one_node two_nodes
