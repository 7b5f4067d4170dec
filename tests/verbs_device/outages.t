#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# The network of lifelines fails between two nodes, and that of the RDMA device
# does not: nobody is dead but who has died.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/device.sh"
export WEFT_TRANSPORT=verbs NETNS_CUT=$work/cut

# outage MS: as tests/mp/survivor.c has it; false: the case is skipped.
outage() {
	has_device || return 1
	local code=0
	rm -f "$NETNS_CUT" "$NETNS_CUT.done"
	on_device 'hosts 2;port link=eth' timeout 60 "$top_srcdir/tests/netns" 1 \
		"$top_builddir/tests/mp/survivor" outage "$NETNS_CUT" "$1" \
		>"$work/out" 2>&1 || code=$?
	if [ "$code" = 77 ]; then
		skip "$(head -n 1 "$work/out")"
		return 1
	fi
	check [ -e "$NETNS_CUT.done" ]
}

# Longer than a connection that nobody answers, and a host that counts as lost.
silence() {
	WEFT_HOST_TIMEOUT=1 outage 9000 || return 0
	expect_lines 2 '^rank [01] goes on$'
}

# A firewall between the hosts: each call is refused.
refusals() {
	NETNS_REFUSE=1 outage 4000 || return 0
	expect_lines 2 '^rank [01] goes on$'
}

# Within a second behind the refusal, long before the path to it is lost.
death_behind_refusals() {
	WEFT_IB_TIMEOUT=20 NETNS_KEEP=1 NETNS_REFUSE=1 HEAR_MS=3000 outage 0 || return 0
	expect_line '^rank 0 heard of rank 1'
}

tap_run "$#" "$@" silence refusals death_behind_refusals
