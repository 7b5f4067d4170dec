#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Jobs over the test device: the cases of tests/mp/verbs.t but the one that counts
# calls, which takes longer than all others together; and what they wait for when
# things come late, or on several hosts.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/device.sh"
export CG_RANKS=2

# What is sent finds a receive buffer, so no peer waits for an RNR timer, where
# the queue has room for the mails of all.
case_of_verbs() {
	local unready=1
	[[ "$1 $2" =~ short|max_srq_wr ]] && unready=0
	flawless "adverse unready=$unready;$1" "$top_srcdir/tests/mp/verbs.t" \
		"$2"
}

# Each of the names that follow the description.
cases() {
	local description=$1 name
	shift
	for name; do case_of_verbs "$description" "$name" || return 1; done
}

exchanges() { cases '' 'one rank' 'four ranks' 'seven ranks' 'plain lines'; }
short_queue() { cases '' 'short queue'; }
solver() { cases '' solver; }
messages() { cases '' messages 'messages flood' 'messages play'; }
messages_early() {
	cases '' 'messages early' 'messages early create' \
		'messages early group' 'messages early split'
}
messages_freed() {
	cases '' 'messages freed' 'messages freed create' \
		'messages freed group' 'messages freed split'
}
one_sided() {
	cases '' 'one sided' 'one sided long' 'one sided memory' \
		'one sided ring'
}
registered() { cases '' registered wakes; }
communicators() { cases '' communicators children; }
several_hosts() {
	cases 'hosts 3;port link=eth' 'four ranks' messages 'one sided'
}
without_inline() {
	cases 'device max_inline=0 max_srq_wr=600 max_rd_atom=1 max_init_rd_atom=1' \
		'four ranks' messages 'one sided'
}
global_headers() {
	cases 'hosts 2;port flags=1' 'four ranks' messages
}
# Those of an adapter; each rank has its own.
small_limits() {
	local queues='max_qp_wr=32 max_srq_wr=64 max_cqe=80'
	cases "hosts 8;device $queues max_ah=8 max_mr=40 max_cq=4 max_srq=1" \
		'four ranks' messages 'one sided'
}
# Fewer than pairs of ranks, and than ranks: of all that use the adapter.
few_handles() {
	cases 'device max_ah=8' 'four ranks' messages
	cases 'device max_ah=2' 'four ranks'
}
smallest_limits() {
	cases 'device max_qp_wr=20 max_srq_wr=40 max_cqe=40' 'four ranks'
}
# A device that keeps the order of the bytes of a write gets the longer lines.
kept_order() {
	has_device || return 0
	local bytes
	for bytes in 28 56; do
		WEFT_TRANSPORT=verbs WEFT_LOG=info on_device \
			"device in_order=$((bytes == 56))" expect_code 0 \
			"$top_builddir/tests/run" -n 1 --timeout 60 \
			"$top_builddir/tests/mp/exchange_rank" 5 1 0 &&
			expect_lines 1 "test_0: lines carry $bytes bytes" ||
			return 1
	done
	cases "$any_time;device in_order=1" 'four ranks' messages
}
too_small() {
	has_device || return 0
	WEFT_TRANSPORT=verbs on_device 'device max_qp_wr=19' expect_code 1 \
		"$top_builddir/tests/run" -n 1 --timeout 60 \
		"$top_builddir/tests/mp/exchange_rank" 5 1 0 || return 1
	expect_lines 1 'device test_0 port 1: a queue pair of the device holds '
}
late_and_lost() {
	local seeds seed
	seeds=$(seq "${DEVICE_SEEDS:-2}") || return 1
	for seed in $seeds; do
		cases "$late_and_lost seed=$seed" 'four ranks' 'short queue' \
			messages 'messages play' 'one sided' || return 1
	done
}
in_any_order() {
	local seeds seed
	seeds=$(seq "${DEVICE_SEEDS:-2}") || return 1
	for seed in $seeds; do
		cases "$any_time seed=$seed" 'four ranks' 'seven ranks' \
			'short queue' messages 'messages flood' \
			'messages play' 'one sided' || return 1
	done
}

tap_run "$#" "$@" exchanges short_queue solver messages messages_early \
	messages_freed one_sided registered communicators several_hosts without_inline \
	global_headers small_limits few_handles smallest_limits \
	too_small kept_order late_and_lost in_any_order
