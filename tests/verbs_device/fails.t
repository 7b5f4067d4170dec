#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Calls of the device that fail at one rank of two: the job goes on, or both ranks
# end with an error, soon, and each says it once.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/device.sh"

run=$top_builddir/tests/run
export WEFT_TRANSPORT=verbs WEFT_IB_RECONNECT=2 WEFT_IB_CONTACT=2

# failing ERRNO CALL:N...: each of them, at rank 1, in $exchanges or a few
failing() {
	local error=$1 call
	shift
	has_device || return 0
	for call; do
		ends_well "fail call=${call%:*} n=${call#*:} errno=$error rank=1" \
			"${exchanges:-3}" || return 1
	done
}

looking() {
	failing EIO ibv_get_device_list:1 ibv_open_device:1 \
		ibv_query_device:1 ibv_query_port:1 ibv_query_gid_table:1 \
		ibv_query_pkey:1
}
opening() {
	failing ENOMEM ibv_alloc_pd:1 ibv_create_comp_channel:1 \
		ibv_create_cq:{1,2} ibv_create_srq:1 ibv_reg_mr:{1,2,3} \
		ibv_create_qp:{1,2} ibv_modify_qp:{1..6} ibv_post_srq_recv:1 \
		ibv_post_recv:1
}
connecting() {
	failing ENOMEM ibv_create_cq:3 ibv_create_qp:3 ibv_create_ah:1 \
		ibv_modify_qp:{7,8,9} && worst=0 failing EIO ibv_set_ece:{1,2}
}
# INIT is refused, once: another queue pair is taken.
preparing() { worst=0 failing EINVAL ibv_modify_qp:7; }
# The peer's host is not found at first.
finding() {
	worst=0 failing EAGAIN ibv_create_ah:1 &&
		worst=0 failing ETIMEDOUT ibv_create_ah:1
}
posting() {
	failing ENOMEM ibv_post_send:{1,2,3,5,9,20} ibv_reg_mr:{4,5}
}
# A wait that finds nothing sleeps soon: it would not come to that otherwise, and
# in a few exchanges it may not either.
arming() {
	exchanges=300 WEFT_SLEEP=1us failing ENOMEM ibv_req_notify_cq:{1,2,3}
}
# Receive buffers that the device does not take, for a time or for good.
receiving() {
	has_device || return 0
	local -x WEFT_IB_SRQ=32
	local first='fail call=ibv_post_srq_recv n=10 rank=1'
	local own='device max_srq=0;fail call=ibv_post_recv rank=1'
	worst=0 ends_well "$first times=1" 300 &&
		ends_well "$first times=1000000" 300 &&
		worst=0 ends_well "$own n=76 times=1" 300 &&
		ends_well "$own n=76 times=1000000" 300
}
posting_in_vain() { failing EIO ibv_post_send:{1,2,3,5,9}; }

# told DESCRIPTION: that it has no connection hears each of two ranks while the
# other one lives, in one line.
told() {
	rm -f "$work/ping".?
	on_device "$1" expect_code 0 "$run" -n 2 --timeout 40 \
		"$top_builddir/tests/verbs_device/ping" "$work/ping" || return 1
	expect_lines 2 '^(# \[1\] )?rank [01]: WEFT_ERR_DEVICE: ' &&
		expect_lines 0 'error: '
}

# It is the other one that tells: nobody is given up.
refused() {
	local call rank
	local -x WEFT_IB_CONTACT=0
	has_device || return 0
	for call in ibv_create_qp:3 ibv_modify_qp:{7,8,9}; do
		for rank in 0 1; do
			told "fail call=${call%:*} n=${call#*:} rank=$rank \
				times=1000 errno=EIO" || return 1
		done
	done
}
refused_for_memory() {
	has_device || return 0
	told 'fail call=ibv_create_qp n=3 rank=1 times=1000000'
}

# Both call, and nothing gets through.
unanswered() {
	has_device || return 0
	local path='by .*device test_0 port 1, GIDs 10.1.0.[12] and 10.1.0.[12]'
	WEFT_STALL=1 WEFT_IB_CONTACT=1.5 \
		told 'hosts 2;port link=eth;adverse lost=1' || return 1
	expect_lines 2 "DEVICE: .*no answer for 1500 ms .*_CONTACT. $path.* 4791" &&
		expect_lines 2 "waiting for .*no answer so far .*$path"
}

# A rank that computes between two hellos is not given up.
computing() {
	has_device || return 0
	rm -f "$work/ping".?
	WEFT_IB_CONTACT=1 on_device 'hosts 2' expect_code 0 "$run" -n 2 \
		--timeout 40 "$top_builddir/tests/verbs_device/ping" \
		"$work/ping" 3 || return 1
	expect_lines 2 '^(# \[1\] )?rank [01]: WEFT_OK: '
}

tap_run "$#" "$@" looking opening preparing connecting finding refused \
	refused_for_memory unanswered computing posting arming receiving \
	posting_in_vain
