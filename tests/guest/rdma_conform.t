#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# The conformance suite over a real verbs device, in both encodings of lines,
# and what belongs to its first contact; and jobs and the suite over libfabric
# on it. Its queues are short, so that FI_UNIVERSE_SIZE has to say how few ranks
# there are.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/guest.sh"
in_a_guest "$@"

# suite NAME CASE SKIP...: nothing fails, that case is not skipped, and all those
# that are skipped are these, each for its reason
suite() {
	local name=$1 case=$2
	shift 2
	expect_code 0 tests/run --timeout 100 "tests/transport/$name.t"
	expect_line "^ok [0-9]+ - $case$"
	check diff -u <([ $# = 0 ] || printf '%s\n' "$@") <(sed -n \
		's/^ok [0-9]* - \(.* # SKIP .*\)/\1/p' "$work/out")
}

bytes='a count is not seen before the bytes'
# What no RDMA device does, directly or over libfabric.
none=('memory outside of the segment # SKIP without WF_CAP_ANYWHERE'
	'memory of a peer that is mapped # SKIP without WF_CAP_MAPPED'
	'gets from memory outside of the segment # SKIP this endpoint does not reach it')
large='offsets beyond 4 GiB # SKIP the device would pin all of it'

verbs() {
	suite "$1" "$bytes" \
		'a death is told to all ranks of the node, once # SKIP verbs has no memory in common' \
		'words of the node # SKIP verbs has no memory in common' \
		"${none[@]}" \
		'memory that others cannot write has no key # SKIP verbs gives keys of regions' \
		"$large"
}

in_the_ll_encoding() { verbs verbs; }
in_the_plain_encoding() { verbs verbs_plain; }
first_contact() { suite verbs_contact 'a key of another'; }

export FI_UNIVERSE_SIZE=8
over_libfabric() {
	suite ofi_verbs "$bytes" \
		'a death is told to all ranks of the node, once # SKIP ofi has no memory in common' \
		'words of the node # SKIP ofi has no memory in common' \
		'a rank that closes before it answers # SKIP without WF_CAP_SEES_CLOSED' \
		"${none[@]}" \
		'keys of regions, until they are released # SKIP ofi gives no keys of regions' \
		"$large" \
		'an idle target is written # SKIP without WF_CAP_TARGET_IDLE'
}

# job SCRIPT CASE
job() {
	WEFT_TRANSPORT=ofi WEFT_OFI_PROVIDER=verbs \
		expect_code 0 "$tests/mp/$1" "$2"
}

jobs_over_libfabric() {
	job exchange.t 'four ranks'
	KILLS=2 job survivors.t 'each survivor hears'
}

# It says so, and what to do.
queues_too_short() {
	FI_UNIVERSE_SIZE=256 WEFT_TRANSPORT=ofi WEFT_OFI_PROVIDER=verbs \
		expect_code 1 examples/weft-cg --mesh 3,3,3
	expect_line 'fi_enable of provider verbs;ofi_rxm on .* failed: .*; if its queues are too short, set FI_UNIVERSE_SIZE, 256 by default, to the number of ranks$'
}

tap_run "$#" "$@" in_the_ll_encoding in_the_plain_encoding first_contact \
	over_libfabric jobs_over_libfabric queues_too_short
