#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Jobs over test devices of other kinds: on several hosts, with few of what an
# adapter has, without what it may lack, or with more than it must promise.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/device.sh"

several_hosts() {
	cases 'hosts 3;port link=eth' 'four ranks' messages 'one sided'
}
without_inline() {
	local reads='max_rd_atom=1 max_init_rd_atom=1'
	cases "device max_inline=0 max_srq_wr=600 $reads" 'four ranks' \
		messages 'one sided'
}
global_headers() {
	cases 'hosts 2;port flags=1' 'four ranks' messages
}
# Signals for which there are no receive buffers are written, behind a read.
without_atomics() {
	cases "device atomics=0 max_srq_wr=64;$any_time" 'four ranks' messages \
		'one sided' dists
	cases 'device atomics=0' 'four ranks' 'one sided'
	cases 'device atomics=0 max_inline=0 max_srq_wr=64' 'four ranks' \
		'one sided' 'one sided long'
}
# Each queue pair has receive buffers of its own.
without_shared_queues() {
	cases "device max_srq=0;$any_time" 'four ranks' messages 'one sided'
	cases 'device max_srq=0 atomics=0' 'four ranks' 'one sided' dists
	cases 'device max_srq=0 max_qp_wr=40' 'four ranks' messages
	cases 'device max_srq_wr=39' 'four ranks'
	# one that announces them
	cases 'fail call=ibv_create_srq errno=EOPNOTSUPP n=1 times=9' 'four ranks' messages
}
# Of each shared queue one or two peers receive; there are more.
small_shared_queues() {
	local -x WEFT_IB_SRQ
	for WEFT_IB_SRQ in 32 50; do
		cases "hosts 2;$any_time" 'four ranks' messages 'one sided'
	done
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
	cases 'device max_ah=2;port link=eth' 'four ranks'
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
# What two adapters do for each other both ends ask for, if they have the same.
options_of_adapters() {
	local options
	for options in 3:6 5:0 4:3 0:0 '5 vendor=1:5 vendor=2'; do
		flawless "hosts 2;only 0;device ece=${options%:*};only 1;device ece=${options#*:}" \
			env WEFT_TRANSPORT=verbs "$top_builddir/tests/run" -n 4 \
			--timeout 60 "$top_builddir/tests/mp/exchange_rank" 5 3 0
	done
}
# class NUMBER DESCRIPTION: packets of it
class() {
	WEFT_TRANSPORT=verbs WEFT_LOG=info on_device "$2" expect_code 0 \
		"$top_builddir/tests/run" -n 1 --timeout 60 \
		"$top_builddir/tests/mp/exchange_rank" 5 1 0 &&
		expect_lines 1 "port 1: used, .*, traffic class $1\$"
}
traffic_class() {
	has_device || return 0
	local sysfs=$work/sysfs
	mkdir -p "$sysfs/tc/1"
	class 0 '' && class 106 'port link=eth' || return 1
	# what the administrator says, in whatever line
	printf 'dscp 3\nGlobal tclass=96\n' >"$sysfs/tc/1/traffic_class"
	class 96 "device sysfs=$sysfs;port link=eth" &&
		class 96 "device sysfs=$sysfs" || return 1
	WEFT_IB_TRAFFIC_CLASS=7 class 7 "device sysfs=$sysfs" || return 1
	echo 'Global tclass=1000' >"$sysfs/tc/1/traffic_class"
	class 106 "device sysfs=$sysfs;port link=eth"
}
# Those of the ranks of a node differ.
completion_vectors() {
	has_device || return 0
	local rank
	WEFT_TRANSPORT=verbs WEFT_LOG=info on_device 'device vectors=3' \
		expect_code 0 "$top_builddir/tests/run" -n 4 --timeout 60 \
		"$top_builddir/tests/mp/exchange_rank" 5 3 0 || return 1
	for rank in 0 1 2 3; do
		expect_lines 1 "rank $rank .*completion vector $((rank % 3)) of 3" ||
			return 1
	done
}
too_small() {
	has_device || return 0
	WEFT_TRANSPORT=verbs on_device 'device max_qp_wr=19' expect_code 1 \
		"$top_builddir/tests/run" -n 1 --timeout 60 \
		"$top_builddir/tests/mp/exchange_rank" 5 1 0 || return 1
	expect_lines 1 'device test_0 port 1: a queue pair of the device holds '
}

tap_run "$#" "$@" several_hosts without_inline without_atomics \
	without_shared_queues small_shared_queues global_headers small_limits few_handles smallest_limits too_small \
	kept_order options_of_adapters traffic_class completion_vectors
